"""Moves taken back: the position before comes back, the log keeps them marked, and no old button acts on another one.

Sea Change lends its rules, made lenient: the last card of a trick under way may be taken back, and alone any card.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from random import Random
from typing import Any

import pytest
import pytest_asyncio
from simcord.actors import MemberActor

from cogs.match.automatic_moves import AutomaticMoves
from cogs.match.lobby import Lobby
from cogs.match.membership import Membership
from cogs.match.positions import replay
from cogs.match.refusals import Refused
from cogs.match.service import MatchService
from cogs.match.undo import undo_alone
from cogs.match.verification import Verifier
from cogs.messages.narration import sentences
from cogs.messages.presenter import Presenter
from data.records.match import Conflict, Match, Status
from data.records.matches import Matches
from data.records.people import People
from data.store.database import Database, NotStored
from rules import GAMES
from rules.core.chance import Shuffled
from rules.core.game import IllegalMove, Seat
from rules.sea_change.state import SeaChangeState
from tests.cogs.matches_over import text
from tests.support.inside import stored_matches
from tests.support.matches import ANN, BEN, CLEO, begun, lobby, mover, play, refusal
from tests.support.simulation import Simulation, controls, offers, raw
from tests.support.table import Table


@pytest.fixture(autouse=True)
def lenient(monkeypatch: pytest.MonkeyPatch) -> None:
    def may_take_back(state: SeaChangeState, seat: Seat) -> bool:
        if state.mover is None:
            return False
        players = len(state.hands)
        return state.ply > 0 if players == 1 else bool(state.lays) and seat == (state.mover - 1) % players

    monkeypatch.setattr(SeaChangeState, "may_take_back", may_take_back)


# --- the host alone


def started_again(database: Database) -> MatchService:
    """A host that remembers nothing but what is stored."""
    return MatchService(Matches(database), People(database), GAMES)


async def test_the_position_comes_back_and_the_log_keeps_the_move(service: MatchService) -> None:
    first = await begun(service, ANN, options={"target": "1"})
    second = await play(service, first)
    third = await play(service, second, 0)
    undone = await undo_alone(service, first.id, ANN, service.turn(third, Seat(0)))
    assert undone.match.state == second.state
    assert undone.match.version > third.version
    assert [move.undone_at for move in await stored_matches(service).moves(first.id)] == [None, 2]
    other = await play(service, undone.match, 1)
    log = await stored_matches(service).moves(first.id)
    assert [move.undone_at for move in log] == [None, 2, None]
    assert log[2].text != log[1].text == undone.text
    assert other.state == service.state(second).apply(GAMES["sea_change"].parse(Seat(0), log[2].text))[0].to_json()


@pytest.mark.parametrize("number", range(3))
async def test_any_moves_and_undos_lead_to_what_still_stands(database: Database, number: int) -> None:
    """Moves, undos and restarts by chance, the story asked for or not; a list that grows and shrinks is the judge."""
    print(f"seed {number}")
    random, service = Random(number), started_again(database)
    match = await begun(service, ANN, options={"target": "3"})
    standing: list[tuple[str, Any]] = []
    log: list[str] = []
    while match.status is Status.PLAYING:
        if standing and random.random() < 0.4:
            match = (await undo_alone(service, match.id, ANN, service.turn(match, Seat(0)))).match
            text, before = standing.pop()
            assert match.state == before
            log[max(at for at, entry in enumerate(log) if entry == text)] += " undone"
        else:
            before, match = match.state, await play(service, match, random.randrange(10))
            log.append((await stored_matches(service).moves(match.id))[-1].text)
            standing.append((log[-1], before))
        if random.random() < 0.2:
            service = started_again(database)
            match = await service.load(match.id)
        if random.random() < 0.3:
            story = await service.events_of(match)
            kept, state = replay(
                service.game(match),
                match,
                [m for m in await stored_matches(service).moves(match.id) if m.undone_at is None],
            )
            assert [told.event for told in story if not told.undone] == [told.event for told in kept]
            assert state.to_json() == match.state
            assert [told.move for told in story] == sorted(told.move for told in story)
    marks = {None: ""}
    stored = await stored_matches(service).moves(match.id)
    assert [move.text + marks.get(move.undone_at, " undone") for move in stored] == log
    assert match.undone == sum(entry.endswith("undone") for entry in log) > 0
    verdict = await Verifier(service).verify(match.id)
    assert verdict.same_end
    assert not verdict.faults
    assert [deal.ordinal for deal in verdict.deals] == list(range(len(verdict.deals)))


async def test_a_deal_that_was_taken_back_is_no_deal(service: MatchService) -> None:
    """No game lets it be; the check of the deals goes by what stands all the same."""

    async def deals(match: Match) -> int:
        return sum(isinstance(told.event, Shuffled) for told in await service.events_of(match))

    match = await begun(service, ANN, options={"target": "3"})
    first = await deals(match)
    while await deals(match) == first:
        match = await play(service, match)
    match = (await undo_alone(service, match.id, ANN, None)).match
    assert await deals(match) > first
    match = (await Membership(service, Lobby(service)).vote(match.id, ANN, "end")).match
    assert len((await Verifier(service).verify(match.id)).deals) == first


async def test_the_log_marks_what_was_taken_back_and_recalls_what_stands(service: MatchService) -> None:
    match, messages = await begun(service, ANN, options={"target": "1"}), Presenter(service, Lobby(service))
    match = await play(service, await play(service, match))
    match = (await undo_alone(service, match.id, ANN, None)).match
    for _ in range(5):
        match = await play(service, match)
    story, labels = await service.events_of(match), messages.labels(match)
    lines = sentences(messages.service.game(match), match, story, None, labels)
    marked = [line for line in lines if line.startswith("~~") and line.endswith("~~ (undone)")]
    assert marked
    standing = sentences(messages.service.game(match), match, [told for told in story if not told.undone], None, labels)
    assert [line for line in lines if line not in marked] == standing
    messages.drawing.close()


async def test_a_double_press_takes_back_once(service: MatchService) -> None:
    match = await play(service, await play(service, await begun(service, ANN, options={"target": "1"})))
    token = service.turn(match, Seat(0))
    presses = [undo_alone(service, match.id, ANN, token) for _ in range(3)]
    results = await asyncio.gather(*presses, return_exceptions=True)
    assert [str(result) for result in results[1:]] == ["undone", "undone"]
    assert (await service.load(match.id)).undone == 1
    await undo_alone(service, match.id, ANN, None)  # typed: each time is meant
    assert (await service.load(match.id)).undone == 2
    assert await refusal(undo_alone(service, match.id, ANN, None)) == "may_not_undo"


async def test_buttons_of_what_was_taken_back_are_out_of_date(service: MatchService) -> None:
    """The rules' token comes back with the position, and then belongs to another one."""
    start = await begun(service, ANN, options={"target": "1"})
    played = await play(service, start)
    old, text = service.turn(start, Seat(0)), (await stored_matches(service).moves(start.id))[0].text
    after = [str(move) for move in service.state(played).legal_moves(Seat(0))]
    await undo_alone(service, start.id, ANN, service.turn(played, Seat(0)))
    assert await refusal(service.play(start.id, ANN, old, text)) == "out_of_date"
    other = await play(service, await service.load(start.id), 1)
    for stale in (old, service.turn(played, Seat(0))):
        for move in (text, *after):
            assert await refusal(service.play(start.id, ANN, stale, move)) == "out_of_date"
        assert await refusal(undo_alone(service, start.id, ANN, stale)) == "undone"
    assert (await service.load(start.id)).version == other.version


async def test_the_same_move_again_counts_and_comes_twice_like_any(service: MatchService) -> None:
    match = await play(service, await begun(service, ANN, options={"target": "1"}))
    match = (await undo_alone(service, match.id, ANN, None)).match
    token = service.turn(match, Seat(0))
    match = await play(service, match)
    log = await stored_matches(service).moves(match.id)
    assert log[0].text == log[1].text
    assert (await service.play(match.id, ANN, token, log[1].text)).again
    assert match.moves == 2


async def test_it_is_ones_own_last_move_and_no_other(service: MatchService) -> None:
    match = await begun(service, ANN, BEN, options={"target": "1"})
    (_, first), others = mover(service, match), {ANN: BEN, BEN: ANN}
    assert await refusal(undo_alone(service, match.id, first, None)) == "may_not_undo"
    match = await play(service, match)
    assert await refusal(undo_alone(service, match.id, others[first], None)) == "may_not_undo"
    assert await refusal(undo_alone(service, match.id, CLEO, None)) == "not_seated"
    match = await play(service, match)  # the trick is taken, its winner leads
    for user in (ANN, BEN):
        assert await refusal(undo_alone(service, match.id, user, None)) == "may_not_undo"
    assert (await service.load(match.id)).version == match.version


async def test_the_turn_goes_back_too(service: MatchService) -> None:
    match = await begun(service, ANN, BEN, options={"target": "1"})
    seat, user = mover(service, match)
    match = await play(service, match)
    other, waiting = mover(service, match)
    token, card = service.turn(match, other), str(service.state(match).legal_moves(other)[0])
    match = (await undo_alone(service, match.id, user, service.turn(match, seat))).match
    assert mover(service, match) == (seat, user)
    with pytest.raises(IllegalMove):
        await service.play(match.id, waiting, None, card)
    match = await play(service, match, 1)
    assert await refusal(service.play(match.id, waiting, token, card)) == "out_of_date"  # it answered another card
    await play(service, match)


@pytest.mark.parametrize("undo_first", [True, False])
async def test_an_undo_against_a_move_of_the_next_player(service: MatchService, undo_first: bool) -> None:
    match = await begun(service, ANN, BEN, options={"target": "1"})
    seat, user = mover(service, match)
    match = await play(service, match)
    other, waiting = mover(service, match)
    undo = undo_alone(service, match.id, user, service.turn(match, seat))
    card = str(service.state(match).legal_moves(other)[0])
    move = service.play(match.id, waiting, service.turn(match, other), card)
    works = [undo, move] if undo_first else [move, undo]
    done, refused = await asyncio.gather(*works, return_exceptions=True)
    assert not isinstance(done, BaseException)
    assert isinstance(refused, Refused)
    log = await stored_matches(service).moves(match.id)
    assert [move.undone_at for move in log] == ([1] if undo_first else [None, None])


async def test_nothing_is_taken_back_before_or_after_the_match(service: MatchService) -> None:
    assert await refusal(undo_alone(service, (await lobby(service, ANN)).id, ANN, None)) == "not_started"
    match = await play(service, await begun(service, ANN, options={"target": "1"}))
    stopped = (await Membership(service, Lobby(service)).vote(match.id, ANN, "end")).match
    assert not service.seat_may_take_back(stopped, Seat(0))
    assert await refusal(undo_alone(service, match.id, ANN, service.turn(match, Seat(0)))) == "is_stopped"
    match = await begun(service, ANN, options={"target": "1"})
    while match.status is Status.PLAYING:
        match = await play(service, match)
    assert await refusal(undo_alone(service, match.id, ANN, None)) == "is_over"


@pytest.mark.parametrize(("error", "key"), [(Conflict(), "busy"), (NotStored(), "not_stored")])
async def test_an_undo_that_is_not_stored_has_not_been(
    service: MatchService, monkeypatch: pytest.MonkeyPatch, error: Exception, key: str
) -> None:
    match = await play(service, await begun(service, ANN, options={"target": "1"}))

    async def fail(*args: Any) -> Match:
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(stored_matches(service), "save", fail)
        assert await refusal(undo_alone(service, match.id, ANN, None)) == key
    assert service.state(match).to_json() == match.state
    assert not any(told.undone for told in await service.events_of(match))
    assert (await undo_alone(service, match.id, ANN, service.turn(match, Seat(0)))).match.undone == 1


async def test_a_move_that_may_be_taken_back_is_followed_by_none_made_for_the_player(
    service: MatchService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who asked for forced moves has a choice there: this one, or another in the place of the last."""
    match = await begun(service, ANN, options={"target": "1"})
    match = await service.save(
        replace(match, chairs=tuple(replace(chair, plays_forced=True) for chair in match.chairs))
    )
    while len(service.state(match).legal_moves(Seat(0))) > 1:
        match = await play(service, match)
    assert AutomaticMoves(service).next_seat(match) is None
    monkeypatch.setattr(SeaChangeState, "may_take_back", lambda state, seat: False)
    assert AutomaticMoves(service).next_seat(match) == 0


# --- at the table


@pytest_asyncio.fixture
async def alone(sim: Simulation, plain: None) -> Table:
    return await Table.begin(sim, "sea_change", sim.join_server("alice"), seed="alone")


def button(message: Any) -> str | None:
    shown = raw(message) if hasattr(message, "guild") else {"components": message.components}
    return next((text for text in controls(shown) if "/undo/" in text), None)


async def lead(sim: Simulation, person: MemberActor, which: int = 0) -> None:
    offer = offers(sim.hand(person))[which]
    assert "✓ Done" in sim.said(await sim.press(person, sim.hand(person), offer.custom_id, offer.value))


async def test_undo_stands_beside_the_moves_where_it_may_be_pressed(sim: Simulation, alone: Table) -> None:
    (alice,) = alone.people
    assert button(sim.hand(alice)) is None
    before, first = raw(sim.hand(alice)), (await alone.now())[1]
    await lead(sim, alice)
    pressed, cursor = button(sim.hand(alice)), sim.cursor
    assert pressed
    said = sim.said(await sim.press(alice, sim.hand(alice), pressed))
    assert "✓ Undone: " in said
    assert (await alone.now())[1] == first
    assert not sim.pings(cursor)
    assert all(shown.viewer == alice.id or shown.method == "PATCH" for shown in sim.shown(cursor))
    assert "~~" in text(sim)
    assert "(undone)" in text(sim)
    assert [o.label for o in offers(sim.hand(alice))] == [o.label for o in offers(before)]
    assert button(sim.hand(alice)) is None
    await lead(sim, alice, 1)
    assert (await alone.now())[0].moves == 2
    assert "~~" in await sim.slash(alice, "log")


async def test_undo_in_the_hand_of_the_table(sim: Simulation, alone: Table) -> None:
    (alice,) = alone.people
    _, _, turn = await alone.asked()
    assert "There is nothing you can undo here." in await sim.forge(alice, f"1/1/undo/{turn}/")
    await lead(sim, alice)
    await lead(sim, alice)
    _, _, turn = await alone.asked()
    assert "✓ Undone: " in await sim.forge(alice, f"1/1/undo/{turn}/")
    hand = (await sim.press(alice, sim.board(), "My hand")).response
    pressed = button(hand)
    assert pressed
    assert "✓ Undone: " in sim.said(await sim.press(alice, hand, pressed))
    assert (await alone.now())[0].undone == 2
    assert "That was already undone" in await sim.forge(alice, pressed)
    assert (await alone.now())[0].undone == 2


async def test_after_a_restart_all_is_the_same(sim: Simulation, alone: Table) -> None:
    (alice,) = alone.people
    await lead(sim, alice)
    await lead(sim, alice)
    await sim.press(alice, sim.hand(alice), button(sim.hand(alice)) or "")
    match, state, before, log = *await alone.now(), text(sim), await sim.slash(alice, "log")
    await sim.restart()
    assert await alone.now() == (match, state)
    assert text(sim) == before
    assert await sim.slash(alice, "log") == log
    assert "✓ Undone: " in sim.said(await sim.press(alice, sim.hand(alice), button(sim.hand(alice)) or ""))
    assert (await alone.now())[1].ply == 0


async def test_an_undo_that_a_crash_kept_from_being_told_is_told_later(sim: Simulation, alone: Table) -> None:
    (alice,) = alone.people
    await lead(sim, alice)
    await undo_alone(sim.service, 1, alice.id, None)
    assert "~~" not in text(sim)
    await sim.restart()
    assert "~~" in text(sim)
    assert button(sim.hand(alice)) is None
    await lead(sim, alice, 1)


async def test_who_waits_learns_that_the_turn_went_back(sim: Simulation, tide: Table) -> None:
    """Their own hand shows no Undo, their moves are gone, and when the turn comes again their hand has them again."""
    match, state = await tide.now()
    (seat,) = state.to_move()
    player, other = (sim.by_id(match.chairs[s].user) for s in (seat, 1 - seat))
    await lead(sim, player)
    pressed = button(sim.hand(player))
    assert pressed
    assert button(sim.hand(other)) is None
    assert "There is nothing you can undo here." in await sim.forge(
        other, pressed, message=sim.hand(other).id, channel=other.user.dm_channel.id
    )
    assert offers(sim.hand(other))
    cursor = sim.cursor
    await sim.press(player, sim.hand(player), pressed)
    assert not sim.pings(cursor)
    assert not offers(sim.hand(other))
    await lead(sim, player, 1)
    assert button(sim.hand(player)) not in (None, pressed)
    await lead(sim, other)
    assert button(sim.hand(other)) is None


async def test_sealing_moves_no_token(sim: Simulation, siege: Table) -> None:
    """Undo counts what is public alone: not the version, which grows when somebody seals again."""
    alice, bob, _ = siege.people
    ids = [offer.custom_id for offer in offers(sim.hand(bob))]
    for which in (2, 3, 1):
        offer = offers(sim.hand(alice))[which]
        await siege.press(alice, sim.hand(alice), offer)
    await sim.slash(bob, "hand")
    assert [offer.custom_id for offer in offers(sim.hand(bob))] == ids
    assert button(sim.hand(alice)) is None
