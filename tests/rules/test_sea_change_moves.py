"""Sea Change: options, deck table and notation, what others may hold, and a naive scoring that must agree."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from rules.core.game import AnyState, Json, Seat
from rules.core.tricks import TrickTaken
from rules.sea_change import GAME
from rules.sea_change.types import CardPlayed, MatchWon, RoundScored
from tests.rules import naive_sea_change as naive
from tests.rules.playing import (
    check_decks_are_refused,
    check_words_are_refused,
    compare,
    legal,
    only,
    play,
    some,
    verbs,
)
from tests.rules.playing_sea_change import DECKS, POINTS, end_of_round, position, teams_of

# --- options, deck table, notation


def test_the_deck_table_is_the_rules_pages() -> None:
    assert GAME.deck == {"points": {str(value): points for value, points in POINTS.items()}, "zero_points": 5}


def test_an_owner_may_correct_the_deck_table() -> None:
    deck = GAME.check_deck({"points": {"8": -5, "12": 3}, "zero_points": 7})
    assert deck["points"] == {str(value): points for value, points in (POINTS | {8: -5, 12: 3}).items()}
    assert deck["zero_points"] == 7
    view = GAME.new(3, {"deck": deck}, "seed").view(None)
    assert dict(view.points_by_value)[8] == -5
    assert view.zero_points == 7
    state, events = end_of_round(["P8", "B12", "Y0"], deck=deck)
    assert only(events, RoundScored).result.points == (-5, 3, 7)
    assert state.to_json()["deck"] == deck


def test_bad_deck_tables_are_refused() -> None:
    decks: list[Json] = [
        {"points": {"16": 1}},
        {"points": {"0": 1}},
    ]
    check_decks_are_refused(GAME, 3, decks)


def test_words_that_name_no_card_are_refused() -> None:
    check_words_are_refused(
        GAME,
        "|play|B9|play B|play 9|play B16|play B-1|play B09|play B 9|play B9 B8|play X9|play B9.0|play B９|play B٣|"
        "play B²|lay B9|playB9|play BB9|play +9|play B+9|play B1_0",
    )


# --- against the naive scoring


def last_tricks(random: Random) -> tuple[AnyState, Json]:
    """A random position with one to three tricks to play, near a tie at the target, and the JSON it came from."""
    seats = random.choice([1, 2, 3, 4, 5, 6, 7, 8])
    players = max(seats, 2)
    suits = "".join(sorted(random.sample("BGRPY", DECKS[seats][0]), key="BGRPY".index))
    cards = [f"{suit}{value}" for suit in suits for value in DECKS[seats][1]]
    random.shuffle(cards)
    left = random.randint(1, 3)
    hands = [[cards.pop() for _ in range(left)] for _ in range(seats)]
    lays = [[1, cards.pop()]] if seats == 1 else []
    pile = [cards.pop() for _ in range(2 * left - 1)] if seats == 1 else []
    captured: list[list[str]] = [[] for _ in range(players)]
    for at in range(0, len(cards), max(seats, 3) if seats == 1 else seats):
        # Some cards are left out, so that totals and numbers of cards are often equal.
        captured[random.randrange(players)] += cards[at : at + seats] if random.random() < 0.5 else []
    teams = random.choice(teams_of(seats) or ("none",))
    sides = players if teams == "none" else len(teams.split("v"))
    target = random.randint(1, 3)
    fields = {
        "suits": suits,
        "pile": pile,
        "lays": lays,
        "leader": 1 if seats == 1 else random.randrange(seats),
        "captured": captured,
        "victory_points": [target - 1 if random.random() < 0.8 else 0 for _ in range(sides)],
    }
    trump = random.choice(suits)
    state = position([" ".join(hand) for hand in hands], trump, target=target, teams=teams, **fields)
    return state, {"trump": trump, "sides": list(state.view(None).sides), "target": target, **fields}


def agree_to_the_rounds_end(state: AnyState, told: Json, random: Random) -> MatchWon | None:
    """Plays the round out at random; every legal move, trick and score as the naive scoring has it."""
    lays = [tuple(lay) for lay in told["lays"]]
    trump, sides, captured = told["trump"], told["sides"], told["captured"]
    while True:
        (seat,) = state.to_move()
        assert legal(state, seat) == naive.legal(state.view(seat).hand, lays)
        state, events = state.apply(random.choice(state.legal_moves(seat)))
        for event in events:
            if isinstance(event, CardPlayed):
                lays.append((event.player, event.card))
            elif isinstance(event, TrickTaken):
                trump = naive.trump_after(lays, trump)
                assert event.winner == naive.winner(lays, trump)
                assert list(event.cards) == [card for _, card in lays]
                captured[event.winner] += event.cards
                lays = []
            elif isinstance(event, RoundScored):
                pooled = [
                    [c for p, pile in enumerate(captured) if sides[p] == s for c in pile] for s in sorted({*sides})
                ]
                check_scores(event, told, pooled, trump)
                won, how = naive.match_winners(event.victory_points, told["target"], pooled, trump)
                result = some(events, MatchWon)
                assert [(set(event.sides), event.tie_break) for event in result] == ([(won, how)] if won else [])
                if won:
                    solo = len(told["sides"]) == 2 and state.view(None).seats == 1
                    winners = {s for s, side in enumerate(sides) if side in won and not (solo and s == 1)}
                    assert state.outcome().winners == winners
                return result[0] if result else None
        assert state.view(None).trump == (naive.trump_after(lays, trump) if lays else trump)


def check_scores(event: RoundScored, told: Json, pooled: list[list[str]], trump: str) -> None:
    """The round's result is the naive one."""
    totals = [naive.points(cards, trump, POINTS, 5) for cards in pooled]
    result = event.result
    assert result.points == tuple(totals)
    assert [sorted(cards) for cards in result.captured] == [sorted(cards) for cards in pooled]
    assert result.trump == trump
    assert result.zero_side == next((side for side, cards in enumerate(pooled) if f"{trump}0" in cards), None)
    winners = naive.round_winners(totals, pooled, solo=bool(told["lays"]))
    assert set(result.winners) == winners
    expected = [won + (side in winners) for side, won in enumerate(told["victory_points"])]
    assert list(event.victory_points) == expected


def test_the_naive_scoring_agrees(pytestconfig: pytest.Config) -> None:
    def ending(random: Random) -> set[str]:
        won = agree_to_the_rounds_end(*last_tricks(random), random)
        return {"none" if won is None else won.tie_break or "alone"}

    ways = {"none", "alone", "zero", "cards", "shared"}
    assert set(compare(pytestconfig.getoption("--positions"), ending, ways)) <= ways


# --- what others may hold, for all that they have shown


def may_hold(state: AnyState, seat: int) -> dict[str, int]:
    """How many cards of each suit the seat may hold, where that is fewer than its hand has."""
    most = dict(zip("BGRPY", state.to_json()["may_hold"][seat], strict=True))
    return {suit: number for suit, number in most.items() if number < len(state.to_json()["hands"][seat])}


def test_C5_who_neither_follows_nor_matches_is_known_to_be_void() -> None:
    state = position(["P4 P5", "B9 B5", "P8 P9"], "Y")
    state, _ = play(state, "B9 P8")
    assert may_hold(state, 2) == {"B": 0}
    assert may_hold(state, 1) == {}, "who leads shows nothing"


def test_C5_who_matches_the_value_may_still_hold_the_lead_suit() -> None:
    state, _ = play(position(["P4 P5", "B9 B5", "P9 B4"], "Y"), "B9 P9")
    assert may_hold(state, 2) == {}


def test_C5_a_void_is_forgotten_with_the_deal() -> None:
    state, _ = play(position(["P4", "B9", "P8"], "Y"), "B9 P8 P4")
    assert [may_hold(state, seat) for seat in range(3)] == [{}, {}, {}]


def test_C10_a_void_may_be_filled_by_what_is_drawn_since() -> None:
    state = position(["P4 P5 P8", "B9 B5 Y5"], "Y", pile=["Y6", "B6", "Y7", "B7"])
    state, _ = play(state, "B9 P4")
    assert may_hold(state, 0) == {"B": 1}, "the card drawn for it may be a blue one"
    state, _ = play(state, "B5 B6")
    assert may_hold(state, 0) == {"B": 1}, "the blue one is played, and another card drawn"
    state, _ = play(state, "P5 Y5")
    assert may_hold(state, 0) == {"B": 1}
    state, _ = play(state, "Y6 P8")
    assert may_hold(state, 0) == {"Y": 0}


Ply = tuple[list[tuple[int, str]], int, str]
"""The trick so far, who played, the card."""


def could_be(seats: int, plies: Sequence[Ply], hands: Sequence[Sequence[str]]) -> None:
    """Each card was legal when it was played; with two players, some of what is held now was drawn since."""
    for at, (lays, mover, card) in enumerate(plies):
        held = [*hands[mover], *(played for _, seat, played in plies[at + 1 :] if seat == mover)]
        if card not in naive.legal([*held, card], lays):
            drawn = sum(seat == mover for _, seat, _ in plies[at:10]) if seats == 2 else 0
            assert sum(naive.suit(other) == naive.suit(lays[0][1]) for other in held) <= drawn, f"{card} was not legal"


@pytest.mark.parametrize("seats", range(1, 9))
def test_redeals_fit_all_that_has_been_played(seats: int) -> None:
    """With the hands of every redeal each card of the round so far was legal, as a plain reading of C5 has it."""
    seed = f"redeals of {seats}"
    print("seed", repr(seed))
    random = Random(seed)
    state, plies = GAME.new(seats, {}, seed), list[Ply]()
    while True:
        (mover,) = state.to_move()
        move = random.choice(state.legal_moves(mover))
        lays = [*map(tuple, state.to_json()["lays"])]
        state, _ = state.apply(move)
        plies.append((lays, int(mover), str(move.card)))
        if state.to_json()["round"] > 1 or state.outcome():
            return
        for viewer in (None, Seat(random.randrange(seats))):
            redealt = state.redeal_unseen(viewer, f"{seed} {len(plies)}").to_json()["hands"]
            could_be(seats, plies, redealt)


def test_the_last_card_of_a_hand_is_forced() -> None:
    assert verbs(GAME)[0] == {"play"}
