"""The private message behind a lobby's *More …*: what a seated player may choose for the table, with today's values.

It is edited in place when its own controls are used, so the values in it are always those of the lobby. The lobby
itself has only the choices that differ from the default, in one line (`differing`), and a line for each switch that is
on (`switched`); a running match tells all of them with its scores (`settings_line`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from cogs.match.rated import why_uncounted
from cogs.match.table_options import has_switch
from cogs.messages import clock as clockface
from cogs.messages.content import Button, Content, Id, Row, Select, SelectOption
from cogs.messages.fairness import button as fair_button
from cogs.messages.fairness import cut_buttons
from cogs.messages.start_time import start_button, start_lines, start_select
from data.content.texts import language, languages, texts
from data.records.match import Match
from data.records.servers import Server, Threads
from data.records.terms import SWITCHES
from rendering.core.labels import Labels
from rules.core.game import AnyGame, Option


def options_message(
    match: Match,
    game: AnyGame,
    options: Sequence[Option],
    server: Server,
    user: int,
    labels: Labels,
    *,
    teams: bool = False,
) -> Content:
    """Return the choices of a lobby for one seated player. `options`: those that its number of players allows; `teams`:
    whether it is played in teams.
    """
    say = labels.say
    full = len(match.chairs) >= (match.wanted or game.seats[-1])
    buttons = (
        Button(say("lobby.add"), Id(match.id, "add"), disabled=full),
        Button(say("lobby.remove"), Id(match.id, "remove"), disabled=all(c.user is not None for c in match.chairs)),
        *cut_buttons(match, game, labels),
        *([Button(say("duplicate.open"), Id(match.id, "duplicate"))] if user == match.host else []),
        fair_button(match, labels),
    )
    rows: list[Row] = [*_selects(match, game, options, server, labels), buttons]
    pages = [Button(say("lobby.teams"), Id(match.id, "teams"))] if teams else []
    pages.append(Button(say("lobby.computers"), Id(match.id, "computers")))
    if user == match.host:
        rows[-1:-1] = [language_select(match, labels), start_select(match, labels)]
        pages += [start_button(match, labels), Button(say("lobby.door"), Id(match.id, "door"))]
        pages.append(Button(say("lobby.cancel"), Id(match.id, "cancel"), "danger"))
    rows.append(tuple(pages))
    head = f"### {say('table', game=game.title, number=match.id)}\n{say('lobby.more_head')}"
    return Content(("\n".join([head, *start_lines(match, labels)]),), tuple(rows), user)


def differing(match: Match, game: AnyGame, options: Sequence[Option], labels: Labels) -> str:
    """Return the choices of a lobby that differ from the default, in one line; "" if there are none."""
    say, found = labels.say, list[str]()
    if match.wanted is not None and len(game.seats) > 1:
        found.append(say("lobby.seats", count=match.wanted))
    for option in options:
        chosen = match.options.get(option.name, option.default)
        if not _is_offered(option, chosen):
            found.append(_misfit(option, chosen, labels))
        elif chosen != option.default:
            found.append(_named(option, chosen, labels))
    if match.clock != "none":
        found.append(clockface.chosen(match, labels))
    if match.own_thread:
        found.append(say("lobby.in_thread"))
    if match.server_locale is not None:
        found.append(say("lobby.language", language=_spoken(language(match.locale))))
    if match.hints is match.rated:  # a rated match has none unless its players say so
        found.append(say("lobby.with_hints" if match.hints else "lobby.no_hints"))
    return " · ".join(found)


def switched(match: Match, uncounted: str | None, labels: Labels) -> list[str]:
    """Return a line for each switch of a lobby that is on. `uncounted`: why its match will not count, if rated."""
    lines = {name: labels.say(f"{name}.line") for name in SWITCHES if match.chosen[name]}
    if uncounted is not None:
        lines["rated"] = uncounted_line(uncounted, labels)
    return list(lines.values())


def uncounted_line(why: str | None, labels: Labels, *, begun: bool = False) -> str:
    """Return the line that a rated table's match will not count, or does not once it has `begun`, and why, a value of
    `Uncounted`; "" if it does.
    """
    if why is None:
        return ""
    key = "rated.not_counted" if begun else "rated.uncounted"
    return labels.say(key, why=labels.say(f"rated.{why}"))


def rated_line(match: Match, labels: Labels) -> str:
    """Return the line that a running match is rated, or why it does not count; "" if its table is friendly."""
    if not match.rated:
        return ""
    return uncounted_line(why_uncounted(match), labels, begun=True) or labels.say("rated.counts")


def settings_line(match: Match, game: AnyGame, labels: Labels) -> str:
    """Return with what a match is played: each option, the time limit, and each switch that is on, in one line."""
    found = [
        _named(option, match.options.get(option.name, option.default), labels)
        for option in game.options(len(match.chairs), match.options)
    ]
    found.append(labels.say("clock.choice", terms=clockface.terms(match.clock, labels)))
    found += [labels.say(f"{name}.chosen") for name in SWITCHES if match.chosen[name]]
    return " · ".join(found)


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
        selects.append(_select(match, "seats", say("lobby.seat_count"), (any_number, *counts)))
    selects += [_option_select(match, option, labels) for option in options]
    selects += [_with_value(row) for row in clockface.selects(match, labels, server)]
    for name in SWITCHES:
        if (is_on := bool(match.chosen[name])) or has_switch(match, game, name):
            kinds = (("off", not is_on), ("on", is_on))
            entries = tuple(SelectOption(say(f"{name}.{on}"), on, say(f"{name}.{on}_detail"), so) for on, so in kinds)
            selects.append(_select(match, name, say(f"{name}.choose"), entries))
    if server.threads is not Threads.ALLOWED:
        return selects
    places = (("channel", not match.own_thread), ("thread", match.own_thread))
    entries = tuple(SelectOption(say(f"lobby.in_{name}"), name, chosen=chosen) for name, chosen in places)
    return [*selects, _select(match, "place", say("lobby.place"), entries)]


def language_select(match: Match, labels: Labels) -> Select:
    """Return the select with which a lobby's host chooses the language of the table, each named in itself."""
    say, now = labels.say, language(match.locale)
    codes = sorted(languages(), key=_spoken)
    entries = tuple(
        SelectOption(say("lobby.language", language=_spoken(code)), code, say("lobby.language_detail"), code == now)
        for code in codes
    )
    return _with_value(Select(Id(match.id, "language"), "", entries))


def _spoken(code: str) -> str:
    """Return the name of a language in that language."""
    return texts(code)["language.name"]


def _select(match: Match, name: str, hint: str, entries: tuple[SelectOption, ...]) -> Select:
    return _with_value(Select(Id(match.id, "option", rest=name), hint, entries))


def _with_value(select: Select) -> Select:
    """Return the select with the entry chosen now as its placeholder, for clients that forget the entry."""
    return replace(select, hint=next((entry.label for entry in select.entries if entry.chosen), select.hint))


def _option_select(match: Match, option: Option, labels: Labels) -> Select:
    chosen = match.options.get(option.name, option.default)
    entries = tuple(
        SelectOption(
            _named(option, value, labels),
            str(value),
            labels.say(f"option.{option.name}.detail"),
            value == chosen and type(value) is type(chosen),
        )
        for value in option.values
    )
    return _select(match, option.name, _misfit(option, chosen, labels), entries)


def _is_offered(option: Option, value: Any) -> bool:
    return any(value == offered and type(value) is type(offered) for offered in option.values)


def _misfit(option: Option, value: Any, labels: Labels) -> str:
    """Return the sentence that the chosen value does not fit the number of players."""
    name = labels.say(f"option.{option.name}.label")
    return labels.say("lobby.does_not_fit", option=name, value=option_word(labels, option.name, value))


def _named(option: Option, value: Any, labels: Labels) -> str:
    """Return an option's name with one of its values: "Teams: 2 against 2"."""
    return f"{labels.say(f'option.{option.name}.label')}: {option_word(labels, option.name, value)}"


def option_word(labels: Labels, name: str, value: Any) -> str:
    """Return an option's value in words: its own text if there is one, "yes" or "no", else the value itself."""
    own = labels.texts.get(f"option.{name}.value.{str(value).lower()}")
    if own is not None:
        return own
    if isinstance(value, bool):
        return labels.say("yes" if value else "no")
    return str(value)
