"""Photosynthesis: which moves are legal in a position, and what they lead to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, cast

from rules.core.game import Event, Outcome, Seat
from rules.core.records import ONLY_SEAT, replace_at
from rules.photosynthesis import refusals
from rules.photosynthesis.packed import (
    ALL,
    BIT,
    BORDER,
    BUYS,
    COLLECTS,
    END_ONLY,
    ENDED,
    ENDS,
    FIRST,
    GROWN,
    GROWS,
    GROWTH,
    NONE_LOST,
    PLACES,
    PLANTED,
    PLANTS_FROM_LARGE,
    PLANTS_FROM_MEDIUM,
    PLANTS_NEAR,
    PURCHASES,
    SEATS,
    UNITS,
    lit_trees,
    shadow_masks,
    sun_moved,
)
from rules.photosynthesis.position import Fields, Player, Position, Round
from rules.photosynthesis.types import (
    COLLECTING,
    MOST_LIGHT,
    PRICES,
    ROUNDS_A_REVOLUTION,
    Buy,
    Collect,
    Collected,
    End,
    Grow,
    LightCollected,
    MatchWon,
    Move,
    Place,
    Placed,
    Plant,
    Sunlight,
    Token,
    leaves_of,
)

_make = tuple.__new__
"""`_make(Round, fields)` is `Round(*fields)` in half the time; the fields must be complete and in order."""


class PhotosynthesisState(Position):
    """A position and its moves."""

    __slots__ = ()

    def to_move(self) -> frozenset[Seat]:
        """Return the one seat whose turn it is (P2, P10), or the empty set after the match."""
        return ONLY_SEAT[self[0][3]]

    def legal_moves(self, seat: Seat) -> tuple[Move, ...]:
        """Return collecting, growing, planting (nearest first), buying, `end`; by hex in the order of HEXES.

        Planting goes by origin. Before round 1 the legal moves are placements (P2). P5 to P8 say what each action
        needs, P11 what `shade` forbids.
        """
        setup, round_, _, mover, players, (seeds, small, medium, large), empty, unused, _, _ = self[0]
        if seat != mover:
            return ()
        pieces, light, hand, player_board = players[seat]
        if not light:  # always true before round 1
            return END_ONLY[seat] if round_.number else self._places(seat)
        usable = pieces & unused
        growing = seeds if hand & 0xF0 else 0
        if hand & 0xF00 and light > 1:
            growing |= small
        if hand > 0xFFF and light > 2:
            growing |= medium
        growing &= usable
        shaded = 0
        if setup.shade:
            shaded, over_medium, _ = shadow_masks(small, medium, large, self.sun)
            growing ^= growing & (shaded & (seeds | small) | over_medium & medium)
        collecting = large & usable if light >= COLLECTING else 0
        buys = BUYS[seat][light][player_board]
        if not (growing or collecting or hand & 15):
            return buys
        moves: list[Move] = []
        if collecting:
            moves += COLLECTS[seat][collecting]
        if growing:
            grows = GROWS[seat]
            while growing:
                number = growing.bit_length()
                growing ^= FIRST[number]
                moves.append(grows[number])
        if hand & 15:
            free = empty & unused
            if shaded:
                free ^= free & shaded
            trees, near = usable ^ usable & seeds, PLANTS_NEAR[seat]
            tall = usable & (medium | large)
            while trees:
                number = trees.bit_length()
                trees ^= FIRST[number]
                mask, plants = near[number]
                moves += plants[free & mask]
            while tall:
                number = tall.bit_length()
                bit = FIRST[number]
                tall ^= bit
                for mask, plants in (PLANTS_FROM_MEDIUM if bit & medium else PLANTS_FROM_LARGE)[seat][number]:
                    moves += plants[free & mask]
        moves += buys
        return tuple(moves)

    def _places(self, seat: Seat) -> tuple[Move, ...]:
        moves: list[Move] = []
        for mask, places in PLACES[seat]:
            moves += places[self.empty & mask]
        return tuple(moves)

    def apply(self, move: Move) -> tuple[PhotosynthesisState, tuple[Event, ...]]:
        """Make the move (P2 to P10). Return the next position and what happened. Raises IllegalMove."""
        if move.seat != self[0][3]:
            raise refusals.of(self, move)
        return _ACTIONS[type(move)](self, move)

    def _place(self, move: Place) -> tuple[PhotosynthesisState, tuple[Event, ...]]:
        """Place a first tree; the last placement begins round 1 (P2)."""
        setup, round_, ply, _, players, (seeds, small, medium, large), empty, unused, _, _ = self[0]
        seat, bit = move.seat, BIT[move.hex]
        if round_.number or not bit & BORDER & empty:
            raise refusals.of(self, move)
        pieces, light, hand, player_board = players[seat]
        players = replace_at(players, seat, (pieces | bit, light, hand - UNITS[1], player_board))
        following = SEATS[(seat + 1) % setup.seats]
        heights = (seeds, small | bit, medium, large)
        fields = (setup, round_, ply + 1, following, players, heights, empty ^ bit, unused, (), (move,))
        after = PhotosynthesisState((fields,))
        placed = Placed(seat, move.hex)
        if heights[1].bit_count() < 2 * setup.seats:
            return after, (placed,)
        after, collected = after._begin_round(ply + 1, 1, round_.first, (move,))
        return after, (placed, collected)

    # Before round 1 there is no light, so every other action fails the check of its price.

    def _buy(self, move: Buy) -> tuple[PhotosynthesisState, tuple[Event, ...]]:
        """Move a piece from the player board to the hand."""
        setup, round_, ply, mover, players, heights, empty, unused, done, last = self[0]
        seat, (unit, column, purchases) = move.seat, PURCHASES[move.kind]
        pieces, light, hand, player_board = players[seat]
        price, events = purchases[seat][player_board & column]
        if not price or light < price:
            raise refusals.of(self, move)
        changed = [*players]
        changed[seat] = (pieces, light - price, hand + unit, player_board - unit)
        fields = (setup, round_, ply + 1, mover, tuple(changed), heights, empty, unused, (*done, move), last)
        return PhotosynthesisState((fields,)), events

    def _plant(self, move: Plant) -> tuple[PhotosynthesisState, tuple[Event, ...]]:
        """Plant a seed (P6)."""
        setup, round_, ply, mover, players, (seeds, small, medium, large), empty, unused, done, last = self[0]
        seat = move.seat
        distance, bit, target, events = PLANTED[seat][move.origin][move.target]
        pieces, light, hand, player_board = players[seat]
        reach = 1 if bit & small else 2 if bit & medium else 3 if bit & large else 0
        if (
            distance > reach
            or not light
            or not hand & 15
            or not bit & pieces & unused
            or not target & empty & unused
            or (setup.shade and self.shadowed(target, 0))
        ):
            raise refusals.of(self, move)
        changed = [*players]
        changed[seat] = (pieces | target, light - 1, hand - 1, player_board)
        heights = (seeds | target, small, medium, large)
        unused ^= bit | target
        fields = (setup, round_, ply + 1, mover, tuple(changed), heights, empty ^ target, unused, (*done, move), last)
        return PhotosynthesisState((fields,)), events

    def _grow(self, move: Grow) -> tuple[PhotosynthesisState, tuple[Event, ...]]:
        """Make a piece the next size (P7)."""
        setup, round_, ply, mover, players, (seeds, small, medium, large), empty, unused, done, last = self[0]
        seat, bit = move.seat, BIT[move.hex]
        pieces, light, hand, player_board = players[seat]
        if bit & seeds:
            height, heights = 0, (seeds ^ bit, small ^ bit, medium, large)
        elif bit & small:
            height, heights = 1, (seeds, small ^ bit, medium ^ bit, large)
        elif bit & medium:
            height, heights = 2, (seeds, small, medium ^ bit, large ^ bit)
        else:
            raise refusals.of(self, move)
        unit, column, full, next_unit, next_column = GROWTH[height]
        if (
            light <= height
            or not hand & next_column
            or not bit & pieces & unused
            or (setup.shade and self.shadowed(bit, height))
        ):
            raise refusals.of(self, move)
        returned = player_board & column < full
        if returned:
            player_board += unit
        changed = [*players]
        changed[seat] = (pieces, light - height - 1, hand - next_unit, player_board)
        fields = (setup, round_, ply + 1, mover, tuple(changed), heights, empty, unused ^ bit, (*done, move), last)
        return PhotosynthesisState((fields,)), GROWN[seat][move.hex][height][returned]

    def _collect(self, move: Collect) -> tuple[PhotosynthesisState, tuple[Event, ...]]:
        """Fell a large tree for a token (P8)."""
        setup, round_, ply, mover, players, (seeds, small, medium, large), empty, unused, done, last = self[0]
        seat, bit = move.seat, BIT[move.hex]
        pieces, light, hand, player_board = players[seat]
        if light < COLLECTING or not bit & large & pieces & unused:
            raise refusals.of(self, move)
        leaves = leaves_of(move.hex, setup.seats)
        number, first, piles, tokens, sunlight, outcome = round_
        soil = leaves
        while soil and not piles[soil - 1]:
            soil -= 1
        if soil:
            token = Token(soil, piles[soil - 1][0])
            piles = replace_at(piles, soil - 1, piles[soil - 1][1:])
        else:
            token = Token(0, 0)
        round_ = Round(number, first, piles, replace_at(tokens, seat, (*tokens[seat], token)), sunlight, outcome)
        returned = player_board >> 12 < len(PRICES[3])  # its column has a space (P7)
        players = replace_at(
            players, seat, (pieces ^ bit, light - COLLECTING, hand, player_board + returned * UNITS[3])
        )
        heights = (seeds, small, medium, large ^ bit)
        fields = (setup, round_, ply + 1, mover, players, heights, empty ^ bit, unused ^ bit, (*done, move), last)
        return PhotosynthesisState((fields,)), (Collected(seat, move.hex, leaves, token, returned),)

    def _end(self, move: End) -> tuple[PhotosynthesisState, tuple[Event, ...]]:
        """End the turn; after the last player's the round (P10); after the last round the match (P3)."""
        setup, round_, ply, _, players, heights, empty, _, done, _ = self[0]
        number, seat = round_.number, move.seat
        if not number:
            raise refusals.of(self, move)
        following, turn = SEATS[(seat + 1) % setup.seats], (*done, move)
        if following != round_.first:
            fields = (setup, round_, ply + 1, following, players, heights, empty, ALL, (), turn)
            return PhotosynthesisState((fields,)), ENDED[seat]
        if number == ROUNDS_A_REVOLUTION * setup.revolutions:
            after, won = self._win(ply + 1, turn)
            return after, (*ENDED[seat], won)
        number, first = number + 1, SEATS[(following + 1) % setup.seats]
        after, collected = self._begin_round(ply + 1, number, first, turn)
        return after, (*ENDED[seat], *sun_moved(number, first), collected)

    def _begin_round(
        self, ply: int, number: int, first: Seat, last: tuple[Move, ...]
    ) -> tuple[PhotosynthesisState, LightCollected]:
        """Collect light: every tree that is not shadowed pays (P3)."""
        setup, round_, _, _, players, heights, empty, _, _, _ = self[0]
        _, small, medium, large = heights
        sun = (number - 1) % 6
        small, medium, large = lit_trees(small, medium, large, sun)
        now: list[Player] = []
        lights, gained, lost = [], [], NONE_LOST[setup.seats]
        for pieces, light, hand, player_board in players:
            more = (small & pieces).bit_count()
            if medium:
                more += 2 * (medium & pieces).bit_count()
            if large:
                more += 3 * (large & pieces).bit_count()
            gained.append(more)
            light += more
            if light > MOST_LIGHT:
                lost = replace_at(lost, len(now), light - MOST_LIGHT)
                light = MOST_LIGHT
            lights.append(light)
            now.append((pieces, light, hand, player_board))
        sunlight = _make(Sunlight, (number, sun, (small, medium, large), tuple(gained), lost))
        _, _, piles, tokens, _, outcome = round_
        round_ = _make(Round, (number, first, piles, tokens, sunlight, outcome))
        fields = (setup, round_, ply, first, tuple(now), heights, empty, ALL, (), last)
        return PhotosynthesisState((fields,)), _make(LightCollected, (sunlight, tuple(lights)))

    def _win(self, ply: int, last: tuple[Move, ...]) -> tuple[PhotosynthesisState, MatchWon]:
        """End the match (P12)."""
        finals = self.finals()
        scores = tuple(final.tokens + final.light for final in finals)
        winners = [seat for seat, score in enumerate(scores) if score == max(scores)]
        reason = "points"
        if len(winners) > 1:
            most = max(finals[seat].on_board for seat in winners)
            winners = [seat for seat in winners if finals[seat].on_board == most]
            reason = "pieces" if len(winners) == 1 else "shared"
        seats = tuple(map(Seat, winners))
        outcome = Outcome(frozenset(seats), scores, reason)
        round_ = self.round._replace(outcome=outcome)
        fields = (self.setup, round_, ply, None, self.players, self.heights, self.empty, ALL, (), last)
        return PhotosynthesisState((fields,)), MatchWon(seats, finals)

    def opening(self) -> tuple[Event, ...]:
        """Return (): the first event is the first move's."""
        return ()

    def default_move(self, seat: Seat) -> Move:
        """Return `end`; before round 1 the placement whose tree will be lit most often in a revolution."""
        if self.round.number:
            return ENDS[seat]
        _, small, medium, large = self.heights

        def suns(move: Move) -> int:
            assert isinstance(move, Place)
            bit = BIT[move.hex]
            return sum(bool(lit_trees(small | bit, medium, large, sun)[0] & bit) for sun in range(6))

        return max(self.legal_moves(seat), key=suns)

    def may_take_back(self, seat: Seat) -> bool:
        """Return whether the seat has acted in the turn under way, or has ended its turn and no other seat has acted
        since (P4). A placement (P2) and the end of the match stay.
        """
        if self.done:
            return seat == self.mover
        return self.mover is not None and self.last[-1:] == (ENDS[seat],)

    def redeal_unseen(self, seat: Seat | None, seed: str) -> PhotosynthesisState:
        """Take another seed, the only secret of a position: the game leaves nothing to chance."""
        setup, *others = self[0]
        return PhotosynthesisState((cast(Fields, (replace(setup, seed=seed), *others)),))


_ACTIONS: Mapping[type[Move], Callable[[PhotosynthesisState, Any], tuple[PhotosynthesisState, tuple[Event, ...]]]] = {
    Place: PhotosynthesisState._place,
    Buy: PhotosynthesisState._buy,
    Plant: PhotosynthesisState._plant,
    Grow: PhotosynthesisState._grow,
    Collect: PhotosynthesisState._collect,
    End: PhotosynthesisState._end,
}
