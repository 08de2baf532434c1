"""What Siege of Sunfall tells a newcomer: the aim, the signs, the parts of the picture."""

from __future__ import annotations

from rendering.core import lettering, theme
from rendering.core.callouts import Callout
from rendering.core.labels import Labels
from rendering.siege_of_sunfall.narration import card_name
from rendering.siege_of_sunfall.own import TOP, USUAL, columns
from rendering.siege_of_sunfall.scene import ARMIES_AT, CARDS_AT, COINS_AT, cards_of, cards_width, coins_of
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

    The discs lie on the battlements beside those of the players, and on the card's scene, where nothing is written.
    """
    say = labels.say
    seat = view.viewer
    assert seat is not None
    found = []
    if view.card is not None and view.card.strength:
        wide, tall = USUAL.card
        text = say("callout.strength", strength=view.card.strength)
        found.append(Callout(36 + wide * 0.2, TOP + tall * 0.27, wide * 0.3, tall * 0.4, text))
    places = columns(view, labels)
    own = places[seat]
    side = min(106, own.width // 2 - 38)
    words = lettering.width(labels.count("armies", view.armies[seat]), theme.SMALL) // 2 + 14
    coins = lettering.width(coins_of(view, labels, seat), theme.SMALL) // 2 + 8
    cards = cards_width(cards_of(view, seat, own, own.width - 20), own) // 2
    found.append(Callout(own.x + words, own.wall + ARMIES_AT, side - words, -132, say("callout.armies")))
    found.append(Callout(own.x - coins, own.wall + COINS_AT, coins - side - 4, -8, say("callout.coins")))
    if any(view.held[seat][: len(ATTACKERS)]):
        found.append(Callout(own.x + cards, own.wall + CARDS_AT, side - cards, 0, say("callout.sets")))
    sealed = next((other for other in view.sealed if other != seat), None)
    if sealed is not None:
        x, wall = places[sealed].x, places[sealed].wall
        found.append(Callout(x - 84, wall + 14, 84 - side, -30, say("callout.sealed")))
    if view.king != seat:
        x, wall = places[view.king].x, places[view.king].wall
        found.append(Callout(x + 50, wall + 42, side - 50, -58, say("callout.king")))
    return tuple(found)
