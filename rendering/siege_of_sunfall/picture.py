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
from rendering.core.sprites import Colour, Point, Sprite
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
from rules.siege_of_sunfall.types import ATTACKERS, BOOST_ADDS, Kind, Reveal, SiegeView

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
RIBBON_AT = (262, 552)
"""The middle of the ribbon that tells what just happened."""
BESIDE = 512
"""The left edge of the caption beside it."""


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
    last = view.last_reveal if view.outcome else None
    if view.card is None:
        place_card(page, faced_card(labels, last.card) if last else unseen, x, y)
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
    """Place a player's strip: name, armies, coins, boosts and gold; at its right end the sets that are begun."""
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
    held = view.held[seat]
    sets = [(kind, have) for kind in ATTACKERS if (have := getattr(held, kind.value))]
    taken = 20 + 66 * len(sets)
    out = labels.say("picture.out") if turn == "out" else ""
    beside = taken + 12 + (lettering.width(out, theme.SMALL) + 18 if out else 0)
    place_strip(page, labels, seat, box, turn, score, _stats(view, seat), tokens=tokens, beside=beside)
    for number, (kind, have) in enumerate(sets):
        page.place(progress(kind, have), x + width - taken + 66 * number, y + 32, "lm")
    page.text(x + width - taken - 12, y + 34, out, theme.SMALL, theme.CREAM, 140, "rm")


# The table


def _reveal(page: Page, view: SiegeView, labels: Labels, reveal: Reveal | None) -> None:
    """Place the pledges opened last as stacks of coins on the wall, and at the right what they met."""
    if reveal is None:
        place_caption(page, PANEL + 60, 230, WIDTH - PANEL - 120, _asked(view, labels),
                      labels.say("picture.starting", coins=view.starting_coins))  # fmt: skip
        return
    wide = 204
    seats = [seat for seat, coins in enumerate(reveal.pledges) if coins is not None]
    step = min(150, (WIDTH - theme.MARGIN - wide - PANEL - 30) // len(seats))
    left = PANEL + 30 + step // 2
    most = max((reveal.pledges[seat] or 0 for seat in seats), default=1)
    rise = min(22, 190 / max(most, 1))
    for number, seat in enumerate(seats):
        _stack(page, reveal, labels, seat, left + number * step, rise, step)
    x = WIDTH - theme.MARGIN - wide // 2
    page.shade(x - wide // 2, 98, wide, 286, 24, 2, 178, chrome.NIGHT, 0)
    page.place(core.sign(SIGNS[reveal.card.kind], 60, theme.CREAM, chrome.NIGHT), x, 138, "mm")
    page.text(x, 192, title_of(labels, reveal.card.kind), theme.SMALL, theme.CREAM, wide - 10, "mm")
    page.text(x, 266, str(reveal.total), 110, theme.BRASS_LIGHT, wide - 10, "mm", lettering.DISPLAY)
    met = "picture.of" if reveal.card.strength else "picture.total"
    said = labels.say(met, strength=reveal.card.strength)
    page.text(x, 350, said, theme.SMALL, theme.CREAM, wide - 10, "mm")


def _stack(page: Page, reveal: Reveal, labels: Labels, seat: int, x: int, rise: float, room: int) -> None:
    """Place one player's coins on the wall, their number above, the disc below; `room` is the width for them."""
    coins, boosts = reveal.pledges[seat] or 0, reveal.boosts[seat] or 0
    foot = WALL - 34
    for number in range(coins):
        page.place(emblems.flat_coin(66), x, round(foot - number * rise), "mm")
    top = round(foot - max(coins - 1, 0) * rise) - 26
    figure = f"{coins}+{BOOST_ADDS * boosts}" if boosts else str(coins)
    size = lettering.fitting(figure, 46, theme.SMALL, room - 34)
    wide = lettering.width(figure, size) + 30
    page.shade(x - wide // 2, top - 42, wide, 52, 26, 2, 178, chrome.NIGHT, 0)
    page.text(x, top - 16, figure, size, theme.CREAM, 130, "mm", lettering.DISPLAY)
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


def _event(view: SiegeView, reveal: Reveal | None, labels: Labels) -> tuple[str, Colour]:
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


def _happened(page: Page, view: SiegeView, reveal: Reveal | None, labels: Labels, awaited: str = "") -> None:
    """Place what just happened, the largest thing on the table: a ribbon, and beside it whom it concerns."""
    text, tint = _event(view, reveal, labels)
    place_ribbon(page, *RIBBON_AT, text, tint, lettering.fitting(text, 74, 46, 320))
    place_caption(page, BESIDE, WALL + 62, WIDTH - BESIDE - theme.MARGIN, _result(view, reveal, labels), awaited)


def _awaited(view: SiegeView, labels: Labels, room: int) -> str:
    """Return whose choice of what is missing, within `room` pixels; "" if nobody's is."""
    seats = [seat for seat in view.to_move if seat != view.viewer]
    if not seats:
        return ""
    names = labels.list([short_name(labels, seat, theme.SMALL, 220) for seat in seats])
    key = f"picture.awaited_{view.phase.value}"
    text = labels.say(key, names=names)
    if lettering.width(text, theme.SMALL) <= room:
        return text
    return labels.say(key, names=labels.say("picture.players", count=len(seats)))


def _table(view: SiegeView, labels: Labels) -> Page:
    rows = (view.seats + 1) // 2
    top = WALL + 62 + chrome.CAPTION_HEIGHT + 20
    page = _page(view, top + rows * ROW + 8)
    _head(page, view, labels)
    reveal = _shown_reveal(view)
    _reveal(page, view, labels, reveal)
    _faced(page, view, labels)
    _happened(page, view, reveal, labels, _awaited(view, labels, WIDTH - BESIDE - theme.MARGIN - 28))
    for seat, place in enumerate(_places(view.seats, top)):
        _strip(page, view, labels, seat, place)
    return page


def _places(number: int, top: int) -> list[tuple[int, int, int]]:
    """Return the boxes of that many strips from `top` on, two in a row; one that is left over is in the middle."""
    boxes = [(theme.MARGIN + (i % 2) * (STRIP + 12), top + (i // 2) * ROW, STRIP) for i in range(number)]
    if number % 2:
        boxes[-1] = ((WIDTH - STRIP) // 2, boxes[-1][1], STRIP)
    return boxes


# A seat's picture

OWN_TOP = 96
"""The upper edge of the viewer's own strip."""
NEWS_TOP = 446
"""The upper edge of the line that tells what happened last."""
NEWS = 76


def _hand(view: SiegeView, labels: Labels, focus: Sequence[str]) -> Page:
    """Paint the faced card, what it asks for, the viewer's own goods and seal, what happened last, and the other
    players' strips.
    """
    seat = view.viewer
    assert seat is not None
    places = rival_boxes(view)
    page = _page(view, max(y for _, y, _ in places.values()) + ROW + 8)
    _head(page, view, labels)
    _faced(page, view, labels)
    _strip(page, view, labels, seat, (PANEL, OWN_TOP, WIDTH - PANEL - theme.MARGIN))
    page.shade(PANEL, OWN_TOP + 120, WIDTH - PANEL - theme.MARGIN, 212, 28, 2, 190, chrome.NIGHT, 0)
    _needs(page, view, labels, PANEL + 28, OWN_TOP + 166)
    _seal(page, view, labels, focus, PANEL + 28, OWN_TOP + 262)
    if news := _shown_reveal(view):
        _news(page, view, news, labels)
    for other, box in places.items():
        _strip(page, view, labels, other, box)
    return page


def _shown_reveal(view: SiegeView) -> Reveal | None:
    """Return the pledges opened last, or None if none were."""
    return view.open_reveal or view.last_reveal


def _news(page: Page, view: SiegeView, reveal: Reveal, labels: Labels) -> None:
    """Write in a line what the pledges opened last met and what came of it."""
    page.shade(theme.MARGIN, NEWS_TOP, WIDTH - 2 * theme.MARGIN, NEWS - 4, 24, 2, 178, chrome.NIGHT, 0)
    event, _ = _event(view, reveal, labels)
    x, y = theme.MARGIN + 24, NEWS_TOP + NEWS / 2 - 2
    page.place(core.sign(SIGNS[reveal.card.kind], 52, theme.CREAM, chrome.NIGHT), x, y, "lm")
    x += 70
    x += page.text(x, y, event, 44, theme.BRASS_LIGHT, 420) + 28
    page.text(x, y, _result(view, reveal, labels), theme.SMALL, theme.CREAM, WIDTH - theme.MARGIN - 20 - round(x))


def moment(view: SiegeView, events: Sequence[Event]) -> Point | None:
    """Return the middle of the wall if the pledges were opened."""
    return (WIDTH / 2, 330) if any(isinstance(event, PledgesRevealed) for event in events) else None


def rival_boxes(view: SiegeView) -> dict[int, tuple[int, int, int]]:
    """Return the left edge, the upper edge and the width of each other player's strip, in the order from the viewer."""
    assert view.viewer is not None
    others = [(view.viewer + step) % view.seats for step in range(1, view.seats)]
    top = NEWS_TOP + (NEWS + 12 if _shown_reveal(view) else 0)
    return dict(zip(others, _places(len(others), top), strict=True))


def _needs(page: Page, view: SiegeView, labels: Labels, x: int, y: int) -> None:
    """Write what all pledges must reach together and what all have, or what the card brings."""
    room = WIDTH - theme.MARGIN - 20 - x
    if view.card is None:
        page.text(x, y, labels.say("picture.gold_time" if not view.outcome else "picture.over"), 50, theme.CREAM, room)
        return
    if view.card.strength:
        at = x + page.text(x, y, _asked(view, labels), 56, theme.BRASS_LIGHT, 500) + 28
        have = sum(coins for coins, alive in zip(view.coins, view.alive, strict=True) if alive)
        page.text(at, y + 4, labels.say("picture.all_hold", coins=have), theme.SMALL, theme.CREAM, x + room - at)
        return
    page.text(x, y, _asked(view, labels), 46, theme.BRASS_LIGHT, room)


def _asked(view: SiegeView, labels: Labels) -> str:
    """Return what the faced card needs, or what it brings; "" if there is none."""
    if view.card is None:
        return ""
    if view.card.strength:
        return labels.say("picture.needs", strength=view.card.strength)
    return labels.say(f"picture.brings_{view.card.kind.value}")


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
            labels.say("picture.keep", coins=labels.count("coins", view.coins[view.viewer] - first))
            if pledge
            else labels.say("picture.may_change")
        )
        page.text(x + 124, y + 34, said, theme.SMALL, theme.CREAM, room - 124)
        return
    coins = next((part for part in focus if part.isdecimal()), None)
    if coins is not None:
        page.place(emblems.coin(92), x, y + 4, "lm")
        chosen = (
            labels.say("picture.choosing_pledge", coins=labels.count("coins", int(coins)))
            if pledge
            else labels.say("picture.choosing_gold", cards=labels.count("cards", int(coins)))
        )
        size = lettering.fitting(chosen, 46, theme.SMALL, room - 114)
        page.text(x + 114, y - 22, chosen, size, theme.CREAM, room - 114)
        if pledge:
            kept = labels.count("coins", view.coins[view.viewer] - int(coins))
            page.text(x + 114, y + 34, labels.say("picture.keep", coins=kept), theme.SMALL, theme.CREAM, room - 114)
        return
    status = _status(view, view.viewer)
    page.text(x, y - 22, labels.say(f"ask.{status}"), 46, theme.CREAM, room)
    page.text(x, y + 34, _awaited(view, labels, room), theme.SMALL, theme.CREAM, room)


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
    reveal = _shown_reveal(view)
    if reveal is None:
        return None
    page = _page(view, WALL + 62 + chrome.CAPTION_HEIGHT + 44)
    place_header(page, labels.say("picture.last"), "")
    _reveal(page, view, labels, reveal)
    place_card(page, faced_card(labels, reveal.card), *CARD_AT)
    _happened(page, view._replace(outcome=None), reveal, labels)
    return page
