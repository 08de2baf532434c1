"""The votes of a running match: what its players can decide together, and when a proposal has enough votes.

Each seated player has one vote, for one proposal at a time. It counts while the voter is seated and the proposal is
possible. The votes of absent players, whose time has run out, count only on taking a move back and removing a player.
A player may also be against any proposal. In a match that matters (rated.py) only a player who keeps the table waiting
can be removed: else the others could get rid of one who is about to win. A vote closes if it can no longer pass, and
two days after its start; the table says so for a day, or until the next move.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, get_args

from cogs.match.clocks import absent, present
from cogs.match.rated import matters
from cogs.match.refusals import Reason, Refused, check_at_table, check_playing
from cogs.match.time_controls import PRESETS
from data.records.match import Chair, Match, Status
from data.records.proposals import TableVote, VoteEnd
from data.records.terms import AbsencePolicy

Proposal = Literal["end", "pause", "resume", "remove", "undo", "replace", "clock"]
KINDS: tuple[Proposal, ...] = get_args(Proposal)
IN_CONCERT: tuple[Proposal, ...] = ("end", "pause", "clock")
"""What only all voters together decide in a match that counts for the ratings."""
ALONE: tuple[Proposal, ...] = ("end", "undo")
"""What the player of a match alone decides: one vote is enough there."""
NOTHING = "none"
"""The text with which a player withdraws their vote, and whatever they are against."""
OPEN_FOR = 48 * 3600
"""Seconds after its start at which a vote closes."""
REMOVABLE_AFTER = 24 * 3600
"""Seconds of waiting for a player after which the others may remove them from a match that matters and has no time
limit. A time limit may be longer, and the player may use it: with one, they must be absent.
"""
TOLD_FOR = 24 * 3600
"""Seconds for which a table says that a vote has closed."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A proposal to vote for. `str` gives the text that is stored, and `parse` reads it.

    The texts are "end", "pause", "resume", "remove 123" (a user), "undo 17" (the number of a move), "replace" (all
    absent players, by computers), "clock day_1" (a time control) and "clock day_1 vote" (with `Match.absent`).
    """

    kind: Proposal
    about: int = 0
    """The user to remove, or the number of the move to take back."""
    terms: str = ""
    """The name of a time control."""
    policy: AbsencePolicy | None = None
    """The new `Match.absent`; None to leave it as it is."""

    def __str__(self) -> str:
        if self.kind == "clock":
            return f"{self.kind} {self.terms}{'' if self.policy is None else f' {self.policy}'}"
        return f"{self.kind} {self.about}" if self.kind in ("remove", "undo") else self.kind

    @classmethod
    def parse(cls, text: str) -> Choice | None:
        """Return the choice that is stored as this text; None if there is none."""
        for kind in KINDS:
            if text.partition(" ")[0] == kind:
                about = text.removeprefix(kind).strip()
                if kind == "clock":
                    terms, _, policy = about.partition(" ")
                    if terms not in PRESETS or (policy and (policy not in list(AbsencePolicy) or terms == "none")):
                        return None
                    choice = cls(kind, terms=terms, policy=AbsencePolicy(policy) if policy else None)
                    return choice if str(choice) == text else None
                choice = cls(kind, int(about) if about.isdecimal() and len(about) < 20 else 0)
                return choice if str(choice) == text else None
        return None


def check_may_vote(match: Match, text: str) -> None:
    """Raise Refused unless players vote there for that choice; in a match alone, for what its player decides."""
    choice = Choice.parse(text)
    if match.private and not match.lesson and choice is not None and choice.kind in ALONE:
        check_playing(match)
    else:
        check_at_table(match)


def needed(match: Match, choice: Choice) -> int:
    """Return how many votes a choice needs: all to take a move back, otherwise more than half (of two voters, both). In
    a match that matters (rated.py) most choices need all votes: else those who are behind could outvote the others.
    """
    people = len(voters(match, choice))
    if choice.kind == "remove" and matters(match):
        return people - 1  # all but the player
    return people if choice.kind == "undo" or (choice.kind in IN_CONCERT and matters(match)) else people // 2 + 1


def voters(match: Match, choice: Choice) -> tuple[Chair, ...]:
    """Return the players whose votes on this choice count."""
    return match.people if choice.kind in ("undo", "remove") else present(match)


def makes_sense(match: Match, choice: Choice, user: int) -> bool:
    """Return whether the user can vote for that now. No player votes for their own removal, and a removal takes at
    least three players, so that one cannot remove the other of two.
    """
    if match.seat_of(user) is None:
        return False
    if choice.kind == "remove":
        return choice.about != user and match.seat_of(choice.about) is not None and len(match.people) > 2
    if choice.kind == "undo":
        return match.running and choice.about == match.moves - 1
    if choice.kind == "replace":
        return bool(absent(match))
    if choice.kind == "clock":
        wanted = choice.terms, choice.policy or match.absent
        return choice.terms in PRESETS and wanted != (match.clock, match.absent)
    return choice.kind == "end" or (choice.kind == "resume") == (match.rests_since is not None)


def is_removable(match: Match, user: int, now: int) -> bool:
    """Return whether the others may remove that player now. Unless they do something, that stays so."""
    if not matters(match) or any(chair.user == user for chair in absent(match)):
        return True
    waits = next((reminder for reminder in match.reminders if match.chairs[reminder.seat].user == user), None)
    # The reminder after a day is put off by quiet hours and holidays: until it is sent, they need not be there.
    return waits is not None and waits.sent > 0 and (match.rests_since or now) - waits.since >= REMOVABLE_AFTER


def no_longer_removable(match: Match, now: int) -> frozenset[str]:
    """Return the open votes to remove a player who does not keep the table waiting any more."""
    removals = [choice for text in open_votes(match) if (choice := Choice.parse(text)) and choice.kind == "remove"]
    return frozenset(str(choice) for choice in removals if not is_removable(match, choice.about, now))


def tally(match: Match, votes: Mapping[int, str]) -> dict[Choice, int]:
    """Return the number of votes for each choice that is still possible, the most first. `votes`: texts by user."""
    found: dict[Choice, int] = {}
    for user, text in votes.items():
        choice = Choice.parse(text)
        if choice is None or not makes_sense(match, choice, user):
            continue
        if any(chair.user == user for chair in voters(match, choice)):
            found[choice] = found.get(choice, 0) + 1
    return dict(sorted(found.items(), key=lambda item: (-item[1], str(item[0]))))


def decided(match: Match, votes: Mapping[int, str]) -> Choice | None:
    """Return the choice that has enough votes, or None."""
    return next((choice for choice, count in tally(match, votes).items() if count >= needed(match, choice)), None)


# Open votes, and their ends.


def open_votes(match: Match) -> dict[str, TableVote]:
    """Return the open votes of a match, by the text of their choice."""
    return {vote.choice: vote for vote in match.proposals if vote.ended is None}


def asked(match: Match, seat: int) -> tuple[TableVote, ...]:
    """Return the open votes that another player has begun and that the player of that seat may decide and is not
    against, the newest first. They may be in favour of one.
    """
    user, found = match.chairs[seat].user, list[TableVote]()
    for text, vote in open_votes(match).items():
        choice = Choice.parse(text)
        if choice is None or user is None or user == vote.starter or user in vote.against:
            continue
        if makes_sense(match, choice, user) and any(chair.user == user for chair in voters(match, choice)):
            found.append(vote)
    return tuple(sorted(found, key=lambda vote: -vote.since))


def started(match: Match, choice: Choice, user: int, now: int) -> Match:
    """Return the match once this user votes for that choice, no longer against it, and opens the vote if none is."""
    vote = open_votes(match).get(str(choice)) or TableVote(str(choice), user, now, _closes(choice, now))
    return _with_vote(match, replace(vote, against=tuple(other for other in vote.against if other != user)))


def opposed(match: Match, choice: Choice, user: int) -> Match:
    """Return the match once this user is against a choice with an open vote."""
    vote = open_votes(match)[str(choice)]
    return _with_vote(match, replace(vote, against=tuple(sorted({*vote.against, user}))))


def without(match: Match, user: int) -> Match:
    """Return the match once this user is against nothing."""
    votes = [replace(vote, against=tuple(who for who in vote.against if who != user)) for vote in match.proposals]
    return replace(match, proposals=tuple(votes))


def against(match: Match, choice: Choice) -> int:
    """Return how many of the players whose votes count are against that choice."""
    vote = open_votes(match).get(str(choice))
    return 0 if vote is None else sum(chair.user in vote.against for chair in voters(match, choice))


def is_lost(match: Match, choice: Choice) -> bool:
    """Return whether so many are against a choice that it can no longer get enough votes."""
    if not against(match, choice):
        return False
    vote = open_votes(match)[str(choice)]
    left = [
        chair.user
        for chair in voters(match, choice)
        if chair.user not in vote.against and makes_sense(match, choice, chair.player)
    ]
    return len(left) < needed(match, choice)


def settled(match: Match, votes: Mapping[int, str], now: int, *, overdue: bool = False) -> tuple[Match, dict[int, str]]:
    """Return the match and its votes once every vote that is lost has closed.

    With `overdue` each vote that has been open for too long closes too, and what need no longer be shown goes. A vote
    on what is not possible any more closes without a word.
    """
    left = dict(votes)
    for vote in match.proposals:
        choice = Choice.parse(vote.choice)
        late = overdue and vote.due is not None and vote.due <= now
        if vote.ended is not None or choice is None:
            if late or choice is None:
                match = _without_vote(match, vote.choice)
            continue
        lost = is_lost(match, choice)
        if not lost and not late:
            continue
        shown = choice in tally(match, left)
        left = {user: text for user, text in left.items() if text != vote.choice}
        if lost or shown:
            why = VoteEnd.REFUSED if lost else VoteEnd.EXPIRED
            match = _with_vote(match, replace(vote, due=now + TOLD_FOR, ended=why, against=()))
        else:
            match = _without_vote(match, vote.choice)
    return match, left


def kept(match: Match, votes: Mapping[int, str], now: int) -> Match:
    """Return the match to store with these votes: an open vote without a voter is gone, each other one has its
    deadline, and a match that is not played has none.
    """
    if not match.proposals:
        return match
    if match.status is not Status.PLAYING:
        return replace(match, proposals=())
    wanted, kept = set(votes.values()), list[TableVote]()
    for vote in match.proposals:
        if vote.ended is not None:
            kept.append(vote if vote.due is not None else replace(vote, due=now + TOLD_FOR))
        elif vote.choice in wanted:
            choice = Choice.parse(vote.choice)
            due = vote.due if vote.due is not None or choice is None else _closes(choice, now)
            kept.append(replace(vote, due=due))
    return replace(match, proposals=tuple(kept))


def moved_on(match: Match) -> Match:
    """Return the match after a move: it says of no vote any more that it has closed."""
    if all(vote.ended is None for vote in match.proposals):
        return match
    return replace(match, proposals=tuple(vote for vote in match.proposals if vote.ended is None))


def _closes(choice: Choice, now: int) -> int | None:
    """Return when a vote that starts now closes; None on absent players: their time ends that vote."""
    return None if choice.kind == "replace" else now + OPEN_FOR


def _with_vote(match: Match, vote: TableVote) -> Match:
    others = [other for other in match.proposals if other.choice != vote.choice]
    return replace(match, proposals=tuple(sorted([*others, vote], key=lambda found: found.choice)))


def _without_vote(match: Match, choice: str) -> Match:
    return replace(match, proposals=tuple(vote for vote in match.proposals if vote.choice != choice))


@dataclass(frozen=True, slots=True)
class Voted:
    """The result of a vote: `match` as it is then, `before` as it was put to the vote. `choice` has `count` of the
    `needed` votes, or is None if the vote was withdrawn. `done`: the choice is carried out. `against`: the user is
    against it; `lost`: so it can no longer pass, and has closed. `undone`: the move taken back, in notation.
    """

    match: Match
    before: Match
    choice: Choice | None = None
    count: int = 0
    needed: int = 0
    done: bool = False
    against: bool = False
    lost: bool = False
    undone: str = ""


def choice_of(text: str) -> Choice:
    """Return the choice of that text. Refused if there is none."""
    choice = Choice.parse(text)
    if choice is None:
        raise Refused(Reason.UNKNOWN_BUTTON)
    return choice


def votes_without(votes: Mapping[int, str], choice: Choice) -> dict[int, str]:
    """Return the votes that remain once that choice is decided."""
    return {user: text for user, text in votes.items() if text != str(choice)}
