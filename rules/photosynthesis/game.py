"""Photosynthesis: options, notation, positions from JSON, and the `GAME`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.core.game import Game, IllegalMove, Json, Option, Outcome, Refusal, Seat, chosen_options
from rules.core.records import value_of
from rules.photosynthesis import computer, figures, hints
from rules.photosynthesis.packed import BIT, SEATS, pack
from rules.photosynthesis.position import Round, Setup
from rules.photosynthesis.state import PhotosynthesisState
from rules.photosynthesis.types import (
    BOARD,
    HEXES,
    IN_HAND,
    KINDS,
    PILES,
    PRICES,
    Buy,
    Collect,
    End,
    Grow,
    Hex,
    Move,
    Place,
    Plant,
    Sunlight,
    Token,
)
from rules.photosynthesis.view import PhotosynthesisView

_OPTIONS = (Option("revolutions", (3, 4), 3), Option("shade", (False, True), False))


def _options(seats: int, chosen: Mapping[str, Any]) -> tuple[Option, ...]:
    """Return what a lobby may choose (P11)."""
    return _OPTIONS


_PLAYER = (0, 0, pack(IN_HAND), pack([len(column) for column in PRICES]))
"""What each player begins with."""


def _new(seats: int, options: Mapping[str, Any] | None = None, seed: str = "") -> PhotosynthesisState:
    """Return the position before the first placement."""
    setup = Setup(seats, **chosen_options(GAME, seats, options), seed=seed)
    piles = (*PILES[:3], ()) if seats == 2 else PILES
    round_ = Round(0, SEATS[0], piles, ((),) * seats, None, None)
    players, nothing = (_PLAYER,) * seats, (0, 0, 0, 0)
    fields = (setup, round_, 0, SEATS[0], players, nothing, BOARD.all, BOARD.all, (), ())
    return PhotosynthesisState((fields,))


def _sunlight_from_json(data: Json) -> Sunlight:
    gained, lost = tuple(data["gained"]), tuple(data["lost"])
    return Sunlight(data["round"], data["sun"], tuple(data["earned"].items()), gained, lost)


def _from_json(data: Json) -> PhotosynthesisState:
    """Return the position that `to_json` described."""
    board, mover, last, light = data["board"], data["mover"], data["last_turn"], data["sunlight"]
    setup = Setup(data["seats"], data["options"]["revolutions"], data["options"]["shade"], data["seed"])
    round_ = Round(
        data["round"],
        Seat(data["first"]),
        tuple(map(tuple, data["piles"])),
        value_of(tuple[tuple[Token, ...], ...], data["tokens"]),
        _sunlight_from_json(light) if light else None,
        value_of(Outcome | None, data["outcome"]),
    )
    players = tuple(
        (sum(BIT[hex_] for hex_, (owner, _) in board.items() if owner == seat), light, pack(hand), pack(to_buy))
        for seat, (light, hand, to_buy) in enumerate(
            zip(data["light"], data["hands"], data["player_boards"], strict=True)
        )
    )
    seeds, small, medium, large = (
        sum(BIT[hex_] for hex_, (_, height) in board.items() if height == kind) for kind in range(4)
    )
    done = tuple(_parse(mover, text) for text in data["turn"])
    unused = BOARD.all
    for move in done:
        for hex_ in _hexes_of(move):
            unused ^= BIT[hex_]
    ended = tuple(_parse(last["seat"], text) for text in last["moves"]) if last else ()
    heights, empty = (seeds, small, medium, large), BOARD.all ^ seeds ^ small ^ medium ^ large
    fields = (setup, round_, data["ply"], mover, players, heights, empty, unused, done, ended)
    return PhotosynthesisState((fields,))


def _hexes_of(move: Move) -> tuple[Hex, ...]:
    """Return the hexes that an action activates (P5)."""
    if isinstance(move, Plant):
        return move.origin, move.target
    return (move.hex,) if isinstance(move, Grow | Collect) else ()


_TYPED = {hex_.lower(): hex_ for hex_ in HEXES}


def _parse(seat: Seat, text: str) -> Move:
    """Return the move that the text names, in any case: "plant C3 D5". Raises IllegalMove(UNPARSABLE)."""
    match text.lower().split():
        case ["end"]:
            return End(seat)
        case ["buy", kind] if kind in KINDS:
            return Buy(seat, kind)
        case ["place", hex_] if hex_ in _TYPED:
            return Place(seat, _TYPED[hex_])
        case ["grow", hex_] if hex_ in _TYPED:
            return Grow(seat, _TYPED[hex_])
        case ["collect", hex_] if hex_ in _TYPED:
            return Collect(seat, _TYPED[hex_])
        case ["plant", origin, target] if origin in _TYPED and target in _TYPED:
            return Plant(seat, _TYPED[origin], _TYPED[target])
    raise IllegalMove(Refusal.UNPARSABLE, text=text)


GAME: Game[PhotosynthesisState, Move, PhotosynthesisView] = Game(
    slug="photosynthesis",
    title="Photosynthesis",
    seats=(2, 3, 4),
    new=_new,
    from_json=_from_json,
    parse=_parse,
    options=_options,
    evaluate=computer.evaluate,
    goes_on=computer.goes_on,
    rollout_move=computer.rollout_move,
    slips=88,
    turn=computer.turn_of,
    outlook=hints.outlook,
    amounts=frozenset({"lead", "end", *hints.LEANINGS} - {"late"}),
    reasons=hints.reasons,
    leanings=hints.LEANINGS,
    candidates=computer.candidates,
    carry_out=computer.carry_out,
    prior=computer.prior,
    deals=False,
    tallies=figures.tallies,
    charts=figures.CHARTS,
)
