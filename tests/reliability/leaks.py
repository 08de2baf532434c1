"""Non-interference: two bots that differ only in what a viewer may not know show that viewer the same.

Both take the same steps at the same instants. All that reaches the viewer is compared to the byte: the order and number
of requests, contents, ids, nonces, alt texts, names and bytes of files, errors, completions, the export of the viewer's
data. For an onlooker the bot's log and the metrics are compared too. In a third of the pairs something fails meanwhile:
Discord, direct messages, or the bot itself. At some tables a computer plays, and its hand decides how long it thinks in
virtual time: neither its moves nor their times may tell anything.
"""

from __future__ import annotations

import asyncio
import logging
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import cogs.match.automatic_moves
import cogs.match.verification
import cogs.messages.statistics
from cogs.match.automatic_moves import PACES, ThreadThinker
from cogs.messages.replay import FILM, PAGE
from cogs.runtime.metrics import Metrics
from data.records.hours import Hours, PeopleHours
from data.records.match import Chair, Former, Guest, Match, Status
from rules import GAMES
from rules.core.game import AnyState, Event, Game, Seat
from tests.month.messages import GUILD, Message, Press
from tests.month.process import fast_settings
from tests.reliability.pairs import Pair, Step
from tests.reliability.recorded_bot import Request, RunningBot
from tests.reliability.report import Report, empty_folder
from tests.reliability.scripts import draw
from tests.reliability.seeded_leaks import Leak, seed_leak
from tests.support.inside import database_of, stored_matches

BATCH = 20
"""Pairs that are played in the same two bots."""
DRAWN = 500
"""Of each DRAWN pairs the first five, one of each game, draw their pictures: that costs fifteen times as much."""
SLOT = 10
"""Seconds from one step to the next."""
CALM = 400
"""Seconds in which the bot tries again all that has failed."""
REPLAYED = (0, 1, 2, 99)
"""Steps of the replay that the viewer opens at the end. If one is not there, the refusal says how many are."""
TIMED = re.compile("_sum |_bucket{|^sundial_info{")
"""The lines of metrics that measure real time, or name the process."""
TRIED = re.compile("^WARNING|; again in ")
"""The lines of the log that tell of tries that failed: there may be more of them if there is more to show."""


def run(report: Report, folder: Path, trials: int, bug: Leak, only: int | None = None, first: int = 0) -> None:
    """Compare `trials` pairs, beginning with pair `first`; or only the batch of pair `only`, up to that pair."""
    logging.disable(logging.NOTSET)
    begin, end = (first, first + trials) if only is None else (only - only % BATCH, only + 1)
    for start in range(begin, end, BATCH):
        if _batch(report, folder, range(start, min(start + BATCH, end)), bug) or report.out_of_time:
            return


def _batch(report: Report, folder: Path, trials: range, bug: Leak) -> bool:
    """Compare these pairs until one differs. Return whether one does."""
    twins: TwinBots | None = None
    with fast_settings(f"{report.seed} {trials[0]}", lambda: twins is not None and twins.drawn) as patch:
        seed_leak(patch, bug)
        # /doctor says how much is free, and other programs may write between the two runs.
        patch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=100 << 30))
        patch.setattr(cogs.messages.statistics, "LEAST", 1)  # so that /stats tells of the few matches that end here
        for user in (cogs.match.automatic_moves, cogs.match.verification):
            patch.setattr(user, "ThreadThinker", SlowThinker)
        twins = TwinBots(report, empty_folder(folder / "bots"))
        try:
            return any(twins.differs(trial) for trial in trials)
        finally:
            twins.close()


class _StartedAt:
    """A position that the rules' `new` returns, for a match that begins in the middle, with the events before it."""

    def __init__(self, state: AnyState, events: tuple[Event, ...]) -> None:
        self._state, self._events = state, events

    def opening(self) -> tuple[Event, ...]:
        return self._events

    def __getattr__(self, name: str) -> Any:
        return getattr(self._state, name)


class _Lines(logging.Handler):
    """Keeps the lines of the log."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.levelname} {self.format(record)}")


class Observed(NamedTuple):
    """What a run has shown to the viewer, the lines of its log, and its metrics."""

    requests: list[Request]
    lines: list[str]
    counts: list[str]
    faults: list[str]
    """What in the match went differently than planned."""


class TwinBots:
    """Two bots, and the pairs that are played in them."""

    def __init__(self, report: Report, folder: Path) -> None:
        self._report, self._folder = report, folder
        self.drawn = False
        """Whether the pictures of the current pair are drawn."""
        self.bots = [_Bot(folder / "first"), _Bot(folder / "second")]
        self._number = 0

    def differs(self, trial: int) -> bool:
        """Return whether the viewer of that pair can tell the two runs apart, and note it."""
        self._number += 1
        drawn = trial % DRAWN < len(GAMES)
        if drawn != self.drawn:  # else one run might show the picture of an earlier pair, and the other a pixel
            self.drawn = drawn
            for bot in self.bots:
                bot.running.forget_pictures()
        pair = draw(self._report.seed, trial, self._number)
        return self._report.record(trial, self.differences(pair), self._folder)

    def differences(self, pair: Pair) -> list[str]:
        """Return how the viewer of that pair can tell the two runs apart."""
        with _captured_log() as heard:
            observed = [bot.play(pair, run, heard.lines) for run, bot in enumerate(self.bots)]
        self._count(pair, observed[0].requests)
        found = _differences([str(call) for call in observed[0].requests], [str(call) for call in observed[1].requests])
        if pair.viewer is None:
            # A warning says that a message could not be sent. The operator, not a player, reads the log, and may know.
            logged = [[line for line in t.lines if not (pair.faulty and TRIED.search(line))] for t in observed]
            found += _differences(*logged)
            found += _differences(observed[0].counts, observed[1].counts) if pair.same_counts else []
        found += [fault for run in observed for fault in run.faults]
        found += [f"the bot is at fault: {line}" for line in heard.lines if line.startswith("ERROR")]
        who = "the onlooker" if pair.viewer is None else f"seat {pair.viewer}"
        return [f"{pair.slug}, {who}: {text}" for text in found]

    def _count(self, pair: Pair, observed: list[Request]) -> None:
        counts = self._report.counts
        counts["pairs"] += 1
        counts["under faults"] += pair.faulty
        counts["with pictures drawn"] += self.drawn
        counts["with a computer"] += pair.computer is not None
        counts["of no server"] += pair.private
        counts["with a move named ahead"] += any(step.kind == "ahead" for step in pair.steps)
        counts["steps that differ"] += sum(step.first != step.second for step in pair.steps)
        counts["requests compared"] += len(observed)

    def close(self) -> None:
        for bot in self.bots:
            bot.running.close()


class _Bot:
    """One of the two bots."""

    def __init__(self, folder: Path) -> None:
        self._started_at: dict[str, _StartedAt] = {}
        self._asked: dict[int, Message | None] = {}
        """The question what to name ahead, by user, as long as it stands."""
        self.running = RunningBot(folder, {slug: self._rules(game) for slug, game in GAMES.items()})

    def _rules(self, game: Game) -> Game:
        def new(seats: int, options: Any, seed: str) -> Any:
            return self._started_at.get(seed) or game.new(seats, options, seed)

        return replace(game, new=new)

    def play(self, pair: Pair, run: int, lines: list[str]) -> Observed:
        """Play the pair. Return all that its viewer received. `lines`: the log, which grows."""
        running, state = self.running, pair.starts[run]
        before = len(lines)
        self._started_at[pair.secret] = _StartedAt(state, pair.events)
        vars(running.metrics).update(vars(Metrics()))
        running.discord.recorded.clear()
        channel = running.discord.new_channel(number=500 + pair.seats[0])
        number = running.run_inside(self._open(pair, channel.id, state))
        running.pass_time(SLOT)
        for step in pair.steps:
            begun = running.loop.time()
            if step.of(run) is not None:
                self._do(step, step.of(run), channel.id, step.user in pair.in_channel)
            running.pass_time(max(0.0, begun + SLOT - running.loop.time()))
        running.discord.down = False
        running.pass_time(CALM if pair.faulty else SLOT)
        assert pair.ends is not None
        faults = running.run_inside(self._check(number, pair.ends[run], pair))
        eyes = "table" if pair.viewer is None else str(int(pair.viewer))
        for seen in REPLAYED:  # the match is over, but its viewer's replay tells no more than the viewer knew
            press = f"1/{number}/step//{seen}/{eyes}/step_next"
            table = self._message(pair.viewer_user, press, channel.id, False)
            running.run(running.discord.press(pair.viewer_user, table, press))
        for kind in (PAGE, FILM):  # the record tells all: nothing is hidden from who asks for it
            press = f"1/{number}/file//0/{eyes}/{kind}"
            running.run(running.discord.press(pair.viewer_user, table, press))
        received = [
            call
            for call in running.discord.recorded
            if call.viewer in (None, pair.viewer_user) and call.method != "GET"
        ]
        counts = [line for line in running.metrics.text({}).splitlines() if not TIMED.search(line)]
        return Observed(received, lines[before:], counts, faults)

    async def _open(self, pair: Pair, channel: int, state: AnyState) -> int:
        running, app, now = self.running, self.running.app, int(self.running.now())
        for user, settings in pair.settings.items():
            dm = running.discord.know(user, f"P{user % 10}")
            await app.people.meet(user, f"P{user % 10}", "de" if user % 3 == 0 else "en-US")
            due = now + 3600 if settings["digest_hours"] else None
            await app.people.change(user, dm=dm, dm_works=True, digest_due=due, **settings)
            if user in pair.quiet:
                await PeopleHours(database_of(stored_matches(app.service))).put(user, Hours(quiet=pair.quiet[user]))
        running.discord.closed_dms |= pair.closed
        holder = pair.viewer if pair.offered else None
        match = Match(
            **{"id": 0, "game": pair.slug, "status": Status.PLAYING, "guild": 0 if pair.private else GUILD},
            **{
                "channel": 0 if pair.private else channel,
                "place": 0 if pair.private else channel,
                "host": pair.people[0],
                "locale": pair.locale,
                "server_locale": "fr" if pair.locale == "de" else None,  # its host has chosen German
                "options": pair.options,
                "wanted": None,
            },
            **{"own_thread": False, "secret": pair.secret, "state": state.to_json(), "version": 1, "moves": 0},
            **{"opened_at": now, "started_at": now, "turn_since": now, "ended_at": None},
            chairs=tuple(
                Chair(seat, user, f"P{user % 10}", offered=seat == holder, plays_forced=Seat(seat) in pair.forced)
                if seat != pair.computer
                else Chair(seat, None, f"P{user % 10}", level=pair.level)
                for seat, user in enumerate(pair.seats)
            ),
            clock=pair.clock,
            absent=pair.absent,
            former=(Former(pair.viewer_user, 0),) if pair.left else (),
            rules=GAMES[pair.slug].version,
            closed=pair.guest is not None,
            guests=() if pair.guest is None else (Guest(pair.viewer_user, "Viewer", pair.guest),),
        )
        opened = await stored_matches(app.service).open(match)
        async with app.service.deciding(opened.id) as match:
            await app.service.save(match)
        app.publisher.changed(opened.id)
        return opened.id

    def _do(self, step: Step, what: Any, channel: int, in_channel: bool) -> None:
        running, discord = self.running, self.running.discord
        match step.kind:
            case "press":
                source = self._message(step.user, what, channel, in_channel)
                running.run(discord.press(step.user, source, what))
            case "ahead":
                source = self._message(step.user, what, channel, in_channel)
                pressed = running.run(discord.press(step.user, self._asked.pop(step.user, None) or source, what))
                if "/ahead//" in what:  # else it is answered, and gone
                    self._asked[step.user] = pressed.answer
            case "slash":
                command, _, game = what.partition(":")
                running.run(discord.slash(step.user, channel, command, **({"game": game} if game else {})))
            case "move":
                running.run(discord.slash(step.user, channel, "move", move=what))
            case "complete":
                running.run(self._complete(step.user, channel, *what))
            case "wait":
                running.pass_time(what)
            case "down":
                discord.down = what
            case "closed":
                discord.closed_dms.add(step.user)
            case "restart":
                running.run(running.stop(crash=what))
                running.run(running.start())

    def _message(self, user: int, custom_id: str, channel: int, in_channel: bool) -> Message:
        """Return the message in which the button is pressed: for a move the hand, a private one if the user plays
        `in_channel`; else the table.
        """
        discord, (_, number, action, *_) = self.running.discord, custom_id.split("/")
        hand = discord.hands.get((user, int(number)))
        private = discord.private_hands.get((user, int(number)))
        if action in ("move", "refresh") and in_channel and private is not None:
            return private
        if action == "move" and hand is not None:
            return hand
        found = discord.tables.get(int(number))
        return found if found is not None else Message(channel, channel, {})

    async def _complete(self, user: int, channel: int, name: str, focused: str) -> Press:
        option = {"name": focused, "type": 4 if focused == "table" else 3, "value": "", "focused": True}
        data = {"id": "1", "name": name, "type": 1, "options": [option]}
        return await self.running.discord.interact(user, channel, 4, data)

    async def _check(self, number: int, end: AnyState, pair: Pair) -> list[str]:
        """Check that the match reached the planned position; otherwise the comparison proves nothing. Return the
        differences that a computer may have caused. Then end the match.
        """
        app = self.running.app
        match = await stored_matches(app.service).get(number)
        assert match is not None
        planned = match.state == end.to_json()
        assert planned or pair.computer is not None, f"a move was not made: {pair.steps}"
        now = int(self.running.now())
        match = await app.service.save(replace(match, status=Status.CANCELLED, ended_at=now))
        posts = await stored_matches(app.service).posts.of(number)
        await stored_matches(app.service).posts.note(*(replace(post, shown=match.version) for post in posts))
        for user in pair.settings:
            await app.people.change(user, digest_hours=0, digest_due=None)
        return [] if planned else ["the computer has moved otherwise than it would, or not at all"]


class SlowThinker(ThreadThinker):
    """Thinks for a part of the pace that depends on what only the seat knows."""

    async def __call__(self, game: Any, known: Any, seat: Any, seed: str, level: Any, begun: Any) -> Any:
        """Return the move after that time."""
        thought = await super().__call__(game, known, seat, seed, level, begun)
        part = sha256(repr(known.view(seat).to_json()).encode()).digest()[0] / 256
        await asyncio.sleep(part * PACES[level])
        return thought


@contextmanager
def _captured_log() -> Iterator[_Lines]:
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
    """Return the first difference of two transcripts."""
    for at, (here, there) in enumerate(zip(one, other, strict=False)):
        if here != there:
            letters = enumerate(zip(f"{here}\0", f"{there}\0", strict=False))
            start = max(0, next(place for place, (a, b) in letters if a != b) - 120)
            return [f"number {at}: {here[:60]} …{here[start : start + 300]}… beside …{there[start : start + 300]}…"]
    if len(one) != len(other):
        more = (one if len(one) > len(other) else other)[min(len(one), len(other))]
        return [f"{len(one)} beside {len(other)}: {more[:400]}"]
    return []
