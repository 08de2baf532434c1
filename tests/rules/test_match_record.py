"""Records of matches: what is written is read back equal, and a broken one is refused in a sentence."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from rules import GAMES
from rules.core.game import AnyGame, Seat
from rules.core.match_record import HEADERS, MOST_BYTES, BadRecord, MatchRecord, full_options, read_record, write_record
from rules.replay import ALL, ending, positions, title
from tests.contract.play import option_sets
from tests.support.hung import HUNG

ROOT = Path(__file__).parent.parent.parent
DATES = ("2026-01-31T18:05:00Z", "2026-02-01T07:00:59Z")


def played(game: AnyGame, random: Random, most: int = 100_000) -> MatchRecord:
    """A match of random moves, also of seats that change what they have sealed."""
    seats = random.choice(game.seats)
    options = random.choice(list(option_sets(game, seats)))
    seed = f"{random.getrandbits(256):064x}"
    state, moves = game.new(seats, options, seed), []
    while state.to_move() and len(moves) < most:
        able = [Seat(seat) for seat in range(seats) if state.legal_moves(Seat(seat))]
        asked = sorted(state.to_move())
        seat = random.choice(able if random.random() < 0.2 else asked)
        move = random.choice(state.legal_moves(seat))
        state, _ = state.apply(move)
        moves.append((int(seat), str(move)))
    names = tuple(
        f"{name} {seat}" for seat, name in zip(range(seats), ['Änn \\"]', "<b>", "王", "🌞"] * 2, strict=False)
    )
    whole = full_options(game, seats, options)
    return MatchRecord(game.slug, game.version, names, whole, seed, *DATES, tuple(moves), state.outcome())


@pytest.mark.parametrize("slug", GAMES)
def test_what_is_written_is_read_back_and_leads_to_the_same_positions(slug: str) -> None:
    print(f"seed {slug}")
    random, game = Random(slug), GAMES[slug]
    for _ in range(4):
        record = played(game, random)
        text = write_record(record)
        found, plies = read_record(text, GAMES)
        assert found == record
        assert write_record(found) == text
        state = game.new(len(record.names), record.options, record.seed)
        assert plies[0].state == state
        for (seat, move), ply in zip(record.moves, plies[1:], strict=True):
            state, events = state.apply(game.parse(Seat(seat), move))
            assert (ply.state, ply.events) == (state, events)


@pytest.mark.parametrize("slug", GAMES)
def test_a_match_ended_early_and_one_of_unknown_dates_are_read_back(slug: str) -> None:
    record = replace(played(GAMES[slug], Random(1), most=5), started=None, ended=None)
    assert record.outcome is None
    assert read_record(write_record(record), GAMES)[0] == record
    assert ending(record) == "The match was ended before it had an outcome."


@pytest.mark.parametrize("slug", GAMES)
def test_a_record_as_windows_writes_it_is_read(slug: str) -> None:
    record = played(GAMES[slug], Random(2), most=9)
    assert read_record(write_record(record).replace(b"\n", b"\r\n"), GAMES)[0] == record


def changed(number: int, line: str | None) -> bytes:
    """A record of Full Circle with that line in place of another; None: it ends before it."""
    lines = write_record(played(GAMES["full_circle"], Random(3))).decode().split("\n")
    kept = lines[: number - 1]
    return "\n".join(kept if line is None else [*kept, line, *lines[number:]]).encode()


WRONG = {
    "format": (changed(1, "[Record 2]"), "line 1: this program reads records of version 1 alone"),
    "no record": (b"PNG", "line 1: expected the header [Record …]"),
    "nothing": (b"", "line 1: expected the header [Record …]"),
    "json": (changed(1, "[Record 1 2]"), "line 1: the value of Record is not JSON"),
    "deep": (changed(5, f"[Options {'[' * 300_000}]"), "line 5: the value of Options is not JSON"),
    "nan": (changed(3, "[Rules NaN]"), "line 3: the value of Rules is not JSON"),
    "game": (changed(2, '[Game "chess"]'), f"line 2: unknown game; known are {', '.join(GAMES)}"),
    "version": (changed(3, "[Rules 99]"), "line 3: this program has version 1 of the rules of Full Circle"),
    "order": (changed(4, '[Seed "4"]'), "line 4: expected the header [Names …]"),
    "names": (
        changed(4, '[Names ["A", 2]]'),
        "line 4: the names must be a list of texts of 1 to 100 printable characters",
    ),
    "terminal": (changed(4, '[Names ["A", "\\u001b[2J"]]'), "line 4: the names must be a list of texts of 1 to 100 "),
    "seats": (changed(4, '[Names ["A"]]'), "line 4: Full Circle takes 2 to 4 players, not 1"),
    "options": (changed(5, "[Options []]"), "line 5: the options must be an object, and the deck in them too"),
    "deck": (changed(5, '[Options {"deck": 7}]'), "line 5: the options must be an object, and the deck in them too"),
    "deck's values": (changed(5, '[Options {"deck": {"wilds": 7}}]'), "line 5: Full Circle has no 'wilds' to set"),
    "option": (changed(5, '[Options {"wind": 7}]'), "line 5: Full Circle with "),
    "seed": (changed(6, "[Seed 12]"), "line 6: the seed must be a text of 1 to 200 printable characters"),
    "date": (changed(7, '[Started "yesterday"]'), 'line 7: a date must look like "2026-01-31T18:05:00Z", or be null'),
    "count": (changed(9, "[Moves -1]"), "line 9: the number of moves must be a whole number"),
    "outcome": (changed(10, "[Outcome null]"), "line 10: the outcome does not follow from the moves; they lead to {"),
    "no gap": (changed(11, "1. 0: draw"), "line 11: an empty line must part head and moves"),
    "no move": (changed(12, "1 0 draw"), 'line 12: expected move 1, as "1. 0: …"'),
    "other number": (changed(12, "2. 0: draw"), 'line 12: expected move 1, as "1. 0: …"'),
    "unknown move": (changed(12, "1. 0: fly"), "line 12: seat 0 may not make the move 'fly' here ("),
    "no seat": (changed(12, "1. 9: draw"), "line 12: seat 9 may not make the move 'draw' here ("),
    "odd move": (changed(12, "1. 0: \x1b[2J"), "line 12: seat 0 may not make the move '\\x1b[2J' here (unparsable)"),
    "cut off": (changed(20, None), "line 9: the text has 8 moves; is a part of it missing?"),
    "cut off in the head": (changed(6, None), "line 6: expected the header [Seed …]"),
    "not UTF-8": (changed(4, "[Names 1]") + b"\xff", "line "),
    "huge": (b"a" * (MOST_BYTES + 1), f"the file has {MOST_BYTES + 1} bytes; a record has at most {MOST_BYTES}"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_broken_record_is_refused_in_a_sentence_with_its_line(case: str) -> None:
    data, why = WRONG[case]
    with pytest.raises(BadRecord) as refused:
        read_record(data, GAMES)
    assert str(refused.value).startswith(why)
    assert str(refused.value).isprintable()


def test_text_that_is_not_utf_8_is_named_by_its_line() -> None:
    with pytest.raises(BadRecord, match=r"^line 3: the text is not UTF-8$"):
        read_record(b"[Record 1]\n[Game 1]\n\xff", GAMES)


def test_a_record_of_older_rules_is_refused() -> None:
    games = {**GAMES, "full_sun": replace(GAMES["full_sun"], version=GAMES["full_sun"].version + 1)}
    record = played(GAMES["full_sun"], Random(4))
    with pytest.raises(
        BadRecord, match=rf"^line 3: this program has version {record.rules + 1} of the rules of Full Sun"
    ):
        read_record(write_record(record), games)


JUNK = ['"', "{", "}", "[", "]", "null", "-1", "1e999", "9" * 30, "\n", "\r", "\x00", "\u2028", "true", ":", " ", "é"]


@pytest.mark.parametrize("slug", GAMES)
def test_damaged_records_are_read_or_refused_and_nothing_else(slug: str) -> None:
    print(f"seed {slug}")
    random = Random(slug)
    texts = [write_record(played(GAMES[slug], random, most)) for most in (6, 40)]
    refusals = 0
    for _ in range(400):
        data = bytearray(random.choice(texts))
        head = data.index(b"\n\n")
        for _ in range(random.randrange(1, 4)):
            at = random.randrange(head if random.random() < 0.7 else len(data))
            end = at + random.choice((0, 1, 1, 3, 40))
            data[at:end] = random.choice((b"", bytes([random.randrange(256)]), random.choice(JUNK).encode()))
        try:
            record, plies = read_record(bytes(data), GAMES)
        except BadRecord as refused:
            refusals += 1
            assert str(refused).isprintable()
        else:
            assert len(plies) == len(record.moves) + 1
    assert refusals > 200


@pytest.mark.parametrize("slug", GAMES)
def test_odd_values_of_options_and_decks_are_refused_and_nothing_else(slug: str) -> None:
    print(f"seed {slug}")
    random = Random(slug)
    record = played(GAMES[slug], random, 3)
    odd = [None, True, -1, 10**40, 1.5, "x", [], {}, [1, "a"], {"a": 1}]

    def spoil(value: object) -> object:
        if isinstance(value, dict) and value and random.random() < 0.9:
            return {**value, random.choice([*value, "more"]): spoil(random.choice([*value.values()]))}
        if isinstance(value, list) and value and random.random() < 0.7:
            return [*value[1:], spoil(value[0])]
        return random.choice(odd)

    for _ in range(300):
        lines = write_record(record).decode().split("\n")
        lines[4] = f"[Options {json.dumps(spoil(record.options))}]"
        try:
            read_record("\n".join(lines).encode(), GAMES)
        except BadRecord as refused:
            assert str(refused).startswith("line ")


# --- what is printed


@pytest.mark.games("slug", short=["siege_of_sunfall"], long=GAMES)
def test_each_viewer_reads_their_own_views_alone(slug: str) -> None:
    record = played(GAMES[slug], Random(5))
    _, plies = read_record(write_record(record), GAMES)
    for viewer in (None, *range(len(record.names))):
        told = "\n".join(positions(record, plies, viewer))
        for ply in plies:
            assert str(ply.state.view(None if viewer is None else Seat(viewer))) in told
    told = "\n".join(positions(record, plies, ALL))
    for number, (seat, move) in enumerate(record.moves, 1):
        assert f"\n{number}. {seat}: {move}\n" in told
    assert told.count("--- position") == len(plies)
    assert title(record, GAMES[slug]).startswith(GAMES[slug].title)


def test_neither_number_nor_content_of_others_sealed_moves_shows() -> None:
    """One pledges 3 at once, the other 5 and changes it to 3: until the reveal no other seat can tell."""
    game = GAMES["siege_of_sunfall"]
    state = game.new(3, {}, "a seed")
    moves = [str(move) for move in state.legal_moves(Seat(0))]
    low, high = moves[1], moves[2]
    head = ("siege_of_sunfall", game.version, ("A", "B", "C"), full_options(game, 3, {}), "a seed", None, None)
    once = MatchRecord(*head, ((1, low), (0, low)), None)
    other = MatchRecord(*head, ((0, high), (1, low), (0, low), (0, high)), None)
    for viewer in (None, 1, 2):
        first, second = (
            list(positions(record, read_record(write_record(record), GAMES)[1], viewer)) for record in (once, other)
        )
        assert first[0] == second[0]
        assert first[-1].split("\n")[-5:] == second[-1].split("\n")[-5:]
        assert high not in "\n".join(second)


# --- the program


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-m", "rules.replay", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=HUNG)


def test_the_program_prints_a_match_and_one_position_of_it(tmp_path: Path) -> None:
    record = played(GAMES["sea_change"], Random(6), 12)
    file = tmp_path / "match.txt"
    file.write_bytes(write_record(record))
    _, plies = read_record(file.read_bytes(), GAMES)
    found = list(positions(record, plies, 0))
    whole = run(str(file), "--seat", "0")
    assert (whole.returncode, whole.stderr) == (0, "")
    assert whole.stdout == "\n\n".join([title(record, GAMES["sea_change"]), *found, ending(record)]) + "\n"
    assert run(str(file), "--seat", "0", "--ply", "2").stdout == found[2] + "\n"
    assert run(str(file), "--all", "--ply", "12").stdout == list(positions(record, plies, ALL))[12] + "\n"


def test_the_program_says_what_is_wrong_in_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "match.txt"
    file.write_bytes(write_record(played(GAMES["sea_change"], Random(6), 3)))
    broken = tmp_path / "broken.txt"
    broken.write_bytes(b"[Record 7]\n")
    for arguments, why in (
        ((str(tmp_path / "none.txt"),), "No such file or directory"),
        ((str(tmp_path),), "Is a directory"),
        ((str(broken),), "line 1: this program reads records of version 1 alone"),
        ((str(file), "--seat", "9"), "the match has the seats 0 to "),
        ((str(file), "--ply", "4"), "there are the positions 0 to 3, not 4"),
        ((str(file), "--ply", "-1"), "there are the positions 0 to 3, not -1"),
    ):
        done = run(*arguments)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.count("\n") == 1
        assert why in done.stderr


def test_the_page_about_records_lists_the_headers_in_their_order() -> None:
    page = (ROOT / "docs" / "records.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("  | `")]
    assert [name.strip(" `") for row in rows for name in row.split(",")] == list(HEADERS)
