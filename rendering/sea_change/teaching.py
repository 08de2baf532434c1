"""What Sea Change tells a newcomer: what they are after, the signs."""

from __future__ import annotations

from rendering.core.formatting import signed
from rendering.core.labels import Labels
from rendering.sea_change.fleet import worth
from rules.sea_change import SeaChangeView


def coach(view: SeaChangeView, labels: Labels) -> str:
    """Return the aim and, if the seat is to move, what the trick so far asks for."""
    aim = labels.say("coach.aim_solo" if view.seats == 1 else "coach.aim", target=view.target)
    if view.to_move is None or view.to_move != view.viewer:
        return aim
    if not view.lays:
        return f"{aim} {labels.say('coach.lead' if view.trump else 'coach.lead_first')}"
    points = worth(view, view.lays)
    key = "coach.worth_good" if points > 0 else "coach.worth_bad" if points < 0 else "coach.worth_nothing"
    return f"{aim} {labels.say(key, points=signed(points))}"


def legend(view: SeaChangeView, labels: Labels) -> str:
    """Return the suits' three codes, the badges, and the words trump and lead."""
    suits = " · ".join(
        f"{labels.say(f'sign.{suit}')} {suit} {labels.say(f'suit.{suit}')}" for suit in sorted(view.suits)
    )
    badges = labels.say("legend.badges", zero=signed(view.zero_points))
    return "\n".join([suits, badges, labels.say("legend.words")])
