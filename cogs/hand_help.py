"""What helps a player in their hand: hints, reviews of ended matches, the signs in words, what is rarely needed, and
moves without a choice made for them.

With *Play ahead*, while others are to move, a player names the move that the bot makes for them next if it fits then.
It is sealed, and they may withdraw or change it until it is played.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from cogs.app import App, AppCog, slash
from cogs.match.automatic_moves import may_name, name_ahead
from cogs.match.coaching import MOST_MOMENTS
from cogs.match.refusals import Reason, Refused, check_hand, check_playing, seat_or_refuse
from cogs.match.table_options import set_seat_preferences
from cogs.messages import hand_pages
from cogs.messages import lesson as lesson_texts
from cogs.messages.alone import lobby_lookups
from cogs.messages.choices import AHEAD, WITHDRAW, ahead_line, ahead_message
from cogs.messages.content import CLOSE, Content, number_in, path_of, picked
from cogs.messages.hint import review_message
from cogs.transport.router import Press, Reply, Route, at_table
from cogs.transport.senders import Answer, Interaction, Live
from cogs.transport.slash_commands import EVERYWHERE
from cogs.transport.table_finder import is_playing
from data.records.match import Match
from data.records.people import Person
from rendering import renderer
from rendering.core.labels import Labels
from rules.core.game import Seat


class HandHelp(AppCog):
    """`/hint`, and the presses for help in hands."""

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self._coaching = app.coaching
        app.router.add(
            {
                "ahead": Route(self._step_ahead, rate="hand"),
                AHEAD: Route(self._step_ahead, Reply.OWN_MESSAGE, "hand"),
                "lookups": Route(self._lookups, Reply.OWN_MESSAGE, "hand"),
                "signs": Route(self._signs, Reply.OWN_MESSAGE, "hand"),
                "forced": Route(self._forced, Reply.OWN_MESSAGE, "hand"),
                "hint": Route(lambda i, m, press: self._hint(i, m, press.private), Reply.OWN_MESSAGE, "picture"),
                "review": Route(at_table(self._review), rate="picture"),
                **{
                    f"review/{page}": Route(
                        lambda i, m, press: self._review(i, m, number_in(press.rest)), Reply.OWN_MESSAGE, "picture"
                    )
                    for page in range(MOST_MOMENTS)
                },
            }
        )

    @slash(EVERYWHERE)
    async def hint(self, interaction: Interaction, table: int | None = None) -> Answer | None:
        """`/hint`: say privately which moves are best."""
        return await self._finder.at(interaction, table, self._hint, is_playing, "hint", here=True)

    async def _lookups(self, interaction: Interaction, match: Match, press: Press) -> None:
        if match.private and match.state is None:
            person = await self._interactions.meet(interaction)
            seat_or_refuse(match, person.user)
            labels = self._messages.labels_for(match, person)
            page = {"passing": lobby_lookups(self._messages, match, labels)}
            await self._open(interaction, match, person, press, page)
            return
        person, labels = await self._holder(interaction, match)
        signs = await hand_pages.has_signs(self._messages, match, person)
        past = bool(renderer(match.game).last_text(self._service.state(match).view(None), labels))
        page = {"passing": hand_pages.lookups(match, labels, signs=signs, past=past)}
        await self._open(interaction, match, person, press, page)

    async def _signs(self, interaction: Interaction, match: Match, press: Press) -> None:
        person, _ = await self._holder(interaction, match)
        page = {"notice": hand_pages.signs(self._messages, match, person)}
        await self._open(interaction, match, person, press, page)

    async def _open(
        self, interaction: Interaction, match: Match, person: Person, press: Press, page: dict[str, Any]
    ) -> None:
        """Show the hand with a page of the button pressed, or without it if the press closes it."""
        how = {} if press.rest == CLOSE else {**page, "opened": press.action}
        await self._hands.look(interaction, match, person, press.private, **how)

    async def _forced(self, interaction: Interaction, match: Match, press: Press) -> None:
        """Make the player's moves without a choice for them from now on, and say so in the hand."""
        person, labels = await self._holder(interaction, match)
        with self._service.announcer.after(match.id):
            match = await set_seat_preferences(
                self._service, match.id, person.user, lambda chair: replace(chair, plays_forced=True)
            )
            notice = labels.say("forced.on")
            await self._hands.look(interaction, match, person, press.private, notice=notice)

    async def _holder(self, interaction: Interaction, match: Match) -> tuple[Person, Labels]:
        """Return the player who holds this hand, and the labels of it. Refused: not seated, or not begun."""
        person = await self._interactions.meet(interaction)
        check_hand(match, person.user)
        return person, self._messages.labels_for(match, person)

    async def _hint(self, interaction: Interaction, match: Match, private: bool = False) -> None:
        """Show the hand with a hint. It thinks for some seconds, and a message that is there already says so."""
        seat_or_refuse(match, interaction.user.id)
        person, labels = await self._holder(interaction, match)
        if match.lesson and (found := await lesson_texts.advised(self._messages, match, person)) is not None:
            reason, play = found
            await self._hands.look(interaction, match, person, private, reason=reason, passing=(play,))
            return
        notice = ""
        try:
            if private and match.running and not self._coaching.given(match, Seat(seat_or_refuse(match, person.user))):
                await self._hands.look(interaction, match, person, private, notice=labels.say("hint.thinking"))
            match, *_ = await self._coaching.hint(match.id, person.user)
        except Refused as error:
            if not private:
                raise
            notice = self._interactions.refusal(interaction, match, error)
        await self._hands.look(interaction, match, person, private, notice=notice)

    async def _review(self, interaction: Interaction, match: Match, page: int = 0) -> Answer:
        person = await self._service.people.get(interaction.user.id)
        match, seat, moments = await self._coaching.review(match.id, interaction.user.id)
        assert person is not None  # a player is known
        return await review_message(self._messages, match, person, seat, moments, page)

    async def _step_ahead(self, interaction: Interaction, match: Match, press: Press) -> Answer:
        """Ask which move to name, go a step on the way to it, store it or withdraw it: `press.value` says which. The
        question goes once it is answered, for the hand says what is named, and once the player is to move.
        """
        person = await self._interactions.meet(interaction)
        check_playing(match)
        seat = Seat(seat_or_refuse(match, person.user))
        (action, rest), labels = picked(press.value), self._messages.labels_for(match, person)
        if action == "move" and not rest:
            raise Refused(Reason.UNKNOWN_BUTTON)
        if action == "move" or press.value == WITHDRAW:
            match = await name_ahead(self._service, match.id, person.user, rest or None)
        if action == "move":
            return _answer(match, person, ahead_line(self._messages, match, seat, labels))
        if press.value == WITHDRAW and not may_name(self._service, match, seat):
            return _answer(match, person, labels.say("ahead.withdrawn"))
        path = path_of(rest) if action == "path" else ()
        asks = partial(self._ahead, path, match.chairs[seat].ahead)
        return await self._finder.live(asks)(interaction, match)

    async def _ahead(self, path: Sequence[str], named: str | None, interaction: Interaction, match: Match) -> Content:
        """Return the question, and what is named now. Refused once something other than `named` is, if nothing can be
        named, and once the player sits there no more.
        """
        check_playing(match)
        seat = Seat(seat_or_refuse(match, interaction.user.id))
        if match.chairs[seat].ahead != named or (named is None and not may_name(self._service, match, seat)):
            raise Refused(Reason.NOT_AHEAD)
        person = await self._service.people.get(interaction.user.id)
        assert person is not None  # `_step_ahead` has met them, and an answer ends with their data
        return ahead_message(self._messages, match, person, seat, path)


def _answer(match: Match, person: Person, said: str) -> Live:
    """Return what takes the place of the question until the match changes: then the hand says it."""
    return Live(Content((said,), user=person.user), frozenset((match.id,)), _answered)


async def _answered() -> Content:
    raise Refused(Reason.NOT_AHEAD)
