"""Duplicate tables: a result is held until all have ended, also over a restore, and the end compares."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from cogs.match.coaching import Coaching
from cogs.match.duplicates import GRACE, MOST_TABLES, release, release_all
from cogs.match.host_rights import StartTimes
from cogs.match.lobby import Lobby
from cogs.match.membership import Membership
from cogs.match.playback import Playback
from cogs.match.records import Records
from cogs.match.refusals import Reason
from cogs.match.restored import UNTOLD, Mark, mark
from cogs.match.service import MatchService
from cogs.match.verification import Verifier
from cogs.messages.content import MOST_TEXT
from cogs.messages.duplicates import compared
from cogs.messages.end import end_message, honours
from cogs.messages.hand import hand_message
from cogs.messages.presenter import Presenter
from data.records.match import Match, Status
from data.records.matches import Matches
from data.records.people import People
from data.records.results import Results
from data.store.database import Database
from data.store.engine import Connection
from data.store.schema import after_restore, mark_restored
from rules import GAMES
from rules.core.chance import commitment, table_before, without_table
from tests.cogs.duplicates import ANN, BEN, CEM, DIA, EVA, FIN, duplicated, lobby_for, seated, tables_of
from tests.support.inside import database_of, stored_matches
from tests.support.matches import play_on, refusal
from tests.support.verified import run

# Held and released.


async def test_a_table_is_held_until_the_others_have_ended(service: MatchService) -> None:
    one, two, three = await tables_of(service, tables=3)
    await play_on(service, one.id, random=Random("one"))
    await release(service, one.id)
    assert [(await service.load(match.id)).held for match in (one, two, three)] == [True] * 3
    await Lobby(service).cancel(two.id, 0, manager=True)
    await release(service, one.id)
    assert [(await service.load(match.id)).held for match in (one, two, three)] == [True, True, False]
    before = await service.load(one.id)
    await play_on(service, three.id, random=Random("three"))
    await release_all(service)
    await release_all(service)
    after = await service.load(one.id)
    assert (after.held, after.version) == (False, before.version + 1), "released once, and shown again"
    assert await service.index.held_groups() == []


async def test_a_table_that_is_left_alone_is_no_duplicate_any_more(service: MatchService) -> None:
    first = await lobby_for(service, "sea_change", (ANN, BEN))
    second = await duplicated(service, first)
    await Lobby(service).cancel(second.id, second.host, manager=False)
    await release(service, first.id)
    first = await service.load(first.id)
    assert (first.held, first.duplicate) == (False, None)
    assert (await Lobby(service).cut(first.id, ANN, "left")).cuts == ("left",)


async def test_an_empty_duplicate_is_called_off_by_the_host_of_another_table_alone(service: MatchService) -> None:
    first = await lobby_for(service, "sea_change", (ANN, BEN))
    second, third = await duplicated(service, first), await duplicated(service, first)
    first = await Lobby(service).leave(first.id, ANN)
    for user in (ANN, CEM):
        assert await refusal(StartTimes(service, Lobby(service)).set(second.id, user, None)) is Reason.ONLY_HOST
    assert await refusal(Lobby(service).cancel(second.id, CEM, manager=False)) is Reason.NOT_HOST
    assert (await Lobby(service).cancel(second.id, BEN, manager=False)).status is Status.CANCELLED
    await seated(service, third, (CEM,))
    assert await refusal(Lobby(service).cancel(third.id, BEN, manager=False)) is Reason.NOT_HOST


@pytest.mark.parametrize("users", [(), (CEM,)], ids=["empty", "one player"])
async def test_a_lobby_that_never_begins_holds_no_result(service: MatchService, users: tuple[int, ...]) -> None:
    """A player who sits down there later must not know the deals."""
    first = await lobby_for(service, "sea_change", (ANN, BEN))
    second = await seated(service, await duplicated(service, first), users)
    third = await duplicated(service, first)
    await Lobby(service).start(first.id, ANN)
    await release(service, first.id)
    assert (await service.load(first.id)).held, "the other table may still play these deals"
    ended = await play_on(service, first.id, random=Random("one"))
    await release(service, first.id)
    if users:
        assert (await service.load(first.id)).held, "its players have a day to begin"
        assert (await service.load(third.id)).status is Status.LOBBY, "and others to sit down at the last table"
        await service.save(replace(await service.load(first.id), ended_at=(ended.ended_at or 0) - GRACE))
        await release_all(service)
    one, two = await service.load(first.id), await service.load(second.id)
    assert not one.held
    assert (await service.load(third.id)).status is Status.CANCELLED
    assert two.status is (Status.LOBBY if users else Status.CANCELLED)
    if users:
        assert (two.duplicate, two.held, two.dissolved) == (None, False, True)
        assert two.secret != one.secret and len(bytes.fromhex(two.secret)) == 32
        assert (await Lobby(service).cut(two.id, CEM, "left")).cuts == ("left",)


async def restored(database: Database) -> MatchService:
    """Do what the start on a restored backup does; return its service."""

    def restore(c: Connection) -> None:
        mark_restored(c)
        after_restore(c, lambda count: 1_000_000)

    await database.write(restore)
    service = MatchService(Matches(database), People(database), GAMES)
    await release_all(service)
    return service


async def following_lobby(service: MatchService) -> Match:
    first = await lobby_for(service, "sea_change", (ANN, BEN))
    await Lobby(service).start(first.id, ANN)
    await play_on(service, first.id, random=Random("first"))
    match, _ = await Membership(service, Lobby(service)).play_again(first.id, ANN, "P0")
    await Lobby(service).choose_option(match.id, ANN, "seats", "2")
    return await seated(service, match, (BEN,))


async def test_all_tables_are_drawn_if_the_lobby_followed_another_match(service: MatchService, tmp_path: Path) -> None:
    """Only one lobby follows a match. So the fingerprint of the group must not say that the seats go round."""
    lobby = await following_lobby(service)
    assert table_before(lobby.secret) == lobby.previous
    twin = await seated(service, await duplicated(service, lobby), (CEM, DIA))
    both = [await service.load(match.id) for match in (lobby, twin)]
    assert [match.secret for match in both] == [without_table(lobby.secret)] * 2
    for match in both:
        await Lobby(service).start(match.id, match.host)
        await play_on(service, match.id, random=Random(match.id))
    await release_all(service)
    for match in both:
        found = await Verifier(service).verify(match.id)
        assert (found.good, found.seats) == (True, True)
        path = tmp_path / "match.json"
        path.write_bytes(found.export)
        code, said = run(path, commitment(match.secret))
        assert code == 0, said


async def test_a_lobby_that_follows_another_match_does_so_after_a_restore(
    service: MatchService, database: Database, tmp_path: Path
) -> None:
    lobby = await following_lobby(service)
    service = await restored(database)
    match = await service.load(lobby.id)
    assert match.secret != lobby.secret
    assert table_before(match.secret) == match.previous == lobby.previous
    match = await Lobby(service).start(match.id, ANN)
    assert None not in [chair.sat for chair in match.chairs]
    await play_on(service, match.id, random=Random("again"))
    path = tmp_path / "match.json"
    path.write_bytes((await Verifier(service).verify(match.id)).export)
    code, said = run(path, commitment(match.secret))
    assert code == 0, said
    assert f"ok  after table {lobby.previous} the seats went round" in said


async def test_the_lobbies_of_a_group_have_one_secret_after_a_restore(
    service: MatchService, database: Database
) -> None:
    first, alone = (
        await lobby_for(service, "sea_change", (ANN, BEN)),
        await lobby_for(service, "sea_change", (EVA, FIN)),
    )
    second = await seated(service, await duplicated(service, first), (CEM, DIA))
    service = await restored(database)
    one, two, other = [await service.load(match.id) for match in (first, second, alone)]
    assert len({first.secret, alone.secret, one.secret, other.secret}) == 4
    assert (one.secret, one.duplicate, one.held) == (two.secret, first.id, True)
    for match, user in ((one, ANN), (two, CEM)):
        await Lobby(service).start(match.id, user)
    assert service.state(await service.load(one.id)).to_json() == service.state(await service.load(two.id)).to_json()


async def test_a_group_that_had_begun_comes_apart_after_a_restore(service: MatchService, database: Database) -> None:
    first = await lobby_for(service, "sea_change", (ANN, BEN))
    second, third = await duplicated(service, first), await duplicated(service, first)
    await seated(service, second, (CEM, DIA))
    await Lobby(service).start(first.id, ANN)
    service = await restored(database)
    tables = [await service.load(match.id) for match in (first, second, third)]
    assert len({match.secret for match in tables}) == 3
    assert tables[0].secret == first.secret
    assert {(match.duplicate, match.held, match.dissolved) for match in tables} == {(None, False, True)}


async def test_a_table_that_cannot_be_played_on_holds_no_other(service: MatchService) -> None:
    one, other = await tables_of(service)
    await service.save(replace(other, rules=other.rules + 1))
    service.quarantine.sound.clear()
    await release_all(service)
    assert not (await service.load(one.id)).held
    assert service.quarantine.holds(other.id)
    await Lobby(service).cancel(one.id, 0, manager=True)
    await release_all(service)
    assert service.quarantine.holds(other.id)


async def test_nothing_of_a_held_match_is_told_or_recorded(service: MatchService) -> None:
    one, other = await tables_of(service)
    one = await play_on(service, one.id, random=Random("one"))
    player = one.chairs[0].player
    for work in (
        Verifier(service).verify(one.id),
        Playback(service).steps(one.id, -1),
        Coaching(service).review(one.id, player),
    ):
        assert await refusal(work) is Reason.HELD
    results = Results(database_of(stored_matches(service)))
    records = Records(service, results, honours)
    assert await records.record(one) is None
    assert await results.missing(10) == []
    await play_on(service, other.id, random=Random("other"))
    await release_all(service)
    await records.catch_up()
    assert await results.of(one.id) is not None
    assert await results.of(other.id) is not None
    first, second = [await Verifier(service).verify(match.id) for match in (one, other)]
    assert first.good
    assert second.good
    assert (first.secret, first.deals[0]) == (second.secret, second.deals[0])


async def test_a_player_of_a_held_match_is_told_what_it_brought_them(
    service: MatchService, messages: Presenter
) -> None:
    one, _ = await tables_of(service)
    one = await play_on(service, one.id, random=Random("one"))
    outcome = service.state(one).outcome()
    assert one.held and outcome is not None
    for chair in one.people:
        person = await service.people.meet(chair.player, chair.name, "en-US")
        head = (await hand_message(messages, one, person)).parts[0]
        assert isinstance(head, str) and ("You won!" in head) is (chair.number in outcome.winners)
        assert ("Your place: " in head) is (chair.number not in outcome.winners)
        assert " VP · captured " in head, "no picture of the end has the scores yet"


async def test_the_mark_of_a_held_table_tells_no_position(service: MatchService) -> None:
    one, _ = await tables_of(service)
    marks = []
    for _ in range(3):
        story = await service.events_of(one)
        shown = mark(one, service.state(one), story)
        assert shown.hash == UNTOLD
        marks.append(shown.number)
        one = await play_on(service, one.id, 1, random=Random("one"))
    assert marks == sorted(set(marks)), "a restored backup is found to be behind"
    held, released = Mark(5, UNTOLD), Mark(3, "abcdef01")
    assert held.is_behind(Mark(6, UNTOLD))
    assert not held.is_behind(held)
    assert held.is_behind(released), "the table was released after the backup"
    assert not released.is_behind(held), "the release was not shown yet"


# The end.


@pytest.mark.parametrize("slug", GAMES)
async def test_the_end_compares_the_scores_of_each_seat(service: MatchService, messages: Presenter, slug: str) -> None:
    one, other = await tables_of(service, slug)
    one, other = [await play_on(service, match.id, random=Random(f"{slug} {match.id}")) for match in (one, other)]
    await release_all(service)
    first, second = [service.state(match).outcome() for match in (one, other)]
    labels = messages.labels(one)
    found = compared([one, other], [first, second], labels)
    assert [[at.score for at in seat] for seat in found] == [
        list(both) for both in zip(first.scores, second.scores, strict=True)
    ]
    assert all(sum(at.change for at in seat) == 0 for seat in found)
    text = "\n".join(map(str, (await end_message(messages, await service.load(one.id))).parts))
    assert labels.say("duplicate.title") in text
    everyone = [at for seat in found for at in seat]
    most = (min if GAMES[slug].lowest_wins else max)(at.change for at in everyone)
    winners = [at for at in everyone if at.change == most]
    if most:
        said = text[text.index(labels.say("duplicate.best", who="")[:-1]) :]
        assert all(at.name in said for at in winners)
    else:
        assert labels.say("duplicate.equal") in text
    for seat in range(len(one.chairs)):
        assert f"Seat {seat + 1}: " in text
    assert f"[table {other.id}](https://discord.com/channels/1/10" in text


async def test_a_table_that_was_stopped_is_left_out_and_said_so(service: MatchService, messages: Presenter) -> None:
    one, two, three = await tables_of(service, tables=3)
    for match in (one, two):
        await play_on(service, match.id, random=Random(str(match.id)))
    await service.save(replace(await service.load(three.id), status=Status.STOPPED, ended_at=9))
    await release_all(service)
    for match in (one, three):
        text = "\n".join(map(str, (await end_message(messages, await service.load(match.id))).parts))
        assert f"Not compared, because not played to the end: table {three.id}." in text
        assert "Seat 1: " in text


async def test_the_deletion_of_a_table_leaves_the_others_as_they_are(
    service: MatchService, messages: Presenter
) -> None:
    one, two, three = await tables_of(service, tables=3)
    await play_on(service, one.id, random=Random("one"))
    await database_of(stored_matches(service)).write(
        lambda c: c.execute("DELETE FROM match WHERE id = ?", (one.id,)).rowcount
    )
    stored_matches(service).forget()
    await release_all(service)
    assert [(await service.load(match.id)).held for match in (two, three)] == [True, True]
    for match in (two, three):
        await play_on(service, match.id, random=Random(str(match.id)))
    await release_all(service)
    text = "\n".join(map(str, (await end_message(messages, await service.load(two.id))).parts))
    assert f"Same deals: [table {three.id}](" in text
    assert f"table {one.id}]" not in text
    assert (await Verifier(service).verify(two.id)).good


async def test_the_longest_comparison_fits_into_a_message(service: MatchService, messages: Presenter) -> None:
    users = [[ANN + 10 * table + seat for seat in range(8)] for table in range(MOST_TABLES)]
    first = await lobby_for(service, "sea_change", users[0])
    lobbies = [first, *[await duplicated(service, first) for _ in users[1:]]]
    for match, those in zip(lobbies[1:], users[1:], strict=True):
        await seated(service, match, those)
    one = await play_on(service, await Lobby(service).start(first.id, ANN), random=Random("long"))
    for match, those in zip(lobbies[1:], users[1:], strict=True):
        begun = await Lobby(service).start(match.id, those[0])
        await service.save(replace(begun, status=Status.OVER, state=one.state, ended_at=one.ended_at))
        service.positions.forget(match.id)
    for match in lobbies:
        named = await service.load(match.id)
        long = tuple(replace(chair, name=f"{chair.number}{'*_' * 15}W") for chair in named.chairs)
        await service.save(replace(named, chairs=long))
    await release_all(service)
    content = await end_message(messages, await service.load(first.id))
    text = "\n".join(part for part in (*content.parts, content.foot) if isinstance(part, str))
    assert len(text) <= MOST_TEXT
    assert "Seat 1: " in text
    assert messages.labels(one).say("duplicate.equal") in text
    assert "Same deals: " in text


async def test_play_again_is_a_match_of_its_own(service: MatchService) -> None:
    one, other = await tables_of(service)
    for match in (one, other):
        await play_on(service, match.id, random=Random(str(match.id)))
    await release_all(service)
    player = one.chairs[0]
    again, _ = await Membership(service, Lobby(service)).play_again(one.id, player.player, player.name)
    assert (again.duplicate, again.held) == (None, False)
    assert again.secret != one.secret
