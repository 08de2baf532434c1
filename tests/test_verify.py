"""docs/verify.py, run as a player runs it: finished matches of every game hold, and what was changed in one shows."""

from __future__ import annotations

import ast
import json
import runpy
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cogs.match.seating import gone_round, seated
from cogs.match.verification import Verdict, verdict
from data.records.match import Chair, LoggedMove, Match, Status
from rules import GAMES
from rules.core.chance import Shuffled, commitment, seed_of, shuffle
from rules.core.game import Seat, chosen_options
from tests.support.published import PUBLISHED
from tests.support.traits import nearest_seats
from tests.test_readme import ROOT, blocks

SCRIPT = ROOT / "docs" / "verify.py"
CUTS = ("left of the middle", None, "☀ “two”, below", "1398712347623")
SECRET = "5e" * 32


def lobby(slug: str, cuts: tuple[str | None, ...]) -> Match:
    """A match of that game that is about to begin, for as many as have or have not cut."""
    chairs = tuple(Chair(place, 1000 + place, f"Ann {place}", cut=cut) for place, cut in enumerate(cuts))
    return Match(
        id=7,
        game=slug,
        status=Status.LOBBY,
        guild=1,
        channel=1,
        place=1,
        host=1000,
        locale="en",
        options={},
        wanted=None,
        own_thread=False,
        secret=SECRET,
        state=None,
        version=1,
        moves=0,
        opened_at=0,
        started_at=None,
        turn_since=None,
        ended_at=None,
        chairs=chairs,
    )


def played(slug: str, cuts: tuple[str | None, ...], *, before: Match | None = None) -> tuple[Match, Verdict]:
    """A whole match of that game, by random moves, some of them taken back, and its verdict. If the game takes fewer or
    more players than there are cuts, some cuts are left out or come twice. `before`: the match before it.
    """
    game, random = GAMES[slug], Random(slug)
    cuts = cuts if len(cuts) in game.seats else (*cuts, *CUTS)[: nearest_seats(game, len(cuts))]
    match = lobby(slug, cuts)
    options = {**chosen_options(game, len(cuts), {}), "deck": dict(game.deck)}
    match = replace(match, options=options, previous=None if before is None else before.id, rules=game.version)
    match = replace(match, chairs=seated(match, before, game.teams(len(cuts), options)))
    print(f"moves by seed {slug}")
    state, log, undone = game.new(len(cuts), options, match.seed), list[LoggedMove](), 0
    while awaited := sorted(state.to_move()):
        move = random.choice(state.legal_moves(random.choice(awaited)))
        log.append(LoggedMove(len(log), int(move.seat), "", str(move)))
        after, _ = state.apply(move)
        if after.may_take_back(move.seat) and random.random() < 0.1:
            log[-1] = replace(log[-1], undone_at=len(log))
            undone += 1
        else:
            state = after
    match = replace(match, status=Status.OVER, state=state.to_json(), moves=len(log), undone=undone)
    return match, verdict(game, match, log, before=before)


def run(path: Path, *more: str) -> tuple[int, str]:
    """The script's exit code and what it says, run from elsewhere; `-I`: it finds rules/ by itself."""
    done = subprocess.run(
        [sys.executable, "-I", str(SCRIPT), str(path), *more], capture_output=True, text=True, timeout=60, cwd="/"
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
    code, said = run(path, commitment(SECRET))
    assert code == 0, said
    assert "NO" not in said
    assert said.count("ok  deal ") == len(found.deals)
    assert bool(found.deals) is GAMES[slug].deals
    assert f"the seed is {match.seed}" in said
    assert (match.seed == SECRET) is (cuts[0] is None)
    assert "the seats are as drawn" in said
    assert run(path, commitment("another"))[0] == 1


@pytest.mark.parametrize("order", [(3, 1, 2, 0), (0, 1, 2, 3), (5, 2, 6, 0), (0, 7, 8, 9), (6, 7, 8, 9)])
def test_seats_that_went_round_follow_from_the_match_before(order: tuple[int, ...], tmp_path: Path) -> None:
    """`order`: the lobby of the second match, by seats of the first one; from 4 on, newcomers."""
    first, _ = played("sea_change", CUTS)
    people = [*first.chairs, *(Chair(at, 2000 + at, f"New {at}") for at in range(4, 10))]
    chairs = tuple(Chair(place, people[who].user, people[who].name) for place, who in enumerate(order))
    second = replace(lobby("sea_change", (None,) * 4), options=first.options, previous=first.id, chairs=chairs)
    second = replace(second, chairs=seated(second, first, ()))
    state = GAMES["sea_change"].new(4, second.options, second.seed)
    found = verdict(GAMES["sea_change"], replace(second, state=state.to_json()), [], before=first)
    assert (found.seats, found.good) == (None, True)
    path, script = tmp_path / "match.json", runpy.run_path(str(SCRIPT))
    path.write_bytes(found.export)
    code, said = run(path)
    assert code == 0, said
    assert f"after table {first.id}, where these sat in this order: {', '.join(c.name for c in first.chairs)}" in said
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
            assert script["main"](str(path)) == 1, sat
    for previous in (None, 5, {"table": 5, "players": []}):
        data = {**json.loads(found.export), "previous": previous}
        path.write_text(json.dumps(data), encoding="utf-8")
        assert run(path)[0] == 1, previous


@pytest.mark.parametrize("seats", [1, 2, 3, 5, 6, 7, 8])
def test_sea_change_with_any_number_of_players(seats: int, tmp_path: Path) -> None:
    _, found = played("sea_change", (None,) * (seats - 1) + ("a cut",))
    path = tmp_path / "match.json"
    path.write_bytes(found.export)
    code, said = run(path)
    assert code == 0, said


@pytest.mark.parametrize(
    ("slug", "seats"),
    [
        ("full_sun", 3),
        ("full_sun", 5),
        ("siege_of_sunfall", 3),
        ("siege_of_sunfall", 5),
        ("siege_of_sunfall", 6),
        ("full_circle", 2),
        ("full_circle", 3),
    ],
)
def test_the_other_games_with_any_number_of_players(slug: str, seats: int, tmp_path: Path) -> None:
    _, found = played(slug, (None,) * (seats - 1) + ("a cut",))
    path = tmp_path / "match.json"
    path.write_bytes(found.export)
    code, said = run(path)
    assert code == 0, said


def swap_cards(data: dict[str, Any]) -> None:
    after = data["deals"][-1]["after"]
    other = next(at for at, card in enumerate(after) if card != after[0])
    after[0], after[other] = after[other], after[0]


def swap_in_the_deck_too(data: dict[str, Any]) -> None:
    """Another order of the deck explains any deal."""
    deal = data["deals"][-1]
    one, other = deal["after"][0], next(card for card in deal["after"] if card != deal["after"][0])
    swapped = {one: other, other: one}
    for name in ("before", "after"):
        deal[name] = [swapped.get(card, card) for card in deal[name]]


def leave_a_deal_out(data: dict[str, Any]) -> None:
    del data["deals"][1 if len(data["deals"]) > 2 else 0]


def leave_the_first_deal_out(data: dict[str, Any]) -> None:
    del data["deals"][0]


def leave_all_deals_out(data: dict[str, Any]) -> None:
    data["deals"] = []


def count_deals_from_elsewhere(data: dict[str, Any]) -> None:
    """A deal that pleases, whatever its number."""
    for deal in data["deals"]:
        deal["number"] += 7
        deal["after"] = list(shuffle(data["seed"], deal["number"], deal["before"]))


def deal_a_card_twice(data: dict[str, Any]) -> None:
    """Another deck, dealt as the seed says."""
    deal = data["deals"][-1]
    first = deal["before"][0]
    deal["before"][deal["before"].count(first)] = first
    deal["after"] = list(shuffle(data["seed"], deal["number"], deal["before"]))


def deal_without_a_card(data: dict[str, Any]) -> None:
    deal = data["deals"][0]
    del deal["before"][-1]
    deal["after"] = list(shuffle(data["seed"], deal["number"], deal["before"]))


def deal_without_the_second_card(data: dict[str, Any]) -> None:
    deal = data["deals"][0]
    del deal["before"][1]
    deal["after"] = list(shuffle(data["seed"], deal["number"], deal["before"]))


def nobody_drew_seats(data: dict[str, Any]) -> None:
    for player in data["players"]:
        player["came"] = None


def another_secret(data: dict[str, Any]) -> None:
    data["secret"] = "5f" + data["secret"][2:]


def another_secret_and_promise(data: dict[str, Any]) -> None:
    another_secret(data)
    data["commitment"] = commitment(data["secret"])


def another_cut(data: dict[str, Any]) -> None:
    next(player for player in data["players"] if player["cut"])["cut"] += "!"


def a_cut_too_many(data: dict[str, Any]) -> None:
    next(player for player in data["players"] if player["cut"] is None)["cut"] = ""


def a_cut_too_few(data: dict[str, Any]) -> None:
    next(player for player in data["players"] if player["cut"])["cut"] = None


def other_seats(data: dict[str, Any]) -> None:
    one, other, *_ = data["players"]
    one["came"], other["came"] = other["came"], one["came"]


def people_change_places(data: dict[str, Any]) -> None:
    data["players"].append(data["players"].pop(0))


def another_seed(data: dict[str, Any]) -> None:
    data["seed"] = data["secret"]


CHANGES: list[Callable[[dict[str, Any]], None]] = [
    *(another_secret, another_secret_and_promise, another_cut, a_cut_too_many, a_cut_too_few),
    *(other_seats, people_change_places, another_seed, nobody_drew_seats),
]
OF_DEALS: list[Callable[[dict[str, Any]], None]] = [
    *(swap_cards, swap_in_the_deck_too, leave_a_deal_out, leave_the_first_deal_out, leave_all_deals_out),
    *(count_deals_from_elsewhere, deal_a_card_twice, deal_without_a_card, deal_without_the_second_card),
]


@pytest.mark.parametrize("slug", PUBLISHED)
def test_whatever_is_changed_shows(slug: str, tmp_path: Path) -> None:
    _, found = played(slug, CUTS)
    path = tmp_path / "match.json"
    for change in CHANGES + (OF_DEALS if GAMES[slug].deals else []):
        data = json.loads(found.export)
        change(data)
        path.write_text(json.dumps(data), encoding="utf-8")
        code, said = run(path, commitment(SECRET))
        assert code == 1, change.__name__
        assert "NO  " in said, change.__name__


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the place of each text, number, truth and list in the file, as keys from the outside in."""
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(inner, (*path, key))
    if not isinstance(value, dict) and path:
        yield path


INERT = {"name", "table", "teams", "turn", "by", "options", "move"}
"""What the script does not read, or prints for players to compare: another legal move is another match."""


def steered(data: Any, random: Random) -> tuple[str, Any] | None:
    """Change one place of the file at random. Return what was done, and the file; None if nothing was."""
    place = random.choice([path for path in leaves(data) if not INERT & set(path)])
    changed = json.loads(json.dumps(data))
    holder = changed
    for key in place[:-1]:
        holder = holder[key]
    value, key = holder[place[-1]], place[-1]
    ways: list[Any] = ["", None, -1, 0, 1, 7, True, [], {}, "W", 10**30, "\u202e", "é" * 3]
    if isinstance(value, list):
        ways += [value[::-1], value[1:], [*value, *value[:1]], random.sample(value, len(value))]
    if isinstance(value, str):
        ways += [value.upper(), value[::-1], f"{value} ", value + "0", random.choice(json.dumps(data).split('"'))]
    if isinstance(value, int):
        ways += [value + 1, value - 1, str(value), float(value)]
    holder[key] = random.choice(ways)
    same = holder[key] == value and type(holder[key]) is type(value)
    return None if same else (f"{place}: {value!a} -> {holder[key]!a}", changed)


@pytest.mark.parametrize("slug", PUBLISHED)
def test_no_steered_file_holds(slug: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One place of an honest file is changed at random. In all that is printed nothing is obeyed by a terminal."""
    script = runpy.run_path(str(SCRIPT))
    _, found = played(slug, CUTS)
    honest, path, seed = json.loads(found.export), tmp_path / "match.json", f"steered {slug}"
    print(f"changes by seed {seed!r}")
    random = Random(seed)
    refused = 0
    while refused < 150:
        if (steering := steered(honest, random)) is None:
            continue
        path.write_text(json.dumps(steering[1]), encoding="utf-8")
        code = script["main"](str(path), commitment(SECRET))
        said = capsys.readouterr().out
        assert code in (1, 2) and "NO  " in said, f"accepted: {steering[0]}"
        assert said.isascii() and said.replace("\n", "").isprintable(), steering[0]
        refused += 1


def test_a_dishonest_bot_cannot_choose_among_deals(tmp_path: Path) -> None:
    """In Full Circle new piles are shuffled too. A pile that never was would skip a deal that displeases."""
    _, found = played("full_circle", CUTS)
    data = json.loads(found.export)
    deck = data["deals"][0]["before"]
    skipped = [{"number": n, "before": ["B", "R"], "after": list(shuffle(data["seed"], n, ["B", "R"]))} for n in (1, 2)]
    deals = [data["deals"][0], *skipped, {"number": 3, "before": deck, "after": list(shuffle(data["seed"], 3, deck))}]
    path = tmp_path / "match.json"
    for moves in (data["moves"], []):
        path.write_text(json.dumps({**data, "deals": deals, "moves": moves, "outcome": None}), encoding="utf-8")
        assert run(path, commitment(SECRET))[0] == 1


@pytest.mark.parametrize(
    "text",
    ["", "[]", "nul", '{"game": 1}', "[" * 100_000, '{"game": "a", "game": "b"}', '{"players": NaN}', "\xff", "\udcff"],
)
def test_what_is_no_match_is_said_in_one_line(text: str, tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    code, said = run(path)
    assert (code, said.count("\n"), said[:4]) == (2, 1, "NO  ")
    assert run(tmp_path / "missing.json")[0] == 2


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
    assert (code, f"move {number} dealt cards" in said) == (1, True), said


def test_our_own_check_finds_other_seats_too() -> None:
    match, _ = played("sea_change", CUTS)
    one, other, *rest = match.chairs
    moved = replace(match, chairs=(replace(one, came=other.came), replace(other, came=one.came), *rest))
    found = verdict(GAMES["sea_change"], moved, [])
    assert (found.seats, found.good) == (False, False)


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
    done = subprocess.run([sys.executable, "-I", str(alone), "x"], capture_output=True, text=True, timeout=60)
    assert (done.returncode, "rules/ is not beside" in done.stdout, done.stderr) == (2, True, "")


def test_the_script_deals_as_the_page_says() -> None:
    """The lines of docs/fair-deals.md are the script's own."""
    lines = blocks((ROOT / "docs" / "fair-deals.md").read_text(encoding="utf-8"), "python")[0]
    assert lines[lines.index("def deal") :].strip() in SCRIPT.read_text(encoding="utf-8")


def test_the_seed_is_the_secret_until_somebody_cuts() -> None:
    """Matches that began before there were cuts go on."""
    assert seed_of(SECRET, []) == SECRET
    assert len({seed_of(SECRET, cuts) for cuts in ([], ["a"], ["b"], ["a", "b"], ["b", "a"], ["ab"])}) == 6
