"""How a match of Full Circle went, once it is over."""

from __future__ import annotations

from collections.abc import Sequence

from rendering.core.labels import Labels
from rendering.core.story import Honour, Story, courses, honour, places, reason
from rendering.full_circle.narration import winners
from rules.core.game import Event
from rules.full_circle import FullCircleView
from rules.full_circle.types import DoubleMatched, FullCircled, RoundScored, TrapSet


def story(view: FullCircleView, events: Sequence[Event], labels: Labels) -> Story:
    """Return the story of the match: the lowest total wins."""
    rounds = [event.result.totals for event in events if isinstance(event, RoundScored)]
    return Story(
        places(
            [-total for total in view.totals],
            [labels.count("points", total) for total in view.totals],
            courses(rounds, view.seats),
            winners(view),
        ),
        reason(view.outcome, ("lowest", "play_off"), labels),
        _honours(view, events, labels),
        labels.count("rounds", len(rounds)),
        lowest_wins=True,
    )


def _honours(view: FullCircleView, events: Sequence[Event], labels: Labels) -> tuple[Honour, ...]:
    def times(kind: type[FullCircled | DoubleMatched | TrapSet]) -> list[int]:
        return [sum(isinstance(event, kind) and event.seat == seat for event in events) for seat in range(view.seats)]

    return (
        *honour(labels, "circles", times(FullCircled), "times"),
        *honour(labels, "doubles", times(DoubleMatched), "times"),
        *honour(labels, "traps", times(TrapSet), "times"),
    )
