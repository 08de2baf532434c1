"""Full Circle: options, notation, how a computer player judges a position, and the `GAME`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.core.game import BadOption, Game, IllegalMove, Json, Option, Refusal, Seat, chosen_options
from rules.full_circle import circle
from rules.full_circle.circle import CARD_NAMES, FACE_NAMES, POINTS, WILD
from rules.full_circle.rounds import Round, Setup
from rules.full_circle.state import FullCircleState, deal, from_json
from rules.full_circle.types import PLACES, ROUND_TARGETS, TARGET, TARGETS, Give, Move, Play, Say, Verb
from rules.full_circle.view import FullCircleView


def _options(seats: int, chosen: Mapping[str, Any]) -> tuple[Option, ...]:
    """Return the round targets, with the chosen one if it is another allowed value (F16)."""
    target = chosen.get("target")
    own = {target} if type(target) is int and target in TARGETS else set()
    return (Option("target", tuple(sorted({*ROUND_TARGETS, *own})), TARGET),)


def _check_deck(table: Mapping[str, Any]) -> Json:
    """Refuse any entry: the rulebook prints every card and value, so a deck table has nothing to set."""
    for name in table:
        raise BadOption("deck", f"Full Circle has no {name!r} to set")
    return {}


def _new(seats: int, options: Mapping[str, Any] | None = None, seed: str = "") -> FullCircleState:
    """Return the position before the first move."""
    chosen = chosen_options(GAME, seats, options)
    _check_deck((options or {}).get("deck", {}))
    everybody = tuple(map(Seat, range(seats)))
    first = Round(1, False, everybody, everybody[0], (0,) * seats, None, None, None)
    return deal(Setup(seats, chosen["target"], seed), first, 0, 0, [])


def _deck_order(deal: int, seats: int, options: Mapping[str, Any]) -> tuple[str, ...]:
    """Return all the cards. A deal that renews the pile has the covered ones alone (F13)."""
    return circle.names(circle.DECK)


_TYPED: Mapping[str, Any] = {
    **{f"play {face} {place}".lower(): (Play, face, place) for face in FACE_NAMES for place in PLACES},
    **{f"give {card} {seat}".lower(): (Give, card, Seat(seat)) for card in CARD_NAMES for seat in range(4)},
    **{verb.value: (Say, verb) for verb in Verb},
}
"""By notation in small letters: the move's type and its fields without the seat."""


def _parse(seat: Seat, text: str) -> Move:
    """Return the move that the text names, in any case. Raises IllegalMove(UNPARSABLE)."""
    found = _TYPED.get(" ".join(text.split()).lower())
    if found is None:
        raise IllegalMove(Refusal.UNPARSABLE, text=text)
    kind, *parts = found
    move: Move = kind(seat, *parts)
    return move


_WIN_WORTH = 60
"""What a win is worth to a computer player, in points: more than most rounds bring."""


def _evaluate(state: FullCircleState, seat: Seat) -> float:
    """Return how far the seat's total, with the cards in its hand, is below the others' average; more for a win."""
    totals = [
        total + sum([POINTS[card] for card in hand])
        for total, hand in zip(state.round.totals, state.hands, strict=True)
    ]
    won = state.round.outcome is not None and seat in state.round.outcome.winners
    return (sum(totals) - totals[seat]) / (len(totals) - 1) - totals[seat] + _WIN_WORTH * won


def _depth(state: FullCircleState) -> int:
    """Return about the number of plies to the end of the round."""
    return 0 if state.mover is None else 3 * sum(map(len, state.hands))


def _rollout_move(state: FullCircleState, seat: Seat, number: int) -> Move:
    """Return a play of a colour card that fits; if there is none, any move."""
    cards = state.hands[seat] if state.drawn is None else (state.drawn,)
    plain = circle.plays(seat, [card for card in cards if card != WILD], state.fits(seat))
    moves = plain or state.legal_moves(seat)
    return moves[number % len(moves)]


GAME: Game[FullCircleState, Move, FullCircleView] = Game(
    slug="full_circle",
    title="Full Circle",
    seats=(2, 3, 4),
    new=_new,
    from_json=from_json,
    parse=_parse,
    options=_options,
    check_deck=_check_deck,
    evaluate=_evaluate,
    depth=_depth,
    rollout_move=_rollout_move,
    deck_order=_deck_order,
)
