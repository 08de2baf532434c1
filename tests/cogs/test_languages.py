"""Everybody is answered in their own language, and a table speaks its server's; commands have names in both."""

from __future__ import annotations

import re
from functools import cache
from string import Formatter
from typing import Any

import discord
import pytest
from discord import app_commands

from data.content.texts import DEFAULT, LOCALES, language, languages, own_texts, texts
from data.records.match import Status
from rules import GAMES
from tests.support.inside import hours_of
from tests.support.languages import OTHERS, complete, speak
from tests.support.simulation import Simulation
from tests.support.table import Table, fewest_seats

GERMAN = [name for name in complete("de") if name in GAMES]
NAME = re.compile(r"[-_\w]{1,32}")
"""Discord's rule for the names of commands and options, which besides have no capital letter."""

LEAST = 7
"""The least letters by which a text is known to be of one language."""


@cache
def pieces(code: str) -> frozenset[str]:
    """What stands between the facts in the texts of one language, and in no text of another."""
    own, others = (
        sentences(code),
        "\n".join(text for other in languages() if other != code for text in sentences(other)),
    )
    found = {piece.strip() for text in own for piece, *_ in Formatter().parse(text)}
    begun = {others[at : at + LEAST] for at in range(len(others))}  # most pieces do not even begin there
    return frozenset(
        piece
        for piece in found
        if len(piece) >= LEAST and "\n" not in piece and (piece[:LEAST] not in begun or piece not in others)
    )


def sentences(code: str) -> list[str]:
    """Return all texts but the names of commands, which also stand in ids, and a language's name, which all read."""
    files = sorted(path.stem for path in (LOCALES / code).glob("*.toml"))
    texts_of = {name: own_texts(code, name) for name in files}
    return [
        text
        for name in files
        for key, text in texts_of[name].items()
        if key != "language.name" and (name, key[-5:]) != ("commands", ".name")
    ]


def foreign(text: str, code: str) -> set[str]:
    """What is said in it in another language than this."""
    return {piece for other in languages() if other != code for piece in pieces(other) if piece in text}


class Tongues:
    """Which locale each person's client has, and the server."""

    def __init__(self, server: str) -> None:
        self.server = server
        self.people: dict[int, str] = {}


@pytest.fixture
def tongues(monkeypatch: pytest.MonkeyPatch) -> Tongues:
    found = Tongues("en-GB")
    speak(monkeypatch, lambda user: found.people[user], lambda: found.server)
    return found


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize(
    ("slug", "server"),
    [
        ("sea_change", "de"),
        pytest.param("sea_change", "en-US", marks=pytest.mark.long),
        *(pytest.param(slug, "de", marks=pytest.mark.long) for slug in GERMAN if slug != "sea_change"),
    ],
)
async def test_everybody_reads_their_own_language(sim: Simulation, tongues: Tongues, slug: str, server: str) -> None:
    people = sim.join_server(*("alice", "bob", "carol")[: fewest_seats(slug)])
    tongues.server = server
    tongues.people = dict(zip([person.id for person in people], ("de", "en-US", "de"), strict=False))
    for person in people:
        where = {"game": slug} if person is people[0] else {}
        await sim.slash(person, "play" if person is people[0] else "join", **where)
        await sim.greeted()
    table = Table(sim, 1, f"{slug} {server}")
    await sim.forge(people[0], "1/1/option//seats", values=["any"])
    await sim.press(people[0], sim.board(), "1/1/start//")
    for turn in range(8):
        match, state = await table.now()
        seat = table.random.choice(sorted(state.to_move()))
        mover = sim.by_id(match.chairs[seat].user)
        table.ways[mover.name] = "in words" if turn % 4 == 3 else "by direct message"
        for person in people:
            listed = await person.autocomplete(sim.channel, "move", "move", "", table=1)
            listed += await person.autocomplete(sim.channel, "hand", "table", "")
            assert foreign("\n".join(entry["name"] for entry in listed), spoken_by(tongues, person.id)) == set()
        await table.decide(mover)
    for person in people:
        for command in ("hand", "board", "log", "games", "settings", "help", "join", "cancel", "privacy"):
            await sim.slash(person, command)
        await sim.slash(person, "rules", game=slug)
        await sim.slash(person, "stats", game=slug)
        await sim.slash(person, "settings", table=1)
        await sim.forge(person, "1/1/mine//")
        await sim.forge(person, "1/0/setting//digest", values=["6"])
        await sim.forge(person, "1/0/data//ask")
        await sim.slash(person, "verify", table=1)
        await sim.slash(person, "verify", table=99)
        await sim.slash(person, "move", move="nonsense", table=1)
        await sim.forge(person, "1/1/last//")
        await sim.forge(person, "1/1/move/old/play X1")
    for person in people:
        await sim.forge(person, "1/1/vote_sure//end")
    assert (await table.now())[0].status is Status.STOPPED
    for shown in sim.shown():
        code = spoken_by(tongues, shown.viewer)
        assert foreign(shown.all_text, code) == set(), f"said to {shown.viewer}, who reads {code}: {shown.all_text}"
    assert {shown.viewer for shown in sim.shown()} == {None, *tongues.people}


def spoken_by(tongues: Tongues, user: int | None) -> str:
    return (tongues.server if user is None else tongues.people[user]).split("-")[0]


@pytest.mark.usefixtures("plain")
async def test_a_hand_by_direct_message_follows_its_person(sim: Simulation, tongues: Tongues) -> None:
    """The language is that of the last press, also after a restart and where nothing was pressed since."""
    alice, bob = sim.join_server("alice", "bob")
    tongues.people = {alice.id: "en-US", bob.id: "en-US"}
    await sim.slash(alice, "play", game="full_circle")
    await sim.slash(bob, "join")
    await sim.press(alice, sim.board(), "1/1/start//")
    table = Table(sim, 1, "follows")
    tongues.people[bob.id] = "de"
    await sim.slash(bob, "hand")
    await sim.restart()
    since = sim.cursor
    for _ in range(4):
        match, state = await table.now()
        (seat,) = state.to_move()
        await table.decide(sim.by_id(match.chairs[seat].user))
    told = [shown for shown in sim.shown(since) if shown.viewer == bob.id]
    assert told and all(foreign(shown.all_text, "de") == set() for shown in told)


async def test_hours_are_ended_by_a_word_of_ones_own_language(sim: Simulation, tongues: Tongues) -> None:
    """Or of English, which the names of options are as well where a client has no other."""
    (alice,) = sim.join_server("alice")
    tongues.people = {alice.id: "de"}
    hours = hours_of(sim.service.clocks)
    for word in ("keine", "Keine", "none"):
        planned = {"quiet_from": "22", "quiet_to": "7", "days_off": "Sa, So"}
        await sim.slash(alice, "hours", holiday_from="2026-02-01", holiday_to="2026-02-02", **planned)
        assert (await hours(alice.id)).quiet and (await hours(alice.id)).days_off and (await hours(alice.id)).holidays
        said = await sim.slash(alice, "hours", quiet_from=word, days_off=word, holiday_from=word)
        assert "**Ruhezeit:** keine" in said and foreign(said, "de") == set()
        after = await hours(alice.id)
        assert (after.quiet, after.days_off, after.holidays) == (None, frozenset(), ())
    for code in languages():
        told = [texts(code, "commands")[f"command.hours.{name}.description"] for name in ("quiet_from", "days_off")]
        told += [texts(code, "common")[f"refused.{key}"] for key in ("quiet_half", "bad_days_off", "holiday_half")]
        assert all(texts(code, "common")["hours.nothing"] in sentence for sentence in told)


# Commands.


TRANSLATED = [locale.value for locale in discord.Locale if language(locale.value) != DEFAULT]
"""Discord's codes of all clients that read another language than English: "de", and "pt-BR", which reads "pt"."""
SLASH = SUBCOMMAND = 1
"""Discord's number for a slash command; other commands are context menus."""


async def payload(sim: Simulation) -> list[dict[str, Any]]:
    """The commands as Discord was told them."""
    (sent,) = [entry.json for entry in sim.env.http_requests if re.fullmatch(r"/applications/\d+/commands", entry.path)]
    assert isinstance(sent, list)
    return sent


def test_each_language_is_read_by_a_client() -> None:
    assert {language(locale) for locale in TRANSLATED} == set(OTHERS)


async def test_commands_have_names_in_every_language(sim: Simulation) -> None:
    sent = await payload(sim)
    assert {command["name"] for command in sent} == {command.name for command in sim.bot.tree.get_commands()}
    for locale in TRANSLATED:
        check_commands(sent, locale)


def check_commands(sent: list[dict[str, Any]], locale: str) -> None:
    menus = [command for command in sent if command.get("type", 1) != SLASH]
    assert [menu["name_localizations"][locale] for menu in menus] == [
        texts(language(locale), "commands")["menu.play_with"]
    ]
    sent = [command for command in sent if command not in menus]
    check_names(sent, locale)
    groups = [command for command in sent if any(option["type"] == SUBCOMMAND for option in command["options"])]
    for group in groups:
        check_names(group["options"], locale)
    for command in [*(c for c in sent if c not in groups), *(c for group in groups for c in group["options"])]:
        check_names(command["options"], locale)
        for option in command["options"]:
            choices = [choice["name_localizations"][locale] for choice in option.get("choices", ())]
            assert len(set(choices)) == len(choices)
            assert all(0 < len(choice) <= 100 for choice in choices)


def check_names(told: list[dict[str, Any]], locale: str) -> None:
    """Commands, or the options of one: names as Discord takes them, each once; descriptions within its limit."""
    names = [one["name_localizations"][locale] for one in told]
    assert len(set(names)) == len(names)
    for name, one in zip(names, told, strict=True):
        assert NAME.fullmatch(name) and name == name.lower(), name
        assert 0 < len(one["description_localizations"][locale]) <= 100
        assert set(one["name_localizations"]) == set(one["description_localizations"]) == set(TRANSLATED)


async def test_the_texts_of_commands_are_those_of_the_tree(sim: Simulation) -> None:
    """None is missing and none is left over; the English names are the commands' own."""
    expected = {}
    assert [menu.name for menu in sim.bot.tree.walk_commands(type=discord.AppCommandType.user)] == [
        texts(DEFAULT, "commands")["menu.play_with"]
    ]
    for command in sim.bot.tree.walk_commands():
        own = f"command.{command.qualified_name.replace(' ', '.')}"
        expected |= {f"{own}.name": command.name, f"{own}.description": command.description}
        for option in command.parameters if isinstance(command, app_commands.Command) else ():
            expected |= {f"{own}.{option.display_name}.name": option.display_name}
            expected |= {f"{own}.{option.display_name}.description": str(option.description)}
    assert {key: text for key, text in texts(DEFAULT, "commands").items() if key.startswith("command.")} == expected


async def test_a_new_translation_is_told_to_discord(sim: Simulation, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands are sent again where a word of them has changed in any language, and only then."""
    await sim.restart()
    await payload(sim)  # once still
    changed = {**texts("de", "commands"), "command.play.description": "Eröffne einen Tisch"}
    monkeypatch.setattr(
        "cogs.transport.slash_commands.texts", lambda code, name: changed if name == "commands" else texts(code, name)
    )
    sim.env.http_requests.clear()
    await sim.restart()
    sent = [command for command in await payload(sim) if command.get("type", 1) == SLASH]
    described = {command["name"]: command["description_localizations"]["de"] for command in sent}
    assert described["play"] == "Eröffne einen Tisch"
