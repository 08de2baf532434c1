"""The files of a replay: whose they are, what they hide, their words."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from dataclasses import replace
from functools import partial
from itertools import groupby

import pytest

from cogs.match.lobby import Lobby
from cogs.match.playback import Eyes, Playback, seen
from cogs.match.refusals import Refused
from cogs.match.service import MatchService
from cogs.match.undo import undo_alone
from cogs.messages import replay_animation, replay_page
from cogs.messages.drawing import Drawing
from cogs.messages.presenter import Presenter
from cogs.messages.replay_files import ReplayFiles
from cogs.messages.replay_steps import as_it_was, sentences
from cogs.workers.jobs import Job, Result
from data.content.texts import texts
from data.records.match import SeatChange, SeatChangeKind
from rendering import renderer
from rendering.core.layers import LOSSLESS, read_layered
from rules import GAMES
from rules.core.game import Seat
from rules.core.match_record import read_record
from rules.replay import ALL, positions
from tests.cogs.replays import EVIL, Sized, always, data_of, labels, steps_of
from tests.support.ended import played, twins
from tests.support.matches import ANN, BEN, CLEO, begun, lobby, mover, play
from tests.support.traits import nearest_seats

# --- The record


@pytest.mark.parametrize("slug", GAMES)
async def test_the_record_of_a_stored_match_is_read_back(service: MatchService, files: ReplayFiles, slug: str) -> None:
    match = await played(service, slug, slug, 40)
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


@pytest.mark.parametrize("slug", GAMES)
async def test_files_are_equal_if_the_viewer_cannot_tell_the_matches_apart(drawing: Drawing, slug: str) -> None:
    seats, whole_differ = nearest_seats(GAMES[slug], 3), False
    named = labels(slug, seats)
    for viewer in (-1, 0, 1):
        pair = twins(slug, Seat(viewer) if viewer >= 0 else None, f"files {slug} {viewer}", 6)
        one, other = (seen(plies, seats, viewer) for plies in pair)
        pages = [
            await replay_page.page(drawing, slug, way, viewer, always(named), "T", "A", "en") for way in (one, other)
        ]
        assert pages[0] == pages[1]
        films = [await replay_animation.animation(drawing, slug, way, viewer, always(named)) for way in (one, other)]
        assert films[0] == films[1]
        whole = [await replay_page.page(drawing, slug, way, -2, always(named), "T", "A", "en") for way in (one, other)]
        whole_differ |= whole[0] != whole[1]
    assert whole_differ == GAMES[slug].deals, "all hands differ"


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
    match, drawing = await played(service, "sea_change", "own eyes", 10), files.presenter.drawing
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
    match = await played(service, "sea_change", "all hands", 6)
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
    match = await played(service, "sea_change", "names", 20)
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
