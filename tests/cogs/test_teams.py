"""Teams chosen in a lobby: the draw keeps them, each seating that does is equally likely, and everyone can check it."""

from __future__ import annotations

import json
import runpy
from collections import Counter
from itertools import product
from pathlib import Path

import pytest

from cogs.match.seating import draw, fits
from cogs.match.verification import verdict
from data.records.match import Status
from rules import GAMES
from rules.core.chance import drawn_seats
from tests.support.simulation import Simulation, controls, raw, words

pytestmark = pytest.mark.usefixtures("plain")
SCRIPT = Path(__file__).parents[2] / "docs" / "verify.py"
GAME = GAMES["sea_change"]


def test_without_a_choice_it_is_the_draw_of_before() -> None:
    for number in range(50):
        assert draw(f"{number}", (), [None] * 4, (0, 1, 0, 1)) == drawn_seats(f"{number}", (), 4)
        assert draw(f"{number}", ("a cut",), [None] * 5, ()) == drawn_seats(f"{number}", ("a cut",), 5)


def test_every_seating_that_keeps_the_teams_is_equally_likely() -> None:
    """Players 0 and 3 are partners, the other two are not asked: eight seatings."""
    teams, chosen = (0, 1, 0, 1), [0, None, None, 0]
    found = Counter(draw(f"{number}", (), chosen, teams) for number in range(4000))
    for seating in found:
        assert {seating.index(0), seating.index(3)} == {0, 2}
    assert len(found) == 4
    assert all(900 < times < 1100 for times in found.values()), found


def test_all_who_choose_among_four_teams_are_seated() -> None:
    teams, chosen = (0, 1, 2, 3, 0, 1, 2, 3), [3, 3, 2, 2, 1, 1, 0, 0]
    for number in range(5):
        seating = draw(f"{number}", (), chosen, teams)
        assert [chosen[place] for place in seating] == list(teams)


def test_more_than_a_team_has_seats_for_is_refused() -> None:
    assert fits([0, 0, None], (0, 1, 0)) and not fits([0, 0, 0], (0, 1, 0)) and not fits([1], ())
    with pytest.raises(ValueError, match="more players"):
        draw("", (), [1, 1, None], (0, 1, 0))


@pytest.mark.parametrize("slug", sorted(GAMES))
def test_a_games_teams_are_those_of_its_seats(slug: str) -> None:
    game = GAMES[slug]
    for seats in game.seats:
        options = game.options(seats, {})
        for values in product(*(option.values for option in options)):
            teams = game.teams(seats, {option.name: value for option, value in zip(options, values, strict=True)})
            assert len(teams) in (0, seats)
            assert sorted(set(teams)) == list(range(len(set(teams))))


async def four(sim: Simulation) -> list:
    """A lobby of four who play two against two."""
    people = sim.join_server("alice", "bob", "carol", "dave")
    await sim.lobby(*people)
    await sim.press(people[0], sim.board(), "1/1/option//teams", "2v2")
    return people


async def choose(sim: Simulation, person: object, value: str, whose: str = "own") -> str:
    more = await sim.more(person)
    await person.click(more, label="Teams …")
    return sim.said(await person.select(more, [value], custom_id=f"1/1/team//{whose}"))


async def test_partners_are_chosen_and_seated_and_exported(sim: Simulation, tmp_path: Path) -> None:
    alice, bob, _, dave = await four(sim)
    await choose(sim, alice, "1")
    await choose(sim, dave, "1")
    assert "· Team B" in "\n".join(words(raw(sim.board())))
    assert "no free place" in await choose(sim, bob, "1")
    await sim.press(alice, sim.board(), "Start")
    match = await sim.match()
    assert match.status is Status.PLAYING
    seats = {chair.user: chair.number for chair in match.chairs}
    assert {seats[alice.id], seats[dave.id]} == {1, 3}
    found = verdict(GAME, match, [])
    assert found.seats is True
    data = json.loads(found.export)
    assert sorted((p["name"], p["team"]) for p in data["players"]) == [
        *(("alice", 1), ("bob", None), ("carol", None), ("dave", 1))
    ]
    claims = runpy.run_path(str(SCRIPT))["the_seats_are_fair"]

    def hold(data: dict) -> bool:  # a claim that only the reader can check is None
        return False not in claims(data, data["teams"]).values()

    assert hold(data)
    for player in data["players"]:  # who chose nothing did not choose what they got
        changed = json.loads(found.export)
        for other in changed["players"]:
            other["team"] = None if other["name"] == player["name"] else other["team"]
        same = draw(match.secret, match.cuts, *_facts(changed)) == tuple(p["came"] for p in changed["players"])
        assert hold(changed) is same


def _facts(data: dict) -> tuple[list, tuple[int, ...]]:
    lobby = sorted(data["players"], key=lambda player: player["came"])
    return [player["team"] for player in lobby], tuple(data["teams"])


async def test_a_choice_that_no_longer_counts_is_nothing(sim: Simulation) -> None:
    alice, *_ = await four(sim)
    await choose(sim, alice, "1")
    await sim.press(alice, sim.board(), "1/1/option//teams", "none")
    assert "Team B" not in "\n".join(words(raw(sim.board())))
    assert "1/1/teams//" not in controls(raw((await sim.more(alice)).message))
    assert "no longer possible" in await sim.forge(alice, "1/1/team//own", values=["0"])
    await sim.press(alice, sim.board(), "Start")
    match = await sim.match()
    assert [chair.came for chair in match.chairs] == list(drawn_seats(match.secret, (), 4))
    assert not any(chair.team is not None for chair in match.chairs)


@pytest.mark.parametrize(("before", "chosen"), [("3v3", (0, 0, 0)), ("2v2v2", (2,))])
async def test_other_teams_are_chosen_anew(sim: Simulation, before: str, chosen: tuple[int, ...]) -> None:
    """Else the choices of some, for a team that is gone or too small now, would hold up the start of all."""
    people = await sim.lobby("alice", "bob", "carol", "dave", "erin", "frank")
    await sim.press(people[0], sim.board(), "1/1/option//teams", before)
    for person, team in zip(people[1:], chosen, strict=False):
        await choose(sim, person, str(team))
    for person in people[4:]:
        await sim.press(person, sim.board(), "Leave")
    shown = "\n".join(words(raw(sim.board())))
    assert "does not work with this number of players" in shown and "presses *Start*" not in shown
    await sim.press(people[0], sim.board(), "1/1/option//teams", "2v2")
    assert "presses *Start*" in "\n".join(words(raw(sim.board())))
    assert "Team" not in "\n".join(words(raw(sim.board()))).replace("Teams: 2 against 2", "")
    await choose(sim, people[1], "1")
    await sim.press(people[0], sim.board(), "1/1/option//target", "1")
    assert (await sim.match()).chairs[1].team == 1, "another option leaves it"
    await sim.press(people[0], sim.board(), "Start")
    assert (await sim.match()).status is Status.PLAYING


async def test_computers_are_everyones_and_people_their_own(sim: Simulation) -> None:
    alice, bob, *_ = await four(sim)
    await sim.press(bob, sim.board(), "Leave")
    await sim.press(alice, sim.board(), "Add computer")
    await choose(sim, alice, "0", whose="3")
    assert (await sim.match()).chairs[3].team == 0
    assert "their own team" in await sim.forge(alice, "1/1/team//1", values=["0"])
    assert "not joined this table" in await sim.forge(bob, "1/1/team//own", values=["0"])
    for rest, value in (("9", "0"), ("own", "7"), ("own", ""), ("x", "0")):
        assert "no longer possible" in await sim.forge(alice, f"1/1/team//{rest}", values=[value])


async def test_teams_of_a_match_played_again_go_round_unless_chosen(sim: Simulation) -> None:
    people = await four(sim)
    alice, bob, *_ = people
    await choose(sim, alice, "0")
    await sim.press(alice, sim.board(), "Start")
    for person in people[:3]:
        await sim.forge(person, "1/1/vote_sure//end")
    await sim.forge(alice, "1/1/again//")
    assert not any(chair.team is not None for chair in (await sim.match(2)).chairs), "a new lobby, a new choice"
    for person in people[1:]:
        await sim.forge(person, "1/2/join//")
    await sim.forge(bob, "1/2/team//own", values=["1"])
    await sim.forge(alice, "1/2/start//")
    match = await sim.match(2)
    assert match.status is Status.PLAYING
    assert match.seat_of(bob.id) in (1, 3)
    assert verdict(GAME, match, []).seats is True
