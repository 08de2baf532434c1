"""An ended match step by step: each viewer sees in each step what they knew then, and nothing else."""

from __future__ import annotations

import logging
from itertools import pairwise

import pytest

from cogs.match.lobby import Lobby
from cogs.match.playback import Eyes, Playback, Ply, Step, plies_of, same_moment, seen
from cogs.match.positions import steps as moves_of
from cogs.match.service import MatchService
from cogs.match.undo import undo_alone
from data.records.matches import Matches
from rules import GAMES
from rules.core.game import Event, Seat, View
from tests.support.ended import played, twins
from tests.support.inside import database_of, stored_matches
from tests.support.matches import ANN, BEN, begun, lobby, mover, play, refusal
from tests.support.traits import allows_undo, hides, nearest_seats


def shown(steps: tuple[Step, ...], eyes: int) -> list[tuple[View, tuple[Event, ...], bool]]:
    """Return all of the steps that may reach these eyes."""
    return [(step.view(eyes), step.seen, step.new_turn) for step in steps]


@pytest.mark.parametrize("slug", GAMES)
async def test_the_last_step_is_the_stored_position(service: MatchService, slug: str) -> None:
    match, playback = await played(service, slug, f"last {slug}"), Playback(service)
    assert service.state(match).outcome() is not None
    for eyes in (*range(len(match.chairs)), *Eyes):
        found, steps = await playback.steps(match.id, eyes)
        assert found == match and steps[0].move == -1
        assert steps[-1].view(eyes) == service.state(match).view(Seat(eyes) if eyes >= 0 else None)


@pytest.mark.parametrize("slug", GAMES)
async def test_each_step_shows_a_change_and_they_tell_all_that_the_viewer_learned(
    service: MatchService, slug: str
) -> None:
    match, playback = await played(service, slug, f"steps {slug}"), Playback(service)
    log = await service.log(match.id)
    whole = [event for _, _, _, events in moves_of(GAMES[slug], match, log) for event in events]
    for eyes in (*range(len(match.chairs)), Eyes.ONLOOKER):
        viewer = Seat(eyes) if eyes >= 0 else None
        _, steps = await playback.steps(match.id, eyes)
        learned = [told for event in whole if (told := event.seen_by(viewer)) is not None]
        assert [event for step in steps[1:] for event in step.seen] == learned
        for before, step in pairwise(steps):
            assert before.view(eyes) != step.view(eyes) or step.seen
            assert before.move < step.move
        for number, _, after, _ in moves_of(GAMES[slug], match, log):
            assert steps[same_moment(steps, number.number)].view(eyes) == after.view(viewer)


@pytest.mark.parametrize("slug", GAMES)
def test_what_a_seat_may_not_know_is_not_in_its_steps(slug: str) -> None:
    """Two matches that differ only in what a viewer may not know have the same steps for that viewer."""
    differ = 0
    seats = nearest_seats(GAMES[slug], 3)
    for number in range(2):
        for viewer in (None, *map(Seat, range(seats))):
            one, other = twins(slug, viewer, f"{slug} {viewer} {number}")
            eyes = Eyes.ONLOOKER if viewer is None else viewer
            assert shown(seen(one, seats, eyes), eyes) == shown(seen(other, seats, eyes), eyes)
            differ += [ply.state for ply in one] != [ply.state for ply in other]
    assert bool(differ) == hides(slug)


def test_a_changed_pledge_is_a_step_for_its_own_seat_alone() -> None:
    """In Siege of Sunfall a player may seal another pledge."""
    game = GAMES["siege_of_sunfall"]
    state = game.new(3, {}, "sealed again")
    plies = [Ply(state, -1, state.opening())]
    for number, text in enumerate(("pledge 1", "pledge 2", "pledge 3")):
        state, events = state.apply(game.parse(Seat(0), text))
        plies.append(Ply(state, number, events))
    steps = {eyes: len(seen(plies, 3, eyes)) for eyes in (0, 1, 2, *Eyes)}
    assert steps == {0: 4, 1: 2, 2: 2, Eyes.ONLOOKER: 2, Eyes.ALL_HANDS: 4}


async def test_moves_taken_back_are_no_steps(service: MatchService) -> None:
    slug = next(slug for slug in GAMES if allows_undo(slug))
    match = await begun(service, ANN, BEN, game=slug)
    taken_back = 0
    while match.moves < 120 and match.open:
        seat, user = mover(service, match)
        match = await play(service, match, 0)
        if match.open and service.seat_may_take_back(match, seat) and match.moves % 3 == 0:
            match = (await undo_alone(service, match.id, user, service.turn(match, seat))).match
            taken_back += 1
    match = await Lobby(service).cancel(match.id, ANN, manager=True)
    log = await service.log(match.id)
    assert taken_back and sum(move.undone_at is not None for move in log) >= taken_back
    _, steps = await Playback(service).steps(match.id, Eyes.ALL_HANDS)
    assert {step.move for step in steps} <= {-1, *(move.number for move in log if move.undone_at is None)}
    assert len(steps) <= 1 + len(log) - taken_back
    assert steps[-1].state == service.state(match)
    assert len(plies_of(GAMES[slug], match, log)) == 1 + sum(move.undone_at is None for move in log)


async def test_a_turn_begins_when_a_seat_is_newly_to_move(service: MatchService) -> None:
    """While pledges are sealed no turn begins, and the actions of one player in Photosynthesis are one turn."""
    match = await played(service, "siege_of_sunfall", "turns", 30)
    _, steps = await Playback(service).steps(match.id, Eyes.ONLOOKER)
    assert [step.new_turn for step in steps[:3]] == [True, False, False], "two of three have pledged"
    match = await played(service, "photosynthesis", "turns", 60)
    _, steps = await Playback(service).steps(match.id, Eyes.ONLOOKER)
    for before, step in pairwise(steps):
        if before.state.to_move() != step.state.to_move():
            assert step.new_turn
    assert not all(step.new_turn for step in steps)


async def test_the_positions_are_remembered(service: MatchService, monkeypatch: pytest.MonkeyPatch) -> None:
    match, playback = await played(service, "sea_change", "kept", 20), Playback(service)
    _, first = await playback.steps(match.id, 0)

    async def moves(matches: Matches, number: int) -> object:
        raise AssertionError("the log is read again")

    monkeypatch.setattr(Matches, "moves", moves)
    monkeypatch.setattr(Matches, "whole", moves)
    assert (await playback.steps(match.id, 0))[1] is first
    await playback.steps(match.id, Eyes.ONLOOKER)


async def test_what_cannot_be_replayed(service: MatchService, caplog: pytest.LogCaptureFixture) -> None:
    playback, database = Playback(service), database_of(stored_matches(service))

    async def refused(number: int, eyes: int = Eyes.ONLOOKER) -> str:
        return await refusal(playback.steps(number, eyes))

    async def changed(number: int, sql: str) -> None:
        assert await database.write(lambda c: c.execute(f"{sql}", (number,)).rowcount)
        stored_matches(service).forget()

    assert await refused(99) == "no_match"
    opened = await lobby(service, ANN)
    assert await refused(opened.id) == "not_replayed", "a lobby"
    await Lobby(service).cancel(opened.id, ANN, manager=True)
    assert await refused(opened.id) == "not_replayed", "cancelled before the start"
    running = await begun(service, ANN, computers=1, channel=11)
    assert await refused(running.id) == "not_replayed", "it is being played"

    match = await played(service, "sea_change", "refused", 12)
    for eyes in (3, 99, -3):
        assert await refused(match.id, eyes) == "no_such_seat"
    with caplog.at_level(logging.WARNING):
        await changed(match.id, "UPDATE match SET rules = rules + 1 WHERE id = ?")
        assert await refused(match.id) == "old_rules"
        assert f"match {match.id} cannot be replayed (code " in caplog.text
        for sql in (
            "UPDATE move SET text = 'play B1' WHERE match = ? AND number = 3",
            "UPDATE match SET state = replace(state, '1', '2') WHERE id = ?",
            "UPDATE match SET state = substr(state, 9) WHERE id = ?",
        ):
            match = await played(service, "sea_change", "damaged", 12)
            await changed(match.id, sql)
            assert await refused(match.id) == "damaged", sql
        match = await played(service, "sea_change", "gone", 12)
        await changed(match.id, "UPDATE match SET game = 'nim' WHERE id = ?")
        assert await refused(match.id) == "old_rules", "a game that this program lacks"
