"""How a match of Full Sun went, once it is over."""

from __future__ import annotations

from collections.abc import Sequence

from rendering.core.labels import Labels
from rendering.core.story import Honour, Story, courses, honour, places, reason
from rendering.full_sun.narration import winners
from rules.core.game import Event
from rules.full_sun import FullSunView, RoundScored


def story(view: FullSunView, events: Sequence[Event], labels: Labels) -> Story:
    """Return the story of the match."""
    rounds = [event for event in events if isinstance(event, RoundScored)]
    return Story(
        places(
            view.points,
            [labels.count("points", points) for points in view.points],
            courses([scored.points for scored in rounds], view.seats),
            winners(view),
        ),
        reason(view.outcome, ("tie_break", "shared"), labels),
        _honours(view, rounds, labels),
        labels.count("rounds", len(rounds)),
    )


def _honours(view: FullSunView, rounds: Sequence[RoundScored], labels: Labels) -> tuple[Honour, ...]:
    results = [scored.result for scored in rounds]
    tallest, most, near = [], [], []
    for seat in range(view.seats):
        tallest.append(max((result.pips[seat] for result in results if seat in result.scored), default=0))
        most.append(max((result.tricks[seat] for result in results), default=0))
        near.append(sum(abs(result.tricks[seat] - result.pips[seat]) == 1 for result in results))
    return (
        *honour(labels, "tallest", tallest, "tricks"),
        *honour(labels, "hungriest", most, "tricks"),
        *honour(labels, "nearest", near, "times"),
    )
