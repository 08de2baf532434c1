"""Full Circle in words: what pictures tell, what happened, how cards and quadrants are offered, the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rendering.core.labels import Labels
from rendering.core.prompts import Choice, Prompt, Style, in_ranges
from rendering.core.words import ALT_TEXT, signed, within
from rules.full_circle import FullCircleView
from rules.full_circle.facts import (
    PLACES,
    STREAK_BONUS,
    CardDrawn,
    CardGiven,
    CardPlayed,
    DoubleMatched,
    FullCircled,
    GameWon,
    Give,
    LastCard,
    Move,
    Passed,
    Phase,
    PileRenewed,
    Play,
    RoundBegan,
    RoundResult,
    RoundScored,
    Say,
    Stopped,
    TrapEnded,
    TrapSet,
    Verb,
)

GIVE = "give"
"""The first step of the way to a gift."""


def _card(labels: Labels, face: str) -> str:
    """A card in a sentence: "Red-Blue", "Red", "Wild", "Wild as Red"."""
    if face[0] == "W":
        return labels.say("card.named", colour=_colour(labels, face[2])) if face[1:] else labels.say("card.wild")
    return "-".join(_colour(labels, letter) for letter in face)


def _colour(labels: Labels, letter: str) -> str:
    return labels.say(f"colour.{letter}")


def _button(labels: Labels, face: str) -> str:
    """A card on a button or in a message: the signs of its colours, and its letters."""
    return "".join(labels.say(f"sign.{letter}") for letter in face if letter != ":") + " " + face


def _signed_colour(labels: Labels, letter: str) -> str:
    return labels.say(f"sign.{letter}") + " " + _colour(labels, letter)


def _place(labels: Labels, place: str) -> str:
    return labels.say(f"place.{place}")


def _arrow(labels: Labels, place: str) -> str:
    return labels.say(f"arrow.{place}") + " " + _place(labels, place)


def _count(labels: Labels, key: str, number: int) -> str:
    return labels.say(f"count.{key}" if number != 1 else f"count.{key}_one", number=number)


def effects(view: FullCircleView, play: Play) -> tuple[str, ...]:
    """What the play brings: keys of the texts "effect" and "mark", the weightiest first."""
    brings = view.brings(play)
    found = [
        ("wins", view.drawn is None and len(view.hand) == 1),
        ("double", brings.double),
        ("full", brings.full),
        ("trap", brings.trap is not None),
        ("frees", brings.frees),
    ]
    return ("wins",) if found[0][1] else tuple(key for key, so in found if so)


def _effect_text(view: FullCircleView, play: Play, labels: Labels) -> str:
    brings = view.brings(play)
    colour = brings.trap or (view.trap.colour if view.trap else None)
    return " · ".join(
        labels.say(f"effect.{key}", colour=_colour(labels, colour) if colour else "") for key in effects(view, play)
    )


def _gift_effect(view: FullCircleView, labels: Labels) -> str:
    """What giving a card away brings besides the gift: the round (F14), or a last card that lies open (F12)."""
    key = {1: "gift_wins", 2: "gift_shows"}.get(len(view.hand), "")
    return labels.say(f"effect.{key}") if key else ""


def streak(view: FullCircleView, seat: int) -> int:
    """The seat's wins in a row while another would take points off: no more in a play-off or after the end (F16)."""
    if view.streak is None or view.streak[0] != seat or view.play_off or view.outcome:
        return 0
    return view.streak[1]


def last_wins(view: FullCircleView) -> int:
    """The wins in a row for which the last round's winner had points taken off, 0 where that was the first (F15)."""
    return view.streak[1] if view.streak and view.last_round and view.last_round.bonus else 0


def next_win() -> str:
    """What another win in a row brings (F15)."""
    return signed(-STREAK_BONUS)


# What the picture shows


def phase_text(view: FullCircleView, labels: Labels) -> str:
    """What the seat to move is asked: told to that seat, or of it."""
    own = view.viewer is not None and view.viewer == view.to_move
    key = view.phase.value
    if view.phase is Phase.TURN:
        trapped = view.trap is not None and view.trap.setter != view.to_move
        drawable = view.pile or any(quadrant and quadrant.covered for quadrant in view.circle)
        key = "trapped" if trapped else "turn"
        if own and not view.plays():
            key = f"{key}_nothing" if drawable else "turn_pass"
    elif own and view.phase in (Phase.DOUBLE, Phase.FULL) and not view.plays():
        key = f"{key}_nothing"
    card = _card(labels, view.drawn) if view.drawn else ""
    colour = _colour(labels, view.trap.colour) if view.trap else ""
    return labels.say(f"own.{key}" if own else f"phase.{key}", card=card, colour=colour)


def _circle(view: FullCircleView, labels: Labels) -> str:
    told = []
    for place, quadrant in zip(PLACES, view.circle, strict=True):
        if quadrant is None:
            text = labels.say("alt.empty")
        elif quadrant.covered:
            text = labels.say(
                "alt.over", card=_card(labels, quadrant.face), cards=_count(labels, "cards", quadrant.covered)
            )
        else:
            text = _card(labels, quadrant.face)
        marked = labels.say("alt.marker") if place == view.marker else ""
        told.append(labels.say("alt.quadrant", place=_place(labels, place), card=text) + marked)
    return labels.say("alt.circle", quadrants="; ".join(told))


def _parts(view: FullCircleView, labels: Labels) -> list[str]:
    """What the picture tells, a sentence each."""
    key = "alt.finished" if view.outcome else "alt.play_off" if view.play_off else "alt.head"
    parts = [labels.say(key, round=view.round, target=view.target)]
    if view.outcome:
        (winner,) = view.outcome.winners
        reason = labels.say(f"outcome.{view.outcome.reason}")
        parts.append(labels.say("alt.won", name=labels.name(winner), reason=reason))
    elif view.to_move is not None:
        own = view.to_move == view.viewer
        parts.append(labels.say("alt.your_turn" if own else "alt.turn", name=labels.name(view.to_move)))
        parts.append(phase_text(view, labels))
    parts.append(_circle(view, labels))
    if view.trap:
        colour = _colour(labels, view.trap.colour)
        parts.append(labels.say("alt.trap", colour=colour, name=labels.name(view.trap.setter)))
    if view.hand:
        parts.append(labels.say("alt.hand", cards=", ".join(_card(labels, card) for card in view.hand)))
    return parts


def _players(view: FullCircleView, labels: Labels) -> list[str]:
    """A line a seat: total, cards, the open last card."""
    lines = []
    for seat, total in enumerate(view.totals):
        name = labels.name(seat)
        if seat not in view.players:
            line = labels.say("alt.watches", name=name, total=_total(total))
            lines.append(line + _streak(view, seat, labels, "alt"))
            continue
        cards = _count(labels, "cards", view.hand_sizes[seat])
        line = labels.say("alt.player", name=name, total=_total(total), cards=cards)
        if (card := view.open_cards[seat]) is not None:
            line += labels.say("alt.open", card=_card(labels, card))
        lines.append(line + _streak(view, seat, labels, "alt"))
    return lines


def _streak(view: FullCircleView, seat: int, labels: Labels, where: str) -> str:
    """The end of a seat's line: its wins in a row, and what the next brings while it brings anything."""
    if wins := streak(view, seat):
        key = f"{where}.streak" if wins > 1 else f"{where}.streak_one"
        return labels.say(key, wins=wins, points=next_win())
    if view.streak and view.streak[0] == seat and view.streak[1] > 1:
        return labels.say(f"{where}.streak_past", wins=view.streak[1])
    return ""


def _total(total: int) -> str:
    return str(total).replace("-", "−")


def describe(view: FullCircleView, labels: Labels) -> str:
    """The alt text: the circle, the own hand, everybody's cards and totals."""

    def write(labels: Labels) -> str:
        pile = labels.say("alt.pile", cards=_count(labels, "cards", view.pile))
        return " ".join([*_parts(view, labels), "; ".join(_players(view, labels)) + ".", pile])

    return within(ALT_TEXT, labels, write)


def transcript(view: FullCircleView, labels: Labels) -> str:
    """All that the viewer may know, a line each, with what each play would bring and what the last round brought."""
    lines = _parts(view, labels)
    if plays := view.plays():
        lines.append(labels.say("alt.playable"))
        for play in plays:
            effect = _effect_text(view, play, labels)
            where = labels.say("alt.play", card=_card(labels, play.face), place=_place(labels, play.place))
            lines.append("- " + where + (f" ({effect})" if effect else ""))
    if view.phase is Phase.FULL and view.viewer == view.to_move:
        effect = _gift_effect(view, labels)
        lines.append(labels.say("alt.give") + (f" ({effect})" if effect else ""))
    lines += [line + "." for line in _players(view, labels)]
    lines.append(labels.say("alt.pile", cards=_count(labels, "cards", view.pile)))
    for seat in view.barred:
        lines.append(labels.say("alt.barred" if seat == view.to_move else "alt.barred_next", name=labels.name(seat)))
    if view.last_round:
        lines.append(round_text(view, labels))
    return "\n".join(lines)


def round_text(view: FullCircleView, labels: Labels) -> str:
    """How the last round ended, and what everybody counted; a play-off counts nothing (F16)."""
    result = view.last_round
    assert result is not None
    key = "round" if result.winner is not None else "round_without"
    if result.play_off:
        return labels.say(f"alt.play_off_{key}", name=_winner(result, labels))
    counted = "; ".join(
        labels.say(
            "alt.counted", name=labels.name(seat), points=result.points[seat], total=_total(result.totals[seat]),
            cards=", ".join(_card(labels, card) for card in result.hands[seat]) or labels.say("alt.nothing"),
        )
        for seat in result.players
    )  # fmt: skip
    name = _winner(result, labels)
    text = labels.say(f"alt.{key}", round=result.round, name=name, counted=counted)
    if wins := last_wins(view):
        text += " " + labels.say("alt.bonus", name=name, wins=wins, bonus=result.bonus)
    return text


def _winner(result: RoundResult, labels: Labels) -> str:
    return "" if result.winner is None else labels.name(result.winner)


# What happened


def tell(event: object, labels: Labels) -> str:
    """A sentence of what happened."""
    match event:
        case RoundBegan():
            text = labels.say(
                "event.play_off_began" if event.play_off else "event.round_began",
                round=event.round, name=labels.who(event.starter), card=_button(labels, event.card),
                names=labels.list([labels.who(seat) for seat in event.players]),
            )  # fmt: skip
            return text + (" " + labels.say("event.wilds_sunk", wilds=event.wilds) if event.wilds else "")
        case CardPlayed():
            place = _arrow(labels, event.place)
            return labels.say(
                "event.card_played", name=labels.who(event.seat), card=_button(labels, event.face), place=place
            )
        case DoubleMatched():
            return labels.say("event.double_matched", name=labels.who(event.seat))
        case FullCircled():
            return labels.say("event.full_circled", name=labels.who(event.seat))
        case TrapSet():
            colour = _signed_colour(labels, event.colour)
            return labels.say("event.trap_set", name=labels.who(event.seat), colour=colour)
        case TrapEnded():
            key = "event.trap_freed" if event.freed else "event.trap_ended"
            return labels.say(key, name=labels.who(event.setter), colour=_signed_colour(labels, event.colour))
        case LastCard():
            return labels.say("event.last_card", name=labels.who(event.seat), card=_button(labels, event.card))
        case CardDrawn():
            return _drawn(event, labels)
        case CardGiven():
            key = "event.card_given" if event.card is None else "event.card_given_seen"
            card = _button(labels, event.card) if event.card else ""
            return labels.say(key, name=labels.who(event.seat), to=labels.who(event.to), card=card)
        case PileRenewed():
            return labels.say("event.pile_renewed", cards=_count(labels, "cards", event.cards))
        case Stopped():
            return labels.say("event.stopped", name=labels.who(event.seat))
        case Passed():
            return labels.say("event.passed", name=labels.who(event.seat))
        case RoundScored():
            return _scored(event, labels)
        case GameWon():
            return labels.say("event.won_play_off" if event.play_off else "event.won", name=labels.who(event.seat))
        case _:
            return ""


def _drawn(event: CardDrawn, labels: Labels) -> str:
    if event.card is None:
        return labels.say("event.card_drawn", name=labels.who(event.seat))
    key = "event.card_drawn_own" if event.kept else "event.card_drawn_fits"
    return labels.say(key, name=labels.who(event.seat), card=_button(labels, event.card))


def _scored(event: RoundScored, labels: Labels) -> str:
    """Who won the round, what it brought, the totals after it, and what it means for wins in a row."""
    result = event.result
    name = "" if result.winner is None else labels.who(result.winner)
    key = "round_won" if result.winner is not None else "round_without_winner"
    if result.play_off:  # it counts nothing (F16)
        return labels.say(f"event.play_off_{key}", name=name)
    counted = ", ".join(
        f"{labels.who(seat)} {signed(result.points[seat])}" for seat in result.players if seat != result.winner
    )
    text = labels.say(f"event.{key}", round=result.round, name=name, counted=counted)
    if result.bonus:
        text += " " + labels.say("event.bonus", name=name, bonus=result.bonus)
    totals = " · ".join(f"{labels.who(seat)} **{_total(total)}**" for seat, total in enumerate(result.totals))
    lines = [text, labels.say("event.totals", totals=totals)]
    if event.broken and event.broken[1] > 1:
        lines.append(labels.say("event.streak_broken", name=labels.who(event.broken[0]), wins=event.broken[1]))
    if event.streak:
        seat, wins = event.streak
        key = "event.streak" if wins > 1 else "event.streak_one"
        lines.append(labels.say(key, name=labels.who(seat), wins=wins, points=next_win()))
    return "\n".join(lines)


def score(view: FullCircleView, labels: Labels) -> str:
    """A line a seat, the lowest total first."""
    won = view.outcome.winners if view.outcome else frozenset()
    lines = []
    for seat in sorted(range(view.seats), key=lambda seat: (seat not in won, view.totals[seat])):
        cards = _count(labels, "cards", view.hand_sizes[seat])
        line = labels.say(
            "score.seat" if seat in view.players else "score.watches",
            name=labels.who(seat), total=_total(view.totals[seat]), target=view.target, cards=cards,
        )  # fmt: skip
        lines.append(("🏆 " if seat in won else "") + line + _streak(view, seat, labels, "score"))
    return "\n".join(lines)


# What to do


def prompt(view: FullCircleView, moves: Sequence[Move], path: tuple[str, ...], labels: Labels) -> Prompt:
    """The card, for a wild its colour, then the quadrant; for a gift the card, then who gets it."""
    if path[:1] == (GIVE,):
        return _gift_prompt(view, moves, path, labels)
    plays = [move for move in moves if isinstance(move, Play)]
    if view.drawn and (path[:1] != (view.drawn,) or path[-1].startswith("#")):
        path = (view.drawn,)
    if path == ("W",):
        return _colour_prompt(view, plays, labels)
    if path and not path[-1].startswith("#"):
        return _place_prompt(view, [play for play in plays if play.face == ":".join(path)], labels)
    choices = [_card_choice(view, card, plays, labels) for card in dict.fromkeys(play.face[:2] for play in plays)]
    if any(isinstance(move, Give) for move in moves):
        detail = _gift_effect(view, labels) or labels.say("prompt.give_detail")
        choices.append(Choice(labels.say("prompt.give"), path=(GIVE,), detail=detail))
    kept = "_trapped" if view.trap and view.phase is Phase.TURN else ""
    choices += [
        Choice(word(view, move, labels), str(move), detail=labels.say(f"prompt.{move}{kept}_detail"))
        for move in moves
        if isinstance(move, Say)
    ]
    return Prompt(_question(view, plays, moves, labels), in_ranges(choices, path, _range))


def _question(view: FullCircleView, plays: Sequence[Play], moves: Sequence[Move], labels: Labels) -> str:
    """What is asked, with the trap's colour or the bonus that it comes from."""
    if view.phase is not Phase.TURN:
        return labels.say("ask." + view.phase.value + ("" if plays else "_nothing"))
    trapped = view.trap is not None and view.trap.setter != view.viewer
    colour = _signed_colour(labels, view.trap.colour) if view.trap else ""
    if not plays:
        passing = any(str(move) == Verb.PASS.value for move in moves)
        key = "pass" if passing else "draw_trapped" if trapped else "draw"
    else:
        key = "turn_trapped" if trapped else "turn"
    return labels.say(f"ask.{key}", colour=colour)


def _range(first: str, last: str) -> str:
    return f"{first} – {last}"


def _style(view: FullCircleView, plays: Sequence[Play]) -> Style:
    return "primary" if any(effects(view, play) for play in plays) else "secondary"


def _card_choice(view: FullCircleView, start: str, plays: Sequence[Play], labels: Labels) -> Choice:
    """A card that fits somewhere; `start` is its notation, or "W:" for a wild."""
    card = start.rstrip(":")
    own = [play for play in plays if play.face[:2] == start]
    keys = dict.fromkeys(key for play in own for key in effects(view, play))
    notes = [labels.say(f"mark.{key}") for key in keys]
    places = dict.fromkeys(play.place for play in own)
    detail = labels.say("prompt.fits", places=labels.list([_place(labels, place) for place in places]))
    if keys:
        detail += " · " + ", ".join(labels.say(f"can.{key}") for key in keys)
    name = _button(labels, card) if card != "W" else labels.say("sign.W") + " " + labels.say("card.wild")
    return Choice(" ".join([name, *notes]), path=(card,), detail=detail[:100], style=_style(view, own))


def _colour_prompt(view: FullCircleView, plays: Sequence[Play], labels: Labels) -> Prompt:
    """The colour that a wild is named."""
    choices = []
    for face in dict.fromkeys(play.face for play in plays if play.face[0] == "W"):
        own = [play for play in plays if play.face == face]
        places = labels.list([_place(labels, play.place) for play in own])
        keys = dict.fromkeys(key for play in own for key in effects(view, play))
        label = " ".join([_signed_colour(labels, face[2]), *(labels.say(f"mark.{key}") for key in keys)])
        detail = labels.say("prompt.fits", places=places)
        choices.append(Choice(label, path=("W", face[2]), detail=detail[:100], style=_style(view, own)))
    return Prompt(_drew(view, labels) + labels.say("ask.colour"), tuple(choices))


def _drew(view: FullCircleView, labels: Labels) -> str:
    return labels.say("ask.drawn", card=_button(labels, view.drawn)) + "\n" if view.drawn else ""


def _place_prompt(view: FullCircleView, plays: Sequence[Play], labels: Labels) -> Prompt:
    """Where the card goes, and what that brings: the question tells it too, for buttons have no room."""
    if not plays:
        return Prompt("", ())
    choices, lines = [], []
    for play in plays:
        effect = _effect_text(view, play, labels)
        marks = [labels.say(f"mark.{key}") for key in effects(view, play)]
        label = " ".join([_arrow(labels, play.place), *marks])
        choices.append(Choice(label, str(play), detail=effect[:100], style=_style(view, [play])))
        if effect:
            lines.append(labels.say("prompt.brings", place=_arrow(labels, play.place), effect=effect))
    question = _drew(view, labels) + labels.say("ask.place", card=_button(labels, plays[0].face))
    return Prompt("\n".join([question, *lines]), tuple(choices))


def _gift_prompt(view: FullCircleView, moves: Sequence[Move], path: tuple[str, ...], labels: Labels) -> Prompt:
    """Which card to give, then to whom; in one step where there is one other player. Each says what it brings."""
    effect = _gift_effect(view, labels)
    gifts = [move for move in moves if isinstance(move, Give)]
    if len(path) > 1 and not path[-1].startswith("#"):
        choices = [Choice(labels.name(gift.to)[:80], str(gift)) for gift in gifts if gift.card == path[1]]
        if not choices:
            return Prompt("", ())
        return Prompt(labels.say("ask.give_to", card=_button(labels, path[1])) + f"\n{effect}".rstrip(), tuple(choices))
    others = {gift.to for gift in gifts}
    choices = [
        Choice(_button(labels, gift.card), str(gift))
        if len(others) == 1
        else Choice(_button(labels, gift.card), path=(GIVE, gift.card))
        for gift in {gift.card: gift for gift in gifts}.values()
    ]
    return Prompt(labels.say("ask.give") + f"\n{effect}".rstrip(), in_ranges(choices, path, _range))


def word(view: FullCircleView, move: Move, labels: Labels) -> str:
    """The move in the game's words: "🔴🔵 RB, ↖ top left"."""
    match move:
        case Play():
            card, place = _button(labels, move.face), _arrow(labels, move.place)
            return labels.say("move.play", card=card, place=place)
        case Give():
            return labels.say("move.give", card=_button(labels, move.card), name=labels.name(move.to))[:80]
        case _:
            return labels.say(f"move.{move.verb.value}")


def rules(deck: Mapping[str, Any], labels: Labels) -> str:
    """The rules as a page to read."""
    return labels.say("rules.text")
