"""The picture of a server's statistics: every label has room in each language, and its alt text says every figure."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cogs.messages.statistics import by_kind, statistics
from data.content.texts import languages, texts
from rendering import renderer
from rendering.core.formatting import ALT_TEXT_LIMIT
from rendering.core.labels import Labels
from rendering.core.statistics import Statistics, alt_text, transcript
from rules import GAMES
from rules.core.tally import Measure, Tally
from tests.goldens.case import tallies_of
from tests.support.pixels import lettering_of

LABELS = [(code, slug) for code in languages() for slug in GAMES]


def labels(code: str, slug: str) -> Labels:
    return Labels((), texts(code, slug))


def shown(code: str, slug: str, tallies: tuple[Tally, ...] | None = None) -> Statistics:
    found = statistics(GAMES[slug], by_kind(tallies_of(slug) if tallies is None else tallies), labels(code, slug))
    assert found is not None
    return found


@pytest.mark.parametrize(("code", "slug"), LABELS)
def test_words_say_every_figure(code: str, slug: str) -> None:
    of, said = shown(code, slug), labels(code, slug)
    alt, told = alt_text(of, said), transcript(of, said)
    assert len(alt) <= ALT_TEXT_LIMIT - 100 and not alt.endswith("…")
    for panel in of.panels:
        for bar in panel.bars:
            assert f"{bar.label} {bar.value}" in alt
            assert f"{bar.label} {bar.value} ({bar.detail})" in told
        title = said.say("pair", name=panel.title, value="")
        assert title in alt and title in told
    assert alt.startswith(f"{said.say('game.title')}, {of.head}.")


@pytest.mark.parametrize(("code", "slug"), LABELS)
def test_the_picture_shows_a_chart_of_the_game_in_full(code: str, slug: str) -> None:
    """No label is cut, also if a figure is as long as can be."""
    of = shown(code, slug)
    assert of.main.own == bool(GAMES[slug].charts) and len(of.main.bars) <= 8
    panel = replace(of.main, bars=tuple(replace(bar, value=max(bar.value, "100 %", key=len)) for bar in of.main.bars))
    page = renderer(slug).paint_statistics(Statistics(of.head, (panel,)), labels(code, slug))
    found = {words.args[0] for stroke in page.strokes if (words := lettering_of(stroke.what)) is not None}
    assert {part for bar in panel.bars for part in (bar.label, bar.value)} | {panel.title, of.head} <= found


def test_bars_are_as_long_as_their_figures() -> None:
    game = GAMES["sea_change"]
    assert game.charts["trump"].measure is Measure.RATE
    matches = (Tally("moves", "4", 4, 401), Tally("length", "half", 1, 20), Tally("length", "hour", 3, 120))
    seats = tuple(Tally("seat", f"4.{seat}", 4, hits) for seat, hits in enumerate((2, 1, 1, 0)))
    trumps = (Tally("trump", "G", 8, 6), Tally("trump", "B", 8, 2))
    of = shown("en", "sea_change", (*matches, *seats, *trumps))
    found = {panel.title: [(bar.label, bar.value, bar.length, bar.detail) for bar in panel.bars] for panel in of.panels}
    assert found == {
        "Wins by seat, 4 players": [
            ("Seat 1", "50\u00a0%", 0.5, "2 of 4"),
            ("Seat 2", "25\u00a0%", 0.25, "1 of 4"),
            ("Seat 3", "25\u00a0%", 0.25, "1 of 4"),
            ("Seat 4", "0\u00a0%", 0, "0 of 4"),
        ],
        "How long matches took": [
            ("15–30 min", "25\u00a0%", 0.25, "1 of 4"),
            ("30–60 min", "75\u00a0%", 0.75, "3 of 4"),
        ],
        "Trump at the end of a round": [("Blue", "25\u00a0%", 0.25, "2 of 8"), ("Green", "75\u00a0%", 0.75, "6 of 8")],
    }
    assert of.head == "4 matches"


def test_means_have_one_decimal() -> None:
    length = (Tally("moves", "2", 3, 9), Tally("length", "half", 3, 60))
    found = (*length, *(Tally("seat", f"2.{seat}", 3, 1) for seat in (0, 1)), Tally("special", "double", 8, 13))
    values = {code: shown(code, "full_circle", found).panels[-1].bars[0].value for code in languages()}
    assert values == {code: "1.6" if code == "en" else "1,6" for code in languages()}


@pytest.mark.parametrize("slug", GAMES)
def test_seats_are_shown_with_the_number_of_players_of_most_matches(slug: str) -> None:
    fewest, most = GAMES[slug].seats[0], GAMES[slug].seats[-1]
    found = [Tally("length", "half", 8, 60)]
    for seats, count in ((fewest, 5), (most, 3)):
        found += [Tally("moves", str(seats), count, 9)]
        found += [Tally("seat", f"{seats}.{seat}", count, 1) for seat in range(seats)]
    assert len(shown("en", slug, tuple(found)).panels[0].bars) == fewest


def test_too_few_matches_show_nothing() -> None:
    """Neither all together nor those with one number of players."""
    two = (Tally("moves", "2", 2, 9), Tally("length", "half", 2, 60), Tally("seat", "2.0", 2, 1))
    assert statistics(GAMES["sea_change"], by_kind(two), labels("en", "sea_change")) is None
    three = (Tally("moves", "2", 2, 9), Tally("moves", "4", 1, 9), Tally("length", "half", 3, 60))
    titles = [panel.title for panel in shown("en", "sea_change", three).panels]
    assert titles == ["How long matches took"]
