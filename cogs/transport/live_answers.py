"""Keeps private answers true: those that tell of a match as it is now, or ask something about it.

Such an answer (`Live`) is made again whenever its match changes, and edited if it says something else then. If it can
be made no more, since the lobby it is about has begun or its question is moot, its message is deleted. Discord takes
edits for 15 minutes after the press; a minute before that the message is deleted too. Each press that shows something
in it begins these minutes again.

Nothing of this is stored: after a restart an answer stays until its next press, which says what has become of it. An
answer is edited only if it shows its own reader something new, so its edits reveal nothing that others do in secret.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Protocol

import discord

from cogs.match.refusals import Refused
from cogs.match.service import MatchService
from cogs.runtime.logs import without_text
from cogs.transport.errors import DiscordFailure, Failure
from cogs.transport.request_budget import PublishTiming
from cogs.transport.senders import LIFE, Answer, Interaction, Live, delete_private, edit_private, has_edited
from data.store.database import OUT_OF_REACH

log = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class Kept:
    """An answer that is kept true. `message` holds the token for that."""

    live: Live
    message: discord.Message
    digest: str
    versions: dict[int, int] = field(default_factory=dict)
    """Of each of its matches, the version that it was last made of."""
    dirty: bool = False
    ending: bool = False
    """Whether its time is over."""
    sending: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Is held while Discord is asked to edit or delete the message."""
    work: asyncio.Task[None] | None = None
    clock: asyncio.Task[None] | None = None

    def rest(self) -> None:
        """End the work on it, unless that is what calls this."""
        if self.work is not None and self.work is not asyncio.current_task():
            self.work.cancel()
            self.work = None  # a task that has not begun notes nothing any more

    def stop(self) -> None:
        """End its time too."""
        self.rest()
        if self.clock is not None and self.clock is not asyncio.current_task():
            self.clock.cancel()


class Dirty(Protocol):
    """A private message of which it is noted that its match may have changed, and the task that looks."""

    dirty: bool
    work: asyncio.Task[None] | None


async def keep_up(
    kept: Dirty, look: Callable[[], Awaitable[bool]], forget: Callable[[], None], timing: PublishTiming, what: str
) -> None:
    """Bring a private message up to date as often as its match changes. After a failure try again until Discord
    refuses. `look` returns whether it has edited the message; `forget` lets it be; `what` names it in the log.
    """
    retry = timing.retry
    try:
        while kept.dirty:
            kept.dirty = False
            try:
                edited = await look()
            except (DiscordFailure, *OUT_OF_REACH) as failure:
                told = failure if isinstance(failure, DiscordFailure) else None
                if told is not None and told.kind not in (Failure.LATER, Failure.OLD):
                    log.info("%s is edited no more: %s", what, told)
                    forget()
                    return
                kept.dirty = True
                await asyncio.sleep(timing.longest_retry if told is not None and told.locked_out else retry)
                retry = min(2 * retry, timing.longest_retry)
                continue
            retry = timing.retry
            if edited:
                await asyncio.sleep(timing.edits)
    except Exception as error:  # a fault in one message must not pass unseen, and the next press brings it back
        log.error("%s is edited no more: %s", what, type(error).__name__, exc_info=without_text(error))
        forget()
    finally:
        if kept.work is asyncio.current_task():
            kept.work = None


class LiveAnswers:
    """The answers of all matches that are kept true, by message."""

    def __init__(self, service: MatchService, timing: PublishTiming) -> None:
        self._service = service
        self.timing = timing
        self.by_message: dict[int, Kept] = {}
        self._closed = False

    def changed(self, number: int) -> None:
        """Bring the answers about a match up to date."""
        for kept in [kept for kept in self.by_message.values() if number in kept.live.matches]:
            self._look_soon(kept)

    def versions(self) -> dict[int, int]:
        """Return the matches of these answers, and the oldest version that one of them tells of."""
        found = dict[int, int]()
        for kept in self.by_message.values():
            for number, version in kept.versions.items():
                found[number] = min(found.get(number, version), version)
        return found

    def keep(self, message: discord.Message, said: Answer) -> None:
        """Keep this answer true from now on, if it is about matches as they are."""
        if not isinstance(said, Live) or self._closed:
            return
        before = self.by_message.get(message.id)
        if before is not None:  # of two presses at once, the message shows the later
            before.stop()
        kept = Kept(said, message, said.content.digest())
        kept.clock = asyncio.create_task(self._end_later(kept), name="clock of a private answer")
        self._keep(kept)

    def _keep(self, kept: Kept) -> None:
        self.by_message[kept.message.id] = kept
        self._look_soon(kept)  # the match may have changed since the answer was made

    @asynccontextmanager
    async def pressed(self, interaction: Interaction) -> AsyncIterator[None]:
        """Leave the message to a press in it, which may show something else there."""
        message = interaction.message
        kept = None if message is None else self.by_message.pop(message.id, None)
        if kept is not None:
            async with kept.sending:  # else that edit could overtake the answer
                kept.rest()
        try:
            yield
        finally:
            if kept is not None:
                if self._closed or kept.message.id in self.by_message or has_edited(interaction):
                    kept.stop()
                else:
                    self._keep(kept)

    async def close(self) -> None:
        """Stop all edits. The messages stay as they are."""
        self._closed = True
        tasks = [task for kept in self.by_message.values() for task in (kept.clock, kept.work) if task is not None]
        self.by_message = {}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # One answer.

    def _forget(self, kept: Kept) -> None:
        if self.by_message.get(kept.message.id) is kept:
            del self.by_message[kept.message.id]
        kept.stop()

    async def _end_later(self, kept: Kept) -> None:
        await asyncio.sleep(LIFE)
        kept.ending = True
        self._look_soon(kept)

    def _look_soon(self, kept: Kept) -> None:
        kept.dirty = True
        if kept.work is None and self.by_message.get(kept.message.id) is kept:  # else a press decides what it shows
            kept.work = asyncio.create_task(self._work(kept), name="keep a private answer true")

    async def _work(self, kept: Kept) -> None:
        await keep_up(
            kept, lambda: self._bring_up_to_date(kept), lambda: self._forget(kept), self.timing, "a private answer"
        )

    async def _bring_up_to_date(self, kept: Kept) -> bool:
        """Edit the answer if it says something else now; delete it if it is moot. Return whether it was edited. Raises
        DiscordFailure.
        """
        for number in kept.live.matches:
            match = await self._service.find(number)
            kept.versions[number] = 0 if match is None else match.version
        try:
            content = None if kept.ending else await kept.live.again()
        except Refused:
            content = None
        if content is not None and content.digest() == kept.digest:
            return False
        async with kept.sending:
            if content is None:
                await delete_private(kept.message)
            else:
                kept.digest = ""  # what it shows is unsure until Discord has confirmed the edit
                await edit_private(kept.message, kept.live.user, content)
                kept.digest = content.digest()
        if content is None:
            self._forget(kept)
        return True
