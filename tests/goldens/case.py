"""A golden picture: the view it shows, and the people at the table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from random import Random
from typing import Any, NamedTuple

from cogs.match.records import LENGTHS, LONGER
from cogs.messages.statistics import by_kind
from cogs.messages.statistics import statistics as statistics_of
from data.content.texts import texts
from rendering import Renderer, renderer
from rendering.core.canvas import Page
from rendering.core.labels import Labels
from rendering.core.profile import Figure, GameRow, Showing
from rendering.core.story import Story
from rules import GAMES
from rules.core.example import example
from rules.core.game import Move, View, chosen_options
from rules.core.tally import Measure, Tally

NAMES = ("Ann", "Maximilian of the Deep", "Børge", "Дмитрий", "田中さくら", "Zoë", "Hans-Jürgen von Hohenberg", "Li")


@cache
def labels(slug: str, seats: int = len(NAMES)) -> Labels:
    """English texts and the first names."""
    return Labels(NAMES[:seats], texts("en", slug))


class Case(NamedTuple):
    """A golden picture: how its page is painted."""

    slug: str
    name: str
    paint: Callable[[Renderer[View, Move]], Page | None]

    @property
    def file(self) -> str:
        return f"{self.slug}_{self.name}.webp"

    def page(self) -> Page:
        page = self.paint(renderer(self.slug))
        assert page is not None
        return page


def of_view(slug: str, name: str, view: Any, focus: tuple[str, ...] = ()) -> Case:
    """The picture that the game draws of a view."""
    return Case(slug, name, lambda game: game.paint(view, labels(slug, view.seats), focus))


def explained(slug: str) -> Case | None:
    """The first picture of a game's rules, or None if its renderer explains no picture."""
    shown = example(GAMES[slug], GAMES[slug].deck)
    view, people = shown.state.view(shown.seat), labels(slug, shown.seats)
    if not renderer(slug).callouts(view, people):
        return None
    return Case(slug, "explained", lambda game: game.paint_explained(view, people))


def result(slug: str, first: int = 0) -> Case | None:
    """How a random match with as many players as can be went, or None if the game has no such picture. `first`: the
    number of the first seat's disc.
    """
    seats = GAMES[slug].seats[-1]
    people = replace(labels(slug, seats), discs=tuple((first + seat) % len(NAMES) for seat in range(seats)))
    random = Random(f"story {slug}")
    state = GAMES[slug].new(seats, chosen_options(GAMES[slug], seats, {}), "result")
    events = list(state.opening())
    while awaited := sorted(state.to_move()):
        state, happened = state.apply(random.choice(state.legal_moves(random.choice(awaited))))
        events += happened
    view = state.view(None)
    story = renderer(slug).story(view, events, people)
    if story is None:
        return None
    dated = replace(story, date="2026-01-31")
    return Case(slug, "result", lambda game: game.paint_result(dated, people))


def profile(slug: str) -> Case:
    """What many matches of a person amount to, of whom this game is the favourite: everything that there may be."""
    found = labels(slug, 6)
    titles = [GAMES[slug].title, *(game.title for other, game in GAMES.items() if other != slug)]
    played = zip(titles, (24, 12, 6, 3, 1), (9, 5, 0, 3, 0), strict=False)
    shown = Showing(
        "46 matches · 17 won",
        Figure("5", "most wins in a row"),
        tuple(GameRow(*row) for row in played),
    )
    return Case(slug, "profile", lambda game: game.paint_profile(shown, found))


def round_over(slug: str) -> Case | None:
    """How a random match stands after a round that changed the scores, or None if no round does."""
    seats, found = GAMES[slug].seats[-1], labels(slug, GAMES[slug].seats[-1])
    for number in range(20):
        random = Random(f"round {slug} {number}")
        state = GAMES[slug].new(seats, chosen_options(GAMES[slug], seats, {}), f"round {number}")
        moves, rounds = [list(state.opening())], 0
        while awaited := sorted(state.to_move()):
            state, happened = state.apply(random.choice(state.legal_moves(random.choice(awaited))))
            moves.append(happened)
            newest = [event for move in moves[-seats:] for event in move]
            every = [event for move in moves for event in move]
            story = renderer(slug).round_story(state.view(None), every, newest, found)
            rounds += story is not None
            if story and rounds > seats:
                return Case(slug, "round", partial(_round_page, slug, story))
    return None


def tallies_of(slug: str) -> tuple[Tally, ...]:
    """Figures of a server with all the bars that there can be."""
    random, game = Random(f"tallies {slug}"), GAMES[slug]
    seats, matches = game.seats[-1], 24
    found = [Tally("moves", str(seats), matches, 60 * matches)]
    found += [Tally("seat", f"{seats}.{seat}", matches, random.randrange(1, 9)) for seat in range(seats)]
    found += [Tally("length", name, random.randrange(1, 6), 0) for name in (*LENGTHS, LONGER)]
    for kind, chart in game.charts.items():
        for name in chart.names:
            of = random.randrange(10, 100)
            hits = random.randrange(2 * of) if chart.measure is Measure.MEAN else random.randrange(of)
            found.append(Tally(kind, name, of, hits))
    return tuple(found)


def statistics(slug: str) -> Case:
    """What a server has played of a game, with all bars."""
    found, said = by_kind(tallies_of(slug)), labels(slug)
    shown = statistics_of(GAMES[slug], found, said)
    assert shown is not None
    return Case(slug, "statistics", lambda game: game.paint_statistics(shown, said))


def _round_page(slug: str, story: Story, game: Renderer[View, Move]) -> Page:
    return game.paint_round(story, labels(slug, GAMES[slug].seats[-1]))
