"""Scripts of pairs: what happens in each run, such that the viewer sees no difference. Drawn by the rules alone.

The moves of others may differ if the viewer sees no difference.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from cogs.messages.replay import FILE_TYPES
from rules import GAMES
from rules.core.computer import choose, decision_seed
from rules.core.game import AnyState, Event, IllegalMove, Seat
from tests.reliability.pairs import Pair, Step, drawn, matches

TRIED_MOVES = 12
"""Moves that are tried in each of the two runs, to find a pair that the viewer cannot tell apart."""
BLOCK = 200
"""The number of trials that take their positions from the same matches, one of each game."""
RETRIED = 150
"""Seconds until the bot tries again what has failed. A press before would start that try at once, and be seen by it."""
LOOKS = (
    *("hand", "refresh", "board", "last", "log", "rules", "people", "catch_up", "mine", "resign", "verify", "fair"),
    *("join", "leave", "accept", "decline", "more", "door", "nudge", "again", "hint", "review", "replay", "file"),
    *("duplicate", "lookups", "signs"),
)
COMMANDS = (
    *("games", "hand", "board", "log", "settings", "clock", "leave", "help"),
    *("join", "privacy", "doctor", "setup", "stats", "history", "profile", "leaderboard", "season standings"),
)
OF_A_GAME = ("stats", "leaderboard")
"""The commands that ask for a game."""
FILES = tuple(f"0/{eyes}/{kind}" for eyes in ("table", "0", "1", "all") for kind in FILE_TYPES)
"""The files of a replay, which no viewer gets while the match is played."""
PRIVATE = 11
"""One of so many pairs is a private match, if its viewer sits there from the beginning."""
STEPS = (3, 3, 3, 4, 4, 5, 12)
"""The numbers of steps that a script may have between its first step and its last looks."""
WAITS = (5, 60, 1800, 3700)
SHORT_WAITS = (5, 60)
"""Seconds. At a table at which a turn takes minutes only the short ones: no clock may run out."""
MOST_AUTOMATIC = 5
"""The most moves that the bot makes within a step, for a computer or because they are forced."""
MOST_THOUGHT = 2
"""The most of these moves that a computer makes: each takes three seconds."""
EXPORT = "1/0/data//export"
"""The button that sends a user all that is stored about them."""


def draw(seed: int, trial: int, number: int) -> Pair:
    """Return the pair of that trial. `number`: the number of the match in both bots."""
    random = Random(f"{seed} {trial}")
    slug = tuple(GAMES)[trial % len(GAMES)]
    seats, options, plies = matches(f"{seed} {trial // BLOCK}")[slug]
    while True:
        faulty = trial % 3 == 2
        pair = drawn(slug, seats, options, random, random.choice(plies), 10_000 + number * 10, faulty)
        pair.private = trial % PRIVATE == PRIVATE - 1 and pair.viewer is not None and not pair.offered
        _Script(pair, random, number).write()
        if pair.ends is not None:
            return pair


class _Script:
    """Writes the steps of a pair, following both positions."""

    def __init__(self, pair: Pair, random: Random, number: int) -> None:
        self.pair, self.random, self.number = pair, random, number
        self.now = pair.starts
        self.undone = 0

    def write(self) -> None:
        pair, random = self.pair, self.random
        settled = self._after_automatic_moves(*self.now)
        if settled is None:
            return
        self.now = settled
        # First a decision in both runs: the table shows the commitment until the first move.
        absent = {pair.viewer if pair.offered else None, pair.computer}
        first = [seat for seat in sorted(self.now[0].to_move()) if seat not in absent]
        if not any(self._decide(seat) for seat in self._some(first)):
            return
        for user in pair.seats:
            if user in pair.in_channel and not (pair.offered and user == pair.seats[pair.viewer or 0]):
                self._press(user, "hand//")
        if pair.offered:
            self._press(pair.viewer_user, f"take//{pair.viewer}")
        count = random.choice(STEPS)
        faults = random.sample(range(count), 2) if pair.faulty else []
        for number in range(count):
            if number in faults:
                self._add_fault()
            else:
                random.choice(
                    (
                        *(self._other_acts, self._other_acts, self._other_acts, self._viewer_acts, self._viewer_looks),
                        *(self._viewer_looks, self._wait),
                    )
                )()
        self._viewer_looks()
        self._viewer_looks()
        self._name_ahead()
        pair.ends = self.now

    def _add(self, kind: str, user: int, first: Any, second: Any) -> None:
        self.pair.steps.append(Step(kind, user, first, second))

    def _press(self, user: int, rest: str, other: str | None = None) -> None:
        first = f"1/{self.number}/{rest}"
        self._add("press", user, first, first if other is None else f"1/{self.number}/{other}")

    def _add_fault(self) -> None:
        kind = self.random.choice(("down", "down", "restart", "restart", "closed"))
        what: object = self.random.random() < 0.5
        if kind == "down":
            what = self.random.choice((3, 15, 100))
            self._add("down", 0, True, True)
            self._other_acts()
            self._add("wait", 0, what, what)
            self._add(kind, 0, False, False)
            kind, what = "wait", RETRIED
        user = self.random.choice(self.pair.seats)
        self._add(kind, user, what, what)

    def _wait(self) -> None:
        seconds = self.random.choice(SHORT_WAITS if self.pair.clock == "live_15" else WAITS)
        self._add("wait", 0, seconds, seconds)

    # What others do.

    def _other_acts(self) -> None:
        """Another player decides something, or looks at their hand. The viewer sees no difference between the runs."""
        pair, random = self.pair, self.random
        others = [Seat(seat) for seat in range(len(pair.seats)) if seat not in (pair.viewer, pair.computer)]
        acting = [seat for seat in others if self.now[0].legal_moves(seat) and self.now[1].legal_moves(seat)]
        sealed = [seat for seat in acting if seat not in self.now[0].to_move()]
        if sealed and random.random() < 0.6:
            self._change_sealed(random.choice(sealed))
        elif not acting or not self._decide(random.choice(acting)):
            self._press(random.choice(pair.seats), "hand//")

    def _change_sealed(self, seat: Seat) -> None:
        """In one run only, a player seals another decision: no other player can know."""
        first, second = self.now
        for move in self._some(first.legal_moves(seat)):
            after, events = first.apply(move)
            unseen = not any(_seen(events, viewer) for viewer in (self.pair.viewer, None))
            if (
                unseen
                and self._indistinguishable(after, second)
                and self._automatic(after) == self._automatic(second) is None
            ):
                self.now = after, second
                user, press = self.pair.seats[seat], self._move_id(first, seat, move)
                self._add("press", user, press, self.random.choice((None, f"1/{self.number}/hand//")))
                self.pair.same_counts = False
                return
        self._press(self.pair.seats[seat], "hand//")

    def _name_ahead(self) -> None:
        """In one run, or in each run another one, another player names a move ahead, and perhaps withdraws it. Others
        are to move until the end, so it is never made.
        """
        pair, random, ahead = self.pair, self.random, GAMES[self.pair.slug].ahead
        there = [Seat(seat) for seat, user in enumerate(pair.seats) if seat != pair.viewer and user in pair.people]
        waiting = [seat for seat in there if seat not in self.now[0].to_move()]
        able = [seat for seat in waiting if all(ahead(state, seat) for state in self.now)]
        if not able or pair.private:
            return
        seat = random.choice(able)
        names = [f"ahead_set//m/{random.choice(ahead(state, seat))}" for state in self.now]
        alone = random.random() < 0.5
        pair.same_counts = pair.same_counts and not alone
        asks, withdraws = ["ahead//"] * 2, ["ahead_set//withdraw"] * 2
        for rests in (asks, names, asks, withdraws)[: random.choice((2, 4))]:
            first, second = (f"1/{self.number}/{rest}" for rest in rests)
            self._add("ahead", pair.seats[seat], first, None if alone else second)
            self._viewer_looks()

    def _decide(self, seat: Seat) -> bool:
        """Add a decision in each run, such that the viewer sees no difference. Return False if none is found."""
        first, second = self.now
        for move in self._some(first.legal_moves(seat)):
            after, events = first.apply(move)
            own = seat == self.pair.viewer
            for twin in [move] if own else self._some(second.legal_moves(seat)):
                other, others = second.apply(twin)
                if not self._same_events(events, others) or not self._indistinguishable(after, other):
                    continue
                settled = self._after_automatic_moves(after, other)
                if settled is not None:
                    self.now = settled
                    ids = self._move_id(first, seat, move), self._move_id(second, seat, twin)
                    self._add("press", self.pair.viewer_user if own else self.pair.seats[seat], *ids)
                    return True
        return False

    def _automatic(self, state: AnyState) -> Seat | None:
        """Return the seat whose move the bot makes next, or None."""
        for seat in sorted(state.to_move()):
            forced = seat in self.pair.forced and len(state.legal_moves(seat)) == 1 and not state.may_take_back(seat)
            if forced or seat == self.pair.computer:
                return seat
        return None

    def _chosen(self, state: AnyState, seat: Seat) -> Any:
        """Return the bot's move for that seat: the forced one, or the computer's."""
        if seat != self.pair.computer:
            return state.legal_moves(seat)[0]
        seed = decision_seed(self.pair.secret, seat, state.turn(seat))
        return choose(GAMES[self.pair.slug], state, seat, seed, self.pair.level)

    def _after_automatic_moves(self, one: AnyState, other: AnyState) -> tuple[AnyState, AnyState] | None:
        """Return both positions after the bot's moves, or None if the viewer may see a difference. A difference made by
        a computer that knows the same in both does not count.
        """
        thought = 0
        for _ in range(MOST_AUTOMATIC + 1):
            seat = self._automatic(one)
            thought += seat is not None and seat == self.pair.computer
            if seat != self._automatic(other) or thought > MOST_THOUGHT:
                return None
            if seat is None:
                return one, other
            chosen = [self._chosen(state, seat) for state in (one, other)]
            if seat == self.pair.computer and one.view(seat) == other.view(seat):
                # The same move must lead on alike: a new deal may differ. If the moves differ, a computer peeks.
                alike = [chosen[0], chosen[0]]
            else:
                alike = chosen
            (now, events), (twin, others) = one.apply(alike[0]), other.apply(alike[1])
            if not (self._same_events(events, others) and self._indistinguishable(now, twin)):
                return None
            one, other = now, other.apply(chosen[1])[0]
            if one.outcome() is not None or other.outcome() is not None:
                return None
        return None

    def _some(self, moves: Sequence[Any]) -> list[Any]:
        return self.random.sample(moves, min(TRIED_MOVES, len(moves)))

    def _move_id(self, state: AnyState, seat: Seat, move: object) -> str:
        return f"1/{self.number}/move/{state.turn(seat)}/{move}"

    def _same_events(self, one: Sequence[Event], other: Sequence[Event]) -> bool:
        return all(_seen(one, viewer) == _seen(other, viewer) for viewer in (self.pair.viewer, None))

    def _indistinguishable(self, one: AnyState, other: AnyState) -> bool:
        """Return whether the viewer cannot tell these positions apart. Ended ones are different: all is known."""
        viewer = self.pair.viewer
        if one.outcome() is not None or other.outcome() is not None or one.to_move() != other.to_move():
            return False
        if one.view(None) != other.view(None):
            return False
        if viewer is None:
            return True
        own = [(s.view(viewer), s.legal_moves(viewer), s.turn(viewer), s.may_take_back(viewer)) for s in (one, other)]
        return bool(own[0] == own[1])

    # What the viewer does.

    def _viewer_acts(self) -> None:
        """The viewer decides, or tries an illegal move."""
        viewer, random = self.pair.viewer, self.random
        if viewer is None:
            self._viewer_looks()
            return
        if not self.now[0].legal_moves(viewer) or random.random() < 0.3:
            self._illegal_move(viewer)
            return
        if not self._decide(viewer):
            self._viewer_looks()

    def _illegal_move(self, viewer: Seat) -> None:
        """A move that is refused in both runs."""
        game, state = GAMES[self.pair.slug], self.now[0]
        texts = {str(move) for seat in range(len(self.pair.seats)) for move in state.legal_moves(Seat(seat))}
        text = self.random.choice(sorted(texts))
        try:
            state.apply(game.parse(viewer, text))
        except IllegalMove:
            turn = self.random.choice((state.turn(viewer), "9.9"))
            press = f"1/{self.number}/move/{turn}/{text}"
            self._add("press", self.pair.viewer_user, press, press)
        else:
            self._viewer_looks()

    def _viewer_looks(self) -> None:
        random, user = self.random, self.pair.viewer_user
        how = random.randrange(9)
        if how == 0:
            self._add("press", user, EXPORT, EXPORT)
        elif how <= 2:
            name = random.choice(COMMANDS)
            what = f"{name}:{self.pair.slug}" if name in OF_A_GAME else name
            self._add("slash", user, what, what)
        elif how <= 4:
            name, focused = random.choice((("move", "move"), ("move", "table"), ("hand", "table"), ("log", "table")))
            self._add("complete", user, (name, focused), (name, focused))
        else:
            look = random.choice(LOOKS)
            pages = {"log": ("", "1", "2", "5"), "file": FILES}.get(look, ("",))
            self._press(user, f"{look}//{random.choice(pages)}")


def _seen(events: Sequence[Event], viewer: Seat | None) -> list[Event]:
    return [seen for event in events if (seen := event.seen_by(viewer)) is not None]
