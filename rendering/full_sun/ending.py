"""How a match of Full Sun went, once it is over."""

from __future__ import annotations

from collections.abc import Sequence

from rendering.core.canvas import Page
from rendering.core.labels import Labels
from rendering.core.story import Honour, Place, Story, best, describe_story, paint_story, ranked
from rendering.full_sun.narration import winners
from rendering.full_sun.pieces import SLUG, forest
from rules.core.game import Event
from rules.full_sun import FullSunView, RoundScored


def paint_result(view: FullSunView, events: Sequence[Event], labels: Labels) -> Page:
    """Return the picture of the story."""
    return paint_story(SLUG, forest, _story(view, events, labels), labels)


def result_text(view: FullSunView, events: Sequence[Event], labels: Labels) -> str:
    """Return the story in words."""
    return describe_story(_story(view, events, labels), labels)


def _story(view: FullSunView, events: Sequence[Event], labels: Labels) -> Story:
    rounds = [event for event in events if isinstance(event, RoundScored)]
    won = sorted(winners(view))
    places = tuple(
        Place(
            (seat,),
            rank,
            seat in won,
            labels.count("points", view.points[seat]),
            (0, *(scored.points[seat] for scored in rounds)),
        )
        for rank, seat in ranked(view.points, won)
    )
    reason = view.outcome.reason if view.outcome else ""
    tie = labels.say(f"outcome.{reason}") if reason in ("tie_break", "shared") else ""
    return Story(places, tie, tuple(_honours(view, rounds, labels)), labels.count("rounds", len(rounds)))


def _honours(view: FullSunView, rounds: Sequence[RoundScored], labels: Labels) -> list[Honour]:
    found = []
    tallest = [
        max((scored.result.pips[seat] for scored in rounds if seat in scored.result.scored), default=0)
        for seat in range(view.seats)
    ]
    if most := best(tallest):
        found.append(Honour(most, labels.say("honour.tallest"), labels.count("tricks", tallest[most[0]])))
    taken = [max((scored.result.tricks[seat] for scored in rounds), default=0) for seat in range(view.seats)]
    if most := best(taken):
        found.append(Honour(most, labels.say("honour.hungriest"), labels.count("tricks", taken[most[0]])))
    near = [
        sum(abs(scored.result.tricks[seat] - scored.result.pips[seat]) == 1 for scored in rounds)
        for seat in range(view.seats)
    ]
    if most := best(near):
        found.append(Honour(most, labels.say("honour.nearest"), labels.count("times", near[most[0]])))
    return found
