"""What a user chooses from: the games in lines, with their players, time and weight; the tables that a command may
mean; and the move that the bot makes at their next decision if it fits then, which they name ahead, and only they see.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from cogs.match.automatic_moves import may_name
from cogs.messages.content import Button, Content, Id, Row, Select, SelectOption, prompt_rows, value_of
from cogs.messages.presenter import Presenter
from data.content.texts import language, texts
from data.records.match import Match
from data.records.people import Person
from rendering import renderer
from rendering.core.formatting import shortened
from rendering.core.labels import Labels
from rules.core.game import AnyGame, Seat

LONGEST, LONGEST_BUTTON = 100, 80
"""Discord's limits of a choice's name and a button's label."""
MOST_BUTTONS, WIDTH = 10, 5
"""At most that many tables are buttons, so many in a row; more are the options of a select."""
MOST_OPTIONS = 25
"""Discord's limit of options in a select."""
AHEAD, WITHDRAW = "ahead_set", "withdraw"
"""The action of a step on the way to the move, and the rest of the id that withdraws it."""


def game_line(game: AnyGame, found: Mapping[str, str]) -> str:
    """Return "Full Circle · 👥 2–4 · 15–30 min · easy", by the game's texts; what a game does not say is left out.

    The keys are `game.minutes` and `game.weight` in the game's own file.
    """
    fewest, most = game.seats[0], game.seats[-1]
    parts = [found["game.title"]]
    parts.append(found["game_list.players" if fewest < most else "game_list.seats"].format(least=fewest, most=most))
    if "game.minutes" in found:
        parts.append(found["game_list.minutes"].format(minutes=found["game.minutes"]))
    if "game.weight" in found:
        parts.append(found["game.weight"])
    return " · ".join(parts)[:LONGEST]


def welcome_message(locale: str, user: int | None = None) -> Content:
    """Return what a newcomer to the bot needs first: `/help` or, if `user` is None, the bot's greeting of a server."""
    found = texts(language(locale))
    first = (
        Button(found["welcome.play"], Id(0, "help", rest="play"), "primary"),
        Button(found["welcome.learn"], Id(0, "help", rest="learn")),
        Button(found["welcome.rules"], Id(0, "help", rest="rules")),
    )
    more = (
        Button(found["game_list.button"], Id(0, "help", rest="games")),
        Button(found["welcome.commands"], Id(0, "help", rest="commands")),
    )
    return Content((found["welcome.text"].strip(),), (first, more), user)


def command_list(games: Mapping[str, AnyGame], user: int, locale: str) -> Content:
    """Return all commands, with what they do."""
    found = texts(language(locale))
    titles = ", ".join(texts(language(locale), slug)["game.title"] for slug in games)
    return Content((found["help"].format(games=titles).strip(),), user=user)


def which_game(
    games: Mapping[str, AnyGame], user: int, locale: str, *, here: bool, first: str | None = None
) -> Content:
    """Return the question which game to play: at a table `here`, in a channel, or alone. `first`: the first game."""
    found = texts(language(locale))
    order = {slug: games[slug] for slug in sorted(games, key=lambda slug: slug != first)}
    alone = _game_select(order, "table" if not here else "open", found["which_game.alone"], locale)
    rows = (_game_select(order, "table", found["which_game.here"], locale), alone) if here else (alone,)
    return Content((found["which_game.ask"],), rows, user)


def lessons_or_rules(games: Mapping[str, AnyGame], action: str, user: int, locale: str) -> Content:
    """Return the question which of these games to learn ("learn"), or whose rules to read ("rulebook")."""
    hint = texts(language(locale))["door.pick_game"]
    return Content((hint,), (_game_select(games, action, hint, locale),), user)


def _game_select(games: Mapping[str, AnyGame], action: str, hint: str, locale: str) -> Select:
    """Return a select of these games. Each entry does what a button of that action does for its game."""
    entries = []
    for slug, game in games.items():
        own = texts(language(locale), slug)
        about = game_line(game, own).partition(" · ")[2]
        entries.append(SelectOption(own["game.title"], str(Id(0, action, rest=slug)), about))
    return Select(Id(0, "at", rest=action), hint, tuple(entries))


def list_of_games(games: Mapping[str, AnyGame], user: int, locale: str) -> Content:
    """Return the games, each with its line and its tagline."""
    found = texts(language(locale))
    lines = [f"### {found['game_list.button']}"]
    for slug, game in games.items():
        own = texts(language(locale), slug)
        lines.append(f"**{game_line(game, own)}**\n{own['game.tagline']}")
    return Content(("\n".join(lines),), user=user)


def which_table(tables: Sequence[tuple[str, Id]], user: int, labels: Labels) -> Content:
    """Return the question which table a command means: a button for each, or a select if there are many. Each does what
    the command would have done at that table. `tables`: the title of each and the id of the button that does so there.
    """
    say, rows = labels.say, list[Row]()
    if len(tables) <= MOST_BUTTONS:
        buttons = [Button(shortened(title, LONGEST_BUTTON), found) for title, found in tables]
        rows += [tuple(buttons[at : at + WIDTH]) for at in range(0, len(buttons), WIDTH)]
    else:
        entries = tuple(SelectOption(shortened(title, LONGEST), str(found)) for title, found in tables[:MOST_OPTIONS])
        rows.append(Select(Id(0, "at"), say("which_table.hint"), entries))
    key = "ask" if len(tables) <= MOST_OPTIONS else "ask_of_many"
    return Content((say(f"which_table.{key}", count=MOST_OPTIONS),), tuple(rows), user)


def ahead_message(presenter: Presenter, match: Match, person: Person, seat: Seat, path: Sequence[str] = ()) -> Content:
    """Return the question which move to name, the one that is named now, and a button that withdraws it. `path`: the
    steps made so far in a choice of several steps.
    """
    labels, state = presenter.labels_for(match, person), presenter.service.state(match)
    moves, turn, rows = may_name(presenter.service, match, seat), presenter.service.turn(match, seat), list[Row]()
    told = [f"### {presenter.link(match, labels)}"]
    if match.chairs[seat].ahead is not None:
        told.append(ahead_line(presenter, match, seat, labels))
        rows.append((Button(labels.say("ahead.withdraw"), Id(match.id, AHEAD, turn, WITHDRAW)),))
    if moves:
        prompt = renderer(match.game).question(state.view(seat), moves, tuple(path), labels)
        told.append(labels.say("ahead.ask"))
        controls = [
            _named(row, match.id, turn) for row in prompt_rows(prompt, match.id, turn, labels.say("prompt.choose"))
        ]
        rows = [*presenter.signs.on(controls, match.game, labels, seat), *rows]
    return Content(("\n".join(told),), tuple(rows), person.user)


def ahead_line(presenter: Presenter, match: Match, seat: Seat, labels: Labels) -> str:
    """Return the sentence about the move that the player has named. If they are to move, the bot makes it in a moment,
    or it does not fit.
    """
    text, state = match.chairs[seat].ahead, presenter.service.state(match)
    assert text is not None
    move = presenter.service.game(match).parse(seat, text)
    label = renderer(match.game).move_label(state.view(seat), move, labels)
    key = "now" if move in state.legal_moves(seat) else "misfit"
    return labels.say(f"ahead.{key if seat in state.to_move() else 'named'}", move=label)


def _named(row: Row, match: int, turn: str) -> Row:
    """Return a row of moves and steps whose controls name a move ahead and make none."""
    if isinstance(row, Select):
        return replace(row, id=Id(match, AHEAD, turn))
    assert isinstance(row, tuple)
    return tuple(
        replace(button, id=Id(match, AHEAD, turn, value_of(button.id))) for button in row if button.id is not None
    )
