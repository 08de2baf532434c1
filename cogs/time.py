"""`/clock`: a table's time control. `/hours`: the time zone, quiet hours, days off and holidays that a player keeps."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import date
from functools import partial

from discord import app_commands

from cogs.app import App, AppCog, slash
from cogs.match.deadlines import keep_hours
from cogs.match.refusals import BadHours, Reason, Refused, check_with_others
from cogs.match.time_controls import PRESETS
from cogs.match.time_zones import spoken_zone, zones_like
from cogs.match.votes import Choice
from cogs.messages import clock as clockface
from cogs.messages import hours as spoken
from cogs.messages.content import Content, Id, Row, exact
from cogs.messages.names import written
from cogs.transport.router import GlobalRoute, Press, Reply, Route
from cogs.transport.senders import Answer, Interaction
from cogs.transport.slash_commands import EVERYWHERE, TERM_CHOICES, personal
from data.content.texts import DEFAULT, texts
from data.records.hours import Hours
from data.records.match import Match, Status
from data.records.terms import AbsencePolicy

log = logging.getLogger(__name__)

_POLICIES = [
    app_commands.Choice(name=texts(DEFAULT)[f"clock.absent.{policy}"], value=policy.value) for policy in AbsencePolicy
]


class TimeCommands(AppCog):
    """The commands."""

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self._hours = app.store.hours
        self._time = app.watch
        app.router.add({"clock": Route(self._press_clock), "hours": GlobalRoute(self._press, Reply.OWN_MESSAGE)})

    @slash(EVERYWHERE, terms=TERM_CHOICES, absent=_POLICIES)
    async def clock(
        self, interaction: Interaction, table: int | None = None, terms: str | None = None, absent: str | None = None
    ) -> Answer | None:
        """`/clock`: show a table's time control, choose it in a lobby, or vote for another in a running match."""

        def press(match: Match) -> Id:
            if terms not in (None, *PRESETS) or absent not in (None, *AbsencePolicy):
                raise Refused(Reason.BAD_OPTION)  # a forged text may be too long for a button
            chosen = "" if terms is None and absent is None else f"{terms or ''}+{absent or ''}"
            return Id(match.id, "clock", rest=chosen)

        work = partial(self._show_or_choose, terms=terms, absent=absent)
        return await self._finder.at(interaction, table, work, lambda match: match.open, press, here=True)

    async def _press_clock(self, interaction: Interaction, match: Match, press: Press) -> Answer:
        """Do what `/clock` would have done at the table of this button. The rest of its id has the options given."""
        terms, _, absent = press.rest.partition("+")
        if terms not in ("", *PRESETS) or absent not in ("", *AbsencePolicy):
            raise Refused(Reason.UNKNOWN_BUTTON)
        return await self._show_or_choose(interaction, match, terms or None, absent or None)

    async def _show_or_choose(
        self, interaction: Interaction, match: Match, terms: str | None, absent: str | None
    ) -> Answer:
        if terms is None and absent is None:
            return await self._finder.live(self._shown)(interaction, match)
        labels = self._messages.labels(match, interaction.locale.value)
        title = self._messages.title(match, labels)
        chosen = terms or match.clock
        if absent is not None and chosen == "none":
            raise Refused(Reason.NO_POLICY)
        if match.status is not Status.LOBBY:
            if absent is not None and absent not in list(AbsencePolicy):
                raise Refused(Reason.UNKNOWN_BUTTON)
            choice = Choice("clock", terms=chosen, policy=None if absent is None else AbsencePolicy(absent))
            voted = await self._membership.vote(match.id, interaction.user.id, str(choice))
            return await self._finder.answer_vote(interaction, voted)
        for name, value in (("clock", terms), ("absent", absent)):
            if value is not None:
                match = await self._lobby.choose_option(match.id, interaction.user.id, name, value)
        return labels.say("done.clock_chosen", table=title)

    async def _shown(self, interaction: Interaction, match: Match) -> Content:
        """Return the time control, and a player the menu. Refused once the match is over, and to a player alone."""
        if not match.open:
            raise Refused(Reason(f"is_{match.ending}"))
        check_with_others(match)
        labels = self._messages.labels(match, interaction.locale.value)
        text = f"### {self._messages.title(match, labels)}\n{clockface.clock_summary(match, labels)}"
        rows = tuple[Row, ...]()
        if match.seat_of(interaction.user.id) is not None and not match.paused:  # in a lobby they choose, then propose
            menu = clockface.selects if match.status is Status.LOBBY else clockface.proposals
            rows = tuple(menu(match, labels, await self._service.policy.of(match.guild)))
        return Content((text,), rows, interaction.user.id)

    @slash(personal)
    async def hours(
        self,
        interaction: Interaction,
        zone: str = "",
        quiet_from: str = "",
        quiet_to: str = "",
        days_off: str = "",
        holiday_from: str = "",
        holiday_to: str = "",
    ) -> Answer:
        """`/hours`: show the user's hours, and change those that are given. An empty option changes nothing."""

        labels, now = self._interactions.labels(interaction), int(self._time.now())
        locale = interaction.locale.value

        def typed(hours: Hours) -> Hours:
            hours = spoken.in_zone(hours, zone)
            hours = spoken.with_quiet(hours, quiet_from, quiet_to)
            hours = spoken.with_days_off(hours, days_off, locale)
            return spoken.with_holiday(hours, holiday_from, holiday_to, now, locale)

        return await self._keep(interaction, typed, spoken.zone_note(zone, labels))

    async def _press(self, interaction: Interaction, press: Press) -> Content:
        """Take a choice made in the answer of `/hours`. The rest of the id is what it is about."""

        def chosen(hours: Hours) -> Hours:
            found = spoken.with_choice(hours, press.rest, press.values)
            if found is None:
                raise Refused(Reason.UNKNOWN_BUTTON)
            return found

        return await self._keep(interaction, chosen)

    async def _keep(self, interaction: Interaction, change: Callable[[Hours], Hours], note: str = "") -> Content:
        """Change the user's hours, and show them with the menu, and a note below. Refused if they are not allowed."""
        person, labels = await self._interactions.meet(interaction), self._interactions.labels(interaction)
        before = await self._hours.get(person.user)
        try:
            after = change(before)
        except BadHours as error:
            told = {what: labels.date(it) if isinstance(it, date) else str(it) for what, it in error.facts.items()}
            facts = {what: written(fact) for what, fact in told.items()}
            raise Refused(error.reason, **facts) from error
        if after != before:
            await self.keep(person.user, after)
        said = spoken.in_words(after, int(self._time.now()), labels)
        until = await self._service.clocks.quiet_until(person.user)
        off = "" if until is None else labels.say("hours.off", until=exact(until))
        said = "\n".join(line for line in (said, off, note) if line)
        return Content((said,), spoken.menu(after, labels), person.user)

    @hours.autocomplete("zone")
    async def _complete_zone(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        async def zones() -> list[tuple[str, str]]:
            names = [spoken_zone(zone) for zone in zones_like(typed)[:25]]
            return [(name.replace(" ", "_"), name) for name in names]

        return await self._interactions.complete(interaction, zones)

    async def keep(self, user: int, hours: Hours) -> None:
        """Store other hours of a player. They count from the player's next turn on. Refused if nothing can be stored,
        or a match changes all the time.
        """
        matches = await self._playing(user)
        for match in matches:
            await keep_hours(self._service, match.id)
        await self._hours.put(user, hours)
        for match in matches:
            self._publisher.changed(match.id)  # the new quiet hours may no longer defer a ping

    async def _playing(self, user: int) -> list[Match]:
        """Return the matches under way at which the player sits, without those that are damaged."""
        open_ones = [m for m in await self._service.index.of_player(user) if m.status is Status.PLAYING]
        return [match for match in open_ones if await self._service.quarantine.fault(match) is None]
