"""How pages of the history fit, read, and name their periods; and that every game has one."""

from __future__ import annotations

import pytest

from cogs.messages.history import Listed, Turn, history_message
from cogs.messages.leaderboard import month_of, periods
from data.content.texts import languages, texts
from data.records.histories import Page, Placed
from data.records.histories import Past as Finished
from data.records.visibility import Sought
from rendering.core.labels import Labels
from rules import GAMES
from tests.cogs.test_history import ask
from tests.support.past import START
from tests.support.simulation import Simulation
from tests.support.table import Table

pytestmark = pytest.mark.usefixtures("plain")


# Fitting.


def longest(number: int) -> Finished:
    """A match of eight players with the longest names there are, of which each sign is escaped."""
    places = tuple(Placed(seat, 8, -1_000_000, -1000, False, 2**62 + seat, "*_" * 16) for seat in range(8))
    return Finished(10**9, number, 2**62, "siege_of_sunfall", 10**10, 2**62, 2**62, places)


@pytest.mark.parametrize("locale", languages())
@pytest.mark.parametrize("way", ["f", "o", "n"])
def test_a_page_holds_what_fits_and_leaves_out_nothing(locale: str, way: str) -> None:
    found = tuple(longest(10**9 - at) for at in range(8))
    sought = Sought(1, 2**62, 2**62, "siege_of_sunfall")
    turn = Turn(2**63 - 1, 2**63 - 1, "siege_of_sunfall", way, 10**10, 10**9)
    content = history_message(Listed(sought, Page(found, newer=False, older=False)), turn, locale)
    (text,) = content.parts
    assert isinstance(text, str) and len(text) <= 4_000
    shown = text.count("](https")
    assert 0 < shown < 8
    older, newer, _ = content.rows[0]
    numbers = [Turn.parse(button.id.rest).number for button in (older, newer)]
    first = 8 - shown if way == "n" else 0
    assert numbers == [found[first + shown - 1].number, found[first].number]
    assert (older.disabled, newer.disabled) == ((True, False) if way == "n" else (False, True))


def test_teams_and_matches_without_winners_read_right() -> None:
    def told(*places: tuple[int, int, int, str]) -> str:
        found = tuple(Placed(side, rank, score, None, False, 1, name) for side, rank, score, name in places)
        past = Finished(3, 1, 1, "full_sun", 10, 1, None, found)
        content = history_message(Listed(Sought(1, 1, None), Page((past,), False, False)), Turn(0), "en")
        return str(content.parts[0]).splitlines()[-1]

    teams = told((0, 1, 30, "Ann"), (0, 1, 30, "Cem"), (1, 3, 20, "Ben"), (1, 3, 25, "Dea"))
    assert teams == r"1\. **Ann** and **Cem** 30 · 3. **Ben** and **Dea** 20 / 25"
    assert told((0, 1, 9, "Ann"), (1, 1, 9, "Ben")) == r"1\. **Ann** 9 · 1. **Ben** 9"
    assert told((0, 2, 9, "Ann"), (1, 3, 7, "Ben")) == f"{texts('en')['end.nobody']} **Ann** 9 · **Ben** 7"
    assert told((0, 1, 9, "Ann")) == "**Ann** 9, won"
    assert told((0, 2, 9, "Ann")) == "**Ann** 9, lost"


# Periods.


@pytest.mark.parametrize("code", languages())
def test_the_periods_do_not_depend_on_who_played(code: str) -> None:
    found = periods(START, Labels((), texts(code)))
    assert [period for period, _ in found[:3]] == ["all-time", "2026-09", "2026-08"]
    assert len(found) == 14 and found[-1][0] == "2025-09"
    assert all(month_of(period) is not None for period, _ in found)
    assert all(len(name) <= 100 for _, name in found)


@pytest.mark.parametrize("period", ["", "2026", "2026-00", "2026-1", "1999-01", "٢٠٢٦-01", "2026-01\n", "all"])
def test_other_periods_are_none(period: str) -> None:
    assert month_of(period) is None


@pytest.mark.games("slug", short=["siege_of_sunfall"], long=GAMES)
async def test_every_game_has_a_history(sim: Simulation, slug: str) -> None:
    """From a match that was really played: it is listed, and its players have profiles."""
    people = sim.join_server("alice", "bob", "cara", "dan")[: min(n for n in GAMES[slug].seats if n > 1)]
    table = await Table.begin(sim, slug, people, seed="history")
    await sim.play_on(random=table.random)
    said, _ = await ask(sim, people[0], "history", game=slug)
    assert f"{GAMES[slug].title} · table 1" in said
    assert all(f"**{person.name}**" in said for person in people)
    assert "**1 match**" in (await ask(sim, people[0], "profile"))[0]
