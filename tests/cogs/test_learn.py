"""A lesson in the whole bot: played to its end, worse moves explained, advice beside the moves."""

from __future__ import annotations

import pytest
from simcord.actors import MemberActor

from cogs.messages.hand import hand_message
from data.content.texts import texts
from data.records.match import Status
from rules import LESSONS
from rules.core.game import Seat
from rules.core.lesson import OTHER
from tests.cogs.learning import at, decide, dm, learns, moved_on, press, read
from tests.support.apicheck import components
from tests.support.languages import speak
from tests.support.simulation import Simulation, controls, raw

TEXT, PICTURE, ROW = 10, 12, 1
"""Discord's kinds of components."""

pytestmark = pytest.mark.usefixtures("plain")


@pytest.fixture
def code(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The language of all clients."""
    spoken = getattr(request, "param", "en")
    speak(monkeypatch, lambda user: {"en": "en-GB"}.get(spoken, spoken))
    return str(spoken)


@pytest.mark.parametrize("code", ["en", pytest.param("de", marks=pytest.mark.long)], indirect=True)
@pytest.mark.games("slug", short=["full_sun"], long=LESSONS)
async def test_a_lesson_is_played_to_its_end(sim: Simulation, slug: str, code: str) -> None:
    """It is played in direct messages, with all its explanations; its hand is one message, which no other user sees."""
    person, told, explained = await learns(sim, slug), texts(code, slug), []
    assert told["lesson.intro"] in read(sim.hand(person))
    while (await sim.match()).open:
        _, found = await at(sim)
        shown = read(sim.hand(person))
        advice = told["lesson.advised"].partition("{")[0]
        assert (advice in shown) != (told["lesson.find"] in shown), "it says whose turn it is in one way"
        assert told["lesson.yours"] not in shown
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
    assert sim.public() == [] and sim.pings() == [], "no hello to a learner who is there"


async def a_worse_move(sim: Simulation, person: MemberActor, number: int = 1) -> str:
    """Do as the lesson advises until a step has its own reason against a move; return that move."""
    while True:
        match, found = await at(sim, number)
        state, seat = sim.service.state(match), LESSONS[match.game].seat
        for move in state.legal_moves(seat):
            if move != found.advised and found.reason(state.view(seat), move) != OTHER:
                return str(move)
        await decide(sim, person, number)


@pytest.mark.parametrize("slug", LESSONS)
async def test_a_worse_move_is_explained_beside_the_moves_and_the_learner_chooses_again(
    sim: Simulation, slug: str
) -> None:
    """On a phone the texts above the picture are out of sight when the learner chooses."""
    person, anyway = await learns(sim, slug), texts("en")["lesson.anyway"]
    move, before = await a_worse_move(sim, person), await sim.match()
    said = await press(sim, person, "move", move)
    assert "🤔" in said and "Better: " in said
    assert "👉" not in read(sim.hand(person)), "the reason names the better move, and takes the place of the advice"
    order = [part for part in components(raw(sim.hand(person))) if part["type"] in (TEXT, PICTURE, ROW)]
    kinds = [part["type"] for part in order]
    why = next(at for at, part in enumerate(order) if "🤔" in part.get("content", ""))
    assert kinds.index(PICTURE) < why == kinds.index(ROW) - 1
    assert anyway in controls(raw(sim.hand(person)))
    assert (await sim.match()).moves == before.moves, "nothing is made yet"
    await decide(sim, person)
    assert (await sim.match()).moves > before.moves
    assert anyway not in controls(raw(sim.hand(person)))


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
    content = await hand_message(sim.app.messages, await sim.match(), await sim.service.people.get(person.id))
    assert not [part for part in map(str, content.rows) if "'move'" in part]
    said = await sim.forge(person, f"1/1/move/{turn}/pledge 5", message=hand.id, channel=dm(person))
    assert texts("en")["refused.decided"] in said
    await moved_on(sim)
    assert (await at(sim))[1] is not None and "👉" in read(sim.hand(person))


async def test_what_the_own_move_brought_is_told(sim: Simulation) -> None:
    person = await learns(sim, "sea_change", 1)
    assert "🤖\u2060Clara** takes the trick: ☀️ Y11 ☀️ Y12 ☀️ Y8" in read(sim.hand(person))
    while (await sim.match()).open:
        await decide(sim, person)
    assert "takes the trick" in read(sim.hand(person)), "also at the end"


async def test_what_happened_is_told_in_sentences(sim: Simulation) -> None:
    person = await learns(sim, "photosynthesis", 4)
    assert "A4 on **B3**. **🤖\u2060Blaise** plants" in read(sim.hand(person))


async def test_the_advice_stays_in_a_choice_of_several_steps(sim: Simulation) -> None:
    person = await learns(sim, "photosynthesis", 2)
    await press(sim, person, "path", "grow")
    assert "👉 Next: **Grow D1" in read(sim.hand(person))


async def test_a_hint_names_the_move_that_the_lesson_advises(sim: Simulation) -> None:
    """Also where the learner is to find it. It is not counted. Off the lesson's moves it is a hint as in any match."""
    person = await learns(sim, "sea_change", 2)
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
    person = await learns(sim, "sea_change", 2)
    before = (await sim.match()).moves
    assert "🤔" not in await press(sim, person, "move", "play Y4")
    assert (await sim.match()).moves > before
    await moved_on(sim)
    _, found = await at(sim)
    assert found is not None and str(found.advised) == "play B11"
    while (await sim.match()).open:
        await decide(sim, person)


async def test_each_move_that_is_as_good_goes_on_or_is_answered_with_the_advised_one(sim: Simulation) -> None:
    """Full Circle's lesson asks twice for a move that has a twin; its moves after a twin would be others."""
    told, person, twins = texts("en"), await learns(sim, "full_circle"), 0
    left = told["lesson.left"]
    while (match := await sim.match()).open:
        _, found = await at(sim)
        assert found is not None and found.advised is not None
        state, seat = sim.service.state(match), LESSONS[match.game].seat
        for move in state.legal_moves(seat):
            if move != found.advised and found.reason(state.view(seat), move) == OTHER:
                twins += 1
                await press(sim, person, "move", str(move))
                shown, name = read(sim.hand(person)), sim.app.messages.move_labels(match, person.id, "en-GB")
                assert told["lesson.as_good"].format(better=name[str(found.advised)]) in shown
                assert (await sim.match()).moves == match.moves, "nothing is made yet"
        assert left not in read(sim.hand(person))
        await decide(sim, person)
    assert twins == 2
    assert told["lesson.missed"] not in read(sim.hand(person))


@pytest.mark.parametrize("slug", LESSONS)
async def test_a_worse_move_can_be_made_all_the_same(sim: Simulation, slug: str) -> None:
    """Then the hand says once that the lesson is left, there is no more advice, and computers think."""
    person, left, missed = await learns(sim, slug), texts("en")["lesson.left"], texts("en")["lesson.missed"]
    move, said = await a_worse_move(sim, person), list[bool]()
    assert left not in await press(sim, person, "move", move)
    await press(sim, person, "anyway", move)
    assert [m.text for m in await sim.service.log(1) if m.user == person.id][-1] == move
    await moved_on(sim)
    while (match := await sim.match()).open:
        _, found = await at(sim)
        assert found is None or found.advised is None
        said.append(left in read(sim.hand(person)))
        assert missed not in read(sim.hand(person))
        default = sim.service.state(match).default_move(LESSONS[slug].seat)
        await sim.service.play(1, person.id, sim.service.turn(match, default.seat), str(default))
        await moved_on(sim)
    assert said == [number == 0 for number in range(len(said))]
    assert missed in read(sim.hand(person))


async def test_a_lesson_can_begin_again_from_the_start(sim: Simulation) -> None:
    person = await learns(sim, "full_sun")
    hand = sim.hand(person)
    assert "begins" in await sim.forge(person, "1/0/learn//again/full_sun", message=hand.id, channel=dm(person))
    await moved_on(sim, 2)
    assert (await sim.match()).status is not Status.PLAYING and (await sim.match(2)).status is Status.PLAYING


@pytest.mark.games("slug", short=["full_circle"], long=LESSONS)
async def test_a_restart_in_the_middle_changes_nothing(sim: Simulation, slug: str) -> None:
    person = await learns(sim, slug, 3)
    shown, (_, found) = read(sim.hand(person)), await at(sim)
    await sim.restart(600)
    await moved_on(sim)
    assert read(sim.hand(person)) == shown
    assert (await at(sim))[1] == found
    while (await sim.match()).open:
        await decide(sim, person)
    assert texts("en", slug)["lesson.end"] in read(sim.hand(person))
