"""What people may type at a table of Photosynthesis that the rules refuse, and how the answer begins."""

from __future__ import annotations

from collections.abc import Iterator

from rules.photosynthesis.types import BOARD, HEXES, KINDS, LEAVES
from rules.photosynthesis.view import PhotosynthesisView

NO_MOVE = "I do not know that move. For example"
WORDS = (
    "place", "place D8", "place H1", "place A0", "place A 1", "place A1 A2", "buy", "buy tree", "buy 2 seeds",
    "plant A1", "plant A1 D8", "grow", "grow A5", "collect", "collect A1 A2", "end turn", "undo", "pass",
)  # fmt: skip
COLLECTING = 4


def bad(view: PhotosynthesisView) -> Iterator[tuple[str, str]]:
    if view.to_move != view.viewer:
        return
    if not view.round:
        yield from bad_in_setup(view)
        return
    yield "place A1", "The first trees are all placed."
    yield from bad_purchases(view)
    for hex_ in HEXES:
        yield from bad_actions(view, hex_)


def bad_in_setup(view: PhotosynthesisView) -> Iterator[tuple[str, str]]:
    for text in ("end", "buy seed", "grow A1", "collect A1", "plant A1 B1"):
        yield text, "First everyone places two small trees: `place A1`."
    for hex_ in HEXES:
        if LEAVES[hex_] > 1:
            yield f"place {hex_}", f"{hex_} has soil of {LEAVES[hex_]} leaves"
        elif view.at(hex_):
            yield f"place {hex_}", f"{hex_} is not empty"


def bad_purchases(view: PhotosynthesisView) -> Iterator[tuple[str, str]]:
    me = view.viewer
    assert me is not None
    for kind, price in zip(KINDS, view.prices[me], strict=True):
        if price is None:
            yield f"buy {kind}", "You have none of these left to buy"
        elif price > view.light[me]:
            yield f"buy {kind}", f"That costs {price} light, and you have {view.light[me]}."


def bad_actions(view: PhotosynthesisView, hex_: str) -> Iterator[tuple[str, str]]:
    """To grow, to collect and to plant from one hex."""
    me, piece = view.viewer, view.at(hex_)
    assert me is not None
    all_three = (f"grow {hex_}", f"collect {hex_}", f"plant {hex_} {'D4' if hex_ != 'D4' else 'D5'}")
    if hex_ in view.activated:
        yield from ((text, f"You have already used {hex_} this turn.") for text in all_three)
    elif piece is None:
        yield from ((text, f"There is nothing on {hex_}.") for text in all_three)
    elif piece.seat != me:
        yield from ((text, f"{hex_} is not yours: it belongs to another player (") for text in all_three)
    else:
        yield from bad_growth(view, hex_, piece.height)
        if piece.height < 3:
            yield f"collect {hex_}", "You can only collect a large tree"
        elif view.light[me] < COLLECTING:
            yield f"collect {hex_}", f"That costs {COLLECTING} light, and you have {view.light[me]}."
        yield from bad_planting(view, hex_, piece.height)


def bad_growth(view: PhotosynthesisView, hex_: str, height: int) -> Iterator[tuple[str, str]]:
    me = view.viewer
    assert me is not None
    if height == 3:
        yield f"grow {hex_}", f"The tree on {hex_} is fully grown."
    elif view.shade and shadowed(view, hex_, height):
        yield f"grow {hex_}", f"{hex_} is in the shadow of a tree"
    elif not view.hands[me][height + 1]:
        yield f"grow {hex_}", "You have none of these in hand ("
    elif view.light[me] <= height:
        yield f"grow {hex_}", f"That costs {height + 1} light, and you have {view.light[me]}."


def bad_planting(view: PhotosynthesisView, hex_: str, height: int) -> Iterator[tuple[str, str]]:
    me = view.viewer
    assert me is not None
    for target in HEXES:
        text, distance = f"plant {hex_} {target}", BOARD.distance(hex_, target)
        if not height:
            yield text, f"There is only a seed on {hex_}"
        elif view.at(target):
            yield text, f"{target} is not empty"
        elif target in view.activated:
            yield text, f"You have already used {target} this turn."
        elif distance > height:
            yield text, f"{target} is {distance} steps from {hex_}; that tree only reaches {height}."
        elif view.shade and shadowed(view, target, 0):
            yield text, f"{target} is in the shadow of a tree"
        elif not view.hands[me].seed:
            yield text, "You have none of these in hand ("
        elif not view.light[me]:
            yield text, "That costs 1 light, and you have 0."


def shadowed(view: PhotosynthesisView, hex_: str, height: int) -> bool:
    """Whether a piece of that height is, or would be, in shadow there (P11)."""
    return view.shadow[HEXES.index(hex_)] >= max(height, 1)
