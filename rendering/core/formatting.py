"""Helper functions for sentences: text within a limit, numbers with their sign."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from rendering.core import lettering
from rendering.core.labels import Labels, with_minus_sign
from rules.core.game import Seat, View

ALT_TEXT_LIMIT = 1024
"""Discord's limit of characters in a picture's description."""


def fit_text(limit: int, labels: Labels, write: Callable[[Labels], str]) -> str:
    """Return what `write` says. Cut names as far as the limit requires; if that is not enough, cut the end too."""
    text = write(labels)
    for longest in (20, 14, 10, 6):
        if len(text) <= limit:
            return text
        cut = tuple(name if len(name) <= longest else _cut(name, longest) for name in labels.names)
        text = write(replace(labels, names=cut))
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _cut(name: str, longest: int) -> str:
    end = "\u2069" if name.startswith("\u2068") else ""  # an isolated name stays isolated
    return name[: longest - 1 - len(end)] + "…" + end


def shortened(text: str, most: int) -> str:
    """Return the text, cut at a word with "…" if it has more than `most` characters; "" if `most` is below 1."""
    if len(text) <= most:
        return text
    if most < 1:
        return ""
    return text[: most - 1].rsplit(" ", 1)[0][: most - 1] + "…"


def signed(number: float) -> str:
    """Return a number with its sign: "+2", "−4", "0"."""
    return f"+{with_minus_sign(number)}" if number > 0 else with_minus_sign(number)


def winners(view: View) -> frozenset[Seat]:
    """Return the seats that won the match; none before its end."""
    return view.outcome.winners if view.outcome else frozenset()


def situation(view: View, to_move: int | None, labels: Labels, won: Collection[int]) -> list[str]:
    """Return who won and why, or whose turn it is; while no player can move, why."""
    if view.outcome:
        names = labels.list([labels.name(seat) for seat in sorted(won)])
        return [labels.say("alt.won", name=names, names=names, reason=labels.say(f"outcome.{view.outcome.reason}"))]
    if labels.halt:
        return [f"{labels.halt}."]
    if to_move is None:
        return []
    key = "alt.your_turn" if to_move == view.viewer else "alt.turn"
    return [labels.say(key, name=labels.name(to_move))]


def score_lines(won: Collection[int], figures: Sequence[int], line: Callable[[int], str]) -> str:
    """Return a line for each seat or side, the winners first and marked 🏆, then the highest figure."""
    order = sorted(range(len(figures)), key=lambda at: (at not in won, -figures[at]))
    return "\n".join(("🏆 " if at in won else "") + line(at) for at in order)


def margin_text(labels: Labels, unit: str, figures: Sequence[int], winners: Collection[int]) -> str:
    """Return by how much the winners' figures exceed the best of the others', in that unit (`Labels.count`); "" if they
    do not, or either is empty. `figures`: those of all seats or sides.
    """
    won, lost = ([figure for at, figure in enumerate(figures) if (at in winners) == one] for one in (True, False))
    ahead = min(won) - max(lost) if won and lost else 0
    return labels.count(unit, ahead) if ahead > 0 else ""


def value_mark(value: object, ours: object, printed: bool = False) -> str:
    """Return the footnote mark of a deck table's value in the rules.

    "‡": the operator changed the value, so it is not `ours`. "†": we chose the value, because the rulebook leaves it
    open. "": the value is `printed` in the rulebook.
    """
    if value != ours:
        return "‡"
    return "" if printed else "†"


def rules_page(labels: Labels, **facts: object) -> str:
    """Return the text "rules.text" with these facts. If the page marks changed values, a footnote explains the mark."""
    page = labels.say("rules.text", **facts)
    return page + labels.say("rules.changed") if "‡" in page else page


def drawable_name(labels: Labels, seat: int) -> str:
    """Return the name as a picture can show it, or the seat's number if none of its letters can be drawn."""
    return lettering.drawable(labels.name(seat)) or labels.say("seat", number=seat + 1)
