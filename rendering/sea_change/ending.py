"""How a match of Sea Change went, and what stands for a score after a round."""

from __future__ import annotations

from collections.abc import Sequence

from rendering.core.art import art, cut, toned
from rendering.core.canvas import Page
from rendering.core.discs import disc
from rendering.core.labels import Labels
from rendering.core.race import Lane, Marks
from rendering.core.story import Honour, Story, honour, places, reason
from rendering.sea_change.fleet import BADGE, HEADS, WATERLINE, ship
from rendering.sea_change.narration import match_winners
from rendering.sea_change.stage import LIGHTS, SLUG
from rules.core.game import Event
from rules.sea_change.types import RoundScored, SeaChanged, SeaChangeView


def story(view: SeaChangeView, events: Sequence[Event], labels: Labels) -> Story:
    """Return the story of the match. A place is a side: a team, or a player."""
    rounds = [event for event in events if isinstance(event, RoundScored)]
    numbers = sorted(set(view.sides))
    sides = [tuple(player for player, side in enumerate(view.sides) if side == number) for number in numbers]
    won, totals = match_winners(view), [view.victory_points[number] for number in numbers]
    return Story(
        places(
            labels,
            "victory_points",
            totals,
            [[scored.victory_points[number] for number in numbers] for scored in rounds],
            {at for at, players in enumerate(sides) if won.issuperset(players)},
            sides,
        ),
        reason(view.outcome, ("tie_zero", "tie_cards", "shared"), labels),
        _honours(view, events, sides, labels),
        labels.count("rounds", len(rounds)),
        goal=view.target,
        rounds_are_won=True,
        goal_said=labels.say("picture.first_to", points=labels.count("victory_points", view.target)),
    )


def _honours(
    view: SeaChangeView, events: Sequence[Event], sides: Sequence[tuple[int, ...]], labels: Labels
) -> tuple[Honour, ...]:
    changers = [event.player for event in events if isinstance(event, SeaChanged)]
    rounds = [event.result.points for event in events if isinstance(event, RoundScored)]
    numbers = [view.sides[players[0]] for players in sides]
    richest = [max((points[number] for points in rounds), default=0) for number in numbers]
    return (
        *honour(labels, "changes", [changers.count(player) for player in range(len(view.sides))], "times"),
        *honour(labels, "richest", richest, "points", sides),
    )


DOCK = 114
"""The height of the dock at which boats lie, on which their score and their names stand."""


def place_score(page: Page, labels: Labels, lane: Lane) -> Marks:
    """Place a side's boats on their way to the buoy, whose lanterns are lit for each victory point."""
    count = len(lane.place.seats)
    dock = cut(art(f"{SLUG}/rail"), lane.width - 14, DOCK)
    page.place(toned(dock, LIGHTS["Y"].wood), lane.x, lane.foot + 2, "mt")
    wide = min(270, lane.room, round(lane.width * (0.74 if count == 1 else 0.54)))
    far = (lane.width - wide - 70 if count == 1 else 0) * lane.part
    start, end = lane.x - lane.width / 2 + 10, lane.x + lane.width / 2 - 10
    for number, seat in enumerate(lane.place.seats):
        x = start + wide / 2 + far + number * (lane.width - 20 - wide) / max(1, count - 1)
        boat = art(ship(labels, seat), wide)
        high = boat.size[1]
        top = lane.foot - round(high * WATERLINE)
        lane.lay(page, boat, x, top + high)
        page.place(disc(labels, seat, round(wide * 0.36)), x + wide * (BADGE[0] - 0.5), top + high * BADGE[1], "mm")
    head = HEADS[labels.disc(seat) % len(HEADS)]
    lane.lay(page, art(f"{SLUG}/buoy", 52), end - 22, lane.foot + 6, glows=False)
    step = (end - start - 60) / lane.goal
    for point in range(lane.goal):
        lamp = art(f"{SLUG}/lamp_{'lit' if point < lane.score else 'dark'}", 40)
        page.place(lamp, start + step * (point + 0.5), lane.foot + 12, "mm")
    return Marks((x + wide * 0.02, top + high * head + 6), (x + wide * 0.2, lane.foot - 40))
