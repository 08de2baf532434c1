"""The message of a lobby, and the message that remains when it is closed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cogs.match.membership import IDLE_LOBBY
from cogs.messages.content import Button, Content, Id, Picture, fitted
from cogs.messages.door import guest_lines, level_word, start_hint, team_word
from cogs.messages.lobby_options import differing, switched
from cogs.messages.players import waiting_line
from cogs.messages.start_time import start_lines
from data.records.match import Chair, Match, Status
from data.records.people import Person, PingPreference
from rendering.core.labels import Labels
from rules.core.game import AnyGame, Option


def lobby_message(
    match: Match,
    game: AnyGame,
    options: Sequence[Option],
    people: Mapping[int, Person],
    labels: Labels,
    cover: bytes,
    *,
    teams: bool = False,
    uncounted: str | None = None,
    same_deals: str = "",
) -> Content:
    """Return the lobby of a match that has not begun, short enough for the screen of a phone: all that is chosen rarely
    is behind *More …*. `cover`: the game's picture, a PNG. `teams`: whether it is played in teams.
    `uncounted`: why its match will not count for the ratings, if its table is rated. `same_deals`: the line about
    its duplicates.
    """
    say = labels.say
    most = match.wanted or game.seats[-1]
    seated = [_lobby_line(chair, match, people, labels, teams) for chair in match.chairs]
    least, count = match.wanted or game.seats[0], len(match.chairs)
    hint = start_hint(match, labels) if count >= least else say("lobby.waiting", count=least - count)
    hint = "\n".join([*start_lines(match, labels), hint])
    below = (same_deals, hint, *switched(match, uncounted, labels), differing(match, game, options, labels))
    row = (
        Button(say("lobby.wait" if count >= most else "lobby.join"), Id(match.id, "join"), "success"),
        Button(say("lobby.leave"), Id(match.id, "leave")),
        Button(say("lobby.start"), Id(match.id, "start"), "primary"),
        Button(say("lobby.more"), Id(match.id, "more")),
        Button(say("lobby.rules"), Id(match.id, "rules")),
    )

    def write(longest: int) -> Content:
        waiting = [waiting_line(match, labels, longest)] if match.waiting else []
        lines = [*seated, *guest_lines(match, labels, longest), *waiting]
        parts = (
            f"## {say('table', game=game.title, number=match.id)}",
            Picture("cover.png", cover, f"{say('game.tagline')}. {say('game.cover')}"),
            f"**{say('lobby.players', count=count, most=most)}**\n" + "\n".join(lines),
            "\n".join(filter(None, below)),
        )
        return Content(parts, (row,))

    return fitted(write)


def closed_message(match: Match, game: AnyGame, labels: Labels) -> Content:
    """Return what remains of a lobby that was cancelled, or of one whose table has moved to its own thread."""
    head = f"## {labels.say('table', game=game.title, number=match.id)}"
    if match.status is Status.CANCELLED:
        idle = match.ended_at is not None and match.ended_at - match.touched_at >= IDLE_LOBBY
        why = "away" if match.ending == "away" else "expired" if idle else "cancelled"
        return Content((f"{head}\n{labels.say(f'lobby.{why}', days=IDLE_LOBBY // 86400)}",))
    return Content((f"{head}\n{labels.say('lobby.moved', place=f'<#{match.place}>')}",))


def _lobby_line(chair: Chair, match: Match, people: Mapping[int, Person], labels: Labels, teams: bool) -> str:
    team = team_word(chair.team, labels) if teams else ""
    if chair.user is None:
        level = level_word(match, chair.number, labels)
        return labels.say("lobby.computer", name=labels.who(chair.number), level=level) + team
    person = people.get(chair.user)
    works = person.dm_works if person is not None else None
    if person is not None and (chair.ping or person.ping) in (PingPreference.MENTION, PingPreference.NONE):
        works = False
    how = {True: "lobby.dm_works", False: "lobby.dm_closed", None: "lobby.dm_unknown"}[works]
    line = labels.say("lobby.person", name=labels.who(chair.number), how=labels.say(how)) + team
    return f"{line} · {labels.say('lobby.host')}" if chair.user == match.host else line
