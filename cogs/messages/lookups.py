"""What one person looks up at a table: the board, the last trick, what they missed, the log, the rules."""

from __future__ import annotations

from cogs.match.agenda import missed
from cogs.match.rated import why_no_rating
from cogs.match.refusals import seat_or_refuse
from cogs.match.seating import COMPUTERS
from cogs.messages.content import Button, Content, Id, Picture
from cogs.messages.drawing import picture
from cogs.messages.end import replay_button
from cogs.messages.hand import hand_message
from cogs.messages.hint import hints_used
from cogs.messages.lobby import settings_line, uncounted_line
from cogs.messages.names import written
from cogs.messages.narration import pages, paragraph, sentences
from cogs.messages.presenter import Presenter, fitting
from cogs.messages.table import status_line
from data.content.texts import language, texts
from data.records.match import Match, Status
from data.records.people import Person
from rendering import Renderer, renderer
from rendering.core.formatting import ALT_TEXT_LIMIT, shortened
from rendering.core.labels import Labels
from rules import LESSONS
from rules.core.example import example
from rules.core.game import Seat, View


async def board(presenter: Presenter, match: Match, person: Person, locale: str) -> Content:
    """Return the table for one person, seated or not, as an onlooker sees it: what just happened, whose turn it is, the
    score, and the settings of the match.
    """
    wished = presenter.as_wished(presenter.labels(match, locale), person)
    labels = presenter.halted(match, await presenter.with_faces(match, wished))
    drawn = renderer(match.game)
    view = presenter.service.state(match).view(None)
    picture = await presenter.picture("table.png", match.game, view, labels)
    title, happened = f"### {presenter.link(match, labels)}", await presenter.happened(match, labels)
    parts: list[str | Picture] = [f"{title}\n{happened}".rstrip(), picture]
    parts += [status_line(presenter, match, labels)] if match.open else []
    settings = settings_line(match, presenter.service.game(match), labels)
    why = uncounted_line(why_no_rating(match), labels, begun=True)
    parts.append("\n".join(filter(None, (drawn.score(view, labels), f"-# {settings}", why))))
    if person.wants_text:
        parts[0] = title  # the table's own message tells what happened: here the transcript gets the room
        parts.append(fitting(drawn.transcript(view, labels), parts))
    row = [Button(labels.say("button.refresh"), Id(match.id, "board"))]
    if match.status is Status.PLAYING and not match.private:
        row.append(Button(labels.say("button.people"), Id(match.id, "people")))
    row += [] if match.open or match.held else [replay_button(match, labels)]
    row.append(Button(labels.say("button.log"), Id(match.id, "log")))
    return Content(tuple(parts), (tuple(row),), person.user)


async def last(presenter: Presenter, match: Match, user: int, locale: str) -> Content:
    """Return the last trick or reveal, if the rules let everyone look back at it."""
    labels = await presenter.with_faces(match, presenter.labels(match, locale))
    view = presenter.service.state(match).view(None)
    found = await _last(presenter, match.game, view, labels)
    if found is None:
        return Content((labels.say("last.none"),), user=user)
    png, text = found
    return Content((written(text), Picture("last.png", png, text)), user=user)


async def _last(presenter: Presenter, slug: str, view: View, labels: Labels) -> tuple[bytes, str] | None:
    """Return the picture of the last trick or reveal and its alt text; None if there is none to look back at."""
    found = await presenter.drawing.done(picture(slug, Renderer.last, view, labels))
    assert found is None or isinstance(found, tuple)
    return found


async def catch_up(presenter: Presenter, match: Match, person: Person) -> Content:
    """Return what has happened since a seated player's own last move: a line for each event, as far as the rules let
    their seat look back, and one picture. It is the last trick or reveal if that is new to them, else their hand.
    """
    seat = seat_or_refuse(match, person.user)
    service = presenter.service
    labels, state = await presenter.with_faces(match, presenter.labels_for(match, person)), service.state(match)
    found = missed(match, await service.events_of(match), person.user)
    text = paragraph(service.game(match), match, found, seat, labels) or labels.say("catch_up.nothing")
    parts: list[str | Picture] = [f"### {presenter.link(match, labels)}\n{text}"]
    before = (await service.position(match, found.since)).view(None)
    shown = await _last(presenter, match.game, state.view(None), labels)
    if shown is not None and shown != await _last(presenter, match.game, before, labels):
        png, transcript = shown
        parts.append(Picture("last.png", png, transcript))
    else:
        hand = await hand_message(presenter, match, person)
        parts += [part for part in hand.parts if isinstance(part, Picture)]
        transcript = renderer(match.game).transcript(state.view(Seat(seat)), labels)
    if person.wants_text:
        parts.append(fitting(transcript, parts))
    return Content(tuple(parts), ((Button(labels.say("button.log"), Id(match.id, "log")),),), person.user)


async def log(presenter: Presenter, match: Match, user: int, locale: str, page: int) -> Content:
    """Return a page of what has happened, as far as the rules let this person look back; 0 is the last page. After the
    end its last line says how many hints each player had.
    """
    labels = presenter.labels(match, locale)
    service = presenter.service
    lines = sentences(service.game(match), match, await service.events_of(match), match.seat_of(user), labels)
    if not match.open and (used := hints_used(match, labels)):
        lines = [*lines, f"-# {used}"]
    found = pages(lines)
    page = min(max(page, 0), len(found) - 1)
    shown = found[-1 - page] if found else labels.say("log.empty")
    title = labels.say("log.title", table=presenter.title(match, labels))
    row = (
        Button(labels.say("log.older"), Id(match.id, "log", rest=str(page + 1)), disabled=page + 1 >= len(found)),
        Button(labels.say("log.newer"), Id(match.id, "log", rest=str(page - 1)), disabled=page == 0),
    )
    return Content((f"### {title}", shown), (row,) if len(found) > 1 else (), user)


RULE_PAGES = ("short", "turn", "more")
"""The pages of the rules: in short with an explained picture; a turn in full; options, values and the rest."""


async def rules(
    presenter: Presenter, slug: str, user: int, locale: str, match: Match | None = None, page: str = RULE_PAGES[0]
) -> Content:
    """Return a page of the rules of a game in our own words, with the values of its deck table, or of the one `match`
    began with. An unknown page is the first one.

    The first page has a hand of an example with numbers on it, the second one the same example's table. Outside a match
    there is also a button to the game's first lesson.
    """
    game, drawn = presenter.service.games[slug], renderer(slug)
    deck = (match.options.get("deck") if match is not None else None) or presenter.lobbies.deck(slug)
    state, seats, seat, _ = await presenter.drawing.run(example, game, deck)
    labels = Labels(COMPUTERS[:seats], texts(language(locale), slug))
    turn, more = drawn.rules_pages(deck, labels)
    pages = {"turn": turn, **({"more": more} if more else {})}
    page = page if page in pages else RULE_PAGES[0]
    parts: list[str | Picture] = [f"## {game.title}", pages.get(page) or drawn.summary(labels)]
    if page == "turn":
        parts.append(labels.say("rules.table", name=labels.name(seat)))
        parts.append(await presenter.picture("table.png", slug, state.view(None), labels))
    elif page == RULE_PAGES[0]:
        parts += await _explained(presenter, slug, state.view(seat), labels)
    row = tuple(
        Button(
            labels.say(f"rules.page_{name}"), Id(0 if match is None else match.id, "rulebook", rest=f"{slug}/{name}")
        )
        for name in (RULE_PAGES[0], *pages)
        if name != page
    )
    if slug in LESSONS and match is None:
        row = (*row, Button(labels.say("lesson.learn"), Id(0, "learn", rest=slug)))
    return Content(tuple(parts), (row,), user)


async def _explained(presenter: Presenter, slug: str, view: View, labels: Labels) -> list[str | Picture]:
    """Return a hand with texts that say what its things are; its alt text begins with them."""
    drawn, seat = renderer(slug), view.viewer
    assert seat is not None
    told = await presenter.drawing.done(picture(slug, Renderer.callouts, view, labels))
    assert isinstance(told, str)
    png = await presenter.drawing.picture(picture(slug, Renderer.draw_explained, view, labels))
    alt = shortened(" ".join([*told.splitlines(), drawn.describe(view, labels)]), ALT_TEXT_LIMIT)
    title = labels.say("rules.example", name=labels.name(seat))
    return [title, Picture("hand.png", png, alt)]
