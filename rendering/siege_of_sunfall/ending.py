"""How a match of Siege of Sunfall went, once it is over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rendering.core.canvas import Page
from rendering.core.labels import Labels
from rendering.core.story import Honour, Place, Story, best, describe_story, paint_story, ranked
from rendering.siege_of_sunfall.pieces import SLUG, table_top
from rules.core.game import Event
from rules.siege_of_sunfall.events import CardTaken, PledgesRevealed, RoundEnded
from rules.siege_of_sunfall.types import SiegeView


def paint_result(view: SiegeView, events: Sequence[Event], labels: Labels) -> Page:
    """Return the picture of the story."""
    return paint_story(SLUG, table_top, _story(view, events, labels), labels)


def result_text(view: SiegeView, events: Sequence[Event], labels: Labels) -> str:
    """Return the story in words."""
    return describe_story(_story(view, events, labels), labels)


def _story(view: SiegeView, events: Sequence[Event], labels: Labels) -> Story:
    rounds = [event.result for event in events if isinstance(event, RoundEnded)]
    won = sorted(view.outcome.winners) if view.outcome else []
    places = tuple(
        Place(
            (seat,),
            rank,
            seat in won,
            labels.count("armies", view.armies[seat]),
            (0, *(result.armies[seat] for result in rounds)),
        )
        for rank, seat in ranked(view.armies, won)
    )
    tie = labels.say("outcome.crown_tie") if view.outcome and view.outcome.reason == "crown_tie" else ""
    return Story(places, tie, tuple(_honours(view, events, labels)), labels.count("rounds", len(rounds)))


def _honours(view: SiegeView, events: Sequence[Event], labels: Labels) -> list[Honour]:
    found = []
    reveals = [event.reveal for event in events if isinstance(event, PledgesRevealed)]
    pledged = [max((reveal.pledges[seat] or 0 for reveal in reveals), default=0) for seat in range(view.seats)]
    if most := best(pledged):
        found.append(Honour(most, labels.say("honour.largest"), labels.count("coins", pledged[most[0]])))
    taken: Counter[int] = Counter(event.seat for event in events if isinstance(event, CardTaken))
    if most := best([taken[seat] for seat in range(view.seats)]):
        found.append(Honour(most, labels.say("honour.cards"), labels.count("taken", taken[most[0]])))
    out: Counter[int] = Counter(seat for reveal in reveals for seat in reveal.eliminated)
    if most := best([out[seat] for seat in range(view.seats)]):
        found.append(Honour(most, labels.say("honour.out"), labels.count("times", out[most[0]])))
    return found
