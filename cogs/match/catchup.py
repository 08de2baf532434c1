"""What somebody has missed at a table: all that has happened since their own last move, found in the match's story.

It goes by what that seat saw of it alone. What another seals anew is no event, so it counts for nothing here: whether
catching up is offered tells nobody of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from cogs.match.replay import LoggedEvent
from cogs.messages.content import Button, Id
from cogs.messages.narration import backwards, newest
from data.records.match import Match, Status
from rendering.core.labels import Labels
from rules.core.game import AnyGame, Seat

LONG = 3600
"""Seconds after which somebody who looks again is offered to catch up on the least thing."""
MOST_SENTENCES, MOST_LETTERS = 60, 1500
"""What is told of it at most: the newest."""


@dataclass(frozen=True, slots=True)
class Missed:
    """The end of the story since somebody's own last move, or since they sat down."""

    since: int
    """How many moves the log had then."""
    story: Sequence[LoggedEvent]
    others: int
    """Moves of other seats in it, of which they saw something."""
    for_them: frozenset[int]
    """The numbers of the moves that a computer made for them meanwhile."""

    def much(self, match: Match) -> bool:
        """Whether it is so much that a hand offers to tell it: a move by every other seat, or one by a computer for
        this person.
        """
        if match.status not in (Status.PLAYING, Status.OVER):
            return False
        return bool(self.for_them) or self.others >= max(1, len(match.chairs) - 1)

    def long_ago(self, match: Match, now: int) -> bool:
        """Whether anything happened, and nothing for a while: it is offered then to whoever looks."""
        waited = match.turn_since is not None and now - match.turn_since >= LONG
        return match.status is Status.PLAYING and self.others > 0 and waited


def missed(match: Match, story: Sequence[LoggedEvent], user: int) -> Missed:
    """What that person, who is seated, has missed. `story`: all that has happened (`Host.story`)."""
    seat = match.seat_of(user)
    assert seat is not None
    since, first = match.chairs[seat].since, 0
    own = next((at for at in reversed(range(len(story))) if (story[at].seat, story[at].user) == (seat, user)), None)
    if own is not None:
        since, first = story[own].move + 1, own + 1
    elif since:
        first = next((at for at, told in enumerate(story) if told.move >= since), len(story))
    tail = story[first:]
    seen = [told for told in tail if told.move >= 0 and told.event.seen_by(Seat(seat)) is not None]
    others = {told.move for told in seen if told.seat != seat}
    return Missed(since, tail, len(others), frozenset(told.move for told in seen if told.seat == seat))


def paragraph(game: AnyGame, match: Match, found: Missed, seat: int, labels: Labels) -> str:
    """What was missed, in one paragraph that ends with the newest; "" for nothing.

    It tells what that seat saw and may still look back at, and marks what a computer did for its person.
    """
    first = {told.move: told for told in reversed(found.story)}
    lines = []
    for told, line in islice(backwards(game, match, found.story, seat, labels), MOST_SENTENCES + 1):
        for_them = told.move in found.for_them and told is first[told.move]
        lines.append(labels.say("catch_up.for_you", what=line) if for_them else line)
    shown = newest(lines[MOST_SENTENCES - 1 :: -1], MOST_LETTERS)
    text = " ".join(shown).replace("\n", " ")
    return labels.say("catch_up.earlier", rest=text) if len(shown) < len(lines) else text


def catch_up_button(match: Match, labels: Labels) -> Button:
    """What asks for it, wherever it is offered."""
    return Button(labels.say("catch_up.offer"), Id(match.id, "catch_up"))
