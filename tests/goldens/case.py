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
from rendering.core.story import Place, Story
from rules import GAMES
from rules.core.example import example
from rules.core.game import Event, Move, View, chosen_options
from rules.core.tally import Measure, Tally

NAMES = ("Ann", "Maximilian of the Deep", "Børge", "Дмитрий", "田中さくら", "Zoë", "Hans-Jürgen von Hohenberg", "Li")


@cache
def labels(slug: str, seats: int = len(NAMES)) -> Labels:
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
    return Case(slug, name, lambda game: game.paint(view, labels(slug, view.seats), focus))


def explained(slug: str) -> Case | None:
    """The first picture of a game's rules, or None if it has no texts that explain a picture."""
    if not any(key.startswith("callout.") for key in texts("en", slug)):
        return None
    shown = example(GAMES[slug], GAMES[slug].deck)
    view = shown.state.view(shown.seat)
    return Case(slug, "explained", lambda game: game.paint_explained(view, labels(slug, shown.seats)))


def result(slug: str, first: int = 0) -> Case | None:
    """How a random match with as many players as can be went, or None if the game has no such picture. `first`: the
    number of the first seat's disc.
    """
    seats = GAMES[slug].seats[-1]
    discs = tuple((first + seat) % len(NAMES) for seat in range(seats))
    random = Random(f"story {slug}")
    state = GAMES[slug].new(seats, chosen_options(GAMES[slug], seats, {}), "result")
    events = list(state.opening())
    while awaited := sorted(state.to_move()):
        state, happened = state.apply(random.choice(state.legal_moves(random.choice(awaited))))
        events += happened
    view = state.view(None)

    def paint(game: Renderer[View, Move]) -> Page | None:
        people = replace(labels(slug, seats), discs=discs)
        story = game.story(view, events, people)
        return game.paint_result(replace(story, date="2026-01-31"), people) if story else None

    has_story = renderer(slug).story(view, events, labels(slug, seats))
    return Case(slug, "result", paint) if has_story else None


def profile(slug: str) -> Case:
    """What many matches of a person amount to, of whom this game is the favourite: everything that there may be."""
    titles = [GAMES[slug].title, *(game.title for other, game in GAMES.items() if other != slug)]
    played = zip(titles, (24, 12, 6, 3, 1), (9, 5, 0, 3, 0), strict=False)
    games = tuple(GameRow(*row) for row in played)

    def paint(game: Renderer[View, Move]) -> Page:
        found = labels(slug, 6)
        summary = found.say("profile.summary", matches=found.count("matches", 46), wins=17)
        best = Figure("5", found.say("profile.best_in_a_row"))
        return game.paint_profile(Showing(summary, best, games), found)

    return Case(slug, "profile", paint)


def round_over(slug: str) -> Case | None:
    """How a random match stands after a round, or None if it has none."""
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
                return Case(slug, "round", partial(_round_page, slug, state.view(None), every, newest))
    return None


def level(slug: str) -> Case:
    """A round after which all have the same score: the whole stage lies in the light."""
    seats = range(GAMES[slug].seats[-1])
    story = Story(tuple(Place((seat,), 1, False, "0", (0, 0)) for seat in seats), "", (), "", goal=1)
    return Case(slug, "level", lambda game: game.paint_round(story, labels(slug, len(seats))))


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
    found = by_kind(tallies_of(slug))

    def paint(game: Renderer[View, Move]) -> Page | None:
        shown = statistics_of(GAMES[slug], found, labels(slug))
        return game.paint_statistics(shown, labels(slug)) if shown else None

    return Case(slug, "statistics", paint)


def _round_page(
    slug: str, view: View, every: list[Event], newest: list[Event], game: Renderer[View, Move]
) -> Page | None:
    people = labels(slug, GAMES[slug].seats[-1])
    story = game.round_story(view, every, newest, people)
    return game.paint_round(story, people) if story else None
