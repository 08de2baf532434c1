"""The replays to look at: `make pictures` writes docs/replays/<slug>.html again, pages as the bot saves them.

Each is a short match of one game, as an onlooker saw it. tests/test_readme.py fails if what one tells is out of date.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from cogs.match.playback import Eyes, Ply, Step, seen
from cogs.messages.drawing import Drawing
from cogs.messages.replay_page import page
from rules import GAMES
from rules.core.game import AnyGame
from tests.goldens.case import labels
from tests.playthroughs.__main__ import setting
from tests.support.published import DOCS, PUBLISHED

FOLDER = DOCS / "replays"
MOST_BYTES = 630_000
"""Limit of a page: all of them are stored with the code, 3 MB together."""
TRIED, LEAST = 12, 24
"""How many matches are played, of which the shortest is shown; and the fewest moves that it may have."""


def played(game: AnyGame, seats: int, options: dict[str, object], number: int) -> list[Ply]:
    """Return the positions of a match between sensible players; it is always the same one."""
    seed = f"replay {number}"
    state = game.new(seats, options, seed)
    found = [Ply(state, -1, state.opening())]
    while awaited := state.to_move():
        luck = sha256(f"{seed} {len(found)}".encode()).digest()
        state, events = state.apply(game.rollout_move(state, min(awaited), int.from_bytes(luck[:4], "big")))
        found.append(Ply(state, len(found) - 1, events))
    return found


def steps_of(slug: str) -> tuple[Step, ...]:
    """Return the steps of the match that is shown, for an onlooker."""
    game = GAMES[slug]
    seats = min(number for number in game.seats if number > 1)
    _, options, _ = setting(game)
    matches = (played(game, seats, options, number) for number in range(TRIED))
    shown = min((plies for plies in matches if len(plies) > LEAST), key=len)
    return seen(shown, seats, Eyes.ONLOOKER)


def made(slug: str, drawing: Drawing) -> bytes:
    """Return the page of a game."""
    steps = steps_of(slug)
    named = labels(slug, steps[0].state.view(None).seats)
    title = named.say("replay_file.title", table=named.say("game.title"))
    about = ", ".join(named.names)
    return asyncio.run(page(drawing, slug, steps, Eyes.ONLOOKER, lambda _: named, title, about, "en", MOST_BYTES))


def pages() -> Iterator[tuple[Path, bytes]]:
    """Yield each page, made now."""
    drawing = Drawing()
    for slug in PUBLISHED:
        yield FOLDER / f"{slug}.html", made(slug, drawing)
    drawing.close()


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for path, data in pages():
        path.write_bytes(data)
        print(f"{path.name}: {len(data):,} bytes")
