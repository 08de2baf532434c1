"""`/setup`: what the owners of a server allow there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from discord import app_commands

from cogs.app import App, AppCog, slash
from cogs.match.refusals import Reason, Refused
from cogs.match.time_controls import PRESETS
from cogs.messages import clock as clockface
from cogs.messages.content import Button, Content, EntitySelect, Id, Row, Select, SelectOption, id_in
from cogs.transport.permissions import cannot_give, check_role, manages, may_ping, server_or_refuse
from cogs.transport.router import GlobalRoute, Press, Reply
from cogs.transport.senders import Answer, Interaction
from cogs.transport.slash_commands import IN_SERVERS
from data.records.servers import Server, Threads
from rendering.core.labels import Labels

LIMITS = (1, 2, 3, 5, 10, 20, 50)
"""The limits on open tables that a manager may choose."""
MOST_CHANNELS = 25
EXPLAIN, SHOW, MORE = "explain", "show", "more"
"""The buttons that explain the settings, show the first page, and the one with those that are rarely changed."""
SWITCHES = ("events", "motion", "shows_history", "members_only")
"""The settings that are on or off."""
RARE = ("ping_role", "most_open", "most_each", *SWITCHES)
"""The settings behind *More …*: a phone shows no more on one screen."""


class Setup(AppCog):
    """The command and the choices in its answer."""

    def __init__(self, app: App) -> None:
        super().__init__(app)
        app.router.add({"setup": GlobalRoute(self._change, Reply.OWN_MESSAGE)})

    @slash(IN_SERVERS)
    @app_commands.default_permissions(manage_guild=True)
    async def setup(self, interaction: Interaction) -> Answer:
        """`/setup`: show a manager the server's settings, with controls to change them."""
        return self._settings(interaction, await self._service.policy.of(_managed(interaction)))

    async def _change(self, interaction: Interaction, press: Press) -> Content:
        """Apply a choice in the message of `/setup`. The rest of the id is the setting's name."""
        guild = _managed(interaction)
        if press.rest in (EXPLAIN, SHOW, MORE):
            labels = self._interactions.labels(interaction)
            if press.rest != EXPLAIN:
                server = await self._service.policy.of(guild)
                return self._settings(interaction, server, rare=press.rest == MORE)
            text = f"## {labels.say('setup.title')}\n{labels.say('setup.intro')}\n{labels.say('setup.about').strip()}"
            return Content((text,), ((Button(labels.say("lobby.back"), _id(SHOW)),),), interaction.user.id)
        chosen = self._chosen(press.rest, list(press.values), await self._service.policy.of(guild))
        if press.rest == "ping_role" and chosen is not None and interaction.guild is not None:
            check_role(interaction.guild, chosen)
        server = await self._service.policy.change(guild, **{press.rest: chosen})
        if press.rest == "shows_history":
            for number in await self._service.index.open_in(guild):
                self._publisher.later(number)  # a rated lobby says whether its match will count
        note = self._interactions.labels(interaction).say("setup.saved")
        return self._settings(interaction, server, note, rare=press.rest in RARE)

    def _chosen(self, setting: str, values: list[str], server: Server) -> Any:
        """Return the setting's value for the values of a select. Raises Refused for a value not offered."""
        if setting == "channels" and len(values) <= MOST_CHANNELS and all(map(id_in, values)):
            return sorted({int(value) for value in values})
        if setting == "role" and len(values) <= 1 and all(map(id_in, values)):
            # The role with the server's own id is @everyone.
            return next((int(value) for value in values if int(value) != server.guild), None)
        if setting == "ping_role" and len(values) <= 1 and all(map(id_in, values)):
            return next(map(int, values), None)
        if setting == "games" and set(values) <= self._service.games.keys():
            # A manager who chooses each game means all games, also later ones.
            return [] if len(set(values)) == len(self._service.games) else sorted(set(values))
        if setting == "clocks" and set(values) <= PRESETS.keys():
            return [] if len(set(values)) == len(PRESETS) else [name for name in PRESETS if name in values]
        if setting == "first_clock" and len(values) == 1 and values[0] in PRESETS and server.allows_clock(values[0]):
            return values[0]
        if setting == "threads" and len(values) == 1 and values[0] in list(Threads):
            return Threads(values[0])
        if setting in SWITCHES and values in (["on"], ["off"]):
            return values[0] == "on"
        if setting in ("most_open", "most_each") and values in [["any"], *([str(limit)] for limit in LIMITS)]:
            # Without a choice the bot's own limit of a player is in force, so any number is a value of its own there.
            return int(values[0]) if values[0] != "any" else 0 if setting == "most_each" else None
        if setting == "most_each" and values == ["default"]:
            return None
        raise Refused(Reason.UNKNOWN_BUTTON)

    def _settings(self, interaction: Interaction, server: Server, note: str = "", *, rare: bool = False) -> Content:
        """Return a page of the settings: a line and a control each."""
        labels, known = self._interactions.labels(interaction), _still_there(interaction, server)
        lines = self._rare_lines(interaction, server, labels) if rare else self._lines(server, labels)
        rows = self._rare_controls(server, known, labels) if rare else self._controls(server, known, labels)
        clears = tuple(
            Button(labels.say(f"setup.clear_{name}"), _id(name, "none"))
            for name in ("channels", "games", "role", "ping_role", "clocks")
            if getattr(server, name) and (name in RARE) == rare
        )
        other = Button(labels.say("lobby.back"), _id(SHOW)) if rare else Button(labels.say("lobby.more"), _id(MORE))
        rows = (*rows, (other, Button(labels.say("settings.explain"), _id(EXPLAIN))), *([clears] if clears else []))
        text = "\n".join((f"## {labels.say('setup.title')}", *lines))
        return Content((text,), rows, interaction.user.id, note)

    def _lines(self, server: Server, labels: Labels) -> list[str]:
        say = labels.say
        clocks = ", ".join(clockface.terms(name, labels) for name in server.clocks)
        games = ", ".join(self._service.games[slug].title for slug in server.games if slug in self._service.games)
        channels = ", ".join(f"<#{channel}>" for channel in server.channels)
        role = say("setup.role_and_managers", role=f"<@&{server.role}>") if server.role else say("setup.everybody")
        return [
            say("setup.channels", channels=channels or say("setup.every_channel")),
            say("setup.games", games=games or say("setup.every_game")),
            say("setup.threads", choice=say(f"setup.threads_{server.threads.value}")),
            say("setup.role", who=role),
            say("setup.clocks", clocks=clocks or say("setup.every_clock")),
            say("setup.first_clock", terms=clockface.terms(server.clock_at_first(), labels)),
        ]

    def _rare_lines(self, interaction: Interaction, server: Server, labels: Labels) -> list[str]:
        say, default = labels.say, self._service.policy.tables_each
        return [
            say("setup.ping_role", role=f"<@&{server.ping_role}>" if server.ping_role else say("setup.no_role")),
            *_role_faults(interaction, server, labels),
            say("setup.most_open", count=server.most_open or say("setup.any_number")),
            say("setup.most_each", count=_each(server.most_each, default, say)),
            *(say(f"setup.{setting}", state=say("on" if getattr(server, setting) else "off")) for setting in SWITCHES),
        ]

    def _rare_controls(self, server: Server, known: Server, labels: Labels) -> tuple[Row, ...]:
        say = labels.say
        return (
            _role("ping_role", known.ping_role, say),
            _limits("most_open", server.most_open, say),
            _limits("most_each", server.most_each, say, _each(None, self._service.policy.tables_each, say)),
            *(_switch(setting, getattr(server, setting), say) for setting in SWITCHES),
        )

    def _controls(self, server: Server, known: Server, labels: Labels) -> tuple[Row, ...]:
        say = labels.say
        games = tuple(
            SelectOption(game.title, slug, chosen=slug in server.games)
            for slug, game in sorted(self._service.games.items())
        )
        threads = tuple(
            SelectOption(
                say("setup.entry_threads", choice=say(f"setup.threads_{choice.value}")),
                choice.value,
                chosen=choice is server.threads,
            )
            for choice in Threads
        )
        return (
            EntitySelect(_id("channels"), say("setup.choose_channels"), "channel", known.channels, MOST_CHANNELS),
            Select(_id("games"), say("setup.choose_games"), games, least=0, most=len(games)),
            Select(_id("threads"), say("setup.choose_threads"), threads),
            _role("role", known.role, say),
            *_clocks(server, labels),
        )


def _managed(interaction: Interaction) -> int:
    """Return the server of the interaction. Raises Refused if the user does not manage it.

    Call it at each press: permissions change.
    """
    guild = server_or_refuse(interaction, Reason.SETUP_IN_SERVERS)
    if not manages(interaction):
        raise Refused(Reason.NEEDS_MANAGE_SERVER)
    return guild


def _id(setting: str, turn: str = "") -> Id:
    return Id(0, "setup", turn, setting)


def _role(setting: str, chosen: int | None, say: Callable[..., str]) -> EntitySelect:
    return EntitySelect(_id(setting), say(f"setup.choose_{setting}"), "role", () if chosen is None else (chosen,))


def _each(chosen: int | None, default: int | None, say: Callable[..., str]) -> str:
    """Return the limit on a player's open tables, in words. `chosen` None: the bot's default."""
    count = (default if chosen is None else chosen) or say("setup.any_number")
    return say("setup.by_default", count=count) if chosen is None else str(count)


def _limits(setting: str, chosen: int | None, say: Callable[..., str], default: str | None = None) -> Select:
    """Return the select for a limit. `default`: what holds without a choice, in words; None: any number."""
    entries = [("any", say("setup.any_number"), None if default is None else 0), *((str(n), n, n) for n in LIMITS)]
    if default is not None:
        entries.insert(0, ("default", default, None))
    options = tuple(
        SelectOption(say(f"setup.entry_{setting}", count=count), value, chosen=limit == chosen)
        for value, count, limit in entries
    )
    return Select(_id(setting), say(f"setup.choose_{setting}"), options)


def _switch(setting: str, on: bool, say: Callable[..., str]) -> Select:
    choices = (("on", on), ("off", not on))
    entries = tuple(
        SelectOption(say(f"setup.entry_{setting}", state=say(word)), word, chosen=chosen) for word, chosen in choices
    )
    return Select(_id(setting), say(f"setup.choose_{setting}"), entries)


def _clocks(server: Server, labels: Labels) -> tuple[Select, Select]:
    offered = tuple(SelectOption(clockface.terms(name, labels), name, chosen=name in server.clocks) for name in PRESETS)
    first = tuple(
        SelectOption(clockface.limit(name, labels), name, chosen=name == server.clock_at_first())
        for name in PRESETS
        if server.allows_clock(name)
    )
    return (
        Select(_id("clocks"), labels.say("setup.choose_clocks"), offered, least=0, most=len(offered)),
        Select(_id("first_clock"), labels.say("setup.choose_first_clock"), first),
    )


def _still_there(interaction: Interaction, server: Server) -> Server:
    """Return the settings without deleted channels and roles, which a select does not accept."""
    guild = interaction.guild
    if guild is None or guild.unavailable:
        return server
    channels = tuple(channel for channel in server.channels if guild.get_channel(channel) is not None)
    there = {role.id for role in guild.roles}
    role = server.role if server.role in there else None
    return replace(
        server, channels=channels, role=role, ping_role=server.ping_role if server.ping_role in there else None
    )


def _role_faults(interaction: Interaction, server: Server, labels: Labels) -> list[str]:
    """Return a line for each reason why members cannot have the role that new tables ping, or it is not pinged."""
    guild, role = interaction.guild, server.ping_role
    if guild is None or guild.unavailable or role is None:
        return []
    reason = cannot_give(guild, role)
    lines = [] if reason is None else [labels.say(f"refused.{reason}")]
    if not lines and not may_ping(guild, role):
        lines.append(labels.say("setup.role_silent"))
    return [f"-# {line}" for line in lines]
