"""Every error that Discord answers with, at every place in the code that asks it for something, in a running match.

docs/lab/reliability-runs.md says what happens then: a row for each place and a column for each kind of error. Always:
no player sees what is another's, no player is pinged twice for the same, nothing is logged as a fault of ours, there
is one table, and the match is played on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from typing import Any

import discord
import pytest

import cogs.transport.table_message
from cogs.transport.errors import DiscordFailure
from cogs.transport.hand_messages import HandMessages
from cogs.transport.interactions import Asked, Interactions
from cogs.transport.table_message import TableMessage
from data.records.match import Match
from data.records.people import Person
from data.records.post import HandPost, OldTable, Post, TablePost
from data.records.post_store import PostStore
from tests.cogs.failing.people import ending, ending_of_which_no_answer_came
from tests.cogs.failing.stage import KINDS, LASTING, PASSING, PER_MATCH, RETRIES, STATED, WORDS, Stage
from tests.cogs.failing.tables import open_lobby, wrong_eyes
from tests.cogs.failing.ways import IN_LOBBY, WAYS
from tests.support.call_sites import GONE, Failure, call_sites, primitives
from tests.support.simulation import Simulation, controls, raw

pytestmark = pytest.mark.usefixtures("plain")


# What then is true.


async def check(stage: Stage, word: str, before: Match, cursor: int) -> list[str]:
    """What is not as the word says, right after the error."""
    match, found = await stage.now(), []
    if word in ("stays", "board"):
        await stage.remove_old_tables()
    found += await stage.behind(board=word not in ("board", "pause"), hands=word not in ("pause", "later"))
    dead = [p for p in stage.sim.people.values() if (await stage.sim.service.people.get(p.id)).dm_works is False]
    if bool(dead) != (word == "table"):
        found.append(f"direct messages given up: {[person.name for person in dead]}")
    if match.paused != (word == "pause"):
        found.append(f"paused: {match.paused}")
    if word == "press" and match.version != before.version:
        found.append("something was done though the press could not be acknowledged")
    if stage.results and word not in ("press", "pause") and not stage.results[-1].acknowledged:
        found.append("the press was not answered")
    stage.table.cursor = cursor
    await stage.table.check_secrecy(match, stage.sim.service.state(match))
    return found


CORRECTED = "transport.side_messages._correct:edit"
UNTOLD = "transport.side_messages._tell:send_public"


def check_told(stage: Stage, times: int) -> list[str]:
    """Check that the end of that other match was told so many times, in messages that are there now."""
    text = f"1/{stage.ended}/again//end"
    told = [m for m in stage.sim.channel.history() if text in controls(raw(m))]
    stage.ended = 0 if not told else stage.ended
    return [] if len(told) == times else [f"the end is told {len(told)} times"]


async def mend(stage: Stage) -> None:
    """Discord is well again; people do what they would."""
    sim = stage.sim
    stage.wire.site = ""
    await stage.remove_old_tables()
    stage.wire.monkeypatch.setattr(cogs.transport.table_message, "BURIED", 6)
    for person in sim.people.values():
        await sim.service.people.change(person.id, dm_works=True, dm=person.user.dm_channel.id)
    await sim.bot.get_cog("Guilds").look_round()
    match = await stage.now()
    if match.seat_of(stage.person("bob").id) is None:
        await stage.press("bob", "back")
    for chair in (await stage.now()).people:
        if chair.offered and chair.user is not None:
            await stage.press(sim.by_id(chair.user).name, "offer", rest="0")
    if (await stage.now()).rests_since is not None:
        await stage.changed(rests_since=None, doubt=None)
    if (await stage.now()).place not in (sim.channel.id, stage.elsewhere.id):
        await stage.relocate(sim.channel)
    sim.app.publisher.bring_back(stage.number)
    await stage.calm()


async def play_on(stage: Stage) -> list[str]:
    before = await stage.now()
    await stage.move()
    await stage.calm()
    return await stage.behind() + ([] if (await stage.now()).moves > before.moves else ["no player can move"])


async def suffer(stage: Stage, site: str, failure: Failure, times: int, word: str) -> list[str]:
    """One error at one place, so many times in a row: what went wrong besides."""
    before, cursor = await stage.now(), stage.sim.cursor
    stage.results.clear()
    if site in IN_LOBBY:
        await open_lobby(stage)
    stage.wire.fail(site, failure, times)
    await WAYS[site](stage)
    await stage.calm()
    if not stage.wire.hits:
        return ["not reached"]
    found = await check(stage, word, before, cursor)
    if WAYS[site] in (ending, ending_of_which_no_answer_came):
        untold = (site, word) == (UNTOLD, "left") or (site == CORRECTED and failure.code == GONE)
        found += check_told(stage, 0 if untold else 1)
    await mend(stage)
    return found + await play_on(stage)


SITES = sorted(call_sites())
FAILURES = [(kind, failure) for kind, failures in KINDS.items() for failure in failures]


def every(site: str) -> Iterator[tuple[str, str, Failure, int]]:
    """Every error at that place, once; and one of those that pass, from place to place another, several times."""
    for kind, failure in FAILURES:
        yield site, kind, failure, 1_000 if kind == LASTING else 1
    yield site, PASSING, KINDS[PASSING][SITES.index(site) % len(KINDS[PASSING])], RETRIES


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Matches, each with as many errors as it can take before it is over. Every test run meets one error at every other
    place, another from place to place; a long one meets one at the rest and a sixth of all others, and with
    `--thorough` all.
    """
    if "cases" in metafunc.fixturenames:
        short, long = [], []
        for number, site in enumerate(SITES):
            cases = list(every(site))
            (long if number % 2 else short).append(cases.pop(number % len(cases)))
            long += cases if metafunc.config.getoption("--thorough") else cases[number % 6 :: 6]
        parts = [
            (case[at : at + PER_MATCH], marks)
            for case, marks in ((short, ()), (long, pytest.mark.long))
            for at in range(0, len(case), PER_MATCH)
        ]
        metafunc.parametrize(
            "cases", [pytest.param(part, marks=marks, id=f"{part[0][0]}, {part[0][2].name}") for part, marks in parts]
        )


async def test_the_match_goes_on_after_every_error(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch, cases: list[tuple[str, str, Failure, int]]
) -> None:
    stage, found = await Stage.open(sim, monkeypatch), []
    for site, kind, failure, times in cases:
        word = STATED[site, kind]
        try:
            wrong = await suffer(stage, site, failure, times, word)
        except AssertionError as error:
            wrong = [str(error)[:300]]
        found += [f"{site}, {failure.name}, {times} times: {what}; stated: {word}" for what in wrong]
    assert not found, "\n".join(found)


def test_every_place_that_makes_requests_is_known() -> None:
    """A new one needs a way to it here, and a row in the table of what is to happen."""
    assert sorted(WAYS) == SITES
    assert {site for site, _ in STATED} == set(SITES)
    assert set(STATED.values()) <= WORDS
    assert primitives() == {
        *("_answered:send", "_edited:edit", "_take_back:delete", "delete:delete", "delete_private:delete"),
        *("edit_for_all:edit_original_response", "edit_own:edit_original_response", "open:create_dm", "revive:edit"),
        *("revive:fetch_channel", "send_invitation:send", "send_ping:send", "send_private:send", "send_public:send"),
        *("sent_before:history", "turn_away:send_message"),
    }


async def test_a_buried_table_whose_answer_is_lost_comes_back_once(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the next try the hand has called the player asked: the old table is edited no more all the same."""
    stage = await Stage.open(sim, monkeypatch)
    site, lost = (
        "transport.table_message._send:send_public",
        next(failure for failure in KINDS[PASSING] if failure.lost),
    )
    for times in (1, 2, 3, 1, 2, 3):
        assert not await suffer(stage, site, lost, times, "again")


@pytest.mark.parametrize(("times", "deleted"), [(0, True), (4, True), (5, False)])
async def test_the_operator_is_told_of_what_was_shown_to_the_wrong_eyes(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch, times: int, deleted: bool
) -> None:
    """And it is tried a few times more to delete it."""
    stage = await Stage.open(sim, monkeypatch)
    there = sim.env.backend.messages[sim.channel.id]
    before = len(there)
    stage.wire.fail("transport.senders._take_back:delete", KINDS[PASSING][1], times)
    await wrong_eyes(stage)
    assert stage.wire.hits == times
    assert len(stage.alarms) == (1 if deleted else 2)
    assert all(line.startswith("PRIVACY: ") and "alice" not in line and "bob" not in line for line in stage.alarms)
    assert deleted or stage.alarms[1].endswith("can read it")
    assert len(there) == before + (0 if deleted else 1)


@pytest.mark.parametrize("seconds", [0.0, 0.001, 0.002, 0.004])
async def test_who_asks_for_the_table_while_it_is_sent_again_gets_no_second_one(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    """Also where the new message has just been noted: it is not forgotten again."""
    stage = await Stage.open(sim, monkeypatch)
    matches, publisher = sim.matches, sim.bot.app.publisher
    note, asked = matches.posts.note, count()

    async def asked_meanwhile(*posts: Post, **how: Any) -> None:
        saving = asyncio.create_task(note(*posts, **how))
        await asyncio.sleep(seconds)
        if any(isinstance(post, TablePost) for post in posts) and next(asked) < 6:
            publisher.bring_back(stage.number)
        await saving

    for _ in range(3):
        with monkeypatch.context() as patch:
            await publisher.shown.forget_shown(stage.number)
            publisher.changed(stage.number)
            patch.setattr(matches.posts, "note", asked_meanwhile)
            for _ in range(50):
                await stage.calm()
                if not publisher.behind()[0]:
                    break
            else:
                raise AssertionError("the table is never up to date")
        assert not await stage.behind()


# Bugs that this finds.


def a_second_message_for_a_lost_answer(patch: pytest.MonkeyPatch) -> None:
    """The bug also leaves the send unnoted. Otherwise the bot would delete the second message."""
    numbers = count()

    async def unnoted(posts: PostStore, unknown: OldTable) -> bool:
        return True

    patch.setattr(cogs.transport.table_message, "nonce", lambda *facts: f"{next(numbers)}")
    patch.setattr(PostStore, "begin_sending", unnoted)


def closed_direct_messages_are_not_noted(patch: pytest.MonkeyPatch) -> None:
    async def in_trouble(
        hands: HandMessages, match: Match, person: Person, before: HandPost, trouble: DiscordFailure
    ) -> Post:
        return replace(before, shown=match.version)

    patch.setattr(HandMessages, "after_failure", in_trouble)


def a_press_counts_though_its_player_is_not_told(patch: pytest.MonkeyPatch) -> None:
    acknowledge = Interactions.acknowledge

    async def always(app: Interactions, interaction: discord.Interaction[Any], asked: Asked, *, silent: bool) -> float:
        await acknowledge(app, interaction, asked, silent=silent)
        return 0.0

    patch.setattr(Interactions, "acknowledge", always)


def a_table_that_fails_is_given_up(patch: pytest.MonkeyPatch) -> None:
    async def give_up(table: TableMessage, match: Match, post: Post, trouble: DiscordFailure) -> Post:
        return await table.shown(post, match, post.digest)

    patch.setattr(TableMessage, "give_up", give_up)


@pytest.mark.parametrize(
    ("bug", "site", "kind", "failure"),
    [
        (a_second_message_for_a_lost_answer, "transport.table_message._send:send_public", PASSING, "lost"),
        (closed_direct_messages_are_not_noted, "transport.hand_messages._edited:edit", "no DMs", "50007"),
        (a_press_counts_though_its_player_is_not_told, "transport.interactions._defer:defer", PASSING, "503"),
        (a_table_that_fails_is_given_up, "transport.table_message.put:edit", PASSING, "reset"),
    ],
)
async def test_seeded_bugs_are_found(
    sim: Simulation,
    monkeypatch: pytest.MonkeyPatch,
    bug: Callable[[pytest.MonkeyPatch], None],
    site: str,
    kind: str,
    failure: str,
) -> None:
    stage = await Stage.open(sim, monkeypatch)
    bug(monkeypatch)
    how = next(found for found in KINDS[kind] if found.name == failure)
    assert await suffer(stage, site, how, 1, STATED[site, kind])
