"""What everyone at a table sees once the match has begun: the table, its quarantine, the notice for substitutes."""

from __future__ import annotations

from collections.abc import Mapping

from cogs.match.clocks import time_control_of
from cogs.match.quarantine import Fault
from cogs.match.restored import mark
from cogs.match.time_controls import ClockKind
from cogs.messages import clock as clock_texts
from cogs.messages import fairness
from cogs.messages.content import Button, Content, Id, Row, exact, relative
from cogs.messages.duplicates import same_deals
from cogs.messages.end import remembered, replay_button, result, result_line
from cogs.messages.lobby import rated_line
from cogs.messages.names import in_lists
from cogs.messages.players import offer_row, people_lines, people_rows, waiting_line
from cogs.messages.presenter import Presenter
from cogs.messages.season import season_lines
from data.content.texts import language, texts
from data.records.match import Match, Status
from data.records.post import PostState
from rendering import renderer
from rendering.core.labels import Labels
from rules.core.game import Seat


async def table_message(presenter: Presenter, match: Match, votes: Mapping[int, str]) -> Content:
    """Return the table as everyone may see it, in the order in which a phone shows it: the position, what just
    happened, whose turn it is, which players are absent, what the players vote on, which seats can be taken over.

    Once a message of its own has told the end (end.py), a line here says the result. While the table is held
    (match/duplicates.py), it says who sits there, whose turn it is, and what the players vote on, and nothing else.
    """
    if match.held:
        return await _held(presenter, match, votes)
    presenter.drawing.prewarm(match.game)
    labels, state = await presenter.with_faces(match, presenter.labels(match)), presenter.service.state(match)
    picture = await presenter.table_picture(match, state.view(None), labels)
    shown = mark(match, state, await presenter.service.events_of(match)).rest(ended=not match.open)
    fair = fairness.button(match, labels, shown)
    lines = []
    if match.status is Status.PLAYING:
        last = bool(renderer(match.game).last_text(state.view(None), labels))
        lines = [status_line(presenter, match, labels)]
        lines += [*await off_lines(presenter, match, labels), *clock_texts.absence(match, labels)]
        lines += [*people_lines(match, votes, labels), *filter(None, [rated_line(match, labels)])]
        lines += await season_lines(presenter, match, labels)
        rows = (*_rows(match, labels, fair, last), *people_rows(match, votes, labels, presenter.service.now()))
    else:
        told = await _told_elsewhere(presenter, match)
        lines = [result_line(presenter, match, labels)] if told else [status_line(presenter, match, labels)]
        lines += await remembered(presenter, match, labels) if match.rated and not match.tells_end else []
        lines += [waiting_line(match, labels)] if match.waiting else []
        rows = _rows_of_ended(match, labels, fair, told)
    happened = await presenter.happened(match, labels) if match.open else ""
    story = await presenter.latest_round(match, labels) if match.open else None
    round_over = [] if story is None else [await presenter.standing(match, story, labels)]
    said = [happened] if happened else []
    if match.dissolved:
        lines.append(f"-# {await same_deals(presenter, match, labels)}")
    return Content((f"### {presenter.title(match, labels)}", picture, *said, *round_over, "\n".join(lines)), rows)


async def _held(presenter: Presenter, match: Match, votes: Mapping[int, str]) -> Content:
    """Return the table of a held match: nothing in it follows from the position but whose turn it is."""
    labels = presenter.labels(match)
    shown = mark(match, presenter.service.state(match), await presenter.service.events_of(match))
    fair = fairness.button(match, labels, shown.rest(ended=not match.open))
    lines = [
        labels.say("duplicate.players", who=labels.list([in_lists(match, labels).who(c.number) for c in match.chairs]))
    ]
    rows = _rows(match, labels, fair)
    if match.status is Status.PLAYING:
        lines += [status_line(presenter, match, labels), *await off_lines(presenter, match, labels)]
        lines += clock_texts.absence(match, labels)
        lines += [*people_lines(match, votes, labels), *filter(None, [rated_line(match, labels)])]
        rows = (*rows, *people_rows(match, votes, labels, presenter.service.now()))
    else:
        lines.append(labels.say("duplicate.finished"))
    lines.append(f"-# {await same_deals(presenter, match, labels)}")
    return Content((f"### {presenter.title(match, labels)}", "\n".join(lines)), rows)


async def _told_elsewhere(presenter: Presenter, match: Match) -> bool:
    """Return whether a message of its own tells the end, or will."""
    post = (await presenter.service.posts.of(match.id)).the_end
    return post is not None and post.digest != PostState.GIVEN_UP


def quarantined_message(presenter: Presenter, match: Match, fault: Fault) -> Content:
    """Return the table of a match that cannot be played on: the reason alone, as nothing else of it is reliable."""
    labels = Labels((), texts(language(match.locale)))
    return Content((f"## {presenter.title(match, labels)}\n{labels.say(f'refused.{fault.reason}', code=fault.code)}",))


def substitute_notice(presenter: Presenter, match: Match) -> Content | None:
    """Return the notice that a player looks for a substitute, or None. The table offers the seats of computers."""
    labels = presenter.labels(match)
    offered = [chair for chair in match.people if chair.offered] if match.status is Status.PLAYING else []
    row = offer_row(match, offered, labels)
    if not row:
        return None
    who = labels.list([labels.who(chair.number) for chair in offered])
    return Content((labels.say("seat.call", table=presenter.link(match, labels), who=who),), (row,))


def left_behind(match: Match, title: str, labels: Labels) -> Content:
    """Return the message at the place that a table has left: where the table is now."""
    return Content((f"## {title}\n{labels.say('table_moved', place=f'<#{match.place}>')}",))


def status_line(presenter: Presenter, match: Match, labels: Labels) -> str:
    """Return whose turn it is and since when; or how the match ended, with the scores."""
    labels = in_lists(match, labels)
    if not match.open:
        scores = renderer(match.game).score(presenter.service.state(match).view(None), labels)
        return f"{result(presenter, match, labels)}\n{scores}"
    if match.rests_since is not None:
        return labels.say(clock_texts.rest_key(match), since=relative(match.rests_since))
    state = presenter.service.state(match)
    waited = [
        (chair.number, labels.who(chair.number) if chair.user is None else f"<@{chair.user}>")
        for chair in match.chairs
        if Seat(chair.number) in state.to_move()
    ]
    who, since = clock_texts.with_ends(match, waited, labels), relative(match.waits_since)
    key = "turn.waits" if time_control_of(match).kind is ClockKind.NONE else "clock.waits"
    return labels.say(key, who=who, since=since)


async def off_lines(presenter: Presenter, match: Match, labels: Labels) -> list[str]:
    """Return a line for each player whom the match waits for and who has been off, by their `/hours`, since it does. If
    it counted from another instant, a sealed decision that is changed could bring the line, and so be noticed.
    """
    if not match.running:
        return []
    asked, found = presenter.service.state(match).to_move(), list[str]()
    for chair in match.people:
        until = None
        if Seat(chair.number) in asked:
            until = await presenter.service.clocks.quiet_at(match, chair.player, match.waits_since)
        if until is not None:
            found.append(labels.say("clock.off", who=labels.who(chair.number), until=exact(until)))
    return found


def _rows(match: Match, labels: Labels, fair: Button, last: bool = True) -> tuple[Row, ...]:
    """Return the controls of a running match: the five that players need most, and below them the others. A held match
    that has ended keeps them, for its players, but for *Players*. `last`: whether there is something to look back at.
    """
    first = [
        Button(labels.say(f"button.{key}"), Id(match.id, key), "primary" if key == "hand" else "secondary")
        for key in ("hand", "log", "rules", *(("people",) if match.open else ()), "board")
    ]
    past = (Button(labels.say("button.last"), Id(match.id, "last")),) if last else ()
    return tuple(first), (*past, fair)


def _rows_of_ended(match: Match, labels: Labels, fair: Button, told: bool) -> tuple[Row, ...]:
    """Return the controls of an ended match. `told`: *Play again* is in another message."""
    again = () if told else (Button(labels.say("button.again"), Id(match.id, "again"), "success"),)
    return ((*again, replay_button(match, labels), Button(labels.say("button.log"), Id(match.id, "log")), fair),)
