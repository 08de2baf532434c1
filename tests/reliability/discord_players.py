"""Three people at a table of each game on a local Discord, and all that they see there.

They press the buttons in their direct messages or at the table, and keep a history of what they press and what they are
told. The Discord outlives the bot. All its pings are counted, by user and turn.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from cogs.match import automatic_moves
from cogs.match.automatic_moves import AutomaticMoves
from cogs.match.lobby import Lobby
from cogs.match.restored import Mark
from cogs.match.seating import EASIEST, with_computers
from cogs.match.service import MatchService
from cogs.messages.content import Id, path_of
from data.records.match import Chair
from data.records.matches import Matches
from data.records.people import People, PingPreference
from data.records.post_rows import TABLE
from data.records.terms import Terms
from data.store.database import Database
from rules import GAMES
from rules.core.game import AnyState, Game, Seat
from tests.process.loopback import Loopback, until
from tests.reliability.committed import Committed
from tests.reliability.history import DOUBLED_PING, THE_END_TURN, Answer, History, Ping, Press
from tests.reliability.message_controls import (
    DECIDED,
    LAST,
    LAST_MENTION,
    LINK,
    RECORDED,
    TOO_FAST,
    YOURS,
    Control,
    asks_for_move,
    controls,
    ends_told,
    matches_of,
    text_of,
    turn_of,
)
from tests.support import apicheck
from tests.support.traits import nearest_seats

SILENCE = 20.0
"""Seconds without an answer after which the harness stops waiting, if a bug is seeded."""
MESSAGES = re.compile(r"/channels/(\d+)/messages$")
ANSWERS = re.compile(r"/webhooks/\d+/([^/]+)(?:/messages/@original)?$")
PING_PREFERENCES = {"ann": PingPreference.DM, "ben": PingPreference.MENTION, "cem": PingPreference.BOTH}
NEARLY_OVER = (2, 12)
"""Moves, about, that two of the matches still take. So a run sees their ends."""


class DiscordPlayers(Committed):
    """The people, their tables, and what Discord has seen. `database`: the file of the bot, or its URL."""

    def __init__(self, discord: Loopback, database: Path | str, random: Random, guilds: int = 1) -> None:
        super().__init__(database)
        self.discord, self.random = discord, random
        self.history = History()
        self.violations: list[str] = []
        self.pings: Counter[Ping] = Counter()
        self.seen_turns: set[tuple[int, int, str]] = set()
        """The turns that a user has seen in the answer to a press: the bot need not ping them for these."""
        self.position_marks: dict[int, tuple[int, str]] = {}
        """The latest position mark that the table of a match has shown."""
        self.ends_told: Counter[int] = Counter()
        """How often the end of a match was told in a new message."""
        self.steps: dict[int, set[tuple[str, tuple[str, ...]]]] = {}
        """The steps of a choice that presses in a message led to: the turn, and the path."""
        self.on_request: Callable[[str, str, bool], object] | None = None
        """Called at each request that Discord has carried out, before the answer: with its method, its path, and
        whether it has told a player that their move is recorded.
        """
        self.silence = 120.0
        """Seconds within which a running bot must answer: far more than a slow machine needs."""
        self.unanswered: dict[int, tuple[Press, Any, Control]] = {}
        self.pictures: set[str] = set()
        """The ids of all pictures that the bot sent to Discord."""
        self.private_moves = 0
        """Decisions made in a private hand that was up to date without a press."""
        self.lost_presses: set[Press] = set()
        """Presses that will get no answer: their message was deleted."""
        self._answers: dict[str, tuple[str, int]] = {}
        self._pinged_for: dict[int, set[int]] = {}
        self._private_hands: dict[tuple[int, int], int] = {}
        """The newest private hand by user and match."""
        backend = discord.backend
        self.people = {backend.make_user(name).id: (name, way) for name, way in PING_PREFERENCES.items()}
        self.guilds: dict[int, int] = {}
        """The channel of the tables in each server, by the server."""
        for number in range(guilds):  # each in another shard, if there are that many
            guild = backend.create_guild(f"Harbour {number}", shard_id=number, shard_count=guilds)
            self.guilds[guild.id] = backend.create_channel(guild.id, "games").id
            for user in (*self.people, backend.bot_user.id):
                backend.add_member(guild.id, user)
        self.channel = next(iter(self.guilds.values()))
        discord.on_applied = self._note_request

    async def sit_down(self, nearly_over: Sequence[int] = NEARLY_OVER) -> None:
        """Begin a match of each game, with two or three people, some with a computer, and one of a player alone. Some
        of the others, drawn at random, take about as many moves more as `nearly_over` says.
        """
        database = await Database.open(self.database)
        people = People(database)
        service = MatchService(Matches(database), people, GAMES)
        lobby, users = Lobby(service), list(self.people)
        for user, (name, way) in self.people.items():
            await people.meet(user, name, "en-US")
            dm = None if way is PingPreference.MENTION else self.discord.backend.get_dm_channel(user).id
            await people.change(user, dm=dm, dm_works=dm is not None, ping=way)
        clocked = self.random.choice(list(GAMES))  # its messages change at every start: one such table is enough
        for at, (slug, game) in enumerate(GAMES.items()):
            seated = self.random.sample(users, min(2 + at % 2, game.seats[-1]))
            guild, channel = list(self.guilds.items())[at % len(self.guilds)]
            opened = await lobby.open(
                slug,
                guild=guild,
                channel=channel,
                user=seated[0],
                name=self.people[seated[0]][0],
                terms=Terms(locale="en-US", clock="day_1" if slug == clocked else "none"),
                secret=self.random.randbytes(32).hex(),
            )
            for user in seated[1:]:
                await lobby.join(opened.id, user, self.people[user][0])
            for _ in range(nearest_seats(game, 3) - len(seated)):
                await lobby.add_computer(opened.id, seated[0])
            await lobby.start(opened.id, seated[0])
        alone, slug = next(user for user, (_, way) in self.people.items() if way is PingPreference.DM), "full_circle"
        opened = await lobby.open(
            slug,
            guild=0,
            channel=0,
            user=alone,
            name=self.people[alone][0],
            terms=Terms(locale="en-US"),
            chairs=with_computers([Chair(0, alone, self.people[alone][0])], 1, EASIEST),
            secret=self.random.randbytes(32).hex(),
        )
        await lobby.begin(opened.id)
        numbers = range(1, len(GAMES) + 1)
        for number, left in zip(self.random.sample(numbers, len(nearly_over)), nearly_over, strict=True):
            await self.play_ahead(service, number, left)
        await database.close()

    async def play_ahead(self, service: MatchService, number: int, left: int) -> None:
        """Make moves in a match until about `left` more would end it."""
        match = await service.load(number)
        moves = end_of_game(service.game(match), service.state(match), self.random)
        for seat, text in moves[: max(0, len(moves) - left)]:
            match = await service.load(number)
            user, turn = match.chairs[seat].user, service.turn(match, seat)
            if user is None:
                game = service.game(match)
                with patch.object(
                    automatic_moves, "choose", lambda *_, game=game, seat=seat, text=text: game.parse(seat, text)
                ):
                    await AutomaticMoves(service).play(number)
            else:
                self.history.pressed.add(Press(number, user, turn, text))
                await service.play(number, user, turn, text)

    # What Discord sees.

    def _note_request(self, method: str, path: str, body: Any, made: Any, known: bool) -> None:
        """Note what a request that was carried out has told people."""
        sent, answer, told = MESSAGES.search(path), ANSWERS.search(path), len(self.history.answers)
        if answer is not None and made is not None:
            self._note_answer(answer[1], made)
        elif method == "POST" and sent is not None and not known:
            self._note_message(int(sent[1]), body, made)
        if method in ("POST", "PATCH") and made is not None and self._is_public(made):
            self._note_mark(made["components"])
        if isinstance(made, dict):
            self.pictures |= {file["id"] for file in made.get("attachments", ())}
        if self.on_request is not None:
            self.on_request(method, path, len(self.history.answers) > told)

    def _is_public(self, made: Mapping[str, Any]) -> bool:
        return int(made.get("channel_id") or 0) in self.guilds.values()

    def _tables(self) -> dict[int, Any]:
        """Return the newest message with controls of each match in the channels."""
        return {
            match: message
            for channel in self.guilds.values()
            for message in self.discord.messages(channel)
            for match in matches_of(message.components)
        }

    def _public(self, number: int) -> Any:
        """Return a message in one of the channels, or None."""
        messages = self.discord.backend.messages
        return next((messages[c][number] for c in self.guilds.values() if number in messages.get(c, {})), None)

    def _note_message(self, channel: int, body: dict[str, Any], made: dict[str, Any]) -> None:
        user = next((user for user, dm in self.discord.backend.dm_channels.items() if dm == channel), None)
        if user is None:
            for line in str(body.get("content") or "").splitlines():
                self._note_mention(line)
            for match in ends_told(made.get("components", ())):
                self.ends_told[match] += 1
                for told in (body.get("allowed_mentions") or {}).get("users", ()):
                    self._count_ping(Ping(match, int(told), THE_END_TURN, False, PingPreference.MENTION))
        elif not body.get("flags", 0) & apicheck.SILENT:
            asked = [control.id for control in controls(made["components"])]
            ended = self._ended(matches_of(made["components"])) if not asked else set()
            for match in ended:
                self._count_ping(Ping(match, user, THE_END_TURN, False, PingPreference.DM))
            if not asked and not ended:
                self.violations.append(f"{DOUBLED_PING}: {self.people[user][0]}, for nothing")
            for match, turn in {(asked_for.match, turn_of(asked_for)) for asked_for in asked}:
                self._count_ping(Ping(match, user, turn, LAST in text_of(made["components"]), PingPreference.DM))

    def _note_mention(self, line: str) -> None:
        link = LINK.search(line)
        table = self._public(int(link[2])) if link is not None else None
        numbers = matches_of(table.components) if table is not None else set()
        for match in numbers:
            turns = {**dict(self.players_to_move(match)), **self._turns_of_mentions(match)}
            for user in map(int, re.findall(r"<@(\d+)>", line)):
                self._pinged_for.setdefault(user, set()).add(match)
                if user in turns:
                    self._count_ping(Ping(match, user, turns[user], LAST_MENTION in line, PingPreference.MENTION))

    def _count_ping(self, ping: Ping) -> None:
        self.pings[ping] += 1
        if self.pings[ping] > 1:
            self.violations.append(f"{DOUBLED_PING}: {self.people[ping.user][0]} for {ping}")

    def _note_answer(self, token: str, made: dict[str, Any]) -> None:
        """Note the answer to a press."""
        number = self.discord.backend.interaction_tokens.get(token)
        if number is None or token in self._answers or not made.get("components"):
            return  # also for a later edit of a private hand: it is no ping, and the answer to no press
        user, said = self.discord.backend.interactions[number].user_id, text_of(made["components"])
        self._answers[token] = said, int(made["id"])
        self.seen_turns |= {(match, user, THE_END_TURN) for match in self._ended(matches_of(made["components"]))}
        for control in controls(made["components"]):
            self.seen_turns.add((control.id.match, user, turn_of(control.id)))
            if YOURS in said or LAST in said:
                self._pinged_for.setdefault(user, set()).add(control.id.match)
        if user in self.unanswered:
            press = self._meant(token, user) or self.unanswered[user][0]
            if any(text in said for text in RECORDED) or self._ended({press.match}):
                self.history.answers.append(Answer(press, 0))

    def _meant(self, token: str, user: int) -> Press | None:
        """Return the move that an interaction has pressed, or None."""
        pressed = self.discord.pressed.get(token, {})
        parsed = Id.parse(str(pressed.get("custom_id", "")))
        meant = None if parsed is None else Control(parsed, *pressed.get("values", ())).meaning
        return (
            Press(meant.match, user, meant.turn, meant.rest) if meant is not None and meant.action == "move" else None
        )

    def _note_mark(self, components: Any) -> None:
        parsed = (Id.parse(str(part.get("custom_id", ""))) for part in apicheck.components(components))
        for meant in parsed:
            if meant is None or meant.action != "fair" or (mark := Mark.of_rest(meant.rest)) is None:
                continue
            match = meant.match
            if mark[0] >= self.position_marks.get(match, (0, ""))[0]:
                self.position_marks[match] = mark

    def _ended(self, matches: set[int]) -> set[int]:
        """Return those of these matches whose end is stored, and is told."""
        over = {row[0] for row in self.read("SELECT id FROM match WHERE status IN ('over', 'stopped')")}
        return matches & over

    def players_to_move(self, match: int) -> list[tuple[int, str]]:
        """Return the people that the stored match waits for, each with the turn."""
        rows = self.read("SELECT game, state FROM match WHERE id = ? AND status = 'playing'", match)
        if not rows:
            return []
        seats = self.read('SELECT number, "user" FROM seat WHERE match = ?', match)
        ((game, position),) = rows
        state = GAMES[game].from_json(json.loads(position))
        return [(user, state.turn(seat)) for seat, user in seats if user is not None and seat in state.to_move()]

    def _turns_of_mentions(self, match: int) -> dict[int, str]:
        """Return the turns, by user, that the mentions on their way are for: the bot stores them before it sends.

        A player who moves in the moment before the request is mentioned for a turn that is already over.
        """
        found = self.read("SELECT pinged FROM post WHERE match = ? AND place = ?", match, TABLE)
        users = dict(self.read('SELECT number, "user" FROM seat WHERE match = ?', match))
        pings = json.loads(found[0][0]) if found and found[0][0].startswith("{") else {}
        return {users[int(seat)]: ping.partition(" ")[0] for seat, ping in pings.items()}

    # What people do.

    async def press_again(self, user: int) -> None:
        """Repeat a press that got no answer, if its message still exists: the answer is that it is recorded."""
        press, message, control = self.unanswered[user]
        if message.id in self.discord.backend.messages[message.channel_id]:
            await self.make_move(press, message, control)
        else:
            self.lost_presses.add(press)
            del self.unanswered[user]

    @asynccontextmanager
    async def at_play(self) -> AsyncIterator[list[asyncio.Task[None]]]:
        """Let people press within the block: first again the press that got no answer. Raises what they raise."""
        people = [asyncio.create_task(self.play(user)) for user in self.people]
        try:
            yield people
        finally:
            for task in people:
                task.cancel()
            for error in await asyncio.gather(*people, return_exceptions=True):
                if isinstance(error, Exception):
                    raise error

    async def play(self, user: int) -> None:
        """Let this person press without end: first again the press that got no answer."""
        if user in self.unanswered:
            await self.press_again(user)
        while True:
            await asyncio.sleep(self.random.uniform(0.03, 0.15))
            if self.people[user][1] is PingPreference.MENTION:
                await self._play_at_a_table(user)
                continue
            hands = [m for m in self._hands(user).values() if asks_for_move(m)]
            if hands:
                await self._choose(user, self.random.choice(hands))

    def _hands(self, user: int) -> dict[int, Any]:
        """Return the newest hand of each match in a person's direct messages."""
        found: dict[int, Any] = {}
        for message in self.discord.messages(self.discord.backend.dm_channels[user]):
            found |= dict.fromkeys(matches_of(message.components), message)
        return found

    async def _play_at_a_table(self, user: int) -> None:
        """Let a person who was pinged, or knows that it is their turn, decide in their private hand at the table. If
        they have none that is up to date, as after a kill, they press "My hand" at the table, or "Refresh" in the old.
        """
        matches = sorted(self._pinged_for.get(user, ()))
        tables = self._tables()
        matches = [match for match in matches if match in tables]
        if not matches:
            return
        match = self.random.choice(matches)
        kept = self._public(self._private_hands.get((user, match), 0))
        if kept is not None and asks_for_move(kept) and self._is_current(user, match, kept):
            self.private_moves += 1
            await self._choose(user, kept)
            return
        if kept is not None and self.random.random() < 0.5:
            said, number = await self._pressed(user, kept, Control(Id(match, "refresh")))
        else:
            said, number = await self._pressed(user, tables[match], Control(Id(match, "hand")))
        self._private_hands[user, match] = number
        if YOURS not in said and LAST not in said:
            self._pinged_for[user].discard(match)
            return
        if (hand := self._public(number)) is not None:
            await self._choose(user, hand)

    def _is_current(self, user: int, match: int, hand: Any) -> bool:
        """Return whether the turn of that hand is the one that the match waits for."""
        turns = {turn_of(control.id) for control in controls(hand.components)}
        return turns == {turn for mover, turn in self.players_to_move(match) if mover == user}

    async def _choose(self, user: int, message: Any) -> None:
        """Press through the steps of a choice in a hand, up to a move."""
        while asks_for_move(message):
            control = self.random.choice(controls(message.components))
            meaning = control.meaning
            if meaning.action == "move":
                await self.make_move(Press(meaning.match, user, meaning.turn, meaning.rest), message, control)
                return
            self.steps.setdefault(message.id, set()).add((meaning.turn, path_of(meaning.rest)))
            await self._pressed(user, message, control)
            message = self.discord.backend.messages[message.channel_id].get(message.id, message)

    async def make_move(self, press: Press, message: Any, control: Control) -> None:
        """Press a move, sometimes twice at once, and check that the answer says that it is recorded."""
        self.unanswered[press.user] = press, message, control
        again = press in self.history.pressed
        self.history.pressed.add(press)
        times = 1 + (self.random.random() < 0.25)
        heard = await asyncio.gather(*(self._pressed(press.user, message, control) for _ in range(times)))
        del self.unanswered[press.user]
        right: tuple[str, ...] = (DECIDED,) if self._is_other(press, self._acknowledged()) else RECORDED
        # A lost press may be recorded; `invariants` checks that no turn has two moves.
        if self._is_other(press, self.lost_presses):
            right = (DECIDED, *RECORDED)
        # A press of a move that another press may have made is like any other request.
        if again or sum(TOO_FAST in said for said, _ in heard) < times:
            right = (*right, TOO_FAST)
        over = (press.match, press.user, THE_END_TURN) in self.seen_turns  # then the hand tells the end alone
        for said, _ in heard:
            if not over and not any(text in said for text in right):
                self.violations.append(f"{press} is answered with: {said[:300]}")

    def _acknowledged(self) -> Iterator[Press]:
        """Return the presses that a person was told are recorded. A hand whose sending was cut off may stay beside the
        current one, and still ask for another press (docs/lab/reliability-runs.md).
        """
        return (answer.press for answer in self.history.answers)

    def _is_other(self, press: Press, presses: Iterable[Press]) -> bool:
        """Return whether these have another decision of that person in that turn."""
        return any(other.text != press.text and replace(other, text=press.text) == press for other in presses)

    async def _pressed(self, user: int, message: Any, control: Control) -> tuple[str, int]:
        """Press, and wait for the answer. Return its text and its message."""
        answer = await self._answer_to(user, message, control, self.silence)
        if answer is None:
            self.violations.append(f"silent for {self.silence:.0f} s: {control}")
            return "", 0
        return answer

    async def _answer_to(self, user: int, message: Any, control: Control, seconds: float) -> tuple[str, int] | None:
        """Press once. Return the text and the message of the answer; None if none comes in that time."""
        if control.value:
            record = await self.discord.choose(user, message.channel_id, message, str(control.id), control.value)
        else:
            record = await self.discord.press(user, message.channel_id, message, str(control.id))
        answered = await until(lambda: record.token in self._answers, seconds)
        return self._answers[record.token] if answered else None


def end_of_game(game: Game[Any, Any, Any], state: AnyState, random: Random) -> list[tuple[Seat, str]]:
    """Return the moves of a random game from that position to its end, each with its seat."""
    moves = list[tuple[Seat, str]]()
    while state.to_move():
        seat = random.choice(sorted(state.to_move()))
        move = random.choice(state.legal_moves(seat))
        moves.append((seat, str(move)))
        state, _ = state.apply(move)
    return moves
