"""A finished match from its record, position by position, as text. `python -m rules.replay FILE` prints it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.core.game import AnyGame, Event, Seat
from rules.core.match_record import MatchRecord, Ply

ALL = -1
"""In place of a viewer: one that sees what every seat sees, and every move."""


def title(record: MatchRecord, game: AnyGame) -> str:
    """Return what was played, by whom and when."""
    names = ", ".join(f"{seat} {name}" for seat, name in enumerate(record.names))
    options = ", ".join(f"{name} {value}" for name, value in record.options.items() if name != "deck")
    dates = [f"{what} {date}" for what, date in (("Began", record.started), ("Ended", record.ended)) if date]
    return "\n".join(filter(None, (f"{game.title}. Seats: {names}", options and f"Options: {options}", *dates)))


def positions(record: MatchRecord, plies: Sequence[Ply], viewer: int | None) -> Iterator[str]:
    """Yield each position as a seat, an onlooker (None) or a reader of everything (ALL) knew it, the first one first.

    Before a position stands what the viewer learned on the way to it: a reader of everything, the move; anyone else,
    what happened, as far as they saw it. A position that the viewer could not tell from the one before is left out, so
    neither the number nor the order of sealed moves shows.
    """
    before, learned = "", list[str]()
    number = 0
    for at, ply in enumerate(plies):
        if viewer == ALL:
            boards = [str(ply.state.view(seat)) for seat in (None, *map(Seat, range(len(record.names))))]
            learned += [f"{at}. {record.moves[at - 1][0]}: {record.moves[at - 1][1]}"] if at else []
        else:
            seat = None if viewer is None else Seat(viewer)
            boards = [str(ply.state.view(seat))]
            learned += [str(seen) for seen in _seen(ply.events, seat)]
        now = "\n\n".join(boards)
        if not number or learned or now != before:
            yield "\n".join([f"--- position {number}", *learned, now])
            before, learned, number = now, [], number + 1


def ending(record: MatchRecord) -> str:
    """Return how the match ended."""
    if record.outcome is None:
        return "The match was ended before it had an outcome."
    winners = " and ".join(f"{seat} {record.names[seat]}" for seat in sorted(record.outcome.winners)) or "no player"
    return f"Won by {winners} ({record.outcome.reason}), scores {' '.join(map(str, record.outcome.scores))}"


def _seen(events: Sequence[Event], viewer: Seat | None) -> Iterator[Event]:
    for event in events:
        seen = event.seen_by(viewer)
        if seen is not None:
            yield seen
