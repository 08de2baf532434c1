"""The answer to a player who asks for a hint, or for a review after a match: the best moves, and what they bring."""

from __future__ import annotations

from collections.abc import Sequence

from cogs.match.coaching import Moment
from cogs.messages.content import Content, Picture
from cogs.messages.presenter import Presenter
from data.records.match import Match
from data.records.people import Person
from rendering import renderer
from rendering.core.labels import Labels
from rules.core.coach import Advised
from rules.core.game import Move, Seat, View


def hint_message(
    presenter: Presenter, match: Match, person: Person, seat: Seat, advice: Sequence[Advised[Move]]
) -> Content:
    """Return the advice for a player alone, the best move first."""
    labels = presenter.labels_for(match, person)
    view, say = presenter.service.state(match).view(seat), labels.say
    equal = [line(match.game, view, advised, labels) for advised in advice if advised.equal]
    told = {_outlook(advised, labels) for advised in advice if advised.equal}
    kind = "best" if len(equal) == 1 else "equal" if len(told) == 1 else "close"
    behind = [line(match.game, view, advised, labels) for advised in advice if not advised.equal]
    lines = [f"### 💡 {presenter.link(match, labels)}", say(f"hint.{kind}"), *equal]
    lines += [say("hint.behind"), *behind] if behind else []
    return Content(("\n".join([*lines, f"-# {say('hint.private')}"]),), user=person.user)


async def review_message(
    presenter: Presenter, match: Match, person: Person, seat: Seat, moments: Sequence[Moment]
) -> Content:
    """Return, for a player alone, the moments when another move was much better, each with the hand as it was then."""
    labels = await presenter.with_faces(match, presenter.labels_for(match, person))
    say = labels.say
    parts: list[str | Picture] = [
        f"### 🔎 {presenter.link(match, labels)}\n{say('review.some' if moments else 'review.none')}"
    ]
    for number, moment in enumerate(moments, 1):
        parts.append(await presenter.picture(f"review{number}.png", match.game, moment.view, labels))
        told = [line(match.game, moment.view, advised, labels) for advised in (moment.best, moment.played)]
        parts.append(f"**{number}.** {say('review.better')}\n{told[0]}\n{say('review.played')}\n{told[1]}")
    return Content((*parts, f"-# {say('review.private')}"), user=person.user)


def line(slug: str, view: View, advised: Advised[Move], labels: Labels) -> str:
    """Return a move and what it brings, in a line."""
    outlook = _outlook(advised, labels)
    move = f"**{renderer(slug).move_label(view, advised.move, labels)}**"
    return f"• {move}" + (f" – {outlook}" if outlook else "")


def _outlook(advised: Advised[Move], labels: Labels) -> str:
    """Return what a move brings, as its reader sees it; "" if that is all that is known."""
    facts = (
        labels.say(f"hint.{key}", percent=round(100 * figure), number=_number(figure, labels))
        for key, figure in advised.outlook.items()
    )
    return " · ".join(facts)


def hints_used(match: Match, labels: Labels) -> str:
    """Return how many hints each player had, also those who have left; "" if no player had any."""
    hints = [(labels.who(chair.number), chair.hints) for chair in match.people]
    hints += [(f"<@{former.user}>", former.hints) for former in match.former]
    used = [labels.say("hint.used_by", name=name, count=count) for name, count in hints if count]
    return labels.say("hint.used", who=labels.list(used)) if used else ""


def _number(figure: float, labels: Labels) -> str:
    """Return the figure with one decimal, as the language writes it."""
    whole, tenth = divmod(abs(round(10 * figure)), 10)
    return labels.say("hint.tenths", sign="−" if round(10 * figure) < 0 else "", whole=whole, tenth=tenth)
