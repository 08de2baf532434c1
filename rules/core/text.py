"""Views as lines of text, for a Python prompt: `print(state.view(None))`. Players read the pictures and their words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rules.core.game import Outcome, Seat


def board(*lines: str) -> str:
    """Return the lines that are not empty, each without spaces at its end."""
    return "\n".join(line.rstrip() for line in lines if line)


def listed(items: Iterable[object]) -> str:
    """Return the items with spaces between them, or a dash if there are none."""
    return " ".join(map(str, items)) or "-"


def trick(name: str, lays: Iterable[tuple[int, str]], end: str = "") -> str:
    """Return the cards of a trick, each after the number of its player: "Trick: 1 G5, 2 G9"."""
    return f"{name}: {', '.join(f'{player} {card}' for player, card in lays) or '-'}{end}"


def table(heads: Sequence[str], *rows: Sequence[object]) -> str:
    """Return columns as wide as their widest entry, aligned left; None is a dash.

    >>> print(table(("seat", "coins"), (0, 12), (1, None)))
    seat  coins
    0     12
    1     -
    """
    cells = [tuple(heads), *(tuple("-" if item is None else str(item) for item in row) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells
    )


def turn(viewer: Seat | None, to_move: Seat | Iterable[Seat] | None, outcome: Outcome | None) -> str:
    """Return a line that names the viewer, and the seats to move or how the game ended.

    >>> turn(Seat(1), [Seat(0), Seat(1)], None)
    'You are seat 1. To move: 0 1'
    >>> turn(None, [], Outcome(frozenset([Seat(2)]), (1, 0, 3), "points"))
    'You look on. Won by 2 (points), scores 1 0 3'
    """
    you = "You look on." if viewer is None else f"You are seat {viewer}."
    if outcome is None:
        return f"{you} To move: {listed([to_move] if isinstance(to_move, int) else to_move or ())}"
    return f"{you} Won by {listed(sorted(outcome.winners))} ({outcome.reason}), scores {listed(outcome.scores)}"
