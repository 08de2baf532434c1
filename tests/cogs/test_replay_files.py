"""The files of an ended match: within their limits, the same for equal knowledge, and refused while it is played."""

from __future__ import annotations

import asyncio
import json
import re
import struct
from base64 import b64decode
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from functools import partial
from hashlib import sha256
from io import BytesIO
from itertools import groupby, pairwise
from random import Random
from typing import Any

import pytest
from PIL import Image

from cogs.match.lobby import Lobby
from cogs.match.playback import Eyes, Playback, Step
from cogs.match.refusals import Refused
from cogs.match.service import MatchService
from cogs.match.undo import undo_alone
from cogs.messages import replay_animation, replay_page
from cogs.messages.drawing import Drawing
from cogs.messages.presenter import Presenter
from cogs.messages.replay_files import ReplayFiles
from cogs.messages.replay_steps import as_it_was, scenes, sentences
from cogs.workers.jobs import Job, Result
from cogs.workers.pool import Urgency, urgency
from data.content.texts import texts
from data.records.match import SeatChange, SeatChangeKind
from rendering import renderer
from rendering.core.labels import Labels
from rendering.core.layers import LOSSLESS, read_layered
from rules import GAMES
from rules.core.game import AnyState, Event, Seat, View
from rules.core.match_record import read_record
from rules.replay import ALL, positions
from tests.cogs.test_review import played
from tests.support.matches import ANN, BEN, CLEO, begun, lobby, mover, play
from tests.support.pixels import shown as drawn
from tests.support.traits import nearest_seats

EVIL = "</script><img src=x onerror=alert(1)>"


class Sized(Drawing):
    """Draws no pictures: the pixels of each are a hash of what it shows, as long as `size` says of its quality."""

    def __init__(self, size: Callable[[Any], int] = lambda quality: 64) -> None:
        super().__init__()
        self.size = size
        self.asked: list[tuple[Any, int, Urgency]] = []
        self.views: list[View] = []

    async def done(self, job: Job) -> Result:
        _, how, looks, *known, quality = job.arguments
        self.asked.append((quality, len(looks), urgency.get()))
        self.views += [view for view, _ in looks]
        shown = [sha256(repr((view, drawn(named), quality)).encode()) for view, named in looks]
        pixels = [one.digest().ljust(self.size(quality), b"\0") for one in shown]
        if how == "draw_layers":
            files = {one.hexdigest(): file for one, file in zip(shown, pixels, strict=True)}
            new = {name: file for name, file in files.items() if name not in known[0]}
            sheets = [(900, [(one.hexdigest(), 0, 0)]) for one in shown]
            told = {"sheets": sheets, "files": {name: len(file) for name, file in new.items()}}
            return b"".join(new.values()), json.dumps(told)
        film = b"RIFFsizeWEBP"
        for file in pixels:
            body = bytes(6) + b"\x57\x02\0\xc1\x01\0" + (100).to_bytes(3, "little") + b"\2" + file
            film += b"ANMF" + len(body).to_bytes(4, "little") + body + b"\0" * (len(body) % 2)
        return film, " ".join(["450"] * len(looks))


def times(webp: bytes) -> list[int]:
    """The milliseconds of each frame of an animation."""
    found, at = [], 12
    while at < len(webp):
        kind, size = struct.unpack_from("<4sI", webp, at)
        found += [int.from_bytes(webp[at + 20 : at + 23], "little")] if kind == b"ANMF" else []
        at += 8 + size + size % 2
    return found


@pytest.fixture
async def files(service: MatchService) -> AsyncIterator[ReplayFiles]:
    presenter = Presenter(service, Lobby(service))
    presenter.drawing = Sized()
    yield ReplayFiles(presenter, Playback(service))
    presenter.drawing.close()


@pytest.fixture
async def drawing() -> AsyncIterator[Drawing]:
    made = Sized()
    yield made
    made.close()


def labels(slug: str, seats: int, code: str = "en") -> Labels:
    return Labels((EVIL, "**Cleo**", "Ann", "Dmitri", "E", "F", "G", "H")[:seats], texts(code, slug))


def always(labels: Labels) -> Callable[[Step], Labels]:
    """The same names at each step."""
    return lambda _: labels


def data_of(page: bytes) -> dict[str, Any]:
    (found,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page.decode(), re.DOTALL)
    data: dict[str, Any] = json.loads(found)
    return data


def steps_of(slug: str, seats: int, plies: int, seed: str = "files") -> list[Step]:
    """The first steps of a random match, as an onlooker saw them."""
    random, state = Random(seed), GAMES[slug].new(seats, {}, seed)
    found = [_step(state, state.opening(), new_turn=True)]
    for _ in range(plies):
        if not state.to_move():
            break
        seat = min(state.to_move())
        state, events = state.apply(random.choice(state.legal_moves(seat)))
        found.append(_step(state, events, new_turn=True))
    return found


def _step(state: AnyState, events: tuple[Event, ...], *, new_turn: bool, viewer: int = -1) -> Step:
    seat = Seat(viewer) if viewer >= 0 else None
    seen = tuple(event for event in (event.seen_by(seat) for event in events) if event is not None)
    return Step(state, -1, seen, new_turn)


# --- The record


@pytest.mark.parametrize("slug", GAMES)
async def test_the_record_of_a_stored_match_is_read_back(service: MatchService, files: ReplayFiles, slug: str) -> None:
    match = await played(service, slug)
    record, plies = read_record(await files.record(match.id), GAMES)
    assert (record.game, record.seed, record.rules) == (slug, match.seed, match.rules)
    assert record.names == tuple(chair.name for chair in match.chairs)
    assert record.moves == tuple((move.seat, move.text) for move in await service.log(match.id))
    assert plies[-1].state.to_json() == match.state
    assert "".join(positions(record, plies, ALL))


async def test_moves_that_were_taken_back_are_left_out(service: MatchService, files: ReplayFiles) -> None:
    match = await begun(service, ANN, BEN, game="photosynthesis")
    seat, user = mover(service, match)
    while not service.state(match).may_take_back(seat):
        seat, user = mover(service, match)
        match = await play(service, match, 0)
    match = (await undo_alone(service, match.id, user, service.turn(match, seat))).match
    match = await Lobby(service).cancel(match.id, ANN, manager=True)
    log = await service.log(match.id)
    assert any(move.undone_at is not None for move in log)
    record, plies = read_record(await files.record(match.id), GAMES)
    assert len(record.moves) == len(log) - 1
    assert plies[-1].state.to_json() == match.state


# --- Who may have them


async def test_a_match_that_is_played_has_no_files(service: MatchService, files: ReplayFiles) -> None:
    match = await lobby(service, ANN, BEN, game="full_circle")
    for begins in (True, False):  # in the lobby, and begun
        for ask in (files.record(match.id), files.page(match.id, 0, "en"), files.animation(match.id, 0)):
            with pytest.raises(Refused):
                await ask
        match = await Lobby(service).start(match.id, ANN) if begins else match
    match = await Lobby(service).cancel(match.id, ANN, manager=True)
    with pytest.raises(Refused):
        await files.page(match.id, 2, "en")  # no such seat


# --- What a viewer may not know


def pairs(slug: str) -> list[tuple[int, list[Step], list[Step]]]:
    """Steps of two matches that this viewer cannot tell apart, by viewer."""
    seats = nearest_seats(GAMES[slug], 3)
    random, state = Random(slug), GAMES[slug].new(seats, {}, slug)
    states = [state]
    for _ in range(5):
        seat = max(state.to_move())
        state, _ = state.apply(random.choice(state.legal_moves(seat)))
        states.append(state)
    found = []
    for viewer in (-1, 0, 1):
        seat = Seat(viewer) if viewer >= 0 else None
        others = [state.redeal_unseen(seat, f"other {number}") for number, state in enumerate(states)]
        assert others != states or not GAMES[slug].deals
        one, other = ([_step(state, (), new_turn=False, viewer=viewer) for state in way] for way in (states, others))
        found.append((viewer, one, other))
    return found


@pytest.mark.parametrize("slug", GAMES)
async def test_files_are_equal_if_the_viewer_cannot_tell_the_matches_apart(drawing: Drawing, slug: str) -> None:
    for viewer, one, other in pairs(slug):
        named = labels(slug, nearest_seats(GAMES[slug], 3))
        pages = [
            await replay_page.page(drawing, slug, way, viewer, always(named), "T", "A", "en") for way in (one, other)
        ]
        assert pages[0] == pages[1]
        films = [await replay_animation.animation(drawing, slug, way, viewer, always(named)) for way in (one, other)]
        assert films[0] == films[1]
        whole = [await replay_page.page(drawing, slug, way, -2, always(named), "T", "A", "en") for way in (one, other)]
        assert (whole[0] != whole[1]) == GAMES[slug].deals, "all hands differ"


async def test_a_pledge_that_was_changed_before_the_reveal_is_in_no_file_of_others(
    service: MatchService, files: ReplayFiles
) -> None:
    """Two matches: one player seals at once what they want, another seals something else first."""
    for changed in (False, True):
        match = await begun(service, ANN, BEN, CLEO, game="siege_of_sunfall")
        user = match.chairs[0].player
        moves = [str(move) for move in service.state(match).legal_moves(Seat(0))]
        for text in (moves[2], moves[1]) if changed else (moves[1],):
            match = (await service.play(match.id, user, None, text)).match
        match = await Lobby(service).cancel(match.id, ANN, manager=True)
        steps = [len((await Playback(service).steps(match.id, viewer))[1]) for viewer in (-1, 1, 2, 0)]
        assert steps == [2, 2, 2, 3 if changed else 2]
        others = [await files.page(match.id, viewer, "en") for viewer in (-1, 1, 2)]
        told = [data_of(page)["viewers"][0]["lines"] for page in others]
        assert all(len(lines) == 2 and len(lines[1]) == 1 for lines in told)


async def test_a_file_has_the_views_and_sentences_of_its_own_eyes_alone(
    service: MatchService, files: ReplayFiles
) -> None:
    """Of every seat, the first one too, and of the table."""
    match, drawing = await played(service, "sea_change", 10), files.presenter.drawing
    assert isinstance(drawing, Sized)
    found, drawn = Presenter(service, Lobby(service)).labels(match), renderer("sea_change")
    everyone = {eyes: (await Playback(service).steps(match.id, eyes))[1] for eyes in (Eyes.ONLOOKER, 0, 1, 2)}
    for eyes, steps in everyone.items():
        own = [step.view(eyes) for step in steps]
        drawing.views.clear()
        data = data_of(await files.page(match.id, eyes, "en"))
        (viewer,) = data["viewers"]
        assert viewer["name"] == (texts("en")["replay_file.table"] if eyes < 0 else found.names[eyes])
        assert viewer["alts"] == [drawn.describe(view, found) for view in own]
        assert drawing.views == own
        told = json.dumps(data, ensure_ascii=False)
        for seat in {0, 1, 2} - {eyes}:
            for step in everyone[seat][:3]:
                assert drawn.describe(step.view(seat), found) not in told
        assert match.seed not in told
        assert match.secret not in told
        drawing.views.clear()
        await files.animation(match.id, eyes)
        assert drawing.views and all(view in own for view in drawing.views)


async def test_the_page_with_all_hands_has_the_table_and_each_hand(service: MatchService, files: ReplayFiles) -> None:
    match = await played(service, "sea_change", 6)
    data = data_of(await files.page(match.id, Eyes.ALL_HANDS, "de"))
    names = [chair.name for chair in match.chairs]
    assert [viewer["name"] for viewer in data["viewers"]] == [texts("de")["replay_file.table"], *names]
    for viewer in data["viewers"]:
        assert len(viewer["pages"]) == len(viewer["alts"]) == len(viewer["lines"]) == 7
    assert data["notes"] == []


async def test_a_page_tells_what_lies_on_each_picture() -> None:
    """What its script reads is what was drawn: of two viewers, with known layers and runs of the page before."""
    drawing, steps, named = Drawing(), steps_of("sea_change", 2, 3), labels("sea_change", 2)
    made = await replay_page.page(drawing, "sea_change", steps, -2, always(named), "T", "A", "en")
    drawing.close()
    data = data_of(made)
    shown = [(step.view(viewer), named) for viewer in (-1, 0, 1) for step in steps]
    sheets, files = read_layered(*renderer("sea_change").draw_layers(shown, (), LOSSLESS))
    told = []
    for viewer in data["viewers"]:
        before: list[int] = []
        for height, *changes in viewer["pages"]:
            before = [one for each in changes for one in (before[slice(*each)] if isinstance(each, list) else [each])]
            told.append((height, [data["layers"][number] for number in before]))
    wanted = [(s.height, [[files[one.name], one.left, one.top] for one in s.layers]) for s in sheets]
    assert [(height, [[b64decode(data["files"][n]), *at] for n, *at in page]) for height, page in told] == wanted
    assert len(set(data["files"])) == len(data["files"]) == len(files)


async def test_names_are_those_of_the_players_then(service: MatchService, files: ReplayFiles) -> None:
    """Mia took the seat over after ten moves: in the sentences, descriptions and pictures of both files."""
    match = await played(service, "sea_change", 20)
    change = SeatChange(10, 0, SeatChangeKind.TOOK_OVER, 999, "Mia", "")
    _, steps = await Playback(service).steps(match.id, Eyes.ONLOOKER)
    named = partial(as_it_was, replace(match, seat_changes=(change,)), Presenter(service, Lobby(service)).labels(match))
    drawing = files.presenter.drawing
    data = data_of(await replay_page.page(drawing, "sea_change", steps, -1, named, "T", "A", "en"))
    for at, step in enumerate(steps):
        told = " ".join([*data["viewers"][0]["lines"][at], data["viewers"][0]["alts"][at]])
        assert ("Mia" in told) == (step.move >= 10), (at, told)
    looked: list[str] = []

    class Seen(Sized):
        async def done(self, job: Job) -> Result:
            looked.extend(labels.names[0] for _, labels in job.arguments[2])
            return await super().done(job)

    drawing = Seen()
    await replay_animation.animation(drawing, "sea_change", steps, -1, named)
    drawing.close()
    before, *others = [name for name, _ in groupby(looked)]
    assert "Mia" not in before and others == ["Mia"]


# --- Words


@pytest.mark.parametrize("code", ["en", "de"])
@pytest.mark.parametrize("slug", GAMES)
def test_sentences_are_plain_text_with_the_names_as_they_are(slug: str, code: str) -> None:
    seats = nearest_seats(GAMES[slug], 3)
    told = [
        line
        for step in steps_of(slug, seats, 400)
        for line in sentences(slug, step.seen, -1, labels(slug, seats, code))
    ]
    assert any(EVIL in line for line in told)
    assert any("**Cleo**" in line for line in told)
    assert not any("**" in line.replace("**Cleo**", "") or "\ue000" in line for line in told)


async def test_names_are_text_and_never_markup(drawing: Drawing) -> None:
    named = labels("full_sun", 3)
    made = await replay_page.page(drawing, "full_sun", steps_of("full_sun", 3, 4), -1, always(named), EVIL, EVIL, "en")
    assert b"<img" not in made
    assert made.count(b"</script>") == 2
    data = data_of(made)
    assert data["title"] == EVIL
    assert EVIL in json.dumps(data["viewers"][0]["lines"])


async def test_the_page_allows_nothing_but_what_is_in_it(drawing: Drawing) -> None:
    made = await replay_page.page(
        drawing, "full_sun", steps_of("full_sun", 3, 2), -1, always(labels("full_sun", 3)), "T", "A", "en"
    )
    (policy,) = re.findall(rb'Content-Security-Policy" content="([^"]*)"', made)
    rules = dict(rule.split(b" ", 1) for rule in policy.split(b"; "))
    assert rules[b"default-src"] == b"'none'"
    assert rules[b"img-src"] == b"data:"
    assert rules[b"script-src"].startswith(b"'sha256-")
    assert rules[b"style-src"].startswith(b"'sha256-")
    assert not re.findall(rb"https?://|src=|url\(|@import", made.split(b'id="data"')[0])


# --- Limits


@pytest.mark.games("slug", short=["photosynthesis"], long=GAMES)
async def test_an_animation_is_short_and_small_and_holds_its_end(slug: str) -> None:
    drawing, seats = Drawing(), min(max(GAMES[slug].seats), 4)
    steps, told = steps_of(slug, seats, 10), list[tuple[int, int]]()
    made = await replay_animation.animation(
        drawing, slug, steps, -1, always(labels(slug, seats)), lambda done, count: told.append((done, count))
    )
    drawing.close()
    assert len(made) <= replay_animation.MOST_BYTES
    found, image = times(made), Image.open(BytesIO(made))
    assert (image.n_frames, image.info["loop"], image.width) == (len(found), 1, 600)
    assert sum(found) <= replay_animation.MOST_MILLISECONDS
    assert found[-1] == max(found)
    assert told == sorted(set(told))
    assert told[-1] == (len(steps), len(steps))


def longest(slug: str, plies: int) -> list[Step]:
    """More steps than any match has; every fifth begins a turn."""
    random, found = Random(slug), list[Step]()
    while len(found) < plies:
        found += steps_of(slug, max(GAMES[slug].seats), plies - len(found) - 1, f"{slug} {random.random()}")
    return [Step(step.state, -1, step.seen, at % 5 == 0) for at, step in enumerate(found[:plies])]


@pytest.mark.games("slug", short=["photosynthesis"], long=GAMES)
async def test_of_a_very_long_match_an_animation_shows_fewer_steps(drawing: Drawing, slug: str) -> None:
    steps = longest(slug, 2_000)
    made = await replay_animation.animation(drawing, slug, steps, -1, always(labels(slug, max(GAMES[slug].seats))))
    assert 20 < len(times(made)) <= 300
    assert sum(times(made)) <= replay_animation.MOST_MILLISECONDS


async def test_an_animation_that_is_too_large_is_smaller_then_worse_then_shows_less() -> None:
    steps, named = [*steps_of("full_sun", 3, 119)], labels("full_sun", 3)
    for at, (best, part) in enumerate(replay_animation.QUALITIES.items()):
        room = 16_400 / part
        drawing = Sized(lambda quality, room=room: round(room * replay_animation.QUALITIES[quality]))
        made = await replay_animation.animation(drawing, "full_sun", steps, -1, always(named))
        drawing.close()
        assert len(made) <= replay_animation.MOST_BYTES
        assert (len(times(made)), drawing.asked[-1][0]) == (120, best), at
        tried = {quality for quality, _, _ in drawing.asked}
        assert tried <= {best, replay_animation.PROBED}, "a sample tells which quality fits"
    drawing = Sized(lambda quality: 40_000)
    made = await replay_animation.animation(drawing, "full_sun", steps, -1, always(named))
    drawing.close()
    assert len(made) <= replay_animation.MOST_BYTES
    assert 30 <= len(times(made)) <= 61


async def test_if_the_sample_was_too_small_the_next_quality_is_drawn() -> None:
    best, second = list(replay_animation.QUALITIES)[:2]
    drawing = Sized(lambda quality: 20_000 if quality == best else 9_000)
    steps, named = steps_of("full_sun", 3, 119), labels("full_sun", 3)
    made = await replay_animation.animation(drawing, "full_sun", steps, -1, always(named))
    drawing.close()
    assert (len(times(made)), drawing.asked[-1][0]) == (120, second)
    assert any(quality == best for quality, _, _ in drawing.asked)


def test_thinned_steps_are_the_ends_of_turns_and_lose_no_event() -> None:
    steps = longest("full_circle", 101)
    named = labels("full_circle", 4)
    for every in range(4):
        shown = scenes("full_circle", steps, always(named), every)
        assert [event for scene in shown for event in scene.events] == [e for step in steps for e in step.seen]
        assert (shown[0].step, shown[-1].step) == (steps[0], steps[-1])
        places = [steps.index(scene.step) for scene in shown]
        if every:
            assert all(place % 5 == 4 for place in places[1:-1])
            assert all(after - before == 5 * every for before, after in pairwise(places[1:-1]))
        else:
            assert shown and places == list(range(101))


@pytest.mark.parametrize(
    ("sizes", "eyes", "wanted"),
    [
        ((50_000, 9_000, 5_000), -1, (120, 50_000, 1)),
        ((20_000, 9_000, 5_000), -2, (120, 9_000, 4)),
        ((50_000, 20_000, 5_000), -2, (120, 50_000, 1)),
        ((190_000, 140_000, 100_000), -1, (61, 100_000, 1)),
    ],
)
async def test_a_page_that_is_too_large_has_worse_pictures_then_fewer(
    sizes: tuple[int, ...], eyes: int, wanted: tuple[int, int, int]
) -> None:
    """Wanted: at most that many steps, the size of a picture, the number of viewers."""
    by_quality = dict(zip(replay_page.QUALITIES, sizes, strict=True))
    drawing = Sized(by_quality.__getitem__)
    steps = steps_of("full_sun", 3, 119)
    made = await replay_page.page(drawing, "full_sun", steps, eyes, always(labels("full_sun", 3)), "T", "A", "en")
    drawing.close()
    assert len(made) <= replay_page.MOST_BYTES
    data = data_of(made)
    viewers, count = data["viewers"], len(data["viewers"][0]["lines"])
    most, size, number = wanted
    assert (count <= most, by_quality[drawing.asked[-1][0]], len(viewers)) == (True, size, number)
    notes = texts("en")
    assert (notes["replay_file.thinned"] in data["notes"]) == (count < 120)
    assert (notes["replay_file.table_only"] in data["notes"]) == (eyes == Eyes.ALL_HANDS and number == 1)


async def test_a_job_draws_few_pictures_and_goes_behind_all_else(
    service: MatchService, monkeypatch: pytest.MonkeyPatch
) -> None:
    presenter = Presenter(service, Lobby(service))
    presenter.drawing = drawing = Sized(lambda quality: 5_000)
    files = ReplayFiles(presenter, Playback(service))
    match = await played(service, "full_sun", 30)
    one, other = await asyncio.gather(files.animation(match.id, -1), files.animation(match.id, -1))
    assert one == other
    assert sum(count for _, count, _ in drawing.asked) == 31 + 3, "each picture once, and the last of each job again"
    assert all(count <= 11 and how is Urgency.LATE for _, count, how in drawing.asked)
    assert urgency.get() is Urgency.PRESS
    drawing.close()
