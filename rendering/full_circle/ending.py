"""How a match of Full Circle went, once it is over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rendering.core.canvas import Page
from rendering.core.labels import Labels
from rendering.core.story import Honour, Place, Story, best, describe_story, paint_story, ranked
from rendering.full_circle.circle import board
from rendering.full_circle.narration import winners
from rendering.full_circle.picture import SLUG
from rules.core.game import Event
from rules.full_circle import FullCircleView
from rules.full_circle.types import DoubleMatched, FullCircled, RoundScored, TrapSet


def paint_result(view: FullCircleView, events: Sequence[Event], labels: Labels) -> Page:
    """Return the picture of the story."""
    return paint_story(SLUG, board, _story(view, events, labels), labels)


def result_text(view: FullCircleView, events: Sequence[Event], labels: Labels) -> str:
    """Return the story in words."""
    return describe_story(_story(view, events, labels), labels)


def _story(view: FullCircleView, events: Sequence[Event], labels: Labels) -> Story:
    rounds = [event for event in events if isinstance(event, RoundScored)]
    won = sorted(winners(view))
    places = tuple(
        Place(
            (seat,),
            rank,
            seat in won,
            labels.count("points", view.totals[seat]),
            (0, *(scored.result.totals[seat] for scored in rounds)),
        )
        for rank, seat in ranked([-total for total in view.totals], won)
    )
    tie = labels.say("outcome.play_off") if view.outcome and view.outcome.reason == "play_off" else ""
    return Story(places, tie, tuple(_honours(view, events, labels)), labels.count("rounds", len(rounds)))


def _honours(view: FullCircleView, events: Sequence[Event], labels: Labels) -> list[Honour]:
    found = []
    for key, kind in (("circles", FullCircled), ("doubles", DoubleMatched), ("traps", TrapSet)):
        counts: Counter[int] = Counter(event.seat for event in events if isinstance(event, kind))
        if most := best([counts[seat] for seat in range(view.seats)]):
            found.append(Honour(most, labels.say(f"honour.{key}"), labels.count("times", counts[most[0]])))
    return found
