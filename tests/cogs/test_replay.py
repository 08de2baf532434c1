"""The message of a replay: each step shows what its eyes knew then."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import discord
import pytest

from cogs.match.playback import Eyes, Playback, seen
from cogs.match.service import MatchService
from cogs.messages.content import Button, Content, Gallery, Picture, Select, flat
from cogs.messages.presenter import Presenter
from cogs.messages.replay import MOST_JUMPS, Replays, Spot, eyes_of, eyes_word, landmarks
from cogs.transport.components import layout_view
from cogs.workers.jobs import Job, Result, do
from cogs.workers.pool import Urgency
from data.content.texts import texts
from data.records.match import Match, SeatChange, SeatChangeKind
from data.records.people import Person, PictureWish
from rendering import renderer
from rules import GAMES
from rules.core.game import Seat
from tests.support.ended import played, twins
from tests.support.matches import ANN
from tests.support.simulation import controls, raw
from tests.support.traits import nearest_seats

EN = texts("en")
PERSON = Person(ANN, "P0")


def said(content: Content) -> str:
    return "\n".join(part for part in content.parts if isinstance(part, str))


def buttons(content: Content) -> dict[str, Button]:
    """Return the buttons by the last part of their ids."""
    row = [button for row in content.rows if isinstance(row, tuple) for button in row]
    return {button.id.rest.rpartition("/")[2]: button for button in row if button.id is not None}


def select(content: Content, name: str) -> Select:
    return next(row for row in content.rows if isinstance(row, Select) and row.id.rest.endswith(f"/{name}"))


async def at(
    service: MatchService, messages: Presenter, match: Match, spot: Spot, person: Person | None = PERSON
) -> Content:
    match, steps = await Playback(service).steps(match.id, spot.eyes)
    return await Replays(messages).message(match, steps, spot, person, shareable=person is not None)


# The message


@pytest.mark.games("slug", short=["sea_change"], long=GAMES)
async def test_every_step_can_be_shown_to_all_eyes(service: MatchService, messages: Presenter, slug: str) -> None:
    match, playback, replays = await played(service, slug, f"every step {slug}"), Playback(service), Replays(messages)
    random = Random(slug)
    for eyes in (*range(len(match.chairs)), *Eyes):
        _, steps = await playback.steps(match.id, eyes)
        for step in {0, 1, len(steps) - 1, *random.sample(range(len(steps)), 8)}:
            content = await replays.message(match, steps, Spot(step, eyes), PERSON, shareable=True)
            assert f"Step {step + 1} of {len(steps)}" in said(content)
            pictures = [part for part in flat(content.parts) if isinstance(part, Picture)]
            first = renderer(slug).describe(steps[step].view(eyes), messages.labels(match))
            assert pictures[0].alt == first, "as everywhere"
            most = 1 + len(match.chairs) if eyes == Eyes.ALL_HANDS else 1
            assert 1 <= len({picture.name for picture in pictures}) == len(pictures) <= min(most, 10)
            ids = [str(button.id) for button in buttons(content).values()]
            ids += [str(row.id) for row in content.rows if isinstance(row, Select)]
            assert len(set(ids)) == len(ids) and all(len(text) <= 100 for text in ids)
            for row in content.rows:
                if isinstance(row, Select):
                    values = [entry.value for entry in row.entries]
                    assert len(set(values)) == len(values) <= MOST_JUMPS
                    assert all(0 < len(entry.label) <= 100 and len(entry.detail) <= 100 for entry in row.entries)
            assert layout_view(content).total_children_count <= 40


def test_a_control_leads_to_the_eyes_that_it_names() -> None:
    for spot in (Spot(step, eyes) for step in (0, 7) for eyes in (*Eyes, *range(8))):
        assert Spot.of(spot.rest("next")) == spot
        assert eyes_of(eyes_word(spot.eyes)) == spot.eyes


@pytest.mark.games("slug", short=["sea_change"], long=GAMES)
async def test_the_buttons_lead_through_the_match(service: MatchService, messages: Presenter, slug: str) -> None:
    match = await played(service, slug, f"buttons {slug}")
    _, steps = await Playback(service).steps(match.id, Eyes.ONLOOKER)
    last, marks = len(steps) - 1, landmarks(slug, steps, messages.labels(match))
    drawn = renderer(slug)
    ended = [drawn.story(step.state.view(None), step.seen, messages.labels(match)) for step in steps]
    assert marks.rounds == tuple(n for n, told in enumerate(ended) if n and told and len(told.places[0].course) > 1)
    middle = last // 2
    found = {key: button.id for key, button in buttons(await at(service, messages, match, Spot(middle))).items()}
    where = {key: Spot.of(offered.rest).step for key, offered in found.items() if offered is not None}  # type: ignore[union-attr]
    assert (where["first"], where["last"]) == (0, last)
    assert (where["step_back"], where["step_next"]) == (middle - 1, middle + 1)
    if len(marks.rounds) > 1:
        assert where["round_next"] == min([n for n in marks.rounds if n > middle], default=last)
        assert where["round_back"] == max([n for n in marks.rounds if n < middle], default=0)
    else:
        assert "round_next" not in where
    assert ("turn_next" in where) == drawn.SEVERAL_MOVES_A_TURN
    if drawn.SEVERAL_MOVES_A_TURN:
        passed = steps[where["turn_back"] + 1 : middle]
        assert steps[where["turn_back"]].new_turn and not any(step.new_turn for step in passed)
        assert steps[where["turn_next"]].new_turn or where["turn_next"] == last
    begin, end = [buttons(await at(service, messages, match, Spot(step))) for step in (0, last)]
    assert begin["first"].disabled and begin["step_back"].disabled and not begin["step_next"].disabled
    assert end["last"].disabled and end["step_next"].disabled and not end["step_back"].disabled


async def test_the_moments_are_told_in_the_games_words(service: MatchService, messages: Presenter) -> None:
    match = await played(service, "sea_change", "moments")
    _, steps = await Playback(service).steps(match.id, Eyes.ONLOOKER)
    marks = landmarks("sea_change", steps, messages.labels(match))
    entries = {int(entry.value): entry for entry in select(await at(service, messages, match, Spot(3)), "jump").entries}
    assert len(entries) <= MOST_JUMPS and list(entries) == sorted(entries)
    assert (entries[0].label, entries[len(steps) - 1].label) == (EN["replay.start"], EN["replay.end"])
    for number, step in enumerate(marks.rounds[:-1], 1):
        assert entries[step].label == f"End of round {number}"
        assert f"Round {number} scores: " in entries[step].detail and "*" not in entries[step].detail
    told = [entries[step].label for step in marks.moments if step in entries]
    assert told and all(label.startswith("Sea Change! ") and "is trump now" in label for label in told)
    german = await at(service, messages, match, Spot(3), replace(PERSON, locale="de"))
    assert select(german, "jump").entries[0].label == texts("de")["replay.start"]


async def test_a_long_match_keeps_the_ends_of_its_rounds(service: MatchService, messages: Presenter) -> None:
    match = await played(service, "sea_change", "long")
    _, steps = await Playback(service).steps(match.id, Eyes.ONLOOKER)
    marks = landmarks("sea_change", steps, messages.labels(match))
    while len(marks.moments) + len(marks.rounds) <= MOST_JUMPS:  # a longer match has more moments
        marks = replace(marks, moments=tuple(n for n in range(1, len(steps) - 1) if n not in marks.rounds))
    replays = Replays(messages)
    replays.landmarks[match.id, match.version, Eyes.ONLOOKER] = marks
    values = {int(e.value) for e in select(await replays.message(match, steps, Spot(), None), "jump").entries}
    assert len(values) == MOST_JUMPS and values >= {0, len(steps) - 1, *marks.rounds}


async def test_the_words_are_those_of_the_eyes(service: MatchService, messages: Presenter) -> None:
    """A card that a player drew: the player reads which one, the others only that; all hands tell both."""
    match = await played(service, "full_circle", "words")
    _, steps = await Playback(service).steps(match.id, Eyes.ALL_HANDS)
    step = next(n for n, s in enumerate(steps) if any(type(e).__name__ == "CardDrawn" for e in s.seen[:1]))
    drawer = steps[step].seen[0].seat  # type: ignore[attr-defined]
    move, found = steps[step].move, {}
    for eyes in (*range(3), *Eyes):
        _, own = await Playback(service).steps(match.id, eyes)
        at_then = next(n for n, s in enumerate(own) if s.move == move)
        found[eyes] = said(await at(service, messages, match, Spot(at_then, eyes)))
    sentence = next(line for line in found[drawer].splitlines() if line.startswith("You dr"))
    name = messages.labels(match).who(drawer)
    assert f"{name} sees: {sentence}" in found[Eyes.ALL_HANDS]
    for eyes in {*range(3), Eyes.ONLOOKER} - {drawer}:
        assert "You dr" not in found[eyes] and f"{name} draws a card" in found[eyes]
    assert f"as {name} saw it" in found[drawer] and "as everyone saw it" in found[Eyes.ONLOOKER]


@pytest.mark.parametrize("slug", GAMES)
async def test_a_replay_tells_only_what_its_eyes_knew(service: MatchService, messages: Presenter, slug: str) -> None:
    """Of two matches that differ only in what a viewer may not know, every message of that viewer's replay is equal to
    the byte: pictures, words, ids.
    """
    match, replays, seats = await played(service, slug, "pairs", 1), Replays(messages), nearest_seats(GAMES[slug], 3)
    random, compared = Random(slug), 0
    for number in range(2):
        for viewer in (None, *map(Seat, range(seats))):
            eyes = Eyes.ONLOOKER if viewer is None else viewer
            one, other = (seen(plies, seats, eyes) for plies in twins(slug, viewer, f"replay {slug} {viewer} {number}"))
            assert len(one) == len(other)
            # The match was stopped: nothing tells its end.
            for step in {0, len(one) - 1, *random.sample(range(len(one)), min(3, len(one)))}:
                found = []
                for steps in (one, other):
                    replays.landmarks.clear()
                    found.append(await replays.message(match, steps, Spot(step, eyes), PERSON, shareable=True))
                assert found[0].digest() == found[1].digest()
                compared += 1
    assert compared >= 10


async def test_names_are_those_of_the_players_then(service: MatchService, messages: Presenter) -> None:
    match = await played(service, "sea_change", "names", 20)
    change = SeatChange(10, 0, SeatChangeKind.TOOK_OVER, 999, "Mia", "")
    match = replace(match, seat_changes=(change,))
    _, steps = await Playback(service).steps(match.id, Eyes.ONLOOKER)
    replays = Replays(messages)
    before, after = [await replays.message(match, steps, Spot(n), None) for n in (3, len(steps) - 1)]
    assert "Mia" not in said(before) and "Mia" in next(p.alt for p in after.parts if isinstance(p, Picture))


async def test_a_person_gets_their_wishes_and_everyone_gets_none(service: MatchService, messages: Presenter) -> None:
    match = await played(service, "sea_change", "wishes", 20)
    person = Person(ANN, "P0", locale="de", wants_text=True, pictures=frozenset({PictureWish.LARGE, PictureWish.PLAIN}))
    _, steps = await Playback(service).steps(match.id, Eyes.ALL_HANDS)
    asked: list[Any] = []
    usual = messages.picture

    async def picture(*how: Any) -> Picture:
        asked.append(how[3])
        return await usual(*how)

    messages.picture = picture  # type: ignore[method-assign]
    replays, spot = Replays(messages), Spot(5, Eyes.ALL_HANDS)
    own, public = await replays.message(match, steps, spot, person), await replays.message(match, steps, spot, None)
    assert (own.user, public.user) == (ANN, None)
    half = len(asked) // 2
    assert all(labels.large and labels.plain for labels in asked[:half])
    assert not any(labels.large or labels.plain for labels in asked[half:])
    view = steps[5].view(2)
    transcript = renderer("sea_change").transcript(view, messages.labels(match, "de"))
    assert transcript.splitlines()[0] in said(own).replace("\\", "") and "Schritt 6" in said(own)
    assert "Step 6" in said(public) and len(said(public)) < len(said(own))
    assert any(isinstance(part, Gallery) for part in public.parts)


async def test_the_next_step_of_all_hands_is_drawn_while_a_reader_looks(
    service: MatchService, messages: Presenter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Behind everything that players wait for; and only by workers, since a thread draws in the order of asking."""
    match = await played(service, "sea_change", "ahead", 20)
    asked: list[Urgency] = []

    class Workers:
        async def run(self, job: Job, how_urgent: Urgency) -> Result:
            asked.append(how_urgent)
            return do(job)

    for workers in (None, Workers()):
        monkeypatch.setattr(messages.drawing, "_pool", workers)
        await at(service, messages, match, Spot(5, Eyes.ALL_HANDS))
        ahead = messages.drawing.ahead
        assert (ahead is None) == (workers is None)
        if ahead is not None:
            await ahead
    assert asked and set(asked) == {Urgency.LATE}, "the step itself was in the cache"
    asked.clear()
    await at(service, messages, match, Spot(6, Eyes.ALL_HANDS))
    assert Urgency.PRESS not in asked, "it was drawn ahead"
    await messages.drawing.ahead
    asked.clear()
    await at(service, messages, match, Spot(9, 0))
    assert asked == [Urgency.PRESS], "one picture alone is drawn fast enough"


# In Discord


def body(message: Any) -> dict[str, Any]:
    return raw(message) if isinstance(message, discord.Message) else {"components": message.components}


def offered(message: Any, control: str) -> str:
    """Return the id of a replay's control."""
    return next(i for i in controls(body(message)) if i.endswith(f"/{control}"))
