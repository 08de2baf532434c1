"""A replay in Discord: who may watch where, forged and crossing presses, and files."""

from __future__ import annotations

import json
from typing import Any

import pytest
from simcord.actors import MemberActor
from simcord.results import ResponseMessage

import cogs.replay
from cogs.match.playback import Eyes, Playback
from cogs.messages.replay import Replays, Spot
from cogs.transport.components import layout_view
from data.records.people import PictureWish
from tests.cogs.matches_over import stopped
from tests.cogs.test_replay import EN, body, offered
from tests.support.simulation import Simulation, controls, raw, words
from tests.support.table import Table


async def opened(sim: Simulation, person: MemberActor) -> ResponseMessage:
    found = (await person.slash(sim.channel, "replay", table=1)).response
    assert found is not None and found.ephemeral
    return found


def shows(message: Any) -> str:
    return "\n".join(words(body(message)))


async def test_a_player_steps_through_it_in_one_message(sim: Simulation, tide: Table) -> None:
    await stopped(sim)
    alice, before = tide.people[0], json.dumps(raw(sim.board()))
    message, count = await opened(sim, alice), len(sim.channel.history())
    assert "Step 1 of 9" in shows(message) and "as everyone saw it" in shows(message)
    for control, step in (("step_next", 2), ("step_next", 3), ("last", 9), ("step_back", 8), ("first", 1)):
        await alice.click(message, custom_id=offered(message, control))
        assert f"Step {step} of 9" in shows(message), control
    await alice.select(message, ["8"], custom_id=offered(message, "jump"))
    assert "Step 9 of 9" in shows(message)
    await alice.click(message, custom_id=offered(message, "step_back"))
    await alice.select(message, ["1"], custom_id=offered(message, "as"))
    match, _ = await tide.now()
    assert f"as **{match.chairs[1].name}** saw it" in shows(message) and "Step 8 of 9" in shows(message)
    await alice.select(message, ["all"], custom_id=offered(message, "as"))
    assert "all hands open" in shows(message) and shows(message).count("Your hand: ") == 2
    assert json.dumps(raw(sim.board())) == before and len(sim.channel.history()) == count, "all in one private message"


async def test_the_end_offers_it_and_old_buttons_work_after_a_restart(sim: Simulation, tide: Table) -> None:
    await stopped(sim)
    alice, bob = tide.people
    assert "1/1/replay//" in controls(raw(sim.board()))
    pressed = await sim.press(bob, sim.board(), "▶ Replay")
    assert "Step 1 of 9" in sim.said(pressed)
    message = await opened(sim, alice)
    await alice.click(message, label="Show here")
    public = sim.board()
    await sim.restart()
    await alice.click(message, custom_id=offered(message, "step_next"))
    assert "Step 2 of 9" in shows(message)
    await sim.press(bob, public, "1/1/step//8/table/last")
    assert "Step 9 of 9" in shows(sim.board()) and sim.board().id == public.id


async def test_everyone_may_step_in_a_public_one(sim: Simulation, tide: Table) -> None:
    await stopped(sim)
    alice, bob = tide.people
    await sim.service.people.change(alice.id, pictures=frozenset({PictureWish.LARGE}), wants_text=True)
    message = await opened(sim, alice)
    await alice.click(message, custom_id=offered(message, "step_next"))
    count = len(sim.channel.history())
    shown = await alice.click(message, label="Show here")
    assert EN["replay.shared"] in sim.said(shown)
    public = sim.board()
    assert len([m for m in sim.channel.history() if not m.flags.ephemeral]) <= count + 1
    assert "Step 2 of 9" in shows(public) and "share" not in json.dumps(raw(public))
    (stranger,) = sim.join_server("carol")
    for person, step in ((stranger, 3), (bob, 4), (alice, 5)):
        await sim.press(person, public, offered(public, "step_next"))
        public = sim.board()
        assert f"Step {step} of 9" in shows(public)
    match, steps = await Playback(sim.service).steps(1, Eyes.ONLOOKER)
    plain = await Replays(sim.app.messages).message(match, steps, Spot(4), None)
    made = {"content": "", "components": layout_view(plain).to_components()}
    assert (words(raw(public)), controls(raw(public))) == (words(made), controls(made)), "alice's wishes are not in it"


async def test_two_people_press_at_once(sim: Simulation, tide: Table) -> None:
    """Each press leads where its button said; the later one stays, and both are acknowledged."""
    await stopped(sim)
    alice, bob = tide.people
    await alice.click(await opened(sim, alice), label="Show here")
    public = sim.board()
    results = [
        sim.raw_press(person, custom_id, message=public.id)
        for person, custom_id in ((alice, "1/1/step//1/table/step_next"), (bob, "1/1/step//8/table/last"))
    ]
    await sim.env.settle()
    assert all(result.acknowledged for result in results)
    assert all(answer.viewer is None for result in results for answer in sim.answers(result)), "both are answered"
    found = shows(sim.board())
    step = 2 if "Step 2 of 9" in found else 9
    assert f"Step {step} of 9" in found
    assert f"1/1/step//{step - 2}/table/step_back" in controls(raw(sim.board())), "picture and buttons are of one step"


async def test_a_forged_step_never_changes_another_message(sim: Simulation, tide: Table) -> None:
    await stopped(sim)
    alice = tide.people[0]
    end = sim.board()
    before = json.dumps(raw(end))
    said_ = await sim.forge(alice, "1/1/step//3/table/step_next", message=end.id)
    assert "Step 4 of 9" in said_, "answered to her alone"
    assert json.dumps(raw(sim.board())) == before


BAD = {
    "1/1/step//9/table/step_next": "no_such_step",
    "1/1/step//99999999999/0/step_next": "no_such_step",
    "1/1/step//3/2/step_next": "no_such_seat",
    "1/1/step//3/99/step_next": "no_such_seat",
    "1/1/step//3/no_eyes/step_next": "unknown_button",
    "1/1/step//-1/table/step_next": "unknown_button",
    "1/1/step////": "unknown_button",
    "1/1/share//x": "unknown_button",
    "1/1/share//99/all/share": "no_such_step",
}


async def test_bad_presses_are_refused_in_a_sentence(sim: Simulation, tide: Table) -> None:
    await stopped(sim)
    alice, count = tide.people[0], len(sim.channel.history())
    for pressed, why in BAD.items():
        assert EN[f"refused.{why}"].partition("{")[0] in await sim.forge(alice, pressed), pressed
    message = await opened(sim, alice)
    chosen = ("jump", "9", "no_such_step"), ("jump", "x", "no_such_step"), ("as", "x", "no_such_seat")
    for control, value, why in chosen:
        said_ = await sim.forge(alice, offered(message, control), values=[value])
        assert EN[f"refused.{why}"].partition("{")[0] in said_, (control, value)
    assert len([m for m in sim.channel.history() if not m.flags.ephemeral]) <= count


async def test_who_may_watch_is_who_may_verify(sim: Simulation, tide: Table) -> None:
    """The sentences are the same, so that "none" and "not yours" do not differ."""
    (stranger,) = sim.join_server("carol")
    elsewhere = sim.guild.create_text_channel("elsewhere")
    alice = tide.people[0]
    assert EN["refused.not_replayed"] in await sim.slash(alice, "replay", table=1)
    await stopped(sim)
    for person in (stranger, alice):
        for channel in (elsewhere, sim.channel):
            for number in (1, 2, 99):
                replayed = await sim.slash(person, "replay", channel, table=number)
                verified = await sim.slash(person, "verify", channel, table=number)
                refused = [EN["refused.no_match"] in said_ for said_ in (replayed, verified)]
                assert refused == [number > 1 or (person is stranger and channel is elsewhere)] * 2
    direct = await alice.user.slash("replay", table=1)
    assert "Step 1 of 9" in sim.said(direct)
    shown = [text for answer in sim.answers(direct) for text in controls(answer.body)]
    assert not any("/share/" in text for text in shown), "a lesson has no channel"
    await alice.user.click(direct.response, custom_id="1/1/step//1/table/step_next")
    assert "Step 2 of 9" in shows(direct.response)


async def test_it_is_shown_only_in_its_own_channel(sim: Simulation, tide: Table) -> None:
    await stopped(sim)
    alice, elsewhere = tide.people[0], sim.guild.create_text_channel("elsewhere")
    there = await alice.slash(elsewhere, "replay", table=1)
    assert there.response is not None and "1/1/share//0/table/share" not in controls(
        {"components": there.response.components}
    )
    note = await alice.send(elsewhere, "A message")
    said_ = await sim.forge(alice, "1/1/share//0/table/share", message=note.id, channel=elsewhere.id)
    assert EN["refused.not_shown_here"] in said_
    assert [m.id for m in elsewhere.history() if not m.flags.ephemeral] == [note.id]


async def test_a_lesson_that_was_begun_again_can_be_watched_by_its_learner_alone(sim: Simulation, plain: None) -> None:
    alice, bob = sim.join_server("alice", "bob")
    note = await alice.send(sim.channel, "A message")
    await sim.slash(alice, "learn", game="sea_change")
    await sim.forge(alice, "1/0/learn//again/sea_change", message=note.id)
    assert (await sim.match(1)).lesson and not (await sim.match(1)).open
    assert EN["refused.no_match"] in await sim.slash(bob, "replay", table=1)
    said_ = await sim.slash(alice, "replay", table=1)
    assert EN["end.lesson"] in said_ or "To move" in said_
    steps = len((await Playback(sim.service).steps(1, Eyes.ONLOOKER))[1])
    last = await sim.forge(alice, f"1/1/step//{steps - 1}/table/last", message=note.id)
    assert EN["end.lesson"] in last
    refused = await sim.forge(alice, "1/1/share//0/table/share", message=note.id)
    assert EN["refused.not_shown_here"] in refused


async def test_a_deleted_match_is_none(sim: Simulation, tide: Table) -> None:
    await stopped(sim)
    alice = tide.people[0]
    message = await opened(sim, alice)
    await alice.click(message, label="Show here")
    public = sim.board()
    await sim.database.write(lambda c: c.execute("DELETE FROM match WHERE id = 1").rowcount)
    sim.matches.forget()
    pressed = await sim.press(alice, public, "1/1/step//1/table/step_next")
    assert EN["refused.no_match"] in sim.said(pressed)
    assert "Step 1 of 9" in shows(sim.board())


async def test_each_file_comes_to_the_one_who_asked(
    sim: Simulation, tide: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page, an animation and a record; an animation that takes long says how far it is, in the same answer."""
    await stopped(sim)
    alice, count = tide.people[0], len(sim.channel.history())
    message = await opened(sim, alice)
    begins = {"page": b"<!doctype html>", "film": b"RIFF", "record": b""}
    for slow in (True, False):  # the second time the files are there
        monkeypatch.setattr(cogs.replay, "PROGRESS_SECONDS", 0.0 if slow else 60.0)
        for control, begin in begins.items():
            known = set(sim.files)
            result = await alice.click(message, custom_id=offered(message, control))
            answers = sim.answers(result)
            assert {answer.viewer for answer in answers} == {alice.id}
            assert (len(answers) > 1) == (slow and control == "film"), "the others say nothing on the way"
            (file,) = [data for url, data in sim.files.items() if url not in known]
            assert file[: len(begin)].lower() == begin.lower(), control
    assert len(sim.channel.history()) == count


async def test_a_file_that_no_player_makes_is_refused(sim: Simulation, tide: Table) -> None:
    await stopped(sim)
    alice, known = tide.people[0], len(sim.files)
    for rest in ("0/table/film2", "0/9/page", "x/table/page", "0/table/", ""):
        result = sim.raw_press(alice, f"1/1/file//{rest}", message=sim.board().id)
        await sim.env.settle()
        assert sim.said(result) and len(sim.files) == known, rest
