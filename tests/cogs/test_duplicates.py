"""Duplicate tables: the same deals for all, one table a person."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from cogs.match.duplicates import MOST_TABLES, Duplicates
from cogs.match.lobby import Lobby
from cogs.match.membership import Membership
from cogs.match.refusals import Reason, Refused
from cogs.match.service import MatchService
from data.records.match import Match, Status
from data.records.servers import Server
from data.store.erasure_log import ErasureLog
from rules import GAMES
from rules.core.game import Seat
from tests.cogs.duplicates import ANN, BEN, CEM, DIA, EVA, FIN, GIL, duplicated, lobby_for, people, seated, tables_of
from tests.support.matches import lobby, refusal


@pytest.mark.parametrize("slug", GAMES)
async def test_all_tables_have_the_same_deals_and_options(service: MatchService, slug: str) -> None:
    one, other = await tables_of(service, slug)
    first, second = service.state(one), service.state(other)
    assert (one.secret, one.seed, one.options) == (other.secret, other.seed, other.options)
    assert first.to_json() == second.to_json()
    for seat in range(len(one.chairs)):
        assert first.view(Seat(seat)) == second.view(Seat(seat))
    for match in (one, other):
        assert match.duplicate == one.id
        assert match.held
    assert not {chair.user for chair in one.chairs} & {chair.user for chair in other.chairs}


async def test_the_deck_is_the_one_of_the_first_table_whatever_the_operator_changes(service: MatchService) -> None:
    first = await lobby_for(service, "sea_change", (ANN, BEN))
    deck = {**GAMES["sea_change"].deck}
    decks = {"sea_change": {name: deck[name] for name in reversed(deck)} | {"changed": True}}
    second = await Duplicates(service, Lobby(service, decks)).open(first.id, ANN, "Ann")
    assert second.options["deck"] == first.options["deck"] == (await service.load(first.id)).options["deck"]


async def test_the_number_of_seats_becomes_that_of_the_lobby(service: MatchService) -> None:
    await people(service)
    match = await lobby(service, ANN, game="full_circle")
    second = await duplicated(service, match)
    assert second.wanted == (await service.load(match.id)).wanted == GAMES["full_circle"].seats[-1]
    await seated(service, second, (BEN, CEM))
    assert await refusal(Lobby(service).start(second.id, BEN)) is Reason.TOO_FEW


async def test_the_first_to_join_becomes_the_host(service: MatchService) -> None:
    second = await duplicated(service, await lobby_for(service, "sea_change", (ANN, BEN)))
    assert second.status is Status.LOBBY
    assert second.chairs == ()
    second = await seated(service, second, (CEM, DIA))
    assert second.host == CEM
    assert (await Lobby(service).start(second.id, CEM)).status is Status.PLAYING


async def test_what_shapes_the_deals_is_locked_at_every_table(service: MatchService) -> None:
    lobby, first = Lobby(service), await lobby_for(service, "sea_change", (ANN, BEN))
    await lobby.cut(first.id, ANN, "left")
    first = await service.load(first.id)
    await service.save(replace(first, chairs=tuple(replace(chair, ready=True) for chair in first.chairs)))
    second = await seated(service, await duplicated(service, first), (CEM, DIA))
    first = await service.load(first.id)
    assert first.cuts == () and not any(chair.ready for chair in first.chairs)
    for match, user in ((first, ANN), (second, CEM)):
        for name, value in (("target", "3"), ("seats", "3"), ("teams", "none")):
            assert await refusal(lobby.choose_option(match.id, user, name, value)) is Reason.SAME_DEALS
        assert await refusal(lobby.cut(match.id, user, "right")) is Reason.NO_CUT
    assert (await lobby.choose_option(second.id, CEM, "hints", "off")).hints is False
    assert (await service.load(first.id)).hints


async def test_who_may_open_one_and_how_many(service: MatchService) -> None:
    tables, first = Duplicates(service, Lobby(service)), await lobby_for(service, "sea_change", (ANN, BEN))
    for user in (BEN, CEM):
        assert await refusal(tables.open(first.id, user, "P")) is Reason.ONLY_HOST
    for _ in range(MOST_TABLES - 1):
        last = await tables.open(first.id, ANN, "Ann")
    assert await refusal(tables.open(first.id, ANN, "Ann")) is Reason.DUPLICATES_FULL
    await seated(service, last, (CEM, DIA))
    await Lobby(service).start(last.id, CEM)
    assert await refusal(tables.open(first.id, ANN, "Ann")) is Reason.DUPLICATES_BEGUN
    assert await refusal(tables.open(last.id, CEM, "Cem")) is Reason.STARTED


async def test_a_server_without_room_gets_no_duplicate_and_the_lobby_stays_as_it_was(
    service: MatchService, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await lobby_for(service, "sea_change", (ANN, BEN))
    await Lobby(service).cut(first.id, ANN, "left")

    async def of(guild: int) -> Server:
        return Server(guild, most_open=1)

    monkeypatch.setattr(service.policy, "of", of)
    assert await refusal(Duplicates(service, Lobby(service)).open(first.id, ANN, "Ann")) is Reason.SERVER_FULL
    first = await service.load(first.id)
    assert (first.duplicate, first.held, first.cuts) == (None, False, ("left",))


async def test_a_duplicate_that_cannot_be_opened_leaves_the_lobby_alone(
    service: MatchService, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await lobby_for(service, "sea_change", (ANN, BEN))

    async def full(*_: object, **__: object) -> Match:
        raise Refused(Reason.NOT_STORED)

    with monkeypatch.context() as patch:
        patch.setattr(Lobby, "open", full)
        assert await refusal(duplicated(service, first)) is Reason.NOT_STORED
    first = await service.load(first.id)
    assert (first.duplicate, first.held) == (None, False)


async def test_options_that_do_not_fit_the_seats_are_refused(service: MatchService) -> None:
    first = await lobby_for(service, "sea_change", (ANN, BEN))
    await service.save(replace(first, options={**first.options, "target": 99}))
    assert await refusal(Duplicates(service, Lobby(service)).open(first.id, ANN, "Ann")) is Reason.OPTIONS_DO_NOT_FIT


async def test_a_table_of_other_rules_does_not_start(service: MatchService) -> None:
    first = await lobby_for(service, "sea_change", (ANN, BEN))
    second = await seated(service, await duplicated(service, first), (CEM, DIA))
    started = await Lobby(service).start(first.id, ANN)
    await service.save(replace(started, rules=started.rules + 1))
    assert await refusal(Lobby(service).start(second.id, CEM)) is Reason.DUPLICATE_RULES


# One table a person.


async def test_a_player_sits_at_one_table_only(service: MatchService) -> None:
    first = await lobby_for(service, "sea_change", (ANN, BEN))
    second = await duplicated(service, first)
    assert await refusal(Lobby(service).join(second.id, ANN, "Ann")) is Reason.OTHER_TABLE
    await seated(service, second, (CEM, DIA))
    members = Membership(service, Lobby(service))
    assert await refusal(members.join(second.id, ANN, "Ann")) is Reason.OTHER_TABLE, "nor do they wait there"
    await Lobby(service).leave(first.id, BEN)
    await seated(service, first, (EVA,))
    await Lobby(service).leave(second.id, DIA)
    await seated(service, second, (BEN,))  # in a lobby they have seen nothing yet


async def test_of_two_presses_at_once_one_seats_the_player(service: MatchService) -> None:
    first = await lobby_for(service, "sea_change", (ANN,), seats=2)
    second = await duplicated(service, first)
    found = await asyncio.gather(
        *(Lobby(service).join(m.id, EVA, "Eva") for m in (first, second)), return_exceptions=True
    )
    assert [type(one) for one in found] in ([Match, Refused], [Refused, Match])
    assert len(await service.index.of_player(EVA)) == 1


async def test_tables_opened_at_once_are_no_more_than_allowed_and_all_of_one_group(service: MatchService) -> None:
    first = await lobby_for(service, "sea_change", (ANN, BEN))
    second = await seated(service, await duplicated(service, first), (CEM, DIA))
    opens = [Duplicates(service, Lobby(service)).open(*of) for of in ((first.id, ANN, "A"), (second.id, CEM, "C")) * 3]
    found = await asyncio.gather(*opens, return_exceptions=True)
    assert sum(isinstance(one, Match) for one in found) == MOST_TABLES - 2
    group = await service.index.of_group(first.id)
    assert len(group) == MOST_TABLES
    assert {(match.secret, match.held, match.wanted) for match in group} == {(first.secret, True, 2)}


async def test_a_waiting_user_who_has_sat_down_elsewhere_is_passed_over(service: MatchService) -> None:
    first = await lobby_for(service, "sea_change", (ANN, BEN))
    second, members = await duplicated(service, first), Membership(service, Lobby(service))
    await members.join(first.id, EVA, "Eva")
    await members.join(first.id, FIN, "Fin")
    await seated(service, second, (EVA,))
    first = await Lobby(service).leave(first.id, BEN)
    assert [chair.user for chair in first.chairs] == [ANN, FIN]


async def test_who_has_sat_at_a_table_takes_no_seat_at_another(service: MatchService) -> None:
    one, other = await tables_of(service)
    members = Membership(service, Lobby(service))
    leaver, former = one.chairs[0].player, other.chairs[0].player
    one = await members.give_seat_to_computer(one.id, leaver)
    other = await members.give_seat_to_computer(other.id, former)
    for user, match in ((leaver, other), (former, one), (one.chairs[1].player, other)):
        assert await refusal(members.take_seat(match.id, user, "P", 0)) is Reason.OTHER_TABLE
    assert (await members.take_seat(one.id, GIL, "Gil", 0)).seat_of(GIL) == 0
    assert (await members.come_back(other.id, former, "P")).seat_of(former) == 0


async def test_a_user_whose_data_was_deleted_since_takes_no_seat_at_another(
    service: MatchService, tmp_path: Path
) -> None:
    one, other = await tables_of(service)
    departures = ErasureLog(tmp_path / "sundial.db")
    departures.note(GIL, int(service.now()) + 1)
    members = Membership(service, Lobby(service, departures=departures))
    one = await members.give_seat_to_computer(one.id, one.chairs[0].player)
    await service.save(replace(one, started_at=int(service.now()) + 10))
    assert await refusal(members.take_seat(one.id, GIL, "Gil", 0)) is Reason.DEPARTED_SINCE, f"from table {other.id}"
