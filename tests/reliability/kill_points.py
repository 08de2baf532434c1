"""What the kills of the whole bot are aimed at.

Most that can go wrong shows in a few instants: a message stands there and nobody has noted it down, somebody has read
that a move is recorded, a table is noted down as shown and is not. A kill at any instant rarely meets one of these.
So the kinds of kills are dealt like cards, from a deck that is shuffled anew when it is used up: fourteen lives in a
row meet all of them, in any order, and within its kind each kill strikes at random.
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
    """Requests at one of which is struck, once less than `most` have passed."""

    method: str
    path: str
    most: int = 3
    recorded: bool = False
    """Whether only such as have told somebody that their move is recorded."""

    def meets(self, method: str, path: str, recorded: bool) -> bool:
        asked = re.fullmatch(self.method, method) and re.search(self.path, path)
        return bool(asked) and (recorded or not self.recorded)


ANY = Aim("[A-Z]+", "", 16)
ANSWER = Aim("PATCH|POST", r"^/webhooks/")
"""What has come of a press."""
RECORDED = ANSWER._replace(recorded=True, most=2)
EDIT = Aim("PATCH", r"^/channels/\d+/messages/\d+$")
SENDING = Aim("POST", r"^/channels/\d+/messages$")


class Kill(NamedTuple):
    """`aim`: None for a kill after so many seconds, or right at the start."""

    moment: Moment
    aim: Aim | None = None
    before: bool = False
    """Whether it strikes before the request is carried out, which then it is not; else before its answer."""
    looked: bool = False
    """Whether the next life that is played with is left alone first, until all is shown."""


def kills(random: Random, channel: int) -> Iterator[Kill]:
    """One deck after the other. `channel`: where the tables are."""
    looked = False
    while True:
        for kill in _deck(random, EDIT._replace(path=rf"^/channels/{channel}/messages/\d+$")):
            if kill.moment is not Moment.STARTING:
                kill, looked = kill._replace(moment=Moment.PLAYING) if looked else kill, kill.looked
            yield kill


def _deck(random: Random, table: Aim) -> list[Kill]:
    """`table`: a table is edited."""

    def awake() -> Moment:
        return random.choices([Moment.CATCHING_UP, Moment.PLAYING], [35, 45])[0]

    def either() -> bool:
        return random.random() < 0.5

    deck = [
        *[Kill(Moment.STARTING)] * 3,
        *[Kill(awake()) for _ in range(3)],
        Kill(awake(), ANY, either()),
        Kill(awake(), random.choice([ANSWER, EDIT]), either()),
        Kill(Moment.PLAYING, RECORDED),
        Kill(awake(), table, before=True),
        Kill(Moment.PLAYING, table, before=True),
        Kill(awake(), SENDING, before=True),
        Kill(awake(), SENDING),
        # Else whom it has called presses, and what might be sent once more is not.
        Kill(awake(), SENDING, looked=True),
    ]
    random.shuffle(deck)
    return deck


def trap(aim: Aim, random: Random, strike: Callable[[], None]) -> Callable[[str, str, bool], bool]:
    """Strikes at one of the next such requests; says whether it was this one."""
    due = chain(repeat(False, random.randrange(aim.most)), [True], repeat(False))

    def sprung(method: str, path: str, recorded: bool) -> bool:
        if not aim.meets(method, path, recorded) or not next(due):
            return False
        strike()
        return True

    return sprung


def refusing(sprung: Callable[[str, str, bool], bool]) -> Callable[[str, str], bool]:
    """As `Loopback.gate`: what is struck at is not carried out."""

    def gate(method: str, path: str) -> bool:
        if sprung(method, path, False):
            raise web.HTTPServiceUnavailable
        return False

    return gate
