"""`/help` in ten lines, the list of games, and the choices of `/play`: for how many players, how long, how heavy."""

from __future__ import annotations

import re

import pytest
from discord import Locale
from discord.app_commands import TranslationContext, locale_str
from discord.app_commands import TranslationContextLocation as Place

from cogs.messages.choices import game_line, help_message, list_of_games
from cogs.tables import _GAME_CHOICES
from cogs.transport.slash_commands import SAID, Translator
from data.content.texts import languages, texts
from rules import GAMES
from tests.support.apicheck import components
from tests.support.published import PUBLISHED
from tests.support.simulation import Simulation


@pytest.mark.parametrize("code", languages())
def test_help_has_ten_lines_and_names_every_command_and_game(code: str) -> None:
    content = help_message(GAMES, 7, code)
    (text,) = content.parts
    assert isinstance(text, str)
    assert content.user == 7
    assert len(text.splitlines()) <= 10 and len(text) <= 1_500
    commands = {key.split(".")[1] for key in SAID if key.startswith("command.")}
    told = texts(code, "commands")
    named = set(re.findall(r"\*\*/([^*]+)\*\*", text))
    assert named == {told[f"command.{name}.name"] for name in commands} - {told["command.help.name"]}
    assert all(game.title in text for game in GAMES.values())


async def test_the_button_of_help_lists_the_games(sim: Simulation) -> None:
    (alice,) = sim.join_server("alice")
    cursor = sim.cursor
    assert "Sundial" in await sim.slash(alice, "help")
    (shown,) = sim.shown(cursor)
    (custom_id,) = [part["custom_id"] for part in components(shown.body) if "custom_id" in part]
    await sim.slash(alice, "play", game="sea_change")
    said = await sim.forge(alice, custom_id)
    for slug, game in GAMES.items():
        assert f"**{game_line(game, texts('en', slug))}**\n{texts('en', slug)['game.tagline']}" in said
    assert "no longer works" in await sim.forge(alice, "1/0/help//nonsense")
    assert len(str(list_of_games(GAMES, 1, "de").parts[0])) <= 4_000


@pytest.mark.parametrize("slug", GAMES)
async def test_a_choice_of_play_has_players_and_fits_in_every_language(slug: str) -> None:
    game = GAMES[slug]
    (choice,) = [choice for choice in _GAME_CHOICES if choice.value == slug]
    assert choice.name == game_line(game, texts("en", slug))
    for locale in (Locale.german, Locale.american_english):
        translated = await Translator().translate(
            locale_str(choice.name), locale, TranslationContext(Place.choice_name, choice)
        )
        name = translated or choice.name
        assert name.startswith(f"{game.title} · ") and len(name) <= 100
        assert str(game.seats[-1]) in name
        if slug in PUBLISHED:
            assert re.search(r"\d+(–\d+)? [Mm]in", name) and name.count(" · ") == 3, name


def test_a_game_that_says_less_has_a_shorter_line() -> None:
    found = {key: text for key, text in texts("en", "full_circle").items() if not key.startswith("game.m")}
    assert game_line(GAMES["full_circle"], found) == "Full Circle · 2–4 players · easy"
    del found["game.weight"]
    assert game_line(GAMES["full_circle"], found) == "Full Circle · 2–4 players"
