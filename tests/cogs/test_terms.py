"""The terms of a table: each can be chosen, is stored on both engines, exported, and taken over by duplicates and by
*Play again*.

A term that is added to `Terms` is tested here without being named.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import AsyncIterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from cogs.match.duplicates import Duplicates
from cogs.match.lobby import Lobby
from cogs.match.membership import Membership
from cogs.match.service import MatchService
from cogs.messages.content import Select
from cogs.messages.lobby import settings_line, switched
from cogs.messages.lobby_options import options_message
from cogs.messages.names import labels_at
from data.content.texts import languages, texts
from data.records.match import Match, Status
from data.records.matches import Matches
from data.records.people import People
from data.records.privacy import Privacy
from data.records.servers import Server
from data.records.terms import SWITCHES, TERMS, AbsencePolicy, Terms
from data.store.database import Database
from data.store.erasure_log import ErasureLog
from rules import GAMES
from tests.support.hung import HUNG

OTHER: dict[str, Any] = {
    "locale": "de",
    "server_locale": "fr",
    "options": {"target": 2},
    "wanted": 3,
    "clock": "day_2",
    "absent": AbsencePolicy.VOTE,
    "level": "strong",
}
"""A value of each term that is not its default; a term that is on or off needs none here."""
UNLIKE = {"duplicate": {"wanted", "options", "closed"}, "again": {"wanted", "options"}}
"""The terms that a table of the same deals, and the next match, do not take over as they are."""
CHOSEN_BY = {
    **dict.fromkeys(("locale", "server_locale"), "language"),
    **{"options": "each option of the game", "wanted": "seats", "own_thread": "place", "level": "computers"},
    **{"clock": "clock", "absent": "absent", "hints": "hints", "closed": "door"},
}
"""The control of a lobby that chooses each term that is no switch: those have a row of their own."""
QUIET = {"locale", "server_locale", "own_thread", "closed"}
"""The terms whose change does not ask the players again whether to start."""
SWITCH_TEXTS = ("choose", "on", "off", "on_detail", "off_detail", "line", "chosen")
"""What the row of a switch, its lobby and its match say."""


ROOT = Path(__file__).parents[2]
NEEDED = ("bot.py", "pyproject.toml", "cogs", "data", "rendering", "rules", "tests")
LEFT_OUT = shutil.ignore_patterns("fonts", "goldens", "playthroughs", "schemas")
FURTHER = "hides_log"
"""The switch that a copy of the project has more."""
MIGRATION = max(path.name for path in (ROOT / "data" / "migrations").glob("*.sql"))
COLUMNS = {f"data/migrations/{MIGRATION}": "INTEGER", f"data/migrations/postgresql/{MIGRATION}": "bigint"}
TEXTS = f"[{FURTHER}]\n" + "".join(f'{part} = "{part}"\n' for part in SWITCH_TEXTS)
PARTS = {
    "data/records/terms.py": ("    closed: bool = False\n", f"    {FURTHER}: bool = switch()\n"),
    **{name: ("", f"ALTER TABLE match ADD {FURTHER} {kind} NOT NULL DEFAULT 0;\n") for name, kind in COLUMNS.items()},
    **{f"data/locales/{code}/common.toml": ("[level]\n", TEXTS) for code in languages()},
}
"""All that a further switch is: by file, its part, and before what it stands."""


def other_terms() -> Terms:
    found = {each.name: OTHER.get(each.name, not each.default) for each in fields(Terms)}
    return Terms(**found)


@pytest.fixture
async def base(target: Path | str) -> AsyncIterator[Database]:
    opened = await Database.open(target)
    yield opened
    await opened.close()


@pytest.fixture
async def service(base: Database) -> MatchService:
    return MatchService(Matches(base), People(base), GAMES)


async def lobby(service: MatchService, user: int = 1) -> Match:
    await service.people.meet(user, "Ann")
    terms = other_terms()
    return await Lobby(service).open("sea_change", guild=1, channel=user, user=user, name="Ann", terms=terms)


def check_alike(match: Match, other: Match, unlike: set[str]) -> None:
    assert {name for name in TERMS if getattr(match, name) != getattr(other, name)} <= unlike


async def test_each_term_is_stored_and_exported(service: MatchService, base: Database) -> None:
    match = await lobby(service)
    stored = await Matches(base).get(match.id)
    assert stored is not None and stored.terms == match.terms
    assert replace(stored.terms, options={}) == replace(other_terms(), options={})
    (exported,) = (await Privacy(base, (), ErasureLog(None)).everything(1))["hosted"]
    assert set(TERMS) <= set(exported)


async def test_each_term_is_that_of_a_duplicate_and_of_the_next_match(service: MatchService) -> None:
    match = await lobby(service)
    check_alike(match, await Duplicates(service, Lobby(service)).open(match.id, 1, "Ann"), UNLIKE["duplicate"])
    over = await lobby(service, 9)
    async with service.deciding(over.id) as found:
        over = await service.save(replace(found, status=Status.STOPPED, ended_at=1, state={}))
    again, _ = await Membership(service, Lobby(service)).play_again(over.id, 9, "Bea")
    check_alike(over, again, UNLIKE["again"])


def test_each_term_is_a_switch_or_has_a_control() -> None:
    assert sorted(TERMS) == sorted([*CHOSEN_BY, *SWITCHES])


def test_each_switch_has_its_texts() -> None:
    """Without them no lobby that it is on in could be shown. tests/data/test_words.py holds the translations."""
    assert {f"{name}.{part}" for name in SWITCHES for part in SWITCH_TEXTS} <= texts("en").keys()


async def test_each_switch_has_its_row_and_is_told_of(service: MatchService) -> None:
    match = await lobby(service)
    game, labels = service.game(match), labels_at(match, texts("en", match.game))
    rows = options_message(match, game, (), Server(1), 1, labels).rows
    assert {*SWITCHES} <= {row.id.rest for row in rows if isinstance(row, Select)}
    assert switched(match, None, labels) == [labels.say(f"{name}.line") for name in SWITCHES]
    told = settings_line(match, game, labels).split(" · ")
    assert told[-len(SWITCHES) :] == [labels.say(f"{name}.chosen") for name in SWITCHES]


async def test_a_term_that_is_changed_asks_the_players_again(service: MatchService) -> None:
    """All but where the table is read, and who may come."""
    match, default = await lobby(service), Terms(locale="en")
    for name in TERMS:
        async with service.deciding(match.id) as found:
            ready = tuple(replace(chair, ready=True) for chair in found.chairs)
            match = await service.save(replace(found, chairs=ready))
        plain = {name: getattr(default, name)}
        changed = await Lobby(service).change(match.id, lambda table, plain=plain: replace(table, **plain))
        assert [chair.ready for chair in changed.chairs] == [name in QUIET], name


def passes(folder: Path, lacks: str | None) -> bool:
    """Return whether the tests above pass in a copy of the project with a switch more that `lacks` a part."""
    for name in NEEDED:
        place = folder / name
        shutil.copytree(ROOT / name, place, ignore=LEFT_OUT) if (ROOT / name).is_dir() else shutil.copy(
            ROOT / name, place
        )
    (folder / "data" / "fonts").symlink_to(ROOT / "data" / "fonts")
    for name, (before, part) in PARTS.items():
        text = (folder / name).read_text(encoding="utf-8")
        assert before in text
        if name != lacks:
            (folder / name).write_text(text.replace(before, part + before, 1), encoding="utf-8")
    tests = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:xdist", "-m", "not long", "-k", "each"]
    done = subprocess.run(
        [*tests, "tests/cogs/test_terms.py"], cwd=folder, capture_output=True, text=True, timeout=HUNG
    )
    assert done.returncode in (0, 1), done.stdout[-6_000:] + done.stderr[-2_000:]
    return done.returncode == 0


@pytest.mark.long
def test_a_further_switch_is_its_field_its_columns_and_its_texts(tmp_path: Path) -> None:
    """It is in the lobby, stored by both engines, exported, and taken over, and no other file names it."""
    assert passes(tmp_path, None)


@pytest.mark.long
@pytest.mark.parametrize("lacks", [name for name in PARTS if name.endswith((".sql", "en/common.toml"))])
def test_a_further_switch_that_lacks_a_part_is_found(tmp_path: Path, lacks: str) -> None:
    assert not passes(tmp_path, lacks)
