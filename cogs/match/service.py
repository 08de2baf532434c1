"""The table's side of a match, end to end: who may do what, one move at a time, saved before it is told.

Everything here speaks of matches, people and seats; nothing knows Discord. Each change of a match takes the match's
lock, loads, decides, and saves in one transaction. A refusal is `Refused`, or the game's own IllegalMove; either way
nothing has changed.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakValueDictionary

from cogs.match.clocks import Clocks, absent, away, clock_of
from cogs.match.positions import PositionCache
from cogs.match.quarantine import Quarantine
from cogs.match.refusals import Refused, check_playing, check_there, stored, unseated
from cogs.match.replay import LoggedEvent, replay
from cogs.match.server_policy import ServerPolicy
from cogs.match.turns import phase, token, turned
from cogs.match.verification import Verdict, verdict
from cogs.match.votes import Choice
from data.records.hours import Hours, PeopleHours
from data.records.match import Conflict, LoggedMove, Match, Status
from data.records.matches import Matches
from data.records.people import People
from data.records.servers import Servers
from rules.core.computer import choose
from rules.core.game import AnyGame, AnyState, Seat

MOST_TAKEN_BACK, MOST_SEALED_ANEW = 100, 50
"""So often a seat's moves are taken back within one turn, and a seat seals anew in one phase. The rules set no end to
either, and each makes the log longer, which is replayed whole. A move that is due always counts.
"""


@dataclass(frozen=True, slots=True)
class Played:
    """What became of a decision. `again`: it was recorded before, and nothing has changed."""

    match: Match
    text: str
    again: bool = False


class MatchService:
    """All tables of this bot. `servers` None: every server allows everything; `hours` None: nobody keeps any."""

    def __init__(
        self,
        matches: Matches,
        people: People,
        games: Mapping[str, AnyGame],
        now: Callable[[], float] = time.time,
        servers: Servers | None = None,
        hours: PeopleHours | None = None,
    ) -> None:
        self.matches = matches
        self.people = people
        self.clocks = Clocks(_no_hours if hours is None else hours.get, now)
        self.games = games
        self.quarantine = Quarantine(matches, games)
        self._now = now
        self.policy = ServerPolicy(matches, servers)
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._positions = PositionCache(games)

    @asynccontextmanager
    async def deciding(self, number: int) -> AsyncIterator[Match]:
        """Hold a match, as it is stored now, while its change is decided and saved. Refused where there is none."""
        async with self._lock(number):
            yield await self.load(number)

    async def load(self, number: int) -> Match:
        """The match as it is stored now. Refused where there is none, or where it is held (see quarantine.py)."""
        match = await self.matches.get(number)
        if match is None:
            raise Refused("no_match")
        await self.quarantine.check(match)
        return match

    async def save(
        self,
        match: Match,
        move: LoggedMove | None = None,
        votes: dict[int, str] | None = None,
        state: AnyState | None = None,
    ) -> Match:
        """Store what was decided inside `deciding`, all of it or nothing, with the clocks as the position wants them.

        `votes` as in `Matches.save`; `state` is the position where that is another by now.
        """
        if match.clocks or match.clock != "none":
            match = await self.clocks.on_position(match, self._asked(match, state))
        votes = await self._voices(match, votes)
        try:
            with stored():
                saved = await self.matches.save(match, move, votes)
        except Conflict as error:
            self._positions.forget(match.id)
            raise Refused("busy") from error
        if move is None:
            self._positions.stands(match, saved)
        for clock in saved.clocks:
            if clock.due is not None:
                self.clocks.alarm(clock.due)
        return saved

    async def _voices(self, match: Match, votes: dict[int, str] | None) -> dict[int, str] | None:
        """The voices without those on people who are absent no more: the next time is another. None: all stay."""
        before = await self.matches.get(match.id)
        if before is None or not absent(before) or absent(match):
            return votes
        votes = await self.matches.votes(match.id) if votes is None else votes
        return {user: text for user, text in votes.items() if text != str(Choice("replace"))}

    def now(self) -> float:
        """Seconds since 1970, by this machine's clock."""
        return self._now()

    # The match.

    def game(self, match: Match) -> AnyGame:
        return self.games[match.game]

    def state(self, match: Match) -> AnyState:
        """The position of a started match, at the version of `match`."""
        return self._positions.state(match)

    def turn(self, match: Match, seat: Seat) -> str:
        """The token of a seat's decision, as its buttons carry it and the log keeps it (see cogs/match/turns.py)."""
        return token(match, self.state(match), seat)

    def seat_may_take_back(self, match: Match, seat: Seat) -> bool:
        """Whether the last move is this seat's alone to take back, whoever sat there then."""
        return match.running and self.state(match).may_take_back(seat)

    async def person_may_take_back(self, match: Match, seat: Seat) -> bool:
        """Whether the last move is for the person in this seat alone to take back: no other person made it."""
        if not self.seat_may_take_back(match, seat):
            return False
        chair = match.chairs[seat]
        if not chair.since:  # nobody sat there before
            return True
        last = next(move for move in reversed(await self.matches.moves(match.id)) if move.undone_at is None)
        return last.user in (None, chair.user)

    async def story(self, match: Match) -> Sequence[LoggedEvent]:
        """Everything that has happened in a started match up to its version, unfiltered: show nobody an event but by
        `seen_by`.
        """
        self.state(match)
        story = self._positions.story(match)
        if story is None:
            story, _ = replay(self.game(match), match, await self.matches.moves(match.id))
            self._positions.keep_story(match, story)
        end = len(story)
        while end and story[end - 1].move >= match.moves:
            end -= 1
        return story[:end]

    async def position(self, match: Match, moves: int) -> AnyState:
        """The position when the log of a started match had so many moves; what has been taken back since then stood."""
        log = [
            replace(move, undone_at=None) if move.undone_at is not None and move.undone_at > moves else move
            for move in (await self.matches.moves(match.id))[:moves]
        ]
        return replay(self.game(match), match, log)[1]

    async def play(self, number: int, user: int, turn: str | None, text: str) -> Played:
        """One decision of one person. `turn` is the token of the button pressed; None for typed words.

        Raises Refused (not seated, out of date, over …) or IllegalMove. The same decision twice is `again`.
        """
        async with self.deciding(number) as match:
            check_there(match)
            seat = match.seat_of(user)
            if seat is None:
                raise unseated(match, user)
            if match.state is None:
                raise Refused("not_started" if match.open else f"is_{match.ending}")
            match = await self._back(match, seat)
            state = self.state(match)
            known = turn is None or turn == self.turn(match, Seat(seat))
            asked = known and Seat(seat) in state.to_move()  # then nothing can have been decided in that turn
            before = await self.matches.decision(number, seat, turn) if turn and not asked else None
            if before is not None and before.text == text:
                return Played(match, text, again=True)
            if match.status is not Status.PLAYING:
                raise Refused(f"is_{match.ending}")
            if match.rests_since is not None:
                raise Refused("rests")
            if before is not None:
                raise Refused("decided")
            if not known:
                raise Refused("out_of_date")
            move = self.games[match.game].parse(Seat(seat), text)
            if Seat(seat) not in state.to_move() and state.legal_moves(Seat(seat)):
                await self._check_sealed(match, Seat(seat))
            return await self._apply(match, state, move, user)

    async def undo(self, number: int, user: int, turn: str | None) -> Played:
        """Take the last move back, where it is this person's alone to take back. `turn` as in `play`.

        The log keeps the move, marked; the position before it is found by replaying what still stands. Raises Refused.
        """
        async with self.deciding(number) as match:
            check_playing(match)
            seat = match.seat_of(user)
            if seat is None:
                raise unseated(match, user)
            if match.rests_since is not None:
                raise Refused("rests")
            if turn is not None and turn != self.turn(match, Seat(seat)):
                raise Refused("undone")
            if not await self.person_may_take_back(match, Seat(seat)):
                raise Refused("may_not_undo")
            return await self.take_back(self.clocks.mark_back(match, seat), own=seat)

    async def take_back(self, match: Match, votes: dict[int, str] | None = None, own: int | None = None) -> Played:
        """Take the last move that stands back, inside `deciding`: whoever asks for it has a right to it. `own`: the
        seat that takes back what it has done in a turn under way, which gives it no more time. Refused where that was
        done too often.
        """
        log = await self.matches.moves(match.id)
        last = max(move.number for move in log if move.undone_at is None)
        _, undone = await self.matches.decided(match.id, log[last].seat, phase(log[last].turn))
        if undone >= MOST_TAKEN_BACK:
            raise Refused("undone_often", count=MOST_TAKEN_BACK)
        log[last] = replace(log[last], undone_at=match.moves)
        story, before = replay(self.game(match), match, log)
        after = turned(replace(match, undone=match.undone + 1), self.state(match), before, int(self._now()))
        if own is not None:
            after = self._in_same_turn(match, after, before, Seat(own))
        match = await self.save(after, log[last], votes, before)
        self._positions.keep(match, before, story)
        return Played(match, log[last].text)

    async def play_automatic(self, number: int, least: float = 0.0) -> Played | None:
        """One move that no person makes (see `automatic`); None where there is none.

        A computer gets the position to choose from only in versions that its seat cannot tell apart. It takes so many
        seconds at least: how long it thinks would tell how many moves it has.
        """
        async with self.deciding(number) as match:
            seat = await self.automatic(match)
            if seat is None:
                return None
            state, user = self.state(match), match.chairs[seat].user
            if user is not None and seat not in {chair.number for chair in away(match)}:
                return await self._apply(match, state, state.legal_moves(seat)[0], user)
            thought = asyncio.to_thread(choose, self.games[match.game], state, seat, secrets.token_hex(8))
            move, _ = await asyncio.gather(thought, asyncio.sleep(least))
            return await self._apply(match, state, move, None)

    async def automatic(self, match: Match) -> Seat | None:
        """A seat that the table waits for and that needs nobody: a computer's, that of a person who is away, or that of
        one who has one legal move and has asked for such moves to be made for them at this table.

        Where everybody is away the table rests, and no match is played by computers alone.
        """
        if not match.running:
            return None
        state, gone = self.state(match), {chair.number for chair in away(match)}
        if len(gone) == len(match.people):
            return None
        for seat in sorted(state.to_move()):
            if match.chairs[seat].user is None or seat in gone or self._is_forced(match, seat):
                return seat
        return None

    def _is_forced(self, match: Match, seat: Seat) -> bool:
        """Whether the move of a seat that the table waits for is made for its person, who has no choice."""
        if not match.chairs[seat].plays_forced or len(self.state(match).legal_moves(seat)) != 1:
            return False
        return not self.seat_may_take_back(match, seat)  # that would be a choice

    # The clock.

    async def ring(self, number: int, seat: int, turn: str) -> bool:
        """A deadline of what was asked of a seat. False where it meant nothing any more."""
        async with self.deciding(number) as match:
            return await self._saved_if(await self.clocks.on_deadline(match, seat, turn))

    async def back(self, number: int, user: int) -> Match:
        """A person who was away plays again from now on."""
        async with self.deciding(number) as match:
            seat = match.seat_of(user)
            if seat is None:
                raise unseated(match, user)
            return await self._back(match, seat)

    async def _back(self, match: Match, seat: int) -> Match:
        back = self.clocks.mark_back(match, seat)
        return match if back is match else await self.save(back)

    async def give_back(self, number: int, until: int) -> bool:
        """No clock of that match has run since `until`. False where nothing changed."""
        async with self.deciding(number) as match:
            return await self._saved_if(await self.clocks.credit(match, until))

    async def rehour(self, number: int, user: int, before: Hours) -> bool:
        """A person keeps other hours from now on than before. False where nothing changed."""
        async with self.deciding(number) as match:
            return await self._saved_if(await self.clocks.on_hours_changed(match, user, before))

    async def _saved_if(self, changed: Match | None) -> bool:
        if changed is not None:
            await self.save(changed)
        return changed is not None

    def call(self, match: Match, seat: int) -> str | None:
        """What a person is pinged for once: what they are asked, each time that they are called again, and that a
        computer plays for them. None: nothing, also where the move that they are asked for is made for them.
        """
        if not match.running:
            return None
        clock = clock_of(match, seat)
        if clock is not None and clock.away is not None:
            return f"away {clock.away}"
        state = self.state(match)
        if Seat(seat) not in state.to_move() or self._is_forced(match, Seat(seat)):
            return None
        turn = state.turn(Seat(seat))
        if match.undone:  # the same turn once more is another call
            turn = f"{turn}-{match.undone}"
        return f"{turn} {clock.called}" if clock is not None and clock.called else turn

    def is_last(self, match: Match, seat: int) -> bool:
        """Whether of several people who decide at once all others have, so that the table waits for this one alone."""
        if not match.running or not match.alone or (call := self.call(match, seat)) is None:
            return False
        return not call.startswith("away") and match.alone == self.state(match).turn(Seat(seat))

    async def set_place(self, seen: Match, place: int) -> Match:
        """The table has moved to a thread of its own, or back to its channel, where it then stays. Nothing changes
        where somebody has moved it since it was seen.
        """
        async with self.deciding(seen.id) as match:
            if (match.channel, match.place) != (seen.channel, seen.place):
                return match
            return await self.save(replace(match, place=place, own_thread=place != match.channel))

    async def verify(self, number: int) -> Verdict:
        """Recompute every deal of a match that is over. Refused while the seed is secret."""
        match = await self.load(number)
        if match.open or match.state is None:
            raise Refused("not_over")
        return verdict(self.game(match), match, await self.matches.moves(number))

    # Inside.

    async def _check_sealed(self, match: Match, seat: Seat) -> None:
        """Refused where a seat that is not awaited has sealed anew too often in this phase."""
        count, _ = await self.matches.decided(match.id, seat, phase(self.turn(match, seat)))
        if count > MOST_SEALED_ANEW:
            raise Refused("sealed_often", count=MOST_SEALED_ANEW)

    def _lock(self, number: int) -> asyncio.Lock:
        return self._locks.setdefault(number, asyncio.Lock())

    async def _apply(self, match: Match, state: AnyState, move: Any, user: int | None) -> Played:
        seat = int(move.seat)
        logged = LoggedMove(match.moves, seat, self.turn(match, move.seat), str(move), user)
        after, events = state.apply(move)
        story = self._positions.story_to_go_on(match)
        later = turned(replace(match, moves=match.moves + 1), state, after, int(self._now()))
        match = self._in_same_turn(match, later, after, move.seat) if after.may_take_back(move.seat) else later
        if after.outcome() is not None:
            match = replace(match, status=Status.OVER, ended_at=int(self._now()))
        match = await self.save(match, logged, state=after)
        if story is not None:
            story.extend(LoggedEvent(logged.number, event, False, seat, user) for event in events)
        self._positions.keep(match, after, story)
        return Played(match, logged.text)

    def _in_same_turn(self, before: Match, match: Match, state: AnyState, seat: Seat) -> Match:
        """The match in whose position the seat is in the same turn as before, if it is asked at all."""
        if seat not in state.to_move():
            return match
        match = replace(match, turn_since=before.turn_since)
        return self.clocks.same_turn(match, seat, token(match, state, seat))

    def _asked(self, match: Match, state: AnyState | None) -> dict[int, str]:
        """The token of what each seat is asked, as its buttons carry it."""
        if match.status is not Status.PLAYING:
            return {}
        state = state or self.state(match)
        return {int(seat): token(match, state, seat) for seat in state.to_move()}


async def _no_hours(user: int) -> Hours:
    return Hours()
