"""Announces changes of matches to what shows them, at once or once the player has had an answer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Protocol


class Listener(Protocol):
    """Shows matches that have changed: the publisher."""

    def changed(self, number: int) -> None:
        """Show the match now: it has changed."""

    def later(self, number: int) -> None:
        """Show the match when there is time: it is one of many that have changed, and no player waits for it."""


class _Nothing:
    """The listener before the start: changes are stored, and the start shows them."""

    def changed(self, number: int) -> None:
        """Do nothing."""

    later = changed


@dataclass(slots=True, eq=False)
class _Deferral:
    """A change of one match that is announced at the end of a block."""

    number: int
    changed: bool = False
    over: bool = False


_deferral: ContextVar[_Deferral | None] = ContextVar("deferral", default=None)


class Announcer:
    """Announces changes to the listener, at once or at the end of a block."""

    def __init__(self) -> None:
        self.listener: Listener = _Nothing()

    def announce(self, number: int, *, soon: bool = True) -> None:
        """Announce that the match has changed. `soon` False: it is one of many, and no player waits for it."""
        deferral = _deferral.get()
        if deferral is not None and deferral.number == number and not deferral.over:
            deferral.changed = True
        elif soon:
            self.listener.changed(number)
        else:
            self.listener.later(number)

    @contextmanager
    def after(self, number: int) -> Iterator[None]:
        """Announce the current task's changes of that match at the end of the block, and others' changes at once.

        By then the player has seen the answer, and needs no ping for what it says.
        """
        deferral = _Deferral(number)
        context = _deferral.set(deferral)
        try:
            yield
        finally:
            _deferral.reset(context)
            deferral.over = True  # tasks begun in the block keep its context
            if deferral.changed:
                self.listener.changed(number)
