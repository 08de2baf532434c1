"""Pairs of runs that differ only in what one viewer may not know: a position and its redeal, and the steps in each.

This module draws the positions, and tests/reliability/scripts.py the steps. tests/reliability/leaks.py plays a pair in
two bots.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

from data.records.match import GuestState
from data.records.people import PictureWish
from data.records.terms import AbsencePolicy
from rules import GAMES
from rules.core.computer import LEVELS, Level
from rules.core.game import AnyState, Event, Json, Seat, chosen_options

MOST_SEATS = 4
MOST_PLIES = 160
CLOCKS = ("none", "none", "none", "live_15", "hours_12", "day_1", "week")
COMPUTERS = 0.4
"""The share of the pairs with a computer."""
QUIET = ((0, 720), (720, 1439))
"""Quiet hours, in minutes of the day."""


class Ply(NamedTuple):
    """A position, and the events up to it."""

    state: AnyState
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """An action of a user, or a fault. `first` and `second` are what happens in each run: the same, or two things that
    the viewer cannot tell apart. None: nothing happens in that run.
    """

    kind: str
    user: int = 0
    first: Any = None
    second: Any = None

    def of(self, run: int) -> Any:
        return self.second if run else self.first


@dataclass(slots=True)
class Pair:
    """A pair of runs. `seats`: the user of each seat. If the viewer's seat is `offered`, `viewer_user` takes it over in
    the run. An onlooker (`viewer` is None) may have `left` the match before. For the `forced` seats the bot makes a
    move without a choice. `locale`: the language of the table. `quiet`: quiet hours by user, in minutes of the day.
    A computer may have a seat, whose user then only watches; in some pairs the computer cannot tell the positions apart
    either.
    """

    slug: str
    options: Json
    secret: str
    viewer: Seat | None
    viewer_user: int
    seats: tuple[int, ...]
    starts: tuple[AnyState, AnyState]
    events: tuple[Event, ...]
    settings: dict[int, dict[str, Any]]
    closed: frozenset[int]
    offered: bool
    left: bool
    clock: str
    locale: str = "en-US"
    absent: AbsencePolicy = AbsencePolicy.VOTE
    forced: frozenset[Seat] = frozenset()
    quiet: dict[int, tuple[int, int]] = field(default_factory=dict)
    computer: Seat | None = None
    level: Level = "friend"
    """The level of the computer."""
    guest: GuestState | None = None
    """What the viewer is to a match that is closed to all but guests; None: the match is open."""
    in_channel: frozenset[int] = frozenset()
    """Users who open a private hand at the table and move in it."""
    private: bool = False
    """Whether the match is of no server and has no table. Such a match has one player; here all seats have people, who
    hide something.
    """
    faulty: bool = False
    same_counts: bool = True
    """Whether both runs have equally many presses and writes: only then their metrics are equal."""
    steps: list[Step] = field(default_factory=list)
    ends: tuple[AnyState, AnyState] | None = None

    @property
    def people(self) -> list[int]:
        return [user for seat, user in enumerate(self.seats) if seat != self.computer]


@lru_cache(2)
def matches(seed: str) -> dict[str, tuple[int, Json, list[Ply]]]:
    """Play a random match of each game. Return its number of seats, its options, and its positions before the end."""
    found = {}
    for slug, game in GAMES.items():
        random = Random(f"{seed} {slug}")
        seats = random.choice([n for n in game.seats if 1 < n <= MOST_SEATS])
        options = chosen_options(game, seats, {})
        state = game.new(seats, options, random.randbytes(32).hex())
        plies = [Ply(state, state.opening())]
        while state.outcome() is None and len(plies) < MOST_PLIES:
            mover = random.choice(sorted(state.to_move()))
            state, events = state.apply(random.choice(state.legal_moves(mover)))
            plies.append(Ply(state, (*plies[-1].events, *events)))
        found[slug] = seats, options, [ply for ply in plies if ply.state.outcome() is None]
    return found


def drawn(slug: str, seats: int, options: Json, random: Random, ply: Ply, base: int, faulty: bool) -> Pair:
    """Return a pair at that position, without steps."""
    viewer = random.choice([None, *map(Seat, range(seats))])
    users = [base + seat for seat in range(seats)]
    offered = viewer is not None and random.random() < 0.15
    viewer_user = base + 8 if viewer is None or offered else users[viewer]
    others = [seat for seat in map(Seat, range(seats)) if seat != viewer]
    computer = random.choice(others) if random.random() < COMPUTERS else None
    blind = computer if viewer is None and random.random() < 0.5 else viewer
    starts = ply.state, ply.state.redeal_unseen(blind, random.randbytes(16).hex())
    free = [seat for seat in map(Seat, range(seats)) if all(len(state.legal_moves(seat)) != 1 for state in starts)]
    return Pair(
        slug=slug,
        options=options,
        secret=random.randbytes(32).hex(),
        viewer=viewer,
        viewer_user=viewer_user,
        seats=tuple(users),
        starts=starts,
        events=ply.events,
        settings={user: {**_settings(random), "wants_help": user % 3 > 0} for user in (*users, base + 8)},
        closed=frozenset(user for user in users if random.random() < 0.15),
        offered=offered,
        left=viewer is None and random.random() < 0.3,
        clock=random.choice([clock for clock in CLOCKS if not (faulty and clock == "live_15")]),
        locale=random.choice(("en-US", "de")),
        absent=random.choice((AbsencePolicy.VOTE, AbsencePolicy.COMPUTER)),
        forced=frozenset(
            seat for seat in free if random.random() < 0.3 and not (offered and seat == viewer) and seat != computer
        ),
        computer=computer,
        level=random.choice(list(LEVELS)),
        quiet={user: random.choice(QUIET) for user in users if random.random() < 0.3},
        guest=random.choice(_GUESTS[:3] if offered else _GUESTS),
        in_channel=frozenset(user for user in users if random.random() < 0.5),
        faulty=faulty,
    )


_GUESTS = (None, GuestState.INVITED, GuestState.ACCEPTED, GuestState.DECLINED, GuestState.REMOVED)


def _settings(random: Random) -> dict[str, Any]:
    return {
        "ping": random.choice(("dm", "dm", "mention", "both", "none")),
        "digest_hours": random.choice((0, 0, 1)),
        "wants_text": random.random() < 0.2,
        "pictures": frozenset(wish for wish in PictureWish if random.random() < 0.15),
    }
