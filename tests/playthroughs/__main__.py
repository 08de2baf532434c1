"""Writes tests/playthroughs/<slug>.txt: one match of each game, to be read and compared.

`python -m tests.playthroughs [slug …]`: of these games, or of all.

The moves follow from the seed alone, so a difference in a file is a difference in the rules, the views or the events.
The first and the last plies are told in full: what changed in the state, what the onlooker sees, what each seat sees
besides, what happened and who learns of it. The plies between have a line each.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from hashlib import sha256
from pathlib import Path
from typing import Any

from rules import GAMES
from rules.core.chance import Shuffled
from rules.core.game import AnyState, Event, Game, Json, Move, Seat, chosen_options
from tests.support.traits import nearest_seats

FOLDER = Path(__file__).parent
IN_FULL = 18
"""Plies told in full, at each end."""
MOST_MOVES = 16
"""Legal moves listed of a longer choice, half of them from each end."""


def pick(seed: str, ply: int, number: int) -> int:
    """Which of so many to choose: SHA-256("{seed}:pick:{ply}") as a number, modulo how many there are."""
    return int.from_bytes(sha256(f"{seed}:pick:{ply}".encode()).digest(), "big") % number


def setting(game: Game) -> tuple[int, Json, str]:
    """Seats, options and seed: three players, or the next number that the game takes; of options the default, and of
    numbers the smallest for a short match.
    """
    seats = nearest_seats(game, 3)
    options = chosen_options(game, seats, {})
    for option in game.options(seats, {}):
        if type(option.default) is int:
            options[option.name] = min(option.values, key=int)
    return seats, options, f"playthrough of {game.slug}"


def choose(state: AnyState, seats: int, seed: str) -> Move:
    """The next move: now and then one of a seat that is not awaited but may act, so that those are told too."""
    awaited = sorted(state.to_move())
    others = [Seat(seat) for seat in range(seats) if seat not in awaited and state.legal_moves(Seat(seat))]
    number = pick(seed, state.ply, 1_000_000)
    able = others if others and number % 5 == 0 else awaited
    moves = state.legal_moves(able[number // 5 % len(able)])
    move: Move = moves[number // 50 % len(moves)]
    return move


# --- how things are written


def short(value: Any) -> str:
    """A value in one line: named tuples and dataclasses by their fields, notation where there is one."""
    if isinstance(value, Enum):
        return str(value.value)
    if hasattr(value, "_fields") or is_dataclass(value):
        if any("__str__" in vars(kind) for kind in type(value).__mro__ if kind not in (object, tuple)):
            return str(value)  # it has a notation
        names = value._fields if hasattr(value, "_fields") else [field.name for field in fields(value)]
        return f"{type(value).__name__}({', '.join(f'{name}={short(getattr(value, name))}' for name in names)})"
    if isinstance(value, tuple | list):
        return f"[{' '.join(map(short, value))}]"
    if isinstance(value, frozenset):
        return f"{{{' '.join(map(short, sorted(value)))}}}"
    return "-" if value is None else str(value)


def data(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def changed(title: str, now: Json, before: Json) -> Iterator[str]:
    """The entries that are not as they were."""
    lines = [f"    {name}: {data(value)}" for name, value in now.items() if name not in before or before[name] != value]
    lines += [f"    {name}: gone" for name in before if name not in now]
    if lines:
        yield f"  {title}"
        yield from lines


def some_of(moves: tuple[Move, ...]) -> str:
    words = [str(move) for move in moves]
    if len(words) > MOST_MOVES:
        half = MOST_MOVES // 2
        words = [*words[:half], f"… {len(words) - 2 * half} more …", *words[-half:]]
    return " | ".join(words)


def told(event: Event, seats: int) -> Iterator[str]:
    """The event, and a line for those who see less of it."""
    if isinstance(event, Shuffled):
        yield f"    Shuffled deal {event.ordinal}: {' '.join(event.after)} (seen by no player)"
        return
    seen: dict[str, list[str]] = {}
    for viewer in (*map(Seat, range(seats)), None):
        version = event.seen_by(viewer)
        words = "nothing" if version is None else short(version)
        seen.setdefault(words, []).append("onlooker" if viewer is None else f"seat {viewer}")
    yield f"    {short(event)}"
    if list(seen) != [short(event)]:
        yield from (f"      {', '.join(who)}: {words}" for words, who in seen.items())


# --- the playthrough


class Telling:
    """What was written of a game so far: a later ply tells what changed since."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.state: Json = {}
        self.views: dict[Seat | None, Json] = {}

    def position(self, state: AnyState) -> Iterator[str]:
        """The state, the onlooker's view, what each seat sees besides, and what each may do."""
        now = state.to_json()
        yield from changed("state", now, self.state)
        self.state = now
        public = state.view(None).to_json()
        yield from changed("onlooker sees", public, self.views.get(None, {}))
        self.views[None] = public
        for seat in map(Seat, range(self.seats)):
            view = state.view(seat).to_json()
            own = {name: value for name, value in view.items() if name not in public or public[name] != value}
            yield from changed(f"seat {seat} sees besides", own, self.views.get(seat, {}))
            self.views[seat] = own
            if moves := state.legal_moves(seat):
                awaited = "may" if seat in state.to_move() else "may (not awaited)"
                yield f"  seat {seat} {awaited} [{state.turn(seat)}]: {some_of(moves)}"


def playthrough(game: Game) -> str:
    """The whole text for one game."""
    seats, options, seed = setting(game)
    state = game.new(seats, options, seed)
    steps: list[tuple[AnyState, Move, tuple[Event, ...]]] = []
    opening = state.opening()
    while state.to_move():
        move = choose(state, seats, seed)
        after, events = state.apply(move)
        steps.append((state, move, events))
        state = after
    lines = [f"{game.title}: {seats} players, seed {seed!r}, options {data(options)}", "", "opening"]
    lines += [line for event in opening for line in told(event, seats)]
    telling = Telling(seats)
    for ply, (before, move, events) in enumerate(steps):
        if IN_FULL <= ply < len(steps) - IN_FULL:
            happened = ", ".join(type(event).__name__ for event in events)
            lines.append(f"ply {ply}: seat {move.seat}: {move}  ({happened})")
            continue
        lines += ["", f"ply {ply}", *telling.position(before)]
        lines.append(f"  > seat {move.seat}: {move}")
        lines += [line for event in events for line in told(event, seats)]
        lines += [""] * (ply == IN_FULL - 1)
    lines += ["", f"end, after {len(steps)} plies", *telling.position(state), f"  {short(state.outcome())}"]
    return "\n".join(lines) + "\n"


def path(game: Game) -> Path:
    return FOLDER / f"{game.slug}.txt"


def main(slugs: list[str]) -> None:
    for slug in slugs or GAMES:
        game = GAMES[slug]
        path(game).write_text(playthrough(game), encoding="utf-8")
        print(path(game).relative_to(Path.cwd()) if path(game).is_relative_to(Path.cwd()) else path(game))


if __name__ == "__main__":
    main(sys.argv[1:])
