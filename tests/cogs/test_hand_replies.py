"""The private hands that answer presses in the channel: edited with the table while Discord lets the bot edit them."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from simcord.actors import MemberActor
from simcord.results import InteractionResult

from cogs.match.deadlines import pause as pause_match
from cogs.match.quarantine import Fault
from cogs.match.refusals import Reason
from cogs.transport.live_answers import MARGIN
from cogs.transport.request_budget import PublishTiming
from cogs.transport.senders import LIFE
from data.records.match import Match, Status
from data.records.people import PingPreference
from rules import GAMES
from rules.core.game import Seat
from tests.process.loopback import until
from tests.support.inside import faults_of, interaction_of
from tests.support.simulation import Offer, Shown, Simulation, controls, offers
from tests.support.table import Table, fewest_seats, shortest_options
from tests.support.traits import NAMES

pytestmark = pytest.mark.usefixtures("plain")

STILL = "no longer updates by itself"
LEFT = "so I have removed your hand from here"


class Hands:
    """The private hands of a table's people: each opens theirs once, with *My hand*."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.sim: Simulation = table.sim
        self.opened: dict[int, InteractionResult] = {}
        self.presses = 0

    async def open(self, *people: MemberActor) -> None:
        for person in people or self.table.people:
            self.opened[person.id] = await self.sim.press(person, self.sim.board(self.table.channel), "My hand")
            self.presses += 1

    def message(self, person: MemberActor) -> Any:
        """Return the message as it is now on the simulated Discord."""
        shown: Any = self.opened[person.id].response
        channel = interaction_of(self.opened[person.id]).channel_id
        return self.sim.env.backend.messages[channel][shown.id]

    def body(self, person: MemberActor) -> dict[str, Any]:
        return {"components": self.message(person).components}

    def text(self, person: MemberActor) -> str:
        return Shown(None, "", 0, self.body(person)).text

    def offers(self, person: MemberActor) -> list[Offer]:
        return offers(self.body(person))

    def is_there(self, result: InteractionResult) -> bool:
        record = interaction_of(result)
        return record.message_id in self.sim.env.backend.messages[record.channel_id]

    async def press(self, person: MemberActor, custom_id: str, value: str | None = None) -> InteractionResult:
        self.presses += 1
        return await self.sim.press(person, self.opened[person.id].response, custom_id, value)

    async def move(self) -> int:
        """The player to move chooses in their private hand. Return the number of presses that it took."""
        match, state = await self.table.now()
        seat = self.table.random.choice(sorted(state.to_move()))
        person = self.sim.by_id(match.chairs[seat].player)
        for presses in range(1, 6):
            offer = self.table.random.choice(self.offers(person))
            await self.press(person, offer.custom_id, offer.value)
            if offer.action == "move":
                assert (await self.table.now())[0].moves > match.moves
                return presses
        raise AssertionError("too many steps to a move")

    def shows_now(self, match: Match, person: MemberActor) -> bool:
        """Return whether the hand shows who is to move and offers what its player may do."""
        seat = match.seat_of(person.id)
        state = self.sim.service.state(match)
        turn = f"1/{match.id}/"
        ids = [custom_id for custom_id in controls(self.body(person)) if custom_id.startswith(turn)]
        wanted = state.turn(Seat(seat)) if match.running and state.legal_moves(Seat(seat)) else None
        found = {custom_id.split("/")[3].split("-")[0] for custom_id in ids if custom_id.split("/")[2] in MOVING}
        return found == (set() if wanted is None else {wanted})


async def opened_by_alice(table: Table) -> tuple[Hands, Simulation, MemberActor]:
    hands, alice = Hands(table), table.people[0]
    await hands.open(alice)
    return hands, table.sim, alice


MOVING = ("move", "path", "pick")


async def opened(sim: Simulation, game: str, seats: int, **how: Any) -> Hands:
    """A match whose people get no pings and play in the channel, each with their hand open."""
    people = sim.join_server(*NAMES[:seats])
    table = await Table.open(sim, game, people, seed=f"live {game}", **how)
    for person in people:
        await sim.service.people.change(person.id, ping=PingPreference.NONE)
    await sim.press(people[0], sim.board(), "Start")
    hands = Hands(table)
    await hands.open()
    return hands


def edits_to(sim: Simulation, person: MemberActor, since: int) -> list[Shown]:
    return [shown for shown in sim.shown(since) if shown.viewer == person.id]


@pytest.mark.games("game", short=["siege_of_sunfall"], long=GAMES)
async def test_each_hand_shows_each_position(sim: Simulation, game: str) -> None:
    seats = fewest_seats(game)
    hands = await opened(sim, game, seats)
    for _ in range(20):
        await hands.move()
        match, _state = await hands.table.now()
        if not match.running:
            break
        for person in hands.table.people:
            assert hands.shows_now(match, person), hands.text(person)
        assert len(sim.app.publisher.replies) == seats


async def test_a_match_of_tricks_takes_one_press_a_move(sim: Simulation) -> None:
    """And one message for each player, besides the table's and the one that tells the end."""
    hands = await opened(sim, "sea_change", 2, options=shortest_options("sea_change", 2))
    before = len(sim.env.backend.messages[sim.channel.id])
    moves = 0
    while (await hands.table.now())[0].status is Status.PLAYING:
        assert await hands.move() == 1
        moves += 1
        assert moves < 500
    match, _ = await hands.table.now()
    assert hands.presses == moves + len(hands.table.people)
    assert match.moves == moves
    assert len(sim.env.backend.messages[sim.channel.id]) == before + 1
    labels = sim.app.messages.labels(match)
    for person in hands.table.people:
        assert not hands.offers(person)
        assert not [text for text in controls(hands.body(person)) if "/undo/" in text or "/refresh/" in text]
        assert any(labels.names[w] in hands.text(person) for w in range(2))
        assert "Waiting for" not in hands.text(person)
    assert not len(sim.app.publisher.replies), "an ended match has nothing to update"


async def test_the_waiting_text_says_whose_turn_it_is(sim: Simulation) -> None:
    hands = await opened(sim, "sea_change", 2)
    for _ in range(8):
        await hands.move()
        _, person, _ = await hands.table.asked()
        for other in hands.table.people:
            text = hands.text(other).replace("*", "")
            assert ("Your turn" in text) == (other is person)
            assert (f"Waiting for {person.name}" in text) == (other is not person)


async def test_a_hand_in_direct_messages_is_kept_up_to_date_too(tide: Table) -> None:
    hands = Hands(tide)
    await hands.open()
    for _ in range(6):
        await tide.step(*await tide.now())  # by direct message
        match, _ = await tide.now()
        for person in tide.people:
            assert hands.shows_now(match, person)
            assert offers(tide.sim.hand(person)) == hands.offers(person)


async def test_a_newer_hand_replaces_the_older(tide: Table) -> None:
    hands, sim, alice = await opened_by_alice(tide)
    first = hands.opened[alice.id]
    await hands.open(alice)
    assert not hands.is_there(first)
    second = hands.opened[alice.id]
    await sim.slash(alice, "hand")
    assert not hands.is_there(second)
    assert len(sim.app.publisher.replies) == 1


async def test_a_hand_whose_time_is_over_says_so(tide: Table) -> None:
    """Its moves are gone, and *Refresh* is its first button, which brings it back in place."""
    hands, sim, alice = await opened_by_alice(tide)
    await sim.env.advance_time(LIFE - 5)
    assert STILL not in hands.text(alice)
    await sim.env.advance_time(10)
    assert STILL in hands.text(alice)
    ids = [text for text in controls(hands.body(alice)) if text.startswith("1/")]
    assert ids[0] == f"1/{tide.number}/refresh//"
    assert not {custom_id.split("/")[2] for custom_id in ids} - {"refresh", "last", "log", "rules", "mine"}
    assert not len(sim.app.publisher.replies)

    before = json.dumps(hands.body(alice))
    await tide.step(*await tide.now())
    assert json.dumps(hands.body(alice)) == before, "it is edited no more"

    count = len(sim.env.backend.messages[sim.channel.id])
    await hands.press(alice, "Refresh")
    assert len(sim.env.backend.messages[sim.channel.id]) == count, "in place"
    assert STILL not in hands.text(alice)
    for _ in range(4):
        await tide.step(*await tide.now())
        assert hands.shows_now((await tide.now())[0], alice)


async def test_each_press_begins_the_time_again(tide: Table) -> None:
    hands, sim = Hands(tide), tide.sim
    _, person, _ = await tide.asked()
    await hands.open(person)
    for _ in range(3):
        await sim.env.advance_time(LIFE - 60)
        await hands.press(person, "Refresh")
        assert STILL not in hands.text(person)
    await sim.env.advance_time(LIFE + 5)
    assert STILL in hands.text(person)


@pytest.mark.parametrize("pressed", ["Refresh", "an old move"])
async def test_after_a_restart_the_next_press_brings_the_hand_back(tide: Table, pressed: str) -> None:
    """A press on what is out of date is refused, and shows what is legal, from then on kept up to date."""
    hands, sim = Hands(tide), tide.sim
    _, person, _ = await tide.asked()
    await hands.open(person)
    old = hands.offers(person)[0]
    await sim.restart()
    before = json.dumps(hands.body(person))
    await tide.step(*await tide.now())
    assert json.dumps(hands.body(person)) == before
    await (hands.press(person, pressed) if pressed == "Refresh" else hands.press(person, old.custom_id, old.value))
    for _ in range(2):
        assert hands.shows_now((await tide.now())[0], person)
        await tide.step(*await tide.now())


async def test_a_step_under_way_stays_while_the_decision_is_the_same(sim: Simulation) -> None:
    """The hand says what is new, and the player goes on from the step that they have made."""
    hands = await opened(sim, "photosynthesis", 2)
    while True:
        match, state = await hands.table.now()
        (seat,) = state.to_move()
        person = sim.by_id(match.chairs[seat].player)
        steps = [offer for offer in hands.offers(person) if offer.action == "path"]
        if steps:
            break
        await hands.move()
    await hands.press(person, steps[0].custom_id, steps[0].value)
    before, text = hands.offers(person), hands.text(person)
    assert before != steps
    async with sim.service.deciding(match.id) as match:
        await sim.service.save(replace(match, turn_since=(match.turn_since or 0) - 3600))
    await sim.caught_up()
    assert hands.text(person) != text
    assert hands.offers(person) == before
    assert any(custom_id.startswith(f"1/{match.id}/path/") for custom_id in controls(hands.body(person)))

    cursor = sim.cursor
    async with sim.service.deciding(match.id) as match:
        await sim.service.save(match)
    await sim.caught_up()
    assert not edits_to(sim, person, cursor), "nothing new, no edit"


async def test_a_player_who_leaves_keeps_no_cards(siege: Table) -> None:
    hands, sim = Hands(siege), siege.sim
    alice, bob, _ = siege.people
    await hands.open()
    await sim.press(alice, sim.board(), "My hand")
    await sim.forge(bob, f"1/{siege.number}/give_seat//")
    assert LEFT in hands.text(bob)
    assert not controls(hands.body(bob))
    assert len(sim.app.publisher.replies) == 2


async def test_deleted_data_leaves_no_hand_behind(siege: Table) -> None:
    hands, sim = Hands(siege), siege.sim
    alice, *_ = siege.people
    await hands.open()
    await sim.forge(alice, "1/0/data//delete")
    assert LEFT in hands.text(alice)
    assert not [r for r in sim.app.publisher.replies.kept.values() if r.user == alice.id]


async def test_a_paused_match_edits_no_hand_but_ends_it_in_time(tide: Table) -> None:
    hands, sim, alice = await opened_by_alice(tide)
    before = sim.cursor
    await pause_match(sim.service, tide.number)
    await sim.caught_up()
    assert (await tide.now())[0].paused
    assert not edits_to(sim, alice, before)
    await sim.env.advance_time(LIFE + 5)
    assert STILL in hands.text(alice)


async def test_a_match_in_quarantine_ends_its_hands_without_a_picture(tide: Table) -> None:
    hands, sim, alice = await opened_by_alice(tide)
    sim.service.quarantine.sound.discard(tide.number)
    faults_of(sim.service.quarantine)[tide.number] = Fault(Reason.DAMAGED, "code")
    cursor = sim.cursor
    sim.app.publisher.changed(tide.number)
    await sim.caught_up()
    assert not edits_to(sim, alice, cursor)
    await sim.env.advance_time(LIFE + 5)
    assert STILL in hands.text(alice)
    assert not hands.offers(alice)


async def test_the_next_table_takes_the_message_over(sim: Simulation) -> None:
    """From then on only that table edits it."""
    people = sim.join_server("alice", "bob")
    tables = []
    for number in range(2):
        tables.append(await Table.open(sim, "sea_change", people, seed=f"next {number}"))
        for person in people:
            await sim.service.people.change(person.id, ping=PingPreference.NONE)
        await sim.press(people[0], sim.board(), "Start")
    asked = {(await table.asked())[1].id for table in tables}
    if len(asked) > 1:
        table = tables[0]
        seat, person, _ = await table.asked()
        while (await table.asked())[1].id != (await tables[1].asked())[1].id:
            state = sim.service.state(await sim.match(table.number))
            seat, mover, _ = await table.asked()
            await sim.slash(mover, "move", move=str(state.legal_moves(seat)[0]), table=table.number)
    _, person, _ = await tables[0].asked()
    shown = await sim.press(person, sim.board(), "My hand")
    hands = Hands(tables[1])
    hands.opened[person.id] = shown
    first = sim.app.publisher.replies.kept
    ((number, _seat),) = [
        key for key, reply in first.items() if reply.user == person.id and reply.message.id == shown.response.id
    ]
    label = next(text for text in controls(hands.body(person)) if "/next/" in text)
    await hands.press(person, label)
    (after,) = [key[0] for key, reply in first.items() if reply.message.id == shown.response.id]
    assert after != number


@pytest.mark.parametrize("code", [50027, 10008, 10015])
async def test_a_hand_that_is_out_of_reach_is_forgotten(tide: Table, code: int) -> None:
    hands, sim, alice = await opened_by_alice(tide)
    sim.env.inject_error("PATCH", _route(hands, alice), status=404, code=code, times=1)
    for _ in range(3):
        await tide.step(*await tide.now())
    assert not len(sim.app.publisher.replies)


async def test_after_a_failure_of_discord_it_is_tried_again(tide: Table) -> None:
    hands, sim = Hands(tide), tide.sim
    sim.set_timing(PublishTiming(edits=0, computer=0, retry=0.002, longest_retry=0.01))
    alice, _bob = tide.people
    await hands.open(alice)
    sim.env.inject_error("PATCH", _route(hands, alice), status=503, code=0, times=3)
    for _ in range(3):
        await tide.step(*await tide.now())
    match, _ = await tide.now()
    assert await until(lambda: hands.shows_now(match, alice))
    await sim.env.settle()
    assert len(sim.app.publisher.replies) == 1


async def test_no_token_is_kept_longer_than_it_lasts(tide: Table) -> None:
    """Also if Discord fails all the time."""
    hands, sim = Hands(tide), tide.sim
    sim.set_timing(PublishTiming(edits=0, computer=0, retry=3600, longest_retry=3600))
    alice, _bob = tide.people
    await hands.open(alice)
    sim.env.inject_error("PATCH", _route(hands, alice), status=503, code=0, times=None)
    await tide.step(*await tide.now())
    await sim.env.advance_time(LIFE + 5)
    assert len(sim.app.publisher.replies) == 1
    await sim.env.advance_time(MARGIN)
    assert not len(sim.app.publisher.replies)


async def test_no_task_is_left_when_the_bot_ends(tide: Table) -> None:
    hands, sim = Hands(tide), tide.sim
    await hands.open()
    replies = sim.app.publisher.replies
    kept = list(replies.kept.values())
    await sim.restart()
    assert not len(replies)
    assert all(reply.clock is None or reply.clock.done() for reply in kept)


def _route(hands: Hands, person: MemberActor) -> str:
    """The route by which the bot edits that person's hand."""
    token = interaction_of(hands.opened[person.id]).token
    return f"/webhooks/{hands.sim.env.backend.application_id}/{token}/messages/{hands.message(person).id}"
