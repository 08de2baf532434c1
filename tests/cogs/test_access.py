"""Only a seat's own player acts for it or sees its hand, however anyone presses.

In every phase of a match of each game, each kind of person presses every button, select and form that anyone was ever
shown, even if it was not shown to them (tests/support/access_matrix.py).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import cogs.match.deadlines
import cogs.match.host_rights
import cogs.match.lobby
import cogs.match.membership
import cogs.messages.lookups
import cogs.setup
import cogs.transport.permissions
from cogs.match.automatic_moves import own_move
from cogs.match.lobby import Lobby
from cogs.match.quarantine import Quarantine
from cogs.match.service import MatchService, Played
from cogs.match.votes import Choice
from cogs.messages.content import Content
from cogs.messages.hand import hand_message
from cogs.messages.presenter import Presenter
from data.records.match import LoggedMove, Match
from data.records.matches import Matches
from data.records.people import People, Person
from data.records.privacy import Privacy
from data.store.database import Database
from rules import GAMES
from tests.cogs.access_phases import FEW, LASTING, LEAST, SIEGE, SOME, STANDS_IN, tour
from tests.support.access_matrix import pressing, pressing_in
from tests.support.access_rules import (
    CANCELLED,
    HELD,
    KINDS,
    LOBBY,
    LONG,
    PHASES,
    RUNNING,
    SOME_PHASES,
    UNCHECKED,
    variations,
)
from tests.support.inside import database_of, service_of
from tests.support.simulation import Simulation, seed_secrets
from tests.support.traits import forces, lasting, nearest_seats

pytestmark = pytest.mark.usefixtures("plain")


@pytest.mark.parametrize("phases", [SOME_PHASES, pytest.param(PHASES, marks=pytest.mark.long)], ids=["some", "all"])
@pytest.mark.games("game", short=[SIEGE])
async def test_only_the_seats_own_player_acts_or_sees(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch, game: str, phases: tuple[str, ...]
) -> None:
    seed_secrets(monkeypatch, f"tour of {game}")  # deals that show every action
    matrix = await tour(sim, monkeypatch, game, FEW, phases)
    print(f"{matrix.presses} presses")
    assert not matrix.wrong, "\n".join(sorted(set(matrix.wrong))[:40])
    actions = {action for action in matrix.actions if action not in STANDS_IN or STANDS_IN[action](game)}
    assert matrix.shown() >= actions, actions - matrix.shown()
    assert {phase for phase, _, _ in matrix.tried} == set(phases)
    # A table of two has the host and a substitute: no other player has kept a seat.
    kinds = [kind for kind in KINDS if kind != "seated" or nearest_seats(GAMES[game], 3) > 2]
    assert matrix.pressed >= {(kind, action) for kind in kinds for action in actions}
    assert matrix.presses > LEAST * len(phases)
    if phases != PHASES:
        return
    met = [matrix.met[phase] for phase in RUNNING]
    assert {how.clock != "none" for how in met} == {True, False}
    assert {how.long for how in met} == {True, False} or lasting(game, nearest_seats(GAMES[game], 3), LASTING) is None
    assert {how.forced for how in met} == {True, False} or not forces(game)


# Bugs that this finds.


def anyone_changes_lobbies(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(cogs.match.lobby, "check_seated", lambda match, user: None)


def everyone_manages(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(cogs.setup, "manages", lambda interaction: True)


def everyone_chooses_the_language(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(cogs.match.host_rights, "check_host", lambda match, user: None)


def servers_without_the_bot_are_set_up(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(cogs.transport.permissions, "server_of", lambda interaction: interaction.guild_id)


def a_manager_of_any_server_calls_matches_off(patch: pytest.MonkeyPatch, more_than: int = -1) -> None:
    """Matches with more moves than that."""
    own = Lobby.cancel

    async def cancel(lobby: Lobby, number: int, user: int, manager: bool, name: str = "") -> Match:
        match = await service_of(lobby).load(number)
        elsewhere = match.moves > more_than and pressing_in() not in (None, match.guild)
        return await own(lobby, number, user, manager or elsewhere)

    patch.setattr(Lobby, "cancel", cancel)


def everyone_votes(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(cogs.match.membership, "seat_or_refuse", lambda match, user: 0)
    patch.setattr(cogs.match.membership, "makes_sense", lambda match, choice, user: True)


def everyone_nudges(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(cogs.match.deadlines, "seat_or_refuse", lambda match, user: -1)


def everyone_votes_while_clocks_run(patch: pytest.MonkeyPatch) -> None:
    seat, sense = cogs.match.membership.seat_or_refuse, cogs.match.membership.makes_sense

    def seat_or_refuse(match: Match, user: int) -> int:
        return 0 if match.clocks else seat(match, user)

    def makes_sense(match: Match, choice: Choice, user: int) -> bool:
        return bool(match.clocks) or sense(match, choice, user)

    patch.setattr(cogs.match.membership, "seat_or_refuse", seat_or_refuse)
    patch.setattr(cogs.match.membership, "makes_sense", makes_sense)


def a_manager_of_any_server_calls_long_matches_off(patch: pytest.MonkeyPatch) -> None:
    a_manager_of_any_server_calls_matches_off(patch, more_than=LONG)


def everyone_makes_moves_without_a_choice(patch: pytest.MonkeyPatch) -> None:
    own = MatchService.play

    async def play(service: MatchService, number: int, user: int, turn: str | None, text: str, **how: bool) -> Played:
        match = await service.load(number)
        forced = [s for s in service.state(match).to_move() if own_move(service, match, s)] if match.running else []
        # Only now: the answer to an old press would fail, since it shows a hand that the user does not have.
        if forced and match.seat_of(user) is None and turn in (None, service.turn(match, forced[0])):
            user = match.chairs[forced[0]].user or 0
        return await own(service, number, user, turn, text, **how)

    patch.setattr(MatchService, "play", play)


def everyone_holds_a_seat(patch: pytest.MonkeyPatch) -> None:
    own = Match.seat_of

    def seat_of(match: Match, user: int) -> int | None:
        found = own(match, user)
        return found if found is not None or not pressing() else 0

    patch.setattr(Match, "seat_of", seat_of)


def a_look_at_the_table_shows_a_hand(patch: pytest.MonkeyPatch) -> None:
    async def board(messages: Presenter, match: Match, person: Person, locale: str) -> Content:
        awaited = match.chairs[min(messages.service.state(match).to_move())]
        found = await messages.service.people.get(awaited.user or 0)
        return replace(await hand_message(messages, match, found), user=person.user)

    patch.setattr(cogs.messages.lookups, "board", board)


def of_one_person(patch: pytest.MonkeyPatch, name: str) -> None:
    """That method of `Privacy` does its work for the first person, whichever user it is given."""
    own = getattr(Privacy, name)

    async def work(privacy: Privacy, user: int, *given: int) -> Any:
        return await own(privacy, await _first(database_of(privacy)), *given)

    patch.setattr(Privacy, name, work)


def everyone_is_given_one_persons_data(patch: pytest.MonkeyPatch) -> None:
    of_one_person(patch, "everything")


def a_deletion_is_one_persons(patch: pytest.MonkeyPatch) -> None:
    of_one_person(patch, "erase")


def settings_are_one_persons(patch: pytest.MonkeyPatch) -> None:
    own = People.change

    async def change(people: People, user: int, **facts: Any) -> Person:
        person = await own(people, await _first(database_of(people)) if pressing() else user, **facts)
        return await people.get(user) or person

    patch.setattr(People, "change", change)


async def _first(database: Database) -> int:
    return int(await database.read(lambda c: c.execute("SELECT min(user) FROM person").fetchone()[0]))


def held_matches_are_played(patch: pytest.MonkeyPatch) -> None:
    async def check(quarantine: Quarantine, match: Match) -> None:
        pass

    patch.setattr(Quarantine, "check", check)


def matches_in_doubt_are_played(patch: pytest.MonkeyPatch) -> None:
    for check in ("check_playing", "check_at_table"):
        patch.setattr(cogs.match.membership, check, lambda match: None)


def what_was_cancelled_goes_on(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Match, "ending", property(lambda match: "stopped"))
    for check in ("check_playing", "check_at_table"):
        patch.setattr(cogs.match.membership, check, lambda match: None)


def moves_are_made_for_the_next_seat(patch: pytest.MonkeyPatch) -> None:
    save = Matches.save

    async def next_seat(matches: Matches, match: Match, move: LoggedMove | None = None, *how: Any) -> Match:
        if move is not None and pressing():
            move = replace(move, seat=(move.seat + 1) % len(match.chairs))
        return await save(matches, match, move, *how)

    patch.setattr(Matches, "save", next_seat)


CHANGES, ANOTHERS, DATA, HAND = " changes [", " changes what is another's", " is given data of ", " is shown a hand"
"""Words of the reports of a bug (tests/support/access_matrix.py)."""
VARIATIONS = {phase: how for phase, how in variations(f"access {SIEGE}").items() if phase in RUNNING}
WITH_CLOCK = next(phase for phase, how in VARIATIONS.items() if how.clock != "none")
WITHOUT_CLOCK = next(phase for phase, how in VARIATIONS.items() if how.clock == "none")
WITH_LONG_LOG = next(phase for phase, how in VARIATIONS.items() if how.long)
WITHOUT_CHOICE = next(phase for phase, how in VARIATIONS.items() if how.forced)
"""Phases of that tour in which moves are made."""


PLANTED = [
    (anyone_changes_lobbies, LOBBY, "add", CHANGES),
    (everyone_manages, LOBBY, "setup", CHANGES),
    (everyone_chooses_the_language, LOBBY, "language", CHANGES),
    (servers_without_the_bot_are_set_up, LOBBY, "setup", CHANGES),
    (a_manager_of_any_server_calls_matches_off, "running", "cancel", CHANGES),
    (everyone_votes, "running", "vote", CHANGES),
    (everyone_nudges, WITHOUT_CLOCK, "nudge", CHANGES),
    (everyone_votes_while_clocks_run, WITH_CLOCK, "vote", CHANGES),
    (a_manager_of_any_server_calls_long_matches_off, WITH_LONG_LOG, "cancel", CHANGES),
    (everyone_makes_moves_without_a_choice, WITHOUT_CHOICE, "move", CHANGES),
    (everyone_holds_a_seat, "running", "move", HAND),
    (a_look_at_the_table_shows_a_hand, "running", "board", HAND),
    (moves_are_made_for_the_next_seat, "running", "move", ANOTHERS),
    (everyone_is_given_one_persons_data, LOBBY, "data", DATA),
    (a_deletion_is_one_persons, LOBBY, "data", ANOTHERS),
    (settings_are_one_persons, LOBBY, "setting", ANOTHERS),
    (held_matches_are_played, HELD, "offer", CHANGES),
    (matches_in_doubt_are_played, UNCHECKED, "offer", CHANGES),
    (what_was_cancelled_goes_on, CANCELLED, "give_seat", CHANGES),
]
IN_EVERY_RUN = PLANTED[::12]
"""The others are found in a long run."""


@pytest.mark.parametrize(
    ("bug", "phase", "action", "meant"),
    [*IN_EVERY_RUN, *(pytest.param(*bug, marks=pytest.mark.long) for bug in PLANTED if bug not in IN_EVERY_RUN)],
)
async def test_planted_bugs_are_found(
    sim: Simulation,
    monkeypatch: pytest.MonkeyPatch,
    bug: Callable[[pytest.MonkeyPatch], None],
    phase: str,
    action: str,
    meant: str,
) -> None:
    bug(monkeypatch)
    try:
        matrix = await tour(sim, monkeypatch, SIEGE, SOME, (phase,), action)
    except AssertionError as error:  # another person is shown a card of a hand
        assert meant == HAND and " before " in str(error), error
    else:
        assert any(meant in line for line in matrix.wrong), matrix.wrong
