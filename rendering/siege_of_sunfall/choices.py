"""The questions of Siege of Sunfall: pledges, awards and gold."""

from __future__ import annotations

from collections.abc import Sequence

from rendering.core.labels import Labels
from rendering.core.prompts import MOST_LABEL, Choice, Prompt, Style, in_ranges
from rendering.siege_of_sunfall.narration import card_name, pledge_text
from rules.siege_of_sunfall.types import BOOST_ADDS, GOLD_PAYS, Award, Kind, Move, Pledge, SiegeView, UseGold


def prompt(view: SiegeView, moves: Sequence[Move], path: tuple[str, ...], labels: Labels) -> Prompt:
    """Ask for coins, then boosts if the player has any; for the player whom the King names; for gold cards."""
    awards = [move for move in moves if isinstance(move, Award)]
    if awards:
        assert view.open_reveal is not None
        card = card_name(labels, view.open_reveal.card)
        sign = view.open_reveal.card.kind.value
        choices = tuple(
            Choice(_signed(sign, labels.name(move.to), labels), str(move), detail=_award_detail(view, move, labels))
            for move in awards
        )
        must_give = view.open_reveal.card.kind is Kind.CROWN and view.king in view.open_reveal.tied  # K8
        question = labels.say("prompt.award_crown" if must_give else "prompt.award", card=card)
        return Prompt(question, in_ranges(choices, path))
    golds = [move for move in moves if isinstance(move, UseGold)]
    if golds:
        choices = tuple(
            Choice(
                _signed("gold", labels.count("cards", move.cards), labels),
                str(move),
                detail=labels.say("prompt.gold_pays", coins=GOLD_PAYS * move.cards),
                style=_style(view, move.cards, 0),
            )
            for move in golds
        )
        return Prompt(labels.say("prompt.gold"), in_ranges(choices, path))
    return _pledge_prompt(view, [move for move in moves if isinstance(move, Pledge)], path, labels)


def _signed(sign: str, text: str, labels: Labels) -> str:
    """Return a label after the sign of a kind of card. Numbers of coins have no sign, so that they stay large."""
    return f"{labels.say(f'sign.{sign}')} {text}"[:MOST_LABEL]


def _style(view: SiegeView, first: int, second: int) -> Style:
    """Return the style of a pledge: the viewer's current seal stands out."""
    return "success" if view.own_seal == (first, second) else "secondary"


def _award_detail(view: SiegeView, move: Award, labels: Labels) -> str:
    assert view.open_reveal is not None
    if view.open_reveal.card.kind is Kind.CROWN:
        return labels.say("prompt.gives_crown")
    return labels.say("prompt.crown_passes") if move.to == view.king else ""


def _pledge_prompt(view: SiegeView, moves: Sequence[Pledge], path: tuple[str, ...], labels: Labels) -> Prompt:
    card = card_name(labels, view.card) if view.card else ""
    chosen = int(path[0]) if path and path[0].isdecimal() else None
    if chosen is not None:
        choices = [
            Choice(
                _signed("boost", labels.count("boosts", move.boosts), labels),
                str(move),
                detail=labels.say("prompt.counts", total=move.coins + BOOST_ADDS * move.boosts),
                style=_style(view, chosen, move.boosts),
            )
            for move in moves
            if move.coins == chosen
        ]
        question = labels.say("prompt.boosts", coins=labels.count("coins", chosen))
        return Prompt(question, in_ranges(choices, path))
    boosted = {move.coins for move in moves if move.boosts}
    have = max((move.coins for move in moves), default=0)
    choices = []
    for coins in sorted({move.coins for move in moves}):
        detail = labels.say("prompt.leaves", coins=labels.count("coins", have - coins))
        style = _style(view, coins, view.own_seal[1] if view.own_seal else 0)
        if coins in boosted:
            choices.append(Choice(str(coins), path=(str(coins),), detail=detail, style=style))
        else:
            choices.append(Choice(str(coins), str(Pledge(moves[0].seat, coins)), detail=detail, style=style))
    key = "prompt.pledge_again" if view.own_seal else "prompt.pledge"
    seal = pledge_text(labels, *view.own_seal) if view.own_seal else ""
    question = labels.say(key, card=card, seal=seal)
    question += f" {labels.say('prompt.then_boosts')}" if boosted else ""
    if view.card is not None:
        means = "prompt.means_attack" if view.card.strength else "prompt.means_other"
        question += "\n" + labels.say(means, strength=view.card.strength)
    return Prompt(question, in_ranges(choices, path))


def move_label(view: SiegeView, move: Move, labels: Labels) -> str:
    """Return the move as a button says it."""
    match move:
        case Pledge():
            return labels.say("word.pledge", pledge=pledge_text(labels, move.coins, move.boosts))
        case Award():
            return labels.say("word.award", name=labels.name(move.to))[:80]
        case UseGold():
            return labels.say("word.gold", cards=labels.count("cards", move.cards))


def terms(move: Move, labels: Labels) -> dict[str, tuple[str, ...]]:
    """Return the name of the player whom the King names, and what texts call a number of coins or gold cards."""
    match move:
        case Award():
            return {str(move.to): (labels.name(move.to),)}
        case UseGold():
            return {str(move.cards): (labels.count("cards", move.cards),)}
        case Pledge():
            return {str(move.coins): (labels.count("coins", move.coins),)} if not move.boosts else {}
