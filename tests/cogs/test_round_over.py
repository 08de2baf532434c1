"""After a round that changed the scores, the table shows how the match stands, until the players have moved on."""

from __future__ import annotations

import json

import pytest

from cogs.messages.hand import round_line
from data.content.texts import texts
from rendering import renderer
from rendering.core.labels import Labels
from rendering.core.story import Place, Story
from tests.support.simulation import Simulation, controls, raw, words
from tests.support.table import Table

pytestmark = pytest.mark.usefixtures("plain")


def shows_scores(sim: Simulation) -> bool:
    return "round.png" in json.dumps(raw(sim.board()))


async def test_a_round_is_summed_up_for_its_first_turns(sim: Simulation, tide: Table) -> None:
    shown = []
    for _ in range(40):
        match, state = await tide.now()
        seat = min(state.to_move())
        await tide.decide(sim.by_id(match.chairs[seat].user))
        _, state = await tide.now()
        view = state.view(None)
        shown.append((view.round, view.trick_number, len(view.lays), shows_scores(sim)))
        if view.round == 2 and view.trick_number == 4:
            break
    assert not any(scores for round_, *_, scores in shown if round_ == 1)
    begun = [scores for round_, *_, scores in shown if round_ == 2]
    assert begun[0], "as soon as the round is over"
    assert not begun[-1], "not for the whole round"
    assert begun == sorted(begun, reverse=True)


def test_the_line_about_a_round_says_who_won_it() -> None:
    def line(gains: tuple[int, int], *, lowest: bool = False, won: bool = True) -> list[str]:
        placed = tuple(
            Place((seat,), seat + 1, False, f"{5 + gain} VP", (5, 5 + gain)) for seat, gain in enumerate(gains)
        )
        story = Story(placed, "", (), "", lowest_wins=lowest, rounds_are_won=won)
        return [round_line(story, own, Labels(("Ann", "Ben"), texts("en"))) for own in placed]

    assert line((3, 1)) == [
        "🏁 **You won the round: +3** · now 8 VP",
        "🏁 Round won by **Ann: +3** · you: +1, now 6 VP",
    ]
    assert line((3, 1), lowest=True)[0] == "🏁 Round won by **Ben: +1** · you: +3, now 8 VP"
    assert line((2, 2))[0] == "🏁 **Your round: +2** · now 7 VP", "both or none have won it"
    assert line((3, 1), won=False) == ["🏁 **Your round: +3** · now 8 VP", "🏁 **Your round: +1** · now 6 VP"]


async def test_a_hand_tells_the_round_until_its_player_has_moved_in_the_next_one(sim: Simulation, tide: Table) -> None:
    told = dict[int, list[bool]]()
    for _ in range(40):
        match, state = await tide.now()
        view = state.view(None)
        for chair in match.people:
            shown = "round.png" in json.dumps(raw(sim.hand(sim.by_id(chair.player))))
            has_moved = chair.number in {lay.player for lay in view.lays} or view.trick_number > 1
            assert shown == (view.round == 2 and not has_moved), (view.round, view.trick_number, chair.name)
            told.setdefault(chair.number, []).append(shown)
        if view.round == 2 and view.trick_number == 2:
            break
        await tide.decide(sim.by_id(match.chairs[min(state.to_move())].user))
    assert all(map(any, told.values())), "each player is told"


async def test_a_step_of_a_choice_does_not_tell_the_round_again(sim: Simulation) -> None:
    """The way back leads to it."""
    table = await Table.begin(sim, "photosynthesis", sim.join_server("alice", "bob"), seed="a step after a round")
    while True:
        person = await table.mover()
        if "round.png" in str(raw(sim.hand(person))) and "path" in str(raw(sim.hand(person))):
            break
        await table.decide(person)
    said = "\n".join(words(raw(sim.hand(person))))
    assert "🏁 **Your round: " in said and "won" not in said, "no player wins a round of this game"
    steps = [pressed for pressed in controls(raw(sim.hand(person))) if "/path/" in pressed]
    await sim.press(person, sim.hand(person), steps[0])
    assert "round.png" not in str(raw(sim.hand(person))) and "🏁" not in str(raw(sim.hand(person)))
    await sim.press(person, sim.hand(person), "Back")
    assert "round.png" in str(raw(sim.hand(person)))


async def test_the_line_above_the_hand_says_what_the_round_brought_its_player(sim: Simulation, tide: Table) -> None:
    """The picture below it, and its alt text, say who is ahead and how the match is won."""
    lines = []
    while not lines:
        match, state = await tide.now()
        await tide.decide(sim.by_id(match.chairs[min(state.to_move())].user))
        hands = [sim.hand(sim.by_id(chair.player)) for chair in match.people]
        lines = [line for hand in hands for text in words(raw(hand)) for line in text.split("\n") if "🏁" in line]
    assert sorted(lines) == [
        "🏁 **You won the round: +1** · now 1 VP",
        "🏁 Round won by **bob: +1** · you: 0, now 0 VP",
    ]
    said = json.dumps(raw(sim.board()), ensure_ascii=False)
    assert "After 1 round · first to 3 VP: 1. " in said and "(+1)" in said, "the table's alt text"
    alts = [
        text for hand in hands for text in words(raw(hand)) if text.startswith("After 1 round · first to 3 VP: 1. ")
    ]
    assert len(alts) == len(hands)
    story, labels = await sim.service.events_of(await sim.match()), sim.app.messages.labels(await sim.match(), "en")
    scored = next(logged.event for logged in reversed(story) if type(logged.event).__name__ == "RoundScored")
    sentence = renderer("sea_change").narrate(scored, labels).split("\n")[0]
    assert sentence and all(sentence not in text for hand in hands for text in words(raw(hand))), "it is told once"
    assert all("is dealt" not in text for hand in hands for text in words(raw(hand))), "the hand's picture shows it"
