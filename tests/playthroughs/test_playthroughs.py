"""Each game's playthrough is as it was read and committed. After a wanted change: `make playthroughs`, then read it."""

from __future__ import annotations

import pytest

from rules import GAMES
from rules.core.game import Game
from tests.playthroughs.__main__ import FOLDER, path, playthrough

MOST_BYTES = 150_000
"""More than this is too much to read."""


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_the_playthrough_is_as_it_was_read(game: Game) -> None:
    assert path(game).exists(), f"{path(game).name} is missing: `make playthroughs` writes it, then read it"
    text = path(game).read_text(encoding="utf-8")
    assert playthrough(game) == text
    assert len(text.encode()) < MOST_BYTES


def test_every_playthrough_is_of_a_game() -> None:
    assert {found.stem for found in FOLDER.glob("*.txt")} <= set(GAMES)
