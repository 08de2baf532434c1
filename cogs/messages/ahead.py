"""What a player names ahead: the move that the bot makes at their next decision if it fits then. Only they see it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cogs.match.automatic_moves import may_name
from cogs.messages.content import Button, Content, Id, Row, Select, prompt_rows, value_of
from cogs.messages.presenter import Presenter
from data.records.match import Match
from data.records.people import Person
from rendering import renderer
from rendering.core.labels import Labels
from rules.core.game import Seat

NAME, WITHDRAW = "ahead_set", "withdraw"
"""The action of a step on the way to the move, and the rest of the id that withdraws it."""


def ahead_message(presenter: Presenter, match: Match, person: Person, seat: Seat, path: Sequence[str] = ()) -> Content:
    """Return the question which move to name, the one that is named now, and a button that withdraws it. `path`: the
    steps made so far in a choice of several steps.
    """
    labels, state = presenter.labels_for(match, person), presenter.service.state(match)
    moves, turn, rows = may_name(presenter.service, match, seat), presenter.service.turn(match, seat), list[Row]()
    told = [f"### {presenter.link(match, labels)}"]
    if match.chairs[seat].ahead is not None:
        told.append(ahead_line(presenter, match, seat, labels))
        rows.append((Button(labels.say("ahead.withdraw"), Id(match.id, NAME, turn, WITHDRAW)),))
    if moves:
        prompt = renderer(match.game).question(state.view(seat), moves, tuple(path), labels)
        told.append(labels.say("ahead.ask"))
        controls = [
            _named(row, match.id, turn) for row in prompt_rows(prompt, match.id, turn, labels.say("prompt.choose"))
        ]
        rows = [*presenter.signs.on(controls, match.game, labels, seat), *rows]
    return Content(("\n".join(told),), tuple(rows), person.user)


def ahead_line(presenter: Presenter, match: Match, seat: Seat, labels: Labels) -> str:
    """Return the sentence about the move that the player has named. If they are to move, the bot makes it in a moment,
    or it does not fit.
    """
    text, state = match.chairs[seat].ahead, presenter.service.state(match)
    assert text is not None
    move = presenter.service.game(match).parse(seat, text)
    label = renderer(match.game).move_label(state.view(seat), move, labels)
    misfit = seat in state.to_move() and move not in state.legal_moves(seat)
    return labels.say("ahead.misfit" if misfit else "ahead.named", move=label)


def _named(row: Row, match: int, turn: str) -> Row:
    """Return a row of moves and steps whose controls name a move ahead and make none."""
    if isinstance(row, Select):
        return replace(row, id=Id(match, NAME, turn))
    assert isinstance(row, tuple)
    return tuple(
        replace(button, id=Id(match, NAME, turn, value_of(button.id))) for button in row if button.id is not None
    )
