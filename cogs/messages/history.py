"""Lists of finished matches, as one person may see them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cogs.messages.content import MOST_TEXT, Button, Content, Id
from cogs.messages.names import in_bold, in_text, robot, written
from data.content.texts import language, texts
from data.records.histories import Key, Page, Past, Placed, Rival
from data.records.visibility import Sought
from rendering.core.formatting import signed
from rendering.core.labels import Labels, with_minus_sign
from rules import GAMES

MOST = 8
"""The most matches on a page."""
LARGEST = 2**63
"""No id is that large."""
_REST = re.compile(r"(\d{1,19})\.(\d{1,19})\.([a-z_]*)\.([fon])\.(\d{1,11})\.(\d{1,11})", re.ASCII)


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
