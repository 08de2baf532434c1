"""How a match of Photosynthesis went, once it is over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rendering.core.canvas import Page
from rendering.core.labels import Labels
from rendering.core.story import Honour, Place, Story, best, describe_story, paint_story, ranked
from rendering.photosynthesis import forest
from rendering.photosynthesis.picture import SLUG
from rules.core.game import Event
from rules.photosynthesis import Collected, Grown, PhotosynthesisView, SunMoved


def paint_result(view: PhotosynthesisView, events: Sequence[Event], labels: Labels) -> Page:
    """Return the picture of the story."""
    return paint_story(SLUG, forest.woods, _story(view, events, labels), labels)


def result_text(view: PhotosynthesisView, events: Sequence[Event], labels: Labels) -> str:
    """Return the story in words."""
    return describe_story(_story(view, events, labels), labels)


def _story(view: PhotosynthesisView, events: Sequence[Event], labels: Labels) -> Story:
    won = sorted(view.outcome.winners) if view.outcome else []
    courses = _courses(view, events)
    places = tuple(
        Place((seat,), rank, seat in won, labels.count("points", view.scores[seat]), courses[seat])
        for rank, seat in ranked(view.scores, won)
    )
    reason = view.outcome.reason if view.outcome else ""
    tie = labels.say(f"outcome.{reason}") if reason in ("pieces", "shared") else ""
    rounds = 1 + sum(isinstance(event, SunMoved) for event in events)
    return Story(places, tie, tuple(_honours(view, events, labels)), labels.count("rounds", rounds))


def _courses(view: PhotosynthesisView, events: Sequence[Event]) -> list[tuple[int, ...]]:
    """Return each seat's points at the start, after each round, and at the end, with what its light brings."""
    points = [0] * view.seats
    courses = [[0] for _ in points]
    for event in events:
        if isinstance(event, Collected):
            points[event.seat] += event.token.points
        elif isinstance(event, SunMoved):
            for seat, course in enumerate(courses):
                course.append(points[seat])
    return [(*course, view.scores[seat]) for seat, course in enumerate(courses)]


def _honours(view: PhotosynthesisView, events: Sequence[Event], labels: Labels) -> list[Honour]:
    found = []
    collected = [event for event in events if isinstance(event, Collected)]
    richest = [
        max((one.token.points for one in collected if one.seat == seat), default=0) for seat in range(view.seats)
    ]
    if most := best(richest):
        found.append(Honour(most, labels.say("honour.richest"), labels.count("points", richest[most[0]])))
    trees: Counter[int] = Counter(one.seat for one in collected)
    if most := best([trees[seat] for seat in range(view.seats)]):
        found.append(Honour(most, labels.say("honour.trees"), labels.count("trees", trees[most[0]])))
    grown: Counter[int] = Counter(event.seat for event in events if isinstance(event, Grown))
    if most := best([grown[seat] for seat in range(view.seats)]):
        found.append(Honour(most, labels.say("honour.grown"), labels.count("times", grown[most[0]])))
    return found
