"""Full Circle: a position and its moves."""

from __future__ import annotations

from typing import NamedTuple

from rules.core.chance import Shuffled, shuffle
from rules.core.facts import ALONE, plain, put
from rules.core.game import Event, IllegalMove, Json, Outcome, Refusal, Seat
from rules.full_circle import circle, knowledge
from rules.full_circle.circle import (
    CARD_NAMES,
    CARDS,
    DECK,
    FACE_NAMES,
    FACES,
    NONE,
    NOTHING,
    PLACE_NUMBERS,
    PLAYED,
    SAYS,
    WILD,
)
from rules.full_circle.facts import (
    HAND,
    PLACES,
    Brings,
    CardDrawn,
    CardGiven,
    DoubleMatched,
    FullCircled,
    GameWon,
    Give,
    LastCard,
    Move,
    Passed,
    Phase,
    PileRenewed,
    Play,
    RoundBegan,
    RoundScored,
    Stopped,
    Trap,
    TrapEnded,
    TrapSet,
    Unplayable,
    Verb,
)
from rules.full_circle.knowledge import EVERYBODY, Known, less
from rules.full_circle.rounds import Round, Setup, count, first_from, round_from_json, who_plays_on
from rules.full_circle.view import FullCircleView

# Members of an enum are slow to look up by name in Python 3.11.
_TURN, _DRAWN, _DOUBLE, _FULL = Phase.TURN, Phase.DRAWN, Phase.DOUBLE, Phase.FULL

_DECK_NAMES = circle.names(DECK)

# A NamedTuple made from a tuple of its fields takes half the time of a call with them.
made = tuple.__new__


class FullCircleState(NamedTuple):
    """A position. Cards, faces and places are integers, plays bits: see `circle`."""

    setup: Setup
    round: Round
    ply: int
    deals: int
    """Ordinals used so far."""
    mover: Seat | None
    phase: Phase
    hands: tuple[tuple[int, ...], ...]
    """By seat, sorted."""
    drawn: int | None
    """The card in the mover's other hand, so to say: it must be played (F4)."""
    pile: tuple[int, ...]
    """Next card first."""
    sunk: int
    """So many wilds are known to lie at the pile's bottom (F1)."""
    stacks: tuple[tuple[int, ...], ...]
    """By place: faces, the visible one last."""
    tops: tuple[int, ...]
    """By place: the visible face, NONE where there is none. It follows from `stacks`."""
    marker: int | None
    trap: Trap | None
    barred: tuple[int, ...]
    """By seat: the turns, the present one included, in which no trap may be set (F9)."""
    passes: int
    """In a row (F13)."""
    known: Known
    old: tuple[tuple[int, ...], ...]
    """By seat: cards held since before the pile was renewed, which all know not to be of it."""
    open: int
    """The plays that fit the circle off the marker (F2). It follows from `tops` and `marker`."""

    def __repr__(self) -> str:
        return f"FullCircleState(round {self.round.number}, ply {self.ply})"  # never a hand: a repr may reach a log

    def to_move(self) -> frozenset[Seat]:
        return ALONE[self.mover]

    def fits(self, seat: Seat) -> int:
        """The plays that the seat may make with whatever it holds."""
        return self.open & circle.duty(self.trap, seat, self.phase) if self.trap else self.open

    def legal_moves(self, seat: Seat) -> tuple[Move, ...]:
        """Plays by card and place, then gifts by card and seat, then `stop`; `draw` or `pass` where nothing fits."""
        if seat != self.mover:
            return ()
        hand = self.hands[seat]
        plays = circle.plays(seat, hand if self.drawn is None else (self.drawn,), self.fits(seat))
        phase = self.phase
        if phase is _TURN:
            return plays or (SAYS[seat][Verb.DRAW if self._drawable() else Verb.PASS],)
        if phase is _DRAWN:
            return plays
        gifts: list[Move] = []
        if phase is _FULL:
            others = [other for other in self.round.players if other != seat]
            gifts = [Give(seat, CARD_NAMES[card], to) for card in dict.fromkeys(hand) for to in others]
        return (*plays, *gifts, SAYS[seat][Verb.STOP])

    def _drawable(self) -> bool:
        """Whether there is a pile, or covered cards to make one of."""
        return bool(self.pile) or any(len(stack) > 1 for stack in self.stacks)

    def apply(self, move: Move) -> tuple[FullCircleState, tuple[Event, ...]]:
        """Make the move; then, as it comes, end the turn, score the round and deal."""
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
         fits) = self  # fmt: skip
        seat, face_name, place_name = move
        face, place = FACES[face_name], PLACE_NUMBERS[place_name]
        card = face if face < WILD else WILD
        hand = hands[seat]
        if trap:
            fits = self.fits(seat)
        if not (card == drawn if drawn is not None else card in hand) or not fits >> 8 * face + place & 1:
            raise self._why_not(move, card, face, place)
        events.append(PLAYED[seat][face][place])
        if drawn is None:
            left = [*hand]
            left.remove(card)
            hand = tuple(left)
            hands = put(hands, seat, hand)
            if old[seat]:
                old = put(old, seat, less(old[seat], [card]))
            if known:
                known = knowledge.after_play(known, seat, card)
            if len(hand) == 1:
                known = knowledge.last_card(known, seat, hand[0])
                events.append(LastCard(seat, CARD_NAMES[hand[0]]))
        mover, phase, marker = seat, _TURN, place
        if hand:
            brings = circle.brings(tops, place, face, seat, trap, barred[seat] > 0)
            if trap or brings is not NOTHING:
                phase, marker, trap, barred = self._follow_up(seat, place, brings, events)
            if phase is _TURN:
                mover, trap, barred = self._next_turn(trap, barred, events)
        tops, stacks = put(tops, place, face), put(stacks, place, (*stacks[place], face))
        after = made(
            FullCircleState,
            (setup, round_, ply + 1, deals, mover, phase, hands, None, pile, sunk, stacks, tops, marker, trap, barred,
             0, known, old, circle.fits(tops, marker)),
        )  # fmt: skip
        return after if hand else after._end_round(seat, events)

    def _why_not(self, move: Play, card: int, face: int, place: int) -> IllegalMove:
        """What is wrong with an illegal play."""
        seat = move.seat
        if self.drawn is not None and card != self.drawn:
            return IllegalMove(Unplayable.MUST_PLAY_DRAWN, card=CARD_NAMES[self.drawn])
        if self.drawn is None and card not in self.hands[seat]:
            return IllegalMove(Unplayable.NOT_IN_HAND, card=CARD_NAMES[card])
        if place == self.marker:
            return IllegalMove(Unplayable.MARKED, place=move.place)
        if self.trap and not circle.duty(self.trap, seat, self.phase) >> 8 * face & 1:
            return IllegalMove(Unplayable.TRAPPED, face=move.face, colour=self.trap.colour)
        return IllegalMove(Unplayable.NO_MATCH, face=move.face, place=move.place)

    def _follow_up(
        self, seat: Seat, place: int, brings: Brings, events: list[Event]
    ) -> tuple[Phase, int | None, Trap | None, tuple[int, ...]]:
        """Bonuses and trap of a play there (F5 to F10): the phase, the marker, the trap and who cannot set one.

        In the phase of an ordinary turn it is the next one's.
        """
        double, full, sets, frees = brings
        marker: int | None = place
        trap, barred = self.trap, self.barred
        if double:
            events.append(DoubleMatched(seat))
        if full:
            events.append(FullCircled(seat))
        if sets:
            events.append(TrapSet(seat, sets))
            # This turn and the seat's next one (F9).
            marker, trap, barred = None, Trap(sets, seat), put(barred, seat, 2)
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
        """The next participant's turn begins; a trap that comes back to its setter ends (F8)."""
        seat, players = self.mover, self.round.players
        assert seat is not None
        if barred[seat]:
            barred = put(barred, seat, barred[seat] - 1)
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
            hands = put(hands, seat, tuple(sorted([*hands[seat], card])))
            known = tuple(sorted([*known, (seat, EVERYBODY, card)])) if bottom else known
            mover, trap, barred = self._next_turn(trap, barred, events)
            phase = _TURN
        return state._replace(
            ply=self.ply + 1, mover=mover, phase=phase, hands=hands, drawn=None if kept else card, pile=state.pile[1:],
            sunk=sunk - bottom, trap=trap, barred=barred, passes=0, known=known,
        )  # fmt: skip

    def _check_cannot_play(self, seat: Seat) -> int:
        """The plays that fit, for a seat at the start of its turn that has none of them. Else raises IllegalMove."""
        if self.drawn is not None:
            raise IllegalMove(Unplayable.MUST_PLAY_DRAWN, card=CARD_NAMES[self.drawn])
        if self.phase is not _TURN:
            raise IllegalMove(Refusal.NOT_NOW)
        fits = self.fits(seat)
        if circle.fit_somewhere(self.hands[seat], fits):
            raise IllegalMove(Unplayable.CAN_PLAY)
        return fits

    def _renew_pile(self, events: list[Event]) -> FullCircleState:
        """The covered cards become the pile (F13)."""
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
        left = less(self.hands[seat], [card])
        hands = put(put(self.hands, seat, left), to, tuple(sorted([*self.hands[to], card])))
        old = self.old
        if card in old[seat]:
            old = put(put(old, seat, less(old[seat], [card])), to, tuple(sorted((*old[to], card))))
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
        """Nothing to play and nothing to draw; when all pass in a row the round has no winner (F13)."""
        self._check_cannot_play(seat)
        if self._drawable():
            raise IllegalMove(Unplayable.CAN_DRAW)
        events.append(Passed(seat))
        state = self._replace(ply=self.ply + 1, passes=self.passes + 1)
        if state.passes == len(self.round.players):
            return state._end_round(None, events)
        return state._end_turn(events)

    def _end_round(self, winner: Seat | None, events: list[Event]) -> FullCircleState:
        """Count the cards (F15), and see whether the game is over or played off (F16)."""
        round_ = self.round
        result, streak = count(round_, self.hands, winner)
        totals = result.totals
        players, play_off, won = who_plays_on(round_, totals, winner, self.setup.target)
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
        events: list[Event] = []
        deal(self.setup, self.round, 0, 0, events)
        return tuple(events)

    def view(self, seat: Seat | None) -> FullCircleView:
        """What the seat, or an onlooker (None), may know (F12, F17)."""
        round_ = self.round
        return FullCircleView(
            viewer=seat,
            seats=self.setup.seats,
            target=self.setup.target,
            round=round_.number,
            play_off=round_.play_off,
            players=round_.players,
            starter=round_.starter,
            to_move=self.mover,
            phase=self.phase,
            circle=tuple(map(circle.quadrant, self.stacks)),
            marker=None if self.marker is None else PLACES[self.marker],
            trap=self.trap,
            barred=tuple([Seat(other) for other, turns in enumerate(self.barred) if turns]),
            hand=() if seat is None else circle.names(self.hands[seat]),
            drawn=None if self.drawn is None else CARD_NAMES[self.drawn],
            hand_sizes=tuple(map(len, self.hands)),
            open_cards=tuple([CARD_NAMES[hand[0]] if len(hand) == 1 else None for hand in self.hands]),
            pile=len(self.pile),
            totals=round_.totals,
            streak=round_.streak,
            last_round=round_.last,
            outcome=round_.outcome,
        )

    def turn(self, seat: Seat) -> str:
        """The number of the move: every move here is public."""
        return str(self.ply)

    def outcome(self) -> Outcome | None:
        return self.round.outcome

    def default_move(self, seat: Seat) -> Move:
        """Stop, draw or pass; of plays the one that sheds most points, wilds last."""
        moves = self.legal_moves(seat)
        if not isinstance(moves[-1], Play):
            return moves[-1]
        plays = [move for move in moves if isinstance(move, Play)]
        return max(plays, key=lambda play: 0 if play.face[0] == "W" else len(play.face))

    def may_take_back(self, seat: Seat) -> bool:
        """Never: every move is seen, and most tell what is in a hand."""
        return False

    def redeal_unseen(self, seat: Seat | None, seed: str) -> FullCircleState:
        """Other cards in the other hands and the pile, and another seed for what is still to be shuffled.

        Cards that the seat knows stay where they are. Those held since before the pile was renewed change places among
        themselves, and so do the others with the pile, down to the wilds known at its bottom (F1, F13).
        """
        middle = len(self.pile) - self.sunk
        hands, old, known, pile = knowledge.redealt(self.hands, self.old, self.known, self.pile[:middle], seat, seed)
        return self._replace(
            setup=self.setup._replace(seed=seed), hands=hands, pile=pile + self.pile[middle:], old=old, known=known
        )

    def to_json(self) -> Json:
        """The position with everything hidden in it.

        {"seats": 4, "options": {"target": 50}, "seed": "…", "ply": 0, "deals": 1,    deals: ordinals used so far
         "round": 1, "play_off": false, "players": [0, 1, 2, 3],                      who takes part, ascending
         "starter": 0, "mover": 0 or null, "phase": "turn",                           see Phase
         "hands": [["B", "RB", …], …],                  by seat, any order; without the drawn card
         "drawn": "RB" or null,                         the mover's, in phase "drawn" alone
         "pile": ["Y", …],                              next card first
         "sunk": 0,                                     wilds at the pile's bottom that were turned up at the start
         "circle": [["RB", "W:G"], [], [], []],         by place TL TR BR BL, the visible card last
         "marker": "TL" or null, "trap": null or {"colour": "R", "setter": 1},
         "barred": [0, 0, 0, 0],                        by seat: turns without trap, the present one included (F9)
         "passes": 0,                                   in a row
         "known": [[2, 0, "RB"], [1, null, "W"], …],    holder, who knows (null: everybody), card
         "old": [[…], …],                               by seat: cards held since before the pile was renewed
         "totals": [0, 0, 0, 0], "streak": null or [1, 2],        seat, wins in a row
         "last_round": null or RoundResult as an object, "outcome": null or Outcome.to_json()}
        """
        setup, round_ = self.setup, self.round
        return {
            "seats": setup.seats,
            "options": {"target": setup.target},
            "seed": setup.seed,
            "ply": self.ply,
            "deals": self.deals,
            "round": round_.number,
            "play_off": round_.play_off,
            "players": list(round_.players),
            "starter": round_.starter,
            "mover": self.mover,
            "phase": self.phase.value,
            "hands": [list(circle.names(hand)) for hand in self.hands],
            "drawn": None if self.drawn is None else CARD_NAMES[self.drawn],
            "pile": list(circle.names(self.pile)),
            "sunk": self.sunk,
            "circle": [[FACE_NAMES[face] for face in stack] for stack in self.stacks],
            "marker": None if self.marker is None else PLACES[self.marker],
            "trap": plain(self.trap),
            "barred": list(self.barred),
            "passes": self.passes,
            "known": [[holder, None if by == EVERYBODY else by, CARD_NAMES[card]] for holder, by, card in self.known],
            "old": [list(circle.names(cards)) for cards in self.old],
            "totals": list(round_.totals),
            "streak": plain(round_.streak),
            "last_round": plain(round_.last),
            "outcome": plain(round_.outcome),
        }


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
    """The position that `to_json` gave."""
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
        trap=Trap(**data["trap"]) if data["trap"] else None,
        barred=tuple(data["barred"]),
        passes=data["passes"],
        known=tuple(sorted(known)),
        old=tuple([tuple(sorted(circle.numbers(cards))) for cards in data["old"]]),
        open=circle.fits(tops, marker),
    )
