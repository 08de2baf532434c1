"""Who may see what of finished matches. Each user's own choice counts more than the server's, and a channel that one
cannot read hides its matches.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from data.records.histories import Histories, Page
from data.records.people import People
from data.records.servers import Servers
from data.records.visibility import Sought
from data.store.database import Database
from data.store.engine import Connection
from tests.data.histories import ELSEWHERE, HIDDEN, NEVER, erased, numbers, off_by_oneself
from tests.data.users import ANN, BEN, CEM, DEA
from tests.support.past import DAY, GUILD, START, Past

NOTHING = Page((), newer=False, older=False)


# Who may see what.


async def everything(histories: Histories, viewer: int, user: int) -> list[object]:
    """All that a viewer can ask about one person by name."""
    return [
        await histories.page(Sought(viewer, GUILD, user), None, newer=False, most=9),
        await histories.page(Sought(viewer, GUILD, user, "full_sun"), None, newer=False, most=9),
        await histories.page(Sought(viewer, GUILD, viewer, other=user), None, newer=False, most=9),
        await histories.page(Sought(viewer, GUILD, DEA, other=user), None, newer=False, most=9),
        await histories.page(Sought(viewer, GUILD, user, other=DEA), None, newer=False, most=9),
        await histories.page(Sought(viewer, None, user), None, newer=False, most=9),
        await histories.between(Sought(viewer, GUILD, viewer, other=user)),
        await histories.between(Sought(viewer, GUILD, user, other=viewer)),
        await histories.profile(viewer, GUILD, user),
    ]


NO_PLAYER = [NOTHING] * 6 + [None] * 3
"""What there is about a person who never played."""


@pytest.mark.parametrize("hide", HIDDEN)
async def test_a_hidden_person_is_as_one_who_never_played(
    histories: Histories, played: Past, base: Database, hide: Callable[[Database], Any]
) -> None:
    assert await everything(histories, BEN, NEVER) == NO_PLAYER
    assert NOTHING not in (await everything(histories, BEN, ANN))[:5], "there was something to see"
    await hide(base)
    assert await everything(histories, BEN, ANN) == NO_PLAYER


async def test_hidden_and_deleted_people_look_alike_to_others(
    histories: Histories, played: Past, base: Database
) -> None:
    """Whatever others can see is equal for both, so no person can tell which it is."""

    async def seen() -> list[object]:
        found: list[object] = [
            await histories.page(Sought(BEN, GUILD, user), None, newer=False, most=9) for user in (None, BEN, DEA)
        ]
        found += [await histories.profile(BEN, GUILD, user) for user in (BEN, CEM, DEA)]
        found += [await histories.leaderboard(BEN, GUILD, "full_sun", month, 0, 9) for month in ("", "2026-09")]
        return found

    before = await seen()
    await off_by_oneself(base)
    hidden = await seen()
    await erased(base)
    assert await seen() == hidden != before
    assert "Ann" not in repr(hidden) and f"user={ANN}" not in repr(hidden)
    page = hidden[0]
    assert isinstance(page, Page)
    ann = next(at for at in page.matches[-1].places if at.rank == 1)
    assert (ann.name, ann.user, ann.gain, ann.computer, ann.score) == (None, None, None, False, 28)


@pytest.mark.parametrize("hide", HIDDEN[:2])
async def test_people_see_their_own(
    histories: Histories, played: Past, base: Database, hide: Callable[[Database], Any]
) -> None:
    before = await everything(histories, ANN, ANN)
    board = await histories.leaderboard(ANN, GUILD, "full_sun", "", 0, 9)
    await hide(base)
    assert await everything(histories, ANN, ANN) == before
    assert await histories.leaderboard(ANN, GUILD, "full_sun", "", 0, 9) == board


async def test_a_choice_of_one_s_own_counts_more_than_the_server_s(
    histories: Histories, played: Past, base: Database
) -> None:
    before = await everything(histories, BEN, ANN)
    await Servers(base).change(GUILD, shows_history=False)
    for user in (ANN, BEN, DEA):
        await People(base).change(user, shows_history=True)
    assert (await histories.profile(BEN, GUILD, ANN)) is not None
    assert await histories.between(Sought(BEN, GUILD, BEN, other=ANN)) == before[6]
    assert await histories.profile(BEN, GUILD, CEM) is None
    assert await numbers(histories, BEN, None) == [], "such a server has no list of all matches"


async def test_a_match_in_which_no_player_is_named_is_in_no_list_of_a_server(
    histories: Histories, past: Past, base: Database
) -> None:
    await past.played(ANN, None)
    both = await past.played(ANN, BEN)
    await off_by_oneself(base)
    assert await numbers(histories, CEM, None) == await numbers(histories, CEM, None, game="full_sun") == [both.match]
    assert len(await numbers(histories, ANN, None)) == 2


async def test_nothing_is_told_outside_its_server(histories: Histories, past: Past) -> None:
    here = (await past.played(ANN, BEN)).match
    away = (await past.played(ANN, BEN, guild=ELSEWHERE)).match
    assert await numbers(histories, BEN, ANN) == [here]
    assert await histories.profile(BEN, 3, ANN) is None
    assert await numbers(histories, BEN, BEN, guild=None) == [away, here], "in direct messages: their own, of all"
    assert await numbers(histories, BEN, ANN, guild=None) == []
    assert await numbers(histories, BEN, None, guild=None) == []
    found = await histories.profile(BEN, None, BEN)
    assert found is not None and (found.matches, found.ratings) == (2, ())


async def test_a_name_is_the_one_of_that_server(histories: Histories, past: Past) -> None:
    await past.played(ANN, BEN)
    past.names[ANN] = "Secret Ann"
    await past.played(ANN, BEN, guild=ELSEWHERE)
    found = await histories.profile(BEN, GUILD, BEN)
    assert found is not None and [rival.name for rival in found.rivals] == ["Ann"]
    assert (await histories.leaderboard(BEN, GUILD, "full_sun", "", 0, 9)).lines[0].name == "Ann"


# Channels.

OPEN, SECRET, THREAD, OLD = 10, 11, 12, 13
"""A channel that everyone can read, one that CEM cannot, a public thread of it, and a deleted one."""


async def everything_in(histories: Histories, viewer: int, channels: list[int] | None) -> list[object]:
    """All that a viewer can ask in a server, but for leaderboards and ratings, which follow from all matches."""
    found: list[object] = []
    for user in (None, ANN, BEN, CEM, DEA):
        for other in (None, ANN, CEM):
            for game in (None, "full_sun", "sea_change"):
                sought = Sought(viewer, GUILD, user, game, other, channels)
                first = await histories.page(sought, None, newer=False, most=3)
                found += [first, await histories.between(sought)]
                if first.older:
                    found.append(await histories.page(sought, first.matches[-1].key, newer=False, most=3))
        if user is not None:
            profile = await histories.profile(viewer, GUILD, user, channels)
            found.append(profile and replace(profile, ratings=()))
    return found


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(1, 4))])
async def test_a_match_of_a_channel_that_one_cannot_read_is_as_if_never_played(base: Database, seed: int) -> None:
    """Lists, their pages, scores and profiles of a viewer equal those of a server without these matches."""
    print(f"seed {seed}")
    random, histories, past = Random(seed), Histories(base), Past(base)
    hidden = []
    for _ in range(30):
        users = random.sample([ANN, BEN, CEM, DEA], random.choice([2, 2, 3]))
        place = random.choice([OPEN, SECRET, THREAD, OLD])
        result = await past.played(
            *users,
            game=random.choice(["full_sun", "sea_change"]),
            channel=place,
            parent=SECRET if place == THREAD else None,
        )
        if place != OPEN and CEM not in users:
            hidden.append(result.match)
    assert hidden
    viewed, whole = await everything_in(histories, CEM, [OPEN]), await everything_in(histories, CEM, None)
    assert viewed != whole == await everything_in(histories, CEM, [OPEN, SECRET, OLD])

    def delete(c: Connection) -> None:
        c.executemany("DELETE FROM match WHERE id = ?", [(number,) for number in hidden])

    await base.write(delete)
    assert await everything_in(histories, CEM, [OPEN]) == viewed == await everything_in(histories, CEM, None)


async def test_a_leaderboard_lists_whom_the_viewer_has_seen_play(histories: Histories, past: Past) -> None:
    """The points count all matches. A player of whom the viewer sees no rated match of that time is not listed."""
    await past.played(ANN, BEN, channel=SECRET)
    await past.played(ANN, CEM, channel=SECRET, ended_at=START + 40 * DAY)
    await past.played(BEN, DEA)
    await past.played(ANN, DEA, rated=False)

    async def names(viewer: int, month: str, channels: list[int]) -> list[str | None]:
        board = await histories.leaderboard(viewer, GUILD, "full_sun", month, 0, 9, channels=channels)
        return sorted((line.name for line in board.lines), key=str)

    assert await names(NEVER, "", [OPEN, SECRET]) == ["Ann", "Ben", "Cem", "Dea"]
    assert await names(NEVER, "", [OPEN]) == ["Ben", "Dea"]
    assert await names(CEM, "", [OPEN]) == ["Ann", "Ben", "Cem", "Dea"], "CEM has played with ANN"
    assert await names(CEM, "2026-09", [OPEN]) == ["Ben", "Dea"]
    for viewer, listed in ((NEVER, False), (CEM, True)):
        profile = await histories.profile(viewer, GUILD, ANN, [OPEN])
        assert profile is not None and bool(profile.ratings) == listed, "ANN's match with DEA is no rated one"
