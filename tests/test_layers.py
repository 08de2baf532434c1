"""Imports go one way: cogs -> rendering -> rules and cogs -> data -> rules. Read from the source, not by running it."""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("rules", "rendering", "data", "cogs")

ALLOWED = {
    "rules": {"rules"},
    "rendering": {"rendering", "rules", "PIL"},
    "data": {"data", "rules", "aiosqlite"},
    "cogs": {"cogs", "data", "rendering", "rules", "discord", "aiohttp"},
}
"""What a package may import besides the standard library."""

ALSO = {"cogs/_local.py": {"simcord"}}
"""What one module may import besides: the simulated Discord, which only `--local` needs and production lacks."""

IMPURE = {
    *("random", "secrets", "time", "datetime", "os", "io", "pathlib", "sys", "logging", "asyncio", "threading"),
    *("socket", "subprocess", "sqlite3", "tempfile", "shutil", "uuid", "urllib", "http"),
}
"""Parts of the standard library that read, wait, log or draw by chance: nothing for rules."""


def imports(source: str, package: str) -> set[str]:
    """Every module or name that the source imports, wherever in the file; relative ones by their package."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = package if node.level else node.module or ""
            found.update([module, *(f"{module}.{alias.name}" for alias in node.names)])
    return found


def breaches(source: str, package: str, also: Collection[str] = ()) -> set[str]:
    """The top-level packages that this source imports and its package may not."""
    bad: set[str] = set()
    for module in imports(source, package):
        top = module.split(".")[0]
        standard = top in sys.stdlib_module_names or top == "__future__"
        if (
            not (standard or top in ALLOWED[package] or top in also)
            or (package == "rules" and top in IMPURE)
            or (package != "data" and top == "sqlite3")
        ):
            bad.add(top)
    return bad


def modules() -> list[Path]:
    return [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_go_one_way(path: Path) -> None:
    place = path.relative_to(ROOT)
    assert not breaches(path.read_text(encoding="utf-8"), place.parts[0], ALSO.get(place.as_posix(), ()))


def test_the_bot_starts_without_the_simulated_discord() -> None:
    """What needs simcord is imported where `--local` asks for it, never at the top of another module."""
    for path in [*ROOT.glob("*.py"), *modules()]:
        if path.relative_to(ROOT).as_posix() not in ALSO:
            body = ast.parse(path.read_text(encoding="utf-8")).body
            top = [node for node in body if isinstance(node, ast.Import | ast.ImportFrom)]
            found = imports(ast.unparse(ast.Module(top, [])), "")
            assert not {"simcord", "cogs._local"} & {*found, *(name.split(".")[0] for name in found)}, path


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_no_module_imports_the_entry_point_or_the_tests(path: Path) -> None:
    package = path.relative_to(ROOT).parts[0]
    tops = {module.split(".")[0] for module in imports(path.read_text(encoding="utf-8"), package)}
    assert not tops & {"bot", "tests"}


@pytest.mark.parametrize("path", sorted((ROOT / "rules").rglob("*.py")), ids=lambda path: str(path.relative_to(ROOT)))
def test_rules_read_and_print_nothing(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    called = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    assert not called & {"open", "print", "input", "exec", "eval", "__import__", "hash", "id"}


def test_content_leaves_only_through_the_senders() -> None:
    senders = {"_discord.py", "_local.py"}
    for path in (ROOT / "cogs").glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        sending = used & {"send", "send_message", "edit_original_response", "followup", "edit_message"}
        assert not sending or path.name in senders, path.name


def test_the_host_of_moves_knows_no_discord() -> None:
    host = ROOT / "cogs" / "_host.py"
    if host.exists():  # a module of its own once there is something to host
        tops = {module.split(".")[0] for module in imports(host.read_text(encoding="utf-8"), "cogs")}
        assert "discord" not in tops


@pytest.mark.parametrize(
    ("package", "source", "bad"),
    [
        ("rules", "import random", {"random"}),
        ("rules", "def f():\n    from os import path", {"os"}),
        ("rules", "from rendering.core import theme", {"rendering"}),
        ("rules", "from . import core\nimport json", set()),
        ("rendering", "import PIL.Image, discord", {"discord"}),
        ("rendering", "import data.database, sqlite3", {"data", "sqlite3"}),
        ("data", "import aiosqlite, sqlite3, PIL", {"PIL"}),
        ("data", "from rendering import core", {"rendering"}),
        ("cogs", "import aiosqlite\nfrom PIL import Image\nimport sqlite3", {"aiosqlite", "PIL", "sqlite3"}),
        ("cogs", "import discord, data.matches, rules, rendering.core.theme", set()),
    ],
)
def test_the_walk_finds_what_it_looks_for(package: str, source: str, bad: set[str]) -> None:
    assert breaches(source, package) == bad
