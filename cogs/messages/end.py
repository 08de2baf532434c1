"""How a match ended: in a line for its table, in full for hands, as a message of its own; what each player did best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from cogs.match.rated import ended_without, left_often, not_there, why_no_rating
from cogs.match.refusals import seat_or_refuse
from cogs.match.restored import mark
from cogs.messages import fairness
from cogs.messages.content import MOST_TEXT, Button, Content, Id, Picture
from cogs.messages.duplicates import comparison
from cogs.messages.hint import hints_used
from cogs.messages.lobby import uncounted_line
from cogs.messages.names import in_lists, labels_at, manager_in, name_at, written
from cogs.messages.presenter import Presenter, fitting
from data.content.texts import DEFAULT, texts
from data.records.feats import Feats
from data.records.match import Match, SeatChangeKind, Status
from data.records.people import Person
from data.records.results import Standing
from rendering import renderer
from rendering.core.formatting import signed
from rendering.core.labels import Labels
from rules.core.game import AnyState, Event

WINS_TOLD = 3
"""So many wins in a row are told."""
END = "end"
"""The rest of the id of *Play again* in the message that tells the end: by it the bot recognises that message."""


def tells_end(offered: Id) -> bool:
    """Return whether only the message that tells the end offers this."""
    return offered.action == "again" and offered.rest == END


async def end_message(presenter: Presenter, match: Match) -> Content:
    """Return the message that tells the end: who won, why and by how much, how the match went, all scores, how
    they compare with those of its duplicates, and a line that thanks the game's makers. It mentions all players.
    """
    labels = await presenter.with_faces(match, presenter.labels(match))
    head = f"{result(presenter, match, labels)}\n-# {presenter.title(match, labels)}"
    thanked = "end.played" if match.status is Status.OVER else "end.played_early"
    players = labels.list([f"<@{chair.user}>" for chair in match.people])
    return await _told(presenter, match, labels, head, [labels.say(thanked, who=players)] if players else [], END)


async def ended_hand(presenter: Presenter, match: Match, person: Person, notice: str = "") -> Content:
    """Return what a player's own hand becomes when everyone may see the match: the same, told to that player."""
    labels = await presenter.with_faces(match, presenter.labels_for(match, person))
    seat = seat_or_refuse(match, person.user)
    head = f"### {presenter.link(match, labels)}\n{await own_result(presenter, match, seat, labels)}"
    told = await _told(presenter, match, labels, head, scores=not await pictures_scores(presenter, match, labels))
    if person.wants_text:
        said = [head, *(part for part in told.parts if isinstance(part, str)), told.foot, notice]
        pictures = [part for part in told.parts if isinstance(part, Picture)]
        told = replace(told, parts=(*told.parts, *(fitting(picture.alt, said) for picture in pictures)))
    return replace(told, user=person.user, note=notice)


async def pictures_scores(presenter: Presenter, match: Match, labels: Labels) -> bool:
    """Return whether the picture of the end has the scores, so that a hand on a phone need not repeat them."""
    return match.status is Status.OVER and await presenter.final_story(match, labels) is not None


async def _told(
    presenter: Presenter,
    match: Match,
    labels: Labels,
    head: str,
    thanked: Sequence[str] = (),
    rest: str = "",
    *,
    scores: bool = True,
) -> Content:
    """Return all that is told of the end below the heading, in text the `scores` too. `rest`: that of *Play again*."""
    view, say = presenter.service.state(match).view(None), labels.say
    # Ended early, a match has no picture but the last position, which the table shows in the same place.
    pictured = match.status is Status.OVER or rest != END
    pictures = [await presenter.result(match, view, labels)] if pictured else []
    text = [*([renderer(match.game).score(view, in_lists(match, labels))] if scores else []), *thanked]
    if used := hints_used(match, labels):
        text.append(f"-# {used}")
    text += await remembered(presenter, match, labels)
    thanks = f"-# {say('game.thanks', game=say('game.title'))}"
    room = MOST_TEXT - len(head) - len(thanks) - sum(len(line) + 1 for line in text)
    text[scores:scores] = await comparison(presenter, match, labels, room)
    shown = mark(match, presenter.service.state(match), await presenter.service.events_of(match))
    row = (
        Button(say("button.again"), Id(match.id, "again", rest=rest), "success"),
        replay_button(match, labels),
        Button(say("button.review"), Id(match.id, "review")),
        Button(say("button.log"), Id(match.id, "log")),
        fairness.button(match, labels, shown.rest(ended=True)),
    )
    return Content((head, *pictures, *filter(None, ["\n".join(text)])), (row,), foot=thanks)


async def remembered(presenter: Presenter, match: Match, labels: Labels) -> list[str]:
    """Return lines with what the results add: what stands out beside the matches before, and, after a rated match, the
    players' ratings and by how much it changed them, or why it changed none.
    """
    found = None if presenter.records is None else await presenter.records.record_or_warn(match)
    why = uncounted_line(why_no_rating(match), labels, begun=True)
    if presenter.records is None or found is None:
        return [why] if why else []
    lines = _feats(await presenter.records.feats(match.id), labels)
    told = [_rating(match, at, labels) for at in found.standings if at.points is not None]
    lines += [f"-# {labels.say('end.rating', who=labels.list(told))}"] if told else []
    return [*lines, why] if why else lines


def _rating(match: Match, at: Standing, labels: Labels) -> str:
    """Return a player's rating and by how much the match changed it; of one who is last for it also why."""
    name = labels.who(at.seat)
    if at.beginner is not None:
        left = [c.name for c in match.seat_changes if c.seat == at.seat and c.kind.leaves]
        known = bool(at.beginner and left)
        name = written(name_at(match, at.seat, left[0], labels.texts)) if known else labels.say("history.player")
    told = labels.say("end.rating_of", name=name, points=labels.number(at.points or 0), change=signed(at.gain or 0))
    if not at.gone:
        return told
    why = "gone" if at.seat in not_there(match) else "left" if at.seat in left_often(match) else "away"
    return labels.say(f"end.rating_{why}", rating=told)


def _feats(feats: Feats, labels: Labels) -> list[str]:
    """Return a line about many wins in a row and a match as close as none before; no line if there is neither."""
    rows: dict[int, list[str]] = {}
    for seat, wins in feats.in_a_row.items():
        if wins >= WINS_TOLD:
            rows.setdefault(wins, []).append(labels.who(seat))
    told = [
        labels.say("end.in_a_row", who=labels.list(names), wins=labels.count("wins_in_a_row", wins))
        for wins, names in rows.items()
    ]
    told += [labels.say("end.closest", game=labels.say("game.title"))] if feats.closest else []
    return [" ".join(told)] if told else []


def replay_button(match: Match, labels: Labels) -> Button:
    """Return the button that opens the replay of an ended match."""
    return Button(labels.say("button.replay"), Id(match.id, "replay"))


def result(presenter: Presenter, match: Match, labels: Labels) -> str:
    """Return how a match ended: a heading, and why in a sentence, with the margin if there is one."""
    if match.status is not Status.OVER:
        return f"### {_early(match, labels)}"
    return "\n".join((f"### {_winners(presenter, match, labels)}", _reasons(presenter, match, labels)))


async def own_result(presenter: Presenter, match: Match, seat: int, labels: Labels) -> str:
    """Return how a match ended for the player of that seat, as `result` does."""
    outcome = None if match.status is not Status.OVER else presenter.service.state(match).outcome()
    if outcome is None:
        return result(presenter, match, labels)
    others = labels.list([labels.who(other) for other in sorted(outcome.winners) if other != seat])
    why = _reasons(presenter, match, labels)
    if seat in outcome.winners:
        won = labels.say("end.you_won_with", others=others) if others else labels.say("end.you_won")
        return f"## 🏆 {won}\n{why}"
    story = await presenter.final_story(match, labels)
    places = () if story is None else story.places
    rank = next((place.rank for place in places if seat in place.seats), None)
    own = [labels.say("end.your_place", rank=rank, count=len(places))] if rank is not None else []
    return "\n".join((f"## {_winners(presenter, match, labels)}", " ".join((why, *own))))


def _reasons(presenter: Presenter, match: Match, labels: Labels) -> str:
    """Return why a match that is over ended as it did, with the margin if there is one."""
    margin = renderer(match.game).margin(presenter.service.state(match).view(None), labels)
    won_by = [labels.say("end.margin", margin=margin)] if margin else []
    return " ".join((_why(presenter, match, labels), *won_by))


def result_line(presenter: Presenter, match: Match, labels: Labels) -> str:
    """Return how a match ended, in a line."""
    if match.status is not Status.OVER:
        return _early(match, labels)
    return f"🏆 {_winners(presenter, match, labels)} {_why(presenter, match, labels)}"


def _early(match: Match, labels: Labels) -> str:
    """Return how a match ended without an outcome, and who did it if it was a manager of the server."""
    ended = match.seat_changes[-1] if match.seat_changes else None
    if match.status is Status.CANCELLED and ended is not None and ended.kind is SeatChangeKind.CANCELLED:
        return labels.say("seat_change.cancelled", manager=manager_in(ended, match, labels.texts))
    if ended_without(match):
        return labels.say("end.stopped_without")
    if match.private and match.ending == Status.STOPPED:
        return labels.say("end.stopped_alone")
    return labels.say("end.cancelled" if match.status is Status.CANCELLED else f"end.{match.ending}")


def _winners(presenter: Presenter, match: Match, labels: Labels) -> str:
    outcome = presenter.service.state(match).outcome()
    assert outcome is not None
    game = [len(match.chairs)] if len(match.chairs) == 1 else []  # the only player has lost against it
    winners = [labels.who(seat) for seat in sorted(outcome.winners) or game]
    return labels.say("end.won" if winners else "end.nobody", winners=labels.list(winners))


def _why(presenter: Presenter, match: Match, labels: Labels) -> str:
    outcome = presenter.service.state(match).outcome()
    assert outcome is not None
    text = labels.say(f"outcome.{outcome.reason}")
    return text[:1].upper() + text[1:]  # elsewhere it follows a colon


def honours(match: Match, end: AnyState, events: Sequence[Event]) -> Mapping[int, Sequence[str]]:
    """Return the keys of what each seat did best, for seats that did anything best, as stored with the result."""
    labels = labels_at(match, texts(DEFAULT, match.game))
    story = renderer(match.game).story(end.view(None), events, labels)
    found: dict[int, list[str]] = {}
    for honour in () if story is None else story.honours:
        for seat in honour.seats:
            found.setdefault(seat, []).append(honour.key)
    return found
