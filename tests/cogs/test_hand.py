"""What a hand says and offers, whatever stands in it beside: a long note, harmful names, the end of the match."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from cogs.match.lobby import Lobby
from cogs.match.membership import Membership
from cogs.match.service import MatchService
from cogs.match.table_options import set_seat_preferences
from cogs.messages.content import MOST_TEXT, Button, Content
from cogs.messages.hand import hand_message, offers_forced
from cogs.messages.names import clean, written
from cogs.messages.presenter import Presenter
from cogs.transport.components import layout_view
from data.records.match import Match, Status
from data.records.people import Person
from rules import GAMES
from rules.core.game import AnyState, IllegalMove, Seat
from tests.cogs.test_largest import HARMFUL
from tests.support.apicheck import TEXT, components
from tests.support.matches import ANN, BEN, CLEO, PEOPLE, begun, mover, play
from tests.support.simulation import Simulation
from tests.support.table import Table
from tests.support.traits import nearest_seats, plies

EVIL = ("[a](https://b.c) <@1>", "**b** ||s|| @everyone", "> q `x` __u__")


async def played(service: MatchService, match: Match, until: Callable[[AnyState, Seat], bool]) -> tuple[Match, Seat]:
    """Moves by chance until that is true of a seat that is to move."""
    print(f"moves by seed {match.game}")
    random = Random(match.game)
    while True:
        state = service.state(match)
        for seat in sorted(state.to_move()):
            if until(state, seat):
                return match, seat
        seat = random.choice(sorted(state.to_move()))
        move = random.choice(state.legal_moves(seat)[:3])  # of many pledges, low ones: they tie more often
        match = (await service.play(match.id, match.chairs[seat].player, None, str(move))).match


def awards(state: AnyState, seat: Seat) -> bool:
    """Whether the seat names another: the King decides a tie."""
    return any(str(move).startswith("award") for move in state.legal_moves(seat))


def actions(content: Content) -> set[str]:
    controls = [control for row in content.rows for control in (row if isinstance(row, tuple) else (row,))]
    return {control.id.action for control in controls if not isinstance(control, Button) or control.id}


def read(content: Content) -> list[str]:
    """Its texts as Discord gets them."""
    return [
        part["content"]
        for part in components({"components": layout_view(content).to_components()})
        if part["type"] == TEXT
    ]


@pytest.mark.parametrize("end", [Status.STOPPED, Status.CANCELLED])
@pytest.mark.parametrize("game", GAMES)
async def test_after_the_end_nothing_is_offered(
    service: MatchService, messages: Presenter, game: str, end: Status
) -> None:
    """Also where the position would still allow a move, or taking one back."""
    match = await begun(service, *PEOPLE[: nearest_seats(GAMES[game], 3)], game=game)
    match, seat = await played(service, match, lambda state, seat: state.ply >= plies(game, 13))
    person = Person(match.chairs[seat].player, "somebody")
    assert actions(await hand_message(messages, match, person)) & {"move", "pick", "path"}
    if end is Status.CANCELLED:
        match = await Lobby(service).cancel(match.id, ANN, manager=True)
    else:
        await Membership(service, Lobby(service)).vote(match.id, ANN, "end")
        match = (await Membership(service, Lobby(service)).vote(match.id, BEN, "end")).match
    assert match.status is end
    hand = await hand_message(messages, match, person)
    assert actions(hand) == {"again", "replay", "review", "log", "fair"}
    assert messages.labels(match).say(f"end.{end.value}") in "\n".join(read(hand))


@pytest.mark.parametrize("wants_text", [True, False])
@pytest.mark.parametrize("game", GAMES)
async def test_a_note_pushes_no_question_out(
    service: MatchService, messages: Presenter, game: str, wants_text: bool
) -> None:
    match = await begun(service, *PEOPLE[: nearest_seats(GAMES[game], 3)], game=game)
    seat = min(service.state(match).to_move())
    person = Person(match.chairs[seat].player, "somebody", wants_text=wants_text)
    for length in (900, MOST_TEXT - 200, 2 * MOST_TEXT):
        hand = await hand_message(messages, match, person, notice="word " * (length // 5))
        found, parts = read(hand), [part for part in hand.parts if isinstance(part, str)]
        assert found[0] == parts[0]
        assert found[1].startswith("word word")
        assert found[-1] == [part for part in parts if part][-1], "what to do now, or the question"
        assert sum(map(len, found)) <= MOST_TEXT


async def test_names_in_a_refusal_do_nothing(service: MatchService, messages: Presenter) -> None:
    game, names = "siege_of_sunfall", dict(zip(PEOPLE, map(clean, EVIL), strict=False))
    match, seat = await played(service, await begun(service, ANN, BEN, CLEO, game=game, names=names), awards)
    user = match.chairs[seat].player
    with pytest.raises(IllegalMove) as refused:
        GAMES[game].parse(seat, "nonsense")
    said = messages.refusal(match, user, refused.value, "en-GB")
    assert any(written(name) in said for name in EVIL)
    assert not HARMFUL.search(said), said
    for text in read(await hand_message(messages, match, Person(user, "somebody", wants_text=True), notice=said)):
        assert not HARMFUL.search(text), text


async def test_names_in_what_was_decided_do_nothing(sim: Simulation, plain: None) -> None:
    people = sim.join_server(*EVIL)
    table = await Table.begin(sim, "siege_of_sunfall", people, seed="evil")

    match = await table.play(lambda match, state: any(awards(state, seat) for seat in state.to_move()))
    state = sim.service.state(match)
    (seat,) = state.to_move()
    said = await sim.slash(sim.by_id(match.chairs[seat].player), "move", move=str(state.legal_moves(seat)[0]))
    (noted,) = [line for line in said.splitlines() if line.startswith("✓ Done: ")]
    assert any(written(name) in noted for name in EVIL)
    assert not HARMFUL.search(noted), noted


async def test_moves_without_a_choice_are_offered_as_automatic_after_the_third(
    service: MatchService, messages: Presenter
) -> None:
    """And no more once they are."""
    match, made, offered = await begun(service, ANN, BEN, game="full_circle"), Counter[int](), 0
    while match.running and not offered:
        seat, user = mover(service, match)
        is_forced = len(service.state(match).legal_moves(seat)) == 1
        hand = await hand_message(messages, match, Person(user, "somebody"))
        actions = {button.id.action for row in hand.rows if isinstance(row, tuple) for button in row if button.id}
        assert ("forced" in actions) == (is_forced and made[user] >= 3)
        offered += "forced" in actions
        made[user] += is_forced
        if not offered:
            match = await play(service, match)
    assert offered
    await set_seat_preferences(service, match.id, user, lambda chair: replace(chair, plays_forced=True))
    match = await service.load(match.id)
    assert not await offers_forced(messages, match, Person(user, "somebody"), seat)
