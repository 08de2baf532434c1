"""What *More …* opens in a player's hand, and what takes the hand's place once it is kept up to date no more."""

from __future__ import annotations

from cogs.messages.content import Button, Content, Id, Picture
from cogs.messages.end import replay_button
from cogs.messages.hand import is_first, refresh_button, signs_button
from cogs.messages.lesson import again_button
from cogs.messages.presenter import Presenter, fitting, table_link
from data.records.match import Match
from data.records.people import Person
from rendering import renderer
from rendering.core.labels import Labels
from rules.core.game import Seat


def lookups(match: Match, labels: Labels, *, signs: bool = False, past: bool = True) -> tuple[Button, ...]:
    """Return what *More …* adds to a hand: the buttons to the table, to what can be looked up, and to the player's
    settings at this table or, once everyone may see the match, to its replay. A private match has no table, and a
    button that ends it; a lesson has one to begin again. `signs`: there are signs to explain.
    `past`: there is something to look back at.
    """
    table = [] if match.private else [Button(labels.say("button.table"), url=table_link(match))]
    last = [Button(labels.say("button.settings"), Id(match.id, "mine"))]
    if match.lesson:
        last = [again_button(match, labels)]
    elif match.private:
        last.append(Button(labels.say("vote.end"), Id(match.id, "vote", rest="end")))
    ended = () if match.held or match.open else (replay_button(match, labels),)
    return (
        *table,
        *((Button(labels.say("button.last"), Id(match.id, "last")),) if past else ()),
        Button(labels.say("button.log"), Id(match.id, "log")),
        Button(labels.say("button.rules"), Id(match.id, "rules")),
        *((signs_button(match, labels),) if signs else ()),
        *(last if match.open else ended),
    )


async def has_signs(presenter: Presenter, match: Match, person: Person) -> bool:
    """Return whether a seated player is in their first match of the game, wants help with it, and has signs in their
    hand.
    """
    return await is_first(presenter, match, person) and bool(_legend(presenter, match, person))


def signs(presenter: Presenter, match: Match, person: Person) -> str:
    """Return the signs in a seated player's hand in words, and where the help of the first turns is switched off."""
    off = presenter.labels_for(match, person).say("lesson.off")
    return "\n".join(f"-# {line}" for line in (*_legend(presenter, match, person), off))


def _legend(presenter: Presenter, match: Match, person: Person) -> list[str]:
    """Return a line about each sign in a seated player's hand."""
    seat = match.seat_of(person.user)
    assert seat is not None
    view = presenter.service.state(match).view(Seat(seat))
    return renderer(match.game).legend(view, presenter.labels_for(match, person)).splitlines()


async def still_hand(presenter: Presenter, match: Match, person: Person, *, pictured: bool) -> Content:
    """Return a seated player's own hand that is updated no more: it says so, offers no move, and *Refresh* comes first.

    `pictured`: with its picture, for which the match must be readable.
    """
    seat = match.seat_of(person.user)
    assert seat is not None
    labels = await presenter.with_faces(match, presenter.labels_for(match, person))
    parts: list[str | Picture] = [f"### {presenter.link(match, labels)}\n{labels.say('turn.still')}"]
    if pictured:
        view = presenter.service.state(match).view(Seat(seat))
        parts.append(await presenter.picture("hand.png", match.game, view, presenter.halted(match, labels)))
        if person.wants_text:
            parts.append(fitting(renderer(match.game).transcript(view, labels), parts))
    return Content(tuple(parts), ((refresh_button(match, labels, "primary"),), lookups(match, labels)), person.user)


def left_seat(presenter: Presenter, match: Match, user: int, person: Person | None) -> Content:
    """Return what replaces the hand of a user who has left their seat. `person`: None if their data is deleted."""
    labels = presenter.labels(match, person.locale if person is not None else None)
    said, former = labels.say("dm.left", table=presenter.link(match, labels)), match.former_seat(user)
    if former is not None and former.removed:
        said += f" {labels.say('refused.removed')}"
    return Content((said,), user=user)
