"""docs/verify.py: what was changed in the file of a finished match shows."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cogs.match.verification import verdict
from rules import GAMES
from rules.core.chance import commitment, shuffle
from tests.support.published import PUBLISHED
from tests.support.verified import CUTS, SECRET, played, run, script, steered


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


def no_draw_of_seats(data: dict[str, Any]) -> None:
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
    *(other_seats, people_change_places, another_seed, no_draw_of_seats),
]
OF_DEALS: list[Callable[[dict[str, Any]], None]] = [
    *(swap_cards, swap_in_the_deck_too, leave_a_deal_out, leave_the_first_deal_out, leave_all_deals_out),
    *(count_deals_from_elsewhere, deal_a_card_twice, deal_without_a_card, deal_without_the_second_card),
]


@pytest.mark.games("slug", short=["full_circle"], long=PUBLISHED)
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


def reshaped(data: Any) -> Iterator[tuple[str, str]]:
    """Yield the file with a name more, a name less or a name twice in one object: once for each kind of object and
    name, the first object of its kind. Return what was done, and the file's text.
    """

    def objects(value: Any, kind: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], dict[str, Any]]]:
        if isinstance(value, dict):
            yield kind, value
        for name, inner in value.items() if isinstance(value, dict) else [("", each) for each in value]:
            if isinstance(inner, dict | list):
                yield from objects(inner, (*kind, name))

    known = {}
    for kind, found in objects(data):
        known.setdefault(kind, found)
    for kind, found in known.items():
        kept = dict(found)
        found |= {"secret2": 1}
        yield f"{kind} has a name more", json.dumps(data)
        del found["secret2"]
        for name, value in kept.items():
            found[f"{name}\x00"] = value
            yield f"{kind} has {name} twice", json.dumps(data).replace("\\u0000", "", 1)
            del found[f"{name}\x00"], found[name]
            yield f"{kind} has no {name}", json.dumps(data)
            found.clear()
            found |= kept


@pytest.mark.games("slug", short=["sea_change"], long=PUBLISHED)
def test_no_change_of_a_file_stays_unseen(
    slug: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An honest file is changed at one place: it is refused with a sentence, or what is printed for the reader to
    compare is another. No terminal obeys anything that is printed.
    """
    monkeypatch.setattr(sys, "path", [*sys.path])
    _, found = played(slug, CUTS)
    honest, path, seed = json.loads(found.export), tmp_path / "match.json", f"steered {slug}"
    print(f"changes by seed {seed!r}")
    random = Random(seed)

    def checked(text: str) -> tuple[int, str]:
        path.write_text(text, encoding="utf-8")
        code = script()["main"](str(path), commitment(SECRET))
        return code, capsys.readouterr().out

    code, right = checked(json.dumps(honest))
    assert code == 0, right
    changes = [(steering[0], json.dumps(steering[1])) for _ in range(150) if (steering := steered(honest, random))]
    for what, text in [*changes, *reshaped(honest)]:
        code, said = checked(text)
        assert said != right, f"unseen: {what}"
        assert (code != 0) is ("NO  " in said), what
        assert said.isascii() and said.replace("\n", "").isprintable(), what


COMPARED = {"name", "at_end", "table", "teams", "turn", "by", "options", "move", "rules"}
"""What is printed for the reader to compare: another legal move is another match."""


@pytest.mark.games("slug", short=["sea_change"], long=PUBLISHED)
def test_no_steered_file_holds(slug: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that is changed where the deals and the seats come from is refused."""
    _, found = played(slug, CUTS)
    honest, path, seed = json.loads(found.export), tmp_path / "match.json", f"refused {slug}"
    print(f"changes by seed {seed!r}")
    random, refused = Random(seed), 0
    while refused < 100:
        if (steering := steered(honest, random)) is None or COMPARED & set(re.findall(r"\w+", steering[0])):
            continue
        path.write_text(json.dumps(steering[1]), encoding="utf-8")
        code = script()["main"](str(path), commitment(SECRET))
        assert code in (1, 2) and "NO  " in capsys.readouterr().out, f"accepted: {steering[0]}"
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


def test_our_own_check_finds_other_seats_too() -> None:
    match, _ = played("sea_change", CUTS)
    one, other, *rest = match.chairs
    moved = replace(match, chairs=(replace(one, came=other.came), replace(other, came=one.came), *rest))
    found = verdict(GAMES["sea_change"], moved, [])
    assert (found.seats, found.good) == (False, False)
