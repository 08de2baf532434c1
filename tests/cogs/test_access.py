"""Whoever presses whatever, whenever: only the seat's own player acts or sees.

In every phase of a match of each game, each kind of person presses every button, select and form that anybody was ever
shown, whether it could be theirs or not. What would be written into the match is noted and not stored, so that the
phase stays as it is; what is shown is looked at for what others hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from random import Random
from typing import Any
from zlib import crc32

import discord
import pytest
from simcord.actors import MemberActor

import cogs._lobby
import cogs._people
import cogs.owners
from cogs._components import Content, Id
from cogs._messages import Desk
from data.database import NotStored
from data.match import Former, Match, Status, Waiting
from data.people import Person
from rules import GAMES
from rules.core.game import Seat
from tests.support.simulation import Simulation
from tests.support.table import OWN, Table, fewest, shortest

pytestmark = pytest.mark.usefixtures("plain")

FEW = 1
"""Controls with the same action that are pressed in every run, by each kind of person in each phase."""
Control = tuple[str, tuple[str, ...]]
"""A custom_id, and what can be chosen there; nothing where it is a button."""

LOBBY, RUNNING, RESTING, ENDED = "lobby", ("running", "decided", "voting"), "resting", ("over", "stopped", "cancelled")
SEATED = {"host", "seated", "substitute"}
SELDOM = {"catch_up", "here", "next", "play", "games", "again", "verify", "back", "take", "remove", "add", "start"}
"""Actions that some of these matches do not come to offer."""
ELSEWHERE = {"data"}
"""Actions that belong to no table: see test_privacy.py."""
UNSEATED = {"waiting", "former", "removed", "stranger", "manager"}

MAY: dict[str, dict[str, set[str]]] = {
    "add": {LOBBY: SEATED},
    "again": dict.fromkeys(ENDED, SEATED | UNSEATED),
    "back": {key: {"former"} for key in RUNNING},
    "cancel": {LOBBY: {"host", "manager"}, **{key: {"manager"} for key in RUNNING}, RESTING: {"manager"}},
    "cut_with": {LOBBY: SEATED},
    "give_seat": dict.fromkeys((*RUNNING, RESTING), SEATED),
    "join": {LOBBY: UNSEATED | SEATED, **dict.fromkeys((*RUNNING, RESTING), UNSEATED)},
    "leave": {LOBBY: SEATED, **{key: {"waiting"} for key in (*RUNNING, RESTING, "paused", *ENDED)}},
    "move": {key: {"able"} for key in RUNNING},
    "offer": dict.fromkeys((*RUNNING, RESTING), SEATED),
    "option": {LOBBY: SEATED},
    "remove": {LOBBY: SEATED},
    "setting": dict.fromkeys((LOBBY, *RUNNING, RESTING, "paused"), SEATED),
    "setup": {key: {"manager"} for key in (LOBBY, *RUNNING, RESTING, "paused", *ENDED)},
    "start": {LOBBY: SEATED},
    "take": dict.fromkeys((*RUNNING, RESTING), UNSEATED - {"removed"}),
    "undo": {key: {"able to undo"} for key in RUNNING},
    "vote": dict.fromkeys((*RUNNING, RESTING), SEATED),
}
"""Who may change a match by a press, by its action, in which phase. By any other, nobody ever."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A change of a match that a press would have stored."""

    who: str
    pressed: str


_PRESSED: ContextVar[str] = ContextVar("pressed", default="")
_WHO: ContextVar[int] = ContextVar("who", default=0)


class Door:
    """Everybody before all buttons of one match. `kinds` says of each name what that person is to it."""

    def __init__(self, sim: Simulation, table: Table, seed: str, most: int) -> None:
        self.sim, self.table, self.most = sim, table, most
        self.random = Random(seed)
        self.kinds: dict[str, str] = {}
        self.attempts: list[Attempt] = []
        self.tried: set[tuple[str, str, str]] = set()
        """The phase, the kind of person and the action of every press."""
        self.wrong: list[str] = []
        self.only: set[str] = set()
        """Actions beside which nothing is pressed, if any."""
        self.share = 0
        """Which share of what is pressed in one game alone is pressed here."""
        self.names: dict[int, str] = {}

    # What was ever shown.

    def controls(self) -> list[Control]:
        """Every button and select that was ever shown to anybody, the newest last, and the form."""
        found: dict[Control, None] = {}
        for entry in self.sim.env.http_requests:
            for part in _parts(entry.json):
                values = tuple(str(option["value"]) for option in part.get("options", ()))
                control = part["custom_id"], values
                found.pop(control, None)
                found[control] = None
        # Who wants pictures in words too reads how many cards others hold, which the checks take for names of cards.
        return [
            control for control in found if control[0].startswith("1/") and not control[0].endswith("setting//text")
        ]

    def chosen(self) -> list[Control]:
        """Of those with the same action, the newest and some others, so many at most."""
        by_action: dict[str, list[Control]] = {}
        for custom_id, values in self.controls():
            for value in self.random.sample(values, min(2, len(values))) or [""]:
                action = custom_id.split("/")[2]
                by_action.setdefault(action, []).append((custom_id, (value,) if values else ()))
        found = []
        for same in by_action.values():
            newest, older = same[-(self.most - self.most // 2) :], same[: -(self.most - self.most // 2)]
            found += newest + self.random.sample(older, min(len(older), self.most // 2))
        return found

    def is_turn(self, tried: tuple[str, str, str]) -> bool:
        """Whether this is pressed in this game: moves in every third, all else in one, where not everything is."""
        if tried[2] == "rules" and tried[0] not in ENDED:
            return False  # whose examples name cards that somebody may hold
        if self.only:
            return tried[2] in self.only
        shares = 3 if tried[2] in ("move", "path", "pick", "undo") else len(GAMES)
        return self.most > FEW or crc32(repr(tried).encode()) % shares == self.share % shares

    # Pressing.

    @contextmanager
    def watched(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
        """While nothing is stored of what presses would change, and who tried to is noted."""
        tables, matches = self.sim.bot.get_cog("Tables"), self.sim.host.matches
        route = tables._route

        async def noted_route(interaction: discord.Interaction[Any], pressed: Id | None, values: list[str]) -> None:
            _WHO.set(interaction.user.id)
            _PRESSED.set(str(pressed or ""))
            await route(interaction, pressed, values)

        async def refuses(*how: Any, **more: Any) -> None:
            if _WHO.get():
                self.attempts.append(Attempt(self.names[_WHO.get()], _PRESSED.get()))
            raise NotStored

        with monkeypatch.context() as patch:
            patch.setattr(tables, "_route", noted_route)
            patch.setattr(matches, "save", refuses)
            patch.setattr(matches, "open", refuses)
            patch.setattr(self.sim.host.allowance, "change", refuses)
            yield

    async def everybody_presses(self, phase: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """Everything, by each kind of person, where it stands and where it does not."""
        cursor, self.table.cursor = self.sim.cursor, self.sim.cursor
        self.attempts.clear()
        controls = self.chosen()
        with self.watched(monkeypatch):
            for name, person in self.sim.people.items():
                for custom_id, values in controls:
                    tried = phase, self.kinds[name], custom_id.split("/")[2]
                    if self.is_turn(tried):
                        self._press(person, name, custom_id, values)
                        self.tried.add(tried)
                await self.sim.env.settle()
        await self._judge(phase)
        match = await self.sim.match(self.table.number)
        if match.state is not None and match.open:
            await self.table._check_secrecy(match, self.sim.host.state(match))
            for shown in self.sim.shown(cursor):
                seated = shown.eyes is not None and match.seat_of(shown.eyes) is not None
                if not seated and OWN.search(shown.whole):
                    self.wrong.append(f"{phase}: {self.names.get(shown.eyes or 0)} is shown a hand: {shown.text}")
        assert self.only or self.sim.cursor > cursor

    def _press(self, person: MemberActor, name: str, custom_id: str, values: tuple[str, ...]) -> None:
        kind = self.kinds[name]
        message, place = self.sim.board(self.table.channel), self.table.channel.id
        if kind == "outsider":
            message, place = self.sim.dms(person)[-1], person.user.dm_channel.id
        elif kind == "former":
            message, place = self.sim.dms(person)[-1], person.user.dm_channel.id
            if self.random.random() < 0.5:
                message, place = self.sim.board(self.table.channel), self.table.channel.id
        self.sim.raw_press(person, custom_id, message=message.id, channel=place, values=values or None)

    async def _judge(self, phase: str) -> None:
        match = await self.sim.match(self.table.number)
        for attempt in set(self.attempts):
            pressed = Id.parse(attempt.pressed.replace("Id", "")) or Id(0, "?")
            kind, allowed = self.kinds[attempt.who], MAY.get(pressed.action, {}).get(phase, set())
            seat = match.seat_of(self.sim.people[attempt.who].id)
            able = (
                match.state is not None
                and seat is not None
                and bool(self.sim.host.state(match).legal_moves(Seat(seat)))
            )
            may_undo = (
                seat is not None and match.state is not None and self.sim.host.seat_may_take_back(match, Seat(seat))
            )
            if kind in allowed or ("able" in allowed and able) or ("able to undo" in allowed and may_undo):
                continue
            self.wrong.append(f"{phase}: {attempt.who} ({kind}) changes the match by {attempt.pressed}")


def _parts(value: Any) -> Iterator[dict[str, Any]]:
    """Everything with a custom_id in a request."""
    if isinstance(value, dict):
        if isinstance(value.get("custom_id"), str) and value.get("type") != 4:
            yield value
        for part in value.values():
            yield from _parts(part)
    elif isinstance(value, list):
        for part in value:
            yield from _parts(part)


async def look_at_everything(door: Door, *names: str) -> None:
    """These people open whatever can be opened, so that every button there is gets shown."""
    sim, number = door.sim, door.table.number
    for name in names:
        person = sim.people[name]
        for action in ("hand", "board", "log", "people", "resign", "mine", "catch_up", "next", "cut"):
            await sim.forge(person, f"1/{number}/{action}//", message=sim.board(door.table.channel).id)
        await sim.forge(person, "1/0/games//0", message=sim.board(door.table.channel).id)
        await sim.slash(person, "settings")
        await sim.slash(person, "games")


async def stored(door: Door, **how: Any) -> None:
    """The match is another, as if all that leads there had happened."""
    host = door.sim.host
    async with host.deciding(door.table.number) as match:
        await host.save(replace(match, **how))
    door.sim.bot.house.publisher.changed(door.table.number)
    await door.sim.env.settle()


async def some_moves(door: Door, count: int) -> None:
    for _ in range(count):
        match, state = await door.table.now()
        if not match.running:
            return
        seat = door.random.choice(sorted(state.to_move()))
        text = str(door.random.choice(state.legal_moves(seat)))
        await door.sim.host.play(match.id, match.chairs[seat].user, None, text)
        door.sim.bot.house.publisher.changed(match.id)
        await door.sim.env.settle()


def crowd(sim: Simulation) -> None:
    """Everybody there is, in the server and out of it."""
    role = sim.guild.create_role("keeper", permissions=discord.Permissions(manage_guild=True))
    sim.join_server("alice", "bob", "carol", "dave", "erin", "frank", "gina")
    sim.join_server("hugo", roles=[role])
    sim.join_server("ida")


@pytest.mark.parametrize("game", GAMES)
async def test_only_the_seats_own_player_acts_or_sees(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest, game: str
) -> None:
    door = await tour(sim, monkeypatch, game, 1_000 if request.config.getoption("--all-errors") else FEW)
    assert not door.wrong, "\n".join(sorted(set(door.wrong))[:40])
    assert {kind for _, kind, _ in door.tried} == SEATED | UNSEATED | {"outsider"}
    shown = {custom_id.split("/")[2] for custom_id, _ in door.controls()}
    assert shown >= set(sim.bot.house.routes) - SELDOM - ELSEWHERE
    assert len({phase for phase, _, _ in door.tried}) == 7


async def tour(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch, game: str, most: int, last: str = "", *only: str
) -> Door:
    """Through all phases of one match, or to that one."""
    print(f"presses by seed access {game}")
    crowd(sim)
    people = [sim.people[name] for name in ("alice", "dave", "carol")][: max(2, fewest(game))]
    if 3 in GAMES[game].seats:
        people = [sim.people[name] for name in ("alice", "dave", "carol")]
    everybody, sim.people = sim.people, {person.name: person for person in people}
    table = await Table.open(sim, game, people, seed="access", options=shortest(game, len(people)))
    sim.people = everybody
    door = Door(sim, table, f"access {game}", most)
    door.share, door.only = list(GAMES).index(game), set(only)
    door.names = {person.id: name for name, person in everybody.items()}
    ida = sim.people["ida"]
    await sim.slash(ida, "doctor")  # which says hello by direct message
    for name, person in everybody.items():
        await sim.host.people.meet(person.id, name)
    seated = {person.name for person in people}
    door.kinds = {name: "seated" if name in seated else "stranger" for name in everybody}
    door.kinds |= {"alice": "host", "hugo": "manager", "ida": "outsider"}
    await look_at_everything(door, "alice", "bob")
    await sim.slash(sim.people["hugo"], "setup")
    await door.everybody_presses(LOBBY, monkeypatch)
    if last == LOBBY:
        return door
    await sim.press(people[0], sim.board(), "Start")
    # Dave leaves, bob takes over; erin was removed earlier, frank waits.
    await sim.forge(sim.people["dave"], f"1/{table.number}/give_seat//", message=sim.board(table.channel).id)
    seat = next(who.seat for who in (await sim.match(table.number)).former)
    await sim.forge(sim.people["bob"], f"1/{table.number}/take//{seat}", message=sim.board(table.channel).id)
    match = await sim.match(table.number)
    assert match.seat_of(sim.people["bob"].id) == seat
    former = (*match.former, Former(sim.people["erin"].id, seat, removed=True))
    await stored(door, former=former, waiting=(Waiting(sim.people["frank"].id, "frank"),))
    door.kinds |= {"bob": "substitute", "dave": "former", "erin": "removed", "frank": "waiting"}
    await some_moves(door, 3)
    await look_at_everything(door, "alice", "bob", "frank", "gina")
    await sim.forge(sim.people["frank"], f"1/{table.number}/join//", message=sim.board(table.channel).id)
    await door.everybody_presses("running", monkeypatch)
    if last == "running":
        return door
    await some_moves(door, 1)  # where several decide at once, somebody has
    await look_at_everything(door, "alice")
    await door.everybody_presses("decided", monkeypatch)
    await sim.forge(sim.people["alice"], f"1/{table.number}/offer//1", message=sim.board(table.channel).id)
    await sim.forge(sim.people["alice"], f"1/{table.number}/vote//pause", message=sim.board(table.channel).id)
    await door.everybody_presses("voting", monkeypatch)
    await stored(door, rests_since=int(sim.host.now()))
    await door.everybody_presses(RESTING, monkeypatch)
    await stored(door, rests_since=None, paused_at=int(sim.host.now()))
    await door.everybody_presses("paused", monkeypatch)
    await stored(door, paused_at=None)
    await some_moves(door, 400 if most > 100 else 40)
    if (await sim.match(table.number)).open:
        await stored(door, status=Status.STOPPED, ended_at=int(sim.host.now()))
    await look_at_everything(door, "alice")
    ended = (await sim.match(table.number)).status
    await door.everybody_presses("over" if ended is Status.OVER else "stopped", monkeypatch)
    return door


# Bugs that this finds.


def anybody_at_lobbies(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(cogs._lobby, "check_seated", lambda match, user: None)


def everybody_manages(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(cogs.owners, "manages", lambda interaction: True)


def everybody_votes(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(cogs._people, "_seat", lambda match, user: 0)
    patch.setattr(cogs._people, "makes_sense", lambda match, choice, user: True)


def everybody_holds_a_seat(patch: pytest.MonkeyPatch) -> None:
    own = Match.seat_of

    def seat_of(match: Match, user: int) -> int | None:
        found = own(match, user)
        return found if found is not None or not _WHO.get() else 0

    patch.setattr(Match, "seat_of", seat_of)


def a_look_at_the_table_shows_a_hand(patch: pytest.MonkeyPatch) -> None:
    async def board(desk: Desk, match: Match, person: Person, locale: str) -> Content:
        first = await desk._host.people.get(match.people[0].user or 0)
        assert first is not None
        return replace(await desk.hand(match, first), user=person.user)

    patch.setattr(Desk, "board", board)


@pytest.mark.parametrize(
    ("bug", "phase", "action"),
    [
        (anybody_at_lobbies, LOBBY, "add"),
        (everybody_manages, LOBBY, "setup"),
        (everybody_votes, "running", "vote"),
        (everybody_holds_a_seat, "running", "move"),
        (a_look_at_the_table_shows_a_hand, "running", "board"),
    ],
)
async def test_planted_bugs_are_found(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch, bug: Callable[[pytest.MonkeyPatch], None], phase: str, action: str
) -> None:
    bug(monkeypatch)
    try:
        door = await tour(sim, monkeypatch, "siege_of_sunfall", FEW, phase, action)
    except AssertionError as error:
        assert " before " in str(error), error  # what somebody holds stands before another
    else:
        assert door.wrong
