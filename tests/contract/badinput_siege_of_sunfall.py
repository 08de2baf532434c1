"""What people may type at a table of Siege of Sunfall that the rules refuse, and how the answer begins."""

from __future__ import annotations

from collections.abc import Iterator

from rules.core.game import AnyState
from rules.siege_of_sunfall import GAME
from rules.siege_of_sunfall.types import Kind, Phase, SiegeView

NO_MOVE = "I do not know that move. For example"
WORDS = (
    *("pledge", "pledge -1", "pledge three", "pledge 1.5", "pledge 2 boost 0", "boost 1", "award", "award ann", "gold"),
    "5",
)

NOT_NOW = "You cannot do that now."


def positions() -> Iterator[AnyState]:
    """One that few matches come to: the King is part of a tie for the crown."""
    state = GAME.new(3, {}, "a crown 44")
    for seat in sorted(state.to_move()):
        state, _ = state.apply(GAME.parse(seat, "pledge 1"))
    yield state


def bad(view: SiegeView) -> Iterator[tuple[str, str]]:
    me = view.viewer
    assert me is not None
    if view.phase is Phase.PLEDGE:
        yield from bad_pledges(view)
        yield "gold 1", NOT_NOW
        yield "award 0", NOT_NOW
    elif view.phase is Phase.AWARD:
        yield "pledge 0", NOT_NOW
        if me != view.king:
            yield "award 0", "Only the King, "
        else:
            yield from bad_awards(view)
    elif view.phase is Phase.GOLD:
        have = view.held[me].gold
        if have:
            yield f"gold {have + 1}", f"You cannot use {have + 1} gold cards: you have {have}."
        elif me not in view.to_move:
            yield "gold 1", "You have no gold card."
        yield "pledge 1", NOT_NOW


def bad_pledges(view: SiegeView) -> Iterator[tuple[str, str]]:
    me = view.viewer
    assert me is not None
    have, boosts = view.coins[me], view.held[me].boost
    if not view.alive[me]:
        yield "pledge 0", "You are out until the next round."
        return
    for coins in (have + 1, 999):
        yield f"pledge {coins}", f"You cannot pledge {coins}: you have {have}."
    yield f"pledge 0 boost {boosts + 1}", f"You cannot add {boosts + 1} boost cards: you have {boosts}."


def bad_awards(view: SiegeView) -> Iterator[tuple[str, str]]:
    for to in range(view.seats):
        if view.card is not None and view.card.kind is Kind.CROWN and to == view.king:
            yield f"award {to}", "You are part of the tie, so you must give the crown away."
        elif to not in view.award_to:
            yield f"award {to}", ""
    yield from ((f"award {no_one}", NO_MOVE) for no_one in (view.seats, 99))
