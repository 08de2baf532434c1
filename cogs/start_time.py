"""The time at which a lobby starts by itself: the select in the lobby, and the form for a time that the host types."""

from __future__ import annotations

from cogs.match.quiet_hours import start_of
from cogs.match.refusals import BadHours, Reason, Refused, check_host, check_lobby
from cogs.match.time_zones import spoken_zone
from cogs.messages import lobby_options
from cogs.messages.content import Content, Form, Id, number_in
from cogs.messages.lobby_options import KEEP, NO_TIME, SPANS
from cogs.messages.names import written
from cogs.transport.app import App, AppCog
from cogs.transport.router import Press, Reply, Route, at_table, on_lobby_page
from cogs.transport.senders import Interaction, Live
from data.content.typed_words import MOST_TYPED
from data.records.match import Match


class StartTime(AppCog):
    """The presses with which a host sets the start time."""

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self._starts = app.starts
        self._hours = app.store.hours.get
        app.router.add(
            {
                "start_time": Route(on_lobby_page(self._choose, app.interactions), Reply.CHANGES),
                "start_at": Route(at_table(self._form), Reply.FORM),
                "start_at_time": Route(on_lobby_page(self._at, app.interactions), Reply.CHANGES),
            }
        )

    async def _choose(self, interaction: Interaction, match: Match, press: Press) -> Live:
        check_lobby(match)
        check_host(match, interaction.user.id)
        seconds = number_in(press.value)
        if press.value == KEEP:
            return await self._finder.live(self._options)(interaction, match)
        if press.value != NO_TIME and seconds not in SPANS:
            raise Refused(Reason.UNKNOWN_BUTTON)
        at = None if press.value == NO_TIME else int(self._service.now()) + seconds
        return await self._set(interaction, match, at)

    async def _form(self, interaction: Interaction, match: Match) -> Form:
        """Return the form for a time of day, with or without a date. Refused if the user is not the lobby's host."""
        check_lobby(match)
        check_host(match, interaction.user.id)
        say = self._messages.labels(match, interaction.locale.value).say
        zone = spoken_zone((await self._hours(interaction.user.id)).zone)
        title, label = say("start.at_a_time"), say("start.time_label")
        return Form(Id(match.id, "start_at_time"), title, label, say("start.time_hint", zone=zone), MOST_TYPED)

    async def _at(self, interaction: Interaction, match: Match, press: Press) -> Live:
        try:
            zone = (await self._hours(interaction.user.id)).zone
            at = start_of(press.value, zone, int(self._service.now()), interaction.locale.value)
        except BadHours as bad:
            raise Refused(bad.reason, **{name: written(str(fact)) for name, fact in bad.facts.items()}) from bad
        return await self._set(interaction, match, at)

    async def _set(self, interaction: Interaction, match: Match, at: int | None) -> Live:
        """Set the start time. Return the choices for the table as they are then."""
        match = await self._starts.set(match.id, interaction.user.id, at)
        return await self._finder.live(self._options)(interaction, match)

    async def _options(self, interaction: Interaction, match: Match) -> Content:
        check_lobby(match)
        check_host(match, interaction.user.id)
        return await lobby_options.more_page(self._messages, match, interaction.user.id, interaction.locale.value)
