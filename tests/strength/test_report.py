"""The page of strength keeps what was measured, as long as the computers are the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules.core.computer import VERSION
from tests.strength import report
from tests.strength.arena import Share, share
from tests.strength.report import BEGIN, DEALS, HEAD, PAGE, Pair, measured, pairs, played, written
from tests.support.published import PUBLISHED


def test_rows_stay_and_are_put_in_order() -> None:
    """The game's order, whichever row was measured first; a row that is measured again is replaced."""
    first, second, third = list(pairs())[:3]
    rows = {pair: f"{pair.head} 0.50 ± 0.10 | 300 |\n" for pair in (third, first)}
    page = written("# How strong\n\n", rows)
    assert page == f"# How strong\n\n{BEGIN}\n{HEAD}{rows[first]}{rows[third]}"
    assert measured(page) == rows
    more = {second: f"{second.head} 0.60 ± 0.10 | 300 |\n", first: f"{first.head} 0.40 ± 0.10 | 300 |\n"}
    assert measured(written(page, rows | more)) == rows | more


def test_rows_of_other_computers_are_dropped() -> None:
    (first, *_) = pairs()
    page = f"# How strong\n\n<!-- measured: version 0 of the computers -->\n\n{HEAD}{first.head} 0.5 ± 0 | 8 |\n"
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
    (pair,) = [pair for pair in pairs() if pair == ("full_sun", 4, "beginner", "greedy")]
    monkeypatch.setattr(report, "PAGE", tmp_path / "strength.md")
    monkeypatch.setattr(report, "DEALS", tmp_path / "strength.csv")
    report.PAGE.write_text("# How strong\n", encoding="utf-8")
    report.DEALS.write_text(
        f"{VERSION},full_sun,4,beginner,greedy,1,0.25\n0,full_sun,4,beginner,greedy,0,1\n", encoding="utf-8"
    )
    asked = ["--games", "full_sun", "--levels", "beginner", "--among", "greedy", "--jobs", "1"]
    report.main([*asked, "--matches", "8"])
    deals = played(report.DEALS.read_text(encoding="utf-8"))[pair]
    assert set(deals) == {0, 1} and deals[1] == 0.25
    before = report.DEALS.read_text(encoding="utf-8")
    report.main([*asked, "--matches", "8"])
    assert report.DEALS.read_text(encoding="utf-8") == before
    assert measured(report.PAGE.read_text(encoding="utf-8")) == {pair: report.row_of(pair, deals)}


def noted(slug: str, one: str, others: str) -> Share:
    """Return the share of the wins that follows from the noted deals."""
    deals = played(DEALS.read_text(encoding="utf-8"))[Pair(slug, report.SEATS, one, others)]
    return share(list(deals.values()), report.SEATS)


@pytest.mark.parametrize("slug", PUBLISHED)
def test_a_beginner_wins_at_times_and_seldom(slug: str) -> None:
    """At least 0.10 of the matches among simple rule players and at most 0.20 among good ones."""
    simple, good = noted(slug, "beginner", "greedy"), noted(slug, "beginner", "careful")
    assert simple.mean + simple.half_width > 0.1, simple
    assert good.mean - good.half_width < 0.2, good


@pytest.mark.games("slug", short=["full_circle"], long=PUBLISHED)
def test_a_noted_deal_is_played_as_noted(slug: str) -> None:
    """Otherwise the computers have changed: raise their VERSION, and measure again."""
    pair = Pair(slug, report.SEATS, "beginner", "careful")
    noted = played(DEALS.read_text(encoding="utf-8"))[pair]
    assert report.numbered(pair, 0)[1] == pytest.approx(noted[0], abs=1e-6)
