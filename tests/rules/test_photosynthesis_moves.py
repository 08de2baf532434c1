"""Photosynthesis: moves counted by hand, notation and refusals, and a naive version that must agree."""

from __future__ import annotations

import json
from collections import Counter
from random import Random

import pytest

from rules.core.game import AnyState, IllegalMove, Json
from rules.photosynthesis import GAME
from rules.photosynthesis.packed import lit_trees
from rules.photosynthesis.planning import turns_of
from rules.photosynthesis.types import BOARD, HEXES, KINDS, LightCollected, Unable
from tests.rules import naive_photosynthesis as naive
from tests.rules.playing import check_words_are_refused, compare, only, verbs
from tests.rules.playing_photosynthesis import (
    ALL,
    COLUMNS,
    hands,
    legal,
    play,
    position,
    refused,
    two_players,
    what,
)

# --- counts by hand


def test_moves_of_a_first_turn_counted_by_hand() -> None:
    """Orange has A1 and D7, 2 light, and 2 seeds, 2 small and 1 medium in hand. A1 has 3 neighbours and D7 3, all
    empty: 6 plantings. Each tree may grow for 2 light: 2. A seed costs 1, a small tree 2, a medium 3, a large 4:
    2 purchases. And `end`: 11. After one purchase of a seed: 1 light left, so no growing and no small tree: 6 + 1 + 1.
    """
    state = two_players()
    assert state.view(None).light == (2, 2)
    assert len(legal(state)) == 6 + 2 + 2 + 1
    assert len(legal(play(state, "buy seed")[0])) == 6 + 1 + 1
    assert len(legal(play(state, "buy small")[0])) == 1


COUNTED: Json = {
    "forest": "C3=O2 D5=O0 F2=O3 D4=B1",
    "hands": hands(1, 1, 0, 0),
    "light": [4, 4],
}
"""Orange: C3 medium, D5 a seed, F2 large. Blue: D4 small. 4 light; a seed and a small tree in hand."""


def test_moves_of_a_middle_position_counted_by_hand() -> None:
    """Collect F2: 1. Grow D5: 1 (C3 needs a large tree). Buy for 1, 2, 3, 4: 4. End: 1.

    Plant from C3: 18 hexes within 2, all on the board; D4 and D5 are taken: 16.
    Plant from F2, within 3: C1 to C4, D1 to D5, E1 to E5, F1 to F5, G1 to G4 are 23; F2, C3, D4, D5 are taken: 19.
    Together 1 + 1 + 16 + 19 + 4 + 1 = 42.
    After planting 3 light and no seed are left: D5 grows, purchases for 1, 2, 3, end: 5.
    """
    state = position(**COUNTED)
    counts = [len(legal(state, verb)) for verb in ("collect", "grow", "plant C3", "plant F2", "buy", "end")]
    assert counts == [1, 1, 16, 19, 4, 1]
    assert len(legal(state)) == 42
    assert legal(play(state, "plant C3 D3")[0]) == ["grow D5", "buy seed", "buy small", "buy medium", "end"]


def test_moves_with_shade_counted_by_hand() -> None:
    """The light travels E. C3 shadows C4 C5, D4 D5, and F2 F3 F4 F5: D5 does not grow; from C3 not C4 nor C5: 14; from
    F2 not C4, F3, F4, F5 (C5 is too far anyway): 15. Together 1 + 0 + 14 + 15 + 4 + 1 = 35."""
    state = position(**COUNTED, shade=True)
    counts = [len(legal(state, verb)) for verb in ("collect", "grow", "plant C3", "plant F2", "buy", "end")]
    assert counts == [1, 0, 14, 15, 4, 1]
    assert len(legal(state)) == 35


def test_legal_moves_keep_an_order() -> None:
    verbs = [text.split()[0] for text in legal(position(**COUNTED))]
    assert list(dict.fromkeys(verbs)) == ["collect", "grow", "plant", "buy", "end"]
    assert legal(position(**COUNTED)) == legal(position(**COUNTED))


# --- buying, words, JSON


def test_buying_refusals() -> None:
    state = position(light=[2, 0], player_boards=[[4, 2, 3, 0], COLUMNS])
    refused(state, "buy small", Unable.TOO_DEAR, price=3, light=2)
    refused(state, "buy medium", Unable.TOO_DEAR, price=3, light=2)
    refused(state, "buy large", Unable.SOLD_OUT, kind="large")
    assert legal(state) == ["buy seed", "end"]


def test_words_that_name_no_move_are_refused() -> None:
    check_words_are_refused(
        GAME,
        "|end now|buy|buy tree|buy seed seed|grow|grow A0|grow A5|grow D8|grow H1|grow D٤|grow D4 D5|growD4|"
        "plant D4|plant D4 D5 D6|plant D4 Z1|plant A5 D4|collect G5|place 1A|place D04|place D4.|undo|harvest D4",
    )


# --- against the naive version


def random_position(random: Random) -> AnyState:
    """Any forest, tokens and columns that a match might come to, and some that are odder, in any round."""
    seats = random.choice(GAME.seats)
    data = GAME.new(seats, {"shade": random.random() < 0.5, "revolutions": random.choice((3, 4))}, "s").to_json()
    left = [list(ALL) for _ in range(seats)]
    board, density = {}, random.uniform(0.1, 0.9)
    for name in HEXES:
        seat, height = random.randrange(seats), random.randrange(4)
        if random.random() < density and left[seat][height]:
            left[seat][height] -= 1
            board[name] = [seat, height]
    columns = [[random.randint(0, min(COLUMNS[k], mine[k])) for k in range(4)] for mine in left]
    mine = [[random.randint(0, left[seat][k] - columns[seat][k]) for k in range(4)] for seat in range(seats)]
    tokens: list[list[list[int]]] = [[] for _ in range(seats)]
    for leaves, pile in enumerate(data["piles"], start=1):
        for _ in range(random.choice((0, random.randint(0, len(pile)), len(pile)))):
            random.choice(tokens).append([leaves, pile.pop(0)])
    light = [random.choice((random.randint(0, 20), random.randint(0, 5), 19)) for _ in range(seats)]
    first, last = random.randrange(seats), 6 * data["options"]["revolutions"]
    number = random.choice((random.randint(1, 17), last))
    if number == last and random.random() < 0.5:  # near a tie
        light, tokens = [random.randint(0, 6) for _ in range(seats)], [[] for _ in range(seats)]
    data |= {
        "round": number,
        "first": first,
        "mover": (first + random.randrange(seats)) % seats,
        "ply": 2 * seats + number,
        "board": board,
        "light": light,
        "hands": mine,
        "player_boards": columns,
        "tokens": tokens,
    }
    return GAME.from_json(json.loads(json.dumps(data)))


def table_of(state: AnyState) -> naive.Table:
    """The position as the naive version keeps it, read from the state's JSON."""
    data = state.to_json()
    return naive.Table(
        forest={name: (owner, height) for name, (owner, height) in data["board"].items()},
        light=list(data["light"]),
        hands=[Counter(dict(zip(naive.KINDS, hand, strict=True))) for hand in data["hands"]],
        boards=[Counter(dict(zip(naive.KINDS, board, strict=True))) for board in data["player_boards"]],
        piles={leaves: list(pile) for leaves, pile in enumerate(data["piles"], start=1)},
        taken=[[points for _, points in tokens if points] for tokens in data["tokens"]],
        sun=(data["round"] - 1) % 6,
        shade=data["options"]["shade"],
        mover=data["mover"],
        acted={name for text in data["turn"] for name in text.split()[1:] if name in naive.HEXES},
    )


def any_text(random: Random) -> str:
    """A move of the notation, most likely an illegal one."""
    one, other = random.choice(HEXES), random.choice(HEXES)
    kind = random.choice(KINDS)
    return random.choice((f"plant {one} {other}", f"grow {one}", f"collect {one}", f"buy {kind}", f"place {one}"))


def agree_for_a_while(state: AnyState, random: Random) -> set[str]:
    """Plays a few moves with both versions; says what happened."""
    table, happened = table_of(state), set[str]()
    for _ in range(random.randint(1, 5)):
        (seat,) = state.to_move()
        assert seat == table.mover
        moves = {str(move): move for move in state.legal_moves(seat)}
        assert set(moves) == naive.legal(table)
        if (text := any_text(random)) not in moves:
            with pytest.raises(IllegalMove):
                state.apply(GAME.parse(seat, text))
        text = random.choice([text for text in moves if random.random() < 0.5 or text == "end"])
        if random.random() < 0.5:  # there are fewer of these, and each says more
            text = random.choice([text for text in moves if text.startswith(("collect", "grow"))] or [text])
        view, soil = state.view(None), naive.leaves(text.split()[1]) if text.startswith("collect") else 0
        state, events = state.apply(moves[text])
        if text != "end":
            naive.act(table, text)
            assert table_of(state) == table
            happened |= what(events, soil, len(table.light))
        elif (seat + 1) % len(table.light) != view.first:
            table.mover, table.acted = (seat + 1) % len(table.light), set()
        elif view.round == view.rounds:
            points = naive.scores(table.light, table.taken)
            outcome = state.outcome()
            assert (list(outcome.scores), outcome.winners) == (points, naive.winners(points, table.forest))
            return happened | {outcome.reason}
        else:
            happened.add("round")
            naive.next_round(table, (view.first + 1) % len(table.light))
            gained = naive.income(table.forest, table.sun, len(table.light))
            assert list(only(events, LightCollected).sunlight.gained) == gained == list(view.forecast)
        assert table_of(state) == table
    assert list(state.view(None).scores) == naive.scores(table.light, table.taken)
    return happened


def test_the_naive_version_agrees(pytestconfig: pytest.Config) -> None:
    ways = {"Bought", "Planted", "Grown", "Collected", "poorer", "worthless", "left the game", "round"}
    compare(
        pytestconfig.getoption("--positions"),
        lambda random: agree_for_a_while(random_position(random), random),
        ways | {"points", "pieces", "shared"},
    )


def test_light_in_every_row_there_is() -> None:
    """All 4^7 rows of pieces on the longest line, with the light along it either way, by the words of the page."""
    for code in range(4**7):
        heights = [code >> 2 * place & 3 for place in range(7)]
        masks = [sum(BOARD.bit[f"D{place + 1}"] for place in range(7) if heights[place] == h) for h in (1, 2, 3)]
        for sun, order in ((0, heights), (3, heights[::-1])):
            expected = sum(
                height
                for place, height in enumerate(order)
                if not any(order[place - d] >= max(d, height) for d in range(1, min(place, 3) + 1))
            )
            small, medium, large = lit_trees(*masks, sun)
            assert small.bit_count() + 2 * medium.bit_count() + 3 * large.bit_count() == expected, (heights, sun)


def test_to_end_the_turn_is_forced_when_nothing_else_can_be_done() -> None:
    assert verbs(GAME)[0] == {"end"}


def test_redeals_share_the_plan_of_a_turn() -> None:
    """They differ in nothing but the seed, and planning takes longer than a hundred playouts."""
    state = GAME.new(2, {}, "plan")
    while state.round.number < 2:
        seat = min(state.to_move())
        state, _ = state.apply(GAME.rollout_move(state, seat, state.ply * 2_654_435_761 % 2**32))
    seat = min(state.to_move())
    plan = turns_of(state, seat)
    assert all(turns_of(state.redeal_unseen(seat, seed), seat) is plan for seed in ("one", "two"))
