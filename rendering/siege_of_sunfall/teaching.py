"""What Siege of Sunfall tells a newcomer: the aim, the signs."""

from __future__ import annotations

from rendering.core.labels import Labels
from rendering.siege_of_sunfall.narration import card_name
from rules.siege_of_sunfall.types import Phase, SiegeView


def coach(view: SiegeView, labels: Labels) -> str:
    """Return the aim and, if the seat is to decide, what its decision is about."""
    aim = labels.say("coach.aim")
    if view.viewer is None or view.viewer not in view.to_move:
        return aim
    return f"{aim}\n{_now(view, labels)}"


def _now(view: SiegeView, labels: Labels) -> str:
    if view.phase is not Phase.PLEDGE:
        return labels.say(f"coach.{view.phase.value}")
    assert view.card is not None
    if not view.card.strength:
        return labels.say("coach.take", card=card_name(labels, view.card))
    share = -(-view.card.strength // sum(view.alive))
    return labels.say("coach.defend", strength=view.card.strength, share=labels.count("coins", share))


def legend(view: SiegeView, labels: Labels) -> str:
    """Return the signs on the boards, on the card that is there, and what red seals and the crown mean."""
    keys = ["stock", "sets", "players", "crown"]
    if view.card is not None:
        keys.append("card" if view.card.strength else "bring")
    if view.last_reveal is not None:
        keys.append("last")
    return "\n".join(labels.say(f"legend.{key}") for key in keys)
