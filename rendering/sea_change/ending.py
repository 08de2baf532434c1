"""How a match of Sea Change went, once it is over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rendering.core.canvas import Page
from rendering.core.formatting import signed
from rendering.core.labels import Labels
from rendering.core.story import Honour, Place, Story, best, describe_story, paint_story, ranked
from rendering.sea_change.narration import match_winners
from rendering.sea_change.pieces import SLUG, sea
from rules.core.game import Event
from rules.sea_change import SeaChangeView
from rules.sea_change.types import RoundScored, SeaChanged


def paint_result(view: SeaChangeView, events: Sequence[Event], labels: Labels) -> Page:
    """Return the picture of the story."""
    return paint_story(SLUG, sea, _story(view, events, labels), labels)


def result_text(view: SeaChangeView, events: Sequence[Event], labels: Labels) -> str:
    """Return the story in words."""
    return describe_story(_story(view, events, labels), labels)


def _story(view: SeaChangeView, events: Sequence[Event], labels: Labels) -> Story:
    rounds = [event for event in events if isinstance(event, RoundScored)]
    sides = sorted(set(view.sides))
    seats = [tuple(player for player, side in enumerate(view.sides) if side == one) for one in sides]
    won = {sides.index(view.sides[player]) for player in match_winners(view)}
    totals = [view.victory_points[side] for side in sides]
    places = tuple(
        Place(
            seats[at],
            rank,
            at in won,
            labels.count("victory_points", totals[at]),
            (0, *(scored.victory_points[sides[at]] for scored in rounds)),
        )
        for rank, at in ranked(totals, sorted(won))
    )
    reason = view.outcome.reason if view.outcome else ""
    tie = labels.say(f"outcome.{reason}") if reason in ("tie_zero", "tie_cards", "shared") else ""
    return Story(
        places, tie, tuple(_honours(view, events, rounds, seats, sides, labels)), labels.count("rounds", len(rounds))
    )


def _honours(
    view: SeaChangeView,
    events: Sequence[Event],
    rounds: Sequence[RoundScored],
    seats: Sequence[tuple[int, ...]],
    sides: Sequence[int],
    labels: Labels,
) -> list[Honour]:
    found = []
    changes: Counter[int] = Counter(event.player for event in events if isinstance(event, SeaChanged))
    if most := best([changes[player] for player in range(len(view.sides))]):
        found.append(Honour(most, labels.say("honour.changes"), labels.count("times", changes[most[0]])))
    richest = [max((scored.result.points[side] for scored in rounds), default=0) for side in sides]
    if most := best(richest):
        points = labels.say("honour.points", points=signed(richest[most[0]]))
        found.append(Honour(seats[most[0]], labels.say("honour.richest"), points))
    deepest = [-min((scored.result.points[side] for scored in rounds), default=0) for side in sides]
    if most := best(deepest):
        points = labels.say("honour.points", points=signed(-deepest[most[0]]))
        found.append(Honour(seats[most[0]], labels.say("honour.deepest"), points))
    return found
