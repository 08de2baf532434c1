"""The message of a lobby, and the message that remains when it is closed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cogs.match.membership import IDLE_LOBBY
from cogs.messages import clock as clockface
from cogs.messages.content import Button, Content, Id, Picture, Row, Select, SelectOption
from cogs.messages.fairness import button as fair_button
from cogs.messages.fairness import cut_buttons
from cogs.messages.players import waiting_line
from cogs.messages.start_time import start_button, start_lines, start_select
from data.records.match import Chair, Match, Status
from data.records.people import Person, PingPreference
from data.records.servers import Server, Threads
from rendering.core.labels import Labels
from rules.core.game import AnyGame, Option


def lobby_message(
    match: Match,
    game: AnyGame,
    options: Sequence[Option],
    people: Mapping[int, Person],
    server: Server,
    labels: Labels,
    cover: bytes,
) -> Content:
    """Return the lobby of a match that has not begun, with its choices. `cover`: the game's picture, a PNG."""
    say = labels.say
    most = match.wanted or game.seats[-1]
    lines = [_lobby_line(chair, match, people, labels) for chair in match.chairs]
    if match.waiting:
        lines.append(waiting_line(match, labels))
    least, count = match.wanted or game.seats[0], len(match.chairs)
    hint = say("lobby.ready") if count >= least else say("lobby.waiting", count=least - count)
    hint = "\n".join([*start_lines(match, labels), hint])
    full = count >= most
    return Content(
        (
            f"## {say('table', game=game.title, number=match.id)}\n{say('game.tagline')}",
            Picture("cover.png", cover, say("game.cover")),
            f"**{say('lobby.players', count=count, most=most)}**\n" + "\n".join(lines),
            f"{hint}\n{clockface.chosen(match, labels)}",
        ),
        (
            (
                Button(say("lobby.wait" if full else "lobby.join"), Id(match.id, "join"), "success"),
                Button(say("lobby.leave"), Id(match.id, "leave")),
                Button(say("lobby.rules"), Id(match.id, "rules")),
            ),
            (
                Button(say("lobby.add"), Id(match.id, "add"), disabled=full),
                Button(say("lobby.remove"), Id(match.id, "remove")),
                *cut_buttons(match, game, labels),
                fair_button(match, labels),
            ),
            *_selects(match, game, options, server, labels),
            start_select(match, labels),
            (
                Button(say("lobby.start"), Id(match.id, "start"), "primary"),
                start_button(match, labels),
                Button(say("lobby.cancel"), Id(match.id, "cancel"), "danger"),
            ),
        ),
    )


def closed_message(match: Match, game: AnyGame, labels: Labels) -> Content:
    """Return what remains of a lobby that was cancelled, or of one whose table has moved to its own thread."""
    head = f"## {labels.say('table', game=game.title, number=match.id)}"
    if match.status is Status.CANCELLED:
        idle = match.ended_at is not None and match.ended_at - match.touched_at >= IDLE_LOBBY
        why = "away" if match.ending == "away" else "expired" if idle else "cancelled"
        return Content((f"{head}\n{labels.say(f'lobby.{why}', days=IDLE_LOBBY // 86400)}",))
    return Content((f"{head}\n{labels.say('lobby.moved', place=f'<#{match.place}>')}",))


def _selects(match: Match, game: AnyGame, options: Sequence[Option], server: Server, labels: Labels) -> list[Row]:
    say = labels.say
    selects: list[Row] = []
    if len(game.seats) > 1:
        any_number = SelectOption(say("lobby.any_number"), "any", chosen=match.wanted is None)
        counts = [
            SelectOption(say("lobby.seats", count=n), str(n), chosen=match.wanted == n)
            for n in game.seats
            if n >= len(match.chairs)
        ]
        selects.append(Select(Id(match.id, "option", rest="seats"), say("lobby.seat_count"), (any_number, *counts)))
    selects += [_option_select(match, option, labels) for option in options]
    selects += clockface.selects(match, labels, server)
    if server.threads is not Threads.ALLOWED:
        return selects
    places = (("channel", not match.own_thread), ("thread", match.own_thread))
    selects.append(
        Select(
            Id(match.id, "option", rest="place"),
            say("lobby.place"),
            tuple(SelectOption(say(f"lobby.in_{name}"), name, chosen=chosen) for name, chosen in places),
        )
    )
    return selects


def _option_select(match: Match, option: Option, labels: Labels) -> Select:
    say, chosen = labels.say, match.options.get(option.name, option.default)
    entries = [
        SelectOption(
            say(f"option.{option.name}.label") + ": " + _option_word(labels, option.name, value),
            str(value),
            say(f"option.{option.name}.detail"),
            value == chosen and type(value) is type(chosen),
        )
        for value in option.values
    ]
    hint = say(f"option.{option.name}.label")
    if not any(entry.chosen for entry in entries):
        hint = say("lobby.does_not_fit", option=hint, value=_option_word(labels, option.name, chosen))
    return Select(Id(match.id, "option", rest=option.name), hint, tuple(entries))


def _option_word(labels: Labels, name: str, value: Any) -> str:
    """Return an option's value in words: its own text if there is one, "yes" or "no", else the value itself."""
    own = labels.texts.get(f"option.{name}.value.{str(value).lower()}")
    if own is not None:
        return own
    if isinstance(value, bool):
        return labels.say("yes" if value else "no")
    return str(value)


def _lobby_line(chair: Chair, match: Match, people: Mapping[int, Person], labels: Labels) -> str:
    if chair.user is None:
        return labels.say("lobby.computer", name=labels.who(chair.number))
    person = people.get(chair.user)
    works = person.dm_works if person is not None else None
    if person is not None and (chair.ping or person.ping) in (PingPreference.MENTION, PingPreference.NONE):
        works = False
    how = {True: "lobby.dm_works", False: "lobby.dm_closed", None: "lobby.dm_unknown"}[works]
    line = labels.say("lobby.person", name=labels.who(chair.number), how=labels.say(how))
    return f"{line} · {labels.say('lobby.host')}" if chair.user == match.host else line
