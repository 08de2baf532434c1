"""Strategies (hypothesis) and preconditions of the rules: people, tables, numbers, spans of time, settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import precondition

from tests.support.machine.base_machine import NAMES
from tests.support.machine.clock_model import DAY, HOUR, MINUTE
from tests.support.machine.table_model import TableModel

MOST_TABLES = 3
UNKNOWN_USER = 999
"""A user whom the bot does not know."""
GAMES_PLAYED = ("sea_change", "siege_of_sunfall", "photosynthesis")
TIMES = (1, MINUTE, 3 * MINUTE, 10 * MINUTE, HOUR, 5 * HOUR, DAY, 3 * DAY)
ZONES = ("UTC", "Europe/Berlin", "Asia/Kolkata", "America/New_York")
QUIET = (None, (22 * 60, 7 * 60), (0, 16 * 60), (13 * 60, 14 * 60))
JUMPS = (HOUR, -HOUR, DAY, -DAY, -1_780_000_000)
PLACES = ("table", "hand", "call", "thread", "channel")

tables = st.integers(0, 99)
people = st.sampled_from(list(NAMES))
numbers = st.integers(0, 10_000)


def needs_table(fits: Callable[[TableModel], bool]) -> Callable[[Any], Any]:
    return precondition(lambda self: any(fits(table) for table in self.tables))


def is_lobby(table: TableModel) -> bool:
    return table.status == "lobby"


def is_playing(table: TableModel) -> bool:
    return table.status == "playing"


def is_running(table: TableModel) -> bool:
    return table.running


def is_over(table: TableModel) -> bool:
    return not table.open
