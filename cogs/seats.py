"""The players at tables: joining, leaving, substitutes, votes, playing again."""

from __future__ import annotations

from functools import partial

from cogs.app import App, AppCog, slash
from cogs.match.deadlines import nudge
from cogs.match.handovers import check_may_give, check_may_give_seat, free
from cogs.match.rated import beginner, counts, has_part, matters, may_not_leave_again
from cogs.match.refusals import Reason, Refused, check_at_table, check_lobby, seat_or_refuse, unseated
from cogs.match.reminders import NUDGE_EVERY, nudge_from, reminder_of
from cogs.match.undo import last_open_move
from cogs.match.votes import NOTHING, Choice, check_may_vote, is_removable, makes_sense, needed, open_votes, tally
from cogs.messages.content import Button, Content, Id, Row, Select, SelectOption, exact, id_in, in_rows, number_in
from cogs.messages.names import of_players
from cogs.messages.players import (
    MOST_VOTES,
    TOGETHER,
    choice_label,
    end_question,
    nudge_button,
    offer_row,
    vote_button,
    vote_line,
    vote_rules,
)
from cogs.messages.table import off_lines
from cogs.transport.interactions import is_ephemeral
from cogs.transport.permissions import Visit, admit, manages, sees, server_of
from cogs.transport.router import Press, Reply, Route, at_table
from cogs.transport.senders import Answer, Interaction
from cogs.transport.slash_commands import EVERYWHERE, IN_SERVERS
from cogs.transport.table_finder import is_playing
from data.records.match import GuestState, Match, Status
from rendering.core.labels import Labels


class Seats(AppCog):
    """The commands and presses that change or show who sits at a table, and votes."""

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self._members = app.publisher.members
        self._servers, self._pings = app.publisher.servers, app.publisher.pings
        self._door = app.door
        self._alone = app.private
        app.router.add(
            {
                "join": Route(lambda i, m, _: self._join(i, m, quietly=not is_ephemeral(i)), Reply.SILENT),
                "leave": Route(at_table(self._leave)),
                "accept": Route(at_table(self._accept)),
                "decline": Route(at_table(self._decline)),
                "again": Route(at_table(self._again)),
                "people": Route(at_table(app.finder.live(self._people))),
                "resign": Route(at_table(self._ask_to_resign)),
                "reseat": Route(self._ask_to_reseat),
                "reseat_sure": Route(lambda i, m, press: self._reseat(i, m, id_in(press.rest)), Reply.OWN_MESSAGE),
                "offer": Route(lambda i, m, press: self._offer(i, m, press.rest == "1")),
                "give_seat": Route(at_table(self._give_seat)),
                "take": Route(self._take),
                "back": Route(at_table(self._come_back)),
                "vote": Route(lambda i, m, press: self._vote(i, m, press.value)),
                "vote/end": Route(at_table(self._vote_to_end)),
                "vote_sure": Route(lambda i, m, press: self._vote_for_sure(i, m, press.rest), Reply.OWN_MESSAGE),
                f"vote_sure/{TOGETHER}": Route(at_table(self._ask_the_others), Reply.OWN_MESSAGE),
                "refuse": Route(lambda i, m, press: self._refuse(i, m, press.rest)),
                "stay": Route(at_table(self._stay), Reply.OWN_MESSAGE),
                "nudge": Route(at_table(self._nudge)),
            }
        )

    # Commands.

    @slash(IN_SERVERS)
    async def join(self, interaction: Interaction, table: int | None = None) -> Answer | None:
        """`/join`: sit down at a table, take a seat over or wait.

        A lobby, or a match whose seat the user has left, comes before any other running match.
        """

        def fits(match: Match) -> bool:
            return match.status is Status.LOBBY or match.former_seat(interaction.user.id) is not None

        def runs(match: Match) -> bool:
            return is_playing(match) and match.seat_of(interaction.user.id) is None

        def sits(match: Match) -> bool:  # joining is then refused with that reason
            return match.seat_of(interaction.user.id) is not None

        for meant in (fits, runs):
            try:
                return await self._finder.at(interaction, table, self._join, meant, "join", here=True)
            except Refused as error:
                if error.reason is not Reason.NO_TABLE:
                    raise
        return await self._finder.at(interaction, table, self._join, sits, "join", here=True)

    @slash(EVERYWHERE)
    async def leave(self, interaction: Interaction, table: int | None = None) -> Answer | None:
        """`/leave`: leave a lobby or a waiting list; in a running match, offer the ways out."""

        def fits(match: Match) -> bool:
            user = interaction.user.id
            waits = any(who.user == user for who in match.waiting)
            return waits or match.seat_of(user) is not None

        return await self._finder.at(interaction, table, self._leave, fits, "leave", here=True)

    # Before and after a match.

    async def _join(self, interaction: Interaction, match: Match, *, quietly: bool = False) -> Answer | None:
        """Sit down. `quietly`: the lobby shows it, so that no answer need bury it."""
        person = await self._interactions.meet(interaction)
        former = match.former_seat(person.user)
        if (
            is_playing(match)
            and former is not None
            and (former.removed or free(match, match.chairs[former.seat], person.user))
        ):
            return await self._come_back(interaction, match)
        if match.open and match.seat_of(person.user) is None:
            await self._admit(interaction, match, self._interactions.labels(interaction), opens=False)
        if is_playing(match) and any(who.user == person.user for who in match.waiting):
            said = self._interactions.labels(interaction).say("refused.waiting")
            return await self._finder.live(partial(self._meanwhile, said))(interaction, match)
        match, late = await self._membership.join(match.id, person.user, person.name)
        return await self._seated_or_waiting(interaction, match, late, "joined", quietly=quietly)

    async def _accept(self, interaction: Interaction, match: Match) -> Answer | None:
        person = await self._interactions.meet(interaction)
        if match.open and match.seat_of(person.user) is None:
            await self._admit(interaction, match, self._interactions.labels(interaction), opens=False)
        match, late = await self._membership.join(match.id, person.user, person.name, accepts=True)
        return await self._seated_or_waiting(interaction, match, late, "joined")

    async def _decline(self, interaction: Interaction, match: Match) -> Answer:
        match = await self._door.decline(match.id, interaction.user.id)
        return await self._finder.live(self._declined)(interaction, match)

    async def _declined(self, interaction: Interaction, match: Match) -> Content:
        """Return that the user has declined. Refused once the lobby is over, or they have accepted after all."""
        check_lobby(match)
        guest = match.guest(interaction.user.id)
        if guest is None or guest.state is not GuestState.DECLINED or match.seat_of(guest.user) is not None:
            raise Refused(Reason.SEATED)
        return Content((self._finder.say(interaction, match, "declined"),), user=guest.user)

    async def _again(self, interaction: Interaction, match: Match) -> Answer | None:
        """Seat the player in the one lobby that follows the match, with the same game and options; a player who is
        alone begins at once. Refused if they cannot see its channel.
        """
        if match.private:
            return await self._alone.again(interaction, match)
        last = await self._membership.following(match)
        where = last.place if last.open else last.channel
        visit = interaction if server_of(interaction) == match.guild else await self._visit(interaction, match, where)
        seated = visit is interaction and last.seat_of(interaction.user.id) is not None
        if visit is None or not (seated or sees(visit, where)):
            raise Refused(Reason.NOT_SEEN if last.open else Reason.NOT_OPENED)
        await self._admit(visit, match, self._interactions.labels(interaction), opens=not last.open)
        person = await self._interactions.meet(interaction)
        match, late = await self._membership.play_again(match.id, person.user, person.name)
        came = "opened" if match.host == person.user else "joined"
        return await self._seated_or_waiting(interaction, match, late, came)

    async def _visit(self, interaction: Interaction, match: Match, place: int) -> Visit | None:
        """Return what a player who presses in direct messages may do at that place of the match; None: the bot cannot
        know. Refused: they press in another server. Raises DiscordFailure.
        """
        if interaction.guild_id is not None:
            raise Refused(Reason.ONLY_IN_SERVERS)
        return await self._servers.visit(match.guild, place, interaction.user.id)

    async def _admit(self, visit: Interaction | Visit, match: Match, labels: Labels, *, opens: bool) -> None:
        await admit(self._service, visit, self._service.game(match), labels, opens=opens)

    async def _seated_or_waiting(
        self, interaction: Interaction, match: Match, late: Refused | None, key: str, *, quietly: bool = False
    ) -> Answer | None:
        if late is None:
            return await self._interactions.welcome(interaction, match, key, quietly=quietly) or None
        why = self._interactions.labels(interaction).say(f"refused.{late.reason}", **late.facts)
        live = self._finder.live(partial(self._meanwhile, f"{why} {self._finder.say(interaction, match, 'waits')}"))
        return await live(interaction, match)

    async def _meanwhile(self, said: str, interaction: Interaction, match: Match) -> Content:
        """Return the answer for a waiting user: in a running match also the seats that they can take over now, and a
        button to watch. Refused once they do not wait.
        """
        if all(who.user != interaction.user.id for who in match.waiting):
            raise Refused(Reason.SEATED)
        if not is_playing(match):
            return Content((said,), user=interaction.user.id)
        labels = self._messages.labels(match, interaction.locale.value)
        elsewhere = match.former_seat(interaction.user.id) is not None  # they may take no other seat then
        seats = offer_row(
            match, [c for c in match.chairs if free(match, c, interaction.user.id) and not elsewhere], labels
        )
        watch = (Button(labels.say("button.watch"), Id(match.id, "board")),)
        parts = (said, labels.say("seat.now_or_watch")) if seats else (f"{said} {labels.say('seat.watch')}",)
        return Content(parts, (seats, watch) if seats else (watch,), interaction.user.id)

    async def _leave(self, interaction: Interaction, match: Match) -> Answer:
        user = interaction.user.id
        if match.status is Status.PLAYING and match.seat_of(user) is not None:
            return await self._ask_to_resign(interaction, match)
        left = await self._membership.wait_no_more(match.id, user)
        if left is None and match.status is Status.PLAYING:
            raise unseated(match, user)
        left = left or await self._lobby.leave(match.id, user)
        return self._finder.say(interaction, left, "left")

    # Leaving and taking over.

    async def _ask_to_resign(self, interaction: Interaction, match: Match) -> Answer:
        """Return the ways out of a running match to choose from; nothing has happened yet. A lesson needs none."""
        if match.private:
            return await self._vote_to_end(interaction, match)
        return await self._finder.live(self._ways_out)(interaction, match)

    async def _ways_out(self, interaction: Interaction, match: Match) -> Content:
        check_at_table(match)
        seat = seat_or_refuse(match, interaction.user.id)
        say = self._messages.labels(match, interaction.locale.value).say
        last = len(match.people) == 1
        ways = [] if match.chairs[seat].offered else [("offer", "offer", Id(match.id, "offer", rest="1"))]
        ways.append(("give_seat", "last" if last else "give", Id(match.id, "give_seat")))
        ways.append(("end", "last" if last else "end", Id(match.id, "vote", rest="end")))
        row = (
            Button(say("resign.stay"), Id(match.id, "offer", rest="0"), "success"),
            *(
                Button(say(f"resign.{key}"), found, "secondary" if key == "offer" else "danger")
                for key, _, found in ways
            ),
        )
        lines = [say(f"resign.then_{then}", button=say(f"resign.{key}")) for key, then, _ in ways]
        asked = "\n".join([say("resign.ask", table=self._finder.title(interaction, match)), *lines])
        again = "_again" if may_not_leave_again(match, seat) else ""
        rated = counts(match) and beginner(match, seat) == interaction.user.id
        asked += f"\n{say(f'resign.rated{again}')}" if rated else ""
        return Content((asked,), (row,), interaction.user.id)

    async def _offer(self, interaction: Interaction, match: Match, offered: bool) -> Answer:
        match = await self._membership.offer_seat(match.id, interaction.user.id, offered)
        live = self._finder.live(self._offered)
        return await live(interaction, match) if offered else self._finder.say(interaction, match, "stays")

    async def _offered(self, interaction: Interaction, match: Match) -> Content:
        """Return that the user's seat is offered. Refused once it is not."""
        check_at_table(match)
        if not match.chairs[seat_or_refuse(match, interaction.user.id)].offered:
            raise Refused(Reason.SEAT_TAKEN)
        stay = Button(self._interactions.labels(interaction).say("resign.stay"), Id(match.id, "offer", rest="0"))
        return Content((self._finder.say(interaction, match, "offered"),), ((stay,),), interaction.user.id)

    async def _give_seat(self, interaction: Interaction, match: Match) -> Answer:
        match = await self._membership.give_seat_to_computer(match.id, interaction.user.id)
        live = self._finder.live(self._resigned)
        return await live(interaction, match) if is_playing(match) else self._finder.say(interaction, match, "left")

    async def _resigned(self, interaction: Interaction, match: Match) -> Content:
        """Return that the user has left, and the way back. Refused once they cannot come back."""
        former = match.former_seat(interaction.user.id)
        check_at_table(match)
        if former is None or not free(match, match.chairs[former.seat], interaction.user.id):
            raise Refused(Reason.SEAT_TAKEN)
        row = (Button(self._interactions.labels(interaction).say("seat.back"), Id(match.id, "back")),)
        return Content((self._finder.say(interaction, match, "resigned"),), (row,), interaction.user.id)

    async def _take(self, interaction: Interaction, match: Match, press: Press) -> Answer:
        await self._admit(interaction, match, self._interactions.labels(interaction), opens=False)
        person = await self._interactions.meet(interaction)
        labels, seat = self._messages.labels(match, interaction.locale.value), number_in(press.rest, otherwise=-1)
        name = of_players(match, labels).who(seat) if 0 <= seat < len(match.chairs) else ""
        match = await self._membership.take_seat(match.id, person.user, person.name, seat)
        return await self._interactions.welcome(interaction, match, "took_over", name=name)

    async def _come_back(self, interaction: Interaction, match: Match) -> Answer:
        person = await self._interactions.meet(interaction)
        match = await self._membership.come_back(match.id, person.user, person.name)
        return await self._interactions.welcome(interaction, match, "came_back")

    # Deciding together.

    async def _people(self, interaction: Interaction, match: Match) -> Content:
        """Return who sits there and, for a player who does, the open votes, and buttons to vote for all that the table
        can decide or to withdraw their vote.
        """
        check_at_table(match)
        user, labels = interaction.user.id, self._messages.labels(match, interaction.locale.value)
        lines = [labels.say("seat.head", table=self._finder.title(interaction, match))]
        lines += [labels.say("seat.person", name=labels.who(chair.number)) for chair in match.chairs]
        reseats = self._reseats(interaction, match, labels)
        if match.seat_of(user) is None:
            return Content(("\n".join(lines),), reseats, user)
        votes = await self._service.votes(match.id)
        standing, own = tally(match, votes), votes.get(user)
        lines += [vote_line(match, choice, count, labels) for choice, count in list(standing.items())[:MOST_VOTES]]
        lines += vote_rules(match, labels)
        choices = [Choice("resume"), Choice("pause"), Choice("replace"), Choice("end")]
        if await last_open_move(self._service, match) is not None:
            choices.insert(0, Choice("undo", match.moves - 1))
        possible = [choice for choice in choices if makes_sense(match, choice, user) and str(choice) != own]
        buttons = [vote_button(match, choice, labels) for choice in possible]
        if any(str(choice) == own for choice in standing):
            buttons.insert(0, Button(labels.say("vote.nothing"), Id(match.id, "vote", rest=NOTHING)))
        leave = Button(labels.say("seat.leave"), Id(match.id, "resign"), "danger")
        rows: list[Row] = [*in_rows([*buttons, leave])]
        if match.running and match.reminders and reminder_of(match, match.seat_of(user) or 0) is None:
            lines.append(labels.say("nudge.from", time=exact(nudge_from(match))))
            rows.append((nudge_button(match, labels, self._service.now()),))
            self._pings.wait_for_nudge(match)
        others = [Choice("remove", chair.user) for chair in match.people if chair.user is not None]
        entries = [
            SelectOption(choice_label(match, choice, labels), str(choice))
            for choice in others
            if str(choice) != own
            and makes_sense(match, choice, user)
            and is_removable(match, choice.about, int(self._service.now()))
        ]
        if entries:
            rows.append(Select(Id(match.id, "vote"), labels.say("seat.remove"), tuple(entries)))
        return Content(("\n".join(lines),), (*rows, *reseats), user)

    def _reseats(self, interaction: Interaction, match: Match, labels: Labels) -> tuple[Row, ...]:
        """Return a manager's choice of a player whose seat a computer shall have; nothing for other users."""
        if not _may_reseat(interaction, match):
            return ()
        entries = tuple(SelectOption(labels.name(chair.number), str(chair.user)) for chair in match.people)
        return (Select(Id(match.id, "reseat"), labels.say("seat.reseat"), entries),) if entries else ()

    async def _ask_to_reseat(self, interaction: Interaction, match: Match, press: Press) -> Answer:
        """Ask a manager once before a computer gets a player's seat. Refused as by that."""
        player = id_in(press.value)
        return await self._finder.live(partial(self._reseat_question, player))(interaction, match)

    async def _reseat_question(self, player: int, interaction: Interaction, match: Match) -> Content:
        self._check_reseats(interaction, match)
        is_gone, now = await self._is_gone(match, player), int(self._service.now())
        check_may_give_seat(match, interaction.user.id, player, now, is_gone=is_gone)
        seat = seat_or_refuse(match, player)
        labels = self._messages.labels(match, interaction.locale.value)
        row = (
            Button(labels.say("seat.reseat_sure"), Id(match.id, "reseat_sure", rest=str(player)), "danger"),
            Button(labels.say("seat.reseat_not"), Id(match.id, "reseat_sure", rest="0")),
        )
        table = self._finder.title(interaction, match)
        return Content((labels.say("seat.ask_reseat", table=table, who=labels.who(seat)),), (row,), interaction.user.id)

    async def _reseat(self, interaction: Interaction, match: Match, player: int) -> Answer:
        """Let a computer play for that player, as a manager wants; 0: for none."""
        self._check_reseats(interaction, match)
        key, user = "not_reseated", interaction.user.id
        if player:
            person, is_gone = await self._interactions.meet(interaction), await self._is_gone(match, player)
            match = await self._membership.give_seat_of(match.id, user, player, person.name, is_gone=is_gone)
            key = "reseated"
        return Content((self._finder.say(interaction, match, key),), user=user)

    async def _is_gone(self, match: Match, player: int) -> bool:
        """Return whether that player of a match that matters is no member of its server any more."""
        return matters(match) and await self._members.is_gone(match.guild, player)

    def _check_reseats(self, interaction: Interaction, match: Match) -> None:
        if not manages(interaction) or server_of(interaction) != match.guild:
            raise Refused(Reason.NEEDS_MANAGE_SERVER)
        check_may_give(match, interaction.user.id)

    async def _vote(self, interaction: Interaction, match: Match, text: str) -> Answer:
        """Vote for a choice, given as its stored text (`Choice`). Return the answer with the result."""
        voted = await self._membership.vote(match.id, interaction.user.id, text)
        return await self._finder.answer_vote(interaction, voted)

    async def _vote_to_end(self, interaction: Interaction, match: Match) -> Answer:
        """Ask once before a vote to end the match begins; vote if it is open. Refused as by the vote."""
        check_may_vote(match, "end")
        seat_or_refuse(match, interaction.user.id)
        if str(Choice("end")) in open_votes(match):
            return await self._vote(interaction, match, str(Choice("end")))
        return await self._finder.live(self._end_question)(interaction, match)

    async def _end_question(self, interaction: Interaction, match: Match) -> Content:
        """Return the question before a vote to end the match begins. Refused once it is open."""
        check_may_vote(match, "end")
        seat_or_refuse(match, interaction.user.id)
        if str(Choice("end")) in open_votes(match):
            raise Refused(Reason.UNKNOWN_BUTTON)
        labels = self._messages.labels(match, interaction.locale.value)
        return end_question(match, interaction.user.id, self._finder.title(interaction, match), labels)

    async def _ask_the_others(self, interaction: Interaction, match: Match) -> Answer:
        """Vote to end the match with the others; if none of them has a voice any more, ask first: it ends at once."""
        check_may_vote(match, "end")
        seat_or_refuse(match, interaction.user.id)
        if str(Choice("end")) not in open_votes(match) and needed(match, Choice("end")) == 1:
            return await self._finder.live(self._end_question)(interaction, match)
        return await self._vote_for_sure(interaction, match, "end")

    async def _vote_for_sure(self, interaction: Interaction, match: Match, text: str) -> Answer:
        """Vote after the question; the result takes its place."""
        said = await self._vote(interaction, match, text)
        return Content((said,), user=interaction.user.id) if isinstance(said, str) else said

    async def _stay(self, interaction: Interaction, match: Match) -> Answer:
        """Say that the player plays on: they were asked before they did something final."""
        check_may_vote(match, "end")
        seat_or_refuse(match, interaction.user.id)
        title, say = self._finder.title(interaction, match), self._interactions.labels(interaction).say
        return Content((say("votes.playing_on", table=title),), user=interaction.user.id)

    async def _refuse(self, interaction: Interaction, match: Match, text: str) -> Answer:
        """Vote against a choice, given as its stored text."""
        voted = await self._membership.oppose(match.id, interaction.user.id, text)
        return await self._finder.answer_vote(interaction, voted)

    async def _nudge(self, interaction: Interaction, match: Match) -> Answer:
        """Ping the players whom the table waits for, in the name of the player who pressed."""
        match = await nudge(self._service, match.id, interaction.user.id)
        labels = self._messages.labels(match, interaction.locale.value)
        seat = match.seat_of(interaction.user.id)
        who = [labels.who(reminder.seat) for reminder in match.reminders if reminder.nudger == seat]
        following = exact((match.nudged_at or 0) + NUDGE_EVERY)
        table, off = self._messages.title(match, labels), await off_lines(self._messages, match, labels)
        return "\n".join([labels.say("nudge.done", table=table, who=labels.list(who), next=following), *off])


def _may_reseat(interaction: Interaction, match: Match) -> bool:
    """Return whether this user manages the match's server, and has no part in it if it is rated or of a season."""
    plays = (match.rated or match.season) and has_part(match, interaction.user.id)
    return manages(interaction) and server_of(interaction) == match.guild and not plays
