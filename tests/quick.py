"""`make quick`: what a change needs first, within a minute: ruff, mypy, and the tests nearest to the changed files.

A test file is near if it is changed itself, imports a changed module, or names a changed file that is no module; then
if it imports a module that does. A game's own tests come with its modules. No test begins after SECONDS; what was left
out is said at the end. `make test` runs everything.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from rules import GAMES
from tests.support.bound import bind_children

ROOT = Path(__file__).parents[1]
PACKAGES = ("bot.py", "cogs", "data", "rendering", "rules", "tests")
SECONDS = 30
"""After so many seconds no further test begins."""
IS_TEST = re.compile(r"tests\..*\btest_\w+")
READERS = {
    "data/locales/": "data.content.texts",
    "data/art/": "rendering.core.art",
    "rendering/sprites/": "rendering.core.art",
}
"""The modules that read these folders."""


def changed(base: str) -> list[str]:
    """Return the files that differ from that revision, and those that git does not know yet."""
    differ = subprocess.check_output(["git", "diff", "--name-only", base], cwd=ROOT, text=True)
    new = subprocess.check_output(["git", "ls-files", "--others", "--exclude-standard"], cwd=ROOT, text=True)
    return sorted({*differ.split(), *new.split()})


def modules() -> dict[str, set[str]]:
    """Return each module of the project by its dotted name, with the names that it imports."""
    known = [
        path for name in PACKAGES for path in ([ROOT / name] if name.endswith(".py") else (ROOT / name).rglob("*.py"))
    ]
    return {dotted(path.relative_to(ROOT)): set(_imports(path)) for path in known}


def dotted(path: Path) -> str:
    """Return the module that a file is."""
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def near(files: Iterable[str], known: dict[str, set[str]]) -> list[list[str]]:
    """Return the test files in three portions: those among these files, those that import a module of these files, and
    those that import a module that does.
    """
    paths = [Path(name) for name in files]
    names = {dotted(path) for path in paths if path.suffix == ".py"}
    names |= {reader for folder, reader in READERS.items() if any(path.as_posix().startswith(folder) for path in paths)}
    importers = defaultdict(set)
    for module, imported in known.items():
        for name in imported & known.keys():
            importers[name].add(module)
    found, seen = [], set(names)
    for _ in range(3):
        found.append([f"{name.replace('.', '/')}.py" for name in sorted(names) if IS_TEST.fullmatch(name)])
        names = {module for name in names for module in importers[name]} - seen
        seen |= names
    return found


def naming(files: Iterable[str]) -> list[str]:
    names = {Path(name).name for name in files}
    texts = {path: path.read_text(encoding="utf-8") for path in sorted((ROOT / "tests").rglob("test_*.py"))}
    return [str(path.relative_to(ROOT)) for path, text in texts.items() if any(name in text for name in names)]


def own_tests(games: Iterable[str]) -> list[str]:
    """Return the test files of these games, and the contract that each game keeps."""
    found = [str(path.relative_to(ROOT)) for game in games for path in ROOT.glob(f"tests/rules/test_{game}*.py")]
    return [*found, *(f"tests/contract/test_{what}.py" for what in ("games", "views"))] if games else []


def run(module: str, *arguments: str) -> int:
    """Run a module of Python in this folder, and return its exit code."""
    return subprocess.run([sys.executable, "-m", module, *arguments], cwd=ROOT).returncode


def main() -> int:
    """Check and test the change. Return 0 if nothing was found."""
    began = time.monotonic()
    base = sys.argv[1] if len(sys.argv) > 1 else "HEAD"
    files = changed(base)
    python = [name for name in files if name.endswith(".py") and (ROOT / name).exists()]
    if python and (run("ruff", "format", "--check", *python) or run("ruff", "check", *python) or run("mypy")):
        return 1
    own, direct, further = near(files, modules())
    games = sorted({part for name in files for part in Path(name).with_suffix("").parts if part in GAMES})
    others = [name for name in files if not name.endswith(".py")]
    chosen = [*own, *own_tests(games), *naming(others), *(direct or further)]
    if not chosen:
        print(
            f"No test is near to what differs from {base}. `make quick ARGS=REVISION` compares with another revision."
        )
        return 0
    print(f"{len(chosen)} test files: {', '.join(chosen)}")
    seconds = max(5, round(SECONDS + began - time.monotonic()))
    how = ("-q", "-x", "-n", "2", "--glance", f"--game={(games or ['full_sun'])[0]}", f"--seconds={seconds}")
    code = run("pytest", *how, *dict.fromkeys(chosen))
    left = f"{len(further)} test files further away, " if direct else ""
    print(f"Left out: {left}what would have begun later, the other games, and the long runs. `make test` has them.")
    return code


if __name__ == "__main__":
    bind_children()
    sys.exit(main())
