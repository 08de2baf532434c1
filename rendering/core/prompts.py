"""Legal moves as a question and its choices, which cogs/messages turns into buttons or a select.

A choice either is a move or leads on to the next question. A question's `path` is the answers before it. A game's
`prompt(view, moves, path, labels)` is a pure function of the path, so the bot stores nothing between two presses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

Style = Literal["primary", "secondary", "success", "danger"]
"""The colour of a button, with one meaning in all games:

"primary" (blue): what the bot advises, as a hint does; no game uses it. A sign in a label says what else a move
changes: the trump, a trap, who may play again. "success" (green): the player's own standing choice, or the end of their
turn. "danger" (red): no game uses it; it belongs to leaving and ending. "secondary" (grey): everything else.
"""

MOST_CHOICES = 25
"""Discord's limit of options in a select. A longer list is split into two steps."""
MOST_LABEL = 80
"""Characters of a choice's label at most."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer. `move` is the notation of its move; if it has none, `path` is the path of the next question."""

    label: str
    """At most 80 characters; short ones make buttons."""
    move: str | None = None
    path: tuple[str, ...] = ()
    detail: str = ""
    """At most 100 characters, shown below the label in a select: the cost and the effect of the choice."""
    style: Style = "secondary"
    alone: str = ""
    """The label in place of the step that leads to this choice, if it is the only answer there. "": that step's label
    and then this one's."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A question with at most 25 choices, in the order to show them."""

    question: str
    choices: tuple[Choice, ...]


def in_ranges(choices: Sequence[Choice], path: tuple[str, ...]) -> tuple[Choice, ...]:
    """Return the choices themselves if there are at most 25; else ranges of them, each named by its first and last.

    `path` is the path of this question. If its last step is "#2", return the choices of the third range.
    """
    if len(choices) <= MOST_CHOICES:
        return tuple(choices)
    size = -(-len(choices) // -(-len(choices) // MOST_CHOICES))
    ranges = [choices[at : at + size] for at in range(0, len(choices), size)]
    if path and path[-1].startswith("#"):
        number = path[-1][1:]
        return tuple(ranges[int(number)]) if number.isdecimal() and int(number) < len(ranges) else ()
    return tuple(
        Choice(f"{choices[0].label} – {choices[-1].label}", path=(*path, f"#{number}"))
        for number, choices in enumerate(ranges)
    )


def ways_to(ask: Callable[[tuple[str, ...]], Prompt]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each move that a question leads to, with the labels of the choices on the way to it. `ask` returns the
    question of a path.
    """
    ahead: list[tuple[tuple[str, ...], tuple[str, ...]]] = [((), ())]
    while ahead:
        path, told = ahead.pop()
        for choice in ask(path).choices:
            if choice.move is not None:
                yield choice.move, (*told, choice.label)
                if choice.alone:
                    yield choice.move, (choice.alone,)
            elif choice.path != path:
                ahead.append((choice.path, (*told, choice.label)))


def without_single_steps(prompt: Prompt, ask: Callable[[tuple[str, ...]], Prompt]) -> Prompt:
    """Return the prompt with each step to a question that has one answer replaced by that answer.

    The new label says both: the step and its only answer. `ask` returns the question of a path.
    """
    return replace(prompt, choices=tuple(_shortened(choice, ask) for choice in prompt.choices))


def _shortened(choice: Choice, ask: Callable[[tuple[str, ...]], Prompt]) -> Choice:
    while choice.move is None:
        further = ask(choice.path).choices
        if len(further) != 1 or further[0].path == choice.path:
            break
        (only,) = further
        choice = replace(only, label=(only.alone or f"{choice.label} → {only.label}")[:MOST_LABEL], alone="")
    return choice
