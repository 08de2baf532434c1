"""docs/verify.py: finished matches of every game hold, and what was changed in one shows. Some files are read as a
player reads them, by the script as a program of its own.
"""

from __future__ import annotations

import ast
import json
import re
import runpy
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import replace
from functools import cache
from io import BytesIO, TextIOWrapper
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

import pytest

from cogs.match.seating import gone_round, seated
from cogs.match.verification import Verdict, verdict
from data.records.match import Chair, LoggedMove, Match, SeatChange, SeatChangeKind, Status
from rules import GAMES
from rules.core.chance import Shuffled, commitment, drawn_seats, following, seed_of, shuffle, table_secret
from rules.core.game import Seat, chosen_options
from tests.support import matches
from tests.support.hung import HUNG
from tests.support.published import PUBLISHED
from tests.support.traits import nearest_seats
from tests.test_readme import ROOT, blocks

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
    """What the script defines."""
    return runpy.run_path(str(SCRIPT))


def run(path: Path, *more: str) -> tuple[int, str]:
    """The script's exit code and what it says, in this process."""
    said = TextIOWrapper(BytesIO(), encoding="utf-8", write_through=True)
    with redirect_stdout(said), pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [*sys.path])
        code: int = script()["main"](str(path), *more)
    assert isinstance(said.buffer, BytesIO)
    return code, said.buffer.getvalue().decode()


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


BEFORE = {"table": 5, "players": ["Ann 1", "Ann 0", "Ann 2", "Ann 3"]}
"""A match that never was."""


def went_round(data: dict[str, Any], order: Sequence[int] = (1, 0, 2, 3)) -> None:
    """Claim that the seats went round after BEFORE, so that the players sit as they came to the lobby."""
    by_place = sorted(data["players"], key=lambda player: player["came"])
    sat = [order.index(place) for place in range(4)]
    data["players"] = [{**by_place[place], "sat": sat[place]} for place in gone_round(sat)]
    data["previous"] = BEFORE


@pytest.mark.parametrize("secret", [SECRET, SECRET + "+5", SECRET + "+6"])
def test_a_first_match_cannot_claim_a_match_before(secret: str, tmp_path: Path) -> None:
    """The fingerprint that the lobby showed says whether the seats go round, and after which table."""
    _, found = played("sea_change", (None,) * 4)
    data, path = json.loads(found.export), tmp_path / "match.json"
    went_round(data)
    state = GAMES["sea_change"].new(4, data["options"], secret)
    deals = [event for event in state.opening() if isinstance(event, Shuffled)]
    data |= {"secret": secret, "seed": secret, "commitment": commitment(secret), "moves": [], "outcome": None}
    data |= {"deals": [{"number": e.ordinal, "before": e.before, "after": e.after} for e in deals]}
    path.write_text(json.dumps(data), encoding="utf-8")
    code, said = run(path, commitment(secret))
    assert (code == 0) is secret.endswith("+5"), said
    assert run(path, commitment(SECRET) + "+")[0] == run(path, commitment(SECRET))[0] == 1, "it ends otherwise"
    data["previous"] = None  # nor can one that follows another be drawn
    path.write_text(json.dumps(data), encoding="utf-8")
    assert run(path, commitment(secret))[0] == 1


def test_the_file_of_the_match_before_is_checked_too(tmp_path: Path) -> None:
    """With it nothing of the rotation is left for the reader to compare."""
    first, found_first = played("sea_change", CUTS)
    _, found = played("sea_change", (None,) * 4, before=first)
    before, after = tmp_path / "match-7.json", tmp_path / "match-8.json"
    before.write_bytes(found_first.export)
    after.write_bytes(found.export)
    promised, promised_first = commitment(following(SECRET, first.id)), commitment(SECRET)
    code, said = run(after, promised, str(before), promised_first)
    assert code == 0, said
    assert "ok  table 8: the file of table 7, which you gave, has these players in these seats" in said
    assert run(after, promised, str(before))[0] == 0
    assert run(after, promised, str(before), commitment("another"))[0] == 1
    assert run(before, promised_first, str(after))[0] == 1, "no match was before it"
    data = json.loads(found_first.export)
    for change in ({"table": 6}, {"players": data["players"][::-1]}, {"seed": SECRET}):
        before.write_text(json.dumps({**data, **change}), encoding="utf-8")
        assert run(after, promised, str(before))[0] == 1, change
    data = json.loads(found.export)
    data["previous"]["players"][0] = "departed"  # that player's data was deleted meanwhile
    after.write_text(json.dumps(data), encoding="utf-8")
    before.write_bytes(found_first.export)
    assert "has these players" in run(after, promised, str(before))[1]


@pytest.mark.parametrize(
    ("last", "now", "change"),
    [
        ("Ann Ben Cem Dia", "Ann Ben Cem Ann#2", None),  # a newcomer has the name of another player
        ("Ann Ben Cem Dia", "Ben Cem Dia Ann#2", None),  # who is not there any more
        ("Ann Ann#2 Cem Dia", "Ann#2 Ann Cem Eva", None),
        ("Ann Ann#2 Cem Dia", "Ann#3 Ann#2 Eva Cem", None),
        ("# Ben Cem Dia", "Ben #2 #3 Cem", None),  # deleted players
        ("Ann Ben Cem Dia", "Ann Cem Dia Eva", SeatChange(0, 0, SeatChangeKind.HANDED_OVER, 0, "", "Ada")),
    ],
)
def test_players_of_one_name_and_substitutes_are_not_taken_for_others(
    last: str, now: str, change: SeatChange | None, tmp_path: Path
) -> None:
    """`#2`: the second user of that name; `#` alone: data deleted since. `change`: Ben of the match before takes over
    seat 0.
    """

    def chairs(names: str) -> tuple[Chair, ...]:
        who = [(crc32(name.encode()), name.partition("#")[0]) for name in names.split()]
        return tuple(Chair(at, user, name) for at, (user, name) in enumerate(who))

    def later(match: Match) -> Match:
        return replace(match, chairs=tuple(c if c.name else replace(c, user=None) for c in match.chairs))

    first, _ = played("sea_change", (None,) * 4)
    first = replace(first, chairs=chairs(last), seat_changes=())
    second = replace(lobby("sea_change", (None,) * 4), id=8, options=first.options, chairs=chairs(now))
    second = replace(second, previous=first.id, secret=following(SECRET, first.id))
    second = replace(second, chairs=seated(second, first, ()))
    if change is not None:
        began, took_over = second.chairs[0], first.chairs[1]
        changes = (
            replace(change, user=began.user, name=began.name),
            replace(change, kind=SeatChangeKind.TOOK_OVER, user=took_over.user, name=took_over.name),
        )
        seats = (replace(began, user=took_over.user, name=took_over.name), *second.chairs[1:])
        second = replace(second, chairs=seats, seat_changes=changes)
    state = GAMES["sea_change"].new(4, second.options, second.seed)
    found = verdict(GAMES["sea_change"], replace(later(second), state=state.to_json()), [], before=later(first))
    path = tmp_path / "match.json"
    path.write_bytes(found.export)
    code, said = run(path, commitment(second.secret))
    assert code == 0, said
    assert ("??  at the end Ben sat in the seat of " in said) is (change is not None)


def test_what_a_renamed_player_was_called_is_for_the_reader_to_compare(tmp_path: Path) -> None:
    """A steered file may call a renamed player a newcomer, or a newcomer a renamed player."""
    first, _ = played("sea_change", CUTS)
    _, found = played("sea_change", CUTS, before=first)
    data, path = json.loads(found.export), tmp_path / "match.json"
    named = {player["name"]: player["sat"] for player in data["players"]}
    path.write_text(json.dumps(data), encoding="utf-8")
    code, said = run(path)
    assert code == 0 and " was " not in said.replace("what was", ""), said
    (renamed, sat), before = next(iter(named.items())), data["previous"]["players"]
    for player in data["players"]:
        player["name"] = "Zoe" if player["name"] == renamed else player["name"]
    path.write_text(json.dumps(data), encoding="utf-8")
    assert f"??  at table {first.id}, Zoe was {before[sat]} in seat {sat + 1}\n" in run(path)[1]
    for player in data["players"]:
        player["sat"] = -1 if player["name"] == "Zoe" else player["sat"]
    path.write_text(json.dumps(data), encoding="utf-8")
    assert f"??  at table {first.id}, Zoe was none of {before[sat]}\n" in run(path)[1]


@pytest.mark.parametrize("name", ["Zoe", "departed"])
def test_who_of_two_players_of_one_name_sat_where_is_for_the_reader_to_compare(name: str, tmp_path: Path) -> None:
    """A steered file may exchange them, and so choose who begins."""
    first, _ = played("sea_change", CUTS)
    _, found = played("sea_change", CUTS, before=first)
    data, path = json.loads(found.export), tmp_path / "match.json"
    for player in sorted(data["players"], key=lambda player: player["came"])[:2]:
        seats = data["previous"]["players"]
        seats[player["sat"]] = player["name"] = name
    path.write_text(json.dumps(data), encoding="utf-8")
    said = run(path)[1]
    for player in data["players"]:
        if player["name"] == name:
            told = f"??  at table {first.id}, {name}, number {player['came'] + 1} of the lobby, was {name} in seat "
            assert f"{told}{player['sat'] + 1}\n" in said


def test_a_match_that_an_older_version_seated_says_so(tmp_path: Path) -> None:
    """Its seats cannot be checked, and no file can claim that to be the reason."""
    _, found = played("sea_change", CUTS)
    data, path = json.loads(found.export), tmp_path / "match.json"
    for player in data["players"]:
        player["came"] = None
    path.write_text(json.dumps({**data, "previous": 5}), encoding="utf-8")
    code, said = run(path, commitment(SECRET))
    assert (code, said.count("NO  ")) == (1, 1), said
    assert "NO  the file says how the players were seated" in said


def test_an_older_file_says_what_it_lacks(tmp_path: Path) -> None:
    """Nothing but when a move was taken back must be in it."""
    match, found = played("photosynthesis", CUTS)
    assert match.undone
    data, path = json.loads(found.export), tmp_path / "match.json"
    del data["rules"], data["season"]
    each: dict[str, Any]
    for each in (*data["players"], *data["moves"]):
        for name in ("sat", "turn", "at_end"):
            each.pop(name, None)
    path.write_text(json.dumps(data), encoding="utf-8")
    code, said = run(path, commitment(SECRET))
    assert code == 0, said
    assert "??  a bot before version 0.3 wrote the file, which does not say: at_end, rules, sat, season, turn\n" in said
    for move in data["moves"]:
        del move["undone_at"]
    path.write_text(json.dumps(data), encoding="utf-8")
    assert "NO  every move was possible: the file does not say when move" in run(path, commitment(SECRET))[1]


def in_season(found: Verdict, own: str, **facts: Any) -> dict[str, Any]:
    """The file of a season's first table, dealt from the secret `own`."""
    season = {"commitment": commitment(SECRET), "secret": SECRET, "round": 1, "table": 0, "restores": 0, **facts}
    data: dict[str, Any] = json.loads(found.export)
    state = GAMES[data["game"]].new(len(data["players"]), data["options"], own)
    deals = [event for event in state.opening() if isinstance(event, Shuffled)]
    data |= {"secret": own, "seed": own, "commitment": commitment(own), "moves": [], "outcome": None}
    by_place = sorted(data["players"], key=lambda player: player["came"])
    data["players"] = [by_place[place] for place in drawn_seats(own, [], len(by_place))]
    return data | {
        "season": season,
        "deals": [{"number": e.ordinal, "before": e.before, "after": e.after} for e in deals],
    }


def test_a_season_has_settled_the_secret_of_its_table(tmp_path: Path) -> None:
    _, found = played("sea_change", (None,) * 4)
    path = tmp_path / "match.json"

    def checked(promised: str, **facts: Any) -> tuple[int, str]:
        data = in_season(found, facts.pop("own", table_secret(SECRET, 1, 0)), **facts)
        path.write_text(json.dumps(data), encoding="utf-8")
        return run(path, promised)

    own = commitment(table_secret(SECRET, 1, 0))
    for promised in (own, commitment(SECRET)):
        code, said = checked(promised)
        assert code == 0, said
        assert "ok  the secret of table 1 of round 1 follows from it" in said
        for facts in ({"round": 2}, {"table": 1}, {"restores": 1}, {"secret": "5f" * 32}, {"own": "5f" * 32}):
            assert checked(promised, **facts)[0] == 1, facts
        assert checked(promised, commitment=commitment("5f" * 32), secret="5f" * 32)[0] == 1
    code, said = checked(own, secret=None)
    assert (code, "??  the season's secret is not told yet" in said) == (0, True), said
    assert checked(commitment(SECRET), secret=None)[0] == 1, "nothing shows it yet"
    data = in_season(found, "5f" * 32) | {"season": None}
    path.write_text(json.dumps(data), encoding="utf-8")
    assert run(path, commitment(SECRET))[0] == 1, "it hides the season"


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
    assert (code, f"move {number + 1} dealt cards" in said) == (1, True), said


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
