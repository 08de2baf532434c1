"""Siege of Sunfall on the table: the city's wall, with the players on it, and before it what the card brings.

The table says at the top who still has to decide. Below is the faced card, and beside it what it needs and what
happened last. Its attackers, or its prize, stand on the field before the wall. Over the heads is only what is so now:
a fist has pledged; coins lie there while the pledges are open, and never for an earlier card, whose pledges are told
with what happened. (A seat's own picture is in own.py, the wall in scene.py.)
"""

from __future__ import annotations

from collections.abc import Sequence

from rendering.core import chrome, lettering, theme
from rendering.core import emblems as core
from rendering.core.canvas import WIDTH, Page
from rendering.core.cards import back, place_card, rotated
from rendering.core.chrome import place_caption, place_ribbon, place_title
from rendering.core.discs import disc, first_words, short_name
from rendering.core.labels import Labels
from rendering.core.sprites import Colour, Point
from rendering.siege_of_sunfall import emblems
from rendering.siege_of_sunfall.pieces import BACK, FACES, SLUG, TINTS, card_face, faced_card
from rendering.siege_of_sunfall.props import BREACH, KINGS, breach
from rendering.siege_of_sunfall.scene import (
    DISC,
    EMBER,
    columns_of,
    place_assault,
    place_fist,
    place_foes,
    place_group,
    place_player,
    place_spent,
    place_stack,
    place_standard,
    place_tab,
)
from rendering.siege_of_sunfall.stage import light_of, wall
from rules.core.game import Event
from rules.siege_of_sunfall.events import PledgesRevealed
from rules.siege_of_sunfall.types import PILES, Kind, Phase, Reveal, SiegeView

COLOURS = (*theme.COLOURS, *chrome.COLOURS, emblems.WAX, KINGS, BREACH, EMBER, *TINTS.values(), *FACES.values())
"""The colours that the palettes have exactly."""

HEIGHT = 900
WALL_AT, FIELD_AT = 536, 812
"""The top of the wall on the table, and of the field before it."""
OVER_WALL = 612
"""The top of the wall once the match is over: the standards on it are high, and no one comes over the field."""
CARD_AT = (36, 96)
"""The upper left corner of the faced card."""
BESIDE = 268
"""The left edge of what stands beside the card in the picture of the last pledges."""
CAPTION = 370
"""How far right of it the caption begins, beside the ribbon."""
LINE = 64
"""The height of a line beside the card: what the pledges met."""
NOW = (150, 210)
"""The size of the faced card on the table."""
NOW_AT = 234
"""The left edge of what stands beside it."""
NOW_HEIGHT = 92
"""The height of what it needs or brings."""
PAST_AT = 200
"""The upper edge of what happened: below what the card needs."""
PAST_HEIGHT, PAST_LINE = 104, 52
"""The height of what happened, and how much more is needed for the pledges of an earlier card."""


def page_of(view: SiegeView, height: int, at: int, ledge: int = 0, field: int = 0) -> Page:
    """Return a page with the wall in the light of the round; see stage.wall."""
    light = light_of(view)
    return Page(f"{SLUG}_{light}" if light else SLUG, height, wall(light, at, ledge, field))


# Parts of both pictures


def place_head(page: Page, text: str, right: str, ink: Colour = theme.CREAM) -> None:
    """Write the upper line: whose turn it is or how far the match is, and at the right what is left of the round."""
    edge, y = theme.MARGIN + 6, chrome.HEADER_LINE
    wide = stepped(min(lettering.width(right, theme.SMALL), WIDTH - 2 * edge))
    place_plate(page, WIDTH - edge - wide, y, wide)
    page.text(WIDTH - edge, y, right, theme.SMALL, theme.CREAM, WIDTH - 2 * edge, "rm")
    room = head_room(right)
    size = lettering.fitting(text, 46, theme.SMALL, room)
    place_plate(page, edge, y, min(lettering.width(text, size), room))
    page.text(edge, y, text, size, ink, room)


def head_room(right: str) -> int:
    """Return the width for the upper line beside those words at its right."""
    edge = theme.MARGIN + 6
    return WIDTH - 2 * edge - stepped(min(lettering.width(right, theme.SMALL), WIDTH - 2 * edge)) - 48


def place_plate(page: Page, left: int, y: int, wide: int, height: int = 64) -> None:
    """Lay the shade under words that are so wide: the sky beside them is free. y is its middle; without words, none."""
    if wide:
        page.shade(left - 20, y - height // 2, stepped(wide) + 40, height, 24, 2, 190, chrome.NIGHT, 0)


def stepped(wide: int) -> int:
    """Return a width in steps: words of about the same width have the same shade, which then stays after a move."""
    return -(-wide // STEP) * STEP


STEP = 24


def left_of(view: SiegeView, labels: Labels) -> str:
    """Return which card of the pile lies there, and how many are left or, if Siege End may be next, that (K1)."""
    if not view.card_number:
        return ""
    late = view.card_number >= PILES[view.seats][0] // 2
    return labels.say("picture.card_late" if late else "picture.card", number=view.card_number, left=view.pile)


def place_faced(page: Page, view: SiegeView, labels: Labels, at: tuple[int, int], size: tuple[int, int]) -> None:
    """Place the faced card, with the pile under it."""
    x, y = at
    unseen = back(*size, core.sun, BACK)
    if view.card is None:
        place_card(page, unseen, x, y)
        return
    for i in range(min(3, view.pile), 0, -1):
        page.place(unseen, x + 8 * i, y + 4 * i)
    place_card(page, faced_card(labels, view.card, size), x, y)


def place_need(page: Page, view: SiegeView, labels: Labels, box: tuple[int, int, int], size: int) -> int:
    """Write what the faced card needs, and what all hold, or what it brings. `box`: left, middle, right. Return where
    the line ends.
    """
    x, y, right = box
    asked, held = asked_of(view, labels), held_of(view, labels)
    size = lettering.fitting(asked, size, theme.SMALL, right - x)
    x += page.text(x, y, asked, size, theme.BRASS_LIGHT, right - x)
    if held:
        x += 28 + page.text(x + 28, y + 2, held, theme.SMALL, theme.CREAM, right - x - 28)
    return x


def held_of(view: SiegeView, labels: Labels) -> str:
    """Return what all who are in the round hold, if the faced card attacks them; else ""."""
    if view.card is None or not view.card.strength:
        return ""
    have = sum(coins for coins, alive in zip(view.coins, view.alive, strict=True) if alive)
    return labels.say("picture.all_hold", coins=have)


def shown_reveal(view: SiegeView) -> Reveal | None:
    """Return the pledges opened last, or None if none were."""
    return view.open_reveal or view.last_reveal


def is_past(view: SiegeView) -> bool:
    """Say whether the pledges opened last were for an earlier card than the one that lies there."""
    return view.outcome is None and view.open_reveal is None and view.last_reveal is not None


def result_of(view: SiegeView, reveal: Reveal | None, labels: Labels) -> str:
    """Return which player gets the card or, at the end, with what the match was won, in a few words."""

    def name(seat: int) -> str:
        return short_name(labels, seat, 40, 260)

    if view.outcome is not None:
        most = labels.count("armies", max(view.armies))
        return labels.say(f"picture.won_{view.outcome.reason}", armies=most)
    if reveal is None:
        return labels.say("picture.begins", name=name(view.king))
    if reveal.taker is not None:
        return labels.say(
            "picture.crowned" if reveal.card.kind is Kind.CROWN else "picture.takes", name=name(reveal.taker)
        )
    if reveal.repelled is False:
        return labels.say("picture.falls", names=labels.list([name(seat) for seat in reveal.eliminated]))
    if reveal.tied:
        return labels.say("picture.tie", names=labels.list([name(seat) for seat in reveal.tied]))
    return labels.say("picture.nobody")


def concerned(view: SiegeView, reveal: Reveal | None, labels: Labels) -> tuple[str, tuple[int, ...]]:
    """Return the words before the names in `result_of`, and whose they are if that is a list that may be long."""
    if view.outcome is None and reveal is not None and reveal.taker is None:
        if reveal.repelled is False:
            return labels.say("picture.falls", names="").strip(), reveal.eliminated
        if reveal.tied:
            return labels.say("picture.tie", names="").strip(), reveal.tied
    return "", ()


def place_people(page: Page, labels: Labels, words: str, seats: Sequence[int], box: tuple[int, int, int]) -> int:
    """Write words, and behind them place the players' discs. `box`: left, middle, right. Return where they end."""
    x, y, right = box
    x += page.text(x, y, words, theme.SMALL, theme.CREAM, right - x) + 12
    step = min(56, (right - x - PEOPLE) // max(1, len(seats) - 1))
    for number, seat in enumerate(seats):
        page.place(disc(labels, seat, PEOPLE), x + number * step, y, "lm")
    return x + step * (len(seats) - 1) + PEOPLE


PEOPLE = 50
"""The size of a disc in a line of text."""


def event_of(view: SiegeView, reveal: Reveal | None, labels: Labels) -> tuple[str, Colour]:
    """Return what just happened, in a word or two for a ribbon, and the ribbon's colour."""
    if view.outcome is not None:
        return labels.say("picture.victory"), theme.BRASS_DARK
    if reveal is None:
        return labels.say("picture.first_round", round=view.round), theme.BRASS_DARK
    if reveal.repelled:
        return labels.say("picture.repelled"), theme.GOOD
    if reveal.repelled is False:
        return labels.say("picture.fallen"), theme.ALARM
    if reveal.taker is None:
        return labels.say("picture.tied" if reveal.tied else "picture.untaken"), theme.BRASS_DARK
    return labels.say("picture.new_king" if reveal.card.kind is Kind.CROWN else "picture.taken"), theme.BRASS_DARK


def asked_of(view: SiegeView, labels: Labels) -> str:
    """Return what the faced card needs, or what it brings; without a card, what happens."""
    if view.card is None:
        return labels.say("picture.over" if view.outcome else "picture.gold_time")
    if view.card.strength:
        return labels.say("picture.needs", strength=view.card.strength)
    if view.card.kind is Kind.CROWN and view.viewer is None:
        return labels.say("picture.brings_crown_taker")
    return labels.say(f"picture.brings_{view.card.kind.value}")


def awaited_of(view: SiegeView, labels: Labels, room: int, size: int = theme.SMALL) -> str:
    """Return which players other than the viewer must still choose, and what: their names if these fit into `room`
    pixels in type of that size or in small type, else how many they are; "" if all have chosen.
    """
    if not any(seat != view.viewer for seat in view.to_move):
        return ""
    count = labels.say("picture.players", count=sum(seat != view.viewer for seat in view.to_move))
    return named_of(view, labels, room, size) or labels.say(_awaited_key(view), names=count)


def _awaited_key(view: SiegeView) -> str:
    return f"picture.{'also' if view.viewer in view.to_move else 'awaited'}_{view.phase.value}"


def named_of(view: SiegeView, labels: Labels, room: int, size: int = theme.SMALL) -> str:
    """Return the same with the names, in full or their first words; "" if they do not fit."""
    seats = [seat for seat in view.to_move if seat != view.viewer]
    if not seats:
        return ""
    for kind in dict.fromkeys((size, theme.SMALL)):
        for names in ([short_name(labels, seat, kind, 260) for seat in seats], first_words(labels, seats)):
            text = labels.say(_awaited_key(view), names=labels.list(names))
            if lettering.width(text, kind) <= room:
                return text
    return ""


# The table


def _happened(page: Page, view: SiegeView, reveal: Reveal | None, labels: Labels) -> None:
    """Place, largest of all, what the last pledges or the match came to: a ribbon, and beside it whom it concerns."""
    text, tint = event_of(view, reveal, labels)
    start = theme.MARGIN if view.outcome else BESIDE  # after the match no card lies there
    place_ribbon(page, start + 182, 160, text, tint, lettering.fitting(text, 70, 46, 256))
    left = start + CAPTION
    wide = WIDTH - left - theme.MARGIN
    said, (words, seats) = result_of(view, reveal, labels), concerned(view, reveal, labels)
    if not seats or lettering.width(said, theme.SMALL) <= wide - 28:
        place_caption(page, left, 104, wide, said)
        return
    place_caption(page, left, 104, wide, "")
    y = 104 + chrome.CAPTION_HEIGHT // 2
    taken = lettering.width(words, theme.SMALL) + 12 + PEOPLE + 56 * (len(seats) - 1)
    start = left + max(14, (wide - taken) // 2)
    place_people(page, labels, words, seats, (start, y, left + wide - 14))


def _line(page: Page, y: int, left: int = BESIDE) -> None:
    """Place the shade of a line beside the card; y is its middle."""
    page.shade(left, y - LINE // 2, WIDTH - left - theme.MARGIN, LINE, 24, 2, 178, chrome.NIGHT, 0)


def _now(page: Page, view: SiegeView, labels: Labels) -> None:
    """Place who still has to decide, and how far the match is; below it the faced card, and what it needs or brings."""
    round_ = labels.say("picture.round", round=view.round, rounds=view.rounds)
    pile = left_of(view, labels)
    far = " · ".join(filter(None, (round_, pile)))
    named = named_of(view, labels, head_room(far), 40)
    if pile and not named and (named := named_of(view, labels, head_room(pile), 40)):
        far = pile  # the names are worth more than the round
    place_head(page, named or awaited_of(view, labels, head_room(far), 40), far, theme.BRASS_LIGHT)
    place_faced(page, view, labels, CARD_AT, NOW)
    left, right, y = NOW_AT + 20, WIDTH - theme.MARGIN - 20, CARD_AT[1] + NOW_HEIGHT // 2
    asked, held = asked_of(view, labels), held_of(view, labels)
    if held:
        wide = lettering.width(asked, 64) + 28 + lettering.width(held, theme.SMALL)
        place_plate(page, left, y, min(wide, right - left), NOW_HEIGHT)
        place_need(page, view, labels, (left, y, right), 64)
        return
    rule = labels.say("picture.gold_pays" if view.card is None else "picture.only_highest")
    size = lettering.fitting(asked, 46, theme.SMALL, right - left)
    wide = max(lettering.width(asked, size), lettering.width(rule, theme.SMALL))
    place_plate(page, left, y, min(wide, right - left), NOW_HEIGHT)
    page.text(left, y - 22, asked, size, theme.BRASS_LIGHT, right - left)
    page.text(left, y + 22, rule, theme.SMALL, theme.CREAM, right - left)


def _past(page: Page, view: SiegeView, reveal: Reveal | None, labels: Labels) -> int:
    """Place what just happened: a ribbon, beside it whom it concerns, and what the pledges came to; for an earlier card
    than the faced one with a title and with what each player pledged. Return its lower edge.
    """
    top, right = PAST_AT, WIDTH - theme.MARGIN - 6
    text, tint = event_of(view, reveal, labels)
    height = PAST_HEIGHT + PAST_LINE * is_past(view)
    x, first = NOW_AT + RIBBON, top + (32 if reveal is not None else PAST_HEIGHT // 2)
    said, (words, seats) = result_of(view, reveal, labels), concerned(view, reveal, labels)
    if reveal is not None:
        place_group(page, NOW_AT, top, height)
    else:
        place_plate(page, x, first, lettering.width(said, 42), 68)
    size = lettering.fitting(text, 52, theme.SMALL, RIBBON - 106)
    place_ribbon(page, NOW_AT + RIBBON // 2 - 4, top + PAST_HEIGHT // 2, text, tint, size)
    if seats and lettering.width(said, theme.SMALL) > right - x:
        place_people(page, labels, words, seats, (x, first, right))
    else:
        size = lettering.fitting(said, 42, theme.SMALL, right - x)
        page.text(x, first, said, size, theme.BRASS_LIGHT, right - x)
    if reveal is not None:
        if is_past(view):
            x += place_tab(page, labels, x, top + 78) + 16
        place_assault(page, reveal, labels, x, top + 78, right)
    if reveal is not None and is_past(view):
        place_spent(page, reveal, labels, range(view.seats), (NOW_AT + 16, top + height - 28, right))
    return top + height


RIBBON = 292
"""The room of the ribbon, left of what it is about."""


def paint_table(view: SiegeView, labels: Labels) -> Page:
    """Paint what is now, what happened last, and the players on the wall; or, after the match, who has won and why."""
    reveal, foot = shown_reveal(view), 0
    top = OVER_WALL if view.outcome else WALL_AT
    page = page_of(view, HEIGHT, top, field=0 if view.outcome else FIELD_AT)
    if view.outcome:
        chrome.place_victory(page, labels, view.outcome.winners)
        _happened(page, view, reveal, labels)
        _line(page, 262, theme.MARGIN)
        (winner,) = sorted(view.outcome.winners)[:1]
        why = labels.say(f"picture.why_{view.outcome.reason}", name=short_name(labels, winner, theme.SMALL, 300))
        page.text(WIDTH / 2, 262, why, 42, theme.CREAM, WIDTH - 2 * theme.MARGIN - 60, "mm")
    else:
        _now(page, view, labels)
        foot = _past(page, view, reveal, labels)
        place_foes(page, view, HEIGHT)
    for seat, column in columns_of(range(view.seats), (top,)).items():
        if view.outcome:
            place_standard(page, view, seat, column, top - 330)
        elif view.open_reveal is not None:
            place_stack(page, view.open_reveal, labels, seat, column, top - foot)
        elif view.phase is Phase.PLEDGE and seat in view.sealed:
            place_fist(page, column, FIST)
        place_player(page, view, labels, seat, column)
    return page


FIST = 112
"""The size of a fist on the table."""


def moment(view: SiegeView, events: Sequence[Event]) -> Point | None:
    """Return the middle of what they came to if the pledges were opened."""
    return (
        (NOW_AT + RIBBON, PAST_AT + PAST_HEIGHT / 2)
        if any(isinstance(event, PledgesRevealed) for event in events)
        else None
    )


def paint_cover(labels: Labels) -> Page:
    """Paint the title over the wall, and a hand of cards."""
    page = Page(f"{SLUG}_evening", 640, wall("evening"))
    for i, (kind, strength) in enumerate(
        ((Kind.BOW, 4), (Kind.SWORDS, 7), (Kind.CROWN, 0), (Kind.HELMET, 5), (Kind.ARMIES, 0))
    ):
        card = card_face(kind, strength, "", 320, 448)
        page.place(rotated(card, 16 - 8 * i), 600 + (i - 2) * 172, 480 + (28, 6, 0, 6, 28)[i], "mm")
    place_title(page, labels.say("game.title"), labels.say("game.tagline"), 90)
    return page


LAST_HEIGHT = 724
LAST_WALL = 580


def paint_last(view: SiegeView, labels: Labels) -> Page | None:
    """Paint the last opened pledges, and their result."""
    reveal = shown_reveal(view)
    if reveal is None:
        return None
    page = page_of(view, LAST_HEIGHT, LAST_WALL)
    place_head(page, labels.say("picture.last"), "")
    place_card(page, faced_card(labels, reveal.card), *CARD_AT)
    _happened(page, view._replace(outcome=None), reveal, labels)
    _line(page, 262)
    place_assault(page, reveal, labels, BESIDE + 20, 262, WIDTH - theme.MARGIN - 20)
    seats = [seat for seat, coins in enumerate(reveal.pledges) if coins is not None]
    for seat, column in columns_of(seats, (LAST_WALL,)).items():
        place_stack(page, reveal, labels, seat, column, LAST_WALL - 320)
        if seat in reveal.eliminated:
            page.place(breach(176), column.x, LAST_WALL - 44, "mt")
        page.place(disc(labels, seat, DISC), column.x, LAST_WALL + 18, "mm")
        wide = column.width - 20
        page.shade(column.x - wide // 2, LAST_WALL + 72, wide, 54, 24, 2, 200, chrome.NIGHT, 0)
        name = short_name(labels, seat, theme.SMALL, wide - 16)
        page.text(column.x, LAST_WALL + 99, name, theme.SMALL, theme.CREAM, wide - 16, "mm")
    return page
