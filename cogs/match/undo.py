"""Which move the players together may take back: one that showed no player anything that its player did not know."""

from __future__ import annotations

from cogs.match.service import MatchService
from data.records.match import LoggedMove, Match
from rules.core.chance import Shuffled
from rules.core.game import IllegalMove, Seat

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
