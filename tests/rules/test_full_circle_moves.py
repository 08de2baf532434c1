"""Full Circle: options, notation and refusals, and a second version of the plays that must agree."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from rules.core.game import AnyState, Json, Refusal, Seat
from rules.full_circle import GAME
from rules.full_circle.types import PLACES, DoubleMatched, FullCircled, TrapEnded, TrapSet, Unplayable
from tests.rules import naive_full_circle as naive
from tests.rules.playing import bad_option, check_words_are_refused, some, verbs
from tests.rules.playing_full_circle import COLOURS, DECK, FILLER, do, legal, plays, position, refused

# --- options, notation, refusals


def test_options() -> None:
    (target,) = GAME.options(3, {})
    assert (target.name, target.default) == ("target", 50)
    assert (min(target.values), max(target.values)) == (10, 200)
    for value in target.values:
        assert GAME.new(2, {"target": value}, "seed").view(None).target == value
    assert GAME.new(2, {}, "seed").view(None).target == 50


def test_options_no_deck_table() -> None:
    assert bad_option(GAME.check_deck, {"B": 3}) == "deck"
    assert GAME.check_deck({}) == {}


def test_notation_refused() -> None:
    check_words_are_refused(
        GAME,
        "|play|play RB|play RB XX|play RR TR|play BB TL|play W TR|play W:X TR|play W:RB TR|play R:G TR|"
        "play RBY TR|play RB TR now|give RB|give RB 4|give RB -1|give RB x|give W:G 1|give XX 1|draw 2|stop it|"
        "skip|play ＲＢ TR",
    )


def test_refusals() -> None:
    state = position("RB - - -", ["BY P", "G O"], pile=FILLER)
    assert refused(state, "play BY TR", seat=1).reason is Refusal.OUT_OF_TURN
    assert refused(state, "play BG TR").reason is Unplayable.NOT_IN_HAND
    assert refused(state, "play W:B TR").reason is Unplayable.NOT_IN_HAND
    assert refused(state, "play P TR").reason is Unplayable.NO_MATCH
    assert refused(state, "give P 1").reason is Refusal.NOT_NOW
    assert refused(state, "pass").reason is Unplayable.CAN_PLAY
    assert state.legal_moves(Seat(1)) == state.legal_moves(Seat(7)) == ()


# --- the second version


def random_position(random: Random) -> AnyState:
    """A turn of seat 0 of 3. Two thirds have many a card for a trap or a Full Circle, which are rare otherwise."""
    deck = random.sample(DECK, len(DECK))
    hues = random.sample(COLOURS, 6)
    kind = random.choice(("any", "trap", "full"))
    if kind == "trap":
        deck.sort(key=lambda card: hues[0] not in card and card != "W")
    elif kind == "full":
        two = ("".join(hues[:2]), "".join(hues[2:4]))
        deck.sort(key=lambda card: (card not in two, card == "W" or not set(card) & set(hues[4:])))
    filled = random.sample(range(4), random.choice((1, 2, 3, 3, 4, 4, 4)))
    circle = ["-"] * 4
    for place in filled:
        circle[place] = random.choice(naive.faces(deck.pop(0)))
    hands = [[deck.pop(0) for _ in range(4)], [deck.pop() for _ in range(3)], [deck.pop() for _ in range(3)]]
    standing = [c for c in COLOURS if all(face != "-" and c in naive.shown(face) for face in circle)]
    setter = random.choice((0, 2))
    fields: Json = {"phase": "turn", "trap": None, "barred": [random.choice((0, 0, 0, 1)), 0, 0]}
    if random.random() < 0.3:
        if setter:
            fields["trap"] = {"colour": hues[0], "setter": 2}
        elif standing:
            fields |= {"phase": "double", "trap": {"colour": standing[0], "setter": 0}, "barred": [2, 0, 0]}
    elif random.random() < 0.3:
        fields["phase"] = random.choice(("double", "full"))
    if not (fields["trap"] and fields["phase"] == "double"):
        fields["marker"] = random.choice((None, *(PLACES[place] for place in filled)))
    pile = " ".join(random.sample(deck, len(deck)))
    return position(" ".join(circle), [" ".join(hand) for hand in hands], pile=pile, **fields)


def naive_plays(state: AnyState) -> set[str]:
    data = state.to_json()
    circle = [stack[-1] if stack else None for stack in data["circle"]]
    marker = PLACES.index(data["marker"]) if data["marker"] else None
    trap = data["trap"]
    duty = trap["colour"] if trap and trap["setter"] != 0 and data["phase"] == "turn" else ""
    return {
        f"{face} {PLACES[place]}"
        for card in data["hands"][0]
        for face in naive.faces(card)
        for place in range(4)
        if naive.fits(circle, marker, place, face) and duty in naive.shown(face)
    }


def agree_on(state: AnyState, play: str) -> set[str]:
    """Both versions say the same of the play; what it brings about."""
    data = state.to_json()
    circle = [stack[-1] if stack else None for stack in data["circle"]]
    face, name = play.split()
    place = PLACES.index(name)
    double, full = naive.double_match(circle, place, face), naive.full_circle(circle, place, face)
    trap = data["trap"]
    sets = naive.trap(circle, place, face) if not trap and not data["barred"][0] and not naive.is_wild(face) else None
    frees = bool(trap) and trap["setter"] == 0 and naive.frees(circle, place, face, trap["colour"])
    assert not (double and full)
    move = GAME.parse(Seat(0), f"play {play}")
    assert tuple(state.view(Seat(0)).effects_of(move)) == (double, full, sets, frees)
    after, events = state.apply(move)
    assert bool(some(events, DoubleMatched)) == double
    assert bool(some(events, FullCircled)) == full
    assert [event.colour for event in some(events, TrapSet)] == ([sets] if sets else [])
    assert [event.freed for event in some(events, TrapEnded)] == [True] * frees
    view = after.view(None)
    stands = sets or (trap["colour"] if trap and not frees else None)
    assert (view.trap and view.trap.colour) == stands
    assert view.marker == (None if stands and view.trap.setter == 0 else name)
    assert (view.to_move, view.phase) == ((0, "double" if double else "full") if double or full else (1, "turn"))
    kinds = {"double": double, "full": full, "trap": sets, "frees": frees, "double trap": double and sets}
    return {kind for kind, happened in kinds.items() if happened}


def test_plays_counted_by_hand() -> None:
    """Over RB alone, a card fits at TR with B on its counter-clockwise edge, at BL with R on its clockwise one; nothing
    filled touches BR or TL. So BY goes to TR, R to BL, and a wild as B to TR or as R to BL: 1 + 1 + 2.

    Then seat 1 has YG, Y and a wild. After BY at TR: BR needs Y first (YG, Y, wild), TL needs B last (wild), BL R last
    (wild): 5. After R at BL: TL needs R first, TR B first, BR R last: the wild, three ways. After the wild at TR: TL
    needs B last, BR B first, BL R last: 3. After the wild at BL: TL needs R first, TR B first, BR R last: 3.
    """
    start = position("RB - - -", ["BY R W", "YG Y W"], pile=FILLER)
    counts = {text: len(legal(do(start, text)[0])) for text in legal(start)}
    assert counts == {"play BY TR": 5, "play R BL": 3, "play W:B TR": 3, "play W:R BL": 3}
    assert legal(do(start, "play BY TR")[0]) == {
        "play YG BR", "play Y BR", "play W:Y BR", "play W:B TL", "play W:R BL",
    }  # fmt: skip


def test_a_second_version_agrees(pytestconfig: pytest.Config) -> None:
    seed = Random().randrange(2**32)
    print(f"seed {seed}")
    random = Random(seed)
    seen: Counter[str] = Counter()
    most, kinds = pytestconfig.getoption("--positions"), ("double", "full", "trap", "frees", "double trap")
    for number in range(10 * most):
        if number >= most and all(seen[kind] for kind in kinds):  # a thousand positions may lack the rarest kind
            break
        state = random_position(random)
        expected = naive_plays(state)
        assert plays(state) == expected
        assert {str(play).removeprefix("play ") for play in state.view(Seat(0)).plays()} == expected
        for play in sorted(expected):
            seen.update(agree_on(state, play))
    print(dict(seen))
    assert all(seen[kind] for kind in kinds)


def test_a_player_draws_if_and_only_if_no_card_can_be_played() -> None:
    forced, free = verbs(GAME)
    assert "draw" in forced
    assert "draw" not in free
