"""A match before it begins: players sit down and leave, choose options, cut the deck, start the match or cancel it."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from cogs.match.admission import check_may_sit, check_no_other, check_not_departed, seated_elsewhere, with_states
from cogs.match.rated import has_part, matters, uncounted
from cogs.match.refusals import Reason, Refused, check_lobby, check_may_cut, check_seated, check_there, seat_or_refuse
from cogs.match.seating import fits, level_for, numbered, renamed, seated, with_computers
from cogs.match.service import MatchService
from cogs.match.table_options import applying, with_option
from data.records.match import Chair, Match, SeatChangeKind, Status
from data.records.matches import Link
from data.records.terms import Terms
from data.store.erasure_log import ErasureLog
from rules.core.chance import following, table_before
from rules.core.computer import DEFAULT_LEVEL, LEVELS
from rules.core.game import BadOption, chosen_options

AWAY, ALL = "away", "all"
"""In a choice of a level: the players for whom a computer plays; they and all computers."""
COUNT = "computers"
"""The option that is the number of computers."""
TOGETHER = 2
"""Players who together begin a match without its host."""


class Lobby:
    """Changes the lobbies of a service's tables. `decks`: deck tables for new matches, by slug, in place of the games'
    own; `departures`: the list of users whose data was deleted, None: there are none.
    """

    def __init__(
        self,
        service: MatchService,
        decks: Mapping[str, Mapping[str, Any]] | None = None,
        departures: ErasureLog | None = None,
    ) -> None:
        self._service = service
        self.decks = decks or {}
        self.departures = departures

    async def open(
        self,
        game: str,
        *,
        guild: int,
        channel: int,
        user: int,
        name: str,
        terms: Terms,
        room: int = 0,
        link: Link | None = None,
        **more: Any,
    ) -> Match:
        """Open a lobby with its host as the first player. Refused: the server does not allow the game, or it or the
        player has no room for another table or has opened many just now.

        `terms`: if the server does not allow their time limit, it is the server's first one. `more`: further fields of
        the match (for *Play again*). The first `room` waiting users sit down. `link`: it is a
        table of a season, stored with it (`Matches.open`), and counts for no player's limit.
        """
        server = await self._service.policy.of(guild)
        if not server.allows_game(self._service.games[game].slug):
            raise Refused(Reason.GAME_NOT_HERE, game=self._service.games[game].title)
        match = Match(
            id=0,
            game=self._service.games[game].slug,
            status=Status.LOBBY,
            guild=guild,
            channel=channel,
            place=channel,
            host=user,
            secret=secrets.token_hex(32),
            state=None,
            version=0,
            moves=0,
            opened_at=int(self._service.now()),
            started_at=None,
            turn_since=None,
            ended_at=None,
            chairs=(Chair(0, user, name),),
            touched_at=int(self._service.now()),
            **terms.chosen,
        )
        # The deck table is fixed before a player cuts, since the deal follows from it too.
        options = {"deck": dict(self.deck(match.game)), **match.options}
        match = replace(match, clock=server.clock_at_first(terms.clock), options=options, **more)
        if match.previous is not None:
            match = replace(match, secret=following(match.secret, match.previous))
        async with self._service.policy.seating(guild, user if link is None else None, new=True):
            match = _sat_down(match, room, await self._service.policy.barred(match))
            opened = await self._service.add(with_states(match), link)
            if link is None:
                self._service.policy.count_opened(guild, user)
            return opened

    async def join(self, number: int, user: int, name: str, *, accepts: bool = False) -> Match:
        """Sit down at the lobby's table. `accepts`: in answer to an invitation. Refused: seated already, kept out
        (admission.py), full, started, over, at too many tables or at a duplicate of this one.
        """

        def sit(match: Match) -> Match:
            if match.seat_of(user) is not None:
                raise Refused(Reason.SEATED)
            check_may_sit(match, user, accepts=accepts)
            self._check_room(match)
            waiting = tuple(who for who in match.waiting if who.user != user)
            return replace(match, chairs=(*match.chairs, Chair(len(match.chairs), user, name)), waiting=waiting)

        return await self.change(number, sit, joins=user)

    async def leave(self, number: int, user: int) -> Match:
        """Leave the seat, which the longest waiting user then takes, or the waiting list. If the host leaves, another
        player becomes the host; a lobby without players is cancelled. Refused: neither seated nor waiting.
        """

        def get_up(match: Match) -> Match:
            if any(who.user == user for who in match.waiting):
                return replace(match, waiting=tuple(who for who in match.waiting if who.user != user))
            check_seated(match, user)
            return replace(match, chairs=numbered([c for c in match.chairs if c.user != user]))

        return await self.change(number, get_up)

    async def add_computer(self, number: int, user: int) -> Match:
        """Seat a computer. With the first one, all become beginners if a player there has finished no match of the game
        and no other level was chosen. Refused: the user is not seated, the lobby is full.
        """
        lobby = await self._service.load(number)
        first = lobby.level
        if first == DEFAULT_LEVEL:
            first = await level_for(self._service.index, lobby.game, [chair.player for chair in lobby.people])

        def add(match: Match) -> Match:
            check_seated(match, user)
            self._check_room(match)
            there = len(match.chairs) - len(match.people)
            return _counting(match if there else replace(match, level=first), there + 1)

        return await self.change(number, add)

    async def remove_computer(self, number: int, user: int) -> Match:
        """Remove the computer that was seated last. Refused: the user is not seated, there is no computer."""

        def remove(match: Match) -> Match:
            check_seated(match, user)
            if len(match.chairs) == len(match.people):
                raise Refused(Reason.NO_COMPUTER)
            return _counting(match, len(match.chairs) - len(match.people) - 1)

        return await self.change(number, remove)

    async def cut(self, number: int, user: int, text: str) -> Match:
        """Mix the player's line of text into the seed. It counts if they still sit there at the start. Refused: they
        have cut already, or are not seated.
        """

        def cut_with(match: Match) -> Match:
            check_may_cut(match, user)
            return replace(match, chairs=tuple(replace(c, cut=text) if c.user == user else c for c in match.chairs))

        return await self.change(number, cut_with)

    async def choose_option(self, number: int, user: int, name: str, value: str) -> Match:
        """Set an option to a value as its select gives it, a text. `computers` is their number; `seats`, `place`,
        `clock`, `absent`, `hints` and `rated` are the table's own options, all others the game's. With other teams than
        before, each player chooses again. Refused: the user is not seated, or the value is not offered.
        """
        server = await self._service.policy.of((await self._service.load(number)).guild)

        def set_option(match: Match) -> Match:
            check_seated(match, user)
            if name == COUNT and value.isdecimal() and int(value) <= self._most(match) - len(match.people):
                return _counting(match, int(value))
            teams = self.teams(match)
            match = with_option(match, self._service.games[match.game], server, self.options(match), name, value)
            if self.teams(match) == teams:
                return match
            return replace(match, chairs=tuple(replace(chair, team=None) for chair in match.chairs))

        return await self.change(number, set_option)

    async def choose_team(self, number: int, user: int, seat: int | None, value: str) -> Match:
        """Choose the team, as a number from 0, of the computer on that place of the lobby or, with None, the player's
        own; "any" leaves it to the draw. Refused: the user is not seated, the game as chosen
        has no such team, or it is full.
        """

        def choose(match: Match) -> Match:
            own, teams = seat_or_refuse(match, user), self.teams(match)
            chosen = own if seat is None else seat
            offered: dict[str, int | None] = {"any": None, **{str(team): team for team in teams}}
            if not teams or value not in offered or not 0 <= chosen < len(match.chairs):
                raise Refused(Reason.BAD_OPTION)
            if chosen != own and match.chairs[chosen].user is not None:
                raise Refused(Reason.NOT_THEIR_TEAM)
            chairs = tuple(replace(c, team=offered[value]) if c.number == chosen else c for c in match.chairs)
            if offered[value] is not None and not fits([chair.team for chair in chairs], teams):
                raise Refused(Reason.TEAM_FULL)
            return replace(match, chairs=chairs)

        return await self.change(number, choose)

    async def choose_level(self, number: int, user: int, value: str) -> Match:
        """Choose how well a computer plays: `value` is its place in the lobby and the level, "2 strong"; the place
        "away" stands for players who are away or leave, and for computers yet to come, "all" for them and for all that
        sit there. Refused: the user is not seated, or there is no such computer or level.
        """

        def choose(match: Match) -> Match:
            check_seated(match, user)
            place, _, level = value.partition(" ")
            if level not in LEVELS:
                raise Refused(Reason.BAD_OPTION)
            match = replace(match, level=level) if place in (AWAY, ALL) else match
            meant = [c.number for c in match.chairs if c.user is None and place in (ALL, str(c.number))]
            if not meant and place not in (AWAY, ALL):
                raise Refused(Reason.BAD_OPTION)
            chairs = [replace(c, level=level) if c.number in meant else c for c in match.chairs]
            return replace(match, chairs=tuple(chairs))

        return await self.change(number, choose)

    def teams(self, match: Match) -> tuple[int, ...]:
        """Return the team of each seat, for the options and the players that the lobby has or waits for; () without."""
        game = self._service.games[match.game]
        seats = match.wanted or max(len(match.chairs), game.seats[0])
        try:
            return game.teams(seats, chosen_options(game, seats, applying(match, game, seats)))
        except BadOption:  # the lobby says which choice does not fit
            return ()

    def _check_room(self, match: Match) -> None:
        if self._room(match) <= 0:
            raise Refused(Reason.FULL, count=self._most(match))

    def deck(self, slug: str) -> Mapping[str, Any]:
        """Return the deck table for a new lobby of this game."""
        return self.decks.get(slug) or self._service.games[slug].deck

    def options(self, match: Match) -> Sequence[Any]:
        """Return the game's options for the number of players that the lobby has or waits for."""
        game = self._service.games[match.game]
        seats = match.wanted or max(len(match.chairs), game.seats[0])
        return game.options(seats, match.options)

    async def start(self, number: int, user: int) -> Match:
        """Draw the seats, deal, and begin, if the user is the host or another player wants to start too; otherwise note
        that this player wants to. Return the match. Refused: the user is not seated, the number of players or the
        options do not fit.

        If the match follows another one (*Play again*), the seats are not drawn but rotate, so that another player
        begins. The secret says so since the lobby was opened: lobbies of older versions and duplicates are drawn.
        """

        def wait(match: Match) -> Match | None:
            """Note the wish, unless the match begins: for the host at once, else for any two."""
            ready = tuple(replace(c, ready=True) if c.user == user else c for c in match.chairs)
            begins = user == match.host or sum(chair.ready for chair in ready) >= TOGETHER
            return None if begins else replace(match, chairs=ready)

        return await self._start(number, lambda match: check_seated(match, user), wait)

    async def start_on_time(self, number: int, at: int) -> Match:
        """Start the lobby that starts by itself at that instant. Refused as by `start`, if its time has changed, or if
        its host still waits for others.
        """

        def check(match: Match) -> None:
            if match.starts_at != at:
                raise Refused(Reason.OUT_OF_DATE)
            if len(match.chairs) == 1 and match.wanted is None:
                raise Refused(Reason.TOO_FEW, count=1, least=TOGETHER)

        return await self._start(number, check)

    async def begin(self, number: int) -> Match:
        """Start the lobby now, as a season does, or its only player. Refused as by `start`."""
        return await self._start(number, check_there)

    async def _start(
        self, number: int, check: Callable[[Match], None], wait: Callable[[Match], Match | None] = lambda _: None
    ) -> Match:
        """Start the lobby if `check`, which raises Refused, allows it. `wait` returns the lobby if it waits for the
        wish of another player; None: it starts.
        """
        lobby = await self._service.load(number)
        server = await self._service.policy.of(lobby.guild)
        number_before = table_before(lobby.secret)
        before = None if number_before is None else await self._service.find(number_before)
        for table in await self._service.index.duplicates_of(lobby):
            if table.started_at is not None and table.rules != self._service.games[lobby.game].version:
                raise Refused(Reason.DUPLICATE_RULES)  # they would not be dealt the same

        def begin(match: Match) -> Match:
            check(match)
            game, seats = self._service.games[match.game], len(match.chairs)
            if seats not in game.seats or (match.wanted is not None and seats < match.wanted):
                least = match.wanted or game.seats[0]
                raise Refused(Reason.TOO_FEW if seats < least else Reason.FULL, count=seats, least=least)
            deck = match.options.get("deck", self.deck(game.slug))  # lobbies that older versions opened have none
            try:
                options = {**chosen_options(game, seats, applying(match, game, seats)), "deck": dict(deck)}
                teams = game.teams(seats, options)
                if not fits([chair.team for chair in match.chairs] if teams else [], teams):
                    raise Refused(Reason.TEAM_FULL)
                begun = replace(match, chairs=seated(match, before, teams))
                state = game.new(seats, options, begun.seed)
            except BadOption as error:
                raise Refused(Reason.OPTIONS_DO_NOT_FIT, count=seats) from error
            now = int(self._service.now())
            if (waiting := wait(match)) is not None:
                return waiting
            return replace(
                begun,
                chairs=tuple(replace(chair, ready=False) for chair in begun.chairs),
                status=Status.PLAYING,
                options=options,
                own_thread=server.own_thread(match.own_thread),
                state=state.to_json(),
                rules=game.version,
                started_at=now,
                turn_since=now,
            )

        return await self.change(number, begin)

    async def cancel(self, number: int, user: int, manager: bool, name: str = "") -> Match:
        """Call a match off, if the user may (`check_may_cancel`). `name`: the user's, by which a match that has begun
        tells who did it; "": it does not.
        """
        async with self._service.deciding(number) as match:
            await self.check_may_cancel(match, user, manager)
            if name and match.status is Status.PLAYING:
                match = match.told_of(user, SeatChangeKind.CANCELLED, name)
            now = int(self._service.now())
            return await self._service.save(replace(match, status=Status.CANCELLED, ended_at=now, touched_at=now))

    async def check_may_cancel(self, match: Match, user: int, manager: bool) -> None:
        """Raise Refused unless that user may call the match off: its host in the lobby, or a manager of the server. The
        host of a table also may call off its duplicates in which no player sits. A match that has begun and counts for
        the ratings or for a season is called off by no manager, who may be a friend of those who are behind; nor is the
        lobby of a season's table by a manager who plays at it.
        """
        check_there(match)
        if not match.open:
            raise Refused(Reason(f"is_{match.ending}"))
        if matters(match):
            raise Refused(Reason.CANCEL_COUNTED)
        if manager and match.season and has_part(match, user):
            raise Refused(Reason.CANCEL_OWN)
        if manager:
            return
        if match.status is not Status.LOBBY or match.season:
            raise Refused(Reason.NOT_MANAGER)
        others = () if match.people else await self._service.index.duplicates_of(match)
        if user not in (match.host, *(table.host for table in others if table.seat_of(table.host) is not None)):
            raise Refused(Reason.NOT_HOST)

    async def change(self, number: int, change: Callable[[Match], Match], joins: int | None = None) -> Match:
        """Save what `change` makes of a lobby. If it frees seats, waiting users take them. If it changes what begins,
        those who wanted to start must say so again. `joins`: the user whom it seats. Refused: it is no lobby.
        """
        async with self._service.deciding(number) as match:
            check_lobby(match)
            newcomer = joins if joins is not None and match.seat_of(joins) is None else None
            if newcomer is not None:
                await check_not_departed(self.departures, match, newcomer)
            async with self._service.policy.seating(match.guild, newcomer):
                if newcomer is not None:
                    await check_no_other(self._service.index, match, newcomer, self.departures)
                barred = await self._service.policy.barred(match) | await seated_elsewhere(self._service.index, match)
                after = self._filled(match, change(match), barred)
                if after.status is Status.LOBBY:
                    after = replace(after, chairs=renamed(after.chairs))
                after = self._with_host(_asked_again(match, after))
                if after.rated and after.status is Status.PLAYING:
                    after = replace(
                        after, uncounted=await uncounted(self._service.index, after, int(self._service.now()))
                    )
                return await self._service.save(with_states(replace(after, touched_at=int(self._service.now()))))

    def _filled(self, before: Match, match: Match, barred: frozenset[int]) -> Match:
        """Return the lobby with waiting users on the seats that the change has freed. Seats that were free before stay
        free: after *Play again* they may be kept for players of the last match.
        """
        freed = self._room(match) - self._room(before)
        return _sat_down(match, freed, barred) if match.status is Status.LOBBY else match

    def _with_host(self, match: Match) -> Match:
        """Return the lobby with another host if the host has left; cancelled if no player is left."""
        if match.status is not Status.LOBBY or match.seat_of(match.host) is not None:
            return match
        if not match.people:
            return replace(match, status=Status.CANCELLED, ended_at=int(self._service.now()))
        heir = match.people[0].user
        assert heir is not None
        return replace(match, host=heir)

    def _room(self, match: Match) -> int:
        return self._most(match) - len(match.chairs)

    def _most(self, match: Match) -> int:
        return match.wanted or self._service.games[match.game].seats[-1]


def _counting(match: Match, count: int) -> Match:
    return replace(match, chairs=with_computers(match.chairs, count, match.level))


def _asked_again(before: Match, match: Match) -> Match:
    """Return the lobby after a change. If its players, options or clock are others, no player wants to start yet."""
    if match.status is not Status.LOBBY or _what_begins(before) == _what_begins(match):
        return match
    return replace(match, chairs=tuple(replace(chair, ready=False) for chair in match.chairs))


def _what_begins(match: Match) -> tuple[object, ...]:
    seats = tuple((chair.user, chair.name, chair.team, chair.level) for chair in match.chairs)
    # Where it is read, and who may come, changes nothing for those who sit there.
    return seats, replace(match.terms, locale="", server_locale=None, own_thread=False, closed=False)


def _sat_down(match: Match, room: int, barred: frozenset[int]) -> Match:
    """Return the lobby with the longest waiting users seated, at most `room` of them and none of the barred ones."""
    seated = [who for who in match.waiting if who.user not in barred][: max(room, 0)]
    chairs = (*match.chairs, *(Chair(0, who.user, who.name) for who in seated))
    waiting = tuple(who for who in match.waiting if who not in seated)
    return replace(match, chairs=numbered(chairs), waiting=waiting)
