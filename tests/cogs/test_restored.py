"""A restored old backup: tables of which Discord shows later moves rest with a word, all others go on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cogs.match.automatic_moves import AutomaticMoves
from cogs.match.positions import LoggedEvent
from cogs.match.restored import Mark, mark
from cogs.transport.compare_restored import shown_by
from data.records.match import RestoreCheck, Status
from data.store.backups import Backups, restore
from rules.core.game import Seat
from tests.cogs.managing import manager
from tests.process.loopback import until
from tests.support.matches import refusal, seated
from tests.support.simulation import Simulation, background, controls, offers, raw, words
from tests.support.table import Table


async def backup(sim: Simulation) -> Path:
    return await background(sim, Backups)[0].make()


async def bring_back(sim: Simulation, chosen: Path) -> None:
    """Stop the bot once all is shown, restore that backup, and start it."""
    await sim.env.settle()
    assert await until(lambda: not sim.app.publisher.behind()[0])
    await sim.bot.close()
    restore(Path(sim.settings.database), chosen, sim.env.now())
    await sim.start_bot()
    await sim.env.settle()


def boards(sim: Simulation, number: int) -> list[str]:
    """What the messages at that table say now."""
    return [
        text
        for text in sim.visible(sim.people["alice"])
        if f"1/{number}/fair/" in text and f"1/{number}/people/" in text
    ]


async def other_table(sim: Simulation) -> int:
    """Another running match of the same people, in which nothing happens after the backup."""
    people = sim.join_server("alice", "bob")
    table = await Table.open(sim, "sea_change", people, seed="other")
    await sim.press(people[0], sim.board(), "Start")
    return table.number


async def test_where_discord_shows_later_moves_the_table_rests_and_others_go_on(sim: Simulation, plain: None) -> None:
    other = await other_table(sim)
    table = await Table.begin(sim, "sea_change", list(sim.people.values()), seed="later")
    await table.play(lambda match, state: match.moves >= 25)
    chosen = await backup(sim)
    await table.play(lambda match, state: match.moves >= 40)
    lost, stale = await sim.match(table.number), {}
    for chair in lost.people:  # buttons of a future that is no more
        turn = sim.service.turn(lost, Seat(chair.number))
        stale[sim.by_id(chair.user or 0)] = f"1/{table.number}/move/{turn}/play B1"
    cursor = sim.cursor
    await bring_back(sim, chosen)

    match = await sim.match(table.number)
    assert match.moves == 25
    assert match.doubt is RestoreCheck.BEHIND
    assert match.restores == 1
    (said,) = boards(sim, table.number)
    assert "older backup" in said
    assert not any(shown.body.get("allowed_mentions", {}).get("users") for shown in sim.public(cursor))
    for person, button in stale.items():
        assert "paused" in await sim.forge(person, button)
    left_alone = await sim.match(other)
    assert left_alone.doubt is None
    assert left_alone.running

    for person in stale:
        await sim.press(person, sim.board(), f"1/{table.number}/vote//resume")
    match = await sim.match(table.number)
    assert match.running
    assert match.doubt is None
    (said,) = boards(sim, table.number)
    assert "older backup" not in said
    for person, button in stale.items():
        assert "earlier turn" in await sim.forge(person, button)
    await table.play(lambda match, state: match.moves >= 27)
    await sim.play_on(other, 1)


@pytest.mark.parametrize("where", ["the table", "the hand"])
async def test_a_table_that_the_backup_does_not_have_says_what_became_of_it(
    sim: Simulation, plain: None, where: str
) -> None:
    people = sim.join_server("alice", "bob")
    chosen = await backup(sim)
    await Table.begin(sim, "sea_change", people, seed="lost")
    assert await until(lambda: not sim.app.publisher.behind()[0])
    board, hand = sim.board(), sim.dms(people[0])[-1]
    await bring_back(sim, chosen)
    message = board if where == "the table" else hand
    shown = controls(raw(message))
    assert shown
    said = sim.said(await sim.press(people[0], message, shown[0]))
    assert where == "the hand" or "older backup" in said
    there = {now.id: raw(now) for now in (*sim.channel.history(), *sim.dms(people[0]))}
    assert bool(controls(there[message.id])) == (where == "the table"), "the next press there tells another player"
    if where == "the hand":
        assert "**/play** opens a new one" in "\n".join(words(there[message.id]))


async def test_a_table_that_was_sent_again_meanwhile_is_found(sim: Simulation, tide: Table) -> None:
    chosen = await backup(sim)
    await sim.app.publisher.shown.forget_shown(tide.number)
    sim.app.publisher.changed(tide.number)
    assert await until(lambda: not sim.app.publisher.behind()[0])
    newer = sim.board().id
    await tide.play(lambda match, state: match.moves >= 2)
    await bring_back(sim, chosen)
    assert (await sim.match()).doubt is RestoreCheck.BEHIND
    assert (await sim.matches.posts.of(1)).table.message == newer
    assert len(boards(sim, 1)) == 1


async def test_a_table_that_has_moved_meanwhile_is_found_and_comes_back(sim: Simulation, tide: Table) -> None:
    chosen, parlour = await backup(sim), sim.guild.create_text_channel("parlour")
    await sim.slash(tide.people[0], "relocate", parlour)
    await sim.play_on(1, 1)
    await bring_back(sim, chosen)
    assert await until(lambda: not sim.app.publisher.behind()[0])
    assert (await sim.match()).doubt is RestoreCheck.BEHIND
    assert len(boards(sim, 1)) == 1
    assert "My hand" in controls(raw(sim.board()))
    assert f"moved to <#{sim.channel.id}>" in "\n".join(words(raw(parlour.history()[-1])))
    assert await sim.service.posts.behind() == []


async def test_a_lobby_that_began_meanwhile_leaves_no_table_in_its_thread(sim: Simulation, plain: None) -> None:
    people = sim.join_server("alice", "bob")
    table = await Table.open(sim, "sea_change", people, seed="thread", options={"place": "thread"})
    chosen = await backup(sim)
    await table.start()
    (thread,) = sim.channel.threads
    await bring_back(sim, chosen)
    assert await until(lambda: not sim.app.publisher.behind()[0])
    assert (await sim.match()).status is Status.LOBBY
    assert "Start" in controls(raw(sim.board()))
    assert [controls(raw(message)) for message in thread.history() if "components" in raw(message)] == [[]]


@pytest.mark.parametrize("by", ["its outcome", "a vote", "a manager"])
async def test_where_discord_shows_the_end_it_is_stopped(sim: Simulation, tide: Table, by: str) -> None:
    """The end has shown the secret, from which all hidden cards follow: no player may play on from before it."""
    await tide.play(lambda match, state: match.moves >= 3)
    chosen, (alice, bob) = await backup(sim), tide.people
    if by == "its outcome":
        await sim.play_on(random=tide.random)
    elif by == "a vote":
        for person in (alice, bob):
            await sim.forge(person, "1/1/vote_sure//end")
    else:
        await sim.cancel(manager(sim), 1)
    ended = sim.board().id
    secret = (await sim.match()).secret
    await bring_back(sim, chosen)

    match = await sim.match()
    assert (match.secret, match.moves, match.status) == (secret, 3, Status.STOPPED)
    assert sim.board().id != ended, "what it says of the end stays"
    assert "was already over" in "\n".join(words(raw(sim.board())))
    assert "was already over" in await sim.forge(alice, "1/1/vote//resume")
    assert "was already over" in await sim.slash(bob, "move", move="play B1", table=1)
    assert not offers(sim.hand(alice)) + offers(sim.hand(bob))
    assert "✗" not in await sim.slash(alice, "verify", table=1)
    await sim.restart()
    assert (await sim.match()).ending == "restored"
    await sim.press(alice, sim.board(), "Play again")
    assert (await sim.match(1001 + 1)).status is Status.LOBBY


async def test_a_table_that_is_as_it_was_goes_on(sim: Simulation, tide: Table) -> None:
    await tide.play(lambda match, state: match.moves >= 3)
    chosen, board = await backup(sim), sim.board().id
    await bring_back(sim, chosen)
    match = await sim.match()
    assert match.running
    assert match.doubt is None
    assert match.restores == 0
    assert sim.board().id == board
    await tide.play(lambda match, state: match.moves >= 6)


async def test_where_no_message_is_left_it_goes_on(sim: Simulation, tide: Table) -> None:
    chosen = await backup(sim)
    await tide.play(lambda match, state: match.moves >= 2)
    sim.env.backend.messages[sim.channel.id].clear()
    await bring_back(sim, chosen)
    assert (await sim.match()).running
    assert len(boards(sim, 1)) == 1


async def test_until_it_is_compared_nothing_is_done(sim: Simulation, tide: Table) -> None:
    async with sim.service.deciding(1) as match:
        await sim.service.save(replace(match, doubt=RestoreCheck.UNCHECKED))
    match = await sim.match()
    seat = min((await sim.state()).to_move())
    user = match.chairs[seat].player
    assert await refusal(sim.service.play(1, user, sim.service.turn(match, Seat(seat)), "play R1")) == "unchecked"
    assert await AutomaticMoves(sim.service).play(1) is None


@pytest.mark.parametrize(
    ("text", "ids", "ended"),
    [
        ("-# Position 41 · `8f3a09bc`", ["1/1/hand//"], False),
        ("Log\n-# Stand 41 · `8f3a09bc`", ["1/1/log//", "1/1/verify//", "1/1/again//"], True),
        ("no mark", ["1/1/hand//", "1/1/fair//41.8f3a09bc"], False),
        ("no mark", ["1/1/log//", "1/1/fair//41.8f3a09bc.end"], True),
        ("it tells the end", ["1/1/again//end", "1/1/fair//41.8f3a09bc.end"], True),
    ],
)
def test_the_mark_is_found_in_an_id_and_in_the_text_of_older_versions(text: str, ids: list[str], ended: bool) -> None:
    parts = [{"content": text}, *({"custom_id": custom_id} for custom_id in ids)]
    message: Any = SimpleNamespace(components=[SimpleNamespace(to_dict=lambda: {"components": parts})])
    found = shown_by(message, 1)
    assert (found.mark, found.ended) == (Mark(41, "8f3a09bc"), ended)
    assert shown_by(message, 2) is None


@pytest.mark.parametrize(
    "rest", ["", "41", "41.8f3a09b", "41.8f3a09bc.over", "41.8F3A09BC", "x.8f3a09bc", "٤١.8f3a09bc"]
)
def test_another_rest_is_no_mark(rest: str) -> None:
    assert Mark.of_rest(rest) is None


def test_which_marks_are_later() -> None:
    own = Mark(7, "aaaaaaaa")
    assert not own.is_behind(own)
    assert not own.is_behind(Mark(6, "bbbbbbbb")), "Discord was not told yet"
    assert own.is_behind(Mark(7, "bbbbbbbb")), "another story from the same point on"
    assert own.is_behind(Mark(8, "aaaaaaaa"))


def test_the_mark_follows_from_the_position_and_from_what_everyone_saw() -> None:
    """A table may show it for months, so each version makes the same. It counts no event that only one seat saw."""
    told: Any = [SimpleNamespace(seen_by=lambda viewer, to=to: to) for to in ("all", None)]
    seen, secret = (LoggedEvent(0, event) for event in told)
    for view in ({"a": 1, "b": 2}, {"b": 2, "a": 1}):
        state: Any = SimpleNamespace(view=lambda seat, view=view: SimpleNamespace(to_json=lambda: view))
        assert mark(seated(1, 2), state, [seen, secret, seen]) == Mark(2, "1d74122a")
