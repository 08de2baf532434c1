"""Siege of Sunfall on the table: the city's wall, with the pledges as coins on its battlements.

An onlooker's table has the faced card, the pledges opened last, and a strip for each player. A seat's picture has the
faced card, what it needs, the own seal or the question, and a strip for each other player.
"""

from __future__ import annotations

from collections.abc import Sequence

from rendering.core import chrome, lettering, theme
from rendering.core import emblems as core
from rendering.core.canvas import WIDTH, Page
from rendering.core.cards import back, place_card, rotated
from rendering.core.chrome import Score, Stat, place_caption, place_header, place_ribbon, place_strip, place_title
from rendering.core.discs import disc, short_name
from rendering.core.labels import Labels
from rendering.core.sprites import Point, Sprite
from rendering.siege_of_sunfall import emblems
from rendering.siege_of_sunfall.narration import seal_text
from rendering.siege_of_sunfall.pieces import (
    BACK,
    FACED,
    SIGNS,
    SLUG,
    TINTS,
    card_face,
    faced_card,
    mini_card,
    progress,
    title_of,
)
from rendering.siege_of_sunfall.stage import WALL, light_of, wall
from rules.core.game import Event
from rules.siege_of_sunfall.events import PledgesRevealed
from rules.siege_of_sunfall.types import BOOST_ADDS, Kind, Reveal, SiegeView

COLOURS = (*theme.COLOURS, *chrome.COLOURS, emblems.WAX, *TINTS.values())
"""The colours that the palettes have exactly."""

KINGS = (88, 40, 120)
"""The colour of the King's token."""
CARD_AT = (36, 96)
"""The upper left corner of the faced card."""
STRIP = (WIDTH - 2 * theme.MARGIN - 12) // 2
ROW = 116
"""Pixels from one row of strips to the next."""
PANEL = 300
"""The left edge of what stands beside the card."""


def _page(view: SiegeView, height: int) -> Page:
    """Return a page with the wall in the light of the round."""
    light = light_of(view)
    return Page(f"{SLUG}_{light}" if light else SLUG, height, wall(light))


# Both pictures


def _head(page: Page, view: SiegeView, labels: Labels) -> None:
    """Write round and pile."""
    left = labels.say("picture.over" if view.outcome else "picture.round", round=view.round, rounds=view.rounds)
    right = labels.say("picture.card", number=view.card_number, left=view.pile) if view.card_number else ""
    place_header(page, left, right)


def _faced(page: Page, view: SiegeView, labels: Labels) -> None:
    """Place the faced card, with the pile under it."""
    x, y = CARD_AT
    unseen = back(*FACED, core.sun, BACK)
    if view.card is None:
        place_card(page, unseen, x, y)
        return
    for i in range(min(3, view.pile), 0, -1):
        page.place(unseen, x + 8 * i, y + 4 * i)
    place_card(page, faced_card(labels, view.card), x, y)


def _stats(view: SiegeView, seat: int) -> list[Stat]:
    """Return the signs and figures of a player: coins, boosts and gold cards."""
    held = view.held[seat]
    stats = [Stat(emblems.coin(40), str(view.coins[seat]))]
    stats += [
        Stat(mini_card(kind), str(have)) for kind, have in ((Kind.BOOST, held.boost), (Kind.GOLD, held.gold)) if have
    ]
    return stats


def _strip(page: Page, view: SiegeView, labels: Labels, seat: int, box: tuple[int, int, int]) -> None:
    """Place a player's strip: name, armies, coins, boosts and gold; the sets at its right end."""
    x, y, width = box
    tokens: list[Sprite] = []
    if seat == view.king:
        tokens.append(chrome.token(emblems.crown, 46, KINGS, theme.BRASS_LIGHT))
    if seat in view.sealed:
        tokens.append(emblems.wax(54))
    few = len(view.to_move) < sum(view.alive)
    over = view.outcome
    turn: chrome.Turn = "turn" if seat in view.to_move and few else ""
    if over and seat in over.winners:
        turn = "won"
    elif not over and not view.alive[seat]:
        turn = "out"
    score = Score(0, 0, labels.count("armies", view.armies[seat]))
    place_strip(
        page, labels, seat, box, turn, score, _stats(view, seat), tokens=tokens, beside=210 + 70 * (turn == "out")
    )
    held = view.held[seat]
    sets = ((Kind.SWORDS, held.swords), (Kind.HELMET, held.helmet), (Kind.BOW, held.bow))
    for number, (kind, have) in enumerate(sets):
        page.place(progress(kind, have), x + width - 26 - 66 * (3 - number), y + 32, "lm")
    if turn == "out":
        page.text(x + width - 244, y + 34, labels.say("picture.out"), theme.SMALL, theme.CREAM, 140, "rm")


# The table


def _reveal(page: Page, view: SiegeView, labels: Labels, reveal: Reveal | None) -> None:
    """Place the pledges opened last as stacks of coins on the wall, and what they met."""
    if reveal is None:
        place_caption(page, PANEL + 60, 230, WIDTH - PANEL - 120, labels.say("picture.no_reveal"),
                      labels.say("picture.starting", coins=view.starting_coins))  # fmt: skip
        return
    seats = [seat for seat, coins in enumerate(reveal.pledges) if coins is not None]
    step = min(150, (WIDTH - PANEL - 190) // len(seats))
    left = PANEL + 50 + step // 2
    most = max((reveal.pledges[seat] or 0 for seat in seats), default=1)
    rise = min(22, 190 / max(most, 1))
    for number, seat in enumerate(seats):
        _stack(page, reveal, labels, seat, left + number * step, rise)
    x = WIDTH - theme.MARGIN - 76
    page.shade(x - 74, 98, 148, 250, 24, 2, 178, chrome.NIGHT, 0)
    page.place(core.sign(SIGNS[reveal.card.kind], 60, theme.CREAM, chrome.NIGHT), x, 136, "mm")
    page.text(x, 206, str(reveal.total), 84, theme.BRASS_LIGHT, 140, "mm", lettering.DISPLAY)
    if reveal.card.strength:
        page.text(x, 270, labels.say("picture.of", strength=reveal.card.strength), theme.SMALL, theme.CREAM, 140, "mm")
    page.text(x, 318, title_of(labels, reveal.card.kind), theme.SMALL, theme.CREAM, 144, "mm")
    if reveal.repelled is not None:
        key = "picture.repelled" if reveal.repelled else "picture.fallen"
        tint = theme.GOOD if reveal.repelled else theme.ALARM
        place_ribbon(page, (PANEL + x - 80) / 2, 138, labels.say(key), tint)


def _stack(page: Page, reveal: Reveal, labels: Labels, seat: int, x: int, rise: float) -> None:
    """Place one player's coins on the wall, their number above, the disc below."""
    coins, boosts = reveal.pledges[seat] or 0, reveal.boosts[seat] or 0
    foot = WALL - 34
    for number in range(coins):
        page.place(emblems.flat_coin(66), x, round(foot - number * rise), "mm")
    top = round(foot - max(coins - 1, 0) * rise) - 26
    figure = f"{coins}+{BOOST_ADDS * boosts}" if boosts else str(coins)
    wide = lettering.width(figure, 46) + 36
    page.shade(x - wide // 2, top - 42, wide, 52, 26, 2, 178, chrome.NIGHT, 0)
    page.text(x, top - 16, figure, 46, theme.CREAM, 130, "mm", lettering.DISPLAY)
    page.place(disc(labels, seat, 72), x, WALL + 14, "mm")
    if seat == reveal.taker:
        page.place(chrome.crown(70), x, top - 46, "mb")
    elif seat in reveal.eliminated:
        page.place(chrome.token(emblems.broken, 58, theme.ALARM, theme.CREAM), x + 30, WALL + 40, "mm")


def _result(view: SiegeView, reveal: Reveal | None, labels: Labels) -> str:
    """Return which player gets the card or has won, in a few words."""

    def name(seat: int) -> str:
        return short_name(labels, seat, 40, 260)

    if view.outcome is not None:
        return labels.say(
            f"picture.won_{view.outcome.reason}", name=labels.list([name(s) for s in sorted(view.outcome.winners)])
        )
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


def _awaited(view: SiegeView, labels: Labels) -> str:
    """Return who has still to choose; "" if all have."""
    awaited = [seat for seat in view.to_move if seat != view.viewer]
    if not awaited:
        return ""
    if len(awaited) > 3:
        return labels.say("picture.waiting_for", count=len(awaited))
    names = [short_name(labels, seat, theme.SMALL, 220) for seat in awaited]
    return labels.say("picture.waiting", names=labels.list(names))


def _table(view: SiegeView, labels: Labels) -> Page:
    rows = (view.seats + 1) // 2
    top = WALL + 62 + chrome.CAPTION_HEIGHT + 16
    page = _page(view, top + rows * ROW + 8)
    _head(page, view, labels)
    reveal = view.open_reveal or view.last_reveal
    _reveal(page, view, labels, reveal)
    _faced(page, view, labels)
    place_caption(
        page, PANEL, WALL + 62, WIDTH - PANEL - theme.MARGIN, _result(view, reveal, labels), _awaited(view, labels)
    )
    for seat in range(view.seats):
        x = theme.MARGIN + (seat % 2) * (STRIP + 12)
        if seat == view.seats - 1 and view.seats % 2:
            x = (WIDTH - STRIP) // 2
        _strip(page, view, labels, seat, (x, top + (seat // 2) * ROW, STRIP))
    return page


# A seat's picture

OWN_TOP = 96
"""The upper edge of the viewer's own strip."""
RIVALS_TOP = 446


def _hand(view: SiegeView, labels: Labels, focus: Sequence[str]) -> Page:
    """Paint the faced card, what it asks for, the viewer's own goods and seal, and the other players' strips."""
    seat = view.viewer
    assert seat is not None
    places = rival_boxes(view)
    lines = (len(places) + 1) // 2
    page = _page(view, max(764, RIVALS_TOP + lines * ROW + 8))
    _head(page, view, labels)
    _faced(page, view, labels)
    _strip(page, view, labels, seat, (PANEL, OWN_TOP, WIDTH - PANEL - theme.MARGIN))
    page.shade(PANEL, OWN_TOP + 120, WIDTH - PANEL - theme.MARGIN, 212, 28, 2, 190, chrome.NIGHT, 0)
    _needs(page, view, labels, PANEL + 28, OWN_TOP + 166)
    _seal(page, view, labels, focus, PANEL + 28, OWN_TOP + 262)
    for other, box in places.items():
        _strip(page, view, labels, other, box)
    return page


def moment(view: SiegeView, events: Sequence[Event]) -> Point | None:
    """Return the middle of the wall if the pledges were opened."""
    return (WIDTH / 2, 330) if any(isinstance(event, PledgesRevealed) for event in events) else None


def rival_boxes(view: SiegeView) -> dict[int, tuple[int, int, int]]:
    """Return the left edge, the upper edge and the width of each other player's strip, in the order from the viewer."""
    assert view.viewer is not None
    others = [(view.viewer + step) % view.seats for step in range(1, view.seats)]
    return {
        other: (theme.MARGIN + (i % 2) * (STRIP + 12), RIVALS_TOP + (i // 2) * ROW, STRIP)
        for i, other in enumerate(others)
    }


def _needs(page: Page, view: SiegeView, labels: Labels, x: int, y: int) -> None:
    """Write what all pledges must reach together and what all have, or what the card brings."""
    room = WIDTH - theme.MARGIN - 20 - x
    if view.card is None:
        page.text(x, y, labels.say("picture.gold_time" if not view.outcome else "picture.over"), 50, theme.CREAM, room)
        return
    if view.card.strength:
        at = (
            x
            + page.text(x, y, labels.say("picture.needs", strength=view.card.strength), 56, theme.BRASS_LIGHT, 500)
            + 28
        )
        have = sum(coins for coins, alive in zip(view.coins, view.alive, strict=True) if alive)
        page.text(at, y + 4, labels.say("picture.all_hold", coins=have), theme.SMALL, theme.CREAM, x + room - at)
        return
    page.text(x, y, labels.say(f"picture.brings_{view.card.kind.value}"), 46, theme.BRASS_LIGHT, room)


def _seal(page: Page, view: SiegeView, labels: Labels, focus: Sequence[str], x: int, y: int) -> None:
    """Place the viewer's seal, the current choice, or the question, and what it leaves."""
    assert view.viewer is not None
    room = WIDTH - theme.MARGIN - 20 - x
    pledge = view.phase.value == "pledge"
    if view.own_seal is not None and not focus:
        page.place(emblems.wax(104), x, y + 4, "lm")
        first, second = view.own_seal
        page.text(x + 124, y - 22, seal_text(view, labels, first, second), 46, theme.CREAM, room - 124)
        said = (
            labels.say("picture.keep", coins=view.coins[view.viewer] - first)
            if pledge
            else labels.say("picture.may_change")
        )
        page.text(x + 124, y + 34, said, theme.SMALL, theme.CREAM, room - 124)
        return
    coins = next((part for part in focus if part.isdecimal()), None)
    if coins is not None:
        page.place(emblems.coin(92), x, y + 4, "lm")
        chosen = labels.say("picture.choosing", coins=coins)
        size = lettering.fitting(chosen, 46, theme.SMALL, room - 114)
        page.text(x + 114, y - 22, chosen, size, theme.CREAM, room - 114)
        if pledge:
            left = view.coins[view.viewer] - int(coins)
            page.text(x + 114, y + 34, labels.say("picture.keep", coins=left), theme.SMALL, theme.CREAM, room - 114)
        return
    status = _status(view, view.viewer)
    page.text(x, y - 22, labels.say(f"ask.{status}"), 46, theme.CREAM, room)
    page.text(x, y + 34, _awaited(view, labels), theme.SMALL, theme.CREAM, room)


def _status(view: SiegeView, seat: int) -> str:
    """Return the key of what a seat does now: it wins, is out, has sealed, must choose, or waits."""
    if view.outcome:
        return "wins" if seat in view.outcome.winners else "wait_over"
    if not view.alive[seat]:
        return "out"
    if seat in view.sealed:
        return "sealed"
    return f"asked_{view.phase.value}" if seat in view.to_move else "wait"


# The pictures


def paint(view: SiegeView, labels: Labels, focus: Sequence[str] = ()) -> Page:
    """Paint the table, or the viewer's own board."""
    return _table(view, labels) if view.viewer is None else _hand(view, labels, focus)


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


def paint_last(view: SiegeView, labels: Labels) -> Page | None:
    """Paint the last opened pledges, and their result."""
    reveal = view.open_reveal or view.last_reveal
    if reveal is None:
        return None
    page = _page(view, WALL + 62 + chrome.CAPTION_HEIGHT + 24)
    place_header(page, labels.say("picture.last"), "")
    _reveal(page, view, labels, reveal)
    place_card(page, faced_card(labels, reveal.card), *CARD_AT)
    place_caption(
        page, PANEL, WALL + 62, WIDTH - PANEL - theme.MARGIN, _result(view._replace(outcome=None), reveal, labels)
    )
    return page
