"""A press that asks for a form is answered whatever happens while the form is made, and so is all else that reads
before it is acknowledged.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import MagicMock

import pytest

from cogs.match.refusals import Reason, Refused
from cogs.runtime.metrics import Metrics
from cogs.transport import interactions
from cogs.transport.interactions import Asked, RateLimits
from cogs.transport.router import Router
from data.store.database import NotStored, Unreachable
from tests.support.inside import interaction_of
from tests.support.simulation import FORM, Simulation

pytestmark = pytest.mark.usefixtures("plain")

FORMS = {"cut": "1/1/cut//", "start_at": "1/1/start_at//"}
ERRORS: dict[str, tuple[Exception, str]] = {
    "a fault": (RuntimeError("a secret"), "Something went wrong"),
    "a database out of reach": (Unreachable(), "cannot save anything new"),
    "a full disk": (NotStored(), "cannot save anything new"),
    "a time-out": (TimeoutError(), "Something went wrong"),
    "a refusal": (Refused(Reason.BUSY), "a moment faster"),
}


@pytest.fixture
async def lobby(sim: Simulation) -> Simulation:
    await sim.lobby("alice")
    return sim


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("what", ERRORS)
async def test_a_press_for_a_form_that_fails_is_answered(
    lobby: Simulation, monkeypatch: pytest.MonkeyPatch, form: str, what: str
) -> None:
    error, said = ERRORS[what]
    faults: list[Any] = []
    monkeypatch.setattr(interactions.log, "error", lambda *line, **how: faults.append(line))

    async def fails(number: int) -> None:
        raise error

    monkeypatch.setattr(lobby.host, "find", fails)
    result = lobby.raw_press(lobby.people["alice"], FORMS[form], message=lobby.board().id)
    await lobby.env.settle()
    assert said in lobby.said(result)
    assert "secret" not in lobby.said(result) + str(faults)
    assert bool(faults) == (said == "Something went wrong")


async def test_a_form_that_is_slow_to_make_gets_an_answer_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cogs.transport.router.READ_PATIENCE", 0.01)
    said: list[Any] = []

    class Answers:
        async def admits(self, *_: Any) -> bool:
            return True

        async def answer(self, _: Any, work: Callable[[], Awaitable[Any]], *__: Any, **___: Any) -> None:
            try:
                await work()
            except Refused as refused:
                said.append(refused.reason)

    router = Router(cast(Any, Answers()), cast(Any, None))
    await router.ask(cast(Any, None), Asked("ask"), asyncio.Event().wait)
    assert said == [Reason.SLOW]


async def test_the_rate_limit_is_asked_before_anything_is_read(
    lobby: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []

    async def reads(number: int) -> None:
        read.append(number)

    monkeypatch.setattr(lobby.host, "find", reads)
    monkeypatch.setattr(lobby.app.interactions.limits, "wait", lambda *asked: 5.0)
    result = lobby.raw_press(lobby.people["alice"], FORMS["cut"], message=lobby.board().id)
    await lobby.env.settle()
    assert result.acknowledged and not read


async def test_a_form_still_opens(lobby: Simulation) -> None:
    for custom_id in FORMS.values():
        result = lobby.raw_press(lobby.people["alice"], custom_id, message=lobby.board().id)
        await lobby.env.settle()
        kinds = [entry.json["type"] for entry in lobby.env.http_requests if interaction_of(result).token in entry.path]
        assert kinds == [FORM]


async def test_a_fault_before_the_acknowledgement_is_told(lobby: Simulation, monkeypatch: pytest.MonkeyPatch) -> None:
    """Here a form that discord.py does not take."""
    monkeypatch.setattr(interactions.log, "error", lambda *line, **how: None)

    def breaks(form: Any) -> None:
        raise ValueError

    monkeypatch.setattr(interactions, "modal", breaks)
    result = lobby.raw_press(lobby.people["alice"], FORMS["cut"], message=lobby.board().id)
    await lobby.env.settle()
    assert "Something went wrong" in lobby.said(result)


async def test_a_move_over_the_limit_is_answered_though_nothing_can_be_read(
    lobby: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether it is due is read before it is acknowledged."""

    async def find(number: int) -> None:
        raise Unreachable

    monkeypatch.setattr(lobby.host, "find", find)
    monkeypatch.setattr(lobby.app.interactions.limits, "wait", lambda *asked: 5.0)
    result = lobby.raw_press(lobby.people["alice"], "1/1/move/0/x", message=lobby.board().id)
    await lobby.env.settle()
    assert "<t:" in lobby.said(result)


async def test_choices_to_complete_come_in_time_or_not_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interactions, "READ_PATIENCE", 0.01)
    answers = interactions.Interactions(MagicMock(), *[cast(Any, None)] * 2, RateLimits(), Metrics(), cast(Any, None))
    asking = cast(Any, SimpleNamespace(user=SimpleNamespace(id=1), guild_id=1))
    assert await answers.complete(asking, cast(Any, asyncio.Event().wait)) == []
