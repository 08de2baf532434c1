"""`/games` and the way from one table to the next: what waits stands first, links lead there, hands open at once."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from simcord.actors import MemberActor

from cogs.match.clocks import GRACE
from data.records.terms import Terms
from tests.support.apicheck import components
from tests.support.simulation import Simulation, controls, offers, raw
from tests.support.table import Table

pytestmark = pytest.mark.usefixtures("plain")


async def a_table(sim: Simulation, people: list[MemberActor], game: str = "sea_change", clock: str = "none") -> int:
    """A table of these people that has just begun."""
    table = await Table.open(sim, game, people, seed=f"{game} {clock}", options={"clock": clock})
    await sim.press(people[0], sim.board(), "Start")
    return table.number


async def until_waits(sim: Simulation, number: int, person: MemberActor, waits: bool = True) -> None:
    """Move for everybody until that table waits for this person alone, or does not wait for them."""
    for _ in range(40):
        match = await sim.match(number)
        awaited = sim.service.state(match).to_move()
        if (match.seat_of(person.id) in awaited) is waits:
            break
        seat = min(awaited)
        move = sim.service.state(match).legal_moves(seat)[0]
        await sim.service.play(number, match.chairs[seat].player, None, str(move))
        sim.bot.app.publisher.changed(number)
    else:
        raise AssertionError("it never comes to that")
    while any(post.shown < match.version for post in (await sim.matches.posts.of(number))):
        await sim.env.settle()


def labels(message: Any) -> list[str]:
    """The labels of all buttons, links too."""
    body = {"components": message.components} if not hasattr(message, "guild") else raw(message)
    return [part["label"] for part in components(body) if part["type"] == 2]


def label_of(message: Any, action: str) -> str | None:
    """The custom_id of the button that does that."""
    body = {"components": message.components} if not hasattr(message, "guild") else raw(message)
    return next((part for part in controls(body) if part.startswith("1/") and part.split("/")[2] == action), None)


async def move_in(sim: Simulation, person: MemberActor, hand: Any) -> Any:
    """The first move that a hand offers, made there."""
    body = {"components": hand.components} if not hasattr(hand, "guild") else hand
    offer = offers(body)[0]
    assert offer.action == "move"
    return await sim.press(person, hand, offer.custom_id, offer.value)


async def test_what_waits_for_me_comes_first_by_the_time_left(sim: Simulation) -> None:
    alice, _ = people = sim.join_server("alice", "bob")
    await sim.env.advance_time(GRACE)
    for clock in ("none", "day_1", "hours_12", "none", "none", "none"):
        await a_table(sim, people, clock=clock)
        await sim.env.advance_time(60)
    for number in (1, 2, 3, 4):
        await until_waits(sim, number, alice)
    await until_waits(sim, 5, alice, waits=False)
    for person in people:
        await sim.forge(person, "1/6/vote//pause")
    await sim.slash(alice, "play", game="full_sun")
    for number, seconds in ((4, 5000), (1, 100)):
        async with sim.service.deciding(number) as match:
            await sim.service.save(replace(match, turn_since=(match.turn_since or 0) - seconds))
    said = await sim.slash(alice, "games")
    lines = said.strip().splitlines()
    assert lines[0] == "### Your tables · your turn at 4 of 7"
    assert [int(number) for number in re.findall(r"\[[^]]+table (\d+)\]", said)] == [3, 2, 4, 1, 5, 7, 6]
    for line in lines[1:]:
        number = int(re.findall(r"table (\d+)\]", line)[0])
        message = (await sim.matches.posts.of(number)).table.message
        assert f"(https://discord.com/channels/{sim.guild.id}/{sim.channel.id}/{message})" in line
    assert all(re.search(r"\*\*your turn\*\* · ends <t:\d+:R>$", line) for line in lines[1:3])
    assert all(re.search(r"\*\*your turn\*\* · started <t:\d+:R>$", line) for line in lines[3:5])
    assert "waiting for **bob** · turn started" in lines[5]
    assert "waiting for players" in lines[6] and "paused <t:" in lines[7]
    assert "Forest" not in said


async def test_tables_of_other_servers_are_named_with_theirs(sim: Simulation) -> None:
    (alice,) = sim.join_server("alice")
    other = sim.env.create_guild("*Beach* @everyone")
    place = other.create_text_channel("sand")
    there = other.add_member(alice.user)
    await there.slash(place, "play", game="sea_change")
    await sim.slash(alice, "play", game="full_sun")
    mine, theirs = await sim.slash(alice, "games"), sim.said(await there.slash(place, "games"))
    assert re.search(r"table 1\]\(\S+\) · \\\*Beach\\\* \\@\u200beveryone: waiting", mine)
    assert f"/channels/{other.id}/{place.id}/" in mine
    assert "Forest" not in mine and "table 2](" in mine
    assert "table 2](" in theirs and " · Forest: waiting" in theirs and "Beach" not in theirs
    everywhere = sim.said(await alice.user.slash("games"))
    assert "Forest" in everywhere and "Beach" in everywhere


async def test_a_hand_opens_in_the_answer_and_next_leads_on(sim: Simulation) -> None:
    alice, _ = people = sim.join_server("alice", "bob")
    for _ in range(3):
        await a_table(sim, people)
    for number in (1, 2, 3):
        await until_waits(sim, number, alice)
    shown = await alice.slash(sim.channel, "games")
    assert "Play: Sea Change · table 1" in labels(shown.response)
    order = [int(n) for n in re.findall(r"\[[^]]+table (\d+)\]", sim.said(shown))]
    cursor = sim.cursor
    result = await sim.press(alice, shown.response, f"1/{order[0]}/play//")
    hand = shown.response
    assert f"table {order[0]}]" in sim.said(result) and "Your turn" in sim.said(result)
    assert {shown.viewer for shown in sim.shown(cursor)} == {alice.id}, [
        s for s in sim.shown(cursor) if s.viewer != alice.id
    ]
    assert "Next table (2)" in labels(hand)
    # Not now: on to the second, and from there to the third.
    for number in order[1:]:
        assert f"table {number}]" in sim.said(await sim.press(alice, hand, label_of(hand, "next")))
    said = sim.said(await move_in(sim, alice, hand))
    assert "✓ Done" in said
    for number in order[:-1]:
        await until_waits(sim, order[-1], alice, waits=False)
        (followed,) = [label for label in labels(hand) if label.startswith("Next table")]
        stale = label_of(hand, "next")
        assert f"table {number}]" in sim.said(await sim.press(alice, hand, stale)), followed
        await move_in(sim, alice, hand)
        await until_waits(sim, number, alice, waits=False)
    # A button of before, when nothing waits any more.
    assert "No other table is waiting for you." in await sim.forge(alice, stale, message=hand.id)
    for forged in ("1/0/play//", "1/99/play//", "1/0/next//x", "1/0/games//99", "1/0/games//-1", "1/1/catch_up//"):
        assert "on my side" not in await sim.forge(alice, forged)
    (ida,) = sim.join_server("ida")
    assert "You are not playing at this table." in await sim.forge(ida, "1/1/play//")
    assert "You are not playing at this table." in await sim.forge(ida, "1/1/catch_up//")


async def test_many_that_wait_are_a_select_and_pages(sim: Simulation) -> None:
    alice, _ = people = sim.join_server("alice", "bob")
    for _ in range(7):
        await a_table(sim, people)
    for number in range(1, 8):
        await until_waits(sim, number, alice)
    app = sim.bot.app
    for _ in range(18):
        await app.lobby.open(
            "full_circle", guild=1, channel=2, user=alice.id, name="alice", terms=Terms(locale="en-GB")
        )
    shown = await alice.slash(sim.channel, "games")
    found = [sim.said(shown)]
    assert not [label for label in labels(shown.response) if "Play: " in label]
    select = next(part for part in components({"components": shown.response.components}) if part["type"] == 3)
    assert len(select["options"]) == 7
    found += [sim.said(await sim.press(alice, shown.response, "More")) for _ in range(2)]
    numbers = [int(number) for text in found for number in re.findall(r"\[[^]]+table (\d+)\]", text)]
    assert sorted(numbers) == list(range(1, 26))
    await sim.press(alice, shown.response, "Previous")
    await sim.press(alice, shown.response, "Previous")
    assert "table 5]" in sim.said(await sim.press(alice, shown.response, "1/0/play//", "5"))


async def test_in_direct_messages_next_is_one_tap_to_the_hand_there(sim: Simulation) -> None:
    alice, _ = people = sim.join_server("alice", "bob")
    await a_table(sim, people)
    await a_table(sim, people, "full_circle")
    await until_waits(sim, 2, alice)
    await until_waits(sim, 1, alice)
    own = (await sim.matches.posts.of(1)).hands[(await sim.match(1)).seat_of(alice.id)].message
    hand = next(message for message in sim.dms(alice) if message.id == own)
    result = await move_in(sim, alice, hand)
    assert "✓ Done" in sim.said(result) and "table 1]" in sim.said(result)
    hand = next(message for message in sim.dms(alice) if message.id == hand.id)
    match = await sim.match(2)
    there = (await sim.matches.posts.of(2)).hands[match.seat_of(alice.id)]
    (url,) = (part["url"] for part in components(raw(hand)) if part.get("label") == "Next table (1)")
    assert url == f"https://discord.com/channels/@me/{alice.user.dm_channel.id}/{there.message}"
    assert there.message in [message.id for message in sim.dms(alice)]
    beside = next(message for message in sim.dms(alice) if message.id == there.message)
    assert not [label for label in labels(beside) if label.startswith("Next")], "no answer to a press"
    # Where no hand stands there yet, the press itself is answered with it.
    answer = await sim.forge(alice, "1/1/next//", message=hand.id, channel=alice.user.dm_channel.id)
    assert "Full Circle · table 2]" in answer
    kept = next(message for message in sim.dms(alice) if message.id == hand.id)
    assert "table 1]" in "\n".join(part.get("content", "") for part in components(raw(kept)))


async def test_next_is_edited_away_only_with_something_else(sim: Simulation) -> None:
    """A sealed pledge that bob takes again must not be told by an edit that drops alice's way to another table."""
    people = alice, bob, _ = sim.join_server("alice", "bob", "carol")
    await a_table(sim, [alice, bob])
    await until_waits(sim, 1, alice)
    await a_table(sim, list(people), "siege_of_sunfall")
    for person, coins in ((bob, 1), (alice, 2)):
        hand = sim.hand(person)
        offer = next(o for o in offers(hand) if o.custom_id.endswith(f"/pledge {coins}"))
        await sim.press(person, hand, offer.custom_id)
    assert "Next table (1)" in labels(sim.hand(alice))
    cursor = sim.cursor
    offer = next(o for o in offers(sim.hand(bob)) if o.custom_id.endswith("/pledge 3"))
    assert "✓ Done" in sim.said(await sim.press(bob, sim.hand(bob), offer.custom_id))
    assert {shown.viewer for shown in sim.shown(cursor)} == {bob.id}
