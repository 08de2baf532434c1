"""The question of Sea Change: which card to play."""

from __future__ import annotations

from collections.abc import Sequence

from rendering.core.formatting import signed
from rendering.core.labels import Labels
from rendering.core.prompts import Choice, Prompt
from rendering.sea_change.narration import card_label, card_name, suit_name, suit_with_sign
from rules.core.tricks import Play
from rules.sea_change.types import SeaChangeView


def _effect(view: SeaChangeView, labels: Labels, card: str) -> str:
    """Return the effects of playing the card: a sea change, following suit, the points on it."""
    notes = []
    if view.lays and view.lays[-1].card[1:] == card[1:]:
        notes.append(labels.say("prompt.sea_change", suit=suit_name(labels, card[0])))
    elif view.lays and card[0] == view.lays[0].card[0]:
        notes.append(labels.say("prompt.follows"))
    elif card[0] == view.trump:
        notes.append(labels.say("prompt.trump"))
    points = dict(view.points_by_value).get(int(card[1:]), 0)
    if points:
        notes.append(labels.say("prompt.points", points=signed(points)))
    elif card[1:] == "0" and view.zero_points:
        notes.append(labels.say("prompt.zero", points=signed(view.zero_points)))
    return " · ".join(notes)


def prompt(view: SeaChangeView, moves: Sequence[Play], path: tuple[str, ...], labels: Labels) -> Prompt:
    """Offer one button for each card. The label of a sea change says so."""
    if view.lays:
        question = labels.say(
            "prompt.follow", lead=suit_with_sign(labels, view.lays[0].card[0]), trump=trump(view, labels),
            value=view.lays[-1].card[1:],
        )  # fmt: skip
    elif view.trump:
        question = labels.say("prompt.lead", trump=trump(view, labels))
    else:
        question = labels.say("prompt.lead_first")
    choices = []
    for move in moves:
        changes = turns_trump(view, move.card)
        label = card_label(labels, move.card)
        if changes:
            label = labels.say("prompt.turns_trump", card=label)
        detail = _effect(view, labels, move.card)[:100]
        choices.append(Choice(label, str(move), detail=detail))
    return Prompt(question, tuple(choices))


def turns_trump(view: SeaChangeView, card: str) -> bool:
    """Return whether that card of the viewer's, played now, turns the trump to its suit: it matches the last value."""
    return view.viewer == view.to_move and bool(view.lays) and view.lays[-1].card[1:] == card[1:]


def trump(view: SeaChangeView, labels: Labels) -> str:
    """Return the trump's name with its sign, or that there is none."""
    return suit_with_sign(labels, view.trump) if view.trump else labels.say("suit.none")


def move_label(view: SeaChangeView, move: Play, labels: Labels) -> str:
    """Return the move as a button says it: "🌊 B9"."""
    return card_label(labels, move.card)


def terms(move: Play, labels: Labels) -> dict[str, tuple[str, ...]]:
    """Return what texts call the card: "Blue 9"."""
    return {move.card: (card_name(labels, move.card),)}
