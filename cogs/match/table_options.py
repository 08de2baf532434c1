"""The options of a lobby: the table's own, those of its game, and the language in which the table speaks to everyone,
which is the server's unless the lobby's host chooses another. What only one person reads is in that person's language.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from cogs.match.rated import FEWEST
from cogs.match.refusals import Reason, Refused
from cogs.match.time_controls import PRESETS
from data.content.texts import language, languages
from data.records.match import AbsencePolicy, Match
from data.records.servers import Server, Threads
from rules.core.game import AnyGame, Option

SWITCHES = ("rated",)
"""The terms (`data.records.match.Terms`) that a row of the lobby's options switches on and off. The row's texts are
`<name>.choose`, `<name>.on`, `<name>.off` and the two with `_detail`; `<name>.line` is told of a lobby in which it is
on, and `<name>.chosen` of its match.
"""


def with_option(match: Match, game: AnyGame, server: Server, offered: Sequence[Option], name: str, value: str) -> Match:
    """Return the lobby with an option set to a value as its select gives it, a text. `offered`: the game's options.
    Refused: the value is not offered, the server does not allow it, or the deals of a duplicate follow from the option.
    """
    if name == "place":
        if server.threads is not Threads.ALLOWED:
            raise Refused(Reason(f"threads_{server.threads.value}"))
        return replace(match, own_thread=value == "thread")
    if name == "clock" and value in PRESETS:
        if value != match.clock and not server.allows_clock(value):
            raise Refused(Reason.CLOCK_NOT_HERE)
        return replace(match, clock=value)
    if name in ("hints", *SWITCHES) and value in ("on", "off"):
        on = value == "on"
        if on and not has_switch(match, game, name):
            raise Refused(Reason.BAD_OPTION)
        if name == "rated" and match.rated is not on:  # hints are part of a friendly match; a rated one asks for them
            match = replace(match, hints=not on)
        change: dict[str, Any] = {name: on}
        return replace(match, **change)
    if name == "absent" and value in list(AbsencePolicy):
        return replace(match, absent=AbsencePolicy(value))
    if match.duplicate is not None:  # the deals follow from all others
        raise Refused(Reason.SAME_DEALS)
    if name == "seats":
        wanted = int(value) if value.isdecimal() else None
        if wanted is not None and (wanted not in game.seats or wanted < len(match.chairs)):
            raise Refused(Reason.BAD_SEATS, count=len(match.chairs))
        return replace(match, wanted=wanted)
    values = next((option.values for option in offered if option.name == name), ())
    chosen = next((known for known in values if str(known) == value), None)
    if chosen is None:
        raise Refused(Reason.BAD_OPTION)
    return replace(match, options={**match.options, name: chosen})


def has_switch(match: Match, game: AnyGame, name: str) -> bool:
    """Return whether a lobby can switch that term on."""
    return name != "rated" or (match.wanted or game.seats[-1]) >= FEWEST


def with_language(match: Match, code: str) -> Match:
    """Return the lobby with that language, a code of `languages()`. Refused: there is no such language."""
    if code not in languages():
        raise Refused(Reason.BAD_OPTION)
    server = match.server_locale or match.locale
    if code == language(server):
        return replace(match, locale=server, server_locale=None)
    return replace(match, locale=code, server_locale=server)
