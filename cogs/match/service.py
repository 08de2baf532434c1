"""The match service: the one owner of every match. It checks each change, stores it, and only then announces it.

Each change of a match takes the match's lock, loads it, decides, and saves in one transaction; `save` then announces
the change, and the publisher shows it. A refusal is `Refused`, or the game's own IllegalMove; then nothing has changed.
Only cogs/match reads or writes the stored matches: lobby.py has the time before the start, membership.py joining,
leaving and votes, undo.py moves taken back, deadlines.py the clock, automatic_moves.py computers' moves.
A reader can follow a move in this file from start to end: lock, position, rules, log, clocks, announcement.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from math import inf
from typing import Any, Protocol, TypeVar
from weakref import WeakValueDictionary

from cogs.match.admission import ServerPolicy
from cogs.match.advice import check_advised, is_done
from cogs.match.clocks import Clocks, absent
from cogs.match.positions import (
    LoggedEvent,
    Position,
    PositionCache,
    log_at,
    phase,
    replay,
    same_wait,
    token,
    turned,
    with_reminders,
)
from cogs.match.quarantine import Quarantine
from cogs.match.refusals import Reason, Refused, check_there, missing, seat_or_refuse, stored, unseated
from cogs.match.time_controls import PRESETS
from cogs.match.votes import Choice, kept, moved_on, no_longer_removable, votes_without
from data.records.hours import Hours, PeopleHours
from data.records.match import Conflict, LoggedMove, Match, Status
from data.records.matches import Link, Matches
from data.records.people import People
from data.records.servers import Servers
from data.store.database import CommitUnknown, NotStored
from rules.core.game import AnyGame, AnyState, Move, Seat

MOST_SEALED_ANEW = 50
"""The most re-seals in a phase. The rules allow any number, but each lengthens the log, which is replayed in full.
A due move is always accepted.
"""
TRIES = 3
"""How often a decision is tried while other processes change the same match."""

Decided = TypeVar("Decided")


@dataclass(frozen=True, slots=True)
class Played:
    """The outcome of a decision. `again`: it was recorded before, and nothing has changed.

    `before` is the position in which `move` was legal; None with `again`. `made_do`: a computer could not think, and
    made its seat's default move.
    """

    match: Match
    text: str
    again: bool = False
    before: Position | None = None
    move: Move | None = None
    made_do: bool = False
    earlier: tuple[Played, ...] = ()
    """The moves of the turn that the same press has made before."""


class Listener(Protocol):
    """Shows matches that have changed: the publisher."""

    def changed(self, number: int) -> None:
        """Show the match now: it has changed."""

    def later(self, number: int) -> None:
        """Show the match when there is time: it is one of many that have changed, and no player waits for it."""

    def bring_back(self, number: int) -> None:
        """Show the match now, even if its table seems to be up to date: the table's message may have been deleted."""


class _Nothing:
    """The listener before the start: changes are stored, and the start shows them."""

    def changed(self, number: int) -> None:
        """Do nothing."""

    later = bring_back = changed


@dataclass(slots=True, eq=False)
class _Deferral:
    """A change of one match that is announced at the end of a block."""

    number: int
    changed: bool = False
    due: float = inf
    over: bool = False


_deferral: ContextVar[_Deferral | None] = ContextVar("deferral", default=None)


class Announcer:
    """Announces changes to the listener, and their deadlines, at once or at the end of a block."""

    def __init__(self) -> None:
        self.listener: Listener = _Nothing()
        self.alarm: Callable[[float], None] = lambda _: None
        """Is called with the instant of each new deadline, once the clock worker has started."""

    def announce(self, number: int, *, soon: bool = True, due: float = inf) -> None:
        """Announce that the match has changed. `soon` False: one of many, not waited for. `due`: its next deadline."""
        deferral = _deferral.get()
        if deferral is not None and deferral.number == number and not deferral.over:
            deferral.changed, deferral.due = True, min(due, deferral.due)
            return
        self.alarm(due)
        (self.listener.changed if soon else self.listener.later)(number)

    @contextmanager
    def after(self, number: int) -> Iterator[None]:
        """Announce the current task's changes of that match at the end of the block, and others' changes at once.

        By then the player has seen the answer, and needs no ping for what it says.
        """
        deferral = _Deferral(number)
        context = _deferral.set(deferral)
        try:
            yield
        finally:
            _deferral.reset(context)
            deferral.over = True  # tasks begun in the block keep its context
            if deferral.changed:
                self.alarm(deferral.due)
                self.listener.changed(number)


class MatchService:
    """All matches of this bot.

    `servers` None: servers allow everything. `hours` None: there are no quiet hours. `tables_each`: the
    limit on the open tables of one player in servers that have chosen none; None: any number.
    """

    def __init__(
        self,
        matches: Matches,
        people: People,
        games: Mapping[str, AnyGame],
        now: Callable[[], float] = time.time,
        servers: Servers | None = None,
        hours: PeopleHours | None = None,
        tables_each: int | None = None,
    ) -> None:
        self._matches = matches
        self.posts = matches.posts
        self.index = matches.index
        self.people = people
        self.hours_of = _no_hours if hours is None else hours.get
        self.clocks = Clocks(self.hours_of, now)
        self.games = games
        self.announcer = Announcer()
        self.quarantine = Quarantine(matches, games, self.announcer.announce)
        self.now = now
        """Returns the seconds since 1970, by the trusted clock."""
        self.policy = ServerPolicy(matches.index, servers, tables_each, now)
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self.positions = PositionCache(games)

    @property
    def listener(self) -> Listener:
        """What shows matches. Ask it if a match is to be shown once more although it has not changed."""
        return self.announcer.listener

    @asynccontextmanager
    async def deciding(self, number: int) -> AsyncIterator[Match]:
        """Lock a match and yield it as stored, while its change is decided and saved. Refused as by `load`."""
        async with self._locks.setdefault(number, asyncio.Lock()):
            yield await self.load(number)

    async def load(self, number: int) -> Match:
        """Return the match as it is stored now. Refused if there is none, or if it is quarantined (quarantine.py)."""
        match = await self._matches.get(number)
        if match is None:
            raise await missing(self.index, number)
        if number not in self.quarantine.sound:
            await self.quarantine.check(match)
        return match

    async def save(
        self,
        match: Match,
        move: LoggedMove | None = None,
        votes: dict[int, str] | None = None,
        state: AnyState | None = None,
        *,
        before: Match | None = None,
        soon: bool = True,
        now: int | None = None,
    ) -> Match:
        """Store a change decided inside `deciding`, with the clocks of its position, in one transaction. Announce it.

        `votes` as in `Matches.save`; `state` is the new position, None if it is the same. `before` is the match as it
        was loaded, if the caller has it. `soon` False: one of many, and no player waits for it. `now`: the instant of
        the change, if the caller has it. Refused if the match has changed meanwhile, or nothing can be stored.
        """
        now = int(self.now()) if now is None else now
        if match.clocks or match.clock != "none":
            match = await self.clocks.on_position(match, self._asked(match, state))
            before = before or await self._matches.get(match.id)
            if before is not None and absent(before) and not absent(match):  # the next absence needs new votes
                votes = await self._matches.votes(match.id) if votes is None else votes
                votes = votes_without(votes, Choice("replace"))
        if match.reminders or match.clock == "none" or match.clock not in PRESETS:
            playing = match.status is Status.PLAYING
            match = with_reminders(match, (state or self.state(match)) if playing else None, now)
        if match.proposals and (void := no_longer_removable(match, now)):
            votes = await self._matches.votes(match.id) if votes is None else votes
            votes = {user: text for user, text in votes.items() if text not in void}
        if match.proposals and (votes is not None or match.status is not Status.PLAYING):
            match = kept(match, votes or {}, now)
        try:
            saved = await self._matches.save(match, move, votes)
        except Conflict as error:
            self.positions.forget(match.id)
            raise Refused(Reason.BUSY) from error
        except NotStored as error:
            raise Refused(Reason.NOT_STORED) from error
        if move is None:
            self.positions.same_position(match, saved)
        kinds = (saved.clocks, saved.reminders, saved.proposals)
        due = min((timed.due for kind in kinds for timed in kind if timed.due is not None), default=inf)
        self.announcer.announce(saved.id, soon=soon, due=due)
        return saved

    async def add(self, match: Match, link: Link | None = None) -> Match:
        """Store a new match and announce it. Return it with its number. `link` as in `Matches.open`. Refused if nothing
        can be stored, or the link is not possible.
        """
        with stored():
            added = await self._matches.open(match, link)
        self.announcer.announce(added.id)
        return added

    async def find(self, number: int) -> Match | None:
        """Return the match of that number, quarantined or not, or None."""
        return await self._matches.get(number)

    async def log(self, number: int) -> list[LoggedMove]:
        """Return the whole log, with the moves that were taken back."""
        return await self._matches.moves(number)

    async def votes(self, number: int) -> dict[int, str]:
        """Return each voter's choice as it is stored (votes.py), by user."""
        return await self._matches.votes(number)

    async def decided(self, match: Match, seat: int, turn: str) -> tuple[int, int]:
        """Return how many moves a seat has made in the phase of that turn, and how many of them were taken back."""
        return await self._matches.decided(match.id, seat, phase(turn))

    # The match.

    def game(self, match: Match) -> AnyGame:
        """Return the rules of that match's game. KeyError if this program lacks them."""
        return self.games[match.game]

    def state(self, match: Match) -> AnyState:
        """Return the position of a started match, at the version of `match`."""
        return self.positions.at(match).state

    def turn(self, match: Match, seat: Seat) -> str:
        """Return the turn token: the name of a seat's decision, on its buttons and in the log (positions.py)."""
        return token(match, self.state(match), seat)

    def seat_may_take_back(self, match: Match, seat: Seat) -> bool:
        """Return whether this seat alone may take back the last move, whichever player made it."""
        return match.running and self.state(match).may_take_back(seat)

    async def person_may_take_back(self, match: Match, seat: Seat) -> bool:
        """Return whether the player in this seat alone may take back the last move: no other player made it."""
        if not self.seat_may_take_back(match, seat):
            return False
        chair = match.chairs[seat]
        if not chair.since:  # the same player since the start
            return True
        last = next(move for move in reversed(await self._matches.moves(match.id)) if move.undone_at is None)
        return last.user in (None, chair.user)

    async def events_of(self, match: Match) -> Sequence[LoggedEvent]:
        """Return all events of a started match up to its version, unfiltered: show only what `seen_by` returns."""
        self.state(match)
        if (history := self.positions.events(match)) is None:
            history, _ = replay(self.game(match), match, await self._matches.moves(match.id))
            self.positions.keep_events(match, history)
        end = len(history)
        while end and history[end - 1].move >= match.moves:
            end -= 1
        return history[:end]

    async def position(self, match: Match, moves: int) -> AnyState:
        """Return the state of a started match when its log had that many moves; moves taken back later still count."""
        if (known := self.positions.before(match.id, moves)) is not None:
            return known
        return replay(self.game(match), match, log_at(moves, await self.log(match.id)))[1]

    async def play(self, number: int, user: int, turn: str | None, text: str, *, anyway: bool = False) -> Played:
        """Record one decision of one player. `turn` is the token of the button pressed; None for a typed move.

        Raises Refused (not seated, out of date, over …) or IllegalMove; Discouraged if a lesson advises another move,
        unless `anyway`. The same decision twice is `again`. If another process changes the match meanwhile, it is tried
        again; also if it may be stored, as the log then has its turn. A typed move has none: CommitUnknown is raised.
        """
        unknown = () if turn is None else (CommitUnknown,)
        return await again_if_busy(lambda: self._play(number, user, turn, text, anyway), unknown)

    async def _play(self, number: int, user: int, turn: str | None, text: str, anyway: bool) -> Played:
        async with self.deciding(number) as match:
            if not match.running:
                check_there(match)
            seat = match.seat_of(user)
            if seat is None:
                raise unseated(match, user)
            if match.state is None:
                raise Refused(Reason.NOT_STARTED if match.open else Reason(f"is_{match.ending}"))
            loaded = match
            match = await self._returned(match, seat)
            me = Seat(seat)
            before = self.positions.at(match)
            state, own = before.state, token(match, before.state, me)
            known = turn is None or turn == own
            due = known and me in state.to_move()  # then the log has no decision of that turn
            recorded = await self._matches.decision(number, seat, turn) if turn and not due else None
            if recorded is not None and recorded.text == text:
                return Played(match, text, again=True)
            if match.status is not Status.PLAYING:
                raise Refused(Reason(f"is_{match.ending}"))
            if match.rests_since is not None:
                raise Refused(Reason.RESTS)
            if recorded is not None:
                raise Refused(Reason.DECIDED)
            if not known:
                raise Refused(Reason.OUT_OF_DATE)
            move = self.games[match.game].parse(me, text)
            if me not in state.to_move() and state.legal_moves(me):
                if match.lesson:  # it has gone on from that decision
                    raise Refused(Reason.DECIDED)
                count, _ = await self.decided(match, me, own)
                if count > MOST_SEALED_ANEW:
                    raise Refused(Reason.SEALED_OFTEN, count=MOST_SEALED_ANEW)
            if match.lesson and not anyway and move in state.legal_moves(me):
                check_advised(self.game(match), match, await self._matches.moves(number), state, move)
            return await self.make(match, move, user, loaded=loaded, before=before)

    async def make(
        self,
        match: Match,
        move: Any,
        user: int | None = None,
        computer: str | None = None,
        loaded: Match | None = None,
        forced: bool = False,
        before: Position | None = None,
    ) -> Played:
        """Make a legal move, inside `deciding`, and store it. The caller has checked the right to it.

        `user` made it, or the bot for them as it is `forced`; else `computer` did, by its name in the log. `loaded`:
        the stored match, if `match` differs. `before`: its position, if the caller has it.
        """
        before, now = before or self.positions.at(match), int(self.now())
        seat, turn = int(move.seat), token(before.match, before.state, move.seat)
        timed = user is not None and not forced and match.turn_since is not None
        took = max(0, now - match.waits_since) if timed else None
        logged = LoggedMove(match.moves, seat, turn, str(move), user, computer=computer, took=took)
        after, events = before.state.apply(move)
        # No move of a round that is over is named any more.
        match = match.without_ahead(seat if self.games[match.game].goes_on(before.state, after) else None)
        moved = replace(moved_on(match) if match.proposals else match, moves=match.moves + 1)
        later = turned(moved, before.state, after, now)
        match = self.in_same_turn(match, later, after, move.seat) if after.may_take_back(move.seat) else later
        if after.outcome() is not None:
            match = replace(match, status=Status.OVER, ended_at=now)
        elif match.lesson and is_done(match, after):
            match = replace(match, status=Status.STOPPED, ended_at=now)
        match = await self.save(match, logged, state=after, before=loaded or before.match, now=now)
        history = before.events
        if history is not None:
            history.extend(LoggedEvent(logged.number, event, False, seat, user, turn) for event in events)
        self.positions.keep(match, after, history, (logged.number, before.state))
        return Played(match, logged.text, before=before, move=move)

    async def back(self, number: int, user: int) -> Match:
        """Let a player who was away play again from now on. Return the match. Refused if they do not sit there."""
        async with self.deciding(number) as match:
            return await self._returned(match, seat_or_refuse(match, user))

    async def _returned(self, match: Match, seat: int) -> Match:
        """Return the match with that seat's player back, stored if this changes anything."""
        if not match.clocks or match.status is not Status.PLAYING:  # who was away at the end stays so
            return match
        back = self.clocks.mark_back(match, seat)
        return match if back is match else await self.save(back)

    # Helpers.

    def in_same_turn(self, before: Match, match: Match, state: AnyState, seat: Seat) -> Match:
        """Return the match in whose position the seat is still in the turn of `before`, if it is to move at all."""
        if seat not in state.to_move():
            return match
        match, turn = replace(match, turn_since=before.turn_since), token(match, state, seat)
        return same_wait(self.clocks.same_turn(match, seat, turn), seat, turn, match.waits_since)

    def _asked(self, match: Match, state: AnyState | None) -> dict[int, str]:
        """Return the token of each seat that is to move."""
        if match.status is not Status.PLAYING:
            return {}
        state = state or self.state(match)
        return {int(seat): token(match, state, seat) for seat in state.to_move()}


async def again_if_busy(
    decide: Callable[[], Awaitable[Decided]], unknown: tuple[type[CommitUnknown], ...] = ()
) -> Decided:
    """Decide; again, `TRIES` times at most, if another process was faster, or after an error of `unknown`."""
    passing: tuple[type[Exception], ...] = (Refused, *unknown)
    for _ in range(TRIES - 1):
        try:
            return await decide()
        except passing as error:
            if isinstance(error, Refused) and error.reason is not Reason.BUSY:
                raise
    return await decide()


async def _no_hours(user: int) -> Hours:
    return Hours()
