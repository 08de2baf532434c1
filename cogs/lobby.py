"""The presses in a lobby that choose how its table is played and who may sit down, that cut the deck, and that start
the match, at once or at a time that the host chooses or types.

A press in the private message behind *More …* edits that message. The same press in the message of a lobby from an
older version changes the lobby only, whose message shows it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from cogs.app import App, AppCog
from cogs.match.duplicates import Duplicates
from cogs.match.lobby import ALL
from cogs.match.refusals import BadHours, Reason, Refused, check_host, check_lobby, check_may_cut, check_seated
from cogs.match.time_zones import spoken_zone
from cogs.match.typed_times import start_of
from cogs.messages import lobby_options
from cogs.messages.content import Button, Content, Form, Id, id_in, number_in
from cogs.messages.door import start_hint
from cogs.messages.lobby_options import KEEP, NO_TIME, SPANS
from cogs.messages.names import MOST, clean, written
from cogs.transport.interactions import is_private
from cogs.transport.openings import chosen_people
from cogs.transport.permissions import admit, server_of
from cogs.transport.router import Press, Reply, Route, TableHandler, at_table, on_lobby_page
from cogs.transport.senders import Answer, Interaction, Lasting, Live
from data.content.typed_words import MOST_TYPED
from data.records.match import Match, Status
from rules.core.chance import commitment

Page = Callable[[Match, int, str], Awaitable[Content]]


class LobbyPresses(AppCog):
    """The presses of all lobbies but those with which people come and go (seats.py)."""

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self._door, self._starts, self._hours = app.door, app.starts, app.store.hours.get
        self._members = app.publisher.members
        self._duplicates = Duplicates(app.service, app.lobby)
        lobby, door, changes = app.lobby, app.door, Reply.CHANGES
        more, options, of_host = self._more, self._options, self._of_host
        pages: dict[str, tuple[TableHandler, Reply]] = {
            "more": (self._page(more), Reply.OWN_MESSAGE),
            "options": (self._page(options), Reply.OWN_MESSAGE),
            "door": (self._page(of_host), Reply.OWN_MESSAGE),
            "teams": (self._page(self._teams), Reply.OWN_MESSAGE),
            "computers": (self._page(self._computers), Reply.OWN_MESSAGE),
            "add": (self._changing(lambda m, user, _: lobby.add_computer(m, user), more), changes),
            "remove": (self._changing(lambda m, user, _: lobby.remove_computer(m, user), more), changes),
            "option": (self._changing(self._option, options), changes),
            "option/clock": (self._changing(self._option, more), changes),
            "team": (self._changing(self._team, self._teams), changes),
            "level": (self._changing(self._level, self._computers), changes),
            f"level/{ALL}": (self._changing(self._level, more), changes),
            "hints": (
                self._changing(lambda m, user, p: lobby.choose_option(m, user, "hints", p.rest), options),
                changes,
            ),
            "invite": (self._invite, changes),
            "start_time": (self._choose_start, changes),
            "start_at_time": (self._start_at, changes),
            "expel": (self._changing(lambda m, user, p: door.expel(m, user, id_in(p.chosen)), of_host), changes),
            "language": (self._changing(lambda m, user, p: door.choose_language(m, user, p.chosen), options), changes),
            "hand_on": (self._changing(lambda m, user, p: door.hand_on(m, user, id_in(p.chosen)), more), changes),
            "closed": (self._changing(lambda m, user, p: door.close(m, user, p.rest == "1"), of_host), changes),
        }
        routes = {
            name: Route(on_lobby_page(handler, app.interactions), reply) for name, (handler, reply) in pages.items()
        }
        routes["duplicate"] = Route(at_table(self._ask_to_duplicate))
        routes["duplicate/sure"] = Route(at_table(self._duplicate))
        routes["start"] = Route(at_table(self._start), Reply.SILENT)
        routes["start_at"] = Route(at_table(self._start_form), Reply.FORM)
        routes["cut"] = Route(at_table(self._cut_form), Reply.FORM)
        routes["cut_with"] = Route(self._cut, Reply.SILENT)
        app.router.add(routes)

    # The pages of More ….

    async def _more(self, match: Match, user: int, locale: str) -> Content:
        return await lobby_options.more_page(self._messages, match, user, locale)

    async def _options(self, match: Match, user: int, locale: str) -> Content:
        return await lobby_options.options_page(self._messages, match, user, locale)

    async def _of_host(self, match: Match, user: int, locale: str) -> Content:
        if user != match.host:
            raise Refused(Reason.ONLY_HOST)
        return lobby_options.door_page(self._messages, match, user, locale)

    async def _teams(self, match: Match, user: int, locale: str) -> Content:
        if not self._lobby.teams(match):
            return await self._more(match, user, locale)
        return lobby_options.teams_page(self._messages, match, user, locale)

    async def _computers(self, match: Match, user: int, locale: str) -> Content:
        return lobby_options.computers_page(self._messages, match, user, locale)

    async def _for_host(self, match: Match, user: int, locale: str) -> Content:
        check_host(match, user)
        return await self._more(match, user, locale)

    def _shown(self, page: Page) -> Callable[[Interaction, Match], Awaitable[Live]]:
        """Return a handler that shows this page, and keeps it true. Refused if the user does not sit there, or the
        match has begun.
        """

        async def show(interaction: Interaction, match: Match) -> Content:
            check_lobby(match)
            check_seated(match, interaction.user.id)
            return await page(match, interaction.user.id, interaction.locale.value)

        return self._finder.live(show)

    def _page(self, page: Page) -> TableHandler:
        return at_table(self._shown(page))

    # Changes.

    def _changing(self, change: Callable[[int, int, Press], Awaitable[Match]], page: Page) -> TableHandler:
        """Return a handler that makes this change of a lobby, and then shows the page as it is."""

        async def handle(interaction: Interaction, match: Match, press: Press) -> Live | None:
            user = interaction.user.id
            if match.private:
                await self._in_hand(interaction, match.id, change(match.id, user, press))
                return None
            match = await change(match.id, user, press)
            if match.status is not Status.LOBBY or match.seat_of(user) is None:
                return None
            return await self._shown(page)(interaction, match)

        return handle

    async def _option(self, number: int, user: int, press: Press) -> Match:
        return await self._lobby.choose_option(number, user, press.rest, press.chosen)

    async def _team(self, number: int, user: int, press: Press) -> Match:
        seat = None if press.rest == "own" else number_in(press.rest, otherwise=-1)
        return await self._lobby.choose_team(number, user, seat, press.chosen)

    async def _level(self, number: int, user: int, press: Press) -> Match:
        return await self._lobby.choose_level(number, user, press.chosen)

    async def _invite(self, interaction: Interaction, match: Match, _: Press) -> Live | None:
        user = interaction.user.id
        match = await self._door.invite(match.id, user, chosen_people(interaction))
        return await self._shown(self._of_host)(interaction, match) if match.status is Status.LOBBY else None

    async def _ask_to_duplicate(self, interaction: Interaction, match: Match) -> Answer:
        """Say what a duplicate table is, and that the cuts of players are taken back, and ask whether to open it."""
        _check_may_duplicate(interaction, match)
        cut = [chair for chair in match.people if chair.cut is not None]
        labels = self._messages.labels(match, interaction.locale.value)
        say, count = labels.say, match.wanted or self._service.game(match).seats[-1]
        who = labels.list([labels.who(chair.number) for chair in cut])
        lines = [say("duplicate.what", count=count), *([say("duplicate.ask", who=who)] if cut else [])]
        button = Button(say("duplicate.sure"), Id(match.id, "duplicate", rest="sure"), "danger" if cut else "primary")
        return Content(("\n".join(lines),), ((button,),), interaction.user.id)

    async def _duplicate(self, interaction: Interaction, match: Match) -> Answer:
        """Open a further table with the same deals, beside the one pressed: as with `/play`, so the same rules hold."""
        _check_may_duplicate(interaction, match)
        labels = self._interactions.labels(interaction)
        await admit(self._service, interaction, self._service.game(match), labels, opens=True)
        person = await self._interactions.meet(interaction)
        opened = await self._duplicates.open(match.id, person.user, person.name)
        return labels.say("duplicate.opened", table=self._finder.link(interaction, opened))

    async def _start(self, interaction: Interaction, match: Match) -> Answer | None:
        """Start, or say whose press is still missing."""
        start = self._lobby.start(match.id, interaction.user.id)
        if match.private:
            await self._in_hand(interaction, match.id, start)
            return None
        match = await start
        if match.status is not Status.LOBBY:
            return None
        await self._members.look_for(match)
        return await self._finder.live(self._waits)(interaction, match)

    async def _waits(self, interaction: Interaction, match: Match) -> Content:
        """Return whose press on *Start* is still missing. Refused once the match has begun."""
        check_lobby(match)
        labels = self._messages.labels(match, interaction.locale.value)
        return Content((start_hint(match, labels),), user=interaction.user.id)

    async def _in_hand(self, interaction: Interaction, number: int, change: Awaitable[Match]) -> None:
        """Change a private lobby, and show it at once in the message pressed."""
        with self._service.announcer.after(number):  # the seats may be others then
            match = await change
            person = await self._interactions.meet(interaction)
            await self._hands.look(interaction, match, person, is_private(interaction))

    # The time at which a lobby starts by itself.

    async def _choose_start(self, interaction: Interaction, match: Match, press: Press) -> Live:
        check_lobby(match)
        check_host(match, interaction.user.id)
        seconds = number_in(press.value)
        if press.value == KEEP:
            return await self._shown(self._for_host)(interaction, match)
        if press.value != NO_TIME and seconds not in SPANS:
            raise Refused(Reason.UNKNOWN_BUTTON)
        at = None if press.value == NO_TIME else int(self._service.now()) + seconds
        return await self._set_start(interaction, match, at)

    async def _start_form(self, interaction: Interaction, match: Match) -> Form:
        """Return the form for a time of day, with or without a date. Refused if the user is not the lobby's host."""
        check_lobby(match)
        check_host(match, interaction.user.id)
        say = self._messages.labels(match, interaction.locale.value).say
        zone = spoken_zone((await self._hours(interaction.user.id)).zone)
        title, label = say("start.at_a_time"), say("start.time_label")
        return Form(Id(match.id, "start_at_time"), title, label, say("start.time_hint", zone=zone), MOST_TYPED)

    async def _start_at(self, interaction: Interaction, match: Match, press: Press) -> Live:
        try:
            zone = (await self._hours(interaction.user.id)).zone
            at = start_of(press.value, zone, int(self._service.now()), interaction.locale.value)
        except BadHours as bad:
            raise Refused(bad.reason, **{name: written(str(fact)) for name, fact in bad.facts.items()}) from bad
        return await self._set_start(interaction, match, at)

    async def _set_start(self, interaction: Interaction, match: Match, at: int | None) -> Live:
        """Set the start time. Return the choices for the table as they are then."""
        match = await self._starts.set(match.id, interaction.user.id, at)
        return await self._shown(self._for_host)(interaction, match)

    # A text of one's own in the deal.

    async def _cut_form(self, interaction: Interaction, match: Match) -> Form:
        check_may_cut(match, interaction.user.id)
        say = self._messages.labels(match, interaction.locale.value).say
        title = say("lobby.cut" if self._service.game(match).deals else "lobby.cut_seats")
        return Form(Id(match.id, "cut_with"), title, say("cut.label"), say("cut.hint"), MOST)

    async def _cut(self, interaction: Interaction, match: Match, press: Press) -> Lasting:
        """Cut with the text typed or, if it is empty, with the number that Discord gave to this press.

        The answer shows the commitment to the secret, which cannot be changed any more.
        """
        typed = (clean(press.value) if press.value.strip() else "") or str(interaction.id)
        match = await self._lobby.cut(match.id, interaction.user.id, typed)
        say = self._messages.labels(match, interaction.locale.value).say
        return Lasting(say("cut.done", cut=written(typed), fingerprint=commitment(match.secret)))


def _check_may_duplicate(interaction: Interaction, match: Match) -> None:
    """Raise Refused unless it is a lobby, pressed by its host and at its table."""
    check_lobby(match)
    check_host(match, interaction.user.id)
    if server_of(interaction) is not None and interaction.channel_id not in (match.place, match.channel):
        raise Refused(Reason.DUPLICATE_HERE)
