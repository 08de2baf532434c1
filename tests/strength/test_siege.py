"""The copy of Siege of Sunfall's computers thinks what they think, and a table of them is told in figures."""

from __future__ import annotations

from random import Random

import pytest

from rules.core import computer
from rules.core.computer import LEVELS, Level, choose
from rules.core.game import Seat
from rules.core.search import mixed, search
from rules.siege_of_sunfall import GAME
from tests.strength.siege import copy
from tests.strength.siege.__main__ import Table, main, watched

pytestmark = pytest.mark.skipif(copy.compiler() is None, reason="needs a C++ compiler")


@pytest.mark.long
def test_the_copy_thinks_the_same() -> None:
    """Moves, shares, totals and losses to the last bit, in positions of matches by the rules of thumb."""
    random = Random("copy")
    compared = 0
    for number in range(24):
        seats = 3 + number % 4
        state = GAME.new(seats, {}, f"copy {number}")
        while awaited := sorted(state.to_move()):
            asked = [seat for seat in map(Seat, range(seats)) if len(state.legal_moves(seat)) > 1]
            if asked and random.random() < 0.06:
                seat, seed = random.choice(asked), f"seed {compared}"
                for way, think in ((copy.SEARCH, search), (copy.MIXED, mixed)):
                    found = think(GAME, state, seat, seed, 40)
                    figures = [(tried.move, tried.share, tried.total, tried.lost) for tried in found]
                    assert copy.think(state, seat, seed, 40, way) == figures
                compared += 1
            state, _ = state.apply(GAME.rollout_move(state, random.choice(awaited), random.getrandbits(32)))
    assert compared > 100


@pytest.mark.parametrize(
    "level", ["friend", *(pytest.param(level, marks=pytest.mark.long) for level in LEVELS if level != "friend")]
)
def test_computers_may_think_with_the_copy(level: Level, monkeypatch: pytest.MonkeyPatch) -> None:
    state, seats = GAME.new(4, {}, "installed"), [Seat(0), Seat(2)]
    made = [choose(GAME, state, seat, "seed", level) for seat in seats]
    for name in ("search", "mixed"):
        monkeypatch.setattr(computer, name, getattr(computer, name))  # put back after the test
    copy.install()
    assert [choose(GAME, state, seat, "seed", level) for seat in seats] == made


@pytest.mark.long
def test_a_reader_is_measured_and_a_table_told(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--watched", "2", "--deals", "2", "--playouts", "24"])
    told = capsys.readouterr().out
    assert "reader" in told and "with a survivor" in told and "watched nothing" in told


def test_figures_of_a_table() -> None:
    table = Table(rounds=4, survived=3, outs=2, purse=7)
    assert str(table) == "0.75 of the rounds end with a survivor; a player goes out with 3.5 coins"


@pytest.mark.long
def test_four_strong_hold_the_wall() -> None:
    """Common ruin would be worth nothing to each of them."""
    table = watched(copy.player(copy.MIXED), 8)
    assert table.rounds == 40 and table.survived > 20, str(table)
