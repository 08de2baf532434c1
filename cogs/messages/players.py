"""Texts and controls about a table's players: their votes, the seats to take over, the queue for the next match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from cogs.match.clocks import absent
from cogs.match.rated import counts, matters, not_there
from cogs.match.reminders import may_nudge, reminder_of, was_reminded
from cogs.match.votes import NOTHING, Choice, against, needed, open_votes, tally
from cogs.messages import clock as clockface
from cogs.messages.content import Button, Content, Id, Row, relative
from cogs.messages.names import MOST, beside, of_players, written
from data.records.match import Chair, Match, RestoreCheck
from data.records.proposals import TableVote
from rendering.core.labels import Labels

WIDTH = 5
"""Buttons in a row."""
MOST_VOTES = 4
"""Proposals with a button at the table, those with the most votes first. One more button withdraws a vote."""
MOST_OFFERS = 5
"""Seats with a button that takes them over, at most."""
MOST_NAMED = 8
"""Waiting players named at most; the text counts the others."""
TOGETHER = "together"
"""In the id of the button that ends a match only if others vote for it too."""


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
        vote_line(match, choice, count, labels) for choice, count in list(tally(match, votes).items())[:MOST_VOTES]
    ]
    lines += closed_lines(match, labels)[: MOST_VOTES - len(lines)]
    owners = of_players(match, labels)
    offered = [owners.who(chair.number) for chair in match.chairs if chair.offered]
    if offered:
        lines.append(labels.say("seat.offered", who=labels.list(offered)))
    if match.waiting:
        lines.append(waiting_line(match, labels))
    return lines


def vote_line(match: Match, choice: Choice, count: int, labels: Labels) -> str:
    """Return the line about an open vote: what it is about, who started it, its votes, and when it closes."""
    say, vote = labels.say, open_votes(match).get(str(choice))
    parts = [say("votes.what", what=written(choice_label(match, choice, labels)))]
    if vote is not None and (seat := match.seat_of(vote.starter)) is not None:
        parts.append(say("votes.by", who=labels.who(seat)))
    parts.append(say("votes.count", count=count, needed=needed(match, choice)))
    if refusals := against(match, choice):
        parts.append(say("votes.against", count=refusals))
    if vote is not None and vote.due is not None:
        parts.append(say("votes.closes", when=relative(vote.due)))
    return " · ".join(parts)


def vote_question(match: Match, choice: Choice, count: int, labels: Labels) -> str:
    """Return the question that an open vote puts to those who must answer: who asks what, and its votes."""
    vote, what = open_votes(match).get(str(choice)), written(choice_label(match, choice, labels))
    seat = None if vote is None else match.seat_of(vote.starter)
    if seat is None:
        return vote_line(match, choice, count, labels)
    facts = {"who": labels.who(seat), "what": what, "count": count, "needed": needed(match, choice)}
    return labels.say("votes.asks", **facts)


def closed_lines(match: Match, labels: Labels) -> list[str]:
    """Return a line for each vote that has closed without a decision, the newest first."""
    ended = [vote for vote in match.proposals if vote.ended is not None]
    ended.sort(key=lambda vote: vote.due or 0, reverse=True)
    lines = [_closed_line(match, vote, labels) for vote in ended]
    return [line for line in lines if line]


def _closed_line(match: Match, vote: TableVote, labels: Labels) -> str:
    """Return the line about a closed vote; "" if it was about a player who has left since."""
    choice = Choice.parse(vote.choice)
    if choice is None or vote.ended is None or (choice.kind == "remove" and match.seat_of(choice.about) is None):
        return ""
    return labels.say(f"votes.{vote.ended}", what=written(choice_label(match, choice, labels)))


def nudger_of(match: Match, seat: int, labels: Labels) -> str:
    """Return the name of the player who waits for that seat and has nudged it last; "" if none has."""
    reminder = reminder_of(match, seat)
    return "" if reminder is None or reminder.nudger is None else labels.who(reminder.nudger)


def nudge_button(match: Match, labels: Labels, now: float) -> Button:
    """Return the button that pings the players whom the table waits for, disabled before it works."""
    return Button(labels.say("nudge.button"), Id(match.id, "nudge"), disabled=not may_nudge(match, now))


def people_rows(match: Match, votes: Mapping[int, str], labels: Labels, now: float) -> tuple[Row, ...]:
    """Return the controls for these lines; if a player is absent or the match rests, also the remedies."""
    say = labels.say
    rows: list[Row] = [(nudge_button(match, labels, now),)] if was_reminded(match) and may_nudge(match, now) else []
    wanted = list(tally(match, votes))[:MOST_VOTES]
    proposed: tuple[Choice, ...] = ()
    if absent(match):
        proposed = (Choice("replace"), Choice("clock", terms="none"), Choice("end"))
    if match.rests_since is not None:
        proposed = (Choice("resume"), *((Choice("end"),) if match.doubt is RestoreCheck.BEHIND else ()))
    buttons = [button for choice in wanted for button in vote_buttons(match, choice, labels, alone=len(wanted) == 1)]
    buttons += [vote_button(match, choice, labels) for choice in proposed if choice not in wanted]
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
    offered, owners = [chair.number for chair in chairs][:MOST_OFFERS], of_players(match, labels)
    return tuple(
        Button(labels.say("seat.take", name=owners.name(seat)), Id(match.id, "take", rest=str(seat)), "success")
        for seat in offered
    )


def vote_rules(match: Match, labels: Labels) -> list[str]:
    """Return lines about how many votes decide, and what changes that as the match stands now."""
    counted, late, slow = matters(match), bool(absent(match)), was_reminded(match)
    keys = {
        "_counted" if counted else "": True,
        "_late": counted and (late or slow),
        "_away": late,
        "_rest": match.rests_since is not None,
        "_slow": slow,
    }
    return [labels.say(f"seat.voices{key}") for key, holds in keys.items() if holds]


def vote_button(match: Match, choice: Choice, labels: Labels) -> Button:
    """Return the button that votes for this choice."""
    pressed = Id(match.id, "vote", rest=str(choice))
    grave = choice.kind in ("end", "remove")
    return Button(choice_label(match, choice, labels), pressed, "danger" if grave else "secondary")


def vote_buttons(
    match: Match, choice: Choice, labels: Labels, *, alone: bool, in_hand: bool = False
) -> tuple[Button, Button]:
    """Return the buttons for and against an open vote. `alone`: no other vote is open, so *Yes* and *No* say it or, in
    a hand, where those could be taken for an answer to the game, *Vote yes* and *Vote no*.
    """
    opposed = Id(match.id, "refuse", rest=str(choice))
    if not alone:
        what = choice_label(match, choice, labels)
        yes = replace(vote_button(match, choice, labels), label=labels.say("votes.yes_to", what=what))
        return yes, Button(labels.say("votes.no_to", what=what), opposed)
    agree, refuse = ("votes.vote_yes", "votes.vote_no") if in_hand else ("votes.yes", "votes.no")
    in_favour = Button(labels.say(agree), Id(match.id, "vote", rest=str(choice)), "success")
    return in_favour, Button(labels.say(refuse), opposed)


def end_question(match: Match, user: int, table: str, labels: Labels) -> Content:
    """Return the question before this player begins a vote to end the match, or ends it alone. `table`: its name."""
    say, choice = labels.say, Choice("end")
    at_once = needed(match, choice) == 1
    sure, rest = ("votes.end_now", "end") if at_once else ("votes.end_yes", TOGETHER)
    row = (
        Button(say("votes.keep_playing"), Id(match.id, "stay"), "success"),
        Button(say(sure), Id(match.id, "vote_sure", rest=rest), "danger"),
    )
    key = "votes.ask_end_now" if at_once else "votes.ask_end"
    if counts(match):  # once the voter is back, others may still be gone: then it has a result
        key = "votes.ask_end_left" if not_there(match) - {match.seat_of(user)} else "votes.ask_end_all"
    return Content((say(key, table=table),), (row,), user)


def waiting_line(match: Match, labels: Labels, longest: int = MOST) -> str:
    """Return the line that names the players who wait for the next match. `longest`: the characters of a name."""
    told = beside(match, longest)
    names = [told[who.user] for who in match.waiting[:MOST_NAMED]]
    if len(match.waiting) > MOST_NAMED:
        names.append(labels.say("seat.more_waiting", count=len(match.waiting) - MOST_NAMED))
    return labels.say("seat.waiting", who=labels.list(names))
