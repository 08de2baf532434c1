"""The access matrix of one match: each kind of person presses every button that was ever shown, in each phase.

The test notes what a press would store and does not store it, so the phase stays as it is. Then it judges each write by
ALLOWED, and by the users whose rows it changes. It also searches all that is shown for other players' cards.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from contextvars import ContextVar
from itertools import zip_longest
from random import Random
from typing import Any

import discord
import pytest
from simcord.results import InteractionResult

from cogs.match.automatic_moves import own_move
from cogs.match.clocks import clock_of
from cogs.match.reminders import reminder_of
from cogs.messages.content import Id, picked
from cogs.transport.router import Press
from data.records.match import Match
from rules.core.game import Seat
from tests.support.abroad import install_by_users, leave
from tests.support.access_rules import (
    ALLOWED,
    ELSEWHERE,
    LOBBIES,
    LOBBY,
    LONG,
    NEVER_ABROAD,
    OF_OTHER_MATCHES,
    OF_OTHERS,
    READ_ALOUD,
    SEATED,
    SOME_PHASES,
    Attempt,
    Control,
    Variation,
    variations,
)
from tests.support.hung import HUNG
from tests.support.simulation import Simulation
from tests.support.table import OWN, Table, secret_cards
from tests.support.write_recorder import SEAT_NUMBERS, Change, refuse_writes

AT_ONCE = 25
"""Presses at once. With more, each takes longer, since the simulation looks at all of them for each one."""
PATIENCE = HUNG
"""Seconds until what ought to happen has not, however busy the machine is."""
_CHANNEL = re.compile(r"/channels/(\d+)/")

_PRESSED: ContextVar[Id] = ContextVar("pressed")
_WHO: ContextVar[int] = ContextVar("who", default=0)
_GUILD: ContextVar[int | None] = ContextVar("guild", default=None)


def pressing() -> int:
    """Return the user whose press the bot is answering; 0 if there is none."""
    return _WHO.get()


def pressing_in() -> int | None:
    """Return the server of that press; None in direct messages, or if there is no press."""
    return _GUILD.get()


class AccessMatrix:
    """`kinds` maps each name to that person's role in the match. Of controls that do the same, each person presses
    `most`. All people are managers of another server, and some presses come from there.
    """

    def __init__(self, sim: Simulation, monkeypatch: pytest.MonkeyPatch, table: Table, seed: str, most: int) -> None:
        self.sim, self.monkeypatch, self.table, self.most = sim, monkeypatch, table, most
        self.random = Random(seed)
        self.variations = variations(seed)
        self.phase = LOBBY
        self.met: dict[str, Variation] = {}
        """How the match really was in each phase."""
        self.kinds: dict[str, str] = {}
        self.attempts: list[Attempt] = []
        self.tried: set[tuple[str, str, str]] = set()
        """The phase, the kind of person and the action of every press."""
        self.wrong: list[str] = []
        self.only: set[str] = set()
        """Actions beside which nothing is pressed, if any."""
        self.presses = 0
        self.board = 0, 0
        """The table's message and its channel."""
        self.elsewhere = [(0, 0)]
        """A message each of two other servers and its channel, once `open_elsewhere` is done."""
        self.abroad = 0
        """The one of them in which the bot is not: there people have installed it for themselves."""
        self.names = {person.id: name for name, person in sim.people.items()}
        self.actions = sorted({action.partition("/")[0] for action in sim.app.router.routes})
        """All actions of buttons."""

    # What was ever shown.

    def controls(self) -> list[Control]:
        """Return every button and select of this match, or of no match, that was ever shown, the newest last.

        The places in which they were shown take turns, since the order of messages in two places is left to chance.
        """
        shown: dict[str, dict[Control, None]] = {}
        for entry in self.sim.env.http_requests:
            place = _CHANNEL.match(entry.path)
            here = shown.setdefault(place[1] if place else "", {})  # answers to presses are one place
            for part in _parts(entry.json):
                values = tuple(str(option["value"]) for option in part.get("options", ()))
                control = part["custom_id"], values
                here.pop(control, None)
                here[control] = None
        places = [reversed(here) for _, here in sorted(shown.items(), reverse=True)]
        newest = dict.fromkeys(c for turn in zip_longest(*places) for c in turn if c is not None)
        found = [c for c in reversed(newest) if c[0].startswith(("1/0/", f"1/{self.table.number}/"))]
        return found + self._of_commands(found)

    def _of_commands(self, found: Sequence[Control]) -> list[Control]:
        """Return controls of this match that only a command shows, to players of several tables, or only a question, or
        only a first lesson.
        """
        lesson: list[Control] = [(f"1/0/{action}//full_circle", ()) for action in ("learn", "open")]
        moves = [custom_id for custom_id, _ in found if f"/{self.table.number}/move/" in custom_id]
        lesson += [(custom_id.replace("/move/", "/anyway/", 1), ()) for custom_id in moves[-1:]]
        clock, relocate, cancel = (f"1/{self.table.number}/{action}//" for action in ("clock", "relocate", "cancel"))
        chosen = (clock, f"{clock}day_2+vote", f"{clock}none+", relocate, f"{cancel}sure", f"{cancel}keep")
        # Only a press from another server shows some mistakes: the second step of calling off is tried several times.
        again = [(f"{cancel}sure", ())] * 4
        past = [("1/0/history//0.0..f.0.0", ()), ("1/0/ranks//full_circle/all-time/0", ())]
        taken_out = next(iter(self.sim.people.values())).id
        reseat = (f"1/{self.table.number}/reseat//", (str(taken_out),))  # chance says if a manager sees the players
        presses = (
            "join/1",
            "leave/1",
            "ask_start/1",
            "start/1",
            "standings/1",
            "round/1/1",
            "stop/1",
            f"remove/1/{taken_out}",
        )
        season = [(f"1/0/season//{what}", ()) for what in presses]
        helped = [(f"1/0/help//{what}", ()) for what in ("play", "learn", "rules", "games", "commands")]
        own = [(f"1/{self.table.number}/forced//", ())]  # a hand offers it after three moves without a choice
        fixed = [("1/0/at//", chosen), *helped, ("1/0/table//sea_change", ()), reseat, *own]
        fixed += [*again, *lesson, *past, *season]
        return [*((custom_id, ()) for custom_id in chosen), *fixed]

    def chosen(self) -> list[Control]:
        """Return, of controls that do the same, the newest and some others, at most `most`; of a select two choices."""
        alike: dict[tuple[str, str], list[Control]] = {}
        for custom_id, values in self.controls():
            some: list[tuple[str, ...]] = [(value,) for value in self.random.sample(values, min(2, len(values)))]
            for chosen in some or [()]:
                action = action_of(custom_id, chosen)
                what = custom_id.split("/")[4] if action in ("data", "setting", "cancel") else ""
                alike.setdefault((action, what), []).append((custom_id, chosen))
        found = []
        for same in alike.values():
            newest, older = same[-(self.most - self.most // 2) :], same[: -(self.most - self.most // 2)]
            found += newest + self.random.sample(older, min(len(older), self.most // 2))
        return found

    def shown(self) -> set[str]:
        return {action_of(custom_id, (v,)) for custom_id, values in self.controls() for v in values or ("",)}

    @property
    def pressed(self) -> set[tuple[str, str]]:
        """Return the kinds of people with the actions that they have tried in some phase."""
        return {(kind, action) for _, kind, action in self.tried}

    # Pressing.

    async def open_elsewhere(self) -> None:
        """Open the other servers. A person there writes the message on which all people press."""
        self.elsewhere = []
        for name in ("Desert", "Steppe"):
            guild = self.sim.env.create_guild(name)
            role = guild.create_role("keeper", permissions=discord.Permissions(manage_guild=True))
            channel = guild.create_text_channel("dunes")
            members = [guild.add_member(person.user, roles=[role]) for person in self.sim.people.values()]
            self.elsewhere.append(((await members[0].send(channel, "A message")).id, channel.id))
            self.abroad = guild.id
        install_by_users(self.monkeypatch, self.sim, self.abroad)

    @asynccontextmanager
    async def watched(self) -> AsyncIterator[None]:
        """Inside, store no changes of presses; note the changes and the user of each."""
        router, publisher = self.sim.app.router, self.sim.app.publisher
        follow, work, move = router.follow_press, publisher.work, publisher.computers.make_moves

        async def noted_press(interaction: discord.Interaction[Any], press: Press | None) -> None:
            _WHO.set(interaction.user.id)
            _GUILD.set(interaction.guild_id)
            _PRESSED.set(Id(*press[:4]) if press is not None else Id(0, "?"))
            await follow(interaction, press)

        def by_itself(work: Any) -> Any:
            async def works(*how: Any) -> None:
                _WHO.set(0)  # work that a press only started
                await work(*how)

            return works

        def noted(changes: list[Change]) -> None:
            if _WHO.get():
                self.attempts.append(Attempt(self.names[_WHO.get()], _PRESSED.get(), frozenset(changes), pressing_in()))

        with self.monkeypatch.context() as patch:
            patch.setattr(router, "follow_press", noted_press)
            patch.setattr(publisher, "work", by_itself(work))
            patch.setattr(publisher.computers, "make_moves", by_itself(move))
            async with refuse_writes(self.sim.database, patch, noted):
                yield

    async def everyone_presses(self, phase: str) -> None:
        """Let each kind of person press everything, in its own message and in others. Controls whose answer may name
        another player's card come last, after the rest has been searched.
        """
        post = (await self.sim.matches.posts.of(self.table.number)).table
        self.board = post.message or 0, post.channel
        self.met[phase] = await self._variation()
        self.table.cursor = self.sim.cursor
        self.attempts.clear()
        controls = [one for one in self.chosen() if phase in SOME_PHASES or self._depends_on_the_match(*one)]
        # Each seated person, and one of each other kind.
        people = {name if kind in SEATED else kind: name for name, kind in self.kinds.items()}.values()
        aloud = {name: await self._aloud(name, controls) for name in people}
        before = self._messages()
        async with self.watched():
            for name in people:
                await self._presses(phase, name, [control for control in controls if control not in aloud[name]])
            await self._judge(phase)
            await self._look(phase)
            # An answer may name a card that was sealed then, and is back in a hand in a later phase.
            self._delete([found for found in self._messages() - before if self._is_answer(*found)])
            before = self._messages()
            for name in people:
                await self._presses(phase, name, aloud[name])
            self._delete(self._messages() - before)
        await self._judge(phase)

    def _depends_on_the_match(self, custom_id: str, values: tuple[str, ...]) -> bool:
        """Return whether a control names the match, or may change what it does not name."""
        named = any(text.startswith(f"1/{self.table.number}/") for text in (custom_id, *values))
        return named or action_of(custom_id, values) == "data"

    @property
    def variation(self) -> Variation:
        """Return how the match is to be in this phase."""
        return self.variations[self.phase]

    async def _variation(self) -> Variation:
        """Return how it is."""
        match, host = await self.sim.match(self.table.number), self.sim.service
        forced = match.running and any(own_move(host, match, seat) for seat in host.state(match).to_move())
        return Variation(match.clock if match.clocks else "none", match.moves > LONG, forced)

    async def _aloud(self, name: str, controls: Sequence[Control]) -> list[Control]:
        """Return the controls whose answer may name another player's card: examples, and controls that name it."""
        match = await self.sim.match(self.table.number)
        cards = []
        if match.state is not None and match.open:
            held = secret_cards(self.sim.service.state(match), self.sim.app.messages.labels(match))
            own = match.seat_of(self.sim.people[name].id)
            cards = [pattern for seat, patterns in held.items() if seat != own for pattern in patterns]
        return [
            (custom_id, values)
            for custom_id, values in controls
            if action_of(custom_id, values) in READ_ALOUD
            or any(pattern.search(" ".join((custom_id, *values))) for pattern in cards)
        ]

    async def _presses(self, phase: str, name: str, controls: Sequence[Control]) -> None:
        """Let one person press all of these controls that this phase needs, many at once."""
        pressed = [control for control in controls if not self.only or action_of(*control) in self.only]
        self.tried |= {(phase, self.kinds[name], action_of(*control)) for control in pressed}
        for at in range(0, len(pressed), AT_ONCE):
            await self._presses_at_once(phase, name, pressed[at : at + AT_ONCE])

    async def _presses_at_once(self, phase: str, name: str, controls: Sequence[Control]) -> None:
        blobs, cursor = self.sim.files, self.sim.cursor
        known = set(blobs)
        results = [self._press(name, custom_id, values) for custom_id, values in controls]
        self.presses += len(results)
        await self.sim.env.settle()
        async with asyncio.timeout(PATIENCE):
            while self.sim.app.interactions.under_way:  # they may wait for the database longer
                await self.sim.app.interactions.finish()
                await self.sim.env.settle()
        self.wrong += [f"{phase}: {name} is not answered" for result in results if not result.acknowledged]
        for shown in self.sim.shown(cursor):
            if "token" in shown.body and shown.viewer is None:
                self.wrong.append(f"{phase}: {name} is answered in public: {shown.text}")
        for url in [url for url in blobs if url not in known and url.endswith("my-data.json")]:
            self._look_at_data(phase, name, blobs[url].decode())

    def _press(self, name: str, custom_id: str, values: tuple[str, ...]) -> InteractionResult:
        person, kind = self.sim.people[name], self.kinds[name]
        message, place = self.board
        if kind == "outsider" or (kind == "former" and self.random.random() < 0.5):
            message, place = self.sim.dms(person)[-1].id, person.user.dm_channel.id
        elif self.random.random() < ELSEWHERE[kind in SEATED]:
            leave(self.sim, self.abroad)
            message, place = self.random.choice(self.elsewhere)
        return self.sim.raw_press(person, custom_id, message=message, channel=place, values=values or None)

    def _messages(self) -> set[tuple[int, int]]:
        return {(channel, message) for channel, found in self.sim.env.backend.messages.items() for message in found}

    def _is_answer(self, channel: int, message: int) -> bool:
        return bool(self.sim.env.backend.messages[channel][message].is_ephemeral)

    def _delete(self, messages: Iterable[tuple[int, int]]) -> None:
        for channel, message in messages:
            self.sim.env.backend.delete_message(channel, message)

    # Judging.

    async def _look(self, phase: str) -> None:
        """Search what has been shown since the phase began."""
        match = await self.sim.match(self.table.number)
        if match.state is None or not match.open:
            return
        await self.table.check_secrecy(match, self.sim.service.state(match))
        for shown in self.sim.shown(self.table.cursor):
            seated = shown.viewer is not None and match.seat_of(shown.viewer) is not None
            if not seated and OWN.search(shown.all_text):
                self.wrong.append(f"{phase}: {self.names.get(shown.viewer or 0)} is shown a hand: {shown.text}")

    def _look_at_data(self, phase: str, name: str, text: str) -> None:
        """Search the stored data that the bot sent to this person."""
        data, own = json.loads(text), self.sim.people[name].id
        others = [other for user, other in self.names.items() if user != own and str(user) in text]
        if others or [row["user"] for row in data["person"]] != [own]:
            self.wrong.append(f"{phase}: {name} is given data of {others}")

    async def _judge(self, phase: str) -> None:
        match = await self.sim.match(self.table.number)
        for attempt in dict.fromkeys(self.attempts):
            user = self.sim.people[attempt.who].id
            said = f"{phase}: {attempt.who} ({self.kinds[attempt.who]}) by {attempt.pressed}"
            if not self._may(phase, match, attempt):
                self.wrong.append(f"{said} changes {sorted({change.table for change in attempt.changes})}")
            elif foreign := sorted(_foreign(phase, user, attempt)):
                self.wrong.append(f"{said} changes what is another's: {foreign}")

    def _may(self, phase: str, match: Match, attempt: Attempt) -> bool:
        """Return whether that press may change anything there."""
        action, kind = attempt.pressed.action, self.kinds[attempt.who]
        tables = {change.table for change in attempt.changes}
        if tables <= {"person", "hours"}:  # if they are the person's own
            return True
        if (action == "setup") != (tables == {"server"}):
            return False
        if attempt.guild == self.abroad and action in NEVER_ABROAD:
            return False
        allowed, seat = ALLOWED.get(action, {}).get(phase, set()), match.seat_of(self.sim.people[attempt.who].id)
        if attempt.guild not in (None, match.guild):
            if action == "setup":  # all people are managers of that server, and of no other
                return all(change.text.startswith(f"{attempt.guild} ") for change in attempt.changes)
            if seat is None and action not in ("data", "learn", "open", "play_with", "table"):
                return False
        if action == "season" and attempt.pressed.rest.startswith(("start/", "stop/", "remove/")):
            return kind == "manager"
        if kind in allowed:
            return True
        if seat is None or match.state is None:
            return False
        if "able to undo" in allowed:
            return self.sim.service.seat_may_take_back(match, Seat(seat))
        if "waits" in allowed:
            return bool(match.reminders) and reminder_of(match, seat) is None
        clock = clock_of(match, seat)
        return ("able" in allowed and bool(self.sim.service.state(match).legal_moves(Seat(seat)))) or (
            "away" in allowed and clock is not None and clock.away is not None
        )


def _foreign(phase: str, user: int, attempt: Attempt) -> Iterator[str]:
    """Yield changes that are not that person's, nor a computer's, nor of the match that the button names. User 0 stands
    for a person whose data was deleted.
    """
    pressed = attempt.pressed
    for change in attempt.changes:
        if change.match not in (None, pressed.match) and pressed.match and pressed.action not in OF_OTHER_MATCHES:
            yield f"match {change.match}"
        removes = pressed.action == "season" and pressed.rest.startswith("remove/")
        if change.user in (None, 0, user) or pressed.action in OF_OTHERS or removes:
            continue
        counted = change.table == "vote" and change.sign < 0  # when a voter leaves, the vote may be decided
        if not counted and not (change.table == SEAT_NUMBERS and phase in LOBBIES):  # the lobby closes the gap
            yield f"{change.table} of {change.user}"


def action_of(custom_id: str, values: Sequence[str]) -> str:
    """Return a control's action. A list in a hand has moves, and steps towards a move."""
    action = custom_id.split("/")[2]
    if action == "at":
        return action_of(values[0], ()) if values[0] else action
    return picked(values[0])[0] if action == "pick" else action


def _parts(value: Any) -> Iterator[dict[str, Any]]:
    """Yield everything with a custom_id in a request."""
    if isinstance(value, dict):
        if isinstance(value.get("custom_id"), str) and value.get("type") != 4:
            yield value
        for part in value.values():
            yield from _parts(part)
    elif isinstance(value, list):
        for part in value:
            yield from _parts(part)
