"""The router: every press of a button or select, and every form sent, goes through here to the cog that handles it.

`Router.routes` is the one table of actions: what handles a press, how it is acknowledged, and how it counts for the
rate limits. A press is parsed once. Old, doubled and forged presses come here too.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from enum import Enum, auto
from functools import partial
from typing import Any, NamedTuple

import discord

from cogs.match.refusals import Reason, Refused
from cogs.messages.content import Content, Form, Id, picked
from cogs.runtime.rate_limits import RateClass
from cogs.transport.components import offers
from cogs.transport.interactions import READ_PATIENCE, Asked, Interactions, is_ephemeral, is_private
from cogs.transport.senders import Answer, Interaction, Live
from cogs.transport.table_finder import TableFinder
from data.records.match import Match, Status

_KINDS = (discord.InteractionType.component, discord.InteractionType.modal_submit)


class Press(NamedTuple):
    """A press: the parts of its custom id (messages/content.py), its values, and whether its message is private."""

    match: int
    action: str
    turn: str
    rest: str
    values: tuple[str, ...] = ()
    private: bool = False

    @classmethod
    def of(cls, interaction: Interaction) -> Press | None:
        """Return the press of an interaction; None for a custom id that this bot never made.

        A list of moves and steps in a hand sends one of these as its value; a list of tables (messages/choices.py),
        the id of a button of that table; another select, its first value as `rest`.
        """
        data: Any = interaction.data or {}
        chosen = [str(value) for value in data.get("values", [])]
        typed = [str(part["component"].get("value", "")) for part in data.get("components", []) if "component" in part]
        private, parsed = is_private(interaction), Id.parse(str(data.get("custom_id", "")))
        if parsed is not None and parsed.action == "at":
            parsed, chosen = Id.parse(chosen[0] if chosen else ""), []
        if parsed is None:
            return None
        match, action, turn, rest = parsed
        values = (*chosen, *typed)
        if action == "pick":
            action, rest = picked(values[0] if values else "")
        return cls(match, action, turn, rest, values, private)

    @property
    def chosen(self) -> str:
        """Return the value chosen or typed; "" for a button."""
        return self.values[0] if self.values else ""

    @property
    def value(self) -> str:
        """Return the value chosen or typed; for a button, the rest of its id."""
        return self.values[0] if self.values else self.rest


class Reply(Enum):
    """Where the answer to a press appears."""

    NEW = auto()
    """A new message that only its player sees."""
    SILENT = auto()
    """The message pressed, which the publisher changes; only a refusal is a new message."""
    CHANGES = auto()
    """As with SILENT; what the handler returns appears in the message pressed if that is an earlier answer."""
    IN_PLACE = auto()
    """The message pressed if that is an earlier answer, which the handler edits; otherwise as NEW."""
    OWN_MESSAGE = auto()
    """The message pressed if only its player sees it, an earlier answer or a direct message; otherwise as NEW."""
    PRESSED = auto()
    """The message pressed, also if everyone sees it, if it offers this action; otherwise as NEW."""
    FORM = auto()
    """The form that the handler returns; a refusal as with SILENT."""


Handler = Callable[[Interaction, Press], Awaitable[Answer | Form | None]]
TableHandler = Callable[[Interaction, Match, Press], Awaitable[Answer | Form | None]]


@dataclass(frozen=True, slots=True)
class Route:
    """An action at a table: `handler` gets the match that the press names, if its player may use it."""

    handler: TableHandler
    answer: Reply = Reply.NEW
    rate: RateClass = "ask"


@dataclass(frozen=True, slots=True)
class GlobalRoute:
    """An action that belongs to no match, or whose handler finds the match itself."""

    handler: Handler
    answer: Reply = Reply.NEW
    rate: RateClass = "ask"


def at_table(work: Callable[[Interaction, Match], Awaitable[Answer | Form | None]]) -> TableHandler:
    """Return a handler for presses of which `work` needs only the table."""

    async def handle(interaction: Interaction, match: Match, _: Press) -> Answer | Form | None:
        return await work(interaction, match)

    return handle


def on_lobby_page(handler: TableHandler, interactions: Interactions) -> TableHandler:
    """Return the handler of a press on a lobby's private pages. Once the lobby is over, a press there replaces the page
    by the reason why nothing can be chosen any more.
    """

    async def handle(interaction: Interaction, match: Match, press: Press) -> Answer | Form | None:
        try:
            return await handler(interaction, match, press)
        except Refused as error:
            if match.status is Status.LOBBY or not is_ephemeral(interaction):
                raise
            return Content((interactions.reason(interaction, error),), user=interaction.user.id)

    return handle


class Router:
    """Passes every press to its route."""

    def __init__(self, interactions: Interactions, finder: TableFinder) -> None:
        self._interactions = interactions
        self._finder = finder
        self.routes: dict[str, Route | GlobalRoute] = {}
        """All routes, by action."""

    def add(self, routes: Mapping[str, Route | GlobalRoute]) -> None:
        """Add a cog's routes, by action; "action/rest" is a route for that one rest. Each action has one route."""
        assert not routes.keys() & self.routes.keys()
        self.routes.update(routes)

    def route(self, press: Press) -> Route | GlobalRoute | None:
        """Return the route of that press; None for an action that this bot does not know (any more)."""
        return self.routes.get(f"{press.action}/{press.rest}") or self.routes.get(press.action)

    async def on_interaction(self, interaction: Interaction) -> None:
        """Handle any interaction that is a press or a form. bot.py passes every one here."""
        if interaction.type not in _KINDS:
            return
        try:
            await self.follow_press(interaction, Press.of(interaction))
        except Exception as error:
            await self._interactions.report(interaction, error)

    async def follow_press(self, interaction: Interaction, press: Press | None) -> None:
        """Acknowledge a press, do what it asks, and answer. `press` None: its id cannot be read."""
        route = self.route(press) if press is not None else None
        if press is None or route is None:
            await self._interactions.answer(interaction, _unknown)
            return
        asked = Asked(route.rate, press.match, press.turn, press.rest)
        work = self._work(interaction, press, route)
        if route.answer is Reply.FORM:
            await self.ask(interaction, asked, work)
            return
        silent = _is_silent(route.answer, interaction, press)
        if silent and is_private(interaction):
            work = partial(self._at_what_is_left, interaction, work)
        acknowledged = await self._interactions.acknowledge(interaction, asked, silent=silent)
        if acknowledged is None:
            return
        live, message = self._interactions.live, interaction.message
        is_live = message is not None and message.id in live.kept  # hands are kept true elsewhere
        async with live.pressed(interaction) if is_live else nullcontext():
            said = await self._interactions.attempt(interaction, work, acknowledged)
            if silent and isinstance(said, Content | Live):
                said = await self._shown(interaction, route, said)
            if said is not None:
                await self._interactions.tell(interaction, said)

    async def _shown(
        self, interaction: Interaction, route: Route | GlobalRoute, content: Content | Live
    ) -> Answer | None:
        """Show the content in the message pressed if it is its player's alone. Return what is left for a new one."""
        if route.answer is Reply.PRESSED and not is_private(interaction):
            return await self._interactions.show(interaction, content, to_all=True)
        own = route.answer in (Reply.OWN_MESSAGE, Reply.PRESSED)
        if own or (route.answer is Reply.CHANGES and is_ephemeral(interaction)):
            return await self._interactions.show(interaction, content)
        return None if route.answer is Reply.CHANGES else content

    def _work(self, interaction: Interaction, press: Press, route: Route | GlobalRoute) -> Callable[[], Awaitable[Any]]:
        if isinstance(route, GlobalRoute):
            return partial(route.handler, interaction, press)
        return partial(self._at_table, interaction, press, route.handler)

    async def _at_table(self, interaction: Interaction, press: Press, handler: TableHandler) -> Any:
        return await handler(interaction, await self._finder.match(interaction, press.match), press)

    async def _at_what_is_left(self, interaction: Interaction, work: Callable[[], Awaitable[Any]]) -> Any:
        """Return the result of `work`. If a restored backup does not have the table, the player's own message that was
        pressed says so from now on, in place of its buttons.
        """
        try:
            return await work()
        except Refused as error:
            if error.reason is not Reason.LOST:
                raise
            lost = Content((self._interactions.reason(interaction, error),), user=interaction.user.id)
            return await self._interactions.show(interaction, lost)

    async def ask(self, interaction: Interaction, asked: Asked, work: Callable[[], Awaitable[Any]]) -> None:
        """Answer with the form; tell a player who may not fill it in why, and one whose form failed that it did.

        Discord takes a form only in place of an acknowledgement. So to make it may take `READ_PATIENCE` at most: after
        that, the press is acknowledged and answered without a form.
        """
        if not await self._interactions.admits(interaction, asked):
            return
        making = asyncio.ensure_future(work())
        try:
            done, _ = await asyncio.wait([making], timeout=READ_PATIENCE)
            if done and making.exception() is None:
                await self._interactions.ask(interaction, making.result())
                return
            making.cancel()

            async def explain() -> Answer:
                if done:
                    await making
                raise Refused(Reason.SLOW)

            await self._interactions.answer(interaction, explain, asked, silent=True, admitted=True)
        finally:
            making.cancel()


def _is_silent(reply: Reply, interaction: Interaction, press: Press) -> bool:
    """Return whether the answer shows in the message pressed."""
    if reply is Reply.PRESSED:
        return offers(interaction.message, press.match, press.action)
    if reply is Reply.OWN_MESSAGE:
        return press.private
    return reply in (Reply.SILENT, Reply.CHANGES) or (reply is Reply.IN_PLACE and is_ephemeral(interaction))


async def _unknown() -> Answer:
    raise Refused(Reason.UNKNOWN_BUTTON)
