"""*Play ahead*: a move that a player names while others are to move, which the bot makes for them next if it fits."""

from __future__ import annotations

import json
import secrets
from dataclasses import replace
from functools import partial
from random import Random

import pytest

from cogs.match.agenda import ping_owed
from cogs.match.automatic_moves import AutomaticMoves, may_name, name_ahead, own_move
from cogs.match.refusals import Reason
from cogs.match.service import MatchService
from cogs.match.undo import take_back
from cogs.messages.choices import AHEAD, WITHDRAW
from cogs.messages.hand import hand_message
from cogs.messages.presenter import Presenter
from data.content.texts import DEFAULT, texts
from data.records.match import Match
from data.records.matches import Matches
from data.store.database import Database
from rendering import renderer
from rendering.core.labels import Labels
from rendering.core.prompts import ways_to
from rules import GAMES
from rules.core.game import Seat
from tests.support.matches import ANN, BEN, CLEO, PEOPLE, begun, mover, play, refusal
from tests.support.meaning import standing
from tests.support.simulation import Simulation, controls, raw, words
from tests.support.table import Table
from tests.support.traits import names_ahead, nearest_seats, sample_matches

NAMING = [slug for slug in GAMES if names_ahead(slug)]
MOVES = 60


def ahead_of(service: MatchService, match: Match, seat: Seat) -> list[str]:
    return [str(move) for move in may_name(service, match, seat)]


@pytest.mark.parametrize("slug", NAMING)
async def test_a_match_goes_as_if_each_player_had_pressed_what_they_named(slug: str, service: MatchService) -> None:
    """A named move that fits is made as soon as its player is to move, and one that does not fit never; no player is
    pinged for a move that the bot makes; and what is named is gone with the decision, and with the round.
    """
    seed = secrets.randbelow(10**6)
    print("seed", seed)
    random, match = Random(seed), await begun(service, ANN, BEN, CLEO, game=slug)
    automatic, game, made = AutomaticMoves(service), GAMES[slug], {True: 0, False: 0}
    for _ in range(MOVES):
        for chair in match.people:
            seat = Seat(chair.number)
            if (found := ahead_of(service, match, seat)) and random.random() < 0.7:
                match = await name_ahead(service, match.id, chair.player, random.choice(found))
        before = service.state(match)
        (seat,) = before.to_move() or (None,)
        if seat is None:
            break
        named = match.chairs[seat].ahead
        fits = named in map(str, before.legal_moves(seat))
        assert (own_move(service, match, seat) is not None) == fits
        assert (ping_owed(service, match, seat) is None) == fits
        played = await automatic.play(match.id)
        assert (played is not None) == fits
        match = await play(service, match, random.randrange(99)) if played is None else played.match
        logged = (await service.log(match.id))[-1]
        assert (logged.seat, logged.user) == (seat, match.chairs[seat].user)
        assert not fits or logged.text == named
        assert match.chairs[seat].ahead is None
        assert game.goes_on(before, service.state(match)) or not any(chair.ahead for chair in match.chairs)
        stored = await service.load(match.id)
        assert [chair.ahead for chair in stored.chairs] == [chair.ahead for chair in match.chairs]
        made[fits] += named is not None
    assert min(made.values()) > 0, "some fit, and some do not"


@pytest.mark.parametrize("slug", [slug for slug in GAMES if slug not in NAMING])
async def test_other_games_offer_nothing_to_name(slug: str, service: MatchService) -> None:
    match = await begun(service, *PEOPLE[: nearest_seats(GAMES[slug], 3)], game=slug)
    assert not any(ahead_of(service, match, Seat(chair.number)) for chair in match.chairs)


async def test_only_what_the_seat_knows_is_offered(service: MatchService) -> None:
    for slug in NAMING:
        match = await begun(service, ANN, BEN, CLEO, game=slug)
        state, game = service.state(match), GAMES[slug]
        for seat in {Seat(0), Seat(1), Seat(2)} - state.to_move():
            other = state.redeal_unseen(seat, "another deal")
            assert [*map(str, game.ahead(state, seat))] == [*map(str, game.ahead(other, seat))]


@pytest.mark.parametrize("slug", NAMING)
def test_the_choice_offers_each_move_that_may_be_named_and_no_other(slug: str) -> None:
    """Also while another player must do something special, such as play the card that they have drawn."""
    seats, drawn, offered = nearest_seats(GAMES[slug], 3), renderer(slug), 0
    labels = Labels(("Ann", "Ben", "Cleo"), texts(DEFAULT, slug))
    for course in sample_matches(slug, seats):
        for state in course:
            for seat in {*map(Seat, range(seats))} - state.to_move():
                moves = GAMES[slug].ahead(state, seat)
                view = state.view(seat)
                found = [move for move, _ in ways_to(partial(drawn.question, view, moves, labels=labels))]
                assert sorted(set(found)) == sorted(map(str, moves))
                offered += len(moves)
    assert offered


async def test_what_is_named_may_be_changed_and_withdrawn_and_does_not_outlive_an_undo(service: MatchService) -> None:
    match = await begun(service, ANN, BEN)
    seat = Seat(1 - mover(service, match)[0])
    user, (one, two, *_) = match.chairs[seat].player, ahead_of(service, match, seat)
    for text in (one, two, None):
        match = await name_ahead(service, match.id, user, text)
        assert match.chairs[seat].ahead == text
    match = await play(service, match)
    match = await name_ahead(service, match.id, mover(service, match)[1], None)
    other = Seat(1 - mover(service, match)[0])
    match = await name_ahead(service, match.id, match.chairs[other].player, ahead_of(service, match, other)[0])
    assert (await take_back(service, match)).match.chairs[other].ahead is None


async def test_what_cannot_be_named_is_refused(service: MatchService) -> None:
    match = await begun(service, ANN, BEN)
    seat, user = mover(service, match)
    legal = str(service.state(match).legal_moves(seat)[0])
    assert await refusal(name_ahead(service, match.id, user, legal)) is Reason.NOT_AHEAD
    other = match.chairs[1 - seat].player
    assert await refusal(name_ahead(service, match.id, other, legal)) is Reason.NOT_AHEAD
    assert await refusal(name_ahead(service, match.id, CLEO, legal)) is Reason.NOT_SEATED


async def test_after_a_kill_a_named_move_is_still_made(service: MatchService) -> None:
    """Killed between the move before and this one: the next start finds it."""
    match = await begun(service, ANN, BEN)
    seat = Seat(1 - mover(service, match)[0])
    assert await service.index.with_automatic_moves() == []
    for text in ahead_of(service, match, seat):
        match = await name_ahead(service, match.id, match.chairs[seat].player, text)
        assert await service.index.with_automatic_moves() == [match.id]
    match = await play(service, match)
    made = await AutomaticMoves(service).play(match.id)
    assert (made is None) == (own_move(service, match, seat) is None)
    assert made is None or await service.index.with_automatic_moves() == []


async def test_a_hand_says_that_a_named_move_does_not_fit_only_if_so(
    service: MatchService, messages: Presenter
) -> None:
    """Also in the moment before the bot makes it."""
    match = await begun(service, ANN, BEN)
    seat = Seat(1 - mover(service, match)[0])
    user, told = match.chairs[seat].player, dict[bool, str]()
    person = await service.people.meet(user, "Ben", "en-US")
    match = await play(service, await name_ahead(service, match.id, user, ahead_of(service, match, seat)[0]))
    for text in map(str, GAMES[match.game].ahead(service.state(match), seat)):
        chairs = (replace(chair, ahead=text) if chair.number == seat else chair for chair in match.chairs)
        now = replace(match, chairs=tuple(chairs))
        fits = own_move(service, now, seat) is not None
        told[fits] = str((await hand_message(messages, now, person)).parts[0])
        assert ("does not fit" in told[fits]) == (not fits)
        assert ("in a moment" in told[fits]) == fits
    assert len(told) == 2, "some fit, and some do not"


@pytest.mark.parametrize("undone", [False, True])
async def test_a_process_of_the_version_before_leaves_no_named_move_for_a_later_decision(
    service: MatchService, database: Database, undone: bool
) -> None:
    """While the bot is updated without a gap, it moves and takes back as it did: what is named stays in its row."""
    match = await play(service, await begun(service, ANN, BEN))
    seat = Seat(1 - mover(service, match)[0])
    match = await name_ahead(service, match.id, match.chairs[seat].player, ahead_of(service, match, seat)[0])
    row = "SELECT ahead FROM seat WHERE match = ? AND number = ?"
    (stored,) = await database.read(lambda c: c.execute(row, (match.id, seat)).fetchone())
    match = (await take_back(service, match)).match if undone else await play(service, match)
    back = "UPDATE seat SET ahead = ? WHERE match = ? AND number = ?"
    await database.write(lambda c: c.execute(back, (stored, match.id, seat)).rowcount)
    read = await Matches(database).get(match.id)
    assert read is not None and read.chairs[seat].ahead is None


# --- in Discord


async def test_a_player_names_a_card_in_a_private_answer_and_no_other_sees_a_change(
    sim: Simulation, tide: Table
) -> None:
    match, state = await tide.now()
    seat = Seat(1 - min(state.to_move()))
    person, other = (sim.by_id(match.chairs[at].player) for at in (seat, 1 - seat))
    shown, sent = [list(sim.visible(other)), json.dumps(raw(sim.board()))], len(sim.env.http_requests)
    asked = await sim.press(person, sim.hand(person), f"1/{match.id}/ahead//")
    assert asked.response is not None and "if it fits then" in sim.said(asked)
    found = [control for control in controls(raw(asked.response.message)) if f"/{AHEAD}/" in control]
    forged = next(control for control in found if "/m/" in control).partition("/m/")[0] + "/m/"
    assert texts(DEFAULT)["refused.unknown_button"] in await sim.forge(
        person, forged, message=sim.hand(person).id, channel=sim.hand(person).channel.id
    )
    await sim.press(person, asked.response, next(c for c in found if "/m/" in c))
    await sim.env.settle()
    assert any("If it fits, I play **" in text for text in words(raw(sim.hand(person))))
    assert [list(sim.visible(other)), json.dumps(raw(sim.board()))] == shown
    own = {person.user.dm_channel.id, sim.hand(person).channel.id}
    changed = [entry.path for entry in sim.env.http_requests[sent:] if "/channels/" in entry.path]
    assert all(any(f"/channels/{channel}/" in path for channel in own) for path in changed), changed
    assert not any("if it fits then" in message.text for message in standing(sim)), "the hand says what is named"
    asked = await sim.press(person, sim.hand(person), f"1/{match.id}/ahead//")
    withdraw = next(c for c in controls(raw(asked.response.message)) if c.endswith(WITHDRAW))
    await sim.press(person, asked.response, withdraw)
    await sim.env.settle()
    assert not any("If it fits" in text for text in words(raw(sim.hand(person))))
    assert (await tide.now())[0].chairs[seat].ahead is None


async def test_what_is_withdrawn_while_nothing_can_be_named_is_told_so(sim: Simulation, tide: Table) -> None:
    (seat, *_), (match, _) = await tide.asked(), await tide.now()
    waits = match.chairs[1 - seat].player
    await name_ahead(sim.service, 1, waits, ahead_of(sim.service, match, Seat(1 - seat))[0])
    for person in tide.people:
        await sim.forge(person, "1/1/vote_sure//pause")
    assert "Withdrawn" in await sim.forge(sim.by_id(waits), f"1/1/{AHEAD}//{WITHDRAW}")
    assert (await sim.match()).chairs[1 - seat].ahead is None
