"""A table is friendly or rated by choice of its lobby, which says so, and why a match will not count."""

from __future__ import annotations

import re

import pytest
from simcord.actors import MemberActor

from cogs.match.lobby import Lobby
from cogs.match.refusals import Reason
from cogs.match.service import MatchService
from data.records.match import Match, Status
from tests.cogs.managing import choose, manager
from tests.cogs.matches_over import text as board
from tests.support.apicheck import components
from tests.support.matches import ANN, BEN, lobby, refusal
from tests.support.simulation import Simulation, raw
from tests.support.table import Table, shortest_options

pytestmark = pytest.mark.usefixtures("plain")
RATED = "**Rated match:** it changes the players' ratings in this server."
NOT_COUNTED = "**Rated match**, but as things are it will not count for the ratings: "


async def rate(sim: Simulation, person: MemberActor, value: str = "on") -> None:
    await sim.forge(person, "1/1/option//rated", values=[value])


async def test_a_new_table_is_friendly_and_a_player_who_sits_there_may_change_that(service: MatchService) -> None:
    room, match = Lobby(service), await lobby(service, ANN, BEN)
    assert match.rated is False
    assert (await room.choose_option(match.id, BEN, "rated", "on")).rated
    assert not (await room.choose_option(match.id, ANN, "rated", "off")).rated
    for user, value, reason in ((102, "on", Reason.NOT_JOINED), (ANN, "yes", Reason.BAD_OPTION)):
        assert await refusal(room.choose_option(match.id, user, "rated", value)) is reason
    assert not (await service.load(match.id)).rated


async def test_a_choice_that_changes_it_asks_again_who_wants_to_start(service: MatchService) -> None:
    room, match = Lobby(service), await lobby(service, ANN, BEN)
    match = await room.start(match.id, BEN)
    assert [chair.ready for chair in match.chairs] == [False, True]
    match = await room.choose_option(match.id, ANN, "rated", "off")
    assert [chair.ready for chair in match.chairs] == [False, True], "nothing has changed"
    match = await room.choose_option(match.id, ANN, "rated", "on")
    assert [chair.ready for chair in match.chairs] == [False, False]


async def test_a_table_for_one_cannot_be_rated(service: MatchService) -> None:
    room, match = Lobby(service), await lobby(service, ANN, BEN)
    match = await room.leave(match.id, BEN)
    match = await room.choose_option(match.id, ANN, "seats", "1")
    assert await refusal(room.choose_option(match.id, ANN, "rated", "on")) is Reason.BAD_OPTION
    await room.choose_option(match.id, ANN, "seats", "2")
    assert (await room.choose_option(match.id, ANN, "rated", "on")).rated


async def test_more_offers_both_and_the_lobby_and_the_scores_say_rated(sim: Simulation) -> None:
    alice, bob = sim.join_server("alice", "bob")
    await sim.lobby(alice, bob)
    assert "ated" not in board(sim)
    shown = await sim.more(alice)
    await alice.click(shown, label="Options …")
    await alice.select(shown, ["on"], custom_id="1/1/option//rated")
    assert RATED in board(sim).splitlines() and NOT_COUNTED not in board(sim), "in a line of its own"
    (select,) = [part for part in components(raw(shown.message)) if part.get("custom_id") == "1/1/option//rated"]
    assert select["placeholder"] == "Rated match"
    assert [entry["label"] for entry in select["options"]] == ["Friendly match", "Rated match"]
    await sim.press(alice, sim.board(), "Start")
    assert (await sim.match()).rated
    told = await sim.slash(bob, "board")
    assert "· rated" in told and NOT_COUNTED not in told
    await sim.app.membership.give_seat_to_computer(1, bob.id)
    told = await sim.slash(alice, "board")
    assert "does not count" not in told and "Rated: this match counts for the ratings." in board(sim), "still"


async def test_the_lobby_says_why_its_match_will_not_count(sim: Simulation) -> None:
    alice, bob = sim.join_server("alice", "bob")
    mona = manager(sim)
    await sim.slash(alice, "play", game="sea_change")
    await rate(sim, alice)
    assert f"{NOT_COUNTED}it takes two players." in board(sim)
    await sim.press(bob, sim.board(), "Join")
    assert NOT_COUNTED not in board(sim)
    await sim.press(alice, sim.board(), "Add computer")
    assert f"{NOT_COUNTED}a computer plays." in board(sim)
    await sim.press(alice, sim.board(), "Remove computer")
    assert NOT_COUNTED not in board(sim)
    await sim.forge(bob, "1/0/setting//history", values=["hidden"])
    await choose(sim, mona, "shows_history", "off")
    await sim.caught_up()
    assert NOT_COUNTED not in board(sim), "what is shown decides nothing"


async def test_the_table_and_the_message_at_the_end_say_why_a_match_does_not_count(sim: Simulation) -> None:
    (alice,) = await sim.lobby("alice")
    await rate(sim, alice)
    await sim.press(alice, sim.board(), "Add computer")
    await sim.press(alice, sim.board(), "Start")
    said = "This match does not count for the ratings: a computer plays."
    assert (await sim.match()).uncounted == "computers"
    assert said in board(sim) and said in await sim.slash(alice, "board")
    await sim.app.membership.vote(1, alice.id, "end")
    await sim.caught_up()
    assert said in "\n".join(shown.text for shown in sim.public())


async def test_a_rated_match_has_no_hints_unless_its_players_choose_them(sim: Simulation) -> None:
    (alice,) = await sim.lobby("alice")
    assert "hints" not in board(sim)
    for rated, hints in (("on", False), ("on", False), ("off", True), ("on", False)):
        await rate(sim, alice, rated)
        assert (await sim.match()).hints is hints
        assert "hints" not in board(sim), "as every match of its kind"
    await sim.forge(alice, "1/1/option//hints", values=["on"])
    assert "with hints" in board(sim).splitlines() and "Rated match" in board(sim)
    await rate(sim, alice)
    assert (await sim.match()).hints, "the same choice again changes nothing"
    await rate(sim, alice, "off")
    await sim.forge(alice, "1/1/option//hints", values=["off"])
    assert "no hints" in board(sim)


async def test_only_one_who_keeps_a_rated_match_waiting_is_offered_for_removal(sim: Simulation) -> None:
    people = sim.join_server("alice", "bob", "cara")
    await sim.lobby(*people)
    await rate(sim, people[0])
    for person in people:
        if (match := await sim.match()).status is Status.LOBBY:
            await sim.press(person, sim.board(), "Start")
    match = await sim.match()
    awaited = match.chairs[min(sim.service.state(match).to_move())].player
    other = next(person for person in people if person.id != awaited)

    async def offered() -> list[str]:
        shown = await sim.press(other, sim.board(), "Players")
        assert "This match counts: ending it" in sim.said(shown) and "more than half" not in sim.said(shown)
        found = [
            part
            for part in components({"components": shown.response.components})
            if part.get("custom_id") == "1/1/vote//"
        ]
        return [entry["value"] for part in found for entry in part["options"]]

    assert await offered() == []
    said = await sim.forge(other, f"1/1/vote//remove {awaited}")
    assert "for someone who keeps you waiting" in said and not await sim.service.votes(1)
    await sim.env.advance_time(86_400)
    assert await offered() == [f"remove {awaited}"]
    assert "1 of 2 votes" in await sim.forge(other, f"1/1/vote//remove {awaited}")


async def test_a_lobby_that_still_needs_players_says_only_that(sim: Simulation) -> None:
    (alice,) = await sim.lobby("alice", game="full_sun")
    await rate(sim, alice)
    assert RATED in board(sim) and NOT_COUNTED not in board(sim) and "Needs 2 more" in board(sim)


async def test_settings_show_and_hide_ones_finished_matches(sim: Simulation, tide: Table) -> None:
    alice = tide.people[0]
    shown = await alice.slash(sim.channel, "settings")
    said = sim.said(shown)
    assert "Your finished matches:** as the managers of each server chose\n" in said
    explained = sim.said(await sim.press(alice, shown.response, "What does each mean?"))
    assert "others find neither them nor your ratings. Rated matches count all the same." in explained
    shown = await alice.slash(sim.channel, "settings")
    as_chosen = "as the managers of each server chose"
    for value, word, stored in (("hidden", "hidden", False), ("shown", "shown", True), ("server", as_chosen, None)):
        said = sim.said(await sim.press(alice, shown.response, "1/0/setting//history", value))
        assert f"Your finished matches:** {word}" in said
        await sim.service.people.meet(alice.id, "alice")
        sim.service.people.forget()
        person = await sim.service.people.get(alice.id)
        assert person is not None and person.shows_history is stored
    for values in ([], ["true"]):
        assert "no longer works" in await sim.forge(alice, "1/0/setting//history", values=values)


async def test_setup_says_what_a_server_shows_of_members_who_have_not_chosen(sim: Simulation) -> None:
    mona = manager(sim)
    assert (await sim.service.policy.of(sim.guild.id)).shows_history
    assert "Members' finished matches:** off\n" in await choose(sim, mona, "shows_history", "off")
    assert not (await sim.service.policy.of(sim.guild.id)).shows_history
    await sim.restart()
    assert not (await sim.service.policy.of(sim.guild.id)).shows_history
    assert "Members' finished matches:** on\n" in await choose(sim, mona, "shows_history", "on")
    (alice,) = await sim.lobby("alice")
    for values in ([], ["maybe"], ["on", "off"]):
        assert "no longer works" in await sim.forge(mona, "1/0/setup//shows_history", values=values)
    assert "You need the permission" in await sim.forge(alice, "1/0/setup//shows_history", values=["off"])


async def test_the_end_says_why_a_player_who_is_there_is_last(sim: Simulation) -> None:
    alice, bob, eve = sim.join_server("alice", "bob", "eve")
    match = await rated_match(sim, alice, bob)
    await sim.app.people.meet(eve.id, eve.name)
    seat = match.seat_of(bob.id)
    await sim.app.membership.offer_seat(match.id, bob.id, True)
    await sim.app.membership.take_seat(match.id, eve.id, "eve", seat)
    back = False
    while (match := await sim.service.load(match.id)).status is Status.PLAYING:
        state = sim.service.state(match)
        mover = min(state.to_move())
        move = state.legal_moves(mover)[0]
        if not back and state.apply(move)[0].outcome() is not None:
            await sim.app.membership.offer_seat(match.id, eve.id, True)
            await sim.app.membership.take_seat(match.id, bob.id, "bob", seat)
            back = True
            continue
        await sim.service.play(match.id, match.chairs[mover].player, None, str(move))
    await sim.caught_up()
    said = "\n".join(shown.text for shown in sim.public())
    assert re.search(r"\(−\d+\), let others make more than one in ten decisions", said) and back


# The same people again and again.


async def rated_match(sim: Simulation, *people: MemberActor, game: str = "sea_change") -> Match:
    """A rated match that these people have begun."""
    names = {person.id: person.name for person in people}
    where = {"guild": sim.guild.id, "channel": sim.channel.id, "names": names}
    options = shortest_options(game, len(people)) | {"rated": "on"}
    match = await lobby(sim.service, *names, game=game, options=options, **where)
    for person in people:
        if match.status is Status.LOBBY:
            match = await sim.app.lobby.start(match.id, person.id)
    return match


async def test_three_matches_a_day_count_between_the_same_people(sim: Simulation) -> None:
    """Also if a player leaves, in any order of seats, with any third player; another game counts, and so do others."""
    alice, bob, cara, dan = sim.join_server("alice", "bob", "cara", "dan")
    for people in ((alice, bob), (bob, dan, alice), (cara, alice, bob)):
        match = await rated_match(sim, *people)
        assert match.status is Status.PLAYING and match.uncounted is None
        await sim.app.membership.give_seat_to_computer(match.id, bob.id)
    assert (await rated_match(sim, alice, bob)).uncounted == "often"
    await sim.caught_up()
    await rated_lobby(sim, alice, bob)
    why = "two of you have begun 3 rated matches of this game together in the last 24 hours."
    assert f"{NOT_COUNTED}{why}" in board(sim)
    assert (await rated_match(sim, alice, bob, game="full_circle")).uncounted is None
    assert (await rated_match(sim, dan, bob, alice, cara)).uncounted == "often", "with whatever others"
    assert (await rated_match(sim, alice, cara, dan)).uncounted is None
    await sim.env.advance_time(86_400)
    assert (await rated_match(sim, alice, bob)).uncounted is None


async def rated_lobby(sim: Simulation, alice: MemberActor, bob: MemberActor) -> None:
    """A rated lobby of these two in the channel."""
    await sim.lobby(alice, bob)
    match = max((await sim.service.index.of_player(alice.id)), key=lambda match: match.id)
    await sim.forge(alice, f"1/{match.id}/option//rated", values=["on"])


async def test_matches_that_change_no_rating_take_none_of_the_three(sim: Simulation) -> None:
    alice, bob = sim.join_server("alice", "bob")
    for _ in range(4):
        match = await rated_match(sim, alice, bob)
        assert match.uncounted is None
        for person in (alice, bob):
            await sim.app.membership.vote(match.id, person.id, "end")
        assert (await sim.service.load(match.id)).status is Status.STOPPED
