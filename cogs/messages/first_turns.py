"""What a hand explains to a newcomer: in their first match of it, in their first turns.

It depends only on the player's own past and view, so it tells them nothing about other players.
"""

from __future__ import annotations

from cogs.messages.presenter import Presenter
from data.records.match import Match
from data.records.people import Person
from rendering import renderer
from rendering.core.labels import Labels
from rules.core.game import Seat, View


async def first_turns(presenter: Presenter, match: Match, person: Person, view: View, labels: Labels) -> list[str]:
    """Return the parts of a hand that explain the game to its player: their goal, what to do now, and the signs in
    their hand. There is no part if they have had their first turns, have played before, or want no help. A lesson
    explains more (lesson.py).
    """
    if not person.wants_help or not match.running or match.lesson:
        return []
    drawn, seat = renderer(match.game), view.viewer
    assert seat is not None
    if not await presenter.service.index.is_first(match, person.user):
        return []
    if await _turns_had(presenter, match, person.user, seat) >= drawn.LESSON_TURNS:
        return []
    coach, legend = drawn.coach(view, labels), drawn.legend(view, labels)
    if not (coach or legend):
        return []
    small = [f"-# {line}" for line in (*legend.splitlines(), labels.say("lesson.off"))]
    return [*([f"🎓 {coach}"] if coach else []), "\n".join(small)]


async def _turns_had(presenter: Presenter, match: Match, user: int, seat: Seat) -> int:
    """Return how many turns the player has had there before the present one; a turn may be several moves."""
    several = renderer(match.game).SEVERAL_MOVES_A_TURN

    def name(token: str) -> str:
        turn = token.partition("-")[0]  # without the branch
        return turn.partition(".")[0] if several else turn

    own = {
        name(logged.turn)
        for logged in await presenter.service.events_of(match)
        if (logged.seat, logged.user) == (seat, user)
    }
    return len(own - {name(presenter.service.turn(match, seat))})
