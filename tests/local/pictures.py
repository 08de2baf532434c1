"""Direct messages as `make play` shows them. docs/by-message.webp: a vote, the end of a round and the end of a match.
docs/lesson.webp: the first step of a lesson, a worse move, and the end.

`python -m tests.local.pictures` plays a match and the lesson of Sea Change in Chromium on a screen 400 px wide. The
deals are the same each time, the times of day are not, so no test compares the pictures: look at them before you commit
them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Browser

from tests.local.browser import BROWSERS, ROOT, Tab, changed, chromium, find_chromium, local, open_table
from tests.support.chance import repeat_chance

DOCS = ROOT / "docs"
GAME = "Sea Change"
NAMES = ("Ann", "Ben")
WIDTH, HEIGHT = 400, 1600
"""A narrow phone, but so high that each hand is seen whole."""
GAP, QUALITY = 16, 80
EDGE = (49, 51, 56)
"""The ground of Discord, between the messages."""


def hand(tab: Tab) -> Image.Image:
    """Return a picture of the newest message, once nothing moves in it: the box, without the bot's name beside it."""
    tab.page.evaluate("document.activeElement.blur()")  # a message in focus shows what can be done with it
    tab.picture()
    box, before = tab.last.locator(".component-container").first, b""
    while (now := box.screenshot()) != before:
        before = now
        tab.page.wait_for_timeout(1500)
    return Image.open(BytesIO(now)).convert("RGB")


def is_asked(tab: Tab) -> bool:
    """Return whether the hand says that it is its player's turn."""
    return "Your turn ·" in tab.last.inner_text()


def moves_until(hands: Sequence[Tab], over: Callable[[], bool]) -> None:
    """Let each make a move whose turn it is, until `over`."""
    while not over():
        for tab in hands:
            before = tab.text()
            if is_asked(tab) and not over() and tab.make_a_move():
                tab.wait(changed(tab, before, over), 5.0)
        hands[0].page.wait_for_timeout(100)


def moments(browser: Browser, home: str) -> list[Image.Image]:
    """Play a match of two people and a computer. Return hands: with a vote, at the end of a round, at the end of the
    match, the last two of who did best.
    """
    channel, guest = (Tab(browser, home, f"# games as {name}") for name in NAMES)
    open_table(channel, GAME, 1)
    guest.press("Join")
    channel.sees("Players: 3 of")
    channel.press("Start")
    channel.sees("To move:")
    hands = [Tab(browser, home, f"{name}’s direct messages", WIDTH, HEIGHT) for name in NAMES]
    asked = hands[1]
    moves_until(hands, lambda: is_asked(asked) and "Trump" in asked.last.inner_text())
    channel.press("Players")
    channel.press("Pause the match")
    asked.sees("Pause the match?")
    found = [hand(asked)]
    channel.press("Withdraw my vote")
    for told, best in (("🏁", "You won the round: +1"), ("won!", "You won!")):
        moves_until(hands, lambda told=told: any(told in tab.text() for tab in hands))
        hands[0].wait(lambda told=told: all(told in tab.text() for tab in hands), 30.0)
        found.append(hand(next((tab for tab in hands if best in tab.text()), hands[0])))
    return found


def lesson(browser: Browser, home: str) -> list[Image.Image]:
    """Take a lesson as it advises. Return hands: the first step, after a worse move, the end."""
    tab = Tab(browser, home, f"{NAMES[0]}’s direct messages", WIDTH, HEIGHT)
    tab.type_command("learn", GAME)
    tab.sees("Next:")
    found = [hand(tab)]
    while "The lesson is over." not in tab.text():
        before = tab.last.inner_text()
        if len(found) == 1 and "Which move is best?" in before:
            tab.make_a_move()  # the first one is a bad idea
            tab.sees("Play it anyway")
            found.append(hand(tab))
        if "Hint" in before:
            tab.press("Hint")
            tab.sees("Play it")
            tab.press("Play it")
        else:  # the last card
            tab.make_a_move()
        tab.wait(lambda before=before: tab.last.inner_text() != before and "Play it" not in tab.text(), 5.0)
    return [*found, hand(tab)]


def beside(pictures: Sequence[Image.Image]) -> Image.Image:
    """Return one picture with these side by side."""
    height = max(picture.height for picture in pictures) + 2 * GAP
    whole = Image.new("RGB", (sum(picture.width + GAP for picture in pictures) + GAP, height), EDGE)
    left = GAP
    for picture in pictures:
        whole.paste(picture, (left, GAP))
        left += picture.width + GAP
    return whole


def main() -> None:
    path = find_chromium()
    if path is None:
        sys.exit(f"nothing of {', '.join(BROWSERS)} is on PATH")
    os.environ["EMOJI"] = "yes"
    for name, shots in (("by-message.webp", moments), ("lesson.webp", lesson)):
        repeat_chance(name)
        with TemporaryDirectory() as folder, local(Path(folder) / "local.db") as program, chromium(path) as browser:
            beside(shots(browser, program.home)).save(DOCS / name, quality=QUALITY, method=6)
        print(f"{name}: {(DOCS / name).stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
