"""What is found of finished matches: lists, profiles, leaderboards, and what an end adds."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from data.records.feats import ENOUGH, Feats
from data.records.histories import Away, Histories
from data.records.leaderboards import Leaderboard
from data.records.people import People
from data.records.privacy import Privacy
from data.records.results import Results
from data.records.visibility import Sought
from data.store.database import Database
from data.store.erasure_log import ErasureLog
from tests.data.conftest import ONLY_SQLITE
from tests.data.histories import ELSEWHERE, HIDDEN, NEVER, numbers
from tests.data.users import ANN, BEN, CEM, DEA
from tests.support.past import DAY, GUILD, START, Past

# Lists.


async def test_the_filters_combine(histories: Histories, past: Past) -> None:
    """By person, by server, by game, and two people against each other; the newest first."""
    one = (await past.played(ANN, BEN)).match
    two = (await past.played(ANN, CEM, game="sea_change")).match
    three = (await past.played(BEN, CEM)).match
    four = (await past.played(BEN, ANN, CEM, game="sea_change")).match
    away = (await past.played(ANN, BEN, guild=ELSEWHERE)).match
    assert await numbers(histories, DEA, ANN) == [four, two, one]
    assert await numbers(histories, DEA, None) == [four, three, two, one]
    assert await numbers(histories, DEA, None, game="sea_change") == [four, two]
    assert await numbers(histories, DEA, ANN, game="sea_change") == [four, two]
    assert await numbers(histories, DEA, ANN, other=BEN) == [four, one]
    assert await numbers(histories, DEA, ANN, other=BEN, game="full_sun") == [one]
    assert await numbers(histories, DEA, ANN, guild=ELSEWHERE) == [away]
    assert await numbers(histories, DEA, NEVER) == await numbers(histories, DEA, ANN, other=NEVER) == []


async def test_a_match_that_ended_later_is_newer(histories: Histories, past: Past) -> None:
    """Even if it was recorded before."""
    late = (await past.played(ANN, BEN, ended_at=START + 900 * DAY)).match
    early = (await past.played(ANN, BEN)).match
    assert await numbers(histories, ANN, ANN) == [late, early]
    assert await numbers(histories, ANN, None) == [late, early]


@pytest.mark.parametrize(
    "how", [{"user": ANN}, {"user": ANN, "other": BEN}, {"user": None}, {"user": None, "game": "full_sun"}]
)
async def test_pages_miss_and_repeat_nothing(histories: Histories, past: Past, how: dict[str, Any]) -> None:
    """There and back, also when several matches ended in the same second."""
    made = [(await past.played(ANN, BEN, ended_at=START + number // 3)).match for number in range(10)]
    sought, seen, at = Sought(CEM, **{"guild": GUILD, **how}), [], None
    pages = []
    while not pages or pages[-1].older:
        page = await histories.page(sought, at, newer=False, most=4)
        assert page.newer == bool(pages)
        pages.append(page)
        seen += [found.match for found in page.matches]
        at = page.matches[-1].key
    assert seen == made[::-1]
    back = await histories.page(sought, pages[2].matches[0].key, newer=True, most=4)
    assert back == replace(pages[1], newer=True, older=True)
    assert await histories.page(sought, back.matches[0].key, newer=True, most=4) == pages[0]


async def test_a_page_whose_matches_are_gone_is_the_first(histories: Histories, past: Past, base: Database) -> None:
    old, new = await past.played(ANN, BEN), await past.played(ANN, BEN)
    sought = Sought(ANN, GUILD, ANN)
    page = await histories.page(sought, None, newer=False, most=1)
    await Privacy(base, (), ErasureLog(None)).erase_ended(old.ended_at + 1)
    again = await histories.page(sought, page.matches[0].key, newer=False, most=1)
    assert [found.match for found in again.matches] == [new.match] and not again.newer and not again.older


async def test_a_match_tells_its_places_and_where_its_end_was_told(histories: Histories, past: Past) -> None:
    result = await past.played(BEN, ANN, None, ranks=(2, 1, 3), scores=(7, 9, 1))
    (found,) = (await histories.page(Sought(CEM, GUILD, ANN), None, newer=False, most=9)).matches
    assert (found.match, found.game, found.guild, found.ended_at) == (result.match, "full_sun", GUILD, result.ended_at)
    assert (found.channel, found.message) == (10, 9000 + result.match)
    told = [(at.name, at.rank, at.score, at.computer) for at in found.places]
    assert told == [("Ann", 1, 9, False), ("Ben", 2, 7, False), ("Ada", 3, 1, True)]
    assert [at.gain for at in found.places] == [None] * 3


async def test_a_match_tells_what_it_changed(histories: Histories, past: Past) -> None:
    result = await past.played(BEN, ANN, ranks=(2, 1))
    (found,) = (await histories.page(Sought(CEM, GUILD, ANN), None, newer=False, most=9)).matches
    assert [at.gain for at in found.places] == [result.standings[1].gain, result.standings[0].gain]
    assert None not in [at.gain for at in found.places]


# Players who were away.


async def test_who_left_a_rated_match_finds_it(histories: Histories, past: Past) -> None:
    """In their own lists and profile, and others in theirs with them; it is no win, whatever their stand-in did."""
    first = await past.played(ANN, None, ranks=(2, 1), gone=(1,), began={1: BEN}, took=(4, 80))
    second = await past.played(ANN, CEM, ranks=(2, 1), gone=(1,), began={1: BEN}, took=(4, 80), honours=("tall",))
    both = [second.match, first.match]
    assert await numbers(histories, BEN, BEN) == await numbers(histories, DEA, BEN) == both
    assert await numbers(histories, DEA, BEN, other=ANN) == await numbers(histories, DEA, ANN, other=BEN) == both
    assert await numbers(histories, DEA, CEM) == [second.match]
    page = await histories.page(Sought(DEA, GUILD, BEN), None, newer=False, most=9)
    changed = [result.standings[1].gain for result in (second, first)]
    assert [found.away for found in page.matches] == [(Away(BEN, "Ben", gain or 0),) for gain in changed]
    assert max(gain or 0 for gain in changed) < 0
    told = [[(at.name, at.rank, at.computer, at.gain is None) for at in found.places] for found in page.matches]
    assert told == [
        [("Cem", 1, False, True), ("Ann", 2, False, False)],
        [("Ada", 1, True, True), ("Ann", 2, False, False)],
    ]
    profile = await histories.profile(DEA, GUILD, BEN)
    assert profile is not None and (profile.name, profile.matches, profile.wins) == ("Ben", 2, 0)
    assert (profile.decisions, profile.honours) == (0, {})
    stood_in = await histories.profile(DEA, GUILD, CEM)
    assert stood_in is not None and (stood_in.matches, stood_in.wins, stood_in.decisions) == (1, 1, 4)


async def test_who_left_is_named_and_found_as_all_others_are(base: Database, histories: Histories, past: Past) -> None:
    people = People(base)
    result = await past.played(ANN, None, ranks=(2, 1), gone=(1,), began={1: BEN}, channel=11)

    async def away(viewer: int, user: int) -> list[int]:
        page = await histories.page(Sought(viewer, GUILD, user), None, newer=False, most=9)
        return [at.user for found in page.matches for at in found.away]

    assert await numbers(histories, BEN, BEN, channels=(10,)) == [result.match], "who took part may know it"
    assert await numbers(histories, CEM, BEN, channels=(10,)) == []
    assert await away(CEM, ANN) == [BEN]
    await people.meet(BEN, "Ben")
    await people.change(BEN, shows_history=False)
    assert await numbers(histories, CEM, BEN) == await numbers(histories, CEM, ANN, other=BEN) == []
    assert (await away(CEM, ANN), await away(BEN, BEN)) == ([], [BEN])
    await people.change(BEN, shows_history=True)
    await Privacy(base, (), ErasureLog(None)).erase(BEN, 1)
    assert (await numbers(histories, BEN, BEN), await away(CEM, ANN)) == ([], [])


async def test_who_is_back_at_the_end_after_having_been_away_has_not_won(histories: Histories, past: Past) -> None:
    await past.played(ANN, BEN, ranks=(1, 2), gone=(0,))
    (found,) = (await histories.page(Sought(CEM, GUILD, ANN), None, newer=False, most=9)).matches
    assert [(at.name, at.gain is None) for at in found.places] == [("Ann", True), ("Ben", False)]
    assert [at.name for at in found.away] == ["Ann"]
    profile = await histories.profile(CEM, GUILD, ANN)
    assert profile is not None and (profile.matches, profile.wins) == (1, 0)
    assert [(rival.user, rival.ahead, rival.behind) for rival in profile.rivals] == [(BEN, 0, 1)]


async def test_the_last_player_to_leave_has_the_place_of_their_seat(histories: Histories, past: Past) -> None:
    """All others had gone before."""
    await past.played(None, None, ranks=(2, 1), gone=(0,), began={0: BEN, 1: ANN}, early=True)
    (found,) = (await histories.page(Sought(CEM, GUILD, ANN), None, newer=False, most=9)).matches
    assert [(at.name, at.rank, at.computer) for at in found.places] == [("Ann", 1, False), ("Ada", 2, True)]
    assert [at.name for at in found.away] == ["Ben"] and (found.places[0].gain or 0) > 0
    for user, wins in ((ANN, 1), (BEN, 0)):
        profile = await histories.profile(CEM, GUILD, user)
        assert profile is not None and (profile.matches, profile.wins) == (1, wins)


async def test_to_leave_ends_a_row_of_wins(base: Database, past: Past) -> None:
    results = [await past.played(ANN, BEN) for _ in range(3)]
    assert (await Results(base).feats(results[-1].match)).in_a_row == {0: 3}
    await past.played(BEN, None, ranks=(2, 1), gone=(1,), began={1: ANN})
    again = await past.played(ANN, BEN)
    assert (await Results(base).feats(again.match)).in_a_row == {0: 1}


# Profiles.


async def test_a_profile_adds_up(histories: Histories, past: Past) -> None:
    for ranks in ((1, 2), (1, 2), (2, 1), (1, 2), (1, 2), (1, 2), (2, 1), (1, 2)):
        await past.played(ANN, BEN, ranks=ranks, honours=("tall", "fast"), took=(3, 60))
    await past.played(ANN, BEN, CEM, ranks=(1, 2, 3), game="sea_change", honours=("tall",), rated=False)
    await past.played(ANN, guild=ELSEWHERE)
    found = await histories.profile(DEA, GUILD, ANN)
    assert found is not None
    assert (found.name, found.matches, found.wins, found.in_a_row, found.most_in_a_row) == ("Ann", 9, 7, 2, 3)
    assert found.by_game == {("full_sun", 2): 8, ("sea_change", 3): 1}
    assert found.wins_by_game == {("full_sun", 2): 6, ("sea_change", 3): 1}
    assert (found.decisions, found.seconds) == (24, 480)
    assert found.honours == {("full_sun", "tall"): 8, ("full_sun", "fast"): 8, ("sea_change", "tall"): 1}
    assert [(rival.name, rival.matches, rival.ahead, rival.behind) for rival in found.rivals] == [
        ("Ben", 9, 7, 2),
        ("Cem", 1, 1, 0),
    ]
    (rated,) = found.ratings
    assert (rated.game, rated.matches, rated.place) == ("full_sun", 8, 1)
    assert rated.points > 1000


async def test_no_rival_sits_in_one_s_own_team(histories: Histories, past: Past) -> None:
    await past.played(ANN, BEN, CEM, DEA, sides=(0, 1, 0, 1), ranks=(1, 3, 1, 3))
    await past.played(ANN, CEM)
    found = await histories.profile(ANN, GUILD, ANN)
    assert found is not None
    scores = [(rival.user, rival.matches, rival.ahead, rival.behind) for rival in found.rivals]
    assert scores == [(CEM, 1, 1, 0), (BEN, 1, 1, 0), (DEA, 1, 1, 0)]
    between = await histories.between(Sought(ANN, GUILD, ANN, other=CEM))
    assert between is not None and between.matches == 1
    assert await numbers(histories, ANN, ANN, other=CEM) == [2, 1], "the list has those played side by side too"


async def test_the_score_between_two_people(histories: Histories, past: Past) -> None:
    await past.played(ANN, BEN)
    await past.played(ANN, BEN, ranks=(1, 1))
    await past.played(CEM, BEN, ANN, game="sea_change")
    found = await histories.between(Sought(DEA, GUILD, BEN, other=ANN))
    assert found is not None and (found.user, found.matches, found.ahead, found.behind) == (ANN, 3, 1, 1)
    found = await histories.between(Sought(DEA, GUILD, BEN, "sea_change", ANN))
    assert found is not None and (found.matches, found.ahead) == (1, 1)
    assert await histories.between(Sought(DEA, GUILD, BEN, other=NEVER)) is None
    assert await histories.between(Sought(DEA, GUILD, BEN)) is None


# Leaderboards.


def places(board: Leaderboard) -> list[tuple[str | None, int]]:
    return [(line.name, line.place) for line in board.lines]


async def test_ties_share_a_place_and_the_own_line_is_always_there(histories: Histories, past: Past) -> None:
    await past.played(ANN, BEN, CEM, DEA, ranks=(1, 1, 3, 4))
    board = await histories.leaderboard(DEA, GUILD, "full_sun", "", 0, 2)
    assert places(board) == [("Ann", 1), ("Ben", 1)]
    assert board.own is not None and (board.own.name, board.own.place, board.of) == ("Dea", 4, 4)
    assert places(await histories.leaderboard(DEA, GUILD, "full_sun", "", 2, 2)) == [("Cem", 3), ("Dea", 4)]
    assert (await histories.leaderboard(NEVER, GUILD, "full_sun", "", 0, 2)).own is None
    for guild, game in ((GUILD, "sea_change"), (ELSEWHERE, "full_sun")):
        assert await histories.leaderboard(DEA, guild, game, "", 0, 2) == Leaderboard((), None, 0)


async def test_a_month_has_its_own_board(histories: Histories, past: Past) -> None:
    await past.played(ANN, BEN)
    await past.played(BEN, ANN, ended_at=START + 40 * DAY)
    assert places(await histories.leaderboard(CEM, GUILD, "full_sun", "2026-09", 0, 5)) == [("Ann", 1), ("Ben", 2)]
    assert places(await histories.leaderboard(CEM, GUILD, "full_sun", "2026-10", 0, 5)) == [("Ben", 1), ("Ann", 2)]


async def test_a_place_takes_three_other_people_or_all_if_there_are_fewer(histories: Histories, past: Past) -> None:
    async def board(month: str = "") -> list[tuple[str | None, int]]:
        found = await histories.leaderboard(NEVER, GUILD, "full_sun", month, 0, 9)
        return [(line.name, line.missing) for line in found.lines]

    for _ in range(9):
        await past.played(ANN, BEN)
    assert await board() == [("Ann", 0), ("Ben", 0)], "there are no others"
    await past.played(CEM, BEN, ended_at=START + 80 * DAY)
    assert await board() == [("Ben", 0), ("Ann", 1), ("Cem", 1)], "the points of ANN from BEN alone give no place"
    assert await board("2026-09") == [("Ann", 0), ("Ben", 0)]
    await past.played(DEA, CEM, game="sea_change")
    await past.played(DEA, CEM, rated=False)
    assert [missing for _, missing in await board()] == [0, 1, 1]
    await past.played(DEA, CEM, 500, 600)
    assert sorted(await board()) == [("Ann", 2), ("Ben", 1), ("Cem", 0), ("Dea", 0), ("user 500", 0), ("user 600", 0)]
    found = await histories.leaderboard(ANN, GUILD, "full_sun", "", 0, 2)
    assert found.own is not None and (found.own.line, found.of) == (5, 6)
    for user, place in ((CEM, 1), (ANN, None)):
        profile = await histories.profile(ANN, GUILD, user)
        assert profile is not None and [at.place == place for at in profile.ratings if at.game == "full_sun"] == [True]


async def test_users_who_have_left_the_server_are_not_listed(histories: Histories, past: Past) -> None:
    await past.played(ANN, BEN, CEM, DEA)
    board = await histories.leaderboard(BEN, GUILD, "full_sun", "", 0, 9, gone=(ANN, CEM))
    assert places(board) == [("Ben", 1), ("Dea", 2)] and board.of == 2


# What an end adds.


async def test_wins_in_a_row_count_here_and_in_this_game(base: Database, past: Past) -> None:
    await past.played(ANN, BEN)
    await past.played(ANN, BEN, game="sea_change")
    await past.played(ANN, BEN, guild=ELSEWHERE)
    await past.played(ANN, BEN)
    third = await past.played(BEN, ANN, ranks=(2, 1))
    await past.played(BEN, ANN)
    fresh = await past.played(ANN, BEN)
    assert (await Results(base).feats(third.match)).in_a_row == {1: 3}, "what came later changes nothing"
    assert (await Results(base).feats(fresh.match)).in_a_row == {0: 1}


async def test_each_of_a_team_has_their_own_row(base: Database, past: Past) -> None:
    await past.played(ANN, BEN)
    both = await past.played(ANN, BEN, CEM, DEA, sides=(0, 1, 0, 1), ranks=(1, 3, 1, 3))
    assert (await Results(base).feats(both.match)).in_a_row == {0: 2, 2: 1}


@pytest.mark.parametrize("hide", HIDDEN)
async def test_nothing_is_told_at_the_end_of_those_who_are_hidden(
    base: Database, past: Past, hide: Callable[[Database], Any]
) -> None:
    for _ in range(ENOUGH):
        await past.played(ANN, BEN, scores=(30, 20))
    close = await past.played(ANN, BEN, scores=(30, 29))
    assert await Results(base).feats(close.match) == Feats({0: 6}, closest=True)
    await hide(base)
    assert await Results(base).feats(close.match) == Feats()


@pytest.mark.parametrize(
    ("scores", "ranks", "closest"),
    [((9, 4), (1, 2), True), ((9, 3), (1, 2), False), ((9, 9), (1, 1), True), ((9, 9), (1, 2), True)],
)
async def test_the_closest_match_is_closer_than_all_before(
    base: Database, past: Past, scores: tuple[int, ...], ranks: tuple[int, ...], closest: bool
) -> None:
    await past.played(ANN, BEN, scores=(30, 29), game="sea_change")
    await past.played(ANN, BEN, scores=(30, 29), guild=ELSEWHERE)
    await past.played(ANN, scores=(3,))
    for margin in range(6, 6 + ENOUGH - 1):
        await past.played(ANN, BEN, scores=(30, 30 - margin))
    few = await past.played(ANN, BEN, scores=scores, ranks=ranks)
    assert not (await Results(base).feats(few.match)).closest, "four before it are too few, and a match alone is none"
    await base.write(lambda c: c.execute("DELETE FROM match WHERE id = ?", (few.match,)).rowcount)
    await past.played(CEM, DEA, scores=(30, 20))
    assert (
        await Results(base).feats((await past.played(ANN, BEN, scores=scores, ranks=ranks)).match)
    ).closest == closest


async def test_of_a_team_the_next_best_side_counts(base: Database, past: Past) -> None:
    for _ in range(ENOUGH):
        await past.played(ANN, BEN, scores=(30, 20))
    close = await past.played(ANN, BEN, CEM, DEA, sides=(0, 1, 0, 1), ranks=(1, 3, 1, 3), scores=(30, 25, 30, 25))
    assert (await Results(base).feats(close.match)).closest


# Speed.


@ONLY_SQLITE
async def test_no_query_reads_whole_tables(base: Database, played: Past, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every query of these modules, as it is run, with its plan: only searches of an index or of rows by number."""
    seen: dict[str, list[str]] = {}
    whole = ("result", "standing", "rating", "match", "player", "person", "seat", "post", "at", "own", "theirs", "mine")

    def watched(read: Callable[[sqlite3.Connection], Any]) -> Callable[[sqlite3.Connection], Any]:
        def work(c: sqlite3.Connection) -> Any:
            run: list[str] = []
            c.set_trace_callback(run.append)
            try:
                return read(c)
            finally:
                c.set_trace_callback(None)
                for sql in run:
                    seen[sql] = [row["detail"] for row in c.execute(f"EXPLAIN QUERY PLAN {sql}")]

        return work

    real = base.read
    monkeypatch.setattr(base, "read", lambda work: real(watched(work)))
    histories = Histories(base)
    await histories.channels(GUILD)
    for sought in (
        Sought(BEN, GUILD, ANN, channels=(10, 11)),
        Sought(BEN, GUILD, None, channels=(10, 11)),
        Sought(BEN, GUILD, ANN),
        Sought(BEN, GUILD, ANN, other=BEN),
        Sought(BEN, GUILD, None),
        Sought(BEN, GUILD, None, "full_sun"),
        Sought(BEN, None, BEN),
    ):
        page = await histories.page(sought, None, newer=False, most=1)
        for newer in (False, True):
            await histories.page(sought, page.matches[0].key, newer=newer, most=1)
        await histories.between(sought)
    await histories.profile(BEN, GUILD, ANN, (10, 11))
    await histories.leaderboard(BEN, GUILD, "full_sun", "", 0, 20, channels=(10, 11), gone=(CEM,))
    await Results(base).feats(4)
    assert len(seen) > 30
    for sql, plan in seen.items():
        scans = [line.split()[1] for line in plan if line.startswith("SCAN") and line.split()[1] in whole]
        parts = re.findall(r"\) AS (\w+)", sql)  # what another part of the query has found is no table
        assert Counter(scans) <= Counter(parts), (sql, plan)
