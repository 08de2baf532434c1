"""Messages as Discord's app shows them on a narrow phone, in Chromium, to measure how tall they are.

The page has the app's own measures: 400 px wide, an avatar beside the message, a container with an edge, 16 px text,
buttons 32 px high that wrap. It is no copy of the app. A message that is a few pixels taller there passes or fails here
by as much.
"""

from __future__ import annotations

import asyncio
import base64
import html
import re
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Page

from cogs.messages.content import Content, Picture
from cogs.transport.components import layout_view
from tests.local.browser import BROWSERS, chromium, find_chromium
from tests.support.apicheck import GALLERY, TEXT

BUTTON = 2
"""Discord's type of a button; a row that has none is a select."""
WIDTH, SCREEN = 400, 800
"""A narrow phone, in pixels of CSS."""
STYLE = """
body { margin: 0; width: 400px; background: #313338; color: #dbdee1;
       font: 16px/22px "gg sans", "Noto Sans", "Helvetica Neue", Helvetica, Arial, sans-serif }
article { padding: 2px 16px 2px 72px }
header { font-weight: 500 }
.box { margin-top: 4px; padding: 16px 16px 16px 12px; border: 1px solid #444; border-left: 4px solid #c9892b;
       border-radius: 8px; display: flex; flex-direction: column; gap: 8px }
.text { overflow-wrap: anywhere; white-space: pre-wrap }
h1, h2, h3 { margin: 0; font-weight: 700 }
h1 { font-size: 24px; line-height: 33px }
h2 { font-size: 20px; line-height: 28px }
h3 { font-size: 16px; line-height: 22px }
small { display: block; font-size: 13px; line-height: 18px }
img { display: block; width: 100%; border-radius: 8px }
.row { display: flex; flex-wrap: wrap; gap: 8px }
.row > span { height: 32px; line-height: 32px; padding: 0 16px; border-radius: 8px; background: #4e5058;
              font-size: 14px }
.sign { display: inline-block; width: 1.375em }
.select { height: 44px; border: 1px solid #1e1f22; border-radius: 8px }
"""
SIGN = re.compile("[\U0001f1e6-\U0001faff\u231a-\u27bf]\ufe0f?")
"""An emoji: as wide as there, also where no font has it."""


class Phone:
    """The browser in which messages are measured: opened for the first of them, in a thread of its own."""

    def __init__(self) -> None:
        self._opened = ExitStack()
        self._thread = ThreadPoolExecutor(1)
        self._page: Page | None = None

    async def heights(self, contents: Sequence[Content], pictures: Path | None = None) -> list[int]:
        """Return the height of each message in pixels, of which the tallest is laid out once more with its pictures
        drawn. `pictures`: a folder for a screenshot of that one, named by its number. Without a browser the test is
        skipped.
        """
        path = find_chromium()
        if path is None:
            pytest.skip(f"nothing of {', '.join(BROWSERS)} is on PATH: no message is measured")
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._measure, path, contents, pictures)

    def _measure(self, path: str, contents: Sequence[Content], pictures: Path | None) -> list[int]:
        if self._page is None:
            browser = self._opened.enter_context(chromium(path))
            self._page = browser.new_page(viewport={"width": WIDTH, "height": SCREEN}, device_scale_factor=1)
        page = self._page

        def height(content: Content, *, drawn: bool) -> int:
            page.set_content(as_page(content, drawn=drawn))
            if drawn:
                page.wait_for_function("[...document.images].every(image => image.complete)")
            return int(page.evaluate("document.querySelector('article').getBoundingClientRect().height"))

        found = [height(content, drawn=False) for content in contents]
        tallest = found.index(max(found))
        drawn = height(contents[tallest], drawn=True)
        assert drawn == found[tallest], (drawn, found)
        if pictures is not None:
            pictures.mkdir(parents=True, exist_ok=True)
            page.locator("article").screenshot(path=pictures / f"{tallest}.png")
        return found

    def close(self) -> None:
        """End the browser."""
        self._thread.submit(self._opened.close).result()
        self._thread.shutdown()


def as_page(content: Content, *, drawn: bool) -> str:
    """Return a message as a page of HTML. Its pictures take their place also if they are not `drawn`."""
    files = {f"attachment://{part.name}": part.png for part in content.parts if isinstance(part, Picture)}
    made: Any = layout_view(content)
    body = "".join(_html(part, files, drawn) for part in made.to_components())
    return f"<meta charset=utf-8><style>{STYLE}</style><article><header>Sundial</header>{body}</article>"


def _html(part: Mapping[str, Any], files: Mapping[str, bytes], drawn: bool) -> str:
    kind = part["type"]
    if kind == TEXT:
        return f"<div class=text>{written(part['content'])}</div>"
    if kind == GALLERY:
        return "".join(_image(files[item["media"]["url"]], drawn) for item in part["items"])
    if kind == 1:
        if part["components"][0]["type"] != BUTTON:
            return "<div class=select></div>"
        labels = (_signed(html.escape(button["label"])) for button in part["components"])
        return f"<div class=row>{''.join(f'<span>{label}</span>' for label in labels)}</div>"
    return f"<div class=box>{''.join(_html(inner, files, drawn) for inner in part.get('components', ()))}</div>"


def _image(png: bytes, drawn: bool) -> str:
    if drawn:
        return f"<img src='data:image/png;base64,{base64.b64encode(png).decode()}'>"
    with Image.open(BytesIO(png)) as image:
        wide, tall = image.size
    return f"<img style='aspect-ratio: {wide} / {tall}'>"


def written(text: str) -> str:
    """Return Discord's markdown as HTML, as far as it changes the height."""
    lines = [_line(line) for line in text.split("\n")]
    joined = "\n".join(lines)
    return re.sub(r"(</(?:h\d|small)>)\n", r"\1", joined)  # a block ends its line itself


def _line(line: str) -> str:
    line = html.escape(re.sub(r"\\([^\w\s])", r"\1", line), quote=False)
    line = _signed(line)
    line = re.sub(r"&lt;t:\d+:\w&gt;", "23 minutes ago", line)
    line = re.sub(r"&lt;@\d+&gt;", "@" + "W" * 16, line)
    line = re.sub(r"\[([^\]]+)\]\(https://\S+?\)", r"<u>\1</u>", line)
    line = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", line)
    line = re.sub(r"(?<![\w*])\*(\S[^*]*)\*", r"<i>\1</i>", line)
    line = re.sub(r"`([^`]+)`", r"<code>\1</code>", line)
    if found := re.match(r"(#{1,3}) ", line):
        return f"<h{len(found[1])}>{line[found.end() :]}</h{len(found[1])}>"
    return f"<small>{line[3:]}</small>" if line.startswith("-# ") else line


def _signed(text: str) -> str:
    return SIGN.sub("<span class=sign></span>", text)
