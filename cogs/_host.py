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
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakValueDictionary

from cogs._clock import PRESETS
from cogs._timekeeper import ABSENT, Timekeeper, absent, away, clock_of
from cogs._votes import Choice
from data.database import NotStored
from data.hours import Hours, PeopleHours
from data.matches import Chair, Conflict, LoggedMove, Match, Matches, Status
from data.people import People
from data.servers import Server, Servers, Threads
from rules.core.chance import Shuffled, commitment, shuffle
from rules.core.computer import choose
from rules.core.game import AnyState, BadOption, Event, Game, Seat, chosen_options

COMPUTERS = ("Ada", "Blaise", "Clara", "Dorothea", "Emmy", "Felix", "Grace", "Henri")
PAUSE = 30 * 86_400
"""Seconds that a match waits for the bot to be asked back to its server."""
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
    """All tables of this bot. `decks` are the deck tables to begin new matches with, by slug; `servers` None: every
    server allows everything.
    """

    def __init__(
        self,
        matches: Matches,
        people: People,
        games: Mapping[str, Game],
        decks: Mapping[str, Mapping[str, Any]],
        now: Callable[[], float] = time.time,
        servers: Servers | None = None,
        hours: PeopleHours | None = None,
    ) -> None:
        self.matches = matches
        self.people = people
        self.timekeeper = Timekeeper(_no_hours if hours is None else hours.get, now)
        self.games = games
        self._decks = decks
        self._now = now
        self._servers = servers
        self._seating = asyncio.Lock()  # no two at once sit down where there is room for one
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._live: OrderedDict[int, _Live] = OrderedDict()

    # The lobby.

    async def open(
        self, game: str, *, guild: int, channel: int, user: int, name: str, locale: str, room: int = 0, **more: Any
    ) -> Match:
        """Open a lobby with its host as the first player. Refused: game, server or person have no room for it.

        `more`: other fields of the match; of those who wait in it so many sit down at once as there is `room` for.
        """
        if not (await self.server(guild)).allows_game(self.games[game].slug):
            raise Refused("game_not_here", game=self.games[game].title)
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
            touched_at=int(self._now()),
        )
        match = replace(match, **more)
        async with self.seating(guild, user, new=True):
            match = _sat_down(match, room, await self._kept_out(match))
            with _stored():
                return await self.matches.open(match)

    async def join(self, number: int, user: int, name: str) -> Match:
        """Sit down at the lobby's table. Refused: seated, full, started, closed, at too many tables."""

        def sit(match: Match) -> Match:
            if match.seat_of(user) is not None:
                raise Refused("seated")
            self._check_room(match)
            waiting = tuple(who for who in match.waiting if who.user != user)
            return replace(match, chairs=(*match.chairs, Chair(len(match.chairs), user, name)), waiting=waiting)

        return await self._lobby(number, sit, joins=user)

    async def leave(self, number: int, user: int) -> Match:
        """Get up again, or wait no more; who waits longest sits down instead. A lobby without people is cancelled, and
        a host who leaves hands the lobby on.
        """

        def get_up(match: Match) -> Match:
            if any(who.user == user for who in match.waiting):
                return replace(match, waiting=tuple(who for who in match.waiting if who.user != user))
            _seated(match, user)
            return replace(match, chairs=_numbered([c for c in match.chairs if c.user != user]))

        return await self._lobby(number, get_up)

    async def add_computer(self, number: int, user: int) -> Match:
        def add(match: Match) -> Match:
            _seated(match, user)
            self._check_room(match)
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
        threads = (await self.server((await self.load(number)).guild)).threads

        def set_option(match: Match) -> Match:
            _seated(match, user)
            game = self.games[match.game]
            if name == "place":
                if threads is not Threads.ALLOWED:
                    raise Refused(f"threads_{threads.value}")
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

    def _check_room(self, match: Match) -> None:
        """Refused where nobody else can sit down."""
        if self._room(match) <= 0:
            raise Refused("full", count=match.wanted or self.games[match.game].seats[-1])

    def deck(self, slug: str) -> Mapping[str, Any]:
        """The deck table that a match of this game would begin with now."""
        return self._decks.get(slug) or self.games[slug].deck

    def options(self, match: Match) -> Sequence[Any]:
        """What the lobby may choose, for as many players as it has or waits for."""
        game = self.games[match.game]
        seats = match.wanted or max(len(match.chairs), game.seats[0])
        return game.options(seats, match.options)

    async def start(self, number: int, user: int) -> Match:
        """Draw the seats, deal, and begin. The options must fit the players who have come.

        Of a match that is played again the seats are not drawn: they go round, so that somebody else begins.
        """
        lobby = await self.load(number)
        server = await self.server(lobby.guild)
        before = await self.matches.get(lobby.previous) if lobby.previous is not None else None

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
            if before is not None and before.state is not None:
                drawn = _gone_round(before.chairs, match.chairs)
            now = int(self._now())
            return replace(
                match,
                status=Status.PLAYING,
                options=options,
                chairs=_numbered(drawn),
                own_thread=server.own_thread(match.own_thread),
                state=state.to_json(),
                started_at=now,
                turn_since=now,
            )

        return await self._lobby(number, begin)

    async def cancel(self, number: int, user: int, manager: bool) -> Match:
        """Call a match off: in the lobby its host may, later only a manager of the server."""

        async with self._lock(number):
            match = await self.load(number)
            check_there(match)
            if not match.open:
                raise Refused(f"is_{match.ending}")
            if not manager and (match.status is not Status.LOBBY or match.host != user):
                raise Refused("not_host" if match.status is Status.LOBBY else "not_manager")
            now = int(self._now())
            return await self.save(replace(match, status=Status.CANCELLED, ended_at=now, touched_at=now))

    # A change of any kind.

    @asynccontextmanager
    async def deciding(self, number: int) -> AsyncIterator[Match]:
        """Hold a match, as it is stored now, while its change is decided and saved. Refused where there is none."""
        async with self._lock(number):
            yield await self.load(number)

    async def load(self, number: int) -> Match:
        match = await self.matches.get(number)
        if match is None:
            raise Refused("no_match")
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
            match = await self.timekeeper.turned(match, self._asked(match, state))
        votes = await self._voices(match, votes)
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

    # The server.

    async def server(self, guild: int) -> Server:
        """What the owners of that server have set."""
        return Server(guild) if self._servers is None else await self._servers.get(guild)

    async def change_server(self, guild: int, **facts: Any) -> Server:
        """Change some of these settings. Open matches go on as they are."""
        assert self._servers is not None
        with _stored():
            return await self._servers.change(guild, **facts)

    async def pause(self, number: int) -> Match:
        """The bot is in the match's server no more: from now on nobody is asked for anything."""
        async with self.deciding(number) as match:
            if match.paused or not match.open:
                return match
            return await self.save(replace(match, paused_at=int(self._now())))

    async def go_on(self, number: int) -> Match:
        """The bot is back in the server."""
        async with self.deciding(number) as match:
            if match.paused_at is None or not match.open:
                return match
            now, touched = int(self._now()), match.touched_at - match.paused_at
            back = replace(match, paused_at=None, touched_at=now + touched)
            if match.rests_since is None:  # else all of it is the rest's
                back = going_on(back, match.paused_at, now)
            return await self.save(back)

    async def end_paused(self, number: int) -> Match:
        """End a match that has waited for as long as it may; one that has not stays as it is."""
        async with self.deciding(number) as match:
            now = int(self._now())
            if not match.paused or paused_until(match) > now:
                return match
            status = Status.CANCELLED if match.status is Status.LOBBY else Status.STOPPED
            return await self.save(replace(match, status=status, ended_at=now))

    @asynccontextmanager
    async def seating(self, guild: int, user: int | None, *, new: bool = False) -> AsyncIterator[None]:
        """Let nobody else sit down until this person does, or it is known that they do not; inside `deciding`, where
        both are needed. Refused where the server has as many tables as may be (`new`: it takes another), or the person
        sits at as many. None: nobody is certain to sit down.
        """
        async with self._seating:
            server = await self.server(guild)
            if new and server.most_open is not None and len(await self.matches.open_in(guild)) >= server.most_open:
                raise Refused("server_full", count=server.most_open)
            if user is not None and await self._is_full(server, user):
                raise Refused("person_full", count=server.most_each)
            yield

    async def _is_full(self, server: Server, user: int) -> bool:
        """Whether the person sits at as many tables of that server as may be."""
        if server.most_each is None:
            return False
        return sum(match.guild == server.guild for match in await self.matches.of_user(user)) >= server.most_each

    async def _kept_out(self, match: Match) -> frozenset[int]:
        """Those who wait and may not sit down now, for what the server allows."""
        server = await self.server(match.guild)
        if not server.allows_game(match.game):
            return frozenset(who.user for who in match.waiting)
        return frozenset([who.user for who in match.waiting if await self._is_full(server, who.user)])

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
        return match.running and self.state(match).may_take_back(seat)

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
            match = await self.load(number)
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
            if not self.may_undo(match, Seat(seat)):
                raise Refused("may_not_undo")
            return await self.take_back(self.timekeeper.back(match, seat))

    async def take_back(self, match: Match, votes: dict[int, str] | None = None) -> Played:
        """Take the last move that stands back, inside `deciding`: whoever asks for it has a right to it."""
        log = await self.matches.moves(match.id)
        last = max(move.number for move in log if move.undone_at is None)
        log[last] = replace(log[last], undone_at=match.moves)
        story, before = self._replay(match, log)
        match = self._turned(replace(match, undone=match.undone + 1), self.state(match), before)
        match = await self.save(match, log[last], votes, before)
        self._remember(match.id, _Live(match.version, before, story))
        return Played(match, log[last].text)

    async def play_automatic(self, number: int) -> Played | None:
        """One move that no person makes (see `automatic`); None where there is none.

        A computer gets the position to choose from only in versions that its seat cannot tell apart.
        """
        async with self._lock(number):
            match = await self.load(number)
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
        if not match.running:
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

    # The clock.

    async def ring(self, number: int, seat: int, turn: str) -> bool:
        """A deadline of what was asked of a seat. False where it meant nothing any more."""
        async with self.deciding(number) as match:
            return await self._saved_if(await self.timekeeper.rung(match, seat, turn))

    async def back(self, number: int, user: int) -> Match:
        """A person who was away plays again from now on."""
        async with self.deciding(number) as match:
            seat = match.seat_of(user)
            if seat is None:
                raise unseated(match, user)
            return await self._back(match, seat)

    async def _back(self, match: Match, seat: int) -> Match:
        back = self.timekeeper.back(match, seat)
        return match if back is match else await self.save(back)

    async def give_back(self, number: int, until: int) -> bool:
        """No clock of that match has run since `until`. False where nothing changed."""
        async with self.deciding(number) as match:
            return await self._saved_if(await self.timekeeper.given_back(match, until))

    async def rehour(self, number: int, user: int, before: Hours) -> bool:
        """A person keeps other hours from now on than before. False where nothing changed."""
        async with self.deciding(number) as match:
            return await self._saved_if(await self.timekeeper.rehoured(match, user, before))

    async def _saved_if(self, changed: Match | None) -> bool:
        if changed is not None:
            await self.save(changed)
        return changed is not None

    def call(self, match: Match, seat: int) -> str | None:
        """What a person is pinged for once: what they are asked, each time that they are called again, and that a
        computer plays for them. None: nothing.
        """
        if not match.running:
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
            match = await self.load(number)
            return await self.save(replace(match, place=place, own_thread=place != match.channel))

    async def verify(self, number: int) -> Verdict:
        """Recompute every deal of a match that is over. Refused while the seed is secret."""
        match = await self.load(number)
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

    async def _lobby(self, number: int, change: Callable[[Match], Match], joins: int | None = None) -> Match:
        """Change a lobby; those who wait sit down where that makes room. `joins`: who sits down by it."""
        async with self._lock(number):
            match = await self.load(number)
            check_there(match)
            if match.status is not Status.LOBBY:
                raise Refused("started" if match.status is Status.PLAYING else f"is_{match.ending}")
            async with self.seating(match.guild, None if joins is None or match.seat_of(joins) is not None else joins):
                kept_out = await self._kept_out(match)
                after = self._filled(match, change(match), kept_out)
                return await self.save(replace(self._handed_on(after), touched_at=int(self._now())))

    def _filled(self, before: Match, match: Match, kept_out: frozenset[int]) -> Match:
        """The lobby with those who wait on the seats that a change has freed; other free ones may be kept for
        whoever played before.
        """
        freed = self._room(match) - self._room(before)
        return _sat_down(match, freed, kept_out) if match.status is Status.LOBBY else match

    def _handed_on(self, match: Match) -> Match:
        """The lobby with another host where the host has left; called off where nobody is left."""
        if match.status is not Status.LOBBY or match.seat_of(match.host) is not None:
            return match
        if not match.people:
            return replace(match, status=Status.CANCELLED, ended_at=int(self._now()))
        heir = match.people[0].user
        assert heir is not None
        return replace(match, host=heir)

    def _room(self, match: Match) -> int:
        """How many more can sit down."""
        return (match.wanted or self.games[match.game].seats[-1]) - len(match.chairs)

    async def _apply(self, match: Match, state: AnyState, move: Any, user: int | None) -> Played:
        seat = int(move.seat)
        logged = LoggedMove(match.moves, seat, self.turn(match, move.seat), str(move), user)
        after, events = state.apply(move)
        live = self._live.get(match.id)  # other tables may have displaced it in the meantime
        story = live.story if live is not None and live.version == match.version else None
        match = self._turned(replace(match, moves=match.moves + 1), state, after)
        if after.outcome() is not None:
            match = replace(match, status=Status.OVER, ended_at=int(self._now()))
        match = await self.save(match, logged, state=after)
        if story is not None:
            story.extend(Told(logged.number, event) for event in events)
        self._remember(match.id, _Live(match.version, after, story))
        return Played(match, logged.text)

    def _turned(self, match: Match, before: AnyState, after: AnyState) -> Match:
        """The match at its new position, since now if that asks somebody anew."""
        since = match.turn_since if _awaited(after) == _awaited(before) else int(self._now())
        return replace(match, state=after.to_json(), turn_since=since)

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


def paused_until(match: Match) -> int:
    """When a match that pauses ends, if the bot is not asked back before."""
    assert match.paused_at is not None
    return match.paused_at + PAUSE


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


def _awaited(state: AnyState) -> frozenset[tuple[Seat, str]]:
    """Who is asked, and for what: when it changes, a new turn has begun. Sealing anew does not change it."""
    return frozenset((seat, state.turn(seat)) for seat in state.to_move())


def check_there(match: Match) -> None:
    """Refused where the bot is not in the match's server: until it is back nothing changes."""
    if match.paused:
        raise Refused("paused", until=f"<t:{paused_until(match)}:D>")


def check_playing(match: Match) -> None:
    """Refused where the match is none that is being played. It may rest by a vote."""
    check_there(match)
    if match.status is not Status.PLAYING:
        raise Refused("not_started" if match.status is Status.LOBBY else f"is_{match.ending}")


def unseated(match: Match, user: int) -> Refused:
    """Why somebody who does not sit there may do nothing."""
    former = match.former_seat(user)
    return Refused("not_seated" if former is None else "removed" if former.removed else "no_longer_seated")


def _seated(match: Match, user: int) -> None:
    if match.seat_of(user) is None:
        raise unseated(match, user)


def _gone_round(before: Sequence[Chair], now: Sequence[Chair]) -> tuple[Chair, ...]:
    """Those of `now` as they sat in `before`, from the second seat on; then newcomers. Who began begins again only
    where nobody else is there.
    """
    here = {_who(chair): chair for chair in now}
    order = [_who(chair) for chair in (*before[1:], *before[:1])]
    order = [who for who in order if who in here]
    order += [who for who in here if who not in order]
    if order[0] == _who(before[0]):
        order = [*order[1:], order[0]]
    return tuple(here[who] for who in order)


def _who(chair: Chair) -> int | str:
    return chair.name if chair.user is None else chair.user


def going_on(match: Match, since: int, now: int) -> Match:
    """The match once it runs again: the time since then was nobody's to decide in."""
    return replace(match, turn_since=None if match.turn_since is None else match.turn_since + now - since)


def _sat_down(match: Match, room: int, kept_out: frozenset[int]) -> Match:
    """The lobby with those on its free seats who have waited longest, so many as there is room for."""
    seated = [who for who in match.waiting if who.user not in kept_out][: max(room, 0)]
    chairs = (*match.chairs, *(Chair(0, who.user, who.name) for who in seated))
    waiting = tuple(who for who in match.waiting if who not in seated)
    return replace(match, chairs=_numbered(chairs), waiting=waiting)


def _numbered(chairs: Sequence[Chair]) -> tuple[Chair, ...]:
    return tuple(replace(chair, number=number) for number, chair in enumerate(chairs))
