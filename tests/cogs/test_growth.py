"""How far one player can make a log grow within a turn: what has no end by the rules has one at the table."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cogs.match import service as limits
from cogs.match import undo
from cogs.match.lobby import Lobby
from cogs.match.membership import Membership
from cogs.match.refusals import Refused
from cogs.match.service import MatchService
from cogs.match.undo import undo_alone
from cogs.messages.presenter import Presenter
from data.records.match import Match, Status
from rules.core.game import Seat
from tests.support.inside import stored_matches
from tests.support.matches import ANN, BEN, CLEO, begun, mover, play, refused

FEW = 5


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (undo.MOST_TAKEN_BACK, limits.MOST_SEALED_ANEW) == (100, 50)
    monkeypatch.setattr(undo, "MOST_TAKEN_BACK", FEW)
    monkeypatch.setattr(limits, "MOST_SEALED_ANEW", FEW)


def assert_refused(told: Refused, reason: str) -> None:
    assert (told.reason, told.facts) == (reason, {"count": FEW})


async def planted(service: MatchService, *users: int) -> Match:
    """Photosynthesis, in round 1."""
    match = await begun(service, *users, game="photosynthesis")
    while service.state(match).turn(mover(service, match)[0]).startswith("0."):
        match = await play(service, match)
    return match


async def test_a_turn_is_taken_back_so_often_and_then_goes_on(service: MatchService) -> None:
    match = await planted(service, ANN, BEN)
    seat, user = mover(service, match)
    for _ in range(FEW):
        match = await play(service, match, "buy seed")
        match = (await undo_alone(service, match.id, user, service.turn(match, seat))).match
    match = await play(service, match, "buy seed")
    assert_refused(await refused(undo_alone(service, match.id, user, service.turn(match, seat))), "undone_often")
    assert (await service.load(match.id)).version == match.version, "nothing happened"
    match = await play(service, match)
    other, waiting = mover(service, match)
    assert other != seat, "the move that is due always counts"
    match = await play(service, match, "buy seed")
    assert (await undo_alone(service, match.id, waiting, service.turn(match, other))).match.undone == FEW + 1, (
        "each has their own"
    )
    match = await play(service, await service.load(match.id))
    while mover(service, match)[1] != user:
        match = await play(service, match)
    match = await play(service, match, "buy seed")
    assert (await undo_alone(service, match.id, user, None)).match.undone == FEW + 2, "the next turn is another one"


async def test_what_was_taken_back_counts_for_no_honour(service: MatchService, messages: Presenter) -> None:
    match = await planted(service, ANN, BEN)
    seat, user = mover(service, match)
    grow = next(str(move) for move in service.state(match).legal_moves(seat) if str(move).startswith("grow"))
    match = await play(service, match, grow)
    labels = messages.labels(match)
    over = replace(match, status=Status.OVER)
    honours = f"{labels.say('honour.grown')}"
    assert honours in (await messages.result(over, service.state(match).view(None), labels)).alt
    match = (await undo_alone(service, match.id, user, service.turn(match, seat))).match
    assert honours not in (await messages.result(over, service.state(match).view(None), labels)).alt


async def test_nor_does_a_vote_take_back_more(service: MatchService) -> None:
    match, membership = await planted(service, ANN, BEN), Membership(service, Lobby(service))
    for number in range(FEW + 1):
        match = await play(service, match, "buy seed")
        text = f"undo {match.moves - 1}"
        match = (await membership.vote(match.id, ANN, text)).match
        if number < FEW:
            match = (await membership.vote(match.id, BEN, text)).match
    assert_refused(await refused(membership.vote(match.id, BEN, text)), "undone_often")
    assert (await service.load(match.id)).version == match.version
    assert (match.undone, await stored_matches(service).votes(match.id)) == (FEW, {ANN: text})


async def test_a_phase_is_sealed_again_so_often_and_the_last_counts(service: MatchService) -> None:
    match = await begun(service, ANN, BEN, CLEO, game="siege_of_sunfall")
    seat = Seat(match.seat_of(ANN) or 0)
    for number in range(FEW + 1):
        match = (await service.play(match.id, ANN, service.turn(match, seat), f"pledge {number % 2}")).match
    last, token = service.state(match).view(seat), service.turn(match, seat)
    for text, turn in (("pledge 2", token), ("pledge 2", None)):
        assert_refused(await refused(service.play(match.id, ANN, turn, text)), "sealed_often")
    match = await service.load(match.id)
    assert service.state(match).view(seat) == last, "what was sealed last counts"
    for user in (BEN, CLEO):
        other = Seat(match.seat_of(user) or 0)
        match = (await service.play(match.id, user, service.turn(match, other), "pledge 0")).match
    while seat not in service.state(match).to_move() or not service.state(match).to_move() > {seat}:
        match = await play(service, match)
    for number in range(2):
        match = (await service.play(match.id, ANN, service.turn(match, seat), f"pledge {number}")).match
    assert service.state(match).view(seat).own_seal is not None, "the next phase is another one"
