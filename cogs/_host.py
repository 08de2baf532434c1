"""The table's side of a match, end to end: who may do what, one move at a time, saved before it is told.

Everything here speaks of matches, people and seats; nothing knows Discord. Each change of a match takes the match's
lock, loads, decides, and saves in one transaction. A refusal is `Refused`, or the game's own IllegalMove; either way
nothing has changed.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakValueDictionary

from cogs._clock import PRESETS
from cogs._timekeeper import ABSENT, Timekeeper, absent, away, clock_of, present, voices
from data.database import NotStored
from data.hours import Hours, PeopleHours
from data.matches import Chair, Conflict, LoggedMove, Match, Matches, Status
from data.people import People
from rules.core.chance import Shuffled, commitment, shuffle
from rules.core.computer import choose
from rules.core.game import AnyState, BadOption, Event, Game, Seat, chosen_options

COMPUTERS = ("Ada", "Blaise", "Clara", "Dorothea", "Emmy", "Felix", "Grace", "Henri")
CHOICES = ("end", "go_on", "replace", *(f"clock_{name}" for name in PRESETS))
"""What people may vote: to end the match, to go on as it is, to give the seats of those who are absent to computers for
good, to have another clock or none.
"""
KEPT_STORIES = 256
"""Matches whose events are kept in memory; those of others are found again by replaying their log."""


class Refused(Exception):
    """The table refuses, for the reason whose sentence is `refused.<key>` in data/locales/<language>/common.toml."""

    def __init__(self, key: str, **facts: object) -> None:
        super().__init__(key)
        self.key = key
        self.facts = facts


@dataclass(frozen=True, slots=True)
class Told:
    """An event, and the number of the move that caused it (-1: the opening). `undone`: that move was taken back."""

    move: int
    event: Event
    undone: bool = False


@dataclass(frozen=True, slots=True)
class Played:
    """What became of a decision. `again`: it was recorded before, and nothing has changed."""

    match: Match
    text: str
    again: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """What `/verify` finds: the seed as published, its commitment, and every deal recomputed from it."""

    seed: str
    commitment: str
    deals: tuple[Shuffled, ...]
    faults: tuple[int, ...]
    """Ordinals of deals that the seed does not give; empty where all is well."""
    same_end: bool
    """Whether replaying the log leads to the position that is stored."""


@dataclass(slots=True)
class _Live:
    """A match in memory: its position at a version, and its events so far where they were asked for."""

    version: int
    state: AnyState
    story: list[Told] | None = None


class Host:
    """All tables of this bot. `decks` are the deck tables to begin new matches with, by slug."""

    def __init__(
        self,
        matches: Matches,
        people: People,
        games: Mapping[str, Game],
        decks: Mapping[str, Mapping[str, Any]],
        now: Callable[[], float] = time.time,
        hours: PeopleHours | None = None,
    ) -> None:
        self.matches = matches
        self.people = people
        self.timekeeper = Timekeeper(_no_hours if hours is None else hours.get, now)
        self.games = games
        self._decks = decks
        self._now = now
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._live: OrderedDict[int, _Live] = OrderedDict()

    # The lobby.

    async def open(self, game: str, *, guild: int, channel: int, user: int, name: str, locale: str) -> Match:
        """Open a lobby with its host as the first player."""
        match = Match(
            id=0,
            game=self.games[game].slug,
            status=Status.LOBBY,
            guild=guild,
            channel=channel,
            place=channel,
            host=user,
            locale=locale,
            options={},
            wanted=None,
            own_thread=False,
            secret=secrets.token_hex(32),
            state=None,
            version=0,
            moves=0,
            opened_at=int(self._now()),
            started_at=None,
            turn_since=None,
            ended_at=None,
            chairs=(Chair(0, user, name),),
        )
        with _stored():
            return await self.matches.open(match)

    async def open_again(self, match: Match, user: int, name: str) -> Match:
        """A new lobby like that of an ended match, in the channel where that one was opened."""
        new = await self.open(
            match.game, guild=match.guild, channel=match.channel, user=user, name=name, locale=match.locale
        )
        options = {option: value for option, value in match.options.items() if option != "deck"}
        async with self._lock(new.id):
            new = replace(new, options=options, own_thread=match.own_thread, clock=match.clock, absent=match.absent)
            return await self._save(new)

    async def join(self, number: int, user: int, name: str) -> Match:
        """Sit down at the lobby's table. Refused: seated, full, started, closed."""

        def sit(match: Match) -> Match:
            if match.seat_of(user) is not None:
                raise Refused("seated")
            self._room(match)
            return replace(match, chairs=(*match.chairs, Chair(len(match.chairs), user, name)))

        return await self._lobby(number, sit)

    async def leave(self, number: int, user: int) -> Match:
        """Get up again; a lobby without people is cancelled, and a host who leaves hands the lobby on."""

        def get_up(match: Match) -> Match:
            if match.seat_of(user) is None:
                raise Refused("not_seated")
            match = replace(match, chairs=_numbered([c for c in match.chairs if c.user != user]))
            if not match.people:
                return replace(match, status=Status.CANCELLED, ended_at=int(self._now()))
            if match.host == user:
                heir = match.people[0].user
                assert heir is not None
                match = replace(match, host=heir)
            return match

        return await self._lobby(number, get_up)

    async def add_computer(self, number: int, user: int) -> Match:
        def add(match: Match) -> Match:
            _seated(match, user)
            self._room(match)
            taken = {chair.name for chair in match.chairs}
            name = next(name for name in COMPUTERS if name not in taken)
            return replace(match, chairs=(*match.chairs, Chair(len(match.chairs), None, name)))

        return await self._lobby(number, add)

    async def remove_computer(self, number: int, user: int) -> Match:
        def remove(match: Match) -> Match:
            _seated(match, user)
            last = next((chair for chair in reversed(match.chairs) if chair.user is None), None)
            if last is None:
                raise Refused("no_computer")
            return replace(match, chairs=_numbered([c for c in match.chairs if c is not last]))

        return await self._lobby(number, remove)

    async def choose_option(self, number: int, user: int, name: str, value: str) -> Match:
        """Set an option from a select's text; `seats`, `place`, `clock` and `absent` are the table's own. Any seated
        person may.
        """

        def set_option(match: Match) -> Match:
            _seated(match, user)
            game = self.games[match.game]
            if name == "place":
                return replace(match, own_thread=value == "thread")
            if name == "clock" and value in PRESETS:
                return replace(match, clock=value)
            if name == "absent" and value in ABSENT:
                return replace(match, absent=value)
            if name == "seats":
                wanted = int(value) if value.isdecimal() else None
                if wanted is not None and (wanted not in game.seats or wanted < len(match.chairs)):
                    raise Refused("bad_seats", count=len(match.chairs))
                return replace(match, wanted=wanted)
            offered = {option.name: option for option in self.options(match)}
            chosen = next((v for v in offered[name].values if str(v) == value), None) if name in offered else None
            if chosen is None:
                raise Refused("bad_option")
            return replace(match, options={**match.options, name: chosen})

        return await self._lobby(number, set_option)

    def deck(self, slug: str) -> Mapping[str, Any]:
        """The deck table that a match of this game would begin with now."""
        return self._decks.get(slug) or self.games[slug].deck

    def options(self, match: Match) -> Sequence[Any]:
        """What the lobby may choose, for as many players as it has or waits for."""
        game = self.games[match.game]
        seats = match.wanted or max(len(match.chairs), game.seats[0])
        return game.options(seats, match.options)

    async def start(self, number: int, user: int) -> Match:
        """Draw the seats, deal, and begin. The options must fit the players who have come."""

        def begin(match: Match) -> Match:
            _seated(match, user)
            game, seats = self.games[match.game], len(match.chairs)
            if seats not in game.seats or (match.wanted is not None and seats < match.wanted):
                least = match.wanted or game.seats[0]
                raise Refused("too_few" if seats < least else "full", count=seats, least=least)
            chosen = {name: value for name, value in match.options.items() if name != "deck"}
            try:
                options = {**chosen_options(game, seats, chosen), "deck": dict(self.deck(game.slug))}
                state = game.new(seats, options, match.secret)
            except BadOption as error:
                raise Refused("options_do_not_fit", count=seats) from error
            # The seats are drawn from the seed too, under a name that no deal has.
            drawn = shuffle(f"{match.secret}:seats", 0, match.chairs)
            now = int(self._now())
            return replace(
                match,
                status=Status.PLAYING,
                options=options,
                chairs=_numbered(drawn),
                state=state.to_json(),
                started_at=now,
                turn_since=now,
            )

        return await self._lobby(number, begin)

    async def cancel(self, number: int, user: int, manager: bool) -> Match:
        """Call a match off: in the lobby its host may, later only a manager of the server."""

        async with self._lock(number):
            match = await self._load(number)
            if not match.open:
                raise Refused(f"is_{match.status.value}")
            if not manager and (match.status is not Status.LOBBY or match.host != user):
                raise Refused("not_host" if match.status is Status.LOBBY else "not_manager")
            return await self._save(replace(match, status=Status.CANCELLED, ended_at=int(self._now())))

    # The match.

    def game(self, match: Match) -> Game:
        return self.games[match.game]

    def state(self, match: Match) -> AnyState:
        """The position of a started match, at the version of `match`."""
        live = self._live.get(match.id)
        if live is not None and live.version == match.version:
            return live.state
        assert match.state is not None
        state = self.games[match.game].from_json(match.state)
        if live is None or live.version < match.version:  # who still shows an older one does not displace the newest
            self._remember(match.id, _Live(match.version, state))
        return state

    def turn(self, match: Match, seat: Seat) -> str:
        """The token of a seat's decision, as its buttons carry it and the log keeps it.

        It is the rules' own, and after a dash how many moves have been taken back: that brings the rules' tokens back,
        and a button of a position that is no more must not act on another. Both are public (`may_take_back`).
        """
        return _token(match, self.state(match), seat)

    def may_undo(self, match: Match, seat: Seat) -> bool:
        """Whether the last move is this seat's alone to take back."""
        return match.status is Status.PLAYING and self.state(match).may_take_back(seat)

    async def story(self, match: Match) -> Sequence[Told]:
        """Everything that has happened in a started match up to its version, unfiltered: show nobody an event but by
        `seen_by`.
        """
        self.state(match)
        live = self._live.get(match.id)
        story = None if live is None else live.story
        if story is None:
            story, _ = self._replay(match, await self.matches.moves(match.id))
            if live is not None and live.version == match.version:
                live.story = story
        end = len(story)
        while end and story[end - 1].move >= match.moves:
            end -= 1
        return story[:end]

    async def play(self, number: int, user: int, turn: str | None, text: str) -> Played:
        """One decision of one person. `turn` is the token of the button pressed; None for typed words.

        Raises Refused (not seated, out of date, over …) or IllegalMove. The same decision twice is `again`.
        """
        async with self._lock(number):
            match = await self._load(number)
            seat = match.seat_of(user)
            if seat is None:
                raise Refused("not_seated")
            if match.status is Status.LOBBY:
                raise Refused("not_started")
            match = await self._back(match, seat)
            state = self.state(match)
            known = turn is None or turn == self.turn(match, Seat(seat))
            asked = known and Seat(seat) in state.to_move()  # then nothing can have been decided in that turn
            before = await self.matches.decision(number, seat, turn) if turn and not asked else None
            if before is not None and before.text == text:
                return Played(match, text, again=True)
            if match.status is not Status.PLAYING:
                raise Refused(f"is_{match.status.value}")
            if before is not None:
                raise Refused("decided")
            if not known:
                raise Refused("out_of_date")
            move = self.games[match.game].parse(Seat(seat), text)
            return await self._apply(match, state, move, user)

    async def undo(self, number: int, user: int, turn: str | None) -> Played:
        """Take the last move back, where it is this person's alone to take back. `turn` as in `play`.

        The log keeps the move, marked; the position before it is found by replaying what still stands. Raises Refused.
        """
        async with self._lock(number):
            match = await self._running(number)
            seat = match.seat_of(user)
            if seat is None:
                raise Refused("not_seated")
            if turn is not None and turn != self.turn(match, Seat(seat)):
                raise Refused("undone")
            if not self.may_undo(match, Seat(seat)):
                raise Refused("may_not_undo")
            match = await self._back(match, seat)
            log = await self.matches.moves(number)
            last = max(move.number for move in log if move.undone_at is None)
            log[last] = replace(log[last], undone_at=match.moves)
            story, before = self._replay(match, log)
            match = self._turned(replace(match, undone=match.undone + 1), self.state(match), before)
            match = await self._save(match, log[last], state=before)
            self._remember(number, _Live(match.version, before, story))
            return Played(match, log[last].text)

    async def play_automatic(self, number: int) -> Played | None:
        """One move that no person makes (see `automatic`); None where there is none.

        A computer gets the position to choose from only in versions that its seat cannot tell apart.
        """
        async with self._lock(number):
            match = await self._load(number)
            seat = await self.automatic(match)
            if seat is None:
                return None
            state, user = self.state(match), match.chairs[seat].user
            if user is not None and seat not in {chair.number for chair in away(match)}:
                return await self._apply(match, state, state.legal_moves(seat)[0], user)
            seed = secrets.token_hex(8)
            move = await asyncio.to_thread(choose, self.games[match.game], state, seat, seed)
            return await self._apply(match, state, move, None)

    async def automatic(self, match: Match) -> Seat | None:
        """A seat that the table waits for and that needs nobody: a computer's, that of a person who is away, or that of
        one who has one legal move and has asked for such moves to be made for them.

        Where everybody is away the table rests, and no match is played by computers alone.
        """
        if match.status is not Status.PLAYING:
            return None
        state, gone = self.state(match), {chair.number for chair in away(match)}
        if len(gone) == len(match.people):
            return None
        for seat in sorted(state.to_move()):
            user = match.chairs[seat].user
            if user is None or seat in gone:
                return seat
            if len(state.legal_moves(seat)) == 1 and not self.may_undo(match, seat):  # that would be a choice
                person = await self.people.get(user)
                if person is not None and person.plays_forced:
                    return seat
        return None

    # The end, otherwise.

    async def give_seat_to_computer(self, number: int, user: int) -> Match:
        """A person leaves a running match for good; a computer takes the seat. That may decide a vote, and without
        people left the match stops.
        """
        async with self._lock(number):
            match = await self._running(number)
            seat = match.seat_of(user)
            if seat is None:
                raise Refused("not_seated")
            match = _with_computers(match, {seat})
            votes = {u: v for u, v in (await self.matches.votes(number)).items() if u != user}
            return await self._counted(match, votes)

    async def vote(self, number: int, user: int, choice: str) -> tuple[Match, dict[int, str]]:
        """One voice of a seated person for one of CHOICES: what more than half of those who are there want is done.

        Gives the match, and the voices as they were counted.
        """
        async with self._lock(number):
            match = await self._running(number)
            seat = match.seat_of(user)
            if seat is None:
                raise Refused("not_seated")
            if choice not in CHOICES:
                raise Refused("bad_option")
            match = await self._back(match, seat)
            if choice == "replace" and not absent(match):
                raise Refused("nobody_absent")
            if choice == f"clock_{match.clock}":
                raise Refused("same_clock")
            votes = {**await self.matches.votes(number), user: choice}
            return await self._counted(match, votes), votes

    async def _counted(self, match: Match, votes: dict[int, str]) -> Match:
        """Store the voices, and do what more than half of them want; then they are counted no more."""
        most, counted = len(present(match)), voices(match, votes)
        choice = next((choice for choice, count in counted.items() if 2 * count > most), "")
        if choice == "replace":
            match = _with_computers(match, {chair.number for chair in absent(match)})
        elif choice.startswith("clock_"):
            match = replace(match, clock=choice.removeprefix("clock_"), clocks=())
        if choice == "end" or not match.people:
            return await self._save(replace(match, status=Status.STOPPED, ended_at=int(self._now())), votes=votes)
        return await self._save(match, votes={} if choice else votes)

    # The clock.

    async def ring(self, number: int, seat: int, turn: str) -> bool:
        """A deadline of what was asked of a seat. False where it meant nothing any more."""
        async with self._lock(number):
            match = await self._load(number)
            rung = await self.timekeeper.rung(match, seat, turn)
            if rung is not None:
                await self._save(rung)
            return rung is not None

    async def back(self, number: int, user: int) -> Match:
        """A person who was away plays again from now on."""
        async with self._lock(number):
            match = await self._load(number)
            seat = match.seat_of(user)
            if seat is None:
                raise Refused("not_seated")
            return await self._back(match, seat)

    async def _back(self, match: Match, seat: int) -> Match:
        back = self.timekeeper.back(match, seat)
        return match if back is match else await self._save(back)

    async def give_back(self, number: int, until: int) -> bool:
        """No clock of that match has run since `until`. False where nothing changed."""
        async with self._lock(number):
            match = await self._load(number)
            return await self._saved_if(await self.timekeeper.given_back(match, until))

    async def rehour(self, number: int, user: int, before: Hours) -> bool:
        """A person keeps other hours from now on than before. False where nothing changed."""
        async with self._lock(number):
            match = await self._load(number)
            return await self._saved_if(await self.timekeeper.rehoured(match, user, before))

    async def _saved_if(self, changed: Match | None) -> bool:
        if changed is not None:
            await self._save(changed)
        return changed is not None

    def call(self, match: Match, seat: int) -> str | None:
        """What a person is pinged for once: what they are asked, each time that they are called again, and that a
        computer plays for them. None: nothing.
        """
        if match.status is not Status.PLAYING:
            return None
        clock = clock_of(match, seat)
        if clock is not None and clock.away is not None:
            return f"away {clock.away}"
        state = self.state(match)
        if Seat(seat) not in state.to_move():
            return None
        turn = state.turn(Seat(seat))
        return f"{turn} {clock.called}" if clock is not None and clock.called else turn

    async def set_place(self, number: int, place: int) -> Match:
        """The table has moved to a thread of its own, or back to its channel, where it then stays."""
        async with self._lock(number):
            match = await self._load(number)
            return await self._save(replace(match, place=place, own_thread=place != match.channel))

    async def verify(self, number: int) -> Verdict:
        """Recompute every deal of a match that is over. Refused while the seed is secret."""
        match = await self._load(number)
        if match.open or match.state is None:
            raise Refused("not_over")
        story, end = self._replay(match, await self.matches.moves(number))
        deals = tuple(told.event for told in story if isinstance(told.event, Shuffled) and not told.undone)
        return Verdict(
            seed=match.secret,
            commitment=commitment(match.secret),
            deals=deals,
            faults=tuple(d.ordinal for d in deals if shuffle(match.secret, d.ordinal, d.before) != d.after),
            same_end=end.to_json() == match.state,
        )

    # Inside.

    def _lock(self, number: int) -> asyncio.Lock:
        lock = self._locks.get(number)
        if lock is None:
            lock = self._locks[number] = asyncio.Lock()
        return lock

    async def _load(self, number: int) -> Match:
        match = await self.matches.get(number)
        if match is None:
            raise Refused("no_match")
        return match

    async def _running(self, number: int) -> Match:
        match = await self._load(number)
        if match.status is not Status.PLAYING:
            raise Refused("not_started" if match.status is Status.LOBBY else f"is_{match.status.value}")
        return match

    async def _lobby(self, number: int, change: Callable[[Match], Match]) -> Match:
        async with self._lock(number):
            match = await self._load(number)
            if match.status is not Status.LOBBY:
                raise Refused("started" if match.status is Status.PLAYING else f"is_{match.status.value}")
            return await self._save(change(match))

    async def _apply(self, match: Match, state: AnyState, move: Any, user: int | None) -> Played:
        seat = int(move.seat)
        logged = LoggedMove(match.moves, seat, self.turn(match, move.seat), str(move), user)
        after, events = state.apply(move)
        live = self._live.get(match.id)  # other tables may have displaced it in the meantime
        story = live.story if live is not None and live.version == match.version else None
        match = self._turned(replace(match, moves=match.moves + 1), state, after)
        if after.outcome() is not None:
            match = replace(match, status=Status.OVER, ended_at=int(self._now()))
        match = await self._save(match, logged, state=after)
        if story is not None:
            story.extend(Told(logged.number, event) for event in events)
        self._remember(match.id, _Live(match.version, after, story))
        return Played(match, logged.text)

    def _turned(self, match: Match, before: AnyState, after: AnyState) -> Match:
        """The match at its new position, since now if that asks somebody anew."""
        since = match.turn_since if _awaited(after) == _awaited(before) else int(self._now())
        return replace(match, state=after.to_json(), turn_since=since)

    async def _save(
        self,
        match: Match,
        move: LoggedMove | None = None,
        votes: dict[int, str] | None = None,
        state: AnyState | None = None,
    ) -> Match:
        """Store a match with its clocks as its position, or `state` where that is another by now, wants them."""
        if match.clocks or match.clock != "none":
            match = await self.timekeeper.turned(match, self._asked(match, state))
        try:
            with _stored():
                saved = await self.matches.save(match, move, votes)
        except Conflict as error:
            self._live.pop(match.id, None)
            raise Refused("busy") from error
        live = self._live.get(match.id)
        if live is not None and live.version == match.version and move is None:
            live.version = saved.version  # the position is the same
        for clock in saved.clocks:
            if clock.due is not None:
                self.timekeeper.alarm(clock.due)
        return saved

    def _asked(self, match: Match, state: AnyState | None) -> dict[int, str]:
        """The token of what each seat is asked, as its buttons carry it."""
        if match.status is not Status.PLAYING:
            return {}
        state = state or self.state(match)
        return {int(seat): _token(match, state, seat) for seat in state.to_move()}

    def _replay(self, match: Match, log: Sequence[LoggedMove]) -> tuple[list[Told], AnyState]:
        """All that has happened, and the position that what still stands leads to."""
        game = self.games[match.game]
        state = game.new(len(match.chairs), match.options, match.secret)
        story = [Told(-1, event) for event in state.opening()]
        kept: list[tuple[int, AnyState]] = []  # positions to come back to: at which length of the log, and which
        for move in log:
            while kept and kept[-1][0] <= move.number:
                _, state = kept.pop()
            undone = move.undone_at is not None
            if move.undone_at is not None:
                kept.append((move.undone_at, state))
            state, events = state.apply(game.parse(Seat(move.seat), move.text))
            story += [Told(move.number, event, undone) for event in events]
        return story, kept[0][1] if kept else state

    def _remember(self, number: int, live: _Live) -> None:
        self._live[number] = live
        self._live.move_to_end(number)
        while len(self._live) > KEPT_STORIES:
            self._live.popitem(last=False)

    def _room(self, match: Match) -> None:
        most = match.wanted or self.games[match.game].seats[-1]
        if len(match.chairs) >= most:
            raise Refused("full", count=most)


@contextmanager
def _stored() -> Iterator[None]:
    """Around a change that counts when it is stored: Refused, where the database takes nothing."""
    try:
        yield
    except NotStored as error:
        raise Refused("not_stored") from error


def _token(match: Match, state: AnyState, seat: Seat) -> str:
    turn = state.turn(seat)
    return f"{turn}-{match.undone}" if match.undone else turn


async def _no_hours(user: int) -> Hours:
    return Hours()


def _with_computers(match: Match, seats: Collection[int]) -> Match:
    """The match with computers in those seats from now on."""
    taken = {chair.name for chair in match.chairs if chair.number not in seats}
    names = iter([name for name in COMPUTERS if name not in taken])
    chairs = tuple(
        Chair(chair.number, None, next(names), match.moves) if chair.number in seats else chair
        for chair in match.chairs
    )
    clocks = tuple(clock for clock in match.clocks if clock.seat not in seats)
    return replace(match, chairs=chairs, clocks=clocks)


def _awaited(state: AnyState) -> frozenset[tuple[Seat, str]]:
    """Who is asked, and for what: when it changes, a new turn has begun. Sealing anew does not change it."""
    return frozenset((seat, state.turn(seat)) for seat in state.to_move())


def _seated(match: Match, user: int) -> None:
    if match.seat_of(user) is None:
        raise Refused("not_seated")


def _numbered(chairs: Sequence[Chair]) -> tuple[Chair, ...]:
    return tuple(replace(chair, number=number) for number, chair in enumerate(chairs))
