"""What a Python prompt shows: a game by its slug and seats, a view as a board in lines of text."""

from __future__ import annotations

import doctest

import pytest

import rules
from rules import GAMES
from rules.core import text

BOARDS = {
    ("sea_change", 4, 14): """
Sea Change to 3: round 1, trick 4 of 10
Suits B R P Y, trump B, 0 cards in the pile
Last trick: 3 P0, 0 P5, 1 P7, 2 P4, taken by 1
Trick: 1 Y4, 2 Y0
player  side  hand  tricks  captured  points  victory points
0       0     7     1       4         -       0
1       1     6     1       4         -       0
2       2     6     0       0         -       0
3       3     7     1       4         -       0
You are seat 3. To move: 3
Your hand: B5 B11 B12 P12 Y5 Y8 Y11
""",
    ("full_sun", 3, 8): """
Full Sun to 3: round 1, trick 3 of 8, clockwise
Trees to 7; Rain 0 0 and Sun 18 5 (number, pips)
Last trick: 1 R1, 2 R3, 0 R6, taken by 0
Trick: 0 B1, 1 B6, suit to follow B
seat  hand from behind  tricks  points
0     3S 2L             1       0
1     3R 1S 1L          1       0
2     4B 2S             0       0
Not dealt: 1B 1R 4L
You are seat 2. To move: 2
Your hand: B2 B3 B4 B5 S2 S5
""",
    ("full_circle", 3, 9): """
Full Circle to 50: round 1, no trap, 29 cards in the pile
TL BO (BO)    TR O (OO)
BL GB (GB) *  BR G (GG)
seat  hand  open card  total
0     3     -          0
1     3     -          0
2     3     -          0
You are seat 2. To move: 2
Asked: double, drawn card -
Your hand: R OB OP
""",
    ("siege_of_sunfall", 3, 11): """
Siege of Sunfall: round 1 of 6, award, 6 cards in the pile
Card 3: swords 2
Strengths: swords 2 3 3 4 4 5 5 6 6 7 8 9 10, helmet 2 3 3 4 4 5 5 6 6 7 8 9 10, bow 2 3 3 4 4 5 5 6 6 7 8 9 10
Last pledges, by seat: 1 1 1 for swords 2
seat  coins  armies  swords  helmet  bow  boost  gold
0     9      0       0       0       0    0      0     King
1     9      0       0       1       1    0      0     -
2     9      0       0       0       0    0      0     -
The King awards it to one of 0 1 2
You are seat 0. To move: 0
""",
    ("photosynthesis", 2, 30): """
Photosynthesis: round 14 of 18, sun in the north-west, first 1
A        01  ..  11  ..
B      ..  ..  ..  ..  01
C    11  ..  ..  ..  ..  ..
D  ..  ..  ..  ..  ..  ..  ..
E    ..  ..  ..  ..  ..  ..
F      ..  ..  ..  ..  ..
G        ..  ..  ..  ..
Tokens by leaves: 1: 14 14 13 13 13 12 12 12 12, 2: 17 16 16 14 14 13 13, 3: 19 18 18 17 17, 4: -
seat  light  hand     prices   tokens  score
0     20     2 2 1 0  1 2 3 4  0       6
1     20     2 2 1 0  1 2 3 4  0       6
Hands and prices: seed small medium large
You are seat 1. To move: 1
""",
}
"""By game, number of players and default moves made: what the player to move sees."""


@pytest.mark.parametrize(("slug", "seats", "moves"), BOARDS)
def test_a_view_prints_as_a_board(slug: str, seats: int, moves: int) -> None:
    state = GAMES[slug].new(seats, seed="text")
    for _ in range(moves):
        state, _events = state.apply(state.default_move(min(state.to_move())))
    assert str(state.view(min(state.to_move()))) == BOARDS[slug, seats, moves].strip()


def test_the_end_of_a_match_prints() -> None:
    state = GAMES["sea_change"].new(1, seed="text")
    while awaited := state.to_move():
        state, _ = state.apply(state.default_move(min(awaited)))
    lines = str(state.view(None)).splitlines()
    assert lines[-1] == "You look on. Won by - (solo_lost), scores 0"
    assert lines[-2].split() == ["AI", "1", "-", "7", "21", "-", "3"]


def test_the_examples_hold() -> None:
    assert doctest.testmod(text).failed == 0


def test_what_a_prompt_needs_is_at_the_top() -> None:
    assert set(rules.__all__) == {"GAMES", "LESSONS", "Game", "Seat", "IllegalMove", "Outcome"}
    assert all(hasattr(rules, name) for name in rules.__all__)
    assert repr(GAMES["sea_change"]) == "<Game sea_change, 1-8 players>"
