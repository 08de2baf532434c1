"""The package docstring of a game lists its modules in the order of their imports: the list names each file, once."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

from rules import GAMES

LIST = re.compile(r"^Modules, each of which uses those before it: ([\w, \n]+)\.$", re.MULTILINE)


def listed(slug: str) -> list[str]:
    """Return the modules that the game's docstring lists; none if it has no list."""
    found = LIST.search(import_module(f"rules.{slug}").__doc__ or "")
    return re.split(r",\s+", found[1]) if found else []


@pytest.mark.parametrize("slug", GAMES)
def test_the_docstring_lists_the_modules_in_the_order_of_their_imports(slug: str) -> None:
    folder, names = Path(str(import_module(f"rules.{slug}").__file__)).parent, listed(slug)
    modules = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    assert sorted(names) == sorted(modules)
    for at, name in enumerate(names):
        source = (folder / f"{name}.py").read_text(encoding="utf-8")
        used = set(re.findall(rf"^from rules\.{slug}\.(\w+) import", source, re.MULTILINE))
        assert used <= set(names[:at]), name
