"""Finished matches for docs/verify.py, and the script itself."""

from __future__ import annotations

import json
import runpy
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import replace
from functools import cache
from io import BytesIO, TextIOWrapper
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cogs.match.seating import seated
from cogs.match.verification import Verdict, verdict
from data.records.match import Chair, LoggedMove, Match, Status
from rules import GAMES
from rules.core.chance import following
from rules.core.game import chosen_options
from tests.support import matches
from tests.support.traits import nearest_seats

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "docs" / "verify.py"
CUTS = ("left of the middle", None, "☀ “two”, below", "1398712347623")
SECRET = "5e" * 32


def lobby(slug: str, cuts: tuple[str | None, ...]) -> Match:
    """A match of that game that is about to begin, for as many as have or have not cut."""
    chairs = tuple(Chair(place, 1000 + place, f"Ann {place}", cut=cut) for place, cut in enumerate(cuts))
    new: dict[str, Any] = dict.fromkeys(("state", "started_at", "turn_since"))
    return matches.seated(
        1000, status=Status.LOBBY, id=7, game=slug, locale="en", moves=0, opened_at=0, chairs=chairs, **new
    )


def played(slug: str, cuts: tuple[str | None, ...], *, before: Match | None = None) -> tuple[Match, Verdict]:
    """A whole match of that game, by random moves, some of them taken back, and its verdict. If the game takes fewer or
    more players than there are cuts, some cuts are left out or come twice. `before`: the match before it.
    """
    game, random = GAMES[slug], Random(slug)
    cuts = cuts if len(cuts) in game.seats else (*cuts, *CUTS)[: nearest_seats(game, len(cuts))]
    match = lobby(slug, cuts)
    options = {**chosen_options(game, len(cuts), {}), "deck": dict(game.deck)}
    match = replace(match, options=options, rules=game.version)
    if before is not None:
        match = replace(match, id=before.id + 1, previous=before.id, secret=following(SECRET, before.id))
    match = replace(match, chairs=seated(match, before, game.teams(len(cuts), options)))
    print(f"moves by seed {slug}")
    state, log, undone = game.new(len(cuts), options, match.seed), list[LoggedMove](), 0
    while awaited := sorted(state.to_move()):
        move = random.choice(state.legal_moves(random.choice(awaited)))
        turn = state.turn(move.seat) + (f"-{undone}" if undone else "")
        log.append(LoggedMove(len(log), int(move.seat), turn, str(move)))
        after, _ = state.apply(move)
        if after.may_take_back(move.seat) and random.random() < 0.1:
            log[-1] = replace(log[-1], undone_at=len(log))
            undone += 1
        else:
            state = after
    match = replace(match, status=Status.OVER, state=state.to_json(), moves=len(log), undone=undone)
    return match, verdict(game, match, log, before=before)


@cache
def script() -> dict[str, Any]:
    return runpy.run_path(str(SCRIPT))


def run(path: Path, *more: str) -> tuple[int, str]:
    """The script's exit code and what it says, in this process."""
    said = TextIOWrapper(BytesIO(), encoding="utf-8", write_through=True)
    with redirect_stdout(said), pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [*sys.path])
        code: int = script()["main"](str(path), *more)
    assert isinstance(said.buffer, BytesIO)
    return code, said.buffer.getvalue().decode()


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the place of each text, number, truth and list in the file, as keys from the outside in."""
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(inner, (*path, key))
    if not isinstance(value, dict) and path:
        yield path


def steered(data: Any, random: Random) -> tuple[str, Any] | None:
    """Change one place of the file at random. Return what was done, and the file; None if nothing was."""
    place = random.choice(list(leaves(data)))
    changed = json.loads(json.dumps(data))
    holder = changed
    for key in place[:-1]:
        holder = holder[key]
    value, key = holder[place[-1]], place[-1]
    ways: list[Any] = ["", None, -1, 0, 1, 7, True, [], {}, "W", 10**30, 1.5, 1e300, "\u202e", "é" * 3]
    if isinstance(value, list):
        ways += [value[::-1], value[1:], [*value, *value[:1]], random.sample(value, len(value))]
    if isinstance(value, str):
        ways += [value.upper(), value[::-1], f"{value} ", value + "0", random.choice(json.dumps(data).split('"'))]
    if isinstance(value, int):
        ways += [value + 1, value - 1, str(value), float(value)]
    holder[key] = random.choice(ways)
    same = holder[key] == value and type(holder[key]) is type(value)
    return None if same else (f"{place}: {value!a} -> {holder[key]!a}", changed)
