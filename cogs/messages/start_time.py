"""Texts about the time at which a lobby starts by itself, and the select with which its host sets it."""

from __future__ import annotations

from cogs.messages.clock import relative, span
from cogs.messages.content import Button, Id, Select, SelectOption
from data.records.match import Match
from rendering.core.labels import Labels

SPANS = (900, 1800, 3600, 7200, 86_400)
"""Seconds from now to the start times that the select offers."""
NO_TIME, KEEP = "none", "keep"
"""The values of two other choices: no start time, and the one that is set."""
_WHY = {"too_few", "options_do_not_fit", "late"}
"""The reasons of a missed start that have a sentence of their own."""


def start_lines(match: Match, labels: Labels) -> list[str]:
    """Return the line about a lobby's start time, or about the one that it has missed; none if it has neither."""
    if match.starts_at is not None:
        return [labels.say("start.at", time=f"<t:{match.starts_at}:F>", in_time=relative(match.starts_at))]
    if match.missed_start is not None:
        why = match.missed_start.why if match.missed_start.why in _WHY else "other"
        return [labels.say(f"start.missed_{why}", time=f"<t:{match.missed_start.at}:F>")]
    return []


def start_select(match: Match, labels: Labels) -> Select:
    """Return the select that sets the start time."""
    say = labels.say
    entries = [SelectOption(say("start.none"), NO_TIME, chosen=match.starts_at is None)]
    entries += [SelectOption(say("start.in", span=span(seconds, labels)), str(seconds)) for seconds in SPANS]
    if match.starts_at is not None:
        entries.insert(0, SelectOption(say("start.set"), KEEP, chosen=True))
    return Select(Id(match.id, "start_time"), entries[0].label, tuple(entries))


def start_button(match: Match, labels: Labels) -> Button:
    """Return the button for a start at a time that the host types."""
    return Button(labels.say("start.at_a_time"), Id(match.id, "start_at"))
