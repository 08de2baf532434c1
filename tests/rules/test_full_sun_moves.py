"""Full Sun: refusals, options, deck table and notation, and a naive scoring that must agree."""

from __future__ import annotations

import json
from random import Random

import pytest

from rules.core.game import AnyState, Event, Json, Refusal, Seat
from rules.core.tricks import TrickTaken, Unplayable
from rules.full_sun import GAME
from rules.full_sun.types import CardPlayed, MatchWon, RoundBegan, RoundScored
from tests.rules import naive_full_sun as naive
from tests.rules.playing import (
    check_decks_are_refused,
    check_words_are_refused,
    compare,
    legal,
    only,
    play,
    refused,
    some,
    verbs,
)
from tests.rules.playing_full_sun import DECKS, HAND, position, trick_json

# --- refusals


def test_refusals_change_nothing() -> None:
    state, _ = play(position(["B1 B2", "R4 B5 B3", "R1 B7"]), "B1")
    before = state.to_json()
    assert refused(state, 0, "B2").reason is Refusal.OUT_OF_TURN
    assert refused(state, 2, "R1").reason is Refusal.OUT_OF_TURN
    refusal = refused(state, 1, "B7")
    assert refusal.reason is Unplayable.NOT_IN_HAND
    assert refusal.facts == {"card": "B7", "legal": "B3, B5"}
    assert state.to_json() == before


def test_a_refusal_is_the_same_whichever_player_holds_the_card() -> None:
    """In another hand, in the fan, or played already, or not in play with so few."""
    state, _ = play(position(["B1 B2", "R4 B5 B3", "R1 B7"]), "B1")
    reasons = {refused(state, 1, card).reason for card in ("B7", "Sun", "B1", "L6", "B17", "R1")}
    assert reasons == {Unplayable.NOT_IN_HAND}


def test_the_default_is_the_lowest_card_that_the_rules_allow() -> None:
    state = position(["B7 L2 R6", "L3 B1 L1", "B5 R5 L5"])
    assert str(state.default_move(Seat(0))) == "play L2"
    state, _ = play(state, "L2")
    assert str(state.default_move(Seat(1))) == "play L1"


# --- options, deck table, notation


def test_options_are_the_target() -> None:
    for seats in GAME.seats:
        (option,) = GAME.options(seats, {})
        assert (option.name, option.values, option.default) == ("target", (1, 2, 3, 4, 5), 3)


def test_the_deck_table_is_the_rules_pages() -> None:
    assert GAME.deck == {"rain": {"number": 0, "pips": 0}, "sun": {"number": 18, "pips": 5}}


def test_an_owner_may_correct_the_deck_table() -> None:
    deck = GAME.check_deck({"sun": {"number": 20}, "rain": {"pips": 2}})
    assert deck == {"rain": {"number": 0, "pips": 2}, "sun": {"number": 20, "pips": 5}}
    state = GAME.new(3, {"deck": deck}, "seed")
    assert (state.view(None).rain, state.view(None).sun) == ((0, 2), (20, 5))
    assert state.view(None).face("Sun") == (20, 5)
    assert state.to_json()["deck"] == deck


def test_a_partial_deck_table_may_be_played_with() -> None:
    state = GAME.new(3, {"deck": {"sun": {"pips": 6}}}, "seed")
    assert (state.view(None).rain, state.view(None).sun) == ((0, 0), (18, 6))


def test_bad_deck_tables_are_refused() -> None:
    decks: list[Json] = [
        {"Rain": {"number": 5, "pips": 5}},
        {"B7": {"number": 7, "pips": 1}},
        *({"rain": {"number": -1}}, {"sun": {"number": 100}}, {"sun": {"pips": 9}}, {"sun": {"pips": -1}}),
        {"sun": [18, 5]},
    ]
    check_decks_are_refused(GAME, 3, decks)


def test_words_that_name_no_card_are_refused() -> None:
    check_words_are_refused(
        GAME,
        "|play|B9|Rain|play B|play 9|play B0|play B18|play B-1|play B09|play B 9|play B9 B8|play X9|play W0|"
        "play W18|lay B9|playB9|play BB9|play B9.0|play B９|play B٣|play B²|play +9|play Rain0|play Rai n|"
        "play Snow|play W|play Rain Sun|play B1_0|play Beech 9",
    )


# --- counts by hand


def test_ways_to_play_two_tricks_counted_by_hand() -> None:
    """Each follows the card just before theirs. Seat 0 leads B1 or R2: 2 ways.

    B1: seat 1 must play B3; seat 2 has no Beech and plays either card: 2. R2: seat 1 has no Redbud and plays B3, after
    which seat 2 plays either card, or S4, which seat 2 must follow with S5: 3. So 2, 3 and 5 ways to play one, two and
    three cards. Everybody's last card is forced: 5 ways to the round's end.
    """
    states, ways = [position(["B1 R2", "B3 S4", "S5 R6"])], []
    for _ in range(6):
        states = [
            state.apply(move)[0] for state in states for seat in state.to_move() for move in state.legal_moves(seat)
        ]
        ways.append(len(states))
    assert ways == [2, 3, 5, 5, 5, 5]
    assert {state.view(None).round for state in states} == {2}


# --- against the naive scoring


def last_tricks(random: Random) -> tuple[AnyState, Json]:
    """A random position with one to three tricks to play, near a tie at the target, and the JSON it came from."""
    seats = random.choice(GAME.seats)
    left, round_number = random.randint(1, 3), random.randint(1, 6)
    target = random.randint(1, 5)
    points = [target - 1 if random.random() < 0.8 else random.randrange(target) for _ in range(seats)]
    cards = list(DECKS[seats])
    random.shuffle(cards)
    if random.random() < 0.3:  # somebody may end on the Rain without a trick
        cards.append(cards.pop(cards.index("Rain")))
    sizes = naive.hand_sizes(points, HAND[seats], len(cards))
    hands = [[cards.pop() for _ in range(size - HAND[seats] + left)] for size in sizes]
    takers = random.sample(range(seats), random.randint(2, seats))
    tricks = []
    leader = (round_number - 1) % seats
    for _ in range(HAND[seats] - left):
        winner = random.choice(takers)
        order = naive.order(leader, round_number, seats)
        tricks.append(trick_json(order, winner, [cards.pop() for _ in range(seats)]))
        leader = winner
    told: Json = {
        "seats": seats,
        "options": {"target": target},
        "deck": dict(GAME.deck),
        "seed": f"{random.random()}",
        "ply": len(tricks) * seats,
        "round": round_number,
        "points": points,
        "hands": hands,
        "fan": cards,
        "leader": leader,
        "lays": [],
        "tricks": tricks,
        "last_trick": None,
        "last_round": None,
        "outcome": None,
    }
    return GAME.from_json(json.loads(json.dumps(told))), told


def agree_to_the_rounds_end(state: AnyState, told: Json, random: Random) -> str:
    """Plays the round out at random; moves, tricks, scores and the next deal as the naive rules have them.

    Gives how it ended: "next", "points", "tie_break" or "shared", and " with none" where a tied player had no trick.
    """
    seats, lays = told["seats"], []
    tricks = [(trick["winner"], [card for _, card in trick["lays"]]) for trick in told["tricks"]]
    leader, last_cards = told["leader"], [""] * seats
    while True:
        seat = naive.order(leader, told["round"], seats)[len(lays)]
        assert state.to_move() == {seat}
        assert legal(state, seat) == naive.legal(state.view(seat).hand, lays)
        move = random.choice(state.legal_moves(seat))
        state, events = state.apply(move)
        lays.append((seat, move.card))
        assert only(events, CardPlayed) == CardPlayed(seat, move.card)
        last_cards[seat] = move.card
        assert bool(some(events, TrickTaken)) == (len(lays) == seats)
        if len(lays) == seats:
            leader = naive.winner(lays)
            cards = [card for _, card in lays]
            assert only(events, TrickTaken) == TrickTaken(leader, tuple(cards))
            tricks.append((leader, cards))
            lays = []
        assert bool(some(events, RoundScored)) == (len(tricks) == HAND[seats])
        if len(tricks) == HAND[seats]:
            return check_the_end(state, events, told, last_cards, tricks)


def check_the_end(
    state: AnyState, events: list[Event], told: Json, last_cards: list[str], tricks: list[tuple[int, list[str]]]
) -> str:
    """The round's result, the match's or the next deal, are the naive ones."""
    scored, result = only(events, RoundScored), only(events, RoundScored).result
    scorers = naive.scorers(last_cards, [winner for winner, _ in tricks])
    points = [count + (seat in scorers) for seat, count in enumerate(told["points"])]
    assert set(result.scored) == scorers
    assert list(scored.points) == points == list(state.view(None).points)
    winners, shown = naive.match_winners(points, told["options"]["target"], last_cards, tricks)
    if not winners:
        deck = DECKS[told["seats"]]
        assert list(only(events, RoundBegan).hand_sizes) == naive.hand_sizes(points, HAND[told["seats"]], len(deck))
        assert state.outcome() is None
        return "next"
    won = only(events, MatchWon)
    assert set(won.seats) == state.outcome().winners == winners
    assert {tie.seat: tie.cards for tie in won.tie_breaks} == shown
    assert {tie.seat: tie.species for tie in won.tie_breaks} == {seat: naive.suit(last_cards[seat]) for seat in shown}
    ending = "shared" if len(winners) > 1 else "tie_break" if shown else "points"
    assert state.outcome().reason == ending
    return ending + " with none" * any(seat not in [winner for winner, _ in tricks] for seat in shown)


def test_the_naive_scoring_agrees(pytestconfig: pytest.Config) -> None:
    ways = {"next", "points", "tie_break", "shared", "tie_break with none"}
    compare(
        pytestconfig.getoption("--positions"),
        lambda random: {agree_to_the_rounds_end(*last_tricks(random), random)},
        ways,
    )


def test_the_last_card_of_a_hand_is_forced() -> None:
    assert verbs(GAME)[0] == {"play"}
