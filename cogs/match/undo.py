"""Moves taken back: by their player alone, or by the players together, who may take back one that showed no player
anything that its player did not know. The log marks such a move and keeps it.
"""

from __future__ import annotations

from dataclasses import replace

from cogs.match.positions import phase, replay, same_wait, token, turned
from cogs.match.refusals import Reason, Refused, check_playing, seat_or_refuse
from cogs.match.service import MatchService, Played
from data.records.match import LoggedMove, Match
from rules.core.chance import Shuffled
from rules.core.game import IllegalMove, Seat

MOST_TAKEN_BACK = 100
"""The most undos in a turn. The rules allow any number, but each lengthens the log, which is replayed in full."""
MOST_ENDS_TAKEN_BACK = 3
"""How often a player may take the end of one turn back: each time another player was asked, and perhaps pinged."""
RESAMPLES = 16
"""A move can be taken back only if it causes the same events in this many positions with other hidden cards."""


async def last_open_move(service: MatchService, match: Match) -> LoggedMove | None:
    """Return the last move if the players together may take it back, or None. It must be a player's move that
    showed no player anything that its player did not know: a deal, a draw or a reveal cannot be unseen.

    None also if several seats can act, before or after it: while they decide in secret, the answer would reveal
    that one has decided.
    """
    log = [move for move in await service.log(match.id) if move.undone_at is None]
    if not match.running or not log or log[-1].number != match.moves - 1 or log[-1].user is None:
        return None
    last, game, seats = log[-1], service.game(match), range(len(match.chairs))
    before = game.new(len(match.chairs), match.options, match.seed)
    for logged in log[:-1]:
        before, _ = before.apply(game.parse(Seat(logged.seat), logged.text))
    for state in (before, service.state(match)):
        if sum(bool(state.legal_moves(Seat(seat))) for seat in seats) != 1:
            return None
    move = game.parse(Seat(last.seat), last.text)
    _, events = before.apply(move)
    if any(isinstance(event, Shuffled) for event in events):
        return None
    for number in range(RESAMPLES):
        try:
            _, others = before.redeal_unseen(Seat(last.seat), f"{match.id} {number}").apply(move)
        except IllegalMove:
            return None
        if others != events:
            return None
    return last


async def undo_alone(service: MatchService, number: int, user: int, turn: str | None) -> Played:
    """Take the last move back, if this player alone may. `turn` as in `play`.

    The log marks the move and keeps it; replaying the other moves leads to the position before it. Raises Refused.
    """
    async with service.deciding(number) as match:
        check_playing(match)
        seat = seat_or_refuse(match, user)
        if match.rests_since is not None:
            raise Refused(Reason.RESTS)
        if turn is not None and turn != service.turn(match, Seat(seat)):
            raise Refused(Reason.UNDONE)
        if not await service.person_may_take_back(match, Seat(seat)):
            raise Refused(Reason.MAY_NOT_UNDO)
        return await take_back(service, service.clocks.mark_back(match, seat), own=seat)


async def take_back(
    service: MatchService, match: Match, votes: dict[int, str] | None = None, own: int | None = None
) -> Played:
    """Take back the last move that was not taken back, inside `deciding`. The caller has checked the right to it.

    `own`: the seat that takes back its own decision or the end of its turn, which gives it no more time. Refused if
    that was done too often.
    """
    log = await service.log(match.id)
    last = max(move.number for move in log if move.undone_at is None)
    made = log[last]
    _, undone = await service.decided(match, made.seat, made.turn)
    if undone >= MOST_TAKEN_BACK:
        raise Refused(Reason.UNDONE_OFTEN, count=MOST_TAKEN_BACK)
    ended = own is not None and Seat(own) not in service.state(match).to_move()
    if ended and sum(_is_same(made, move) for move in log) > MOST_ENDS_TAKEN_BACK:
        raise Refused(Reason.UNDONE_OFTEN, count=MOST_ENDS_TAKEN_BACK)
    log[last] = replace(log[last], undone_at=match.moves)
    history, before = replay(service.game(match), match, log)
    left = replace(match.without_ahead(), undone=match.undone + 1)  # a player who is asked again decides again
    after = turned(left, service.state(match), before, int(service.now()))
    if own is not None and ended:
        began = None if match.turn_since is None else match.turn_since - (made.took or 0)
        turn, after = token(after, before, Seat(own)), replace(after, turn_since=began)
        after = same_wait(service.clocks.resume_turn(after, own, turn), own, turn, after.waits_since)
    elif own is not None:
        after = service.in_same_turn(match, after, before, Seat(own))
    match = await service.save(after, log[last], votes, before)
    service.positions.keep(match, before, history)
    return Played(match, log[last].text)


def _is_same(move: LoggedMove, other: LoggedMove) -> bool:
    """Return whether a seat made the same move both times, in one turn."""
    return (move.seat, move.text, phase(move.turn)) == (other.seat, other.text, phase(other.turn))
