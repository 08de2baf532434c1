"""Short runs of the harnesses; docs/lab/reliability-runs.md has the longest runs.

Each runs in its own process, since it forks, kills, and loads a recorder. Each must find its seeded bugs in a run of
the same size: if a harness finds nothing in a store that loses moves, its success proves nothing.
"""

from __future__ import annotations

import logging
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

from cogs.local.postgres_server import programs
from cogs.match.automatic_moves import AutomaticMoves
from cogs.messages.content import Id
from cogs.runtime.logs import Lines
from tests.process.loopback import Loopback
from tests.reliability import bot_kills, recorder
from tests.reliability.bot_kills import CONVERGED, PLAIN, ForkServer, World
from tests.reliability.discord_players import DiscordPlayers
from tests.reliability.display_checks import open_stored, replay_differences
from tests.reliability.history import Press
from tests.reliability.kill_points import AtTheEnd, Kill, Moment
from tests.reliability.message_controls import DECIDED, Control
from tests.reliability.report import Report, empty_folder
from tests.reliability.seeded_bugs import Bug
from tests.support.crashes import crashed
from tests.support.hung import HUNG
from tests.support.pixels import plain_pictures
from tests.support.postgres import REQUIRED

ROOT = Path(__file__).resolve().parents[2]
SHORT = {"kills": 20, "kills-postgresql": 4, "bot": 1}
LONG = {"kills": 600, "kills-postgresql": 100, "power": 600, "faults": 200, "bot": 16}
"""Trials in every test run, and in a long one; `faults` makes about as many. Sixteen lives of the whole bot meet every
kind of instant (tests/reliability/kill_points.py).
"""
RIVALS = 36
"""Processes of `rivals` that are killed. Some seconds of a processor for each dozen: in long runs alone."""
ROUNDS = 4
"""Rounds of `bot-rivals`, of half a minute each."""
MORE = {"faults": ["--game", "siege_of_sunfall"]}
"""More arguments of a harness."""
sized = pytest.mark.parametrize("trials", [SHORT, pytest.param(LONG, marks=pytest.mark.long)], ids=["short", "long"])
recorded = pytest.mark.skipif(recorder.missing() is not None, reason=str(recorder.missing()))
needs_server = pytest.mark.skipif(programs() is None and REQUIRED not in os.environ, reason="there is no PostgreSQL")
forking = pytest.mark.skipif(not hasattr(os, "fork"), reason="a life is forked, which this system cannot")
UNHELD = "edited by a process that does not hold it"
FOUND_BY_PROCESSES = [
    (Bug.UNCHECKED, UNHELD),
    (Bug.UNFENCED, f"shown twice|shown otherwise|not noted|{UNHELD}|pinged twice"),
    (Bug.HOST_CLOCK, f"{UNHELD}|not back"),
    (Bug.KEPT, "never given back"),
    (Bug.MADE_AGAIN, "applied twice|torn"),
    (Bug.BROKEN_KEPT, "not back|shown otherwise|not noted|a ping is lost"),
    (Bug.BELIEVED, UNHELD),
]
"""Those of `bot-rivals`: a minute or more each, so all but the first only with `--thorough`."""
FOUND = [
    pytest.param("kills", Bug.EARLY, "lost", marks=forking),
    *(
        pytest.param(*found, marks=[forking, pytest.mark.long])
        for found in [
            ("kills", Bug.KEYLESS, "applied twice"),
            ("kills", Bug.HALVES, "torn"),
            ("bot", Bug.UNSHOWN, "taken for shown|shown otherwise"),
            ("bot", Bug.POSTPONED, "lost|taken for shown|a ping is lost"),
            ("bot", Bug.BLIND, "pinged twice|shown twice|taken for shown, shown twice"),
            ("bot", Bug.FORGOTTEN, "shown otherwise|a ping is lost"),
            ("bot", Bug.UNANSWERED, "shown otherwise|a ping is lost|silent"),
            ("bot", Bug.SHIFTED, "shown otherwise|taken for shown|logged"),
        ]
    ),
    *(
        pytest.param(*found, marks=[forking, needs_server, pytest.mark.long])
        for found in [
            ("kills-postgresql", Bug.EARLY, "lost"),
            ("kills-postgresql", Bug.KEYLESS, "applied twice"),
            ("kills-postgresql", Bug.HALVES, "torn"),
            ("rivals", Bug.EARLY, "lost"),
            ("rivals", Bug.HALVES, "torn|broken off"),  # the next press may find another match than is remembered
        ]
    ),
    *(
        pytest.param(*found, marks=[recorded, pytest.mark.long])
        for found in [
            ("power", Bug.EARLY, "lost"),
            ("power", Bug.NORMAL, "lost"),
            ("power", Bug.OFF, "corrupt"),
            ("power", Bug.HALVES, "torn"),
            ("faults", Bug.EARLY, "lost"),
            ("faults", Bug.HALVES, "torn|broken off"),  # as above
            ("faults", Bug.SWALLOWED, "lost|broken off"),
            ("faults", Bug.HASTY, "broken off"),
        ]
    ),
]


def run(harness: str, trials: int, *more: str) -> tuple[int, str]:
    """Run a harness. Return its exit code and its output."""
    more = ("--trials", f"{trials}", "--hangs", f"{HUNG:.0f}", *MORE.get(harness, ()), *more)
    command = [sys.executable, "-m", "tests.reliability", harness, *more]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # it ends itself if it hangs
    print(done.stdout, done.stderr)
    return done.returncode, done.stdout


def counted(what: str, text: str) -> int:
    found = re.search(rf"([\d,]+) {what}", text)
    assert found is not None, f"no {what}"
    return int(found[1].replace(",", ""))


@forking
@sized
@pytest.mark.parametrize("harness", ["kills", pytest.param("kills-postgresql", marks=needs_server)])
def test_killed_at_any_instant_nothing_is_lost_doubled_or_torn(trials: dict[str, int], harness: str) -> None:
    code, said = run(harness, trials[harness])
    assert code == 0
    assert counted("kills", said) == trials[harness]
    assert counted("answers", said) > 0


@forking
@needs_server
@pytest.mark.long
def test_processes_at_the_same_tables_lose_and_double_nothing() -> None:
    code, said = run("rivals", RIVALS)
    assert code == 0
    assert counted("processes killed", said) == RIVALS
    assert counted("answers", said) > RIVALS
    assert counted("refused", said) > 0


@forking
@needs_server
@pytest.mark.long
def test_several_processes_of_the_bot_show_each_table_once() -> None:
    code, said = run("bot-rivals", ROUNDS)
    assert code == 0
    assert counted("times all was found shown", said) == ROUNDS
    assert counted("answers", said) > 0
    assert counted("edits of tables", said) > 0
    for what in ("kills", "cuts", "stalls", "stops", "crashes of the database"):
        assert counted(what, said) > 0


@forking
@sized
def test_the_whole_bot_killed_at_any_instant_goes_on_as_if_it_had_not_been(trials: dict[str, int]) -> None:
    code, said = run("bot", trials["bot"])
    assert code == 0
    assert counted("kills,", said) == trials["bot"]
    assert counted("moves", said) > 0
    if trials is LONG:
        assert counted("killed at a request", said) > 0
        assert counted("workers killed", said) > 0
    assert counted("times all was found shown", said) > 0


ENDS = [*product(("PATCH", "POST"), (True, False))]
"""The edit of the table and the new message, each before Discord carries it out and after."""


@forking
@pytest.mark.parametrize(
    "ends", [ENDS[1:2], pytest.param([*ENDS[:1], *ENDS[2:]], marks=pytest.mark.long)], ids=["one", "the others"]
)
async def test_killed_between_the_last_move_and_its_message_the_end_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ends: list[tuple[str, bool]]
) -> None:
    plain_pictures(monkeypatch)
    monkeypatch.setattr(bot_kills, "AT_LAST", HUNG)  # the end comes in any case
    fork_server = await ForkServer.launch(Bug.NONE, tmp_path / "log", PLAIN)
    try:
        for method, before in ends:
            digest = {"PATCH": "", "POST": "sending"}[method]
            print("before" if before else "after", method)
            folder = tmp_path / f"{method} {before}"
            folder.mkdir()
            await killed_at_the_end(fork_server, folder, method, digest, before)
    finally:
        await fork_server.close()


async def killed_at_the_end(fork_server: ForkServer, folder: Path, method: str, digest: str, before: bool) -> None:
    """Kill a bot while the end of a match is stored and not told, and let another one tell it."""
    report = Report("bot", 7)
    async with Loopback() as discord:
        players = DiscordPlayers(discord, folder / "sundial.db", Random(7))
        await players.sit_down((1, 1, 1, 1, 1))
        world = World(fork_server, players, empty_folder(folder / "copies"), Random(7), report, CONVERGED)
        kill = Kill(Moment.PLAYING, AtTheEnd(players.database, method, digest), before)
        assert not await world.live(kill)
        assert report.counts["killed at a request"] == 1
        assert not await world.live(Kill(Moment.PLAYING))  # it catches up first, and every end is told
        assert players.ends_told
        assert set(players.ends_told.values()) == {1}


@recorded
@pytest.mark.long
def test_no_power_cut_loses_or_corrupts_anything() -> None:
    code, said = run("power", LONG["power"])
    assert code == 0
    assert counted("images", said) == LONG["power"]
    # A move is one commit, its message another: the recorder must have seen the sync of each.
    assert counted("syncs", said) >= 2 * counted("answers", said)


@recorded
@pytest.mark.long
def test_no_failing_operation_loses_anything_and_a_full_disk_is_said_to_be_one() -> None:
    code, said = run("faults", LONG["faults"])
    assert code == 0
    assert counted("operations failed", said) == counted("trials", said)
    assert counted("refused as not recorded", said) > 0
    assert counted("not known", said) > 0


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if metafunc.function is test_a_seeded_bug_of_several_processes_is_found:
        most = len(FOUND_BY_PROCESSES) if metafunc.config.getoption("--thorough") else 1
        metafunc.parametrize(("bug", "word"), FOUND_BY_PROCESSES[:most])


@forking
@needs_server
@pytest.mark.long
def test_a_seeded_bug_of_several_processes_is_found(bug: Bug, word: str) -> None:
    test_a_seeded_bug_is_found("bot-rivals", bug, word)


@pytest.mark.parametrize(("harness", "bug", "word"), FOUND)
def test_a_seeded_bug_is_found(harness: str, bug: Bug, word: str) -> None:
    trials = (LONG | {"bot": 40, "bot-rivals": 8, "rivals": RIVALS})[harness]  # most are found by the first three
    code, said = run(harness, trials, "--bug", bug, "--seed", "2")
    assert code == 1
    assert re.search(rf"^trial \d+: ({word})", said, re.MULTILINE)
    assert "again: python -m tests.reliability" in said
    assert not crashed(said)


async def test_a_lost_press_may_be_answered_by_the_next_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hand of the lost press was replaced, and the new one still asked. In another turn that answer is a fault."""

    async def decided(*_: object) -> tuple[str, int]:
        return DECIDED, 0

    monkeypatch.setattr(DiscordPlayers, "_pressed", decided)
    async with Loopback() as discord:
        players = DiscordPlayers(discord, tmp_path / "sundial.db", Random(0))
        (user, *_), gone = players.people, SimpleNamespace(id=1, channel_id=players.channel)
        lost, made = (Press(5, user, "11.0", f"pledge {count}") for count in (5, 6))
        players.unanswered[user] = lost, gone, Control(Id(5, "move"))
        await players.press_again(user)
        for press in (made, replace(made, turn="12.0")):
            await players.make_move(press, gone, Control(Id(5, "move")))
    (violation,) = players.violations
    assert "12.0" in violation


@pytest.mark.parametrize("thinks", [True, False])
async def test_a_move_that_a_computer_would_not_make_is_found(
    thinks: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the end of a run the harness makes all moves again, and the computers think again."""
    beginning = tmp_path / "beginning.db"
    async with Loopback() as discord:
        players = DiscordPlayers(discord, tmp_path / "sundial.db", Random(3))
        await players.sit_down(())
    shutil.copyfile(players.database, beginning)
    moves = 0
    async with open_stored(players.database) as now:
        if not thinks:
            monkeypatch.setattr(
                "cogs.match.automatic_moves.choose", lambda game, known, seat, *_: known.legal_moves(seat)[-1]
            )
        while moves < 12:
            played = await AutomaticMoves(now.service).play(1)
            if played is None:
                match = await now.service.load(1)
                (seat,) = now.service.state(match).to_move()
                text = str(now.service.state(match).default_move(seat))
                await now.service.play(1, match.chairs[seat].player, now.service.turn(match, seat), text)
            moves += 1
        monkeypatch.undo()
        async with open_stored(beginning) as fresh:
            found = await replay_differences(now, fresh)
    assert ("would not have made" in str(found)) != thinks


def test_a_fault_in_the_log_of_a_bot_is_found(tmp_path: Path) -> None:
    """It is found with its traceback, also after a line that a kill has cut off. Other lines are no faults."""
    log, lines = tmp_path / "log", Lines("text")
    fine = logging.makeLogRecord({"name": "sundial", "levelno": logging.INFO, "levelname": "INFO", "msg": "ready"})
    try:
        raise RuntimeError("planted")
    except RuntimeError as error:
        facts = {"name": "sundial", "levelno": logging.ERROR, "levelname": "ERROR", "msg": "fault in a task"}
        fault = logging.makeLogRecord({**facts, "exc_info": (RuntimeError, error, None)})
    log.write_text("")
    fork_server = ForkServer(None, log)
    log.write_text(f"{lines.format(fine)}\n2026-01-0{lines.format(fault)}\n{lines.format(fine)}\n")
    (found,) = fork_server.faults()
    assert "fault in a task" in found
    assert "RuntimeError" in found
    assert "ready" not in found
    assert not fork_server.faults()
