"""What Sea Change tells a newcomer: what they are after, the signs, the parts of the picture."""

from __future__ import annotations

from rendering.core.callouts import Callout
from rendering.core.formatting import signed
from rendering.core.labels import Labels
from rendering.sea_change.fleet import shown_trick, worth
from rendering.sea_change.hand import hand_cells, held_places
from rendering.sea_change.narration import suit_with_sign
from rendering.sea_change.picture import MOON_AT
from rendering.sea_change.pieces import HELD, ZERO, points_on
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


def callouts(view: SeaChangeView, labels: Labels) -> tuple[Callout, ...]:
    """Return the parts of a hand: the trump, the victory points, the trick, a value, points on a card."""
    say = labels.say
    found = []
    cells = hand_cells(view)
    if view.trump:
        text = say("callout.trump", suit=suit_with_sign(labels, view.trump))
        found.append(Callout(*MOON_AT, -96, 0, text))
    own = next(cell for cell in cells if cell.player == view.viewer)
    x, bottom = own.left + own.column // 2 + 48, own.card[1] + own.card[3]
    found.append(
        Callout(
            x,
            own.label + 12,
            own.card[0] + own.card[2] - 30 - x,
            bottom + 40 - own.label,
            say("callout.victory", target=view.target),
        )
    )
    lays, _ = shown_trick(view)
    if lays:
        first = next(cell for cell in cells if cell.player == lays[0].player)
        left, top, across, tall = first.card
        key = "callout.trick" if view.lays else "callout.last_trick"
        found.append(Callout(left + across - 22, top + tall - 8, 0, 48, say(key)))
    held = list(zip(view.hand, held_places(view), strict=True))
    x, y = held[0][1]
    found.append(Callout(x + HELD[0] * 0.1, y + HELD[1] * 0.16, -66, 0, say("callout.value")))
    badged = [(card, at) for card, at in held if points_on(view, card)]
    if badged:
        card, (x, y) = badged[-1]
        text = say("callout.points", points=points_on(view, card).rstrip(ZERO))
        found.append(Callout(x + HELD[0] * 0.45, y + HELD[1] * 0.875, 46, 0, text))
    return tuple(found)
