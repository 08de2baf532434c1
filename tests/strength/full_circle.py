"""Two rule players of Full Circle, as yardsticks: they weigh each way to use the turn at hand, and look no further.

A way ends with a hand, a circle and perhaps a trap. Its worth is a sum of plain reasons that a player would give:
points and cards still held, how likely those cards fit at the next turn, whether the rivals' open last cards fit, how
likely the rivals must draw. A trap counts by what it does to these. The weights were fitted to the results of many
rounds.

`careful` minds the points that a round may cost it, so it sheds wilds when a rival is about to end the round. `bold`
plays to end the round itself, whatever its hand would cost.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul
from typing import NamedTuple

from rules.core.game import Seat
from rules.full_circle import circle
from rules.full_circle.circle import CARDS, FACES, NONE, PLACE_NUMBERS, POINTS, WILD
from rules.full_circle.types import Give, Move, Phase, Play, Trap
from rules.full_circle.view import FullCircleView

Hand = tuple[int, ...]
"""Cards as the integers of rules.full_circle.circle, which make the counting of fits quick."""

# By number of rivals, first for one-colour cards, then for two-colour cards: how often a card that fits in 0, 1, 2 …
# places now, the marker's included, fits at the seat's next turn. Counted in matches; a wild always fits.
_FITS_LATER = (
    ((0.18, 0.70, 0.79, 0.91, 1.0), (0.24, 0.70, 0.92, 0.99, 1.0)),
    ((0.30, 0.60, 0.71, 0.83, 0.96), (0.37, 0.68, 0.85, 0.94, 1.0)),
    ((0.38, 0.58, 0.68, 0.78, 0.93), (0.46, 0.66, 0.80, 0.88, 0.94)),
)
# By a rival's place in turn order: how often it ends the round with an open card that does not fit yet, and with one
# that fits now; then the same in a trap.
_ENDS = (((0.02, 1.0), (0.18, 0.69), (0.21, 0.57)), ((0.0, 1.0), (0.02, 0.93), (0.11, 0.79)))
_ENDS_WITH_TWO = 0.07


class Style(NamedTuple):
    """What each reason is worth, in points that the rivals count more than the player. The defaults are careful's."""

    out: float = 11.0
    """The chance that a rival ends the round before the next turn. Then that rival's count is low too: see `close`."""
    points: float = -0.05
    """A point in hand."""
    risk: float = -0.7
    """A point in hand, times that chance."""
    card: float = -3.8
    """A card in hand: a turn more to the end."""
    stuck: float = -4.3
    """The chance that no card fits at the next turn."""
    fit: float = 1.35
    """The sum of the cards' chances to fit."""
    wild: float = 2.8
    """A wild in hand."""
    last: float = 5.1
    """The chance to end the round with an only card."""
    pair: float = 3.4
    """The chance that both cards of a hand of two fit."""
    draw: float = 11.0
    """The chances of the rivals to draw, the next one's most."""
    close: float = -61.0
    """How close the rivals are to the end."""
    double: float = 1.2
    """A place where a card in hand would be a Double Match now."""
    wild_risk: float = -4.5
    """A wild in hand, times the chance that a rival ends the round before the next turn."""
    start: float = 20.5
    """A constant for every way except one that ends the round."""
    win: float = 7.0
    """Ending the round, for each card that a rival holds on average."""
    end: float = 0.0
    """Ending the round."""


class Table(NamedTuple):
    """What stays the same while the seat thinks."""

    view: FullCircleView
    seat: Seat
    style: Style
    rivals: tuple[Seat, ...]
    """The rivals in turn order."""
    unseen: tuple[tuple[int, int], ...]
    """The cards that the seat does not see, each with its number of copies."""
    total: int
    win: float
    """What ending the round is worth."""


def _table(view: FullCircleView, seat: Seat, style: Style) -> Table:
    at = view.players.index(seat)
    seen = [*view.hand, *filter(None, view.open_cards), *filter(None, [view.drawn])]
    cards = [CARDS[card] for card in seen] + [min(FACES[quadrant.face], WILD) for quadrant in view.circle if quadrant]
    unseen = [(card, circle.DECK.count(card) - cards.count(card)) for card in range(WILD + 1)]
    rivals = (*view.players[at + 1 :], *view.players[:at])
    mean = sum([view.hand_sizes[rival] for rival in rivals]) / len(rivals)
    total = sum([number for _, number in unseen])
    return Table(view, seat, style, rivals, tuple(unseen), total, style.win * mean + style.end)


def _places(fits: bytes, card: int) -> int:
    """Return the places where the card fits, as bits. A wild fits where a card of any one colour does."""
    return fits[card] if card != WILD else max(fits[WILD:])


def _reasons(
    table: Table, hand: Hand, tops: tuple[int, ...], marker: int | None, trap: Trap | None, to: Seat | None = None
) -> tuple[float, ...]:
    """Return how much of each reason there is if the turn ends like this; `to`: the rival who was given a card."""
    view, ends = table.view, _ENDS[trap is not None]
    safe, draw, close = 1.0, 0.0, 0.0
    for turn, rival in enumerate(table.rivals):
        size, open_card = view.hand_sizes[rival] + (rival == to), view.open_cards[rival]
        plays = circle.fits(tops, marker) & circle.required_plays(trap, rival, Phase.TURN)
        fits = plays.to_bytes(NONE, "little")
        if open_card and size == 1:
            fitting = bool(_places(fits, CARDS[open_card]))
            safe *= 1 - ends[turn][fitting]
            stuck = 1.0 - fitting
        else:
            stuck = (1 - sum([number for card, number in table.unseen if _places(fits, card)]) / table.total) ** size
            safe *= 1 - _ENDS_WITH_TWO * (size == 2)
        draw += stuck if trap else stuck / (1 + turn)
        close += 1 / (1 + size)
    by_matches = _FITS_LATER[len(table.rivals) - 1]
    now = circle.fits(tops, None).to_bytes(NONE, "little")
    chances = [1.0 if card == WILD else by_matches[card % 7 != 0][now[card].bit_count()] for card in hand]
    all_stuck = 1.0
    for chance in chances:
        all_stuck *= 1 - chance
    points = sum([POINTS[card] for card in hand])
    return (
        1 - safe,
        points,
        points * (1 - safe),
        len(hand),
        all_stuck,
        sum(chances),
        hand.count(WILD),
        chances[0] * safe if len(hand) == 1 else 0.0,
        chances[0] * chances[1] * safe if len(hand) == 2 else 0.0,
        draw / len(table.rivals),
        close / len(table.rivals),
        _doubles(hand, tops),
        hand.count(WILD) * (1 - safe),
        1.0,
    )


def _doubles(hand: Hand, tops: tuple[int, ...]) -> int:
    """Return in how many places, the marker's included, the colour cards in hand would be a Double Match, summed up."""
    found = 0
    for place in range(len(tops)):
        before, beyond = tops[place - 1], tops[place - 3]
        if before != NONE and beyond != NONE:
            found += hand.count(before % 6 * 6 + (beyond // 6 if beyond < WILD else beyond % 6))
    return found


def _worth(
    table: Table, hand: Hand, tops: tuple[int, ...], marker: int | None, trap: Trap | None, to: Seat | None = None
) -> float:
    """Return how good it is to end the turn like this."""
    return sum(map(mul, table.style, _reasons(table, hand, tops, marker, trap, to))) if hand else table.win


def _after(
    table: Table, hand: Hand, tops: tuple[int, ...], play: Play, trap: Trap | None, barred: bool, more: int
) -> float:
    """Return the worth of that play followed by the best of the up to `more` plays that it allows in the same turn."""
    face, place = FACES[play.face], PLACE_NUMBERS[play.place]
    double, full, sets, frees = circle.effects_of(tops, place, face, table.seat, trap, barred)
    rest, tops = _without(hand, min(face, WILD)), (*tops[:place], face, *tops[place + 1 :])
    if not rest:
        return table.win
    if sets or frees:
        trap = Trap(sets, table.seat) if sets else None
    marker = None if trap and trap.setter == table.seat else place
    ways = [_worth(table, rest, tops, marker, trap)]
    if full:
        to = _receiver(table)
        ways += [_worth(table, _without(rest, card), tops, marker, trap, to) for card in set(rest)]
    if (double or full) and more:
        barred = barred or bool(sets)
        plays = circle.plays(table.seat, rest, circle.fits(tops, marker))
        ways += [_after(table, rest, tops, next_play, trap, barred, more - 1) for next_play in plays]
    return max(ways)


def _receiver(table: Table) -> Seat:
    """Return the rival who should be given a card: the one with the fewest, of these the one with the lowest total."""
    view = table.view
    return min(table.rivals, key=lambda rival: (view.hand_sizes[rival], view.totals[rival]))


def _without(hand: Hand, card: int) -> Hand:
    at = hand.index(card)
    return hand[:at] + hand[at + 1 :]


STYLES = {
    "careful": Style(),  # plays for few points in hand, and leaves a rival with one card no place to play
    "bold": Style(2.4, 0.1, -0.2, -2.9, -2.9, 0.65, 1.9, 4.8, 2.8, 6.5, -37.0, 0.8, -2.9, 14.3, 2.3, 10.0),
}


def choose(view: FullCircleView, seat: Seat, legal: Sequence[Move], style: Style) -> Move:
    """Return the legal move that this style likes best."""
    if len(legal) == 1:
        return legal[0]
    table = _table(view, seat, style)
    hand = tuple(sorted([CARDS[card] for card in (*view.hand, *filter(None, [view.drawn]))]))
    tops = tuple([FACES[quadrant.face] if quadrant else NONE for quadrant in view.circle])
    marker = None if view.marker is None else PLACE_NUMBERS[view.marker]
    receiver = _receiver(table)

    def worth(move: Move) -> tuple[float, bool]:
        if isinstance(move, Play):
            return _after(table, hand, tops, move, view.trap, seat in view.barred, 1), False
        if isinstance(move, Give):
            rest = _without(hand, CARDS[move.card])
            return _worth(table, rest, tops, marker, view.trap, move.to), move.to == receiver
        return _worth(table, hand, tops, marker, view.trap), False

    return max(legal, key=worth)
