"""The page of strength keeps what was measured, as long as the computers are the same."""

from __future__ import annotations

from tests.strength.report import BEGIN, HEAD, PAGE, measured, pairs, written


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
