"""What people may type at a table of Full Circle that the rules refuse, and how the answer begins."""

from __future__ import annotations

from collections.abc import Iterator

from rules.core.game import AnyState
from rules.full_circle import GAME
from rules.full_circle.types import PLACES, Phase
from rules.full_circle.view import FullCircleView

NO_MOVE = "I do not know that move. For example"
WORDS = (
    "play", "play RB", "play TR RB", "play RB XX", "play RX TL", "play W TL", "play W:W TL", "play RB:G TL",
    "play RR TL", "draw 2", "give RB", "give 2 RB", "give W:G 1", "stop it", "passe", "RB TL",
)  # fmt: skip
CARDS = ("W", *"BRYGOP", *(a + b for a in "BRYGOP" for b in "BRYGOP" if a != b))

NOT_NOW = "You cannot do that now."


def positions() -> Iterator[AnyState]:
    """One that few matches come to: nothing fits, the pile is empty, and nothing is covered (F13)."""
    rest = sorted([*"BRYGOP" * 2, *CARDS[7:], *"W" * 6])
    for card in "BBGGRR":
        rest.remove(card)
    position = {"hands": [["R", "R"], rest], "circle": [["B"], ["B"], ["G"], ["G"]], "marker": "TL", "pile": []}
    yield GAME.from_json({**GAME.new(2, {}, "nothing left").to_json(), **position, "mover": 0, "known": [], "sunk": 0})


def bad(view: FullCircleView) -> Iterator[tuple[str, str]]:
    if view.to_move != view.viewer:
        return
    if view.drawn:
        drawn = f"You drew {view.drawn}. It fits, so you must play it."
        yield from (
            (text, drawn) for text in ("draw", "pass", *(f"play {face(c)} TL" for c in view.hand if c != view.drawn))
        )
        yield "stop", NOT_NOW
        return
    for card in CARDS:
        if card not in view.hand:
            yield f"play {face(card)} BR", f"You do not hold {card}."
    yield from bad_plays(view)
    if view.phase is Phase.TURN:
        yield from bad_without_a_play(view)
        yield from ((text, NOT_NOW) for text in ("stop", *(f"give {card} 0" for card in view.hand)))
        return
    yield from ((text, NOT_NOW) for text in ("draw", "pass"))
    others = [seat for seat in view.players if seat != view.viewer]
    if view.phase is Phase.FULL:
        for to in {0, 1, 2, 3}.difference(others):
            yield f"give {view.hand[0]} {to}", "You can only give a card to another player of this round."
        for card in set(CARDS) - set(view.hand):
            yield f"give {card} {others[0]}", f"You do not hold {card}."
    else:
        yield f"give {view.hand[0]} {others[0]}", NOT_NOW


def face(card: str) -> str:
    """The card as somebody would play it."""
    return "W:G" if card == "W" else card


def bad_plays(view: FullCircleView) -> Iterator[tuple[str, str]]:
    """Cards of the hand to where they do not fit: by the marker, by a trap, by their colours."""
    legal = {str(play) for play in view.plays()}
    for card in view.hand:
        for place in PLACES:
            text = f"play {face(card)} {place}"
            if text in legal:
                continue
            trapped = view.trap is not None and view.trap.setter != view.viewer and view.phase is Phase.TURN  # F11
            if place == view.marker:
                yield text, f"{place} is locked: you cannot cover that card now."
            elif trapped and view.trap is not None and view.trap.colour not in face(card)[-2:]:
                yield text, f"There is a Colour Trap: {face(card)} does not show {view.trap.colour}."
            else:
                yield text, f"{face(card)} does not match its neighbours at {place}."


def bad_without_a_play(view: FullCircleView) -> Iterator[tuple[str, str]]:
    """To draw and to pass, for those who can play, who can draw, and who can do neither."""
    if view.plays():
        yield from ((text, "You have a card that fits, so you must play one.") for text in ("draw", "pass"))
    elif view.pile or any(quadrant and quadrant.covered for quadrant in view.circle):
        yield "pass", "You cannot pass: there is still a card to draw."
    else:
        yield "draw", "There is nothing left to draw. You can only pass."
