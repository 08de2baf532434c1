"""How far one player can make a log grow within a turn: what has no end by the rules has one at the table."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from cogs.match import service
from cogs.match.lobby import Lobby
from cogs.match.membership import Membership
from cogs.match.refusals import Refused
from cogs.match.service import MatchService
from cogs.messages.messages import Messages
from data.records.match import Match, Status, Terms
from data.records.matches import Matches
from data.records.people import People
from data.store.database import Database
from rules import GAMES
from rules.core.game import Seat

ANN, BEN, CLEO = PEOPLE = (100, 200, 300)
FEW = 5


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (service.MOST_TAKEN_BACK, service.MOST_SEALED_ANEW) == (100, 50)
    monkeypatch.setattr(service, "MOST_TAKEN_BACK", FEW)
    monkeypatch.setattr(service, "MOST_SEALED_ANEW", FEW)


@pytest_asyncio.fixture
async def host(tmp_path: Path) -> AsyncIterator[MatchService]:
    base = await Database.open(tmp_path / "sundial.db")
    for user in PEOPLE:
        await People(base).meet(user, f"p{user}")
    yield MatchService(Matches(base), People(base), GAMES)
    await base.close()


async def begun(host: MatchService, game: str, *users: int) -> Match:
    match = await Lobby(host).open(game, guild=1, channel=2, user=users[0], name="p", terms=Terms(locale="en-GB"))
    for user in users[1:]:
        await Lobby(host).join(match.id, user, f"p{user}")
    return await Lobby(host).start(match.id, users[0])


async def refusal(work: Any) -> tuple[str, dict[str, object]]:
    with pytest.raises(Refused) as refused:
        await work
    return refused.value.reason, refused.value.facts


def mover(host: MatchService, match: Match) -> tuple[Seat, int]:
    (seat,) = host.state(match).to_move()
    user = match.chairs[seat].user
    assert user is not None
    return seat, user


async def play(host: MatchService, match: Match, text: str | None = None) -> Match:
    """Whoever is to move does that, or what is harmless."""
    seat, user = mover(host, match)
    text = text or str(host.state(match).default_move(seat))
    return (await host.play(match.id, user, host.turn(match, seat), text)).match


async def planted(host: MatchService, *users: int) -> Match:
    """Photosynthesis, in round 1."""
    match = await begun(host, "photosynthesis", *users)
    while host.state(match).turn(mover(host, match)[0]).startswith("0."):
        match = await play(host, match)
    return match


async def test_a_turn_is_taken_back_so_often_and_then_goes_on(host: MatchService) -> None:
    match = await planted(host, ANN, BEN)
    seat, user = mover(host, match)
    for _ in range(FEW):
        match = await play(host, match, "buy seed")
        match = (await host.undo(match.id, user, host.turn(match, seat))).match
    match = await play(host, match, "buy seed")
    assert await refusal(host.undo(match.id, user, host.turn(match, seat))) == ("undone_often", {"count": FEW})
    assert (await host.load(match.id)).version == match.version, "nothing happened"
    match = await play(host, match)
    other, waiting = mover(host, match)
    assert other != seat, "the move that is due always counts"
    match = await play(host, match, "buy seed")
    assert (await host.undo(match.id, waiting, host.turn(match, other))).match.undone == FEW + 1, "each has their own"
    match = await play(host, await host.load(match.id))
    while mover(host, match)[1] != user:
        match = await play(host, match)
    match = await play(host, match, "buy seed")
    assert (await host.undo(match.id, user, None)).match.undone == FEW + 2, "the next turn is another one"


async def test_what_was_taken_back_counts_for_no_honour(host: MatchService, desk: Messages) -> None:
    match = await planted(host, ANN, BEN)
    seat, user = mover(host, match)
    grow = next(str(move) for move in host.state(match).legal_moves(seat) if str(move).startswith("grow"))
    match = await play(host, match, grow)
    labels = desk.labels(match)
    over = replace(match, status=Status.OVER)
    honours = f"{labels.say('honour.grown')}"
    assert honours in (await desk.result(over, host.state(match).view(None), labels)).alt
    match = (await host.undo(match.id, user, host.turn(match, seat))).match
    assert honours not in (await desk.result(over, host.state(match).view(None), labels)).alt


async def test_nor_does_a_vote_take_back_more(host: MatchService) -> None:
    match, company = await planted(host, ANN, BEN), Membership(host, Lobby(host))
    for number in range(FEW + 1):
        match = await play(host, match, "buy seed")
        text = f"undo {match.moves - 1}"
        match = (await company.vote(match.id, ANN, text)).match
        if number < FEW:
            match = (await company.vote(match.id, BEN, text)).match
    assert await refusal(company.vote(match.id, BEN, text)) == ("undone_often", {"count": FEW})
    assert (await host.load(match.id)).version == match.version
    assert (match.undone, await host._matches.votes(match.id)) == (FEW, {ANN: text})


async def test_a_phase_is_sealed_anew_so_often_and_the_last_counts(host: MatchService) -> None:
    match = await begun(host, "siege_of_sunfall", *PEOPLE)
    seat = Seat(match.seat_of(ANN) or 0)
    for number in range(FEW + 1):
        match = (await host.play(match.id, ANN, host.turn(match, seat), f"pledge {number % 2}")).match
    last, token = host.state(match).view(seat), host.turn(match, seat)
    for text, turn in (("pledge 2", token), ("pledge 2", None)):
        assert await refusal(host.play(match.id, ANN, turn, text)) == ("sealed_often", {"count": FEW})
    match = await host.load(match.id)
    assert host.state(match).view(seat) == last, "what was sealed last counts"
    for user in (BEN, CLEO):
        other = Seat(match.seat_of(user) or 0)
        match = (await host.play(match.id, user, host.turn(match, other), "pledge 0")).match
    while seat not in host.state(match).to_move() or not host.state(match).to_move() > {seat}:
        match = await play(host, match)
    for number in range(2):
        match = (await host.play(match.id, ANN, host.turn(match, seat), f"pledge {number}")).match
    assert host.state(match).view(seat).own_seal is not None, "the next phase is another one"
