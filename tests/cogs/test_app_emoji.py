"""The games' emoji on the bot's application: uploaded once, renewed when a picture changes, and never needed."""

from __future__ import annotations

import io
import logging
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from PIL import Image

import cogs.transport.app_emoji
from cogs.messages.content import EmojiTable, Row, Select, prompt_rows
from cogs.runtime.holdings import OFF_DUTY, Holdings
from cogs.transport.app_emoji import AppEmoji, name_of, wanted
from cogs.transport.database_mark import DatabaseMark
from data.content.texts import languages, texts
from data.records.key_values import KeyValues
from rendering import renderer
from rendering.core.emoji import parts_of
from rendering.core.labels import Labels
from rendering.core.prompts import Prompt
from rules import GAMES
from rules.core.game import AnyState, Seat
from tests.process.loopback import until
from tests.rendering.play import game
from tests.support.apicheck import components
from tests.support.simulation import Simulation, controls, raw
from tests.support.table import Table

pytestmark = pytest.mark.usefixtures("plain")


class OffDuty(Holdings):
    """A process beside one that is on duty."""

    async def alone(self, work: Callable[[], Awaitable[float | None]]) -> float | None:
        return OFF_DUTY


@pytest.fixture
def emoji(sim: Simulation, monkeypatch: pytest.MonkeyPatch) -> AppEmoji:
    """Two games' emoji, none of which takes time to draw."""
    few = [(slug, key, b"\x89PNG\r\n\x1a\n") for slug in ("full_sun", "sea_change") for key in renderer(slug).EMOJI]
    monkeypatch.setattr(cogs.transport.app_emoji, "PAUSE", 0.0)
    monkeypatch.setattr(cogs.transport.app_emoji, "emoji", lambda: few)
    return another(sim)


def another(sim: Simulation) -> AppEmoji:
    return AppEmoji(sim.bot, KeyValues(sim.database), sim.app.messages.signs)


def asked(sim: Simulation, since: int) -> Counter[str]:
    return Counter(entry.method for entry in sim.env.http_requests[since:] if entry.path.endswith("/emojis"))


def names(sim: Simulation) -> list[str]:
    return [emoji.name for emoji in sim.env.backend.application_emojis.values()]


def parts(message: Any) -> list[dict[str, Any]]:
    found = [part for part in components(raw(message)) if "custom_id" in part]
    return [one for part in found for one in part.get("options", [part]) if one.get("emoji")]


def test_each_emoji_is_a_small_square_with_a_name_that_discord_takes() -> None:
    found = wanted()
    assert {slug for slug, _, _ in found.values()} == set(GAMES)
    assert len(found) == sum(len(renderer(slug).EMOJI) for slug in GAMES) <= 2000
    for name, (slug, key, png) in found.items():
        assert re.fullmatch(r"[a-z0-9_]{2,32}", name)
        assert name_of(slug, key, png + b" ") != name
        image = Image.open(io.BytesIO(png))
        assert (image.size, image.mode, image.format) == ((128, 128), "RGBA", "PNG")
        assert len(png) < 32_000  # Discord takes 256 KiB
        assert image.getpixel((0, 0))[3] == 0, "the corners are clear"
        for code in languages():
            signs = [Labels((), texts(code, slug)).say(part) for part in parts_of(key)[0]]
            assert all(sign and " " not in sign and sign not in key for sign in signs)


def prompts(slug: str, state: AnyState, seat: Seat, labels: Labels, path: tuple[str, ...] = ()) -> Iterator[Prompt]:
    """All questions that a seat may be asked in a position, as hands ask them."""
    prompt = renderer(slug).question(state.view(seat), state.legal_moves(seat), path, labels)
    yield prompt
    for choice in prompt.choices:
        if choice.move is None:
            yield from prompts(slug, state, seat, labels, choice.path)


@pytest.mark.parametrize("slug", GAMES)
def test_each_emoji_is_in_some_hand_in_every_language(slug: str) -> None:
    """And each player sees their own pieces, not those of another seat."""
    keys, seats = renderer(slug).EMOJI, max(GAMES[slug].seats)
    table = EmojiTable()
    table.known = {slug: {key: (key, number) for number, key in enumerate(keys)}}
    positions = [(state, seat) for seed in range(6) for state in game(slug, seats, f"emoji {seed}")[0]
                 for seat in state.to_move()]  # fmt: skip
    for language in languages():
        labels, missing, telling = Labels(("Ann",) * seats, texts(language, slug)), set(keys), []
        for state, seat in positions:
            if not any(parts_of(key)[1] in (None, seat) for key in missing):
                continue
            rows = [row for prompt in prompts(slug, state, seat, labels) for row in prompt_rows(prompt, 1, "t", "?")]
            shown = set(emoji_in(table.on(rows, slug, labels, seat)))
            assert {parts_of(key)[1] for key in shown} <= {None, seat}
            if shown & missing:
                telling.append((state, seat))
                missing -= shown
        assert not missing, language
        positions = telling  # enough for the other languages


def emoji_in(rows: Iterable[Row]) -> Iterator[str]:
    for row in rows:
        controls = row.entries if isinstance(row, Select) else row if isinstance(row, tuple) else ()
        yield from (control.emoji.name for control in controls if control.emoji)


@pytest.mark.parametrize("slug", GAMES)
def test_no_explanation_has_the_text_of_a_sign_that_buttons_show_as_a_picture(slug: str) -> None:
    """The two need not look alike: a newcomer looks for the sign that the text has."""
    for language in languages():
        found = texts(language, slug)
        signs = {found[text] for key in renderer(slug).EMOJI for text in parts_of(key)[0]}
        told = {key: text for key, text in found.items() if key.startswith(("legend.", "lesson.step."))}
        assert not [key for key, text in told.items() for sign in signs if sign in text]


async def test_a_start_uploads_what_is_missing_and_the_next_asks_once(sim: Simulation, emoji: AppEmoji) -> None:
    await emoji.load()
    assert not sim.app.messages.signs.known
    since = sim.cursor
    await emoji.renew()
    assert asked(sim, since) == {"GET": 1, "POST": len(wanted())}
    assert sorted(names(sim)) == sorted(wanted())
    known, since = sim.app.messages.signs.known, sim.cursor
    sim.app.messages.signs.known = {}
    again = another(sim)
    await again.load()
    assert sim.app.messages.signs.known == known
    assert not asked(sim, since), "the last run's are used without a request"
    await again.renew()
    assert asked(sim, since) == {"GET": 1}


@pytest.mark.usefixtures("emoji")
async def test_the_bot_uploads_them_by_itself_and_doubles_nothing(sim: Simulation) -> None:
    """If the operator allows it: by default no request is made."""
    await sim.restart()
    assert not asked(sim, 0)
    sim.settings = replace(sim.settings, emoji=True)
    for run in (1, 2):
        since = sim.cursor
        await sim.restart()
        assert await until(
            lambda since=since: asked(sim, since) and set(sim.app.messages.signs.known) == {"full_sun", "sea_change"}
        )
        await sim.env.settle()
        assert sorted(names(sim)) == sorted(wanted())
        assert asked(sim, since) == ({"GET": 1, "POST": len(wanted())} if run == 1 else {"GET": 1})


async def test_what_has_changed_is_replaced_and_nothing_else(sim: Simulation, emoji: AppEmoji) -> None:
    """Not an emoji that the operator has made, nor the mark of the database; one that is there twice, or was deleted,
    is there once again.
    """
    await emoji.load()
    backend, (first, second, *_) = sim.env.backend, wanted()
    mark = DatabaseMark(sim.bot, KeyValues(sim.database), print, shared=False)
    await mark.look()
    others = [*names(sim), "operators_own"]
    for name in ("operators_own", "sundial_b_00000000", first, first):
        backend.create_application_emoji(name)
    await emoji.renew()
    assert Counter(names(sim)) == Counter([*wanted(), *others])
    await mark.look()
    assert not mark.other
    backend.delete_application_emoji(next(e.id for e in backend.application_emojis.values() if e.name == second))
    await emoji.renew()
    assert Counter(names(sim)) == Counter([*wanted(), *others])


@pytest.mark.usefixtures("emoji")
async def test_of_several_processes_one_uploads_them_and_the_others_use_them(sim: Simulation) -> None:
    values, tables = KeyValues(sim.database), (EmojiTable(), EmojiTable())
    one = AppEmoji(sim.bot, values, tables[0])
    other = AppEmoji(sim.bot, values, tables[1], OffDuty())
    for emoji in (one, other):
        await emoji.load()
    since = sim.cursor
    assert await other.keep_up() == OFF_DUTY
    assert not tables[1].known
    assert await one.keep_up() is None
    assert await other.keep_up() == OFF_DUTY
    assert tables[1].known == tables[0].known != {}
    assert asked(sim, since) == {"GET": 1, "POST": len(wanted())}


async def test_a_failure_leaves_the_signs(
    sim: Simulation, emoji: AppEmoji, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game whose emoji are not all there keeps its signs; the next run goes on where the last one broke off."""
    await emoji.load()
    path = f"/applications/{sim.bot.application_id}/emojis"
    create, made = sim.bot.create_application_emoji, list[str]()

    async def refuse_the_last(*, name: str, image: bytes) -> Any:
        if len(made) == len(wanted()) - 1:
            sim.env.inject_error("POST", path, status=400, code=30008)
        made.append(name)
        return await create(name=name, image=image)

    monkeypatch.setattr(sim.bot, "create_application_emoji", refuse_the_last)
    await emoji.renew()
    assert "not all there yet" in caplog.text
    assert set(sim.app.messages.signs.known) == {"full_sun"}, "sea_change comes last"
    since = sim.cursor
    await emoji.renew()
    assert asked(sim, since) == {"GET": 1, "POST": 1}
    assert set(sim.app.messages.signs.known) == {"full_sun", "sea_change"}


async def test_hands_show_them_and_keep_the_words(sim: Simulation, emoji: AppEmoji) -> None:
    (alice,) = sim.join_server("alice")
    await emoji.load()
    await Table.begin(sim, "sea_change", [alice], seed="emoji", computers=1)
    before = sim.hand(alice)
    assert not parts(before)
    await emoji.renew()
    shown = await alice.slash(sim.channel, "hand")
    found = parts(shown.response.message)
    assert found
    for part in found:
        assert re.match(r"[BGRPY]\d+", part["label"]), "the label still says suit and value"
        suit = part["label"][0].lower()
        assert part["emoji"]["name"].startswith(f"sundial_{suit}_")
        assert int(part["emoji"]["id"]) in sim.env.backend.application_emojis


async def test_a_hand_is_shown_without_them_if_discord_refuses_them(
    sim: Simulation, emoji: AppEmoji, caplog: pytest.LogCaptureFixture
) -> None:
    """The operator may have deleted one since the bot looked."""
    (alice,) = sim.join_server("alice")
    await emoji.load()
    await emoji.renew()
    await Table.begin(sim, "sea_change", [alice], seed="emoji", computers=1)
    sim.env.inject_error("POST", "/webhooks/*", status=400, code=50035)
    with caplog.at_level(logging.INFO):
        shown = await alice.slash(sim.channel, "hand")
    assert "without the bot's own emoji" in caplog.text
    assert not parts(shown.response.message) and "☸️ P5" in controls(raw(shown.response.message))
