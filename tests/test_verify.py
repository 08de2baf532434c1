"""docs/verify.py, run as a player runs it: finished matches of every game hold, and what was changed in one shows."""

from __future__ import annotations

import ast
import json
import runpy
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cogs.match.verification import Verdict, verdict
from data.records.match import Chair, LoggedMove, Match, Status
from rules import GAMES
from rules.core.chance import commitment, drawn_seats, seed_of, shuffle
from rules.core.game import chosen_options
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


def played(slug: str, cuts: tuple[str | None, ...], *, drawn: bool = True) -> tuple[Match, Verdict]:
    """A whole match of that game, by random moves, and its verdict. If the game takes fewer or more players than there
    are cuts, some cuts are left out or come twice.
    """
    game, random = GAMES[slug], Random(slug)
    cuts = cuts if len(cuts) in game.seats else (*cuts, *CUTS)[: nearest_seats(game, len(cuts))]
    match = lobby(slug, cuts)
    options = {**chosen_options(game, len(cuts), {}), "deck": dict(game.deck)}
    match = replace(match, options=options, previous=None if drawn else 6)
    print(f"moves by seed {slug}")
    places = drawn_seats(SECRET, match.cuts, len(cuts)) if drawn else range(len(cuts))
    chairs = (replace(match.chairs[place], number=at) for at, place in enumerate(places))
    match = replace(match, chairs=tuple(replace(c, came=p if drawn else None) for c, p in zip(chairs, places)))  # noqa: B905
    state, log = game.new(len(cuts), options, match.seed), []
    while awaited := sorted(state.to_move()):
        move = random.choice(state.legal_moves(random.choice(awaited)))
        log.append(LoggedMove(len(log), int(move.seat), "", str(move)))
        state, _ = state.apply(move)
    match = replace(match, status=Status.OVER, state=state.to_json(), moves=len(log))
    return match, verdict(game, match, log)


def run(path: Path, *more: str) -> tuple[int, str]:
    """The script's exit code and what it says. `-I`: nothing of ours can be imported."""
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


def test_a_match_whose_seats_went_round_says_so(tmp_path: Path) -> None:
    _, found = played("sea_change", CUTS, drawn=False)
    assert found.seats is None
    path = tmp_path / "match.json"
    path.write_bytes(found.export)
    code, said = run(path)
    assert code == 0, said
    match, _ = played("sea_change", CUTS, drawn=False)
    path.write_bytes(verdict(GAMES["sea_change"], replace(match, previous=None), []).export)
    code, said = run(path)
    assert code == 0, f"the match before may have been deleted: {said}"
    path.write_text(json.dumps({**json.loads(found.export), "previous": None}), encoding="utf-8")
    code, said = run(path)
    assert (code, "NO  the seats" in said) == (1, True), "the first match of a table has its seats drawn"


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


def decks() -> dict[str, Callable[[Any, int], list[str]]]:
    """The script's own table: by game what lists the cards of a deal."""
    table: dict[str, Callable[[Any, int], list[str]]] = runpy.run_path(str(SCRIPT))["DECKS"]
    return table


def complaints(slugs: Iterable[str]) -> list[str]:
    """A sentence for each game that the script could not check."""
    return [
        f"docs/verify.py cannot check {slug}: add a function {slug}(match, n) that lists its cards, and put it in DECKS"
        for slug in slugs
        if slug not in decks()
    ]


def test_the_script_knows_every_published_game() -> None:
    assert not complaints(PUBLISHED), "\n".join(complaints(PUBLISHED))
    assert complaints(["nim"]) == [
        "docs/verify.py cannot check nim: add a function nim(match, n) that lists its cards, and put it in DECKS"
    ]


@pytest.mark.parametrize("slug", PUBLISHED)
def test_the_script_lists_the_cards_as_the_game_does(slug: str) -> None:
    """Of the cards that the game lists the script may take some: those in play by an earlier deal."""
    game = GAMES[slug]
    for seats in game.seats:
        options = {"deck": dict(game.deck)}
        first = {"after": list(game.deck_order(0, seats, options))}
        match = {"players": [None] * seats, "options": options, "deals": [first]}
        for n in range(4):
            theirs, ours = decks()[slug](match, n), game.deck_order(n, seats, options)
            assert bool(theirs) is bool(ours) is game.deals
            assert theirs == [card for card in ours if card in theirs], f"{seats} players, deal {n}"


def test_a_game_that_the_script_does_not_know_is_named(tmp_path: Path) -> None:
    _, found = played("full_sun", CUTS)
    path = tmp_path / "match.json"
    path.write_text(json.dumps({**json.loads(found.export), "game": "nim"}), encoding="utf-8")
    assert run(path) == (1, "NO  this verify.py knows how nim is dealt\n")


def test_the_script_is_short_and_needs_nothing_of_ours() -> None:
    text = SCRIPT.read_text(encoding="utf-8")
    assert len([line for line in text.splitlines() if line]) <= 90
    imported = {
        name.split(".")[0]
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else [one.name for one in node.names])
    }
    assert imported <= set(sys.stdlib_module_names)


def test_the_script_deals_as_the_page_says() -> None:
    """The lines of docs/fair-deals.md are the script's own."""
    lines = blocks((ROOT / "docs" / "fair-deals.md").read_text(encoding="utf-8"), "python")[0]
    assert lines[lines.index("def deal") :].strip() in SCRIPT.read_text(encoding="utf-8")


def test_the_seed_is_the_secret_until_somebody_cuts() -> None:
    """Matches that began before there were cuts go on."""
    assert seed_of(SECRET, []) == SECRET
    assert len({seed_of(SECRET, cuts) for cuts in ([], ["a"], ["b"], ["a", "b"], ["b", "a"], ["ab"])}) == 6
