"""Matches that one player plays alone against computers, in direct messages or in private answers, and first lessons,
which are such matches with a fixed deal (rules/core/lesson.py; advice.py says how far one is).

Such a match is private: it has no server and no table, no other user sees it, and its player's hand shows its lobby,
its play and its end. It is not rated and sends no pings, and its player decides alone what a table votes on. Otherwise
it is a match like any: stored, replayed and exported. Once a learner has left their lesson's line, the computers play
as beginners.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace

from cogs.match.lobby import Lobby
from cogs.match.membership import Membership
from cogs.match.refusals import Reason, Refused
from cogs.match.seating import EASIEST, free_names, level_for, with_computers
from cogs.match.service import MatchService
from data.records.match import Chair, Match, Status
from data.records.people import PingPreference
from data.records.terms import Terms
from rules import LESSONS
from rules.core.game import chosen_options
from rules.core.lesson import AnyLesson

IDLE = 30 * 86_400
"""Seconds after its last move when an unfinished private match ends."""


class Alone:
    """Opens such matches of a service."""

    def __init__(self, service: MatchService, lobby: Lobby, membership: Membership) -> None:
        self._service = service
        self._lobby = lobby
        self._membership = membership
        self._opening = asyncio.Lock()  # two presses at once open one match

    async def open(
        self, slug: str, user: int, name: str, locale: str, ping: PingPreference | None = None, *, begins: bool = False
    ) -> tuple[Match, bool]:
        """Return a match of that game in which the player has not moved yet, and whether it was opened now. Its lobby
        has the fewest computers, which are beginners if the player has finished no match of the game. `ping`: how the
        player wants to be reached there (`Chair.ping`). `begins`: it begins at once, as the game's lesson has taught
        it. Refused: the player has too many matches open.
        """
        async with self._opening:
            match = await self._untouched(slug, user)
            is_new = match is None
            if match is None:
                terms = Terms(locale=locale, level=await level_for(self._service.index, slug, [user]))
                fewest = max(self._service.games[slug].seats[0] - 1, 1)
                chairs = with_computers((Chair(0, user, name, ping=ping),), fewest, terms.level)
                match = await self._lobby.open(
                    slug, guild=0, channel=0, user=user, name=name, terms=terms, chairs=chairs
                )
            return await self._as_taught(match) if begins else match, is_new

    async def again(self, match: Match, user: int, name: str) -> Match:
        """Return the match that follows that one, which has ended, with the same computers and options. It begins now,
        unless it has already. Refused as by `Lobby.open`.
        """
        async with self._opening:
            last = await self._membership.following(match)
            if not last.open:
                last, _ = await self._membership.play_again(last.id, user, name)
            return await self._begun(last)

    async def close_idle(self) -> None:
        """End the private matches, lessons among them, whose players have made no move for IDLE seconds."""
        for number in await self._service.index.idle_private(int(self._service.now()) - IDLE):
            if not self._service.quarantine.holds(number):
                await end_private(self._service, number)

    async def _begun(self, match: Match) -> Match:
        return await self._lobby.begin(match.id) if match.status is Status.LOBBY else match

    async def _as_taught(self, match: Match) -> Match:
        """Begin a match, unless it has begun, as its game's lesson teaches it: with as many computers, which are
        beginners, and with the game's own options.
        """

        def taught(lobby: Match) -> Match:
            count = LESSONS[lobby.game].seats - 1 if lobby.game in LESSONS else len(lobby.chairs) - 1
            chairs, options = with_computers(tuple(lobby.people), count, EASIEST), {"deck": lobby.options["deck"]}
            return replace(lobby, chairs=chairs, options=options, level=EASIEST)

        if match.status is Status.LOBBY:
            match = await self._lobby.change(match.id, taught)
        return await self._begun(match)

    async def _untouched(self, slug: str, user: int) -> Match | None:
        """Return the player's open match of that game in which they have not moved yet, or None."""
        for match in await self._service.index.of_player(user):
            if not match.private or match.lesson or match.game != slug:
                continue
            if await self._service.quarantine.fault(match) is not None:
                continue
            if match.status is Status.LOBBY or all(move.user != user for move in await self._service.log(match.id)):
                return match
        return None


async def end_private(service: MatchService, number: int) -> None:
    """End a private match, if it has not ended."""
    async with service.deciding(number) as match:
        if match.open:
            await service.save(replace(match, status=Status.STOPPED, ended_at=int(service.now())))


class Lessons:
    """The lessons of a service's games."""

    def __init__(self, service: MatchService) -> None:
        self._service = service

    def lesson(self, slug: str) -> AnyLesson:
        """Return the lesson of that game. Refused: the game is unknown, or it has no lesson."""
        if slug not in self._service.games:
            raise Refused(Reason.NO_GAME)
        if slug not in LESSONS:
            raise Refused(Reason.NO_LESSON, game=self._service.games[slug].title)
        return LESSONS[slug]

    async def begin(self, slug: str, user: int, name: str, locale: str, *, again: bool = False) -> tuple[Match, bool]:
        """Return the player's lesson of that game, and whether it has begun now. A player has at most one lesson of a
        game: `again` ends it and begins another. A quarantined lesson stays as it is, and does not count. Refused as by
        `lesson`, or if the player has opened many matches just now.
        """
        self.lesson(slug)
        async with self._service.policy.seating(0, None):
            found = [m for m in await self._service.index.of_player(user) if m.lesson and m.game == slug]
            known = [m for m in found if await self._service.quarantine.fault(m) is None]
            if known and not again:
                return known[0], False
            self._service.policy.check_pace(0, user)
            for match in known:
                await end_private(self._service, match.id)
            begun = await self._service.add(self._new(slug, user, name, locale))
            self._service.policy.count_opened(0, user)
            return begun, True

    def _new(self, slug: str, user: int, name: str, locale: str) -> Match:
        game, lesson, now = self._service.games[slug], self.lesson(slug), int(self._service.now())
        names = free_names([name])
        # The game's own deck, not the operator's: the lesson's deal and texts fit no other deck.
        options = {**chosen_options(game, lesson.seats, lesson.options), "deck": dict(game.deck)}
        match = Match(
            id=0,
            game=slug,
            status=Status.PLAYING,
            guild=0,
            channel=0,
            place=0,
            host=user,
            locale=locale,
            options=options,
            secret=lesson.seed,
            state=None,
            version=0,
            moves=0,
            opened_at=now,
            started_at=now,
            turn_since=now,
            ended_at=None,
            chairs=tuple(
                Chair(seat, user, name) if seat == lesson.seat else Chair(seat, None, next(names), level=EASIEST)
                for seat in range(lesson.seats)
            ),
            touched_at=now,
            rules=game.version,
            level=EASIEST,
            hints=False,
            lesson=True,
        )
        return replace(match, state=game.new(lesson.seats, options, match.seed).to_json())
