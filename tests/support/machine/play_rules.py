"""Rules of moves: people press current and old buttons, twice or at once, and take moves back."""

from __future__ import annotations

from functools import partial
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import rule

from rules.core.game import Seat
from tests.support.machine.base_machine import NAMES, Machine, ModelAction
from tests.support.machine.strategies import is_playing, is_running, needs_table, numbers, people, tables
from tests.support.machine.table_model import TableModel


class PlayRules(Machine):
    """Rules of the moves."""

    @needs_table(is_running)
    @rule(which=tables, pick=numbers, count=st.sampled_from([1, 3, 10, 25]))
    def play(self, which: int, pick: int, count: int) -> None:
        """Let the players to move make up to `count` moves, one after the other."""
        table = self.some_table(which, is_running)
        for n in range(count):
            user = self.player_to_move(table, pick + n)
            if user is None:
                return
            turn, text = self.decision(table, user, pick * 31 + n)
            self.act(table, self.press(table, user, turn, text))

    def player_to_move(self, table: TableModel, pick: int) -> int | None:
        """Return a person who must decide something, or None."""
        users = [table.occupants[seat].user for seat in sorted(table.turns())] if table.running else []
        there = [user for user in users if user is not None]
        return there[pick % len(there)] if there else None

    def decision(self, table: TableModel, user: int, pick: int) -> tuple[str, str]:
        """Return the turn token and the move of a button that this person may see."""
        seat = table.seat(user)
        legal = table.state.legal_moves(Seat(seat)) if seat is not None else ()
        return ("" if seat is None else table.token(seat)), str(legal[pick % len(legal)]) if legal else "nothing"

    def press(self, table: TableModel, user: int, turn: str, text: str) -> tuple[Any, ModelAction]:
        return self.bot.play(table.number, user, turn, text), partial(table.play, user, turn, text)

    @needs_table(is_running)
    @rule(which=tables, pick=numbers, other=numbers)
    def press_twice(self, which: int, pick: int, other: int) -> None:
        """Press the same button twice at once, and another button of the same hand."""
        table = self.some_table(which, is_running)
        user = self.player_to_move(table, pick)
        if user is not None:
            turn, text = self.decision(table, user, pick)
            _, second = self.decision(table, user, other)
            self.act(table, *(self.press(table, user, turn, which) for which in (text, text, second)))

    @rule(which=tables, who=people, pick=numbers, old=st.booleans())
    def press_anything(self, which: int, who: int, pick: int, old: bool) -> None:
        """Press a current or old button of one's own or another's hand, at a table that one may not sit at."""
        table = self.table(which)
        turn, text = "1.1", "nothing"
        if old and table.log:
            move = table.log[pick % len(table.log)]
            turn, text = move.turn, move.text
        elif table.states:
            turn, text = self.decision(table, table.people[pick % len(table.people)] if table.people else who, pick)
        self.act(table, self.press(table, who, turn, text))

    @needs_table(is_running)
    @rule(which=tables, pick=numbers, twice=st.booleans())
    def undo(self, which: int, pick: int, twice: bool) -> None:
        """Make one more move if the game allows undo, then take it back, mostly as a player who may; press twice."""
        table = self.some_table(which, lambda table: is_running(table) and table.game == "photosynthesis")
        asked = self.player_to_move(table, pick)
        if asked is not None:
            self.act(table, self.press(table, asked, *self.decision(table, asked, pick)))
        may = [u for u in table.people if table.running and table.state.may_take_back(Seat(table.seat(u) or 0))]
        user = (*may * 9, *NAMES)[pick % (9 * len(may) + len(NAMES))]
        seat = table.seat(user)
        turn = table.token(seat) if table.states and seat is not None else "1.1"

        def in_model() -> None:
            table.undo(user, turn)

        works = [(self.bot.undo(table.number, user, turn), in_model) for _ in range(1 + twice)]
        if not all(self.act(table, *works)):
            again = self.player_to_move(table, pick)
            if again is not None:  # the same decision is open again, with another button
                self.act(table, self.press(table, again, *self.decision(table, again, pick)))

    @needs_table(is_playing)
    @rule(which=tables, who=numbers)
    def look(self, which: int, who: int) -> None:
        """A player looks at their hand, absent players first."""
        table = self.some_table(which, lambda table: bool(table.unresponsive()))
        users = (*table.unresponsive() * 3, *NAMES)
        user = users[who % len(users)]
        self.act(table, (self.bot.look(table.number, user), lambda: table.mark_present(user)))
