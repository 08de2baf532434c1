"""Cutting the deck in the lobby: who may, what it shows, what it does to the deals, and what stands at the end."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from simcord.actors import MemberActor

from cogs.messages.names import MOST
from cogs.transport.live_answers import MARGIN
from cogs.transport.senders import LIFE
from data.records.match import Status
from rules import GAMES
from rules.core.chance import commitment, drawn_seats, seed_of
from tests.cogs import test_alone as alone
from tests.cogs.message_text import read
from tests.support.meaning import standing
from tests.support.simulation import Simulation, controls, raw
from tests.support.table import Table
from tests.support.verified import run

pytestmark = pytest.mark.usefixtures("plain")
MIXED_IN = "Mixed in: "


async def cut(sim: Simulation, person: MemberActor, typed: str = "", button: str = "Cut the deck") -> str:
    """Press the button, fill the form in and send it; what was answered."""
    asked = await sim.press(person, sim.board(), button)
    return sim.said(await person.submit_modal(asked, {"line": typed}))


async def fair(sim: Simulation, person: MemberActor, number: int = 1) -> str:
    """What *Fair deal* answers."""
    return await sim.forge(person, f"1/{number}/fair//")


async def opened(sim: Simulation, *names: str, game: str = "sea_change", **options: str) -> list[MemberActor]:
    people = sim.join_server(*names)
    await Table.open(sim, game, people, seed="cuts", options=options)
    return people


async def exported(sim: Simulation, person: MemberActor) -> dict[str, Any]:
    """What `/verify` gives with its words; docs/verify.py finds the same."""
    shown = await person.slash(sim.channel, "verify", table=1)
    assert "✓ Everything checks out: the seed is the promised one" in sim.said(shown)
    assert "✗" not in sim.said(shown)
    blobs = {url: data for url, data in sim.files.items() if url.endswith("match-1.json")}
    path = Path(sim.settings.database).with_suffix(".json")
    path.write_bytes(list(blobs.values())[-1])
    code, said = run(path, commitment((await sim.match()).secret))
    assert code == 0, said
    found: dict[str, Any] = json.loads(path.read_bytes())
    return found


async def test_two_cut_and_a_third_does_not(sim: Simulation) -> None:
    people = alice, bob, carol = await opened(sim, "alice", "bob", "carol", target="1")
    secret = (await sim.match()).secret
    assert f"`{commitment(secret)}`" in await fair(sim, bob)
    assert not re.search("[0-9a-f]{64}", read(sim.board())), "no player must read it"
    said = await cut(sim, carol, " under  the *sea* ")
    assert f"{MIXED_IN}“under the \\*sea\\*”.\n" in said
    assert f"`{commitment(secret)}`" in said
    assert secret not in said
    assert MIXED_IN in await cut(sim, alice)
    match = await sim.match()
    tap = match.chairs[0].cut
    assert tap.isdecimal()
    assert match.cuts == (tap, "under the *sea*")
    said = await fair(sim, carol)
    assert f"The players' cuts are mixed into it: **alice** (“{tap}”) and **carol** (“under the \\*sea\\*”)." in said
    assert f"`{commitment(secret)}`" in said

    for person in (bob, carol):  # the host or any two
        await sim.press(person, sim.board(), "Start")
    await sim.env.advance_time(LIFE + MARGIN)
    kept = [message for message in standing(sim) if message.viewer == carol.id and MIXED_IN in message.text]
    assert len(kept) == 1, "the answer to her cut, whose fingerprint she may copy later"
    match = await sim.match()
    drawn = drawn_seats(secret, [tap, "under the *sea*"], 3)
    assert [chair.user for chair in match.chairs] == [people[place].id for place in drawn]
    in_seat_order = [chair.cut for chair in match.chairs if chair.cut]
    assert match.seed == seed_of(secret, in_seat_order) != secret
    assert match.state == sim.service.game(match).new(3, match.options, match.seed).to_json()
    said = await fair(sim, bob)
    assert f"`{commitment(secret)}`" in said
    assert "“under the \\*sea\\*”" in said
    assert "Check the deals" not in controls(sim.answers(await sim.press(bob, sim.board(), "🔒 Fair deal"))[-1].body)
    assert "The seed stays secret" in await sim.forge(alice, "1/1/verify//")

    table = Table(sim, 1, "two cut")
    table.cursor = sim.cursor
    table.known_turns = table.due_turns(match, sim.service.state(match))
    await table.play(lambda match, state: match.moves >= 4)
    await sim.forge(alice, "1/1/vote_sure//end")
    await sim.forge(bob, "1/1/vote_sure//end")
    match = await sim.match()
    assert match.status is Status.STOPPED
    before = [shown.all_text for shown in sim.shown() if secret in shown.all_text or match.seed in shown.all_text]
    assert not before, "it is never shown before a player looks for it"
    answer = await sim.press(alice, sim.board(), "🔒 Fair deal")
    said = sim.said(answer)
    assert f"here is the secret:\n`{secret}`\nWith the cuts it makes the seed of every deal:\n`{match.seed}`" in said
    assert re.search(r"cuts are mixed into it: .*“under the \\\*sea\\\*”", said)
    assert "✓ Everything checks out: the seed is the promised one" in sim.said(
        await sim.press(alice, answer.response, "Check the deals")
    )
    data = await exported(sim, bob)
    assert [player["cut"] for player in data["players"]] == [chair.cut for chair in match.chairs]
    assert [player["came"] for player in data["players"]] == list(drawn)
    assert (data["secret"], data["seed"], len(data["moves"])) == (secret, match.seed, match.moves)
    assert not [person for person in people if str(person.id) in json.dumps(data)]


async def test_the_fingerprint_says_after_which_table_the_seats_go_round(sim: Simulation) -> None:
    """A player of both matches checks both files, and has nothing to compare by hand but what they saw."""
    people = alice, bob = await opened(sim, "alice", "bob", target="1")
    files = []
    for number in (1, 2):
        if number == 2:
            for person in people:
                await sim.forge(person, "1/1/again//")
        match = await sim.match(number)
        said = await fair(sim, bob, number)
        assert f"`{commitment(match.secret)}`" in said
        assert ("`+1` at its end means: the seats go round after table 1" in said) is (number == 2), said
        assert match.secret.endswith("+1") is commitment(match.secret).endswith("+1") is (number == 2)
        assert commitment(match.secret) in await cut(sim, bob, "any")
        await sim.forge(alice, f"1/{number}/start//")
        for person in people:
            await sim.forge(person, f"1/{number}/vote_sure//end")
        assert (await sim.match(number)).status is Status.STOPPED
        path = Path(sim.settings.database).with_name(f"match-{number}.json")
        path.write_bytes((await sim.app.verifier.verify(number)).export)
        files = [str(path), commitment(match.secret), *files]
    code, said = run(Path(files[0]), *files[1:])
    assert code == 0, said
    assert "ok  table 2: after table 1 the seats went round" in said
    assert "ok  table 2: the file of table 1, which you gave, has these players in these seats" in said
    assert run(Path(files[0]), files[1].removesuffix("+1"))[0] == 1


async def test_the_deck_table_is_that_of_the_opening(sim: Simulation) -> None:
    """A player who cuts knows it: an owner who changes it afterwards changes it for later lobbies."""
    people = await opened(sim, "alice", "bob", "carol", game="siege_of_sunfall")
    before = dict(GAMES["siege_of_sunfall"].deck)
    sim.bot.app.lobby.decks = {"siege_of_sunfall": {**before, "boost": 0, "gold": 6}}
    await sim.press(people[0], sim.board(), "Start")
    match = await sim.match()
    assert (match.status, match.options["deck"]) == (Status.PLAYING, before)


async def test_one_cut_each(sim: Simulation) -> None:
    alice, bob = await opened(sim, "alice", "bob")
    page = await sim.more(alice)
    await sim.press(alice, page, "Options …")
    forms = [await sim.press(alice, page, "Cut the deck") for _ in range(2)]
    assert MIXED_IN in await cut(sim, bob, "b")
    assert MIXED_IN in sim.said(await alice.submit_modal(forms[0], {"line": "one"}))
    version = (await sim.match()).version
    assert "You have already cut the deck." in sim.said(await alice.submit_modal(forms[1], {"line": "two"}))
    assert "You have already cut the deck." in sim.said(await sim.press(alice, sim.board(), "Cut the deck"))
    match = await sim.match()
    assert (match.cuts, match.version) == (("one", "b"), version)


async def test_who_may_not_cut_is_told_so(sim: Simulation) -> None:
    alice, _ = await opened(sim, "alice", "bob")
    (carol,) = sim.join_server("carol")
    assert "You have not joined this table yet." in sim.said(await sim.press(carol, sim.board(), "Cut the deck"))
    assert "You have not joined this table yet." in await sim.forge(carol, "1/1/cut_with//x")
    assert "There is no such table." in await sim.forge(carol, "1/9/cut//")
    await sim.press(alice, sim.board(), "Start")
    for press in ("1/1/cut//", "1/1/cut_with//x"):
        assert "This match has already started." in await sim.forge(alice, press)
    match = await sim.match()
    assert (match.cuts, match.seed) == ((), match.secret)
    assert match.state == sim.service.game(match).new(2, match.options, match.secret).to_json()


async def test_who_leaves_takes_the_cut_along(sim: Simulation) -> None:
    alice, bob = await opened(sim, "alice", "bob")
    await cut(sim, bob, "mine")
    await cut(sim, alice, "hers")
    await sim.press(bob, sim.board(), "Leave")
    assert (await sim.match()).cuts == ("hers",)
    assert "mine" not in await fair(sim, alice)
    await sim.press(bob, sim.board(), "Join")
    assert (await sim.match()).cuts == ("hers",)
    assert MIXED_IN in await cut(sim, bob, "another")
    assert (await sim.match()).cuts == ("hers", "another")


async def test_a_restart_keeps_the_cuts_and_an_open_form(sim: Simulation) -> None:
    alice, bob = await opened(sim, "alice", "bob")
    await cut(sim, alice, "before")
    asked = await sim.press(bob, sim.board(), "Cut the deck")
    await sim.restart()
    assert (await sim.match()).cuts == ("before",)
    assert MIXED_IN in sim.said(await bob.submit_modal(asked, {"line": "after"}))
    assert "**alice** (“before”) and **bob** (“after”)" in await fair(sim, alice)
    await sim.press(alice, sim.board(), "Start")
    seed = (await sim.match()).seed
    await sim.restart()
    assert (await sim.match()).seed == seed


async def test_what_is_typed_does_nothing_in_a_message(sim: Simulation) -> None:
    alice, bob = await opened(sim, "alice", "bob")
    await cut(sim, alice, "@everyone\u202e [a](https://b.c)"[:MOST])
    await cut(sim, bob, "\u200b\u3164")
    assert (await sim.match()).cuts == ("@everyone [a](https://b.c)", "?")
    said = await fair(sim, alice)
    assert "https" in said
    assert "@everyone" not in said
    assert "](https" not in said


async def test_a_seat_that_is_left_keeps_its_cut(sim: Simulation) -> None:
    """The seed follows from it, whichever player sits there now."""
    alice, bob = await opened(sim, "alice", "bob")
    await cut(sim, alice, "mine")
    await sim.press(alice, sim.board(), "Start")
    seed = (await sim.match()).seed
    await sim.forge(alice, "1/1/give_seat//")
    match = await sim.match()
    assert match.seat_of(alice.id) is None
    assert (match.seed, match.cuts) == (seed, ("mine",))
    await sim.forge(bob, "1/1/vote_sure//end")
    assert (await sim.match()).status is Status.STOPPED
    assert (await exported(sim, bob))["seed"] == seed


async def test_a_match_played_again_begins_without_cuts(sim: Simulation) -> None:
    (alice,) = await opened(sim, "alice", target="1")
    await cut(sim, alice, "mine")
    table = Table(sim, 1, "again")
    await table.start()
    await sim.play_on()
    await sim.press(alice, sim.board(), "Play again")
    match = await sim.match(2)
    assert match.cuts == ()
    assert "cuts" not in await fair(sim, alice, 2)
    await cut(sim, alice, "another")
    await sim.press(alice, sim.board(), "Start")
    match = await sim.match(2)
    assert match.seed == seed_of(match.secret, ["another"])
    assert match.chairs[0].sat == 0, "the seats went round"


async def test_where_nothing_is_dealt_the_seats_alone_are_drawn(sim: Simulation) -> None:
    alice, bob = await opened(sim, "alice", "bob", game="photosynthesis")
    said = await fair(sim, alice)
    assert "The order of the seats is drawn" in said
    assert "Every card" not in said
    assert MIXED_IN in await cut(sim, bob, "sun", button="Help draw the seats")
    await sim.press(alice, sim.board(), "Start")
    match = await sim.match()
    assert [chair.came for chair in match.chairs] == list(drawn_seats(match.secret, ["sun"], 2))
    for person in (alice, bob):
        await sim.forge(person, "1/1/vote_sure//end")
    said = await fair(sim, alice)
    assert f"here is the secret:\n`{match.secret}`" in said
    assert "cuts are mixed into it: **bob** (“sun”)." in said
    await exported(sim, alice)
    # Played again the seats go round: there is nothing to promise.
    await sim.press(alice, sim.board(), "Play again")
    assert "left to chance" in await fair(sim, alice, 2)
    assert "SHA" not in await fair(sim, alice, 2)
    assert "1/2/cut//" not in controls(raw(sim.board()))


async def test_what_is_rarely_wanted_is_behind_more_in_its_lobby(sim: Simulation) -> None:
    """The cut of the deck and how the deal is kept fair; *More …* closes them again."""
    alice = await alone.opened(sim)
    rare = {alone.SAY["lobby.cut"], alone.SAY["button.fair"]}
    assert not rare & {*controls(raw(sim.hand(alice)))}
    await alone.press(sim, alice, alone.SAY["lobby.more"])
    assert rare <= {*controls(raw(sim.hand(alice)))}
    assert "fingerprint" in (await alone.press(sim, alice, alone.SAY["button.fair"])).lower()
    await alone.press(sim, alice, alone.SAY["lobby.more"])
    assert not rare & {*controls(raw(sim.hand(alice)))}
