"""Within a minute of the end of any fault, of any length, all messages show what is stored."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.month.process import fast_settings
from tests.reliability.recorded_bot import RunningBot
from tests.support.inside import stored_matches

MINUTE, HOUR = 60, 3600
ANN, BEN = 10_001, 10_002


@pytest.fixture
def running(tmp_path: Path) -> Iterator[RunningBot]:
    """A running bot with a match of two people that has begun."""
    with fast_settings("converges"):
        running = RunningBot(tmp_path)
        discord = running.discord
        channel = discord.new_channel(number=500)
        for user in (ANN, BEN):
            discord.know(user, f"P{user}")
        running.run(discord.slash(ANN, channel.id, "play", game="sea_change"))
        running.pass_time(5)
        for user, what in ((BEN, "join"), (ANN, "start")):
            running.run(discord.press(user, discord.tables[1], f"1/1/{what}//"))
            running.pass_time(15)
        yield running
        running.close()


def move(running: RunningBot) -> None:
    """Let a player to move make a move."""

    async def play() -> None:
        host = running.app.service
        match = await host.load(1)
        state = host.state(match)
        seat = min(state.to_move())
        await host.play(1, match.chairs[seat].user, None, str(state.legal_moves(seat)[0]))
        running.app.publisher.changed(1)

    running.run(play())


def shown_after(running: RunningBot) -> int:
    """Wait until all is shown. Return the seconds."""
    for second in range(10 * MINUTE):
        if not running.run(stored_matches(running.app.service).posts.behind()):
            return second
        running.pass_time(1)
    raise AssertionError("never shown")


@pytest.mark.parametrize("seconds", [20, MINUTE, 130, 5 * MINUTE, HOUR])
@pytest.mark.parametrize("fault", ["down", "silent"])
def test_within_a_minute_of_its_end_all_is_shown(running: RunningBot, fault: str, seconds: int) -> None:
    move(running)
    running.pass_time(15)
    setattr(running.discord, fault, True)
    move(running)
    running.pass_time(seconds)
    assert running.run(stored_matches(running.app.service).posts.behind())
    setattr(running.discord, fault, False)
    assert shown_after(running) < MINUTE


def test_one_request_that_is_never_answered_holds_nothing_up(running: RunningBot) -> None:
    """Discord answers all other requests while the bot waits for that one."""
    running.discord.silent = True
    move(running)
    running.pass_time(1)
    running.discord.silent = False
    assert shown_after(running) < MINUTE / 2
