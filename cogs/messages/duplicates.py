"""What the messages of duplicate tables say: where the other tables are, what a held table shows, and, at the end, how
those who held the same cards compare.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from cogs.messages.names import in_bold, in_lists, labels_at
from cogs.messages.presenter import Presenter, message_link
from data.records.match import Match, Status
from rendering.core.formatting import shortened
from rendering.core.labels import Labels
from rules.core.game import Outcome

MOST_BEST = 600
"""The most characters of the line that says who did best; more only if many are equal."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A player or computer among those who had the same seat at the tables of a group."""

    seat: int
    name: str
    """As a message shows it."""
    score: int
    change: Fraction
    """Its difference to the mean of that seat's scores."""


async def same_deals(presenter: Presenter, match: Match, labels: Labels) -> str:
    """Return the line about the other tables of the group, with links to them; "" if there are none. While the table
    is held, it says who sees it. If its group has come apart, it says so.
    """
    if match.dissolved:
        return labels.say(f"duplicate.{'apart' if match.status is Status.LOBBY else 'apart_begun'}")
    tables = await presenter.service.index.duplicates_of(match)
    if not tables:
        return ""
    key = "lobby" if match.status is Status.LOBBY else "held" if match.held else "other_tables"
    links = list[str]()
    for table in tables:
        address = message_link(table, (await presenter.service.posts.of(table.id)).table)
        links.append(f"[{labels.say('duplicate.table', number=table.id)}]({address})")
    return labels.say(f"duplicate.{key}", tables=labels.list(links))


async def comparison(presenter: Presenter, match: Match, labels: Labels, room: int) -> list[str]:
    """Return the lines below a result that compare it with those of the other tables, seat by seat; none if there are
    no others. Tables without an outcome that this program can read are left out, and named. `room`: characters that
    they may have; the last seats are left out if need be.
    """
    tables = sorted([match, *await presenter.service.index.duplicates_of(match)], key=lambda table: table.id)
    if len(tables) == 1:
        return []
    game = presenter.service.game(match)
    finished = [t for t in tables if t.status is Status.OVER and t.state is not None and t.rules == game.version]
    head, told, lines = list[str](), list[str](), list[str]()
    if len(finished) > 1:
        lowest = game.lowest_wins
        seats = compared(finished, [presenter.service.state(table).outcome() for table in finished], labels)
        head = [f"**{labels.say('duplicate.title')}**"]
        told = [_seat_line(seat, lowest, labels) for seat in seats]
        lines.append(shortened(_best_line([at for seat in seats for at in seat], lowest, labels), MOST_BEST))
    left_out = [labels.say("duplicate.table", number=table.id) for table in tables if table not in finished]
    if left_out:
        lines.append(f"-# {labels.say('duplicate.left_out', tables=labels.list(left_out))}")
    lines.append(f"-# {await same_deals(presenter, match, labels)}")
    while told and sum(len(line) + 1 for line in (*head, *told, *lines)) > room:
        told.pop()
    return [*head, *told, *lines]


def compared(finished: Sequence[Match], outcomes: Sequence[Outcome | None], labels: Labels) -> list[list[Compared]]:
    """Return for each seat those who had it at these tables, in the order of the tables."""
    called = [in_lists(table, labels_at(table, labels.texts)) for table in finished]
    people = [
        (chair.user, at.name(chair.number))
        for table, at in zip(finished, called, strict=True)
        for chair in table.chairs
    ]
    told = iter(in_bold(people))
    names = [[next(told) for _ in table.chairs] for table in finished]
    found = []
    for seat in range(min(len(table.chairs) for table in finished)):
        scores = [outcome.scores[seat] for outcome in outcomes if outcome is not None]
        mean = Fraction(sum(scores), len(scores))
        found.append(
            [Compared(seat, seated[seat], score, score - mean) for seated, score in zip(names, scores, strict=True)]
        )
    return found


def _seat_line(seat: Sequence[Compared], lowest: bool, labels: Labels) -> str:
    best = _best(seat, lowest)
    told = [
        labels.say(
            "duplicate.best_score" if at in best and len(best) < len(seat) else "duplicate.score",
            name=at.name,
            score=labels.number(at.score),
            change=_signed(at.change, labels),
        )
        for at in seat
    ]
    return labels.say("duplicate.seat", number=seat[0].seat + 1, who=" · ".join(told))


def _best_line(everyone: Sequence[Compared], lowest: bool, labels: Labels) -> str:
    best = _best(everyone, lowest)
    if not any(at.change for at in best):
        return labels.say("duplicate.equal")
    told = [
        labels.say("duplicate.against", name=at.name, change=_signed(at.change, labels), seat=at.seat + 1)
        for at in best
    ]
    return labels.say("duplicate.best", who=labels.list(told))


def _best(those: Sequence[Compared], lowest: bool) -> list[Compared]:
    """Return those of them whose difference is the best. `lowest`: a low score is better."""
    pick = min if lowest else max
    first = pick(at.change for at in those)
    return [at for at in those if at.change == first]


def _signed(change: Fraction, labels: Labels) -> str:
    """Return "+2", "−0.5": with one decimal if the number is not whole."""
    sign = "+" if change > 0 else "−" if change < 0 else ""
    if change.denominator == 1:
        return sign + labels.number(abs(change.numerator))
    whole, tenth = divmod(round(10 * abs(change)), 10)
    return labels.say("hint.tenths", sign=sign, whole=labels.number(whole), tenth=tenth)
