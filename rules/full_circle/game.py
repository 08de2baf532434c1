"""Full Circle: options, notation, and the `GAME`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.core.game import BadOption, Game, IllegalMove, Json, Option, Refusal, Seat, chosen_options
from rules.core.records import in_one_round
from rules.full_circle import circle, computer, figures, hints
from rules.full_circle.circle import CARD_NAMES, FACE_NAMES
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


def _ahead(state: FullCircleState, seat: Seat) -> Sequence[Move]:
    """Return the plays that fit the circle as it lies, also while another player is at it."""
    return circle.plays(seat, state.hands[seat], state.fits(seat)) if seat in state.round.players else ()


GAME: Game[FullCircleState, Move, FullCircleView] = Game(
    slug="full_circle",
    title="Full Circle",
    seats=(2, 3, 4),
    new=_new,
    from_json=from_json,
    parse=_parse,
    options=_options,
    check_deck=_check_deck,
    evaluate=computer.evaluate,
    goes_on=in_one_round,
    rollout_move=computer.rollout_move,
    prior=computer.prior,
    slips=9,
    outlook=hints.outlook,
    amounts=frozenset({"fitting", "points_left", "rivals_left", "gift", "victor"}),
    reasons=hints.reasons,
    leanings=hints.LEANINGS,
    certain=hints.certain,
    deck_order=_deck_order,
    ahead=_ahead,
    added=frozenset({"last"}),
    lowest_wins=True,
    tallies=figures.tallies,
    charts=figures.CHARTS,
)
