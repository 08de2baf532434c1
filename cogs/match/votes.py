"""What the people of a running match can decide together, and when they have.

Each seated person has one voice, and gives it for one thing at most: that is the whole vote. A voice counts for as long
as it makes sense: who has left has none, and what cannot be done any more is voted for by nobody. Those whose time has
run out have none either until they are back, but to take a move back or to remove somebody all are asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from cogs.match.clocks import ABSENT, absent, present
from cogs.match.time_controls import PRESETS
from data.records.match import Chair, Match

Proposal = Literal["end", "pause", "resume", "remove", "undo", "replace", "clock"]
KINDS: tuple[Proposal, ...] = get_args(Proposal)
NOTHING = "none"
"""What somebody is for who takes their voice back."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Something to vote for, and how it is stored: "end", "remove 123" (a user), "undo 17" (the number of a move),
    "clock day_1" (terms), "clock day_1 vote" (and what follows where somebody's time is up), "replace" (those who are
    absent, by computers).
    """

    kind: Proposal
    about: int = 0
    terms: str = ""
    policy: str = ""

    def __str__(self) -> str:
        if self.kind == "clock":
            return f"{self.kind} {self.terms} {self.policy}".rstrip()
        return f"{self.kind} {self.about}" if self.kind in ("remove", "undo") else self.kind

    @classmethod
    def parse(cls, text: str) -> Choice | None:
        """None for what can be no choice at all."""
        for kind in KINDS:
            if text.partition(" ")[0] == kind:
                about = text.removeprefix(kind).strip()
                if kind == "clock":
                    terms, _, policy = about.partition(" ")
                    choice = cls(kind, terms=terms, policy=policy)
                    good = terms in PRESETS and (not policy or (policy in ABSENT and terms != "none"))
                    return choice if good and str(choice) == text else None
                choice = cls(kind, int(about) if about.isdecimal() and len(about) < 20 else 0)
                return choice if str(choice) == text else None
        return None


def needed(match: Match, choice: Choice) -> int:
    """How many voices it takes: more than half of those who are asked, which is two where two are; all of them to take
    a move back.
    """
    people = len(_asked(match, choice))
    return people if choice.kind == "undo" else people // 2 + 1


def _asked(match: Match, choice: Choice) -> tuple[Chair, ...]:
    """The people whose voices count."""
    return match.people if choice.kind in ("undo", "remove") else present(match)


def makes_sense(match: Match, choice: Choice, user: int) -> bool:
    """Whether this person can be for that now. Nobody is for their own removal, and no single one can remove another:
    two people cannot outvote each other.
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


def tally(match: Match, votes: Mapping[int, str]) -> dict[Choice, int]:
    """How many are for what, the most wanted first; only what still makes sense."""
    found: dict[Choice, int] = {}
    for user, text in votes.items():
        choice = Choice.parse(text)
        if choice is None or not makes_sense(match, choice, user):
            continue
        if any(chair.user == user for chair in _asked(match, choice)):
            found[choice] = found.get(choice, 0) + 1
    return dict(sorted(found.items(), key=lambda item: (-item[1], str(item[0]))))


def decided(match: Match, votes: Mapping[int, str]) -> Choice | None:
    """What enough people are for."""
    return next((choice for choice, count in tally(match, votes).items() if count >= needed(match, choice)), None)
