"""Each room imports only what its row allows. Read from the source, also inside functions."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.support.source import ROOT, SIMULATED, UNSEEN, nodes, parsed

PACKAGES = ("rules", "rendering", "data", "cogs")

WINGS = ("cogs.runtime", "cogs.workers", "cogs.match", "cogs.messages", "cogs.transport")
ROWS: dict[str, set[str]] = {
    "rules": {"rules"},
    "rendering": {"rendering", "rules", "PIL", "zlib_ng"},
    "rendering.studio": {"rendering", "PIL", "skia", "numpy"},
    "data": set(),
    "data.store": {"data.store", "rules.core.chance", "aiosqlite", "sqlite3", "psycopg"},
    "data.records": {"data.lru", "data.records", "data.store", "rules", "openskill", "sqlite3"},
    "data.content": {"data.content", "rules"},
    "cogs.runtime": {"cogs.runtime", "data", "aiohttp", "prometheus_client"},
    "cogs.workers": {"cogs.workers", "data.lru", "data.turns", "rendering", "rules"},
    "cogs.match": {"cogs.match", "data", "rules"},
    "cogs.messages": {"cogs.messages", "cogs.match", "cogs.runtime", "cogs.workers", "data", "rendering", "rules"},
    "cogs.transport": {*WINGS, "data", "rendering", "rules", "discord", "aiohttp"},
    "cogs.local": {*WINGS, "cogs.local", "data", "rendering", "rules", "discord", "aiohttp", "simcord"},
    "cogs": {*WINGS, "cogs.app", "data", "rendering", "rules", "discord"},
}
"""What the modules of a room may import besides the standard library, by the beginning of its dotted name. The rows of
`rules`, `rendering` and its studio hold for their folders too; each other folder needs a row of its own.
"""

STUDIO = "rendering.studio"
"""Where sprites are painted before a release: what it needs besides is not installed where the bot runs."""

MOST_LINES = 450
"""Of a file of Python, also of tests: what is longer has more than one trade. docs/verify.py alone is a single file for
those who download it.
"""

PROGRAM = "rules/replay/__main__.py"
"""A program, which reads a record and prints it. No module imports it."""

PAINTING = {"tests/goldens/__main__.py", "tests/rendering/test_art.py"}
"""The modules that ask the studio for something, inside a function: what trains the palettes, and the studio's test."""

MEASURING = {"benchmarks", "strength"}
"""Folders of tests/ that `make bench` alone needs whole: they measure ours beside skia and OpenSpiel."""

ALSO = {
    "rules/__init__.py": {"importlib", "pkgutil"},
    "rules/core/match_record.py": {"json"},
    PROGRAM: {"argparse", "pathlib", "sys"},
}
"""What one module may import besides: what finds the games, the values in a record, and what reads and prints one."""

PURE = {
    *("__future__", "bisect", "collections", "dataclasses", "enum", "functools", "hashlib", "hmac", "itertools"),
    *("math", "operator", "re", "struct", "typing"),
}
"""Parts of the standard library that rules may import: they do not read, wait or log, and use no chance. Other such
modules, like `fractions`, may be added.
"""


def imports(source: str, package: str) -> set[str]:
    """Every module or name that the source imports, wherever in the file; relative ones by their package."""
    return imported_by(nodes(source), package)


def imported_by(statements: Iterable[ast.AST], package: str) -> set[str]:
    """The same of those of these statements that import."""
    found: set[str] = set()
    for node in statements:
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = package if node.level else node.module or ""
            found.update([module, *(f"{module}.{alias.name}" for alias in node.names)])
    return found


def row_of(place: Path) -> str | None:
    """The row that a module stands in; None if it stands in none."""
    room = ".".join(place.parent.parts)
    if place.parts[:2] == ("rendering", "studio"):
        return STUDIO
    if place.parts[0] in ("rules", "rendering"):
        return place.parts[0]
    return room if room in ROWS else None


def breaches(source: str, row: str, also: frozenset[str] | set[str] = frozenset()) -> set[str]:
    """What this source imports although its row does not allow it."""
    bad: set[str] = set()
    for name in imports(source, row):
        top = name.split(".")[0]
        standard = top in (PURE if row == "rules" else sys.stdlib_module_names - {"sqlite3"})
        if not standard and not any(f"{name}.".startswith(f"{allowed}.") for allowed in ROWS[row] | also):
            bad.add(name)
    return {name for name in bad if not any(name != other and name.startswith(f"{other}.") for other in bad)}


def modules() -> list[Path]:
    return [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]


def test_every_module_stands_in_a_row_and_every_row_has_modules() -> None:
    rows = {path.relative_to(ROOT): row_of(path.relative_to(ROOT)) for path in modules()}
    assert [place for place, row in rows.items() if row is None] == []
    assert set(rows.values()) == set(ROWS)


@pytest.mark.parametrize("place", ["cogs/tools/new.py", "data/new/one.py", "cogs/match/deep/one.py"])
def test_a_module_in_a_folder_without_a_row_is_found(place: str) -> None:
    assert row_of(Path(place)) is None


def test_imports_go_one_way() -> None:
    for path in modules():
        place = path.relative_to(ROOT)
        row = row_of(place)
        assert row is not None, f"{place} is in a new room, which needs a row"
        assert not breaches(path.read_text(encoding="utf-8"), row, ALSO.get(place.as_posix(), set())), place


def test_the_bot_starts_without_the_simulated_discord() -> None:
    """What needs simcord is imported where `--local` asks for it, never at the top of another module."""
    for path in [*ROOT.glob("*.py"), *modules()]:
        if path.relative_to(ROOT).as_posix() not in SIMULATED:
            found = imported_by(parsed(path.read_text(encoding="utf-8")).body, "")
            assert not {"simcord", "cogs.local"} & {
                ".".join(name.split(".")[:size]) for name in found for size in (1, 2)
            }, path


def test_nothing_imports_the_studio_but_itself_and_what_trains_the_palettes() -> None:
    """The bot, `make play` and `make test` need neither skia nor numpy."""
    tests = [path for path in (ROOT / "tests").rglob("*.py") if path.relative_to(ROOT).parts[1] not in MEASURING]
    others = (path for path in [*ROOT.glob("*.py"), *modules(), *tests] if row_of(path.relative_to(ROOT)) != STUDIO)
    sources = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in others}
    painting = {place for place, source in sources.items() if paints(source)}
    assert painting == PAINTING
    for place in painting:
        assert not any(paints(ast.unparse(line)) for line in ast.parse(sources[place]).body if at_once(line)), place


def paints(source: str) -> set[str]:
    """Return what a source imports of skia, numpy and the studio."""
    if not re.search("skia|numpy|studio", source):
        return set()
    names = imports(source, "rendering")
    return {name for name in names if f"{name}.".startswith(("skia.", "numpy.", f"{STUDIO}."))}


def at_once(line: ast.stmt) -> bool:
    """Return whether a line of a module runs when the module is imported."""
    return not isinstance(line, ast.FunctionDef | ast.AsyncFunctionDef)


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import numpy as np", {"numpy"}),
        ("def draw():\n    from skia import Surface", {"skia", "skia.Surface"}),
        ("from rendering import studio", {"rendering.studio"}),
        ("from rendering.studio.pack import palette", {"rendering.studio.pack", "rendering.studio.pack.palette"}),
        ("import numpydoc\nfrom rendering import studios", set()),
    ],
)
def test_what_needs_the_studio_is_found(source: str, found: set[str]) -> None:
    assert paints(source) == found


def circles(known: dict[str, set[str]]) -> set[str]:
    """The modules that import themselves by way of others, given what each of them imports."""
    left = {name: used & known.keys() for name, used in known.items()}
    while floor := [name for name, used in left.items() if not used]:
        left = {name: used - {*floor} for name, used in left.items() if name not in floor}
    while roof := left.keys() - set().union(*left.values()):
        left = {name: used for name, used in left.items() if name not in roof}
    return set(left)


def imported_in(folder: str) -> dict[str, set[str]]:
    """Return what each module in that folder, or in a folder of it, imports."""
    found = {}
    for path in sorted((ROOT / folder).rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        found[name] = imports(path.read_text(encoding="utf-8"), "")
    return found


def test_no_module_imports_itself_by_way_of_others() -> None:
    """Not for types alone either: what two modules need of each other stands in one of them, or in a third."""
    assert circles(imported_in("cogs") | imported_in("data")) == set()


MOST_FILES = {"cogs/match": 35, "cogs/messages": 34, "cogs/transport": 34}
"""The most files of a wing, also its `__init__`: what has one user, and changes with it, stands in that."""
MOST_FLOORS = 8
"""The most modules of cogs/transport of which each imports the next."""


def floors(known: dict[str, set[str]]) -> int:
    """Return how many modules are in the longest chain of imports, given what each imports; they make no circle."""
    left, count = {name: used & known.keys() for name, used in known.items()}, 0
    while left:
        floor, count = {name for name, used in left.items() if not used}, count + 1
        left = {name: used - floor for name, used in left.items() if name not in floor}
    return count


@pytest.mark.parametrize(("folder", "most"), MOST_FILES.items())
def test_a_wing_has_few_files(folder: str, most: int) -> None:
    assert len(imported_in(folder)) <= most


def test_the_tower_of_the_transport_is_low() -> None:
    assert floors(imported_in("cogs/transport")) <= MOST_FLOORS


def test_the_floors_of_a_tower_are_counted() -> None:
    assert floors({"a": {"b", "os"}, "b": {"c", "d"}, "c": {"d"}, "d": {"e"}}) == 4


def test_what_imports_itself_by_way_of_others_is_found() -> None:
    known = {"a": {"b", "os"}, "b": {"c"}, "c": {"d", "b"}, "d": {"e"}, "e": set()}
    assert circles(known) == {"b", "c"}
    assert circles({**known, "c": {"d"}}) == set()


def test_no_file_is_too_long_to_read() -> None:
    files = [ROOT / "bot.py", *modules(), *(ROOT / "tests").rglob("*.py")]
    lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in files}
    assert [path for path, count in lines.items() if count > MOST_LINES] == []


def test_no_module_imports_the_entry_point_or_the_tests() -> None:
    for path in modules():
        tops = {module.split(".")[0] for module in imports(path.read_text(encoding="utf-8"), "")}
        assert not tops & {"bot", "tests"}, path


MOST_REACHES = 40
"""The most places in tests/ that get at what a class keeps for itself: they stand in few helpers."""
PRIVATE = re.compile(r"_(?!_|replace$|fields$|asdict$|make$)\w+")


def reaches(source: str) -> list[str]:
    """Return the private attributes that a source gets at from outside the class."""
    if not re.search(r"[])\w]\._[a-z]", source.replace("self._", "")):
        return []
    private = [node for node in nodes(source) if isinstance(node, ast.Attribute) and PRIVATE.match(node.attr)]
    return [told for told in map(ast.unparse, private) if not re.match(r"(self|cls|os|sys|super\(\))\._\w+$", told)]


def test_tests_get_at_private_attributes_in_few_places() -> None:
    sources = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("*.py")}
    found = [f"{name}: {told}" for name, source in sources.items() for told in reaches(source)]
    assert len(found) <= MOST_REACHES, found


def test_what_gets_at_private_attributes_is_found() -> None:
    assert reaches("self._a; b._c.d; e.__f__; g._replace(h=1); super()._i()") == ["b._c"]


def reached(source: str) -> set[str]:
    """The names by which a source reads, prints, asks how Python hashes or where a value lies, or gets at more."""
    names: set[str] = set()
    for node in nodes(source):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, ast.Attribute):
            names |= {node.attr} & UNSEEN
    return names & {"open", "print", "input", "compile", "globals", "hash", "id", *UNSEEN}


def test_rules_read_and_print_nothing() -> None:
    allowed = {"rules/__init__.py": {"import_module"}, PROGRAM: {"print"}}
    for path in sorted((ROOT / "rules").rglob("*.py")):
        place = path.relative_to(ROOT).as_posix()
        assert reached(path.read_text(encoding="utf-8")) == allowed.get(place, set()), place


def test_no_module_imports_the_program_that_prints() -> None:
    name = PROGRAM.removesuffix(".py").replace("/", ".")
    for path in [*ROOT.glob("*.py"), *modules()]:
        assert name not in imports(path.read_text(encoding="utf-8"), ""), path


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("def f(path): return open(path).read()", "open"),
        ("show = print", "print"),
        ("import_module('random').random()", "import_module"),
        ("importlib.import_module('random')", "import_module"),
        ("__import__('time').time()", "__import__"),
        ("__builtins__['open']('x')", "__builtins__"),
        ("draw = eval", "eval"),
        ("sorted(cards, key=hash)", "hash"),
    ],
)
def test_what_reads_and_prints_is_found(source: str, found: str) -> None:
    assert reached(source) == {found}


@pytest.mark.parametrize(
    ("row", "source", "bad"),
    [
        ("rules", "import random", {"random"}),
        ("rules", "def f():\n    from os import path", {"os"}),
        ("rules", "import timeit, statistics, _random, ctypes", {"timeit", "statistics", "_random", "ctypes"}),
        ("rules", "import builtins\nfrom importlib import import_module", {"builtins", "importlib"}),
        ("rules", "from rendering.core import theme", {"rendering.core"}),
        ("rules", "from . import core\nimport re", set()),
        ("rendering", "import PIL.Image, discord", {"discord"}),
        ("rendering", "import data.store.database, sqlite3", {"data.store.database", "sqlite3"}),
        ("data.store", "import aiosqlite, sqlite3, PIL", {"PIL"}),
        ("data.store", "from data.records.match import Match", {"data.records.match"}),
        ("data.records", "from data.store.database import Database\nfrom rules.core.game import Seat", set()),
        ("data.records", "from rendering import core\nimport aiosqlite", {"rendering", "aiosqlite"}),
        ("data.content", "from data.store import database", {"data.store"}),
        ("cogs.runtime", "from cogs.match.service import MatchService", {"cogs.match.service"}),
        ("cogs.runtime", "import discord, aiohttp, data.store.lock", {"discord"}),
        ("cogs.match", "import discord", {"discord"}),
        (
            "cogs.match",
            "from cogs.messages import clock\nfrom rendering import renderer",
            {"cogs.messages", "rendering"},
        ),
        ("cogs.match", "from cogs.runtime.logs import without_text", {"cogs.runtime.logs"}),
        ("cogs.match", "def late():\n    import discord.abc", {"discord.abc"}),
        ("cogs.messages", "from discord import ui", {"discord"}),
        ("cogs.messages", "from cogs.transport.senders import edit", {"cogs.transport.senders"}),
        ("cogs.messages", "from cogs.match.clocks import away\nfrom rendering import renderer", set()),
        ("cogs.transport", "from cogs import tables", {"cogs"}),
        ("cogs.transport", "from cogs.tables import Tables\nimport simcord", {"cogs.tables", "simcord"}),
        ("cogs", "import aiosqlite\nfrom PIL import Image\nimport sqlite3", {"aiosqlite", "PIL", "sqlite3"}),
        ("cogs", "from cogs.seats import Seats", {"cogs.seats"}),
        ("cogs", "from cogs.local import world", {"cogs.local"}),
        ("cogs", "import discord, data.records.matches, rules, rendering.core.theme", set()),
    ],
)
def test_the_walk_finds_what_it_looks_for(row: str, source: str, bad: set[str]) -> None:
    assert breaches(source, row) == bad
