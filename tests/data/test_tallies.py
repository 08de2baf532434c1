"""The figures of a server's matches: added up once for each, found by the key, and kept when matches are deleted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from data.records import tallies as tallies_module
from data.records.match import Match, Status
from data.records.matches import Matches
from data.records.privacy import Privacy
from data.records.results import Result, Results, Standing
from data.records.tallies import Tallies
from data.store.database import Database
from data.store.erasure_log import ErasureLog
from rules.core.tally import Tally
from tests.data.conftest import ONLY_SQLITE
from tests.data.test_matches import playing
from tests.data.users import ANN, BEN
from tests.support.next_version import COLUMN

FIGURES = (Tally("seat", "2.0", 1, 1), Tally("seat", "2.1", 1, 0), Tally("moves", "2", 1, 60))


async def ended(base: Database, *, guild: int = 1) -> Match:
    matches = Matches(base)
    return await matches.save(replace(await playing(matches), status=Status.OVER, ended_at=2000, guild=guild))


def result(match: Match) -> Result:
    standings = (Standing(0, BEN, 0, 1, 3), Standing(1, ANN, 1, 2, 0))
    return Result(match.id, match.guild, match.game, 2000, 2, 60, False, standings)


async def test_figures_add_up_once_a_match(base: Database) -> None:
    results, tallies = Results(base), Tallies(base)
    assert await tallies.of(1, "sea_change") == ()
    first = result(await ended(base))
    for _ in range(3):
        await results.record(first, FIGURES)
    assert set(await tallies.of(1, "sea_change")) == set(FIGURES)
    await results.record(result(await ended(base)), FIGURES[1:])
    assert await tallies.of(1, "sea_change") == (
        Tally("moves", "2", 2, 120),
        Tally("seat", "2.0", 1, 1),
        Tally("seat", "2.1", 2, 0),
    )


async def test_each_server_and_each_game_has_its_own(base: Database) -> None:
    results, tallies = Results(base), Tallies(base)
    await results.record(result(await ended(base)), FIGURES)
    await results.record(replace(result(await ended(base)), guild=2), FIGURES[:1])
    assert set(await tallies.of(1, "sea_change")) == set(FIGURES)
    assert await tallies.of(2, "sea_change") == FIGURES[:1]
    assert await tallies.of(1, "full_sun") == await tallies.of(3, "sea_change") == ()


async def test_figures_stay_when_matches_and_people_are_deleted(base: Database, tmp_path: Path) -> None:
    privacy, tallies = Privacy(base, [], ErasureLog(tmp_path / "sundial.db")), Tallies(base)
    for _ in range(2):
        await Results(base).record(result(await ended(base)), FIGURES)
    before = await tallies.of(1, "sea_change")
    assert {tally.of for tally in before} == {2}
    await privacy.erase(ANN, 2500)
    assert await tallies.of(1, "sea_change") == before
    assert await privacy.erase_ended(3000) == 2
    assert await tallies.of(1, "sea_change") == before


async def test_a_match_that_was_deleted_meanwhile_adds_nothing(base: Database) -> None:
    match = await ended(base)
    await base.write(lambda c: c.execute("DELETE FROM match").rowcount)
    assert await Results(base).record(result(match), FIGURES) is None
    assert await Tallies(base).of(1, "sea_change") == ()


@ONLY_SQLITE
async def test_figures_are_found_by_the_key_alone(base: Database) -> None:
    query = f"EXPLAIN QUERY PLAN {tallies_module.READ}"
    plan = await base.read(lambda c: [str(tuple(row)[3]) for row in c.execute(query, (1, "sea_change"))])
    assert plan == ["SEARCH tally USING PRIMARY KEY (guild=? AND game=?)"]


async def test_figures_have_no_room_for_a_name(base: Database) -> None:
    """No column that could hold a user, a match or an instant."""
    await Results(base).record(result(await ended(base)), FIGURES)
    columns = await base.read(lambda c: list(c.execute("SELECT * FROM tally").fetchone().keys()))
    assert [name for name in columns if name != COLUMN] == ["guild", "game", "kind", "name", "of", "hits"]
