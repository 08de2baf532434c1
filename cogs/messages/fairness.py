"""Texts about a match's chance: the answer to *Fair deal*, with the commitment and the cuts, and at the end the secret;
the report of `/verify`.
"""

from __future__ import annotations

from cogs.match.verification import Computers, Verdict
from cogs.messages.content import MOST_TEXT, Button, Content, Document, Id
from cogs.messages.names import labels_at, written
from cogs.messages.presenter import Presenter
from data.records.match import Match
from rendering.core.labels import Labels
from rules.core.chance import commitment, table_before
from rules.core.game import AnyGame


def leaves_to_chance(match: Match, game: AnyGame) -> bool:
    """Return whether the secret decides anything: a deal, or who sits where unless the seats go round. An older version
    noted no places in the lobby if it let them go round.
    """
    old = match.previous is not None and match.state is not None and all(chair.came is None for chair in match.chairs)
    return game.deals or not (old or table_before(match.secret) is not None)


def cut_buttons(match: Match, game: AnyGame, labels: Labels) -> tuple[Button, ...]:
    """Return the button that each player in the lobby may press once; none without chance, or with duplicates."""
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
