"""Rule players for Photosynthesis: yardsticks that weigh each action by itself and never search ahead.

A piece is worth a part of the token that it can still become, and the light that it will give under the coming suns.
An action is worth what it adds, less its price in light; the best one is made until none pays. `careful` builds where
the light is sure and collects early and steadily; `bold` saves its large trees for light and shade, and collects late.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rules.core.game import Seat
from rules.core.hexes import STEPS
from rules.photosynthesis.types import BOARD, HEXES, LEAVES, Buy, Collect, End, Grow, Move, Place, Plant
from rules.photosynthesis.view import PhotosynthesisView

PLACE = {hex_: place for place, hex_ in enumerate(HEXES)}
_AT = {axial: name for name, axial in BOARD.axial.items()}
BEHIND = [
    [
        [
            PLACE[_AT[q + n * step_q, r + n * step_r]]  # type: ignore[index]
            for n in (1, 2, 3)
            if (q + n * step_q, r + n * step_r) in _AT
        ]
        for q, r in (BOARD.axial[hex_] for hex_ in HEXES)
    ]
    for step_q, step_r in STEPS
]
"""By the sun's corner and hex: the hexes behind it, nearest first. The light of corner 0, W, travels E."""


@dataclass(frozen=True)
class Style:
    """How the two players differ."""

    part: tuple[float, float, float, float]
    """By height: the part of a token that a piece on its way to it is worth."""
    light: float
    """What a light is worth in points, while there is time to use it."""
    shading: float
    """How much the light that others lose in a player's shadow counts."""
    collecting: int
    """The rounds to come from which on every large tree is collected."""
    full: int
    """The light from which on a large tree is collected even before that, if it blocks another."""


STYLES = {
    # Plants on rich soil, grows where the sun will be, and collects in good time.
    "careful": Style(part=(0.12, 0.28, 0.5, 0.8), light=0.95, shading=0.15, collecting=2, full=14),
    # Grows tall for light and to shade the others; collects in the last rounds.
    "bold": Style(part=(0.1, 0.22, 0.45, 0.85), light=1.1, shading=0.4, collecting=1, full=16),
}


def choose(view: PhotosynthesisView, seat: Seat, legal: Sequence[Move], style: Style) -> Move:
    """Return the legal move that this style likes best."""
    if len(legal) == 1:
        return legal[0]
    if isinstance(legal[0], Place):
        return max(legal, key=lambda move: _first_place(view, seat, PLACE[move.hex]) if isinstance(move, Place) else 0)
    mind = _Mind(view, seat, style)
    best, most = legal[-1], 0.0
    for move in legal:
        value = mind.worth(move)
        if value > most:
            best, most = move, value
    if isinstance(best, End):
        return next(move for move in legal if isinstance(move, End))
    return best


def _first_place(view: PhotosynthesisView, seat: Seat, place: int) -> float:
    """Return how good a hex is for a first tree: away from the others, not in their shade, and near rich soil."""
    row = 0.0
    for other, piece in enumerate(view.board):
        if piece:
            distance = BOARD.distance(HEXES[place], HEXES[other])
            row -= (3.0 if piece.seat == seat else 2.0) / distance
    near = sum(LEAVES[HEXES[other]] for other in range(37) if BOARD.distance(HEXES[place], HEXES[other]) <= 2)
    return row + 0.05 * near


class _Mind:
    """What a player works out before an action: the shade under each sun to come, and what each piece is worth."""

    def __init__(self, view: PhotosynthesisView, seat: Seat, style: Style) -> None:
        self.view, self.seat, self.style = view, seat, style
        self.left = view.rounds - view.round
        """How often light will still be collected."""
        self.suns = [(view.sun + n) % 6 for n in range(1, min(6, self.left) + 1)]
        self.shade = []
        """By coming sun and hex: the height of the tallest tree that shades it."""
        for sun in self.suns:
            shade = [0] * 37
            for place, piece in enumerate(view.board):
                if piece:
                    for behind in BEHIND[sun][place][: piece.height]:
                        shade[behind] = max(shade[behind], piece.height)
            self.shade.append(shade)
        light = view.light[seat]
        self.rate = max(1 / 3, style.light * min(1.0, self.left / 8)) if self.left else 1 / 3
        """What one light is worth now. At the end three light make a point; before that they make trees."""
        if light + view.forecast[seat] > 20 if view.forecast else False:
            self.rate *= 0.6  # more than 20 would be lost
        self.light = light
        self.active = {PLACE[hex_] for hex_ in view.activated}

    def token(self, place: int) -> float:
        """Return the token that a tree there would bring now, from its soil's pile or the next poorer one."""
        soil = LEAVES[HEXES[place]]
        soil = min(soil, 3) if self.view.seats == 2 else soil
        return float(next((self.view.piles[leaves - 1][0] for leaves in range(soil, 0, -1)
                           if self.view.piles[leaves - 1]), 0))  # fmt: skip

    def lit(self, place: int, height: int) -> float:
        """The light that a tree of the height would give there in the rounds to come, the near ones for sure."""
        if not height or not self.suns:
            return 0.0
        lit = sum(height for shade in self.shade if shade[place] < height)
        return lit * (1 + 0.5 * max(0, self.left - 6) / 6)

    def piece(self, place: int, height: int, used: bool) -> float:
        """Return what an own piece there is worth in points. It can take one step a turn, and none in this turn if it
        was used.
        """
        turns = self.left + (not used)
        steps = 4 - height
        if turns < steps:
            return 0.0 if not height else self.rate * 0.9 * self.lit(place, height)
        # A piece with no time to spare is uncertain: light or a large tree may be lacking.
        sure = 1.0 if height == 3 else min(1.0, 0.6 + 0.15 * (turns - steps))
        growth = self.style.part[height] * sure * max(0.0, self.token(place) - 1.3)
        return growth + self.rate * self.lit(place, height)

    def shadow(self, place: int, before: int, after: int) -> float:
        """Return the cost of a tree's longer shadow there: own light lost, less a share of what others lose."""
        lost = 0.0
        for sun, shade in zip(self.suns, self.shade, strict=True):
            for number, behind in enumerate(BEHIND[sun][place][:after], 1):
                piece = self.view.board[behind]
                if not piece or not piece.height or piece.height > after or shade[behind] >= piece.height:
                    continue
                if number <= before and piece.height <= before:
                    continue  # the tree shaded it before
                lost += piece.height * (1.0 if piece.seat == self.seat else -self.style.shading)
        return lost * self.rate

    def grow(self, place: int, price: int) -> float:
        """Return what growing the piece there adds."""
        piece = self.view.board[place]
        if not piece:
            return 0.0
        height = piece.height
        gain = self.piece(place, height + 1, True) - self.piece(place, height, True)
        if self.left < 3 - height:
            gain = self.rate * 0.9 * (self.lit(place, height + 1) - self.lit(place, height))
        return gain - self.shadow(place, height, height + 1) - self.rate * price

    def worth(self, move: Move) -> float:
        """Return what a move adds, in points; never above 0 if the move does not pay."""
        if isinstance(move, Grow):
            piece = self.view.board[PLACE[move.hex]]
            return self.grow(PLACE[move.hex], piece.height + 1 if piece else 0)
        if isinstance(move, Collect):
            return self.collect(PLACE[move.hex])
        if isinstance(move, Plant):
            return self.plant(PLACE[move.origin], PLACE[move.target])
        if isinstance(move, Buy):
            return self.buy(("seed", "small", "medium", "large").index(move.kind))
        return 0.0

    def collect(self, place: int) -> float:
        """Return the worth of collecting: a large tree gives light until it is in the way, or until time or its token
        runs out.
        """
        token = self.token(place)
        if self.left <= self.style.collecting:
            return token - 4 * self.rate
        mine = [piece for piece in self.view.board if piece and piece.seat == self.seat]
        none_left = not self.view.hands[self.seat].large and not self.view.player_boards[self.seat].large
        waiting = any(piece.height == 2 for piece in mine)
        if (none_left and waiting and self.light >= self.style.full) or self.light >= 16:
            return token - 4 * self.rate
        return 0.0

    def plant(self, origin: int, target: int) -> float:
        """Return the worth of planting: on rich soil, not in or casting an own tree's shade, from an unused one."""
        if self.left < 5:
            return 0.0
        seeds = sum(1 for piece in self.view.board if piece and piece.seat == self.seat and not piece.height)
        if seeds >= (3 if self.left > 8 else 1):
            return 0.0
        worth = self.piece(target, 0, True) + 0.25 * self.rate * self.lit(target, 2) * 0.3
        own = sum(
            1 for line in BEHIND for near in line[target][:2]
            if (piece := self.view.board[near]) and piece.seat == self.seat
        )  # fmt: skip
        tree = self.view.board[origin]
        # Planting uses up the origin for this turn, so the tree should not be one that could grow now.
        could = self.view.hands[self.seat][tree.height + 1] if tree and tree.height < 3 else 0
        return worth + 0.4 - self.rate * 0.6 - 0.15 * own - (0.5 if could and self.light > 3 else 0.0)

    def buy(self, kind: int) -> float:
        """Return the worth of buying: to use the piece at once, or if light would be lost otherwise."""
        price = self.view.prices[self.seat][kind]
        if price is None or self.view.hands[self.seat][kind]:
            return 0.0
        spare = self.light - price
        if kind == 0:
            seeds = sum(1 for piece in self.view.board if piece and piece.seat == self.seat and not piece.height)
            return 0.4 if self.left >= 6 and spare >= 3 and seeds < 2 else 0.0
        # Two for the price: the growth that the piece allows must pay for both.
        ready = [
            place for place, piece in enumerate(self.view.board)
            if piece and piece.seat == self.seat and piece.height == kind - 1 and place not in self.active
        ]  # fmt: skip
        if not ready:
            return 0.0
        if spare < kind and not self.light + (self.view.forecast or (0,) * self.view.seats)[self.seat] > 18:
            return 0.0
        return max(self.grow(place, kind) for place in ready) - self.rate * price * 0.7
