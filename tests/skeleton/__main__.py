"""Writes a new game that passes all tests: `make game NAME=nim`, or `python -m tests.skeleton nim --like high_card`.

It writes the files of a template folder under the new name, then draws the pictures and writes the playthrough. It
refuses a name that is taken, and changes no file that is there.
"""

from __future__ import annotations

import argparse
import keyword
import re
import subprocess
import sys
from pathlib import Path
from string import Template

ROOT = Path(__file__).parents[2]
TEMPLATES = Path(__file__).parent
FILES = {
    "rules.txt": "rules/{slug}/__init__.py",
    "renderer.txt": "rendering/{slug}/__init__.py",
    "en.toml": "data/locales/en/{slug}.toml",
    "conservation.txt": "tests/contract/conservation_{slug}.py",
    "badinput.txt": "tests/contract/badinput_{slug}.py",
    "views.txt": "tests/goldens/views_{slug}.py",
    "test.txt": "tests/rules/test_{slug}.py",
}
"""By template: the file that it becomes."""
TAKEN = {"core"}
"""Folders of rules/ and rendering/ that are no games."""
NEXT = """
The game is there: `make play` offers it, and `make test` tests it.
Now make it yours. Begin with {rules}; docs/adding-a-game.md says what belongs in each file.
After a change of the rules:     make playthroughs ARGS={slug}
After a change of the pictures:  make goldens ARGS="--palettes {slug}"
"""


def main(arguments: list[str]) -> int:
    """Write the game and return 0. If the name is no slug, or is taken, say so, write nothing and return 2."""
    parser = argparse.ArgumentParser(prog="make game", description="Write a new game that passes all tests.")
    parser.add_argument("slug", help="small letters and underscores: tic_tac_toe")
    kinds = sorted(path.name for path in TEMPLATES.iterdir() if (path / "rules.txt").exists())
    parser.add_argument("--like", choices=kinds, default="nim", help="the game to begin with")
    chosen = parser.parse_args(arguments)
    slug = chosen.slug
    if refusal := refused(slug):
        print(f"make game: {refusal}", file=sys.stderr)
        return 2
    for path, text in files(slug, chosen.like).items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(ROOT))
    written = [str(path) for path in files(slug, chosen.like) if path.suffix == ".py"]
    # The order of imports and the length of lines depend on the name. This process has not imported the new modules.
    sort = ["ruff", "check", "--quiet", "--no-cache", "--select", "I", "--fix", *written]
    wrap = ["ruff", "format", "--quiet", "--no-cache", *written]
    for made in (sort, wrap, ["tests.goldens", "--palettes", slug], ["tests.playthroughs", slug]):
        subprocess.run([sys.executable, "-m", *made], cwd=ROOT, check=True)
    print(NEXT.format(slug=slug, rules=FILES["rules.txt"].format(slug=slug)))
    return 0


def refused(slug: str) -> str | None:
    """Why there cannot be a new game of this name; None if there can."""
    if not re.fullmatch("[a-z]+(_[a-z]+)*", slug) or keyword.iskeyword(slug):
        return f"{slug!r} is no name for a game: small letters and underscores like tic_tac_toe, and no word of Python"
    places = [ROOT / place.format(slug=slug) for place in FILES.values()]
    places += [ROOT / folder / f"{slug}.py" for folder in ("rules", "rendering")]
    if slug in TAKEN or any(place.exists() for place in places):
        return f"there is a {slug} already"
    return None


def files(slug: str, like: str) -> dict[Path, str]:
    """What to write, by place."""
    words = slug.split("_")
    names = {"slug": slug, "title": " ".join(map(str.capitalize, words)), "name": "".join(map(str.capitalize, words))}
    found = {}
    for file, place in FILES.items():
        template = Template((TEMPLATES / like / file).read_text(encoding="utf-8"))
        found[ROOT / place.format(slug=slug)] = template.substitute(names)
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
