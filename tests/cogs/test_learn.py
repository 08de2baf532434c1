"""First lessons on Discord: from `/learn` to their end, alone, in direct messages and in private answers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from simcord import interactions
from simcord.actors import MemberActor

import cogs.match.quarantine
from cogs.match.advice import progress_of
from cogs.match.alone import IDLE
from cogs.match.automatic_moves import AutomaticMoves
from cogs.messages.hand import hand_message
from data.content.texts import texts
from data.records.match import Match, Status
from data.records.matches import Matches
from data.records.people import Person
from data.records.post import HandPost
from data.store import schema
from data.store.database import NotStored
from rules import GAMES, LESSONS
from rules.core.computer import VERSION
from rules.core.game import Seat
from rules.core.lesson import OTHER, Progress
from tests.support.apicheck import components
from tests.support.simulation import Simulation, controls, raw, words

TEXT, PICTURE, ROW = 10, 12, 1
"""Discord's kinds of components."""

pytestmark = pytest.mark.usefixtures("plain")


async def learner(sim: Simulation) -> MemberActor:
    return sim.join_server("alice")[0]


def read(message: Any) -> str:
    return "\n".join(words(raw(message)))


async def at(sim: Simulation, number: int = 1) -> tuple[Match, Progress[Any] | None]:
    """Return the lesson and how far it is."""
    match = await sim.match(number)
    return match, progress_of(GAMES[match.game], match, await sim.service.log(number))


async def press(sim: Simulation, person: MemberActor, action: str, text: str, number: int = 1) -> str:
    """Press a button of the learner's hand in their direct messages; return what it shows then."""
    match = await sim.match(number)
    turn = sim.service.turn(match, Seat(match.seat_of(person.id) or 0))
    hand = sim.hand(person)
    said = await sim.forge(
        person, f"1/{number}/{action}/{turn}/{text}", message=hand.id, channel=person.user.dm_channel.id
    )
    await sim.caught_up()
    return said


async def moved_on(sim: Simulation, number: int = 1) -> None:
    """Wait until the computers have moved."""
    for _ in range(400):
        match = await sim.match(number)
        if not match.running or AutomaticMoves(sim.service).next_seat(match) is None:
            return await sim.caught_up()
        await sim.caught_up()
    raise AssertionError("the computers do not move")


@pytest.fixture
def code(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The language of all clients."""
    spoken, plain = getattr(request, "param", "en"), interactions.base_payload

    def payload(*args: Any, **how: Any) -> Any:
        record, found = plain(*args, **how)
        return record, {**found, "locale": {"en": "en-GB"}.get(spoken, spoken)}

    monkeypatch.setattr(interactions, "base_payload", payload)
    return str(spoken)


async def decide(sim: Simulation, person: MemberActor, number: int = 1) -> Match:
    """Do as the lesson advises, and wait until it is the learner's turn again."""
    _, found = await at(sim, number)
    assert found is not None and found.advised is not None
    await press(sim, person, "move", str(found.advised), number)
    await moved_on(sim, number)
    return await sim.match(number)


async def learns(sim: Simulation, slug: str) -> MemberActor:
    """Return a person who has begun a lesson in direct messages, once it is their turn."""
    person = await learner(sim)
    assert GAMES[slug].title in sim.said(await person.user.slash("learn", game=slug))
    await moved_on(sim)
    return person


@pytest.mark.parametrize("code", ["en", pytest.param("de", marks=pytest.mark.long)], indirect=True)
@pytest.mark.games("slug", short=["full_sun"], long=LESSONS)
async def test_a_lesson_is_played_to_its_end(sim: Simulation, slug: str, code: str) -> None:
    """It is played in direct messages, with all its explanations; its hand is one message, and no other user sees
    anything.
    """
    person, told, explained = await learns(sim, slug), texts(code, slug), []
    assert told["lesson.intro"] in read(sim.hand(person))
    while (await sim.match()).open:
        _, found = await at(sim)
        assert found is not None
        shown = read(sim.hand(person))
        assert told["lesson.yours"] in shown
        if found.step is not None:
            explained.append(found.step.key)
            assert told[f"lesson.step.{found.step.key}"] in shown
            assert (told["lesson.find"] in shown) == found.step.asks
        await decide(sim, person)
    assert set(explained) == {step.key for step in LESSONS[slug].steps}
    end = sim.hand(person)
    assert told["lesson.end"] in read(end) and told["lesson.over"] in read(end)
    assert {f"1/0/open//{slug}", f"1/0/learn//again/{slug}"} <= set(controls(raw(end)))
    assert len([message for message in sim.dms(person) if message.attachments]) == 1
    assert sim.public() == [] and sim.pings() == [person.id], "it says hello once"


def dm(person: MemberActor) -> int:
    return int(person.user.dm_channel.id)


async def a_worse_move(sim: Simulation, person: MemberActor, number: int = 1) -> str:
    """Do as the lesson advises until a step has its own reason against a move; return that move."""
    while True:
        match, found = await at(sim, number)
        assert found is not None
        state, seat = sim.service.state(match), LESSONS[match.game].seat
        for move in state.legal_moves(seat):
            if move != found.advised and found.reason(state.view(seat), move) != OTHER:
                return str(move)
        await decide(sim, person, number)


@pytest.mark.parametrize("slug", LESSONS)
async def test_a_worse_move_is_explained_and_the_learner_chooses_again(sim: Simulation, slug: str) -> None:
    person = await learns(sim, slug)
    move, before = await a_worse_move(sim, person), await sim.match()
    said = await press(sim, person, "move", move)
    assert "🤔" in said and "Better: " in said
    labels = [part.get("label") for part in components(raw(sim.hand(person)))]
    assert texts("en")["lesson.anyway"] in labels
    assert (await sim.match()).moves == before.moves, "nothing is made yet"
    await decide(sim, person)
    assert (await sim.match()).moves > before.moves
    assert texts("en")["lesson.anyway"] not in [part.get("label") for part in components(raw(sim.hand(person)))]


@pytest.mark.parametrize("slug", LESSONS)
async def test_the_reason_against_a_move_stands_beside_the_moves(sim: Simulation, slug: str) -> None:
    """On a phone the texts above the picture are out of sight when the learner chooses."""
    person = await learns(sim, slug)
    move = await a_worse_move(sim, person)
    await press(sim, person, "move", move)
    order = [part for part in components(raw(sim.hand(person))) if part["type"] in (TEXT, PICTURE, ROW)]
    kinds = [part["type"] for part in order]
    why = next(at for at, part in enumerate(order) if "🤔" in part.get("content", ""))
    assert kinds.index(PICTURE) < why == kinds.index(ROW) - 1
    shown = read(sim.hand(person))
    assert "👉" not in shown, "the reason names the better move, and takes the place of the advice"


@pytest.mark.games("slug", short=["sea_change"], long=LESSONS)
async def test_computers_wait_while_the_learner_decides(sim: Simulation, slug: str) -> None:
    """Even if all decide at once: otherwise a computer's move would take the reason away that is being read."""
    person = await learns(sim, slug)
    while (match := await sim.match()).open:
        if LESSONS[slug].seat in sim.service.state(match).to_move():
            before = match.moves
            await moved_on(sim)
            assert (await sim.match()).moves == before
        await decide(sim, person)


async def test_a_sealed_decision_stands(sim: Simulation) -> None:
    """A second tap while computers choose would leave the lesson's moves unnoticed."""
    person = await learns(sim, "siege_of_sunfall")
    turn = sim.service.turn(await sim.match(), Seat(0))
    hand = sim.hand(person)
    await sim.service.play(1, person.id, turn, "pledge 3")
    content = await hand_message(sim.app.messages, await sim.match(), await person_of(sim, person))
    assert not [part for part in map(str, content.rows) if "'move'" in part]
    said = await sim.forge(person, f"1/1/move/{turn}/pledge 5", message=hand.id, channel=dm(person))
    assert texts("en")["refused.decided"] in said
    await moved_on(sim)
    assert (await at(sim))[1] is not None and "👉" in read(sim.hand(person))


async def person_of(sim: Simulation, person: MemberActor) -> Person:
    found = await sim.service.people.get(person.id)
    assert found is not None
    return found


async def test_what_the_own_move_brought_is_told(sim: Simulation) -> None:
    person = await learns(sim, "sea_change")
    await decide(sim, person)
    assert "🤖Clara** takes the trick: ☀️ Y11 ☀️ Y12 ☀️ Y8" in read(sim.hand(person))
    while (await sim.match()).open:
        await decide(sim, person)
    assert "takes the trick" in read(sim.hand(person)), "also at the end"


async def test_what_happened_is_told_in_sentences(sim: Simulation) -> None:
    person = await learns(sim, "photosynthesis")
    for _ in range(4):
        await decide(sim, person)
    assert "+3 → **3**. **🤖Blaise** plants" in read(sim.hand(person))


async def test_the_advice_stays_in_a_choice_of_several_steps(sim: Simulation) -> None:
    person = await learns(sim, "photosynthesis")
    for _ in range(2):
        await decide(sim, person)
    await press(sim, person, "path", "grow")
    assert "👉 Next: **Grow D1" in read(sim.hand(person))


async def test_a_hint_names_the_move_that_the_lesson_advises(sim: Simulation) -> None:
    """Also where the learner is to find it. It is not counted. Off the lesson's moves it is a hint as in any match."""
    person = await learns(sim, "sea_change")
    for _ in range(2):
        await decide(sim, person)
    assert texts("en")["lesson.find"] in read(sim.hand(person))
    assert "Y5**" in sim.said(await person.user.slash("hint"))
    assert [chair.hints for chair in (await sim.match()).chairs] == [0, 0, 0]
    await press(sim, person, "anyway", "play B8")
    if sim.service.state(await sim.match()).to_move() != {0}:
        assert texts("en")["refused.nothing_to_decide"] in sim.said(await person.user.slash("hint"))
    await moved_on(sim)
    await sim.press(person, sim.hand(person), "Hint")
    assert "💡" in read(sim.hand(person))


async def test_a_move_that_is_as_good_is_accepted(sim: Simulation) -> None:
    """The lesson goes on with its moves in another order."""
    person = await learns(sim, "sea_change")
    for _ in range(2):
        await decide(sim, person)
    before = (await sim.match()).moves
    assert "🤔" not in await press(sim, person, "move", "play Y4")
    assert (await sim.match()).moves > before
    await moved_on(sim)
    _, found = await at(sim)
    assert found is not None and str(found.advised) == "play B11"
    while (await sim.match()).open:
        await decide(sim, person)


@pytest.mark.parametrize("slug", LESSONS)
async def test_a_worse_move_can_be_made_all_the_same(sim: Simulation, slug: str) -> None:
    """Then the lesson gives no more advice, and computers think. It can begin again from the start."""
    person = await learns(sim, slug)
    move = await a_worse_move(sim, person)
    await press(sim, person, "anyway", move)
    assert [m.text for m in await sim.service.log(1) if m.user == person.id][-1] == move
    await moved_on(sim)
    _, found = await at(sim)
    assert found is None or found.advised is None
    hand = sim.hand(person)
    assert "begins" in await sim.forge(person, f"1/0/learn//again/{slug}", message=hand.id, channel=dm(person))
    await moved_on(sim, 2)
    assert (await sim.match()).status is not Status.PLAYING and (await sim.match(2)).status is Status.PLAYING


@pytest.mark.games("slug", short=["full_circle"], long=LESSONS)
async def test_a_restart_in_the_middle_changes_nothing(sim: Simulation, slug: str) -> None:
    person = await learns(sim, slug)
    for _ in range(3):
        await decide(sim, person)
    shown, (_, found) = read(sim.hand(person)), await at(sim)
    await sim.restart(600)
    await moved_on(sim)
    assert read(sim.hand(person)) == shown
    assert (await at(sim))[1] == found
    while (await sim.match()).open:
        await decide(sim, person)
    assert texts("en", slug)["lesson.end"] in read(sim.hand(person))


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
    assert shown is not None
    turn = sim.service.turn(match, Seat(0))
    await sim.forge(person, f"1/1/move/{turn}/place D1", message=shown.message.id)
    await moved_on(sim)
    assert texts("en", "photosynthesis")["lesson.step.second_tree"] in read(shown.message)
    assert sim.public() == []


async def test_learning_again_goes_on_where_it_was(sim: Simulation) -> None:
    person = await learns(sim, "full_circle")
    await decide(sim, person)
    said = sim.said(await person.user.slash("learn", game="full_circle"))
    assert "goes on where you were" in said
    assert (await sim.matches.index.counts())["playing"] == 1
    other = await sim.slash(person, "learn", game="full_sun")
    assert "begins" in other and (await sim.match(2)).game == "full_sun"


async def test_no_other_user_gets_to_a_lesson(sim: Simulation) -> None:
    """Presses of other users change nothing and tell nothing; the learner's own server does not know of the lesson."""
    person = await learns(sim, "sea_change")
    (stranger,) = await sim.lobby("bob")
    match = await sim.match()
    turn = sim.service.turn(match, LESSONS["sea_change"].seat)
    for action in sorted({route.partition("/")[0] for route in sim.app.router.routes} - {"open", "learn", "games"}):
        said = await sim.forge(stranger, f"1/1/{action}/{turn}/play Y8")
        assert "Y8" not in said and "first lesson" not in said, action
    assert await sim.match() == match
    found = await sim.slash(stranger, "hand", table=1)
    assert texts("en")["refused.no_match"] in found
    assert "first lesson" not in await sim.slash(stranger, "games")
    assert "first lesson" in await sim.slash(person, "games")


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
    assert result.response is not None
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


async def test_data_of_a_learner_is_given_out_and_deleted(sim: Simulation) -> None:
    person = await learns(sim, "full_circle")
    await decide(sim, person)
    await sim.service.people.get(person.id)
    found = await sim.slash(person, "games")
    assert "first lesson" in found
    await sim.forge(person, "1/0/data//delete", message=sim.hand(person).id, channel=dm(person))
    await sim.caught_up()
    assert not (await sim.match()).open
    assert await sim.service.people.get(person.id) is None


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
    monkeypatch.delitem(LESSONS, "full_sun")  # type: ignore[arg-type]
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
    assert result.response is not None
    assert "1/0/learn//sea_change" in controls(raw(result.response.message))


async def test_a_restored_lesson_goes_on_at_once(sim: Simulation) -> None:
    """A lesson has no table for a comparison, so it goes on from the backup."""
    person = await learns(sim, "sea_change")
    await decide(sim, person)
    await sim.database.write(schema.mark_restored)
    await sim.restart()
    await moved_on(sim)
    match = await sim.match()
    assert match.doubt is None and match.running
    assert (await decide(sim, person)).moves > match.moves


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
