"""A model of a running match: moves, players who leave or take a seat over, votes."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import Any

from data.records.match import LoggedMove
from rules import GAMES
from rules.core.game import Seat
from tests.support.machine.clock_model import DAY, HOUR, TERMS
from tests.support.machine.lobby_model import LobbyModel
from tests.support.machine.match_model import Occupant, Refusal
from tests.support.machine.wait_model import ReminderModel

LONE_LIMIT = "clock day_1"
"""The time limit that one vote sets once a table has waited for days."""
MOST_ENDS_TAKEN_BACK = 3
"""How often a player may take the end of one turn back."""


class TableModel(LobbyModel):
    """One match, from its lobby to its end."""

    # Moves.

    def mark_present(self, user: int) -> None:
        """A player acts or looks at their hand: no computer plays for them any more, and votes about them end."""
        clock = self.clocks.get(self._seat_of(user))
        if clock is not None:
            gone = self.unresponsive()
            clock.mark_back(alone=all(other == user or other in gone for other in self.people))

    def play(self, user: int, turn: str, text: str) -> bool:
        """Make one decision. Return True if it was recorded before; then nothing changes."""
        self._check_not_paused()
        seat = self._seat_of(user)
        if self.status == "lobby":
            raise Refusal("not_started")
        if not self.states:
            raise Refusal(f"is_{self.ending()}")
        if self.status == "playing":
            self.mark_present(user)
            self.update_clocks()  # the turn begins before the decision, so the reserve grows
        current = turn == self.token(seat)
        before = None
        if not (current and seat in self.turns()):
            found = [m for m in self.log if (m.seat, m.turn) == (seat, turn) and m.undone_at is None]
            before = found[0] if found else None
        if before is not None and before.text == text:
            return True
        if self.status != "playing":
            raise Refusal(f"is_{self.ending()}")
        if self.rests:
            raise Refusal("rests")
        if before is not None or not current:
            raise Refusal("decided" if before is not None else "out_of_date")
        if text not in map(str, self.state.legal_moves(Seat(seat))):
            raise Refusal("illegal")
        self._apply(LoggedMove(len(self.log), seat, turn, text, user))
        return False

    def _apply(self, move: LoggedMove) -> None:
        after, _ = self.state.apply(GAMES[self.game].parse(Seat(move.seat), move.text))
        self.proposals = {text: vote for text, vote in self.proposals.items() if not vote.ended}
        self.log.append(move)
        self.states.append(after)
        if after.outcome() is not None:
            self.status = "over"
        elif after.may_take_back(Seat(move.seat)):
            self._in_same_turn(move.seat)

    def _in_same_turn(self, seat: int) -> None:
        clock = self.clocks.get(seat)
        if Seat(seat) not in self.state.to_move():
            return
        if clock is not None:
            clock.continue_turn(self.token(seat))
        self.continue_wait(seat, self.token(seat))

    def play_automatic(self, move: LoggedMove) -> None:
        """Check and take over a move of the bot: for a computer, for an absent player, or the only legal one."""
        assert self.running, "moves are made in running matches only"
        assert move.number == len(self.log) and move.undone_at is None
        assert move.turn == self.turns().get(move.seat), "a seat that must decide"
        legal = [str(legal) for legal in self.state.legal_moves(Seat(move.seat))]
        assert move.text in legal
        user = self.occupants[move.seat].user
        if user is None or move.seat in self.away():
            assert move.user is None, "a computer made it"
            assert not self.deserted, "no match is played by computers alone"
        else:
            assert move.user == user and self.occupants[move.seat].forced and len(legal) == 1
        self._apply(move)
        self.update_clocks()

    def undo(self, user: int, turn: str) -> None:
        """Take one's own last move back, if it revealed nothing to other players."""
        self._check_playing()
        seat = self._seat_of(user)
        if self.rests:
            raise Refusal("rests")
        if turn != self.token(seat):
            raise Refusal("undone")
        last = next((move for move in reversed(self.log) if move.undone_at is None), None)
        if last is None or not self.state.may_take_back(Seat(seat)) or last.user not in (None, user):
            raise Refusal("may_not_undo")
        ended = Seat(seat) not in self.state.to_move()
        if ended and sum(_is_same(last, move) for move in self.log) > MOST_ENDS_TAKEN_BACK:
            raise Refusal("undone_often")
        self.mark_present(user)
        self.take_back()
        clock = self.clocks.get(seat)
        if not ended:
            self._in_same_turn(seat)
        else:
            self.continue_wait(seat, self.token(seat))
            if clock is not None:
                clock.resume_turn(self.token(seat))

    def take_back(self) -> None:
        """Mark the last move as taken back, and return to the position before it."""
        last = max(move.number for move in self.log if move.undone_at is None)
        self.log[last] = replace(self.log[last], undone_at=len(self.log))
        self.states.pop()

    # Leaving and taking over.

    def again(self, number: int, user: int, name: str, secret: str, now: int) -> TableModel:
        """Return the lobby of a rematch. It has the same options. It has the same computers, except those that replaced
        a player who left. Waiting people are seated if the other players leave room for them.
        """
        left = {seat for seat, _ in self.former.values()}
        computers = [Occupant(None, s.name) for at, s in enumerate(self.occupants) if s.user is None and at not in left]
        others = [other for other in self.people if other != user]
        waiting = {who: waiting_name for who, waiting_name in self.waiting.items() if who != user}
        free_seats = GAMES[self.game].seats[-1] - 1 - len(computers) - len(others)
        seated = list(waiting)[: max(0, free_seats)]
        occupants = [Occupant(user, name), *computers, *(Occupant(who, waiting.pop(who)) for who in seated)]
        options = {option: value for option, value in self.options.items() if option != "deck"}
        after = TableModel(number, self.game, user, occupants, now, waiting=waiting, options=options, secret=secret)
        after.clock, after.absent, after.previous, after.thread = self.clock, self.absent, self.number, self.thread
        after.rated, after.hints, after.hours_now = self.rated, self.hints, self.hours_now
        if self.closed:
            after.closed = True
            after.guests = {who: "accepted" for who, state in self.guests.items() if state in ("invited", "accepted")}
            after.guests |= dict.fromkeys(self.people, "accepted")
            for who in [who for who, (_, removed) in self.former.items() if removed]:
                after.guests.pop(who, None)
        after.seat_guests()
        return after

    def set_up(self, user: int, **wishes: Any) -> None:
        """Set a player's preferences for this table: `forced`, whether the bot makes their forced moves; `ping`, how it
        pings them. The player may be absent.
        """
        seat = self._seat_of(user)
        if not self.open:
            raise Refusal(f"is_{self.ending()}")
        self.occupants[seat] = replace(self.occupants[seat], **wishes)

    def offer(self, user: int, offered: bool) -> None:
        self._check_playing()
        self.occupants[self._seat_of(user)].offered = offered

    def give(self, user: int) -> None:
        self._check_playing()
        self._replace(self._seat_of(user), None, "")
        self._count_votes()

    def take(self, user: int, name: str, seat: int) -> None:
        self._check_playing()
        if self.seat(user) is not None:
            raise Refusal("seated")
        left = self.former.get(user)
        if left is not None and left[1]:
            raise Refusal("removed")
        if left is not None and left[0] != seat:
            raise Refusal("was_elsewhere")
        if seat >= len(self.occupants) or not self.occupants[seat].offered:
            raise Refusal("seat_taken")
        if self.counts() and seat in self.kept and left is None:
            raise Refusal("seat_kept")
        if left is None:
            self.check_door(user)
        self._replace(seat, user, name)
        self._count_votes()

    def come_back(self, user: int, name: str) -> None:
        if user not in self.former:
            raise Refusal("not_seated" if self.seat(user) is None else "seated")
        self.take(user, name, self.former[user][0])

    def _replace(self, seat: int, user: int | None, name: str, removed: bool = False) -> None:
        before, clock, knows = self.occupants[seat].user, self.clocks.get(seat), user in self.former
        handed_on = user is not None and not knows and self.is_handed_on(seat)
        waited = self.reminders.pop(seat, None)
        if user is not None and not knows:
            self.took_over[seat] = len(self.log)
        self.kept.discard(seat)
        new_name = name or self._free_name(seat)
        self.occupants[seat] = Occupant(user, new_name, offered=user is None, cut=self.occupants[seat].cut)
        if user is not None:
            self.former.pop(user, None)
            self.waiting.pop(user, None)
        if before is not None:
            self.former[before] = (seat, removed)
        if user is not None and knows and seat in self.turns():  # the turn may have begun long before
            self.reminders[seat] = ReminderModel(self.token(seat), 0, exact=False, hours=self.hours_now(user))
        elif waited is not None and handed_on:
            self.reminders[seat] = ReminderModel(waited.turn, max(waited.since, self.now - DAY + HOUR))
            self.waited_long.pop(seat, None)
        if clock is not None and before is None and (knows or handed_on):
            clock.with_computer = False
        elif clock is not None:
            self.clocks[seat] = clock.transfer(user is None, knows or handed_on)
        if clock is not None and handed_on:
            clock = self.clocks[seat]
            clock.left = max(clock.left, min(HOUR, clock.terms[3]))

    def is_handed_on(self, seat: int) -> bool:
        """Return whether the table waits for a substitute's first turn: no other seat has moved after them."""
        if seat not in self.took_over or seat not in self.turns():
            return False
        moved = False
        for move in self.log[self.took_over[seat] :]:
            if move.undone_at is None and move.seat != seat and moved:
                return False
            moved = moved or (move.undone_at is None and move.seat == seat)
        return True

    # Votes.

    def makes_sense(self, text: str, user: int) -> bool:
        """Return whether this user may vote for that proposal now."""
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
        return {"end": True, "pause": not self.rests, "resume": self.rests, "replace": bool(self.unresponsive())}[kind]

    def vote(self, user: int, text: str) -> None:
        """Vote; a proposal with enough votes is carried out at once."""
        self._check_playing()
        self._seat_of(user)
        before = {at: replace(clock) for at, clock in self.clocks.items()}
        self.mark_present(user)
        if text == "none":
            self.votes.pop(user, None)
            for vote in self.proposals.values():
                vote.against.discard(user)
            return
        if self.comes_too_soon(text):
            self.clocks = before  # refused: nothing has changed
            raise Refusal("clock_lately")
        if not self.makes_sense(text, user):
            self.clocks = before
            raise Refusal(f"no_{text.partition(' ')[0]}")
        if text.startswith("remove ") and not self.is_removable(int(text.removeprefix("remove "))):
            self.clocks = before
            raise Refusal("not_removable")
        self.votes[user] = text
        self.start_vote(text, user)
        self.drop_empty_votes()
        alone = text == LONE_LIMIT and self.waits_long and self.clock == "none"
        alone = alone and [self.occupants[at].user for at in self.turns()] != [user]
        if alone or (text == "resume" and self.rests_long):
            self.votes = {who: other for who, other in self.votes.items() if other != text}
            self._carry_out(text)
        self._count_votes(undo=text.startswith("undo"))

    def oppose(self, user: int, text: str) -> None:
        """Vote against a proposal, which closes once it can no longer pass."""
        self._check_playing()
        self._seat_of(user)
        before = {at: replace(clock) for at, clock in self.clocks.items()}
        self.mark_present(user)
        possible = self.is_open(text) and self.makes_sense(text, user)
        if not possible:
            self.clocks = before  # refused: nothing has changed
            raise Refusal(f"no_{text.partition(' ')[0]}" if self.is_open(text) else "vote_closed")
        if self.votes.get(user) == text:
            del self.votes[user]
        self.proposals[text].against.add(user)
        self._count_votes()

    def comes_too_soon(self, text: str) -> bool:
        """Return whether a proposal would give less time although a vote gave more within the hour."""
        kind, _, about = text.partition(" ")
        return kind == "clock" and self.now < self.kept_until and _leaves_less(about.partition(" ")[0], self.clock)

    def winning(self) -> str | None:
        """Return the proposal with enough votes, the one with the most first, or None."""
        count: dict[str, int] = {}
        enough: dict[str, int] = {}
        for user, text in self.votes.items():
            everybody = text.partition(" ")[0] in ("undo", "remove")
            asked = self.people if everybody else self.present()
            if self.makes_sense(text, user) and user in asked:
                count[text] = count.get(text, 0) + 1
                enough[text] = self.enough(text)
        ranked = sorted(count, key=lambda text: (-count[text], text))
        return next((text for text in ranked if count[text] >= enough[text]), None)

    def _count_votes(self, undo: bool = False) -> None:
        """Carry out each decided proposal. Only a vote decides an undo: it is not decided because a player leaves."""
        self._drop_former_votes()
        taken_back = False
        while self.status == "playing" and (text := self.winning()) is not None:
            self.votes = {user: other for user, other in self.votes.items() if other != text}
            if text.startswith("undo"):
                if undo:
                    self.take_back()
                    taken_back = True
            elif not self.comes_too_soon(text):
                self._carry_out(text)
            self._drop_former_votes()
        if self.status == "playing" and not taken_back:
            self.close_lost()
        if not self.people:
            self.status = "stopped"

    def _drop_former_votes(self) -> None:
        self.votes = {user: text for user, text in self.votes.items() if self.seat(user) is not None}

    def _carry_out(self, text: str) -> None:
        kind, _, about = text.partition(" ")
        if kind in ("pause", "resume"):
            self.rests = kind == "pause"
        elif kind == "remove":
            self._replace(self._seat_of(int(about)), None, "", removed=True)
        elif kind == "replace":
            for user in self.unresponsive():
                seat = self._seat_of(user)
                self._replace(seat, None, "")
                self.kept.add(seat)
        elif kind == "clock":
            terms, _, absent = about.partition(" ")
            self.clocks = self.clocks if terms == self.clock else {}
            self.kept_until = self.now + HOUR if _leaves_less(self.clock, terms) else self.kept_until
            self.clock, self.absent = terms, absent or self.absent
        else:
            self.status = "stopped"


def _leaves_less(clock: str, than: str) -> bool:
    """Return whether one time limit leaves less time for a turn than another; none leaves most."""
    turn, other = (TERMS[name][0] if name in TERMS else inf for name in (clock, than))
    return turn < other


def _is_same(move: LoggedMove, other: LoggedMove) -> bool:
    """Return whether a seat made the same move both times, in one turn."""
    return (move.seat, move.text, _turn_of(move)) == (other.seat, other.text, _turn_of(other))


def _turn_of(move: LoggedMove) -> str:
    return move.turn.partition("-")[0].partition(".")[0]
