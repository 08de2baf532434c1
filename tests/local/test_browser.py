"""Matches in a real browser: one with a restart in the middle, one of two people.

Screenshots are left in tests/output/local, to be looked at.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from .browser import OUTPUT, Tab, local, open_table, play, says


@pytest.mark.long
def test_a_match_goes_on_after_a_restart(browser: Browser, tmp_path: Path) -> None:
    database = tmp_path / "local.db"
    with local(database) as program:
        channel = Tab(browser, program.home, "# games as Ann")
        expect(channel.page).to_have_title("Ann: #games")
        open_table(channel, "Sea Change", 3)
        channel.picture(OUTPUT / "lobby.png")
        channel.press("Start")
        channel.sees("To move:")
        hand = Tab(browser, program.home, "Ann’s direct messages")
        assert play([hand], says(channel, "won!"), most=4) == 4
        channel.picture(OUTPUT / "table.png")
        hand.picture(OUTPUT / "hand.png")
    with local(database) as program:
        channel = Tab(browser, program.home, "# games as Ann", 400, 860)
        channel.sees("To move:")
        hand = Tab(browser, program.home, "Ann’s direct messages", 400, 860)
        hand.picture(OUTPUT / "hand-after-restart.png")
        assert play([hand], says(channel, "won!"), most=4) == 4


@pytest.mark.long
def test_two_people_play_siege_of_sunfall_in_tabs_of_their_own(browser: Browser, tmp_path: Path) -> None:
    with local(tmp_path / "local.db") as program:
        host = Tab(browser, program.home, "# games as Ben")
        open_table(host, "Siege of Sunfall", 1)
        guest = Tab(browser, program.home, "# games as Ann")
        guest.press("Join")
        host.sees("Players: 3 of")
        host.press("Start")
        guest.sees("To move:")
        hands = [Tab(browser, program.home, f"{name}’s direct messages", 400, 860) for name in ("Ben", "Ann")]
        hands[0].picture(OUTPUT / "siege-hand.png")
        play(hands, says(host, "won!"), most=4)
        guest.sees("Pledges")
        guest.picture(OUTPUT / "siege.png")


@pytest.mark.long
def test_the_newest_message_is_in_sight(browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the bot's own emoji, which are there from the first hand on."""
    monkeypatch.setenv("EMOJI", "yes")
    with local(tmp_path / "local.db") as program:
        channel = Tab(browser, program.home, "# games as Ann", 400, 860)
        open_table(channel, "Sea Change", 3)
        channel.press("Start")
        channel.sees("To move:")
        channel.press("My hand")
        expect(channel.last.get_by_text("Only you can see this")).to_be_visible()
        expect(channel.last.get_by_role("button", name="More …")).to_be_in_viewport()
        channel.picture(OUTPUT / "emoji.png")
        card = channel.last.locator(".button-emoji img").first
        expect(card).to_have_js_property("naturalWidth", 128)
        later = Tab(browser, program.home, "# games as Ann", 400, 860)
        expect(later.last.get_by_role("button", name="More …")).to_be_in_viewport()
        expect(later.page.get_by_text("SimCord").filter(visible=True)).to_have_count(0)


@pytest.mark.long
def test_a_first_lesson_explains_a_worse_move(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMOJI", "yes")  # else the labels of buttons have signs
    with local(tmp_path / "local.db") as program:
        channel = Tab(browser, program.home, "# games as Ann", 400, 860)
        channel.type_command("learn", "Sea Change")
        channel.sees("in your direct messages")
        hand = Tab(browser, program.home, "Ann’s direct messages", 400, 860)
        hand.sees("Next: ☀️ Y8")
        hand.press("Y0")
        expect(hand.messages.get_by_text("Keep your 0.")).to_be_in_viewport(ratio=1)
        hand.picture(OUTPUT / "lesson.png")
        hand.press("Y8")
        hand.sees("Purple was led")
        hand.picture(OUTPUT / "lesson-next.png")


def test_a_match_alone_is_played_in_direct_messages(browser: Browser, tmp_path: Path) -> None:
    with local(tmp_path / "local.db") as program:
        hand = Tab(browser, program.home, "Ann’s direct messages", 400, 860)
        hand.type_command("play")
        hand.choose("Play alone against computers", "Full Circle")
        hand.sees("You play alone against computers.")
        hand.picture(OUTPUT / "alone-lobby.png")
        hand.press("Start")
        hand.sees("Your turn.")
        hand.picture(OUTPUT / "alone.png")
        hand.press("More …")
        hand.press("End the match")
        hand.press("Yes, end it")
        hand.sees("This match ended early")
        hand.picture(OUTPUT / "alone-end.png")
        hand.press("Play again")
        hand.sees("Your turn.")
