"""What every cog needs to answer a person: the host, the desk, the publisher, and the way an interaction is answered.

An interaction is acknowledged first (Discord waits three seconds), then worked on, then answered to that person alone.
"""

from __future__ import annotations

import asyncio
import logging
import math
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import discord

from cogs.match.lobby import Lobby
from cogs.match.membership import Membership
from cogs.match.refusals import Refused
from cogs.match.service import MatchService
from cogs.messages.clock import relative
from cogs.messages.content import Content, Form, Id
from cogs.messages.messages import Messages
from cogs.messages.names import clean
from cogs.runtime.logs import without_text
from cogs.runtime.metrics import Metrics
from cogs.transport.components import modal
from cogs.transport.publisher import Publisher
from cogs.transport.rate_limits import Asked, RateLimits, asked
from cogs.transport.senders import (
    DirectMessages,
    DiscordFailure,
    Failure,
    discord_call,
    edit_own,
    nonce,
    send_private,
    turn_away,
)
from cogs.transport.table_finder import TableFinder
from data.content.texts import language, texts
from data.records.match import Match
from data.records.people import People, Person, PingPreference
from data.store.database import NotStored
from rendering.core.labels import Labels
from rules.core.game import IllegalMove, Seat

log = logging.getLogger(__name__)

Interaction = discord.Interaction[Any]
Answer = Content | str
Press = Callable[[Interaction, Match, Id], Awaitable[Answer | None]]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Route:
    """What a button or select at a table does. `silent` as in `House.acknowledge`; `in_place`: the answer replaces
    the message pressed where that is ephemeral.
    """

    press: Press
    silent: bool = False
    in_place: bool = False


@dataclass(frozen=True, slots=True)
class GlobalRoute:
    """What a button or select does that belongs to no match; it answers by itself, and gets a select's values."""

    press: Callable[[Interaction, Id, list[str]], Awaitable[None]]


def at_table(work: Callable[[Interaction, Match], Awaitable[Answer | None]]) -> Press:
    """A press that says nothing but at which table it was."""

    async def press(interaction: Interaction, match: Match, _: Id) -> Answer | None:
        return await work(interaction, match)

    return press


@dataclass(frozen=True, slots=True)
class House:
    """The parts that the cogs share, made by `bot.py`."""

    host: MatchService
    lobby: Lobby
    people: People
    desk: Messages
    publisher: Publisher
    direct: DirectMessages
    company: Membership
    which: TableFinder
    limits: RateLimits = field(default_factory=RateLimits)
    routes: dict[str, Route | GlobalRoute] = field(default_factory=dict)
    """What each action does: every cog adds its own."""
    under_way: set[asyncio.Task[Any]] = field(default_factory=set)
    metrics: Metrics = field(default_factory=Metrics)
    closing: asyncio.Event = field(default_factory=asyncio.Event)
    """Set once the bot is about to end: what is pressed from then on is turned away."""

    async def finish(self, patience: float = 5.0) -> None:
        """Wait until every press that has been taken up is answered, for as many seconds at most."""
        if self.under_way:
            await asyncio.wait(self.under_way, timeout=patience)

    async def break_off(self, patience: float = 2.0) -> None:
        """End every press that is not answered yet, within as many seconds. What it has recorded stays."""
        if self.under_way:
            log.warning("given up, as the bot is to end: the answers to %d presses", len(self.under_way))
            for task in self.under_way:
                task.cancel()
            await asyncio.wait(self.under_way, timeout=patience)

    def _take_up(self) -> None:
        """The press that this task is for is under way until the task is done."""
        task = asyncio.current_task()
        assert task is not None  # discord.py makes one for every interaction
        self.under_way.add(task)
        task.add_done_callback(self.under_way.discard)

    async def acknowledge(self, interaction: Interaction, *, silent: bool) -> bool:
        """Acknowledge before anything else; False where that failed or was too much, and then nothing may be done.

        `silent`: the message pressed will change by itself; else an ephemeral answer is promised. Nothing that follows
        a silent one may edit the original response, unless that message is the person's own: it would replace the
        table.
        """
        return await self.admits(interaction) and await self._defer(interaction, silent=silent)

    async def admits(self, interaction: Interaction) -> bool:
        """Whether this is not too much for a while (see rate_limits.py); else the person is told so, alone."""
        self._take_up()
        what, user = asked(interaction), interaction.user.id
        wait = self.limits.wait(what.kind, user, interaction.guild_id)
        if not wait or (what.kind == "move" and await self._is_due(interaction, what)):
            return True
        self.metrics.count("interactions_total", "too_much")
        if self.limits.may_tell(user) and await self._defer(interaction, silent=False):
            until = relative(math.ceil(self.host.now() + wait))
            key = "too_many_tables" if what.kind == "open" else "too_much"
            await self.tell(interaction, self.labels(interaction).say(f"refused.{key}", until=until))
        return False

    async def _is_due(self, interaction: Interaction, what: Asked) -> bool:
        """Whether this is a legal move for which that table waits; where none is named, any."""
        user = interaction.user.id
        matches = [await self.host.matches.get(what.match)] if what.match else await self.host.matches.of_user(user)
        return any(match is not None and self._is_legal(interaction, match, what) for match in matches)

    def _is_legal(self, interaction: Interaction, match: Match, what: Asked) -> bool:
        user = interaction.user.id
        seat = match.seat_of(user)
        if seat is None or not self.which.awaited(match, user):
            return False
        if what.turn not in (None, self.host.turn(match, Seat(seat))):
            return False
        words = self.desk.move_labels(match, user, interaction.locale.value)
        typed = {word.lower() for word in words.values()} if what.turn is None else set()
        return what.text in words or what.text.lower() in typed

    async def _defer(self, interaction: Interaction, *, silent: bool) -> bool:
        """Tell Discord that the interaction is being answered; False where that failed."""
        begun = time.perf_counter()
        try:
            async with discord_call():
                if self.closing.is_set():
                    self.metrics.count("interactions_total", "turned_away")
                    await turn_away(interaction, self.labels(interaction).say("refused.restarting"))
                    return False
                if silent:
                    await interaction.response.defer()
                else:
                    await interaction.response.defer(ephemeral=True, thinking=True)
        except DiscordFailure as trouble:
            if trouble.kind is not Failure.EXPIRED:  # expired: the same press delivered twice, or answered too late
                log.warning("a press could not be acknowledged: %s", trouble)
                await self._ask_back(interaction)
            self.metrics.count("interactions_total", "unacknowledged")
            return False
        self.metrics.observe("acknowledgement_seconds", time.perf_counter() - begun)
        return True

    async def _ask_back(self, interaction: Interaction) -> None:
        """Where somebody who is awaited could not be answered: see by their table whether Discord takes anything now.
        If not, their time stands still.
        """
        match = await self.host.matches.get(asked(interaction).match or 0)
        if match is not None and self.which.awaited(match, interaction.user.id):
            await self.publisher.bring_back(match.id)

    async def ask(self, interaction: Interaction, form: Form) -> None:
        """Answer a press with a form. What is typed there comes back as a press of the form's id."""
        if not await self.admits(interaction):
            return
        try:
            async with discord_call():
                await interaction.response.send_modal(modal(form))
        except DiscordFailure as trouble:
            if trouble.kind is not Failure.EXPIRED:
                log.warning("a form could not be shown: %s", trouble)

    async def meet(self, interaction: Interaction) -> Person:
        """The person behind an interaction, under the name that they have here, speaking the language of theirs."""
        user = interaction.user
        return await self.people.meet(user.id, clean(user.display_name), interaction.locale.value)

    async def welcome(self, interaction: Interaction, match: Match, key: str) -> str:
        """Greet who sits down: open their direct messages there and then, where they want any, and say whether they
        work.
        """
        person, labels = await self.meet(interaction), self.desk.labels(match, interaction.locale.value)
        table = self.which.link(interaction, match)
        if person.ping in (PingPreference.MENTION, PingPreference.NONE):
            how = "dm.not_wanted"
        else:
            works = await self.open_dm(interaction, person, labels.say("dm.hello", table=table))
            how = "dm.works" if works else "dm.closed"
        self.publisher.changed(match.id)
        return f"{labels.say(f'welcome.{key}', table=table)} {labels.say(how)}"

    def labels(self, interaction: Interaction) -> Labels:
        """The texts that belong to no game, in the person's own language."""
        return Labels((), texts(language(interaction.locale.value)))

    async def answer(
        self, interaction: Interaction, work: Callable[[], Awaitable[Answer | None]], *, silent: bool = False
    ) -> None:
        """Acknowledge, work, and tell the person alone what came of it; every refusal is told in words.

        `silent`: a press whose success shows in the message itself, so that only a refusal is answered.
        """
        if await self.acknowledge(interaction, silent=silent):
            said = await self.attempt(interaction, work)
            if said is not None:
                await self.tell(interaction, said)

    async def update(self, interaction: Interaction, work: Callable[[], Awaitable[Content]]) -> None:
        """As `answer`, to a press in a message that only this person sees: it shows what came of it, and a refusal is
        told apart.
        """
        private = is_private(interaction)
        if not await self.acknowledge(interaction, silent=private):
            return
        said = await self.attempt(interaction, work)
        if private and isinstance(said, Content):
            shown = said
            said, _ = await self._tried(interaction, lambda: _shown(interaction, shown))
        if said is not None:
            await self.tell(interaction, said)

    async def open_dm(self, interaction: Interaction, person: Person, hello: str, *, anew: bool = False) -> bool:
        """Whether direct messages reach this person. It says hello the first time, and where asked `anew`."""
        if person.dm is not None and person.dm_works and not anew:
            return True
        try:
            channel = await self.direct.open(interaction.user)
            where = interaction.client.get_partial_messageable(channel, type=discord.ChannelType.private)
            content, key = Content((hello,), user=person.user), nonce("hello", interaction.id)
            await send_private(where, person.user, content, nonce=key)
        except DiscordFailure as trouble:
            log.info("no direct messages to a player: %s", trouble)
            await self.people.change(person.user, dm_works=False)
            return False
        await self.people.change(person.user, dm=channel, dm_works=True)
        return True

    async def attempt(self, interaction: Interaction, work: Callable[[], Awaitable[Answer | None]]) -> Answer | None:
        """The result of `work`; where it fails, the sentence that says why."""
        said, result = await self._tried(interaction, work)
        self.metrics.count("interactions_total", result)
        return said

    async def _tried(
        self, interaction: Interaction, work: Callable[[], Awaitable[Answer | None]]
    ) -> tuple[Answer | None, str]:
        """As `attempt`, and in a word what came of it."""
        labels = self.labels(interaction)
        try:
            return await work(), "answered"
        except Refused as error:
            return labels.say(f"refused.{error.key}", **error.facts), "refused"
        except DiscordFailure as trouble:
            log.warning("an answer failed: %s", trouble)
            return labels.say("refused.discord"), "discord_failed"
        except NotStored:  # not what was asked for, which would be Refused, but something noted beside it
            return labels.say("refused.unnoted"), "not_stored"
        except Exception as error:
            return self.fault(interaction, error), "fault"

    async def complete(self, interaction: Interaction, work: Callable[[], Awaitable[list[T]]]) -> list[T]:
        """What an autocomplete offers; nothing where it is too much, or fails: discord.py would log the exception with
        its text.
        """
        self._take_up()
        if self.limits.wait("complete", interaction.user.id, interaction.guild_id):
            return []
        try:
            return await work()
        except Exception as error:
            log.error("an autocomplete failed: %s", type(error).__name__, exc_info=without_text(error))
            return []

    def fault(self, interaction: Interaction, error: Exception) -> str:
        """Log a fault of ours under a code that the person gets too; its text is logged nowhere."""
        code = secrets.token_hex(4)
        log.error("fault %s: %s", code, type(error).__name__, exc_info=without_text(error), extra={"code": code})
        return self.labels(interaction).say("refused.fault", code=code)

    async def tell(self, interaction: Interaction, said: Answer) -> None:
        """Answer an acknowledged interaction, to that person alone; an answer that comes too late is dropped."""
        user = interaction.user.id
        content = said if isinstance(said, Content) else Content((said,), user=user)
        try:
            await send_private(interaction, user, content)
        except DiscordFailure as trouble:
            log.warning("an answer was not delivered: %s", trouble)

    async def refusal(self, interaction: Interaction, match: Match, error: IllegalMove | Refused) -> str:
        """Why a move was not made, in the game's words, and what would be legal."""
        if isinstance(error, IllegalMove):
            return self.desk.refusal(match, interaction.user.id, error, interaction.locale.value)
        return self.desk.labels(match, interaction.locale.value).say(f"refused.{error.key}", **error.facts)


async def _shown(interaction: Interaction, content: Content) -> None:
    await edit_own(interaction, content)


def is_private(interaction: Interaction) -> bool:
    """Whether the message pressed is one that only this person sees."""
    return interaction.guild_id is None or is_ephemeral(interaction)


def is_ephemeral(interaction: Interaction) -> bool:
    """Whether the message pressed is the answer to an earlier press or command of this person."""
    return interaction.message is not None and interaction.message.flags.ephemeral
