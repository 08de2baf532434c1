"""Texts about a table's clock and its absent players, and the selects with which a lobby chooses the clock; and the
hours that a player keeps, in words, and as they type or choose them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

from cogs.match import quiet_hours
from cogs.match.clocks import away, clock_of, time_control_of
from cogs.match.quiet_hours import day_of
from cogs.match.refusals import BadHours, Reason
from cogs.match.time_controls import DAY, HOUR, MINUTE, MOST_HELD_UP, PRESETS, ClockKind
from cogs.match.time_zones import info, is_known, meant_by, spoken_zone, zone_named, zones_like
from cogs.match.votes import Choice
from cogs.messages.content import Id, Row, Select, SelectOption, relative
from cogs.messages.names import written
from data.content.typed_dates import days_named
from data.content.typed_words import is_and, is_nothing
from data.records.deadlines import Stage
from data.records.hours import Hours
from data.records.match import Chair, Match, RestoreCheck, Status
from data.records.servers import Server
from data.records.terms import AbsencePolicy
from rendering.core.labels import Labels

NIGHTS = ((21, 7), (22, 6), (22, 7), (22, 8), (23, 7), (23, 8), (0, 7), (0, 8), (1, 9))
"""The quiet hours that the menu offers, by the hours of their beginnings and ends."""
MOST_LIKE = 6
"""Zones that the refusal of a text proposes."""
_MOST_TYPED = 200
"""Characters of typed days off that are looked at: all seven names are shorter."""


def selects(match: Match, labels: Labels, server: Server) -> list[Select]:
    """Return the selects of a lobby: the clock, among those that its server offers and its own, and if it has one, what
    happens when a player's time runs out.
    """
    say = labels.say
    clocks = [
        SelectOption(limit(name, labels), name, detail(name, labels), match.clock == name)
        for name in PRESETS
        if server.allows_clock(name) or match.clock == name
    ]
    found = [Select(Id(match.id, "option", rest="clock"), say("clock.label"), tuple(clocks))]
    if match.clock != "none":
        policies = [
            SelectOption(say(f"clock.absent.{policy}"), policy.value, chosen=match.absent is policy)
            for policy in AbsencePolicy
        ]
        found.append(Select(Id(match.id, "option", rest="absent"), say("clock.absent.label"), tuple(policies)))
    return found


def proposals(match: Match, labels: Labels, server: Server) -> list[Row]:
    """Return the selects with which a player of a running match proposes another time control, among those that its
    server offers, and what happens when a player's time runs out. Each value is a choice to vote for (votes.py).
    """
    say = labels.say
    limits = [
        SelectOption(terms(name, labels), str(Choice("clock", terms=name)), detail(name, labels))
        for name in PRESETS
        if name != match.clock and (name == "none" or server.allows_clock(name))
    ]
    found = [Select(Id(match.id, "vote", rest="clock"), say("clock.menu.limit"), tuple(limits))]
    if match.clock != "none":
        policies = [
            SelectOption(
                say(f"clock.absent.{policy}"), str(Choice("clock", terms=match.clock, policy=policy)), chosen=False
            )
            for policy in AbsencePolicy
            if policy is not match.absent
        ]
        found.append(Select(Id(match.id, "vote", rest="absent"), say("clock.menu.absent"), tuple(policies)))
    return [row for row in found if isinstance(row, Select) and row.entries]


def chosen(match: Match, labels: Labels) -> str:
    """Return the time control of a lobby, and what happens when a player's time runs out."""
    line = f"**{labels.say('clock.choice', terms=terms(match.clock, labels))}**"
    return line if match.clock == "none" else f"{line} · {labels.say(f'clock.absent.{match.absent}')}"


def terms(name: str, labels: Labels) -> str:
    """Return the name of a time control: how long a player has for a turn with the whole reserve, "about 2 days to
    move".
    """
    control = PRESETS.get(name, PRESETS["none"])
    whole = control.turn + control.reserve
    if control.kind is ClockKind.NONE:
        return labels.say("clock.preset.none")
    if whole < 2 * HOUR:
        return labels.say("clock.name.minutes", count=round(whole / MINUTE))
    if whole < DAY:
        return labels.say("clock.name.hours", count=round(whole / HOUR))
    days = round(whole / DAY)
    return labels.say("clock.name.day" if days == 1 else "clock.name.days", count=days)


def limit(name: str, labels: Labels) -> str:
    """Return a time control as a closed select names it, which must say of what it is none."""
    return labels.say("clock.choice", terms=terms(name, labels)) if name == "none" else terms(name, labels)


def detail(name: str, labels: Labels) -> str:
    """Return the turn's time and the reserve of a time control, and what it is good for."""
    control = PRESETS[name]
    what = labels.say(f"clock.detail.{control.kind}")
    if control.kind is ClockKind.NONE:
        return what
    turn, reserve = span(control.turn, labels), span(control.reserve, labels)
    return labels.say("clock.name.detail", turn=turn, reserve=reserve, what=what)


def with_end(match: Match, seat: int, who: str, labels: Labels) -> str:
    """Return the name of a player that the table waits for, with the end of their time if a clock runs."""
    clock = clock_of(match, seat)
    return _until(who, None if clock is None else clock.ends, labels)


def with_ends(match: Match, waited: Sequence[tuple[int, str]], labels: Labels) -> str:
    """Return the names of the players that the table waits for, given by seat, each end of a time once: "Ann and Ben ·
    ends in 2 days".
    """
    ends, together = {clock.seat: clock.ends for clock in match.clocks}, dict[int | None, list[str]]()
    for seat, who in waited:
        together.setdefault(ends.get(seat), []).append(who)
    return labels.list([_until(labels.list(same), end, labels) for end, same in together.items()])


def _until(who: str, ends: int | None, labels: Labels) -> str:
    return who if ends is None else labels.say("clock.until", who=who, ends=relative(ends))


def rest_key(match: Match) -> str:
    """Return the key of the sentence that says that a match rests, and why."""
    return "turn.behind" if match.doubt is RestoreCheck.BEHIND else "turn.rests"


def absence(match: Match, labels: Labels) -> list[str]:
    """Return lines about the players who are away, and those about whom the table votes; none if all are there."""
    if match.status is not Status.PLAYING:
        return []
    gone = away(match)
    lines = [labels.say("clock.away", who=_names(gone, labels))] if gone else []
    if gone and len(gone) == len(match.people):
        lines = [labels.say("clock.all_away", who=_names(gone, labels))]
    for clock in match.clocks:
        if clock.stage == Stage.VOTING and clock.ends is not None:
            lines.append(labels.say("clock.time_up", who=labels.who(clock.seat), ends=relative(clock.ends)))
    return lines


def clock_summary(match: Match, labels: Labels) -> str:
    """Return the table's time control, and the time that each player has."""
    found, say = time_control_of(match), labels.say
    lines = [f"**{say('clock.choice', terms=terms(match.clock, labels))}**"]
    if found.kind is ClockKind.NONE:
        return "\n".join([*lines, say("clock.propose")])
    spans = {name: span(getattr(found, name), labels) for name in ("turn", "reserve", "growth", "extension")}
    lines.append(say("clock.terms", **spans))
    lines.append(say(f"clock.then_{match.absent}"))
    for chair in match.people if match.status is Status.PLAYING else ():
        clock = clock_of(match, chair.number)
        if clock is None:
            continue
        name, kept = labels.who(chair.number), span(clock.reserve, labels)
        if clock.away is not None:
            lines.append(say("clock.seat_away", who=name, since=relative(clock.away)))
        elif clock.ends is None:
            lines.append(say("clock.seat_waits", who=name, reserve=kept))
        else:
            lines.append(say("clock.seat_runs", who=name, ends=relative(clock.ends), reserve=kept))
    return "\n".join([*lines, say("clock.propose")])


def span(seconds: int, labels: Labels) -> str:
    """Return a span in the two largest units that fit: "1 d 12 h".

    >>> from data.content.texts import texts
    >>> span(129_600, Labels((), texts("en")))
    '1 d 12 h'
    """
    parts = []
    for unit, length in (("days", 86400), ("hours", 3600), ("minutes", 60)):
        count, seconds = divmod(seconds, length)
        if count:
            parts.append(labels.say(f"clock.{unit}", count=count))
    return " ".join(parts[:2]) or labels.say("clock.minutes", count=0)


def _names(chairs: Sequence[Chair], labels: Labels) -> str:
    return labels.list([labels.who(chair.number) for chair in chairs])


def in_zone(hours: Hours, text: str) -> Hours:
    """Return the hours in another time zone; "" changes nothing. Raises BadHours."""
    if not text:
        return hours
    zone = zone_named(text)
    if zone is None:
        like = [spoken_zone(zone) for zone in zones_like(text)[:MOST_LIKE]]
        if like and any(map(str.isalnum, text)):
            raise BadHours(Reason.WHICH_ZONE, text=text[:40], zones=", ".join(like))
        raise BadHours(Reason.BAD_ZONE, text=text[:40])
    return Hours(zone, hours.quiet, hours.days_off, hours.holidays)


def zone_note(text: str, labels: Labels) -> str:
    """Return which zone a text such as "EST" or "Germany" was taken for; "" if it names the zone itself."""
    zone = meant_by(text)
    if zone is None:
        return ""
    return labels.say("hours.meant_zone", typed=written(text.strip()), zone=written(spoken_zone(zone)))


def menu(hours: Hours, labels: Labels) -> tuple[Row, ...]:
    """Return the selects of the quiet hours and of the days off, with the player's own chosen."""
    say = labels.say
    nights = [(start * 60, end * 60) for start, end in NIGHTS]
    if hours.quiet is not None and hours.quiet not in nights:
        nights.append(hours.quiet)
    entries = [SelectOption(say("hours.menu.none"), "none", chosen=hours.quiet is None)]
    for start, end in nights:
        from_, to = _clock(start), _clock(end)
        said = say("hours.menu.span", start=from_, end=to)
        entries.append(SelectOption(said, f"{from_}-{to}", chosen=hours.quiet == (start, end)))
    days = [SelectOption(say(f"hours.day.{day}"), str(day), chosen=day in hours.days_off) for day in range(7)]
    most = quiet_hours.MOST_DAYS_OFF
    return (
        Select(Id(0, "hours", rest="quiet"), say("hours.menu.quiet"), tuple(entries)),
        Select(Id(0, "hours", rest="days_off"), say("hours.menu.days_off", most=most), tuple(days), 0, most),
    )


def with_choice(hours: Hours, what: str, values: Sequence[str]) -> Hours | None:
    """Return the hours after a choice in the menu; None if it offers no such choice. Raises BadHours."""
    if what == "quiet" and len(values) == 1:
        start, _, end = values[0].partition("-")
        return with_quiet(hours, start, end or ("none" if start == "none" else ""))
    if what == "days_off" and all(value in [str(day) for day in range(7)] for value in values):
        found = quiet_hours.days_off(frozenset(map(int, values)))
        return Hours(hours.zone, hours.quiet, found, hours.holidays)
    return None


def _clock(minutes: int) -> str:
    """Return a time of the day in minutes as "22:00"."""
    return f"{minutes // 60:02}:{minutes % 60:02}"


def with_quiet(hours: Hours, start: str, end: str) -> Hours:
    """Return the hours with other quiet hours, or none; "" for both changes nothing. Raises BadHours."""
    if not start and not end:
        return hours
    if is_nothing(start) or is_nothing(end):
        return Hours(hours.zone, None, hours.days_off, hours.holidays)
    if not start or not end:
        raise BadHours(Reason.QUIET_HALF)
    return Hours(hours.zone, quiet_hours.quiet_hours(start, end), hours.days_off, hours.holidays)


def with_days_off(hours: Hours, text: str, locale: str) -> Hours:
    """Return the hours with other days off. `text` has their names, or at least two first letters of each, in any
    language, the player's own first; "" changes nothing. Raises BadHours.
    """
    if not text:
        return hours
    found: set[int] = set()
    for word in () if is_nothing(text) else re.split(r"[\s,;&+/|]+", text[:_MOST_TYPED].strip().lower()):
        if is_and(word):
            continue
        days = days_named(word, locale)
        if len(days) != 1:
            raise BadHours(Reason.BAD_DAYS_OFF, text=text[:40])
        found |= days
    return Hours(hours.zone, hours.quiet, quiet_hours.days_off(frozenset(found)), hours.holidays)


def with_holiday(hours: Hours, first: str, last: str, now: int, locale: str) -> Hours:
    """Return the hours with one more holiday, or none after today; "" for both changes nothing. Raises BadHours."""
    if not first and not last:
        return hours
    today = quiet_hours.today(hours, now)
    if is_nothing(first) or is_nothing(last):
        return quiet_hours.without_holiday(hours, today)
    if not first or not last:
        raise BadHours(Reason.HOLIDAY_HALF)
    begins = day_of(first, today, locale)
    if begins > today + timedelta(days=quiet_hours.FARTHEST):  # from a day in the year 9999 no week can be counted
        raise BadHours(Reason.HOLIDAY_FAR)
    return quiet_hours.with_holiday(hours, begins, day_of(last, begins, locale), today)


def in_words(hours: Hours, now: int, labels: Labels) -> str:
    """Return a player's hours, a line for each kind, with the time where they are."""
    say, today = labels.say, quiet_hours.today(hours, now)
    there = datetime.fromtimestamp(now, info(hours.zone)).strftime("%H:%M")
    lines = [say("hours.zone", zone=written(spoken_zone(hours.zone)), time=there)]
    if not is_known(hours.zone):
        lines.append(say("hours.unknown_zone", zone=written(hours.zone)))
    if hours.quiet is None:
        lines.append(say("hours.no_quiet"))
    else:
        start, end = map(_clock, hours.quiet)
        lines.append(say("hours.quiet", start=start, end=end))
    days = labels.list([say(f"hours.day.{day}") for day in sorted(hours.days_off)])
    lines.append(say("hours.days_off", days=days) if days else say("hours.no_days_off"))
    planned = [holiday for holiday in hours.holidays if holiday[1] >= today]
    for first, last in planned:
        whole = say("hours.holiday", first=labels.date(first), last=labels.date(last))
        lines.append(whole if first < last else say("hours.holiday_day", day=labels.date(first)))
    free = max([today, *(last + quiet_hours.DAY for _, last in planned)])
    left, most, span = quiet_hours.holidays_left(hours, free), quiet_hours.MOST_HOLIDAYS, quiet_hours.YEAR.days
    lines.append(say("hours.holidays_left" if planned else "hours.no_holiday", left=left, most=most, span=span))
    return "\n".join([*lines, say("hours.note", days=MOST_HELD_UP // DAY)])
