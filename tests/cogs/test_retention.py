"""What a person is given of their data, and for how long it is kept."""

from __future__ import annotations

import json
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from simcord.actors import MemberActor

from cogs.privacy import PrivacyCommands
from cogs.runtime.trusted_clock import TrustedClock
from tests.cogs.deletions import everywhere, traces
from tests.support.simulation import Simulation
from tests.support.table import Table

pytestmark = pytest.mark.usefixtures("plain")
DAY = 86_400


async def exported(sim: Simulation, person: MemberActor) -> dict[str, Any]:
    shown = await person.slash(sim.channel, "privacy")
    blobs = sim.files
    before = set(blobs)
    result = await person.click(shown.response, label="My data")
    assert "Everything stored about you" in sim.said(result)
    (url,) = [url for url in blobs if url not in before]
    return dict(json.loads(blobs[url]))


async def test_everybody_gets_all_of_theirs_and_nothing_of_others(sim: Simulation) -> None:
    people = await everywhere(sim)
    for person in people:
        data = await exported(sim, person)
        text = json.dumps(data)
        assert not [other.name for other in people if other is not person and str(other.id) in text]
        assert [row["user"] for row in data["person"]] == [person.id]
        assert [row["zone"] for row in data["hours"]] == ["Europe/Berlin"]
        for number in {row["match"] for row in data["moves"]}:
            log = await sim.matches.moves(number)
            mine = [(move.undone_at is not None, move.text) for move in log if move.user == person.id]
            assert [(m["taken_back"], m["text"]) for m in data["moves"] if m["match"] == number] == mine
        assert {row["id"] for row in data["matches"]} >= {row["match"] for row in data["seats"]}
    alice, erin = await exported(sim, people[0]), await exported(sim, people[4])
    assert alice["voices"][0]["choice"].startswith("remove seat ") and alice["voices_to_remove_you"]
    assert erin["waiting"] and erin["seats_left"] and alice["clocks"] and alice["messages"]


async def test_the_answer_says_what_is_kept_and_for_how_long(sim: Simulation) -> None:
    (alice,) = sim.join_server("alice")
    said = await sim.slash(alice, "privacy")
    assert "365 days" in said and "30 days" in said and "The person who runs me can read" in said
    shown = await alice.slash(sim.channel, "privacy")
    asked = await alice.click(shown.response, label="Delete my data")
    assert "You are not at any open table" in sim.said(asked)
    assert "What is stored" in sim.said(await alice.click(asked.response, label="No, keep it"))
    assert "no longer works" in await sim.forge(alice, "1/0/data//nonsense", message=shown.response.id)


async def test_a_single_day_is_said_as_one(sim: Simulation) -> None:
    (alice,) = sim.join_server("alice")
    sim.settings = replace(sim.settings, retention_days=1)
    await sim.restart()
    said = await sim.slash(alice, "privacy")
    assert "deleted 1 day after" in said and "not used me for 1 day, " in said


async def test_the_sweep_keeps_to_the_setting(sim: Simulation) -> None:
    (alice,) = await sim.lobby("alice")
    await sim.cancel(alice, 1)
    await sim.restart(down=364 * DAY)
    assert await sim.matches.get(1) is not None
    await sim.restart(down=2 * DAY)
    await sim.env.settle()
    assert await sim.matches.get(1) is None


@pytest.mark.parametrize("told", [True, False])
async def test_a_start_with_a_clock_that_is_ahead_deletes_nothing(
    told: bool, sim: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor does the next, with a clock that is right and a sign of life in the future."""
    if not told:
        monkeypatch.setattr(TrustedClock, "heard", lambda watch, instant: None)
    (alice,) = await sim.lobby("alice")
    await sim.cancel(alice, 1)
    for sim.jumped in (3.0 * 365 * DAY, 0.0):
        await sim.restart()
        await sim.env.advance_time(2 * 3600)
        assert await sim.matches.get(1) is not None


@pytest.mark.parametrize(
    ("keep_days", "confirmed", "erased"), [(30, True, [70 * DAY]), (30, False, []), (0, True, []), (0, False, [])]
)
async def test_a_sweep_deletes_matches_only_if_told_to_and_sure_of_the_time(
    keep_days: int, confirmed: bool, erased: list[int]
) -> None:
    """Each sweep also cleans the file of deleted data."""
    done: list[int | str] = []

    async def erase_ended(before: int) -> int:
        done.append(before)
        return 1

    async def clean() -> None:
        done.append("cleaned")

    commands: Any = SimpleNamespace(
        _keep_days=keep_days,
        _watch=SimpleNamespace(confirmed=confirmed),
        _service=SimpleNamespace(now=lambda: 100.0 * DAY),
        _privacy=SimpleNamespace(erase_ended=erase_ended, clean=clean),
    )
    await PrivacyCommands.sweep(commands)
    assert done == [*erased, "cleaned"]


async def test_who_never_played_is_not_kept_for_good(sim: Simulation, tide: Table) -> None:
    """Who looked on, got up before the match began, or set something; those in a match stay, however quiet it is."""
    alice, bob = tide.people
    onlooker, leaver, careful, lately = sim.join_server("olga", "lena", "cora", "lara")
    await sim.forge(onlooker, "1/1/board//")
    await sim.slash(alice, "play", game="sea_change")
    await sim.slash(leaver, "join", table=2)
    await sim.slash(leaver, "leave", table=2)
    await sim.slash(careful, "hours", zone="Europe/Berlin", quiet_from="22", quiet_to="7")
    await sim.forge(lately, "1/1/board//")
    strangers = (onlooker, leaver, careful)
    assert all(traces(sim, person.id) for person in strangers)
    await sim.restart(down=300 * DAY)
    await sim.forge(lately, "1/1/board//")
    await sim.restart(down=66 * DAY)
    await sim.restart()  # which takes the log into the file
    assert not [person.name for person in strangers if traces(sim, person.id)]
    assert await sim.service.people.get(careful.id) is None
    assert all([await sim.service.people.get(person.id) for person in (alice, bob, lately)])
    await sim.forge(onlooker, "1/1/board//")
    assert await sim.service.people.get(onlooker.id) is not None, "a person who comes back is met again"
