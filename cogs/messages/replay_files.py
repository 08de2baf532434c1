"""The files of an ended match: its record, a page to watch it in a browser, and an animation. They are made behind all
that players wait for, in turn among those who ask (cogs/match/searches.py), and the newest are kept.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable
from datetime import UTC, datetime
from functools import partial

from cogs.match.playback import Eyes, Playback
from cogs.match.searches import Kind, Searches, Sought
from cogs.messages.presenter import Presenter
from cogs.messages.replay_animation import animation
from cogs.messages.replay_page import page
from cogs.messages.replay_steps import as_it_was
from cogs.workers.pool import Urgency, urgency
from data.content.texts import language
from data.lru import Lru
from data.records.match import Match
from rules.core.match_record import MatchRecord, full_options, write_record

KEPT = 4
"""The most files that are kept, some 10 MB each at most."""


class ReplayFiles:
    """Makes the files of ended matches. Every function raises Refused as `Playback.steps` and `Searches.run` do."""

    def __init__(self, presenter: Presenter, playback: Playback, searches: Searches | None = None) -> None:
        self.presenter = presenter
        self._playback = playback
        self._searches = searches or Searches()
        self._kept = Lru[object, bytes](KEPT)
        self._reached: dict[object, tuple[int, int]] = {}
        """How far each animation is that is being drawn."""

    async def record(self, number: int) -> bytes:
        """Return the match as a text that the rules read back (docs/records.md). It tells all hands and the seed."""
        service = self.presenter.service
        match, steps = await self._playback.steps(number, Eyes.ALL_HANDS)
        game = service.game(match)
        log = [move for move in await service.log(number) if move.undone_at is None]
        return write_record(
            MatchRecord(
                game=match.game,
                rules=match.rules,
                names=self.presenter.labels(match).names,
                options=full_options(game, len(match.chairs), match.options),
                seed=match.seed,
                started=_date(match.started_at),
                ended=_date(match.ended_at),
                moves=tuple((move.seat, move.text) for move in log),
                outcome=steps[-1].state.outcome(),
            )
        )

    async def page(self, number: int, eyes: int, locale: str) -> bytes:
        """Return a page for a browser, at most 9.5 MB, in the language of `locale`."""
        match, steps = await self._playback.steps(number, eyes)
        presenter = self.presenter
        labels = await presenter.with_faces(match, presenter.labels(match, locale))
        title = labels.say("replay_file.title", table=presenter.title(match, labels))
        about = " · ".join([", ".join(labels.names), *filter(None, [(_date(match.ended_at) or "")[:10]])])
        code = language(locale)

        async def make() -> bytes:
            named = partial(as_it_was, match, labels)
            return await page(presenter.drawing, match.game, steps, eyes, named, title, about, code)

        return await self._made(("page", match.id, match.version, eyes, labels.only_drawn), match, make)

    async def animation(self, number: int, eyes: int) -> bytes:
        """Return an animated WebP of at most 2 MB and 90 seconds, in the match's language."""
        match, steps = await self._playback.steps(number, eyes)
        presenter = self.presenter
        labels = await presenter.with_faces(match, presenter.labels(match))

        def note(done: int, count: int) -> None:
            self._reached[number, eyes] = done, count

        async def make() -> bytes:
            named = partial(as_it_was, match, labels)
            try:
                return await animation(presenter.drawing, match.game, steps, eyes, named, note)
            finally:
                self._reached.pop((number, eyes), None)

        return await self._made(("animation", match.id, match.version, eyes, labels.only_drawn), match, make)

    def reached(self, number: int, eyes: int) -> tuple[int, int]:
        """Return the number of steps that an animation shows so far, and of all steps; both 0 before its turn."""
        return self._reached.get((number, eyes), (0, 0))

    async def _made(self, key: tuple[Hashable, ...], match: Match, make: Callable[[], Awaitable[bytes]]) -> bytes:
        """Return the file that is kept for this key, or make it. The key holds all that the file shows."""
        if (data := self._kept.get(key)) is not None:
            return data

        async def work() -> bytes:
            urgency.set(Urgency.LATE)  # of this search alone
            self._kept[key] = made = await make()
            return made

        return await self._searches.run(Sought(Kind.FILE, match.id, key), match.guild, work)


def _date(instant: int | None) -> str | None:
    return None if instant is None else f"{datetime.fromtimestamp(instant, UTC):%Y-%m-%dT%H:%M:%SZ}"
