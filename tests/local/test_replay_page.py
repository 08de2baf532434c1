"""The page of a replay in a real browser: it asks the network for nothing, and steps, tells and draws as it should."""

from __future__ import annotations

import asyncio
from base64 import b64decode
from io import BytesIO
from pathlib import Path
from random import Random

import pytest
from PIL import Image, ImageChops
from playwright.sync_api import Browser, Page, expect

from cogs.match.playback import Step
from cogs.messages.drawing import Drawing
from cogs.messages.replay_page import page as made_page
from cogs.messages.replay_steps import sentences
from data.content.texts import texts
from rendering import renderer
from rendering.core.labels import Labels
from rules import GAMES
from rules.core.game import Seat
from tests.support.pixels import plain_pictures

from .browser import OUTPUT, PATIENCE

EVIL = "</script><img src=x onerror=alert(1)>"
NAMES = ("Ann", EVIL, "Cleo", "Dmitri")
STEP_LASTS = 1200
"""Milliseconds for which a replay that plays by itself shows a step."""
LATER = 86_400
"""A time on the page's clock, in seconds, that it does not reach by itself."""
WIDTHS = ((400, 860, "dark"), (1200, 860, "light"))


def steps_of(slug: str, seats: int, plies: int) -> list[Step]:
    random, state = Random(slug), GAMES[slug].new(seats, {}, slug)
    found = [Step(state, -1, state.opening(), True)]
    for _ in range(plies):
        seat = min(state.to_move())
        state, events = state.apply(random.choice(state.legal_moves(seat)))
        found.append(Step(state, seat, events, True))
    return found


def write(path: Path, slug: str, steps: list[Step], eyes: int, code: str = "en") -> Path:
    """The page as a file; `asyncio.run` would not work beside the browser's event loop, so it is made before."""
    drawing = Drawing()
    seats = len(NAMES)
    named = Labels(NAMES[:seats], texts(code, slug))
    try:
        path.write_bytes(
            asyncio.run(
                made_page(drawing, slug, steps, eyes, lambda _: named, f"Replay: {EVIL}", ", ".join(NAMES), code)
            )
        )
    finally:
        drawing.close()
    return path


@pytest.fixture(scope="module")
def replay(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Step]]:
    """A page with all hands of a match of Siege of Sunfall."""
    steps = steps_of("siege_of_sunfall", 4, 16)
    return write(tmp_path_factory.mktemp("replay") / "siege.html", "siege_of_sunfall", steps, -2), steps


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Step]]:
    """The same page with plain pictures, for what it says and how it steps: to draw the others takes seconds."""
    steps = steps_of("siege_of_sunfall", 4, 16)
    with pytest.MonkeyPatch.context() as patch:
        plain_pictures(patch)
        return write(tmp_path_factory.mktemp("plain") / "siege.html", "siege_of_sunfall", steps, -2), steps


def opened(
    browser: Browser, path: Path, width: int = 1200, height: int = 860, scheme: str = "light", still: bool = False
) -> Page:
    context = browser.new_context(viewport={"width": width, "height": height}, device_scale_factor=1)
    page = context.new_page()
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.set_default_timeout(PATIENCE * 1000)
    if still:
        page.clock.install(time=0)
    page.goto(path.as_uri())
    at(page, 0)
    if still:
        page.clock.pause_at(LATER)
    return page


def at(page: Page, step: int, viewer: int = 0) -> None:
    page.wait_for_selector(f'body[data-shown="{viewer}/{step}"]', timeout=PATIENCE * 1000)


def shown(page: Page) -> Image.Image:
    """The picture that the page has drawn, pixel by pixel."""
    url = page.evaluate("document.getElementById('picture').toDataURL()")
    return Image.open(BytesIO(b64decode(url.partition(",")[2]))).convert("RGB")


def test_it_asks_for_nothing_and_logs_no_error(browser: Browser, replay: tuple[Path, list[Step]]) -> None:
    page = browser.new_context().new_page()
    asked, said = list[str](), list[str]()
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("dialog", lambda dialog: said.append(dialog.message))
    page.goto(replay[0].as_uri())
    at(page, 0)
    for viewer in range(5):
        page.get_by_label("Seen by").select_option(str(viewer))
        page.keyboard.press("Tab")
        page.get_by_role("button", name="Last step").click()
        at(page, 16, viewer)
        page.get_by_role("button", name="First step").click()
        at(page, 0, viewer)
    assert [url for url in asked if not url.startswith("data:")] == [replay[0].as_uri()]
    assert said == []
    assert page.locator("img").count() == 0, "the name is text"
    assert EVIL in page.locator("#told, #log").first.inner_text() + page.locator("#log").inner_text()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Replay: {EVIL}")


@pytest.mark.long
def test_it_says_and_describes_each_step(browser: Browser, plain: tuple[Path, list[Step]]) -> None:
    path, steps = plain
    page = opened(browser, path)
    named, drawn = Labels(NAMES, texts("en", "siege_of_sunfall")), renderer("siege_of_sunfall")
    told = page.locator("[aria-live=polite]")
    for number, step in enumerate(steps[:9]):
        at(page, number)
        assert page.get_by_role("img").get_attribute("aria-label") == drawn.describe(step.view(-1), named)
        expect(told).to_contain_text(f"Step {number + 1} of 17")
        for line in sentences("siege_of_sunfall", step.seen, -1, named):
            expect(told).to_contain_text(line)
        expect(page.locator("#log [aria-current=step]")).to_have_count(1)
        page.keyboard.press("ArrowRight")
    page.get_by_label("Seen by").select_option("2")
    at(page, 9, 2)
    assert page.get_by_role("img").get_attribute("aria-label") == drawn.describe(steps[9].state.view(Seat(1)), named)


@pytest.mark.long
def test_keys_buttons_and_the_slider_lead_to_every_step(browser: Browser, plain: tuple[Path, list[Step]]) -> None:
    page = opened(browser, plain[0])
    for key, step in (("End", 16), ("ArrowLeft", 15), ("ArrowRight", 16), ("ArrowRight", 16), ("Home", 0),
                      ("ArrowLeft", 0), ("PageDown", 1), ("PageUp", 0)):  # fmt: skip
        page.keyboard.press(key)
        at(page, step)
    for name, step in (("Next", 1), ("Turn ▶", 2), ("◀ Turn", 1), ("Back", 0)):
        page.get_by_role("button", name=name, exact=True).click()
        at(page, step)
    page.get_by_role("button", name="Round ▶").click()
    at(page, page.evaluate("data.rounds.find((mark) => mark > 0) ?? 16"))
    page.get_by_role("slider", name="Step").fill("7")
    at(page, 7)
    assert page.get_by_role("slider", name="Step").get_attribute("aria-valuetext") == "Step 8 of 17"
    page.locator("#log button").nth(3).click()
    at(page, 3)


@pytest.mark.long
def test_it_plays_by_itself_and_pauses(browser: Browser, plain: tuple[Path, list[Step]]) -> None:
    """In the page's own time, which stands still but for what is let pass."""
    page = opened(browser, plain[0], still=True)
    page.keyboard.press(" ")
    page.clock.run_for(2 * STEP_LASTS)
    at(page, 2)
    page.get_by_role("button", name="Pause").click()
    page.clock.run_for(5 * STEP_LASTS)
    assert page.evaluate("step") == 2
    page.keyboard.press("End")
    page.get_by_role("button", name="Play").click()
    page.clock.run_for(STEP_LASTS)
    at(page, 1)
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("button", name="Play")).to_be_visible()


ROUNDED = 8
"""Levels by which a browser's arithmetic may differ where many soft edges lie over each other."""
LAST = 8
"""The last of the steps that are drawn, decoded and compared: each takes a browser on two busy cores a second."""


@pytest.mark.games("slug", short=[], long=GAMES)
def test_every_pixel_is_that_of_the_picture(tmp_path: Path, request: pytest.FixtureRequest, slug: str) -> None:
    """Forwards, backwards and by jumps; the screenshots are left in tests/output/local."""
    steps = steps_of(slug, 4, LAST)
    path = write(tmp_path / f"{slug}.html", slug, steps, -1, "de")
    browser: Browser = request.getfixturevalue("browser")
    named = Labels(NAMES, texts("de", slug))
    page = opened(browser, path, *WIDTHS[0])
    for number in (0, 3, LAST, 6, 2):
        page.evaluate(f"go({number})")
        at(page, number)
        whole = renderer(slug).paint(steps[number].view(-1), named).image
        extremes = ImageChops.difference(shown(page), whole).getextrema()
        assert max(most for _, most in extremes) <= ROUNDED, (number, extremes)
    assert page.locator("html").get_attribute("lang") == "de"
    expect(page.get_by_role("button", name="Weiter")).to_be_visible()
    for width, height, scheme in WIDTHS:
        page = opened(browser, path, width, height, scheme)
        page.evaluate("go(5)")
        at(page, 5)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        OUTPUT.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=OUTPUT / f"replay-{slug}-{width}.png")
