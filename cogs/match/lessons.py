"""First lessons: matches of one player against computers, with a fixed deal (rules/core/lesson.py).

A lesson is stored, replayed and exported like any match. It is private: it has no server, no channel and no table, only
its learner's hand. No other user can see it, and it sends no pings. advice.py says how far it is. Once the learner has
left its line, the computers play as beginners.
"""

from __future__ import annotations

from dataclasses import replace

from cogs.match.alone import end_private
from cogs.match.refusals import Reason, Refused
from cogs.match.seating import EASIEST, free_names
from cogs.match.service import MatchService
from data.records.match import Chair, Match, Status
from rules import LESSONS
from rules.core.game import chosen_options
from rules.core.lesson import AnyLesson


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
