"""How the bot answers an interaction: admit it, acknowledge it in time, work, then answer its player alone.

Commands come here from their cogs, presses from the router. Nothing here knows what the work is.

Each user and each server has rate limits (runtime/rate_limits.py). A legal move that is due always passes them.
"""

from __future__ import annotations

import asyncio
import logging
import math
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from discord import app_commands

from cogs.match.refusals import Refused
from cogs.messages.content import Content, Form, exact, relative
from cogs.messages.names import known_as, written
from cogs.messages.presenter import Presenter
from cogs.runtime.logs import log_failure, without_text
from cogs.runtime.metrics import Metrics
from cogs.runtime.rate_limits import APART, MOST_KEPT, PERSON, SERVER, Rate, RateClass
from cogs.transport.avatars import Avatars
from cogs.transport.components import modal
from cogs.transport.errors import DiscordFailure, Failure, Troubles, discord_call
from cogs.transport.live_answers import LiveAnswers
from cogs.transport.newcomers import Newcomers, Reach
from cogs.transport.senders import (
    Answer,
    Interaction,
    Lasting,
    Live,
    content_of,
    edit_for_all,
    edit_own,
    send_private,
    turn_away,
)
from cogs.transport.table_finder import TableFinder
from data.content.texts import language, texts
from data.lru import Lru
from data.records.match import Match
from data.records.people import Person, PingPreference
from data.store.database import OUT_OF_REACH
from data.turns import asker
from rendering.core.formatting import shortened
from rendering.core.labels import Labels
from rules.core.game import IllegalMove

log = logging.getLogger(__name__)

T = TypeVar("T", int, str)

READ_PATIENCE = 1.5
"""Seconds that reading before the acknowledgement may take, for a form or choices to complete. Discord waits 3 s for
the answer to an interaction, its way to us included.
"""


def in_own_messages(interaction: Interaction) -> bool:
    """Return whether this happens in the direct messages between the user and the bot, where no other user reads."""
    return interaction.guild_id is None and interaction.context.dm_channel


def is_private(interaction: Interaction) -> bool:
    """Return whether only this player sees the message pressed."""
    return is_ephemeral(interaction) or in_own_messages(interaction)


def is_ephemeral(interaction: Interaction) -> bool:
    """Return whether the message pressed is the answer to an earlier press or command of this player."""
    return interaction.message is not None and interaction.message.flags.ephemeral


_COMMANDS: dict[str, RateClass] = {
    "move": "move",
    "hand": "hand",
    **dict.fromkeys(("board", "rules", "log", "verify", "replay", "profile"), "picture"),
}


@dataclass(frozen=True, slots=True)
class Asked:
    """What an interaction asks for. `match` None: it names no table. A move has its text, a pressed one its `turn`."""

    kind: RateClass
    match: int | None = None
    turn: str | None = None
    text: str = ""


def asked_by_command(interaction: Interaction) -> Asked:
    """Return what a slash command or its autocompletion asks for. The class of a press is in its route (router.py)."""
    data: Any = interaction.data or {}
    given = {option["name"]: option.get("value") for option in data.get("options", ())}
    kind, table = _COMMANDS.get(str(data.get("name")), "ask"), given.get("table")
    return Asked(kind, table if isinstance(table, int) else None, text=str(given.get("move", "")))


class RateLimits:
    """Token buckets (runtime/rate_limits.py), in memory only: a restart refills all. `steady`: a clock in seconds that
    never goes back; None: there are no limits.
    """

    def __init__(self, steady: Callable[[], float] | None = None) -> None:
        self._steady = steady
        self._buckets = Lru[tuple[str, int, str], tuple[float, float]](MOST_KEPT)

    def __len__(self) -> int:
        return len(self._buckets)

    def wait(self, kind: RateClass, user: int, guild: int | None, *, taking: bool = True) -> float:
        """Take one token from the user's and the server's buckets for that class. Return 0.0, or, taking none, the
        seconds until all of them have one. `taking` False: only look.
        """
        kinds = (kind,) if kind in APART else ("ask",) if kind == "move" else dict.fromkeys(("ask", kind))
        wanted: list[tuple[tuple[str, int, str], Rate]] = [(("person", user, name), PERSON[name]) for name in kinds]
        if guild is not None:
            wanted += [(("server", guild, name), SERVER[name]) for name in kinds if name in SERVER]
        return self._take(wanted, taking=taking)

    def until_open(self, user: int, guild: int | None) -> float:
        """Return as `Pace` asks for (match/admission.py)."""
        return self.wait("open", user, guild, taking=False)

    def opened(self, user: int, guild: int | None) -> None:
        """Count as `Pace` asks for."""
        self.wait("open", user, guild)

    def may_tell(self, user: int) -> bool:
        """Return whether to tell a user once more that they have reached a limit. If not, they get no answer."""
        return not self._take([(("person", user, "told"), PERSON["told"])])

    def _take(self, wanted: list[tuple[tuple[str, int, str], Rate]], *, taking: bool = True) -> float:
        """Take one token from each bucket. Return 0.0, or, taking none, the seconds until all have one."""
        if self._steady is None:
            return 0.0
        now, levels, longest = self._steady(), {}, 0.0
        for key, rate in wanted:
            level, since = self._buckets.get(key) or (float(rate.most), now)
            levels[key] = min(float(rate.most), level + (now - since) / rate.seconds)
            longest = max(longest, (1 - levels[key]) * rate.seconds)
        if longest > 1e-6:
            return longest
        for key, level in levels.items() if taking else ():
            self._buckets[key] = (level - 1, now)
        return 0.0


class Interactions:
    """Answers interactions. `limits`: the rate limits of players and servers."""

    def __init__(
        self,
        messages: Presenter,
        finder: TableFinder,
        newcomers: Newcomers,
        limits: RateLimits,
        metrics: Metrics,
        live: LiveAnswers,
        avatars: Avatars | None = None,
    ) -> None:
        self._service = messages.service
        self._messages = messages
        self._finder = finder
        self._newcomers = newcomers
        self.limits = limits
        self._metrics = metrics
        self.live = live
        self._acknowledged = metrics.timer("acknowledgement_seconds")
        self._answered = metrics.timer("answer_seconds")
        self.avatars = avatars
        """Keeps the avatars of those whom the bot meets; None if the operator wants none."""
        self._troubles = Troubles(log, "the answers to presses")
        self.under_way: set[asyncio.Task[Any]] = set()
        self.closing = False
        """Whether the bot is about to end and turns new presses away."""

    async def finish(self, patience: float = 5.0) -> None:
        """Wait at most `patience` seconds for the answers to all presses under way."""
        if self.under_way:
            await asyncio.wait(self.under_way, timeout=patience)

    async def break_off(self, patience: float = 2.0) -> None:
        """Cancel every press not answered yet, and wait at most `patience` seconds. What they have stored stays."""
        if self.under_way:
            log.warning("given up, as the bot is to end: the answers to %d presses", len(self.under_way))
            for task in self.under_way:
                task.cancel()
            await asyncio.wait(self.under_way, timeout=patience)

    def _take_up(self, interaction: Interaction) -> None:
        """Count the current task as a press under way until it is done; it works for the user who pressed."""
        asker.set(interaction.user.id)
        task = asyncio.current_task()
        assert task is not None  # discord.py makes a task for every interaction
        self.under_way.add(task)
        task.add_done_callback(self.under_way.discard)

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
        wait = self.limits.wait(asked.kind, user, interaction.guild_id)
        if not wait or (asked.kind == "move" and await self._passes(interaction, asked)):
            if self.live.kept:
                self.live.went_on(user)
            return True
        self._metrics.count("interactions_total", "too_much")
        if self.limits.may_tell(user) and await self._defer(interaction, asked, silent=False) is not None:
            until = relative(math.ceil(self._service.now() + wait))
            await self.tell(interaction, self.labels(interaction).say("refused.too_much", until=until))
        return False

    async def _passes(self, interaction: Interaction, what: Asked) -> bool:
        """Return whether this move is due, as far as can be read in time: the press is not acknowledged yet."""
        try:
            async with asyncio.timeout(READ_PATIENCE):
                return await self._finder.awaits(interaction, what.match, what.turn, what.text)
        except Exception as error:
            log_failure(log, "whether a move is due could not be read: %s", error=error)
            return False

    async def _defer(self, interaction: Interaction, asked: Asked, *, silent: bool) -> float | None:
        """Tell Discord that an answer follows. Return the seconds that it took; None if it failed."""
        begun = time.perf_counter()
        try:
            async with discord_call():
                if self.closing:
                    self._metrics.count("interactions_total", "turned_away")
                    await turn_away(interaction, self.labels(interaction).say("refused.restarting"))
                    return None
                if silent:
                    await interaction.response.defer()
                else:
                    await interaction.response.defer(ephemeral=True, thinking=True)
        except DiscordFailure as trouble:
            if trouble.kind is not Failure.EXPIRED:  # expired: Discord delivered the press twice, or we were too late
                self._troubles.tell(trouble, "a press could not be acknowledged: %s")
                await self._ask_back(interaction, asked)
            self._metrics.count("interactions_total", "unacknowledged")
            return None
        self._troubles.over()
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
                self._troubles.tell(trouble, "a form could not be shown: %s")

    async def meet(self, interaction: Interaction) -> Person:
        """Return the player behind an interaction, stored with their language and the name that they have here.

        A name that a server without the bot has given them stays there.
        """
        user, here = interaction.user, interaction.client.get_guild(interaction.guild_id or 0) is not None
        name = user.display_name if here else user.global_name or user.name
        person = await self._service.people.meet(user.id, known_as(name, user.name), interaction.locale.value)
        if self.avatars is not None:
            self.avatars.met(user)
        return person

    async def welcome(
        self, interaction: Interaction, match: Match, key: str, *, quietly: bool = False, **facts: object
    ) -> str:
        """Greet a player who sits down; `facts` fill the places of that text. If they want direct messages, open them,
        and say whether they work. `quietly`: "" if they do.
        """
        person, labels = await self.meet(interaction), self._messages.labels(match, interaction.locale.value)
        table = self._finder.link(interaction, match)
        if person.ping in (PingPreference.MENTION, PingPreference.NONE):
            how = "dm.not_wanted"
        else:
            reached = await self.open_dm(interaction, person, labels.say("dm.hello", table=table), match=match.id)
            how = f"dm.{reached.name.lower()}"
            quietly = quietly and reached is Reach.WORKS
        until = await self._messages.service.clocks.quiet_at(match, person.user)
        off = "" if until is None else f"\n{labels.say('hours.off', until=exact(until))}"
        self._service.listener.changed(match.id)
        if quietly and not off:
            return ""
        return f"{labels.say(f'welcome.{key}', table=table, **facts)} {labels.say(how)}{off}"

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
        admitted: bool = False,
    ) -> None:
        """Acknowledge, work, and tell the player the result or the reason of a refusal. `asked` None: a command.

        `silent`: success shows in the message itself, so only a refusal is answered. `admitted`: `admits` has let it
        pass before.
        """
        acknowledge = self._defer if admitted else self.acknowledge
        acknowledged = await acknowledge(interaction, asked or asked_by_command(interaction), silent=silent)
        if acknowledged is not None:
            said = await self.attempt(interaction, work, acknowledged)
            if said is not None:
                await self.tell(interaction, said)

    async def show(self, interaction: Interaction, said: Content | Live, *, to_all: bool = False) -> Answer | None:
        """Show the answer in the message pressed, its player's, or everyone's if `to_all`. Return why not, or None."""

        async def edit() -> None:
            if to_all:
                await edit_for_all(interaction, content_of(said))
            else:
                self.live.keep(interaction, await edit_own(interaction, content_of(said)), said)

        return (await self._tried(interaction, edit))[0]

    async def open_dm(
        self, interaction: Interaction, person: Person, hello: str, *, always: bool = False, match: int | None = None
    ) -> Reach:
        """Open direct messages to this player; return whether they work. Say hello once, but not to a player who writes
        there; with `always`, each time. `match`: the one that the hello says they have joined.
        """
        if person.dm is not None and person.dm_works and not always:
            return Reach.WORKS
        if in_own_messages(interaction) and person.dm_works is None and not always:
            assert interaction.channel_id is not None
            await self._newcomers.met(person.user, interaction.channel_id)
            return Reach.WORKS
        return await self._newcomers.reach(person, hello, interaction.id, match)

    async def attempt(
        self, interaction: Interaction, work: Callable[[], Awaitable[Answer | None]], acknowledged: float
    ) -> Answer | None:
        """Return the result of `work`, or the sentence why it failed. `acknowledged`: as `acknowledge` returned."""
        begun = time.perf_counter()
        said, result = await self._tried(interaction, work)
        self._acknowledged(acknowledged)
        self._answered(acknowledged + time.perf_counter() - begun)
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
            self._troubles.tell(trouble, "an answer failed: %s")
            return labels.say("refused.discord"), "discord_failed"
        except OUT_OF_REACH:
            # The change itself would raise Refused: this is something noted beside it, or may be stored or not.
            return labels.say("refused.unnoted"), "not_stored"
        except Exception as error:
            return self.fault(interaction, error), "fault"

    async def complete(
        self, interaction: Interaction, work: Callable[[], Awaitable[Sequence[tuple[T, str]]]]
    ) -> list[app_commands.Choice[T]]:
        """Return the choices of an autocomplete: the first 25 of the values and names that `work` returns; none if the
        rate limits forbid it, or if `work` fails or takes longer than `READ_PATIENCE`. Errors are logged here, because
        discord.py would log an exception with its text.
        """
        self._take_up(interaction)
        if self.limits.wait("complete", interaction.user.id, interaction.guild_id):
            return []
        try:
            async with asyncio.timeout(READ_PATIENCE):
                found = (await work())[:25]
                return [app_commands.Choice(name=shortened(name, 100), value=value) for value, name in found]
        except TimeoutError:
            log.info("an autocomplete took too long")
            return []
        except Exception as error:
            log_failure(log, "an autocomplete failed: %s", error=error)
            return []

    def fault(self, interaction: Interaction, error: Exception) -> str:
        """Log a fault of ours by its kind, under a code, never its text. Return the sentence that tells the code."""
        code = secrets.token_hex(4)
        log.error("fault %s: %s", code, type(error).__name__, exc_info=without_text(error), extra={"code": code})
        return Lasting(self.labels(interaction).say("refused.fault", code=code))

    async def report(self, interaction: Interaction, error: Exception) -> None:
        """Log a fault of ours as `fault` does, and tell its player the code, acknowledged or not."""
        said = self.fault(interaction, error)
        done = interaction.response.is_done()
        if done or await self._defer(interaction, Asked("ask"), silent=False) is not None:
            await self.tell(interaction, said)

    async def tell(self, interaction: Interaction, said: Answer) -> None:
        """Answer an acknowledged interaction, to its player alone; an answer that comes too late is dropped."""
        user = interaction.user.id
        try:
            self.live.keep(interaction, await send_private(interaction, user, content_of(said, user)), said)
        except DiscordFailure as trouble:
            self._troubles.tell(trouble, "an answer was not delivered: %s")

    def reason(self, interaction: Interaction, error: Refused) -> str:
        """Return the sentence that tells why the table refuses a change."""
        facts = {key: written(str(fact)) if key == "name" else fact for key, fact in error.facts.items()}
        said = self.labels(interaction).say(f"refused.{error.reason}", **facts)
        return Lasting(said) if "code" in facts else said

    def refusal(self, interaction: Interaction, match: Match, error: IllegalMove | Refused) -> str:
        """Return why a move was not made, in the game's words, and which moves are legal."""
        if isinstance(error, IllegalMove):
            return self._messages.refusal(match, interaction.user.id, error, interaction.locale.value)
        return self._messages.labels(match, interaction.locale.value).say(f"refused.{error.reason}", **error.facts)
