"""Names: whoever sits at a table is seen there, whatever they call themselves."""

from __future__ import annotations

import pytest

from cogs.messages.names import clean


@pytest.mark.parametrize(
    "name",
    ["", " \n", "\u034f", "\ufe0f\ufe0f", "\u17b4\u17b5", "\U000e0100", "\u0301 \u0302", "\u200b\ufe0f", "\U0001d159"],
    ids=ascii,
)
def test_nobody_has_a_name_that_shows_nothing(name: str) -> None:
    """Marks alone show nothing, or hang on what stands before."""
    assert clean(name) == "?"


@pytest.mark.parametrize(
    "name", ["Ann", "Zo\u00eb", "\u2764\ufe0f", "\u0928\u092e\u0938\u094d\u0924\u0947", "1", "~", "田"]
)
def test_a_name_that_shows_something_stays(name: str) -> None:
    assert clean(name) == name
