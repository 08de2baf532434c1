"""How the bot answers an interaction: acknowledge it within three seconds, work, then answer its player alone.

Commands come here from their cogs, presses from the router. Nothing here knows what the work is.
"""

from __future__ import annotations

import asyncio
import logging
import math
import secrets
import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from cogs.match.refusals import Refused
from cogs.match.service import MatchService
from cogs.messages.clock import exact, relative
from cogs.messages.content import Content, Form
from cogs.messages.names import known_as, written
from cogs.messages.presenter import Presenter
from cogs.runtime.logs import log_failure, without_text
from cogs.runtime.metrics import Metrics
from cogs.transport.asked import Answer, Asked, Interaction, RateLimits, asked_by_command
from cogs.transport.avatars import Avatars
from cogs.transport.components import modal
from cogs.transport.errors import DiscordFailure, Failure, discord_call
from cogs.transport.newcomers import Newcomers, Reach
from cogs.transport.senders import edit_for_all, edit_own, send_private, turn_away
from cogs.transport.table_finder import TableFinder, is_playing
from data.content.texts import language, texts
from data.records.match import Match
from data.records.people import People, Person, PingPreference
from data.store.database import CommitUnknown, NotStored
from data.turns import asker
from rendering.core.labels import Labels
from rules.core.game import IllegalMove, Seat

log = logging.getLogger(__name__)

T = TypeVar("T")

READ_PATIENCE = 1.5
"""Seconds that reading before the acknowledgement may take, for a form or choices to complete. Discord waits 3 s for
the answer to an interaction, its way to us included.
"""


class Interactions:
    """Answers interactions. `limits`: the rate limits of players and servers."""

    def __init__(
        self,
        service: MatchService,
        people: People,
        messages: Presenter,
        finder: TableFinder,
        newcomers: Newcomers,
        limits: RateLimits,
        metrics: Metrics,
        avatars: Avatars | None = None,
    ) -> None:
        self._service = service
        self._people = people
        self._messages = messages
        self._finder = finder
        self._newcomers = newcomers
        self._limits = limits
        self._metrics = metrics
        self._acknowledged = metrics.timer("acknowledgement_seconds")
        self.avatars = avatars
        """Keeps the avatars of those whom the bot meets; None if the operator wants none."""
        self._under_way: set[asyncio.Task[Any]] = set()
        self._closing = False

    # The end.

    @property
    def closing(self) -> bool:
        """Whether the bot is about to end and turns new presses away."""
        return self._closing

    def turn_away(self) -> None:
        """Turn new presses away from now on."""
        self._closing = True

    async def finish(self, patience: float = 5.0) -> None:
        """Wait at most `patience` seconds for the answers to all presses under way."""
        if self._under_way:
            await asyncio.wait(self._under_way, timeout=patience)

    async def break_off(self, patience: float = 2.0) -> None:
        """Cancel every press not answered yet, and wait at most `patience` seconds. What they have stored stays."""
        if self._under_way:
            log.warning("given up, as the bot is to end: the answers to %d presses", len(self._under_way))
            for task in self._under_way:
                task.cancel()
            await asyncio.wait(self._under_way, timeout=patience)

    def _take_up(self, interaction: Interaction) -> None:
        """Count the current task as a press under way until it is done; it works for the user who pressed."""
        asker.set(interaction.user.id)
        task = asyncio.current_task()
        assert task is not None  # discord.py makes a task for every interaction
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    async def acknowledge(self, interaction: Interaction, asked: Asked, *, silent: bool) -> float | None:
        """Acknowledge before anything else. Return the seconds that it took.

        Return None, upon which the caller does nothing, if it failed or a rate limit is reached. `silent`: the message
        pressed will change by itself; otherwise an ephemeral answer is promised. After a silent acknowledgement do not
        edit the original response, unless that message is the player's own: the edit would replace the table.
        """
        if not await self.admits(interaction, asked):
            return None
        return await self._defer(interaction, asked, silent=silent)

    async def admits(self, interaction: Interaction, asked: Asked) -> bool:
        """Return whether the rate limits allow it; if not, tell that player alone."""
        self._take_up(interaction)
        user = interaction.user.id
        wait = self._limits.wait(asked.kind, user, interaction.guild_id)
        if not wait or (asked.kind == "move" and await self._passes(interaction, asked)):
            return True
        self._metrics.count("interactions_total", "too_much")
        if self._limits.may_tell(user) and await self._defer(interaction, asked, silent=False) is not None:
            until = relative(math.ceil(self._service.now() + wait))
            key = "too_many_tables" if asked.kind == "open" else "too_much"
            await self.tell(interaction, self.labels(interaction).say(f"refused.{key}", until=until))
        return False

    async def _passes(self, interaction: Interaction, what: Asked) -> bool:
        """Return whether this move is due, as far as can be read in time: the press is not acknowledged yet."""
        try:
            async with asyncio.timeout(READ_PATIENCE):
                return await self._is_due(interaction, what)
        except Exception as error:
            log_failure(log, "whether a move is due could not be read: %s", error=error)
            return False

    async def _is_due(self, interaction: Interaction, what: Asked) -> bool:
        """Return whether this is a legal move that the named table waits for; if none is named, the only table that it
        may belong to.

        A move that may belong to several tables is made at none of them, so it stays due and would pass for ever.
        """
        if what.match is not None:
            match = await self._service.find(what.match)
            return match is not None and self._is_legal(interaction, match, what)
        meant = await self._finder.meant(interaction, is_playing)
        return len(meant) == 1 and self._is_legal(interaction, meant[0], what)

    def _is_legal(self, interaction: Interaction, match: Match, what: Asked) -> bool:
        user = interaction.user.id
        seat = match.seat_of(user)
        if seat is None or not self._finder.is_to_move(match, user):
            return False
        if what.turn not in (None, self._service.turn(match, Seat(seat))):
            return False
        legal = {str(move) for move in self._service.state(match).legal_moves(Seat(seat))}
        if what.turn is not None:
            return what.text in legal
        meant = self._messages.meant(match, user, interaction.locale.value, what.text)
        return len(meant) == 1 and meant[0] in legal

    async def _defer(self, interaction: Interaction, asked: Asked, *, silent: bool) -> float | None:
        """Tell Discord that an answer follows. Return the seconds that it took; None if it failed."""
        begun = time.perf_counter()
        try:
            async with discord_call():
                if self._closing:
                    self._metrics.count("interactions_total", "turned_away")
                    await turn_away(interaction, self.labels(interaction).say("refused.restarting"))
                    return None
                if silent:
                    await interaction.response.defer()
                else:
                    await interaction.response.defer(ephemeral=True, thinking=True)
        except DiscordFailure as trouble:
            if trouble.kind is not Failure.EXPIRED:  # expired: Discord delivered the press twice, or we were too late
                log.warning("a press could not be acknowledged: %s", trouble)
                await self._ask_back(interaction, asked)
            self._metrics.count("interactions_total", "unacknowledged")
            return None
        return time.perf_counter() - begun

    async def _ask_back(self, interaction: Interaction, asked: Asked) -> None:
        """Try whether Discord takes the table now, after a press of a player who is to move could not be answered.

        If it does not, their clock is frozen.
        """
        match = await self._service.find(asked.match) if asked.match else None
        if match is not None and self._finder.is_to_move(match, interaction.user.id):
            self._service.listener.bring_back(match.id)

    async def ask(self, interaction: Interaction, form: Form) -> None:
        """Answer a press that `admits` has let pass with a form. Its text comes back as a press of the form's id."""
        try:
            async with discord_call():
                await interaction.response.send_modal(modal(form))
        except DiscordFailure as trouble:
            if trouble.kind is not Failure.EXPIRED:
                log.warning("a form could not be shown: %s", trouble)

    async def meet(self, interaction: Interaction) -> Person:
        """Return the player behind an interaction, stored with their language and the name that they have here.

        A name that a server without the bot has given them stays there.
        """
        user, here = interaction.user, interaction.client.get_guild(interaction.guild_id or 0) is not None
        name = user.display_name if here else user.global_name or user.name
        person = await self._people.meet(user.id, known_as(name, user.name), interaction.locale.value)
        if self.avatars is not None:
            self.avatars.met(user)
        return person

    async def welcome(self, interaction: Interaction, match: Match, key: str) -> str:
        """Greet a player who sits down. If they want direct messages, open them, and say whether they work."""
        person, labels = await self.meet(interaction), self._messages.labels(match, interaction.locale.value)
        table = self._finder.link(interaction, match)
        if person.ping in (PingPreference.MENTION, PingPreference.NONE):
            how = "dm.not_wanted"
        else:
            reached = await self.open_dm(interaction, person, labels.say("dm.hello", table=table))
            how = f"dm.{reached.name.lower()}"
        until = await self._messages.service.clocks.quiet_until(person.user)
        off = "" if until is None else f"\n{labels.say('hours.off', until=exact(until))}"
        self._service.listener.changed(match.id)
        return f"{labels.say(f'welcome.{key}', table=table)} {labels.say(how)}{off}"

    def labels(self, interaction: Interaction) -> Labels:
        """Return the texts that belong to no game, in the player's own language."""
        return Labels((), texts(language(interaction.locale.value)))

    async def answer(
        self,
        interaction: Interaction,
        work: Callable[[], Awaitable[Answer | None]],
        asked: Asked | None = None,
        *,
        silent: bool = False,
    ) -> None:
        """Acknowledge, work, and tell the player the result or the reason of a refusal. `asked` None: a command.

        `silent`: success shows in the message itself, so only a refusal is answered.
        """
        acknowledged = await self.acknowledge(interaction, asked or asked_by_command(interaction), silent=silent)
        if acknowledged is not None:
            said = await self.attempt(interaction, work, acknowledged)
            if said is not None:
                await self.tell(interaction, said)

    async def answer_admitted(
        self, interaction: Interaction, work: Callable[[], Awaitable[Answer | None]], asked: Asked
    ) -> None:
        """Acknowledge a press that `admits` has let pass, work, and tell the player the result as `answer` does."""
        acknowledged = await self._defer(interaction, asked, silent=True)
        if acknowledged is not None:
            said = await self.attempt(interaction, work, acknowledged)
            if said is not None:
                await self.tell(interaction, said)

    async def show_in_own(self, interaction: Interaction, content: Content) -> Answer | None:
        """Show the content in the message pressed, which only its player sees. Return why that failed, or None."""
        said, _ = await self._tried(interaction, lambda: _shown(interaction, content))
        return said

    async def show_in_public(self, interaction: Interaction, content: Content) -> Answer | None:
        """Show the content in the message pressed, which everyone sees. Return why that failed, or None."""
        said, _ = await self._tried(interaction, lambda: _shown_to_all(interaction, content))
        return said

    async def open_dm(self, interaction: Interaction, person: Person, hello: str, *, always: bool = False) -> Reach:
        """Open direct messages to this player; return whether they work. Say hello once; with `always`, each time."""
        if person.dm is not None and person.dm_works and not always:
            return Reach.WORKS
        return await self._newcomers.reach(person, hello, interaction.id)

    async def attempt(
        self, interaction: Interaction, work: Callable[[], Awaitable[Answer | None]], acknowledged: float
    ) -> Answer | None:
        """Return the result of `work`, or the sentence why it failed. `acknowledged`: as `acknowledge` returned."""
        said, result = await self._tried(interaction, work)
        self._acknowledged(acknowledged)
        self._metrics.count("interactions_total", result)
        return said

    async def _tried(
        self, interaction: Interaction, work: Callable[[], Awaitable[Answer | None]]
    ) -> tuple[Answer | None, str]:
        """Return the same as `attempt`, and the outcome in a word, for the metrics."""
        labels = self.labels(interaction)
        try:
            return await work(), "answered"
        except Refused as error:
            return self.reason(interaction, error), "refused"
        except DiscordFailure as trouble:
            log.warning("an answer failed: %s", trouble)
            return labels.say("refused.discord"), "discord_failed"
        except (NotStored, CommitUnknown):
            # The change itself would raise Refused: this is something noted beside it, or may be stored or not.
            return labels.say("refused.unnoted"), "not_stored"
        except Exception as error:
            return self.fault(interaction, error), "fault"

    async def complete(self, interaction: Interaction, work: Callable[[], Awaitable[list[T]]]) -> list[T]:
        """Return the choices of an autocomplete; none if the rate limits forbid it, or if `work` fails or
        takes longer than `READ_PATIENCE`.

        Errors are logged here, because discord.py would log an exception with its text.
        """
        self._take_up(interaction)
        if self._limits.wait("complete", interaction.user.id, interaction.guild_id):
            return []
        try:
            async with asyncio.timeout(READ_PATIENCE):
                return await work()
        except TimeoutError:
            log.warning("an autocomplete took too long")
            return []
        except Exception as error:
            log_failure(log, "an autocomplete failed: %s", error=error)
            return []

    def fault(self, interaction: Interaction, error: Exception) -> str:
        """Log a fault of ours by its kind, under a code, never its text. Return the sentence that tells the code."""
        code = secrets.token_hex(4)
        log.error("fault %s: %s", code, type(error).__name__, exc_info=without_text(error), extra={"code": code})
        return self.labels(interaction).say("refused.fault", code=code)

    async def report(self, interaction: Interaction, error: Exception) -> None:
        """Log a fault of ours as `fault` does, and tell its player the code, acknowledged or not."""
        said = self.fault(interaction, error)
        done = interaction.response.is_done()
        if done or await self._defer(interaction, Asked("ask"), silent=False) is not None:
            await self.tell(interaction, said)

    async def tell(self, interaction: Interaction, said: Answer) -> None:
        """Answer an acknowledged interaction, to its player alone; an answer that comes too late is dropped."""
        user = interaction.user.id
        content = said if isinstance(said, Content) else Content((said,), user=user)
        try:
            await send_private(interaction, user, content)
        except DiscordFailure as trouble:
            log.warning("an answer was not delivered: %s", trouble)

    def reason(self, interaction: Interaction, error: Refused) -> str:
        """Return the sentence that tells why the table refuses a change."""
        facts = {key: written(str(fact)) if key == "name" else fact for key, fact in error.facts.items()}
        return self.labels(interaction).say(f"refused.{error.reason}", **facts)

    def refusal(self, interaction: Interaction, match: Match, error: IllegalMove | Refused) -> str:
        """Return why a move was not made, in the game's words, and which moves are legal."""
        if isinstance(error, IllegalMove):
            return self._messages.refusal(match, interaction.user.id, error, interaction.locale.value)
        return self._messages.labels(match, interaction.locale.value).say(f"refused.{error.reason}", **error.facts)


async def _shown(interaction: Interaction, content: Content) -> None:
    await edit_own(interaction, content)


async def _shown_to_all(interaction: Interaction, content: Content) -> None:
    await edit_for_all(interaction, content)
