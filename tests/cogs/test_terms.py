"""The terms of a table: each can be chosen, is stored on both engines, exported, and taken over by duplicates and by
*Play again*.

A term that is added to `Terms` is tested here without being named.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from cogs.match.duplicates import Duplicates
from cogs.match.lobby import Lobby
from cogs.match.membership import Membership
from cogs.match.service import MatchService
from data.content.texts import languages, texts
from data.records.match import Match, Status
from data.records.matches import Matches
from data.records.people import People
from data.records.privacy import Privacy
from data.records.terms import SWITCHES, TERMS, AbsencePolicy, Terms
from data.store.database import Database
from data.store.erasure_log import ErasureLog
from rules import GAMES

OTHER: dict[str, Any] = {
    "locale": "de",
    "server_locale": "fr",
    "options": {"target": 2},
    "wanted": 3,
    "clock": "day_2",
    "absent": AbsencePolicy.VOTE,
    "level": "strong",
}
"""A value of each term that is not its default; a term that is on or off needs none here."""
UNLIKE = {"duplicate": {"wanted", "options", "closed"}, "again": {"wanted", "options"}}
"""The terms that a table of the same deals, and the next match, do not take over as they are."""
CHOSEN_BY = {
    **dict.fromkeys(("locale", "server_locale"), "language"),
    **{"options": "each option of the game", "wanted": "seats", "own_thread": "place", "level": "computers"},
    **{"clock": "clock", "absent": "absent", "hints": "hints", "closed": "door"},
}
"""The control of a lobby that chooses each term that is no switch: those have a row of their own."""
QUIET = {"locale", "server_locale", "own_thread", "closed"}
"""The terms whose change does not ask the players again whether to start."""


SWITCH_TEXTS = ("choose", "on", "off", "on_detail", "off_detail", "line", "chosen")
"""What the row of a switch, its lobby and its match say."""


def other_terms() -> Terms:
    """Return terms of which none is the default."""
    found = {each.name: OTHER.get(each.name, not each.default) for each in fields(Terms)}
    return Terms(**found)


@pytest.fixture
async def base(target: Path | str) -> AsyncIterator[Database]:
    opened = await Database.open(target)
    yield opened
    await opened.close()


@pytest.fixture
async def service(base: Database) -> MatchService:
    return MatchService(Matches(base), People(base), GAMES)


async def lobby(service: MatchService, user: int = 1) -> Match:
    """Return a lobby with other terms, at which that user sits."""
    await service.people.meet(user, "Ann")
    terms = other_terms()
    return await Lobby(service).open("sea_change", guild=1, channel=user, user=user, name="Ann", terms=terms)


def check_alike(match: Match, other: Match, unlike: set[str]) -> None:
    assert {name for name in TERMS if getattr(match, name) != getattr(other, name)} <= unlike


async def test_each_term_is_stored_and_exported(service: MatchService, base: Database) -> None:
    match = await lobby(service)
    stored = await Matches(base).get(match.id)
    assert stored is not None and stored.terms == match.terms
    assert replace(stored.terms, options={}) == replace(other_terms(), options={})
    (exported,) = (await Privacy(base, (), ErasureLog(None)).everything(1))["hosted"]
    assert set(TERMS) <= set(exported)


async def test_each_term_is_that_of_a_duplicate_and_of_the_next_match(service: MatchService) -> None:
    match = await lobby(service)
    check_alike(match, await Duplicates(service, Lobby(service)).open(match.id, 1, "Ann"), UNLIKE["duplicate"])
    over = await lobby(service, 9)
    async with service.deciding(over.id) as found:
        over = await service.save(replace(found, status=Status.STOPPED, ended_at=1, state={}))
    again, _ = await Membership(service, Lobby(service)).play_again(over.id, 9, "Bea")
    check_alike(over, again, UNLIKE["again"])


def test_each_term_is_a_switch_or_has_a_control() -> None:
    assert sorted(TERMS) == sorted([*CHOSEN_BY, *SWITCHES])


@pytest.mark.parametrize("code", languages())
def test_each_switch_has_its_texts(code: str) -> None:
    """Without them the lobby that it is switched on in could not be shown."""
    needed = {f"{name}.{part}" for name in SWITCHES for part in SWITCH_TEXTS}
    assert needed <= texts(code).keys()


@pytest.mark.parametrize("name", TERMS)
async def test_a_term_that_is_changed_asks_the_players_again(service: MatchService, name: str) -> None:
    """All but where the table is read, and who may come."""
    match, default = await lobby(service), Terms(locale="en")
    async with service.deciding(match.id) as found:
        ready = tuple(replace(chair, ready=True) for chair in found.chairs)
        match = await service.save(replace(found, chairs=ready))
    changed = await Lobby(service).change(match.id, lambda table: replace(table, **{name: getattr(default, name)}))
    assert [chair.ready for chair in changed.chairs] == [name in QUIET]
