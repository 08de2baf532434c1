"""Tells a player in one paragraph what they have missed (cogs/match/agenda.py), and offers to tell it."""

from __future__ import annotations

from itertools import islice

from cogs.match.agenda import Missed
from cogs.messages.content import Button, Id
from cogs.messages.narration import backwards, newest
from data.records.match import Match
from rendering.core.labels import Labels
from rules.core.game import AnyGame

MOST_SENTENCES, MOST_LETTERS = 60, 1500
"""The paragraph has at most that many sentences and characters: the newest ones."""


def paragraph(game: AnyGame, match: Match, found: Missed, seat: int, labels: Labels) -> str:
    """Return what was missed as one paragraph that ends with the newest event; "" for nothing.

    It tells what that seat saw and may still look back at, and marks the moves that a computer made for the player.
    """
    first = {logged.move: logged for logged in reversed(found.story)}
    lines = []
    for logged, line in islice(backwards(game, match, found.story, seat, labels, found.since), MOST_SENTENCES + 1):
        for_them = logged is not None and logged.move in found.for_them and logged is first[logged.move]
        lines.append(labels.say("catch_up.for_you", what=line) if for_them else line)
    shown = newest(lines[MOST_SENTENCES - 1 :: -1], MOST_LETTERS)
    text = " ".join(shown).replace("\n", " ")
    return labels.say("catch_up.earlier", rest=text) if len(shown) < len(lines) else text


def catch_up_button(match: Match, labels: Labels) -> Button:
    """Return the button that asks for the paragraph."""
    return Button(labels.say("catch_up.offer"), Id(match.id, "catch_up"))
