"""The questions of Full Circle: cards, colours, quadrants and gifts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rendering.core.labels import Labels
from rendering.core.prompts import Choice, Prompt, Style, in_ranges
from rendering.full_circle.narration import (
    arrow,
    card_label,
    card_name,
    colour_with_sign,
    effect_text,
    effects,
    gift_effect,
    place_name,
)
from rules.full_circle import FullCircleView
from rules.full_circle.types import Give, Move, Phase, Play, Say, Verb

GIVE, WILD = "give", "W:"
"""The first step of a gift's path, and the beginning of a wild's notation."""
MOST_BUTTONS = 10
"""The most answers to the first question if each is a whole move: two rows of buttons on a phone."""


def prompt(view: FullCircleView, moves: Sequence[Move], path: tuple[str, ...], labels: Labels) -> Prompt:
    """Ask for the card, for a wild its colour, then the quadrant; for a gift, the card, then the player who gets it."""
    if path[:1] == (GIVE,):
        return _gift_prompt(view, moves, path, labels)
    plays = [move for move in moves if isinstance(move, Play)]
    if view.drawn and (path[:1] != (view.drawn,) or path[-1].startswith("#")):
        path = (view.drawn,)
    if path == ("W",):
        return _colour_prompt(view, plays, labels)
    if path and not path[-1].startswith("#"):
        return _place_prompt(view, [play for play in plays if play.face == ":".join(path)], labels)
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


def _style(view: FullCircleView, plays: Sequence[Play]) -> Style:
    return "primary" if any(effects(view, play) for play in plays) else "secondary"


def _card_choices(view: FullCircleView, plays: Sequence[Play], moves: Sequence[Move], labels: Labels) -> list[Choice]:
    """The cards that fit. If all quadrants of all cards fit on two rows of buttons, each has its own, and a play takes
    one press; a wild always asks for its colour first.
    """
    starts = dict.fromkeys(play.face[:2] for play in plays)
    cards = {start: _card_choice(view, start, plays, labels) for start in starts}
    direct = {
        start: [
            replace(choice, label=choice.alone)
            for choice in _place_prompt(view, [play for play in plays if play.face == start], labels).choices
        ]
        for start in starts
        if start != WILD
    }
    found = [choice for start in starts for choice in direct.get(start, [cards[start]])]
    return found if len(found) + len(moves) - len(plays) <= MOST_BUTTONS else list(cards.values())


def _card_choice(view: FullCircleView, start: str, plays: Sequence[Play], labels: Labels) -> Choice:
    """A card that fits somewhere; `start` is its notation, or "W:" for a wild."""
    card = start.rstrip(":")
    own = [play for play in plays if play.face[:2] == start]
    keys = dict.fromkeys(key for play in own for key in effects(view, play))
    notes = [labels.say(f"mark.{key}") for key in keys]
    places = dict.fromkeys(play.place for play in own)
    detail = labels.say("prompt.fits", places=labels.list([place_name(labels, place) for place in places]))
    if keys:
        detail += " · " + ", ".join(labels.say(f"can.{key}") for key in keys)
    return Choice(
        " ".join([card_label(labels, card), *notes]), path=(card,), detail=detail[:100], style=_style(view, own)
    )


def _colour_prompt(view: FullCircleView, plays: Sequence[Play], labels: Labels) -> Prompt:
    """Ask which colour to name for a wild."""
    choices, wild = [], card_label(labels, "W")
    for face in dict.fromkeys(play.face for play in plays if play.face[0] == "W"):
        own = [play for play in plays if play.face == face]
        places = labels.list([place_name(labels, play.place) for play in own])
        keys = dict.fromkeys(key for play in own for key in effects(view, play))
        label = " ".join([colour_with_sign(labels, face[2]), *(labels.say(f"mark.{key}") for key in keys)])
        detail = labels.say("prompt.fits", places=places)
        alone = f"{wild} → {label}"  # the marks once, not those of the wild and of its only colour
        choices.append(Choice(label, path=("W", face[2]), detail=detail[:100], style=_style(view, own), alone=alone))
    return Prompt(_drawn_card(view, labels) + labels.say("ask.colour"), tuple(choices))


def _drawn_card(view: FullCircleView, labels: Labels) -> str:
    return labels.say("ask.drawn", card=card_label(labels, view.drawn)) + "\n" if view.drawn else ""


def _place_prompt(view: FullCircleView, plays: Sequence[Play], labels: Labels) -> Prompt:
    """Ask for the card's quadrant. The question also says what each quadrant brings, since buttons have no room."""
    if not plays:
        return Prompt("", ())
    choices, lines = [], []
    for play in plays:
        effect = effect_text(view, play, labels)
        marks = [labels.say(f"mark.{key}") for key in effects(view, play)]
        label = " ".join([arrow(labels, play.place), *marks])
        alone = " ".join([_short(labels, play.face), labels.say(f"arrow.{play.place}"), *marks])
        choices.append(Choice(label, str(play), detail=effect[:100], style=_style(view, [play]), alone=alone))
        if effect:
            lines.append(labels.say("prompt.brings", place=arrow(labels, play.place), effect=effect))
    question = _drawn_card(view, labels) + labels.say("ask.place", card=card_label(labels, plays[0].face))
    return Prompt("\n".join([question, *lines]), tuple(choices))


def _short(labels: Labels, face: str) -> str:
    """Return a face in a few characters: "🔴🔵 RB", and of a wild its sign and its colour's."""
    return labels.say("sign.W") + labels.say(f"sign.{face[2]}") if face[0] == "W" else card_label(labels, face)


def _gift_prompt(view: FullCircleView, moves: Sequence[Move], path: tuple[str, ...], labels: Labels) -> Prompt:
    """Ask which card to give, then to which player; in one step if there is one other player. Each says its effect."""
    effect = gift_effect(view, labels)
    gifts = [move for move in moves if isinstance(move, Give)]
    if len(path) > 1 and not path[-1].startswith("#"):
        choices = [Choice(labels.name(gift.to)[:80], str(gift)) for gift in gifts if gift.card == path[1]]
        if not choices:
            return Prompt("", ())
        return Prompt(
            labels.say("ask.give_to", card=card_label(labels, path[1])) + f"\n{effect}".rstrip(), tuple(choices)
        )
    others = {gift.to for gift in gifts}
    choices = [
        Choice(card_label(labels, gift.card), str(gift))
        if len(others) == 1
        else Choice(card_label(labels, gift.card), path=(GIVE, gift.card))
        for gift in {gift.card: gift for gift in gifts}.values()
    ]
    return Prompt(labels.say("ask.give") + f"\n{effect}".rstrip(), in_ranges(choices, path))


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
