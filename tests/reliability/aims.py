"""What the kills of the whole bot are aimed at.

Most that can go wrong shows in a few instants: a message stands there and nobody has noted it down, somebody has read
that a move is recorded, a table is noted down as shown and is not. A kill at any instant rarely meets one of these.
So the kinds of kills are dealt like cards, from a deck that is shuffled anew when it is used up: a dozen lives in a row
meet all of them, in any order, and within its kind each kill strikes at random.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from enum import Enum
from itertools import chain, repeat
from random import Random
from typing import NamedTuple

from aiohttp import web


class Moment(Enum):
    """When a life is killed."""

    STARTING = "killed while starting"
    CATCHING_UP = "killed while catching up"
    PLAYING = "killed while playing"


class Aim(NamedTuple):
    """Requests at one of which is struck, once at most so many have passed."""

    method: str
    path: re.Pattern[str]
    most: int

    def meets(self, method: str, path: str) -> bool:
        return re.fullmatch(self.method, method) is not None and self.path.search(path) is not None


ANY = Aim("[A-Z]+", re.compile(""), 16)
ANSWER = Aim("PATCH|POST", re.compile(r"^/webhooks/"), 3)
"""Somebody is told what has come of their press."""
EDIT = Aim("PATCH", re.compile(r"^/channels/\d+/messages/\d+$"), 3)
SENDING = Aim("POST", re.compile(r"^/channels/\d+/messages$"), 3)


class Kill(NamedTuple):
    """`aim`: None for a kill after so many seconds, or right at the start."""

    moment: Moment
    aim: Aim | None = None
    before: bool = False
    """Whether it strikes before the request is carried out, which then it is not; else before its answer."""


def kills(random: Random) -> Iterator[Kill]:
    """One deck after the other."""
    while True:
        awake = [(None, False)] * 3 + [(ANY, random.random() < 0.5)]
        awake += [(aim, before) for aim in (ANSWER, EDIT, SENDING) for before in (True, False)]
        awake.append((SENDING, False))  # whom it calls often presses before it could be sent once more
        deck = [Kill(Moment.STARTING)] * 3
        for aim, before in awake:
            (moment,) = random.choices([Moment.CATCHING_UP, Moment.PLAYING], [35, 45])
            deck.append(Kill(moment, aim, before))
        random.shuffle(deck)
        yield from deck


def trap(aim: Aim, random: Random, strike: Callable[[], None]) -> Callable[[str, str], bool]:
    """Strikes at one of the next such requests; says whether it was this one."""
    due = chain(repeat(False, random.randrange(aim.most)), [True], repeat(False))

    def sprung(method: str, path: str) -> bool:
        if not aim.meets(method, path) or not next(due):
            return False
        strike()
        return True

    return sprung


def refusing(sprung: Callable[[str, str], bool]) -> Callable[[str, str], bool]:
    """As `Loopback.gate`: what is struck at is not carried out."""

    def gate(method: str, path: str) -> bool:
        if sprung(method, path):
            raise web.HTTPServiceUnavailable
        return False

    return gate
