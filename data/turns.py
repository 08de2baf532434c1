"""Work is done in turn among the people who ask for it: however much one of them asks for, another's is next."""

from __future__ import annotations

import asyncio
from bisect import insort
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Generic, TypeVar

T = TypeVar("T")

MOST_REMEMBERED = 64
"""The most people without waiting work who are remembered beyond their number."""

asker: ContextVar[int] = ContextVar("asker", default=0)
"""For whom the current task works: a user's id; 0: for no person."""


class Turns(Generic[T]):
    """What waits, in the order in which it is next: in each round one thing of each person. If a person's thing of the
    present round has been taken already, their next one belongs to the next round, and another person who comes then
    goes first. What is for no person belongs to the present round.
    """

    def __init__(self) -> None:
        self._waiting: list[tuple[int, int, T]] = []
        self._count = 0
        self._round = 0
        self._last: dict[int, int] = {}
        """The last round in which each person has something."""

    def __len__(self) -> int:
        return len(self._waiting)

    def __iter__(self) -> Iterator[T]:
        return iter([item for _, _, item in self._waiting])

    def append(self, item: T, person: int = 0) -> None:
        """Add something for a person; 0: for no person."""
        number = self._round
        if person:
            number = self._last[person] = max(number, self._last.get(person, -1) + 1)
            if len(self._last) > len(self._waiting) + MOST_REMEMBERED:
                self._last = {who: last for who, last in self._last.items() if last >= self._round}
        self._count += 1
        insort(self._waiting, (number, self._count, item))

    def put_back(self, item: T) -> None:
        """Put back what was taken: it is next."""
        self._count += 1
        insort(self._waiting, (-1, -self._count, item))

    def first(self, may: Callable[[T], bool] = lambda _: True) -> T | None:
        """Return what is next of all for which `may` is true; None if there is none. It still waits."""
        return next((item for _, _, item in self._waiting if may(item)), None)

    def take(self, item: T) -> None:
        """Take out what waits, as its turn has come."""
        at = next(at for at, (_, _, each) in enumerate(self._waiting) if each is item)
        number, _, _ = self._waiting.pop(at)
        self._round = max(self._round, number)

    def drop(self, item: T) -> None:
        """Take out what is not wanted any more, if it waits."""
        self._waiting = [each for each in self._waiting if each[2] is not item]


class Gate:
    """Lets at most `most` tasks in at a time, in turn among those for whom they work: `async with gate: …`."""

    def __init__(self, most: int = 1) -> None:
        self._free = most
        self._waiting = Turns[asyncio.Future[None]]()

    async def __aenter__(self) -> None:
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn, asker.get())
        self._admit()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                self._waiting.drop(turn)
            else:  # it was let in at the same moment
                await self.__aexit__()
            raise

    async def __aexit__(self, *_: object) -> None:
        self._free += 1
        self._admit()

    def _admit(self) -> None:
        while self._free and (turn := self._waiting.first()) is not None:
            self._waiting.take(turn)
            if not turn.done():
                self._free -= 1
                turn.set_result(None)
