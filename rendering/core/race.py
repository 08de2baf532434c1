"""The picture of how a match stands after a round: a column for each place, as high as its score, in the stone of the
game's podium.
"""

from __future__ import annotations

from rendering.core import lettering, theme
from rendering.core.art import art, dimmed
from rendering.core.canvas import WIDTH, Page
from rendering.core.chrome import crown, place_head
from rendering.core.discs import first_words, short_name
from rendering.core.formatting import drawable_name, signed
from rendering.core.labels import Labels, with_minus_sign
from rendering.core.result import CAP, Setting, stand
from rendering.core.story import MOST_PLACES, Place, Story, after

HEIGHT = 800
FOOT = 668
"""The line on which the columns stand."""
LEAST, MOST = CAP + 62, 306
"""The height of a column without points, and of the highest one."""
LONG = 238
"""The most room of a name."""
LINE = 46
"""Pixels from one line of names to the next, if they need two."""


def paint_round(setting: Setting, story: Story, labels: Labels) -> Page:
    """Return the page of a match that goes on: who leads, and a column for each place, in the order of the seats. What
    the round added is a block of its own.
    """
    shown = sorted(story.places[:MOST_PLACES], key=lambda place: place.seats)
    page = Page(setting.slug, HEIGHT, dimmed(setting.ground))
    leaders = [place for place in shown if place.rank == 1]
    place_head(page, _leads(leaders, labels), (), (after(story, labels),), face=setting.face, dark=setting.dark)
    longest = max(1, *(place.course[-1] for place in shown))
    each = min((WIDTH - 2 * theme.MARGIN) / len(shown), 320)
    names = [_named(labels, place, round(each) - 18) for place in shown]
    if staggered := any(lettering.ELLIPSIS in name for name in names):
        names = [_named(labels, place, min(2 * round(each) - 24, LONG * len(place.seats))) for place in shown]
    for number, place in enumerate(shown):
        x = WIDTH / 2 + (number - (len(shown) - 1) / 2) * each
        if place in leaders and len(leaders) == 1:
            page.place(art("common/shaft"), x, FOOT + 8, "mb")
        _column(page, setting, labels, place, x, (min(round(each) - 14, 240), longest))
        reach = lettering.width(names[number], theme.SMALL) / 2 + 14
        at = min(max(x, reach), WIDTH - reach), FOOT + 42 + (LINE if staggered and number % 2 else 0)
        page.text(*at, names[number], theme.SMALL, theme.CREAM, WIDTH, "mm", halo=setting.dark)
    return page


def _leads(leaders: list[Place], labels: Labels) -> list[str]:
    """Return who leads, ever shorter."""
    seats = [seat for place in leaders for seat in place.seats]
    if len(seats) == 1:
        return [
            labels.say("story.leads", name=name)
            for name in (drawable_name(labels, seats[0]), *first_words(labels, seats))
        ]
    names = [[drawable_name(labels, seat) for seat in seats], first_words(labels, seats)]
    return [
        *(labels.say("story.lead", name=labels.list(one)) for one in names),
        labels.say("story.lead_many", count=len(leaders)),
    ]


def _named(labels: Labels, place: Place, room: int) -> str:
    part = (room - 30 * (len(place.seats) - 1)) // len(place.seats)
    return labels.list([short_name(labels, seat, theme.SMALL, part) for seat in place.seats])


def _column(page: Page, setting: Setting, labels: Labels, place: Place, x: float, size: tuple[int, int]) -> None:
    """Place a column with the score on it, the block that the round added, and above it the disc and the gain."""
    wide, longest = size
    now, gain = place.course[-1], place.course[-1] - place.course[-2]
    tall, kept = (LEAST + (MOST - LEAST) * max(0, value) // longest for value in (now, min(now, now - gain)))
    metal = min(place.rank, 3) - 1
    page.place(setting.podium(wide, tall, metal), x, FOOT, "mb")
    if gain > 0 and tall - kept > CAP:
        page.place(setting.podium(wide, kept, 2), x, FOOT, "mb")
    score = place.score if lettering.width(place.score, theme.SMALL) <= wide - 12 else with_minus_sign(now)
    fits = lettering.fitting(score, 46, theme.SMALL, wide - 12)
    page.text(x, FOOT - (LEAST - CAP) / 2, score, fits, theme.CREAM, wide, "mm", halo=setting.dark)
    across, top = min(108, wide - 10), FOOT - tall + 5.0
    apart = min(across * 0.7, (wide - across) / max(1, len(place.seats) - 1))
    middles = [x + (number - (len(place.seats) - 1) / 2) * apart for number in range(len(place.seats))]
    places = zip(place.seats, middles, strict=True)
    top = min(stand(page, setting, labels, seat, at, top, across) for seat, at in places)
    if place.rank == 1:
        page.place(crown(64), x, top + 10, "mb")
        top -= 44
    if gain:
        page.text(x, top - 24, signed(gain), 46, theme.BRASS_LIGHT, wide, "mm", setting.face, setting.dark)
