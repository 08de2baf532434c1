"""The private pages behind a lobby's *More …*: what a seated player may choose for the table, with today's values.

The first page has what most tables choose: how well the computers play, the time limit, and when the match begins by
itself; *Options …* has the rest. A page is edited in place when its own controls are used, so the values in it are
always those of the lobby.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cogs.match.lobby import ALL
from cogs.match.table_options import has_switch
from cogs.messages import clock as clockface
from cogs.messages.content import Button, Content, Id, Row, Select, SelectOption
from cogs.messages.door import back_button, computers_message, door_message, hints_button, teams_message
from cogs.messages.fairness import button as fair_button
from cogs.messages.fairness import cut_buttons
from cogs.messages.lobby import misfit, named, spoken, start_lines
from cogs.messages.presenter import Presenter
from data.content.texts import language, languages
from data.records.match import Match
from data.records.servers import Server, Threads
from data.records.terms import SWITCHES
from rendering.core.labels import Labels
from rules.core.computer import LEVELS
from rules.core.game import AnyGame, Option

SPANS = (900, 1800, 3600, 7200, 86_400)
"""Seconds from now to the start times that the select offers."""
NO_TIME, KEEP = "none", "keep"
"""The values of two other choices: no start time, and the one that is set."""


async def more_page(presenter: Presenter, match: Match, user: int, locale: str) -> Content:
    """Return the first page: what most tables choose, and the buttons to the other pages."""
    labels, server = presenter.labels(match, locale), await presenter.service.policy.of(match.guild)
    say, teams = labels.say, bool(presenter.lobbies.teams(match))
    computers = len(match.people) < len(match.chairs)
    rows: list[Row] = [level_select(match, labels)] if computers else []
    rows.append(with_value(clockface.selects(match, labels, server)[0]))
    pages = [Button(say("lobby.options"), Id(match.id, "options"))]
    pages += [Button(say("lobby.teams"), Id(match.id, "teams"))] if teams else []
    pages.append(Button(say("lobby.computers"), Id(match.id, "computers")))
    rest = [Button(say("lobby.remove"), Id(match.id, "remove"), disabled=not computers)]
    if user == match.host:
        rows.append(start_select(match, labels))
        pages.append(Button(say("lobby.door"), Id(match.id, "door")))
        rest.append(Button(say("start.at_a_time"), Id(match.id, "start_at")))
        rest.append(Button(say("lobby.cancel"), Id(match.id, "cancel"), "danger"))
    rows += [tuple(pages), tuple(rest)]
    head = f"### {presenter.title(match, labels)}\n{say('lobby.more_head')}"
    return Content(("\n".join([head, *start_lines(match, labels)]),), tuple(rows), user)


async def options_page(presenter: Presenter, match: Match, user: int, locale: str) -> Content:
    """Return the page of *Options …*."""
    server = await presenter.service.policy.of(match.guild)
    game, offered = presenter.service.game(match), presenter.lobbies.options(match)
    return options_message(match, game, offered, server, user, presenter.labels(match, locale))


def door_page(presenter: Presenter, match: Match, user: int, locale: str) -> Content:
    """Return what a lobby's host decides: who may sit down, and who is the host."""
    labels = presenter.labels(match, locale)
    return door_message(match, presenter.title(match, labels), user, labels)


def computers_page(presenter: Presenter, match: Match, user: int, locale: str) -> Content:
    """Return how well the computers of a lobby play, and the choices of a seated player."""
    labels = presenter.labels(match, locale)
    return computers_message(match, presenter.title(match, labels), user, labels)


def teams_page(presenter: Presenter, match: Match, user: int, locale: str) -> Content:
    """Return the teams of a lobby, and the choices of a seated player."""
    labels = presenter.labels(match, locale)
    return teams_message(match, presenter.title(match, labels), presenter.lobbies.teams(match), user, labels)


def options_message(
    match: Match, game: AnyGame, options: Sequence[Option], server: Server, user: int, labels: Labels
) -> Content:
    """Return the page of *Options …*. `options`: those of the game that its number of players allows."""
    say = labels.say
    buttons = (
        *cut_buttons(match, game, labels),
        hints_button(match, labels),
        *([Button(say("duplicate.open"), Id(match.id, "duplicate"))] if user == match.host else []),
        fair_button(match, labels),
        back_button(match, labels),
    )
    rows: list[Row] = _selects(match, game, options, server, labels)
    if user == match.host:
        rows.append(language_select(match, labels))
    head = f"### {say('table', game=game.title, number=match.id)}\n{say('lobby.options_head')}"
    return Content((head,), (*rows, buttons), user)


def level_select(match: Match, labels: Labels) -> Select:
    """Return the select of how well all computers of a lobby play, also those to come."""
    entries = tuple(
        SelectOption(
            labels.say("alone.level", level=labels.say(f"level.{level}")),
            f"{ALL} {level}",
            chosen=all(match.level_of(chair.number) == level for chair in match.chairs if chair.user is None),
        )
        for level in LEVELS
    )
    return with_value(Select(Id(match.id, "level", rest=ALL), labels.say("computers.choose"), entries))


def start_select(match: Match, labels: Labels) -> Select:
    """Return the select that sets the start time."""
    say = labels.say
    entries = [SelectOption(say("start.none"), NO_TIME, chosen=match.starts_at is None)]
    entries += [SelectOption(say("start.in", span=clockface.span(seconds, labels)), str(seconds)) for seconds in SPANS]
    if match.starts_at is not None:
        entries.insert(0, SelectOption(say("start.set"), KEEP, chosen=True))
    return Select(Id(match.id, "start_time"), entries[0].label, tuple(entries))


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
        selects.append(select(match, "seats", say("lobby.seat_count"), (any_number, *counts)))
    selects += [option_select(match, option, labels) for option in options]
    selects += [with_value(row) for row in clockface.selects(match, labels, server)[1:]]
    for name in SWITCHES:
        if (is_on := bool(match.chosen[name])) or has_switch(match, game, name):
            kinds = (("off", not is_on), ("on", is_on))
            entries = tuple(SelectOption(say(f"{name}.{on}"), on, say(f"{name}.{on}_detail"), so) for on, so in kinds)
            selects.append(select(match, name, say(f"{name}.choose"), entries))
    if server.threads is not Threads.ALLOWED:
        return selects
    places = (("channel", not match.own_thread), ("thread", match.own_thread))
    entries = tuple(SelectOption(say(f"lobby.in_{name}"), name, chosen=chosen) for name, chosen in places)
    return [*selects, select(match, "place", say("lobby.place"), entries)]


def language_select(match: Match, labels: Labels) -> Select:
    """Return the select with which a lobby's host chooses the language of the table, each named in itself."""
    say, now = labels.say, language(match.locale)
    codes = sorted(languages(), key=spoken)
    entries = tuple(
        SelectOption(say("lobby.language", language=spoken(code)), code, say("lobby.language_detail"), code == now)
        for code in codes
    )
    return with_value(Select(Id(match.id, "language"), "", entries))


def select(match: Match, name: str, hint: str, entries: tuple[SelectOption, ...]) -> Select:
    """Return the select that chooses the option of that name."""
    return with_value(Select(Id(match.id, "option", rest=name), hint, entries))


def with_value(select: Select) -> Select:
    """Return the select with the entry chosen now as its placeholder, for clients that forget the entry."""
    return replace(select, hint=next((entry.label for entry in select.entries if entry.chosen), select.hint))


def option_select(match: Match, option: Option, labels: Labels) -> Select:
    """Return the select of an option of the game."""
    chosen = match.options.get(option.name, option.default)
    entries = tuple(
        SelectOption(
            named(option, value, labels),
            str(value),
            labels.say(f"option.{option.name}.detail"),
            value == chosen and type(value) is type(chosen),
        )
        for value in option.values
    )
    return select(match, option.name, misfit(option, chosen, labels), entries)
