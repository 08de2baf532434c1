"""What the documents say is so: their examples run, their commands exist, their links lead somewhere."""

from __future__ import annotations

import doctest
import json
import re
import tomllib
from io import BytesIO
from pathlib import Path
from random import Random

import pytest
from PIL import Image

import bot
from cogs.messages.replay_steps import scenes, sentences
from cogs.transport.permissions import PERMISSIONS
from rendering import renderer
from rendering.core.canvas import MOST_FILE_BYTES
from rules import GAMES
from rules.core.chance import Shuffled, commitment, shuffle
from rules.core.game import Seat
from tests.contract.conftest import conservation_of
from tests.goldens import replays
from tests.goldens.case import labels
from tests.goldens.compare import difference
from tests.goldens.readme import PICTURES, SHOWN
from tests.support.published import PUBLISHED

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "tests" / "README.md"])


def blocks(text: str, language: str) -> list[str]:
    """The fenced blocks of one language, also those within a list."""
    found = re.findall(rf"^( *)```{language}\n(.*?)^\1```$", text, re.DOTALL | re.MULTILINE)
    return [re.sub(rf"^{indent}", "", block, flags=re.MULTILINE) for indent, block in found]


def run_examples(path: Path) -> dict[str, object]:
    """Run a document's Python from top to bottom, sessions as doctests; gives the names that it defines."""
    names: dict[str, object] = {}
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    for block in blocks(path.read_text(encoding="utf-8"), "python"):
        if ">>>" not in block:
            exec(compile(block, str(path), "exec"), names)
            continue
        test = parser.get_doctest(block, names, path.name, str(path), 0)
        assert runner.run(test, clear_globs=False).failed == 0, f"{path.name}: see above"
        names = test.globs
    return names


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_examples_run(path: Path) -> None:
    run_examples(path)


def test_the_readme_has_an_example() -> None:
    assert any(">>>" in block for block in blocks(README, "python"))


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)]+)\)", text):
        if not target.startswith(("https://", "#")):
            assert (path.parent / target.partition("#")[0]).exists(), target


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_commands_and_files_that_are_named_exist(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for target in re.findall(r"\bmake ([a-z]+)", "\n".join([*blocks(text, "sh"), *re.findall(r"`([^`\n]+)`", text)])):
        assert target in targets, f"make {target}"
    for name in re.findall(r"`((?:rules|cogs|data|rendering|tests|docs)/[\w/.]+\.(?:py|md|toml|sql))`", text):
        assert (ROOT / name).exists(), name


def test_the_table_of_games_is_right() -> None:
    """It has the published games, each with as many players as the rules say: "2–4", or "2" if there is one number."""
    rows = re.findall(r"^\| \*\*(.+?)\*\* \| .+? \| (\d(?:–\d)?) \| [\d–]+\*? \| \w+ \|$", README, re.MULTILINE)
    games = [GAMES[slug] for slug in PUBLISHED]
    assert dict(rows) == {game.title: "–".join(map(str, sorted({game.seats[0], game.seats[-1]}))) for game in games}


@pytest.mark.parametrize("slug", PUBLISHED)
def test_every_published_game_shows_its_picture(slug: str) -> None:
    """As a picture in the page, not as a link to one."""
    assert re.search(rf"!\[[^]]*{GAMES[slug].title}[^]]*\]\(docs/{slug}\.png\)", README)
    assert len((ROOT / "docs" / f"{slug}.png").read_bytes()) <= MOST_FILE_BYTES


@pytest.mark.parametrize("path", PICTURES, ids=[path.name for path in PICTURES])
def test_the_pictures_of_the_readme_are_up_to_date(path: Path) -> None:
    drawn = Image.open(BytesIO(PICTURES[path]())).convert("RGB")
    assert drawn.width == 1200
    stored = Image.open(path).convert("RGB")
    assert difference(drawn, stored) is None, f"docs/{path.name} is out of date: run `make pictures`, and look at it"


def test_an_outdated_picture_is_noticed() -> None:
    """One word of another turn on the picture is enough."""
    stored = Image.open(ROOT / "docs" / "table.png").convert("RGB")
    outdated = stored.copy()
    outdated.paste((250, 250, 250), (100, 100, 150, 120))
    assert difference(outdated, stored) is not None
    assert difference(stored.resize((600, 300)), stored) is not None


def test_each_font_is_listed_with_its_licence() -> None:
    folder = ROOT / "data" / "fonts"
    rows = re.findall(
        r"^\| ([\w.-]+\.ttf) \| .+ \| (\d{4}.+) \| ([\w.-]+) \|$",
        (folder / "README.md").read_text("utf-8"),
        re.M,
    )
    assert sorted(name for name, _, _ in rows) == sorted(path.name for path in folder.glob("*.ttf*"))
    assert all((folder / f"{licence}.txt").is_file() for _, _, licence in rows)


def test_the_readme_names_the_permissions_and_the_python_that_are_needed() -> None:
    assert f"`{PERMISSIONS.value}`" in README
    asked = {name for name, needed in PERMISSIONS if needed}
    assert asked == {
        "read_messages",  # "View Channels" in Discord's own words
        "send_messages",
        "send_messages_in_threads",
        "create_public_threads",
        "embed_links",
        "attach_files",
        "read_message_history",
    }, "step 5 of the README lists them in words"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert f"Python {project['requires-python'].removeprefix('>=')} or newer" in README
    assert bot.Settings().database in README


def test_ten_lines_recompute_every_deal_of_every_game() -> None:
    path = ROOT / "docs" / "fair-deals.md"
    lines = blocks(path.read_text(encoding="utf-8"), "python")[0].strip().splitlines()
    assert sum(1 for line in lines if line) <= 10
    assert not any("rules" in line for line in lines)
    deal = run_examples(path)["deal"]
    assert callable(deal)
    for game in GAMES.values():
        seed = f"{game.slug} by the book"
        state, random = game.new(game.seats[-1], {}, seed), Random(seed)
        events = list(state.opening())
        while awaited := sorted(state.to_move()):
            state, happened = state.apply(random.choice(state.legal_moves(random.choice(awaited))))
            events += happened
        deals = [event for event in events if isinstance(event, Shuffled)]
        assert bool(deals) is game.deals
        assert deals or not conservation_of(game).REDEALS_DIFFER, "where nothing is hidden nothing need be dealt"
        for event in deals:
            assert deal(seed, event.ordinal, list(event.before)) == list(event.after)


def test_the_seats_and_the_fingerprint_are_made_as_documented() -> None:
    deal = run_examples(ROOT / "docs" / "fair-deals.md")["deal"]
    assert callable(deal)
    assert deal("secret:seats", 0, list("ABC")) == list(shuffle("secret:seats", 0, "ABC"))
    assert commitment("a seed").startswith("8f44d509e0492ace")


def test_the_decks_lie_as_documented() -> None:
    """The orders that docs/fair-deals.md gives, seen on the deals themselves."""

    def deals(slug: str, seats: int) -> dict[int, Shuffled]:
        opening = GAMES[slug].new(seats, {}, "seed").opening()
        return {event.ordinal: event for event in opening if isinstance(event, Shuffled)}

    sea = deals("sea_change", 4)
    assert "".join(sea[0].before) == "BGRPY"
    suits = [suit for suit in "BGRPY" if suit in sea[0].after[:4]]
    assert list(sea[1].before) == [f"{suit}{value}" for suit in suits for value in (0, *range(4, 13))]
    view = GAMES["sea_change"].new(4, {}, "seed").view(Seat(0))
    assert set(view.hand) == set(sea[1].after[:10])
    assert set(deals("sea_change", 5)) == {1}
    siege = deals("siege_of_sunfall", 6)
    kinds = [card.split()[0] for card in siege[0].before]
    assert list(dict.fromkeys(kinds)) == ["swords", "helmet", "bow", "boost", "gold", "armies", "crown"]
    assert len(kinds) == 51
    assert siege[1].before == tuple("0123456")


def test_the_table_of_games_says_what_the_bot_says() -> None:
    rows = [[cell.strip(" *") for cell in row.strip("|").split("|")] for row in README.splitlines() if "| **" in row]
    told = {title: rest for title, _, *rest in (row for row in rows if len(row) == 5)}
    games = {game.title: (slug, game) for slug, game in GAMES.items()}
    assert len(told) >= 5
    for title, found in told.items():
        slug, game = games[title]
        texts = tomllib.loads((ROOT / "data" / "locales" / "en" / f"{slug}.toml").read_text(encoding="utf-8"))["game"]
        assert found == [f"{game.seats[0]}–{game.seats[-1]}", texts["minutes"], texts["weight"]]


def test_the_replay_to_look_at_tells_what_the_program_tells() -> None:
    """All steps, or the ends of turns: what is said of each. Its pictures are drawn by `make pictures` alone."""
    slug, page = SHOWN, replays.REPLAY
    (found,) = re.findall(
        r'<script type="application/json" id="data">(.*?)</script>', page.read_text("utf-8"), re.DOTALL
    )
    (viewer,) = json.loads(found)["viewers"]
    steps = replays.steps_of(slug)
    named = labels(slug, steps[0].state.view(None).seats)
    shown = min(
        (scenes(slug, steps, lambda _: named, every) for every in range(8)),
        key=lambda shown: abs(len(shown) - len(viewer["lines"])),
    )
    assert viewer["lines"] == [sentences(slug, scene.events, -1, named) for scene in shown]
    assert viewer["alts"] == [renderer(slug).describe(scene.step.view(-1), named) for scene in shown]
    assert page.stat().st_size <= replays.MOST_BYTES
