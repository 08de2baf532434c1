"""A host whose clock jumps: by an hour, by a day, to 1970 and back."""

from __future__ import annotations

import pytest

from cogs.runtime.trusted_clock import EVENLY, TOLERANCE, TrustedClock

NOON = 1_770_000_000.0
HOUR, DAY = 3600, 86400


class Host:
    """A host with both clocks."""

    def __init__(self, wall: float = NOON) -> None:
        self.off = wall
        self.ran = 0.0
        self.watch = TrustedClock(lambda: self.off + self.ran, lambda: self.ran)

    def run(self, seconds: float = 60) -> bool:
        self.ran += seconds
        return self.watch.sample()


def test_a_good_clock_is_believed() -> None:
    host = Host()
    assert all(host.run() for _ in range(100))
    assert host.watch.now() == NOON + 6000


def test_a_clock_that_is_set_a_little_is_followed() -> None:
    host = Host()
    for _ in range(10):
        host.off -= TOLERANCE / 2
        assert host.run()
    assert host.watch.now() == NOON + 600 - 5 * TOLERANCE


@pytest.mark.parametrize("jump", [HOUR, -HOUR, DAY, -DAY, -NOON, 20 * 365 * DAY])
def test_a_jump_holds_and_time_goes_on_as_it_was(jump: float) -> None:
    host = Host()
    host.run()
    host.off += jump
    assert not host.run()
    assert host.watch.now() == NOON + 120
    assert not host.run()
    host.off -= jump
    assert host.run(), "it came back"
    assert host.watch.now() == NOON + 240


def test_a_clock_that_was_set_back_waits_for_the_time_to_come_or_for_discord() -> None:
    host = Host()
    host.run()
    host.off -= HOUR
    held = 0
    while not host.run():
        held += 60
    assert HOUR - TOLERANCE - 120 <= held <= HOUR
    host.off -= DAY
    assert not any(host.run() for _ in range(100))
    host.watch.heard(NOON + host.ran - HOUR - DAY)
    assert host.run()
    assert all(host.run() for _ in range(10))


@pytest.mark.parametrize("jump", [HOUR, DAY])
def test_a_clock_that_was_set_is_believed_after_a_while(jump: float) -> None:
    host = Host()
    host.run()
    host.off += jump
    waited = 0
    while not host.run():
        waited += 60
    assert waited == EVENLY
    assert host.watch.now() == NOON + host.ran + jump


def test_a_clock_that_jumps_again_is_believed_later() -> None:
    host = Host()
    host.off += HOUR
    for _ in range(10):
        assert not host.run()
    host.off += HOUR
    assert not any(host.run() for _ in range(15))
    assert host.run()


def test_discord_decides_at_once() -> None:
    host = Host()
    host.off += DAY
    assert not host.run()
    host.watch.heard(NOON + host.ran)
    assert not host.run()
    assert not any(host.run() for _ in range(100)), "Discord's clock says otherwise"
    host.watch.heard(NOON + DAY + host.ran)
    assert host.run(), "the host's clock was right: it had slept for a day"


def test_1970_is_never_believed() -> None:
    host = Host()
    host.off = 0
    assert not any(host.run() for _ in range(500))
    assert host.watch.now() == NOON + host.ran


def test_a_start_before_what_is_stored_holds_until_it_is_later() -> None:
    host = Host(0)
    host.watch.not_before(NOON)
    assert host.watch.now() == NOON
    assert not any(host.run() for _ in range(50))
    host.off = NOON + 5
    assert host.run()
    assert host.watch.now() == NOON + 5 + host.ran


@pytest.mark.parametrize("wrong", [0.0, HOUR, -HOUR, 3 * 365 * DAY, -NOON])
def test_at_the_start_it_is_the_time_that_discord_tells(wrong: float) -> None:
    """A sign of life that a wrong clock has left in the future counts for nothing."""
    host = Host(NOON + wrong)
    assert not host.watch.confirmed
    host.watch.heard(NOON)
    host.watch.not_before(NOON + 3 * 365 * DAY)
    assert all(host.run() and host.watch.confirmed for _ in range(100))
    assert host.watch.now() == NOON + host.ran
    host.off = NOON
    if wrong:
        assert not host.run(), "it was set right, which is a jump too"
        host.watch.heard(NOON + host.ran)
    assert host.run()
    host.watch.heard(NOON + host.ran)
    assert host.watch.confirmed and host.watch.now() == NOON + host.ran


def test_later_discord_does_not_set_the_time_without_a_doubt() -> None:
    host = Host()
    assert host.run()
    host.watch.heard(NOON + HOUR)
    assert host.run() and not host.watch.confirmed
    assert host.watch.now() == NOON + host.ran


def test_the_time_is_not_confirmed_after_a_jump_until_discord_tells_it() -> None:
    host = Host()
    host.watch.heard(NOON)
    assert host.run() and host.watch.confirmed
    host.off += DAY
    assert not host.run() and not host.watch.confirmed
    assert any(host.run() for _ in range(100)), "it is believed after a while"
    assert not host.watch.confirmed
    host.watch.heard(NOON + host.ran + DAY)
    assert host.watch.confirmed


def test_a_start_long_after_what_is_stored_is_an_ordinary_start() -> None:
    host = Host()
    host.watch.not_before(NOON - 30 * DAY)
    assert host.run()
