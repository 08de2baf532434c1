"""`/help` and what is behind its buttons, and the choices of `/play`: for how many players, how long, how heavy."""

from __future__ import annotations

import re

import pytest
from discord import Locale
from discord.app_commands import TranslationContext, locale_str
from discord.app_commands import TranslationContextLocation as Place

from cogs.messages.choices import command_list, game_line, list_of_games, welcome_message
from cogs.tables import _GAME_CHOICES
from cogs.transport.slash_commands import SAID, Translator
from data.content.texts import languages, texts
from data.records.match import Status
from rules import GAMES
from tests.support.apicheck import components
from tests.support.published import PUBLISHED
from tests.support.simulation import Simulation, offers, raw, words

SPOKEN = (Locale.american_english, Locale.german, Locale.french, Locale.spain_spanish, Locale.brazil_portuguese)
LINE, DETAIL = 46, 28
"""Characters that a phone 400 px wide shows in a line of a command's choices, and in the second line of a select's."""


@pytest.mark.parametrize("code", languages())
def test_the_list_of_commands_has_ten_lines_and_names_every_command_and_game(code: str) -> None:
    content = command_list(GAMES, 7, code)
    (text,) = content.parts
    assert isinstance(text, str)
    assert content.user == 7
    assert len(text.splitlines()) <= 10 and len(text) <= 1_500
    commands = {key.split(".")[1] for key in SAID if key.startswith("command.")}
    told = texts(code, "commands")
    named = set(re.findall(r"\*\*/([^*]+)\*\*", text))
    assert named == {told[f"command.{name}.name"] for name in commands} - {told["command.help.name"]}
    assert all(game.title in text for game in GAMES.values())


@pytest.mark.parametrize("code", languages())
def test_help_fits_direct_messages_too(code: str) -> None:
    """It is asked for there as well, so it speaks of no channel as the place where it stands."""
    here = re.compile("this channel|diesem Kanal|ce salon|est[ea] canal|neste canal|spielen hier|^Ici|^Aqu[ií] ", re.M)
    (welcome,), (commands,) = welcome_message(code).parts, command_list(GAMES, 7, code).parts
    assert not here.search(str(welcome)) and not here.search(str(commands).splitlines()[0])


async def test_help_shows_three_ways_to_begin_first_and_the_rest_behind_a_press(sim: Simulation) -> None:
    (alice,) = sim.join_server("alice")
    shown = (await alice.slash(sim.channel, "help")).response
    labels = [part["label"] for part in components(raw(shown.message)) if part["type"] == 2]
    assert labels == ["Play", "Learn", "Rules", "Our games", "All commands"]
    assert "**/play**" in sim.said(await alice.click(shown, label="All commands"))


async def test_play_without_a_game_offers_the_last_one_of_the_channel_first_here_and_alone(sim: Simulation) -> None:
    alice, bob = sim.join_server("alice", "bob")
    await sim.lobby(alice, bob, game="sea_change")
    await sim.press(alice, sim.board(), "Start")
    asked = (await bob.slash(sim.channel, "play")).response
    here, alone = [part for part in components(raw(asked.message)) if "options" in part]
    assert [part["options"][0]["label"] for part in (here, alone)] == ["Sea Change"] * 2
    cursor = sim.cursor
    await bob.select(asked, [alone["options"][0]["value"]], custom_id=alone["custom_id"])
    await sim.caught_up()
    match = await sim.match(2)
    assert match.private and match.host == bob.id and match.running
    assert offers(raw(asked.message)), "it is played in the message of the question"
    assert not sim.public(cursor) and not sim.dms(bob)[1:]
    asked = (await bob.slash(sim.channel, "play")).response
    await bob.select(asked, [here["options"][0]["value"]], custom_id=here["custom_id"])
    assert (await sim.match(3)).status is Status.LOBBY and not (await sim.match(3)).private


async def test_a_game_chosen_in_direct_messages_is_played_there_in_one_lasting_message(sim: Simulation) -> None:
    """An ephemeral answer is gone once the player closes Discord, and a hand would follow it as a second one."""
    (alice,) = sim.join_server("alice")
    asked = (await alice.user.slash("play")).response
    (games,) = [part for part in components(raw(asked.message)) if "options" in part]
    await alice.user.select(asked, ["1/0/table//sea_change"], custom_id=games["custom_id"])
    await sim.caught_up()
    assert ["## Sea Change · table 1" in words(raw(said)) for said in sim.dms(alice)].count(True) == 1


async def test_learn_and_rules_of_help_ask_which_game(sim: Simulation) -> None:
    (alice,) = sim.join_server("alice")
    for label, said in (("Rules", "Sea Change"), ("Learn", "first lesson")):
        shown = (await alice.slash(sim.channel, "help")).response
        await alice.click(shown, label=label)
        (select,) = [part for part in components(raw(shown.message)) if "options" in part]
        value = next(option["value"] for option in select["options"] if option["label"] == "Sea Change")
        await alice.select(shown, [value], custom_id=select["custom_id"])
        assert said in "\n".join(words(raw(shown.message)))


async def test_the_button_of_help_lists_the_games(sim: Simulation) -> None:
    (alice,) = sim.join_server("alice")
    await sim.slash(alice, "play", game="sea_change")
    said = await sim.forge(alice, "1/0/help//games")
    for slug, game in GAMES.items():
        assert f"**{game_line(game, texts('en', slug))}**\n{texts('en', slug)['game.tagline']}" in said
    assert "no longer works" in await sim.forge(alice, "1/0/help//nonsense")
    assert len(str(list_of_games(GAMES, 1, "de").parts[0])) <= 4_000


@pytest.mark.parametrize("slug", GAMES)
async def test_a_choice_of_play_has_players_and_fits_in_every_language(slug: str) -> None:
    game = GAMES[slug]
    (choice,) = [choice for choice in _GAME_CHOICES if choice.value == slug]
    assert choice.name == game_line(game, texts("en", slug))
    for locale in SPOKEN:
        translated = await Translator().translate(
            locale_str(choice.name), locale, TranslationContext(Place.choice_name, choice)
        )
        name = translated or choice.name
        assert name.startswith(f"{game.title} · ") and len(name) <= 100
        assert str(game.seats[-1]) in name
        if slug in PUBLISHED:
            assert re.search(r"\d+(–\d+)? [Mm]in", name) and name.count(" · ") == 3, name
            assert len(name) <= LINE and len(name.partition(" · ")[2]) <= DETAIL, "one line on a phone"


def test_a_game_that_says_less_has_a_shorter_line() -> None:
    found = {key: text for key, text in texts("en", "full_circle").items() if not key.startswith("game.m")}
    assert game_line(GAMES["full_circle"], found) == "Full Circle · 👥 2–4 · easy"
    del found["game.weight"]
    assert game_line(GAMES["full_circle"], found) == "Full Circle · 👥 2–4"
