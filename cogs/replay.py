"""`/replay`: watch an ended match again, step by step, alone or with everyone in its channel.

A replay is one message that each press changes in place. The ids of its controls say where it is (messages/replay.py),
so nothing is stored, and a restart changes nothing. Who may use `/verify` at a table may watch it.
"""

from __future__ import annotations

import asyncio
from typing import NoReturn

from cogs.app import App, AppCog, slash
from cogs.match.playback import Playback, same_moment
from cogs.match.refusals import Reason, Refused
from cogs.messages.content import Content, number_in
from cogs.messages.replay import (
    AS,
    FILE_TYPES,
    FILM,
    JUMP,
    PAGE,
    STEP,
    Replays,
    Spot,
    drawing_message,
    eyes_of,
    file_message,
)
from cogs.messages.replay_files import ReplayFiles
from cogs.runtime.periodic import end_tasks
from cogs.transport.components import offers
from cogs.transport.errors import GONE, DiscordFailure, Failure
from cogs.transport.interactions import is_private
from cogs.transport.permissions import check_permissions, server_of
from cogs.transport.router import Press, Reply, Route
from cogs.transport.senders import Answer, Interaction, edit_own, nonce, send_public
from cogs.transport.slash_commands import EVERYWHERE
from data.records.match import Match
from data.records.servers import Threads

PROGRESS_SECONDS = 3.0
"""Seconds between two looks at how far an animation is, of which a message tells."""


class Replay(AppCog):
    """The command and the presses."""

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self._playback = Playback(app.service)
        self._replays = Replays(app.messages)
        self.files = ReplayFiles(app.messages, self._playback, app.searches)
        app.router.add(
            {
                "replay": Route(lambda i, m, _: self._shown(i, m, Spot()), rate="picture"),
                STEP: Route(self._step, Reply.PRESSED, "step"),
                "share": Route(self._share, rate="share"),
                "file": Route(self._file, rate="file"),
            }
        )

    @slash(EVERYWHERE)
    async def replay(self, interaction: Interaction, table: int) -> Answer:
        """`/replay`: show an ended match from its first step, as everyone saw it."""
        return await self._shown(interaction, await self._finder.match(interaction, table), Spot())

    async def _step(self, interaction: Interaction, match: Match, press: Press) -> Answer:
        """Go where the press leads, in the message pressed. What everyone sees stays free of anyone's own wishes."""
        spot = await self._meant(match, press)
        public = not is_private(interaction) and offers(interaction.message, match.id, STEP)
        return await self._shown(interaction, match, spot, public=public)

    async def _share(self, interaction: Interaction, match: Match, press: Press) -> Answer:
        """Show this step to everyone in the match's own channel or thread, where anyone may step on."""
        labels = self._interactions.labels(interaction)
        if server_of(interaction) != match.guild or not _at_table(interaction, match):
            raise Refused(Reason.NOT_SHOWN_HERE)
        check_permissions(interaction, Threads.NEVER, labels)
        content = await self._shown(interaction, match, await self._meant(match, press), public=True)
        channel = interaction.client.get_partial_messageable(interaction.channel_id, guild_id=server_of(interaction))
        await send_public(channel, content, nonce=nonce("replay", interaction.id))
        return labels.say("replay.shared")

    async def _file(self, interaction: Interaction, match: Match, press: Press) -> Answer | None:
        """Make a file of the match, as the eyes of the replay see it, for this user alone."""
        spot, kind = Spot.of(press.rest), press.rest.rpartition("/")[2]
        if spot is None or kind not in FILE_TYPES:
            raise Refused(Reason.UNKNOWN_BUTTON)
        user, labels = interaction.user.id, self._interactions.labels(interaction)
        if kind == FILM:
            return await self._film(interaction, match, spot.eyes)
        if kind == PAGE:
            data = await self.files.page(match.id, spot.eyes, interaction.locale.value)
        else:
            data = await self.files.record(match.id)
        return file_message(match, kind, data, user, labels)

    async def _film(self, interaction: Interaction, match: Match, eyes: int) -> Answer | None:
        """Return the animation. If it takes long, the answer says now and then how far it is, and is then replaced. If
        the answer is gone, the animation is given up.
        """
        user, labels = interaction.user.id, self._interactions.labels(interaction)
        told: Content | None = None

        async def tell() -> NoReturn:
            nonlocal told
            while True:
                await asyncio.sleep(PROGRESS_SECONDS)
                reached = drawing_message(*self.files.reached(match.id, eyes), user, labels)
                if reached != told:
                    told = reached
                    try:
                        await _say_instead(interaction, reached)
                    except DiscordFailure as trouble:  # the next one, or the animation, says more
                        if trouble.kind in GONE or trouble.kind is Failure.EXPIRED:
                            raise

        making = asyncio.create_task(self.files.animation(match.id, eyes), name="make an animation")
        telling = asyncio.create_task(tell(), name="tell how far an animation is")
        try:
            await asyncio.wait({making, telling}, return_when=asyncio.FIRST_COMPLETED)
            content = file_message(match, FILM, await (making if making.done() else telling), user, labels)
        finally:
            await end_tasks(making, telling)
        if told is None:
            return content
        await _say_instead(interaction, content)
        return None

    async def _meant(self, match: Match, press: Press) -> Spot:
        """Return where a press leads. Refused if this bot never made that control."""
        spot, control = Spot.of(press.rest), press.rest.rpartition("/")[2]
        if spot is None:
            raise Refused(Reason.UNKNOWN_BUTTON)
        if control == JUMP:
            return spot._replace(step=number_in(press.value, -1))
        if control != AS:
            return spot
        eyes = eyes_of(press.value)
        if eyes is None:
            raise Refused(Reason.NO_SUCH_SEAT)
        _, before = await self._playback.steps(match.id, spot.eyes)
        _, steps = await self._playback.steps(match.id, eyes)
        if spot.step >= len(before):
            raise Refused(Reason.NO_SUCH_STEP, count=len(before))
        return Spot(same_moment(steps, before[spot.step].move), eyes)

    async def _shown(self, interaction: Interaction, match: Match, spot: Spot, *, public: bool = False) -> Content:
        """Return the replay for this user or, if `public`, for everyone."""
        match, steps = await self._playback.steps(match.id, spot.eyes)
        if not 0 <= spot.step < len(steps):
            raise Refused(Reason.NO_SUCH_STEP, count=len(steps))
        if public:
            return await self._replays.message(match, steps, spot, None)
        person = await self._interactions.meet(interaction)
        return await self._replays.message(match, steps, spot, person, shareable=_at_table(interaction, match))


def _at_table(interaction: Interaction, match: Match) -> bool:
    """Return whether this is the match's own channel or thread, where every reader may watch it."""
    return interaction.channel_id in (match.place, match.channel)


async def _say_instead(interaction: Interaction, content: Content) -> None:
    """Say something else in the answer. Raises DiscordFailure."""
    await edit_own(interaction, content)
