"""A player's matches across all servers: `/games`, the button to the next table that waits, and catching up."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence

import discord

from cogs.app import App, AppCog, slash
from cogs.match.agenda import Attention, attention, in_order, open_of, others_than, waiting_for
from cogs.match.clocks import clock_of
from cogs.match.refusals import Reason, Refused, check_hand, check_playing, paused_until, seat_or_refuse
from cogs.messages import clock as clockface
from cogs.messages import lookups as lookups_texts
from cogs.messages.content import Button, Content, Id, Row, Select, SelectOption, number_in, relative
from cogs.messages.names import clean, in_lists, written
from cogs.messages.presenter import message_link
from cogs.transport.errors import DiscordFailure
from cogs.transport.interactions import is_ephemeral, is_private
from cogs.transport.permissions import server_of
from cogs.transport.router import GlobalRoute, Press, Reply, Route, at_table
from cogs.transport.senders import Answer, Interaction, Live
from cogs.transport.slash_commands import personal
from data.records.match import Match

log = logging.getLogger(__name__)

PAGE_LINES, PAGE_LETTERS = 10, 3700
"""The most matches on a page of `/games`, and the most characters."""
MOST_BUTTONS = 5
MOST_NAMES = 2
"""The most players named among those for whom a table waits; more are only counted."""


class MyGames(AppCog):
    """Commands and presses that go beyond one table."""

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self._servers = app.publisher.servers
        app.router.add(
            {
                "games": GlobalRoute(lambda i, press: self._page(i, number_in(press.rest)), Reply.OWN_MESSAGE),
                "play": GlobalRoute(self._play, Reply.OWN_MESSAGE, "hand"),
                "next": GlobalRoute(self._next, Reply.IN_PLACE, "hand"),
                "catch_up": Route(at_table(app.finder.live(self._catch_up)), rate="picture"),
            }
        )

    @slash(personal)
    async def games(self, interaction: Interaction) -> Answer:
        """`/games`: list the user's matches in all servers."""
        return await self._page(interaction, 0)

    # The list.

    async def _page(self, interaction: Interaction, page: int) -> Answer:
        """Return a page of the list, which is kept true as long as it is there."""
        matches = frozenset(match.id for match in await open_of(self._service, interaction.user.id))
        return Live(await self._list(interaction, page), matches, lambda: self._list(interaction, page))

    async def _list(self, interaction: Interaction, page: int) -> Content:
        """Return a page of the player's matches, with buttons to those that wait for them."""
        user, say = interaction.user.id, self._interactions.labels(interaction).say
        matches = in_order(self._service, await open_of(self._service, user), user)
        if not matches:
            return Content((say("games.none"),), user=user)
        pages = _pages([(match, await self._line(interaction, match)) for match in matches])
        page = min(page, len(pages) - 1)
        shown = [match for match, _ in pages[page]]
        how = {match.id: attention(self._service, match, user) for match in matches}
        rows = self._ways_in(interaction, [m for m in shown if how[m.id] in (Attention.YOURS, Attention.AWAY)])
        if len(pages) > 1:
            previous = Button(say("games.previous"), Id(0, "games", rest=str(page - 1)), disabled=page == 0)
            more = Button(say("games.more"), Id(0, "games", rest=str(page + 1)), disabled=page + 1 == len(pages))
            rows.append((previous, more))
        waiting = sum(one is Attention.YOURS for one in how.values())
        lines = [say("games.title", waiting=waiting, count=len(matches)), *(line for _, line in pages[page])]
        return Content(("\n".join(lines),), tuple(rows), user)

    def _ways_in(self, interaction: Interaction, playable: Sequence[Match]) -> list[Row]:
        """Return a button for each of these matches, or one select if there are more than `MOST_BUTTONS`."""
        say = self._interactions.labels(interaction).say
        titles = [(match.id, self._finder.title(interaction, match)) for match in playable]
        if len(titles) > MOST_BUTTONS:
            entries = tuple(SelectOption(title, str(number)) for number, title in titles)
            return [Select(Id(0, "play"), say("games.choose"), entries)]
        buttons = [Button(say("games.play", table=title), Id(number, "play"), "primary") for number, title in titles]
        return [tuple(buttons)] if buttons else []

    async def _line(self, interaction: Interaction, match: Match) -> str:
        """Return the line of a match: where it is, whose turn it is, and how much time is left."""
        title, state = self._finder.title(interaction, match), self._state(interaction, match)
        say = self._interactions.labels(interaction).say
        if match.private:
            return say("pair", name=f"**{title}**", value=state)
        head = f"[{title}]({message_link(match, (await self._service.posts.of(match.id)).table)})"
        if match.guild != server_of(interaction) and (server := await self._server(match.guild)) is not None:
            head += say("games.server", name=written(clean(server.name)))
        return say("pair", name=head, value=state)

    async def _server(self, guild: int) -> discord.Guild | None:
        """Return the server of a match; None if the bot is not in it, or Discord does not say."""
        try:
            return await self._servers.find(guild)
        except DiscordFailure as failure:
            log.info("a server is not named: %s", failure)
            return None

    def _state(self, interaction: Interaction, match: Match) -> str:
        labels = in_lists(match, self._messages.labels(match, interaction.locale.value))
        how, say = attention(self._service, match, interaction.user.id), labels.say
        for held in self._service.quarantine.among([match.id]).values():
            return say(f"refused.{held.reason}", code=held.code)
        if match.paused:
            return say("turn.paused", until=f"<t:{paused_until(match)}:D>")
        if match.rests_since is not None:
            return say("games.rests", since=relative(match.rests_since))
        if how is Attention.LOBBY:
            return say("games.lobby", since=relative(match.opened_at))
        if how is Attention.AWAY:
            return clockface.all_away(match, labels) or say("games.away")
        since = relative(match.waits_since)
        if how is Attention.YOURS:
            clock = clock_of(match, seat_or_refuse(match, interaction.user.id))
            if clock is None or clock.ends is None:
                return say("games.yours", since=since)
            return say("games.yours_until", ends=relative(clock.ends))
        seats = sorted(self._service.state(match).to_move())
        who = clockface.with_ends(match, [(seat, labels.who(seat)) for seat in seats], labels)
        if len(seats) > MOST_NAMES:
            who = say("games.many", count=len(seats))
        return say("games.waits", who=who, since=since)

    # Buttons.

    async def _play(self, interaction: Interaction, press: Press) -> None:
        """Show the hand at a table of the list, in place of the list."""
        number = number_in(press.chosen) if press.values else press.match
        await self._show(interaction, await self._finder.match(interaction, number), is_private(interaction))

    async def _next(self, interaction: Interaction, press: Press) -> None:
        """Show the hand at the next table that waits: in place of the hand before if that was an ephemeral answer.

        A hand by direct message is its match's own message and stays; the next one is then a new answer.
        """
        others = others_than(press.match, await waiting_for(self._service, interaction.user.id))
        if not others:
            raise Refused(Reason.NO_NEXT)
        await self._show(interaction, others[0], is_ephemeral(interaction))

    async def _show(self, interaction: Interaction, match: Match, in_place: bool) -> None:
        person = await self._interactions.meet(interaction)
        check_hand(match, person.user)
        await self._hands.look(interaction, match, person, in_place)

    async def _catch_up(self, interaction: Interaction, match: Match) -> Content:
        check_playing(match)
        check_hand(match, interaction.user.id)
        person = await self._service.people.get(interaction.user.id)
        assert person is not None  # a player is known
        return await lookups_texts.catch_up(self._messages, match, person)


def _pages(lines: Iterable[tuple[Match, str]]) -> list[list[tuple[Match, str]]]:
    """Return matches with their lines, by page; each page has as many as fit."""
    pages: list[list[tuple[Match, str]]] = [[]]
    for match, line in lines:
        letters = sum(len(other) + 1 for _, other in pages[-1])
        if len(pages[-1]) == PAGE_LINES or (pages[-1] and letters + len(line) > PAGE_LETTERS):
            pages.append([])
        pages[-1].append((match, line))
    return pages
