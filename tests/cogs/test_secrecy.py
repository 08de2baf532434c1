"""What a player seals is for no other to learn: not from a text, a picture, an edit or its absence."""

from __future__ import annotations

import logging
from dataclasses import fields
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cogs.match.agenda import is_last, ping_owed
from cogs.match.service import MatchService
from data.records.match import Match
from data.records.matches import Matches
from data.records.people import People
from data.records.terms import Terms
from data.store.database import Database
from rules import GAMES
from rules.core.game import Seat
from tests.support.matches import ANN, BEN, CLEO, begun
from tests.support.simulation import ErrorLog, Shown, Simulation, finish, offers, raw, seed_secrets, simulate
from tests.support.table import Table


async def before_others(folder: Path, monkeypatch: pytest.MonkeyPatch, pledges: tuple[int, ...]) -> list[Any]:
    """All that others than alice get to see, byte by byte, while she seals these pledges and bob seals one."""
    seed_secrets(monkeypatch, "the same world")
    sim = await simulate(folder, f"{pledges}.db")
    people = alice, bob, _ = sim.join_server("alice", "bob", "carol")
    await Table.begin(sim, "siege_of_sunfall", people, seed="unused")
    cursor = sim.cursor
    for coins in pledges:
        await _pledge(sim, alice, coins)
    await _pledge(sim, bob, 1)
    await sim.slash(bob, "board")
    await sim.slash(bob, "log")
    own = alice.user.dm_channel.id
    shown = [shown for shown in sim.shown(cursor) if shown.viewer != alice.id]
    pictures = {png for url, png in sim.files.items() if str(own) not in url}
    await finish(sim)
    return [*map(_seen, shown), *sorted(pictures)]


async def _pledge(sim: Simulation, person: Any, coins: int) -> None:
    hand = sim.hand(person)
    offer = next(o for o in offers(hand) if (o.value or o.custom_id).endswith(f"/pledge {coins}"))
    assert "✓ Done" in sim.said(await sim.press(person, hand, offer.custom_id, offer.value))


def _seen(shown: Shown) -> Any:
    """What can be seen of it: ids of Discord's own count on with every request, and are worth nothing to anybody."""
    return shown.viewer, shown.method, shown.all_text


async def test_a_sealed_pledge_changes_nothing_that_others_see(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures and all: with 2 coins, with 11, and sealed again three times."""
    faults = ErrorLog()
    logging.getLogger().addHandler(faults)
    few = await before_others(tmp_path, monkeypatch, (2,))
    many = await before_others(tmp_path, monkeypatch, (11,))
    again = await before_others(tmp_path, monkeypatch, (5, 0, 2, 2))
    logging.getLogger().removeHandler(faults)
    assert not faults.lines
    for others in (many, again):
        for one, other in zip(few, others, strict=True):
            assert one == other


OWN = {"state", "version", "moves", "chain"}
"""What a move changes of its match even if no other player learns of it."""


def open_to_others(service: MatchService, match: Match, seat: int) -> list[Any]:
    """All of a match from which its messages to other seats, their pings and their deadlines follow."""
    others, state = [at for at in range(len(match.chairs)) if at != seat], service.state(match)
    asked = [(at, state.turn(Seat(at)), ping_owed(service, match, at), is_last(service, match, at)) for at in others]
    return [{found.name: getattr(match, found.name) for found in fields(match) if found.name not in OWN}, asked]


@pytest.mark.parametrize("clock", ["none", "day_1"])
async def test_a_seal_that_is_changed_changes_nothing_else_however_long_the_match(
    database: Database, monkeypatch: pytest.MonkeyPatch, clock: str
) -> None:
    """A whole match with a move each minute; after half of the moves a player who has sealed seals again."""
    seed_secrets(monkeypatch, f"a long match {clock}")  # a short one has few late moves
    minutes = count()
    service = MatchService(Matches(database), People(database), GAMES, lambda: 60 * next(minutes))
    random, late = Random(clock), 0
    terms = Terms(locale="en", clock=clock)
    match = await begun(service, ANN, BEN, CLEO, game="siege_of_sunfall", terms=terms)
    while match.running:
        state = service.state(match)
        sealed = [at for at in map(Seat, range(3)) if at not in state.to_move() and state.legal_moves(at)]
        again = bool(sealed) and random.random() < 0.5
        seat = random.choice(sealed if again else sorted(state.to_move()))
        before, move = match, str(random.choice(state.legal_moves(seat)))
        match = (await service.play(match.id, match.chairs[seat].player, None, move)).match
        if again:
            late += match.moves > 60
            assert open_to_others(service, before, seat) == open_to_others(service, match, seat), match.moves
    assert late > 10, late


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize("page", ["More …", "Signs"])
async def test_no_hidden_change_closes_what_is_open_in_a_hand(sim: Simulation, siege: Table, page: str) -> None:
    """So what is open is no part of what lasts there."""
    alice, *_, carol = siege.people
    await _pledge(sim, alice, 0)
    await sim.press(carol, sim.hand(carol), page)
    before = raw(sim.hand(carol))
    await _pledge(sim, alice, 1)
    assert raw(sim.hand(carol)) == before
