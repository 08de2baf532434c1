"""A finished match as text that people and programs read, in the style of chess's PGN. docs/records.md shows one.

`write_record` makes the text. `read_record` reads it back and plays every move by the rules, so that a record which it
accepts is a match that was possible.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from rules.core.game import AnyGame, AnyState, BadOption, Event, IllegalMove, Json, Outcome, Seat, chosen_options

FORMAT = 1
"""The version of the format. A program refuses a later one."""
MOST_BYTES = 1_000_000
"""The size of a record at most. The longest matches have some 50 kB."""
MOST_NAME, MOST_SEED = 100, 200
"""Characters of a name and of a seed at most."""

HEADERS = ("Record", "Game", "Rules", "Names", "Options", "Seed", "Started", "Ended", "Moves", "Outcome")
"""The header lines, in their order."""

_HEADER = re.compile(r"\[([A-Z][a-z]*) (.+)\]")
_MOVE = re.compile(r"([0-9]{1,6})\. ([0-9]): (.+)")
_DATE = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z")
_NAMES = f"the names must be a list of texts of 1 to {MOST_NAME} printable characters"
_A_DATE = 'a date must look like "2026-01-31T18:05:00Z", or be null'


class BadRecord(ValueError):
    """A text that is no record of a match. Its message is a sentence, with the number of the line if one is wrong."""

    def __init__(self, why: str, line: int | None = None) -> None:
        super().__init__(why if line is None else f"line {line}: {why}")
        self.line = line


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A match that is over: all that its positions follow from. Moves that were taken back are left out."""

    game: str
    """The game's slug."""
    rules: int
    """The version of the game's rules."""
    names: tuple[str, ...]
    """By seat."""
    options: Json
    """Every option with its value, and under "deck" the deck table."""
    seed: str
    started: str | None
    """As "2026-01-31T18:05:00Z"; None: not known."""
    ended: str | None
    moves: tuple[tuple[int, str], ...]
    """Each with its seat and its notation."""
    outcome: Outcome | None
    """None: the match was ended before it had one."""


class Ply(NamedTuple):
    """A position, and what happened on the way to it from the one before."""

    state: AnyState
    events: tuple[Event, ...]


def full_options(game: AnyGame, seats: int, options: Mapping[str, Any]) -> Json:
    """Return every option with its value, and the deck table in full, so that later defaults change nothing."""
    return {**chosen_options(game, seats, options), "deck": game.check_deck(options.get("deck", game.deck))}


def write_record(record: MatchRecord) -> bytes:
    """Return the record as text in UTF-8."""
    outcome = None if record.outcome is None else record.outcome.to_json()
    values = (
        *(FORMAT, record.game, record.rules, list(record.names), record.options),
        *(record.seed, record.started, record.ended, len(record.moves), outcome),
    )
    head = [f"[{name} {json.dumps(value, ensure_ascii=False)}]" for name, value in zip(HEADERS, values, strict=True)]
    moves = [f"{number}. {seat}: {text}" for number, (seat, text) in enumerate(record.moves, 1)]
    return "\n".join([*head, "", *moves, ""]).encode()


def read_record(data: bytes, games: Mapping[str, AnyGame]) -> tuple[MatchRecord, tuple[Ply, ...]]:
    """Return the match that a text records, and its positions, the first one first, one more than it has moves.

    `games`: the known games by slug. Raises BadRecord if the text is no record, or if its moves or its outcome do not
    follow from the rules.
    """
    lines = _lines(data)
    version = _value(lines, 1, HEADERS[0])
    _require(version == FORMAT, 1, f"this program reads records of version {FORMAT} alone")
    head = [_value(lines, number, name) for number, name in enumerate(HEADERS[1:], 2)]
    slug, rules, names, options, seed, started, ended, count, outcome = head
    _require(isinstance(slug, str) and slug in games, 2, f"unknown game; known are {', '.join(games)}")
    game = games[slug]
    _require(rules == game.version, 3, f"this program has version {game.version} of the rules of {game.title}")
    _require(isinstance(names, list) and all(_plain(name, MOST_NAME) for name in names), 4, _NAMES)
    table = isinstance(options, dict) and isinstance(options.get("deck", {}), dict)
    _require(table, 5, "the options must be an object, and the deck in them too")
    _require(_plain(seed, MOST_SEED), 6, f"the seed must be a text of 1 to {MOST_SEED} printable characters")
    for number, date in ((7, started), (8, ended)):
        _require(date is None or (isinstance(date, str) and bool(_DATE.fullmatch(date))), number, _A_DATE)
    _require(type(count) is int and count >= 0, 9, "the number of moves must be a whole number")
    _require(lines[len(HEADERS) : len(HEADERS) + 1] == [""], len(HEADERS) + 1, "an empty line must part head and moves")
    first = _begun(game, len(names), options, seed)
    moves, plies = _played(game, first, lines[len(HEADERS) + 1 :], count)
    found = plies[-1].state.outcome()
    _require(
        outcome == (None if found is None else found.to_json()),
        len(HEADERS),
        f"the outcome does not follow from the moves; they lead to {_told(found)}",
    )
    options = full_options(game, len(names), options)
    return MatchRecord(slug, rules, tuple(names), options, seed, started, ended, moves, found), plies


def _lines(data: bytes) -> list[str]:
    """Return the lines; the end of the last one may be missing."""
    if len(data) > MOST_BYTES:
        raise BadRecord(f"the file has {len(data)} bytes; a record has at most {MOST_BYTES}")
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise BadRecord("the text is not UTF-8", data.count(b"\n", 0, error.start) + 1) from None
    return [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]


def _require(holds: bool, line: int, why: str) -> None:
    if not holds:
        raise BadRecord(why, line)


def _value(lines: list[str], number: int, name: str) -> Any:
    """Return the value of the header line of that number, which has that name."""
    line = lines[number - 1] if number <= len(lines) else ""
    found = _HEADER.fullmatch(line)
    _require(found is not None and found[1] == name, number, f"expected the header [{name} …]")
    assert found is not None
    try:
        return json.loads(found[2], parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise BadRecord(f"the value of {name} is not JSON", number) from None


def _refuse(constant: str) -> None:
    """Refuse NaN and the infinities, which are no JSON."""
    raise ValueError(constant)


def _plain(text: object, most: int) -> bool:
    """Return whether that is a text of at most that many characters which does nothing to a terminal."""
    return isinstance(text, str) and 0 < len(text) <= most and text.isprintable()


def _begun(game: AnyGame, seats: int, options: Json, seed: str) -> AnyState:
    """Return the first position."""
    try:
        return game.new(seats, options, seed)
    except BadOption as error:
        raise BadRecord(error.why, 4 if error.option == "seats" else 5) from None


def _played(
    game: AnyGame, state: AnyState, lines: list[str], count: int
) -> tuple[tuple[tuple[int, str], ...], tuple[Ply, ...]]:
    """Return the moves and all positions, the first one included."""
    moves, plies = [], [Ply(state, state.opening())]
    for number, line in enumerate(lines, 1):
        at = len(HEADERS) + 1 + number
        found = _MOVE.fullmatch(line)
        _require(found is not None and int(found[1]) == number, at, f'expected move {number}, as "{number}. 0: …"')
        assert found is not None
        try:
            move = game.parse(Seat(int(found[2])), found[3])
            state, events = state.apply(move)
        except IllegalMove as error:
            why = f"seat {found[2]} may not make the move {_quoted(found[3])} here ({error.reason.value})"
            raise BadRecord(why, at) from None
        moves.append((int(found[2]), str(move)))
        plies.append(Ply(state, events))
    _require(len(moves) == count, len(HEADERS) - 1, f"the text has {len(moves)} moves; is a part of it missing?")
    return tuple(moves), tuple(plies)


def _quoted(text: str) -> str:
    """Return the beginning of a text, in quotes, with what does something to a terminal written out."""
    return ascii(text if len(text) <= 60 else text[:60] + "…")


def _told(outcome: Outcome | None) -> str:
    return "no outcome" if outcome is None else json.dumps(outcome.to_json())
