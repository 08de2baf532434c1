"""The page of strength keeps what was measured, as long as the computers are the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules.core.computer import VERSION
from tests.strength import report
from tests.strength.report import BEGIN, DEALS, HEAD, PAGE, measured, pairs, played, written


def test_rows_stay_and_are_put_in_order() -> None:
    """The game's order, whichever row was measured first; a row that is measured again is replaced."""
    first, second, third = list(pairs())[:3]
    rows = {pair: f"{pair.head} 0.50 ± 0.10 | 0.25 | 300 |\n" for pair in (third, first)}
    page = written("# How strong\n\n", rows)
    assert page == f"# How strong\n\n{BEGIN}\n{HEAD}{rows[first]}{rows[third]}"
    assert measured(page) == rows
    more = {second: f"{second.head} 0.60 ± 0.10 | 0.25 | 300 |\n", first: f"{first.head} 0.40 ± 0.10 | 0.25 | 300 |\n"}
    assert measured(written(page, rows | more)) == rows | more


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
