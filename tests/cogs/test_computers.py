"""Computers play at the level that the lobby chose, say so, and after the match their moves can be computed again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cogs.match import verification
from cogs.match.automatic_moves import AutomaticMoves, ThreadThinker
from cogs.match.lobby import ALL, AWAY, Lobby
from cogs.match.membership import Membership
from cogs.match.positions import steps
from cogs.match.refusals import Refused
from cogs.match.service import MatchService
from cogs.match.verification import Computers, check_computers
from cogs.messages.door import computers_message
from cogs.messages.names import in_lists
from cogs.messages.presenter import Presenter
from data.records.match import Match, Status
from rules.core.computer import VERSION
from rules.core.game import Seat
from tests.cogs.clocked import awaited, run_out
from tests.support.matches import ANN, BEN, lobby
from tests.support.simulation import Simulation, raw
from tests.support.table import Table, fast_computers


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    fast_computers(monkeypatch)


async def opened(service: MatchService, computers: int = 2) -> tuple[Lobby, Match]:
    room, match = Lobby(service), await lobby(service, ANN, computers=computers)
    return room, await room.choose_level(match.id, ANN, f"{ALL} friend")


async def played(service: MatchService, room: Lobby, match: Match, moves: int) -> Match:
    """Begin the match, and play that many moves; the player makes the default move."""
    match = await room.start(match.id, ANN)
    for _ in range(moves):
        if not match.running:
            break
        done = await AutomaticMoves(service).play(match.id)
        if done is None:
            state = service.state(match)
            seat = min(state.to_move())
            done = await service.play(match.id, ANN, service.turn(match, seat), str(state.default_move(seat)))
        match = done.match
    return match


async def test_each_computer_has_a_level_of_its_own(service: MatchService) -> None:
    room, match = await opened(service)
    assert [match.level_of(seat) for seat in range(3)] == ["friend"] * 3
    match = await room.choose_level(match.id, ANN, "1 strong")
    match = await room.choose_level(match.id, ANN, f"{AWAY} beginner")
    assert [match.level_of(seat) for seat in range(3)] == ["beginner", "strong", "friend"], "the player's: while away"
    match = await room.add_computer(match.id, ANN)
    assert match.level_of(3) == "beginner", "as chosen last for all"
    assert [(await service.load(match.id)).level_of(seat) for seat in range(4)] == [match.level_of(s) for s in range(4)]


async def test_an_unknown_level_or_computer_is_refused(service: MatchService) -> None:
    room, match = await opened(service)
    for value in ("", "1", "0 strong", "9 strong", "1 genius", "away", "away genius", "x strong"):
        with pytest.raises(Refused):
            await room.choose_level(match.id, ANN, value)
    with pytest.raises(Refused):
        await room.choose_level(match.id, BEN, "1 strong")
    assert await service.load(match.id) == match


async def test_a_stored_level_that_the_program_lacks_is_the_default(service: MatchService) -> None:
    room, match = await opened(service)
    chairs = (match.chairs[0], replace(match.chairs[1], level="genius"), match.chairs[2])
    match = await service.save(replace(match, chairs=chairs, level="genius"))
    assert [match.level_of(seat) for seat in range(3)] == ["friend"] * 3
    assert (await played(service, room, match, 6)).moves == 6


async def test_the_lobby_says_the_level_and_offers_the_others(service: MatchService, messages: Presenter) -> None:
    room, match = await opened(service)
    match = await room.choose_level(match.id, ANN, "2 beginner")
    labels = messages.labels(match, "en")
    page = computers_message(match, "Table", ANN, labels)
    assert "· friend" in str(page.parts[0]) and "· beginner" in str(page.parts[0])
    select = page.rows[0]
    values = [entry.value for entry in select.entries]  # type: ignore[union-attr]
    assert values == ["1 beginner", "1 strong", "2 friend", "2 strong", "away beginner", "away strong"]
    match = await room.start(match.id, ANN)
    names = in_lists(match, messages.labels(match, "en")).names
    assert sum("(beginner)" in name for name in names) == 1
    assert not any("computer" in name for name in messages.labels(match, "en").names), "names in pictures stay short"


async def test_the_most_computers_fit_into_one_select(service: MatchService, messages: Presenter) -> None:
    _, match = await opened(service, computers=7)
    select = computers_message(match, "Table", ANN, messages.labels(match, "de")).rows[0]
    assert len(select.entries) <= 25  # type: ignore[union-attr]


async def test_presses_change_a_level_and_hints(sim: Simulation, plain: None) -> None:
    (alice,) = sim.join_server("alice")
    await sim.slash(alice, "play", sim.channel, game="sea_change")
    await sim.press(alice, sim.board(), "Add computer")
    assert (await sim.service.load(1)).level_of(1) == "beginner", "she has never played to the end"
    more = await sim.more(alice)
    await alice.select(more, ["all friend"], custom_id="1/1/level//all")
    await sim.press(alice, sim.board(), "Add computer")
    assert [(await sim.service.load(1)).level_of(seat) for seat in (1, 2)] == ["friend", "friend"]
    await alice.click(more, label="Computers …")
    await alice.select(more, ["1 strong"], custom_id="1/1/level//")
    match = await sim.service.load(1)
    assert match.level_of(1) == "strong"
    assert "· strong" in str(raw(sim.board()))
    await sim.press(alice, sim.board(), "Play without hints")
    assert not (await sim.service.load(1)).hints
    assert "no hints" in str(raw(sim.board()))


async def test_the_rematch_keeps_the_levels(service: MatchService) -> None:
    room, match = await opened(service)
    match = await room.choose_level(match.id, ANN, "1 strong")
    match = await room.choose_option(match.id, ANN, "hints", "off")
    match = await played(service, room, match, 1)
    ended = await service.save(replace(match, status=Status.OVER, ended_at=5))
    again, _ = await Membership(service, room).play_again(ended.id, ANN, "Ann")
    assert sorted(chair.level or "" for chair in again.chairs) == ["", "friend", "strong"]
    assert not again.hints


async def test_the_log_says_which_computer_moved_and_each_move_can_be_computed_again(service: MatchService) -> None:
    room, match = await opened(service)
    match = await room.choose_level(match.id, ANN, "1 beginner")
    match = await room.choose_level(match.id, ANN, "2 strong")
    match = await played(service, room, match, 30)
    log = await service.log(match.id)
    assert {move.computer for move in log} == {None, f"beginner {VERSION}", f"strong {VERSION}"}
    assert all((move.computer is None) == (move.user == ANN) for move in log)
    found = await check_computers(service.game(match), match, log, ThreadThinker())
    assert found == Computers(right=sum(m.computer is not None for m in log))


async def test_a_move_that_the_computer_would_not_make_is_found(service: MatchService) -> None:
    room, match = await opened(service)
    match = await played(service, room, match, 6)
    game, log = service.game(match), await service.log(match.id)
    at = max(number for number, move in enumerate(log) if move.computer is not None)
    before = next(before for move, before, *_ in steps(game, match, log) if move.number == at)
    others = [str(m) for m in before.legal_moves(Seat(log[at].seat)) if str(m) != log[at].text]
    forged = [*log[:at], replace(log[at], text=others[0])]
    assert (await check_computers(game, match, forged, ThreadThinker())).wrong == (at,)


async def test_another_version_and_too_many_moves_are_said(
    service: MatchService, monkeypatch: pytest.MonkeyPatch
) -> None:
    room, match = await opened(service)
    match = await played(service, room, match, 6)
    game, log = service.game(match), await service.log(match.id)
    made = sum(move.computer is not None for move in log)
    older = [move if move.computer is None else replace(move, computer="friend 0") for move in log]
    assert (await check_computers(game, match, older, ThreadThinker())).unchecked == made
    monkeypatch.setattr(verification, "MOST_SECONDS", -1)
    assert (await check_computers(game, match, log, ThreadThinker())).unchecked == made


async def test_an_absent_players_seat_is_played_at_the_level_that_the_table_chose(sim: Simulation, plain: None) -> None:
    people = sim.join_server("alice", "bob")
    table = await Table.open(sim, "sea_change", people, seed="away", options={"clock": "day_1"})
    await sim.forge(people[0], "1/1/level//", values=[f"{AWAY} beginner"])
    await table.start()
    person, _ = await awaited(table)
    await run_out(table, person)
    log = await sim.service.log(1)
    assert {move.computer for move in log if move.user is None} == {f"beginner {VERSION}"}
