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

from cogs import _clockface as clockface
from cogs._components import Button, Content, Id, path_of, picked, shortened
from cogs._discord import Trouble, edit_own, nonce, send_private
from cogs._host import CHOICES, Refused
from cogs._house import Answer, House, Interaction, is_private
from cogs._messages import table_link
from cogs._names import written
from data.matches import Match, Status
from data.people import Person
from data.words import DEFAULT, texts
from rules import GAMES
from rules.core.game import IllegalMove, Seat

log = logging.getLogger(__name__)

_NEEDED = (
    "view_channel",
    "send_messages",
    "send_messages_in_threads",
    "create_public_threads",
    "embed_links",
    "attach_files",
    "read_message_history",
)
PERMISSIONS = discord.Permissions(**dict.fromkeys(_NEEDED, True))
"""Exactly what the invite link asks for."""

_SAID = texts(DEFAULT, "commands")
"""The commands' own descriptions; cogs/_translator.py has those of other languages."""
_GAME_CHOICES = [app_commands.Choice(name=game.title, value=slug) for slug, game in GAMES.items()]
_EVERYWHERE = app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
_IN_SERVERS = app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)


class Tables(commands.Cog):
    """Commands and presses of all tables."""

    def __init__(self, bot: commands.Bot, house: House) -> None:
        self.bot = bot
        self.house = house
        self.host = house.host

    # Commands.

    @app_commands.command(description=_SAID["command.play.description"])
    @app_commands.describe(game=_SAID["command.play.game.description"])
    @app_commands.choices(game=_GAME_CHOICES)
    @_IN_SERVERS
    async def play(self, interaction: Interaction, game: str) -> None:
        await self.house.answer(interaction, lambda: self._open(interaction, game))

    @app_commands.command(description=_SAID["command.join.description"])
    @app_commands.describe(table=_SAID["command.join.table.description"])
    @_IN_SERVERS
    async def join(self, interaction: Interaction, table: int | None = None) -> None:
        await self.house.answer(
            interaction, self.at(interaction, table, self._join, lambda m: m.status is Status.LOBBY, here=True)
        )

    @app_commands.command(description=_SAID["command.leave.description"])
    @app_commands.describe(table=_SAID["command.leave.table.description"])
    @_EVERYWHERE
    async def leave(self, interaction: Interaction, table: int | None = None) -> None:
        await self.house.answer(
            interaction, self.at(interaction, table, self._leave, lambda m: m.status is Status.LOBBY)
        )

    @app_commands.command(description=_SAID["command.hand.description"])
    @app_commands.describe(table=_SAID["command.hand.table.description"])
    @_EVERYWHERE
    async def hand(self, interaction: Interaction, table: int | None = None) -> None:
        await self.house.answer(interaction, self.at(interaction, table, self._hand, _playing))

    @app_commands.command(description=_SAID["command.board.description"])
    @app_commands.describe(table=_SAID["command.board.table.description"])
    @_EVERYWHERE
    async def board(self, interaction: Interaction, table: int | None = None) -> None:
        await self.house.answer(interaction, self.at(interaction, table, self._board, _playing, here=True))

    @app_commands.command(description=_SAID["command.move.description"])
    @app_commands.describe(move=_SAID["command.move.move.description"], table=_SAID["command.move.table.description"])
    @_EVERYWHERE
    async def move(self, interaction: Interaction, move: str, table: int | None = None) -> None:
        async def make(interaction: Interaction, match: Match) -> Answer | None:
            return await self._make_move(interaction, match, None, move)

        await self.house.answer(interaction, self.at(interaction, table, make, _playing))

    @app_commands.command(description=_SAID["command.undo.description"])
    @app_commands.describe(table=_SAID["command.undo.table.description"])
    @_EVERYWHERE
    async def undo(self, interaction: Interaction, table: int | None = None) -> None:
        await self.house.answer(interaction, self.at(interaction, table, self._undo, _playing))

    @app_commands.command(description=_SAID["command.log.description"])
    @app_commands.describe(table=_SAID["command.log.table.description"])
    @_EVERYWHERE
    async def log(self, interaction: Interaction, table: int | None = None) -> None:
        async def show(interaction: Interaction, match: Match) -> Answer:
            return await self._log(interaction, match, 0)

        await self.house.answer(interaction, self.at(interaction, table, show, _started, here=True))

    @app_commands.command(description=_SAID["command.rules.description"])
    @app_commands.describe(game=_SAID["command.rules.game.description"])
    @app_commands.choices(game=_GAME_CHOICES)
    @_EVERYWHERE
    async def rules(self, interaction: Interaction, game: str) -> None:
        async def show() -> Answer:
            if game not in GAMES:
                raise Refused("no_game")
            return await self.house.desk.rules(game, interaction.user.id, interaction.locale.value)

        await self.house.answer(interaction, show)

    @app_commands.command(description=_SAID["command.games.description"])
    @_EVERYWHERE
    async def games(self, interaction: Interaction) -> None:
        await self.house.answer(interaction, lambda: self._games(interaction))

    @app_commands.command(description=_SAID["command.resign.description"])
    @app_commands.describe(table=_SAID["command.resign.table.description"])
    @_EVERYWHERE
    async def resign(self, interaction: Interaction, table: int | None = None) -> None:
        await self.house.answer(interaction, self.at(interaction, table, self._ask_to_resign, _playing))

    @app_commands.command(description=_SAID["command.cancel.description"])
    @app_commands.describe(table=_SAID["command.cancel.table.description"])
    @_IN_SERVERS
    async def cancel(self, interaction: Interaction, table: int | None = None) -> None:
        await self.house.answer(interaction, self.at(interaction, table, self._cancel, lambda m: m.open, here=True))

    @app_commands.command(description=_SAID["command.verify.description"])
    @app_commands.describe(table=_SAID["command.verify.table.description"])
    @_EVERYWHERE
    async def verify(self, interaction: Interaction, table: int) -> None:
        async def check() -> Answer:
            return await self._verify(interaction, await self._match(interaction, table))

        await self.house.answer(interaction, check)

    @app_commands.command(description=_SAID["command.settings.description"])
    @_EVERYWHERE
    async def settings(self, interaction: Interaction) -> None:
        await self.house.answer(interaction, lambda: self._settings(interaction))

    @app_commands.command(description=_SAID["command.help.description"])
    @_EVERYWHERE
    async def help(self, interaction: Interaction) -> None:
        async def show() -> Answer:
            return self.house.labels(interaction).say("help")

        await self.house.answer(interaction, show)

    @join.autocomplete("table")
    @leave.autocomplete("table")
    @hand.autocomplete("table")
    @board.autocomplete("table")
    @move.autocomplete("table")
    @undo.autocomplete("table")
    @log.autocomplete("table")
    @resign.autocomplete("table")
    @cancel.autocomplete("table")
    async def _complete_table(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[int]]:
        return await self.house.complete(self.tables(interaction, typed))

    @move.autocomplete("move")
    async def _complete_move(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await self.house.complete(self._moves(interaction, typed))

    async def tables(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[int]]:
        """The tables that the asker may mean."""
        choices = []
        for match in await self._candidates(interaction, here=True):
            name = self._title(interaction, match)
            if typed.lower() in name.lower():
                choices.append(app_commands.Choice(name=shortened(name, 100), value=match.id))
        return choices[:25]

    async def _moves(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """The legal moves of the asker, in the game's words; nothing where it is not clear at which table."""
        named = getattr(interaction.namespace, "table", None)
        matches = [m for m in await self._candidates(interaction) if _playing(m) and named in (None, m.id)]
        here = [m for m in matches if interaction.channel_id in (m.place, m.channel)] or matches
        if len(here) != 1 and named is None:
            here = [m for m in here if self._awaited(m, interaction.user.id)]
        if len(here) != 1:
            return []
        words = self.house.desk.words(here[0], interaction.user.id, interaction.locale.value)
        found = [(word, text) for text, word in words.items() if typed.lower() in f"{word} {text}".lower()]
        return [app_commands.Choice(name=shortened(word, 100), value=text) for word, text in found[:25]]

    # Presses.

    @commands.Cog.listener()
    async def on_interaction(self, interaction: Interaction) -> None:
        """Every press of every button and select, old, doubled and forged ones too."""
        if interaction.type is not discord.InteractionType.component or interaction.data is None:
            return
        data: Any = interaction.data
        pressed = Id.parse(str(data.get("custom_id", "")))
        values = [str(value) for value in data.get("values", [])]
        if pressed is not None and pressed.action == "pick":
            action, rest = picked(values[0] if values else "")
            pressed = pressed._replace(action=action, rest=rest)
        elif pressed is not None and pressed.action == "option":
            pressed = pressed._replace(turn=values[0] if values else "")
        try:
            await self._route(interaction, pressed)
        except Exception as error:
            await self.house.tell(interaction, self.house.fault(interaction, error))

    async def _route(self, interaction: Interaction, pressed: Id | None) -> None:
        if pressed is not None and pressed.action in ("move", "path", "undo"):
            await self._press_in_hand(interaction, pressed)
            return
        at_match: dict[str, Callable[[Interaction, Match], Awaitable[Answer | None]]] = {
            "join": self._join,
            "leave": self._leave,
            "add": self._changing(self.host.add_computer),
            "remove": self._changing(self.host.remove_computer),
            "start": self._changing(self.host.start),
            "cancel": self._cancel,
            "option": lambda i, m: self._option(i, m, pressed),
            "hand": self._hand,
            "board": self._board,
            "last": self._last,
            "rules": self._rules_of,
            "log": lambda i, m: self._log(i, m, _number(pressed.rest) if pressed else 0),
            "verify": self._verify,
            "again": self._again,
            "give_seat": self._give_seat,
            "vote": lambda i, m: self.vote(i, m, pressed.rest if pressed else ""),
            "here": self._hand,
        }

        async def work() -> Answer | None:
            if pressed is not None and pressed.action == "setting":
                return await self._settings(interaction, pressed.rest)
            if pressed is None or pressed.action not in at_match:
                raise Refused("unknown_button")
            return await at_match[pressed.action](interaction, await self._match(interaction, pressed.match))

        shown_by_the_lobby = pressed is not None and pressed.action in ("add", "remove", "start", "option")
        await self.house.answer(interaction, work, silent=shown_by_the_lobby)

    async def _press_in_hand(self, interaction: Interaction, pressed: Id) -> None:
        """A move, a step on the way to one, or Undo, pressed in a hand: the hand itself is shown anew."""
        private = is_private(interaction)
        if not await self.house.acknowledge(interaction, silent=private):
            return

        async def work() -> Answer | None:
            match, person = await self._match(interaction, pressed.match), await self.house.meet(interaction)
            if pressed.action == "move":
                return await self._make_move(interaction, match, pressed.turn, pressed.rest, private)
            if pressed.action == "undo":
                return await self._undo(interaction, match, pressed.turn, private)
            seat = match.seat_of(person.user)
            if seat is None or match.status is Status.LOBBY:
                raise Refused("not_seated" if seat is None else "not_started")
            stale = not _playing(match) or self.host.turn(match, Seat(seat)) != pressed.turn
            labels = self.house.desk.labels(match, interaction.locale.value)
            how = {"notice": labels.say("refused.out_of_date")} if stale else {"path": path_of(pressed.rest)}
            await self._look(interaction, match, person, private, **how)
            return None

        said = await self.house.attempt(interaction, work)
        if said is not None:
            await self.house.tell(interaction, said)

    async def _make_move(
        self, interaction: Interaction, match: Match, turn: str | None, text: str, private: bool = False
    ) -> Answer | None:
        user = interaction.user.id
        words = self.house.desk.words(match, user, interaction.locale.value)
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
            words = self.house.desk.words(undone.match, interaction.user.id, interaction.locale.value)
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
            match = await self._match(interaction, match.id)
            notice = await self.house.refusal(interaction, match, error)
            if match.seat_of(person.user) is None or match.status is Status.LOBBY:
                return notice
        try:
            await self._show_hand(interaction, match, person, private, notice=notice)
        finally:
            # After the answer: who has just seen there that it is their turn again needs no ping for it.
            self.house.publisher.changed(match.id)
        return None

    async def _show_hand(
        self, interaction: Interaction, match: Match, person: Person, private: bool, **how: Any
    ) -> None:
        async def answer(content: Content) -> int | None:
            if not private:
                await send_private(interaction, person.user, content)
                return None
            shown = await edit_own(interaction, content)
            return shown.id if interaction.guild_id is None else None

        await self.house.publisher.show_hand(match, person, answer, **how)

    # What commands and buttons do.

    async def _open(self, interaction: Interaction, game: str) -> Answer:
        if game not in GAMES:
            raise Refused("no_game")
        if interaction.guild_id is None or interaction.channel_id is None:
            raise Refused("only_in_servers")
        self._check_permissions(interaction)
        person = await self.house.meet(interaction)
        locale = interaction.guild_locale.value if interaction.guild_locale else interaction.locale.value
        match = await self.host.open(
            game,
            guild=interaction.guild_id,
            channel=interaction.channel_id,
            user=person.user,
            name=person.name,
            locale=locale,
        )
        self.house.publisher.changed(match.id)
        return await self._welcome(interaction, match, "opened")

    def _check_permissions(self, interaction: Interaction) -> None:
        """Say by name what the bot may not do here, before there is a table that cannot be shown."""
        in_thread = isinstance(interaction.channel, discord.Thread)
        spared = {"create_public_threads", "send_messages" if in_thread else "send_messages_in_threads"}
        granted = interaction.app_permissions
        missing = [name for name in _NEEDED if name not in spared and not getattr(granted, name)]
        if missing:
            labels = self.house.labels(interaction)
            raise Refused("permissions", missing=labels.list([labels.say(f"permission.{name}") for name in missing]))

    async def _join(self, interaction: Interaction, match: Match) -> Answer:
        person = await self.house.meet(interaction)
        match = await self.host.join(match.id, person.user, person.name)
        self.house.publisher.changed(match.id)
        return await self._welcome(interaction, match, "joined")

    async def _welcome(self, interaction: Interaction, match: Match, key: str) -> Answer:
        """Open the direct messages there and then, and say whether they work."""
        person, labels = await self.house.meet(interaction), self.house.desk.labels(match, interaction.locale.value)
        title = f"[{self._title(interaction, match)}]({table_link(match)})"
        works = await self._open_dm(interaction, person, labels.say("dm.hello", table=title))
        self.house.publisher.changed(match.id)
        return f"{labels.say(f'welcome.{key}', table=title)} {labels.say('dm.works' if works else 'dm.closed')}"

    async def _open_dm(self, interaction: Interaction, person: Person, hello: str) -> bool:
        if person.dm is not None and person.dm_works:
            return True
        try:
            channel = await self.house.direct.open(interaction.user)
            where = self.bot.get_partial_messageable(channel, type=discord.ChannelType.private)
            content, key = Content((hello,), user=person.user), nonce("hello", interaction.id)
            await send_private(where, person.user, content, nonce=key)
        except Trouble as trouble:
            log.info("no direct messages to a player: %s", trouble)
            await self.house.people.change(person.user, dm_works=False)
            return False
        await self.house.people.change(person.user, dm=channel, dm_works=True)
        return True

    async def _leave(self, interaction: Interaction, match: Match) -> Answer:
        if match.status is Status.PLAYING and match.seat_of(interaction.user.id) is not None:
            return await self._ask_to_resign(interaction, match)
        match = await self.host.leave(match.id, interaction.user.id)
        self.house.publisher.changed(match.id)
        return self._say(interaction, match, "left")

    def _changing(
        self, change: Callable[[int, int], Awaitable[Match]]
    ) -> Callable[[Interaction, Match], Awaitable[Answer | None]]:
        """A change of the lobby that is answered by the lobby itself."""

        async def work(interaction: Interaction, match: Match) -> None:
            match = await change(match.id, interaction.user.id)
            self.house.publisher.changed(match.id)

        return work

    async def _option(self, interaction: Interaction, match: Match, pressed: Id | None) -> None:
        assert pressed is not None
        match = await self.host.choose_option(match.id, interaction.user.id, pressed.rest, pressed.turn)
        self.house.publisher.changed(match.id)

    async def _cancel(self, interaction: Interaction, match: Match) -> Answer:
        manager = interaction.guild_id == match.guild and interaction.permissions.manage_guild
        match = await self.host.cancel(match.id, interaction.user.id, manager)
        self.house.publisher.changed(match.id)
        return self._say(interaction, match, "cancelled")

    async def _hand(self, interaction: Interaction, match: Match) -> Answer | None:
        person = await self.house.meet(interaction)
        if match.seat_of(person.user) is None:
            raise Refused("not_seated")
        if match.state is None:
            raise Refused("not_started")
        await self._look(interaction, match, person, private=False)
        return None

    async def _look(self, interaction: Interaction, match: Match, person: Person, private: bool, **how: Any) -> None:
        """Show somebody their hand. Whoever looks at it is there: a computer plays for them no more."""
        before, match = match, await self.host.back(match.id, person.user)
        try:
            await self._show_hand(interaction, match, person, private, **how)
        finally:
            if match.version != before.version:  # after the answer, as after a decision
                self.house.publisher.changed(match.id)

    async def _board(self, interaction: Interaction, match: Match) -> Answer:
        if match.state is None:
            raise Refused("not_started")
        person = await self.house.meet(interaction)
        await self.house.publisher.bring_back(match.id)
        return await self.house.desk.board(match, person, interaction.locale.value)

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

    async def _again(self, interaction: Interaction, match: Match) -> Answer:
        """A new lobby for the same game with the same options; whoever wants to joins it."""
        self._check_permissions(interaction)
        person = await self.house.meet(interaction)
        new = await self.host.open_again(match, person.user, person.name)
        self.house.publisher.changed(new.id)
        return await self._welcome(interaction, new, "opened")

    async def _ask_to_resign(self, interaction: Interaction, match: Match) -> Answer:
        if match.seat_of(interaction.user.id) is None:
            raise Refused("not_seated")
        if match.status is not Status.PLAYING:
            raise Refused("not_started" if match.status is Status.LOBBY else f"is_{match.status.value}")
        say = self.house.desk.labels(match, interaction.locale.value).say
        row = (
            Button(say("resign.give_seat"), Id(match.id, "give_seat"), "danger"),
            Button(say("resign.end"), Id(match.id, "vote", rest="end"), "danger"),
        )
        return Content((say("resign.ask", table=self._title(interaction, match)),), (row,), interaction.user.id)

    async def _give_seat(self, interaction: Interaction, match: Match) -> Answer:
        match = await self.host.give_seat_to_computer(match.id, interaction.user.id)
        self.house.publisher.changed(match.id)
        return self._say(interaction, match, "resigned" if match.status is Status.PLAYING else "left")

    async def vote(self, interaction: Interaction, match: Match, choice: str) -> Answer:
        """A voice for one of the host's CHOICES, and what has become of it."""
        if choice not in CHOICES:
            raise Refused("unknown_button")
        match, votes = await self.host.vote(match.id, interaction.user.id, choice)
        self.house.publisher.changed(match.id)
        if match.status is Status.STOPPED:
            return self._say(interaction, match, "stopped")
        if choice == "end":
            return self._say(interaction, match, "voted", count=sum(v == "end" for v in votes.values()))
        return self._say(interaction, match, "voice")

    async def _games(self, interaction: Interaction) -> Answer:
        matches = await self.host.matches.of_user(interaction.user.id)
        say = self.house.labels(interaction).say
        if not matches:
            return say("games.none")
        lines = []
        for match in sorted(matches, key=lambda m: (not self._awaited(m, interaction.user.id), m.turn_since or 0)):
            if match.status is Status.LOBBY:
                line = say("games.lobby", since=f"<t:{match.opened_at}:R>")
            elif self._awaited(match, interaction.user.id):
                line = say("games.yours", since=f"<t:{match.turn_since}:R>")
                line = clockface.with_end(
                    match, match.seat_of(interaction.user.id) or 0, line, self.house.labels(interaction)
                )
            else:
                labels = self.house.desk.labels(match, interaction.locale.value)
                who = labels.list([labels.who(seat) for seat in sorted(self.host.state(match).to_move())])
                line = say("games.waits", who=who, since=f"<t:{match.turn_since}:R>")
            lines.append(f"[{self._title(interaction, match)}]({table_link(match)}): {line}")
        return shortened("\n".join(lines), 3900)

    async def _settings(self, interaction: Interaction, toggled: str = "") -> Answer:
        person = await self.house.meet(interaction)
        if toggled == "forced":
            person = await self.house.people.change(person.user, plays_forced=not person.plays_forced)
        elif toggled == "text":
            person = await self.house.people.change(person.user, wants_text=not person.wants_text)
        if toggled == "forced":  # a move may be waited for already
            for match in await self.host.matches.of_user(person.user):
                self.house.publisher.changed(match.id)
        say = self.house.labels(interaction).say
        state = {True: say("on"), False: say("off")}
        forced = say("settings.forced", state=state[person.plays_forced])
        text = say("settings.text", state=state[person.wants_text])
        row = (
            Button(say("settings.switch_forced"), Id(0, "setting", rest="forced")),
            Button(say("settings.switch_text"), Id(0, "setting", rest="text")),
        )
        return Content((f"{forced}\n{text}",), (row,), person.user)

    # Which table is meant.

    def at(
        self,
        interaction: Interaction,
        number: int | None,
        work: Callable[[Interaction, Match], Awaitable[Answer | None]],
        fits: Callable[[Match], bool],
        *,
        here: bool = False,
    ) -> Callable[[], Awaitable[Answer | None]]:
        """`work` at the table of that number; without one, at the only one that fits.

        The person's own tables come first, those in this channel before others; `here`: then anybody's in this
        channel.
        """

        async def found() -> Answer | None:
            if number is not None:
                return await work(interaction, await self._match(interaction, number))
            matches = [m for m in await self._candidates(interaction, here=here) if fits(m)]
            mine = [m for m in matches if m.seat_of(interaction.user.id) is not None]
            near = [m for m in mine or matches if interaction.channel_id in (m.place, m.channel)]
            chosen = near or mine or matches
            if len(chosen) > 1:
                raise Refused("which_table", tables=", ".join(self._title(interaction, m) for m in chosen[:10]))
            if not chosen:
                raise Refused("no_table")
            return await work(interaction, chosen[0])

        return found

    async def _candidates(self, interaction: Interaction, *, here: bool = False) -> list[Match]:
        mine = await self.host.matches.of_user(interaction.user.id)
        if not here or interaction.channel_id is None or interaction.guild_id is None:
            return mine
        seen = {match.id for match in mine}
        return mine + [m for m in await self.host.matches.in_channel(interaction.channel_id) if m.id not in seen]

    async def _match(self, interaction: Interaction, number: int) -> Match:
        """The match of that number, for those who sit at it and for whoever is where its table is."""
        match = await self.host.matches.get(number)
        if match is None:
            raise Refused("no_match")
        if match.seat_of(interaction.user.id) is None and interaction.channel_id not in (match.place, match.channel):
            raise Refused("no_match")
        return match

    def _title(self, interaction: Interaction, match: Match) -> str:
        labels = self.house.desk.labels(match, interaction.locale.value)
        return labels.say("table", game=self.host.game(match).title, number=match.id)

    def _say(self, interaction: Interaction, match: Match, key: str, **facts: object) -> str:
        labels = self.house.desk.labels(match, interaction.locale.value)
        return labels.say(f"done.{key}", table=self._title(interaction, match), **facts)

    def _awaited(self, match: Match, user: int) -> bool:
        seat = match.seat_of(user)
        return match.status is Status.PLAYING and seat is not None and Seat(seat) in self.host.state(match).to_move()


def _playing(match: Match) -> bool:
    return match.status is Status.PLAYING


def _started(match: Match) -> bool:
    return match.state is not None


def _number(text: str) -> int:
    return int(text) if text.isdigit() and len(text) < 6 else 0
