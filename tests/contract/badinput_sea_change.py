"""What people may type at a table of Sea Change that the rules refuse, and how the answer begins."""

from __future__ import annotations

from collections.abc import Iterator

from rules.sea_change.types import SeaChangeView

NO_MOVE = "I do not know that move. Play a card"
WORDS = (
    *("play", "play B", "B9", "play 9B", "play B99", "play B-1", "play T5", "play B9 B10", "draw", "pass"),
    "play Bl ue",
)


def bad(view: SeaChangeView) -> Iterator[tuple[str, str]]:
    if view.to_move != view.viewer or not view.hand:
        return
    suits = "".join(view.suits)
    for card in (f"{suit}{value}" for suit in suits for value in view.values):
        if card not in view.hand:
            yield f"play {card}", f"You do not hold {card}."
    for suit in set("BGRPY") - set(suits):
        yield f"play {suit}0", f"You do not hold {suit}0."
    if view.lays:
        led, latest = view.lays[0].card[0], view.lays[-1].card
        if any(card[0] == led for card in view.hand):
            for card in view.hand:
                if card[0] != led and card[1:] != latest[1:]:
                    yield f"play {card}", f"You cannot play {card}: follow {led}, or"
