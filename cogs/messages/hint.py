"""What a player is told who asks for a hint, or for a review after a match: the best moves, and what they bring."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from cogs.match.coaching import Moment
from cogs.messages.content import THEN, Button, Content, Id
from cogs.messages.presenter import Presenter
from data.records.match import Match
from data.records.people import Person
from rendering import renderer
from rendering.core.labels import Labels
from rules import GAMES
from rules.core.coach import EQUAL, LITTLE, SHARE, Advised, ranking
from rules.core.game import AnyState, Move, Seat
from rules.core.telling import Reason


def hint(
    presenter: Presenter, match: Match, seat: Seat, advice: Sequence[Advised[Move]], labels: Labels
) -> tuple[str, tuple[Button, ...]]:
    """Return the advice for the hand of that seat, the best move first, and the buttons that make the best moves: a
    single one with the moves of its turn that follow it.
    """
    state, turn = presenter.service.state(match), presenter.service.turn(match, seat)
    told = ranked(match.game, state.redeal_unseen(seat, ""), advice, labels)
    how = [labels.say("hint.private")] + ([] if match.private else [labels.say("hint.counted")])
    best = [advised.turn for advised in _shown(advice) if advised.verdict == EQUAL]
    view, drawn = state.view(seat), renderer(match.game)
    whole = Id(match.id, "anyway", turn, THEN.join(map(str, best[0])))
    if best[1:] or not whole.fits:  # of several, each button names the move that it makes
        plays = tuple(play_button(match, turn, moves[0], drawn.move_label(view, moves[0], labels)) for moves in best)
    else:
        plays = (Button(labels.say("hint.play"), whole, "primary"),)
    return "\n".join(["💡 " + told[0], *(f"-# {line}" for line in (*told[1:], " ".join(how)))]), plays


def play_button(match: Match, turn: str, move: Move, name: str) -> Button:
    """Return the button that makes a move that is advised. Its id is not that of the button which offers it anyway."""
    return Button(name, Id(match.id, "anyway", turn, str(move)), "primary")


def ranked(slug: str, known: AnyState, advice: Sequence[Advised[Move]], labels: Labels) -> list[str]:
    """Return the lines of a hint: the best move with the figure that ranks and with why, or a line for each of the best
    ones; then, in a line each, those that are a little worse and those that surely are, with the figure alone.
    """
    lines, ranks = list[str](), ranking(GAMES[slug], advice)
    for verdict, found in groupby(_shown(advice), key=lambda advised: advised.verdict):
        moves = [*found]
        if verdict == EQUAL:
            lines += _headed(moves, _lines(slug, known, moves, ranks, labels), ranks, labels)
        else:
            told = [_brief(slug, known, advised, advice[0], ranks, labels) for advised in moves]
            lines.append(f"{labels.say('hint.little' if verdict == LITTLE else 'hint.behind')} {' · '.join(told)}")
    return lines


def _lines(
    slug: str, known: AnyState, moves: Sequence[Advised[Move]], ranks: Sequence[str], labels: Labels
) -> list[str]:
    """Return a line for each of the best moves; if there are several, without the figures that they share."""
    return [line(slug, known, advised, () if moves[1:] else ranks, labels) for advised in moves]


def _headed(moves: Sequence[Advised[Move]], told: Sequence[str], ranks: Sequence[str], labels: Labels) -> list[str]:
    """Return the lines of the best moves below their heading, which tells the figures that they share, or in one line
    with it. Those of a mixture are the figures of the mixture.
    """
    if not told[1:]:
        return [f"{labels.say('hint.best')} {told[0]}"]
    often = [one.outlook.get(SHARE, 1 / len(moves)) for one in moves]
    shared = {key: sum(share * one.outlook[key] for share, one in zip(often, moves, strict=True)) for key in ranks}
    heading = "hint.mixed" if SHARE in moves[0].outlook else "hint.equal"
    return [labels.say(heading, figures=", ".join(_figures(shared, ranks, labels))), *(f"• {each}" for each in told)]


def is_plan(advice: Sequence[Advised[Move]]) -> bool:
    """Return whether the advice is of turns of several moves."""
    return any(advised.turn[1:] for advised in advice)


def _shown(advice: Sequence[Advised[Move]]) -> list[Advised[Move]]:
    """Return the moves that a hint tells. Of turns of several moves these are the first, and that with which it is
    compared or the second: each fills several lines on a phone.
    """
    found = distinct(advice)
    if not is_plan(found):
        return found
    first, *others = found
    named = [other for other in others if any(reason.beside == other.turn for reason in first.reasons)]
    return [first, *(named or others)[:1]]


def distinct(advice: Sequence[Advised[Move]]) -> list[Advised[Move]]:
    """Return the advice without equally good turns that make the moves of a better one in another order."""
    found, plans = list[Advised[Move]](), set[tuple[int, tuple[str, ...]]]()
    for advised in advice:
        plan = advised.verdict, tuple(sorted(map(str, advised.turn)))
        if plan not in plans:
            found.append(advised)
        if advised.turn[1:]:
            plans.add(plan)
    return found


async def review_message(
    presenter: Presenter, match: Match, person: Person, seat: Seat, moments: Sequence[Moment], page: int = 0
) -> Content:
    """Return, for a player alone, one of the moments when another move was much better, with the hand as it was then,
    and a button for each. `page`: which one; the nearest if there are fewer.
    """
    labels = await presenter.with_faces(match, presenter.labels_for(match, person))
    say = labels.say
    head = f"### 🔎 {presenter.link(match, labels)}\n{say('review.some' if moments else 'review.none')}"
    private = f"-# {say('review.private')}"
    if not moments:
        return Content((head, private), user=person.user)
    page = min(page, len(moments) - 1)
    moment = moments[page]
    picture = await presenter.picture(f"review{page + 1}.png", match.game, moment.known.view(seat), labels)
    made = moment.played
    if made.turn[1:]:  # how its turn went on is another decision, and the facts would be of these moves too
        made = replace(made, turn=(made.move,), reasons=())
    if {reason.key for reason in made.reasons} <= {reason.key for one in moment.best for reason in one.reasons}:
        made = replace(made, reasons=())  # what it is for this move stands there
    ranks = ranking(GAMES[match.game], [*moment.best, made])
    best = _lines(match.game, moment.known, moment.best, ranks, labels)
    better = _headed(moment.best, best, ranks, labels) if best[1:] else [say("review.better"), f"• {best[0]}"]
    told = [f"**{page + 1}.** {better[0]}", *better[1:], say("review.played")]
    told.append(f"• {line(match.game, moment.known, made, ranks, labels)}")
    row = tuple(
        Button(f"{at + 1}", Id(match.id, "review", rest=str(at)), disabled=at == page) for at in range(len(moments))
    )
    return Content((head, picture, "\n".join(told), private), (row,) if moments[1:] else (), person.user)


def line(slug: str, known: AnyState, advised: Advised[Move], ranks: Sequence[str], labels: Labels) -> str:
    """Return a move, or the turn that begins with it, with the figures that rank and why. `known`: a redeal for its
    seat.
    """
    name = ", ".join([f"**{name}**" for name in _named(slug, known, advised.turn, labels)])
    told = _figures(advised.outlook, ranks, labels)
    if SHARE in advised.outlook:
        name = labels.say("hint.share", number=round(10 * advised.outlook[SHARE]), move=name)
    for reason in advised.reasons:
        told.append(_why(reason, _other(slug, known, advised.turn, reason.beside, labels), labels))
    return name + (f" – {' · '.join(told)}" if told else "")


def _brief(
    slug: str, known: AnyState, advised: Advised[Move], best: Advised[Move], ranks: Sequence[str], labels: Labels
) -> str:
    """Return what tells a move apart from the best one, with the numbers of its figures; what these are was told of the
    best one.
    """
    numbers, whole = [], list[str]()
    for key in ranks:
        figure = advised.outlook[key]
        if "{percent}" in labels.texts[f"hint.{key}"]:
            numbers.append(labels.say("stats.percent", number=round(100 * figure)))
        elif _side(key, figure, labels) == _side(key, best.outlook[key], labels):
            numbers.append(_number(-figure if _side(key, figure, labels) else figure, labels))
        else:
            whole += ["–", *_figures(advised.outlook, [key], labels)]
    name = f"**{_other(slug, known, best.turn, advised.turn, labels)}**"
    return " ".join([name, *[", ".join(numbers)][: len(numbers)], *whole])


def _named(slug: str, known: AnyState, turn: Sequence[Move], labels: Labels) -> list[str]:
    """Return what the moves of a turn are called."""
    named = []
    for at, move in enumerate(turn):
        known = known.apply(turn[at - 1])[0] if at else known
        named.append(renderer(slug).move_label(known.view(move.seat), move, labels))
    return named


def _other(slug: str, known: AnyState, own: Sequence[Move], other: Sequence[Move], labels: Labels) -> str:
    """Return what another turn is called: by the moves that the own one has not, if there are any."""
    named = _named(slug, known, other, labels)
    apart = [name for name, move in zip(named, other, strict=True) if move not in own]
    return ", ".join(apart or named)


def _why(reason: Reason, other: str, labels: Labels) -> str:
    """Return a fact, and what it is for the move that it is told apart from, if both have it: of how often it comes
    about and of its number, that which differs more, or both if they do. What came about in all playouts or in none is
    not certain by that. `other`: what that move is called.
    """
    key = next(key for key in (f"hint.why.{reason.key}", f"hint.{reason.key}") if key in labels.texts)
    shares, numbers = (reason.share, reason.share_otherwise), (reason.number, reason.number_otherwise)
    often = [100 if reason.certain else _guess(shares[0]), _guess(shares[1])]
    percents = [labels.say("stats.percent", number=percent) for percent in often]
    written = [_number(number, labels) for number in numbers]
    name = labels.who(round(numbers[0])) if "{name}" in labels.texts[key] else ""
    if reason.instead and f"{key}_instead" in labels.texts:
        return labels.say(f"{key}_instead", percent=often[0], move=other)
    why = labels.say(key, percent=often[0], number=written[0], name=name, only="")
    if reason.instead:
        return labels.say("hint.instead", why=why, move=other)
    told = {
        "{percent}": (8 * abs(shares[0] - shares[1]), percents),
        "{number}": (abs(numbers[0] - numbers[1]), written),
    }
    found = [told[fact] for fact in told if fact in labels.texts[key]]
    _, (own, otherwise) = max(found, default=(0.0, ["", ""]))
    if not shares[1] or own == otherwise:
        return why
    if own == percents[0] and often[0] < often[1]:  # a chance that is told since it is less
        only = f"{labels.say('hint.only')} "
        why = labels.say(key, percent=often[0], number=written[0], name=name, only=only)
    if len(found) > 1 and all(apart >= 0.5 for apart, _ in found):
        otherwise = f"{percents[1]} ({written[1]})"
    elif len(found) > 1 and own == written[0]:  # beside the number, which stands in brackets, and not the chance
        number = labels.say("hint.otherwise", why=own, figure=otherwise, move=other)
        return labels.say(key, percent=often[0], number=number, name=name, only="")
    return labels.say("hint.otherwise", why=why, figure=otherwise, move=other)


def _guess(share: float) -> int:
    """Return a share of playouts in hundredths: never as what is certain."""
    return min(99, max(1, round(100 * share)))


def _figures(outlook: Mapping[str, float], keys: Sequence[str], labels: Labels) -> list[str]:
    """Return these figures of what a move brings, as a hint writes them."""
    found = []
    for key in keys:
        side = _side(key, outlook[key], labels)
        number = _number(-outlook[key] if side else outlook[key], labels)
        found.append(labels.say(f"hint.{key}{side}", percent=round(100 * outlook[key]), number=number))
    return found


def _side(key: str, figure: float, labels: Labels) -> str:
    """Return the end of the key of the text for a figure below 0 or of 0, if it has a text of its own."""
    tenths = round(10 * figure)
    side = "_behind" if tenths < 0 else "" if tenths else "_level"
    return side if f"hint.{key}{side}" in labels.texts else ""


def hints_used(match: Match, labels: Labels) -> str:
    """Return how many hints each player had, also those who have left; "" if no player had any."""
    hints = [(labels.who(chair.number), chair.hints) for chair in match.people]
    hints += [(f"<@{former.user}>", former.hints) for former in match.former]
    used = [labels.say("hint.used_by", name=name, count=count) for name, count in hints if count]
    return labels.say("hint.used", who=labels.list(used)) if used else ""


def _number(figure: float, labels: Labels) -> str:
    """Return the figure with one decimal, unless that is 0, as the language writes it."""
    whole, tenth = divmod(abs(round(10 * figure)), 10)
    sign = "−" if round(10 * figure) < 0 else ""
    return labels.say("hint.tenths", sign=sign, whole=whole, tenth=tenth) if tenth else f"{sign}{whole}"
