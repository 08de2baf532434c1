"""The messages of a lobby: the lobby itself, and what remains when it is closed. The private pages behind *More …* are
in lobby_options.py.

The lobby has only the choices that differ from the default, in one line (`differing`), and a line for each switch that
is on (`switched`); a running match tells all of them with its scores (`settings_line`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cogs.match.membership import IDLE_LOBBY
from cogs.match.rated import Uncounted, uncounted, why_uncounted
from cogs.match.seating import EASIEST, level_for
from cogs.messages import clock as clockface
from cogs.messages.content import Button, Content, Id, Picture, fitted, relative
from cogs.messages.door import guest_lines, level_word, start_hint, team_word
from cogs.messages.drawing import picture
from cogs.messages.duplicates import same_deals
from cogs.messages.players import waiting_line
from cogs.messages.presenter import Presenter
from data.content.texts import language, texts
from data.records.match import Chair, Match, Status
from data.records.people import Person, PingPreference
from data.records.terms import SWITCHES
from rendering import Renderer
from rendering.core.labels import Labels
from rules import LESSONS
from rules.core.game import AnyGame, Option

_AT_THE_TABLE = (PingPreference.MENTION, PingPreference.NONE)
"""The pings of players who look at their hands at the table."""
_WHY = {"too_few", "options_do_not_fit", "late"}
"""The reasons of a missed start that have a sentence of their own."""


async def open_lobby(presenter: Presenter, match: Match, people: Mapping[int, Person]) -> Content:
    """Return the lobby of a match that has not begun. `people`: those who sit there, by user."""
    presenter.drawing.prewarm(match.game)
    labels = await presenter.with_faces(match, presenter.labels(match))
    game, options = presenter.service.game(match), presenter.lobbies.options(match)
    seats = match.wanted or game.seats[-1]
    cover = await presenter.drawing.picture(picture(match.game, Renderer.cover, labels, seats))
    teams = bool(presenter.lobbies.teams(match))
    why = await uncounted(presenter.service.index, match, int(presenter.service.now())) if match.rated else None
    if why is Uncounted.ALONE and len(match.chairs) < (match.wanted or game.seats[0]):
        why = None  # the lobby waits for more players anyway
    duplicate, learn = await same_deals(presenter, match, labels), await learn_button(presenter, match, labels)
    return lobby_message(
        match, game, options, people, labels, cover, teams=teams, uncounted=why, same_deals=duplicate, learn=learn
    )


async def learn_button(presenter: Presenter, match: Match, labels: Labels) -> tuple[Button, ...]:
    """Return the button that begins the game's lesson, as long as a player at the table has finished no match of it."""
    if match.game not in LESSONS:
        return ()
    players = [chair.player for chair in match.people]
    if await level_for(presenter.service.index, match.game, players) != EASIEST:
        return ()
    return (Button(labels.say("lesson.learn"), Id(0, "learn", rest=match.game)),)


def lobby_message(
    match: Match,
    game: AnyGame,
    options: Sequence[Option],
    people: Mapping[int, Person],
    labels: Labels,
    cover: bytes,
    *,
    teams: bool = False,
    uncounted: str | None = None,
    same_deals: str = "",
    learn: tuple[Button, ...] = (),
) -> Content:
    """Return the lobby of a match that has not begun, short enough for the screen of a phone: all that is chosen rarely
    is behind *More …*. `cover`: the game's picture, a PNG. `teams`: whether it is played in teams.
    `uncounted`: why its match will not count for the ratings, if its table is rated. `same_deals`: the line about
    its duplicates. `learn`: the button of the game's lesson, if it is offered.
    """
    say = labels.say
    most = match.wanted or game.seats[-1]
    seated = [_lobby_line(chair, match, people, labels, teams) for chair in match.chairs]
    least, count = match.wanted or game.seats[0], len(match.chairs)
    hints = start_lines(match, labels)
    if count < least:
        hints.append(say("lobby.waiting", count=least - count))
    elif all(fits(match, option) for option in options):  # otherwise it is told below which choice holds up the start
        hints.append(start_hint(match, labels, full=count >= most))
    hint = "\n".join(hints)
    below = (same_deals, hint, *switched(match, uncounted, labels), differing(match, game, options, labels))
    rows = (
        (
            Button(say("lobby.wait" if count >= most else "lobby.join"), Id(match.id, "join"), "success"),
            Button(say("lobby.leave"), Id(match.id, "leave")),
            Button(say("lobby.start"), Id(match.id, "start"), "primary" if count >= least else "secondary"),
        ),
        (
            Button(say("lobby.add"), Id(match.id, "add"), disabled=count >= most),
            Button(say("lobby.more"), Id(match.id, "more")),
            Button(say("lobby.rules"), Id(match.id, "rules")),
            *learn,
        ),
    )

    def write(longest: int) -> Content:
        waiting = [waiting_line(match, labels, longest)] if match.waiting else []
        lines = [*seated, *guest_lines(match, labels, longest), *waiting]
        parts = (
            f"## {say('table', game=game.title, number=match.id)}",
            Picture("cover.png", cover, f"{say('game.tagline')}. {say('game.cover')}"),
            f"**{say('lobby.players', count=count, most=most)}**\n" + "\n".join(lines),
            "\n".join(filter(None, below)),
        )
        return Content(parts, rows)

    return fitted(write)


def closed_message(presenter: Presenter, match: Match) -> Content:
    """Return what remains of a lobby that was cancelled, or of one whose table has moved to its own thread."""
    game, labels = presenter.service.game(match), presenter.labels(match)
    head = f"## {labels.say('table', game=game.title, number=match.id)}"
    if match.status is Status.CANCELLED:
        idle = match.ended_at is not None and match.ended_at - match.touched_at >= IDLE_LOBBY
        why = "away" if match.ending == "away" else "expired" if idle else "cancelled"
        return Content((f"{head}\n{labels.say(f'lobby.{why}', days=IDLE_LOBBY // 86400)}",))
    return Content((f"{head}\n{labels.say('lobby.moved', place=f'<#{match.place}>')}",))


def _lobby_line(chair: Chair, match: Match, people: Mapping[int, Person], labels: Labels, teams: bool) -> str:
    team = team_word(chair.team, labels) if teams else ""
    if chair.user is None:
        level = level_word(match, chair.number, labels)
        return labels.say("lobby.computer", name=labels.who(chair.number), level=level) + team
    person, told = people.get(chair.user), [f"• {labels.who(chair.number)}{team}"]
    if chair.user == match.host:
        told.append(labels.say("lobby.host"))
    # The others get their hands by direct message, as a player does who has chosen nothing.
    if person is not None and (person.dm_works is False or (chair.ping or person.ping) in _AT_THE_TABLE):
        told.append(labels.say("lobby.dm_closed"))
    return " · ".join(told)


def start_lines(match: Match, labels: Labels) -> list[str]:
    """Return the line about a lobby's start time, or about the one that it has missed; none if it has neither."""
    if match.starts_at is not None:
        return [labels.say("start.at", time=f"<t:{match.starts_at}:F>", in_time=relative(match.starts_at))]
    if match.missed_start is not None:
        why = match.missed_start.why if match.missed_start.why in _WHY else "other"
        return [labels.say(f"start.missed_{why}", time=f"<t:{match.missed_start.at}:F>")]
    return []


def differing(match: Match, game: AnyGame, options: Sequence[Option], labels: Labels) -> str:
    """Return the choices of a lobby that differ from the default, in one line; "" if there are none."""
    say, found = labels.say, list[str]()
    if match.wanted is not None and len(game.seats) > 1:
        found.append(say("lobby.seats", count=match.wanted))
    for option in options:
        chosen = match.options.get(option.name, option.default)
        if not fits(match, option):
            found.append(misfit(option, chosen, labels))
        elif chosen != option.default:
            found.append(named(option, chosen, labels))
    if match.clock != "none":
        found.append(clockface.chosen(match, labels))
    if match.own_thread:
        found.append(say("lobby.in_thread"))
    if match.server_locale is not None:
        found.append(say("lobby.language", language=spoken(language(match.locale))))
    if match.hints is match.rated:  # a rated match has none unless its players say so
        found.append(say("lobby.with_hints" if match.hints else "lobby.no_hints"))
    return " · ".join(found)


def fits(match: Match, option: Option) -> bool:
    """Return whether what is chosen in a lobby is among the values that this option has there."""
    chosen = match.options.get(option.name, option.default)
    return any(chosen == offered and type(chosen) is type(offered) for offered in option.values)


def switched(match: Match, uncounted: str | None, labels: Labels) -> list[str]:
    """Return a line for each switch of a lobby that is on. `uncounted`: why its match will not count, if rated."""
    lines = {name: labels.say(f"{name}.line") for name in SWITCHES if match.chosen[name]}
    if uncounted is not None:
        lines["rated"] = uncounted_line(uncounted, labels)
    return list(lines.values())


def uncounted_line(why: str | None, labels: Labels, *, begun: bool = False) -> str:
    """Return the line that a rated table's match will not count, or does not once it has `begun`, and why, a value of
    `Uncounted`; "" if it does.
    """
    if why is None:
        return ""
    key = "rated.not_counted" if begun else "rated.uncounted"
    return labels.say(key, why=labels.say(f"rated.{why}"))


def rated_line(match: Match, labels: Labels) -> str:
    """Return the line that a running match is rated, or why it does not count; "" if its table is friendly."""
    if not match.rated:
        return ""
    return uncounted_line(why_uncounted(match), labels, begun=True) or labels.say("rated.counts")


def settings_line(match: Match, game: AnyGame, labels: Labels) -> str:
    """Return with what a match is played: each option, the time limit, and each switch that is on, in one line."""
    found = [
        named(option, match.options.get(option.name, option.default), labels)
        for option in game.options(len(match.chairs), match.options)
    ]
    found.append(labels.say("clock.choice", terms=clockface.terms(match.clock, labels)))
    found += [labels.say(f"{name}.chosen") for name in SWITCHES if match.chosen[name]]
    return " · ".join(found)


def spoken(code: str) -> str:
    """Return the name of a language in that language."""
    return texts(code)["language.name"]


def misfit(option: Option, value: Any, labels: Labels) -> str:
    """Return the sentence that the chosen value does not fit the number of players."""
    name = labels.say(f"option.{option.name}.label")
    return labels.say("lobby.does_not_fit", option=name, value=option_word(labels, option.name, value))


def named(option: Option, value: Any, labels: Labels) -> str:
    """Return an option's name with one of its values: "Teams: 2 against 2"."""
    name = labels.say(f"option.{option.name}.label")
    return labels.say("pair", name=name, value=option_word(labels, option.name, value))


def option_word(labels: Labels, name: str, value: Any) -> str:
    """Return an option's value in words: its own text if there is one, "yes" or "no", else the value itself."""
    own = labels.texts.get(f"option.{name}.value.{str(value).lower()}")
    if own is not None:
        return own
    if isinstance(value, bool):
        return labels.say("yes" if value else "no")
    return str(value)
