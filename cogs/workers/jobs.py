"""The kinds of jobs that a worker can do. If the bot has no workers, the same functions run in a thread. A job names
its kind and gives its arguments; it contains no callable. Its result is bytes, a text, both, or None, so that the bot
reads a worker's answers without unpickling anything.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import Any, NamedTuple

from rendering import prewarm, renderer
from rendering.core.portraits import face_of
from rules import GAMES
from rules.core.coach import Advised, advise, better
from rules.core.computer import choose
from rules.core.game import AnyGame, Seat
from rules.core.telling import Reason

Result = bytes | str | tuple[bytes, str] | None


class Job(NamedTuple):
    """A piece of work: one of `KINDS`, and its arguments. Equal jobs of the kind "picture" draw the same."""

    kind: str
    arguments: tuple[Any, ...]


THOUGHTS = frozenset({"choose", "advise", "better"})
"""The kinds of jobs that think: these take seconds, not tenths of a second."""

MORE = "more"
"""What a step of `prewarm` returns while more steps remain."""

_prewarming: dict[str, Iterator[None]] = {}
"""The games whose sprites are being drawn in this process."""


def _picture(slug: str, how: str, *given: Any) -> Result:
    found: Result = getattr(renderer(slug), how)(*given)
    return found


def _prewarm(slug: str, texts: Mapping[str, str]) -> Result:
    """Draw the next page of the game's sprites; return MORE until none is left."""
    steps = _prewarming.pop(slug, None) or prewarm(slug, texts)
    if next(steps, steps) is not None:
        return None
    _prewarming[slug] = steps
    return MORE


def choose_move(slug: str, position: str, seat: Any, seed: str, level: Any) -> Result:
    """Return the notation of the move that a computer of that level chooses."""
    game = GAMES[slug]
    return str(choose(game, game.from_json(json.loads(position)), seat, seed, level))


def _advise(slug: str, position: str, seat: Any, seed: str) -> Result:
    game = GAMES[slug]
    return write_advice(advise(game, game.from_json(json.loads(position)), seat, seed))


def _better(slug: str, position: str, seat: Any, seed: str, played: str) -> Result:
    game = GAMES[slug]
    return write_advice(better(game, game.from_json(json.loads(position)), seat, seed, game.parse(seat, played)))


def write_advice(found: Iterable[Advised[Any]]) -> str:
    """Return advice as JSON, each move by its notation."""

    def texts(turn: Iterable[Any]) -> list[str]:
        return [str(move) for move in turn]

    return json.dumps(
        [
            {
                **asdict(advised),
                "turn": texts(advised.turn),
                "reasons": [{**reason._asdict(), "beside": texts(reason.beside)} for reason in advised.reasons],
            }
            for advised in found
        ]
    )


def read_advice(game: AnyGame, seat: Seat, found: str) -> tuple[Advised[Any], ...]:
    """Return the advice that a job of the kind "advise" or "better" has found."""

    def turn(texts: Iterable[str]) -> tuple[Any, ...]:
        return tuple([game.parse(seat, text) for text in texts])

    def advised(each: dict[str, Any]) -> Advised[Any]:
        reasons = [Reason(**{**reason, "beside": turn(reason["beside"])}) for reason in each["reasons"]]
        return Advised(**{**each, "turn": turn(each["turn"]), "reasons": tuple(reasons)})

    return tuple(map(advised, json.loads(found)))


KINDS: dict[str, Callable[..., Result]] = {
    "picture": _picture,
    "prewarm": _prewarm,
    "choose": choose_move,
    "advise": _advise,
    "better": _better,
    "face": face_of,
}
"""All kinds of jobs, by name."""


def do(job: Job) -> Result:
    """Do a job in this process, and return its result."""
    return KINDS[job.kind](*job.arguments)
