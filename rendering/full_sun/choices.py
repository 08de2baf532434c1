"""The question of Full Sun: which card to play."""

from __future__ import annotations

from collections.abc import Sequence

from rendering.core.labels import Labels
from rendering.core.prompts import Choice, Prompt
from rendering.full_sun.narration import card_label, card_name, goals, highest, suit_with_sign
from rules.core.tricks import Play
from rules.full_sun.types import FullSunView, suit_of


def _effect(view: FullSunView, labels: Labels, card: str) -> str:
    """Return what the card would do in the trick, and the tricks it would need as a last card."""
    notes = []
    if best := highest(view):
        over = view.face(card) > view.face(best.card)
        notes.append(labels.say("prompt.highest" if over else "prompt.lower", card=card_name(labels, best.card)))
    notes.append(labels.say("prompt.needs", pips=view.face(card).pips))
    return " · ".join(notes)


def prompt(view: FullSunView, moves: Sequence[Play], path: tuple[str, ...], labels: Labels) -> Prompt:
    """Offer one button for each card. The label of a card that would be the highest so far says so."""
    key, suit = "lead", ""
    if view.follow:
        key = "follow" if any(suit_of(move.card) == view.follow for move in moves) else "free"
        suit = suit_with_sign(labels, view.follow)
    tricks = 0 if view.viewer is None else view.tricks_won[view.viewer]
    best = highest(view)
    choices = []
    for move in moves:
        label = card_label(labels, move.card)
        if best and view.face(move.card) > view.face(best.card):
            label = labels.say("prompt.over", card=label)
        choices.append(Choice(label, str(move), detail=_effect(view, labels, move.card)))
    question = labels.say(f"prompt.{key}", suit=suit, tricks=tricks)
    if view.to_move == view.viewer:
        ways = goals(view, labels)
        question += "\n" + (labels.say("prompt.goals", ways=ways) if ways else labels.say("prompt.no_goal"))
    return Prompt(question, tuple(choices))


def move_label(view: FullSunView, move: Play, labels: Labels) -> str:
    """Return the move as a button says it: "🍂 B7"."""
    return card_label(labels, move.card)


def terms(move: Play, labels: Labels) -> dict[str, tuple[str, ...]]:
    """Return what texts call the card: "Beech 7"."""
    return {move.card: (card_name(labels, move.card),)}
