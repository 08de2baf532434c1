"""Fuzzing: forged interactions, doubled and shuffled among honest ones, through the whole bot.

A round is a new bot with a table of each game, a lobby, and some batches of interactions. After each batch nothing has
failed, each interaction is answered, all that is stored is sound, and no user was shown another player's hand.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from cogs.match.service import MatchService
from cogs.messages.content import Id
from data.records.match import Match
from data.records.matches import Matches
from data.store.hash_chain import is_whole
from rendering.core.labels import Labels
from rules import GAMES
from rules.core.game import Seat
from tests.month.messages import TOKEN_LIFE, Message
from tests.month.process import fast_settings
from tests.reliability import invariants
from tests.reliability.payloads import Forged, Forger, messages_of
from tests.reliability.recorded_bot import Request, RunningBot
from tests.reliability.report import Report, empty_folder
from tests.reliability.seeded_input_bugs import InputBug, seed_bug
from tests.support import apicheck
from tests.support.inside import database_of, stored_matches
from tests.support.simulation import ErrorLog, controls, words
from tests.support.table import OWN, secret_sentences, shortest_options, view_sentences

BATCH, BATCHES = 50, 10
"""Interactions in a batch, and batches in a round."""
USERS = tuple(range(5000, 5012))
STRANGERS = 3
"""The number of users, the last of USERS, who sit at no table at first."""
CHANNELS = tuple(range(400, 401 + len(GAMES)))
"""One channel for each game, and one for a lobby."""
SETTLE_SECONDS = 40
"""Seconds after a batch until the bot has finished its work."""
TYPED = re.compile("[“„][^“”]*[“”]|## 🏆 .*")
"""Texts of users, quoted or the name of a season: what a player cuts the deck with may read like a move."""
UPDATE = 6
"""The type of acknowledgement that says that the pressed message will be edited."""


def run(report: Report, folder: Path, trials: int, bug: InputBug, only: int | None = None) -> None:
    """Send `trials` interactions, in rounds, or play only round number `only`."""
    logging.disable(logging.NOTSET)
    rounds = range(-(-trials // (BATCH * BATCHES))) if only is None else [only]
    for number in rounds:
        with fast_settings(f"{report.seed} {number}") as patch:
            seed_bug(patch, bug)
            played = _Round(report, empty_folder(folder / "bot"), number)
            patch.setattr(Matches, "save", played.watch_saves(Matches.save))
            patch.setattr(Matches, "open", played.watch_saves(Matches.open))  # a lesson begins when it is opened
            if report.record(number, played.play(trials), folder):
                return
        if report.out_of_time:
            return


class _Round:
    """One bot, and the interactions that are sent to it."""

    def __init__(self, report: Report, folder: Path, number: int) -> None:
        self.report = report
        self.random = Random(f"{report.seed} {number}")
        self.running = RunningBot(folder)
        self.discord = self.running.discord
        self.logged = ErrorLog()
        self.before: dict[int, Match] = {}
        self.may_know: dict[tuple[int, int], set[int | None]] = {}
        """The users who sit or have sat in a seat, by match and seat: they may know its secrets."""
        self._answers: list[Message] = []  # of the last batch

    def watch_saves(self, save: Callable[..., Awaitable[Match]]) -> Callable[..., Awaitable[Match]]:
        """Return a `save`, or an `open`, that also notes who sits in which seat."""

        async def saved(matches: Matches, match: Match, *how: Any, **more: Any) -> Match:
            after = await save(matches, match, *how, **more)
            self._seated(after)
            return after

        return saved

    def _seated(self, match: Match) -> None:
        for chair in match.chairs if match.state is not None else ():
            self.may_know.setdefault((match.id, chair.number), set()).add(chair.user)

    def play(self, trials: int) -> list[str]:
        """Play the round. Return the faults."""
        logger = logging.getLogger()
        logger.addHandler(self.logged)
        try:
            self.running.run(self._sit_down())
            forger = Forger(self.random, self.discord, self.running.bot, USERS, CHANNELS)
            self.before = self.running.run(self._stored())
            found: list[str] = []
            for _ in range(BATCHES):
                if not found and self.report.counts["interactions"] < trials:
                    found = self._batch(forger)
            return found
        finally:
            logger.removeHandler(self.logged)
            self.running.close()

    async def _sit_down(self) -> None:
        """Open a table of each game, with people and computers, and one lobby, and two matches of one player alone, one
        of which begins. Two people take no direct messages.
        """
        for user in USERS:
            self.discord.know(user, f"Player {user}")
        self.discord.closed_dms = {USERS[1], USERS[6]}
        for channel in CHANNELS:
            self.discord.new_channel(number=channel)
        for number, (channel, slug) in enumerate(zip(CHANNELS, (*GAMES, "sea_change"), strict=True), start=1):
            host, *others = self.random.sample(USERS[:-STRANGERS], 3)
            await self.discord.slash(host, channel, "play", game=slug)
            table = self.discord.tables[number]
            seats = self.random.choice([n for n in GAMES[slug].seats if n > 1])
            options = {**shortest_options(slug, seats), "seats": str(seats)}
            for name, value in options.items():
                await self.discord.press(host, table, f"1/{number}/option//{name}", value)
            for user in others[: seats - 1]:
                await self.discord.press(user, table, f"1/{number}/join//")
            for action in () if number > len(GAMES) else ("add", "start"):
                await self.discord.press(host, table, f"1/{number}/{action}//")
        alone, number = USERS[0], len(CHANNELS) + 2
        for slug in ("sea_change", "full_circle"):
            await self.discord.slash(alone, self.discord.know(alone, f"Player {alone}"), "play", game=slug)
        await self.discord.press(alone, self.discord.hands[alone, number], f"1/{number}/start//")

    # A batch.

    def _batch(self, forger: Forger) -> list[str]:
        calls = self.discord.recorded
        for call in calls:
            forger.learn(call.body)
        calls.clear()
        messages = messages_of(list(self.discord.channels.values()), self._answers)
        sent = [forger.draw(messages) for _ in range(BATCH)]
        self.running.run(self._deliver(sent))
        self._count(sent)
        self._answers = [s.press.answer for s in sent if s.press.answer is not None and s.press.answer.ephemeral][-40:]
        after = self.running.run(self._stored())
        found = [f"at fault: {line}" for line in self.logged.lines]
        found += [f"Discord knows no {request}" for request in self.discord.unknown]
        found += [f"{c.path}: {fault}" for c in calls for fault in apicheck.faults(c.method, c.path, c.body)]
        found += [f"unanswered: {s.what}" for s in sent if not self._answered(s, after)]
        found += self.running.run(self._wrong(after))
        found += self._leaks(after)
        self.before = after
        for s in sent:
            forget = self.discord.presses.pop
            self.running.loop.call_later(TOKEN_LIFE, forget, str(s.payload["token"]), None)
        return found

    async def _deliver(self, sent: list[Forged]) -> None:
        """Deliver all of them at their times, some several times."""
        due = sorted(((at, number) for number, s in enumerate(sent) for at in s.at))
        begun = self.running.loop.time()
        for at, number in due:
            await asyncio.sleep(max(0.0, begun + at - self.running.loop.time()))
            await self.discord.deliver(sent[number].press, sent[number].payload)
        await asyncio.sleep(SETTLE_SECONDS)

    def _count(self, sent: list[Forged]) -> None:
        counts = self.report.counts
        counts["interactions"] += len(sent)
        counts["deliveries"] += sum(len(s.at) for s in sent)
        counts["as a client sends them"] += sum(s.honest for s in sent)
        counts["moves"] += 0  # fixes the order of the report

    def _answered(self, sent: Forged, after: dict[int, Match]) -> bool:
        """Return whether it was acknowledged, and then answered, or else changed its match."""
        press = sent.press
        if not press.acknowledged or press.loading:
            return False
        token = str(sent.payload["token"])
        kinds = [c.body["type"] for c in self.discord.recorded if c.path.endswith(f"/{token}/callback")]
        if UPDATE not in kinds or press.answer is not None:
            return True
        pressed = Id.parse(str(sent.payload["data"].get("custom_id", "")))
        number = pressed.match if pressed is not None else 0
        before = self.before.get(number)
        return number in after and (before is None or before.version < after[number].version)

    # What is stored.

    async def _stored(self) -> dict[int, Match]:
        """Return all matches, read without caches."""
        database = database_of(stored_matches(self.running.app.service))
        numbers = await database.read(lambda c: [int(row[0]) for row in c.execute("SELECT id FROM match ORDER BY id")])
        fresh = Matches(database)
        found = [await fresh.get(number) for number in numbers]
        return {match.id: match for match in found if match is not None}

    async def _wrong(self, after: dict[int, Match]) -> list[str]:
        """Return the faults of what is stored."""
        app, found = self.running.app, []
        fresh = MatchService(Matches(database_of(stored_matches(app.service))), app.people, GAMES)
        for match in after.values():
            before = self.before.get(match.id)
            if before is not None and before.version == match.version:
                continue
            known = await stored_matches(app.service).get(match.id)
            if known is None or (known.version, known.state) != (match.version, match.state):
                found.append(f"match {match.id} differs in the bot's memory")
            log = await stored_matches(app.service).moves(match.id)
            wrong = invariants.position_faults(match, log) if match.state is not None or log else []
            wrong += await invariants.post_and_clock_faults(fresh, match)
            number = match.id
            whole = await database_of(stored_matches(app.service)).read(partial(is_whole, match=number))
            if match.state is not None and not whole:
                wrong.append("its chain is not whole")
            since = 0 if before is None else before.moves
            self.report.counts["moves"] += len(log) - since
            for move in log[since:]:
                if move.user is not None and move.user not in self.may_know[number, move.seat]:
                    wrong.append(f"move {move.number} by {move.user}, who does not sit there")
            found += [f"match {number}, {match.game}: {fault}" for fault in (*wrong, *_seats(match))]
        return found

    # What is shown.

    def _leaks(self, after: dict[int, Match]) -> list[str]:
        """Return the secrets that a user was shown and may not know."""
        found, app = [], self.running.app
        shown = [(call, "\n".join([*words(call.body), *controls(call.body)])) for call in self._texts()]
        public = [TYPED.sub("", text) for call, text in shown if call.viewer is None]
        found += [f"public: {text[:200]}" for text in public if OWN.search(text)]
        for match in after.values():
            here = [(call, text) for call, text in shown if f"1/{match.id}/" in text]
            if not match.open or match.state is None or match.undone or not here:
                continue
            state = app.service.game(match).from_json(match.state)
            for locale in ("en-US", "de"):
                labels = app.messages.labels(match, locale)
                for seat, told in secret_sentences(match.game, state, labels).items():
                    others = [(c.viewer, text) for c, text in here if c.viewer not in self.may_know[match.id, seat]]
                    found += [
                        f"match {match.id}, of seat {seat} before {viewer}: {sentence}"
                        for viewer, text in others
                        for sentence in told
                        if sentence in text and sentence not in self._own(match, viewer, labels)
                    ]
        return found

    def _own(self, match: Match, user: int | None, labels: Labels) -> set[str]:
        """Return what a user knew of their seats during this batch: another player may have sealed the same since."""
        host, before = self.running.app.service, self.before.get(match.id, match)
        seats = {seat for (number, seat), users in self.may_know.items() if number == match.id and user in users}
        positions = [self.running.run(host.position(match, n)) for n in range(before.moves, match.moves + 1)]
        told = [view_sentences(match.game, state.view(Seat(seat)), labels) for state in positions for seat in seats]
        return set().union(*told)

    def _texts(self) -> list[Request]:
        return [
            c for c in self.discord.recorded if isinstance(c.body, dict) and {"content", "components"} & c.body.keys()
        ]


def _seats(match: Match) -> list[str]:
    """Return the faults of the seats: each user sits in at most one, and none both waits and sits."""
    users = [chair.user for chair in match.people]
    found = [f"{users} sit there"] if len(users) != len(set(users)) else []
    found += ["its seats are not counted"] if [c.number for c in match.chairs] != list(range(len(match.chairs))) else []
    found += ["too many sit there"] if len(match.chairs) > GAMES[match.game].seats[-1] else []
    both = {who.user for who in match.waiting} & set(users)
    return [*found, f"{both} wait and sit"] if both else found
