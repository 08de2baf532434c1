"""What a player seals is for no other to learn: not from a text, a picture, an edit or its absence."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest

from tests.support.simulation import ErrorLog, Shown, Simulation, finish, offers, seed_secrets, simulate
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
