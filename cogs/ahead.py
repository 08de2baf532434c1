"""*Play ahead* in a hand: while others are to move, a player names the move that the bot makes for them next if it fits
then. It is sealed, and they may withdraw or change it until it is played.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from cogs.match.automatic_moves import may_name, name_ahead
from cogs.match.refusals import Reason, Refused, check_playing, seat_or_refuse
from cogs.messages.ahead import NAME, WITHDRAW, ahead_line, ahead_message
from cogs.messages.content import Content, path_of, picked
from cogs.transport.app import App, AppCog
from cogs.transport.router import Press, Reply, Route
from cogs.transport.senders import Answer, Interaction, Live
from data.records.match import Match
from rules.core.game import Seat


class Ahead(AppCog):
    """The presses of *Play ahead*."""

    def __init__(self, app: App) -> None:
        super().__init__(app)
        app.router.add({"ahead": Route(self._step, rate="hand"), NAME: Route(self._step, Reply.OWN_MESSAGE, "hand")})

    async def _step(self, interaction: Interaction, match: Match, press: Press) -> Answer:
        """Ask which move to name, go a step on the way to it, store it or withdraw it: `press.value` says which. The
        question goes once it is answered, for the hand says what is named, and once the player is to move.
        """
        person = await self._interactions.meet(interaction)
        check_playing(match)
        seat = Seat(seat_or_refuse(match, person.user))
        action, rest = picked(press.value)
        if action == "move" and not rest:
            raise Refused(Reason.UNKNOWN_BUTTON)
        if action == "move" or press.value == WITHDRAW:
            match = await name_ahead(self._service, match.id, person.user, rest or None)
        if action == "move":
            named = ahead_line(self._messages, match, seat, self._messages.labels_for(match, person))
            return Live(Content((named,), user=person.user), frozenset((match.id,)), _answered)
        path = path_of(rest) if action == "path" else ()
        asks = partial(self._question, path, match.chairs[seat].ahead)
        return await self._finder.live(asks)(interaction, match)

    async def _question(
        self, path: Sequence[str], named: str | None, interaction: Interaction, match: Match
    ) -> Content:
        """Return the question, and what is named now. Refused once something other than `named` is, if nothing can be
        named, and once the player sits there no more.
        """
        check_playing(match)
        seat = Seat(seat_or_refuse(match, interaction.user.id))
        if match.chairs[seat].ahead != named or (named is None and not may_name(self._service, match, seat)):
            raise Refused(Reason.NOT_AHEAD)
        person = await self._service.people.get(interaction.user.id)
        assert person is not None  # `_step` has met them, and an answer ends with their data
        return ahead_message(self._messages, match, person, seat, path)


async def _answered() -> Content:
    raise Refused(Reason.NOT_AHEAD)
