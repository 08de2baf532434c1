"""A language says everything that English says in the files that it claims to have in full, with the same facts in it,
and within Discord's limits. For what it lacks players read English.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from string import Formatter

import pytest

from data.content import texts as content
from data.content.texts import DEFAULT, LOCALES, language, languages, own_texts, texts
from rendering.core.labels import Labels
from rules import GAMES
from tests.support.languages import CLAIMS, FILES, OTHERS, complete

EVERY = [*((DEFAULT, name) for name in FILES), *CLAIMS]
SHORT = re.compile(
    r"button\.\w+|action\.\w+|lobby\.(join|leave|rules|add|remove|start|cancel)|vote\.(end|go_on)|log\.\w+er"
)
"""Keys of buttons that stand several in a row: on a phone there is room for some 20 characters."""
LIMITS = {
    r"option\.\w+\.(label|detail)|settings\.switch_\w+|resign\.(give_seat|end)": 80,
    r"option\.\w+\.value\.\w+": 80,
    r"game\.tagline": 100,
    r"game\.cover": 1024,
}


def placeholders(text: str) -> set[tuple[str, str | None]]:
    """The facts of a text, with how they are written: "{king:name}" makes a seat its name."""
    return {(name, how) for _, name, how, _ in Formatter().parse(text) if name is not None}


def test_there_is_more_than_one_language() -> None:
    assert OTHERS


@pytest.mark.parametrize("code", OTHERS)
def test_a_language_has_the_files_that_it_claims_and_none_that_english_lacks(code: str) -> None:
    found = {path.name for path in (LOCALES / code).iterdir()} - {"complete.txt"}
    assert {f"{name}.toml" for name in complete(code)} <= found <= {f"{name}.toml" for name in FILES}


def test_german_is_complete_in_the_commands_and_the_common_texts() -> None:
    assert {"commands", "common"} <= set(complete("de"))


@pytest.mark.parametrize(("code", "name"), CLAIMS)
def test_a_translation_has_every_key_and_placeholder(code: str, name: str) -> None:
    english, other = own_texts(DEFAULT, name), own_texts(code, name)
    assert other.keys() == english.keys()
    assert [key for key in english if placeholders(english[key]) != placeholders(other[key])] == []


@pytest.mark.parametrize("code", languages())
@pytest.mark.parametrize("slug", GAMES)
def test_an_option_in_a_lobby_is_one_line_on_a_phone(slug: str, code: str) -> None:
    """With its default: some 30 characters of a select are shown at a width of 400 px."""
    said, game = texts(code, slug), GAMES[slug]
    for option in game.options(game.seats[-1], {}):
        value = said.get(f"option.{option.name}.value.{str(option.default).lower()}", str(option.default))
        shown = f"{said[f'option.{option.name}.label']}: {value}"
        assert len(shown) <= 30, shown


@pytest.mark.parametrize(("code", "name"), EVERY)
def test_texts_are_neither_empty_nor_too_long(code: str, name: str) -> None:
    found = texts(code, name)
    assert [key for key, text in found.items() if not text.strip()] == []
    assert [key for key, text in found.items() if SHORT.fullmatch(key) and len(text) > 20] == []
    for keys, most in LIMITS.items():
        assert [key for key, text in found.items() if re.fullmatch(keys, key) and len(text) > most] == []


@pytest.mark.parametrize(("code", "name"), CLAIMS)
def test_what_surrounds_a_text_is_the_same(code: str, name: str) -> None:
    """Texts are put together: one that begins or ends with a space, a comma or a new line must do so everywhere. The
    no-break space that French has before a colon is a part of the colon.
    """
    english = texts(DEFAULT, name)
    other = {key: text.replace("\u00a0", "") for key, text in texts(code, name).items()}
    ends = re.compile(r"^[\s,;]*|[\s,;:]*$")
    assert [key for key in english if ends.findall(english[key]) != ends.findall(other[key])] == []


@pytest.mark.parametrize("name", FILES)
def test_french_marks_are_not_torn_from_their_words(name: str) -> None:
    """A line may break at a common space: the next one would begin with the mark."""
    wrong = {key: text for key, text in own_texts("fr", name).items() if re.search(r" [:;?!»]|« ", text)}
    assert wrong == {}


@pytest.mark.parametrize(("code", "name"), EVERY)
def test_percent_signs_are_not_torn_from_their_figures(code: str, name: str) -> None:
    assert {key: text for key, text in own_texts(code, name).items() if " %" in text} == {}


@pytest.mark.parametrize(("code", "name"), EVERY)
def test_commands_that_are_spoken_of_exist(code: str, name: str) -> None:
    """Discord shows each person the commands' names of their own language, so the texts use these."""
    said = texts(code, "commands")
    names = {text for key, text in said.items() if re.fullmatch(r"command\.\w+\.name", key)}
    spoken_of = {found for text in texts(code, name).values() for found in re.findall(r"\*\*/(\w+)", text)}
    assert spoken_of <= names
    assert spoken_of >= names - {said["command.help.name"]}, "the help names them all"


@pytest.mark.parametrize(
    ("locale", "code"),
    [("de", "de"), ("en-US", "en"), ("en-GB", "en"), ("fr", "fr"), ("tlh", "en"), ("zh-TW", "en"), ("", "en")],
)
def test_a_locale_is_spoken_to_in_its_language_or_in_english(locale: str, code: str) -> None:
    assert language(locale) == code


@pytest.fixture
def small_locales(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """English with one game, and French that lacks a common text and the game."""
    files = {
        "en/common.toml": 'yes = "yes"\nno = "no"\nmove = "Which move?"',
        "en/nim.toml": 'move = "Take sticks."\nheap = "Heap"',
        "fr/common.toml": 'yes = "oui"\nmove = "Quel coup ?"',
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(content, "LOCALES", tmp_path)
    cached = (texts, own_texts, languages)
    for function in cached:
        function.cache_clear()
    yield
    for function in cached:
        function.cache_clear()


@pytest.mark.usefixtures("small_locales")
def test_players_read_english_for_what_their_language_lacks() -> None:
    assert texts("fr") == {"yes": "oui", "no": "no", "move": "Quel coup ?"}
    assert texts("fr", "nim") == {"yes": "oui", "no": "no", "move": "Take sticks.", "heap": "Heap"}
    with pytest.raises(FileNotFoundError):
        texts("fr", "chess")


@pytest.mark.parametrize(
    ("code", "singular"), [("en", {1, -1}), ("de", {1, -1}), ("es", {1, -1}), ("fr", {-1, 0, 1}), ("pt", {1, -1})]
)
def test_numbers_are_in_the_singular_as_cldr_says(code: str, singular: set[int]) -> None:
    """The category "one" of https://www.unicode.org/cldr/charts/latest/supplemental/language_plural_rules.html, but for
    none in Portuguese: there it is "0 ponto", and Brazil says "0 pontos".
    """
    labels = Labels((), texts(code, "siege_of_sunfall"))
    assert {number for number in range(-30, 120) if labels.is_singular(number)} == singular
    one, none = labels.count("coins", 1), labels.count("coins", 0)
    assert (none.replace("0", "1") == one) == (0 in singular)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Alice", "d’Alice"),
        ("**Émile**", "d’**Émile**"),
        ("\u2068ada\u2069", "d’\u2068ada\u2069"),
        ("Bob", "de Bob"),
        ("Hugo", "de Hugo"),
        ("Maria de Almeida", "de Maria de Almeida"),
        ("🤖Ada", "de 🤖Ada"),
        ("<@7>", "de <@7>"),
    ],
)
def test_french_elides_before_a_vowel(name: str, said: str) -> None:
    assert Labels((), texts("fr")).say("end.won", winners=name) == f"Victoire {said}\u00a0!"
    assert Labels((), texts("en")).say("history.of", name="Alice") == "Matches of Alice"


@pytest.mark.parametrize(
    ("name", "word"),
    [
        *((name, "e") for name in ("Inés", "**Iris**", "\u2068íñigo\u2069", "Hilda", "Yvonne")),
        *((name, "y") for name in ("Bob", "Yolanda", "Ian", "Hierro", "Hugo", "**🤖Ida**", "<@7>")),
    ],
)
def test_spanish_joins_by_e_before_an_i(name: str, word: str) -> None:
    assert Labels((), texts("es")).list(["Irene", "Bob", name]) == f"Irene, Bob {word} {name}"
    assert Labels((), texts("pt")).list(["Bob", name]) == f"Bob e {name}"


@pytest.mark.parametrize(
    ("code", "said", "first", "short"),
    [
        ("en", "November 9, 2026", "November 1, 2026", "Nov 09, 2026"),
        ("de", "9. November 2026", "1. November 2026", "09.11.2026"),
        ("fr", "9 novembre 2026", "1er novembre 2026", "09/11/2026"),
        ("es", "9 de noviembre de 2026", "1 de noviembre de 2026", "09/11/2026"),
        ("pt", "9 de novembro de 2026", "1º de novembro de 2026", "09/11/2026"),
    ],
)
def test_a_date_is_written_as_the_language_writes_it(code: str, said: str, first: str, short: str) -> None:
    assert Labels((), texts(code)).short_date(date(2026, 11, 9)) == short
    assert Labels((), texts(code)).date(date(2026, 11, 9)) == said
    assert Labels((), texts(code)).date(date(2026, 11, 1)) == first
