"""The messages of a season: its own message, the standings, and the message that tells its end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cogs.match.seasons import MOST_ENTRANTS
from cogs.match.tournament import Line, standings
from cogs.messages.clock import relative, terms
from cogs.messages.content import LEAST_OF_A_NAME, Button, Content, Id, fitted
from cogs.messages.names import MOST, apart, cut, written
from cogs.messages.presenter import table_link
from data.records.match import Match
from data.records.seasons import Entrant, Season, SeasonStatus, SeasonTable
from rendering.core.labels import Labels
from rules.core.chance import commitment
from rules.core.game import AnyGame

MOST_LINES = 10
"""Lines of the standings in the season's message. The whole standings are behind a button."""
JOIN, LEAVE, START, STANDINGS, STOP, LAST = "join", "leave", "start", "standings", "stop", "last"
REMOVE = "remove"
"""What the buttons of a season do: the first part of their ids' rest; the second is the season's number. LAST is
STANDINGS in the message that tells the end, by which the bot recognises that message. The third part of REMOVE is the
player's user.
"""


def season_id(what: str, season: Season) -> Id:
    """Return the id of a button of that season."""
    return Id(0, "season", rest=f"{what}/{season.id}")


def is_of(offered: Id, season: Season, *, last: bool) -> bool:
    """Return whether only this season's message, or with `last` the one that tells its end, offers this."""
    return offered == season_id(LAST if last else STANDINGS, season)


def season_message(season: Season, game: AnyGame, matches: Mapping[int, Match], labels: Labels) -> Content:
    """Return the season's message. `matches`: those of the round under way, by number."""
    return fitted(lambda longest: _season_message(season, game, matches, _names(season, labels, longest), labels))


def _season_message(
    season: Season, game: AnyGame, matches: Mapping[int, Match], names: Sequence[str], labels: Labels
) -> Content:
    say = labels.say
    if season.status is SeasonStatus.OPEN:
        here = [who for who in season.entrants if not who.removed]
        people = [f"{at} {names[who.number]}" for at, who in enumerate(here, 1)]
        count = say("season.people", count=len(people), most=MOST_ENTRANTS)
        how = f"{say('season.how')} {say(f'season.unfinished.{season.unfinished}')}"
        parts = (_head(season, game, labels), f"{how}\n**{count}**\n{' · '.join(people)}".rstrip())
        buttons = (
            Button(say("season.join"), season_id(JOIN, season), "success"),
            Button(say("season.leave"), season_id(LEAVE, season)),
            Button(say("season.start"), season_id(START, season), "primary"),
            Button(say("season.standings"), season_id(STANDINGS, season)),
        )
        return Content(parts, (buttons,), foot=_fingerprint(season, labels))
    button = Button(say("season.standings"), season_id(STANDINGS, season))
    texts = [_head(season, game, labels), _state(season, names, labels)]
    if season.status is SeasonStatus.PLAYING:
        texts += ["\n".join(_round(season, matches, names, labels))]
    texts += ["\n".join(_lines(season, names, labels, MOST_LINES))] if season.tables else []
    return Content(tuple(texts), ((button,),), foot=proof(season, game, labels))


def last_message(season: Season, game: AnyGame, labels: Labels) -> Content:
    """Return the message that tells the end of a season: the final table, and how to check the draw, if no match of
    its tables goes on.
    """
    button = Button(labels.say("season.standings"), season_id(LAST, season))

    def write(longest: int) -> Content:
        names = _names(season, labels, longest)
        parts = (_head(season, game, labels), _state(season, names, labels), "\n".join(_lines(season, names, labels)))
        return Content(parts, ((button,),), foot=proof(season, game, labels))

    return fitted(write)


def standings_message(season: Season, game: AnyGame, user: int, labels: Labels) -> Content:
    """Return the whole standings for one user."""

    def write(longest: int) -> Content:
        names = _names(season, labels, longest)
        lines = "\n".join(_lines(season, names, labels)) if season.tables else ""
        return Content((f"{_head(season, game, labels)}\n{_state(season, names, labels)}", lines), user=user)

    return fitted(write)


def stop_question(season: Season, user: int, labels: Labels) -> Content:
    """Return the question whether to stop the season."""
    stop = Button(labels.say("season.stop_sure"), season_id(STOP, season), "danger")
    keep = Button(labels.say("season.stop_keep"), season_id(STANDINGS, season))
    return Content((labels.say("season.stop_ask", name=written(season.name)),), ((stop, keep),), user)


def remove_question(season: Season, who: Entrant, asker: int, labels: Labels) -> Content:
    """Return the question whether to take that player out of the season."""
    remove = Button(
        labels.say("season.remove_sure"), Id(0, "season", rest=f"{REMOVE}/{season.id}/{who.user}"), "danger"
    )
    keep = Button(labels.say("season.remove_keep"), season_id(STANDINGS, season))
    asked = labels.say("season.remove_ask", who=_names(season, labels)[who.number], name=written(season.name))
    return Content((asked,), ((remove, keep),), asker)


def proof(season: Season, game: AnyGame, labels: Labels) -> str:
    """Return the figures from which anybody can recompute the draw; as long as a match is dealt from the secret, its
    fingerprint; "" if the season ended before anything was drawn.
    """
    if not season.tells_secret:
        return _fingerprint(season, labels)
    if not season.tables:
        return ""
    sizes = [size for size in game.seats if size > 1]
    restored = f" {labels.say('season.restored', count=season.restores)}" if season.restores else ""
    told = labels.say(
        "season.proof",
        secret=season.secret,
        fingerprint=commitment(season.secret),
        players=len(season.entrants),
        rounds=season.rounds,
        seats=season.seats,
        least=sizes[0],
        most=sizes[-1],
    )
    return f"-# {told}{restored}"


def _head(season: Season, game: AnyGame, labels: Labels) -> str:
    say = labels.say
    facts = [
        f"**{game.title}**",
        say("season.seats", count=season.seats),
        say("season.rounds", count=season.rounds) if season.rounds else say("season.all_meet"),
        say("season.days", count=season.days),
        labels.say("clock.choice", terms=terms(season.clock, labels)),
    ]
    return f"## 🏆 {written(season.name)}\n{' · '.join(facts)}"


def _state(season: Season, names: Sequence[str], labels: Labels) -> str:
    say = labels.say
    if season.status is SeasonStatus.OPEN:
        return say("season.open")
    if season.status is SeasonStatus.PLAYING:
        ends = relative(season.round_ends or 0)
        return f"### {say('season.round', number=season.round, count=season.rounds, ends=ends)}"
    if season.status is SeasonStatus.STOPPED:
        return f"### {say('season.stopped')}"
    first = standings(season)[0]
    if not first.points:
        return f"### {say('season.over_without_winner')}"
    return f"### {say('season.over', name=names[first.entrant.number])}"


def _round(season: Season, matches: Mapping[int, Match], names: Sequence[str], labels: Labels) -> list[str]:
    """Return a line for each table of the round under way, and who has it off."""
    tables = season.in_round(season.round)
    lines = [_table(table, matches, names, labels) for table in tables]
    seated = {place for table in tables for place in table.places}
    if off := [names[who.number] for who in season.entrants if who.number not in seated]:
        lines.append(labels.say("season.off", who=labels.list(off)))
    return lines


def _table(table: SeasonTable, matches: Mapping[int, Match], names: Sequence[str], labels: Labels) -> str:
    say, match = labels.say, None if table.match is None else matches.get(table.match)
    title = say("season.table", number=table.number + 1)
    title = title if match is None else f"[{title}]({table_link(match)})"
    people = " – ".join(names[place] for place in table.places)
    if table.points:
        end = say("season.won", who=labels.list([names[place] for place in table.winners]))
        how = end if table.winners else say("season.no_winner")
    elif table.points is not None:
        how = say("season.void")
    else:
        how = "" if table.match is not None else say("season.waits")
    return f"• {title}: {people}{f' · {how}' if how else ''}"


def _lines(season: Season, names: Sequence[str], labels: Labels, most: int | None = None) -> list[str]:
    """Return the standings, a line for each player; with `most`, the first ones only."""
    found = standings(season)
    lines = [f"-# {labels.say('season.legend')}"]
    lines += [f"{at}. {_line(line, names[line.entrant.number], labels)}" for at, line in enumerate(found[:most], 1)]
    left = len(found) + 1 - len(lines)
    return [*lines, f"-# {labels.say('season.more', count=left)}"] if left else lines


def _line(line: Line, name: str, labels: Labels) -> str:
    number = line.entrant.number + 1
    if line.entrant.removed:
        return labels.say("season.removed", name=name, number=number)
    return f"{name} ({number}) · **{_points(line.points)}** · {line.wins} · {line.tables}"


def _points(doubled: int) -> str:
    """Return points, of which twice as many are given.

    >>> _points(9), _points(1), _points(4)
    ('4½', '½', '2')
    """
    whole, half = divmod(doubled, 2)
    return f"{whole or ('' if half else 0)}{'½' if half else ''}"


def _names(season: Season, labels: Labels, longest: int = MOST) -> list[str]:
    """Return the entrants' names by number: those that look alike bear it, and a mention if names are not cut to the
    least.
    """
    known = [labels.say("departed") if who.user is None else cut(who.name, longest) for who in season.entrants]
    return [
        written(name) + (f" (<@{who.user}>)" if who.user and name != plain and longest > LEAST_OF_A_NAME else "")
        for who, name, plain in zip(season.entrants, apart(known), known, strict=True)
    ]


def _fingerprint(season: Season, labels: Labels) -> str:
    return f"-# {labels.say('season.fingerprint', fingerprint=commitment(season.secret))}"
