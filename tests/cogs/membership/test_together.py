"""Deciding together: removals, pauses, and moves that are taken back."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from cogs.match.agenda import ping_owed
from cogs.match.automatic_moves import AutomaticMoves
from cogs.match.lobby import Lobby
from cogs.match.membership import LONG_REST, LONG_WAIT, SHORT_REST, Membership
from cogs.match.service import MatchService
from cogs.match.undo import last_open_move, undo_alone
from cogs.match.verification import Verifier
from cogs.match.votes import NOTHING
from cogs.messages.hand import hand_message
from cogs.messages.presenter import Presenter
from cogs.transport.components import layout_view
from data.content.texts import DEFAULT, texts
from data.records.match import Match, Status
from data.records.people import Person
from data.records.pings import Ping, SeatPings
from data.records.post import HandPost, TablePost
from data.store.database import Database
from rules import GAMES
from rules.core.game import Seat
from tests.cogs.membership.matches import Clock, reopened, users
from tests.support.inside import lobby_of, service_of, stored_matches
from tests.support.matches import ANN, BEN, CLEO, DAN, EVE, NAMES, begun, lobby, play_on, refusal
from tests.support.simulation import controls

# --- deciding together


async def test_two_of_three_remove_somebody_who_then_stays_away(membership: Membership) -> None:
    match = await begun(service_of(membership), ANN, BEN, CLEO)
    seat = match.seat_of(CLEO) or 0
    assert await refusal(membership.vote(match.id, CLEO, f"remove {CLEO}")) == "no_remove"
    assert await refusal(membership.vote(match.id, ANN, f"remove {EVE}")) == "no_remove"
    assert await refusal(membership.vote(match.id, ANN, "nonsense")) == "unknown_button"
    assert await refusal(membership.vote(match.id, EVE, f"remove {CLEO}")) == "not_seated"
    assert not (await membership.vote(match.id, ANN, f"remove {CLEO}")).done
    assert not (await membership.vote(match.id, ANN, f"remove {CLEO}")).done, "the same voice again is one voice"
    assert await refusal(membership.vote(match.id, CLEO, f"remove {CLEO}")) == "no_remove"
    voted = await membership.vote(match.id, BEN, f"remove {CLEO}")
    assert voted.done and voted.match.seat_of(CLEO) is None and voted.match.chairs[seat].offered
    assert await refusal(membership.come_back(match.id, CLEO, "Cleo")) == "removed"
    assert await refusal(membership.take_seat(match.id, CLEO, "Cleo", seat)) == "removed"
    assert (await membership.take_seat(match.id, EVE, "Eve", seat)).seat_of(EVE) == seat
    assert await stored_matches(service_of(membership)).votes(match.id) == {}


async def test_a_removal_deletes_the_removed_players_vote_and_keeps_other_votes(membership: Membership) -> None:
    match = await begun(service_of(membership), ANN, BEN, CLEO, DAN, EVE)
    for user, text in ((DAN, "end"), (EVE, "pause"), *((user, f"remove {DAN}") for user in (ANN, BEN, CLEO))):
        voted = await membership.vote(match.id, user, text)
    assert voted.match.seat_of(DAN) is None
    assert await service_of(membership).votes(match.id) == {EVE: "pause"}


async def test_after_a_long_rest_each_hand_pings_again_and_the_table_goes_on_with_its_mention(
    membership: Membership, clock: Clock
) -> None:
    service = service_of(membership)
    match = await begun(service, ANN, BEN)
    hand = HandPost(match.id, 7, 70, seat=0, user=match.chairs[0].user, pinged=Ping("a"), mentioned=Ping("a"))
    pings = SeatPings(((0, Ping("a")),))
    table = TablePost(match.id, 2, 20, mentioning=pings, mentioned_again=pings)
    await service.posts.note(hand, table)
    for rest, called in ((SHORT_REST - 1, Ping("a")), (SHORT_REST, None)):
        for kind in ("pause", "resume"):
            for user in (ANN, BEN):
                await membership.vote(match.id, user, kind)
            clock.seconds += rest if kind == "pause" else 0
        posts = await service.posts.of(match.id)
        assert (posts.hands[0].pinged, posts.hands[0].mentioned) == (called, called)
    assert (posts.table.mentioning, posts.table.mentioned_again) == (pings, pings)


async def test_a_pause_stops_moves_and_computers_and_costs_no_player_time(membership: Membership, clock: Clock) -> None:
    service = service_of(membership)
    match = await begun(service, ANN, BEN)
    (seat,) = service.state(match).to_move()
    user, since = match.chairs[seat].player, match.turn_since or 0
    assert await refusal(membership.vote(match.id, ANN, "resume")) == "no_resume"
    assert not (await membership.vote(match.id, ANN, "pause")).done
    assert (await membership.vote(match.id, BEN, "pause")).done
    assert await refusal(membership.vote(match.id, ANN, "pause")) == "no_pause"
    match = await service.load(match.id)
    text = str(service.state(match).legal_moves(seat)[0])
    assert await refusal(service.play(match.id, user, service.turn(match, seat), text)) == "rests"
    assert await refusal(undo_alone(service, match.id, user, None)) == "rests"
    await membership.give_seat_to_computer(match.id, user)
    assert AutomaticMoves(service).next_seat(await service.load(match.id)) is None
    clock.seconds += 5000
    other = ANN + BEN - user
    voted = await membership.vote(match.id, other, "resume")
    assert voted.done, "one person is left, and decides alone"
    assert voted.match.turn_since == since + 5000
    assert AutomaticMoves(service).next_seat(voted.match) == seat


async def test_a_voice_is_for_one_thing_and_can_be_taken_back(membership: Membership, base: Database) -> None:
    match = await begun(service_of(membership), ANN, BEN, CLEO)
    await membership.vote(match.id, ANN, "end")
    await membership.vote(match.id, ANN, "pause")
    assert await stored_matches(service_of(reopened(base))).votes(match.id) == {ANN: "pause"}
    assert not (await membership.vote(match.id, BEN, "end")).done
    assert (await membership.vote(match.id, ANN, NOTHING)).choice is None
    assert await stored_matches(service_of(membership)).votes(match.id) == {BEN: "end"}
    assert (await reopened(base).vote(match.id, CLEO, "end")).match.status is Status.STOPPED


async def test_who_is_asked_again_after_a_move_was_taken_back_is_called_again(membership: Membership) -> None:
    service = service_of(membership)
    match = await begun(service, ANN, BEN, game="photosynthesis")
    calls = []
    for voters in ((ANN, BEN), ()):
        (seat,) = service.state(match).to_move()
        text = str(service.state(match).legal_moves(seat)[0])
        match = (await service.play(match.id, match.chairs[seat].player, None, text)).match
        calls.append({chair.number: ping_owed(service, match, chair.number) for chair in match.people})
        for user in voters:
            match = (await membership.vote(match.id, user, f"undo {match.moves - 1}")).match
    before, after = calls
    assert before.keys() == after.keys()
    assert all(after[asked] != call for asked, call in before.items() if call is not None)
    assert {asked for asked in after if after[asked]} == {asked for asked in before if before[asked]}


async def test_a_substitute_takes_back_no_action_of_player_who_sat_there_before(membership: Membership) -> None:
    service = service_of(membership)
    match = await begun(service, ANN, BEN, game="photosynthesis")
    while True:
        state = service.state(match)
        (seat,) = state.to_move()
        moves = [move for move in state.legal_moves(seat) if state.apply(move)[0].may_take_back(seat)]
        user, text = match.chairs[seat].player, str((moves or state.legal_moves(seat))[0])
        match = (await service.play(match.id, user, None, text)).match
        if moves:
            break
    await membership.offer_seat(match.id, user, True)
    match = await membership.take_seat(match.id, CLEO, "Cleo", seat)
    messages, label = Presenter(service, Lobby(service)), texts(DEFAULT)["button.undo"]
    hand = await hand_message(messages, match, Person(CLEO, "Cleo"))
    assert label not in controls({"components": layout_view(hand).to_components()}), "a button that would be refused"
    assert await refusal(undo_alone(service, match.id, CLEO, None)) == "may_not_undo"
    await membership.offer_seat(match.id, CLEO, True)
    match = await membership.take_seat(match.id, user, NAMES[user], seat)
    hand = await hand_message(messages, match, Person(user, NAMES[user]))
    assert label in controls({"components": layout_view(hand).to_components()})
    assert (await undo_alone(service, match.id, user, None)).text == text, "it is theirs still"


async def test_a_rest_that_somebody_stays_away_from_is_ended_by_one_after_a_week(
    membership: Membership, clock: Clock
) -> None:
    match = await begun(service_of(membership), ANN, BEN)
    for user in (ANN, BEN):
        await membership.vote(match.id, user, "pause")
    clock.seconds += LONG_REST - 1
    assert not (await membership.vote(match.id, ANN, "resume")).done, "two have agreed on it"
    clock.seconds += 1
    voted = await membership.vote(match.id, ANN, "resume")
    assert voted.done and voted.match.rests_since is None and voted.match.running
    assert await stored_matches(service_of(membership)).votes(match.id) == {}
    assert not (await membership.vote(match.id, ANN, "pause")).done, "no player rests alone"


async def test_a_match_without_a_clock_that_somebody_stays_away_from_gets_one_after_two_weeks(
    membership: Membership, clock: Clock
) -> None:
    match = await begun(service_of(membership), ANN, BEN)
    awaited = match.chairs[min(service_of(membership).state(match).to_move())].user
    waiting = ANN if awaited == BEN else BEN
    clock.seconds += LONG_WAIT - 1
    assert not (await membership.vote(match.id, waiting, "clock day_1")).done, "two are there to agree"
    clock.seconds += 1
    voted = await membership.vote(match.id, waiting, "clock day_1")
    assert voted.done and voted.match.clock == "day_1" and any(found.due for found in voted.match.clocks)
    clock.seconds += LONG_WAIT
    assert not (await membership.vote(match.id, waiting, "clock none")).done, "no player takes a clock away alone"
    assert not (await membership.vote(match.id, waiting, "end")).done


async def test_who_does_and_takes_back_without_end_waits_no_shorter(membership: Membership, clock: Clock) -> None:
    """A turn of several moves is one for which the others have waited since it began."""
    service = service_of(membership)
    match = await begun(service, ANN, BEN, game="photosynthesis")
    while not (buys := [move for move in _legal(service, match) if str(move).startswith("buy")]):
        seat = min(service.state(match).to_move())
        match = (await service.play(match.id, match.chairs[seat].player, None, str(_legal(service, match)[-1]))).match
    since, user = match.turn_since, match.chairs[min(service.state(match).to_move())].player
    clock.seconds += LONG_WAIT
    await service.play(match.id, user, None, str(buys[0]))
    match = (await undo_alone(service, match.id, user, None)).match
    assert match.turn_since == since
    assert (await membership.vote(match.id, ANN + BEN - user, "clock day_1")).done


def _legal(service: MatchService, match: Match) -> list[Any]:
    state = service.state(match)
    return state.legal_moves(min(state.to_move()))


async def test_all_together_take_a_move_back_and_no_player_alone(membership: Membership) -> None:
    service = service_of(membership)
    match = await begun(service, ANN, BEN, game="photosynthesis")  # where nothing is hidden
    start = match.state
    assert await refusal(membership.vote(match.id, ANN, "undo 0")) == "no_undo"
    (seat,) = service.state(match).to_move()
    text = str(service.state(match).legal_moves(seat)[0])
    match = (await service.play(match.id, match.chairs[seat].player, None, text)).match
    assert await refusal(membership.vote(match.id, ANN, "undo 1")) == "no_undo"
    assert not (await membership.vote(match.id, ANN, "undo 0")).done
    voted = await membership.vote(match.id, BEN, "undo 0")
    assert voted.done and voted.match.state == start and voted.match.undone == 1
    assert await refusal(membership.vote(match.id, ANN, "undo 0")) == "no_undo"
    assert await stored_matches(service).votes(match.id) == {}


async def two_moves(membership: Membership) -> Match:
    """Photosynthesis for two, in which each has moved once."""
    service = service_of(membership)
    match = await begun(service, ANN, BEN, game="photosynthesis")
    for _ in range(2):
        (seat,) = service.state(match).to_move()
        text = str(service.state(match).legal_moves(seat)[0])
        match = (await service.play(match.id, match.chairs[seat].player, None, text)).match
    return match


async def test_a_move_before_one_taken_back_is_not_taken_back(membership: Membership) -> None:
    match = await two_moves(membership)
    for user in (ANN, BEN):
        match = (await membership.vote(match.id, user, "undo 1")).match
    assert (match.moves, match.undone) == (2, 1)
    for number in (0, 1):
        assert await refusal(membership.vote(match.id, ANN, f"undo {number}")) == "no_undo"


async def test_the_file_of_verify_marks_the_moves_that_were_taken_back(membership: Membership) -> None:
    match = await two_moves(membership)
    for text in ("undo 1", "end"):
        for user in (ANN, BEN):
            await membership.vote(match.id, user, text)
    moves = json.loads((await Verifier(service_of(membership)).verify(match.id)).export)["moves"]
    assert [move["taken_back"] for move in moves] == [False, True]


async def test_a_move_of_a_computer_is_not_taken_back(membership: Membership, base: Database) -> None:
    match = await two_moves(membership)
    await base.write(lambda c: c.execute("UPDATE move SET user = NULL WHERE number = 1").rowcount)
    assert await refusal(membership.vote(match.id, ANN, "undo 1")) == "no_undo"


async def test_a_move_that_drew_a_card_is_not_taken_back(membership: Membership) -> None:
    """All players together cannot take it back either: the card has been seen."""
    service = service_of(membership)
    match = await begun(service, ANN, BEN, game="sea_change")  # two players draw a card after each card that they play
    for number in range(4):
        seat = min(service.state(match).to_move())
        move = str(_legal(service, match)[0])
        match = (await service.play(match.id, match.chairs[seat].player, None, move)).match
        happened = [type(told.event).__name__ for told in await service.events_of(match) if told.move == number]
        assert "CardDrawn" in happened
        for user in (ANN, BEN):
            assert await refusal(membership.vote(match.id, user, f"undo {number}")) == "no_undo"


NEW_TO_THE_MOVER = {"CardDrawn", "PileRenewed", "RoundBegan", "Shuffled", "PledgesRevealed"}


@pytest.mark.parametrize("game", GAMES)
async def test_what_may_be_taken_back_told_no_player_anything_new(membership: Membership, game: str) -> None:
    """Whatever the game, early and late: no card was drawn, dealt or turned up, the same had happened with other hidden
    cards, and no player can have decided in secret since.
    """
    print(f"moves by seed {game}")
    service, random, found = service_of(membership), Random(game), 0
    match = await begun(service, *list(NAMES)[: max(2, GAMES[game].seats[0])], game=game)
    for number in range(40):
        if number == 20:
            match = await play_on(service, match, 40)
        if match.status is not Status.PLAYING:
            break
        state = service.state(match)
        seat = random.choice(sorted(state.to_move()))
        move = random.choice(state.legal_moves(seat))
        match = (await service.play(match.id, match.chairs[seat].player, None, str(move))).match
        last = await last_open_move(service_of(membership), match)
        if last is not None:
            found += 1
            happened = [told.event for told in await service.events_of(match) if told.move == last.number]
            assert not {type(event).__name__ for event in happened} & NEW_TO_THE_MOVER, happened
            for other in (state.redeal_unseen(seat, f"another {again}") for again in range(3)):
                assert list(other.apply(move)[1]) == happened
            for position in (state, service.state(match)):
                assert sum(bool(position.legal_moves(Seat(at))) for at in range(len(match.chairs))) == 1
    assert found or game not in ("photosynthesis", "full_sun")


async def test_whom_a_free_seat_finds_waiting(membership: Membership) -> None:
    """A computer goes, or more seats are wanted: who waits sits down."""
    match = await lobby(service_of(membership), ANN, computers=1)
    await lobby_of(membership).choose_option(match.id, ANN, "seats", "2")
    for user in (CLEO, DAN):
        await membership.join(match.id, user, NAMES[user])
    match = await lobby_of(membership).remove_computer(match.id, ANN)
    assert (users(match), [who.user for who in match.waiting]) == ([ANN, CLEO], [DAN])
    match = await lobby_of(membership).choose_option(match.id, ANN, "seats", "any")
    assert (users(match), match.waiting) == ([ANN, CLEO, DAN], ())
    assert [chair.number for chair in match.chairs] == [0, 1, 2]
