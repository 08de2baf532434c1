"""Duplicate tables: the same deals at several tables, hidden from all but their players until every table has ended,
and then compared seat by seat.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cogs.match.coaching import Coaching
from cogs.match.duplicates import MOST_TABLES, Duplicates
from cogs.match.groups import GRACE, release, release_all
from cogs.match.lobby import Lobby
from cogs.match.membership import Membership
from cogs.match.playback import Playback
from cogs.match.records import Records
from cogs.match.refusals import Reason, Refused
from cogs.match.restored import UNTOLD, Mark, mark
from cogs.match.service import MatchService
from cogs.match.start_times import StartTimes
from cogs.match.verification import Verifier
from cogs.messages.content import MOST_TEXT
from cogs.messages.duplicates import compared
from cogs.messages.honours import honours
from cogs.messages.messages import Messages
from data.records.match import Match, Status, Terms
from data.records.matches import Matches
from data.records.people import People
from data.records.results import Results
from data.records.servers import Server
from data.store.database import Database
from data.store.engine import Connection
from data.store.erasure_log import ErasureLog
from data.store.schema import after_restore, mark_restored
from rules import GAMES
from rules.core.chance import commitment, table_before, without_table
from rules.core.game import Seat
from tests.support.table import fewest_seats, shortest_options
from tests.test_verify import run

ANN, BEN, CEM, DIA, EVA, FIN, GIL = range(100, 107)


async def people(host: MatchService) -> None:
    for user in range(ANN, ANN + 40):
        await host.people.meet(user, f"P{user - ANN}")


async def lobby_for(host: MatchService, slug: str, users: Sequence[int], seats: int | None = None) -> Match:
    """Return a lobby in which these users sit, for exactly as many players."""
    await people(host)
    lobby, (first, *more) = Lobby(host), users
    match = await lobby.open(slug, guild=1, channel=10, user=first, name=f"P{first - ANN}", terms=Terms(locale="en"))
    for name, value in shortest_options(slug, seats or len(users)).items():
        match = await lobby.choose_option(match.id, first, name, value)
    match = await lobby.choose_option(match.id, first, "seats", str(seats or len(users)))
    for user in more:
        match = await lobby.join(match.id, user, f"P{user - ANN}")
    return match


async def duplicated(host: MatchService, match: Match) -> Match:
    """Return a duplicate of that lobby, opened by its host."""
    return await Duplicates(host, Lobby(host)).open(match.id, match.host, "host")


async def seated(host: MatchService, match: Match, users: Sequence[int]) -> Match:
    for user in users:
        match = await Lobby(host).join(match.id, user, f"P{user - ANN}")
    return match


async def begun(host: MatchService, slug: str = "sea_change", tables: int = 2) -> list[Match]:
    """Return tables of a group, all of them started."""
    seats = fewest_seats(slug)
    users = [[ANN + 10 * table + seat for seat in range(seats)] for table in range(tables)]
    first = await lobby_for(host, slug, users[0])
    lobbies = [first, *[await duplicated(host, first) for _ in users[1:]]]
    for match, those in zip(lobbies[1:], users[1:], strict=True):
        await seated(host, match, those)
    started = [await Lobby(host).start(match.id, those[0]) for match, those in zip(lobbies, users, strict=True)]
    return [await host.load(match.id) for match in started]


async def moved(host: MatchService, number: int, random: Random, most: int = 5_000) -> Match:
    """Make that many random moves, or all to the end."""
    match = await host.load(number)
    for _ in range(most):
        if not match.open:
            break
        state = host.state(match)
        seat = random.choice(sorted(state.to_move()))
        move = random.choice(state.legal_moves(seat))
        match = (await host.play(number, match.chairs[seat].player, None, str(move))).match
    return match


async def refusal(work: Any) -> Reason:
    with pytest.raises(Refused) as refused:
        await work
    return refused.value.reason


@pytest.mark.parametrize("slug", GAMES)
async def test_all_tables_have_the_same_deals_and_options(host: MatchService, slug: str) -> None:
    one, other = await begun(host, slug)
    first, second = host.state(one), host.state(other)
    assert (one.secret, one.seed, one.options) == (other.secret, other.seed, other.options)
    assert first.to_json() == second.to_json()
    for seat in range(len(one.chairs)):
        assert first.view(Seat(seat)) == second.view(Seat(seat))
    for match in (one, other):
        assert match.duplicate == one.id
        assert match.held
    assert not {chair.user for chair in one.chairs} & {chair.user for chair in other.chairs}


async def test_the_deck_is_the_one_of_the_first_table_whatever_the_operator_changes(host: MatchService) -> None:
    first = await lobby_for(host, "sea_change", (ANN, BEN))
    deck = {**GAMES["sea_change"].deck}
    decks = {"sea_change": {name: deck[name] for name in reversed(deck)} | {"changed": True}}
    second = await Duplicates(host, Lobby(host, decks)).open(first.id, ANN, "Ann")
    assert second.options["deck"] == first.options["deck"] == (await host.load(first.id)).options["deck"]


async def test_the_number_of_seats_becomes_that_of_the_lobby(host: MatchService) -> None:
    await people(host)
    match = await Lobby(host).open("full_circle", guild=1, channel=10, user=ANN, name="Ann", terms=Terms(locale="en"))
    second = await duplicated(host, match)
    assert second.wanted == (await host.load(match.id)).wanted == GAMES["full_circle"].seats[-1]
    await seated(host, second, (BEN, CEM))
    assert await refusal(Lobby(host).start(second.id, BEN)) is Reason.TOO_FEW


async def test_the_first_to_join_becomes_the_host(host: MatchService) -> None:
    second = await duplicated(host, await lobby_for(host, "sea_change", (ANN, BEN)))
    assert second.status is Status.LOBBY
    assert second.chairs == ()
    second = await seated(host, second, (CEM, DIA))
    assert second.host == CEM
    assert (await Lobby(host).start(second.id, CEM)).status is Status.PLAYING


async def test_what_shapes_the_deals_is_locked_at_every_table(host: MatchService) -> None:
    lobby, first = Lobby(host), await lobby_for(host, "sea_change", (ANN, BEN))
    await lobby.cut(first.id, ANN, "left")
    second = await seated(host, await duplicated(host, first), (CEM, DIA))
    first = await host.load(first.id)
    assert first.cuts == ()
    for match, user in ((first, ANN), (second, CEM)):
        for name, value in (("target", "3"), ("seats", "3"), ("teams", "none")):
            assert await refusal(lobby.choose_option(match.id, user, name, value)) is Reason.SAME_DEALS
        assert await refusal(lobby.cut(match.id, user, "right")) is Reason.NO_CUT
    assert (await lobby.choose_option(second.id, CEM, "hints", "off")).hints is False
    assert (await host.load(first.id)).hints


async def test_who_may_open_one_and_how_many(host: MatchService) -> None:
    tables, first = Duplicates(host, Lobby(host)), await lobby_for(host, "sea_change", (ANN, BEN))
    for user in (BEN, CEM):
        assert await refusal(tables.open(first.id, user, "P")) is Reason.ONLY_HOST
    for _ in range(MOST_TABLES - 1):
        last = await tables.open(first.id, ANN, "Ann")
    assert await refusal(tables.open(first.id, ANN, "Ann")) is Reason.DUPLICATES_FULL
    await seated(host, last, (CEM, DIA))
    await Lobby(host).start(last.id, CEM)
    assert await refusal(tables.open(first.id, ANN, "Ann")) is Reason.DUPLICATES_BEGUN
    assert await refusal(tables.open(last.id, CEM, "Cem")) is Reason.STARTED


async def test_a_server_without_room_gets_no_duplicate_and_the_lobby_stays_as_it_was(
    host: MatchService, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await lobby_for(host, "sea_change", (ANN, BEN))
    await Lobby(host).cut(first.id, ANN, "left")

    async def of(guild: int) -> Server:
        return Server(guild, most_open=1)

    monkeypatch.setattr(host.policy, "of", of)
    assert await refusal(Duplicates(host, Lobby(host)).open(first.id, ANN, "Ann")) is Reason.SERVER_FULL
    first = await host.load(first.id)
    assert (first.duplicate, first.held, first.cuts) == (None, False, ("left",))


async def test_options_that_do_not_fit_the_seats_are_refused(host: MatchService) -> None:
    first = await lobby_for(host, "sea_change", (ANN, BEN))
    await host.save(replace(first, options={**first.options, "teams": "2"}))
    assert await refusal(Duplicates(host, Lobby(host)).open(first.id, ANN, "Ann")) is Reason.OPTIONS_DO_NOT_FIT


async def test_a_table_of_other_rules_does_not_start(host: MatchService) -> None:
    first = await lobby_for(host, "sea_change", (ANN, BEN))
    second = await seated(host, await duplicated(host, first), (CEM, DIA))
    started = await Lobby(host).start(first.id, ANN)
    await host.save(replace(started, rules=started.rules + 1))
    assert await refusal(Lobby(host).start(second.id, CEM)) is Reason.DUPLICATE_RULES


# One table a person.


async def test_a_player_sits_at_one_table_only(host: MatchService) -> None:
    first = await lobby_for(host, "sea_change", (ANN, BEN))
    second = await duplicated(host, first)
    assert await refusal(Lobby(host).join(second.id, ANN, "Ann")) is Reason.OTHER_TABLE
    await seated(host, second, (CEM, DIA))
    members = Membership(host, Lobby(host))
    assert await refusal(members.join(second.id, ANN, "Ann")) is Reason.OTHER_TABLE, "nor do they wait there"
    await Lobby(host).leave(first.id, BEN)
    await seated(host, first, (EVA,))
    await Lobby(host).leave(second.id, DIA)
    await seated(host, second, (BEN,))  # in a lobby they have seen nothing yet


async def test_of_two_presses_at_once_one_seats_the_player(host: MatchService) -> None:
    first = await lobby_for(host, "sea_change", (ANN,), seats=2)
    second = await duplicated(host, first)
    found = await asyncio.gather(*(Lobby(host).join(m.id, EVA, "Eva") for m in (first, second)), return_exceptions=True)
    assert [type(one) for one in found] in ([Match, Refused], [Refused, Match])
    assert len(await host.index.of_player(EVA)) == 1


async def test_tables_opened_at_once_are_no_more_than_allowed_and_all_of_one_group(host: MatchService) -> None:
    first = await lobby_for(host, "sea_change", (ANN, BEN))
    second = await seated(host, await duplicated(host, first), (CEM, DIA))
    opens = [Duplicates(host, Lobby(host)).open(*of) for of in ((first.id, ANN, "A"), (second.id, CEM, "C")) * 3]
    found = await asyncio.gather(*opens, return_exceptions=True)
    assert sum(isinstance(one, Match) for one in found) == MOST_TABLES - 2
    group = await host.index.of_group(first.id)
    assert len(group) == MOST_TABLES
    assert {(match.secret, match.held, match.wanted) for match in group} == {(first.secret, True, 2)}


async def test_a_waiting_user_who_has_sat_down_elsewhere_is_passed_over(host: MatchService) -> None:
    first = await lobby_for(host, "sea_change", (ANN, BEN))
    second, members = await duplicated(host, first), Membership(host, Lobby(host))
    await members.join(first.id, EVA, "Eva")
    await members.join(first.id, FIN, "Fin")
    await seated(host, second, (EVA,))
    first = await Lobby(host).leave(first.id, BEN)
    assert [chair.user for chair in first.chairs] == [ANN, FIN]


async def test_who_has_sat_at_a_table_takes_no_seat_at_another(host: MatchService) -> None:
    one, other = await begun(host)
    members = Membership(host, Lobby(host))
    leaver, former = one.chairs[0].player, other.chairs[0].player
    one = await members.give_seat_to_computer(one.id, leaver)
    other = await members.give_seat_to_computer(other.id, former)
    for user, match in ((leaver, other), (former, one), (one.chairs[1].player, other)):
        assert await refusal(members.take_seat(match.id, user, "P", 0)) is Reason.OTHER_TABLE
    assert (await members.take_seat(one.id, GIL, "Gil", 0)).seat_of(GIL) == 0
    assert (await members.come_back(other.id, former, "P")).seat_of(former) == 0


async def test_a_user_whose_data_was_deleted_since_takes_no_seat_at_another(host: MatchService, tmp_path: Path) -> None:
    one, other = await begun(host)
    departures = ErasureLog(tmp_path / "sundial.db")
    departures.note(GIL, int(host.now()) + 1)
    members = Membership(host, Lobby(host, departures=departures))
    one = await members.give_seat_to_computer(one.id, one.chairs[0].player)
    await host.save(replace(one, started_at=int(host.now()) + 10))
    assert await refusal(members.take_seat(one.id, GIL, "Gil", 0)) is Reason.DEPARTED_SINCE, f"from table {other.id}"


# Held and released.


async def test_a_table_is_held_until_the_others_have_ended(host: MatchService) -> None:
    one, two, three = await begun(host, tables=3)
    await moved(host, one.id, Random("one"))
    await release(host, one.id)
    assert [(await host.load(match.id)).held for match in (one, two, three)] == [True] * 3
    await Lobby(host).cancel(two.id, 0, manager=True)
    await release(host, one.id)
    assert [(await host.load(match.id)).held for match in (one, two, three)] == [True, True, False]
    before = await host.load(one.id)
    await moved(host, three.id, Random("three"))
    await release_all(host)
    await release_all(host)
    after = await host.load(one.id)
    assert (after.held, after.version) == (False, before.version + 1), "released once, and shown again"
    assert await host.index.held_groups() == []


async def test_a_table_that_is_left_alone_is_no_duplicate_any_more(host: MatchService) -> None:
    first = await lobby_for(host, "sea_change", (ANN, BEN))
    second = await duplicated(host, first)
    await Lobby(host).cancel(second.id, second.host, manager=False)
    await release(host, first.id)
    first = await host.load(first.id)
    assert (first.held, first.duplicate) == (False, None)
    assert (await Lobby(host).cut(first.id, ANN, "left")).cuts == ("left",)


async def test_an_empty_duplicate_is_called_off_by_the_host_of_another_table_alone(host: MatchService) -> None:
    first = await lobby_for(host, "sea_change", (ANN, BEN))
    second, third = await duplicated(host, first), await duplicated(host, first)
    first = await Lobby(host).leave(first.id, ANN)
    for user in (ANN, CEM):
        assert await refusal(StartTimes(host, Lobby(host)).set(second.id, user, None)) is Reason.ONLY_HOST
    assert await refusal(Lobby(host).cancel(second.id, CEM, manager=False)) is Reason.NOT_HOST
    assert (await Lobby(host).cancel(second.id, BEN, manager=False)).status is Status.CANCELLED
    await seated(host, third, (CEM,))
    assert await refusal(Lobby(host).cancel(third.id, BEN, manager=False)) is Reason.NOT_HOST


@pytest.mark.parametrize("users", [(), (CEM,)], ids=["empty", "one player"])
async def test_a_lobby_that_never_begins_holds_no_result(host: MatchService, users: tuple[int, ...]) -> None:
    """A player who sits down there later must not know the deals."""
    first = await lobby_for(host, "sea_change", (ANN, BEN))
    second = await seated(host, await duplicated(host, first), users)
    await Lobby(host).start(first.id, ANN)
    await release(host, first.id)
    assert (await host.load(first.id)).held, "the other table may still play these deals"
    ended = await moved(host, first.id, Random("one"))
    await release(host, first.id)
    if users:
        assert (await host.load(first.id)).held, "its players have a day to begin"
        await host.save(replace(await host.load(first.id), ended_at=(ended.ended_at or 0) - GRACE))
        await release_all(host)
    one, two = await host.load(first.id), await host.load(second.id)
    assert not one.held
    assert two.status is (Status.LOBBY if users else Status.CANCELLED)
    if users:
        assert (two.duplicate, two.held, two.dissolved) == (None, False, True)
        assert two.secret != one.secret
        assert (await Lobby(host).cut(two.id, CEM, "left")).cuts == ("left",)


async def restored(database: Database) -> MatchService:
    """Do what the start on a restored backup does; return its service."""

    def restore(c: Connection) -> None:
        mark_restored(c)
        after_restore(c, lambda count: None)

    await database.write(restore)
    host = MatchService(Matches(database), People(database), GAMES)
    await release_all(host)
    return host


async def following_lobby(host: MatchService) -> Match:
    """Return the lobby of ANN and BEN that follows a match of theirs."""
    first = await lobby_for(host, "sea_change", (ANN, BEN))
    await Lobby(host).start(first.id, ANN)
    await moved(host, first.id, Random("first"))
    match, _ = await Membership(host, Lobby(host)).play_again(first.id, ANN, "P0")
    await Lobby(host).choose_option(match.id, ANN, "seats", "2")
    return await seated(host, match, (BEN,))


async def test_all_tables_are_drawn_if_the_lobby_followed_another_match(host: MatchService, tmp_path: Path) -> None:
    """Only one lobby follows a match. So the fingerprint of the group must not say that the seats go round."""
    lobby = await following_lobby(host)
    assert table_before(lobby.secret) == lobby.previous
    twin = await seated(host, await duplicated(host, lobby), (CEM, DIA))
    both = [await host.load(match.id) for match in (lobby, twin)]
    assert [match.secret for match in both] == [without_table(lobby.secret)] * 2
    for match in both:
        await Lobby(host).start(match.id, match.host)
        await moved(host, match.id, Random(match.id))
    await release_all(host)
    for match in both:
        found = await Verifier(host).verify(match.id)
        assert (found.good, found.seats) == (True, True)
        path = tmp_path / "match.json"
        path.write_bytes(found.export)
        code, said = run(path, commitment(match.secret))
        assert code == 0, said


async def test_a_lobby_that_follows_another_match_does_so_after_a_restore(
    host: MatchService, database: Database, tmp_path: Path
) -> None:
    lobby = await following_lobby(host)
    host = await restored(database)
    match = await host.load(lobby.id)
    assert match.secret != lobby.secret
    assert table_before(match.secret) == match.previous == lobby.previous
    match = await Lobby(host).start(match.id, ANN)
    assert None not in [chair.sat for chair in match.chairs]
    await moved(host, match.id, Random("again"))
    path = tmp_path / "match.json"
    path.write_bytes((await Verifier(host).verify(match.id)).export)
    code, said = run(path, commitment(match.secret))
    assert code == 0, said
    assert f"ok  after table {lobby.previous} the seats went round" in said


async def test_the_lobbies_of_a_group_have_one_secret_after_a_restore(host: MatchService, database: Database) -> None:
    first, alone = await lobby_for(host, "sea_change", (ANN, BEN)), await lobby_for(host, "sea_change", (EVA, FIN))
    second = await seated(host, await duplicated(host, first), (CEM, DIA))
    host = await restored(database)
    one, two, other = [await host.load(match.id) for match in (first, second, alone)]
    assert len({first.secret, alone.secret, one.secret, other.secret}) == 4
    assert (one.secret, one.duplicate, one.held) == (two.secret, first.id, True)
    for match, user in ((one, ANN), (two, CEM)):
        await Lobby(host).start(match.id, user)
    assert host.state(await host.load(one.id)).to_json() == host.state(await host.load(two.id)).to_json()


async def test_a_group_that_had_begun_comes_apart_after_a_restore(host: MatchService, database: Database) -> None:
    first = await lobby_for(host, "sea_change", (ANN, BEN))
    second, third = await duplicated(host, first), await duplicated(host, first)
    await seated(host, second, (CEM, DIA))
    await Lobby(host).start(first.id, ANN)
    host = await restored(database)
    tables = [await host.load(match.id) for match in (first, second, third)]
    assert len({match.secret for match in tables}) == 3
    assert tables[0].secret == first.secret
    assert {(match.duplicate, match.held, match.dissolved) for match in tables} == {(None, False, True)}


async def test_a_table_that_cannot_be_played_on_holds_no_other(host: MatchService) -> None:
    one, other = await begun(host)
    await host.save(replace(other, rules=other.rules + 1))
    host.quarantine.sound.clear()
    await release_all(host)
    assert not (await host.load(one.id)).held
    assert host.quarantine.holds(other.id)


async def test_nothing_of_a_held_match_is_told_or_recorded(host: MatchService) -> None:
    one, other = await begun(host)
    one = await moved(host, one.id, Random("one"))
    player = one.chairs[0].player
    for work in (
        Verifier(host).verify(one.id),
        Playback(host).steps(one.id, -1),
        Coaching(host).review(one.id, player),
    ):
        assert await refusal(work) is Reason.HELD
    results = Results(host._matches._database)
    records = Records(host, results, honours)
    assert await records.record(one) is None
    assert await results.missing(10) == []
    await moved(host, other.id, Random("other"))
    await release_all(host)
    await records.catch_up()
    assert await results.of(one.id) is not None
    assert await results.of(other.id) is not None
    first, second = [await Verifier(host).verify(match.id) for match in (one, other)]
    assert first.good
    assert second.good
    assert (first.secret, first.deals[0]) == (second.secret, second.deals[0])


async def test_the_mark_of_a_held_table_tells_no_position(host: MatchService) -> None:
    one, _ = await begun(host)
    marks = []
    for _ in range(3):
        story = await host.events_of(one)
        shown = mark(one, host.state(one), story)
        assert shown.hash == UNTOLD
        marks.append(shown.number)
        one = await moved(host, one.id, Random("one"), 1)
    assert marks == sorted(set(marks)), "a restored backup is found to be behind"
    held, released = Mark(5, UNTOLD), Mark(3, "abcdef01")
    assert held.is_behind(Mark(6, UNTOLD))
    assert not held.is_behind(held)
    assert held.is_behind(released), "the table was released after the backup"
    assert not released.is_behind(held), "the release was not shown yet"


# The end.


@pytest.mark.parametrize("slug", GAMES)
async def test_the_end_compares_the_scores_of_each_seat(host: MatchService, desk: Messages, slug: str) -> None:
    one, other = await begun(host, slug)
    one, other = [await moved(host, match.id, Random(f"{slug} {match.id}")) for match in (one, other)]
    await release_all(host)
    first, second = [host.state(match).outcome() for match in (one, other)]
    assert first is not None
    assert second is not None
    labels = desk.labels(one)
    found = compared([one, other], [first, second], labels)
    assert [[at.score for at in seat] for seat in found] == [
        list(both) for both in zip(first.scores, second.scores, strict=True)
    ]
    assert all(sum(at.change for at in seat) == 0 for seat in found)
    text = "\n".join(map(str, (await desk.end_message(await host.load(one.id))).parts))
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


async def test_a_table_that_was_stopped_is_left_out_and_said_so(host: MatchService, desk: Messages) -> None:
    one, two, three = await begun(host, tables=3)
    for match in (one, two):
        await moved(host, match.id, Random(str(match.id)))
    await host.save(replace(await host.load(three.id), status=Status.STOPPED, ended_at=9))
    await release_all(host)
    for match in (one, three):
        text = "\n".join(map(str, (await desk.end_message(await host.load(match.id))).parts))
        assert f"Not compared, because not played to the end: table {three.id}." in text
        assert "Seat 1: " in text


async def test_the_deletion_of_a_table_leaves_the_others_as_they_are(host: MatchService, desk: Messages) -> None:
    one, two, three = await begun(host, tables=3)
    await moved(host, one.id, Random("one"))
    await host._matches._database.write(lambda c: c.execute("DELETE FROM match WHERE id = ?", (one.id,)).rowcount)
    host._matches.forget()
    await release_all(host)
    assert [(await host.load(match.id)).held for match in (two, three)] == [True, True]
    for match in (two, three):
        await moved(host, match.id, Random(str(match.id)))
    await release_all(host)
    text = "\n".join(map(str, (await desk.end_message(await host.load(two.id))).parts))
    assert f"Same deals: [table {three.id}](" in text
    assert f"table {one.id}]" not in text
    assert (await Verifier(host).verify(two.id)).good


async def test_the_longest_comparison_fits_into_a_message(host: MatchService, desk: Messages) -> None:
    users = [[ANN + 10 * table + seat for seat in range(8)] for table in range(MOST_TABLES)]
    first = await lobby_for(host, "sea_change", users[0])
    lobbies = [first, *[await duplicated(host, first) for _ in users[1:]]]
    for match, those in zip(lobbies[1:], users[1:], strict=True):
        await seated(host, match, those)
    one = await moved(host, (await Lobby(host).start(first.id, ANN)).id, Random("long"))
    for match, those in zip(lobbies[1:], users[1:], strict=True):
        begun = await Lobby(host).start(match.id, those[0])
        await host.save(replace(begun, status=Status.OVER, state=one.state, ended_at=one.ended_at))
        host._positions.forget(match.id)
    for match in lobbies:
        named = await host.load(match.id)
        long = tuple(replace(chair, name=f"{chair.number}{'*_' * 15}W") for chair in named.chairs)
        await host.save(replace(named, chairs=long))
    await release_all(host)
    content = await desk.end_message(await host.load(first.id))
    text = "\n".join(part for part in (*content.parts, content.foot) if isinstance(part, str))
    assert len(text) <= MOST_TEXT
    assert "Seat 1: " in text
    assert desk.labels(one).say("duplicate.equal") in text
    assert "Same deals: " in text


async def test_play_again_is_a_match_of_its_own(host: MatchService) -> None:
    one, other = await begun(host)
    for match in (one, other):
        await moved(host, match.id, Random(str(match.id)))
    await release_all(host)
    player = one.chairs[0]
    again, _ = await Membership(host, Lobby(host)).play_again(one.id, player.player, player.name)
    assert (again.duplicate, again.held) == (None, False)
    assert again.secret != one.secret
