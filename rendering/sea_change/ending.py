"""How a match of Sea Change went, once it is over."""

from __future__ import annotations

from collections.abc import Sequence

from rendering.core.labels import Labels
from rendering.core.story import Honour, Story, courses, honour, places, reason
from rendering.sea_change.narration import match_winners
from rules.core.game import Event
from rules.sea_change import SeaChangeView
from rules.sea_change.types import RoundScored, SeaChanged


def story(view: SeaChangeView, events: Sequence[Event], labels: Labels) -> Story:
    """Return the story of the match. A place is a side: a team, or a player."""
    rounds = [event for event in events if isinstance(event, RoundScored)]
    numbers = sorted(set(view.sides))
    sides = [tuple(player for player, side in enumerate(view.sides) if side == number) for number in numbers]
    totals = [view.victory_points[number] for number in numbers]
    return Story(
        places(
            totals,
            [labels.count("victory_points", total) for total in totals],
            courses([[scored.victory_points[number] for number in numbers] for scored in rounds], len(sides)),
            {at for at, players in enumerate(sides) if match_winners(view).issuperset(players)},
            sides,
        ),
        reason(view.outcome, ("tie_zero", "tie_cards", "shared"), labels),
        _honours(view, events, sides, labels),
        labels.count("rounds", len(rounds)),
    )


def _honours(
    view: SeaChangeView, events: Sequence[Event], sides: Sequence[tuple[int, ...]], labels: Labels
) -> tuple[Honour, ...]:
    changers = [event.player for event in events if isinstance(event, SeaChanged)]
    rounds = [event.result.points for event in events if isinstance(event, RoundScored)]
    numbers = [view.sides[players[0]] for players in sides]
    richest = [max((points[number] for points in rounds), default=0) for number in numbers]
    deepest = [-min((points[number] for points in rounds), default=0) for number in numbers]
    return (
        *honour(labels, "changes", [changers.count(player) for player in range(len(view.sides))], "times"),
        *honour(labels, "richest", richest, "points", sides),
        *honour(labels, "deepest", deepest, "points", sides, negative=True),
    )
