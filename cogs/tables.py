"""The tables of all games: the slash commands, and the one router of every press.

A command and its button do the same through the same method. Nothing is remembered between two interactions but what
the database holds, so a restart changes nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from cogs.match.refusals import Refused, unseated
from cogs.messages.content import Id, number_in, path_of, picked, shortened
from cogs.messages.names import written
from cogs.transport.hand_replies import HandReplies
from cogs.transport.interactions import (
    Answer,
    GlobalRoute,
    House,
    Interaction,
    Route,
    at_table,
    is_ephemeral,
    is_private,
)
from cogs.transport.permissions import admit
from cogs.transport.senders import edit_own
from cogs.transport.table_finder import is_playing
from cogs.transport.translator import SAID
from data.records.match import Match
from rules import GAMES
from rules.core.game import IllegalMove, Seat

log = logging.getLogger(__name__)

_GAME_CHOICES = [app_commands.Choice(name=game.title, value=slug) for slug, game in GAMES.items()]
EVERYWHERE = app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
IN_SERVERS = app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)


class Tables(commands.Cog):
    """Commands and presses of all tables."""

    def __init__(self, bot: commands.Bot, house: House) -> None:
        self.bot = bot
        self.house = house
        self.hands = HandReplies(house)
        self.host = house.host
        self.lobby = house.lobby
        self.which = house.which
        house.routes.update(self._routes())

    # Commands.

    @app_commands.command(description=SAID["command.play.description"])
    @app_commands.describe(game=SAID["command.play.game.description"])
    @app_commands.choices(game=_GAME_CHOICES)
    @IN_SERVERS
    async def play(self, interaction: Interaction, game: str) -> None:
        await self.house.answer(interaction, lambda: self._open(interaction, game))

    @app_commands.command(description=SAID["command.hand.description"])
    @app_commands.describe(table=SAID["command.hand.table.description"])
    @EVERYWHERE
    async def hand(self, interaction: Interaction, table: int | None = None) -> None:
        await self.house.answer(interaction, self.which.at(interaction, table, self._hand, is_playing))

    @app_commands.command(description=SAID["command.board.description"])
    @app_commands.describe(table=SAID["command.board.table.description"])
    @EVERYWHERE
    async def board(self, interaction: Interaction, table: int | None = None) -> None:
        await self.house.answer(interaction, self.which.at(interaction, table, self._board, is_playing, here=True))

    @app_commands.command(description=SAID["command.move.description"])
    @app_commands.describe(move=SAID["command.move.move.description"], table=SAID["command.move.table.description"])
    @EVERYWHERE
    async def move(self, interaction: Interaction, move: str, table: int | None = None) -> None:
        async def make(interaction: Interaction, match: Match) -> Answer | None:
            return await self._make_move(interaction, match, None, move)

        await self.house.answer(interaction, self.which.at(interaction, table, make, is_playing))

    @app_commands.command(description=SAID["command.undo.description"])
    @app_commands.describe(table=SAID["command.undo.table.description"])
    @EVERYWHERE
    async def undo(self, interaction: Interaction, table: int | None = None) -> None:
        await self.house.answer(interaction, self.which.at(interaction, table, self._undo, is_playing))

    @app_commands.command(description=SAID["command.log.description"])
    @app_commands.describe(table=SAID["command.log.table.description"])
    @EVERYWHERE
    async def log(self, interaction: Interaction, table: int | None = None) -> None:
        async def show(interaction: Interaction, match: Match) -> Answer:
            return await self._log(interaction, match, 0)

        await self.house.answer(interaction, self.which.at(interaction, table, show, _started, here=True))

    @app_commands.command(description=SAID["command.rules.description"])
    @app_commands.describe(game=SAID["command.rules.game.description"])
    @app_commands.choices(game=_GAME_CHOICES)
    @EVERYWHERE
    async def rules(self, interaction: Interaction, game: str) -> None:
        async def show() -> Answer:
            if game not in GAMES:
                raise Refused("no_game")
            return await self.house.desk.rules(game, interaction.user.id, interaction.locale.value)

        await self.house.answer(interaction, show)

    @app_commands.command(description=SAID["command.cancel.description"])
    @app_commands.describe(table=SAID["command.cancel.table.description"])
    @IN_SERVERS
    async def cancel(self, interaction: Interaction, table: int | None = None) -> None:
        await self.house.answer(
            interaction, self.which.at(interaction, table, self._cancel, lambda m: m.open, here=True)
        )

    @app_commands.command(description=SAID["command.verify.description"])
    @app_commands.describe(table=SAID["command.verify.table.description"])
    @EVERYWHERE
    async def verify(self, interaction: Interaction, table: int) -> None:
        async def check() -> Answer:
            return await self._verify(interaction, await self.which.match(interaction, table))

        await self.house.answer(interaction, check)

    @app_commands.command(description=SAID["command.help.description"])
    @EVERYWHERE
    async def help(self, interaction: Interaction) -> None:
        async def show() -> Answer:
            return self.house.labels(interaction).say("help")

        await self.house.answer(interaction, show)

    @hand.autocomplete("table")
    @board.autocomplete("table")
    @move.autocomplete("table")
    @undo.autocomplete("table")
    @log.autocomplete("table")
    @cancel.autocomplete("table")
    async def _complete_table(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[int]]:
        return await self.house.complete(interaction, lambda: self.which.choices(interaction, typed))

    @move.autocomplete("move")
    async def _complete_move(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await self.house.complete(interaction, lambda: self._moves(interaction, typed))

    async def _moves(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """The legal moves of the asker, in the game's words; nothing where it is not clear at which table."""
        named = getattr(interaction.namespace, "table", None)
        matches = [m for m in await self.which.candidates(interaction) if is_playing(m) and named in (None, m.id)]
        here = [m for m in matches if interaction.channel_id in (m.place, m.channel)] or matches
        if len(here) != 1 and named is None:
            here = [m for m in here if self.which.awaited(m, interaction.user.id)]
        if len(here) != 1:
            return []
        words = self.house.desk.move_labels(here[0], interaction.user.id, interaction.locale.value)
        found = [(word, text) for text, word in words.items() if typed.lower() in f"{word} {text}".lower()]
        return [app_commands.Choice(name=shortened(word, 100), value=text) for word, text in found[:25]]

    # Presses.

    @commands.Cog.listener()
    async def on_interaction(self, interaction: Interaction) -> None:
        """Every press of every button and select, and every form sent: old, doubled and forged ones too."""
        kinds = (discord.InteractionType.component, discord.InteractionType.modal_submit)
        if interaction.type not in kinds or interaction.data is None:
            return
        data: Any = interaction.data
        pressed = Id.parse(str(data.get("custom_id", "")))
        values = [str(value) for value in data.get("values", [])]
        values += [
            str(part["component"].get("value", "")) for part in data.get("components", []) if "component" in part
        ]
        if pressed is not None and pressed.action == "pick":
            action, rest = picked(values[0] if values else "")
            pressed = pressed._replace(action=action, rest=rest)
        elif pressed is not None and pressed.action == "option":
            pressed = pressed._replace(turn=values[0] if values else "")
        elif pressed is not None and values and not isinstance(self.house.routes.get(pressed.action), GlobalRoute):
            pressed = pressed._replace(rest=values[0])
        try:
            await self._route(interaction, pressed, values)
        except Exception as error:
            await self.house.tell(interaction, self.house.fault(interaction, error))

    async def _route(self, interaction: Interaction, pressed: Id | None, values: list[str]) -> None:
        if pressed is not None and pressed.action in ("move", "path", "undo"):
            await self._press_in_hand(interaction, pressed)
            return
        route = self.house.routes.get(pressed.action) if pressed is not None else None
        if isinstance(route, GlobalRoute):
            assert pressed is not None  # it led to the route
            await route.press(interaction, pressed, values)
            return

        async def work() -> Answer | None:
            if pressed is None or route is None:
                raise Refused("unknown_button")
            return await route.press(interaction, await self.which.match(interaction, pressed.match), pressed)

        silent = route is not None and (route.silent or (route.in_place and is_ephemeral(interaction)))
        await self.house.answer(interaction, work, silent=silent)

    def _routes(self) -> dict[str, Route | GlobalRoute]:
        """What the buttons of tables and lobbies do; moves go ways of their own."""
        shown_by_the_lobby = {
            "add": self._changing(self.lobby.add_computer),
            "remove": self._changing(self.lobby.remove_computer),
            "start": self._changing(self.lobby.start),
        }
        answered = {
            "cancel": self._cancel,
            "hand": self._hand,
            "last": self._last,
            "rules": self._rules_of,
            "verify": self._verify,
            "here": self._hand,
        }
        return {
            **{action: Route(at_table(work), silent=True) for action, work in shown_by_the_lobby.items()},
            **{action: Route(at_table(work)) for action, work in answered.items()},
            "board": Route(at_table(self._board), in_place=True),
            "option": Route(self._option, silent=True),
            "log": Route(lambda i, m, pressed: self._log(i, m, number_in(pressed.rest))),
        }

    async def _press_in_hand(self, interaction: Interaction, pressed: Id) -> None:
        """A move, a step on the way to one, or Undo, pressed in a hand: the hand itself is shown anew."""
        private = is_private(interaction)
        if not await self.house.acknowledge(interaction, silent=private):
            return

        async def work() -> Answer | None:
            match, person = await self.which.match(interaction, pressed.match), await self.house.meet(interaction)
            if pressed.action == "move":
                return await self._make_move(interaction, match, pressed.turn, pressed.rest, private)
            if pressed.action == "undo":
                return await self._undo(interaction, match, pressed.turn, private)
            seat = match.seat_of(person.user)
            if seat is None:
                raise unseated(match, person.user)
            if match.state is None:
                raise Refused("not_started" if match.open else f"is_{match.ending}")
            stale = not is_playing(match) or self.host.turn(match, Seat(seat)) != pressed.turn
            labels = self.house.desk.labels(match, interaction.locale.value)
            how = {"notice": labels.say("refused.out_of_date")} if stale else {"path": path_of(pressed.rest)}
            await self.hands.look(interaction, match, person, private, **how)
            return None

        said = await self.house.attempt(interaction, work)
        if said is not None:
            await self.house.tell(interaction, said)

    async def _make_move(
        self, interaction: Interaction, match: Match, turn: str | None, text: str, private: bool = False
    ) -> Answer | None:
        user = interaction.user.id
        words = self.house.desk.move_labels(match, user, interaction.locale.value)
        typed = {word.lower(): text for text, word in words.items()}
        text = typed.get(text.lower(), text) if turn is None else text

        async def make() -> tuple[Match, str]:
            played = await self.host.play(match.id, user, turn, text)
            labels = self.house.desk.labels(match, interaction.locale.value)
            key = "move.again" if played.again else "move.made"
            return played.match, labels.say(key, move=written(words.get(played.text, played.text)))

        return await self._decide(interaction, match, make, private)

    async def _undo(
        self, interaction: Interaction, match: Match, turn: str | None = None, private: bool = False
    ) -> Answer | None:
        """Take the last move back, and answer as to a move."""

        async def take_back() -> tuple[Match, str]:
            undone = await self.host.undo(match.id, interaction.user.id, turn)
            labels = self.house.desk.labels(match, interaction.locale.value)
            words = self.house.desk.move_labels(undone.match, interaction.user.id, interaction.locale.value)
            return undone.match, labels.say("move.undone", move=written(words.get(undone.text, undone.text)))

        return await self._decide(interaction, match, take_back, private)

    async def _decide(
        self,
        interaction: Interaction,
        match: Match,
        decide: Callable[[], Awaitable[tuple[Match, str]]],
        private: bool,
    ) -> Answer | None:
        """Decide, and answer with the hand as it is then; where that is refused, with the reason above it."""
        person = await self.house.meet(interaction)
        try:
            match, notice = await decide()
        except (IllegalMove, Refused) as error:
            match = await self.which.match(interaction, match.id)
            notice = await self.house.refusal(interaction, match, error)
            if match.seat_of(person.user) is None or match.state is None:
                return notice
        try:
            await self.hands.show(interaction, match, person, private, notice=notice)
        finally:
            # After the answer: who has just seen there that it is their turn again needs no ping for it.
            self.house.publisher.changed(match.id)
        return None

    # What commands and buttons do.

    async def _open(self, interaction: Interaction, game: str) -> Answer:
        if game not in GAMES:
            raise Refused("no_game")
        if interaction.guild_id is None or interaction.channel_id is None:
            raise Refused("only_in_servers")
        await admit(self.host, interaction, GAMES[game], self.house.labels(interaction), opens=True)
        person = await self.house.meet(interaction)
        locale = interaction.guild_locale.value if interaction.guild_locale else interaction.locale.value
        match = await self.lobby.open(
            game,
            guild=interaction.guild_id,
            channel=interaction.channel_id,
            user=person.user,
            name=person.name,
            locale=locale,
        )
        self.house.publisher.changed(match.id)
        return await self.house.welcome(interaction, match, "opened")

    def _changing(
        self, change: Callable[[int, int], Awaitable[Match]]
    ) -> Callable[[Interaction, Match], Awaitable[Answer | None]]:
        """A change of the lobby that is answered by the lobby itself."""

        async def work(interaction: Interaction, match: Match) -> None:
            match = await change(match.id, interaction.user.id)
            self.house.publisher.changed(match.id)

        return work

    async def _option(self, interaction: Interaction, match: Match, pressed: Id) -> None:
        match = await self.lobby.choose_option(match.id, interaction.user.id, pressed.rest, pressed.turn)
        self.house.publisher.changed(match.id)

    async def _cancel(self, interaction: Interaction, match: Match) -> Answer:
        manager = interaction.guild_id == match.guild and interaction.permissions.manage_guild
        match = await self.lobby.cancel(match.id, interaction.user.id, manager)
        self.house.publisher.changed(match.id)
        return self.which.say(interaction, match, "cancelled")

    async def _hand(self, interaction: Interaction, match: Match) -> Answer | None:
        person = await self.house.meet(interaction)
        if match.seat_of(person.user) is None:
            raise unseated(match, person.user)
        if match.state is None:
            raise Refused("not_started")
        await self.hands.look(interaction, match, person, private=False)
        return None

    async def _board(self, interaction: Interaction, match: Match) -> Answer | None:
        if match.state is None:
            raise Refused("not_started")
        person = await self.house.meet(interaction)
        content = await self.house.desk.board(match, person, interaction.locale.value)
        if is_ephemeral(interaction):  # what they pressed becomes what is now
            await edit_own(interaction, content)
            return None
        await self.house.publisher.bring_back(match.id)
        return content

    async def _last(self, interaction: Interaction, match: Match) -> Answer:
        if match.state is None:
            raise Refused("not_started")
        return await self.house.desk.last(match, interaction.user.id, interaction.locale.value)

    async def _rules_of(self, interaction: Interaction, match: Match) -> Answer:
        return await self.house.desk.rules(match.game, interaction.user.id, interaction.locale.value, match)

    async def _log(self, interaction: Interaction, match: Match, page: int) -> Answer:
        if match.state is None:
            raise Refused("not_started")
        return await self.house.desk.log(match, interaction.user.id, interaction.locale.value, page)

    async def _verify(self, interaction: Interaction, match: Match) -> Answer:
        verdict = await self.host.verify(match.id)
        return self.house.desk.verdict(match, interaction.user.id, interaction.locale.value, verdict)


def _started(match: Match) -> bool:
    return match.state is not None
