"""Presses that come twice, late, together or from nowhere: one decision counts once, and everybody is told why."""

from __future__ import annotations

from itertools import product

import pytest
from simcord.actors import MemberActor

from cogs.messages.content import number_in
from rules import GAMES
from tests.cogs.clocked import both
from tests.support.simulation import PEOPLE, Offer, Simulation, controls, offers, raw
from tests.support.table import Table
from tests.support.traits import nearest_seats


def together(sim: Simulation, person: MemberActor, pressed: list[Offer]) -> list[object]:
    """Presses on somebody's hand by direct message, all sent before the bot has seen one."""
    hand = sim.hand(person).id
    return [sim.raw_press(person, o.custom_id, message=hand, channel=person.user.dm_channel.id) for o in pressed]


def pledge(sim: Simulation, person: MemberActor, coins: int) -> Offer:
    return next(o for o in offers(sim.hand(person)) if o.custom_id.endswith(f"/pledge {coins}"))


@pytest.mark.parametrize("text", ["", "-1", "+1", "1.0", "x", " 1", "1\n", "²", "٣", "9" * 16, "9" * 5000])
def test_what_is_no_plain_number_leads_to_no_fault(text: str) -> None:
    assert number_in(text) == 0
    assert number_in(text, otherwise=-1) == -1
    assert number_in("7") == 7


@pytest.mark.parametrize(("cards", "others"), [(1, "✓ Already done: "), (5, "You have already decided that")])
async def test_of_five_presses_together_one_is_a_move(sim: Simulation, tide: Table, cards: int, others: str) -> None:
    """Of one button, or of those of five cards."""
    player, _ = await both(tide)
    results = together(sim, player, offers(sim.hand(player))[:cards] * (5 // cards))
    await sim.env.settle()
    said = [sim.said(result) for result in results]
    assert sum("✓ Done: " in text for text in said) == 1
    assert sum(others in text for text in said) == 4
    assert (await tide.now())[0].moves == 1


async def test_the_same_delivery_twice_is_one_press(sim: Simulation, tide: Table) -> None:
    player, _ = await both(tide)
    await sim.press(player, sim.hand(player), offers(sim.hand(player))[0].custom_id)
    event = next(e for e in reversed(sim.env.backend.transcript) if e[:2] == ("GATEWAY", "INTERACTION_CREATE"))
    cursor = sim.cursor
    sim.env.backend.emit("INTERACTION_CREATE", event[2])
    await sim.env.settle()
    assert not sim.shown(cursor)
    assert (await tide.now())[0].moves == 1


async def test_a_press_of_a_turn_that_never_was_is_out_of_date(sim: Simulation, tide: Table) -> None:
    player, _ = await both(tide)
    forged = offers(sim.hand(player))[0].custom_id.replace("/move/", "/move/99.")
    assert "That button was from an earlier turn" in await sim.forge(player, forged)
    assert (await tide.now())[0].moves == 0


async def test_a_step_of_an_earlier_turn_shows_the_hand_as_it_is(sim: Simulation, siege: Table) -> None:
    alice = sim.people["alice"]
    assert "That button was from an earlier turn" in await sim.forge(alice, "1/1/path/99.9/3")
    assert "pledge in secret" in await sim.forge(alice, "1/1/path//")


async def test_two_who_seal_at_once_have_both_sealed(sim: Simulation, siege: Table) -> None:
    alice, bob, _ = siege.people
    results = together(sim, alice, [pledge(sim, alice, 3)]) + together(sim, bob, [pledge(sim, bob, 1)])
    await sim.env.settle()
    assert ["✓ Done: " in sim.said(result) for result in results] == [True, True]
    match, state = await siege.now()
    assert len(state.view(None).sealed) == 2
    assert match.moves == 2


async def test_the_button_of_an_earlier_seal_is_out_of_date(sim: Simulation, siege: Table) -> None:
    """Who has sealed again has the newest pledge: an old button, pressed again by a slow finger, does not undo it."""
    alice = siege.people[0]
    first = pledge(sim, alice, 3)
    await siege.press(alice, sim.hand(alice), first)
    await siege.press(alice, sim.hand(alice), pledge(sim, alice, 5))
    assert "✓ Already done" in await sim.forge(
        alice, first.custom_id, message=sim.hand(alice).id, channel=alice.user.dm_channel.id
    )
    match, state = await siege.now()
    assert state.view(match.seat_of(alice.id)).own_seal == (5, 0)


FORGED = [
    *("garbage", "1/1/nonsense//", "1/1/move", "1/1//", "2/1/hand//", "1/999999/hand//", "1/999999/move/1.1/play B9"),
    *("1/99999999999999999999999999/hand//", "1/999999999999999/join//", "1/-1/hand//", "1/0/hand//"),
    *("1/0/setting//nonsense", "1/1/vote//nonsense", "1/1/option//nonsense", "1/1/log//99999999999999999999"),
    *("1/1/log//-5", "1/1/move/1.1/", "1/1/move/1.1/pledge 3", "1/1/move/1.1/play Z99", "1/1/move/1.1/" + "9" * 80),
    *("1/1/path/1.1/#/#/#9", "1/1/path/1.1/" + "/" * 60, "1/1/path/1.1/#99999999999999999999", "1/1/pick/1.1/"),
    *("1/1/undo//", "1/1/undo/1.1/", "1/1/undo/1.1-1/", "1/1/undo/1.1-/", "1/1/move/1.1-1/play B9"),
    *("1/1/move/-1/play B9", "1/999999/undo/1.1/", "1/١/hand//", "1/1/move/1.1/play ♠9", "1/1/move/1.1/\u202e\u0000\n"),
    *("\u2603" * 100, "'; DROP TABLE match; --"),
]


@pytest.mark.games("game", short=["siege_of_sunfall"], long=GAMES)
async def test_forged_presses_are_refused_in_words(sim: Simulation, plain: None, game: str) -> None:
    """By one who sits there, on the table and on the own hand, and by one who does not."""
    alice, *_ = people = sim.join_server(*PEOPLE[: nearest_seats(GAMES[game], 3)])
    table = await Table.begin(sim, game, people, seed="forged")
    (ida,) = sim.join_server("ida")
    version, board = (await table.now())[0].version, {"message": sim.board().id}
    hand = {"message": sim.hand(alice).id, "channel": alice.user.dm_channel.id}
    for custom_id, (person, place) in product(FORGED, ((alice, board), (alice, hand), (ida, board))):
        cursor = sim.cursor
        said = await sim.forge(person, custom_id, **place)
        assert said.strip() and "on my side" not in said, custom_id
        assert all(shown.viewer == person.id for shown in sim.shown(cursor)), custom_id
    assert (await table.now())[0].version == version


async def test_forged_choices_of_a_select_are_refused_in_words(sim: Simulation, siege: Table) -> None:
    alice = siege.people[0]
    hand, version = sim.hand(alice), (await siege.now())[0].version
    place = {"message": hand.id, "channel": alice.user.dm_channel.id}
    chosen = ((), ("",), ("m/play Z99",), ("x/y",), ("p/#9",), ("m/",), ("♠",), ("m/pledge 1", "m/pledge 2"))
    for custom_id, values in product(("1/1/pick/1.1/", "1/1/option//place", "1/1/option//teams"), chosen):
        said = await sim.forge(alice, custom_id, values=values, **place)
        assert said.strip() and "on my side" not in said, (custom_id, values)
    assert (await siege.now())[0].version == version


async def test_a_move_out_of_turn_says_so(sim: Simulation, tide: Table) -> None:
    _, other = await both(tide)
    match, state = await tide.now()
    card = state.view(match.seat_of(other.id)).hand[0]
    turn = state.turn(match.seat_of(other.id))
    assert "It is not your turn yet." in await sim.forge(other, f"1/1/move/{turn}/play {card}")
    assert "It is not your turn yet." in await sim.slash(other, "move", move=f"play {card}")


async def test_words_that_are_no_move_say_what_is_one(sim: Simulation, tide: Table) -> None:
    player, _ = await both(tide)
    for typed in ("", " ", "hello", "play B99", "♠♠♠", "x" * 4000, "pledge -1", "@everyone", "play 9B"):
        said = await sim.slash(player, "move", move=typed)
        assert "I do not know that move" in said or "You do not hold" in said, typed
        assert "What you can do: " in said, typed
    assert all("@everyone" not in shown.text for shown in sim.shown())
    assert (await tide.now())[0].moves == 0


async def test_presses_of_the_lobby_once_it_has_begun(sim: Simulation, tide: Table) -> None:
    alice = tide.people[0]
    (ida,) = sim.join_server("ida")
    said = await sim.forge(ida, "1/1/join//")
    assert "This match has already started. You are on the waiting list of Sea Change · table 1" in said
    version = (await tide.now())[0].version
    for action in ("add", "remove", "start", "option"):
        said = await sim.forge(ida, f"1/1/{action}//seats", values=["3"] if action == "option" else None)
        assert "This match has already started." in said
    assert "Leave Sea Change · table 1? Choose what follows:" in await sim.forge(alice, "1/1/leave//")
    assert "The seed stays secret until the match is over" in await sim.forge(alice, "1/1/verify//")
    assert (await tide.now())[0].version == version
    assert "1/1/join//" not in controls(raw(sim.board()))
    assert "You have left" in await sim.forge(ida, "1/1/leave//"), "the list of those who wait"
    assert "You are not playing at this table." in await sim.forge(ida, "1/1/leave//")


async def test_while_discord_takes_no_answers_the_log_says_so_once_and_once_when_it_does(
    sim: Simulation, tide: Table, caplog: pytest.LogCaptureFixture
) -> None:
    alice = tide.people[0]
    for _ in range(2):
        sim.env.inject_error("POST", "/interactions/*", status=500, times=None)
        for _ in range(3):
            await sim.press(alice, sim.board(), "My hand")
        sim.env.backend.faults.clear()
        assert (await sim.press(alice, sim.board(), "My hand")).acknowledged
    said = [r.getMessage().partition(":")[0] for r in caplog.records if r.levelname == "WARNING"]
    assert said == 2 * ["a press could not be acknowledged", "Discord takes the answers to presses again"]
