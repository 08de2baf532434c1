"""Keeps private answers true: those that tell of a match as it is now, or ask something about it.

Such an answer (`Live`) is made again whenever its match changes, and edited if it says something else then. If it can
be made no more, since the lobby it is about has begun or its question is moot, its message is deleted. Discord takes
edits for 15 minutes after the press; a minute before that the message is deleted too. Each press that shows something
in it begins these minutes again.

Two kinds of answers that tell of nothing that changes are deleted likewise, and earlier. A sentence, such as a refusal
or what is left of a question, is read once its player goes on: it goes with their next press or command, and with the
lobby in which they pressed. What a player looks up in their hand, or opens by *Players* at the table, goes when they
decide something in that match: the hand, which shows what comes of it, is the lowest message again then. What is looked
up after the match stays.

Nothing of this is stored: after a restart an answer stays until its next press, which says what has become of it. An
answer is edited only if it shows its own reader something new, so its edits reveal nothing that others do in secret.
"""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import discord

from cogs.match.refusals import Refused
from cogs.match.service import MatchService
from cogs.messages.content import Content, Id
from cogs.runtime.logs import without_text
from cogs.runtime.periodic import end_tasks
from cogs.transport.components import offers
from cogs.transport.errors import DiscordFailure, Failure
from cogs.transport.request_budget import PublishTiming
from cogs.transport.senders import LIFE, Answer, Interaction, Lasting, Live, delete_private, edit_private, has_edited
from data.records.match import Match, Status
from data.store.database import OUT_OF_REACH

log = logging.getLogger(__name__)

MARGIN = 60.0
"""Seconds for tries of the last edit, `LIFE` after the press: Discord takes edits for 15 minutes."""
_PRESSED = "pressed"
"""The kept answer in which a control was pressed."""


@dataclass(slots=True, eq=False, kw_only=True)
class Kept:
    """A private message kept true, of that user. `message` has its token; `digest`: of what it shows, "" if unsure."""

    message: discord.Message
    user: int
    digest: str
    versions: dict[int, int]
    """Of each of its matches, the version that it was last made of."""
    dirty: bool = False
    """Whether one of its matches may have changed since the last look at it."""
    ending: bool = False
    """Whether its time is over, so that the next edit is the last."""
    work: asyncio.Task[None] | None = None
    clock: asyncio.Task[None] | None = None

    @property
    def key(self) -> Hashable:
        """By what it is known: a newer one with the same key takes its place."""
        return self.message.id

    @property
    def what(self) -> str:
        """Its name in the log."""
        return "a private answer"

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


K = TypeVar("K", bound=Kept)


class KeptMessages(ABC, Generic[K]):
    """Private messages of all matches that are kept true, by their keys."""

    def __init__(self, service: MatchService, timing: PublishTiming) -> None:
        self._service = service
        self.timing = timing
        self.kept: dict[Hashable, K] = {}
        self._closed = False

    def __len__(self) -> int:
        return len(self.kept)

    def changed(self, number: int) -> None:
        """Bring the messages about a match up to date."""
        for kept in [kept for kept in self.kept.values() if number in kept.versions]:
            self._look_soon(kept)

    def versions(self) -> dict[int, int]:
        """Return the matches of these messages, and the oldest version that one of them tells of."""
        found = dict[int, int]()
        for kept in self.kept.values():
            for number, version in kept.versions.items():
                found[number] = min(found.get(number, version), version)
        return found

    async def close(self) -> None:
        """Stop all edits. The messages stay as they are."""
        self._closed = True
        tasks = [task for kept in self.kept.values() for task in (kept.clock, kept.work)]
        self.kept.clear()
        await end_tasks(*tasks)

    # One message.

    def _begin(self, kept: K, *, look: bool = True) -> None:
        """Keep this message true while Discord takes edits. Unless `look`, it is true until its match changes."""
        kept.clock = asyncio.create_task(self._end_later(kept), name=f"clock of {kept.what}")
        self._go_on(kept, look=look)

    def _go_on(self, kept: K, *, look: bool = True) -> None:
        self.kept[kept.key] = kept
        if look:
            self._look_soon(kept)  # the match may have changed since the answer was made

    def _forget(self, kept: K) -> None:
        if self.kept.get(kept.key) is kept:
            del self.kept[kept.key]
        kept.dirty = False  # its match may have changed while it was deleted
        kept.stop()

    async def _end_later(self, kept: K) -> None:
        await asyncio.sleep(LIFE)
        kept.ending = True
        self._look_soon(kept)
        await asyncio.sleep(MARGIN)  # the last edit forgets the message, and ends this task with it
        self._forget(kept)

    def _look_soon(self, kept: K) -> None:
        kept.dirty = True
        if kept.work is None and self.kept.get(kept.key) is kept:  # else a press decides what it shows
            kept.work = asyncio.create_task(self._work(kept), name=f"show {kept.what}")

    async def _work(self, kept: K) -> None:
        """Bring a message up to date as often as its matches change. After a failure try until Discord refuses."""
        retry = self.timing.retry
        try:
            while kept.dirty:
                kept.dirty = False
                try:
                    edited = await self._bring_up_to_date(kept)
                except (DiscordFailure, *OUT_OF_REACH) as failure:
                    told = failure if isinstance(failure, DiscordFailure) else None
                    if told is not None and told.kind not in (Failure.LATER, Failure.OLD):
                        log.info("%s is edited no more: %s", kept.what, told)
                        self._forget(kept)
                        return
                    kept.dirty = True
                    longest = self.timing.longest_retry
                    await asyncio.sleep(longest if told is not None and told.locked_out else retry)
                    retry = min(2 * retry, longest)
                    continue
                retry = self.timing.retry
                if edited:
                    await asyncio.sleep(self.timing.edits)
        except Exception as error:  # a fault in one message must not pass unseen, and the next press brings it back
            log.error("%s is edited no more: %s", kept.what, type(error).__name__, exc_info=without_text(error))
            self._forget(kept)
        finally:
            if kept.work is asyncio.current_task():
                kept.work = None

    @abstractmethod
    async def _bring_up_to_date(self, kept: K) -> bool:
        """Show the message as it is now, if it differs. Return whether it was edited. Raises DiscordFailure."""


@dataclass(slots=True, eq=False, kw_only=True)
class LiveAnswer(Kept):
    """An answer that is kept true, or that goes when its player goes on: then `live` is None, and `versions` has the
    match of the hand or lobby in which they pressed, if it was one.
    """

    live: Live | None
    hand: int | None
    """The match in whose hand it was looked up, if it was."""
    origin: str
    """The control outside of it that opened it, "" if a command did."""
    is_sentence: bool
    sending: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Is held while Discord is asked to edit or delete the message."""


class LiveAnswers(KeptMessages[LiveAnswer]):
    """The answers of all matches that are kept true, by message."""

    def keep(self, interaction: Interaction, message: discord.Message, said: Answer) -> None:
        """Keep this answer true from now on, if it is about matches as they are; delete it in time, if it is a sentence
        or was looked up in a hand.
        """
        pressed, is_new = _pressed(interaction), message.id != (interaction.message and interaction.message.id)
        earlier: LiveAnswer | None = interaction.extras.get(_PRESSED)
        hand = None if earlier is None else earlier.hand
        if is_new and (offers(interaction.message, pressed, "lookups") or _at_table(interaction)):
            hand = pressed
        live = said if isinstance(said, Live) else None
        is_sentence = isinstance(said, str) or (not is_new and _is_sentence(said, interaction.message))
        if self._closed or isinstance(said, Lasting) or not (live or is_sentence or hand):
            return
        before = self.kept.get(message.id)
        if before is not None:  # of two presses at once, the message shows the later
            before.stop()
        matches = live.matches if live else {hand} if hand else set[int]()
        if is_sentence:
            matches = {pressed} if offers(interaction.message, pressed, "start") else set()
        user, origin = interaction.user.id, _custom_id(interaction) if is_new or earlier is None else earlier.origin
        if not is_sentence and origin:  # the same answer again takes the place of the one before
            self._end(lambda other: (other.user, other.origin) == (user, origin) and other.message.id != message.id)
        self._begin(
            LiveAnswer(
                message=message,
                user=user,
                origin=origin,
                digest="" if live is None else live.content.digest(),
                versions=dict.fromkeys(matches, 0),
                live=live,
                hand=hand,
                is_sentence=is_sentence,
            ),
            look=not is_sentence,
        )

    def decided(self, user: int, match: int) -> None:
        """Delete what the player has looked up in their hand of that match."""
        self._end(lambda kept: kept.user == user and kept.hand == match)

    def went_on(self, user: int) -> None:
        """Delete the sentences that this user was told before."""
        self._end(lambda kept: kept.user == user and kept.is_sentence)

    def _end(self, which: Callable[[LiveAnswer], bool]) -> None:
        for kept in [kept for kept in self.kept.values() if which(kept)]:
            kept.ending = True
            self._look_soon(kept)

    @asynccontextmanager
    async def pressed(self, interaction: Interaction) -> AsyncIterator[None]:
        """Leave the message to a press in it, which may show something else there."""
        message = interaction.message
        kept = None if message is None else self.kept.pop(message.id, None)
        if kept is not None:
            interaction.extras[_PRESSED] = kept  # what is opened there was looked up in the same hand
            async with kept.sending:  # else that edit could overtake the answer
                kept.rest()
        try:
            yield
        finally:
            if kept is not None:
                if self._closed or kept.key in self.kept or has_edited(interaction):
                    kept.stop()
                else:
                    self._go_on(kept)

    async def _bring_up_to_date(self, kept: LiveAnswer) -> bool:
        """Edit the answer if it says something else now; delete it if it is moot. Return whether it was edited. Raises
        DiscordFailure.
        """
        match, content = None, None
        for number in () if kept.ending else kept.versions:
            match = await self._service.find(number)
            kept.versions[number] = 0 if match is None else match.version
        if not kept.ending:
            if kept.live is not None:
                with suppress(Refused):
                    content = await kept.live.again()
            elif not self._is_over(kept, match):
                return False
        if content is not None and content.digest() == kept.digest:
            return False
        async with kept.sending:
            if content is None:
                await delete_private(kept.message)
            else:
                kept.digest = ""  # what it shows is unsure until Discord has confirmed the edit
                await edit_private(kept.message, kept.user, content)
                kept.digest = content.digest()
        if content is None:
            self._forget(kept)
        return True

    def _is_over(self, kept: LiveAnswer, match: Match | None) -> bool:
        """Return whether a lobby's sentence is moot. Forget what was looked up in a hand whose match is over."""
        if kept.is_sentence:
            return match is None or match.status is not Status.LOBBY
        if match is None or not match.open:
            self._forget(kept)
        return False


def _is_sentence(said: Answer, message: discord.Message | None) -> bool:
    """Return whether a sentence is all that is left of an earlier answer."""
    alone = isinstance(said, Content) and len(said.parts) == 1 and isinstance(said.parts[0], str) and not said.rows
    return alone and message is not None and message.flags.ephemeral


def _at_table(interaction: Interaction) -> bool:
    """Return whether *Players* was pressed at a table, whose answer stands below a hand there."""
    pressed = _pressed_id(interaction)
    return pressed is not None and pressed.action == "people"


def _pressed(interaction: Interaction) -> int:
    """Return the match to which what was pressed belongs; 0 if to none."""
    pressed = _pressed_id(interaction)
    return 0 if pressed is None else pressed.match


def _pressed_id(interaction: Interaction) -> Id | None:
    return Id.parse(_custom_id(interaction))


def _custom_id(interaction: Interaction) -> str:
    data: Any = interaction.data or {}
    return str(data.get("custom_id", ""))
