"""What the tests of histories share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from data.records.histories import Histories
from data.records.people import People
from data.records.privacy import Privacy
from data.records.servers import Servers
from data.records.visibility import Sought
from data.store.database import Database
from data.store.erasure_log import ErasureLog
from tests.data.users import ANN, BEN, CEM, DEA
from tests.support.past import GUILD, START

NEVER, ELSEWHERE = 999, 2


async def numbers(histories: Histories, viewer: int, user: int | None, **more: Any) -> list[int]:
    sought = Sought(viewer, **{"guild": GUILD, "user": user, **more})
    return [found.match for found in (await histories.page(sought, None, newer=False, most=50)).matches]


async def off_by_oneself(base: Database) -> None:
    await People(base).change(ANN, shows_history=False)


async def off_by_the_server(base: Database) -> None:
    await Servers(base).change(GUILD, shows_history=False)
    for user in (BEN, CEM, DEA):
        await People(base).change(user, shows_history=True)


async def erased(base: Database) -> None:
    await Privacy(base, (), ErasureLog(None)).erase(ANN, START)


HIDDEN: list[Callable[[Database], Any]] = [off_by_oneself, off_by_the_server, erased]
