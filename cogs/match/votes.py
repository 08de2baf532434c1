"""The votes of a running match: what its players can decide together, and when a proposal has enough votes.

Each seated player has one vote, for one proposal at a time. It counts while the voter is seated and the proposal is
possible. The votes of absent players, whose time has run out, count only on taking a move back and removing a player.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from cogs.match.clocks import absent, present
from cogs.match.time_controls import PRESETS
from data.records.match import AbsencePolicy, Chair, Match

Proposal = Literal["end", "pause", "resume", "remove", "undo", "replace", "clock"]
KINDS: tuple[Proposal, ...] = get_args(Proposal)
NOTHING = "none"
"""The text with which a voter withdraws their vote."""


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


def needed(match: Match, choice: Choice) -> int:
    """Return how many votes a choice needs: all to take a move back, otherwise more than half (of two voters, both)."""
    people = len(_asked(match, choice))
    return people if choice.kind == "undo" else people // 2 + 1


def _asked(match: Match, choice: Choice) -> tuple[Chair, ...]:
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


def tally(match: Match, votes: Mapping[int, str]) -> dict[Choice, int]:
    """Return the number of votes for each choice that is still possible, the most first. `votes`: texts by user."""
    found: dict[Choice, int] = {}
    for user, text in votes.items():
        choice = Choice.parse(text)
        if choice is None or not makes_sense(match, choice, user):
            continue
        if any(chair.user == user for chair in _asked(match, choice)):
            found[choice] = found.get(choice, 0) + 1
    return dict(sorted(found.items(), key=lambda item: (-item[1], str(item[0]))))


def decided(match: Match, votes: Mapping[int, str]) -> Choice | None:
    """Return the choice that has enough votes, or None."""
    return next((choice for choice, count in tally(match, votes).items() if count >= needed(match, choice)), None)
