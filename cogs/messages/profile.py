"""What the finished matches of a person amount to, in words and in a picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from cogs.messages.clock import span
from cogs.messages.content import Button, Content, Picture
from cogs.messages.drawing import picture
from cogs.messages.history import Turn, game_title, nothing_to_show, score_of
from cogs.messages.names import clean, in_bold, isolated, written
from cogs.messages.presenter import Presenter
from data.content.texts import language, texts
from data.records.histories import Profile
from rendering import Renderer
from rendering.core.labels import Labels
from rendering.core.profile import MOST_ROWS, Figure, GameRow, Showing, describe_profile
from rules import GAMES

MOST_HONOURS = 5
MOST_TABLES = 12
"""The most games with a number of seats that are listed."""


async def profile_message(
    presenter: Presenter, profile: Profile | None, user: int, viewer: int, locale: str
) -> Content:
    """Return a person's profile with its picture, or why there may be nothing to show."""
    labels = Labels((), texts(language(locale)))
    if profile is None:
        return Content((nothing_to_show(Turn(user), viewer, labels),), user=viewer)
    lines = [f"### {written(profile.name)}", *profile_lines(profile, user, labels, locale)]
    row = (Button(labels.say("profile.matches"), Turn(user).id),)
    drawn = await _picture(presenter, profile, user, viewer, locale)
    return Content((*([drawn] if drawn else []), "\n".join(lines)), (row,), viewer)


async def _picture(presenter: Presenter, profile: Profile, user: int, viewer: int, locale: str) -> Picture | None:
    """Return the picture, on the stage of the game played most; None if this program has none of the games."""
    played = Counter[str]()
    for (game, _), count in profile.by_game.items():
        if game in GAMES:
            played[game] += count
    if not played:
        return None
    ((slug, _),) = played.most_common(1)
    face = await presenter.face(user)
    labels = Labels((isolated(clean(profile.name)),), texts(language(locale), slug), faces=(face,))
    person = await presenter.service.people.get(viewer)
    labels = labels if person is None else presenter.as_wished(labels, person)
    shown = showing(profile, labels)
    png = await presenter.drawing.picture_behind(picture(slug, Renderer.draw_profile, shown, labels))
    return Picture("profile.png", png, describe_profile(shown, labels))


def showing(profile: Profile, labels: Labels) -> Showing:
    """Return what the picture shows."""
    say = labels.say
    played, won = Counter[str](), Counter[str]()
    for (game, seats), count in profile.by_game.items():
        played[game] += count
        won[game] += profile.wins_by_game[game, seats]
    return Showing(
        summary=say("profile.summary", matches=labels.count("matches", profile.matches), wins=profile.wins),
        best=_best(profile, labels),
        games=tuple(GameRow(game_title(game), count, won[game]) for game, count in played.most_common(MOST_ROWS)),
    )


def _best(profile: Profile, labels: Labels) -> Figure:
    """Return the most wins in a row, or how long a move takes as long as there is no row."""
    most = profile.most_in_a_row
    if profile.decisions and most <= 1:
        return Figure(pace(profile, labels), labels.say("profile.for_a_move"))
    key = "profile.best_in_a_row_one" if labels.is_singular(most) else "profile.best_in_a_row"
    return Figure(str(most), labels.say(key))


def profile_lines(profile: Profile, user: int, labels: Labels, locale: str) -> list[str]:
    """Return what a profile says, a line for each thing."""
    say = labels.say
    lines = [say("profile.played", matches=labels.count("matches", profile.matches), wins=profile.wins)]
    if profile.most_in_a_row > 1:
        now = labels.count("wins_in_a_row", profile.in_a_row) if profile.in_a_row > 1 else ""
        most = say("profile.most_in_a_row", most=profile.most_in_a_row)
        lines.append(f"{most} · {now}" if now else most)
    if profile.decisions:
        lines.append(say("profile.pace", time=pace(profile, labels)))
    lines += _by_game(profile, labels)
    if profile.rivals:
        me, *names = in_bold([(user, profile.name), *((rival.user, rival.name) for rival in profile.rivals)])
        scores = [score_of(me, name, rival, labels) for name, rival in zip(names, profile.rivals, strict=True)]
        lines += [f"**{say('profile.rivals')}**", *(f"• {score}" for score in scores)]
    if told := honours(profile.honours, labels, locale)[:MOST_HONOURS]:
        lines.append(say("profile.honours", honours=" · ".join(f"{title} ({game}) × {n}" for title, game, n in told)))
    return lines


def pace(profile: Profile, labels: Labels) -> str:
    """Return the average time of a decision."""
    seconds = round(profile.seconds / profile.decisions)
    return span(seconds, labels) if seconds >= 60 else labels.say("profile.seconds", count=seconds)


def _by_game(profile: Profile, labels: Labels) -> list[str]:
    """Return a line for each game: the rating in it, and the matches by number of seats."""
    rated = {rating.game: rating for rating in profile.ratings}
    tables = profile.by_game.most_common(MOST_TABLES)
    lines = []
    for game in dict.fromkeys([*rated, *(game for (game, _), _ in tables)]):
        parts = [f"**{game_title(game)}**"]
        if game in rated:
            points, place = labels.number(rated[game].points), rated[game].place
            key = "profile.rating_provisional" if place is None else "profile.rating"
            parts.append(labels.say(key, points=points, place=place))
        for seats in sorted(seats for (found, seats), _ in tables if found == game):
            count, won = profile.by_game[game, seats], profile.wins_by_game[game, seats]
            players = labels.count("players", seats)
            parts.append(
                labels.say("profile.at_table", players=players, matches=labels.count("matches", count), wins=won)
            )
        lines.append(" · ".join(parts))
    return lines


def honours(won: Counter[tuple[str, str]], labels: Labels, locale: str) -> Sequence[tuple[str, str, int]]:
    """Return the title of each honour, its game's title and how often it was won, the most frequent first. Honours that
    no game of this program gives are left out.
    """
    found = []
    for (game, key), count in sorted(won.items(), key=lambda item: (-item[1], item[0])):
        own = texts(language(locale), game) if game in GAMES else {}
        if title := own.get(f"honour.{key}"):
            found.append((title, game_title(game), count))
    return found
