"""The way to each place that calls, invites and answers people."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from io import BytesIO

from PIL import Image

import cogs.replay
import cogs.transport.app_emoji
from cogs.messages.content import EmojiTable, Id
from cogs.transport.app_emoji import AppEmoji
from cogs.transport.lobby_pings import REMINDED_WITHIN
from data.records.key_values import KeyValues
from data.records.post import Invitation, Sending
from tests.cogs.failing.stage import RETRIES, Stage
from tests.support.simulation import controls, raw
from tests.support.table import Table


async def invitation(stage: Stage) -> None:
    publisher, matches = stage.sim.bot.app.publisher, stage.sim.matches

    async def act() -> None:
        posts = await matches.posts.of(stage.lobby)
        await matches.posts.note(replace(posts.table, invited=False, ping=None))
        publisher.changed(stage.lobby)
        await stage.sim.env.settle()

    await stage.until_hit(act)


async def invitation_of_which_no_answer_came(stage: Stage) -> None:
    posts = stage.sim.matches.posts

    async def act() -> None:
        table = (await posts.of(stage.lobby)).table
        begun = Sending(table.channel, 0, "again 0")
        await posts.note(replace(table, invited=False, ping=None, sending=begun))
        stage.sim.bot.app.publisher.changed(stage.lobby)
        await stage.sim.env.settle()

    await stage.until_hit(act)


async def reminder(stage: Stage) -> None:
    """A reminder of the lobby's start, which is due each time."""
    service = stage.sim.service

    async def act() -> None:
        async with service.deciding(stage.lobby) as match:
            at = (match.starts_at or int(service.now()) + 86_400) + REMINDED_WITHIN
            await service.save(replace(match, starts_at=at, starts_soon=True))
        await stage.sim.env.settle()

    await stage.until_hit(act)


async def greeting(stage: Stage, begun: Sending | None = None) -> None:
    """The greeting of a server. Alice's server has open matches, so another one invites the bot."""
    sim = stage.sim
    guild = sim.guild

    async def act() -> None:
        await sim.service.policy.change(guild.id, greeted=False, greeting=begun or Sending(stage.elsewhere.id, 0))
        if begun is None:
            await sim.service.policy.change(guild.id, greeting=None)
        cog = sim.bot.get_cog("Guilds")
        found = sim.bot.get_guild(guild.id)
        assert cog is not None and found is not None
        await cog.greet(found)
        await sim.env.settle()

    await stage.until_hit(act)


async def greeting_of_which_no_answer_came(stage: Stage) -> None:
    await greeting(stage, Sending(stage.elsewhere.id, 0))


async def set_start(stage: Stage, value: str) -> None:
    await stage.sim.service.policy.change(stage.sim.guild.id, events=True)
    await stage.press("alice", "start_time", match=stage.lobby, values=[value])
    await stage.calm()


async def event(stage: Stage) -> None:
    async def act() -> None:
        await set_start(stage, "none")
        await set_start(stage, "86400")

    await stage.until_hit(act)


async def emoji(stage: Stage) -> None:
    """An emoji is uploaded, and one that is out of date is deleted."""
    blue = "sea_change", "sign.B", b"\x89PNG\r\n\x1a\n"
    stage.wire.monkeypatch.setattr(cogs.transport.app_emoji, "PAUSE", 0.0)
    stage.wire.monkeypatch.setattr(cogs.transport.app_emoji, "emoji", lambda: [blue])
    backend, database = stage.sim.env.backend, stage.sim.database
    assert database is not None

    async def act() -> None:
        backend.application_emojis.clear()
        backend.create_application_emoji("sundial_old_00000000")
        ours = AppEmoji(stage.sim.bot, KeyValues(database), EmojiTable())
        await ours.load()
        await ours.renew()

    await stage.until_hit(act)


async def another_time(stage: Stage) -> None:
    async def act() -> None:
        await set_start(stage, "86400")
        await set_start(stage, "7200")

    await stage.until_hit(act)


async def event_after_a_lost_answer(stage: Stage) -> None:
    """Of an earlier request it is unknown whether it has made an event."""

    async def act() -> None:
        await set_start(stage, "none")
        posts = await stage.sim.matches.posts.of(stage.lobby)
        assert posts.event is not None
        await stage.sim.matches.posts.note(replace(posts.event, message=None, sending=Sending(0, 0)))
        await set_start(stage, "86400")

    await set_start(stage, "86400")
    await stage.until_hit(act)


async def ending(stage: Stage) -> None:
    """Another match of some of the people ends."""
    ended = await Table.open(stage.sim, "sea_change", [stage.person("alice"), stage.person("bob")], seed="ended")
    await stage.press("alice", "start", match=ended.number)
    stage.ended = ended.number
    for name in ("alice", "bob"):
        await stage.press(name, "vote_sure", rest="end", match=ended.number)


async def ending_of_which_no_answer_came(stage: Stage) -> None:
    """It has been told, and the bot does not know it."""
    matches = stage.sim.matches
    await with_an_ended_match(stage)

    async def act() -> None:
        post = (await matches.posts.of(stage.ended)).the_end
        assert post is not None
        await matches.posts.note(replace(post, message=None, sending=Sending(post.channel, 0), shown=0))
        stage.sim.bot.app.publisher.changed(stage.ended)
        await stage.calm()

    await stage.until_hit(act)


async def with_an_ended_match(stage: Stage) -> None:
    """Let another match end, without an error, unless one has."""
    if not stage.ended:
        site, stage.wire.site = stage.wire.site, ""
        await ending(stage)
        await stage.calm()
        stage.wire.site = site


async def playing_again_in_private(stage: Stage) -> None:
    """Without an answer no table is opened, and the player is told."""
    await with_an_ended_match(stage)
    await stage.press("alice", "again", dm=True, match=stage.ended)


async def showing_a_replay(stage: Stage) -> None:
    """A player shows another match, which has ended, to everyone."""
    await with_an_ended_match(stage)
    where = {"channel": stage.sim.channel.id, "message": stage.sim.channel.history()[-1].id}
    await stage.press("alice", "share", rest="0/table/share", match=stage.ended, **where)


async def drawing_a_film(stage: Stage) -> None:
    """A player has a replay drawn as an animation, and is told on the way how far it is."""
    await with_an_ended_match(stage)
    film = BytesIO()
    Image.new("RGB", (8, 8)).save(film, "WEBP")

    async def slow(number: int, eyes: int) -> bytes:
        await asyncio.sleep(0.05)
        return film.getvalue()

    where = {"channel": stage.sim.channel.id, "message": stage.sim.channel.history()[-1].id}
    with stage.wire.monkeypatch.context() as patch:
        patch.setattr(cogs.replay, "PROGRESS_SECONDS", 0.01)
        patch.setattr(stage.sim.bot.get_cog("Replay").files, "animation", slow)
        await stage.press("alice", "file", rest="0/table/film", match=stage.ended, **where)
        await stage.calm()


async def stepping_for_all(stage: Stage) -> None:
    """Another player steps on in it."""
    await showing_a_replay(stage)
    step = Id(stage.ended, "step", rest="0/table/first")
    shown = [m for m in stage.sim.channel.history() if not m.flags.ephemeral and str(step) in controls(raw(m))]
    stage.results.append(stage.sim.raw_press(stage.person("bob"), str(step), message=shown[-1].id))
    await stage.sim.env.settle()


async def guests(stage: Stage) -> None:
    """The host invites somebody who was never invited there, again and again."""
    door, host = stage.sim.app.door, stage.person("alice").id

    async def act() -> None:
        match = await stage.sim.match(stage.lobby)
        await door.invite(stage.lobby, match.host, [(host + 1_000_000 + len(match.guests), "guest")])
        await stage.calm()

    await stage.until_hit(act)


async def guests_of_whom_no_answer_came(stage: Stage) -> None:
    """A guest is invited, and the bot does not know it."""
    posts, site = stage.sim.service.posts, stage.wire.site
    stage.wire.site = ""
    match = await stage.sim.match(stage.lobby)
    guest = stage.person("alice").id + 2_000_000 + len(match.guests)
    await stage.sim.app.door.invite(stage.lobby, match.host, [(guest, "guest")])
    await stage.calm()
    stage.wire.site = site

    async def act() -> None:
        await posts.note_invitations(
            stage.lobby, [guest], Invitation.SENDING, stage.sim.channel.id, int(stage.sim.service.now())
        )
        stage.sim.app.publisher.changed(stage.lobby)
        await stage.calm()

    await stage.until_hit(act)


async def play_with(stage: Stage) -> None:
    await stage.press("alice", "play_with", rest=str(stage.person("bob").id), match=0, values=["full_circle"])


async def role(stage: Stage, taken: bool = False) -> None:
    """A member gives themselves the role that new tables ping, or takes it off."""
    sim, bob = stage.sim, stage.person("bob")
    made = sim.guild.roles.get("players") or sim.guild.create_role("players")
    await sim.service.policy.change(sim.guild.id, ping_role=made.id)
    (sim.env.backend.add_member_role if taken else sim.env.backend.remove_member_role)(sim.guild.id, bob.id, made.id)
    await sim.env.settle()
    await stage.press("bob", "setting", rest="role", match=0)


async def role_taken(stage: Stage) -> None:
    await role(stage, taken=True)


async def form(stage: Stage) -> None:
    await stage.press("alice", "cut", match=stage.lobby)


async def left_over(stage: Stage) -> None:
    """A press in a hand of which nothing was noted down."""
    matches, found = stage.sim.matches, []
    while not found:
        await stage.until_awaited("bob")
        hand = await stage.hand("bob")
        found = [post for post in await matches.posts.of(stage.number) if hand == post.message]
    await matches.posts.note(*(replace(post, message=post.message - 1) for post in found if post.message))
    await stage.press("bob", "path", "0.0", dm=True)


async def leaving(stage: Stage) -> None:
    await stage.press("bob", "give_seat")


async def leaving_a_hand_of_which_no_answer_came(stage: Stage) -> None:
    posts, bob = stage.sim.matches.posts, stage.person("bob").id
    (hand,) = [hand for hand in (await posts.of(stage.number)).hands.values() if hand.user == bob]
    await posts.note(replace(hand, sending=Sending(hand.channel, 0)))
    await leaving(stage)


async def digest(stage: Stage, name: str) -> None:
    person, sim = stage.person(name), stage.sim

    async def act() -> None:
        await sim.service.people.change(person.id, digest_hours=1, digest_due=10**10)
        await stage.until_awaited(name)
        # Never at the same second, which is what tells one digest from another.
        await sim.service.people.change(person.id, digest_due=sim.service.clocks.now() - sim.cursor)
        for _ in range(RETRIES + 1):
            await sim.app.digests.tick()

    await stage.until_hit(act)
    await sim.service.people.change(person.id, digest_hours=0, digest_due=None)
    sim.bot.app.publisher.changed(stage.number)
    await sim.env.settle()


async def digest_by_dm(stage: Stage) -> None:
    await digest(stage, "bob")


async def digest_at_table(stage: Stage) -> None:
    await digest(stage, "carol")


async def digest_of_which_no_answer_came(stage: Stage) -> None:
    person = stage.person("bob")
    begun = Sending(person.user.dm_channel.id, 0, "digest 0")
    await stage.sim.service.people.change(person.id, digest_sending=str(begun))
    await digest(stage, "bob")
