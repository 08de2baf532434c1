"""How a match went, and how it stands after a round: what the pictures of it show, and the same in words.

Each game fills in a `Story`. The pictures are the same for all games: result.py and race.py.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from rendering.core.formatting import ALT_TEXT_LIMIT, fit_text, signed
from rendering.core.labels import Labels
from rules.core.game import Outcome

MOST_PLACES = 8
"""How many places a picture shows."""


@dataclass(frozen=True, slots=True)
class Place:
    """A seat or a team in the final order."""

    seats: tuple[int, ...]
    rank: int
    """1 for the first; equal for those who share a place."""
    won: bool
    score: str
    """With its noun: "4 VP"."""
    course: tuple[float, ...]
    """The score at the start and after each round."""


@dataclass(frozen=True, slots=True)
class Honour:
    """Something that a seat did best in this match."""

    key: str
    seats: tuple[int, ...]
    title: str
    detail: str


@dataclass(frozen=True, slots=True)
class Story:
    """What is told of a match that is over. `places` are in their order, the winners first."""

    places: tuple[Place, ...]
    reason: str
    """What the scores do not tell of why the first one won, such as how a tie was broken; "" if they tell all."""
    honours: tuple[Honour, ...]
    rounds: str
    """How long it was: "6 rounds"."""
    date: str = ""
    """When it ended."""
    short_date: str = ""
    """The same, shorter."""
    lowest_wins: bool = False
    """Whether a low score is better than a high one. The chart has the best score on top."""
    goal: int = 0
    """The score at which the match ends; 0 if it ends otherwise."""
    goal_said: str = ""
    """The same in words."""
    rounds_are_won: bool = False
    """Whether by the rules a round has a winner: whose score it changed for the best."""


def places(
    labels: Labels, unit: str, scores: Sequence[int], rounds: Sequence[Sequence[int]], winners: Collection[int],
    sides: Sequence[tuple[int, ...]] = (), *, lowest_wins: bool = False,
) -> tuple[Place, ...]:  # fmt: skip
    """Return the places by score, the best first, each with its score, written in that unit (`Labels.count`), and its
    course. `rounds`: all scores after each round; `sides`: the seats of each, if they are not one seat each; all else
    is by side.
    """
    return tuple(
        Place(sides[at] if sides else (at,), rank, at in winners, labels.count(unit, scores[at]),
              (0, *(after[at] for after in rounds)))
        for rank, at in ranked([-score for score in scores] if lowest_wins else scores, winners)
    )  # fmt: skip


def ranked(scores: Sequence[int], winners: Collection[int]) -> list[tuple[int, int]]:
    """Return (rank, index) of each score, the winners first, then the higher score."""
    order = sorted(range(len(scores)), key=lambda at: (at not in winners, -scores[at], at))
    ranks: list[tuple[int, int]] = []
    for place, at in enumerate(order):
        before = order[place - 1] if place else None
        shared = before is not None and (scores[at], at in winners) == (scores[before], before in winners)
        ranks.append((ranks[-1][0] if shared else place + 1, at))
    return ranks


def honour(
    labels: Labels, key: str, figures: Sequence[int], unit: str, sides: Sequence[tuple[int, ...]] = ()
) -> tuple[Honour, ...]:
    """Return the honour of the highest figure; () if none is above 0, or all are equal. Its title is the text
    `honour.<key>`, and the text `count.<unit>` writes the figure. `sides`: as in `places`. An honour praises; none is
    told of the weakest.
    """
    top = max(figures, default=0)
    found = [at for at, figure in enumerate(figures) if figure == top]
    if top < 1 or len(found) == len(figures):
        return ()
    seats = tuple(seat for at in found for seat in (sides[at] if sides else (at,)))
    return (Honour(key, seats, labels.say(f"honour.{key}"), labels.count(unit, top)),)


def reason(outcome: Outcome | None, reasons: Collection[str], labels: Labels) -> str:
    """Return why the match ended as it did, if for one of these reasons, which the scores do not tell; else ""."""
    return labels.say(f"outcome.{outcome.reason}") if outcome is not None and outcome.reason in reasons else ""


def capital(text: str) -> str:
    """Return the text with a capital letter: elsewhere it follows a colon."""
    return text[:1].upper() + text[1:]


# The words


def describe_story(story: Story, labels: Labels) -> str:
    """Return the picture in words, as its alt text."""

    def write(labels: Labels) -> str:
        def names(seats: Sequence[int]) -> str:
            return labels.list([labels.name(seat) for seat in seats])

        places = [
            labels.say("story.place", rank=place.rank, name=names(place.seats), score=place.score)
            for place in story.places
        ]
        winners = names([seat for place in story.places if place.won for seat in place.seats])
        first = labels.say("story.wins", name=winners) if winners else labels.say("story.nobody")
        honours = [
            labels.say("story.honour", title=one.title, name=names(one.seats), detail=one.detail)
            for one in story.honours
        ]
        parts = [
            f"{', '.join(filter(None, (labels.say('game.title'), story.rounds, story.date)))}. {first}",
            capital(story.reason),
            labels.clauses(places) + ".",
            *honours,
        ]
        return " ".join(filter(None, parts))

    return fit_text(ALT_TEXT_LIMIT, labels, write)


def after(story: Story, labels: Labels) -> str:
    """Return after how many rounds a match stands so, and how it is won: by the lowest score, at which one."""
    said = labels.say("story.after_lowest" if story.lowest_wins else "story.after", rounds=story.rounds)
    return f"{said} · {story.goal_said}" if story.goal_said else said


def describe_round(story: Story, labels: Labels) -> str:
    """Return the picture of `paint_round` in words, as its alt text."""

    def write(labels: Labels) -> str:
        lines = [
            labels.say(
                "story.stands",
                rank=place.rank,
                name=labels.list([labels.name(seat) for seat in place.seats]),
                score=place.score,
                gain=signed(place.course[-1] - place.course[-2]),
            )
            for place in story.places
        ]
        return labels.say("pair", name=after(story, labels), value=labels.clauses(lines)) + "."

    return fit_text(ALT_TEXT_LIMIT, labels, write)
