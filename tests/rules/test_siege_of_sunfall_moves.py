"""Siege of Sunfall: notation and refusals, counts by hand, and a naive reading of the rules that must agree."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

import pytest

from rules.core.game import IllegalMove, Refusal
from rules.siege_of_sunfall import GAME
from rules.siege_of_sunfall.types import Award, Phase, Pledge, Reason, UseGold
from tests.rules.naive_siege_of_sunfall import compare, position
from tests.rules.playing import check_words_are_refused, verbs
from tests.rules.playing_siege_of_sunfall import after, gold_phase, refused, seen

# Notation and refusals.


def test_words_that_are_no_move_are_refused() -> None:
    check_words_are_refused(
        GAME,
        "| |pledge|pledge x|pledge -1|pledge +1|pledge 1.5|pledge 3 boost|pledge 3 boost 0|pledge 3 boost -1|"
        "pledge 3 boost 1 2|pledge 3 gold 1|pledge 3 4|pledge ³|pledge 3 boost ²|boost 1|award|award me|award -1|"
        "award 1 2|gold|gold all|gold -1|play 3|3|pledge 3\npledge 4",
    )


@pytest.mark.parametrize("text", ["pledge {}", "pledge 3 boost {}", "award {}", "gold {}"])
def test_a_number_of_any_length_is_refused_and_breaks_nothing(text: str) -> None:
    with pytest.raises(IllegalMove):  # Python reads no more than 4,300 digits
        position(3).apply(GAME.parse(0, text.format("9" * 5_000)))


@pytest.mark.parametrize(
    "move",
    [
        Pledge(0, 4),
        Pledge(0, -1),
        Pledge(0, 1, 2),
        Pledge(0, 1, -1),
        Pledge(1, 1, 1),
        Pledge(2, 0),
        Pledge(4, 0),
        Pledge(-1, 0),
        Award(0, 1),
        Award(1, 0),
        UseGold(0, 0),
        UseGold(1, 1),
    ],
    ids=lambda move: f"{move.seat}: {move}",
)
def test_illegal_while_pledging(move: Any) -> None:
    refused(position(4, coins=[3, 3, 3, 3], held={0: ["boost"], 1: ["gold"]}, out=[2]), move)


def test_refusals_say_why_and_name_the_values() -> None:
    state = position(3, coins=[3, 3, 3], held={0: ["boost"]}, out=[2])
    award = after(position(3, coins=[3, 3, 3]), 3, 3, 0)
    crown = after(position(4, "crown"), 3, 1, 3, 0)
    gold = gold_phase(held={1: ["gold"]})
    expected: list[tuple[Any, Any, Any, dict[str, int]]] = [
        (state, Pledge(0, 4), Reason.TOO_MANY_COINS, {"coins": 4, "have": 3}),
        (state, Pledge(0, 3, 2), Reason.TOO_MANY_BOOSTS, {"boosts": 2, "have": 1}),
        (state, Pledge(2, 0), Reason.NOT_IN_ROUND, {}),
        (state, Pledge(3, 0), Refusal.OUT_OF_TURN, {}),
        (state, Award(0, 1), Refusal.NOT_NOW, {}),
        (state, UseGold(0, 0), Refusal.NOT_NOW, {}),
        (award, Award(1, 1), Reason.NOT_KING, {"king": 0}),
        (award, Award(0, 2), Reason.NOT_TIED, {"to": 2}),
        (award, Pledge(0, 0), Refusal.NOT_NOW, {}),
        (award, UseGold(0, 0), Refusal.NOT_NOW, {}),
        (crown, Award(0, 0), Reason.CROWN_GIVEN_AWAY, {}),
        (gold, UseGold(0, 0), Reason.NO_GOLD_CARDS, {}),
        (gold, UseGold(1, 2), Reason.TOO_MANY_GOLD_CARDS, {"cards": 2, "have": 1}),
        (gold, Pledge(1, 0), Refusal.NOT_NOW, {}),
        (gold, Award(1, 0), Refusal.NOT_NOW, {}),
    ]
    for where, move, reason, facts in expected:
        with pytest.raises(IllegalMove) as error:
            where.apply(move)
        assert (error.value.reason, error.value.facts) == (reason, facts), f"{move.seat}: {move}"


@pytest.mark.parametrize(
    "move",
    [
        Award(0, 2),
        Award(0, 3),
        Award(0, -1),
        Award(1, 0),
        Award(1, 1),
        Pledge(0, 0),
        Pledge(2, 0),
        UseGold(0, 0),
    ],
    ids=lambda move: f"{move.seat}: {move}",
)
def test_illegal_while_the_king_decides(move: Any) -> None:
    refused(after(position(3), 3, 3, 0), move)


@pytest.mark.parametrize(
    "move",
    [
        UseGold(1, 3),
        UseGold(1, -1),
        UseGold(0, 0),
        UseGold(3, 0),
        UseGold(-2, 0),
        Pledge(1, 0),
        Pledge(0, 0),
        Award(0, 1),
        Award(1, 0),
    ],
    ids=lambda move: f"{move.seat}: {move}",
)
def test_illegal_while_gold_is_asked_for(move: Any) -> None:
    refused(gold_phase(3, held={1: ["gold", "gold"]}), move)


# The two readings of the rules against each other, and counts by hand.


def test_a_naive_reading_agrees_on_random_positions(pytestconfig: pytest.Config) -> None:
    occurred = compare(pytestconfig.getoption("--positions"))
    print(occurred)
    assert min(occurred.values()) > 10, "the positions are not varied enough"


def test_positions_after_one_card_counted_by_hand() -> None:
    """Three players with 1 coin each face a bow 2; the King is seat 0.

    Each pledges 0 or 1: 2 × 2 × 2 = 8 ways. None (1 way): total 0, all are out, the next round begins. One coin
    (3 ways): total 1 fails, the two without are out. Two coins (3 ways): repelled, two tie, the King has 2 choices.
    Three coins (1 way): repelled, all tie, he has 3. So 4 positions with a decision, 3 × 2 + 3 = 9 decisions after
    them. He takes the card himself, and passes the crown, in 3 of these: with 1, with 2, and with both.
    """
    start = position(3, "bow 2", coins=[1, 1, 1], pile=["bow 3", "bow 4", "end"])
    positions, decided, survivors, crowns = [], [], Counter[int](), 0
    for ways in range(8):
        state = after(start, ways & 1, ways >> 1 & 1, ways >> 2)
        positions.append(json.dumps(state.to_json(), sort_keys=True))
        if seen(state).phase is Phase.AWARD:
            results = [state.apply(move)[0] for move in state.legal_moves(0)]
            decided += [json.dumps(result.to_json(), sort_keys=True) for result in results]
            crowns += sum(seen(result).king == 1 for result in results)
        else:
            survivors[sum(seen(state).alive) if seen(state).round == 2 else 0] += 1
    assert len(set(positions)) == 8
    assert survivors == {0: 1, 1: 3}
    assert len(decided) == len(set(decided)) == 9
    assert crowns == 3


def test_legal_moves_counted_by_hand() -> None:
    """With c coins and b boosts there are (c + 1) × (b + 1) pledges; 13 at the start with 12 coins, 11 with 10."""
    state = position(5, coins=[0, 1, 3, 10, 7], held={1: ["boost"], 3: ["boost", "boost"]}, out=[4])
    assert [len(state.legal_moves(seat)) for seat in range(5)] == [1, 2 * 2, 4, 11 * 3, 0]
    assert [len(GAME.new(seats, {}, "count").legal_moves(0)) for seats in (3, 4, 5, 6)] == [13, 13, 11, 11]
    assert len(set(state.legal_moves(3))) == 33


def test_state_json_has_the_documented_keys() -> None:
    scalars = {"seats", "options", "deck", "seed", "ply", "deals", "phase", "phases", "round", "king", "outcome"}
    cards = {"card_number", "card", "pile", "undealt", "discard", "skipped", "held"}
    people = {"coins", "armies", "alive", "sealed", "seals", "award_to"}
    told = {"open_reveal", "last_reveal", "last_round"}
    assert set(GAME.new(4, {}, "keys").to_json()) == scalars | cards | people | told


@pytest.mark.parametrize("kind", ["boost", "gold", "armies", "crown"])
def test_a_deck_of_one_kind_alone_is_played_to_the_end(kind: str) -> None:
    deck = {"strengths": {"swords": [], "helmet": [], "bow": []}, "boost": 0, "gold": 0, "armies": 0, "crown": 0}
    seed = f"nothing but {kind}"
    print("seed", repr(seed))
    dice = random.Random(seed)
    state = GAME.new(6, {"deck": deck | {kind: 51}}, seed)
    while state.outcome() is None:
        state = state.apply(dice.choice(state.legal_moves(min(state.to_move()))))[0]
        assert state.redeal_unseen(2, "redeal").view(2) == state.view(2)
    assert seen(state).last_round.survivors == tuple(range(6))


def test_the_last_pledge_is_forced() -> None:
    assert verbs(GAME)[0] == {"pledge"}
