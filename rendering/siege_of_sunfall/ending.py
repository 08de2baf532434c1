"""How a match of Siege of Sunfall went, and what stands for a score after a round."""

from __future__ import annotations

from collections.abc import Sequence

from rendering.core.art import cut, standing
from rendering.core.canvas import Page
from rendering.core.discs import disc
from rendering.core.labels import Labels
from rendering.core.race import Lane, Marks
from rendering.core.story import Honour, Story, courses, honour, places, reason
from rendering.siege_of_sunfall.pieces import SLUG, sprite_of
from rendering.siege_of_sunfall.scene import HELMETS
from rules.core.game import Event
from rules.siege_of_sunfall.events import CardTaken, PledgesRevealed, RoundEnded
from rules.siege_of_sunfall.types import SiegeView


def story(view: SiegeView, events: Sequence[Event], labels: Labels) -> Story:
    """Return the story of the match."""
    rounds = [event.result.armies for event in events if isinstance(event, RoundEnded)]
    return Story(
        places(
            view.armies,
            [labels.count("armies", armies) for armies in view.armies],
            courses(rounds, view.seats),
            view.outcome.winners if view.outcome else (),
        ),
        reason(view.outcome, ("crown_tie",), labels),
        _honours(view, events, labels),
        labels.count("rounds", len(rounds)),
    )


def _honours(view: SiegeView, events: Sequence[Event], labels: Labels) -> tuple[Honour, ...]:
    reveals = [event.reveal for event in events if isinstance(event, PledgesRevealed)]
    takers: list[int] = [event.seat for event in events if isinstance(event, CardTaken)]
    largest, taken, out = [], [], []
    for seat in range(view.seats):
        largest.append(max((reveal.pledges[seat] or 0 for reveal in reveals), default=0))
        taken.append(takers.count(seat))
        out.append(sum(seat in reveal.eliminated for reveal in reveals))
    return (
        *honour(labels, "largest", largest, "coins"),
        *honour(labels, "cards", taken, "taken"),
        *honour(labels, "out", out, "times"),
    )


GUARD, SHIELD = 310, 88
"""The height of a guard, and the width of the disc as a shield."""
MOST_PENNANTS = 12
POLE_AT, FLAG = 10, 84
"""How far left of the guard's middle its pole is, and how much of the pole its flag takes."""


def place_score(page: Page, labels: Labels, lane: Lane) -> Marks:
    """Place a player's guard, and behind it a pole with a pennant for each army."""
    (seat,), x, foot = lane.place.seats, lane.x, lane.foot
    tall = high = min(GUARD, lane.width * 13 // 10)
    if lane.score > 0:
        pole, rows = sprite_of("standard"), -(-min(lane.score, MOST_PENNANTS) // 2)
        high, at = tall + round((lane.room - tall) * lane.part), x - POLE_AT
        lane.lay(page, cut(pole, pole.size[0], high), at + pole.size[0] / 2 - 10, foot)
        top = foot - high + FLAG
        step = min(58.0, (high - tall - FLAG) / rows)
        for number in reversed(range(min(lane.score, MOST_PENNANTS))):
            side = 36 if number % 2 else -20
            lane.lay(page, sprite_of("pennant", 46), at + side, top + number // 2 * step + 60, glows=False)
    lane.lay(page, standing(f"{SLUG}/turned_{labels.disc(seat) % HELMETS}", tall), x, foot)
    page.place(disc(labels, seat, SHIELD), x, foot - 84, "mm")
    return Marks((x, foot - high + (8 if lane.score > 0 else 24)), (x + 16, foot + 22))
