"""docs/verify.py: finished matches of every game hold. Some files are read as a player reads them, by the script as a
program of its own.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest

from cogs.match.seating import gone_round, seated
from cogs.match.verification import verdict
from data.records.match import Chair
from rules import GAMES
from rules.core.chance import Shuffled, commitment, following, seed_of
from rules.core.game import Seat
from tests.support.hung import HUNG
from tests.support.published import PUBLISHED
from tests.support.verified import CUTS, SCRIPT, SECRET, lobby, played, run, script
from tests.test_readme import ROOT, blocks


def run_program(path: Path, *more: str) -> tuple[int, str]:
    """The same of the script as a program, run from elsewhere; `-I`: it finds rules/ by itself."""
    done = subprocess.run(
        [sys.executable, "-I", str(SCRIPT), str(path), *more], capture_output=True, text=True, timeout=HUNG, cwd="/"
    )
    assert not done.stderr, done.stderr
    return done.returncode, done.stdout


@pytest.mark.parametrize("cuts", [CUTS, (None,) * 4], ids=["cut", "not cut"])
@pytest.mark.parametrize("slug", PUBLISHED)
def test_a_finished_match_holds(slug: str, cuts: tuple[str | None, ...], tmp_path: Path) -> None:
    match, found = played(slug, cuts)
    assert found.good
    assert found.seats is True
    path = tmp_path / "match.json"
    path.write_bytes(found.export)
    code, said = (run_program if cuts is CUTS else run)(path, commitment(SECRET))
    assert code == 0, said
    assert "NO" not in said
    assert said.count("ok  deal ") == len(found.deals)
    assert bool(found.deals) is GAMES[slug].deals
    assert f"the seed is {match.seed}" in said
    assert (match.seed == SECRET) is (cuts[0] is None)
    assert "the seats are as drawn" in said
    assert run(path, commitment("another"))[0] == 1


@pytest.mark.parametrize(
    "order",
    [
        (3, 1, 2, 0),
        (5, 2, 6, 0),
        *(pytest.param(order, marks=pytest.mark.long) for order in [(0, 1, 2, 3), (0, 7, 8, 9), (6, 7, 8, 9)]),
    ],
)
def test_seats_that_went_round_follow_from_the_match_before(order: tuple[int, ...], tmp_path: Path) -> None:
    """`order`: the lobby of the second match, by seats of the first one; from 4 on, newcomers."""
    first, _ = played("sea_change", CUTS)
    people = [*first.chairs, *(Chair(at, 2000 + at, f"New {at}") for at in range(4, 10))]
    chairs = tuple(Chair(place, people[who].user, people[who].name) for place, who in enumerate(order))
    second = replace(lobby("sea_change", (None,) * 4), options=first.options, previous=first.id, chairs=chairs)
    second = replace(second, secret=following(SECRET, first.id))
    second = replace(second, chairs=seated(second, first, ()))
    state = GAMES["sea_change"].new(4, second.options, second.seed)
    found = verdict(GAMES["sea_change"], replace(second, state=state.to_json()), [], before=first)
    assert (found.seats, found.good) == (None, True)
    path = tmp_path / "match.json"
    path.write_bytes(found.export)
    code, said = run(path)
    assert code == 0, said
    assert f"??  at table {first.id} sat, in this order: {', '.join(c.name for c in first.chairs)}" in said
    for one in range(4):  # any two change seats; the steered file claims what it can
        for other in range(one):
            data = json.loads(found.export)
            players = data["players"]
            players[one], players[other] = players[other], players[one]
            path.write_text(json.dumps(data), encoding="utf-8")
            assert run(path)[0] == 1
    for sat in permutations([*range(4), *[-1] * 4], 4):  # the steered file claims another order in the match before
        data = json.loads(found.export)
        places = gone_round(sat)
        by_place = sorted(data["players"], key=lambda player: player["came"])
        data["players"] = [{**by_place[place], "sat": sat[place]} for place in places]
        if [player["sat"] for player in by_place] != [*sat] and not set(order) - set(range(4)):
            path.write_text(json.dumps(data), encoding="utf-8")
            assert script()["main"](str(path)) == 1, sat
    for previous in (None, 5, {"table": 5, "players": []}):
        data = {**json.loads(found.export), "previous": previous}
        path.write_text(json.dumps(data), encoding="utf-8")
        assert run(path)[0] == 1, previous


@pytest.mark.parametrize("slug", ["sea_change", "full_sun", "siege_of_sunfall", "full_circle"])
def test_with_any_number_of_players(slug: str, tmp_path: Path) -> None:
    for seats in sorted({*GAMES[slug].seats} - {4}):
        _, found = played(slug, (None,) * (seats - 1) + ("a cut",))
        path = tmp_path / "match.json"
        path.write_bytes(found.export)
        code, said = run(path)
        assert code == 0, (seats, said)


@pytest.mark.games("slug", short=[], long=PUBLISHED)
def test_the_largest_files_end(slug: str, tmp_path: Path) -> None:
    """`run_program` waits for a minute."""
    _, found = played(slug, CUTS)
    data, path = json.loads(found.export), tmp_path / "match.json"
    first = data["moves"][0]
    again = [{**first, "taken_back": True, "undone_at": at + 1} for at in range(20_000)]
    path.write_text(json.dumps({**data, "moves": again}), encoding="utf-8")
    assert run_program(path)[0] in (1, 2)
    path.write_text(json.dumps({**data, "moves": [*again, first]}), encoding="utf-8")
    assert run_program(path) == (2, "NO  moves are too many\n")
    for deep in ('{"a":' * 900 + "1" + "}" * 900, "[" * 900 + "]" * 900, "1" * 4000, "1e999", "1" * 5000, "-0", "NaN"):
        for name in ("options", "outcome"):
            path.write_text(json.dumps({**data, name: "HERE"}).replace('"HERE"', deep), encoding="utf-8")
            assert run_program(path)[0] in (1, 2), (name, deep[:20])


@pytest.mark.parametrize("slug", ["sea_change", "full_sun", "siege_of_sunfall"])
def test_a_deal_cannot_have_been_taken_back(slug: str, tmp_path: Path) -> None:
    """Taking a move back that dealt would let a bot look first, and then let another move be made."""
    match, found = played(slug, CUTS)
    data, path, game = json.loads(found.export), tmp_path / "match.json", GAMES[slug]
    state = game.new(len(match.chairs), match.options, match.seed)
    number, events = -1, ()
    while not any(isinstance(event, Shuffled) for event in events):
        number += 1
        move = data["moves"][number]
        state, events = state.apply(game.parse(Seat(move["seat"]), move["move"]))
    data["moves"].insert(number, {**data["moves"][number], "taken_back": True, "undone_at": number + 1})
    path.write_text(json.dumps(data), encoding="utf-8")
    code, said = run(path)
    assert (code, f"move {number + 1} dealt cards" in said) == (1, True), said


def test_the_export_names_no_accounts() -> None:
    match, found = played("full_circle", CUTS)
    said = found.export.decode()
    assert not [chair.user for chair in match.chairs if str(chair.user) in said]
    data = json.loads(said)
    assert [player["name"] for player in data["players"]] == [chair.name for chair in match.chairs]
    assert len(data["moves"]) == match.moves


def test_a_game_that_the_rules_do_not_have_is_named(tmp_path: Path) -> None:
    _, found = played("full_sun", CUTS)
    path = tmp_path / "match.json"
    path.write_text(json.dumps({**json.loads(found.export), "game": "nim"}), encoding="utf-8")
    assert run(path) == (1, "NO  this copy of rules/ knows nim\n")


def test_the_script_needs_the_rules_alone() -> None:
    imported = {
        name.split(".")[0]
        for node in ast.walk(ast.parse(SCRIPT.read_text(encoding="utf-8")))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else [one.name for one in node.names])
    }
    assert imported <= set(sys.stdlib_module_names) | {"rules"}


def test_without_the_rules_it_says_what_is_missing(tmp_path: Path) -> None:
    alone = tmp_path / "docs" / "verify.py"
    alone.parent.mkdir()
    alone.write_text(SCRIPT.read_text(encoding="utf-8"), encoding="utf-8")
    done = subprocess.run([sys.executable, "-I", str(alone), "x"], capture_output=True, text=True, timeout=HUNG)
    assert (done.returncode, "rules/ is not beside" in done.stdout, done.stderr) == (2, True, "")


def test_the_script_deals_as_the_page_says() -> None:
    """The lines of docs/fair-deals.md are the script's own."""
    lines = blocks((ROOT / "docs" / "fair-deals.md").read_text(encoding="utf-8"), "python")[0]
    assert lines[lines.index("def deal") :].strip() in SCRIPT.read_text(encoding="utf-8")


def test_the_seed_is_the_secret_until_somebody_cuts() -> None:
    """Matches that began before there were cuts go on."""
    assert seed_of(SECRET, []) == SECRET
    assert len({seed_of(SECRET, cuts) for cuts in ([], ["a"], ["b"], ["a", "b"], ["b", "a"], ["ab"])}) == 6
