"""The answer to `/stats`: what a server has played of a game, in a picture and in words, without names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from cogs.match.records import LENGTHS, LONGER
from cogs.messages.content import Content, Picture
from cogs.messages.drawing import picture
from cogs.messages.lobby import option_word
from cogs.messages.names import written
from cogs.messages.presenter import Presenter, fitting
from data.content.texts import language, texts
from data.records.people import Person
from rendering import Renderer, renderer
from rendering.core.labels import Labels
from rendering.core.statistics import Bar, Panel, Statistics, alt_text, transcript
from rules.core.game import AnyGame
from rules.core.tally import Chart, Measure, Tally

LEAST = 3
"""So many matches, and so many with a number of players, are needed before their figures are shown."""
_LENGTHS = Chart(Measure.SHARE, (*LENGTHS, LONGER))


async def statistics_message(
    presenter: Presenter, slug: str, tallies: Sequence[Tally], user: int, person: Person | None, locale: str
) -> Content:
    """Return the statistics of a game for one user. `person`: None if the user is not known."""
    labels = Labels((), texts(language(locale), slug))
    labels = labels if person is None else presenter.as_wished(labels, person)
    game, found = presenter.service.games[slug], by_kind(tallies)
    shown = statistics(game, found, labels)
    if shown is None:
        return Content((labels.say("stats.few", game=game.title, least=LEAST),), user=user)
    png = await presenter.drawing.picture(picture(slug, Renderer.draw_statistics, shown, labels))
    parts: list[str | Picture] = [
        labels.say("stats.title", game=game.title),
        Picture("statistics.png", png, alt_text(shown, labels)),
        "\n".join([*_in_words(game, found, shown.others, labels), f"-# {labels.say('stats.note')}"]),
    ]
    if person is not None and person.wants_text:
        parts.append(fitting(transcript(shown, labels), parts))
    return Content(tuple(parts), user=user)


def by_kind(tallies: Iterable[Tally]) -> dict[str, dict[str, Tally]]:
    """Return the tallies by kind and name."""
    found: dict[str, dict[str, Tally]] = {}
    for tally in tallies:
        found.setdefault(tally.kind, {})[tally.name] = tally
    return found


def statistics(game: AnyGame, found: Mapping[str, Mapping[str, Tally]], labels: Labels) -> Statistics | None:
    """Return what the picture shows; None if fewer than LEAST matches were counted."""
    matches = sum(tally.of for tally in found.get("moves", {}).values())
    if matches < LEAST:
        return None
    panels = [*_seats(found, labels)]
    for kind, chart in {"length": _LENGTHS, **game.charts}.items():
        if kind in found:
            of = partial(_length if kind == "length" else renderer(game.slug).bar, kind)
            bars = tuple(_bars(of, chart, found[kind], labels))
            panels.append(Panel(labels.say(f"stats.{kind}"), bars, own=kind != "length"))
    return Statistics(labels.say("stats.head", count=matches), tuple(panels))


def _seats(found: Mapping[str, Mapping[str, Tally]], labels: Labels) -> Iterator[Panel]:
    """Yield how often each seat has won with the number of players of most matches, if they are at least LEAST."""
    count = max(found["moves"].values(), key=lambda tally: (tally.of, tally.name))
    if count.of < LEAST:
        return
    names = tuple(f"{count.name}.{seat}" for seat in range(int(count.name)))
    key = "stats.seat_alone" if count.name == "1" else "stats.seat"
    shown = [found["seat"][name] for name in names]
    bars = (
        Bar(
            names[seat],
            labels.say("stats.seat_name", number=seat + 1),
            _percent(tally.hits, tally.of, labels),
            tally.hits / tally.of if tally.of else 0,
            labels.say("stats.detail", hits=tally.hits, of=tally.of),
        )
        for seat, tally in enumerate(shown)
    )
    yield Panel(labels.say(key, count=count.name), tuple(bars))


def _length(kind: str, name: str, labels: Labels) -> str:
    return labels.say(f"stats.{kind}_{name}")


def _bars(
    bar_of: Callable[[str, Labels], str], chart: Chart, found: Mapping[str, Tally], labels: Labels
) -> Iterator[Bar]:
    """Yield the bar of each tally in the chart's order: of 100 % or, if they are no percentages, of the highest figure.
    `bar_of` returns the label of a name.
    """
    shown = [found[name] for name in chart.names if name in found]
    whole = sum(tally.of for tally in shown)
    figures = [tally.of / whole if chart.measure is Measure.SHARE else tally.hits / tally.of for tally in shown]
    longest = max(figures) if chart.measure is Measure.MEAN else 1
    for tally, figure in zip(shown, figures, strict=True):
        if chart.measure is Measure.MEAN:
            value, hits, of = _mean(tally.hits, tally.of, labels), tally.hits, tally.of
        else:
            hits, of = (tally.of, whole) if chart.measure is Measure.SHARE else (tally.hits, tally.of)
            value = _percent(hits, of, labels)
        detail = labels.say("stats.detail", hits=hits, of=of)
        yield Bar(tally.name, bar_of(tally.name, labels), value, figure / longest if longest else 0, detail)


def _percent(hits: int, of: int, labels: Labels) -> str:
    return labels.say("stats.percent", number=(200 * hits + of) // (2 * of))


def _mean(hits: int, of: int, labels: Labels) -> str:
    whole, tenth = divmod((20 * hits + of) // (2 * of), 10)
    return labels.say("stats.decimal", whole=whole, tenth=tenth)


def _in_words(
    game: AnyGame, found: Mapping[str, Mapping[str, Tally]], panels: Sequence[Panel], labels: Labels
) -> Iterator[str]:
    """Yield what the picture leaves out, a line each: the figures of these panels, how many moves a match had, and with
    which options.
    """
    for panel in panels:
        yield f"**{panel.title}:** {', '.join(f'{bar.label} {bar.value}' for bar in panel.bars)}"
    moves = [
        labels.say(
            "stats.moves_alone" if name == "1" else "stats.moves_with",
            moves=(2 * tally.hits + tally.of) // (2 * tally.of),
            count=name,
        )
        for name, tally in found["moves"].items()
        if tally.of >= LEAST
    ]
    if moves:
        yield labels.say("stats.moves", moves=", ".join(moves))
    options: dict[str, dict[str, int]] = {}
    for tally in found.get("option", {}).values():
        name, _, value = tally.name.partition("=")
        options.setdefault(name, {})[value] = tally.of
    for name, values in options.items():
        of = sum(values.values())
        told = [
            f"{written(option_word(labels, name, _value(value)))} ({_percent(count, of, labels)})"
            for value, count in sorted(values.items(), key=lambda item: (-item[1], item[0]))
        ]
        yield labels.say("stats.options", option=labels.say(f"option.{name}.label"), values=", ".join(told))


def _value(text: str) -> str | bool:
    """Return an option's value as `option_word` takes it: a tally has its text."""
    return text == "True" if text in ("True", "False") else text
