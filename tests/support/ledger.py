"""What a match must be, told in plain words a second time: who sits, waits, has left, is for what, has played what.

A `Table` takes what somebody does and changes as the sentences below say, or raises `No` with the reason of the
refusal; of the bot's code it uses the rules of the games alone.

- A lobby seats people in the order in which they come, as many as the game takes or the table wants; who comes too late
  waits, and sits down when somebody gets up. The host who leaves hands the lobby on; without people it is called off.
- Whoever sits at a running match may leave the seat to a computer, whose seat is then anybody's, but not of those who
  have sat elsewhere here. Whoever was removed does not come back.
- Everybody has one voice. More than half of those who are asked decide: who is present, or all people where somebody is
  to be removed; all people agree to take a move back.
- Whoever acts is there: no computer plays for them any more, and no vote about them goes on.
- What somebody has set for a table is theirs, and goes with them; how they cut its deck stays with the seat.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from data.match import LoggedMove, Match
from rules import GAMES
from rules.core.chance import drawn_seats, seed_of
from rules.core.game import AnyState, BadOption, Seat, chosen_options
from tests.support.reckoning import TERMS, Reckoned

NAMES = ("Ada", "Blaise", "Clara", "Dorothea", "Emmy", "Felix", "Grace", "Henri")
"""Computers take the first of these that is free at their table."""


class No(Exception):
    """A refusal, by the key of its sentence."""


@dataclass
class Sitter:
    """Who sits on a chair; a computer has no user."""

    user: int | None
    name: str
    offered: bool = False
    forced: bool = False
    cut: str | None = None


@dataclass
class Table:
    """One match. Moves are kept as positions: the first one, then one after each move that stands."""

    number: int
    game: str
    host: int
    sitters: list[Sitter]
    touched: int
    status: str = "lobby"
    waiting: dict[int, str] = field(default_factory=dict)
    former: dict[int, tuple[int, bool]] = field(default_factory=dict)
    wanted: int | None = None
    clock: str = "none"
    absent: str = "computer"
    thread: bool = False
    """Whether it wishes for a thread of its own; where it then stands is Discord's affair."""
    options: dict[str, object] = field(default_factory=dict)
    votes: dict[int, str] = field(default_factory=dict)
    rests: bool = False
    paused: int | None = None
    previous: int | None = None
    secret: str = ""
    log: list[LoggedMove] = field(default_factory=list)
    states: list[AnyState] = field(default_factory=list)
    clocks: dict[int, Reckoned] = field(default_factory=dict)
    version: int = 0
    _were_absent: bool = False

    # What can be asked of it.

    @property
    def open(self) -> bool:
        return self.status in ("lobby", "playing")

    @property
    def running(self) -> bool:
        return self.status == "playing" and not self.rests and self.paused is None

    @property
    def state(self) -> AnyState:
        return self.states[-1]

    @property
    def people(self) -> list[int]:
        return [sitter.user for sitter in self.sitters if sitter.user is not None]

    @property
    def undone(self) -> int:
        return sum(move.undone_at is not None for move in self.log)

    def seat(self, user: int | None) -> int | None:
        return next((at for at, who in enumerate(self.sitters) if who.user == user and user is not None), None)

    def away(self) -> set[int]:
        """The seats of people for whom a computer plays."""
        return {seat for seat, clock in self.clocks.items() if clock.away}

    def gone(self) -> list[int]:
        """People who are away, or about whom the table votes."""
        return [u for seat, c in self.clocks.items() if (c.away or c.stage == 2) and (u := self.sitters[seat].user)]

    def asked(self) -> dict[int, str]:
        """What each seat is asked that must decide, as its buttons say it."""
        if self.status != "playing":
            return {}
        tail = f"-{self.undone}" if self.undone else ""
        return {int(seat): self.state.turn(seat) + tail for seat in self.state.to_move()}

    def token(self, seat: int) -> str:
        return self.state.turn(Seat(seat)) + (f"-{self.undone}" if self.undone else "")

    def may_vote(self) -> bool:
        """Whether the table votes about somebody whose extension is over: others must be there to do it."""
        return self.absent == "vote" and len(self.present()) > 1

    def present(self) -> list[int]:
        gone = self.gone()
        return [user for user in self.people if user not in gone] or self.people

    # What holds for each of them.

    def _there(self) -> None:
        if self.open and self.paused is not None:
            raise No("paused")

    def ending(self) -> str:
        return "away" if self.paused is not None else self.status

    def _lobby(self) -> None:
        self._there()
        if self.status != "lobby":
            raise No("started" if self.status == "playing" else f"is_{self.ending()}")

    def _playing(self) -> None:
        self._there()
        if self.status != "playing":
            raise No("not_started" if self.status == "lobby" else f"is_{self.ending()}")

    def _mine(self, user: int) -> int:
        seat = self.seat(user)
        if seat is None:
            left = self.former.get(user)
            raise No("not_seated" if left is None else "removed" if left[1] else "no_longer_seated")
        return seat

    def settled(self) -> None:
        """After each change: whose clock runs, and which voices are about nobody any more."""
        terms, asked = TERMS[self.clock], self.asked()
        if self.status != "playing" or terms is None:
            self.clocks = {}
        else:
            for seat, sitter in enumerate(self.sitters):
                if sitter.user is not None:
                    clock = self.clocks.setdefault(seat, Reckoned(terms, terms[1]))
                    clock.ask("" if clock.away else asked.get(seat, ""))
        if self._were_absent and not self.gone():
            self.votes = {user: text for user, text in self.votes.items() if text != "replace"}
        self._were_absent = bool(self.gone())

    # The lobby.

    def room(self) -> int:
        return (self.wanted or GAMES[self.game].seats[-1]) - len(self.sitters)

    def _changed(self, before: int, now: int) -> None:
        """The lobby after somebody has done something in it: seats that have come free are taken by who waits."""
        for _ in range(max(0, self.room() - before)):
            if self.waiting:
                user = next(iter(self.waiting))
                self.sitters.append(Sitter(user, self.waiting.pop(user)))
        if self.status == "lobby" and self.seat(self.host) is None:
            if self.people:
                self.host = self.people[0]
            else:
                self.status = "cancelled"
        self.touched = now

    def join(self, user: int, name: str, now: int) -> None:
        """Sit down, or wait: where no seat is free, or the match has begun."""
        self._there()
        if self.seat(user) is not None and self.status in ("lobby", "playing"):
            raise No("seated")
        if self.status == "lobby" and self.room() > 0:
            self.waiting.pop(user, None)
            self.sitters.append(Sitter(user, name))
            self._changed(self.room(), now)
            return
        if user in self.waiting and self.open:
            raise No("waiting")
        if not self.open:
            raise No(f"is_{self.ending()}")
        self.waiting[user] = name

    def leave(self, user: int, now: int) -> None:
        self._lobby()
        before = self.room()
        if user in self.waiting:
            del self.waiting[user]
        else:
            self._mine(user)
            self.sitters = [who for who in self.sitters if who.user != user]
        self._changed(before, now)

    def add_computer(self, user: int, now: int) -> None:
        self._lobby()
        self._mine(user)
        if self.room() <= 0:
            raise No("full")
        self.sitters.append(Sitter(None, self._free_name()))
        self._changed(self.room(), now)

    def _free_name(self, but: int = -1) -> str:
        taken = {who.name for at, who in enumerate(self.sitters) if at != but}
        return next(name for name in NAMES if name not in taken)

    def remove_computer(self, user: int, now: int) -> None:
        self._lobby()
        self._mine(user)
        before, computers = self.room(), [who for who in self.sitters if who.user is None]
        if not computers:
            raise No("no_computer")
        self.sitters.remove(computers[-1])
        self._changed(before, now)

    def choose(self, user: int, name: str, value: str, now: int) -> None:
        self._lobby()
        self._mine(user)
        before = self.room()
        if name == "clock":
            self.clock = value
        elif name == "absent":
            self.absent = value
        elif name == "place":
            self.thread = value == "thread"
        elif name == "seats":
            wanted = int(value) if value.isdecimal() else None
            if wanted is not None and (wanted not in GAMES[self.game].seats or wanted < len(self.sitters)):
                raise No("bad_seats")
            self.wanted = wanted
        else:
            seats = self.wanted or max(len(self.sitters), GAMES[self.game].seats[0])
            offered = {option.name: option for option in GAMES[self.game].options(seats, self.options)}
            values = {str(v): v for v in offered[name].values} if name in offered else {}
            if value not in values:
                raise No("bad_option")
            self.options[name] = values[value]
        self._changed(before, now)

    def cut(self, user: int, text: str, now: int) -> None:
        self._lobby()
        sitter = self.sitters[self._mine(user)]
        if sitter.cut is not None:
            raise No("has_cut")
        sitter.cut = text
        self.touched = now

    def start(self, user: int) -> None:
        """Whether it may start: with whom in which order is the bot's to draw (`begun`)."""
        self._lobby()
        self._mine(user)
        game, count = GAMES[self.game], len(self.sitters)
        if count < (self.wanted or game.seats[0]):
            raise No("too_few")
        if count not in game.seats:
            raise No("full")
        try:
            chosen_options(game, count, self.options)
        except BadOption:
            raise No("options_do_not_fit") from None

    def begun(self, match: Match) -> None:
        """It has: on the drawn seats sit the same people and computers, and the deal follows from secret and cuts."""
        cuts = [sitter.cut for sitter in self.sitters if sitter.cut is not None]
        drawn = [Sitter(chair.user, chair.name, False, chair.plays_forced, chair.cut) for chair in match.chairs]
        assert sorted(map(repr, drawn)) == sorted(map(repr, self.sitters)), "the same people, each on one seat"
        if self.previous is None:
            assert drawn == [self.sitters[place] for place in drawn_seats(self.secret, cuts, len(drawn))]
        game = GAMES[self.game]
        options = {**chosen_options(game, len(drawn), self.options), "deck": dict(game.deck)}
        assert match.options == options
        self.sitters, self.options, self.status = drawn, options, "playing"
        seed = seed_of(self.secret, [sitter.cut for sitter in drawn if sitter.cut is not None])
        self.states = [game.new(len(drawn), options, seed)]

    def cancel(self, user: int, manager: bool) -> None:
        """The host in the lobby, later a manager alone."""
        self._there()
        if not self.open:
            raise No(f"is_{self.ending()}")
        if not manager and (self.status != "lobby" or user != self.host):
            raise No("not_host" if self.status == "lobby" else "not_manager")
        self.status = "cancelled"

    # Moves.

    def here(self, user: int) -> None:
        """That person acts, or looks at their hand: no computer plays for them, and nobody votes about them."""
        clock = self.clocks.get(self._mine(user))
        if clock is not None:
            clock.back()

    def play(self, user: int, turn: str, text: str) -> bool:
        """One decision; True where it was recorded before, and nothing changes."""
        self._there()
        seat = self._mine(user)
        if self.status == "lobby":
            raise No("not_started")
        if not self.states:
            raise No(f"is_{self.ending()}")
        if self.status == "playing":
            self.here(user)
            self.settled()  # they are asked, and then they decide: the reserve grows by it
        current = turn == self.token(seat)
        before = None
        if not (current and seat in self.asked()):
            found = [m for m in self.log if (m.seat, m.turn) == (seat, turn) and m.undone_at is None]
            before = found[0] if found else None
        if before is not None and before.text == text:
            return True
        if self.status != "playing":
            raise No(f"is_{self.ending()}")
        if self.rests:
            raise No("rests")
        if before is not None or not current:
            raise No("decided" if before is not None else "out_of_date")
        if text not in map(str, self.state.legal_moves(Seat(seat))):
            raise No("illegal")
        self._applied(LoggedMove(len(self.log), seat, turn, text, user))
        return False

    def _applied(self, move: LoggedMove) -> None:
        after, _ = self.state.apply(GAMES[self.game].parse(Seat(move.seat), move.text))
        self.log.append(move)
        self.states.append(after)
        if after.outcome() is not None:
            self.status = "over"

    def played(self, move: LoggedMove) -> None:
        """A move that no person made: a computer's, one of somebody who is away, or the only one somebody had."""
        assert self.running, "moves are made in running matches alone"
        assert move.number == len(self.log) and move.undone_at is None
        assert move.turn == self.asked().get(move.seat), "a seat that must decide"
        legal = [str(legal) for legal in self.state.legal_moves(Seat(move.seat))]
        assert move.text in legal
        user = self.sitters[move.seat].user
        if user is None or move.seat in self.away():
            assert move.user is None, "a computer made it"
            assert len(self.away()) < len(self.people), "no match is played by computers alone"
        else:
            assert move.user == user and self.sitters[move.seat].forced and len(legal) == 1
        self._applied(move)
        self.settled()

    def undo(self, user: int, turn: str) -> None:
        """Take one's own last move back, where it told nobody anything."""
        self._playing()
        seat = self._mine(user)
        if self.rests:
            raise No("rests")
        if turn != self.token(seat):
            raise No("undone")
        if not self.state.may_take_back(Seat(seat)):
            raise No("may_not_undo")
        self.here(user)
        self.take_back()

    def take_back(self) -> None:
        """The last move that stands is marked, and the position is the one before it."""
        last = max(move.number for move in self.log if move.undone_at is None)
        move = self.log[last]
        self.log[last] = LoggedMove(move.number, move.seat, move.turn, move.text, move.user, len(self.log))
        self.states.pop()

    # Leaving and taking over.

    def again(self, number: int, user: int, name: str, secret: str, now: int) -> Table:
        """The lobby after it: the same options and computers, but for such as sat there for somebody who had left; and
        who waited, as far as those who played leave room.
        """
        left = {seat for seat, _ in self.former.values()}
        computers = [Sitter(None, s.name) for at, s in enumerate(self.sitters) if s.user is None and at not in left]
        others = [other for other in self.people if other != user]
        waiting = {who: called for who, called in self.waiting.items() if who != user}
        room = GAMES[self.game].seats[-1] - 1 - len(computers) - len(others)
        seated = list(waiting)[: max(0, room)]
        sitters = [Sitter(user, name), *computers, *(Sitter(who, waiting.pop(who)) for who in seated)]
        options = {option: value for option, value in self.options.items() if option != "deck"}
        after = Table(number, self.game, user, sitters, now, waiting=waiting, options=options, secret=secret)
        after.clock, after.absent, after.previous, after.thread = self.clock, self.absent, self.number, self.thread
        return after

    def force(self, user: int, forced: bool) -> None:
        """Whether a move is made for that person where they have no choice; nobody has to be there for that."""
        seat = self._mine(user)
        if not self.open:
            raise No(f"is_{self.ending()}")
        self.sitters[seat].forced = forced

    def offer(self, user: int, offered: bool) -> None:
        self._playing()
        self.sitters[self._mine(user)].offered = offered

    def give(self, user: int) -> None:
        self._playing()
        self._replace(self._mine(user), None, "")
        self._decide()

    def take(self, user: int, name: str, seat: int) -> None:
        self._playing()
        if self.seat(user) is not None:
            raise No("seated")
        left = self.former.get(user)
        if left is not None and left[1]:
            raise No("removed")
        if left is not None and left[0] != seat:
            raise No("was_elsewhere")
        if seat >= len(self.sitters) or not self.sitters[seat].offered:
            raise No("seat_taken")
        self._replace(seat, user, name)
        self._decide()

    def come_back(self, user: int, name: str) -> None:
        if user not in self.former:
            raise No("not_seated" if self.seat(user) is None else "seated")
        self.take(user, name, self.former[user][0])

    def _replace(self, seat: int, user: int | None, name: str, removed: bool = False) -> None:
        before, clock = self.sitters[seat].user, self.clocks.get(seat)
        called = name or self._free_name(seat)
        self.sitters[seat] = Sitter(user, called, offered=user is None, cut=self.sitters[seat].cut)
        if user is not None:
            self.former.pop(user, None)
            self.waiting.pop(user, None)
        if before is not None:
            self.former[before] = (seat, removed)
            if clock is not None:
                self.clocks[seat] = clock.handed_on()

    # Deciding together.

    def sense(self, text: str, user: int) -> bool:
        """Whether this person can be for that."""
        kind, _, about = text.partition(" ")
        if self.seat(user) is None:
            return False
        if kind == "remove":
            return int(about) != user and self.seat(int(about)) is not None and len(self.people) > 2
        if kind == "undo":
            return self.running and int(about) == len(self.log) - 1
        if kind == "clock":
            terms, _, absent = about.partition(" ")
            return (terms, absent or self.absent) != (self.clock, self.absent)
        return {"end": True, "pause": not self.rests, "resume": self.rests, "replace": bool(self.gone())}[kind]

    def vote(self, user: int, text: str) -> None:
        """Give one's voice; what enough are for is done at once."""
        self._playing()
        self._mine(user)
        before = {at: replace(clock) for at, clock in self.clocks.items()}
        self.here(user)
        if text == "none":
            self.votes.pop(user, None)
            return
        if not self.sense(text, user):
            self.clocks = before  # refused: nothing has changed
            raise No(f"no_{text.partition(' ')[0]}")
        self.votes[user] = text
        self._decide(undo=text.startswith("undo"))

    def winning(self) -> str | None:
        """What enough are for, the most wanted first."""
        count: dict[str, int] = {}
        enough: dict[str, int] = {}
        for user, text in self.votes.items():
            everybody = text.partition(" ")[0] in ("undo", "remove")
            asked = self.people if everybody else self.present()
            if self.sense(text, user) and user in asked:
                count[text] = count.get(text, 0) + 1
                enough[text] = len(asked) if text.startswith("undo") else len(asked) // 2 + 1
        ranked = sorted(count, key=lambda text: (-count[text], text))
        return next((text for text in ranked if count[text] >= enough[text]), None)

    def _decide(self, undo: bool = False) -> None:
        """Do what is decided. An undo is only ever decided by a voice for it, never because somebody has left."""
        self._heard()
        while self.status == "playing" and (text := self.winning()) is not None:
            self.votes = {user: other for user, other in self.votes.items() if other != text}
            if text.startswith("undo"):
                if undo:
                    self.take_back()
            else:
                self._carry_out(text)
            self._heard()
        if not self.people:
            self.status = "stopped"

    def _heard(self) -> None:
        """Only those who sit there have a voice."""
        self.votes = {user: text for user, text in self.votes.items() if self.seat(user) is not None}

    def _carry_out(self, text: str) -> None:
        kind, _, about = text.partition(" ")
        if kind in ("pause", "resume"):
            self.rests = kind == "pause"
        elif kind == "remove":
            self._replace(self._mine(int(about)), None, "", removed=True)
        elif kind == "replace":
            for user in self.gone():
                self._replace(self._mine(user), None, "")
        elif kind == "clock":
            terms, _, absent = about.partition(" ")
            self.clocks = self.clocks if terms == self.clock else {}
            self.clock, self.absent = terms, absent or self.absent
        else:
            self.status = "stopped"

    # The whole.

    def agrees(self, match: Match, votes: Mapping[int, str], log: list[LoggedMove]) -> None:
        """Hold what is stored against what it must be."""
        assert match.status.value == self.status, (match.status, self.status)
        chairs = [Sitter(c.user, c.name, c.offered, c.plays_forced, c.cut) for c in match.chairs]
        assert chairs == self.sitters, (chairs, self.sitters)
        assert [chair.number for chair in match.chairs] == list(range(len(chairs)))
        assert len(set(self.people)) == len(self.people), "no person on two seats"
        assert [who.user for who in match.waiting] == list(self.waiting)
        assert not set(self.waiting) & set(self.people), "who sits there does not wait"
        assert {who.user: (who.seat, who.removed) for who in match.former} == self.former
        assert match.host == self.host
        facts = (match.wanted, match.clock, match.absent, match.options, match.previous)
        assert facts == (self.wanted, self.clock, self.absent, self.options, self.previous)
        assert (match.rests_since is not None, match.paused_at) == (self.rests, self.paused)
        assert votes == self.votes
        assert log == self.log, "the log only grows, and what is taken back is only marked"
        assert (match.moves, match.undone) == (len(self.log), self.undone)
        assert match.version >= self.version, "versions only grow"
        self.version = match.version
        if self.states:
            assert match.state == self.state.to_json(), "what the log leads to is what is stored"
