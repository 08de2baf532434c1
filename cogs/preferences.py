"""`/settings`: each player's settings, for all tables and for one.

For all tables: how they are pinged, a digest instead of a ping for each turn, how pictures are drawn, whether others
see their finished matches, pictures described in words, and help in the first match of a game. For one table, also
through *Settings* in the hand: how they are pinged there, and whether the bot makes a move that is the only one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cogs.app import App, AppCog, slash
from cogs.match.refusals import Reason, Refused, unseated
from cogs.match.table_options import set_seat_preferences
from cogs.messages import clock as clockface
from cogs.messages.content import Button, Content, Id, Row, Select, SelectOption
from cogs.transport.permissions import has_role, server_of, switch_role
from cogs.transport.router import GlobalRoute, Press, Reply, Route, at_table
from cogs.transport.senders import Answer, Interaction, Live
from cogs.transport.slash_commands import personal
from data.records.match import Chair, Match
from data.records.people import Person, PictureWish, PingPreference
from rendering.core.labels import Labels

HOURS = (0, 1, 3, 6, 12, 24)
"""The choices of hours between two digests; 0: no digests."""
AS_FOR_ALL = "all"
ROLE = "role"
"""The button that gives its user the role that new tables of the server ping, or takes it off them."""
EXPLAIN = "explain"
"""The button that explains the settings: their page has a line each."""
HISTORY: dict[str, bool | None] = {"server": None, "shown": True, "hidden": False}
"""Whether others may see a person's finished matches, by the choice in the answer."""


class Preferences(AppCog):
    """The command and the presses in its answer."""

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self._digests = app.digests
        app.router.add(
            {"mine": Route(at_table(self._of_table)), "setting": GlobalRoute(self._press, Reply.OWN_MESSAGE)}
        )

    @slash(personal)
    async def settings(self, interaction: Interaction, table: int | None = None) -> Answer:
        """`/settings`: show the user's settings for all tables or, if `table` is given, for that one."""
        if table is None:
            return await self._for_all(interaction, await self._interactions.meet(interaction))
        return await self._of_table(interaction, await self._finder.match(interaction, table))

    async def _press(self, interaction: Interaction, press: Press) -> Content | Live:
        """Take a choice made in the answer. `press.rest` is the setting's name."""
        person, value = await self._interactions.meet(interaction), press.chosen
        labels = self._interactions.labels(interaction)
        if press.rest == "ping" and value in (PingPreference.DM, PingPreference.BOTH):  # also if they failed before
            await self._interactions.open_dm(interaction, person, labels.say("dm.here"))
        if press.match:
            match = await self._finder.match(interaction, press.match)
            return await self._change_table(interaction, match, person, press.rest, value)
        if press.rest == EXPLAIN:
            return self._explained(person, labels)
        if press.rest == "all":
            return await self._for_all(interaction, person)
        if press.rest == ROLE:
            role = await self._role_here(interaction)
            if role is None:
                raise Refused(Reason.ROLE_GONE)
            return await self._for_all(interaction, person, await switch_role(interaction, role))
        if press.rest == "pictures":
            return await self._for_all(interaction, await self._change_pictures(person, press.values))
        return await self._for_all(interaction, await self.change(person, press.rest, value))

    # For all tables.

    async def change(self, person: Person, setting: str, value: str) -> Person:
        """Store another value of a setting for all tables. Refused if there is no such setting or value."""
        people = self._service.people
        if setting == "text":
            return await people.change(person.user, wants_text=not person.wants_text)
        if setting == "help":
            return await people.change(person.user, wants_help=not person.wants_help)
        if setting == "ping" and value in list(PingPreference):
            person = await people.change(person.user, ping=value)
        elif setting == "history" and value in HISTORY:
            person = await people.change(person.user, shows_history=HISTORY[value])
        elif setting == "digest" and value in map(str, HOURS):
            hours = int(value)
            due = self._service.clocks.now() + hours * 3600 if hours else None
            person = await people.change(person.user, digest_hours=hours, digest_due=due)
            self._digests.task.wake()  # a digest may be due earlier now
        else:
            raise Refused(Reason.UNKNOWN_BUTTON)
        for match in await self._service.index.of_player(person.user):
            # A ping that the old setting deferred is sent now; a rated lobby says whether its match will count.
            self._publisher.changed(match.id)
        return person

    async def _change_pictures(self, person: Person, values: Sequence[str]) -> Person:
        """Store how pictures are drawn for the person. Refused if one of the values is unknown."""
        if not set(values) <= set(PictureWish):
            raise Refused(Reason.UNKNOWN_BUTTON)
        before = person.pictures
        person = await self._service.people.change(person.user, pictures=frozenset(map(PictureWish, values)))
        if self._interactions.avatars is not None and PictureWish.SIGN in before ^ person.pictures:
            await self._interactions.avatars.wished(person.user)
        for match in await self._service.index.of_player(person.user):
            self._publisher.changed(match.id)  # the hand in their direct messages is drawn again
        return person

    async def _role_here(self, interaction: Interaction) -> int | None:
        """Return the role that new tables ping in the server of the interaction, or None if there is none any more."""
        number, guild = server_of(interaction), interaction.guild
        role = None if number is None else (await self._service.policy.of(number)).ping_role
        if role is None or guild is None or guild.unavailable:
            return role
        return role if guild.get_role(role) is not None else None

    async def _for_all(self, interaction: Interaction, person: Person, has: bool | None = None) -> Content:
        """Return the settings for all tables, and in a server whether its new tables ping the user. `has`: whether
        they have the role for that now; None: as Discord said with the press.
        """
        labels, role = self._interactions.labels(interaction), await self._role_here(interaction)
        say, has = labels.say, has_role(interaction, role or 0) if has is None else has
        here = [] if role is None else [say("settings.looking", role=f"<@&{role}>", state=say("on" if has else "off"))]
        switch = [] if role is None else [Button(say("settings.switch_looking"), _id(ROLE))]
        lines = [
            f"### {say('settings.for_all')}",
            say("settings.ping", way=say(f"settings.way.{person.ping}")),
            *_out_of_reach(person, person.ping, labels),
            say("settings.digest", often=_often(person.digest_hours, labels)),
            say("settings.pictures", wishes=_wishes(person, labels)),
            say("settings.history", state=say(f"settings.history_{_history(person)}")),
            say("settings.text", state=say("on" if person.wants_text else "off")),
            say("settings.help", state=say("on" if person.wants_help else "off")),
            *here,
            say("settings.hint"),
        ]
        often = {hours: say("settings.digest_choice", often=_often(hours, labels)) for hours in HOURS}
        digests = [SelectOption(text, str(hours), chosen=hours == person.digest_hours) for hours, text in often.items()]
        rows: tuple[Row, ...] = (
            Select(_id("ping"), say("settings.choose_ping"), _ways(person.ping, labels)),
            Select(_id("digest"), say("settings.choose_digest"), tuple(digests)),
            Select(_id("pictures"), say("settings.choose_pictures"), _looks(person, labels), 0, len(PictureWish)),
            Select(_id("history"), say("settings.choose_history"), _histories(person, labels)),
            (
                Button(say("settings.switch_text"), _id("text")),
                Button(say("settings.switch_help"), _id("help")),
                *switch,
                Button(say("settings.explain"), _id(EXPLAIN)),
            ),
        )
        return Content(("\n".join(lines),), rows, person.user)

    def _explained(self, person: Person, labels: Labels) -> Content:
        text = f"### {labels.say('settings.for_all')}\n{labels.say('settings.about').strip()}"
        return Content((text,), ((Button(labels.say("lobby.back"), _id("all")),),), person.user)

    # For one table.

    async def _of_table(self, interaction: Interaction, match: Match) -> Live:
        return await self._finder.live(self._shown_of_table)(interaction, match)

    async def _shown_of_table(self, interaction: Interaction, match: Match) -> Content:
        person = await self._service.people.get(interaction.user.id)
        if person is None:
            raise unseated(match, interaction.user.id)
        chair, labels = _chair(match, person), self._messages.labels(match, interaction.locale.value)
        say = labels.say
        as_for_all = say("settings.as_for_all", way=say(f"settings.way.{person.ping}"))
        way = as_for_all if chair.ping is None else say(f"settings.way.{chair.ping}")
        lines = [
            f"### {say('settings.for_table', table=self._messages.link(match, labels))}",
            say("settings.ping", way=way),
            *_out_of_reach(person, chair.ping or person.ping, labels),
            say("settings.forced", state=say("on" if chair.plays_forced else "off")),
        ]
        same = SelectOption(as_for_all, AS_FOR_ALL, chosen=chair.ping is None)
        rows: tuple[Row, ...] = (
            Select(_id("ping", match), say("settings.choose_ping"), (same, *_ways(chair.ping, labels))),
            (
                Button(say("settings.switch_forced"), _id("forced", match)),
                Button(say("settings.all_tables"), _id("all", match)),
            ),
        )
        return Content(("\n".join(lines),), rows, person.user)

    async def _change_table(
        self, interaction: Interaction, match: Match, person: Person, setting: str, value: str
    ) -> Content | Live:
        """Store another value for that table. The bot may then make the player's move at once."""
        if setting == "all":
            return await self._for_all(interaction, person)

        def change(chair: Chair) -> Chair:
            if setting == "forced":
                return replace(chair, plays_forced=not chair.plays_forced)
            if setting == "ping" and value in (AS_FOR_ALL, *PingPreference):
                return replace(chair, ping=None if value == AS_FOR_ALL else PingPreference(value))
            raise Refused(Reason.UNKNOWN_BUTTON)

        match = await set_seat_preferences(self._service, match.id, person.user, change)
        return await self._of_table(interaction, match)


def _chair(match: Match, person: Person) -> Chair:
    """Return the player's seat. Refused if they do not sit there, or the match is over."""
    seat = match.seat_of(person.user)
    if seat is None:
        raise unseated(match, person.user)
    if not match.open:
        raise Refused(Reason(f"is_{match.ending}"))
    return match.chairs[seat]


def _id(setting: str, match: Match | None = None) -> Id:
    return Id(0 if match is None else match.id, "setting", rest=setting)


def _ways(chosen: PingPreference | None, labels: Labels) -> tuple[SelectOption, ...]:
    say = labels.say
    return tuple(
        SelectOption(say(f"settings.choose_way.{way}"), way, say(f"settings.detail.{way}"), way == chosen)
        for way in PingPreference
    )


def _looks(person: Person, labels: Labels) -> tuple[SelectOption, ...]:
    say = labels.say
    return tuple(
        SelectOption(say(f"settings.look.{wish}"), wish, say(f"settings.look_detail.{wish}"), wish in person.pictures)
        for wish in PictureWish
    )


def _wishes(person: Person, labels: Labels) -> str:
    names = [labels.say(f"settings.look.{wish}") for wish in PictureWish if wish in person.pictures]
    return labels.list(names) or labels.say("settings.usual")


def _history(person: Person) -> str:
    """Return the key in HISTORY of what the person has chosen."""
    return next(key for key, shows in HISTORY.items() if shows is person.shows_history)


def _histories(person: Person, labels: Labels) -> tuple[SelectOption, ...]:
    states = {key: labels.say(f"settings.history_{key}") for key in HISTORY}
    return tuple(
        SelectOption(labels.say("settings.history_choice", state=state), key, chosen=key == _history(person))
        for key, state in states.items()
    )


def _out_of_reach(person: Person, way: PingPreference, labels: Labels) -> list[str]:
    """Return the line for a player who wants direct messages that do not reach them, or no line."""
    if way not in (PingPreference.DM, PingPreference.BOTH) or person.dm_works is not False:
        return []
    return [labels.say("settings.dm_refused" if person.dm_refused else "settings.dm_closed")]


def _often(hours: int, labels: Labels) -> str:
    return labels.say("settings.every", span=clockface.span(hours * 3600, labels)) if hours else labels.say("off")
