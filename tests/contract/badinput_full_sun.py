"""What people may type at a table of Full Sun that the rules refuse, and how the answer begins."""

from __future__ import annotations

from collections.abc import Iterator

from rules.full_sun.types import FullSunView

NO_MOVE = "I do not know that move. Play a card"
WORDS = ("play", "play B", "B7", "play 7B", "play B0", "play B18", "play W0", "play Weather", "Sun", "play Sun Rain")


def bad(view: FullSunView) -> Iterator[tuple[str, str]]:
    if view.to_move != view.viewer or not view.hand:
        return
    deck = ["Rain", "Sun", *(f"{tree}{number}" for tree in "BRSL" for number in range(1, 18))]
    for card in deck:
        if card not in view.hand:
            yield f"play {card}", f"You do not hold {card}. You may play: "
    if view.lays:
        latest = suit(view.lays[-1].card)
        if any(suit(card) == latest for card in view.hand):
            for card in view.hand:
                if suit(card) != latest:
                    yield f"play {card}", f"You cannot play {card}: follow {latest}, the card just played."


def suit(card: str) -> str:
    return "W" if card in ("Rain", "Sun") else card[0]
