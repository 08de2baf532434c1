"""What has called a player in tests, and how they choose to be called."""

from __future__ import annotations

from simcord.actors import MemberActor

from data.records.people import PingPreference
from tests.support.apicheck import SILENT
from tests.support.simulation import Simulation
from tests.support.table import MY_HAND, Table


def calls(sim: Simulation, person: MemberActor, since: int) -> tuple[int, int]:
    """How often somebody was called since then: by direct message, and by mention."""
    posts = [shown for shown in sim.shown(since) if shown.method == "POST" and "token" not in shown.body]
    dms = [s for s in posts if s.viewer == person.id and not s.body.get("flags", 0) & SILENT]
    mentions = [s for s in posts if s.viewer is None and str(person.id) in map(str, mentioned(s.body))]
    return len(dms), len(mentions)


def mentioned(body: dict[str, object]) -> list[object]:
    allowed = body.get("allowed_mentions")
    return list(allowed.get("users", ())) if isinstance(allowed, dict) else []


async def choose(sim: Simulation, person: MemberActor, way: PingPreference, table: int = 0) -> None:
    await sim.forge(person, f"1/{table}/setting//ping", values=[way])


def play_through_my_hand(table: Table) -> None:
    table.ways = dict.fromkeys((person.name for person in table.people), MY_HAND)


def other_than(table: Table, person: MemberActor) -> MemberActor:
    return next(p for p in table.people if p is not person)
