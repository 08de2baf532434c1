"""How a match of Photosynthesis went, once it is over."""

from __future__ import annotations

from collections.abc import Sequence

from rendering.core.labels import Labels
from rendering.core.story import Honour, Story, honour, places, reason
from rules.core.game import Event
from rules.photosynthesis import Collected, Grown, PhotosynthesisView, SunMoved


def story(view: PhotosynthesisView, events: Sequence[Event], labels: Labels) -> Story:
    """Return the story of the match. Light brings points at its end alone (P12): until then they can still be spent."""
    courses = _courses(view, events)
    scores = [course[-1] for course in courses]
    return Story(
        places(
            scores,
            [labels.count("points", score) for score in scores],
            courses,
            view.outcome.winners if view.outcome else (),
        ),
        reason(view.outcome, ("pieces", "shared"), labels),
        _honours(view, events, labels),
        labels.count("rounds", 1 + sum(isinstance(event, SunMoved) for event in events)),
    )


def _courses(view: PhotosynthesisView, events: Sequence[Event]) -> list[tuple[int, ...]]:
    """Return each seat's points at the start and after each round; of a match that is over also at the end, with what
    its light brings.
    """
    points = [0] * view.seats
    courses = [[0] for _ in points]
    for event in events:
        if isinstance(event, Collected):
            points[event.seat] += event.token.points
        elif isinstance(event, SunMoved):
            for seat, course in enumerate(courses):
                course.append(points[seat])
    return [(*course, view.scores[seat]) if view.outcome else tuple(course) for seat, course in enumerate(courses)]


def _honours(view: PhotosynthesisView, events: Sequence[Event], labels: Labels) -> tuple[Honour, ...]:
    collected = [event for event in events if isinstance(event, Collected)]
    growers: list[int] = [event.seat for event in events if isinstance(event, Grown)]
    richest, trees, grown = [], [], []
    for seat in range(view.seats):
        own = [event.token.points for event in collected if event.seat == seat]
        richest.append(max(own, default=0))
        trees.append(len(own))
        grown.append(growers.count(seat))
    return (
        *honour(labels, "richest", richest, "points"),
        *honour(labels, "trees", trees, "trees"),
        *honour(labels, "grown", grown, "times"),
    )
