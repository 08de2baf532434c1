"""The lobby of a match that its player plays alone: in one message, as the hand that it becomes, with all choices."""

from __future__ import annotations

from dataclasses import replace

from cogs.match.lobby import COUNT
from cogs.messages import fairness
from cogs.messages.content import Button, Content, Id, Picture, Row, SelectOption, in_rows
from cogs.messages.drawing import picture
from cogs.messages.lobby import closed_message, learn_button
from cogs.messages.lobby_options import level_select, option_select, select
from cogs.messages.presenter import Presenter
from data.records.match import Match
from data.records.people import Person
from rendering import Renderer
from rendering.core.labels import Labels


async def lobby_alone(
    presenter: Presenter, match: Match, person: Person, notice: str = "", passing: tuple[Button, ...] = ()
) -> Content:
    """Return what the player's hand shows before the match begins: its lobby, or what remains of it."""
    if not match.open:
        return replace(closed_message(presenter, match), user=person.user)
    labels = presenter.labels_for(match, person)
    say, game = labels.say, presenter.service.game(match)
    cover = await presenter.drawing.picture(picture(match.game, Renderer.cover, labels, game.seats[-1]))
    buttons = [
        Button(say("lobby.start"), Id(match.id, "start"), "primary"),
        Button(say("lobby.rules"), Id(match.id, "rules")),
        *await learn_button(presenter, match, labels),
        Button(say("lobby.cancel"), Id(match.id, "cancel", rest="sure")),
        Button(say("lobby.more"), Id(match.id, "lookups"), closes=bool(passing)),
    ]
    return Content(
        (
            f"## {presenter.title(match, labels)}",
            Picture("cover.png", cover, f"{say('game.tagline')}. {say('game.cover')}"),
            say("alone.lobby"),
        ),
        (*_selects(presenter, match, labels), *in_rows(buttons)),
        person.user,
        notice,
        passing,
    )


def lobby_lookups(presenter: Presenter, match: Match, labels: Labels) -> tuple[Button, ...]:
    """Return what *More …* adds to such a lobby: the cut of the deck, and how the deal is kept fair."""
    cuts = fairness.cut_buttons(match, presenter.service.game(match), labels)
    return (*cuts, fairness.button(match, labels))


def _selects(presenter: Presenter, match: Match, labels: Labels) -> list[Row]:
    """Return the selects of a lobby: how many computers play, how well, and the options of the game."""
    game, now = presenter.service.game(match), len(match.chairs) - 1
    counts = tuple(
        SelectOption(_computers(seats - 1, labels), str(seats - 1), chosen=seats - 1 == now) for seats in game.seats
    )
    rows: list[Row] = [select(match, COUNT, "", counts)] if len(counts) > 1 else []
    rows += [level_select(match, labels)] if now else []
    return rows + [option_select(match, option, labels) for option in presenter.lobbies.options(match)]


def _computers(count: int, labels: Labels) -> str:
    return labels.count("computers", count) if count else labels.say("alone.none")
