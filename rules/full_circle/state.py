"""Full Circle: which moves are legal in a position, and what they lead to."""

from __future__ import annotations

from rules.core.chance import Shuffled, shuffle
from rules.core.game import Event, IllegalMove, Json, Outcome, Refusal, Seat
from rules.core.records import replace_at, value_of
from rules.full_circle import circle, knowledge
from rules.full_circle.circle import (
    CARD_NAMES,
    CARDS,
    DECK,
    FACES,
    NO_EFFECTS,
    NONE,
    PLACE_NUMBERS,
    PLAYED_EVENTS,
    SAY_MOVES,
    WILD,
)
from rules.full_circle.knowledge import EVERYBODY, without
from rules.full_circle.position import Position
from rules.full_circle.rounds import Round, Setup, count_round, first_from, next_players, round_from_json
from rules.full_circle.types import (
    HAND,
    CardDrawn,
    CardGiven,
    DoubleMatched,
    Face,
    FullCircled,
    GameWon,
    Give,
    LastCard,
    Move,
    Passed,
    Phase,
    PileRenewed,
    Place,
    Play,
    PlayEffects,
    RoundBegan,
    RoundScored,
    Say,
    Stopped,
    Trap,
    TrapEnded,
    TrapSet,
    Unplayable,
    Verb,
)

# Members of an enum are slow to look up by name in Python 3.11.
_TURN, _DRAWN, _DOUBLE, _FULL = Phase.TURN, Phase.DRAWN, Phase.DOUBLE, Phase.FULL

_DECK_NAMES = circle.names(DECK)

# A NamedTuple made from a tuple of its fields takes half the time of a call with them.
make = tuple.__new__


class FullCircleState(Position):
    """A position and its moves."""

    __slots__ = ()

    def fits(self, seat: Seat) -> int:
        """Return the plays that the seat may make with any card it holds, as bits: F2, and F8 if a trap binds it."""
        return self.open & circle.required_plays(self.trap, seat, self.phase) if self.trap else self.open

    def legal_moves(self, seat: Seat) -> tuple[Move, ...]:
        """Return plays by card and place, then gifts by card and seat, then `stop`; if no card fits, `draw` or `pass`.

        F2 says what fits, F4 what follows a draw, F5 to F7 what an extra turn offers, F8 what a trap demands, F13 when
        a player passes.
        """
        if seat != self.mover:
            return ()
        hand = self.hands[seat]
        plays = circle.plays(seat, hand if self.drawn is None else (self.drawn,), self.fits(seat))
        phase = self.phase
        if phase is _TURN:
            return plays or (SAY_MOVES[seat][Verb.DRAW if self._drawable() else Verb.PASS],)
        if phase is _DRAWN:
            return plays
        gifts: list[Move] = []
        if phase is _FULL:
            others = [other for other in self.round.players if other != seat]
            gifts = [Give(seat, CARD_NAMES[card], to) for card in dict.fromkeys(hand) for to in others]
        return (*plays, *gifts, SAY_MOVES[seat][Verb.STOP])

    def _drawable(self) -> bool:
        """Return whether there is a pile, or covered cards to make one of (F13)."""
        return bool(self.pile) or any(len(stack) > 1 for stack in self.stacks)

    def apply(self, move: Move) -> tuple[FullCircleState, tuple[Event, ...]]:
        """Make the move (F2 to F13); if this ends the turn, the round or the game, go on from there (F14 to F16)."""
        if move.seat != self.mover:
            raise IllegalMove(Refusal.GAME_OVER if self.mover is None else Refusal.OUT_OF_TURN)
        events: list[Event] = []
        if isinstance(move, Play):
            after = self._play(move, events)
        elif isinstance(move, Give):
            after = self._give(move, events)
        elif move.verb is Verb.DRAW:
            after = self._draw(move.seat, events)
        elif move.verb is Verb.STOP:
            after = self._stop(move.seat, events)
        else:
            after = self._pass(move.seat, events)
        return after, tuple(events)

    def _play(self, move: Play, events: list[Event]) -> FullCircleState:
        (setup, round_, ply, deals, _, _, hands, drawn, pile, sunk, stacks, tops, marker, trap, barred, _, known, old,
         fits, _) = self  # fmt: skip
        seat, face_name, place_name = move
        face, place = FACES[face_name], PLACE_NUMBERS[place_name]
        card = face if face < WILD else WILD
        hand = hands[seat]
        if trap:
            fits = self.fits(seat)
        if not (card == drawn if drawn is not None else card in hand) or not fits >> 8 * face + place & 1:
            raise self._why_not(move, card, face, place)
        events.append(PLAYED_EVENTS[seat][face][place])
        if drawn is None:
            left = [*hand]
            left.remove(card)
            hand = tuple(left)
            hands = replace_at(hands, seat, hand)
            if old[seat]:
                old = replace_at(old, seat, without(old[seat], [card]))
            if known:
                known = knowledge.after_play(known, seat, card)
            if len(hand) == 1:
                known = knowledge.last_card(known, seat, hand[0])
                events.append(LastCard(seat, CARD_NAMES[hand[0]]))
        mover, phase, marker = seat, _TURN, place
        if hand:
            effects = circle.effects_of(tops, place, face, seat, trap, barred[seat] > 0)
            if trap or effects is not NO_EFFECTS:
                phase, marker, trap, barred = self._follow_up(seat, place, effects, events)
            if phase is _TURN:
                mover, trap, barred = self._next_turn(trap, barred, events)
        tops, stacks = replace_at(tops, place, face), replace_at(stacks, place, (*stacks[place], face))
        after = make(
            FullCircleState,
            (setup, round_, ply + 1, deals, mover, phase, hands, None, pile, sunk, stacks, tops, marker, trap, barred,
             0, known, old, circle.fits(tops, marker), move),
        )  # fmt: skip
        return after if hand else after._end_round(seat, events)

    def _why_not(self, move: Play, card: int, face: int, place: int) -> IllegalMove:
        """Return the exception for an illegal play."""
        seat = move.seat
        if self.drawn is not None and card != self.drawn:
            return IllegalMove(Unplayable.MUST_PLAY_DRAWN, card=CARD_NAMES[self.drawn])
        if self.drawn is None and card not in self.hands[seat]:
            return IllegalMove(Unplayable.NOT_IN_HAND, card=CARD_NAMES[card])
        if place == self.marker:
            return IllegalMove(Unplayable.MARKED, place=move.place)
        if self.trap and not circle.required_plays(self.trap, seat, self.phase) >> 8 * face & 1:
            return IllegalMove(Unplayable.TRAPPED, face=move.face, colour=self.trap.colour)
        return IllegalMove(Unplayable.NO_MATCH, face=move.face, place=move.place)

    def _follow_up(
        self, seat: Seat, place: int, effects: PlayEffects, events: list[Event]
    ) -> tuple[Phase, int | None, Trap | None, tuple[int, ...]]:
        """Apply the bonuses and the trap of a play there (F5 to F10): return phase, marker, trap and `barred`.

        If the phase is TURN, the turn passes on: it is the next player's phase.
        """
        double, full, sets, frees = effects
        marker: int | None = place
        trap, barred = self.trap, self.barred
        if double:
            events.append(DoubleMatched(seat))
        if full:
            events.append(FullCircled(seat))
        if sets:
            events.append(TrapSet(seat, sets))
            # The seat cannot set a trap in this turn and its next one (F9).
            marker, trap, barred = None, Trap(sets, seat), replace_at(barred, seat, 2)
        elif trap and trap.setter == seat:
            if frees:
                events.append(TrapEnded(seat, trap.colour, True))
                trap = None
            else:
                marker = None
        phase = _DOUBLE if double else _FULL if full else _TURN
        return phase, marker, trap, barred

    def _next_turn(
        self, trap: Trap | None, barred: tuple[int, ...], events: list[Event]
    ) -> tuple[Seat, Trap | None, tuple[int, ...]]:
        """Begin the next participant's turn, and end a trap of theirs (F8). Return mover, trap and `barred`."""
        seat, players = self.mover, self.round.players
        assert seat is not None
        if barred[seat]:
            barred = replace_at(barred, seat, barred[seat] - 1)
        following = players[(players.index(seat) + 1) % len(players)]
        if trap and trap.setter == following:
            events.append(TrapEnded(following, trap.colour, False))
            trap = None
        return following, trap, barred

    def _end_turn(self, events: list[Event]) -> FullCircleState:
        mover, trap, barred = self._next_turn(self.trap, self.barred, events)
        return self._replace(mover=mover, phase=_TURN, trap=trap, barred=barred)

    def _draw(self, seat: Seat, events: list[Event]) -> FullCircleState:
        """Draw a card, and keep it unless it must be played (F4, F8, F13)."""
        fits = self._check_cannot_play(seat)
        if not self._drawable():
            raise IllegalMove(Unplayable.NOTHING_TO_DRAW)
        state = self if self.pile else self._renew_pile(events)
        card, sunk = state.pile[0], state.sunk
        bottom = len(state.pile) <= sunk
        kept = (self.trap is not None and self.trap.setter != seat) or not circle.fit_somewhere([card], fits)
        events.append(CardDrawn(seat, CARD_NAMES[card], kept))
        mover, phase, trap, barred, hands, known = seat, _DRAWN, state.trap, state.barred, state.hands, state.known
        if kept:
            hands = replace_at(hands, seat, tuple(sorted([*hands[seat], card])))
            known = tuple(sorted([*known, (seat, EVERYBODY, card)])) if bottom else known
            mover, trap, barred = self._next_turn(trap, barred, events)
            phase = _TURN
        return state._replace(
            ply=self.ply + 1, mover=mover, phase=phase, hands=hands, drawn=None if kept else card, pile=state.pile[1:],
            sunk=sunk - bottom, trap=trap, barred=barred, passes=0, known=known, last=SAY_MOVES[seat][Verb.DRAW],
        )  # fmt: skip

    def _check_cannot_play(self, seat: Seat) -> int:
        """Return the plays that fit, if the seat begins its turn and holds none of them. Else raise IllegalMove."""
        if self.drawn is not None:
            raise IllegalMove(Unplayable.MUST_PLAY_DRAWN, card=CARD_NAMES[self.drawn])
        if self.phase is not _TURN:
            raise IllegalMove(Refusal.NOT_NOW)
        fits = self.fits(seat)
        if circle.fit_somewhere(self.hands[seat], fits):
            raise IllegalMove(Unplayable.CAN_PLAY)
        return fits

    def _renew_pile(self, events: list[Event]) -> FullCircleState:
        """Make the covered cards the pile (F13)."""
        covered = tuple(sorted([min(face, WILD) for stack in self.stacks for face in stack[:-1]]))
        pile = shuffle(self.setup.seed, self.deals, covered)
        events += [Shuffled(self.deals, circle.names(covered), circle.names(pile)), PileRenewed(len(pile))]
        stacks = tuple([stack[-1:] for stack in self.stacks])
        return self._replace(deals=self.deals + 1, pile=pile, sunk=0, stacks=stacks, old=self.hands)

    def _give(self, move: Give, events: list[Event]) -> FullCircleState:
        """Give a card away instead of the extra turn (F6, F14)."""
        seat, name, to = move
        card = CARDS[name]
        if self.phase is not _FULL:
            raise IllegalMove(Refusal.NOT_NOW)
        if to == seat or to not in self.round.players:
            raise IllegalMove(Unplayable.NOT_TO_GIVE_TO, to=to)
        if card not in self.hands[seat]:
            raise IllegalMove(Unplayable.NOT_IN_HAND, card=name)
        left = without(self.hands[seat], [card])
        hands = replace_at(replace_at(self.hands, seat, left), to, tuple(sorted([*self.hands[to], card])))
        old = self.old
        if card in old[seat]:
            old = replace_at(replace_at(old, seat, without(old[seat], [card])), to, tuple(sorted((*old[to], card))))
        events.append(CardGiven(seat, to, name))
        state = self._replace(ply=self.ply + 1, hands=hands, old=old)
        if not left:
            return state._end_round(seat, events)
        if len(left) == 1:
            events.append(LastCard(seat, CARD_NAMES[left[0]]))
        return state._replace(known=knowledge.after_gift(self.known, seat, to, card, left))._end_turn(events)

    def _stop(self, seat: Seat, events: list[Event]) -> FullCircleState:
        if self.phase not in (_DOUBLE, _FULL):
            raise IllegalMove(Refusal.NOT_NOW)
        events.append(Stopped(seat))
        return self._replace(ply=self.ply + 1)._end_turn(events)

    def _pass(self, seat: Seat, events: list[Event]) -> FullCircleState:
        """Pass, with no card to play and none to draw; when all pass in a row the round has no winner (F13)."""
        self._check_cannot_play(seat)
        if self._drawable():
            raise IllegalMove(Unplayable.CAN_DRAW)
        events.append(Passed(seat))
        state = self._replace(ply=self.ply + 1, passes=self.passes + 1, last=SAY_MOVES[seat][Verb.PASS])
        if state.passes == len(self.round.players):
            return state._end_round(None, events)
        return state._end_turn(events)

    def _end_round(self, winner: Seat | None, events: list[Event]) -> FullCircleState:
        """Count the cards (F15), then end the game, begin a play-off (F16) or deal the next round."""
        round_ = self.round
        result, streak = count_round(round_, self.hands, winner)
        totals = result.totals
        players, play_off, won = next_players(round_, totals, winner, self.setup.target)
        broken = None if result.bonus or round_.play_off else round_.streak
        events.append(RoundScored(result, streak if won is None and not play_off else None, broken))
        if won is None:
            starter = first_from(players, (round_.starter + 1) % self.setup.seats if winner is None else winner)
            following = Round(round_.number + 1, play_off, players, starter, totals, streak, result, None)
            return deal(self.setup, following, self.ply, self.deals, events)
        events.append(GameWon(won, play_off))
        outcome = Outcome(frozenset([won]), totals, "play_off" if play_off else "lowest")
        return self._replace(
            round=round_._replace(totals=totals, streak=streak, last=result, outcome=outcome), mover=None,
            phase=Phase.OVER, marker=None, open=circle.fits(self.tops, None), trap=None, barred=(0,) * self.setup.seats,
            known=tuple([(seat, EVERYBODY, card) for seat, hand in enumerate(self.hands) for card in hand]),
        )  # fmt: skip

    def opening(self) -> tuple[Event, ...]:
        """Return the first deal's events: the shuffle and the card turned up (F1)."""
        events: list[Event] = []
        deal(self.setup, self.round, 0, 0, events)
        return tuple(events)

    def default_move(self, seat: Seat) -> Move:
        """Return `stop`, `draw` or `pass`; of plays the one that sheds most points, wilds last."""
        moves = self.legal_moves(seat)
        if not isinstance(moves[-1], Play):
            return moves[-1]
        plays = [move for move in moves if isinstance(move, Play)]
        return max(plays, key=lambda play: 0 if play.face[0] == "W" else len(play.face))

    def may_take_back(self, seat: Seat) -> bool:
        """Return False: every move is seen, and most reveal what is in a hand."""
        return False


def deal(setup: Setup, round_: Round, ply: int, deals: int, events: list[Event]) -> FullCircleState:
    """Deal a round and turn up its first card (F1)."""
    cards = shuffle(setup.seed, deals, DECK)
    hands: list[tuple[int, ...]] = [()] * setup.seats
    rest = cards
    for seat in round_.players:
        hands[seat], rest = tuple(sorted(rest[:HAND])), rest[HAND:]
    wilds = next(at for at, card in enumerate(rest) if card != WILD)
    first, pile = rest[wilds], (*rest[wilds + 1 :], *rest[:wilds])
    events.append(Shuffled(deals, _DECK_NAMES, circle.names(cards)))
    events.append(RoundBegan(round_.number, round_.starter, round_.players, round_.play_off, CARD_NAMES[first], wilds))
    nothing: tuple[tuple[int, ...], ...] = ((),) * setup.seats
    tops = (first, NONE, NONE, NONE)
    return FullCircleState(
        setup=setup, round=round_, ply=ply, deals=deals + 1, mover=round_.starter, phase=_TURN,
        hands=tuple(hands), drawn=None, pile=pile, sunk=wilds, stacks=((first,), (), (), ()), tops=tops, marker=None,
        trap=None, barred=(0,) * setup.seats, passes=0, known=(), old=nothing, open=circle.fits(tops, None),
    )  # fmt: skip


def from_json(data: Json) -> FullCircleState:
    """Return the position that `to_json` described."""
    known = [(holder, EVERYBODY if by is None else by, CARDS[card]) for holder, by, card in data["known"]]
    stacks = tuple([tuple([FACES[face] for face in stack]) for stack in data["circle"]])
    tops = tuple([stack[-1] if stack else NONE for stack in stacks])
    marker = None if data["marker"] is None else PLACE_NUMBERS[data["marker"]]
    return FullCircleState(
        setup=Setup(data["seats"], data["options"]["target"], data["seed"]),
        round=round_from_json(data),
        ply=data["ply"],
        deals=data["deals"],
        mover=data["mover"],
        phase=Phase(data["phase"]),
        hands=tuple([tuple(sorted(circle.numbers(hand))) for hand in data["hands"]]),
        drawn=None if data["drawn"] is None else CARDS[data["drawn"]],
        pile=circle.numbers(data["pile"]),
        sunk=data["sunk"],
        stacks=stacks,
        tops=tops,
        marker=marker,
        trap=value_of(Trap | None, data["trap"]),
        barred=tuple(data["barred"]),
        passes=data["passes"],
        known=tuple(sorted(known)),
        old=tuple([tuple(sorted(circle.numbers(cards))) for cards in data["old"]]),
        open=circle.fits(tops, marker),
        last=_last(data.get("last")),
    )


def _last(data: tuple[Seat, str] | None) -> Play | Say | None:
    """Return the move that `to_json` wrote; None if an older version wrote the position."""
    if data is None:
        return None
    seat, (verb, *played) = data[0], data[1].split()
    return Play(seat, Face(played[0]), Place(played[1])) if played else SAY_MOVES[seat][Verb(verb)]
