"""What Siege of Sunfall tells a newcomer: the aim, the signs, the parts of the picture."""

from __future__ import annotations

from rendering.core import theme
from rendering.core.callouts import Callout
from rendering.core.canvas import WIDTH
from rendering.core.chrome import HEADER_LINE
from rendering.core.labels import Labels
from rendering.siege_of_sunfall.narration import card_name
from rendering.siege_of_sunfall.own import USUAL, columns
from rendering.siege_of_sunfall.scene import (
    ARMIES_AT,
    CARD,
    CARDS_AT,
    CROWN_UP,
    SEAL_AT,
    SEAL_UP,
    score_style,
    score_width,
)
from rules.siege_of_sunfall.types import ATTACKERS, Phase, SiegeView


def coach(view: SiegeView, labels: Labels) -> str:
    """Return the aim and, if the seat is to decide, what its decision is about."""
    aim = labels.say("coach.aim")
    if view.viewer is None or view.viewer not in view.to_move:
        return aim
    return f"{aim} {_now(view, labels)}"


def _now(view: SiegeView, labels: Labels) -> str:
    if view.phase is not Phase.PLEDGE:
        return labels.say(f"coach.{view.phase.value}")
    assert view.card is not None
    if not view.card.strength:
        return labels.say("coach.take", card=card_name(labels, view.card))
    share = -(-view.card.strength // sum(view.alive))
    return labels.say("coach.defend", strength=view.card.strength, share=labels.count("coins", share))


def legend(view: SiegeView, labels: Labels) -> str:
    """Return the signs on the boards, and what red seals and the crown mean."""
    return "\n".join(labels.say(f"legend.{key}") for key in ("stock", "card", "players"))


def callouts(view: SiegeView, labels: Labels) -> tuple[Callout, ...]:
    """Return the parts of a seat's picture: the card's strength, coins, armies, sets, a seal, the King.

    Each disc lies close to its thing, where nothing is written: on the standard, below what the viewer has, and beside
    the purse, the cards, the fist and the crown.
    """
    say, seat = labels.say, view.viewer
    assert seat is not None
    found = []
    if view.card is not None and view.card.strength:
        middle, top, wide = USUAL.card
        text = say("callout.strength", strength=view.card.strength)
        found.append(Callout(middle + wide * 0.28, top + wide * 0.3, 0, 0, text))
    places = columns(view, labels)
    own = places[seat]
    coins = 64 + min(48, 230 // max(1, view.coins[seat] - 1)) * (view.coins[seat] - 1)
    if view.coins[seat]:
        found.append(Callout(WIDTH - theme.MARGIN - coins + 10, HEADER_LINE, -64, 0, say("callout.coins")))
    wide = score_width(labels.count("armies", view.armies[seat]), score_style(view, labels, own))
    x, edge = own.x + wide / 2, own.x + own.width / 2 - 4
    found.append(Callout(x, own.foot + ARMIES_AT + 12, edge - x, CARDS_AT - ARMIES_AT - 36, say("callout.armies")))
    if any(view.held[seat][: len(ATTACKERS)]):
        half = sum(own.px(CARD) for held in view.held[seat] if held) / 2
        found.append(Callout(own.x + 10 - half, own.foot + CARDS_AT, -64, 0, say("callout.sets")))
    sealed = next((other for other in view.sealed if other != seat), None)
    if sealed is not None:
        column = places[sealed].guard
        found.append(
            Callout(column.x + column.px(SEAL_AT) + 16, column.foot - column.px(SEAL_UP), 58, 0, say("callout.sealed"))
        )
    if view.king != seat:
        column = places[view.king].guard
        found.append(Callout(column.x - 26, column.foot - column.px(CROWN_UP[0] + 24), -60, -20, say("callout.king")))
    return tuple(found)
