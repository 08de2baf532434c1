"""What Siege of Sunfall tells a newcomer: the aim, the signs, the parts of the picture."""

from __future__ import annotations

from rendering.core import lettering, theme
from rendering.core.callouts import Callout
from rendering.core.canvas import WIDTH
from rendering.core.labels import Labels
from rendering.siege_of_sunfall.narration import card_name
from rendering.siege_of_sunfall.picture import CARD_AT, OWN_TOP, PANEL, rival_boxes
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
    """Return the parts of a seat's picture: the card's strength, coins, armies, sets, a seal, the King."""
    say = labels.say
    seat = view.viewer
    assert seat is not None
    found = []
    if view.card is not None and view.card.strength:
        text = say("callout.strength", strength=view.card.strength)
        found.append(Callout(CARD_AT[0] + 90, CARD_AT[1] + 56, 0, 150, text))
    figures = OWN_TOP + 76
    armies = PANEL + 112 + lettering.width(labels.count("armies", view.armies[seat]), theme.SMALL)
    found.append(Callout(armies - 20, figures - 18, 390, -22, say("callout.armies")))
    found.append(Callout(armies + 100, figures, 190, 6, say("callout.coins")))
    if any(view.held[seat][: len(ATTACKERS)]):
        found.append(Callout(WIDTH - theme.MARGIN - 60, OWN_TOP + 54, 0, 76, say("callout.sets")))
    boxes = rival_boxes(view)
    sealed = next((other for other in view.sealed if other in boxes), None)
    if sealed is not None:
        x, y, _ = boxes[sealed]
        found.append(Callout(x + 90 if sealed != view.king else x + 24, y + 86, 130, 0, say("callout.sealed")))
    if view.king in boxes:
        x, y, _ = boxes[view.king]
        alone = theme.MARGIN < x < WIDTH // 2 - theme.MARGIN  # a strip in the middle has room at its left
        found.append(Callout(x + 88, y + 84, -190 if alone else 300, 0, say("callout.king")))
    return tuple(found)
