"""The messages that everyone at a table sees: the lobby, the table, its quarantine, the notice for substitutes."""

from __future__ import annotations

from collections.abc import Mapping

from cogs.match.quarantine import Fault
from cogs.match.restored import mark
from cogs.messages import clock as clock_texts
from cogs.messages import fairness
from cogs.messages.content import Button, Content, Id, Row
from cogs.messages.lobby import lobby_message
from cogs.messages.players import offer_row, people_lines, people_rows, waiting_line
from cogs.messages.presenter import Presenter
from data.content.texts import language, texts
from data.records.match import Match, Status
from data.records.people import Person
from rendering import renderer
from rendering.core.labels import Labels
from rules.core.game import Seat


async def open_lobby(presenter: Presenter, match: Match, people: Mapping[int, Person]) -> Content:
    """Return the lobby of a match that has not begun. `people`: those who sit there, by user."""
    presenter.drawing.prewarm(match.game)
    labels, game, options = presenter.labels(match), presenter.service.game(match), presenter.lobbies.options(match)
    drawn, spoken = renderer(match.game), language(match.locale)
    cover = await presenter.drawing.picture(("cover", match.game, spoken), lambda: drawn.cover(labels))
    teams = bool(presenter.lobbies.teams(match))
    return lobby_message(match, game, options, people, labels, cover, teams=teams)


async def table_message(presenter: Presenter, match: Match, votes: Mapping[int, str]) -> Content:
    """Return the table as everyone may see it: what just happened, whose turn it is, which players are absent, what
    the players vote on, and which seats can be taken over.
    """
    presenter.drawing.prewarm(match.game)
    labels, state = presenter.labels(match), presenter.service.state(match)
    picture = await presenter.picture("table.png", match.game, state.view(None), labels, match.locale)
    happened = await presenter.happened(match, labels)
    head = "\n".join(filter(None, (f"## {presenter.title(match, labels)}", happened)))
    status, rows = status_line(presenter, match, labels), _rows(match, labels)
    if match.status is Status.PLAYING:
        status = "\n".join([status, *clock_texts.absence(match, labels), *people_lines(match, votes, labels)])
        rows += people_rows(match, votes, labels)
    else:
        waiting = waiting_line(match, labels) if match.waiting else ""
        status = "\n".join(filter(None, (status, fairness.cut_with(match, labels), waiting)))
    shown = mark(match, state, await presenter.service.events_of(match))
    return Content((head, picture, status), rows, foot=f"-# {labels.say('mark', mark=shown)}")


def quarantined_message(presenter: Presenter, match: Match, fault: Fault) -> Content:
    """Return the table of a match that cannot be played on: the reason alone, as nothing else of it is reliable."""
    labels = Labels((), texts(language(match.locale)))
    return Content((f"## {presenter.title(match, labels)}\n{labels.say(f'refused.{fault.reason}', code=fault.code)}",))


def substitute_notice(presenter: Presenter, match: Match) -> Content | None:
    """Return the notice that a player looks for a substitute; None if no player does. The table's own message offers
    the seats that computers play.
    """
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
    """Return whose turn it is and since when; or how the match ended, with the secret."""
    say = labels.say
    if match.status is Status.CANCELLED:
        return say("end.cancelled")
    game = presenter.service.game(match)
    if match.status is Status.STOPPED:
        return f"{say(f'end.{match.ending}')}\n{fairness.opened(match, game, labels)}".rstrip()
    state = presenter.service.state(match)
    outcome = state.outcome()
    if outcome is not None:
        winners = labels.list([labels.who(seat) for seat in sorted(outcome.winners)])
        key = "end.won" if outcome.winners else "end.nobody"
        return (
            f"### {say(key, winners=winners)}\n{_sentence(say(f'outcome.{outcome.reason}'))}\n"
            f"{renderer(match.game).score(state.view(None), labels)}\n"
            f"{fairness.opened(match, game, labels)}"
        ).rstrip()
    waited = [
        clock_texts.with_end(
            match, chair.number, labels.who(chair.number) if chair.user is None else f"<@{chair.user}>", labels
        )
        for chair in match.chairs
        if Seat(chair.number) in state.to_move()
    ]
    turn = say(clock_texts.turn_key(match, "waits"), who=labels.list(waited), since=clock_texts.waited_since(match))
    if match.rests_since is not None:
        turn = say(clock_texts.rest_key(match), since=clock_texts.relative(match.rests_since))
    # Until the first move the status ends with the commitment and the cuts, so that everyone can note them.
    return turn if match.moves else f"{turn}\n{fairness.promise(match, game, labels)}".rstrip()


def _rows(match: Match, labels: Labels) -> tuple[Row, ...]:
    say = labels.say
    if match.status in (Status.CANCELLED, Status.STOPPED, Status.OVER):
        return (
            (
                Button(say("button.log"), Id(match.id, "log")),
                Button(say("button.verify"), Id(match.id, "verify")),
                Button(say("button.again"), Id(match.id, "again"), "success"),
            ),
        )
    return (
        (
            Button(say("button.hand"), Id(match.id, "hand"), "primary"),
            Button(say("button.board"), Id(match.id, "board")),
            Button(say("button.last"), Id(match.id, "last")),
            Button(say("button.rules"), Id(match.id, "rules")),
            Button(say("button.log"), Id(match.id, "log")),
        ),
    )


def _sentence(text: str) -> str:
    """Return the text with a capital letter: elsewhere it follows a colon, here it has a line of its own."""
    return text[:1].upper() + text[1:]
