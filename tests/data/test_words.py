"""Every language says everything that English says, with the same facts in it, and within Discord's limits."""

from __future__ import annotations

import re
from string import Formatter

import pytest

from data.content.texts import DEFAULT, LOCALES, language, languages, texts

FILES = sorted(path.stem for path in (LOCALES / DEFAULT).glob("*.toml"))
OTHERS = [code for code in languages() if code != DEFAULT]
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


@pytest.mark.parametrize("code", languages())
def test_every_language_has_the_same_files(code: str) -> None:
    assert sorted(path.stem for path in (LOCALES / code).iterdir()) == FILES


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("code", OTHERS)
def test_a_translation_has_every_key_and_placeholder(code: str, name: str) -> None:
    english, other = texts(DEFAULT, name), texts(code, name)
    assert other.keys() == english.keys()
    assert [key for key in english if placeholders(english[key]) != placeholders(other[key])] == []


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("code", languages())
def test_texts_are_neither_empty_nor_too_long(code: str, name: str) -> None:
    found = texts(code, name)
    assert [key for key, text in found.items() if not text.strip()] == []
    assert [key for key, text in found.items() if SHORT.fullmatch(key) and len(text) > 20] == []
    for keys, most in LIMITS.items():
        assert [key for key, text in found.items() if re.fullmatch(keys, key) and len(text) > most] == []


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("code", OTHERS)
def test_what_surrounds_a_text_is_the_same(code: str, name: str) -> None:
    """Texts are put together: one that begins or ends with a space, a comma or a new line must do so everywhere."""
    english, other = texts(DEFAULT, name), texts(code, name)
    ends = re.compile(r"^[\s,;]*|[\s,;:]*$")
    assert [key for key in english if ends.findall(english[key]) != ends.findall(other[key])] == []


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("code", languages())
def test_commands_that_are_spoken_of_exist(code: str, name: str) -> None:
    """Discord shows each person the commands' names of their own language, so the texts use these."""
    said = texts(code, "commands")
    names = {text for key, text in said.items() if re.fullmatch(r"command\.\w+\.name", key)}
    spoken_of = {found for text in texts(code, name).values() for found in re.findall(r"\*\*/(\w+)", text)}
    assert spoken_of <= names
    assert spoken_of >= names - {said["command.help.name"]}, "the help names them all"


@pytest.mark.parametrize(
    ("locale", "code"), [("de", "de"), ("en-US", "en"), ("en-GB", "en"), ("fr", "en"), ("zh-TW", "en"), ("", "en")]
)
def test_a_locale_is_spoken_to_in_its_language_or_in_english(locale: str, code: str) -> None:
    assert language(locale) == code
