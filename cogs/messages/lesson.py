"""What the hand of a first lesson says beside its picture and its moves, and how the lesson ends.

Unlike hand.py, which helps in the first turns of a real match, a lesson says at every decision what to do and why.
"""

from __future__ import annotations

from collections.abc import Sequence

from cogs.match.advice import Discouraged, progress_of
from cogs.match.refusals import Reason, Refused, seat_or_refuse
from cogs.messages.content import Button, Content, Id, Picture
from cogs.messages.end import pictures_scores, replay_button
from cogs.messages.hint import play_button
from cogs.messages.names import in_lists, written
from cogs.messages.narration import MOST_BRIEF, brief, sentences, since_own_move
from cogs.messages.presenter import Presenter, fitting
from data.records.match import Match
from data.records.people import Person
from rendering import renderer
from rendering.core.labels import Labels
from rules.core.game import Move, Seat, View
from rules.core.lesson import OTHER

MOST_AT_END = 300
"""Characters that the last page says at most about what happened last."""
EXPLAINS = "🎓"
"""Begins what a lesson explains: such a text asks for the decision, too."""
AGAIN = "again"
"""In the id of a button that begins a lesson: begin it from the start, even if one is running."""


async def explained(
    presenter: Presenter, match: Match, person: Person, seat: Seat, labels: Labels, path: Sequence[str] = ()
) -> tuple[list[str], str]:
    """Return the texts above the picture and the line below it. Above: what happened since the learner's last decision
    and, if the next decision is theirs, what the lesson explains. Below: what the lesson advises, or "". `path`: the
    steps made so far in a choice of several steps.
    """
    service = presenter.service
    at = progress_of(service.game(match), match, await service.log(match.id))
    if at is None or seat not in service.state(match).to_move():
        return await told(presenter, match, person, seat, labels), ""
    # The first decision is explained from the start, so what happened before it needs no words.
    parts = await told(presenter, match, person, seat, labels) if at.decisions else [labels.say("lesson.intro")]
    parts += [labels.say("lesson.left")] if at.left else []
    parts += [f"{EXPLAINS} {labels.say(f'lesson.step.{at.step.key}')}"] if at.step is not None else []
    if at.advised is None:
        return parts, ""
    if at.step is not None and at.step.asks:
        return parts, "" if path else labels.say("lesson.find")
    move = _name(match, service.state(match).view(seat), at.advised, labels)
    return parts, labels.say("lesson.advised", move=move)


async def told(
    presenter: Presenter, match: Match, person: Person, seat: Seat, labels: Labels, most: int = MOST_BRIEF
) -> list[str]:
    """Return a small text of at most so many characters about what the learner's last move brought and what happened
    since; none if there is nothing to tell. The learner knows the move itself.
    """
    drawn, story = renderer(match.game), since_own_move(await presenter.service.events_of(match), person.user)
    untold = [logged for logged in story if not isinstance(logged.event, drawn.DRAWN)]
    since = story[0].move if story else 0
    game = presenter.service.game(match)
    text, _ = brief(sentences(game, match, untold, seat, labels, since=since, briefly=True), labels, most)
    return [text] if text else []


def status(waits: bool, who: str, labels: Labels) -> str:
    """Return whose turn it is in a private match: its player's if it `waits` for them, otherwise that of `who`."""
    return labels.say("lesson.yours") if waits else labels.say("lesson.not_yours", who=who)


def discouraged(presenter: Presenter, match: Match, person: Person, error: Discouraged) -> tuple[str, Button]:
    """Return why the lesson advises another move, and the button that makes the learner's own move all the same."""
    labels, seat = presenter.labels(match, person.locale), error.move.seat
    view = presenter.service.state(match).view(seat)
    names = {"move": _name(match, view, error.move, labels), "better": _name(match, view, error.better, labels)}
    turn = presenter.service.turn(match, seat)
    anyway = Button(labels.say("lesson.anyway"), Id(match.id, "anyway", turn, str(error.move)))
    if error.why == OTHER:
        return f"👍 {labels.say('lesson.as_good', **names)}", anyway
    return f"🤔 {labels.say(f'lesson.why.{error.why}', **names)} {labels.say('lesson.better', **names)}", anyway


def _name(match: Match, view: View, move: Move, labels: Labels) -> str:
    return written(renderer(match.game).move_label(view, move, labels))


async def advised(presenter: Presenter, match: Match, person: Person) -> tuple[str, Button] | None:
    """Return the move that the lesson advises to its learner, and the button that makes it; None once they have left
    its moves. Refused: it is not their turn.
    """
    seat, state = Seat(seat_or_refuse(match, person.user)), presenter.service.state(match)
    if seat not in state.to_move():
        raise Refused(Reason.NOTHING_TO_DECIDE)
    at = progress_of(presenter.service.game(match), match, await presenter.service.log(match.id))
    if at is None or at.advised is None:
        return None
    labels = presenter.labels(match, person.locale)
    told = labels.say("lesson.advised", move=_name(match, state.view(seat), at.advised, labels))
    turn = presenter.service.turn(match, seat)
    return told, play_button(match, turn, at.advised, labels.say("hint.play"))


async def lesson_end(presenter: Presenter, match: Match, person: Person, notice: str = "") -> Content:
    """Return the last page of a lesson: what it taught, how it ended, and what to do next."""
    seat = seat_or_refuse(match, person.user)
    labels = await presenter.with_faces(match, presenter.labels_for(match, person))
    view, drawn = presenter.service.state(match).view(Seat(seat)), renderer(match.game)
    onlooker = presenter.service.state(match).view(None)
    story = await presenter.latest_round(match, labels)
    picture = await (presenter.standing(match, story, labels) if story else presenter.result(match, onlooker, labels))
    head = f"### {presenter.title(match, labels)}\n{labels.say('lesson.over')}"
    said = await told(presenter, match, person, Seat(seat), labels, MOST_AT_END)
    at = progress_of(presenter.service.game(match), match, await presenter.service.log(match.id))
    missed = [labels.say("lesson.missed")] if at is not None and at.missed else []
    parts: list[str | Picture] = [head, *said, picture, f"🎓 {labels.say('lesson.end')}", *missed]
    shown = story or await pictures_scores(presenter, match, labels)
    parts += [] if shown else [drawn.score(view, in_lists(match, labels))]
    if person.wants_text:
        parts.insert(parts.index(picture) + 1, fitting(drawn.transcript(view, labels), [*parts, notice]))
    rows = (
        (Button(labels.say("lesson.whole"), Id(0, "open", rest=match.game), "primary"), again_button(match, labels)),
        (
            Button(labels.say("button.rules"), Id(match.id, "rules")),
            replay_button(match, labels),
            Button(labels.say("button.log"), Id(match.id, "log")),
        ),
    )
    return Content(tuple(parts), rows, person.user, notice)


def again_button(match: Match, labels: Labels) -> Button:
    """Return the button that begins the lesson from the start."""
    return Button(labels.say("lesson.again"), Id(0, "learn", rest=f"{AGAIN}/{match.game}"))
