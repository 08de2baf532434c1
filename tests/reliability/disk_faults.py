"""A disk that fails: the k-th operation on a file of the database fails, for every k of a match, once or from then on.

The harness plays a match to its end and copies its files before every few presses. A trial starts from such a copy and
lets one operation fail, from the opening of the file to its closing. On a full disk (ENOSPC) the bot refuses a press as
not recorded, and it is not. On a faulty disk (EIO), or if a sync fails, it may be recorded or not. In both cases no
answered press is lost, neither in the bot's memory nor in the files after a kill. Once the disk works again, the
repeated press is recorded once, without a restart.
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
from tests.reliability.forks import ChildFailed, run_forked
from tests.reliability.history import UNDO, History, Press
from tests.reliability.report import Report, empty_folder
from tests.reliability.seeded_bugs import Bug
from tests.reliability.store_players import StorePlayers

PRESSES = 3
"""Presses in a trial."""
FAULTS = [(error, forever) for error in (errno.ENOSPC, errno.EIO) for forever in (False, True)]
FILE, HISTORY = "sundial.db", "history"


@dataclass(frozen=True, slots=True)
class Segment:
    """A few presses of a match: the files before them, and the number of operations if nothing fails."""

    slug: str
    seed: str
    files: Path
    operations: int = 0


def run(
    report: Report, folder: Path, trials: int, bug: Bug, only: int | None = None, games: Sequence[str] = tuple(GAMES)
) -> None:
    """Run about `trials` trials, spread evenly over all operations of a match of each game and all ways to fail."""
    segments = [
        Segment(slug, segment_seed, Path(files), operations)
        for game in games
        for slug, segment_seed, files, operations in run_forked(_play_match, folder, game, report.seed)
    ]
    points = [(s, k, way) for s in segments for k in range(1, s.operations + 1) for way in FAULTS]
    step = max(1, round(len(points) / trials)) | 1  # odd, so that it meets every way
    report.counts["operations"] = sum(segment.operations for segment in segments)
    report.counts["ways to fail"] = len(FAULTS)
    numbers = list(range(0, len(points), step))
    Random(report.seed).shuffle(numbers)  # a fault at every operation is found soon
    for number in numbers if only is None else [only]:
        segment, k, (error, forever) = points[number]
        where = empty_folder(folder / "trial")
        try:
            found, counts = run_forked(_trial, where, segment, k, error, forever, bug)
        except ChildFailed as failed:
            found, counts = [str(failed)], {}
        report.counts["trials"] += 1
        report.counts.update(counts)
        how = f"{errno.errorcode[error]} {'from' if forever else 'at'} operation {k} of {segment.files.name}"
        if report.record(number, [f"{text}; {how}" for text in found], where) or report.out_of_time:
            return


def _play_match(folder: Path, slug: str, seed: int) -> list[tuple[str, str, str, int]]:
    """Play a match of that game, from no file to its end. Return the fields of its segments."""
    found: list[tuple[str, str, str, int]] = []
    work, files, over = folder / "work", empty_folder(folder / f"{slug}-0"), False
    while not over:
        segment, following = (
            Segment(slug, f"{seed}/{files.name}", files),
            empty_folder(folder / f"{slug}-{len(found) + 1}"),
        )
        _copy(segment.files, empty_folder(work))
        recorder.watch(work)
        recorder.arm(0, 0, False)
        over = asyncio.run(_play_without_faults(work, segment, following))
        found.append((slug, segment.seed, str(files), recorder.operations()))
        files = following
    return found


async def _play_without_faults(work: Path, segment: Segment, following: Path) -> bool:
    """Play a segment, and copy the files for the next one before they are closed. Return whether the match is over."""
    lines = (work / HISTORY).read_text().splitlines(keepends=True) if (work / HISTORY).exists() else []
    async with StorePlayers.opened(work / FILE, Random(segment.seed), lines.append, games=[segment.slug]) as players:
        await players.sit_down()
        for _ in range(PRESSES):
            press = await players.draw_press(segment.slug)
            await players.press(press)
            await players.record_shown(segment.slug)
            over = (await players.service.load(press.match)).status is Status.OVER
            if over:
                break
        _copy(work, following)
        (following / HISTORY).write_text("".join(lines))
        return over


def _copy(source: Path, target: Path) -> None:
    """Copy the files of a database, and the history. SQLite makes the shared memory file again."""
    for name in (FILE, f"{FILE}-wal", HISTORY):
        with suppress(FileNotFoundError):
            shutil.copy(source / name, target / name)


def _trial(
    where: Path, segment: Segment, k: int, error: int, forever: bool, bug: Bug
) -> tuple[list[str], Counter[str]]:
    """Return the faults after that operation has failed, and how often each kind of answer came."""
    work = empty_folder(where / "work")
    _copy(segment.files, work)
    trial = _Trial(where, segment, error, bug)
    if (work / HISTORY).exists():
        trial.history.read((work / HISTORY).read_text().splitlines(keepends=True))
    recorder.watch(work)
    recorder.arm(k, error, forever)
    asyncio.run(trial.run())
    return trial.found, trial.counts


@dataclass
class _Trial:
    where: Path
    segment: Segment
    error: int
    bug: Bug
    history: History = field(default_factory=History)
    found: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    _refused: bool = False
    """Whether the last press that was not answered was refused as not recorded."""

    async def run(self) -> None:
        """Play the segment while an operation fails. Then check the file as the next start of the bot finds it."""
        games = [self.segment.slug]
        path, random = self.where / "work" / FILE, Random(self.segment.seed)
        try:
            async with StorePlayers.opened(path, random, self._note, self.bug, games) as players:
                await self._play(players)
        except DatabaseRefusal:  # the bot does not start, and says so
            self.counts["starts refused"] += 1
            self._stop_faults()
            async with StorePlayers.opened(path, random, self._note, self.bug, games) as players:
                await self._play(players)
        self._stop_faults()
        self.found += await invariants.faults(path, self.history)

    def _note(self, line: str) -> None:
        self.history.read([line])

    def _stop_faults(self) -> None:
        """Let nothing fail any more."""
        self.counts["operations failed"] |= recorder.failed() is not None
        recorder.arm(0, 0, False)

    async def _play(self, players: StorePlayers) -> None:
        try:
            await players.sit_down()
        except (Refused, NotStored, sqlite3.OperationalError) as refusal:
            if isinstance(refusal, Refused) and refusal.reason != "not_stored":
                raise
            self.counts["lobbies refused"] += 1
            self._stop_faults()
            await players.sit_down()
        for _ in range(PRESSES):
            press = await players.draw_press(self.segment.slug)
            if not await self._answers(players.database, press, players.press(press)):
                await self._check_after_kill(press)
                if not await self._answers(players.database, press, players.press_again(press)):
                    self._stop_faults()  # there is space again
                    await players.press_again(press)
            self.counts["recorded"] += 1
            with suppress(NotStored, sqlite3.OperationalError):  # what is not shown is shown later
                await players.record_shown(self.segment.slug)
            if (await players.service.load(press.match)).status is Status.OVER:
                return

    async def _answers(self, database: Database, press: Press, doing: Awaitable[None]) -> bool:
        """Return whether the bot answers that a press is recorded. If it refuses, check that it is not."""
        try:
            await doing
        except Refused as refused:
            if refused.reason != "not_stored":
                raise
            self.counts["refused as not recorded"] += 1
            self._refused = True
            if await _is_recorded(database, press):
                self.found.append(f"refused, and recorded: {press}")
        except sqlite3.OperationalError as error:
            self.counts["not known"] += 1
            self._refused = False
            if self.error == errno.ENOSPC and recorder.failed() in (None, "W", "O"):
                self.found.append(f"a full disk, and not refused: {error!r}")
        else:
            return True
        return False

    async def _check_after_kill(self, press: Press) -> None:
        """Check copied files, as if the bot were killed now and started again, and make the press again there."""
        copied = empty_folder(self.where / "killed")
        _copy(self.where / "work", copied)
        lines: list[str] = []
        async with StorePlayers.opened(copied / FILE, Random(0), lines.append, self.bug) as players:
            found = await invariants.faults_in(players.database, self.history)
            # A commit frame that could not be written over an old frame of the same content is whole all the same.
            refused = self._refused and recorder.failed() != "O"
            if refused and await _is_recorded(players.database, press):
                found.append(f"refused, and recorded: {press}")
            if not found:
                await players.press_again(press)
                history = self.history.copy()
                history.read(lines)
                found = await invariants.faults_in(players.database, history)
        self.found += [f"{text}; killed after the fault" for text in found]


async def _is_recorded(database: Database, press: Press) -> bool:
    """Return whether the log has that press, read without caches."""
    made = [(move.user, move.turn, move.text) for move in await Matches(database).moves(press.match)]
    return press.text != UNDO and (press.user, press.turn, press.text) in made
