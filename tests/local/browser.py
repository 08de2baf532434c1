"""`python bot.py --local` in a process of its own, and the tabs in which somebody plays there."""

from __future__ import annotations

import os
import re
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright
from playwright.sync_api import TimeoutError as TooSlow

from data.content.texts import texts
from tests.support.hung import HUNG

ROOT = Path(__file__).parent.parent.parent
OUTPUT = ROOT / "tests" / "output" / "local"
"""Where screenshots are left."""
# The first is Chromium without windows and menus, which no player sees here and which cost as much as a page.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ASIDE = [
    re.escape(texts("en")[key])
    for key in (
        *("button.settings", "button.back", "button.undo", "button.hint", "button.signs", "lobby.more"),
        "catch_up.offer",
    )
]
WAYS_BACK = re.compile(f"^({'|'.join(ASIDE)})$")
PATIENCE = HUNG
"""Seconds until something that ought to happen has not: far more than it takes, for machines that are busy."""


class Local:
    """The program, from its start page on; `log()` is what it wrote. `started`: how, if not as its README says. It has
    emoji of its own only if the variable EMOJI says so: to draw them takes longer than all else of its start.
    """

    def __init__(self, database: Path, *options: str, started: Sequence[str] = ("bot.py",)) -> None:
        self._log = database.with_suffix(".log")
        with self._log.open("a") as log:
            self._process = subprocess.Popen(
                [sys.executable, *started, "--local", "--port", "0", "--database", str(database), *options],
                cwd=ROOT,
                env={"EMOJI": "no", **os.environ, "COMPUTER_SECONDS": "0", "LOG_LEVEL": "INFO"},
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self._process.stdout is not None
        ready, _, _ = select.select([self._process.stdout], [], [], PATIENCE)
        self.said = self._process.stdout.readline() if ready else ""
        address = re.search(r"http://127\.0\.0\.1:\d+", self.said)
        if address is None:
            self.end(signal.SIGKILL)
            raise AssertionError(f"--local printed no start page: {self.said!r}\n{self.log()}")
        self.home = address.group()

    def log(self) -> str:
        return self._log.read_text()

    def end(self, how: signal.Signals = signal.SIGINT) -> int:
        """End it by a signal, if it still runs, and give its exit code."""
        self._process.send_signal(how)
        try:
            return self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            raise
        finally:
            assert self._process.stdout is not None
            self._process.stdout.close()


@contextmanager
def local(database: Path, *options: str) -> Iterator[Local]:
    """The program for as long as a `with` lasts; its log holds no fault then."""
    program = Local(database, *options, started=("-m", "tests.local.launch"))
    try:
        yield program
    finally:
        code = program.end(signal.SIGTERM)
    assert code == 0
    assert not re.search(r"ERROR|Traceback", program.log()), program.log()


def find_chromium() -> str | None:
    return next((found for name in BROWSERS if (found := shutil.which(name))), None)


@contextmanager
def chromium(path: str) -> Iterator[Browser]:
    quiet = ("--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu", *quiet])
        try:
            yield browser
        finally:
            browser.close()


AGAIN = 20.0
"""Seconds after which a person who sees no change chooses again."""


class Tab:
    """A channel or direct messages as one person sees them, opened through the start page."""

    def __init__(self, browser: Browser, home: str, link: str, width: int = 1200, height: int = 900) -> None:
        context = browser.new_context(viewport={"width": width, "height": height}, device_scale_factor=1)
        context.set_default_timeout(PATIENCE * 1000)
        start = context.new_page()
        start.goto(home)
        with start.expect_popup() as opened:
            start.get_by_role("link", name=link).click()
        self.page: Page = opened.value
        self.page.locator("#preview-app[aria-busy=false]").wait_for()
        self.messages = self.page.locator("#channel-message-list")
        self.last = self.messages.locator("article").last

    def text(self) -> str:
        return self.messages.inner_text()

    def sees(self, text: str) -> None:
        """Wait until some message has that text."""
        expect(self.messages.get_by_text(text).last).to_be_visible(timeout=PATIENCE * 1000)

    def type_command(self, name: str, *choices: str) -> None:
        """Run a slash command from the picker, with the choice of each option."""
        self.page.locator("#channel-composer-input").click()
        self.page.keyboard.type(f"/{name}")
        self.page.get_by_role("option", name=f"/{name}").first.click()
        for choice in choices:
            self.page.get_by_role("option", name=choice).click()
        self.page.locator("#send-message").click()

    def press(self, label: str) -> None:
        """Press the last button of that label; its picture, if it has one, is called differently after each change."""
        button = self.messages.get_by_role("button")
        button.filter(has=self.page.get_by_text(label, exact=True)).last.click()

    def choose(self, select: str, choice: str) -> None:
        """Choose in a select, which is named by what it shows. If the page is drawn again between the two clicks, it
        does not take the choice; a person who sees that chooses again.
        """
        before, option = self.text(), self.page.get_by_role("option", name=choice)
        while self.text() == before:
            if not option.is_visible():
                self.messages.get_by_role("combobox", name=select).last.click()
            option.click()
            self.wait(lambda: self.text() != before, AGAIN)

    def moves(self) -> Locator:
        """What the newest message offers a player: everything but the row that leads to the table and the log."""
        return self.last.locator(".component-row:not(:has(a)) :is(button.component-button, [role=combobox])")

    def make_a_move(self, last: bool = False) -> bool:
        """Press the first thing that is offered, or the last; False where nothing is, or no longer."""
        offered = self.moves().filter(has_not_text=WAYS_BACK)
        if not offered.count():
            return False
        try:
            pressed = offered.last if last else offered.first
            is_select = pressed.get_attribute("role", timeout=1000) == "combobox"
            pressed.click(timeout=1000)
            if is_select:
                options = self.page.get_by_role("listbox").get_by_role("option")  # not those of "Viewing as"
                (options.last if last else options.first).click(timeout=1000)
        except TooSlow:  # the hand has changed in the meantime, as it may on anybody's screen
            return False
        return True

    def wait(self, until: Callable[[], bool], seconds: float) -> None:
        """Wait for something, and go on if it does not happen."""
        end = time.monotonic() + seconds
        while not until() and time.monotonic() < end:
            self.page.wait_for_timeout(60)

    def picture(self, path: Path | None = None) -> bytes:
        """What is on the screen, once nothing moves there and all its pictures have come; also as a file."""
        shown = "[...document.querySelectorAll('#channel-message-list img')].every(i => i.complete && i.naturalWidth)"
        before, end = "", time.monotonic() + PATIENCE
        self.page.mouse.move(0, 0)
        while (now := self.messages.inner_html()) != before or not self.page.evaluate(shown):
            assert time.monotonic() < end, f"a picture has not come, or something still moves:\n{self.text()}"
            before = now
            self.page.wait_for_timeout(400)
        return self.page.screenshot(path=path)


def open_table(channel: Tab, game: str, computers: int) -> None:
    """A lobby with so many computers in it."""
    channel.type_command("play")
    channel.choose("Open a table in this channel", game)
    for count in range(computers):
        channel.press("Add computer")
        channel.sees(f"Players: {count + 2} of")


def play(
    hands: Sequence[Tab], over: Callable[[], bool], most: int = 200, seconds: float = PATIENCE, last: bool = False
) -> int:
    """Move for everybody whose hand is open until `over` or `most` presses. Gives how many presses that took.

    `last`: they press the last thing offered, which ends a turn of several actions, and not the first.
    """
    presses, end = 0, time.monotonic() + seconds
    while not over() and presses < most:
        assert time.monotonic() < end, f"not over after {presses} presses:\n{hands[0].text()}"
        for hand in hands:
            before = hand.text()
            if hand.make_a_move(last):
                presses += 1
                hand.wait(changed(hand, before, over), 2.0)
        hands[0].page.wait_for_timeout(30)
    return presses


def changed(tab: Tab, before: str, over: Callable[[], bool]) -> Callable[[], bool]:
    """Whether a tab shows another text than before or `over` is true, as a question to ask again."""
    return lambda: tab.text() != before or over()


def says(tab: Tab, text: str) -> Callable[[], bool]:
    """Whether a tab shows that text, as a question to ask again."""
    return lambda: text in tab.text()
