"""Non-interference: two bots in which all is the same but what one viewer may not know say the same to that viewer.

Both go through the same steps at the same instants, and everything that reaches the viewer is compared to the byte:
requests in their order and number, contents, ids, nonces, alt texts, names and bytes of files, errors, completions, the
data that are stored about them; for an onlooker the lines of the log too, and what is counted. In a third of the pairs
something fails meanwhile: Discord, direct messages, the bot itself.
"""

from __future__ import annotations

import logging
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

from cogs.runtime.metrics import Metrics
from data.records.hours import Hours, PeopleHours
from data.records.match import Chair, Former, Match, Status
from rules import GAMES
from rules.core.game import AnyState, Event, Game, Seat
from tests.month.fake_discord import GUILD, Message, Press
from tests.month.process import quick
from tests.reliability.pairs import Pair, Step, draw
from tests.reliability.recorded_bot import Call, Running
from tests.reliability.report import Report, fresh
from tests.reliability.seeded_leaks import Leak, plant

BATCH = 20
"""Pairs that are played in the same two bots."""
DRAWN = 500
"""Of so many pairs, the pictures of the first five are drawn, one of each game: that costs fifteen times as much."""
SLOT = 10
"""Seconds from one step to the next."""
CALM = 400
"""Seconds in which whatever has failed is made good."""
TIMED = re.compile("_sum |_bucket{")
"""What is measured of a metric in real time."""


def run(report: Report, folder: Path, trials: int, bug: Leak, only: int | None = None, first: int = 0) -> None:
    """So many pairs, from that one on; `only`: the batch of that one, up to it."""
    logging.disable(logging.NOTSET)
    begin, end = (first, first + trials) if only is None else (only - only % BATCH, only + 1)
    for start in range(begin, end, BATCH):
        if _batch(report, folder, range(start, min(start + BATCH, end)), bug) or report.late:
            return


def _batch(report: Report, folder: Path, trials: range, bug: Leak) -> bool:
    """Whether one of these pairs can be told apart, which ends it."""
    twins: Twins | None = None
    with quick(f"{report.seed} {trials[0]}", lambda: twins is not None and twins.drawn) as patch:
        plant(patch, bug)
        # /doctor says how much is free, and other programs may write between the two runs.
        patch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=100 << 30))
        twins = Twins(report, fresh(folder / "bots"))
        try:
            return any(twins.differs(trial) for trial in trials)
        finally:
            twins.close()


class _Begun:
    """A position as the rules' `new` gives one, for a match that begins in the middle: so much has happened before."""

    def __init__(self, state: AnyState, story: tuple[Event, ...]) -> None:
        self._state, self._story = state, story

    def opening(self) -> tuple[Event, ...]:
        return self._story

    def __getattr__(self, name: str) -> Any:
        return getattr(self._state, name)


class _Lines(logging.Handler):
    """Remembers what is logged."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.levelname} {self.format(record)}")


class Told(NamedTuple):
    """What a run has told: to the viewer, to the log, and to whoever reads the metrics."""

    calls: list[Call]
    lines: list[str]
    counts: list[str]


class Twins:
    """Two bots, and the pairs that are played in them."""

    def __init__(self, report: Report, folder: Path) -> None:
        self._report, self._folder = report, folder
        self.drawn = False
        """Whether pictures are, which each pair decides."""
        self._bots = [_Bot(folder / "first"), _Bot(folder / "second")]
        self._number = 0

    def differs(self, trial: int) -> bool:
        """Whether the viewer of that pair can tell the runs apart, which is then noted."""
        self._number += 1
        drawn = trial % DRAWN < len(GAMES)
        if drawn != self.drawn:  # else one run might show the picture of an earlier pair, and the other a pixel
            self.drawn = drawn
            for bot in self._bots:
                bot.running.forget_pictures()
        pair = draw(self._report.seed, trial, self._number)
        return self._report.ended(trial, self.differences(pair), self._folder)

    def differences(self, pair: Pair) -> list[str]:
        """How the viewer of that pair can tell the runs apart."""
        with _heard() as heard:
            told = [bot.play(pair, run, heard.lines) for run, bot in enumerate(self._bots)]
        self._count(pair, told[0].calls)
        found = _differences([str(call) for call in told[0].calls], [str(call) for call in told[1].calls])
        if pair.viewer is None:
            # Of a message that could not be sent, whoever reads the log may know: it is the owner, not a player.
            logged = [[line for line in t.lines if not (pair.faulty and line.startswith("WARNING"))] for t in told]
            found += _differences(*logged)
            found += _differences(told[0].counts, told[1].counts) if pair.even else []
        found += [f"the bot is at fault: {line}" for line in heard.lines if line.startswith("ERROR")]
        who = "the onlooker" if pair.viewer is None else f"seat {pair.viewer}"
        return [f"{pair.slug}, {who}: {text}" for text in found]

    def _count(self, pair: Pair, told: list[Call]) -> None:
        counts = self._report.counts
        counts["pairs"] += 1
        counts["under faults"] += pair.faulty
        counts["with pictures drawn"] += self.drawn
        counts["steps that differ"] += sum(step.first != step.second for step in pair.steps)
        counts["requests compared"] += len(told)

    def close(self) -> None:
        for bot in self._bots:
            bot.running.close()


class _Bot:
    """One of the two."""

    def __init__(self, folder: Path) -> None:
        self._begun: dict[str, _Begun] = {}
        self.running = Running(folder, {slug: self._rules(game) for slug, game in GAMES.items()})

    def _rules(self, game: Game) -> Game:
        def new(seats: int, options: Any, seed: str) -> Any:
            return self._begun.get(seed) or game.new(seats, options, seed)

        return replace(game, new=new)

    def play(self, pair: Pair, run: int, lines: list[str]) -> Told:
        """Everything that the pair's viewer received. `lines`: of the log, which grows."""
        running, state = self.running, pair.starts[run]
        before = len(lines)
        self._begun[pair.secret] = _Begun(state, pair.story)
        vars(running.metrics).update(vars(Metrics()))
        running.discord.calls.clear()
        channel = running.discord.new_channel(number=500 + pair.seats[0])
        number = running.run_inside(self._open(pair, channel.id, state))
        running.pass_time(SLOT)
        for step in pair.steps:
            begun = running.loop.time()
            if step.of(run) is not None:
                self._do(step, step.of(run), channel.id)
            running.pass_time(max(0.0, begun + SLOT - running.loop.time()))
        running.discord.down = False
        running.pass_time(CALM if pair.faulty else SLOT)
        assert pair.ends is not None
        running.run_inside(self._check(number, pair.ends[run], pair))
        received = [call for call in running.discord.calls if call.eyes in (None, pair.eyes) and call.method != "GET"]
        counts = [line for line in running.metrics.text({}).splitlines() if not TIMED.search(line)]
        return Told(received, lines[before:], counts)

    async def _open(self, pair: Pair, channel: int, state: AnyState) -> int:
        running, app, now = self.running, self.running.app, int(self.running.now())
        for user, settings in pair.settings.items():
            dm = running.discord.know(user, f"P{user % 10}")
            await app.people.meet(user, f"P{user % 10}", "de" if user % 3 == 0 else "en-US")
            due = now + 3600 if settings["digest_hours"] else None
            await app.people.change(user, dm=dm, dm_works=True, digest_due=due, **settings)
            if user in pair.quiet:
                await PeopleHours(app.service._matches._database).put(user, Hours(quiet=pair.quiet[user]))
        running.discord.closed |= pair.closed
        holder = pair.viewer if pair.offered else None
        match = Match(
            **{"id": 0, "game": pair.slug, "status": Status.PLAYING, "guild": GUILD, "channel": channel},
            **{"place": channel, "host": pair.seats[0], "locale": pair.locale, "options": pair.options, "wanted": None},
            **{"own_thread": False, "secret": pair.secret, "state": state.to_json(), "version": 1, "moves": 0},
            **{"opened_at": now, "started_at": now, "turn_since": now, "ended_at": None},
            chairs=tuple(
                Chair(seat, user, f"P{user % 10}", offered=seat == holder, plays_forced=Seat(seat) in pair.forced)
                for seat, user in enumerate(pair.seats)
            ),
            clock=pair.clock,
            absent=pair.absent,
            former=(Former(pair.eyes, 0),) if pair.left else (),
            rules=GAMES[pair.slug].version,
        )
        opened = await app.service._matches.open(match)
        async with app.service.deciding(opened.id) as match:
            await app.service.save(match)
        app.publisher.changed(opened.id)
        return opened.id

    def _do(self, step: Step, what: Any, channel: int) -> None:
        running, discord = self.running, self.running.discord
        match step.kind:
            case "press":
                running.run(discord.press(step.user, self._message(step.user, what, channel), what))
            case "slash":
                running.run(discord.slash(step.user, channel, what))
            case "move":
                running.run(discord.slash(step.user, channel, "move", move=what))
            case "complete":
                running.run(self._complete(step.user, channel, *what))
            case "wait":
                running.pass_time(what)
            case "down":
                discord.down = what
            case "closed":
                discord.closed.add(step.user)
            case "restart":
                running.run(running.stop(crash=what))
                running.run(running.start())

    def _message(self, user: int, custom_id: str, channel: int) -> Message:
        """Where it is pressed: a move in the hand, anything else at the table."""
        discord, number = self.running.discord, int(custom_id.split("/")[1])
        hand = discord.hands.get((user, number))
        if "/move/" in custom_id and hand is not None:
            return hand
        found = discord.tables.get(number)
        return found if found is not None else Message(channel, channel, {})

    async def _complete(self, user: int, channel: int, name: str, focused: str) -> Press:
        option = {"name": focused, "type": 4 if focused == "table" else 3, "value": "", "focused": True}
        data = {"id": "1", "name": name, "type": 1, "options": [option]}
        return await self.running.discord.interact(user, channel, 4, data)

    async def _check(self, number: int, end: AnyState, pair: Pair) -> None:
        """The position is the one that was meant, else nothing was compared; then nothing happens there any more."""
        app = self.running.app
        match = await app.service._matches.get(number)
        assert match is not None
        assert match.state == end.to_json(), f"a move was not made: {pair.steps}"
        now = int(self.running.now())
        match = await app.service.save(replace(match, status=Status.CANCELLED, ended_at=now))
        posts = await app.service._matches.posts(number)
        await app.service._matches.save_posts([replace(post, shown=match.version) for post in posts.values()])
        for user in pair.settings:
            await app.people.change(user, digest_hours=0, digest_due=None)


@contextmanager
def _heard() -> Iterator[_Lines]:
    logger, heard = logging.getLogger(), _Lines()
    level = logger.level
    logger.addHandler(heard)
    logger.setLevel(logging.INFO)
    try:
        yield heard
    finally:
        logger.removeHandler(heard)
        logger.setLevel(level)


def _differences(one: list[str], other: list[str]) -> list[str]:
    """Where two transcripts part for the first time."""
    for at, (here, there) in enumerate(zip(one, other, strict=False)):
        if here != there:
            letters = enumerate(zip(f"{here}\0", f"{there}\0", strict=False))
            start = max(0, next(place for place, (a, b) in letters if a != b) - 120)
            return [f"number {at}: {here[:60]} …{here[start : start + 300]}… beside …{there[start : start + 300]}…"]
    if len(one) != len(other):
        more = (one if len(one) > len(other) else other)[min(len(one), len(other))]
        return [f"{len(one)} beside {len(other)}: {more[:400]}"]
    return []
