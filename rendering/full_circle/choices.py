"""The questions of Full Circle: cards, colours, quadrants and gifts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rendering.core.labels import Labels
from rendering.core.prompts import Choice, Prompt, in_ranges
from rendering.full_circle.narration import (
    arrow,
    card_label,
    card_name,
    colour_name,
    colour_with_sign,
    effect_text,
    effects,
    gift_effect,
    place_name,
)
from rules.full_circle.types import COLOURS, Give, Move, Phase, Play, Say, Verb
from rules.full_circle.view import FullCircleView

GIVE = "give"
"""The first step of a gift's path."""
MOST_BUTTONS = 10
"""The most answers to the first question if each is a whole move: two rows of buttons on a phone."""


def prompt(view: FullCircleView, moves: Sequence[Move], path: tuple[str, ...], labels: Labels) -> Prompt:
    """Ask for the card, then the quadrant, for a wild with its colour; for a gift, the card, then who gets it."""
    if view.viewer != view.to_move:  # a move for their own next turn: another player has drawn a card or plays twice
        view = view._replace(drawn=None, phase=Phase.TURN)
    if path[:1] == (GIVE,):
        return _gift_prompt(view, moves, path, labels)
    plays = [move for move in moves if isinstance(move, Play)]
    if view.drawn and (path[:1] != (view.drawn,) or path[-1].startswith("#")):
        path = (view.drawn,)
    if path and not path[-1].startswith("#"):
        face = ":".join(path)
        return _place_prompt(view, [play for play in plays if play.face in (face, *_named(face))], labels)
    choices = _card_choices(view, plays, moves, labels)
    if any(isinstance(move, Give) for move in moves):
        detail = gift_effect(view, labels) or labels.say("prompt.give_detail")
        choices.append(Choice(labels.say("prompt.give"), path=(GIVE,), detail=detail))
    kept = "_trapped" if view.trap and view.phase is Phase.TURN else ""
    choices += [
        Choice(move_label(view, move, labels), str(move), detail=labels.say(f"prompt.{move}{kept}_detail"))
        for move in moves
        if isinstance(move, Say)
    ]
    return Prompt(_question(view, plays, moves, labels), in_ranges(choices, path))


def _question(view: FullCircleView, plays: Sequence[Play], moves: Sequence[Move], labels: Labels) -> str:
    """Return the question, with the trap's colour or the bonus that causes it."""
    if view.phase is not Phase.TURN:
        return labels.say("ask." + view.phase.value + ("" if plays else "_nothing"))
    trapped = view.trap is not None and view.trap.setter != view.viewer
    colour = colour_with_sign(labels, view.trap.colour) if view.trap else ""
    if not plays:
        passing = any(str(move) == Verb.PASS.value for move in moves)
        key = "pass" if passing else "draw_trapped" if trapped else "draw"
    else:
        key = "turn_trapped" if trapped else "turn"
    question = labels.say(f"ask.{key}", colour=colour)
    if plays and view.marker is not None:
        question += "\n" + labels.say("ask.locked", place=place_name(labels, view.marker))
    return question


def _card_choices(view: FullCircleView, plays: Sequence[Play], moves: Sequence[Move], labels: Labels) -> list[Choice]:
    """The cards that fit. If all quadrants of all cards fit on two rows of buttons, each has its own, and a play takes
    one press.
    """
    starts = [*dict.fromkeys(play.face[:2] for play in plays)]
    if len(moves) > MOST_BUTTONS:
        return [_card_choice(view, start, plays, labels) for start in starts]
    ordered = sorted(plays, key=lambda play: starts.index(play.face[:2]))
    choices = [choice for play in ordered for choice in _place_prompt(view, [play], labels).choices]
    return [replace(choice, label=choice.alone) for choice in choices]


def _named(face: str) -> list[str]:
    """Return the faces of a wild whose colour is not named yet; none of another card."""
    return [f"{face}:{colour}" for colour in COLOURS] if face == "W" else []


def _card_choice(view: FullCircleView, start: str, plays: Sequence[Play], labels: Labels) -> Choice:
    """A card that fits somewhere; `start` is its notation, or "W:" for a wild."""
    card = start.rstrip(":")
    own = [play for play in plays if play.face[:2] == start]
    keys = dict.fromkeys(key for play in own for key in effects(view, play))
    notes = [labels.say(f"mark.{key}") for key in keys]
    places = dict.fromkeys(play.place for play in own)
    detail = labels.say("prompt.fits", places=" ".join(labels.say(f"arrow.{place}") for place in places))
    if keys:
        detail += " · " + ", ".join(labels.say(f"can.{key}") for key in keys)
    return Choice(" ".join([card_label(labels, card), *notes]), path=(card,), detail=detail[:100])


def _place_prompt(view: FullCircleView, plays: Sequence[Play], labels: Labels) -> Prompt:
    """Ask for the card's quadrant, and for a wild's colour with it. The question also says what each quadrant brings,
    since buttons have no room.
    """
    if not plays:
        return Prompt("", ())
    card, choices, lines = plays[0].face.partition(":")[0], [], []
    for play in plays:
        effect = effect_text(view, play, labels)
        marks = [labels.say(f"mark.{key}") for key in effects(view, play)]
        alone = " ".join([_short(labels, play.face), labels.say(f"arrow.{play.place}"), *marks])
        label = alone if card == "W" else " ".join([arrow(labels, play.place), *marks])
        choices.append(Choice(label, str(play), detail=effect[:100], alone=alone))
        if effect and card != "W":
            lines.append(labels.say("prompt.brings", place=arrow(labels, play.place), effect=effect))
    drawn = [labels.say("ask.drawn", card=card_label(labels, view.drawn))] if view.drawn else []
    question = labels.say("ask.place", card=card_label(labels, card))
    return Prompt("\n".join([*drawn, question, *lines]), tuple(choices))


def _short(labels: Labels, face: str) -> str:
    """Return a face in a few characters: "🔴🔵 RB", and of a wild "⭐ = Green"."""
    if face[0] != "W":
        return card_label(labels, face)
    return f"{labels.say('sign.W')} = {colour_name(labels, face[2])}"


def _gift_prompt(view: FullCircleView, moves: Sequence[Move], path: tuple[str, ...], labels: Labels) -> Prompt:
    """Ask which card to give, then to which player; in one step if there is one other player. Each says its effect."""
    effect = gift_effect(view, labels)
    gifts = [move for move in moves if isinstance(move, Give)]
    if len(path) > 1 and not path[-1].startswith("#"):
        choices = [
            Choice(labels.name(gift.to)[:80], str(gift), alone=_gift(gift, labels))
            for gift in gifts
            if gift.card == path[1]
        ]
        if not choices:
            return Prompt("", ())
        return Prompt(
            labels.say("ask.give_to", card=card_label(labels, path[1])) + f"\n{effect}".rstrip(), tuple(choices)
        )
    others = {gift.to for gift in gifts}
    choices = [
        Choice(card_label(labels, gift.card), str(gift), alone=_gift(gift, labels))
        if len(others) == 1
        else Choice(card_label(labels, gift.card), path=(GIVE, gift.card))
        for gift in {gift.card: gift for gift in gifts}.values()
    ]
    return Prompt(labels.say("ask.give") + f"\n{effect}".rstrip(), in_ranges(choices, path))


def _gift(gift: Give, labels: Labels) -> str:
    """Return a gift in a few characters: "🎁 🟢 G → Ada"."""
    return labels.say("prompt.gift", card=card_label(labels, gift.card), name=labels.name(gift.to))[:80]


def move_label(view: FullCircleView, move: Move, labels: Labels) -> str:
    """Return the move in the game's words: "🔴🔵 RB, ↖ top left"."""
    match move:
        case Play():
            card, place = card_label(labels, move.face), arrow(labels, move.place)
            return labels.say("move.play", card=card, place=place)
        case Give():
            return labels.say("move.give", card=card_label(labels, move.card), name=labels.name(move.to))[:80]
        case _:
            return labels.say(f"move.{move.verb.value}")


def terms(move: Move, labels: Labels) -> dict[str, tuple[str, ...]]:
    """Return what texts call the card, its place and the player who gets it: "Green-Blue", "top left"."""
    match move:
        case Play():
            names = dict.fromkeys((card_name(labels, move.face), card_name(labels, move.face.partition(":")[0])))
            return {move.face: tuple(names), move.place: (place_name(labels, move.place),)}
        case Give():
            return {move.card: (card_name(labels, move.card),), str(move.to): (labels.name(move.to),)}
        case _:
            return {}
