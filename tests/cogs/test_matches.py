"""Whole matches from /play to the final score, of every game, by every way in which a person can decide."""

from __future__ import annotations

import pytest

from data.records.match import Match
from rules import GAMES
from rules.core.game import AnyState
from tests.support.pixels import plain_pictures
from tests.support.simulation import PEOPLE, Simulation, offers, raw
from tests.support.table import DM, MY_HAND, WORDS, Table, fast_computers, fewest_seats, shortest_options

each_game = pytest.mark.games("game", short=["siege_of_sunfall"], long=GAMES)
REAL_PICTURES = 6
"""Moves."""
MOST = 24
"""Moves of the matches that are played in another way: their ends look like those of the others."""
ONE_ROUND = {"target": "1"}


async def short(sim: Simulation, game: str, seed: str, **how: object) -> Table:
    """The shortest match at the smallest table, in its lobby; `way` for everybody, else by direct message."""
    people = sim.join_server(*PEOPLE[: fewest_seats(game)])
    ways = dict.fromkeys(sim.people, how.pop("way", DM))
    return await Table.open(sim, game, people, seed=seed, options=shortest_options(game, len(people)), ways=ways)


async def a_while(table: Table) -> None:
    await table.start()
    await table.play(lambda match, state: match.moves >= MOST)


async def to_the_end(table: Table) -> None:
    await table.start()
    await table.play()
    await table.check_end()


@each_game
async def test_by_direct_message_with_real_pictures(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    """Real ones as far as most of these matches last; a long one goes on with others, for they take their time."""
    table = await short(sim, game, "real pictures")
    await table.start()
    await table.play(lambda match, state: match.moves >= REAL_PICTURES)
    plain_pictures(monkeypatch)
    await table.play()
    await table.check_end()


@each_game
async def test_with_closed_direct_messages(sim: Simulation, plain: None, game: str) -> None:
    """Through My hand, for everybody's own eyes alone, and a mention at the table for each turn."""
    people = sim.join_server(*PEOPLE[: fewest_seats(game)])
    sim.close_dms(*people)
    ways = dict.fromkeys(sim.people, MY_HAND)
    table = await Table.open(sim, game, people, seed="closed", ways=ways, options=shortest_options(game, len(people)))
    assert "plays with *My hand*" in "\n".join(sim.visible(people[0]))
    await a_while(table)


@each_game
async def test_in_words(sim: Simulation, plain: None, game: str) -> None:
    await a_while(await short(sim, game, "words", way=WORDS))


@pytest.mark.games("game", short=[], long=GAMES)
async def test_beside_computers_in_a_thread(
    sim: Simulation, plain: None, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    """Two people, one by direct message and one through My hand, and computers as far as four."""
    fast_computers(monkeypatch)
    people, seats = sim.join_server("alice", "bob"), min(4, max(GAMES[game].seats))
    options, ways = {**shortest_options(game, seats), "place": "thread"}, {"alice": DM, "bob": MY_HAND}
    table = await Table.open(sim, game, people, seed="four", computers=seats - 2, ways=ways, options=options)
    await to_the_end(table)


async def test_sea_change_alone_against_the_tide(sim: Simulation, plain: None) -> None:
    people = sim.join_server("alice")
    await to_the_end(await Table.open(sim, "sea_change", people, seed="alone", options=ONE_ROUND))


async def test_sea_change_in_teams(sim: Simulation, plain: None) -> None:
    people = sim.join_server("alice", "bob", "carol", "dave")
    options = {"teams": "2v2", **ONE_ROUND}
    ways = {"alice": DM, "bob": MY_HAND, "carol": WORDS, "dave": DM}
    await to_the_end(await Table.open(sim, "sea_change", people, seed="teams", ways=ways, options=options))


async def restart(sim: Simulation) -> None:
    """End the bot and start another: it shows nothing again, and all that stood there stands there."""
    cursor, standing = sim.cursor, [list(sim.visible(person)) for person in sim.people.values()]
    await sim.restart()
    assert not sim.shown(cursor)
    assert standing == [list(sim.visible(person)) for person in sim.people.values()]


@each_game
async def test_restarts_lose_nothing_and_show_nothing_twice(sim: Simulation, plain: None, game: str) -> None:
    """In the lobby, at the first decision and on the way, a step of a decision taken: the old buttons go on working."""
    table = await short(sim, game, "restarts")
    await restart(sim)
    await table.start()
    await restart(sim)
    for count in (1, 4, 5):
        match, _ = await table.now()
        await table.play(lambda m, s, until=match.moves + count: m.moves >= until)
        await restart(sim)
    match, state = await table.now()
    stored = state.to_json()
    for seat in sorted(state.to_move())[:1]:  # a short match is over by now
        person = sim.by_id(match.chairs[seat].user)
        step = next((offer for offer in offers(sim.hand(person)) if offer.action == "path"), None)
        if step is None:
            break
        await table.press(person, sim.hand(person), step)
        assert (await table.now())[1].to_json() == stored
        await restart(sim)
    await table.play(lambda m, s: m.moves >= match.moves + 3)
    logged = await sim.matches.moves(1)
    assert [move.number for move in logged] == list(range((await table.now())[0].moves))


async def test_restarts_while_some_have_sealed(sim: Simulation, plain: None) -> None:
    """The old buttons of those who have sealed and of those who have not go on working."""
    table = await short(sim, "siege_of_sunfall", "sealed")
    await table.start()
    for sealed in (1, 2, 1, 2):
        cursor = (await table.now())[0].moves
        match = await table.play(lambda m, s, n=sealed, c=cursor: m.moves > c and len(s.view(None).sealed) == n)
        assert len((await table.now())[1].to_move()) == 3 - sealed or match.moves > cursor
        await restart(sim)
    await table.play(lambda match, state: state.view(None).round == 3)
    match, _ = await table.now()
    assert (await sim.matches.moves(1))[-1].number == match.moves - 1


@each_game
@pytest.mark.parametrize("way", [DM, MY_HAND])
async def test_old_buttons_change_nothing_and_are_answered(sim: Simulation, plain: None, game: str, way: str) -> None:
    """Of an earlier turn: the button that was pressed, one that was not, and a step on the way to a move."""
    table = await short(sim, game, "stale")
    await table.start()
    match, state = await table.now()
    person = sim.by_id(match.chairs[min(state.to_move())].user)
    if way == MY_HAND:
        shown = (await sim.press(person, sim.board(), "My hand")).response
        where, body = {"message": shown.id}, {"components": shown.components}
    else:
        where, body = {"message": sim.hand(person).id, "channel": person.user.dm_channel.id}, raw(sim.hand(person))
    seat = min(state.to_move())
    turn = state.turn(seat)
    made, left = (f"1/1/move/{turn}/{move}" for move in (state.legal_moves(seat)[0], state.legal_moves(seat)[-1]))
    steps = [offer for offer in offers(body) if offer.action == "path"]
    assert "✓ Done: " in await sim.forge(person, made, **where)

    def asked_again(match: Match, state: AnyState) -> bool:
        return match.moves >= 3 and seat in state.to_move() and state.turn(seat) != turn

    match = await table.play(asked_again)
    if way == DM:
        where["message"] = sim.hand(person).id
    cursor = sim.cursor
    assert "✓ Already done: " in await sim.forge(person, made, **where)
    assert "You have already decided that. This is your hand now." in await sim.forge(person, left, **where)
    for step in steps[:1]:
        assert "That button was from an earlier turn" in await sim.forge(
            person, step.custom_id, **where, values=[step.value] if step.value else None
        )
    assert all(shown.viewer == person.id for shown in sim.shown(cursor))
    after, same = await table.now()
    assert (after.version, same.to_json()) == (match.version, sim.service.state(match).to_json())
    await table.play(lambda m, s: m.moves >= match.moves + 2)
