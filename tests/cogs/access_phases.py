"""The phases of a match for the access matrix: the way to each, and what is open in it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

import cogs.games
import cogs.transport.match_posts
from cogs.match.quarantine import Fault
from cogs.match.refusals import Reason
from cogs.messages.choices import AHEAD
from cogs.transport.errors import DiscordFailure, Failure
from data.records.deadlines import SeatClock
from data.records.match import Former, Guest, GuestState, Match, RestoreCheck, Status, Waiting
from data.records.people import PingPreference
from rules import GAMES
from rules.core.game import AnyState, Seat
from tests.cogs.managing import manager
from tests.support.access_matrix import PATIENCE, AccessMatrix, action_of
from tests.support.access_rules import FORCED, LONG, PHASES
from tests.support.inside import faults_of
from tests.support.simulation import Simulation
from tests.support.table import Table, fast_computers, fewest_seats, shortest_options
from tests.support.traits import allows_undo, has_steps, in_teams, lasting, names_ahead, no_choice, plies

STANDS_IN = {
    "path": has_steps,
    "undo": allows_undo,
    "team": in_teams,
    "teams": in_teams,
    "ahead": names_ahead,
    AHEAD: names_ahead,
}
"""Actions that only some games offer in the hand, and whether a game is one of them."""
SOME = 8
"""How many controls with the same action are pressed when there is one bug to find."""
MOST_MOVES = 1_000
FORESEEN = 12
"""How many moves are tried to find one that leads to the wanted position."""
LASTING = 100
"""The moves of a match with a long log in the later phases."""
FEW = 1
"""How many controls with the same action a tour presses."""
SIEGE = "siege_of_sunfall"
LEAST = 400
"""The least presses of a tour in each phase."""


async def look_at_everything(matrix: AccessMatrix, *names: str) -> None:
    """These people open whatever can be opened, so that every button there is gets shown."""
    sim = matrix.sim
    for name in names:
        for action in (
            *("hand", "board", "log", "people", "resign", "mine", "lookups", "signs", "catch_up", "next", "cut"),
            "fair",
        ):
            await forge(matrix, name, action)
        if others := (await sim.match(matrix.table.number)).people:  # what a manager is asked
            await forge(matrix, name, "reseat", str(others[0].user))
        for pressed in ("1/0/games//0", "1/0/data//ask"):
            await sim.forge(sim.people[name], pressed, message=sim.board(matrix.table.channel).id)
        for command in ("settings", "games", "privacy", "hours", "history", "profile"):
            await sim.slash(sim.people[name], command)
        await sim.slash(sim.people[name], "stats", game=(await sim.match(matrix.table.number)).game)


async def open_lobby_pages(matrix: AccessMatrix, name: str) -> None:
    """Let a person open all that is behind *More …*."""
    for action in ("more", "door", "teams"):
        await forge(matrix, name, action)


async def forge(matrix: AccessMatrix, name: str, action: str, rest: str = "") -> None:
    """Let a person press at the table what may not have been shown to them."""
    sim, custom_id = matrix.sim, f"1/{matrix.table.number}/{action}//{rest}"
    await sim.forge(sim.people[name], custom_id, message=sim.board(matrix.table.channel).id)


async def a_step(matrix: AccessMatrix) -> None:
    """Let a person to move take a step towards a move, if the move takes more than one."""
    sim, (match, state) = matrix.sim, await matrix.table.now()
    person = sim.by_id(match.chairs[min(state.to_move())].player)
    await forge(matrix, person.name, "hand")
    steps = [
        (custom_id, value)
        for custom_id, values in matrix.controls()
        for value in values or ("",)
        if action_of(custom_id, (value,)) == "path"
        and (value or not custom_id.endswith("/"))  # else it is the way back
    ]
    if steps:
        custom_id, value = steps[-1]
        board = sim.board(matrix.table.channel).id
        await sim.forge(person, custom_id, message=board, values=[value] if value else None)


async def stored(matrix: AccessMatrix, **how: Any) -> None:
    """The match is another, as if all that leads there had happened."""
    service = matrix.sim.service
    async with service.deciding(matrix.table.number) as match:
        await service.save(replace(match, **how))
    await shown(matrix)


async def varied(matrix: AccessMatrix) -> None:
    """Give the table a language, the clock of its phase, and forced moves that the bot makes or leaves to the players.
    Draw a preference for every person.
    """
    game = (await matrix.sim.match(matrix.table.number)).game
    for person in matrix.sim.people.values():
        # In words, Full Sun's counts ("Sycamore 1") read like its cards.
        in_words = matrix.random.random() < 0.5 and game != "full_sun"
        chosen = {"ping": matrix.random.choice(list(PingPreference)), "wants_text": in_words}
        await matrix.sim.service.people.change(person.id, **chosen)
    match, clock = await matrix.sim.match(matrix.table.number), matrix.variation.clock
    how = {} if clock == match.clock else {"clock": clock, "clocks": ()}
    chairs = tuple(replace(chair, plays_forced=matrix.variation.forced) for chair in match.chairs)
    await stored(matrix, locale=matrix.random.choice(("en-US", "de")), chairs=chairs, **how)


async def positioned(matrix: AccessMatrix) -> None:
    """Play to a position of this phase: with a log of its length, and with or without a choice to make."""
    _, long, forced = matrix.variation
    if long:
        await play_to(matrix, lambda match, state: match.moves > LONG)
    if forced or matrix.phase in FORCED:
        await play_to(matrix, lambda match, state: any(no_choice(state, seat) for seat in state.to_move()) == forced)
    await shown(matrix)


async def play_to(matrix: AccessMatrix, reached: Callable[[Match, AnyState], bool]) -> None:
    """Play until the position is reached or every move would end the match. Show none of these moves. Seats often seal
    again, because that lengthens the log too.
    """
    service, random = matrix.sim.service, matrix.random
    with service.announcer.after(matrix.table.number):
        for _ in range(MOST_MOVES):
            match, state = await matrix.table.now()
            if reached(match, state):
                return
            sealed = [Seat(chair.number) for chair in match.chairs if Seat(chair.number) not in state.to_move()]
            resealing = [move for seat in sealed for move in state.legal_moves(seat)]
            moves = resealing if resealing and random.random() < 0.7 else going_on(state)
            if not moves:
                return
            some = random.sample(moves, min(FORESEEN, len(moves)))
            move = next((move for move in some if reached(match, state.apply(move)[0])), some[0])
            await service.play(match.id, match.chairs[move.seat].player, None, str(move))


def going_on(state: AnyState) -> list[Any]:
    """Return the legal moves of the seats to move that do not end the match."""
    moves = [move for seat in sorted(state.to_move()) for move in state.legal_moves(seat)]
    return [move for move in moves if state.apply(move)[0].outcome() is None]


async def shown(matrix: AccessMatrix) -> None:
    """Show the match as it is. If it cannot be shown, try once."""
    publisher = matrix.sim.bot.app.publisher

    def failed() -> bool:
        worker = publisher.workers.get(matrix.table.number)
        return worker is not None and worker.retry is not None and not worker.retry.cancelling()

    publisher.changed(matrix.table.number)
    for _ in range(int(PATIENCE * 1000)):
        if not publisher.behind()[0] or failed():
            return await matrix.sim.env.settle()
        await asyncio.sleep(0.001)
    raise AssertionError("the match is not shown")


async def some_moves(matrix: AccessMatrix, count: int, *, each: bool = True, ends: bool = False) -> None:
    """Play at most `count` moves and show each of them, or only the last. Only if `ends` may one of them end the match:
    in a short game the later phases still need it to run.
    """
    if each:
        for _ in range(count):
            await some_moves(matrix, 1, each=False, ends=ends)
        return
    with matrix.sim.service.announcer.after(matrix.table.number):
        for _ in range(count):
            match, state = await matrix.table.now()
            if not match.running:
                break
            seat = matrix.random.choice(sorted(state.to_move()))
            moves = [move for move in state.legal_moves(seat) if ends or state.apply(move)[0].outcome() is None]
            if not moves:
                break
            text = str(matrix.random.choice(moves))
            await matrix.sim.service.play(match.id, match.chairs[seat].user, None, text)
    await shown(matrix)


def crowd(sim: Simulation) -> None:
    """Make all people of a tour."""
    sim.join_server("alice", "bob", "carol", "dave", "erin", "frank", "gina")
    manager(sim, "hugo")
    sim.join_server("ida", "judy", "kurt", "lena")


async def another_table(sim: Simulation, game: str) -> None:
    home, sim.channel = sim.channel, sim.guild.create_text_channel("elsewhere")
    await Table.open(sim, game, [sim.people["alice"]], seed="elsewhere", computers=1)
    await sim.press(sim.people["alice"], sim.board(), "Start")
    sim.channel = home


async def a_season(sim: Simulation) -> None:
    """Open a season elsewhere in the server, in which some take part; the server's manager has opened it."""
    seasons, channel = sim.app.seasons, sim.guild.create_text_channel("season")
    how: dict[str, Any] = {"seats": None, "rounds": None, "days": 7, "clock": None, "name": "Cup", "locale": "en"}
    hugo = sim.people["hugo"].id
    season = await seasons.open("sea_change", guild=sim.guild.id, channel=channel.id, user=hugo, **how)
    for name in ("alice", "erin", "judy"):
        await seasons.join(season.id, sim.people[name].id, name)


async def opened(sim: Simulation, monkeypatch: pytest.MonkeyPatch, game: str, most: int) -> AccessMatrix:
    """Make all people, and open a lobby."""
    print(f"presses by seed access {game}")
    crowd(sim)
    fast_computers(monkeypatch)
    monkeypatch.setattr(cogs.games, "PAGE_LINES", 1)
    if most != SOME:  # the other table's game is one whose cards are never taken for the match's
        await another_table(sim, "photosynthesis" if game == "full_circle" else "full_circle")
    people = [sim.people[name] for name in ("alice", "dave", "carol")]
    people = people if 3 in GAMES[game].seats else people[: max(2, fewest_seats(game))]
    options = lasting(game, len(people), LASTING)
    if options is None:
        options = shortest_options(game, len(people))
    table = await Table.open(sim, game, people, seed="access", options=options)
    matrix = AccessMatrix(sim, monkeypatch, table, f"access {game}", most)
    await matrix.open_elsewhere()
    await sim.slash(sim.people["ida"], "doctor")  # which says hello by direct message
    for name, person in sim.people.items():
        await sim.service.people.meet(person.id, name)
    await a_season(sim)
    matrix.kinds = {name: "seated" if person in people else "stranger" for name, person in sim.people.items()}
    matrix.kinds |= {"alice": "host", "hugo": "manager", "ida": "outsider"}
    matrix.kinds |= {"judy": "invited", "kurt": "declined", "lena": "taken out"}
    return matrix


async def in_the_lobby(matrix: AccessMatrix) -> None:
    await stored(matrix, clock=matrix.variation.clock)
    sim = matrix.sim
    states = {"judy": GuestState.INVITED, "kurt": GuestState.DECLINED, "lena": GuestState.REMOVED}
    guests = {name: Guest(sim.people[name].id, name, state) for name, state in states.items()}
    await stored(matrix, guests=tuple(sorted(guests.values(), key=lambda guest: guest.user)))
    await sim.caught_up()
    await look_at_everything(matrix, "alice", "bob")
    for name in ("alice", "dave"):
        await open_lobby_pages(matrix, name)
    await sim.people["alice"].context_menu(matrix.table.channel, "Play with", sim.people["bob"])
    await sim.slash(sim.people["hugo"], "setup")


async def closed(matrix: AccessMatrix) -> None:
    """Close the lobby to all but its guests."""
    await matrix.sim.app.door.close(matrix.table.number, matrix.sim.people["alice"].id, True)
    await stored(matrix, clock=matrix.variation.clock)


async def called_off(matrix: AccessMatrix) -> None:
    await stored(matrix, status=Status.CANCELLED, ended_at=int(matrix.sim.service.now()))


async def running(matrix: AccessMatrix) -> None:
    """Dave leaves, bob takes over; erin was removed earlier, frank waits. The table is open until people vote."""
    await stored(matrix, status=Status.LOBBY, ended_at=None, closed=False, clock=matrix.variation.clock)
    sim, number = matrix.sim, matrix.table.number
    await forge(matrix, "alice", "start")
    await forge(matrix, "dave", "give_seat")
    seat = next(who.seat for who in (await sim.match(number)).former)
    await forge(matrix, "bob", "take", str(seat))
    match = await sim.match(number)
    assert match.seat_of(sim.people["bob"].id) == seat
    sim.app.publisher.computers.rest()  # so that moves without a choice are still to be made when people press
    former = (*match.former, Former(sim.people["erin"].id, seat, removed=True))
    await stored(matrix, former=former, waiting=(Waiting(sim.people["frank"].id, "frank"),))
    matrix.kinds |= {"bob": "substitute", "dave": "former", "erin": "removed", "frank": "waiting"}
    early = plies(match.game, 11)
    await some_moves(matrix, early - 1, each=False)
    await some_moves(matrix, 1)
    await waited(matrix)
    await look_at_everything(matrix, "alice", "bob", "frank", "gina")
    await forge(matrix, "frank", "join")
    await forge(matrix, "hugo", "reseat", str(sim.people["alice"].id))
    await a_step(matrix)


async def waited(matrix: AccessMatrix) -> None:
    """The table has waited for two hours, if it has no time limit, and its players have been reminded."""
    match = await matrix.sim.match(matrix.table.number)
    since = int(matrix.sim.service.now()) - 2 * 3600
    await stored(matrix, reminders=tuple(replace(found, since=since, sent=1) for found in match.reminders))


async def decided(matrix: AccessMatrix) -> None:
    """If several seats decide at once, one has decided, unless this phase leaves it no choice."""
    await positioned(matrix)
    if not matrix.variation.forced:
        await some_moves(matrix, 1)
    await waited(matrix)
    await look_at_everything(matrix, "alice")
    await a_step(matrix)


async def voting(matrix: AccessMatrix) -> None:
    await positioned(matrix)
    match, guests = await matrix.sim.match(matrix.table.number), matrix.sim.people
    seated = [name for name in ("alice", "bob", "carol", "dave", "frank") if matrix.kinds[name] != "stranger"]
    here = [Guest(guests[name].id, name, GuestState.ACCEPTED) for name in seated]
    await stored(matrix, closed=True, guests=tuple({guest.user: guest for guest in (*match.guests, *here)}.values()))
    await waited(matrix)
    await forge(matrix, "alice", "offer", "1")
    await forge(matrix, "alice", "vote", "end")
    await forge(matrix, "alice", "vote", "pause")


async def resting(matrix: AccessMatrix) -> None:
    await positioned(matrix)
    await stored(matrix, rests_since=int(matrix.sim.service.now()))


async def behind(matrix: AccessMatrix) -> None:
    await stored(matrix, doubt=RestoreCheck.BEHIND, restores=1)


async def unchecked(matrix: AccessMatrix) -> None:
    """Discord does not tell what it shows."""

    async def later(*_: object) -> None:
        raise DiscordFailure(Failure.LATER)

    matrix.monkeypatch.setattr(cogs.transport.match_posts, "compare", later)
    await stored(matrix, doubt=RestoreCheck.UNCHECKED, rests_since=None)


async def paused(matrix: AccessMatrix) -> None:
    await stored(matrix, doubt=None, paused_at=int(matrix.sim.service.now()))


async def held(matrix: AccessMatrix) -> None:
    await stored(matrix, paused_at=None)
    quarantine = matrix.sim.service.quarantine
    quarantine.sound.discard(matrix.table.number)
    faults_of(quarantine)[matrix.table.number] = Fault(Reason.DAMAGED, "c0de")
    await shown(matrix)


async def away(matrix: AccessMatrix) -> None:
    """Every player is away."""
    del faults_of(matrix.sim.service.quarantine)[matrix.table.number]
    await varied(matrix)
    now, match = int(matrix.sim.service.now()), await matrix.sim.match(matrix.table.number)
    clocks = tuple(replace(clock, away=now, ends=None, due=None) for clock in match.clocks)
    await stored(matrix, clocks=clocks or tuple(SeatClock(chair.number, away=now) for chair in match.people))


async def cancelled(matrix: AccessMatrix) -> None:
    now = int(matrix.sim.service.now())
    await stored(matrix, clock="none", clocks=(), status=Status.CANCELLED, ended_at=now)


async def stopped(matrix: AccessMatrix) -> None:
    await stored(matrix, status=Status.STOPPED)


async def over(matrix: AccessMatrix) -> None:
    await stored(matrix, status=Status.PLAYING, ended_at=None)
    await some_moves(matrix, MOST_MOVES, each=False, ends=True)
    assert (await matrix.sim.match(matrix.table.number)).status is Status.OVER
    await look_at_everything(matrix, "alice")
    await forge(matrix, "alice", "replay")


WAYS: dict[str, Callable[[AccessMatrix], Awaitable[None]]] = dict(
    zip(
        PHASES,
        (
            *(in_the_lobby, closed, called_off, running, decided, voting, resting, behind, unchecked, paused, held),
            *(away, cancelled, stopped, over),
        ),
        strict=True,
    )
)
"""To each phase from the one before."""


async def tour(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch, game: str, most: int, pressed: Sequence[str], *only: str
) -> AccessMatrix:
    """Through the phases of a match to the last of `pressed`, in which people press everything, or these actions."""
    matrix = await opened(sim, monkeypatch, game, most)
    matrix.only = set(only)
    for phase, way in WAYS.items():
        matrix.phase = phase
        if PHASES.index(phase) > PHASES.index("running") and not sim.service.quarantine.holds(matrix.table.number):
            await varied(matrix)
        await way(matrix)
        if phase in pressed:
            await matrix.everyone_presses(phase)
            print(f"{phase}: {matrix.met[phase]}, {matrix.presses} presses by now")
        if phase == pressed[-1]:
            break
    return matrix
