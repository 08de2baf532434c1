"""Siege of Sunfall in words: alt texts, events, the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rendering.core import theme
from rendering.core.discs import first_words, short_name
from rendering.core.formatting import ALT_TEXT_LIMIT, fit_text, margin_text, rules_page, signed, value_mark, winners
from rendering.core.labels import Labels
from rules.siege_of_sunfall.deck import SPECIALS, STRENGTHS
from rules.siege_of_sunfall.events import (
    ArmiesPaid,
    CardDiscarded,
    CardFaced,
    CardTaken,
    CrownPassed,
    Eliminated,
    GoldUsed,
    MatchWon,
    PledgesRevealed,
    RoundBegan,
    RoundEnded,
    Sealed,
    SetTurnedIn,
)
from rules.siege_of_sunfall.types import ATTACKERS, BOOST_ADDS, Card, Kind, Phase, Reveal, SiegeView


def pledge_text(labels: Labels, coins: int, boosts: int) -> str:
    """ "3 coins + 1 boost"."""
    text = labels.count("coins", coins)
    return labels.say("pledge.with_boosts", coins=text, boosts=labels.count("boosts", boosts)) if boosts else text


def seal_text(view: SiegeView, labels: Labels, first: int, second: int) -> str:
    """Return what a seal contains: gold cards in the gold phase, else coins and boosts."""
    if view.phase is Phase.GOLD:
        return labels.count("cards", first)
    return pledge_text(labels, first, second)


def card_name(labels: Labels, card: Card) -> str:
    """A card in a sentence: "Swords 5", "Boost"."""
    name = labels.say(f"card.{card.kind.value}")
    return f"{name} {card.strength}" if card.strength else name


def _card_label(labels: Labels, card: Card) -> str:
    """A card in a message, with its sign."""
    return f"{labels.say(f'sign.{card.kind.value}')} **{card_name(labels, card)}**"


def _pledges(reveal: Reveal, names: Sequence[str], labels: Labels) -> str:
    return ", ".join(
        labels.say("alt.pledge", name=names[seat], coins=coins, boosts=f"+{BOOST_ADDS * boosts}" if boosts else "")
        for seat, (coins, boosts) in enumerate(zip(reveal.pledges, reveal.boosts, strict=True))
        if coins is not None
    )


def _reveal(reveal: Reveal, labels: Labels) -> str:
    """Return every pledge, the total, and the result."""
    facts = {
        "card": card_name(labels, reveal.card),
        "pledges": _pledges(reveal, labels.names, labels),
        "total": reveal.total,
    }
    key = {None: "alt.reveal", True: "alt.reveal_repelled", False: "alt.reveal_fallen"}[reveal.repelled]
    text = labels.say(key, **facts)
    if reveal.taker is not None:
        taken = "alt.crowned" if reveal.card.kind is Kind.CROWN else "alt.taken"
        text += " " + labels.say(taken, name=labels.name(reveal.taker))
    elif reveal.eliminated:
        text += " " + labels.say("alt.eliminated", names=_list(labels, reveal.eliminated))
    elif reveal.tied:
        text += " " + labels.say("alt.tied", names=_list(labels, reveal.tied))
    return text


def last_text(view: SiegeView, labels: Labels) -> str:
    """Return the pledges opened last, and their result; "" before any are open."""
    reveal = view.open_reveal or view.last_reveal
    return "" if reveal is None else _reveal(reveal, labels)


def _list(labels: Labels, seats: Sequence[int]) -> str:
    return labels.list([labels.name(seat) for seat in seats])


def _parts(view: SiegeView, labels: Labels) -> list[str]:
    """Return what the picture says apart from the players, one sentence each."""
    head = "alt.over" if view.outcome else "alt.head"
    parts = [labels.say(head, round=view.round, rounds=view.rounds)]
    if view.card is not None:
        parts.append(labels.say("alt.faced", card=card_name(labels, view.card), left=view.pile))
    if view.outcome:
        names = _list(labels, sorted(view.outcome.winners))
        parts.append(labels.say("alt.won", names=names, reason=labels.say(f"outcome.{view.outcome.reason}")))
    elif labels.halt:
        parts.append(f"{labels.halt}.")
    elif view.phase is Phase.AWARD:
        parts.append(labels.say("alt.award", king=labels.name(view.king), names=_list(labels, view.award_to)))
    else:
        parts.append(labels.say(f"alt.waiting_{view.phase.value}", names=_list(labels, view.to_move)))
    if view.own_seal is not None:
        parts.append(labels.say("alt.own_seal", seal=seal_text(view, labels, *view.own_seal)))
    return parts


def _player(view: SiegeView, labels: Labels, seat: int) -> str:
    """Return a line about a player: coins, armies, cards, and its part in the round."""
    text = labels.say(
        "alt.player",
        name=labels.name(seat),
        coins=labels.count("coins", view.coins[seat]),
        armies=labels.count("armies", view.armies[seat]),
    )
    held = [f"{labels.say(f'short.{kind}')} {number}" for kind, number in view.held[seat]._asdict().items() if number]
    if held:
        text += labels.say("alt.holds", cards=", ".join(held))
    if seat == view.king:
        text += labels.say("alt.king")
    if not view.alive[seat] and not view.outcome:
        text += labels.say("alt.out")
    if seat in view.sealed:
        text += labels.say("alt.sealed")
    return text


def describe(view: SiegeView, labels: Labels) -> str:
    """Return the alt text of the table or of the viewer's board."""

    def write(labels: Labels) -> str:
        players = labels.clauses(_player(view, labels, seat) for seat in range(view.seats)) + "."
        reveal = view.open_reveal or view.last_reveal
        told = [_reveal(reveal, labels)] if reveal else []
        return " ".join([*_parts(view, labels), players, *told])

    return fit_text(ALT_TEXT_LIMIT, labels, write)


def transcript(view: SiegeView, labels: Labels) -> str:
    """Return all that the viewer may know, line by line, with the deck's strengths and the last round."""
    lines = _parts(view, labels)
    lines += [_player(view, labels, seat) + "." for seat in range(view.seats)]
    for reveal in (view.open_reveal, view.last_reveal):
        if reveal:
            lines.append(_reveal(reveal, labels))
    if view.last_round:
        gained = ", ".join(f"{labels.name(seat)} {signed(n)}" for seat, n in enumerate(view.last_round.gained))
        lines.append(labels.say("alt.round", round=view.last_round.round, gained=gained))
    for kind, strengths in view.strengths:
        lines.append(
            labels.say("alt.strengths", kind=labels.say(f"card.{kind.value}"), strengths=_strengths_text(strengths))
        )
    return "\n".join(lines)


def _strengths_text(strengths: Sequence[int]) -> str:
    return ", ".join(map(str, strengths))


def narrate(event: object, labels: Labels) -> str:
    """Return a sentence about the event."""
    say, who = labels.say, labels.who
    match event:
        case RoundBegan():
            return say("event.round_began", round=event.round, coins=max(event.coins), king=who(event.king))
        case Sealed():
            return say("event.sealed", name=who(event.seat))
        case GoldUsed():
            used = [(who(seat), n) for seat, n in enumerate(event.cards) if n is not None]
            return say("event.gold_used", uses=", ".join(f"{name} {n}" for name, n in used))
        case CardFaced():
            return say("event.card_faced", card=_card_label(labels, event.card), left=event.left)
        case PledgesRevealed():
            return _revealed(event.reveal, labels)
        case CardTaken():
            key = "event.card_awarded" if event.awarded else "event.card_taken"
            return say(key, name=who(event.seat), card=_card_label(labels, event.card))
        case CardDiscarded():
            return say("event.card_discarded", card=_card_label(labels, event.card))
        case ArmiesPaid():
            return say("event.armies_paid", name=who(event.seat), armies=event.armies)
        case SetTurnedIn():
            return say("event.set_turned_in", name=who(event.seat), kind=say(f"card.{event.kind.value}"))
        case Eliminated():
            return say("event.eliminated", names=labels.list([who(seat) for seat in event.seats]))
        case CrownPassed():
            return say("event.crown_passed", old=who(event.old), new=who(event.new))
        case RoundEnded():
            return _round_ended(event, labels)
        case MatchWon():
            key = "event.match_won_tie" if event.tied else "event.match_won"
            return say(key, name=who(event.seat), names=labels.list([who(seat) for seat in event.tied]))
        case _:
            return ""


def narrate_briefly(event: object, labels: Labels) -> str:
    """Return a sentence about the event; of an attack how it ended alone, as the pledges lie at the guards' feet."""
    if not isinstance(event, PledgesRevealed) or event.reveal.repelled is None:
        return narrate(event, labels)
    key = "event.result_repelled" if event.reveal.repelled else "event.result_fallen"
    card = event.reveal.card
    return labels.say(key, card=_card_label(labels, card), total=event.reveal.total, strength=card.strength)


def _revealed(reveal: Reveal, labels: Labels) -> str:
    names = [labels.who(seat) for seat in range(len(reveal.pledges))]
    key = {None: "event.revealed", True: "event.revealed_repelled", False: "event.revealed_fallen"}[reveal.repelled]
    return labels.say(
        key, card=_card_label(labels, reveal.card), pledges=_pledges(reveal, names, labels), total=reveal.total,
        strength=reveal.card.strength,
    )  # fmt: skip


def _round_ended(event: RoundEnded, labels: Labels) -> str:
    result = event.result
    gained = ", ".join(
        f"{labels.who(seat)} {signed(n)} → {result.armies[seat]}" for seat, n in enumerate(result.gained)
    )
    return labels.say("event.siege_end" if event.siege_end else "event.nobody_left", round=result.round, gained=gained)


# What a picture says


def held_of(view: SiegeView, labels: Labels) -> str:
    """Return what all who are in the round hold, and whether that is too few with all boosts, if the faced card attacks
    them; else "".
    """
    if view.card is None or not view.card.strength:
        return ""
    alive = [seat for seat, alive in enumerate(view.alive) if alive]
    have, boosts = sum(view.coins[seat] for seat in alive), sum(view.held[seat].boost for seat in alive)
    short = view.phase is Phase.PLEDGE and have + BOOST_ADDS * boosts < view.card.strength
    return labels.say("picture.too_few" if short else "picture.all_hold", coins=labels.count("coins", have))


def shown_reveal(view: SiegeView) -> Reveal | None:
    """Return the pledges opened last in this round or, after the match, in the last one; None if none were."""
    began = view.card_number <= 1 and view.outcome is None
    return view.open_reveal or (None if began else view.last_reveal)


def is_past(view: SiegeView) -> bool:
    """Say whether the pledges opened last were for an earlier card than the one that lies there."""
    return view.outcome is None and view.open_reveal is None and shown_reveal(view) is not None


def results_of(view: SiegeView, reveal: Reveal | None, labels: Labels) -> list[str]:
    """Return which player gets the card or, at the end, with what the match was won, in a few words, ever shorter."""

    def told(key: str, seat: int) -> list[str]:
        if seat == view.viewer:
            return [labels.say(f"picture.you_{key}")]
        return [labels.say(f"picture.{key}", name=name) for (name,) in _names_of(view, labels, [seat])]

    def named(key: str, seats: Sequence[int]) -> list[str]:
        found = [labels.say(key, names=labels.list(each)) for each in _names_of(view, labels, seats)]
        count = labels.say("picture.players", count=len(seats))
        return [*found, labels.say(key, names=count)] if len(seats) > 1 else found

    if view.outcome is not None:
        most = labels.count("armies", max(view.armies))
        return [labels.say(f"picture.won_{view.outcome.reason}", armies=most)]
    if reveal is None:
        return told("crowned", view.king)
    if reveal.taker is not None and not view.held[reveal.taker]._asdict().get(reveal.card.kind, 1):  # a set (K11)
        kind, name = labels.say(f"card.{reveal.card.kind.value}"), first_words(labels, [reveal.taker])[0]
        own = reveal.taker == view.viewer
        keys = ["picture.you_turned_in"] if own else ["event.set_turned_in", "picture.turned_in"]
        sayings = [labels.say(key, name=name, kind=kind).rstrip(".") for key in keys]
        return [*sayings, *told("takes", reveal.taker)]
    if reveal.taker is not None:
        return told("crowned" if reveal.card.kind is Kind.CROWN else "takes", reveal.taker)
    if reveal.repelled is False:
        return named("picture.falls", reveal.eliminated)
    if reveal.tied:
        return named("picture.tie", reveal.tied)
    return [labels.say("picture.nobody")]


def _names_of(view: SiegeView, labels: Labels, seats: Sequence[int]) -> list[list[str]]:
    """Return the names of these players, then their first words; the viewer is "You"."""
    names = [short_name(labels, seat, theme.SMALL, 400) for seat in seats], first_words(labels, seats)
    you = labels.say("picture.you")
    return [[you if seat == view.viewer else name for seat, name in zip(seats, each, strict=True)] for each in names]


def assault_of(reveal: Reveal, labels: Labels, *, brief: bool = False) -> str:
    """Return what all pledges came to and, of an attack, what was needed; `brief`: in figures."""
    key = ("picture.sum" if brief else "picture.of") if reveal.card.strength else "picture.total"
    return labels.say(key, total=reveal.total, strength=reveal.card.strength)


def awaited_of(view: SiegeView, labels: Labels) -> list[str]:
    """Return which players other than the viewer must still choose, and what, ever shorter: their names in full, the
    first words of these, how many they are; nothing if all have chosen.
    """
    if labels.halt:
        return [labels.halt]
    seats = [seat for seat in view.to_move if seat != view.viewer]
    if not seats:
        return []
    key = f"picture.{'also' if view.viewer in view.to_move else 'awaited'}_{view.phase.value}"
    names = [short_name(labels, seat, theme.SMALL, 400) for seat in seats], first_words(labels, seats)
    count = labels.say("picture.players", count=len(seats))
    return list(dict.fromkeys(labels.say(key, names=each) for each in (*map(labels.list, names), count)))


# Scores and rules


def score(view: SiegeView, labels: Labels) -> str:
    """Return a line for each player, the most armies first."""
    won = winners(view)
    seats = sorted(range(view.seats), key=lambda seat: (seat not in won, -view.armies[seat]))
    return "\n".join(
        labels.say(
            "score.winner" if seat in won else "score.player",
            name=labels.who(seat),
            armies=labels.count("armies", view.armies[seat]),
            coins=labels.count("coins", view.coins[seat]),
            crown=labels.say("score.crown") if seat == view.king else "",
        )
        for seat in seats
    )


def margin(view: SiegeView, labels: Labels) -> str:
    """Return by how many armies the winner is ahead."""
    return margin_text(labels, "armies", view.armies, winners(view))


def rules(deck: Mapping[str, Any], labels: Labels) -> str:
    """Return the rules as a page to read, with the values of this deck table."""
    rows = {kind: _strengths_text(deck["strengths"][kind.value]) for kind in ATTACKERS}
    ours = _strengths_text(STRENGTHS)
    if set(rows.values()) == {ours}:
        strengths = labels.say("rules.each_kind", strengths=ours) + value_mark(ours, ours)
    else:
        strengths = labels.clauses(
            f"{labels.say(f'card.{kind.value}')} {row}{value_mark(row, ours)}" for kind, row in rows.items()
        )
    counts = {kind: f"{deck[kind]}{value_mark(deck[kind], ours)}" for kind, ours in SPECIALS.items()}
    return rules_page(labels, strengths=strengths, **counts)
