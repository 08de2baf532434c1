"""In which server an interaction happens, and what is allowed there: the permissions that the bot needs, and what the
managers allow players.

And the role of the server's players, which managers name with `/setup`: a new open table pings it, and members give it
to themselves and take it off with `/settings`. So it must be a role that does nothing but ping. It is checked when it
is named, before each ping, and at each press, because managers may change the role itself at any time.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass

import discord
from discord.utils import snowflake_time

from cogs.match.refusals import Reason, Refused
from cogs.match.service import MatchService
from cogs.transport.errors import DiscordFailure, Failure, discord_call
from cogs.transport.senders import Interaction
from data.records.match import Match
from data.records.servers import Server, Threads
from rendering.core.labels import Labels
from rules.core.game import AnyGame

log = logging.getLogger(__name__)

NEEDED = (
    "view_channel",
    "send_messages",
    "send_messages_in_threads",
    "create_public_threads",
    "embed_links",
    "attach_files",
    "read_message_history",
)
PERMISSIONS = discord.Permissions(**dict.fromkeys(NEEDED, True))
"""The permissions in the invite link."""
HOUR = 3600
"""Seconds between two pings of a server's role."""
FRESH = 7 * 86_400
"""Seconds: an account that is younger pings no role with its tables."""


@dataclass(frozen=True, slots=True)
class Visit:
    """What this file must know of a user's press in a channel, for one who presses elsewhere."""

    client: discord.Client
    guild: discord.Guild
    guild_id: int
    channel: discord.abc.GuildChannel | discord.Thread
    channel_id: int
    user: discord.Member
    permissions: discord.Permissions
    """What the user may do there."""
    app_permissions: discord.Permissions
    """What the bot may do there."""


def server_of(interaction: Interaction | Visit) -> int | None:
    """Return the server of the interaction if the bot is in it; None in every other place.

    A server that has not invited the bot is so treated like direct messages.
    """
    guild = interaction.guild_id
    return guild if guild is not None and interaction.client.get_guild(guild) is not None else None


def server_or_refuse(interaction: Interaction | Visit, otherwise: Reason = Reason.ONLY_IN_SERVERS) -> int:
    """Return the server of the interaction. Refused, as `otherwise`, if the bot is in none there."""
    guild = server_of(interaction)
    if guild is None:
        raise Refused(otherwise)
    return guild


def invite_link(application: int) -> str:
    """Return the link that adds the bot to a server with exactly the permissions it needs."""
    return discord.utils.oauth_url(application, permissions=PERMISSIONS, scopes=("bot", "applications.commands"))


def missing(interaction: Interaction | Visit, threads: Threads) -> list[str]:
    """Return the permissions that the bot lacks in the interaction's channel, by the server's setting for threads."""
    spared = {"create_public_threads", "send_messages_in_threads"}  # without these the table stays in the channel
    if isinstance(interaction.channel, discord.Thread):
        if interaction.channel.locked and not interaction.app_permissions.manage_threads:
            return ["send_messages_in_threads"]  # a lock overrides the roles
        spared = {"create_public_threads", "send_messages"}
    elif threads is Threads.ALWAYS:
        spared = set()
    return [name for name in NEEDED if name not in spared and not getattr(interaction.app_permissions, name)]


async def admit(
    host: MatchService, interaction: Interaction | Visit, game: AnyGame, labels: Labels, *, opens: bool
) -> None:
    """Raise Refused, with the reason, if the bot or this user may not open a table here or sit down at one."""
    server = await host.policy.of(server_or_refuse(interaction))
    if not may_stand(server, interaction):
        raise Refused(Reason.CHANNEL_NOT_HERE, channels=labels.list([f"<#{number}>" for number in server.channels]))
    if not server.allows_game(game.slug):
        raise Refused(Reason.GAME_NOT_HERE, game=game.title)
    if not opens:
        return
    if server.role is not None and not manages(interaction) and not has_role(interaction, server.role):
        raise Refused(Reason.ROLE_NEEDED, role=f"<@&{server.role}>")
    check_permissions(interaction, server.threads, labels)


def check_permissions(interaction: Interaction | Visit, threads: Threads, labels: Labels) -> None:
    """Raise Refused with the names of the permissions that the bot lacks."""
    lacking = missing(interaction, threads)
    if lacking:
        raise Refused(Reason.PERMISSIONS, missing=labels.list([labels.say(f"permission.{name}") for name in lacking]))


def may_stand(server: Server, interaction: Interaction | Visit) -> bool:
    """Return whether the managers allow tables in the interaction's channel, or in the parent channel of its thread."""
    parent = interaction.channel.parent_id if isinstance(interaction.channel, discord.Thread) else None
    return server.allows_channel(interaction.channel_id, parent)


def sees(interaction: Interaction | Visit, place: int) -> bool:
    """Return whether this user can see that channel or thread of the interaction's server. False for archived threads
    and for private ones that they are not known to be in.
    """
    found = _permissions(interaction, place).view_channel
    return found or (place == interaction.channel_id and not isinstance(interaction, Visit))


def reads(interaction: Interaction, place: int) -> bool:
    """Return whether this user can read what was posted in that channel or thread earlier. False as in `sees`."""
    found = _permissions(interaction, place)
    return place == interaction.channel_id or (found.view_channel and found.read_message_history)


def _permissions(interaction: Interaction | Visit, place: int) -> discord.Permissions:
    """Return what this user may do in a channel of the interaction's server or a thread of it; nothing if unknown."""
    guild, user = interaction.guild, interaction.user
    found = guild.get_channel_or_thread(place) if guild is not None else None
    nothing = discord.Permissions.none()
    if not isinstance(user, discord.Member):
        return nothing
    if not isinstance(found, discord.Thread):
        return nothing if found is None else found.permissions_for(user)
    allowed = nothing if found.parent is None else found.parent.permissions_for(user)
    return allowed if not found.is_private() or allowed.manage_threads else nothing


def public_thread_parent(interaction: Interaction) -> int | None:
    """Return the channel of the public thread of the interaction; None if that is in none."""
    channel = interaction.channel
    return channel.parent_id if isinstance(channel, discord.Thread) and not channel.is_private() else None


def manages(interaction: Interaction | Visit) -> bool:
    """Return whether this user may change the bot's settings in the interaction's server."""
    return server_of(interaction) is not None and interaction.permissions.manage_guild


def owns_bot(interaction: Interaction) -> bool:
    """Return whether the user owns the bot's application or is in its team, as these were when the bot started."""
    application = interaction.client.application
    if application is None:
        return False
    team = application.team
    owners = {application.owner.id} if team is None else {member.id for member in team.members}
    return interaction.user.id in owners


# The role of the players.


def check_role(guild: discord.Guild, number: int) -> discord.Role:
    """Return the role of that id. Raises Refused unless it is an ordinary role that gives nothing to its members, and
    stands below the bot's highest role.
    """
    role = guild.get_role(number)
    if role is None:
        raise Refused(Reason.ROLE_GONE)
    if role.is_default() or role.managed:
        raise Refused(Reason.ROLE_NOT_ORDINARY)
    opens = any(channel.overwrites_for(role).pair()[0].value for channel in guild.channels)
    if opens or role.permissions.value & ~guild.default_role.permissions.value:
        raise Refused(Reason.ROLE_HAS_POWERS)
    if role >= guild.me.top_role:
        raise Refused(Reason.ROLE_ABOVE)
    return role


def cannot_give(guild: discord.Guild, number: int) -> Reason | None:
    """Return why the bot cannot give members that role now, or None."""
    try:
        check_role(guild, number)
    except Refused as refused:
        return refused.reason
    return None if guild.me.guild_permissions.manage_roles else Reason.ROLE_NEEDS_PERMISSION


def may_ping(guild: discord.Guild, number: int) -> bool:
    """Return whether a message of the bot pings that role, which may have changed since it was named."""
    try:
        role = check_role(guild, number)
    except Refused:
        return False
    return role.mentionable or guild.me.guild_permissions.mention_everyone


def pings_players(match: Match, most: int, now: float) -> bool:
    """Return whether a lobby is a new table with a free seat, of at most `most`, that anyone may take: so it may ping
    the role. Tables of a fresh account do not.
    """
    is_open = not (match.closed or match.season) and len(match.chairs) < most
    is_its_own = match.previous is None and match.duplicate is None
    is_fresh = now - snowflake_time(match.host).timestamp() < FRESH
    return is_open and is_its_own and not is_fresh and now - match.opened_at < HOUR


def has_role(interaction: Interaction | Visit, number: int) -> bool:
    """Return whether the user has that role in the server of the interaction."""
    return isinstance(interaction.user, discord.Member) and interaction.user.get_role(number) is not None


async def switch_role(interaction: Interaction, number: int) -> bool:
    """Give the user that role, or take it off them. Return whether they have it now. Raises Refused if they may not
    have it, or the bot may not do that, and DiscordFailure.
    """
    guild, member = interaction.guild, interaction.user
    if guild is None or not isinstance(member, discord.Member):
        raise Refused(Reason.SETUP_IN_SERVERS)
    if (reason := cannot_give(guild, number)) is not None:
        raise Refused(reason)
    role, had = discord.Object(number), has_role(interaction, number)
    try:
        async with discord_call():
            if had:
                await member.remove_roles(role)
            else:
                await member.add_roles(role)
    except DiscordFailure as failure:
        failure.raise_if(Failure.LATER)
        log.info("a role is not given or taken: %s", failure)
        raise Refused(Reason.ROLE_NEEDS_PERMISSION) from failure
    return not had
