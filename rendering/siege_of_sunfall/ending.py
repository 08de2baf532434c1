"""How a match of Siege of Sunfall went."""

from __future__ import annotations

from collections.abc import Sequence

from rendering.core.formatting import winners
from rendering.core.labels import Labels
from rendering.core.story import Honour, Story, honour, places, reason
from rules.core.game import Event
from rules.siege_of_sunfall.events import CardTaken, PledgesRevealed, RoundEnded
from rules.siege_of_sunfall.types import SiegeView


def story(view: SiegeView, events: Sequence[Event], labels: Labels) -> Story:
    """Return the story of the match."""
    rounds = [event.result.armies for event in events if isinstance(event, RoundEnded)]
    return Story(
        places(labels, "armies", view.armies, rounds, winners(view)),
        reason(view.outcome, ("crown_tie",), labels),
        _honours(view, events, labels),
        labels.count("rounds", len(rounds)),
    )


def _honours(view: SiegeView, events: Sequence[Event], labels: Labels) -> tuple[Honour, ...]:
    reveals = [event.reveal for event in events if isinstance(event, PledgesRevealed)]
    takers: list[int] = [event.seat for event in events if isinstance(event, CardTaken)]
    largest, taken = [], []
    for seat in range(view.seats):
        largest.append(max((reveal.pledges[seat] or 0 for reveal in reveals), default=0))
        taken.append(takers.count(seat))
    return (
        *honour(labels, "largest", largest, "coins"),
        *honour(labels, "cards", taken, "taken"),
    )
