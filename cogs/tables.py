"""The tables of all games: their slash commands, the presses at tables and in hands, and *Play with*, the context menu
of a member that opens a table for the two.

A command and its button call the same method. Between two interactions only the database remembers anything, so a
restart changes nothing.
"""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from functools import partial

import discord
from discord import app_commands

from cogs.app import App, AppCog, slash
from cogs.match.advice import Discouraged
from cogs.match.agenda import in_order
from cogs.match.refusals import Reason, Refused, check_seated, check_shown, seat_or_refuse
from cogs.match.service import Played
from cogs.match.undo import undo_alone
from cogs.messages import fairness as fairness_texts
from cogs.messages import lesson as lesson_texts
from cogs.messages import lookups as lookups_texts
from cogs.messages.choices import game_line, which_game
from cogs.messages.content import THEN, Button, Content, Id, Select, SelectOption, id_in, number_in, path_of
from cogs.messages.names import written
from cogs.transport.errors import DiscordFailure, Failure, discord_call
from cogs.transport.interactions import is_ephemeral
from cogs.transport.openings import Invited, TableOpening, invited_people, or_ask_again
from cogs.transport.permissions import server_of
from cogs.transport.router import GlobalRoute, Press, Reply, Route, at_table
from cogs.transport.senders import Answer, Interaction, Live, content_of
from cogs.transport.slash_commands import EVERYWHERE, IN_SERVERS, SAID, personal
from cogs.transport.table_finder import is_playing
from data.content.texts import DEFAULT, texts
from data.records.match import Match
from rules import GAMES
from rules.core.game import IllegalMove, Seat

_GAME_CHOICES = [
    app_commands.Choice(name=game_line(game, texts(DEFAULT, slug)), value=slug) for slug, game in GAMES.items()
]


class Tables(AppCog):
    """The commands and presses of all tables."""

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self._verifier = app.verifier
        self._opening = TableOpening(app.service, app.lobby, app.interactions)
        self._alone = app.private
        menu = app_commands.ContextMenu(name=SAID["menu.play_with"], callback=self._play_with)
        app.bot.tree.add_command(IN_SERVERS(menu))  # discord.py does not do that for a cog
        self._coaching = app.coaching
        app.router.add(
            {
                "table": GlobalRoute(self._press_table, Reply.IN_PLACE),
                "play_with": GlobalRoute(self._open_with, Reply.OWN_MESSAGE),
                "open": GlobalRoute(self._press_alone, Reply.IN_PLACE),
                "help/play": GlobalRoute(lambda i, _: self._which_game(i), Reply.OWN_MESSAGE),
                "hand": Route(at_table(self._hand), rate="hand"),
                "here": Route(at_table(self._hand), rate="hand"),
                # From now on the answer pressed is kept up to date.
                "refresh": Route(lambda i, m, _: self._hand(i, m, is_ephemeral(i)), Reply.IN_PLACE, "hand"),
                "board": Route(at_table(self._board), Reply.IN_PLACE, "picture"),
                "last": Route(at_table(self._last), rate="picture"),
                "rules": Route(lambda i, m, _: self._rules(i, m.game, m), rate="picture"),
                "rulebook": GlobalRoute(self._rules_page, Reply.OWN_MESSAGE, "picture"),
                "log": Route(lambda i, m, press: self._log(i, m, number_in(press.rest)), rate="picture"),
                "fair": Route(at_table(self._fair)),
                "verify": Route(at_table(self._verify), rate="picture"),
                "move": GlobalRoute(self._press_move, Reply.OWN_MESSAGE, "move"),
                "anyway": GlobalRoute(self._press_anyway, Reply.OWN_MESSAGE, "move"),
                "path": Route(self._press_step, Reply.OWN_MESSAGE, "hand"),
                "undo": GlobalRoute(self._press_undo, Reply.OWN_MESSAGE, "hand"),
            }
        )

    # Commands.

    @slash(personal, game=_GAME_CHOICES)
    async def play(
        self,
        interaction: Interaction,
        game: str | None = None,
        with_: Invited | None = None,
        with2: Invited | None = None,
        with3: Invited | None = None,
        with4: Invited | None = None,
        with5: Invited | None = None,
    ) -> Answer | None:
        """`/play`: open a lobby for this game here, for everyone or only with these people; in direct messages, and
        where the bot is not, for its user alone. Without a game, ask which.
        """

        guests = [person for person in (with_, with2, with3, with4, with5) if person is not None]
        if game is None and not guests:
            return await self._which_game(interaction)
        return await self._open_table(interaction, game or "", guests)

    @slash(personal)
    async def hand(self, interaction: Interaction, table: int | None = None) -> Answer | None:
        """`/hand`: show the user their hand: at the table of that number, else at the most urgent one."""
        found = await self._finder.most_urgent(interaction) if table is None else None
        number = found.id if found is not None else table
        return await self._finder.at(interaction, number, self._hand, is_playing, "hand")

    @slash(EVERYWHERE)
    async def board(self, interaction: Interaction, table: int | None = None) -> Answer | None:
        """`/board`: show a running table as an onlooker sees it."""
        return await self._finder.at(interaction, table, self._board, is_playing, "board", here=True)

    @slash(personal)
    async def move(self, interaction: Interaction, move: str, table: int | None = None) -> Answer | None:
        """`/move`: make a move typed in the game's words or in notation."""
        make, press = partial(self._type_move, typed=move), partial(self._press_of, interaction, typed=move)
        return await self._finder.at(interaction, table, make, is_playing, press)

    @slash(EVERYWHERE)
    async def log(self, interaction: Interaction, table: int | None = None) -> Answer | None:
        """`/log`: show what has happened at a table, the last page first."""
        return await self._finder.at(interaction, table, self._log, lambda m: m.state is not None, "log", here=True)

    @slash(personal, game=_GAME_CHOICES)
    async def rules(self, interaction: Interaction, game: str) -> Answer:
        """`/rules`: show the rules of a game."""
        return await self._rules(interaction, game)

    @slash(EVERYWHERE)
    async def verify(self, interaction: Interaction, table: int) -> Answer:
        """`/verify`: recompute the deals of an ended match."""
        return await self._verify(interaction, await self._finder.match(interaction, table))

    @move.autocomplete("move")
    async def _complete_move(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await self._interactions.complete(interaction, lambda: self._moves(interaction, typed))

    async def _moves(self, interaction: Interaction, typed: str) -> list[tuple[str, str]]:
        """Return the user's legal moves, in notation and in the game's words: those at the named table or, without one,
        at the tables that the command may mean, those that wait for the user first.
        """
        named, user = getattr(interaction.namespace, "table", None), interaction.user.id
        matches = [m for m in await self._finder.candidates(interaction) if is_playing(m) and named in (None, m.id)]
        here = [m for m in matches if interaction.channel_id in (m.place, m.channel)] or matches
        here = [m for m in here if self._finder.is_to_move(m, user)] or here
        found: dict[str, str] = {}
        for match in in_order(self._service, here, user):
            for move in self._messages.typed_moves(match, user, interaction.locale.value).listed(typed):
                found.setdefault(move.notation, move.label)
        return list(found.items())

    # Presses.

    async def _press_table(self, interaction: Interaction, press: Press) -> Answer | None:
        opening = self._open_table(interaction, press.rest)
        return await or_ask_again(self._interactions, interaction, opening, partial(self._which_game, interaction))

    async def _press_alone(self, interaction: Interaction, press: Press) -> Answer | None:
        """Begin a whole match at once, for the user alone against beginners. `press.rest` is the game's slug."""
        opening = self._alone.open(interaction, press.rest, begins=True)
        return await or_ask_again(self._interactions, interaction, opening, partial(self._which_game, interaction))

    async def _press_move(self, interaction: Interaction, press: Press) -> Answer | None:
        """Make a move chosen in a hand, which then shows the result."""
        await self._check_member(interaction, press.match)
        play = self._service.play(press.match, interaction.user.id, press.turn, press.rest)
        return await self._decide(interaction, press.match, play, "made", press.private)

    async def _press_anyway(self, interaction: Interaction, press: Press) -> Answer | None:
        """Make an advised move with those that follow it in its turn, or a move although a lesson advises another."""
        await self._check_member(interaction, press.match)
        play = self._coaching.play(press.match, interaction.user.id, press.turn, press.rest.split(THEN))
        return await self._decide(interaction, press.match, play, "made", press.private)

    async def _press_undo(self, interaction: Interaction, press: Press) -> Answer | None:
        await self._check_member(interaction, press.match)
        undo = undo_alone(self._service, press.match, interaction.user.id, press.turn)
        return await self._decide(interaction, press.match, undo, "undone", press.private)

    async def _check_member(self, interaction: Interaction, number: int) -> None:
        """Raise Refused if the player has left the server of that match."""
        match = await self._service.find(number)
        if match is not None:
            await self._publisher.members.check(interaction, match)

    async def _press_step(self, interaction: Interaction, match: Match, press: Press) -> None:
        """Take a step on the way to a move: the hand shows the next choice."""
        person, private = await self._interactions.meet(interaction), press.private
        seat = seat_or_refuse(match, person.user)
        if match.state is None:
            raise Refused(Reason.NOT_STARTED if match.open else Reason(f"is_{match.ending}"))
        if not is_playing(match) or self._service.turn(match, Seat(seat)) != press.turn:
            notice = self._messages.labels(match, interaction.locale.value).say("refused.out_of_date")
            await self._hands.look(interaction, match, person, private, notice=notice)
        else:
            await self._hands.look(interaction, match, person, private, path=path_of(press.rest))

    async def _type_move(self, interaction: Interaction, match: Match, typed: str) -> Answer | None:
        """Make a move as the player typed it (messages/typed_moves.py); if it fits several, or only resembles some, ask
        which.
        """
        user, locale, typed = interaction.user.id, interaction.locale.value, self._messages.named(match, typed)
        found = self._messages.meant(match, user, locale, typed)
        if len(found) > 1:
            asked = self._messages.which_move(match, user, locale, typed, found)
            return await self._while_asked(interaction, match, asked)
        alike = self._messages.alike(match, user, locale, typed) if found == (typed,) and is_playing(match) else ()
        if alike:
            asked = self._messages.which_move(match, user, locale, typed, alike, alike=True)
            return await self._while_asked(interaction, match, asked)
        play = self._service.play(match.id, user, None, found[0])
        return await self._decide(interaction, match.id, play, "made")

    def _press_of(self, interaction: Interaction, match: Match, typed: str) -> Id:
        """Return the id of the button that makes the typed move at this table, or shows the hand if it is not clear."""
        user = interaction.user.id
        seat = seat_or_refuse(match, user)
        found = self._messages.meant(match, user, interaction.locale.value, self._messages.named(match, typed))
        if len(found) > 1 or found[0] not in self._messages.move_labels(match, user, interaction.locale.value):
            return Id(match.id, "hand")
        return Id(match.id, "move", self._service.turn(match, Seat(seat)), found[0])

    async def _decide(
        self, interaction: Interaction, number: int, decision: Awaitable[Played], done: str, private: bool = False
    ) -> Answer | None:
        """Make the decision, and answer with the hand as it is then. If the decision is refused, or a lesson advises
        another, the hand says why.

        `done`: the key of the sentence that says what was done. `private`: in the message pressed.
        """
        with self._service.announcer.after(number):
            notice, reason, passing = "", "", tuple[Button, ...]()
            try:
                played = await decision
            except Discouraged as error:
                match = await self._finder.match(interaction, number)
                reason, anyway = lesson_texts.discouraged(
                    self._messages, match, await self._interactions.meet(interaction), error
                )
                passing = (anyway,)
            except (IllegalMove, Refused) as error:
                match = await self._finder.match(interaction, number)
                notice = self._interactions.refusal(interaction, match, error)
                if match.seat_of(interaction.user.id) is None or match.state is None:
                    return notice
            else:
                match = played.match
                if self._interactions.live.kept:  # most have looked up nothing
                    self._interactions.live.decided(interaction.user.id, number)
                if match.open or match.held:  # an ending tells what is over, not the last move
                    notice = self._messages.decided(played, done, interaction.user.id, interaction.locale.value)
            person = await self._interactions.meet(interaction)
            how = {"notice": notice, "reason": reason, "passing": passing}
            await self._hands.show(interaction, match, person, private, **how)
        return None

    # What commands and buttons do.

    async def _open_table(self, interaction: Interaction, game: str, guests: Sequence[Invited] = ()) -> Answer | None:
        if server_of(interaction) is None:
            if guests:
                raise Refused(Reason.ONLY_IN_SERVERS)
            return await self._alone.open(interaction, game)
        return await self._opening.open(interaction, game, invited_people(*guests))

    async def _which_game(self, interaction: Interaction) -> Content:
        """Ask which game to play, here or alone; the game of the channel's last table comes first."""
        here = server_of(interaction) is not None
        last = await self._service.index.last_in(interaction.channel_id or 0) if here else None
        return which_game(
            self._service.games,
            interaction.user.id,
            interaction.locale.value,
            here=here,
            first=None if last is None else last.game,
        )

    async def _hand(self, interaction: Interaction, match: Match, in_place: bool = False) -> Answer | None:
        person = await self._interactions.meet(interaction)
        check_seated(match, person.user)
        if match.state is None and not match.private:
            raise Refused(Reason.NOT_STARTED)
        await self._hands.look(interaction, match, person, in_place)
        return None

    async def _board(self, interaction: Interaction, match: Match) -> Answer | None:
        await self._interactions.meet(interaction)
        content = await self._finder.live(self._as_seen)(interaction, match)
        if is_ephemeral(interaction):  # the answer in which they pressed shows the table as it is now
            return await self._interactions.show(interaction, content)
        self._publisher.bring_back(match.id)
        return content

    async def _as_seen(self, interaction: Interaction, match: Match) -> Content:
        check_shown(match, interaction.user.id)
        person = await self._service.people.get(interaction.user.id)
        assert person is not None  # `_board` has met them, and an answer ends with their data
        return await lookups_texts.board(self._messages, match, person, interaction.locale.value)

    async def _while_asked(self, interaction: Interaction, match: Match, content: Content) -> Live:
        """Return what belongs to the decision that the user must make now. It goes with that."""
        turn = self._service.turn(match, Seat(seat_or_refuse(match, interaction.user.id)))

        async def content_of_turn(interaction: Interaction, match: Match) -> Content:
            seat = Seat(seat_or_refuse(match, interaction.user.id))
            decides = match.running and self._service.state(match).legal_moves(seat)
            if not decides or self._service.turn(match, seat) != turn:
                raise Refused(Reason.NOTHING_TO_DECIDE)
            return content

        return await self._finder.live(content_of_turn)(interaction, match)

    async def _last(self, interaction: Interaction, match: Match) -> Answer:
        check_shown(match, interaction.user.id)
        return await lookups_texts.last(self._messages, match, interaction.user.id, interaction.locale.value)

    async def _rules(self, interaction: Interaction, slug: str, match: Match | None = None, page: str = "") -> Answer:
        if slug not in GAMES:
            raise Refused(Reason.NO_GAME)
        return await lookups_texts.rules(
            self._messages, slug, interaction.user.id, interaction.locale.value, match, page
        )

    async def _rules_page(self, interaction: Interaction, press: Press) -> Answer:
        """Turn to another page of the rules; `press.rest` is the game's slug and the page."""
        match = await self._finder.match(interaction, press.match) if press.match else None
        slug, _, page = press.rest.partition("/")
        return await self._rules(interaction, slug if match is None else match.game, match, page)

    async def _log(self, interaction: Interaction, match: Match, page: int = 0) -> Answer:
        check_shown(match, interaction.user.id)
        return await lookups_texts.log(self._messages, match, interaction.user.id, interaction.locale.value, page)

    async def _fair(self, interaction: Interaction, match: Match) -> Answer:
        return fairness_texts.explained(self._messages, match, interaction.user.id, interaction.locale.value)

    async def _verify(self, interaction: Interaction, match: Match) -> Answer:
        verdict = await self._verifier.verify(match.id)
        return fairness_texts.report(self._messages, match, interaction.user.id, interaction.locale.value, verdict)

    # *Play with*: the context menu of a member, which asks which game to play.

    async def _play_with(self, interaction: Interaction, member: discord.Member) -> None:
        await self._interactions.answer(interaction, lambda: self._with_whom(interaction, member))

    async def _with_whom(self, interaction: Interaction, member: Invited) -> Content:
        """Return the question which game to play. Refused: the member is a bot, or the user themself."""
        ((user, name),) = invited_people(member)
        if user == interaction.user.id:
            raise Refused(Reason.NO_PEOPLE)
        say = self._interactions.labels(interaction).say
        games = sorted(self._service.games.values(), key=lambda game: game.title)
        entries = tuple(SelectOption(game.title, game.slug) for game in games if game.seats[-1] > 1)
        select = Select(Id(0, "play_with", rest=str(user)), say("door.pick_game"), entries[:25])
        return Content((say("door.pick", name=f"**{written(name)}**"),), (select,), interaction.user.id)

    async def _open_with(self, interaction: Interaction, press: Press) -> Answer:
        """Open the table. The person's name comes from Discord again: the press only names an id."""
        member = await self._member(interaction, id_in(press.rest))
        said = await self._opening.open(interaction, press.chosen, invited_people(member))
        return content_of(said, interaction.user.id)

    async def _member(self, interaction: Interaction, user: int) -> discord.Member:
        if interaction.guild is None or server_of(interaction) is None or not user:
            raise Refused(Reason.NO_PEOPLE)
        try:
            async with discord_call():
                return await interaction.guild.fetch_member(user)
        except DiscordFailure as failure:
            failure.raise_if(Failure.LATER)
            raise Refused(Reason.NO_PEOPLE) from failure  # they have left the server
