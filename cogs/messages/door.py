"""Texts and controls for a lobby's guests, teams and computers: the guests' lines in the lobby, and the pages of *More
…* for the host, the teams and the computers.
"""

from __future__ import annotations

from collections.abc import Sequence

from cogs.match.lobby import AWAY, TOGETHER
from cogs.messages.content import Button, Content, EntitySelect, Id, Row, Select, SelectOption, fitted
from cogs.messages.names import MOST, apart, beside, isolated
from data.records.match import Chair, GuestState, Match
from rendering.core.labels import Labels
from rules.core.computer import LEVELS

MOST_INVITED = 10
"""People that one choice invites at most."""
INVITES = {"accept", "decline"}
"""The actions that an invitation offers."""
LETTERS = "ABCDEFGH"
"""The names of teams, in their order."""


def guest_lines(match: Match, labels: Labels, longest: int = MOST) -> list[str]:
    """Return a line for each guest who has not answered, one for those who have declined, and whether the lobby is
    closed to others. `longest`: the characters of a name.
    """
    names = beside(match, longest)
    invited = [names[guest.user] for guest in match.guests if guest.state is GuestState.INVITED]
    declined = [names[guest.user] for guest in match.guests if guest.state is GuestState.DECLINED]
    lines = [labels.say("door.invited", name=name) for name in invited]
    if declined:
        lines.append(labels.say("door.declined", who=labels.list(declined)))
    if match.closed:
        lines.append(f"-# {labels.say('door.closed')}")
    return lines


def start_hint(match: Match, labels: Labels, *, full: bool = False) -> str:
    """Return who can start a lobby that has enough players, and who wants to. `full`: no other player finds room."""
    ready = [labels.who(chair.number) for chair in match.people if chair.ready]
    if ready:
        return labels.say("lobby.wants_start", who=labels.list(ready))
    few = "ready_full" if full else "ready_alone" if len(match.chairs) == 1 else "ready_host"
    key = "ready" if len(match.people) > TOGETHER else few
    return labels.say(f"lobby.{key}", host=_host(match, labels))


def door_message(match: Match, title: str, user: int, labels: Labels) -> Content:
    """Return the host's page of *More …*: invite people, close the lobby, remove someone, hand the host's part on."""
    say = labels.say
    others = [chair for chair in match.people if chair.user != user]
    rows: list[Row] = [EntitySelect(Id(match.id, "invite"), say("door.invite"), "user", most=MOST_INVITED)]
    there = {chair.player: labels.name(chair.number) for chair in others}
    asked = {guest.user: guest.name for guest in match.guests if guest.state is not GuestState.REMOVED}
    waiting = {who.user: who.name for who in match.waiting}
    known = {**there, **waiting, **{guest: name for guest, name in asked.items() if guest not in there}}
    known.pop(user, None)
    others_named = [name for who, name in known.items() if who not in there]
    named = apart((*labels.names, *others_named))[len(labels.names) :]
    known = {**there, **dict(zip((who for who in known if who not in there), map(isolated, named), strict=True))}
    if known:
        rows.append(_people(match, "expel", say("door.expel"), known))
    if there:
        rows.append(_people(match, "hand_on", say("door.hand_on"), there))
    to, key = ("0", "door.open_up") if match.closed else ("1", "door.close")
    rows.append((Button(say(key), Id(match.id, "closed", rest=to)), back_button(match, labels)))
    head = [f"### {title}", say("door.head_closed" if match.closed else "door.head_open")]
    return fitted(
        lambda longest: Content(("\n".join([*head, *guest_lines(match, labels, longest)]),), tuple(rows), user)
    )


def teams_message(match: Match, title: str, teams: Sequence[int], user: int, labels: Labels) -> Content:
    """Return the teams' page of *More …*: each player's team, and selects for the user's own and for computers'."""
    say, rows = labels.say, list[Row]()
    lines = [f"### {title}", say("team.head")]
    lines += [
        say("team.player", name=labels.who(chair.number), team=_team(chair.team, labels)) for chair in match.chairs
    ]
    for chair in match.chairs:
        if chair.user in (user, None):
            rows.append(_team_select(match, chair, user, sorted(set(teams)), labels))
    return Content(("\n".join(lines),), (*rows, (back_button(match, labels),)), user)


def computers_message(match: Match, title: str, user: int, labels: Labels) -> Content:
    """Return the computers' page of *More …*: how well each plays."""
    say = labels.say
    lines = [f"### {title}", say("computers.head")]
    lines += [
        say("lobby.computer", name=labels.who(chair.number), level=level_word(match, chair.number, labels))
        for chair in match.chairs
        if chair.user is None
    ]
    lines.append(say("computers.away", level=say(f"level.{match.default_level}")))
    places = [(str(chair.number), labels.name(chair.number)) for chair in match.chairs if chair.user is None]
    places.append((AWAY, say("computers.those_away")))
    now = {place: match.default_level if place == AWAY else match.level_of(int(place)) for place, _ in places}
    entries = [
        SelectOption(say("computers.choice", name=name, level=say(f"level.{level}")), f"{place} {level}", "")
        for place, name in places
        for level in LEVELS
        if level != now[place]
    ]
    rows: tuple[Row, ...] = (
        Select(Id(match.id, "level"), say("computers.choose"), tuple(entries)),
        (back_button(match, labels),),
    )
    return Content(("\n".join(lines),), rows, user)


def level_word(match: Match, seat: int, labels: Labels) -> str:
    """Return how well the computer in that seat plays, in a word."""
    return labels.say(f"level.{match.level_of(seat)}")


def team_word(team: int | None, labels: Labels) -> str:
    """Return the end of a player's line in the lobby: the team that they have chosen; "" if none."""
    return "" if team is None else f" · {_team(team, labels)}"


def invitation(match: Match, table: str, users: Sequence[int], labels: Labels) -> Content:
    """Return the message that invites these users to a lobby, for all to see. `table`: its name as a link."""
    who = labels.list([f"<@{user}>" for user in users])
    text = labels.say("door.invitation", who=who, host=_host(match, labels), table=table)
    row = (
        Button(labels.say("door.accept"), Id(match.id, "accept"), "success"),
        Button(labels.say("door.decline"), Id(match.id, "decline")),
    )
    return Content((text,), (row,))


def _team_select(match: Match, chair: Chair, user: int, teams: Sequence[int], labels: Labels) -> Select:
    own = chair.user == user
    name = labels.say("team.own") if own else labels.name(chair.number)
    choices = [("any", None), *((str(team), team) for team in teams)]
    entries = tuple(
        SelectOption(labels.say("team.choice", name=name, team=_team(team, labels)), value, chosen=chair.team == team)
        for value, team in choices
    )
    hint = labels.say("team.choice", name=name, team=_team(chair.team, labels))
    return Select(Id(match.id, "team", rest="own" if own else str(chair.number)), hint, entries)


def _team(team: int | None, labels: Labels) -> str:
    return labels.say("team.any") if team is None else labels.say("team.name", letter=LETTERS[team])


def _people(match: Match, action: str, hint: str, people: dict[int, str]) -> Select:
    entries = tuple(SelectOption(name, str(user)) for user, name in people.items())
    return Select(Id(match.id, action), hint, entries[:25])


def hints_button(match: Match, labels: Labels) -> Button:
    """Return the button that switches hints off or on."""
    to, key = ("off", "computers.no_hints") if match.hints else ("on", "computers.allow_hints")
    return Button(labels.say(key), Id(match.id, "hints", rest=to))


def back_button(match: Match, labels: Labels) -> Button:
    """Return the button to the first page of *More …*."""
    return Button(labels.say("lobby.back"), Id(match.id, "more"))


def _host(match: Match, labels: Labels) -> str:
    seat = match.seat_of(match.host)
    return "" if seat is None else labels.who(seat)
