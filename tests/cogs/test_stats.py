"""`/stats` shows what a server has played of a game: finished matches alone, without names, to the user alone."""

from __future__ import annotations

import re

import pytest
from simcord.actors import MemberActor

from cogs.messages.content import Picture
from cogs.messages.presenter import Presenter
from cogs.messages.statistics import LEAST, statistics_message
from data.content.texts import languages, texts
from data.records.match import Status
from data.records.people import Person
from data.records.tallies import Tallies
from rules import GAMES
from rules.core.tally import Tally
from tests.goldens.case import tallies_of
from tests.support.simulation import Simulation
from tests.support.table import Table

_INSERT = "INSERT INTO tally (guild, game, kind, name, of, hits) VALUES (?, ?, ?, ?, ?, ?)"


async def counted(sim: Simulation, slug: str, guild: int | None = None) -> None:
    """Let the server have played this game."""
    where, base = guild or sim.guild.id, sim.database
    rows = [(where, slug, *(tally.kind, tally.name, tally.of, tally.hits)) for tally in tallies_of(slug)]
    await base.write(lambda c: bool(c.executemany(_INSERT, rows)))


async def tallies(sim: Simulation, slug: str) -> tuple[Tally, ...]:
    return await Tallies(sim.database).of(sim.guild.id, slug)


async def ask(sim: Simulation, person: MemberActor, slug: str) -> str:
    return (await sim.slash(person, "stats", game=slug)).strip()


def few(slug: str, code: str = "en") -> str:
    return texts(code)["stats.few"].format(game=GAMES[slug].title, least=LEAST)


@pytest.mark.usefixtures("plain")
@pytest.mark.games("slug", short=["sea_change"], long=GAMES)
async def test_a_server_sees_what_it_has_played(sim: Simulation, slug: str) -> None:
    alice, _ = sim.join_server("alice", "bob")
    await counted(sim, slug)
    cursor = sim.cursor
    said = await ask(sim, alice, slug)
    shown = sim.shown(cursor)
    assert {answer.viewer for answer in shown} == {alice.id}
    assert f"{GAMES[slug].title}: what this server has played" in said
    assert "24 matches" in said  # the picture's alt text
    assert f"60 with {GAMES[slug].seats[-1]} players" in said
    assert "Running matches do not count." in said
    assert not await sim.service.people.get(alice.id), "who only looks is not stored"


async def test_the_picture_is_drawn_once(sim: Simulation, monkeypatch: pytest.MonkeyPatch) -> None:
    alice, bob = sim.join_server("alice", "bob")
    await counted(sim, "full_sun")
    jobs, done = [], sim.app.messages.drawing.done

    async def noted(job: object) -> object:
        jobs.append(job)
        return await done(job)  # type: ignore[arg-type]

    monkeypatch.setattr(sim.app.messages.drawing, "done", noted)
    said = [await sim.slash(person, "stats", game="full_sun") for person in (alice, bob, alice)]
    assert len(jobs) == 1 and len(set(said)) == 1


@pytest.mark.usefixtures("plain")
async def test_it_is_refused_outside_servers_and_for_unknown_games(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    (alice,) = sim.join_server("alice")
    await counted(sim, "sea_change")
    said = sim.said(await alice.user.slash("stats", game="sea_change")).strip()
    assert said == texts("en")["refused.setup_in_servers"]
    monkeypatch.setattr("cogs.history.GAMES", {"full_sun": GAMES["full_sun"]})
    assert await ask(sim, alice, "sea_change") == texts("en")["refused.no_game"]


@pytest.mark.usefixtures("plain")
async def test_matches_count_when_they_are_over_and_once(sim: Simulation) -> None:
    slug, people = "sea_change", sim.join_server("alice", "bob")
    table = await Table.begin(sim, slug, people, seed="counted", options={"target": "1"})
    for moves in (5, 20):
        await table.play(lambda match, state, moves=moves: match.moves >= moves)
        assert await tallies(sim, slug) == ()
        assert await ask(sim, people[0], slug) == few(slug)
    match = await sim.play_on(random=table.random)
    assert match.status is Status.OVER
    await sim.caught_up()
    once = await tallies(sim, slug)
    assert Tally("moves", "2", 1, match.moves) in once and Tally("option", "target=1", 1, 0) in once
    seats = [tally for tally in once if tally.kind == "seat"]
    assert [tally.of for tally in seats] == [1, 1] and sum(tally.hits for tally in seats) >= 1
    assert {tally.kind for tally in once} >= {"length", *GAMES[slug].charts}
    await sim.slash(people[0], "verify", table=1)
    await sim.restart()
    await sim.caught_up()
    assert await tallies(sim, slug) == once
    assert await ask(sim, people[0], slug) == few(slug), "one match would tell who won"


@pytest.mark.usefixtures("plain")
async def test_a_fault_is_told_by_its_code_alone(sim: Simulation, monkeypatch: pytest.MonkeyPatch) -> None:
    (alice,) = sim.join_server("alice")
    await counted(sim, "full_sun")

    async def broken(*_: object) -> bytes:
        raise ValueError("secret")

    faults: list[str] = []
    monkeypatch.setattr("cogs.transport.interactions.log.error", lambda text, *facts, **_: faults.append(text % facts))
    monkeypatch.setattr(sim.app.messages.drawing, "picture", broken)
    said = await ask(sim, alice, "full_sun")
    (code,) = re.findall(r"\b[0-9a-f]{8}\b", said)
    assert said == texts("en")["refused.fault"].format(code=code)
    assert faults == [f"fault {code}: ValueError"]


# The words


@pytest.mark.parametrize("code", languages())
@pytest.mark.games("slug", short=["sea_change"], long=GAMES)
async def test_words_say_all_figures_to_those_who_want_them(messages: Presenter, slug: str, code: str) -> None:
    reader = Person(7, "Ida", wants_text=True)
    content = await statistics_message(messages, slug, tallies_of(slug), 7, reader, code)
    plain = await statistics_message(messages, slug, tallies_of(slug), 7, None, code)
    assert content.user == plain.user == 7
    *others, transcript = content.parts
    assert tuple(others) == plain.parts
    assert isinstance(transcript, str) and "…" not in transcript.replace("…:", "")
    (shown,) = [part for part in plain.parts if isinstance(part, Picture)]
    assert all(figure in transcript for figure in re.findall(r"\d+ %", shown.alt))
    assert sum(len(part) for part in content.parts if isinstance(part, str)) <= 4000


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("en", "**Teams:** No teams (75\u00a0%), 2 against 2 (25\u00a0%)"),
        ("de", "**Teams:** Keine Teams (75\u00a0%), 2 gegen 2 (25\u00a0%)"),
    ],
)
async def test_options_and_moves_are_told_in_words(messages: Presenter, code: str, told: str) -> None:
    found = [
        *(Tally("moves", "1", 3, 100), Tally("moves", "4", 4, 402), Tally("moves", "8", 1, 700)),
        *(Tally("option", "teams=none", 3, 0), Tally("option", "teams=2v2", 1, 0)),
        *(Tally("option", "open_scores=False", 7, 0), Tally("option", "open_scores=True", 1, 0)),
        *(Tally("seat", f"4.{seat}", 4, 1) for seat in range(4)),
        Tally("length", "half", 8, 150),
    ]
    content = await statistics_message(messages, "sea_change", found, 7, None, code)
    text = "\n".join(part for part in content.parts if isinstance(part, str))
    assert told in text
    said = texts(code, "sea_change")
    yes, no = (said[f"option.open_scores.value.{value}"] for value in ("true", "false"))
    assert f"**{said['option.open_scores.label']}:** {no} (88\u00a0%), {yes} (13\u00a0%)" in text
    means = [said["stats.moves_alone"].format(moves=33), said["stats.moves_with"].format(moves=101, count=4)]
    assert said["stats.moves"].format(moves=", ".join(means)) in text
    assert "700" not in text, "one match with eight players is no average"


@pytest.mark.parametrize("matches", range(LEAST))
async def test_the_first_matches_are_not_told_apart(messages: Presenter, matches: int) -> None:
    found = [Tally("moves", "2", matches, 9), Tally("length", "half", matches, 9)] if matches else []
    content = await statistics_message(messages, "full_circle", found, 7, None, "en")
    assert content.parts == (few("full_circle"),)
