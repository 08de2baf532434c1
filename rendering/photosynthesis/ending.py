"""How a match of Photosynthesis went, and what stands for a score after a round."""

from __future__ import annotations

from collections.abc import Sequence

from rendering.core.art import standing
from rendering.core.canvas import Page
from rendering.core.discs import disc
from rendering.core.labels import Labels
from rendering.core.race import Lane, Marks
from rendering.core.story import Honour, Story, honour, places, reason
from rendering.photosynthesis.stage import SLUG
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


GROVE = ((-0.34, 46, 0.6), (0.34, 40, 0.64), (0.1, 76, 0.7), (-0.4, 0, 0.44), (0.4, -4, 0.4))
"""The trees round the highest one, from behind: how far to the right, in widths of the lane, how far above its foot,
and how high, as a part of its height."""
SAPLING = 180
"""The height of the only tree of who has no points."""


def place_score(page: Page, labels: Labels, lane: Lane) -> Marks:
    """Place a grove of the player's trees: the more points, the more and the higher."""
    (seat,), x, foot = lane.place.seats, lane.x, lane.foot
    tall = SAPLING + round((lane.room - SAPLING) * lane.part)
    grown = [*GROVE[: round(len(GROVE) * lane.part)], (0, 0, 1)]
    for aside, up, part in grown:
        tree = standing(f"{SLUG}/grown_{seat}", round(tall * part))
        lane.lay(page, tree, x + aside * lane.width, foot - up, glows=part == 1)
    page.place(disc(labels, seat, 84), x - lane.width * 0.34, foot + 14, "mb")  # beside the trunk
    return Marks((x, foot - tall + 14), (x + 30, foot + 22))
