"""Commands in a match that one player plays alone, or in a lesson: their answers offer nothing that needs others."""

from __future__ import annotations

import pytest

from data.content.texts import texts
from data.records.match import Status
from tests.support.shown import controls
from tests.support.simulation import Simulation

pytestmark = pytest.mark.usefixtures("plain")
SAY = texts("en")
ALONE = (SAY["refused.alone"], SAY["refused.in_lesson"])
COMMANDS = ("clock", "board", "log", "hand", "games", "leave", "hint")
HARMLESS = ("play", "board", "log", "people", "clock", "stay")
"""Actions of buttons that change nothing in the match."""


async def begin(sim: Simulation, where: str) -> str:
    """Let alice begin a lesson or a match alone, or only open its lobby. Return its name."""
    (alice,) = sim.join_server("alice")
    await alice.user.slash("learn" if where == "lesson" else "play", game="full_circle")
    if where == "match":
        lobby = sim.hand(alice)
        await sim.forge(alice, "1/1/start//", message=lobby.id, channel=lobby.channel.id)
    await sim.caught_up()
    match = await sim.match()
    return sim.app.messages.title(match, sim.app.messages.labels(match))


@pytest.mark.parametrize("where", ["lesson", "lobby", "match"])
async def test_no_answer_offers_what_takes_other_players(sim: Simulation, where: str) -> None:
    title = await begin(sim, where)
    alice = sim.people["alice"]
    for command in COMMANDS if where != "lobby" else COMMANDS[:1]:
        answered = await alice.user.slash(command)
        said = sim.said(answered)
        assert "table 1" not in said or "table 1" in title, (command, said)
        offered = controls({"components": answered.response.components}) if answered.response else []
        assert not any(text.endswith("//clock") for text in offered), "there is no time limit to choose"
        for pressed in [text for text in offered if text.split("/")[2:3] and text.split("/")[2] in HARMLESS]:
            where_to = {"message": answered.response.message.id, "channel": alice.user.dm_channel.id}
            answer = await sim.forge(alice, pressed, **where_to)
            assert not any(refusal in answer for refusal in ALONE), (command, pressed, answer)


async def test_cancel_in_a_server_ends_a_match_alone_after_the_same_question_as_leave(sim: Simulation) -> None:
    await begin(sim, "match")
    alice = sim.people["alice"]
    asked = await alice.slash(sim.channel, "cancel", table=1)
    assert sim.said(asked) == sim.said(await alice.slash(sim.channel, "leave", table=1))
    assert asked.response is not None
    await alice.click(asked.response, custom_id="1/1/vote_sure//end")
    assert (await sim.match()).status is Status.STOPPED
