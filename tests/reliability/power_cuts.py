"""Power cuts: record all that is written while people play, and rebuild the disk as a cut may leave it.

A cut keeps what was synced. Of the rest it keeps all, nothing, or random sectors. The same goes for the names of files,
which are synced with their folder. Each image is opened as the bot would open it. It must have all that people had been
told by then, and the last press, made again, is recorded once.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from itertools import cycle
from pathlib import Path
from random import Random

from cogs.match.refusals import Refused
from data.store.database import DatabaseRefusal
from rules import GAMES
from tests.reliability import recorder
from tests.reliability.forks import run_forked
from tests.reliability.history import History
from tests.reliability.invariants import CORRUPT, LOST, faults_in
from tests.reliability.recorder import Operation
from tests.reliability.report import Report, empty_folder
from tests.reliability.seeded_bugs import Bug
from tests.reliability.store_players import StorePlayers

IMAGES = 1_000
"""Images of one recording."""
LIVES, PRESSES = 4, 60
"""Starts of the process in one recording, and presses after each start."""
SECTOR = 512
HISTORY = "history"


class Cut(Enum):
    """What a cut does to writes that were not synced."""

    DROPS = "dropped"
    KEEPS = "kept"
    SHUFFLES = "shuffled"


def run(report: Report, folder: Path, trials: int, bug: Bug, only: int | None = None) -> None:
    """Check `trials` images, or only the image `only`."""
    wanted = range(trials) if only is None else range(only, only + 1)
    for recording in range(wanted[0] // IMAGES, wanted[-1] // IMAGES + 1):
        first = recording * IMAGES
        of_this = [trial for trial in wanted if first <= trial < first + IMAGES]
        operations = record(empty_folder(folder / "recorded"), Random(f"{report.seed}/{recording}"), bug)
        syncs = sum(operation.kind == "S" for operation in operations)
        if bug is Bug.NONE and syncs < LIVES * PRESSES:
            raise RuntimeError(f"{syncs} syncs for {LIVES * PRESSES} moves: the recorder does not see all of them")
        report.counts["recorded operations"] += len(operations)
        report.counts["syncs"] += syncs
        asyncio.run(_cuts(folder / "image", operations, of_this, report))
        if report.trial is not None or report.out_of_time:
            return


def record(folder: Path, random: Random, bug: Bug = Bug.NONE) -> list[Operation]:
    """Let people play. Return all operations on the files of that folder, including the history."""
    log = folder.with_name("recording")
    log.unlink(missing_ok=True)
    for life in range(LIVES):
        run_forked(_play, folder, log, random.getrandbits(32), bug, life % 2 == 0)
    return list(recorder.read(log))


def _play(folder: Path, log: Path, seed: int, bug: Bug, ends_well: bool) -> None:
    recorder.watch(folder, log)
    asyncio.run(_presses(folder, Random(seed), bug, ends_well))


async def _presses(folder: Path, random: Random, bug: Bug, ends_well: bool) -> None:
    """Run one process. If it does not end well, it exits between two presses, without a checkpoint of its WAL."""
    history = os.open(folder / HISTORY, os.O_WRONLY | os.O_CREAT)
    os.lseek(history, 0, os.SEEK_END)
    async with StorePlayers.opened(
        folder / "sundial.db", random, lambda line: os.write(history, line.encode()), bug
    ) as players:
        await players.sit_down()
        slugs = cycle(random.sample(sorted(GAMES), len(GAMES)))
        for _, slug in zip(range(PRESSES), slugs, strict=False):
            await players.press(await players.draw_press(slug))
            await players.record_shown(slug)
        if not ends_well:
            os._exit(0)


@dataclass
class _File:
    synced: bytearray = field(default_factory=bytearray)
    unsynced: list[Operation] = field(default_factory=list)

    def after(self, cut: Cut, random: Random) -> bytearray:
        """Return the content after the cut."""
        left = bytearray(self.synced)
        for operation in self.unsynced if cut is not Cut.DROPS else ():
            for part in _sectors(operation):
                if cut is Cut.KEEPS or random.random() < 0.5:
                    _apply(left, part)
        return left

    def sync(self) -> None:
        for operation in self.unsynced:
            _apply(self.synced, operation)
        self.unsynced.clear()


def _sectors(operation: Operation) -> Iterator[Operation]:
    """Yield the parts of a write that a disk writes as one."""
    begin, end = operation.offset, operation.offset + len(operation.data)
    if begin == end:
        yield operation
    while begin < end:
        stop = min(end, begin - begin % SECTOR + SECTOR)
        data = operation.data[begin - operation.offset : stop - operation.offset]
        yield Operation(operation.kind, operation.name, begin, data)
        begin = stop


def _apply(content: bytearray, operation: Operation) -> None:
    if operation.kind == "T":
        del content[operation.offset :]
    content.extend(bytes(max(0, operation.offset - len(content))))
    content[operation.offset : operation.offset + len(operation.data)] = operation.data


class Disk:
    """A folder on a disk: the files that a running program sees, and the files that are synced."""

    def __init__(self) -> None:
        self._names: dict[str, _File] = {}
        self._synced_names: dict[str, _File] = {}

    def take(self, operation: Operation) -> None:
        """Apply one operation."""
        name = operation.name
        if name == ".":
            self._synced_names = dict(self._names)
        elif operation.kind == "C":
            self._names[name] = _File()
        elif operation.kind == "U":
            self._names.pop(name, None)
        elif operation.kind == "S":
            self._names[name].sync()
        else:
            self._names[name].unsynced.append(operation)

    def after(self, cut: Cut, random: Random) -> dict[str, bytearray]:
        """Return the files after the cut."""
        left = {}
        for name in sorted({*self._names, *self._synced_names}):
            synced, seen = self._synced_names.get(name), self._names.get(name)
            keeps = random.random() < 0.5 if cut is Cut.SHUFFLES else cut is Cut.KEEPS
            file = seen if keeps else synced
            if file is not None and not name.endswith("-shm"):  # that is memory
                left[name] = file.after(cut, random)
        return left


async def _cuts(folder: Path, operations: list[Operation], trials: list[int], report: Report) -> None:
    """Cut the power once for each trial, in the order of the recording."""
    plans = []
    for trial in trials:
        random = Random(f"{report.seed}/{trial}/cut")
        plans.append((random.randrange(1, len(operations) + 1), trial, random))
    disk, history, written, done = Disk(), History(), b"", 0
    for end, trial, random in sorted(plans, key=lambda plan: plan[:2]):
        for operation in operations[done:end]:
            if operation.name == HISTORY:
                written += operation.data
            else:
                disk.take(operation)
        done = end
        history.read(written.decode().splitlines(keepends=True))
        written = b""  # each line is one write
        cut = random.choice([Cut.DROPS, Cut.KEEPS, Cut.SHUFFLES, Cut.SHUFFLES])
        empty_folder(folder)
        for name, content in disk.after(cut, random).items():
            (folder / name).write_bytes(content)
        found = await _faults_in_image(folder / "sundial.db", history.copy())
        report.counts["images"] += 1
        if report.record(trial, [f"{text}; operation {end}, unsynced writes {cut.value}" for text in found], folder):
            return
    report.counts["answers"] += len(history.answers)


async def _faults_in_image(path: Path, history: History) -> list[str]:
    """Return the faults of an image; if it has none, the faults after the last press is made again in it."""
    lines: list[str] = []
    try:
        async with StorePlayers.opened(path, Random(0), lines.append) as players:
            found = await faults_in(players.database, history)
            if not found and history.last is not None:
                await players.press_again(history.last)
                history.read(lines)
                found = await faults_in(players.database, history, history.last.match)
            return found
    except DatabaseRefusal as refusal:
        return [f"{CORRUPT}: {refusal}"]
    except Refused as refused:
        return [f"{LOST}: what the last press needs; made again it is refused: {refused.reason}"]
