"""The lobby on one screen, and *More …*: the private message in which a seated player chooses how to play."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest
from simcord.results import ResponseMessage

from cogs.match.lobby import Lobby
from cogs.match.refusals import Reason
from cogs.match.service import MatchService
from cogs.messages.lobby import differing, misfit
from data.content.texts import DEFAULT, texts
from data.records.match import Chair
from data.records.terms import Terms
from rendering.core.labels import Labels
from rules import GAMES, LESSONS
from rules.core.game import AnyGame, chosen_options
from tests.support.apicheck import components
from tests.support.matches import refusal
from tests.support.simulation import Simulation, controls, raw, words

pytestmark = pytest.mark.usefixtures("plain")
MOST_COMPONENTS = 40
"""Components that Discord allows in one message, nested ones too."""


def placeholders(message: ResponseMessage) -> list[str]:
    found = (part.get("placeholder") for part in components(raw(message.message)))
    return [hint for hint in found if hint]


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_the_lobby_has_few_buttons_and_more_has_every_choice(sim: Simulation, game: str) -> None:
    """Each choice has its value in the placeholder."""
    (alice,) = await sim.lobby("alice", game=game)
    shown = raw(sim.board())
    labels = [part["label"] for part in components(shown) if part.get("type") == 2]
    lesson = ["First lesson"] if game in LESSONS else []
    assert labels == ["Join", "Leave", "Start", "Add computer", "More …", "Rules", *lesson]
    assert not [part for part in components(shown) if "options" in part]
    assert len("\n".join(words(shown))) < 900
    await sim.press(alice, sim.board(), "Add computer")
    shown, seen = await sim.more(alice), list[str]()
    for page, selects in (("More …", ["level//all", "option//clock", "start_time//"]), ("Options …", None)):
        if selects is None:
            await alice.click(shown, label=page)
        parts = [*components(raw(shown.message))]
        seen += controls(raw(shown.message))
        found = [part for part in parts if "options" in part]
        assert selects is None or [part["custom_id"] for part in found] == [f"1/1/{name}" for name in selects]
        for part in found:
            (chosen,) = [option["label"] for option in part["options"] if option.get("default")]
            assert part["placeholder"] == chosen
        assert len(parts) <= MOST_COMPONENTS
    options = [option.name for option in sim.app.lobby.options(await sim.match())]
    for name in (*options, "place"):
        assert f"1/1/option//{name}" in seen
    assert {"1/1/computers//", "1/1/door//", "1/1/cancel//", "1/1/hints//off"} <= {*seen}


async def test_a_choice_changes_the_message_and_one_line_of_the_lobby(sim: Simulation) -> None:
    (alice,) = await sim.lobby("alice")
    assert "about 10 days to move" not in "\n".join(words(raw(sim.board())))
    shown = await sim.more(alice)
    count = len(list(sim.channel.history()))
    await alice.select(shown, ["week"], custom_id="1/1/option//clock")
    assert any("about 10 days to move" in hint for hint in placeholders(shown)), "the same message, with the new value"
    await alice.click(shown, label="Options …")
    assert "1/1/option//absent" in controls(raw(shown.message)), "and the choice that follows from it"
    assert "about 10 days to move" in "\n".join(words(raw(sim.board())))
    for _ in range(3):
        await sim.press(alice, sim.board(), "Add computer")
    await alice.click(shown, label="Back")
    await alice.click(shown, label="Options …")
    await alice.select(shown, ["2v2"], custom_id="1/1/option//teams")
    assert "Teams: 2 against 2" in "\n".join(words(raw(sim.board())))
    assert any("2 against 2" in hint for hint in placeholders(shown))
    assert len(list(sim.channel.history())) == count, "nothing new is sent"


async def test_more_is_for_those_who_sit_there_and_for_lobbies(sim: Simulation) -> None:
    alice, bob = sim.join_server("alice", "bob")
    await sim.slash(alice, "play", game="sea_change")
    assert "You have not joined this table yet." in sim.said(await sim.press(bob, sim.board(), "More …"))
    await sim.press(bob, sim.board(), "Join")
    shown = await sim.more(bob)
    assert "1/1/cancel//" not in controls(raw(shown.message)), "only the host calls the table off"
    message = sim.board().id
    await sim.press(alice, sim.board(), "Start")
    assert "This match has already started." in await sim.forge(bob, "1/1/more//", message=message)
    await sim.caught_up()
    assert shown.message.id not in {found.id for found in sim.channel.history()}, "the page closes with its lobby"


async def test_controls_of_a_lobby_from_an_older_version_change_the_lobby_alone(sim: Simulation) -> None:
    """Its selects and buttons are in the public message, which must never become somebody's private choices."""
    (alice,) = await sim.lobby("alice")
    cursor = sim.cursor
    for custom_id, value in (
        ("option//clock", "week"),
        ("option//place", "thread"),
        ("add//", None),
        ("remove//", None),
    ):
        assert await sim.forge(alice, f"1/1/{custom_id}", values=[value] if value else None) == ""
    match = await sim.match()
    assert (match.clock, match.own_thread, len(match.chairs)) == ("week", True, 1)
    assert all(shown.viewer is None for shown in sim.shown(cursor))
    assert not [part for part in components(raw(sim.board())) if "options" in part]


async def test_a_new_table_is_like_the_last_one_of_its_channel(sim: Simulation) -> None:
    """In its options, if it plays the same game, its time limit and its language; not in who may come, how well
    computers play, and whether it counts.
    """
    alice, bob = await sim.lobby("alice", "bob")
    for control, value in (
        ("1/1/option//target", "2"),
        ("1/1/option//clock", "week"),
        ("1/1/option//rated", "on"),
        ("1/1/language//", "de"),
    ):
        await sim.press(alice, sim.board(), control, value)
    elsewhere = sim.guild.create_text_channel("elsewhere")
    await sim.slash(bob, "play", game="sea_change")
    untouched = await sim.match(2)
    default = Terms(locale=untouched.locale)
    assert replace(untouched.terms, options={}) == default, "a lobby is no last table yet"
    await sim.forge(alice, "1/1/start//")
    first = await sim.match(1)
    assert first.started_at is not None and first.rated
    await sim.slash(bob, "play", game="sea_change")
    await sim.slash(bob, "play", game="full_sun")
    await sim.slash(bob, "play", elsewhere, game="sea_change")
    same, other, far = [await sim.match(number) for number in (3, 4, 5)]
    alike = Terms(locale="de", server_locale=default.locale, clock="week")
    for match, options, terms in ((same, {"target": 2}, alike), (other, {}, alike), (far, {}, default)):
        chosen = {name: value for name, value in match.options.items() if name != "deck"}
        assert (chosen, replace(match.terms, options={})) == (options, terms)


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.slug)
async def test_a_lobby_of_another_number_of_players_begins_or_says_what_does_not_fit(
    service: MatchService, game: AnyGame
) -> None:
    """With all that was chosen for so many players as were there before: in the match before it, or by those who left.
    What does not fit can be chosen again.
    """
    lobby, labels = Lobby(service), Labels((), texts(DEFAULT, game.slug))
    for seat in range(game.seats[-1]):
        await service.people.meet(seat + 1, f"P{seat}", DEFAULT)
    for before, now in permutations(game.seats, 2):
        changes = [{}, *({option.name: value} for option in game.options(before, {}) for value in option.values)]
        for change in changes:
            terms = Terms(locale=DEFAULT, options=chosen_options(game, before, change))
            chairs = tuple(Chair(seat, seat + 1, f"P{seat}") for seat in range(now))
            match = await lobby.open(game.slug, guild=1, channel=2, user=1, name="P0", terms=terms, chairs=chairs)
            offered = lobby.options(match)
            shown = differing(match, game, offered, labels)
            wanted = {option.name: match.options.get(option.name, option.default) for option in offered}
            wrong = [option for option in offered if misfit(option, wanted[option.name], labels) in shown]
            assert change or not wrong
            if wrong:
                assert await refusal(lobby.start(match.id, 1)) is Reason.OPTIONS_DO_NOT_FIT
            else:
                begun = await lobby.start(match.id, 1)
                assert {name: begun.options[name] for name in wanted} == wanted, "with what the lobby has shown"
