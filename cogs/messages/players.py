"""Texts and controls about a table's players: their votes, the seats to take over, the queue for the next match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cogs.match.clocks import absent
from cogs.match.votes import NOTHING, Choice, needed, tally
from cogs.messages import clock as clockface
from cogs.messages.content import Button, Id, Row
from cogs.messages.names import written
from data.records.match import Chair, Match, RestoreCheck
from rendering.core.labels import Labels

WIDTH = 5
"""Buttons in a row."""
MOST_VOTES = 4
"""Proposals with a button at the table, those with the most votes first. One more button withdraws a vote."""
MOST_OFFERS = 5
"""Seats with a button that takes them over, at most."""
MOST_NAMED = 8
"""Waiting players named at most; the text counts the others."""


def choice_label(match: Match, choice: Choice, labels: Labels) -> str:
    """Return what a vote proposes, as plain text."""
    if choice.kind == "clock":
        key = "vote.no_clock" if choice.terms == "none" else "vote.clock"
        if choice.policy is not None:
            key = f"vote.clock_{choice.policy}"
        return labels.say(key, terms=clockface.terms(choice.terms, labels))
    seats = [chair.number for chair in absent(match)] if choice.kind == "replace" else []
    if choice.kind == "remove" and (seat := match.seat_of(choice.about)) is not None:
        seats = [seat]
    return labels.say(f"vote.{choice.kind}", name=labels.list([labels.name(seat) for seat in seats]))


def people_lines(match: Match, votes: Mapping[int, str], labels: Labels) -> list[str]:
    """Return lines about the open votes, the seats that can be taken over, and the waiting players."""
    lines = [
        labels.say(
            "vote.open", what=written(choice_label(match, choice, labels)), count=count, needed=needed(match, choice)
        )
        for choice, count in list(tally(match, votes).items())[:MOST_VOTES]
    ]
    offered = [labels.who(chair.number) for chair in match.chairs if chair.offered]
    if offered:
        lines.append(labels.say("seat.offered", who=labels.list(offered)))
    if match.waiting:
        lines.append(waiting_line(match, labels))
    return lines


def people_rows(match: Match, votes: Mapping[int, str], labels: Labels) -> tuple[Row, ...]:
    """Return the controls for these lines; if a player is absent, also the remedies."""
    say = labels.say
    rows: list[Row] = []
    wanted = list(tally(match, votes))[:MOST_VOTES]
    proposed: tuple[Choice, ...] = ()
    if absent(match):
        proposed = (Choice("replace"), Choice("clock", terms="none"), Choice("end"))
    if match.doubt is RestoreCheck.BEHIND:
        proposed = (Choice("resume"), Choice("end"))
    buttons = [vote_button(match, choice, labels) for choice in dict.fromkeys((*wanted, *proposed))]
    if absent(match):
        buttons.insert(0, Button(say("clock.back"), Id(match.id, "here"), "success"))
    if wanted:
        buttons.append(Button(say("vote.nothing"), Id(match.id, "vote", rest=NOTHING)))
    rows += [tuple(buttons[at : at + WIDTH]) for at in range(0, len(buttons), WIDTH)]
    if offers := offer_row(match, [chair for chair in match.chairs if chair.offered], labels):
        rows.append(offers)
    return tuple(rows)


def offer_row(match: Match, chairs: Sequence[Chair], labels: Labels) -> tuple[Button, ...]:
    """Return buttons that take over these seats, for the first MOST_OFFERS of them."""
    offered = [chair.number for chair in chairs][:MOST_OFFERS]
    return tuple(
        Button(labels.say("seat.take", name=labels.name(seat)), Id(match.id, "take", rest=str(seat)), "success")
        for seat in offered
    )


def vote_button(match: Match, choice: Choice, labels: Labels) -> Button:
    """Return the button that votes for this choice."""
    pressed = Id(match.id, "vote", rest=str(choice))
    grave = choice.kind in ("end", "remove")
    return Button(choice_label(match, choice, labels), pressed, "danger" if grave else "secondary")


def waiting_line(match: Match, labels: Labels) -> str:
    """Return the line that names the players who wait for the next match."""
    names = [f"**{written(who.name)}**" for who in match.waiting[:MOST_NAMED]]
    if len(match.waiting) > MOST_NAMED:
        names.append(labels.say("seat.more_waiting", count=len(match.waiting) - MOST_NAMED))
    return labels.say("seat.waiting", who=labels.list(names))
