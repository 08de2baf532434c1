"""Texts about a match's chance: the answer to *Fair deal*, with the commitment and the cuts, and at the end the secret;
the report of `/verify`; and for duplicate tables, where the other tables are, what a held table shows, and, at the end,
how those who held the same cards compare.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from cogs.match.verification import Computers, Verdict
from cogs.messages.content import MOST_TEXT, Button, Content, Document, Id
from cogs.messages.names import in_bold, in_lists, labels_at, written
from cogs.messages.presenter import Presenter, message_link
from data.records.match import Match, Status
from rendering.core.formatting import shortened
from rendering.core.labels import Labels
from rules.core.chance import commitment, table_before
from rules.core.game import AnyGame, Outcome

MOST_BEST = 600
"""The most characters of the line that says who did best; more only if many are equal."""


def leaves_to_chance(match: Match, game: AnyGame) -> bool:
    """Return whether the secret decides anything: a deal, or who sits where unless the seats go round. An older version
    noted no places in the lobby if it let them go round.
    """
    old = match.previous is not None and match.state is not None and all(chair.came is None for chair in match.chairs)
    return game.deals or not (old or table_before(match.secret) is not None)


def cut_buttons(match: Match, game: AnyGame, labels: Labels) -> tuple[Button, ...]:
    """Return the button that each player in the lobby may press once; none if nothing is left to chance, or if other
    tables have the same deals.
    """
    if match.duplicate is not None or not leaves_to_chance(match, game):
        return ()
    return (Button(labels.say("lobby.cut" if game.deals else "lobby.cut_seats"), Id(match.id, "cut")),)


def button(match: Match, labels: Labels, rest: str = "") -> Button:
    """Return the button that explains the deal. `rest`: at a table, its position mark (cogs/match/restored.py)."""
    return Button(labels.say("button.fair"), Id(match.id, "fair", rest=rest))


def explained(presenter: Presenter, match: Match, user: int, locale: str) -> Content:
    """Return how the deal is kept fair: the fingerprint of the secret and the cuts; of a match that is over, and
    not held, also the secret, the seed made of it, and the button that checks every deal.
    """
    game, labels = presenter.service.game(match), presenter.labels(match, locale)
    say = labels.say
    lines = [f"### {say('fair.title', table=presenter.title(match, labels))}"]
    if not leaves_to_chance(match, game):
        return Content(("\n".join((*lines, say("fair.nothing"))),), user=user)
    over = not match.open and match.state is not None and not match.held
    lines += [say("fair.deal" if game.deals else "fair.seats"), say("fair.fingerprint", hash=commitment(match.secret))]
    number = table_before(match.secret)
    if number is not None and not any(chair.team is not None for chair in match.chairs):
        lines.append(say("fair.round", number=number))
    if match.cuts:
        lines.append(say("fair.cuts", cuts=_cuts(match, labels)))
    if not over:
        lines.append(say("fair.later" if match.duplicate is None else "duplicate.fair"))
        return Content(("\n".join(lines),), user=user)
    lines.append(say("fair.secret", secret=match.secret))
    if match.cuts:
        lines.append(say("fair.seed", seed=match.seed))
    lines.append(say("fair.check"))
    row = (Button(say("button.verify"), Id(match.id, "verify")),)
    return Content(("\n".join(lines),), (row,), user)


def report(presenter: Presenter, match: Match, user: int, locale: str, verdict: Verdict) -> Content:
    """Return what `/verify` found: the deals that fit into a message, wrong ones first, and a file with all of them."""
    game, labels = presenter.service.game(match), presenter.labels(match, locale)
    say = labels.say
    found = "bad" if not verdict.good else "good" if verdict.deals else "none"
    seats = {True: "seats", False: "seats_bad", None: "seats_not_drawn"}[verdict.seats]
    facts = {"secret": verdict.secret, "seed": verdict.seed, "hash": verdict.commitment, "cuts": _cuts(match, labels)}
    lines = [
        f"### {say('verify.title', game=game.title, number=match.id)}",
        say(f"verify.{found}", count=len(verdict.deals)),
        say(f"verify.{seats}"),
        *computers(verdict.computers, labels),
        say("verify.seed_cut" if match.cuts else "verify.seed", **facts),
    ]
    name = f"match-{match.id}.json"
    file, ask = Document(name, verdict.export, say("verify.file_holds")), say("verify.file", file=name)
    room = MOST_TEXT - len(ask) - sum(len(line) + 1 for line in lines)
    for deal in sorted(verdict.deals, key=lambda deal: deal.ordinal not in verdict.faults):
        mark = "✗" if deal.ordinal in verdict.faults else "✓"
        lines.append(f"{mark} {say('verify.deal', number=deal.ordinal, cards=' '.join(deal.after))}")
        room -= len(lines[-1]) + 1
        if room < 0:  # the file has all of them
            lines.pop()
            break
    return Content(("\n".join(lines), ask, file), user=user)


def computers(found: Computers, labels: Labels) -> list[str]:
    """Return at most three lines on whether the computers made their own moves; no line if no computer moved."""
    lines = []
    if found.wrong:
        lines.append(labels.say("verify.computers_bad", count=len(found.wrong), first=found.wrong[0] + 1))
    elif found.right:
        lines.append(labels.say("verify.computers", count=found.right))
    if found.made_do:
        lines.append(labels.say("verify.computers_made_do", count=found.made_do))
    if found.unchecked:
        lines.append(labels.say("verify.computers_unchecked", count=found.unchecked))
    return lines


def _cuts(match: Match, labels: Labels) -> str:
    """Return which players cut the deck with which text, in the order in which the cuts count."""
    labels = labels_at(match, labels.texts, 0) if match.seat_changes else labels  # they cut before it began
    cuts = [(chair.number, chair.cut) for chair in match.chairs if chair.cut is not None]
    return labels.list([labels.say("lobby.cut_with", who=labels.who(seat), cut=written(cut)) for seat, cut in cuts])


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
