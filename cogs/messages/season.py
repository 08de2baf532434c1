"""The messages of a season: its own message, the standings, the message that tells its end, and how its draw is kept
fair. Their picture is that of a match of its game: the cover, then how the players stand, at the end who has won.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime

from cogs.match.seasons import MOST_ENTRANTS
from cogs.match.tournament import Line, courses, standings
from cogs.messages.clock import span, terms
from cogs.messages.content import LEAST_OF_A_NAME, Button, Content, Id, Picture, fitted, relative
from cogs.messages.drawing import picture
from cogs.messages.names import MOST, apart, cut, isolated, written
from cogs.messages.presenter import Presenter, table_link
from data.content.texts import language, texts
from data.records.match import Match
from data.records.seasons import Entrant, Season, SeasonStatus, SeasonTable
from rendering import Renderer
from rendering.core.labels import Labels
from rendering.core.story import MOST_PLACES, Place, Story, describe_round, describe_story
from rules.core.chance import commitment
from rules.core.game import AnyGame

MOST_LINES = 10
"""Lines of the standings in the season's message. The whole standings are behind a button."""
JOIN, LEAVE, START, STANDINGS, STOP, LAST, FAIR = "join", "leave", "start", "standings", "stop", "last", "fair"
ASK_START = "ask_start"
ROUND = "round"
FEWEST = 2
"""The fewest players whose standings are drawn."""
REMOVE = "remove"
"""What the buttons of a season do: the first part of their ids' rest; the second is the season's number. LAST and ROUND
are STANDINGS in the messages that tell the end of the season or of a round, by which the bot recognises them. The third
part of ROUND is that round, and of REMOVE the player's user.
"""


async def season_lines(presenter: Presenter, match: Match, labels: Labels, *, over: bool = False) -> list[str]:
    """Return the line at the table of a season: which it is, or that its round is over and the match counts no longer.
    With `over` the latter alone. None for other matches.
    """
    found = await presenter.seasons.of_match(match.id) if match.season and presenter.seasons is not None else None
    if found is None:
        return []
    season, table = found
    counts = table.points is None and season.going_on
    key = "season.at_table" if counts else "season.table_over"
    return [] if counts and over else [labels.say(key, name=written(season.name), number=table.round)]


def season_id(what: str, season: Season) -> Id:
    """Return the id of a button of that season."""
    return Id(0, "season", rest=f"{what}/{season.id}")


def standings_id(season: Season, *, tells: bool) -> Id:
    """Return the id of *Standings*: what only this season's message offers, or with `tells` only the one that tells the
    end of the last round, and of the season once that has ended.
    """
    if tells and season.going_on:
        return Id(0, "season", rest=f"{ROUND}/{season.id}/{season.ended_round}")
    return season_id(LAST if tells else STANDINGS, season)


async def season_picture(presenter: Presenter, season: Season, locale: str) -> Picture:
    """Return how the season stands, in that language: its first players, or the game's cover before it has a result."""
    game, found = presenter.service.games[season.game], courses(season)
    labels = Labels((), texts(language(locale), season.game))
    if len(found) < FEWEST or len(found[0]) == 1:
        cover = await presenter.drawing.picture(picture(season.game, Renderer.cover, labels, game.seats[-1]))
        return Picture("cover.png", cover, f"{labels.say('game.tagline')}. {labels.say('game.cover')}")
    lines = standings(season)[: min(MOST_PLACES, game.seats[-1])]  # the game has figures for no more
    names = apart([labels.say("departed") if who.user is None else who.name for who in season.entrants])
    labels = replace(
        labels,
        names=tuple(isolated(names[line.entrant.number]) for line in lines),
        faces=tuple([await presenter.face(line.entrant.user or 0) for line in lines]),
    )
    own = [found[line.entrant.number] for line in lines]
    ended = datetime.fromtimestamp(season.ended_at, UTC) if season.ended_at else None
    story = Story(
        places=tuple(
            Place(
                (at,),
                at + 1,
                won=at == 0 and line.points > 0,
                score=_said(line.points, labels),
                course=tuple(points / 2 for points in course),
            )
            for at, (line, course) in enumerate(zip(lines, own, strict=True))
        ),
        reason="",
        honours=(),
        rounds=labels.count("season_rounds", len(own[0]) - 1),
        date=labels.date(ended) if ended else "",
        short_date=labels.short_date(ended) if ended else "",
        goal=max(1, *(-(-line.points // 2) for line in lines)),
    )
    if season.status is SeasonStatus.OVER and lines[0].points:
        png = await presenter.drawing.picture(picture(season.game, Renderer.draw_story, story, labels))
        return Picture("end.png", png, describe_story(story, labels))
    png = await presenter.drawing.picture(picture(season.game, Renderer.draw_round, story, labels))
    return Picture("round.png", png, describe_round(story, labels))


def season_message(
    season: Season, game: AnyGame, matches: Mapping[int, Match], labels: Labels, shown: Picture
) -> Content:
    """Return the season's message. `matches`: those of the round under way, by number; `shown`: its picture."""
    return fitted(
        lambda longest: _season_message(season, game, matches, _names(season, labels, longest), labels, shown)
    )


def _season_message(
    season: Season,
    game: AnyGame,
    matches: Mapping[int, Match],
    names: Mapping[int, str],
    labels: Labels,
    shown: Picture,
) -> Content:
    say, fair = labels.say, Button(labels.say("button.fair"), season_id(FAIR, season))
    if season.status is SeasonStatus.OPEN:
        people = [f"**{names[who.number]}**" for who in season.entrants if not who.removed]
        count = say("season.people", count=len(people), most=MOST_ENTRANTS)
        how = f"{say('season.how')} {say(f'season.unfinished.{season.unfinished}')}"
        parts = (_head(season, game, labels), shown, f"{how}\n**{count}**\n{' · '.join(people)}".rstrip())
        buttons = (
            Button(say("season.join"), season_id(JOIN, season), "success"),
            Button(say("season.leave"), season_id(LEAVE, season)),
            Button(
                say("season.start"),
                season_id(ASK_START, season),
                "primary" if len(people) >= season.seats else "secondary",
            ),
            Button(say("season.standings"), standings_id(season, tells=False)),
            fair,
        )
        return Content(parts, (buttons,))
    button = Button(say("season.standings"), standings_id(season, tells=False))
    above = [_head(season, game, labels), _state(season, names, labels)]
    if season.status is SeasonStatus.PLAYING:
        above += ["\n".join(_round(season, season.round, matches, names, labels))]
    below = ["\n".join(_lines(season, names, labels, MOST_LINES))] if season.tables else []
    return Content((*above, shown, *below), ((button, fair),))


def last_message(season: Season, game: AnyGame, labels: Labels, shown: Picture) -> Content:
    """Return the message that tells the end of a season, with its picture, the final table, and who was not there any
    more; or, while it goes on, the end of its last round: who leads and by how much, and when the next one ends.
    """
    standing = Button(labels.say("season.standings"), standings_id(season, tells=True))
    fair = Button(labels.say("button.fair"), season_id(FAIR, season))

    def write(longest: int) -> Content:
        names = _names(season, labels, longest)
        if season.going_on:
            head = f"## 🏆 {written(season.name)}\n### {_ended(season, labels)}"
            lead = f"{_lead(season, names, labels)}\n{_next(season, labels)}"
            tables = "\n".join(_round(season, season.ended_round, {}, names, labels))
            return Content((head, lead, shown, tables), ((standing,),))
        lines = "\n".join([*_lines(season, names, labels), f"-# {_stayed(season, names, labels)}"])
        return Content((_head(season, game, labels), _state(season, names, labels), shown, lines), ((standing, fair),))

    return fitted(write)


def _ended(season: Season, labels: Labels) -> str:
    return labels.say("season.round_over", number=season.ended_round, count=season.rounds)


def _lead(season: Season, names: Mapping[int, str], labels: Labels) -> str:
    """Return who is first after a round, and by how much."""
    lines = standings(season)
    first = [f"**{names[line.entrant.number]}**" for line in lines if line.points == lines[0].points]
    points = _said(lines[0].points, labels)
    if not lines[0].points:
        return labels.say("season.no_points")
    if first[1:]:
        return labels.say("season.lead_shared", who=labels.list(first), points=points)
    ahead = _said(lines[0].points - lines[1].points, labels)
    return labels.say("season.lead", who=first[0], points=points, ahead=ahead)


def _next(season: Season, labels: Labels) -> str:
    return labels.say("season.next", number=season.round, ends=relative(season.round_ends or 0))


def _stayed(season: Season, names: Mapping[int, str], labels: Labels) -> str:
    """Return how many took part in a season from its start to its end, and who did not to the end."""
    out = [names[who.number] for who in season.entrants if who.out]
    key = "season.left" if out else "season.stayed"
    return labels.say(key, count=len(season.entrants) - len(out), who=labels.list(out))


def standings_message(season: Season, game: AnyGame, user: int, labels: Labels, shown: Picture) -> Content:
    """Return the whole standings for one user."""

    def write(longest: int) -> Content:
        names = _names(season, labels, longest)
        lines = ["\n".join(_lines(season, names, labels))] if season.tables else []
        head = f"{_head(season, game, labels)}\n{_state(season, names, labels)}"
        return Content((head, shown, *lines), user=user)

    return fitted(write)


def fair_message(season: Season, game: AnyGame, user: int, labels: Labels) -> Content:
    """Return how the draw is kept fair, for one user: the fingerprint of the secret or, once no match is dealt from the
    secret, all from which anybody can recompute the draw; and the players' numbers in it.
    """

    def write(longest: int) -> Content:
        names = _names(season, labels, longest)
        # Those who are gone before it begins are no part of the draw, and leave no gap there.
        drawn = [who for who in season.entrants if season.tables or not who.removed]
        people = " · ".join(f"{at} {names[who.number]}" for at, who in enumerate(drawn, 1))
        lines = [labels.say("season.fair", name=written(season.name)), proof(season, game, labels)]
        lines += [labels.say("season.numbers", people=people)] if people else []
        return Content(("\n".join(filter(None, lines)),), user=user)

    return fitted(write)


def start_question(season: Season, players: int, user: int, labels: Labels) -> Content:
    """Return the question whether to start the season with so many players."""
    start = Button(labels.say("season.start_sure"), season_id(START, season), "primary")
    wait = Button(labels.say("season.start_wait"), season_id(STANDINGS, season))
    return Content((labels.say("season.start_ask", name=written(season.name), count=players),), ((start, wait),), user)


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
        return labels.say("season.fingerprint", fingerprint=commitment(season.secret))
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
    return f"{told}{restored}"


def _head(season: Season, game: AnyGame, labels: Labels) -> str:
    say = labels.say
    facts = [
        f"**{game.title}**",
        say("season.seats", count=season.seats),
        labels.count("season_rounds", season.rounds) if season.rounds else say("season.all_meet"),
        say("season.days", span=span(season.days * 86_400, labels)),
        *([] if season.clock == "none" else [say("clock.choice", terms=terms(season.clock, labels))]),
    ]
    return f"## 🏆 {written(season.name)}\n{' · '.join(facts)}"


def _state(season: Season, names: Mapping[int, str], labels: Labels) -> str:
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


def _round(
    season: Season, number: int, matches: Mapping[int, Match], names: Mapping[int, str], labels: Labels
) -> list[str]:
    """Return a line for each table of that round, and who has it off."""
    tables = season.in_round(number)
    lines = [_table(table, matches, names, labels) for table in tables]
    seated = {place for table in tables for place in table.places}
    if off := [names[who.number] for who in season.entrants if who.number not in seated]:
        lines.append(labels.say("season.off", who=labels.list(off)))
    return lines


def _table(table: SeasonTable, matches: Mapping[int, Match], names: Mapping[int, str], labels: Labels) -> str:
    say, match = labels.say, None if table.match is None else matches.get(table.match)
    title = "" if table.match is None else say("season.table", number=table.match)
    title = title if match is None else f"[{title}]({table_link(match)})"
    people = " – ".join(names[place] for place in table.places)
    if table.points:
        end = say("season.won", who=labels.list([names[place] for place in table.winners]))
        how = end if table.winners else say("season.no_winner")
    elif table.points is not None:
        how = say("season.void")
    else:
        how = "" if table.match is not None else say("season.waits")
    found = say("pair", name=title, value=people) if title else people
    return f"• {found}{f' · {how}' if how else ''}"


def _lines(season: Season, names: Mapping[int, str], labels: Labels, most: int | None = None) -> list[str]:
    """Return the standings, a line for each player; with `most`, the first ones only."""
    found = standings(season)
    lines = [f"{at}. {_line(line, names[line.entrant.number], labels)}" for at, line in enumerate(found[:most], 1)]
    left = len(found) - len(lines)
    return [*lines, f"-# {labels.say('season.more', count=left)}"] if left else lines


def _line(line: Line, name: str, labels: Labels) -> str:
    if line.entrant.removed:
        return labels.say("season.removed", name=f"**{name}**")
    counts = labels.count("wins", line.wins), labels.count("tables", line.tables)
    return " · ".join((f"**{name}**", _said(line.points, labels), *counts))


def _said(doubled: int, labels: Labels) -> str:
    """Return points with their noun, of which twice as many are given: "2½ points"."""
    key = "count.season_points_one" if labels.is_singular(-(-doubled // 2)) else "count.season_points"
    return labels.say(key, number=_points(doubled))


def _points(doubled: int) -> str:
    """Return points, of which twice as many are given.

    >>> _points(9), _points(1), _points(4)
    ('4½', '½', '2')
    """
    whole, half = divmod(doubled, 2)
    return f"{whole or ('' if half else 0)}{'½' if half else ''}"


def _names(season: Season, labels: Labels, longest: int = MOST) -> dict[int, str]:
    """Return the entrants' names by number: those that look alike bear it, and a mention if names are not cut to the
    least. Before the season begins, those who left leave gaps.
    """
    known = [labels.say("departed") if who.user is None else cut(who.name, longest) for who in season.entrants]
    return {
        who.number: written(name)
        + (f" (<@{who.user}>)" if who.user and name != plain and longest > LEAST_OF_A_NAME else "")
        for who, name, plain in zip(season.entrants, apart(known), known, strict=True)
    }
