"""What Sea Change tells a newcomer: what they are after, the signs."""

from __future__ import annotations

from rendering.core.formatting import signed
from rendering.core.labels import Labels
from rendering.sea_change.choices import turns_trump
from rendering.sea_change.fleet import worth
from rules.sea_change import SeaChangeView


def coach(view: SeaChangeView, labels: Labels) -> str:
    """Return the aim and, if the seat is to move, what the trick so far asks for."""
    if view.seats == 1:
        aim = labels.say("coach.aim_solo", target=view.target)
    else:
        aim = labels.say("coach.aim", target=labels.count("victory_points", view.target))
    if view.to_move is None or view.to_move != view.viewer:
        return aim
    if not view.lays:
        return f"{aim} {labels.say('coach.lead' if view.trump else 'coach.lead_first')}"
    points = worth(view, view.lays)
    key = "coach.worth_good" if points > 0 else "coach.worth_bad" if points < 0 else "coach.worth_nothing"
    return f"{aim} {labels.say(key, points=signed(points))}"


def legend(view: SeaChangeView, labels: Labels) -> str:
    """Return the suits' three codes, the badges, the words trump and lead, and the sign of a card that turns the trump
    if the viewer can play one.
    """
    suits = " · ".join(
        f"{labels.say(f'sign.{suit}')} {suit} {labels.say(f'suit.{suit}')}" for suit in sorted(view.suits)
    )
    badges = labels.say("legend.badges", zero=signed(view.zero_points))
    words = [labels.say("legend.words")]
    if any(turns_trump(view, card) for card in view.hand):
        words.append(labels.say("legend.turns"))
    return "\n".join([suits, badges, " ".join(words)])
