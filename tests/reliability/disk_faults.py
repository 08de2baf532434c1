"""A disk that fails: the k-th operation on a file of the database, for every k of a whole match, once and for ever.

A match is played to its end, with a copy of its files before every few presses. A trial goes on from such a copy and
lets one operation fail, from the opening of the file to its closing. With a full disk (ENOSPC) a press is refused as
not recorded, and is not. A faulty disk (EIO), or a sync that fails, leaves that open. Either way nothing that was
answered is lost, neither in what the bot remembers nor in the files as a kill would leave them; and once the disk
works again the press, made again, is recorded once, without a restart.
"""

from __future__ import annotations

import asyncio
import errno
import shutil
import sqlite3
from collections import Counter
from collections.abc import Awaitable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from cogs.match.refusals import Refused
from data.records.match import Status
from data.records.matches import Matches
from data.store.database import Database, DatabaseRefusal, NotStored
from rules import GAMES
from tests.reliability import invariants, recorder
from tests.reliability.forks import Failed, forked
from tests.reliability.history import UNDO, Diary, Press
from tests.reliability.report import Report, fresh
from tests.reliability.seeded_bugs import Bug
from tests.reliability.store_players import Players

PRESSES = 3
"""Presses in a trial."""
WAYS = [(error, forever) for error in (errno.ENOSPC, errno.EIO) for forever in (False, True)]
FILE, DIARY = "sundial.db", "diary"


@dataclass(frozen=True, slots=True)
class Stretch:
    """A few presses of a match: its files before them, and how many operations there are if nothing fails."""

    slug: str
    seed: str
    files: Path
    operations: int = 0


def run(
    report: Report, folder: Path, trials: int, bug: Bug, only: int | None = None, games: Sequence[str] = tuple(GAMES)
) -> None:
    """About so many trials, spread evenly over all operations of a match of each game and all ways to fail."""
    stretches = [
        Stretch(slug, stretch_seed, Path(files), operations)
        for game in games
        for slug, stretch_seed, files, operations in forked(_whole_match, folder, game, report.seed)
    ]
    points = [(s, k, way) for s in stretches for k in range(1, s.operations + 1) for way in WAYS]
    step = max(1, round(len(points) / trials)) | 1  # odd, so that it meets every way
    report.counts["operations"] = sum(stretch.operations for stretch in stretches)
    report.counts["ways to fail"] = len(WAYS)
    numbers = list(range(0, len(points), step))
    Random(report.seed).shuffle(numbers)  # what is wrong everywhere is found soon
    for number in numbers if only is None else [only]:
        stretch, k, (error, forever) = points[number]
        where = fresh(folder / "trial")
        try:
            found, told = forked(_trial, where, stretch, k, error, forever, bug)
        except Failed as failed:
            found, told = [str(failed)], {}
        report.counts["trials"] += 1
        report.counts.update(told)
        how = f"{errno.errorcode[error]} {'from' if forever else 'at'} operation {k} of {stretch.files.name}"
        if report.ended(number, [f"{text}; {how}" for text in found], where) or report.late:
            return


def _whole_match(folder: Path, slug: str, seed: int) -> list[tuple[str, str, str, int]]:
    """Play a match of that game from no file at all to its end. Gives the facts of its stretches."""
    found: list[tuple[str, str, str, int]] = []
    work, files, over = folder / "work", fresh(folder / f"{slug}-0"), False
    while not over:
        stretch, following = Stretch(slug, f"{seed}/{files.name}", files), fresh(folder / f"{slug}-{len(found) + 1}")
        _copy(stretch.files, fresh(work))
        recorder.watch(work)
        recorder.arm(0, 0, False)
        over = asyncio.run(_undisturbed(work, stretch, following))
        found.append((slug, stretch.seed, str(files), recorder.operations()))
        files = following
    return found


async def _undisturbed(work: Path, stretch: Stretch, following: Path) -> bool:
    """Play a stretch; the next one begins with the files as they are before they are closed. True where the match is
    over.
    """
    lines = (work / DIARY).read_text().splitlines(keepends=True) if (work / DIARY).exists() else []
    async with Players.opened(work / FILE, Random(stretch.seed), lines.append, games=[stretch.slug]) as players:
        await players.sit_down()
        for _ in range(PRESSES):
            press = await players.draw(stretch.slug)
            await players.press(press)
            await players.show(stretch.slug)
            over = (await players.host.load(press.match)).status is Status.OVER
            if over:
                break
        _copy(work, following)
        (following / DIARY).write_text("".join(lines))
        return over


def _copy(source: Path, target: Path) -> None:
    """The files of a database as they are, and the diary. What lies in shared memory is made anew."""
    for name in (FILE, f"{FILE}-wal", DIARY):
        with suppress(FileNotFoundError):
            shutil.copy(source / name, target / name)


def _trial(
    where: Path, stretch: Stretch, k: int, error: int, forever: bool, bug: Bug
) -> tuple[list[str], Counter[str]]:
    """What is wrong after that operation has failed, and how often a press was answered how."""
    work = fresh(where / "work")
    _copy(stretch.files, work)
    trial = _Trial(where, stretch, error, bug)
    if (work / DIARY).exists():
        trial.diary.read((work / DIARY).read_text().splitlines(keepends=True))
    recorder.watch(work)
    recorder.arm(k, error, forever)
    asyncio.run(trial.run())
    return trial.found, trial.told


@dataclass
class _Trial:
    where: Path
    stretch: Stretch
    error: int
    bug: Bug
    diary: Diary = field(default_factory=Diary)
    found: list[str] = field(default_factory=list)
    told: Counter[str] = field(default_factory=Counter)
    _refused: bool = False
    """Whether the last press that was not answered was refused as not recorded."""

    async def run(self) -> None:
        """Play the stretch while an operation fails, then look at the file as the next start of the bot finds it."""
        games = [self.stretch.slug]
        path, random = self.where / "work" / FILE, Random(self.stretch.seed)
        try:
            async with Players.opened(path, random, self._note, self.bug, games) as players:
                await self._play(players)
        except DatabaseRefusal:  # the bot does not start, and says so
            self.told["starts refused"] += 1
            self._repair()
            async with Players.opened(path, random, self._note, self.bug, games) as players:
                await self._play(players)
        self._repair()
        self.found += await invariants.faults(path, self.diary)

    def _note(self, line: str) -> None:
        self.diary.read([line])

    def _repair(self) -> None:
        """Let nothing fail any more."""
        self.told["operations failed"] |= recorder.failed() is not None
        recorder.arm(0, 0, False)

    async def _play(self, players: Players) -> None:
        try:
            await players.sit_down()
        except (Refused, NotStored, sqlite3.OperationalError) as refusal:
            if isinstance(refusal, Refused) and refusal.reason != "not_stored":
                raise
            self.told["lobbies refused"] += 1
            self._repair()
            await players.sit_down()
        for _ in range(PRESSES):
            press = await players.draw(self.stretch.slug)
            if not await self._answers(players.database, press, players.press(press)):
                await self._killed_now(press)
                if not await self._answers(players.database, press, players.press_again(press)):
                    self._repair()  # there is space again
                    await players.press_again(press)
            self.told["recorded"] += 1
            with suppress(NotStored, sqlite3.OperationalError):  # what is not shown is shown later
                await players.show(self.stretch.slug)
            if (await players.host.load(press.match)).status is Status.OVER:
                return

    async def _answers(self, database: Database, press: Press, doing: Awaitable[None]) -> bool:
        """Whether a press is answered as recorded. Else it is refused, and truly not recorded, or it is not known."""
        try:
            await doing
        except Refused as refused:
            if refused.reason != "not_stored":
                raise
            self.told["refused as not recorded"] += 1
            self._refused = True
            if await _recorded(database, press):
                self.found.append(f"refused, and recorded: {press}")
        except sqlite3.OperationalError as error:
            self.told["not known"] += 1
            self._refused = False
            if self.error == errno.ENOSPC and recorder.failed() in (None, "W", "O"):
                self.found.append(f"a full disk, and not refused: {error!r}")
        else:
            return True
        return False

    async def _killed_now(self, press: Press) -> None:
        """What would be found if the bot were killed at this instant and started anew; then the press is made again."""
        copied = fresh(self.where / "killed")
        _copy(self.where / "work", copied)
        lines: list[str] = []
        async with Players.opened(copied / FILE, Random(0), lines.append, self.bug) as players:
            found = await invariants.faults_in(players.database, self.diary)
            # A commit frame that could not be written over an old frame of the same content is whole all the same.
            refused = self._refused and recorder.failed() != "O"
            if refused and await _recorded(players.database, press):
                found.append(f"refused, and recorded: {press}")
            if not found:
                await players.press_again(press)
                diary = self.diary.copy()
                diary.read(lines)
                found = await invariants.faults_in(players.database, diary)
        self.found += [f"{text}; killed after the fault" for text in found]


async def _recorded(database: Database, press: Press) -> bool:
    """Whether the log has that press, read past whatever the bot remembers."""
    made = [(move.user, move.turn, move.text) for move in await Matches(database).moves(press.match)]
    return press.text != UNDO and (press.user, press.turn, press.text) in made
