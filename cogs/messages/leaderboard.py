"""The leaderboard of a server and game, all-time or of a month. Its note says what counts, and who is listed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime

from cogs.match.rated import MOST_TOGETHER
from cogs.messages.content import Button, Content, Id, fitted
from cogs.messages.history import game_title
from cogs.messages.names import in_bold
from cogs.messages.typed_moves import words_of
from data.content.texts import language, texts
from data.records.leaderboards import MOST_OTHERS, Leaderboard, Ranked
from data.records.ratings import ALL_TIME
from rendering.core.labels import Labels

MOST = 20
"""Lines on a page."""
MONTHS = 12
"""How many past months are offered."""
EVER = "all-time"
"""The period that is no month, as a command names it."""
_MONTH = re.compile(r"20\d\d-(0[1-9]|1[0-2])", re.ASCII)


def month_of(period: str) -> str | None:
    """Return the month of ratings that a period means; None if it means none."""
    if period == EVER:
        return ALL_TIME
    return period if _MONTH.fullmatch(period) else None


def period_name(period: str, labels: Labels) -> str:
    """Return "all-time" or "November 2026"."""
    if period == EVER:
        return labels.say("leaderboard.ever")
    year, month = period.split("-")
    return labels.say("leaderboard.month", month=labels.say(f"month.{int(month)}"), year=year)


def periods(now: float, labels: Labels) -> list[tuple[str, str]]:
    """Return the periods that a command offers, with their names: all-time, this month, and the months before it."""
    today = datetime.fromtimestamp(now, UTC)
    months = [divmod(today.year * 12 + today.month - 1 - back, 12) for back in range(MONTHS + 1)]
    found = [EVER, *(f"{year}-{month + 1:02}" for year, month in months)]
    names = [period_name(period, labels) for period in found]
    names[1] = labels.say("leaderboard.now", month=names[1])
    return list(zip(found, names, strict=True))


def periods_like(typed: str, now: float, labels: Labels) -> list[tuple[str, str]]:
    """Return those of these periods whose name or month has each typed word, as in "nov 2026" or "11/2026"."""

    def has(words: tuple[str, ...], part: str) -> bool:
        return any(f"0{part}" == word if part.isdecimal() and len(part) == 1 else part in word for word in words)

    wanted = words_of(typed)
    return [one for one in periods(now, labels) if all(has(words_of(" ".join(one)), part) for part in wanted)]


def leaderboard_message(board: Leaderboard, game: str, period: str, after: int, viewer: int, locale: str) -> Content:
    """Return a page of the leaderboard, with the viewer's own line, or why there may be none to show."""
    return fitted(lambda longest: _page(board, game, period, after, viewer, locale, longest))


def _page(board: Leaderboard, game: str, period: str, after: int, viewer: int, locale: str, longest: int) -> Content:
    labels = Labels((), texts(language(locale)))
    named = {"game": game_title(game), "period": period_name(period, labels)}
    if not board.lines:
        return Content((labels.say("leaderboard.nothing", **named),), user=viewer)
    title = labels.say("leaderboard.title", **named)
    shown = [line for line in (*board.lines, board.own) if line is not None]
    known = {line.user: line.name for line in shown if line.name is not None}
    names = dict(zip(known, in_bold(known.items(), longest), strict=True))
    lines = [f"### {title}", *(_line(line, viewer, names, labels) for line in board.lines)]
    if board.own is not None and board.own not in board.lines:
        lines += ["…", _line(board.own, viewer, names, labels)]
    lines.append(labels.say("leaderboard.note", others=MOST_OTHERS, most=MOST_TOGETHER))
    row = (
        Button(labels.say("leaderboard.up"), _id(game, period, max(0, after - MOST)), disabled=after == 0),
        Button(labels.say("leaderboard.down"), _id(game, period, after + MOST), disabled=after + MOST >= board.of),
    )
    return Content(("\n".join(lines),), (row,) if board.of > MOST else (), viewer)


def _id(game: str, period: str, after: int) -> Id:
    return Id(0, "ranks", rest=f"{game}/{period}/{after}")


def _line(line: Ranked, viewer: int, names: Mapping[int, str], labels: Labels) -> str:
    name = names.get(line.user, f"<@{line.user}>")
    matches = labels.count("matches", line.matches)
    text = labels.say(
        "leaderboard.provisional" if line.missing else "leaderboard.line",
        place=line.place,
        name=name,
        points=labels.number(line.points),
        matches=matches,
        wins=line.wins,
        people=labels.count("more_people", line.missing),
    )
    return f"{text} ←" if line.user == viewer else text
