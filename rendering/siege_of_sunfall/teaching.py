"""What Siege of Sunfall tells a newcomer: the aim, the signs, the parts of the picture."""

from __future__ import annotations

from rendering.core.callouts import Callout
from rendering.core.labels import Labels
from rendering.siege_of_sunfall.narration import card_name
from rendering.siege_of_sunfall.own import USUAL, columns
from rendering.siege_of_sunfall.pieces import sprite_of
from rendering.siege_of_sunfall.scene import (
    ARM_AT,
    ARM_FOOT,
    CARD,
    CARDS_AT,
    CROWN_UP,
    GOODS_AT,
    goods_places,
    goods_style,
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

    The discs lie on the standard, on the wall beside the guards, and beside the cards, where nothing is written.
    """
    say, seat = labels.say, view.viewer
    assert seat is not None
    found = []
    if view.card is not None and view.card.strength:
        middle, top, wide = USUAL.card
        text = say("callout.strength", strength=view.card.strength)
        found.append(Callout(middle - wide * 0.2, top + wide * 0.42, -wide * 0.17, wide * 0.4, text))
    places = columns(view, labels)
    own, styled = places[seat], goods_style(view, labels, places)
    y, down, aside = own.foot + GOODS_AT, -own.px(GOODS_AT + 66), min(104, own.width // 2 - 38)
    for sign, _, left in goods_places(view, labels, seat, own, styled):
        is_coin = sign is sprite_of("coin", own.px(40))
        thing, side = left + sign.size[0] / 2, -aside if is_coin else aside
        found.append(
            Callout(thing, y - 12, own.x + side - thing, down, say("callout.coins" if is_coin else "callout.armies"))
        )
    if any(view.held[seat][: len(ATTACKERS)]):
        half = sum(own.px(CARD) for held in view.held[seat] if held) / 2
        found.append(Callout(own.x + half - 10, own.foot + CARDS_AT, 64, 0, say("callout.sets")))
    sealed = next((other for other in view.sealed if other != seat), None)
    if sealed is not None:
        column = places[sealed].guard
        x, y = column.x + column.px(ARM_AT + 12), column.foot - column.px(ARM_FOOT + 26)
        found.append(Callout(x + 16, y - 10, 52, -62, say("callout.sealed")))
    if view.king != seat:
        column = places[view.king].guard
        found.append(Callout(column.x - 26, column.foot - column.px(CROWN_UP[0] + 24), -66, -34, say("callout.king")))
    return tuple(found)
