"""How a match of Siege of Sunfall went."""

from __future__ import annotations

from collections.abc import Sequence

from rendering.core.art import standing
from rendering.core.canvas import Page
from rendering.core.discs import disc
from rendering.core.formatting import winners
from rendering.core.labels import Labels
from rendering.core.race import Lane, Marks
from rendering.core.result import lay
from rendering.core.story import Honour, Story, honour, places, reason
from rendering.siege_of_sunfall.pieces import SLUG, sprite_of
from rendering.siege_of_sunfall.scene import CROWN_UP, GUARD, HELMETS, SHADE, SHIELD, SHIELD_UP, VICTOR
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


TALL = 230
"""The height of a guard with a weapon, in units of its own."""
MOST_STANDARDS, CLEAR = 6, 146
"""The most standards behind a guard, and the line above which none of them flies."""


def place_figure(page: Page, labels: Labels, seat: int, x: float, foot: float, size: int, lit: bool) -> float:
    """Place a guard, the disc as a shield; in the light with a raised fist. Return where a crown belongs."""
    unit, number = size / TALL, labels.disc(seat) % HELMETS
    name, wide = (f"victor_{number}", VICTOR) if lit else (f"turned_{number}", GUARD)
    lay(page, sprite_of(name, round(wide * unit)), x, foot + SHADE * unit, lit=lit)
    page.place(disc(labels, seat, round(SHIELD * unit)), x, foot - SHIELD_UP * unit, "mm")
    return foot - CROWN_UP[number] * unit - 14


def place_score(page: Page, labels: Labels, lane: Lane) -> Marks:
    """Place a guard on the wall, and behind the standards of the armies, as many as there are."""
    (seat,), x, foot = lane.place.seats, lane.x, lane.foot
    size = round(min((foot - CLEAR) * 7 // 8, lane.width * 7 // 5) * lane.near)
    for number in range(min(MOST_STANDARDS, round(lane.score))):  # at the left and at the right by turns
        aside = -((-1) ** number) * (0.42 - 0.12 * (number // 2)) * min(lane.width, size)
        flag = standing(f"{SLUG}/standard", min(size, foot - CLEAR) - 14 * (number // 2))
        lay(page, flag, x + aside, foot - 8, lit=lane.leads, glows=False)
    head = place_figure(page, labels, seat, x, foot + 4, size, lane.leads and lane.score > 0)
    return Marks((x, head + 14), (x + size * 0.2, foot + 10))
