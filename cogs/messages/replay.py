"""An ended match in one message that a reader steps through: a position, what happened on the way to it, and the
controls that lead to others.

The ids of the controls hold all that the message needs to know:

    1/<match>/step//<step>/<eyes>/<control>

`eyes` is "table", "all" or the number of a seat. The step is the one that the control leads to; the entries of a select
replace the step or the eyes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from cogs.match.playback import Eyes, Step
from cogs.messages.content import Button, Content, Document, Gallery, Id, Picture, Row, Select, SelectOption, number_in
from cogs.messages.end import result_line
from cogs.messages.names import in_lists
from cogs.messages.narration import newest
from cogs.messages.presenter import Presenter, fitting
from cogs.messages.replay_steps import as_it_was, rounds_in
from data.lru import Lru
from data.records.match import Match
from data.records.people import Person
from rendering import renderer
from rendering.core.formatting import ALT_TEXT_LIMIT, shortened
from rendering.core.labels import Labels
from rules.core.game import Event, Seat

PAGE, FILM, RECORD = "page", "film", "record"
"""The files of a replay: a page for a browser, an animation, and a text that the rules read back."""
STEP, JUMP, AS = "step", "jump", "as"
"""The action of every control that changes the message; and the names of the two selects."""
MOST_JUMPS = 25
"""Discord's limit of a select's entries."""
MOST_HAPPENED = 1200
"""The most characters of what happened, so that a transcript has room too."""
KEPT = 64
"""The most replays, by match and eyes, of which the landmarks are remembered."""
FILE_TYPES = {PAGE: "html", FILM: "webp", RECORD: "txt"}
_EYES = {"table": Eyes.ONLOOKER, "all": Eyes.ALL_HANDS}
_NAMES = {eyes: name for name, eyes in _EYES.items()}


class Spot(NamedTuple):
    """Where in a replay a reader is: the number of a step, counted from 0, and the eyes (cogs/match/playback.py)."""

    step: int = 0
    eyes: int = Eyes.ONLOOKER

    def rest(self, control: str) -> str:
        """Return the rest of the id of a control that leads here."""
        return f"{self.step}/{eyes_word(self.eyes)}/{control}"

    @classmethod
    def of(cls, rest: str) -> Spot | None:
        """Return where the control with that rest leads; None if this bot never made it."""
        step, _, more = rest.partition("/")
        eyes, number = eyes_of(more.partition("/")[0]), number_in(step, -1)
        return cls(number, eyes) if number >= 0 and eyes is not None else None


def eyes_word(eyes: int) -> str:
    """Return the word for these eyes in an id."""
    return _NAMES[Eyes(eyes)] if eyes < 0 else str(eyes)


def eyes_of(word: str) -> int | None:
    """Return the eyes for which the word in an id stands; None if it stands for none."""
    number = number_in(word, -1)
    return _EYES.get(word) if number < 0 else number


def in_replay(offered: Id) -> bool:
    """Return whether only a replay offers this."""
    return offered.action == STEP


@dataclass(frozen=True, slots=True)
class Landmarks:
    """The steps at which rounds end, and the other moments that matter, ascending."""

    rounds: tuple[int, ...]
    moments: tuple[int, ...]


class Replays:
    """Makes the messages of replays."""

    def __init__(self, presenter: Presenter) -> None:
        self._presenter = presenter
        self.landmarks = Lru[tuple[int, int, int], Landmarks](KEPT)

    async def message(
        self, match: Match, steps: Sequence[Step], spot: Spot, person: Person | None, *, shareable: bool = False
    ) -> Content:
        """Return the match at one of these steps, which are those for the eyes of `spot`.

        `person`: the only reader; None: everyone at the table, in its language and without a person's wishes.
        `shareable`: there is a button that shows it to everyone.
        """
        presenter, step = self._presenter, steps[spot.step]
        found = presenter.labels(match) if person is None else presenter.labels_for(match, person)
        labels = as_it_was(match, await presenter.with_faces(match, found), step)
        marks = await self._marks(match, steps, spot.eyes, labels)
        shown = await self._pictures(match, step, spot.eyes, labels, person)
        if spot.eyes == Eyes.ALL_HANDS and spot.step + 1 < len(steps):
            self._look_ahead(match, steps[spot.step + 1], person)
        pictures = tuple(shown.values())
        head = f"### {labels.say('replay.title', table=presenter.link(match, labels))}"
        parts: list[str | Picture | Gallery] = [f"{head}\n{_where(presenter, match, steps, spot, labels)}"]
        parts.append(pictures[0] if len(pictures) == 1 else Gallery(pictures))
        if hands := [labels.who(seat) for seat in shown if spot.eyes == Eyes.ALL_HANDS and seat >= 0]:
            parts.append(f"-# {labels.say('replay.pictures', names=labels.list(hands))}")
        if happened := "\n".join(newest(list(_sentences(match, step, spot.eyes, labels)), MOST_HAPPENED)):
            parts.append(happened)
        if person is not None and person.wants_text:
            drawn, texts = renderer(match.game), [part for part in parts if isinstance(part, str)]
            told = [drawn.transcript(step.view(eyes), labels) for eyes in _shown_to(match, spot.eyes)]
            parts.append(fitting("\n\n".join(told), texts))
        rows: list[Row] = [*_ways(match, steps, spot, marks, labels), _jumps(match, steps, spot, marks, labels)]
        rows.append(_viewers(match, spot, labels))
        share = (Button(labels.say("replay.share"), Id(match.id, "share", rest=spot.rest("share"))),)
        rows.append((*(share if shareable else ()), *_files(match, spot, labels)))
        return Content(tuple(parts), tuple(rows), None if person is None else person.user)

    def _look_ahead(self, match: Match, step: Step, person: Person | None) -> None:
        """Have the next step drawn while the reader looks at this one: all hands are up to nine pictures."""

        async def draw() -> None:
            found = self._presenter.labels(match) if person is None else self._presenter.labels_for(match, person)
            labels = as_it_was(match, await self._presenter.with_faces(match, found), step)
            await self._pictures(match, step, Eyes.ALL_HANDS, labels, person)

        self._presenter.drawing.look_ahead(draw)

    async def _marks(self, match: Match, steps: Sequence[Step], eyes: int, labels: Labels) -> Landmarks:
        key = match.id, match.version, eyes
        found = self.landmarks.get(key)
        if found is None:
            found = self.landmarks[key] = await asyncio.to_thread(landmarks, match.game, steps, labels)
        return found

    async def _pictures(
        self, match: Match, step: Step, eyes: int, labels: Labels, person: Person | None
    ) -> dict[int, Picture]:
        """Return the picture of what these eyes see; of all hands, the table and each hand that shows more than it. The
        keys are the eyes of each.
        """
        shown = _shown_to(match, eyes)
        draw = self._presenter.picture
        found = await asyncio.gather(  # several workers draw at the same time
            *(
                draw("table.png" if seat < 0 else f"hand{seat}.png", match.game, step.view(seat), labels)
                for seat in shown
            )
        )
        pictures = {}
        for seat, picture in zip(shown, found, strict=True):
            if seat == shown[0]:
                pictures[seat] = picture
            elif picture.png != found[0].png:
                alt = shortened(labels.say("pair", name=labels.name(seat), value=picture.alt), ALT_TEXT_LIMIT)
                pictures[seat] = replace(picture, alt=alt)
        return pictures


def landmarks(slug: str, steps: Sequence[Step], labels: Labels) -> Landmarks:
    """Return the landmarks of a replay: they do not depend on the language."""
    drawn, rounds, moments = renderer(slug), [], []
    for at, step in enumerate(steps[1:], 1):
        view = step.view(Eyes.ONLOOKER)
        if rounds_in(slug, view, step.seen, labels):
            rounds.append(at)
        elif drawn.moment(view, step.seen) is not None:
            moments.append(at)
    return Landmarks(tuple(rounds), tuple(moments))


def _shown_to(match: Match, eyes: int) -> tuple[int, ...]:
    return (Eyes.ONLOOKER, *range(len(match.chairs))) if eyes == Eyes.ALL_HANDS else (eyes,)


# The words


def _where(presenter: Presenter, match: Match, steps: Sequence[Step], spot: Spot, labels: Labels) -> str:
    """Return which step it is, whose eyes see it, and whose turn it is; at the end, how the match ended."""
    seen_by = labels.say("replay.table" if spot.eyes == Eyes.ONLOOKER else "replay.all")
    if spot.eyes >= 0:
        seen_by = labels.say("replay.seat", name=labels.who(spot.eyes))
    step = labels.say("replay.step", number=spot.step + 1, count=len(steps))
    if spot.step == len(steps) - 1:
        return f"{step} · {seen_by}\n{result_line(presenter, match, labels)}"
    listed = in_lists(match, labels)
    who = listed.list([listed.who(seat) for seat in sorted(steps[spot.step].state.to_move())])
    return f"{step} · {seen_by}\n{labels.say('replay.to_move', who=who)}"


def _sentences(match: Match, step: Step, eyes: int, labels: Labels) -> Iterator[str]:
    """Yield what happened on the way to a step, as these eyes saw it. Of all hands, it is what an onlooker saw, and
    after it what was told to one seat otherwise.
    """
    narrate = renderer(match.game).narrate
    for event in step.seen:
        if eyes != Eyes.ALL_HANDS:
            told = [narrate(event, labels)]
        else:
            told = [_told(narrate, event, None, labels)]
            for seat in map(Seat, range(len(match.chairs))):
                own = _told(narrate, event, seat, labels)
                told += [labels.say("replay.told", name=labels.who(seat), what=own)] if own not in ("", told[0]) else []
        yield from filter(None, told)


def _told(narrate: Callable[[Event, Labels], str], event: Event, viewer: Seat | None, labels: Labels) -> str:
    """Return the sentence about an event for that viewer; "" if there is none."""
    seen = event.seen_by(viewer)
    return "" if seen is None else narrate(seen, labels)


# The controls


def _ways(
    match: Match, steps: Sequence[Step], spot: Spot, marks: Landmarks, labels: Labels
) -> Iterator[tuple[Button, ...]]:
    """Yield the rows of buttons: to the first, last and next steps; to the next turns, if the game's turns can have
    several steps; to the next rounds, if it has more than one.
    """
    last = len(steps) - 1
    turns = [at for at, step in enumerate(steps) if step.new_turn or at == last]

    def button(key: str, target: int) -> Button:
        rest = Spot(target, spot.eyes).rest(key)
        return Button(labels.say(f"replay.{key}"), Id(match.id, STEP, rest=rest), disabled=target == spot.step)

    def before_and_after(key: str, stops: Sequence[int]) -> tuple[Button, Button]:
        before = max((at for at in stops if at < spot.step), default=0)
        after = min((at for at in stops if at > spot.step), default=last)
        return button(f"{key}_back", before), button(f"{key}_next", after)

    yield (button("first", 0), *before_and_after("step", range(last + 1)), button("last", last))
    several = renderer(match.game).SEVERAL_MOVES_A_TURN and len(turns) < len(steps)
    more = [*(before_and_after("turn", turns) if several else ())]
    more += before_and_after("round", marks.rounds) if marks.rounds not in ((), (last,)) else ()
    if more:
        yield tuple(more)


def _jumps(match: Match, steps: Sequence[Step], spot: Spot, marks: Landmarks, labels: Labels) -> Select:
    """Return the select of the moments that matter: the start, the ends of rounds, others, the end."""
    last, plain = len(steps) - 1, replace(labels, written=())
    rounds = _spread([at for at in marks.rounds if at != last], MOST_JUMPS - 2)
    moments = _spread([at for at in marks.moments if at != last], MOST_JUMPS - 2 - len(rounds))
    ended = {at: number for number, at in enumerate(marks.rounds, 1)}
    entries = []
    for at in sorted({0, last, *rounds, *moments}):
        told = _plain(_moment(match.game, steps[at], plain, round_end=at in ended))
        label = told
        if at in (0, last):
            label = labels.say("replay.start" if at == 0 else "replay.end")
        elif at in ended:
            label = labels.say("replay.round_end", number=ended[at])
        detail = labels.say("replay.step", number=at + 1, count=len(steps))
        detail = f"{detail} · {told}" if at in ended and told else detail
        entries.append(SelectOption(shortened(label or detail, 100), str(at), shortened(detail, 100), at == spot.step))
    return Select(Id(match.id, STEP, rest=spot.rest(JUMP)), labels.say("replay.jump"), tuple(entries))


def _moment(slug: str, step: Step, labels: Labels, *, round_end: bool) -> str:
    """Return the sentence about what matters in a step; if no event alone is it, the first sentence."""
    drawn, view = renderer(slug), step.view(Eyes.ONLOOKER)
    told = []
    for event in step.seen:
        if line := drawn.narrate(event, labels):
            matters = rounds_in(slug, view, (event,), labels) if round_end else drawn.moment(view, (event,))
            told.append((not matters, line))
    return min(told, key=lambda found: found[0])[1] if told else ""


def _spread(steps: Sequence[int], most: int) -> list[int]:
    """Return at most that many of these steps, evenly spread."""
    count = min(most, len(steps))
    return [steps[at * len(steps) // count] for at in range(count)]


def _plain(text: str) -> str:
    """Return a sentence without the stars of markdown, which a select would show."""
    return text.replace("**", "").replace("\n", " ")


def _viewers(match: Match, spot: Spot, labels: Labels) -> Select:
    named: list[tuple[int, str]] = [(Eyes.ONLOOKER, labels.say("replay.as_table"))]
    named += [(seat, labels.say("replay.as_seat", name=labels.name(seat))) for seat in range(len(match.chairs))]
    named.append((Eyes.ALL_HANDS, labels.say("replay.as_all")))
    entries = [SelectOption(shortened(name, 100), eyes_word(eyes), chosen=eyes == spot.eyes) for eyes, name in named]
    return Select(Id(match.id, STEP, rest=spot.rest(AS)), labels.say("replay.as"), tuple(entries))


def _files(match: Match, spot: Spot, labels: Labels) -> tuple[Button, ...]:
    """Return the buttons that make a file of the match, as the present eyes see it."""
    return tuple(
        Button(labels.say(f"replay.{kind}"), Id(match.id, "file", rest=spot.rest(kind)))
        for kind in (PAGE, FILM, RECORD)
    )


def drawing_message(done: int, count: int, user: int, labels: Labels) -> Content:
    """Return how far an animation is that is being drawn; `count` 0: it waits for its turn."""
    said = labels.say("replay.drawing", done=done, count=count) if count else labels.say("replay.waits")
    return Content((said,), user=user)


def file_message(match: Match, kind: str, data: bytes, user: int, labels: Labels) -> Content:
    """Return a file of an ended match with a sentence about it."""
    name = f"replay-{match.id}.{FILE_TYPES[kind]}"
    about = labels.say(f"replay.about_{kind}")
    if kind == FILM:
        return Content((about, Picture(name, data, about)), user=user)
    return Content((about, Document(name, data, about)), user=user)
