"""The rules page of each game says what the rulings say, and marks where a value or a rule comes from.

† marks what is ours because the rulebook leaves it open, ‡ a value that the operator's deck table changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any

import pytest

from data.content.texts import texts
from rules import GAMES
from tests.rendering.play import drawn, labels
from tests.support.languages import SPOKEN

DECKS = [(slug, language) for slug, language in SPOKEN if GAMES[slug].deck]


def page(slug: str, language: str, deck: Mapping[str, Any] | None = None) -> str:
    return drawn(slug).rules(GAMES[slug].deck if deck is None else deck, labels(slug, 0, language=language))


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to each number of a deck table; of a list, to its last one."""
    if isinstance(value, Mapping):
        for key in value:
            yield from places(value[key], (*path, key))
    else:
        yield path if isinstance(value, int) else (*path, len(value) - 1)


def changed(slug: str, *paths: tuple[Any, ...]) -> dict[str, Any]:
    """The game's deck table with another number in these places."""
    deck: dict[str, Any] = deepcopy(dict(GAMES[slug].deck))
    for *way, last in paths:
        found: Any = deck
        for step in way:
            found = found[step]
        found[last] += 1
    return deck


@pytest.mark.parametrize(("slug", "language"), SPOKEN)
def test_without_a_deck_of_the_operator_nothing_is_marked_as_theirs(slug: str, language: str) -> None:
    assert "‡" not in page(slug, language)


@pytest.mark.parametrize(("slug", "language"), DECKS)
def test_a_value_that_the_operator_changed_is_marked_as_theirs(slug: str, language: str) -> None:
    for path in places(GAMES[slug].deck):
        found = page(slug, language, changed(slug, path))
        assert found.count("‡") == 2, (path, "at the value, and in the footnote")
        assert found.endswith(texts(language, slug)["rules.changed"]), path
        assert len(found) <= 3500, path


@pytest.mark.parametrize(("slug", "language"), DECKS)
def test_where_the_operator_changed_every_value_none_is_marked_as_ours(slug: str, language: str) -> None:
    """Rules and names of ours keep their marks: those stand in the text itself."""
    found = page(slug, language, changed(slug, *places(GAMES[slug].deck)))
    assert found.count("†") == texts(language, slug)["rules.text"].count("†") < page(slug, language).count("†")
    assert len(found) <= 3500


def test_each_value_of_sea_change_bears_its_own_mark() -> None:
    """2, 6, 8 and 0 are printed in the rulebook (its worked examples); the other values are ours."""
    assert "**Points** by value: 1†: −1, 2: −1, 3†: −1, 4 to 5†: 0, 6: 0, 7†: 0, 8: −4, 9†: +2, 10 to 15†: +1." in page(
        "sea_change", "en"
    )
    points = {**GAMES["sea_change"].deck["points"], "8": -4, "9": 3}
    found = page("sea_change", "en", {"points": points, "zero_points": 6})
    assert "8: −4, 9‡: +3, 10 to 15†: +1" in found
    assert "**+6‡**" in found


SAYS = [
    ("sea_change", "C3", "en", "The first seat deals first†"),
    ("sea_change", "C3", "de", "Zuerst gibt der erste Platz†"),
    ("siege_of_sunfall", "K2", "en", "You choose boosts together with your pledge†"),
    ("siege_of_sunfall", "K2", "de", "Verstärkungen wählst du zusammen mit dem Einsatz†"),
    ("siege_of_sunfall", "K13", "en", "A lone survivor plays on until then"),
    ("siege_of_sunfall", "K13", "de", "Wer allein übrig ist, spielt bis dahin weiter"),
    ("full_circle", "F12", "en", "goes back into the hand when a second card joins it†"),
    ("full_circle", "F12", "de", "kommt zurück auf die Hand, sobald eine zweite dazukommt†"),
    (
        "full_circle",
        "F16",
        "en",
        "It is begun by the player who would have begun the next round; if that player is not in it",
    ),
    ("full_circle", "F16", "de", "Es beginnt, wer die nächste Runde begonnen hätte; spielt diese Person nicht mit"),
    ("photosynthesis", "names", "en", "Everyone has a kind of tree†"),
    ("photosynthesis", "names", "de", "Jeder hat eine Baumart†"),
    ("photosynthesis", "sun", "en", "After the sun has gone round the board three times"),
    ("photosynthesis", "sun", "de", "Nach drei Umläufen der Sonne um den Plan"),
    ("photosynthesis", "P11", "en", "or grow a piece that is in shadow at that moment"),
    ("photosynthesis", "P11", "de", "nichts wachsen lassen, was in diesem Augenblick im Schatten steht"),
]


@pytest.mark.parametrize(("slug", "ruling", "language", "sentence"), SAYS)
def test_the_page_says(slug: str, ruling: str, language: str, sentence: str) -> None:
    assert sentence in page(slug, language), ruling


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "It does say when boosts are played: after"),
        ("de", "Wann Verstärkungen gespielt werden, sagt sie: nachdem"),
        ("fr", "Elle dit bien quand les renforts se jouent\u00a0: après"),
        ("es", "Sí dice cuándo se juegan los refuerzos: después"),
        ("pt", "Quando os reforços são jogados, ele diz: depois"),
    ],
)
def test_K2_the_footnote_does_not_call_the_rulebook_open_where_it_is_not(language: str, sentence: str) -> None:
    """The rulebook has boosts played before the reveal; to seal them with the pledge is our choice, and marked."""
    assert sentence in page("siege_of_sunfall", language).rpartition("\n\n† ")[2]


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "not taller than"),
        ("de", "nicht höher ist als"),
        ("fr", "n’est pas plus haut que"),
        ("es", "no sea más alto que"),
        ("pt", "não seja mais alto que"),
    ],
)
def test_P11_a_refusal_in_shadow_leaves_room_for_a_taller_piece(language: str, words: str) -> None:
    assert words in texts(language, "photosynthesis")["refusal.shadowed"]
