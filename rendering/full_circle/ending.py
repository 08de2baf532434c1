"""How a match of Full Circle went, and what stands for a score after a round."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image

from rendering.core.art import cut, shadow, toned
from rendering.core.canvas import Page
from rendering.core.discs import disc
from rendering.core.formatting import winners
from rendering.core.labels import Labels
from rendering.core.race import Lane, Marks
from rendering.core.result import lay
from rendering.core.sprites import Pixels, pixels, sprite
from rendering.core.story import Honour, Story, honour, places, reason
from rendering.full_circle.looks import window
from rendering.full_circle.panes import card_face, painted
from rendering.full_circle.signs import GLOWS
from rules.core.game import Event
from rules.full_circle.types import DoubleMatched, FullCircled, RoundScored, TrapSet
from rules.full_circle.view import FullCircleView


def story(view: FullCircleView, events: Sequence[Event], labels: Labels) -> Story:
    """Return the story of the match: the lowest total wins."""
    rounds = [event.result.totals for event in events if isinstance(event, RoundScored)]
    return Story(
        places(labels, "points", view.totals, rounds, winners(view), lowest_wins=True),
        reason(view.outcome, ("lowest", "play_off"), labels),
        _honours(view, events, labels),
        labels.count("rounds", len(rounds)),
        lowest_wins=True,
        goal=view.target,
        rounds_are_won=True,
        goal_said=labels.say("picture.target", target=view.target),
    )


def _honours(view: FullCircleView, events: Sequence[Event], labels: Labels) -> tuple[Honour, ...]:
    def times(kind: type[FullCircled | DoubleMatched | TrapSet]) -> list[int]:
        return [sum(isinstance(event, kind) and event.seat == seat for event in events) for seat in range(view.seats)]

    return (
        *honour(labels, "circles", times(FullCircled), "times"),
        *honour(labels, "doubles", times(DoubleMatched), "times"),
        *honour(labels, "traps", times(TrapSet), "times"),
    )


ACROSS, CHEST, ROUNDEL, MOST = 360 / 403, 0.3, 0.37, 320
"""The width of a glazier, the middle of the roundel that it holds, and how wide that is, as parts of its height; the
greatest height."""
PLATE, THICK, STEPS, ON = 126, 7, 24, 18
"""The width and the thickness of a plate of glass, the most of them, and how far before a glazier they lie."""
CANDLE = 172
"""The width of a candle with its light."""


def place_figure(page: Page, labels: Labels, seat: int, x: float, foot: float, size: int, *, lit: bool) -> float:
    """Place a glazier behind the bench, with the roundel before the chest. Return where its hat is."""
    lay(page, painted(f"great_{labels.disc(seat) % 8}", round(size * ACROSS)), x, foot, lit=lit)
    page.place(disc(labels, seat, round(ROUNDEL * size)), x, foot - CHEST * size, "mm")
    return foot - 0.87 * size


def place_score(page: Page, labels: Labels, lane: Lane) -> Marks:
    """Place a glazier, and on the bench a pile of plates of glass, left over: one more for each few points
    until the limit.
    """
    (seat,), foot, tall = lane.place.seats, lane.foot, min(MOST, lane.width, lane.room * 9 // 8)
    x, heap = lane.x - lane.width * 0.14, lane.x + lane.width * 0.27
    head = place_figure(page, labels, seat, x, foot, round(tall * lane.near), lit=lane.leads)
    count = round(STEPS * min(1, max(0, lane.score) / (lane.goal or 1)))
    page.place(shadow(PLATE), heap, foot + ON - 10, "mm")
    for number in range(count):
        page.place(plate(number), heap + (7, -6, 3, -10, 8, -2, -8)[number % 7], foot + ON - THICK * number, "mb")
    return Marks((x, head + 14), (heap - PLATE / 4, foot + ON - 6 - THICK * count))


@sprite
def plate(number: int) -> Pixels:
    """A plate of coloured glass that lies."""
    return toned(painted("plate", PLATE), tuple(GLOWS.values())[number % len(GLOWS)]).pixels


@sprite
def pillar(name: str, width: int, height: int) -> Pixels:
    """A candle in its candlestick: what is as high as a score, and as a figure of the statistics, beside the glass that
    this is of: a card, or a window with these colours lit.
    """
    wax, stick = cut(painted("candle", CANDLE), CANDLE, height - FOOT), painted("candlestick", 136)
    aside = BESIDE * (name in GLASS)
    whole = Image.new("RGBA", (CANDLE + 2 * aside, height))
    whole.paste(wax.layer, (aside, 0))
    whole.alpha_composite(stick.layer, (aside + (CANDLE - 136) // 2, height - stick.size[1]))
    if name in GLASS:
        glass = card_face(GLASS[name], 92) if name == "gift" else window(GLASS[name], 58)
        whole.alpha_composite(glass.layer, (whole.width - glass.size[0], height - glass.size[1]))
    return pixels(whole)


GLASS = {"double": "RB", "full": "RBGYPO", "trap": "Y", "gift": "G"}
"""The colours of the glass beside a figure's candle."""
FOOT, BESIDE = 20, 74
"""How far above the foot of its candlestick a candle ends, and the room on each side for the glass beside it."""
