"""The games in lines: for how many players, how long they take, how heavy they are. Also the answer to `/help`."""

from __future__ import annotations

from collections.abc import Mapping

from cogs.messages.content import Button, Content, Id
from data.content.texts import language, texts
from rules.core.game import AnyGame

LONGEST = 100
"""Discord's limit of a choice's name."""


def game_line(game: AnyGame, found: Mapping[str, str]) -> str:
    """Return "Full Circle · 2–4 players · 15–30 min · easy", by the game's texts; what a game does not say is left out.

    The keys are `game.minutes` and `game.weight` in the game's own file.
    """
    fewest, most = game.seats[0], game.seats[-1]
    parts = [found["game.title"]]
    parts.append(found["game_list.players" if fewest < most else "game_list.seats"].format(least=fewest, most=most))
    if "game.minutes" in found:
        parts.append(found["game_list.minutes"].format(minutes=found["game.minutes"]))
    if "game.weight" in found:
        parts.append(found["game.weight"])
    return " · ".join(parts)[:LONGEST]


def help_message(games: Mapping[str, AnyGame], user: int, locale: str) -> Content:
    """Return the answer to `/help`, with a button that lists the games."""
    found = texts(language(locale))
    titles = ", ".join(texts(language(locale), slug)["game.title"] for slug in games)
    row = (Button(found["game_list.button"], Id(0, "help", rest="games")),)
    return Content((found["help"].format(games=titles).strip(),), (row,), user)


def list_of_games(games: Mapping[str, AnyGame], user: int, locale: str) -> Content:
    """Return the games, each with its line and its tagline."""
    found = texts(language(locale))
    lines = [f"### {found['game_list.button']}"]
    for slug, game in games.items():
        own = texts(language(locale), slug)
        lines.append(f"**{game_line(game, own)}**\n{own['game.tagline']}")
    return Content(("\n".join(lines),), user=user)
