"""What Sea Change tells a newcomer: what they are after, the signs."""

from __future__ import annotations

from rendering.core.formatting import signed
from rendering.core.labels import Labels
from rendering.sea_change.choices import trump, turns_trump
from rendering.sea_change.fleet import worth
from rendering.sea_change.narration import suit_with_sign
from rules.sea_change.types import SeaChangeView


def coach(view: SeaChangeView, labels: Labels) -> str:
    """Return the aim and, if the seat is to move, what the trick so far asks for."""
    if view.seats == 1:
        aim = labels.say("coach.aim_solo", target=view.target)
    else:
        aim = labels.say("coach.aim", target=labels.count("victory_points", view.target))
    if view.to_move is None or view.to_move != view.viewer:
        return aim
    if not view.lays:
        now = labels.say("coach.lead" if view.trump else "coach.lead_first", trump=trump(view, labels))
        return f"{aim}\n{now}"
    points = worth(view, view.lays)
    key = "coach.worth_good" if points > 0 else "coach.worth_bad" if points < 0 else "coach.worth_nothing"
    lead, value = suit_with_sign(labels, view.lays[0].card[0]), view.lays[-1].card[1:]
    now = labels.say("coach.follow", lead=lead, value=value, worth=labels.say(key, points=signed(points)))
    return f"{aim}\n{now}"


def legend(view: SeaChangeView, labels: Labels) -> str:
    """Return the suits' three codes, the badges that cards here have, the trick and the trump, and the sign of a card
    that turns the trump if the viewer can play one.
    """
    values = {int(card[1:]) for card in (*view.hand, *(lay.card for lay in view.lays))}
    lines = [
        " · ".join(f"{labels.say(f'sign.{suit}')} {suit} {labels.say(f'suit.{suit}')}" for suit in sorted(view.suits)),
        labels.say("legend.trick"),
        labels.say("legend.trump"),
        labels.say("legend.points"),
    ]
    if any(dict(view.points_by_value).get(value) for value in values):
        lines.append(labels.say("legend.badges"))
    if 0 in values and view.zero_points:
        lines.append(labels.say("legend.pearl", zero=signed(view.zero_points)))
    if any(turns_trump(view, card) for card in view.hand):
        lines.append(labels.say("legend.turns"))
    return "\n".join(lines)
