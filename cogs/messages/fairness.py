"""Texts about a match's chance: the commitment and the cuts, the secret at the end, the report of `/verify`."""

from __future__ import annotations

from cogs.match.verification import Verdict
from cogs.messages.content import MOST_TEXT, Button, Content, Document, Id
from cogs.messages.names import labels_at, written
from data.records.match import Match
from rendering.core.labels import Labels
from rules.core.chance import commitment
from rules.core.game import AnyGame


def leaves_to_chance(match: Match, game: AnyGame) -> bool:
    """Return whether the secret decides anything: a deal, or who sits where, which only a first match draws."""
    return game.deals or match.previous is None


def cut_buttons(match: Match, game: AnyGame, labels: Labels) -> tuple[Button, ...]:
    """Return the button that each player in the lobby may press once; none if nothing is left to chance."""
    if not leaves_to_chance(match, game):
        return ()
    return (Button(labels.say("lobby.cut" if game.deals else "lobby.cut_seats"), Id(match.id, "cut")),)


def promise(match: Match, game: AnyGame, labels: Labels) -> str:
    """Return the commitment to the secret and the cuts so far; "" if nothing is left to chance."""
    if not leaves_to_chance(match, game):
        return ""
    key = "lobby.commitment" if game.deals else "lobby.commitment_seats"
    line = f"-# {labels.say(key, hash=commitment(match.secret))}"
    return f"{line}\n-# {labels.say('lobby.cuts', cuts=_cuts(match, labels))}" if match.cuts else line


def opened(match: Match, game: AnyGame, labels: Labels) -> str:
    """Return the secret of an ended match, and the seed made of it and the cuts; "" if nothing was left to chance."""
    if not leaves_to_chance(match, game):
        return ""
    key = "end.seats" if not game.deals else "end.seed_cut" if match.cuts else "end.seed"
    return f"-# {labels.say(key, secret=match.secret, seed=match.seed, number=match.id)}"


def cut_with(match: Match, labels: Labels) -> str:
    """Return the cuts of an ended match; "" if it has none."""
    return f"-# {labels.say('end.cuts', cuts=_cuts(match, labels))}" if match.cuts else ""


def report(match: Match, game: AnyGame, user: int, labels: Labels, verdict: Verdict) -> Content:
    """Return what `/verify` found: the deals that fit into a message, wrong ones first, and a file with all of them."""
    say = labels.say
    found = "bad" if not verdict.good else "good" if verdict.deals else "none"
    seats = {True: "seats", False: "seats_bad", None: "seats_not_drawn"}[verdict.seats]
    facts = {"secret": verdict.secret, "seed": verdict.seed, "hash": verdict.commitment, "cuts": _cuts(match, labels)}
    lines = [
        f"### {say('verify.title', game=game.title, number=match.id)}",
        say(f"verify.{found}", count=len(verdict.deals)),
        say(f"verify.{seats}"),
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


def _cuts(match: Match, labels: Labels) -> str:
    """Return which players cut the deck with which text, in the order in which the cuts count."""
    labels = labels_at(match, labels.texts, 0) if match.seat_changes else labels  # they cut before it began
    cuts = [(chair.number, chair.cut) for chair in match.chairs if chair.cut is not None]
    return labels.list([labels.say("lobby.cut_with", who=labels.who(seat), cut=written(cut)) for seat, cut in cuts])
