"""The page of strength keeps what was measured, as long as the computers are the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules import GAMES
from rules.core.computer import VERSION
from tests.strength import report
from tests.strength.arena import share
from tests.strength.report import BEGIN, DEALS, HEAD, PAGE, Pair, measured, pairs, played, written
from tests.support.published import PUBLISHED


def test_rows_stay_and_are_put_in_order() -> None:
    """The game's order, whichever row was measured first; a row that is measured again is replaced."""
    first, second, third = list(pairs())[:3]
    rows = {pair: f"{pair.head} 0.50 ± 0.10 | 0.25 | 300 |\n" for pair in (third, first)}
    page = written("# How strong\n\n", rows)
    assert page == f"# How strong\n\n{BEGIN}\n{HEAD}{rows[first]}{rows[third]}"
    assert measured(page) == rows
    more = {second: f"{second.head} 0.60 ± 0.10 | 0.25 | 300 |\n", first: f"{first.head} 0.40 ± 0.10 | 0.25 | 300 |\n"}
    assert measured(written(page, rows | more)) == rows | more


def test_an_overview_says_how_strong_wins_among_greedy() -> None:
    found = {(2, "greedy"): "0.90 ± 0.05", (4, "greedy"): "0.50 ± 0.05", (3, "random"): "1.00 ± 0.00"}
    rows = {}
    for (seats, others), wins in found.items():
        pair = Pair("full_circle", seats, "strong", others)
        rows[pair] = f"{pair.head} {wins} | 0.25 | 300 |\n"
    assert report.overview(rows) == (
        "| *strong* among *greedy* | 2 players | 4 players |\n| --- | --- | --- |\n"
        "| Full Circle | 0.90 ± 0.05 | 0.50 ± 0.05 |\n"
    )


def test_rows_of_other_computers_are_dropped() -> None:
    (first, *_) = pairs()
    page = f"# How strong\n\n<!-- measured: version 0 of the computers -->\n\n{HEAD}{first.head} 0.5 ± 0 | 0.25 | 8 |\n"
    assert measured(page) == {}
    assert written(page, {}) == f"# How strong\n\n{BEGIN}\n{HEAD}"


def test_the_page_has_a_table_of_these_computers() -> None:
    assert measured(PAGE.read_text(encoding="utf-8"))


def test_the_rows_follow_from_the_deals_that_are_noted() -> None:
    """The page was not written by hand."""
    rows = measured(PAGE.read_text(encoding="utf-8"))
    for pair, deals in played(DEALS.read_text(encoding="utf-8")).items():
        assert rows[pair] == report.row_of(pair, deals)


def test_no_deal_is_played_twice(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A run that was broken off is made complete, and its deals count; those of other computers do not."""
    (pair,) = [pair for pair in pairs() if pair == ("full_sun", 4, "beginner", "random")]
    monkeypatch.setattr(report, "PAGE", tmp_path / "strength.md")
    monkeypatch.setattr(report, "DEALS", tmp_path / "strength.csv")
    report.PAGE.write_text("# How strong\n", encoding="utf-8")
    report.DEALS.write_text(
        f"{VERSION},full_sun,4,beginner,random,1,0.25\n0,full_sun,4,beginner,random,0,1\n", encoding="utf-8"
    )
    asked = ["--games", "full_sun", "--seats", "4", "--levels", "beginner", "--among", "random", "--jobs", "1"]
    report.main([*asked, "--matches", "8"])
    deals = played(report.DEALS.read_text(encoding="utf-8"))[pair]
    assert set(deals) == {0, 1} and deals[1] == 0.25
    before = report.DEALS.read_text(encoding="utf-8")
    report.main([*asked, "--matches", "8"])
    assert report.DEALS.read_text(encoding="utf-8") == before
    assert measured(report.PAGE.read_text(encoding="utf-8")) == {pair: report.row_of(pair, deals)}


FLOORS = {
    ("sea_change", "greedy"): {2: 0.90, 3: 0.80, 4: 0.60, 6: 1.5 / 6, 8: 1.5 / 8},
    ("full_sun", "greedy"): {3: 0.70, 4: 0.60, 5: 0.40},
    ("full_circle", "greedy"): {2: 0.85, 3: 0.50, 4: 0.38},
    ("siege_of_sunfall", "greedy"): {4: 0.45},
    ("siege_of_sunfall", report.READER): {4: 0.35},
    ("photosynthesis", "greedy"): {2: 0.95, 3: 0.95, 4: 0.90},
}
"""What share of the wins *strong* must have at least among these players, by number of players at the table."""
MARGIN = 0.05
"""How far the lower end of the 95 % interval may be below the floor."""


@pytest.mark.parametrize(("slug", "others"), FLOORS)
def test_strong_is_as_strong_as_we_want(slug: str, others: str) -> None:
    deals = played(DEALS.read_text(encoding="utf-8"))
    for seats, floor in FLOORS[slug, others].items():
        found = share(list(deals[Pair(slug, seats, "strong", others)].values()), seats)
        assert found.matches >= 300
        assert found.mean - found.half_width > floor - MARGIN, (seats, found)


def test_strong_cannot_be_read() -> None:
    """A search that expects moves by the rules of thumb wins no more than its share among three of it."""
    deals = played(DEALS.read_text(encoding="utf-8"))[Pair("siege_of_sunfall", 4, report.READER, "strong")]
    found = share(list(deals.values()), 4)
    assert found.matches >= 300
    assert found.mean + found.half_width <= 1 / 4


@pytest.mark.games("slug", short=["full_circle"], long=PUBLISHED)
def test_a_noted_deal_is_played_as_noted(slug: str) -> None:
    """Otherwise the computers have changed: raise their VERSION, and measure again."""
    pair = Pair(slug, next(seats for seats in GAMES[slug].seats if seats > 1), "friend", "beginner")
    noted = played(DEALS.read_text(encoding="utf-8"))[pair]
    assert report.numbered(pair, 0)[1] == pytest.approx(noted[0], abs=1e-6)
