"""Texts about a table's clock and its absent players, and the selects with which a lobby chooses the clock."""

from __future__ import annotations

from collections.abc import Sequence

from cogs.match.clocks import away, clock_of, time_control_of
from cogs.match.time_controls import DAY, HOUR, MINUTE, PRESETS, ClockKind
from cogs.match.votes import Choice
from cogs.messages.content import Id, Row, Select, SelectOption, relative
from data.records.deadlines import Stage
from data.records.match import Chair, Match, RestoreCheck, Status
from data.records.servers import Server
from data.records.terms import AbsencePolicy
from rendering.core.labels import Labels


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
    """Return the name of a time control, the time of a turn with the whole reserve: "about 2 days to move"."""
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
    """Return lines about the players who are away, and those about whom the table votes; only while a match goes on."""
    if not match.running:
        return []
    gone = away(match)
    lines = [all_away(match, labels) or labels.say("clock.away", who=_names(gone, labels))] if gone else []
    voted_on = [(clock.seat, clock.ends) for clock in match.clocks if clock.stage == Stage.VOTING]
    return lines + [
        labels.say("clock.time_up", who=labels.who(seat), ends=relative(ends))
        for seat, ends in voted_on
        if ends is not None
    ]


def all_away(match: Match, labels: Labels) -> str:
    """Return the sentence that the match waits since all its players are away; "" if it does not."""
    gone = away(match)
    return labels.say("clock.all_away", who=_names(gone, labels)) if len(gone) == len(match.people) else ""


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
