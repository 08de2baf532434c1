"""Full Circle: what a seat may know."""

from __future__ import annotations

from typing import NamedTuple

from rules.core import text
from rules.core.game import Json, Outcome, Seat
from rules.core.records import json_object
from rules.full_circle import circle
from rules.full_circle.circle import CARDS, FACES, NONE, PLACE_NUMBERS
from rules.full_circle.types import PLACES, Card, Phase, Place, Play, PlayEffects, Quadrant, RoundResult, Say, Trap


class FullCircleView(NamedTuple):
    """What a seat (or, with `viewer` None, an onlooker) may know. Tuples "by seat" have an entry a seat."""

    viewer: Seat | None
    seats: int
    target: int
    round: int
    play_off: bool
    players: tuple[Seat, ...]
    """The seats in the round, ascending: all of them, except in a play-off (F16)."""
    starter: Seat
    """The seat that began the round."""
    to_move: Seat | None
    phase: Phase
    circle: tuple[Quadrant | None, ...]
    """By place, in the order of PLACES."""
    marker: Place | None
    trap: Trap | None
    barred: tuple[Seat, ...]
    """The seats that cannot set a trap with their present or next turn (F9)."""
    hand: tuple[Card, ...]
    """The viewer's hand, sorted; () for an onlooker. The drawn card is not in it."""
    drawn: Card | None
    """The card that the seat to move has drawn and must play."""
    hand_sizes: tuple[int, ...]
    """By seat, the drawn card not counted."""
    open_cards: tuple[Card | None, ...]
    """By seat: the last card in the hand, which lies face up (F12)."""
    pile: int
    totals: tuple[int, ...]
    """By seat."""
    streak: tuple[Seat, int] | None
    """The winner of the last rounds, and how many in a row (F15)."""
    last_round: RoundResult | None
    outcome: Outcome | None
    last: Play | Say | None = None
    """The newest play, draw or pass of the round."""

    def plays(self) -> tuple[Play, ...]:
        """Return every play that the viewer may make now, by card and place."""
        if self.viewer is None or self.viewer != self.to_move:
            return ()
        cards = (self.drawn,) if self.drawn else self.hand
        fits = circle.fits(self._tops(), None if self.marker is None else PLACE_NUMBERS[self.marker])
        required_plays = circle.required_plays(self.trap, self.viewer, self.phase)
        return circle.plays(self.viewer, [CARDS[card] for card in cards], fits & required_plays)

    def effects_of(self, play: Play) -> PlayEffects:
        """Return what that play would bring about (F5 to F10)."""
        tops, place, face = self._tops(), PLACE_NUMBERS[play.place], FACES[play.face]
        return circle.effects_of(tops, place, face, play.seat, self.trap, play.seat in self.barred)

    def _tops(self) -> tuple[int, ...]:
        return tuple([FACES[quadrant.face] if quadrant else NONE for quadrant in self.circle])

    def to_json(self) -> Json:
        """Return the whole view, as lists, objects and strings."""
        return json_object(self)

    def __str__(self) -> str:
        """The board as text. Cards and places as moves name them: "play RB TR"."""
        places = dict(zip(PLACES, map(self._place, PLACES, self.circle), strict=True))
        trap = f"trap on {self.trap.colour} by {self.trap.setter}" if self.trap else "no trap"
        kind = "play-off" if self.play_off else f"round {self.round}"
        rows = zip(range(self.seats), self.hand_sizes, self.open_cards, self.totals, strict=True)
        return text.board(
            f"Full Circle to {self.target}: {kind}, {trap}, {self.pile} cards in the pile",
            text.table((places[PLACES[0]], places[PLACES[1]]), (places[PLACES[3]], places[PLACES[2]])),
            text.table(("seat", "hand", "open card", "total"), *rows),
            text.turn(self.viewer, self.to_move, self.outcome),
            "" if self.outcome else f"Asked: {self.phase.value}, drawn card {self.drawn or '-'}",
            "" if self.viewer is None else f"Your hand: {text.listed(self.hand)}",
        )

    def _place(self, place: Place, quadrant: Quadrant | None) -> str:
        """Return the text of a quadrant: its card with the colours of its edges; a star for the marker."""
        card = f"{quadrant.face} ({quadrant.first}{quadrant.second})" if quadrant else "-"
        return f"{place} {card}{' *' if place == self.marker else ''}"
