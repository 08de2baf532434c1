"""How a table is set up: its options and those of its game; its place; what each player wants there; and the language
in which it speaks to everyone, which is the server's unless the lobby's host chooses another. What only one person
reads is in that person's language.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from cogs.match.rated import FEWEST
from cogs.match.refusals import Reason, Refused, check_seated, check_there, seat_or_refuse
from cogs.match.service import MatchService
from cogs.match.time_controls import PRESETS
from data.content.texts import language, languages
from data.records.match import Chair, Match, Status
from data.records.servers import Server, Threads
from data.records.terms import SWITCHES, AbsencePolicy, Terms
from rules.core.game import AnyGame, Option

OF_TABLES = ("seats", "place", "clock", "absent", *SWITCHES)
"""The options that only a table of several players has."""


def with_option(match: Match, game: AnyGame, server: Server, offered: Sequence[Option], name: str, value: str) -> Match:
    """Return the lobby with an option set to a value as its select gives it, a text. `offered`: the game's options.
    Refused: the value is not offered, the server does not allow it, the deals of a duplicate follow from the option, or
    it is one that a player alone does not need.
    """
    if match.private and name in OF_TABLES:
        raise Refused(Reason.ALONE)
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


def terms_like(last: Match | None, game: AnyGame, server: Server, locale: str) -> Terms:
    """Return the terms of a new table of that game: the language, the time limit and the options of `last`, the
    channel's last table. Options are taken over if it played the same game, and one that still has that value. A time
    limit of new tables that the server has chosen comes first. `locale`: the server's language.
    """
    if last is None:
        return Terms(locale=locale, clock=server.clock_at_first())
    other = last.server_locale is not None and language(last.locale) != language(locale)
    options = dict[str, Any]()
    if last.game == game.slug:
        for option in game.options(len(last.chairs), last.options):
            value = last.options.get(option.name, option.default)
            if value != option.default and value in option.values:
                options[option.name] = value
    return Terms(
        locale=last.locale if other else locale,
        server_locale=locale if other else None,
        options=options,
        clock=server.first_clock or last.clock,
        absent=last.absent,
    )


def applying(match: Match, game: AnyGame, seats: int) -> dict[str, Any]:
    """Return the choices of a lobby that its game offers to so many players. Others may stay from a larger table, such
    as its teams: they wait until the number fits again, and no lobby shows them.
    """
    offered = {option.name for option in game.options(seats, match.options)}
    return {name: value for name, value in match.options.items() if name in offered}


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


async def move_table(
    service: MatchService, number: int, user: int, place: int, parent: int | None = None, *, manager: bool
) -> Match:
    """Move an open match's table, and all later messages about it, to that channel or thread of its server. `parent`:
    the channel of a public thread.

    In a lobby the person who opened it may do so, later each seated player; a manager of the server always may. Raises
    Refused if the user may not, or if the table is there already. The publisher replaces the message at the old place.
    """
    async with service.deciding(number) as match:
        check_there(match)
        if not match.open:
            raise Refused(Reason(f"is_{match.ending}"))
        if not manager:
            check_seated(match, user)
            if match.status is Status.LOBBY and match.host != user:
                raise Refused(Reason.NOT_HOST_MOVES)
        if match.place == place:
            raise Refused(Reason.HERE_ALREADY)
        wish = match.own_thread and match.status is Status.LOBBY  # a started match opens no second thread
        moved = replace(match, channel=place, place=place, parent=parent, own_thread=wish)
        return await service.save(replace(moved, touched_at=int(service.now())))


async def set_place(service: MatchService, seen: Match, place: int) -> Match:
    """Move the table to a thread of its own, or back to its channel, where it then stays.

    Nothing changes if the table has been moved since `seen`.
    """
    async with service.deciding(seen.id) as match:
        if (match.channel, match.place) != (seen.channel, seen.place):
            return match
        return await service.save(replace(match, place=place, own_thread=place != match.channel))


async def set_seat_preferences(
    service: MatchService, number: int, user: int, change: Callable[[Chair], Chair]
) -> Match:
    """Change a player's `ping` and `plays_forced` at this table. Refused: not seated, or the match is over."""
    async with service.deciding(number) as match:
        seat = seat_or_refuse(match, user)
        if not match.open:
            raise Refused(Reason(f"is_{match.ending}"))
        changed = change(match.chairs[seat])
        return await service.save(
            replace(match, chairs=tuple(changed if chair.number == seat else chair for chair in match.chairs))
        )
