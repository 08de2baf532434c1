"""Finds the table that a command or a press means, among those that its user may use."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from cogs.match.agenda import in_order, open_of
from cogs.match.refusals import Reason, Refused, missing, unseated
from cogs.match.service import Played
from cogs.match.votes import Choice, Voted, needed, open_votes, tally, voters
from cogs.messages.choices import which_table
from cogs.messages.content import THEN, Content, Id
from cogs.messages.names import written
from cogs.messages.players import choice_label
from cogs.messages.presenter import Presenter
from cogs.transport.permissions import server_of
from cogs.transport.senders import Answer, Interaction, Live
from cogs.transport.server_lookup import Members
from data.content.texts import language, texts
from data.records.match import GuestState, Match, Status
from rendering.core.labels import Labels
from rules.core.game import Seat


class TableFinder:
    """Finds tables by number, player and channel, and says their names."""

    def __init__(self, messages: Presenter, members: Members) -> None:
        self._service = messages.service
        self._members = members
        self._messages = messages

    async def at(
        self,
        interaction: Interaction,
        number: int | None,
        work: Callable[[Interaction, Match], Awaitable[Answer | None]],
        fits: Callable[[Match], bool],
        press: str | Callable[[Match], Id],
        *,
        here: bool = False,
    ) -> Answer | None:
        """Return what `work` returns at the table of that number or, if None, at the only table that `fits`.

        The user's own tables come first, those in this channel before others. `here`: other tables in this channel come
        after them. If several tables fit, the answer asks which, with a button for each: `press` is the action of the
        button that does this work at a table, or returns that button's id. Raises Refused if no table fits.
        """
        if number is not None:
            return await work(interaction, await self.match(interaction, number))
        chosen = await self.meant(interaction, fits, here=here)
        if len(chosen) > 1:
            return self.ask_which(interaction, chosen, press)
        if not chosen:
            raise Refused(Reason.NO_TABLE) if here else await self._none(interaction)
        match = await self._service.load(chosen[0].id)
        await self._members.check(interaction, match)
        return await work(interaction, match)

    def ask_which(
        self, interaction: Interaction, matches: Sequence[Match], press: str | Callable[[Match], Id]
    ) -> Content:
        """Return the question which of these tables a command means. `press` as in `at`."""

        def pressed(match: Match) -> Id:
            if isinstance(press, str):
                return Id(match.id, press)
            if self._service.quarantine.holds(match.id):
                return Id(match.id, "hand")  # whose answer says why nothing can be done there
            return press(match)

        labels = Labels((), texts(language(interaction.locale.value)))
        tables = [(self.title(interaction, match), pressed(match)) for match in matches]
        return which_table(tables, interaction.user.id, labels)

    def live(
        self, work: Callable[[Interaction, Match], Awaitable[Content]]
    ) -> Callable[[Interaction, Match], Awaitable[Live]]:
        """Return `work` with an answer that is kept true (live_answers.py). It changes nothing, and is done again
        whenever the table changes, until it is refused.
        """

        async def answer(interaction: Interaction, match: Match) -> Live:
            user, people = interaction.user.id, self._service.people
            known = await people.get(user) is not None

            async def again() -> Content:
                now = await self._service.find(match.id)
                if now is None or (known and await people.get(user) is None):  # their data is deleted
                    raise Refused(Reason.NO_MATCH)
                await self._service.quarantine.check(now)
                return await work(interaction, now)

            return Live(await work(interaction, match), frozenset((match.id,)), again)

        return answer

    async def meant(
        self, interaction: Interaction, fits: Callable[[Match], bool], *, here: bool = False
    ) -> list[Match]:
        """Return the table that a user without a table number means, as `at` chooses it; several if that is unclear. If
        no table fits, it is the user's lesson.
        """
        fitting = [m for m in await self.candidates(interaction, here=here) if fits(m)]
        matches = [m for m in fitting if not m.lesson] or fitting
        mine = [m for m in matches if m.seat_of(interaction.user.id) is not None]
        near = [m for m in mine or matches if interaction.channel_id in (m.place, m.channel)]
        return near or mine or matches

    async def most_urgent(self, interaction: Interaction) -> Match | None:
        """Return the running table that needs the user first, in this channel or else of all theirs; None if none."""
        found = [m for m in await self.meant(interaction, is_playing) if m.seat_of(interaction.user.id) is not None]
        return next(iter(in_order(self._service, found, interaction.user.id)), None)

    async def _none(self, interaction: Interaction) -> Refused:
        """Return the refusal if none of the user's tables fits: they do not sit at the one here, or there is none."""
        near = [m for m in await self.candidates(interaction, here=True) if is_playing(m)]
        user = interaction.user.id
        alone = len(near) == 1 and near[0].seat_of(user) is None
        return unseated(near[0], user) if alone else Refused(Reason.NO_TABLE)

    async def candidates(self, interaction: Interaction, *, here: bool = False) -> list[Match]:
        """Return the open tables that the user may mean: their own, and with `here` those in this channel.

        Each of their own has been verified, so `quarantine.holds` knows it.
        """
        mine = await open_of(self._service, interaction.user.id)
        if not here or interaction.channel_id is None or server_of(interaction) is None:
            return mine
        seen = {match.id for match in mine}
        return mine + [m for m in await self._service.index.in_channel(interaction.channel_id) if m.id not in seen]

    async def match(self, interaction: Interaction, number: int) -> Match:
        """Return the match of that number. Refused unless the user sits at it and is a member of its server, is invited
        to it, or is in its table's channel. An invitation may stand where the lobby was before.
        """
        match = await self._service.find(number)
        if match is None:
            raise await missing(self._service.index, number)
        await self._members.check(interaction, match)
        user = interaction.user.id
        here = interaction.channel_id in (match.place, match.channel)
        guest = match.guest(user)
        invited = match.status is Status.LOBBY and guest is not None and guest.state is GuestState.INVITED
        invited = invited and server_of(interaction) == match.guild
        if match.seat_of(user) is None and not invited and not here:
            raise Refused(Reason.NO_MATCH) if match.former_seat(user) is None else unseated(match, user)
        await self._service.quarantine.check(match)
        return match

    async def awaits(self, interaction: Interaction, number: int | None, turn: str | None, text: str) -> bool:
        """Return whether this is a legal move that the named table waits for; if none is named, the only table that it
        may belong to. `turn` None: it is typed.

        A move that may belong to several tables is made at none of them, so it is awaited at none.
        """
        if number is not None:
            match = await self._service.find(number)
            return match is not None and self._is_legal(interaction, match, turn, text)
        meant = await self.meant(interaction, is_playing)
        return len(meant) == 1 and self._is_legal(interaction, meant[0], turn, text)

    def _is_legal(self, interaction: Interaction, match: Match, turn: str | None, text: str) -> bool:
        user = interaction.user.id
        seat = match.seat_of(user)
        if seat is None or not self.is_to_move(match, user):
            return False
        if turn not in (None, self._service.turn(match, Seat(seat))):
            return False
        legal = {str(move) for move in self._service.state(match).legal_moves(Seat(seat))}
        if turn is not None:
            return text.partition(THEN)[0] in legal
        meant = self._messages.meant(match, user, interaction.locale.value, text)
        return len(meant) == 1 and meant[0] in legal

    async def choices(self, interaction: Interaction, typed: str) -> list[tuple[int, str]]:
        """Return the numbers and names of the tables that the user may mean by what they have typed."""
        named = [(match.id, self.title(interaction, match)) for match in await self.candidates(interaction, here=True)]
        return [(number, name) for number, name in named if typed.lower() in name.lower()]

    def title(self, interaction: Interaction, match: Match) -> str:
        """Return a table's name in the user's language."""
        return self._messages.title(match, self._messages.labels(match, interaction.locale.value))

    def link(self, interaction: Interaction, match: Match) -> str:
        """Return a table's name in the user's language, as a link to the table."""
        return self._messages.link(match, self._messages.labels(match, interaction.locale.value))

    def say(self, interaction: Interaction, match: Match, key: str, **facts: object) -> str:
        """Return the text `done.<key>` about a table, in the user's language."""
        labels = self._messages.labels(match, interaction.locale.value)
        return labels.say(f"done.{key}", table=self.title(interaction, match), **facts)

    async def answer_vote(self, interaction: Interaction, voted: Voted) -> Answer:
        """Return the result of a vote, in the user's language. While the vote is open the answer goes on with it."""
        match, choice = voted.match, voted.choice
        if choice is None:
            return self.say(interaction, match, "voice_back")
        if match.status is Status.STOPPED:
            return self.say(interaction, match, "stopped_alone" if len(match.people) == 1 else "stopped")
        if voted.undone and len(match.people) == 1:  # the player has decided alone, and no vote was held
            taken_back = Played(match, voted.undone)
            return self._messages.decided(taken_back, "undone", interaction.user.id, interaction.locale.value)
        if voted.done or voted.lost:
            alone = len(voters(voted.before, choice)) == 1  # then no vote was held
            key = ("done.decided_alone" if alone else "done.decided") if voted.done else "votes.lost"
            return self._say_vote(interaction, voted.before, key, choice)  # it names those who no longer sit there
        return await self.live(partial(self._open_vote, choice, voted.against))(interaction, match)

    async def _open_vote(self, choice: Choice, against: bool, interaction: Interaction, match: Match) -> Content:
        """Return how a vote stands of which the user has decided. Refused once it is closed, a vote of theirs would not
        count, or they have decided otherwise.
        """
        votes, user = await self._service.votes(match.id), interaction.user.id
        open_ = open_votes(match).get(str(choice))
        is_moot = not tally(match, {user: str(choice)})
        if open_ is None or is_moot or (user not in open_.against if against else votes.get(user) != str(choice)):
            raise Refused(Reason.VOTE_CLOSED)
        count, key = tally(match, votes).get(choice, 0), "votes.opposed" if against else "done.voted"
        said = self._say_vote(interaction, match, key, choice, count=count, needed=needed(match, choice))
        return Content((said,), user=user)

    def _say_vote(self, interaction: Interaction, match: Match, key: str, choice: Choice, **facts: int) -> str:
        labels = self._messages.labels(match, interaction.locale.value)
        what = written(choice_label(match, choice, labels))
        return labels.say(key, table=self.title(interaction, match), what=what, **facts)

    def is_to_move(self, match: Match, user: int) -> bool:
        """Return whether the table waits for this player's move."""
        seat = match.seat_of(user)
        if self._service.quarantine.holds(match.id):
            return False
        return match.running and seat is not None and Seat(seat) in self._service.state(match).to_move()


def is_playing(match: Match) -> bool:
    """Return whether the match is being played. It may rest by a vote, or pause."""
    return match.status is Status.PLAYING
