"""What a picture says is so: mistakes that pictures have made, each held by a test."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from rendering import renderer
from rendering.core.canvas import Page
from rendering.full_sun import picture as full_sun
from rendering.sea_change.pieces import points_on
from tests.goldens.views_siege_of_sunfall import VIEWS as SIEGE
from tests.rendering.play import game, labels


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The lines that pages have written."""
    lines: list[str] = []
    text = Page.text

    def noted(page: Page, x: float, y: float, said: str, *how: Any, **more: Any) -> int:
        lines.append(said)
        return text(page, x, y, said, *how, **more)

    monkeypatch.setattr(Page, "text", noted)
    yield lines


def test_arrows_follow_the_trick_that_lies_there() -> None:
    """Not the direction of the next round, before its first card."""
    before = set()
    for state in game("full_sun", 5, "arrows")[0]:
        view = state.view(None)
        if not view.lays and view.last_trick is not None:
            (first, second) = (lay.seat for lay in view.last_trick.lays[:2])
            assert full_sun.direction_shown(view) == (second == (first + 1) % 5)
            before.add(full_sun.direction_shown(view) == view.clockwise)
    assert before == {True, False}, "the direction changes from round to round"


def test_what_cannot_be_reached_is_not_shown_as_reachable(written: list[str]) -> None:
    """A hand says how many tricks are missing only if as many are left."""
    late = 0
    for state in game("full_sun", 4, "late")[0]:
        view = state.view(0)
        if state.to_move() != {0} or view.outcome:
            continue
        written.clear()
        renderer("full_sun").paint(view, labels("full_sun", 4))
        left = view.tricks - view.trick_number + 1
        missing = [int(line.split()[0]) for line in written if line.endswith(" more")]
        assert all(number <= left for number in missing), (left, missing)
        late += written.count("too late")
    assert late


def test_a_tie_is_explained(written: list[str]) -> None:
    renderer("siege_of_sunfall").paint(SIEGE["table_5_over"], labels("siege_of_sunfall", 5))
    assert any("tie" in line and "crown" in line for line in written)


def test_a_zero_is_decided_once_the_match_is_over() -> None:
    states, _ = game("sea_change", 4, "zero", ("target", 1))
    running, over = states[0].view(None), states[-1].view(None)
    assert over.outcome is not None and over.trump is not None
    assert points_on(running, f"{over.trump}0").endswith("?")
    assert points_on(over, f"{over.trump}0").startswith("+")
    (other, *_) = (suit for suit in over.suits if suit != over.trump)
    assert points_on(over, f"{other}0") == ""
