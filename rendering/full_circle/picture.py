"""Full Circle on the table: the quarters are the panes of a rose window in a chapel at night, and glaziers play.

The table has the window and its light, the players, and the crate from which glass is drawn. (A seat's own picture is
in hand.py.)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rendering.core import chrome, lettering, theme
from rendering.core.canvas import MOST_FILE_BYTES, WIDTH, Page
from rendering.core.discs import disc, first_words
from rendering.core.formatting import drawable_name, winners
from rendering.core.labels import Labels
from rendering.core.sprites import Colour, Point
from rendering.core.story import capital
from rendering.full_circle.circle import place_circle, place_light
from rendering.full_circle.narration import card_name, colour_name, phase_text, standing
from rendering.full_circle.panes import TABLE_RADIUS, card_face, painted
from rendering.full_circle.people import FIGURE, Place, names, place_player
from rendering.full_circle.signs import GLOWS, TINTS, unlit
from rendering.full_circle.stage import DARK, FACE, SLUG, chapel
from rules.core.game import Event
from rules.full_circle.types import FullCircled, Phase, Play, TrapSet, Verb
from rules.full_circle.view import FullCircleView

BACK: Colour = (92, 58, 112)
"""The ribbon of an event that has no colour."""
COLOURS = (
    *(*theme.COLOURS, *chrome.COLOURS, BACK, DARK, *TINTS.values()),
    *(unlit(tint) for tint in TINTS.values()),
    *GLOWS.values(),
)  # fmt: skip
"""The colours that the palette has exactly."""

RIBBON = 40
"""The size of the type on a ribbon."""
HEIGHT = 900
TABLE_AT = (600, 408)
"""The middle of the window."""
TABLE = Place((120, 346, 854, 1080), 740, 226, FIGURE)
"""The glaziers of the table."""
LIGHT_AT = 752
"""The line of the middle of the window's light on the floor."""
CRATE, FEW = (600, 886, 170), 8
"""The foot and the width of the crate, and of how many panes on it looks full."""


# Parts of both pictures


def page_of(view: FullCircleView, name: str, height: int, most: int = MOST_FILE_BYTES) -> Page:
    """Return a page with that stage in the light of the trap, if one is set."""
    trap = view.trap.colour if view.trap else ""
    return Page(f"{SLUG}_{trap}" if trap else SLUG, height, chapel(name, trap), most)


def place_heading(page: Page, view: FullCircleView, labels: Labels) -> None:
    """Write who must do what, how far the match is, who did what, and how the match stands."""
    where = labels.say("picture.play_off" if view.play_off else "picture.round", round=view.round)
    place_head(page, view, labels, list(_due(view, labels)), [where], list(_done(view, labels)))


def place_head(
    page: Page, view: FullCircleView, labels: Labels, sentences: Sequence[str], parts: Sequence[str],
    small: Sequence[str],
) -> None:  # fmt: skip
    """Write the head of a page, and how the match stands at the right of its small sentence."""
    tied = labels.say("picture.tied_at", points=min(view.totals))
    parts = (*parts, tied if view.play_off else labels.say("picture.target", target=view.target))
    room = WIDTH - 2 * theme.MARGIN - 40
    told = [] if view.outcome or view.play_off else standing(view, labels)
    fits = ((one, said) for one in small for said in told if lettering.width(one + said, theme.SMALL) <= room)
    one, said = next(fits, ("", ""))
    chrome.place_head(page, sentences, parts, [one] if said else small, face=FACE, dark=DARK)
    if said:
        at = WIDTH - theme.MARGIN, chrome.HEADER_LINE + chrome.HEAD_APART
        page.text(*at, said, theme.SMALL, theme.BRASS_LIGHT, WIDTH, "rm", halo=DARK)
        page.pass_over(2)


def _due(view: FullCircleView, labels: Labels) -> Iterator[str]:
    """Yield what is due, ever shorter."""
    if view.outcome or view.to_move is None:
        yield from (chrome.victory(labels, winners(view), width)[0] for width in (1000, 800, 600))
        return
    if labels.halt:
        yield labels.halt
        return
    if view.to_move == view.viewer:
        text = phase_text(view, labels).rstrip(".")
        if view.drawn:
            text = text.split(". ", 1)[-1]
        else:
            yield labels.say("pair", name=labels.say("picture.your_turn"), value=text)
        yield capital(text)
        return
    trapped = view.phase is Phase.TURN and view.trap and view.trap.setter != view.to_move
    key = "trapped" if trapped else view.phase.value
    colour = colour_name(labels, view.trap.colour) if view.trap else ""
    card = card_name(labels, view.drawn) if view.drawn else ""
    names = (drawable_name(labels, view.to_move), first_words(labels, (view.to_move,))[0])
    for name in names:
        yield labels.say(f"due.{key}", name=name, colour=colour, card=card)


def _done(view: FullCircleView, labels: Labels) -> Iterator[str]:
    """Yield what was done last, ever shorter; after the match, why it was won."""
    if view.outcome:
        yield labels.say(f"picture.won_{view.outcome.reason}")
        return
    seat, key = newest(view)
    card = view.last.face if isinstance(view.last, Play) else view.drawn or ""
    key = f"you_{key}" if seat == view.viewer else key
    setter = view.trap.setter if view.trap and view.trap.setter != seat else None
    ending = "" if setter is None else f" · {labels.say('picture.trap_by', name=first_words(labels, (setter,))[0])}"
    for tail in (ending, ""):
        for name in (drawable_name(labels, seat), first_words(labels, (seat,))[0]):
            yield labels.say(f"done.{key}", name=name, card=card_name(labels, card) if card else "") + tail


def newest(view: FullCircleView) -> tuple[int, str]:
    """Return who did the newest thing, and the key of its verb."""
    if view.last is None:
        return view.starter, "begins"
    if isinstance(view.last, Play):
        return view.last.seat, "played"
    if view.last.verb is Verb.PASS:
        return view.last.seat, "passed"
    return view.last.seat, "drew_this" if view.drawn else "drew"


def place_event(
    page: Page, view: FullCircleView, labels: Labels, at: tuple[int, int], radius: int, place: Place
) -> None:
    """Place the ribbon of what the last card was, if it was more than a card: on the stone below the panes, or above
    them if figures stand beside the stone below.
    """
    x, y = at[0], at[1] + round(radius * (-0.8 if place.bar < at[1] + radius else 0.96))
    if view.trap:
        said = labels.say("picture.trap")
        size = lettering.fitting(said, RIBBON, theme.SMALL, 190, lettering.DISPLAY)
        chrome.place_ribbon(page, x + 24, y, said, TINTS[view.trap.colour], size)
        wide, below = lettering.width(said, size, lettering.DISPLAY), y > at[1]  # there it is clear of the figures
        left, line = (x, y + 66) if below else (x - wide / 2 - 36, y)
        page.place(disc(labels, view.trap.setter, 64), left, line, "mm")
    elif view.phase in (Phase.DOUBLE, Phase.FULL):
        said = f"{labels.say('can.double' if view.phase is Phase.DOUBLE else 'can.full')}!"
        size = lettering.fitting(said, RIBBON, theme.SMALL, 300, lettering.DISPLAY)
        chrome.place_ribbon(page, x, y, said, BACK, size)


def place_scene(
    page: Page, view: FullCircleView, labels: Labels, at: tuple[int, int], radius: int, place: Place,
    crate: tuple[int, int, int], aimed: Sequence[Play] = (), *, chosen: bool = False,
) -> None:  # fmt: skip
    """Place the head, the window with its middle at `at`, the glaziers, and the crate: the middle of its foot and its
    width.
    """
    spots = place.spots(view.seats)
    place_circle(page, view, *at, radius, aimed, chosen=chosen)
    place_heading(page, view, labels)  # the window's light falls on the beam, not on the words
    for seat, (spot, name) in enumerate(zip(spots, names(view, labels, spots), strict=True)):
        place_player(page, view, labels, seat, spot, name)
    place_event(page, view, labels, at, radius, place)  # in front of those who stand beside it
    x, foot, width = crate  # a cat sits in an empty one
    if view.drawn and view.viewer is None:
        page.place(card_face(view.drawn, 120), x, foot - 70, "mb")
    page.place(painted(f"crate_{0 if not view.pile else 1 if view.pile < FEW else 2}", width), x, foot, "mb")
    page.text(x, foot - round(width * 0.15), str(view.pile), theme.SMALL, theme.CREAM, width, "mm", halo=(50, 28, 16))
    page.name("pile", 3)


# The table


def paint_table(view: FullCircleView, labels: Labels) -> Page:
    """Paint the window between the glaziers."""
    page = page_of(view, "chapel", HEIGHT)
    place_light(page, view, TABLE_AT[0], LIGHT_AT)
    place_scene(page, view, labels, TABLE_AT, TABLE_RADIUS, TABLE, CRATE)
    return page


def moment(view: FullCircleView, events: Sequence[Event]) -> Point | None:
    """Return the window's middle if a Colour Trap was set or a Full Circle made."""
    return TABLE_AT if any(isinstance(event, TrapSet | FullCircled) for event in events) else None
