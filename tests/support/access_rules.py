"""Who may press what in which phase of a match: the table of the access matrix."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from cogs.messages.content import Id
from tests.support.write_recorder import Change

Control = tuple[str, tuple[str, ...]]
"""A custom_id, and the values that can be chosen there; none for a button."""

LOBBY, RESTING, BEHIND, UNCHECKED, PAUSED, HELD, AWAY = (
    *("lobby", "resting", "behind a backup", "in doubt after a restore", "paused", "held", "away"),
)
CLOSED = "closed to all but guests"
CALLED_OFF, CANCELLED, STOPPED, OVER = "cancelled before the start", "cancelled", "stopped", "over"
RUNNING, ENDED = ("running", "decided", "voting", AWAY), (CANCELLED, STOPPED, OVER)
PLAYED, STANDING = (*RUNNING, RESTING, BEHIND), (PAUSED, UNCHECKED)
PHASES = (
    *(LOBBY, CLOSED, CALLED_OFF),
    *RUNNING[:3],
    *(RESTING, BEHIND, UNCHECKED, PAUSED, HELD, AWAY, CANCELLED, STOPPED, OVER),
)
SOME_PHASES = (LOBBY, "running", OVER)
"""The phases in which people press in a short tour, in the last one all that was ever shown; in a long tour, those in
which they also press what names no match, which is the same in every phase.
"""
SEATED = {"host", "seated", "substitute"}
UNSEATED = {"waiting", "former", "removed", "stranger", "manager"}
GUESTS = {"invited", "declined", "taken out"}
WELCOME = {"waiting", "former", "removed", "invited"}
"""Those whom a closed table lets in, if nothing else keeps them out: guests, and people who have sat there."""
KINDS = (*sorted(SEATED), *sorted(UNSEATED), *sorted(GUESTS), "outsider")
OPEN, LOBBIES = ("running", "decided"), (LOBBY, CLOSED)
"""Phases of a running match that is open to all; from the next one on it is closed to all but guests."""

ALLOWED: dict[str, dict[str, set[str]]] = {
    "accept": {LOBBY: {"invited", "declined"}, CLOSED: {"invited", "declined"}},
    "add": dict.fromkeys(LOBBIES, SEATED),
    "again": dict.fromkeys(ENDED, SEATED | WELCOME),
    "back": {key: {"former"} for key in PLAYED},
    "cancel": {**{key: {"host", "manager"} for key in LOBBIES}, **{key: {"manager"} for key in PLAYED}},
    "clock": dict.fromkeys((*LOBBIES, *PLAYED), SEATED),
    "closed": {key: {"host"} for key in LOBBIES},
    "cut_with": dict.fromkeys(LOBBIES, SEATED),
    "data": {key: set(KINDS) for key in PHASES},
    "decline": {key: {"invited", "declined"} for key in LOBBIES},
    "duplicate": {key: {"host"} for key in LOBBIES},
    "expel": {key: {"host"} for key in LOBBIES},
    "forced": dict.fromkeys((*PLAYED, *STANDING), SEATED),
    "give_seat": dict.fromkeys(PLAYED, SEATED),
    "hand_on": {key: {"host"} for key in LOBBIES},
    "hours": {key: set(KINDS) for key in PHASES},
    "join": {
        LOBBY: UNSEATED | SEATED | {"invited", "declined"},
        CLOSED: {"invited"},
        **dict.fromkeys(PLAYED, WELCOME),
        **dict.fromkeys(OPEN, UNSEATED | {"invited", "declined"}),
    },
    "language": {key: {"host"} for key in LOBBIES},
    "leave": {**dict.fromkeys(LOBBIES, SEATED), **{key: {"waiting"} for key in (*PLAYED, *STANDING, *ENDED)}},
    "level": dict.fromkeys(LOBBIES, SEATED),
    "hints": dict.fromkeys(LOBBIES, SEATED),
    "hint": {key: {"able", "away"} for key in RUNNING},
    "move": {key: {"able", "away"} for key in RUNNING},
    "anyway": {key: {"able", "away"} for key in RUNNING},
    "learn": {key: set(KINDS) for key in PHASES},
    "open": {key: set(KINDS) for key in PHASES},
    "table": {key: set(KINDS) for key in PHASES},
    "offer": dict.fromkeys(PLAYED, SEATED),
    "option": dict.fromkeys(LOBBIES, SEATED),
    "play_with": {key: set(KINDS) for key in PHASES},
    "reseat_sure": {key: {"manager"} for key in PLAYED},
    "relocate": {**{key: {"host", "manager"} for key in LOBBIES}, **dict.fromkeys(PLAYED, SEATED | {"manager"})},
    "remove": dict.fromkeys(LOBBIES, SEATED),
    "setting": dict.fromkeys((*LOBBIES, *PLAYED, *STANDING), SEATED),
    "season": {key: set(KINDS) - {"outsider"} for key in PHASES},
    "setup": {key: {"manager"} for key in PHASES},
    "start": dict.fromkeys(LOBBIES, SEATED),
    "start_at_time": {key: {"host"} for key in LOBBIES},
    "start_time": {key: {"host"} for key in LOBBIES},
    "take": {
        **dict.fromkeys(PLAYED, WELCOME - {"removed"}),
        **dict.fromkeys(OPEN, (UNSEATED - {"removed"}) | {"invited", "declined"}),
    },
    "team": dict.fromkeys(LOBBIES, SEATED),
    "undo": {key: {"able to undo"} for key in RUNNING},
    "vote": dict.fromkeys(PLAYED, SEATED),
    "vote_sure": dict.fromkeys(PLAYED, SEATED),
    "refuse": dict.fromkeys(PLAYED, SEATED),
    "nudge": {key: {"waits"} for key in RUNNING},
    **{action: {AWAY: {"away"}} for action in ("hand", "here", "refresh", "play", "next", "path", "lookups", "signs")},
}
"""For each action and phase, the people whose press may change a match or a server. No other press may."""
OF_OTHERS = {"start", "take", "vote", "vote_sure", "refuse", "again", "clock", "closed", "expel", "play_with"}
"""Actions that change rows of other players in a match: seats drawn, an offered seat taken, decisions of the table."""
OF_OTHER_MATCHES = {"again", "data", "duplicate", "learn", "next", "open", "play_with", "table"}
"""Actions that change another match than the one that their button names."""
NEVER_ABROAD = {"again", "duplicate", "play_with", "relocate", "season", "setup"}
"""Actions that a server without the bot never sees: they open tables, or change or tell a server."""
READ_ALOUD = {"learn", "rules", "rulebook"}
"""The actions whose examples name cards that may be in a player's hand."""


ELSEWHERE = {True: 0.5, False: 0.1}
"""The fraction of presses from another server, by whether the person is seated: only then the match may change."""


LONG = 60
"""Moves above which a log counts as long: a paragraph of what was missed leaves some out."""
CLOCKS = ("live_2", "live_15", "hours_12", "day_1", "week")
LENGTHENED, FORCED = ("decided", "voting", RESTING), ("decided", "voting")
"""Phases from one of which on the log is long; phases in one of which a player has no choice, and in the other has."""


class Variation(NamedTuple):
    """How a match is in one phase. `forced`: a seat to move has no choice, and the bot may move for it."""

    clock: str
    long: bool
    forced: bool


def variations(seed: str) -> dict[str, Variation]:
    """Draw a variation for each phase. Of the phases in which moves are made some have each property, some have not."""
    random = Random(f"{seed} varies")
    later = PHASES[PHASES.index("decided") :]
    clocked = {*random.sample(RUNNING[:3], random.choice((1, 2))), AWAY}
    clocked |= {phase for phase in PHASES if phase not in RUNNING and random.random() < 0.5}
    forced = {random.choice(FORCED), *(p for p in later if p not in (*FORCED, *ENDED) and random.random() < 0.5)}
    long = later[later.index(random.choice(LENGTHENED)) :]
    return {
        phase: Variation(random.choice(CLOCKS) if phase in clocked else "none", phase in long, phase in forced)
        for phase in PHASES
    }


class Attempt(NamedTuple):
    """What a press would have stored, and the server of the press."""

    who: str
    pressed: Id
    changes: frozenset[Change]
    guild: int | None
