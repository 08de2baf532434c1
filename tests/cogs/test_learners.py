"""What is around a lesson in the whole bot: where it is held, whom it is for, what follows it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import cogs.match.alone
import cogs.match.quarantine
from cogs.match.alone import IDLE
from data.content.texts import texts
from data.records.match import Match, Status
from data.records.matches import Matches
from data.records.post import HandPost
from data.store.database import NotStored
from rules import LESSONS
from rules.core.computer import VERSION
from rules.core.game import Seat
from tests.cogs.learning import decide, dm, learner, learns, moved_on, press, read
from tests.support.simulation import Simulation, controls, raw

pytestmark = pytest.mark.usefixtures("plain")


async def test_in_a_channel_without_direct_messages(sim: Simulation) -> None:
    """The hand comes in the answer, and the lesson goes on there."""
    person = await learner(sim)
    sim.close_dms(person)
    said = await sim.slash(person, "learn", game="photosynthesis")
    assert texts("en", "photosynthesis")["lesson.intro"] in said
    match = await sim.match()
    assert (match.guild, match.channel, match.place) == (0, 0, 0)
    result = await person.slash(sim.channel, "hand")
    shown = result.response
    turn = sim.service.turn(match, Seat(0))
    await sim.forge(person, f"1/1/move/{turn}/place D1", message=shown.message.id)
    await moved_on(sim)
    assert texts("en", "photosynthesis")["lesson.step.second_tree"] in read(shown.message)
    assert sim.public() == []


async def test_learning_again_goes_on_where_it_was(sim: Simulation) -> None:
    person = await learns(sim, "full_circle", 1)
    said = sim.said(await person.user.slash("learn", game="full_circle"))
    assert "goes on where you were" in said
    assert (await sim.matches.index.counts())["playing"] == 1
    other = await sim.slash(person, "learn", game="full_sun")
    assert "begins" in other and (await sim.match(2)).game == "full_sun"


async def test_what_needs_other_players_is_refused_in_a_lesson(sim: Simulation) -> None:
    person = await learns(sim, "sea_change")
    hand = sim.hand(person)
    for pressed in ("1/1/offer//", "1/1/vote//end", "1/1/nudge//", "1/1/clock//day_1+"):
        said = await sim.forge(person, pressed, message=hand.id, channel=dm(person))
        assert texts("en")["refused.in_lesson"] in said, pressed


async def test_a_button_at_the_end_begins_a_whole_match_in_direct_messages(sim: Simulation) -> None:
    """At once, against beginners; a second press begins no second one."""
    person = await learns(sim, "sea_change")
    where = {"message": sim.hand(person).id, "channel": dm(person)}
    for _ in range(2):
        sim.raw_press(person, "1/0/open//sea_change", **where)
    await sim.env.settle()
    match = await sim.match(2)
    assert match.private and not match.lesson and match.status is Status.PLAYING
    computers = [chair.level for chair in match.chairs if chair.user is None]
    assert computers == ["beginner"] * (LESSONS["sea_change"].seats - 1)
    assert sum((await sim.matches.index.counts()).values()) == 2
    await sim.caught_up()
    assert "Sea Change · table 2" in read(sim.hand(person))
    assert texts("en")["refused.no_game"] in await sim.forge(person, "1/0/open//chess", **where)


async def test_a_whole_match_after_a_lesson_is_as_it_was_taught(sim: Simulation) -> None:
    """Also if the learner has left a lobby of the game with other computers."""
    slug = "siege_of_sunfall"
    person = await learns(sim, slug)
    await person.user.slash("play", game=slug)
    await sim.app.lobby.choose_option(2, person.id, "computers", "5")
    await sim.app.lobby.choose_level(2, person.id, "all strong")
    await sim.forge(person, f"1/0/open//{slug}", message=sim.dms(person)[0].id, channel=dm(person))
    match, lesson = await sim.match(2), await sim.match()
    assert match.running and len(match.chairs) == len(lesson.chairs) == LESSONS[slug].seats
    assert {(chair.user, chair.level) for chair in match.chairs} == {(person.id, None), (None, "beginner")}


async def test_a_button_at_the_end_begins_a_whole_match_in_a_server(sim: Simulation) -> None:
    """In the answer in which the lesson was, if direct messages do not arrive."""
    person = await learner(sim)
    sim.close_dms(person)
    result = await person.slash(sim.channel, "learn", game="siege_of_sunfall")
    await moved_on(sim)
    await sim.forge(person, "1/0/open//siege_of_sunfall", message=result.response.message.id)
    await moved_on(sim, 2)
    assert (await sim.match(2)).running
    assert "Siege of Sunfall · table 2" in read(result.response.message)
    assert sim.public() == []


async def test_a_lesson_does_not_count_as_a_first_match_and_sends_no_reminders(sim: Simulation) -> None:
    person = await learns(sim, "sea_change")
    match = await sim.match()
    assert match.lesson and match.reminders == () and not match.hints
    table = await sim.slash(person, "play", game="sea_change")
    assert "is open" in table
    await sim.press(person, sim.board(), "Add computer")
    await sim.press(person, sim.board(), "Start")
    await sim.caught_up()
    assert await sim.service.index.is_first(await sim.match(2), person.id)
    sim.env.backend.advance_clock(5 * 86_400)
    await sim.caught_up()
    assert [post.of for post in await sim.service.posts.of(1)] == [(HandPost, 0)]


async def test_a_lesson_left_alone_ends(sim: Simulation) -> None:
    person = await learns(sim, "full_sun")
    await sim.app.alone.close_idle()
    assert (await sim.match()).open
    sim.env.backend.advance_clock(IDLE + 60)
    await sim.app.alone.close_idle()
    await sim.caught_up()
    assert (await sim.match()).ending == "lesson"
    said = await press(sim, person, "move", "play R1")
    assert texts("en")["refused.is_lesson"] in said + read(sim.hand(person))


async def test_the_moves_of_its_computers_are_marked(sim: Simulation) -> None:
    person = await learns(sim, "sea_change")
    while (await sim.match()).open:
        await decide(sim, person)
    assert {move.computer for move in await sim.service.log(1) if move.user is None} == {f"lesson {VERSION}"}
    verdict = await sim.app.verifier.verify(1)
    assert verdict.good and verdict.computers.right == 0 and verdict.computers.unchecked == 20


async def test_an_unknown_game_and_one_without_a_lesson(sim: Simulation, monkeypatch: pytest.MonkeyPatch) -> None:
    person = await learner(sim)
    assert texts("en")["refused.no_game"] in await sim.forge(person, "1/0/learn//chess", message=await a_message(sim))
    without = {slug: lesson for slug, lesson in LESSONS.items() if slug != "full_sun"}
    monkeypatch.setattr(cogs.match.alone, "LESSONS", without)
    assert "There is no lesson of Full Sun yet." in await sim.forge(
        person, "1/0/learn//full_sun", message=await a_message(sim)
    )


async def a_message(sim: Simulation) -> int:
    """Return a message in the channel on which something can be pressed."""
    return int((await sim.people["alice"].send(sim.channel, "hello")).id)


async def test_two_presses_at_once_begin_one_lesson(sim: Simulation) -> None:
    person = await learner(sim)
    message = await a_message(sim)
    for _ in range(2):
        sim.raw_press(person, "1/0/learn//sea_change", message=message)
    await sim.env.settle()
    assert (await sim.matches.index.counts())["playing"] == 1


async def test_the_rules_lead_to_it(sim: Simulation) -> None:
    person = await learner(sim)
    result = await person.slash(sim.channel, "rules", game="sea_change")
    assert "1/0/learn//sea_change" in controls(raw(result.response.message))


async def test_a_lesson_that_cannot_be_stored_does_not_begin(sim: Simulation, monkeypatch: pytest.MonkeyPatch) -> None:
    person = await learner(sim)
    await sim.slash(person, "games")

    async def full(*_: Any) -> Match:
        raise NotStored

    monkeypatch.setattr(Matches, "open", full)
    assert texts("en")["refused.not_stored"] in await sim.slash(person, "learn", game="sea_change")
    assert (await sim.matches.index.counts())["playing"] == 0


@pytest.mark.parametrize("again", ["", "again/"])
async def test_a_lesson_under_other_rules_is_quarantined_and_another_can_begin(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch, again: str
) -> None:
    """An upgrade has changed the rules of the game."""
    monkeypatch.setattr(cogs.match.quarantine.log, "disabled", True)  # a quarantined match is logged as an error
    person = await learns(sim, "full_sun")
    async with sim.service.deciding(1) as match:
        await sim.service.save(replace(match, rules=99))
    await sim.restart()
    await sim.caught_up()
    where = {"message": sim.hand(person).id, "channel": dm(person)}
    assert "different version of the rules" in await sim.forge(person, "1/1/hand//", **where)
    assert "begins" in await sim.forge(person, f"1/0/learn//{again}full_sun", **where)
    await moved_on(sim, 2)
    assert (await sim.match(2)).running and (await sim.match()).open
