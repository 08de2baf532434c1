"""Pictures and words depend on the view alone: a state that a viewer cannot tell apart looks and reads the same."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

from rules import GAMES
from tests.rendering.play import FEWEST_FIRST, LONG, STRANGE, TABLES, drawn, game, labels, viewers
from tests.support.traits import paints_last


@pytest.mark.parametrize(("slug", "seats"), TABLES)
def test_words_tell_nothing_hidden(slug: str, seats: int) -> None:
    states, _ = game(slug, seats, "leaks")
    found, by = labels(slug, seats), drawn(slug)
    for number, state in enumerate(states[:: max(1, len(states) // 30)]):
        for viewer in viewers(seats):
            other = state.redeal_unseen(viewer, f"other {number}")
            view, unseen = state.view(viewer), other.view(viewer)
            for tell in (by.describe, by.transcript, by.score):
                assert tell(view, found) == tell(unseen, found)
            if viewer is not None and (moves := state.legal_moves(viewer)):
                assert by.prompt(view, moves, (), found) == by.prompt(unseen, other.legal_moves(viewer), (), found)


@pytest.mark.parametrize(("slug", "seats"), FEWEST_FIRST)
def test_pictures_show_nothing_hidden(slug: str, seats: int) -> None:
    states, _ = game(slug, seats, "leaks")
    found, by = labels(slug, seats), drawn(slug)
    for at, viewer in zip((len(states) // 3, len(states) // 2), viewers(seats), strict=False):
        state = states[at]
        other = state.redeal_unseen(viewer, "another")
        assert by.draw(state.view(viewer), found) == by.draw(other.view(viewer), found)


@pytest.mark.parametrize("names", [LONG, STRANGE], ids=["long", "strange"])
@pytest.mark.games("slug", short=["full_circle"], long=GAMES)
def test_any_name_is_drawn(slug: str, names: tuple[str, ...]) -> None:
    seats = max(GAMES[slug].seats)
    states, _ = game(slug, seats, "names")
    found, by = labels(slug, seats, names), drawn(slug)
    for viewer in (None, *list(viewers(seats))[1:2]):
        view = states[len(states) // 2].view(viewer)
        picture = Image.open(BytesIO(by.draw(view, found)))
        assert picture.width == 1200
    assert any(by.last(state.view(None), found) for state in states[len(states) // 2 :]) == paints_last(slug)
