"""How a match of Full Circle went, and what stands for a score after a round."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image

from rendering.core.art import cut, standing
from rendering.core.canvas import Page
from rendering.core.discs import disc
from rendering.core.formatting import winners
from rendering.core.labels import Labels
from rendering.core.race import Lane, Marks
from rendering.core.sprites import Pixels, pixels, sprite
from rendering.core.story import Honour, Story, honour, places, reason
from rendering.full_circle.looks import window
from rendering.full_circle.panes import card_face, painted
from rendering.full_circle.stage import SLUG
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


GLAZIER, CHEST, ROUNDEL = 290, 104, 108
"""The height of a glazier, the middle of the roundel that it holds, and how wide that is."""
LIGHT, CANDLE, STUMP = 60, 172, 190
"""The light above a candle, the width of a candle with its light, and the height of one that has burnt down."""


def place_score(page: Page, labels: Labels, lane: Lane) -> Marks:
    """Place a glazier, and a candle that burns down with each point: at the limit nothing is left of it."""
    (seat,), foot = lane.place.seats, lane.foot
    tall = min(GLAZIER, lane.width, lane.room)
    x, candle = lane.x - lane.width * 0.1, lane.x + lane.width * 0.3
    lane.lay(page, standing(f"{SLUG}/glazier_{labels.disc(seat) % 8}", tall), x, foot)
    page.place(disc(labels, seat, ROUNDEL * tall // GLAZIER), x, foot - CHEST * tall / GLAZIER, "mm")
    page.place(pillar("", CANDLE, STUMP + round((lane.room + LIGHT - STUMP) * lane.part)), candle, foot + 12, "mb")
    return Marks((x, foot - tall + 34), (lane.x - lane.width / 2 + 6, foot + 22))


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
