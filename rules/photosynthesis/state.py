"""Photosynthesis: what may be done in a position, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rules.core.facts import ALONE, put
from rules.core.game import Event, IllegalMove, Outcome, Refusal, Seat
from rules.photosynthesis.facts import (
    BOARD,
    COLLECTING,
    KINDS,
    LEAVES,
    MOST_LIGHT,
    ROUNDS_A_REVOLUTION,
    Buy,
    Collect,
    Collected,
    End,
    Grow,
    Hex,
    LightCollected,
    MatchWon,
    Move,
    Place,
    Placed,
    Plant,
    Sunlight,
    Token,
    Unable,
)
from rules.photosynthesis.packed import (
    BIT,
    BORDER,
    BOUGHT,
    BUYS,
    COLLECTS,
    DEAREST,
    END_ONLY,
    ENDED,
    ENDS,
    FAR,
    FIRST,
    GROWN,
    GROWS,
    NAME,
    NEAR,
    NEXT_PRICE,
    PLACES,
    PLANTED,
    REACH,
    SEATS,
    UNITS,
    bits_of,
    has_space,
    lit,
    shades,
    sun_moved,
)
from rules.photosynthesis.position import Player, Position, Round

_make = tuple.__new__
"""`_make(State, fields)` is `State(*fields)` in half the time; the fields must be complete and in order."""


class PhotosynthesisState(Position):
    """A position with its moves."""

    __slots__ = ()

    def to_move(self) -> frozenset[Seat]:
        return ALONE[self.mover]

    def legal_moves(self, seat: Seat) -> tuple[Move, ...]:
        """Collect, grow, plant (next door first), buy, end; each in the order of HEXES, planting by origins."""
        setup, round_, _, mover, players, heights, empty, unused, _, _ = self
        if seat != mover:
            return ()
        pieces, light, hand, player_board = players[seat]
        if not light:  # as before round 1
            return END_ONLY[seat] if round_.number else self._places(seat)
        seeds, small, medium, large = heights
        usable = pieces & unused
        growing = seeds & usable if hand & 0xF0 else 0
        if hand & 0xF00 and light > 1:
            growing |= small & usable
        if hand > 0xFFF and light > 2:
            growing |= medium & usable
        shaded = 0
        if setup.shade:
            shaded, over_medium, _ = shades(small, medium, large, self.sun)
            growing ^= growing & (shaded & (seeds | small) | over_medium & medium)
        moves: list[Move] = []
        if light >= COLLECTING and (collecting := large & usable):
            moves += [COLLECTS[seat][bit] for bit in bits_of(collecting)]
        grows = GROWS[seat]
        while growing:
            number = growing.bit_length()
            growing ^= FIRST[number]
            moves.append(grows[number])
        if hand & 15:
            empty &= unused
            if shaded:
                empty ^= empty & shaded
            origins, near, far = usable ^ usable & seeds, NEAR[seat], FAR[seat]
            tall = origins ^ origins & small
            while origins:
                number = origins.bit_length()
                origins ^= FIRST[number]
                mask, moves_to = near[number]
                moves += moves_to[empty & mask]
            while tall:
                number = tall.bit_length()
                bit = FIRST[number]
                tall ^= bit
                for mask, moves_to in far[number][: 2 if bit & medium else 5]:
                    moves += moves_to[empty & mask]
        low_columns, high_columns = BUYS[seat][light if light < DEAREST else DEAREST]
        moves += low_columns[player_board & 0xFF]
        moves += high_columns[player_board >> 8]
        return tuple(moves)

    def _places(self, seat: Seat) -> tuple[Move, ...]:
        return tuple([PLACES[seat][bit] for bit in bits_of(BORDER & self.empty)])

    def apply(self, move: Move) -> tuple[PhotosynthesisState, tuple[Event, ...]]:
        """The position after the move, and what happened. Raises IllegalMove."""
        if move.seat != self.mover:
            raise IllegalMove(Refusal.GAME_OVER if self.round.outcome else Refusal.OUT_OF_TURN)
        kind = type(move)
        if not self.round.number and kind is not Place:
            raise IllegalMove(Unable.PLACE_FIRST)
        return _ACTIONS[kind](self, move)

    def _unusable(self, hex_: Hex) -> IllegalMove:
        """Why the mover may not act on a hex: it has, or its own piece is not there."""
        bit = BIT[hex_]
        if not self.unused & bit:
            return IllegalMove(Unable.ACTIVATED, hex=hex_)
        if self.empty & bit:
            return IllegalMove(Unable.NOTHING_THERE, hex=hex_)
        return IllegalMove(Unable.NOT_YOURS, hex=hex_, kind=KINDS[self.height(bit)])

    def _acted(
        self, move: Move, player: Player, heights: tuple[int, ...], empty: int, bits: int
    ) -> PhotosynthesisState:
        """The position after an action of the mover on these hexes."""
        setup, round_, ply, mover, players, _, _, unused, done, last = self
        now = [*players]
        now[move.seat] = player
        fields = (setup, round_, ply + 1, mover, tuple(now), heights, empty, unused ^ bits, (*done, move), last)
        return _make(PhotosynthesisState, fields)

    def _place(self, move: Place) -> tuple[PhotosynthesisState, tuple[Event, ...]]:
        """Place a first tree; the last one begins round 1 (P2)."""
        seat, bit, (seeds, small, medium, large) = move.seat, BIT[move.hex], self.heights
        if self.round.number:
            raise IllegalMove(Refusal.NOT_NOW)
        if not bit & BORDER:
            raise IllegalMove(Unable.NOT_BORDER, hex=move.hex, leaves=LEAVES[move.hex])
        if not self.empty & bit:
            raise IllegalMove(Unable.OCCUPIED, hex=move.hex, kind=KINDS[1])
        pieces, light, hand, player_board = self.players[seat]
        setup, round_, ply, _, players, _, empty, unused, _, _ = self
        players = put(players, seat, (pieces | bit, light, hand - UNITS[1], player_board))
        following = SEATS[(seat + 1) % setup.seats]
        heights = (seeds, small | bit, medium, large)
        fields = (setup, round_, ply + 1, following, players, heights, empty ^ bit, unused, (), (move,))
        after = _make(PhotosynthesisState, fields)
        events: list[Event] = [Placed(seat, move.hex)]
        if heights[1].bit_count() == 2 * setup.seats:
            after = after._begin_round(1, round_.first, events)
        return after, tuple(events)

    def _buy(self, move: Buy) -> tuple[PhotosynthesisState, tuple[Event, ...]]:
        """Move a piece from the player board to the hand."""
        seat, kind = move.seat, KINDS.index(move.kind)
        pieces, light, hand, player_board = self.players[seat]
        price = NEXT_PRICE[kind][player_board >> 4 * kind & 15]
        if not price:
            raise IllegalMove(Unable.SOLD_OUT, kind=move.kind)
        if light < price:
            raise _too_dear(price, light)
        player = (pieces, light - price, hand + UNITS[kind], player_board - UNITS[kind])
        return self._acted(move, player, self.heights, self.empty, 0), BOUGHT[seat][kind][price]

    def _plant(self, move: Plant) -> tuple[PhotosynthesisState, tuple[Event, ...]]:
        """Plant a seed (P6)."""
        seat, bit, target = move.seat, BIT[move.origin], BIT[move.target]
        pieces, light, hand, player_board = self.players[seat]
        seeds, small, medium, large = self.heights
        if not bit & pieces & self.unused:
            raise self._unusable(move.origin)
        if bit & seeds:
            raise IllegalMove(Unable.NO_TREE, hex=move.origin)
        if not target & self.empty:
            raise IllegalMove(Unable.OCCUPIED, hex=move.target, kind=KINDS[self.height(target)])
        if not target & self.unused:
            raise IllegalMove(Unable.ACTIVATED, hex=move.target)
        reach = 1 if bit & small else 2 if bit & medium else 3
        if not target & REACH[bit][reach]:
            distance = BOARD.distance(move.origin, move.target)
            facts = {"hex": move.origin, "kind": KINDS[reach], "target": move.target}
            raise IllegalMove(Unable.TOO_FAR, **facts, distance=distance, reach=reach)
        if self.setup.shade and self.shadowed(target, 0):
            raise IllegalMove(Unable.SHADOWED, hex=move.target, kind=KINDS[0])
        if not hand & 15:
            raise IllegalMove(Unable.NOT_IN_HAND, kind=KINDS[0])
        if not light:
            raise _too_dear(1, light)
        player = pieces | target, light - 1, hand - 1, player_board
        heights = (seeds | target, small, medium, large)
        after = self._acted(move, player, heights, self.empty ^ target, bit | target)
        return after, PLANTED[seat][move.origin][move.target]

    def _grow(self, move: Grow) -> tuple[PhotosynthesisState, tuple[Event, ...]]:
        """Make a piece the next size (P7)."""
        seat, bit = move.seat, BIT[move.hex]
        pieces, light, hand, player_board = self.players[seat]
        if not bit & pieces & self.unused:
            raise self._unusable(move.hex)
        height = self.height(bit)
        if height == 3:
            raise IllegalMove(Unable.FULL_GROWN, hex=move.hex)
        if self.setup.shade and self.shadowed(bit, height):
            raise IllegalMove(Unable.SHADOWED, hex=move.hex, kind=KINDS[height])
        grown = height + 1
        if not hand >> 4 * grown & 15:
            raise IllegalMove(Unable.NOT_IN_HAND, kind=KINDS[grown])
        if light < grown:
            raise _too_dear(grown, light)
        returned = has_space(height, player_board)
        player_board += returned and UNITS[height]
        heights = [*self.heights]
        heights[height] ^= bit
        heights[grown] ^= bit
        player = pieces, light - grown, hand - UNITS[grown], player_board
        after = self._acted(move, player, tuple(heights), self.empty, bit)
        return after, GROWN[seat][move.hex][grown][returned]

    def _collect(self, move: Collect) -> tuple[PhotosynthesisState, tuple[Event, ...]]:
        """Fell a large tree for a token (P8)."""
        seat, bit = move.seat, BIT[move.hex]
        pieces, light, hand, player_board = self.players[seat]
        if not bit & pieces & self.unused:
            raise self._unusable(move.hex)
        seeds, small, medium, large = self.heights
        if not bit & large:
            raise IllegalMove(Unable.NOT_LARGE, hex=move.hex, kind=KINDS[self.height(bit)])
        if light < COLLECTING:
            raise _too_dear(COLLECTING, light)
        leaves = min(LEAVES[move.hex], 3 if self.setup.seats == 2 else 4)
        number, first, piles, tokens, sunlight, outcome = self.round
        token = next((Token(soil, piles[soil - 1][0]) for soil in range(leaves, 0, -1) if piles[soil - 1]), Token(0, 0))
        if token.leaves:
            piles = put(piles, token.leaves - 1, piles[token.leaves - 1][1:])
        round_ = Round(number, first, piles, put(tokens, seat, (*tokens[seat], token)), sunlight, outcome)
        returned = has_space(3, player_board)
        player = pieces ^ bit, light - COLLECTING, hand, player_board + returned * UNITS[3]
        after = self._acted(move, player, (seeds, small, medium, large ^ bit), self.empty ^ bit, bit)
        return after._replace(round=round_), (Collected(seat, move.hex, leaves, token, returned),)

    def _end(self, move: End) -> tuple[PhotosynthesisState, tuple[Event, ...]]:
        """End the turn, after the last player's the round (P10), after the last round the match (P3)."""
        setup, round_, ply, _, players, heights, empty, _, done, _ = self
        following = SEATS[(move.seat + 1) % setup.seats]
        fields = (setup, round_, ply + 1, following, players, heights, empty, BOARD.all, (), (*done, move))
        after = _make(PhotosynthesisState, fields)
        if following != round_.first:
            return after, ENDED[move.seat]
        events: list[Event] = [*ENDED[move.seat]]
        if round_.number == ROUNDS_A_REVOLUTION * setup.revolutions:
            return after._win(events), tuple(events)
        first = SEATS[(round_.first + 1) % setup.seats]
        events += sun_moved(round_.number + 1, first)
        return after._begin_round(round_.number + 1, first, events), tuple(events)

    def _begin_round(self, number: int, first: Seat, events: list[Event]) -> PhotosynthesisState:
        """Collect light: every tree that is not shadowed pays (P3)."""
        setup, round_, ply, _, players, heights, empty, _, _, last = self
        _, small, medium, large = heights
        small, medium, large = lit(small, medium, large, (number - 1) % 6)
        now, lights, gained, lost = [], [], [], []
        for pieces, light, hand, player_board in players:
            more = (small & pieces).bit_count()
            if medium:
                more += 2 * (medium & pieces).bit_count()
            if large:
                more += 3 * (large & pieces).bit_count()
            surplus = light + more - MOST_LIGHT
            light = MOST_LIGHT if surplus > 0 else light + more
            now.append((pieces, light, hand, player_board))
            lights.append(light)
            gained.append(more)
            lost.append(surplus if surplus > 0 else 0)
        earned, left = [], small | medium | large
        while left:
            bit = FIRST[left.bit_length()]
            left ^= bit
            earned.append((NAME[bit], 1 if bit & small else 2 if bit & medium else 3))
        sunlight = _make(Sunlight, (number, (number - 1) % 6, tuple(earned), tuple(gained), tuple(lost)))
        events.append(_make(LightCollected, (sunlight, tuple(lights))))
        _, _, piles, tokens, _, outcome = round_
        round_ = _make(Round, (number, first, piles, tokens, sunlight, outcome))
        return _make(PhotosynthesisState, (setup, round_, ply, first, tuple(now), heights, empty, BOARD.all, (), last))

    def _win(self, events: list[Event]) -> PhotosynthesisState:
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
        events.append(MatchWon(seats, finals))
        return self._replace(round=self.round._replace(outcome=Outcome(frozenset(seats), scores, reason)), mover=None)

    def opening(self) -> tuple[Event, ...]:
        """Nothing: the first thing that happens is a move."""
        return ()

    def default_move(self, seat: Seat) -> Move:
        """To end the turn. Before round 1 the free hex where a tree will be lit most often in a revolution."""
        if self.round.number:
            return ENDS[seat]
        _, small, medium, large = self.heights

        def suns(move: Move) -> int:
            assert isinstance(move, Place)
            bit = BIT[move.hex]
            return sum(bool(lit(small | bit, medium, large, sun)[0] & bit) for sun in range(6))

        return max(self.legal_moves(seat), key=suns)

    def may_take_back(self, seat: Seat) -> bool:
        """Any action of the turn under way (P4); never a placement (P2) or an ended turn."""
        return seat == self.mover and bool(self.done)

    def redeal_unseen(self, seat: Seat | None, seed: str) -> PhotosynthesisState:
        """The state itself: nothing is hidden, and nothing to come is left to chance."""
        return self


def _too_dear(price: int, light: int) -> IllegalMove:
    return IllegalMove(Unable.TOO_DEAR, price=price, light=light)


_ACTIONS: Mapping[type[Move], Callable[[PhotosynthesisState, Any], tuple[PhotosynthesisState, tuple[Event, ...]]]] = {
    Place: PhotosynthesisState._place,
    Buy: PhotosynthesisState._buy,
    Plant: PhotosynthesisState._plant,
    Grow: PhotosynthesisState._grow,
    Collect: PhotosynthesisState._collect,
    End: PhotosynthesisState._end,
}
