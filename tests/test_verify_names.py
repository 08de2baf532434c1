"""docs/verify.py: the match before, players of one name, older versions, seasons."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from cogs.match.seating import gone_round, seated
from cogs.match.verification import Verdict, verdict
from data.records.match import Chair, Match, SeatChange, SeatChangeKind
from rules import GAMES
from rules.core.chance import Shuffled, commitment, drawn_seats, following, table_secret
from tests.support.verified import CUTS, SECRET, lobby, played, run

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
    """`#2`: the second user of that name; `#`: deleted data. `change`: Ben of the match before takes over seat 0."""

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
