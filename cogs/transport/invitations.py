"""Invitations to lobbies: one message at the table mentions the guests who are newly invited, and offers them *Accept*
and *Decline*. Each guest is pinged once.

The bot stores the people whom a message invites before it sends the message (delivery.py). If its answer was lost, that
message goes before any other: by now more guests may be invited, and one message to all would ping the first ones
twice.

When the lobby is over, its invitations are old messages of its table, which the worker takes down (table_message.py).
"""

from __future__ import annotations

import logging

import discord

from cogs.match.service import MatchService
from cogs.messages.door import INVITES, invitation
from cogs.messages.messages import Messages
from cogs.transport.components import offered_in, parts_of
from cogs.transport.delivery import deliver
from cogs.transport.errors import DiscordFailure, Failure
from cogs.transport.pings import post_link
from cogs.transport.senders import Handles, nonce, send_invitation
from data.records.match import GuestState, Match, Status
from data.records.people import PingPreference
from data.records.post import Invitation, Sending, TablePost

MOST_PINGS, INVITED_LATELY = 3, 3600
"""How often one host's lobbies ping the same guest, and within how many seconds."""
log = logging.getLogger(__name__)


class Invitations:
    """The invitations to a service's lobbies."""

    def __init__(self, handles: Handles, service: MatchService, messages: Messages) -> None:
        self._handles = handles
        self._service = service
        self._posts = service.posts
        self._messages = messages

    async def owes_any(self, match: Match, post: TablePost) -> bool:
        """Return whether a guest of this lobby, whose message is `post`, has no invitation yet."""
        if match.status is not Status.LOBBY or post.message is None or not match.guests:
            return False
        said = await self._posts.invitations(match.id)
        return any(found is Invitation.SENDING for found in said.values()) or bool(_new(match, said))

    async def invite_guests(self, match: Match, post: TablePost) -> None:
        """Invite the guests of this lobby who are not invited yet. Raises DiscordFailure to try again."""
        if not await self.owes_any(match, post):
            return
        said = await self._posts.invitations(match.id)
        before = [user for user, found in said.items() if found is Invitation.SENDING]
        if before:  # where that try was made: the table may have moved since
            await self._send(match, post, before, await self._posts.inviting(match.id) or Sending(match.place, 0))
        if new := _new(match, said):
            await self._send(match, post, new)

    async def _send(self, match: Match, post: TablePost, users: list[int], begun: Sending | None = None) -> None:
        labels = self._messages.labels(match)
        table = f"[{self._messages.title(match, labels)}]({post_link(match, post)})"
        invited = {guest.user for guest in match.guests if guest.state is GuestState.INVITED}
        sending = begun or Sending(match.place, int(self._service.now()))
        message: int | Invitation = Invitation.NONE

        async def look(begun: Sending) -> int | None:
            return await self._handles.sent_before(match.guild, begun, lambda there: _invites(there, match.id, users))

        async def send() -> int:
            awake = [user for user in users if user in invited and await self._may_be_pinged(match, user)]
            content, channel = (
                invitation(match, table, users, labels),
                self._handles.channel(match.guild, sending.channel),
            )
            return (await send_invitation(channel, content, awake, nonce=nonce("guests", match.id, *users))).id

        try:
            message = (
                await deliver(
                    begun,
                    sending,
                    look=look,
                    note=lambda sending: self._note(match, users, Invitation.SENDING, sending),
                    send=send,
                )
            ).message
        except DiscordFailure as failure:
            if failure.kind is Failure.LATER:
                raise
            # They can still press Join, and the lobby names them.
            log.warning("match %d: the invitation of guests cannot be sent: %s", match.id, failure)
        await self._note(match, users, message, sending)

    async def _note(self, match: Match, users: list[int], message: int | Invitation, sending: Sending) -> None:
        await self._posts.note_invitations(match.id, users, message, sending.channel, int(self._service.now()))

    async def _may_be_pinged(self, match: Match, user: int) -> bool:
        """Return whether a guest is pinged. One who wants no pings, has quiet hours now, or was pinged often by that
        host is named only.
        """
        since = int(self._service.now()) - INVITED_LATELY
        if await self._posts.times_invited(user, match.host, since) >= MOST_PINGS:
            return False
        return await wants_ping_now(self._service, user)


def _new(match: Match, said: dict[int, int | Invitation]) -> list[int]:
    """Return the invited guests whom no message has invited."""
    return [guest.user for guest in match.guests if guest.state is GuestState.INVITED and guest.user not in said]


def _invites(message: discord.Message, match: int, users: list[int]) -> bool:
    """Return whether that message invites these guests to a match."""
    said = "".join(str(part.get("content", "")) for part in parts_of(message))
    offers = {found.action for found in offered_in(message, match)} >= INVITES
    return offers and all(f"<@{user}>" in said for user in users)


async def wants_ping_now(service: MatchService, user: int) -> bool:
    """Return whether a user may be pinged about a lobby. If they want no pings, or have quiet hours, they are named."""
    person = await service.people.get(user)
    wanted = person is None or person.ping is not PingPreference.NONE
    return wanted and await service.clocks.quiet_until(user) is None
