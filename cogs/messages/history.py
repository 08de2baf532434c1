"""What one person may see of finished matches: lists of them; the leaderboard of a server and game, all-time or of a
month, whose note says what counts and who is listed; and what the matches of a person amount to, in words and in a
picture.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

from cogs.match.rated import MOST_TOGETHER
from cogs.messages.clock import span
from cogs.messages.content import MOST_TEXT, Button, Content, Id, Picture, fitted
from cogs.messages.drawing import picture
from cogs.messages.names import clean, in_bold, in_text, isolated, robot, written
from cogs.messages.presenter import Presenter
from cogs.messages.typed_moves import words_of
from data.content.texts import language, texts
from data.records.histories import Key, Page, Past, Placed, Profile, Rival
from data.records.leaderboards import MOST_OTHERS, Leaderboard, Ranked
from data.records.ratings import ALL_TIME
from data.records.visibility import Sought
from rendering import Renderer
from rendering.core.formatting import signed
from rendering.core.labels import Labels, with_minus_sign
from rendering.core.profile import MOST_ROWS, Figure, GameRow, Showing, describe_profile
from rules import GAMES

MOST = 8
"""The most matches on a page."""
LARGEST = 2**63
"""No id is that large."""
_REST = re.compile(r"(\d{1,19})\.(\d{1,19})\.([a-z_]*)\.([fon])\.(\d{1,11})\.(\d{1,11})", re.ASCII)
MOST_LINES = 20
"""Lines on a page."""
MONTHS = 12
"""How many past months are offered."""
EVER = "all-time"
"""The period that is no month, as a command names it."""
_MONTH = re.compile(r"20\d\d-(0[1-9]|1[0-2])", re.ASCII)
MOST_HONOURS = 5
MOST_TABLES = 12
"""The most games with a number of seats that are listed."""


class Turn(NamedTuple):
    """What a button of a list leads to: which matches, and the page next to which match. `user` 0: all of the server;
    `other` 0: any other players; `way`: the (f)irst page, the (o)lder or the (n)ewer one.
    """

    user: int
    other: int = 0
    game: str = ""
    way: str = "f"
    ended_at: int = 0
    number: int = 0

    @property
    def id(self) -> Id:
        """The id of the button."""
        return Id(0, "history", rest=".".join(map(str, self)))

    @classmethod
    def parse(cls, rest: str) -> Turn | None:
        """Return what the rest of an id means; None if this bot never made it."""
        found = _REST.fullmatch(rest)
        if found is None or max(int(found[1]), int(found[2])) >= LARGEST:
            return None
        return cls(int(found[1]), int(found[2]), found[3], found[4], int(found[5]), int(found[6]))

    @property
    def key(self) -> Key | None:
        """The match whose neighbours are wanted; None for the first page."""
        return None if self.way == "f" else Key(self.ended_at, self.number)


@dataclass(frozen=True, slots=True)
class Listed:
    """A page of the matches sought. `between`: how the two people did against each other, if two were named."""

    sought: Sought
    page: Page
    between: Rival | None = None

    def name(self, user: int | None) -> str | None:
        """Return the name of a player of these matches, as in the newest one on the page."""
        return next((name for past in self.page.matches for found, name in past.named if user and found == user), None)


def history_message(listed: Listed, turn: Turn, locale: str) -> Content:
    """Return a page of finished matches, or why there may be none to show."""
    labels, viewer = Labels((), texts(language(locale))), listed.sought.viewer
    found, say = listed.page, labels.say
    other = Turn(0 if turn.user else viewer, game=turn.game)
    scope: tuple[Button, ...] = (Button(say("history.mine" if other.user else "history.everyone"), other.id),)
    if listed.sought.guild is None:
        scope = ()
    if not found.matches:
        return Content((nothing_to_show(turn, viewer, labels),), (scope,) if scope else (), viewer)
    head = f"### {_title(listed, labels)}"
    if listed.between is not None:
        head += f"\n{_between(listed, listed.between, labels)}"
    told = [match_lines(past, locale) for past in found.matches]
    first, last = _fitting(told, MOST_TEXT - len(head), from_end=turn.way == "n")
    matches = found.matches[first:last]
    older, newer = found.older or last < len(told), found.newer or first > 0
    pages = (
        Button(say("log.older"), _next(turn, "o", matches[-1]).id, disabled=not older),
        Button(say("log.newer"), _next(turn, "n", matches[0]).id, disabled=not newer),
    )
    row = (*pages, *scope) if older or newer else scope
    return Content(("\n".join((head, *told[first:last])),), (row,) if row else (), viewer)


def nothing_to_show(turn: Turn, viewer: int, labels: Labels) -> str:
    """Return why there may be no match to show. Of another player it is the same whatever the reason: a person who
    hides their matches is told as one who has none.
    """
    own = turn.user == viewer and turn.other in (0, viewer)
    kind = "nothing_own" if own else "nothing_of" if turn.user else "nothing_here"
    said = labels.say(f"history.{kind}")
    return f"{said} {labels.say('history.only', game=game_title(turn.game))}" if turn.game else said


def _next(turn: Turn, way: str, past: Past) -> Turn:
    return turn._replace(way=way, ended_at=past.ended_at, number=past.number)


def _fitting(told: Sequence[str], room: int, *, from_end: bool) -> tuple[int, int]:
    """Return which of the texts fit, as a slice: the first ones, or the last ones."""
    kept = 0
    for text in reversed(told) if from_end else told:
        room -= len(text) + 1
        if room < 0:
            break
        kept += 1
    return (len(told) - kept, len(told)) if from_end else (0, kept)


def _title(listed: Listed, labels: Labels) -> str:
    say, game = labels.say, listed.sought.game
    name, other = listed.name(listed.sought.user), listed.name(listed.sought.other)
    if name is None:
        title = say("history.of_server")
    elif other is None:
        title = say("history.of", name=written(name))
    else:
        both = in_text(((listed.sought.user, name), (listed.sought.other, other)))
        title = say("history.of_both", name=both[0], other=both[1])
    return f"{title} · {game_title(game)}" if game else title


def _between(listed: Listed, score: Rival, labels: Labels) -> str:
    name, rival = in_bold(((listed.sought.user, listed.name(listed.sought.user) or ""), (score.user, score.name)))
    told = score_of(name, rival, score, labels)
    return labels.say("history.between", score=told)


def score_of(name: str, rival: str, score: Rival, labels: Labels) -> str:
    """Return "Ann 7 : 4 Ben", and how often they were level."""
    told = f"{name} {score.ahead} : {score.behind} {rival}"
    level = score.matches - score.ahead - score.behind
    return f"{told} ({labels.say('history.level', times=labels.count('times', level))})" if level else told


def game_title(slug: str) -> str:
    """Return the title of a game, also of one that this program lacks."""
    return GAMES[slug].title if slug in GAMES else slug


def match_lines(past: Past, locale: str) -> str:
    """Return two lines about a match: which it was, when it ended and where that is told; how its players did."""
    labels = Labels((), texts(language(locale)))
    table = labels.say("table", game=game_title(past.game), number=past.match)
    address = f"https://discord.com/channels/{past.guild}/{past.channel}"
    address += f"/{past.message}" if past.message is not None else ""
    name = f"[{table}]({address})" if past.guild else table  # a private match has no address
    told_apart = in_bold((user, robot(name) if user is None else name) for user, name in past.named)
    names = dict(zip(past.named, told_apart, strict=True))
    told = _places(past.places, names, labels)
    if past.away:
        who = labels.list([f"{names[at.user, at.name]} ({signed(at.gain)})" for at in past.away])
        told += f" · {labels.say('history.away', who=who)}"
    return f"**{name}** · <t:{past.ended_at}:D>\n{told}"


def _places(places: Sequence[Placed], names: Mapping[tuple[int | None, str], str], labels: Labels) -> str:
    """Return the place and the score of each player, the members of a team together."""
    sides: dict[int, list[Placed]] = {}
    for at in places:
        sides.setdefault(at.side, []).append(at)
    told = [_side(side, names, labels) for side in sides.values()]
    won = any(at.rank == 1 for at in places)
    if len(sides) == 1:
        return f"{told[0]}, {labels.say('history.won' if won else 'history.lost')}"
    if not won:
        return f"{labels.say('end.nobody')} {' · '.join(told)}"
    line = " · ".join(f"{side[0].rank}. {text}" for side, text in zip(sides.values(), told, strict=True))
    return line.replace(".", r"\.", 1)  # else all lines of places are one list, which Discord numbers 1, 2, 3


def _side(side: Sequence[Placed], names: Mapping[tuple[int | None, str], str], labels: Labels) -> str:
    """Return the names of a side with its score, and what the match changed in their ratings."""
    scores = dict.fromkeys(with_minus_sign(at.score) for at in side if at.score is not None)
    gains = [signed(at.gain) for at in side if at.gain is not None]
    changed = f" ({', '.join(gains)})" if gains else ""
    who = labels.list([_unnamed(at, labels) if at.name is None else names[at.user, at.name] for at in side])
    return f"{who} {' / '.join(scores)}".rstrip() + changed


def _unnamed(at: Placed, labels: Labels) -> str:
    return labels.say("history.computer" if at.computer else "history.player")


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
    """Return the periods that a command offers with their names, whether or not anybody played then: all-time, this
    month, and the months before it.
    """
    today = datetime.fromtimestamp(now, UTC)
    months = [divmod(today.year * 12 + today.month - 1 - back, 12) for back in range(MONTHS + 1)]
    found = [EVER, *(f"{year}-{month + 1:02}" for year, month in months)]
    names = [period_name(period, labels) for period in found]
    names[1] = labels.say("leaderboard.now", month=names[1])
    return list(zip(found, names, strict=True))


def periods_like(typed: str, now: float, labels: Labels) -> list[tuple[str, str]]:
    """Return those of these periods whose name or month contains a typed text."""
    wanted = " ".join(words_of(typed))
    return [one for one in periods(now, labels) if wanted in " ".join(words_of(" ".join(one)))]


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
        Button(labels.say("leaderboard.up"), _id(game, period, max(0, after - MOST_LINES)), disabled=after == 0),
        Button(
            labels.say("leaderboard.down"),
            _id(game, period, after + MOST_LINES),
            disabled=after + MOST_LINES >= board.of,
        ),
    )
    return Content(("\n".join(lines),), (row,) if board.of > MOST_LINES else (), viewer)


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


async def profile_message(
    presenter: Presenter, profile: Profile | None, user: int, viewer: int, locale: str
) -> Content:
    """Return a person's profile with its picture, or why there may be nothing to show."""
    labels = Labels((), texts(language(locale)))
    if profile is None:
        return Content((nothing_to_show(Turn(user), viewer, labels),), user=viewer)
    lines = [f"### {written(profile.name)}", *profile_lines(profile, user, labels, locale)]
    row = (Button(labels.say("profile.matches"), Turn(user).id),)
    drawn = await _picture(presenter, profile, user, viewer, locale)
    return Content((*([drawn] if drawn else []), "\n".join(lines)), (row,), viewer)


async def _picture(presenter: Presenter, profile: Profile, user: int, viewer: int, locale: str) -> Picture | None:
    """Return the picture, on the stage of the game played most; None if this program has none of the games."""
    played = Counter[str]()
    for (game, _), count in profile.by_game.items():
        if game in GAMES:
            played[game] += count
    if not played:
        return None
    ((slug, _),) = played.most_common(1)
    face = await presenter.face(user)
    labels = Labels((isolated(clean(profile.name)),), texts(language(locale), slug), faces=(face,))
    person = await presenter.service.people.get(viewer)
    labels = labels if person is None else presenter.as_wished(labels, person)
    shown = showing(profile, labels)
    png = await presenter.drawing.picture_behind(picture(slug, Renderer.draw_profile, shown, labels))
    return Picture("profile.png", png, describe_profile(shown, labels))


def showing(profile: Profile, labels: Labels) -> Showing:
    """Return what the picture shows."""
    say = labels.say
    played, won = Counter[str](), Counter[str]()
    for (game, seats), count in profile.by_game.items():
        played[game] += count
        won[game] += profile.wins_by_game[game, seats]
    return Showing(
        summary=say("profile.summary", matches=labels.count("matches", profile.matches), wins=profile.wins),
        best=_best(profile, labels),
        games=tuple(GameRow(game_title(game), count, won[game]) for game, count in played.most_common(MOST_ROWS)),
    )


def _best(profile: Profile, labels: Labels) -> Figure:
    """Return the most wins in a row, or how long a move takes as long as there is no row."""
    most = profile.most_in_a_row
    if profile.decisions and most <= 1:
        return Figure(pace(profile, labels), labels.say("profile.for_a_move"))
    key = "profile.best_in_a_row_one" if labels.is_singular(most) else "profile.best_in_a_row"
    return Figure(str(most), labels.say(key))


def profile_lines(profile: Profile, user: int, labels: Labels, locale: str) -> list[str]:
    """Return what a profile says, a line for each thing."""
    say = labels.say
    lines = [say("profile.played", matches=labels.count("matches", profile.matches), wins=profile.wins)]
    if profile.most_in_a_row > 1:
        now = labels.count("wins_in_a_row", profile.in_a_row) if profile.in_a_row > 1 else ""
        most = say("profile.most_in_a_row", most=profile.most_in_a_row)
        lines.append(f"{most} · {now}" if now else most)
    if profile.decisions:
        lines.append(say("profile.pace", time=pace(profile, labels)))
    lines += _by_game(profile, labels)
    if profile.rivals:
        me, *names = in_bold([(user, profile.name), *((rival.user, rival.name) for rival in profile.rivals)])
        scores = [score_of(me, name, rival, labels) for name, rival in zip(names, profile.rivals, strict=True)]
        lines += [f"**{say('profile.rivals')}**", *(f"• {score}" for score in scores)]
    if told := honours(profile.honours, labels, locale)[:MOST_HONOURS]:
        lines.append(say("profile.honours", honours=" · ".join(f"{title} ({game}) × {n}" for title, game, n in told)))
    return lines


def pace(profile: Profile, labels: Labels) -> str:
    """Return the average time of a decision."""
    seconds = round(profile.seconds / profile.decisions)
    return span(seconds, labels) if seconds >= 60 else labels.say("profile.seconds", count=seconds)


def _by_game(profile: Profile, labels: Labels) -> list[str]:
    """Return a line for each game: the rating in it, and the matches by number of seats."""
    rated = {rating.game: rating for rating in profile.ratings}
    tables = profile.by_game.most_common(MOST_TABLES)
    lines = []
    for game in dict.fromkeys([*rated, *(game for (game, _), _ in tables)]):
        parts = [f"**{game_title(game)}**"]
        if game in rated:
            points, place = labels.number(rated[game].points), rated[game].place
            key = "profile.rating_provisional" if place is None else "profile.rating"
            parts.append(labels.say(key, points=points, place=place))
        for seats in sorted(seats for (found, seats), _ in tables if found == game):
            count, won = profile.by_game[game, seats], profile.wins_by_game[game, seats]
            players = labels.count("players", seats)
            parts.append(
                labels.say("profile.at_table", players=players, matches=labels.count("matches", count), wins=won)
            )
        lines.append(" · ".join(parts))
    return lines


def honours(won: Counter[tuple[str, str]], labels: Labels, locale: str) -> Sequence[tuple[str, str, int]]:
    """Return the title of each honour, its game's title and how often it was won, the most frequent first. Honours that
    no game of this program gives are left out.
    """
    found = []
    for (game, key), count in sorted(won.items(), key=lambda item: (-item[1], item[0])):
        own = texts(language(locale), game) if game in GAMES else {}
        if title := own.get(f"honour.{key}"):
            found.append((title, game_title(game), count))
    return found
