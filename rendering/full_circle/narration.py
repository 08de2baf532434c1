"""Full Circle in words: alt texts, events, the rules."""

from __future__ import annotations

from rendering.core.discs import first_words
from rendering.core.formatting import ALT_TEXT_LIMIT, fit_text, margin_text, score_lines, signed, situation, winners
from rendering.core.labels import Labels, with_minus_sign
from rendering.core.story import capital
from rules.full_circle.types import (
    PLACES,
    STREAK_BONUS,
    CardDrawn,
    CardGiven,
    CardPlayed,
    DoubleMatched,
    FullCircled,
    GameWon,
    LastCard,
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
)
from rules.full_circle.view import FullCircleView


def leader(view: FullCircleView) -> int | None:
    """Return the seat that alone has the fewest points; None if there is none, or points no longer decide."""
    least = min(view.totals)
    return view.totals.index(least) if view.totals.count(least) == 1 and not view.play_off else None


def standing(view: FullCircleView, labels: Labels) -> list[str]:
    """Return how the match stands, ever shorter: who is ahead, and what wins."""
    seat, fewest = leader(view), labels.say("picture.fewest")
    if seat is None:
        return [fewest]
    key = "picture.you_ahead" if seat == view.viewer else "picture.ahead"
    word = first_words(labels, (seat,))[0]
    names = dict.fromkeys((word, word.split("-")[0] or word))
    brief = [] if seat == view.viewer else [labels.say("story.leads", name=name) for name in names]
    return [*(labels.say(key, name=name) for name in names), *brief, fewest]


def card_name(labels: Labels, face: str) -> str:
    """A card in a sentence: "Red-Blue", "Red", "Wild", "Wild as Red"."""
    if face[0] == "W":
        return labels.say("card.named", colour=colour_name(labels, face[2])) if face[1:] else labels.say("card.wild")
    return "-".join(colour_name(labels, letter) for letter in face)


def colour_name(labels: Labels, letter: str) -> str:
    """Return a colour in a sentence: "Red"."""
    return labels.say(f"colour.{letter}")


def card_label(labels: Labels, face: str) -> str:
    """A card on a button or in a message: the signs of its colours, and its letters; a wild's name in full."""
    signs = "".join(labels.say(f"sign.{letter}") for letter in face if letter != ":")
    return f"{signs} {card_name(labels, face) if face[0] == 'W' else face}"


def colour_with_sign(labels: Labels, letter: str) -> str:
    """A colour with its sign: "🔴 Red"."""
    return labels.say(f"sign.{letter}") + " " + colour_name(labels, letter)


def place_name(labels: Labels, place: str) -> str:
    """A quadrant: "top left"."""
    return labels.say(f"place.{place}")


def arrow(labels: Labels, place: str) -> str:
    """A quadrant with its arrow: "↖️ top left"."""
    return labels.say(f"arrow.{place}") + " " + place_name(labels, place)


def effects(view: FullCircleView, play: Play) -> tuple[str, ...]:
    """Return the effects of the play: keys of the texts "effect" and "mark", the most important first."""
    if view.drawn is None and len(view.hand) == 1:
        return ("wins",)
    found = view.effects_of(play)
    return tuple(
        key
        for key, happens in (
            ("double", found.double),
            ("full", found.full),
            ("trap", found.trap is not None),
            ("frees", found.frees),
        )
        if happens
    )


def effect_text(view: FullCircleView, play: Play, labels: Labels) -> str:
    """Return the effects of the play in words; "" if it has none."""
    found = view.effects_of(play)
    colour = found.trap or (view.trap.colour if view.trap else None)
    return " · ".join(
        labels.say(f"effect.{key}", colour=colour_name(labels, colour) if colour else "") for key in effects(view, play)
    )


def gift_effect(view: FullCircleView, labels: Labels) -> str:
    """Return what giving a card away brings besides the gift: the round (F14), or an open last card (F12)."""
    key = {1: "gift_wins", 2: "gift_shows"}.get(len(view.hand), "")
    return labels.say(f"effect.{key}") if key else ""


def streak(view: FullCircleView, seat: int) -> int:
    """Return the seat's wins in a row if another win would take points off; 0 in a play-off or after the end (F16)."""
    if view.streak is None or view.streak[0] != seat or view.play_off or view.outcome:
        return 0
    return view.streak[1]


def last_wins(view: FullCircleView) -> int:
    """Return the wins in a row for which the last round's winner lost points; 0 if it was the first win (F15)."""
    return view.streak[1] if view.streak and view.last_round and view.last_round.bonus else 0


NEXT_WIN = signed(-STREAK_BONUS)
"""What another win in a row brings (F15)."""


# What the picture shows


def phase_text(view: FullCircleView, labels: Labels) -> str:
    """Return what the seat to move must do, addressed to that seat or, for other viewers, about it."""
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
    card = card_name(labels, view.drawn) if view.drawn else ""
    colour = colour_name(labels, view.trap.colour) if view.trap else ""
    return labels.say(f"own.{key}" if own else f"phase.{key}", card=card, colour=colour)


def _circle(view: FullCircleView, labels: Labels) -> str:
    told = []
    for place, quadrant in zip(PLACES, view.circle, strict=True):
        if quadrant is None:
            text = labels.say("alt.empty")
        elif quadrant.covered:
            text = labels.say(
                "alt.over", card=card_name(labels, quadrant.face), cards=labels.count("cards", quadrant.covered)
            )
        else:
            text = card_name(labels, quadrant.face)
        marked = labels.say("alt.marker") if place == view.marker else ""
        told.append(labels.say("alt.quadrant", place=place_name(labels, place), card=text) + marked)
    return labels.say("alt.circle", quadrants=labels.clauses(told))


def _newest(last: Play | Say, labels: Labels) -> str:
    """Return the newest play, draw or pass of the round."""
    if isinstance(last, Play):
        card, place = card_name(labels, last.face), place_name(labels, last.place)
        return labels.say("alt.newest_play", name=labels.name(last.seat), card=card, place=place)
    return labels.say(f"alt.newest_{last.verb.value}", name=labels.name(last.seat))


def _parts(view: FullCircleView, labels: Labels) -> list[str]:
    """Return what the picture says, one sentence each."""
    key = "alt.finished" if view.outcome else "alt.play_off" if view.play_off else "alt.head"
    parts = [labels.say(key, round=view.round, target=view.target)]
    parts += situation(view, view.to_move, labels, winners(view))
    if view.to_move is not None and not labels.halt:
        parts.append(capital(phase_text(view, labels)))
    if view.last is not None:
        parts.append(_newest(view.last, labels))
    parts.append(_circle(view, labels))
    if view.trap:
        colour = colour_name(labels, view.trap.colour)
        parts.append(labels.say("alt.trap", colour=colour, name=labels.name(view.trap.setter)))
    if view.hand:
        parts.append(labels.say("alt.hand", cards=", ".join(card_name(labels, card) for card in view.hand)))
    return parts


def _players(view: FullCircleView, labels: Labels) -> list[str]:
    """Return a line for each seat: total, cards, the open last card."""
    lines = []
    for seat, total in enumerate(view.totals):
        name = labels.name(seat)
        if seat not in view.players:
            line = labels.say("alt.watches", name=name, total=with_minus_sign(total))
            lines.append(line + _streak(view, seat, labels, "alt"))
            continue
        cards = labels.count("cards", view.hand_sizes[seat])
        line = labels.say("alt.player", name=name, total=with_minus_sign(total), cards=cards)
        if (card := view.open_cards[seat]) is not None:
            line += labels.say("alt.open", card=card_name(labels, card))
        lines.append(line + _streak(view, seat, labels, "alt"))
    return lines


def _streak(view: FullCircleView, seat: int, labels: Labels, where: str) -> str:
    """Return the end of a seat's line: its wins in a row, and what the next one brings, if it brings anything."""
    if wins := streak(view, seat):
        key = f"{where}.streak" if wins > 1 else f"{where}.streak_one"
        return labels.say(key, wins=wins, points=NEXT_WIN)
    if view.streak and view.streak[0] == seat and view.streak[1] > 1:
        return labels.say(f"{where}.streak_past", wins=view.streak[1])
    return ""


def describe(view: FullCircleView, labels: Labels) -> str:
    """Return the alt text: the circle, the viewer's hand, the cards and totals of all players."""

    def write(labels: Labels) -> str:
        pile = labels.say("alt.pile", cards=labels.count("cards", view.pile))
        return " ".join([*_parts(view, labels), labels.clauses(_players(view, labels)) + ".", pile])

    return fit_text(ALT_TEXT_LIMIT, labels, write)


def transcript(view: FullCircleView, labels: Labels) -> str:
    """Return all that the viewer may know, line by line, with the effect of each play and the last round's result."""
    lines = _parts(view, labels)
    if plays := view.plays():
        lines.append(labels.say("alt.playable"))
        for play in plays:
            effect = effect_text(view, play, labels)
            where = labels.say("alt.play", card=card_name(labels, play.face), place=place_name(labels, play.place))
            lines.append("- " + where + (f" ({effect})" if effect else ""))
    if view.phase is Phase.FULL and view.viewer == view.to_move:
        effect = gift_effect(view, labels)
        lines.append(labels.say("alt.give") + (f" ({effect})" if effect else ""))
    lines += [line + "." for line in _players(view, labels)]
    lines.append(labels.say("alt.pile", cards=labels.count("cards", view.pile)))
    for seat in view.barred:
        lines.append(labels.say("alt.barred" if seat == view.to_move else "alt.barred_next", name=labels.name(seat)))
    if view.last_round:
        lines.append(last_text(view, labels))
    return "\n".join(lines)


def last_text(view: FullCircleView, labels: Labels) -> str:
    """Return how the last round ended and what each player counted; a play-off counts nothing (F16). "" in the first
    round.
    """
    result = view.last_round
    if result is None:
        return ""
    key = "round" if result.winner is not None else "round_without"
    if result.play_off:
        return labels.say(f"alt.play_off_{key}", name=_winner(result, labels))
    counted = labels.clauses(
        labels.say(
            "alt.counted", name=labels.name(seat), points=result.points[seat],
            total=with_minus_sign(result.totals[seat]),
            cards=", ".join(card_name(labels, card) for card in result.hands[seat]) or labels.say("alt.nothing"),
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


def narrate(event: object, labels: Labels) -> str:
    """Return a sentence about the event."""
    match event:
        case RoundBegan():
            text = labels.say(
                "event.play_off_began" if event.play_off else "event.round_began",
                round=event.round, name=labels.who(event.starter), card=card_label(labels, event.card),
                names=labels.list([labels.who(seat) for seat in event.players]),
            )  # fmt: skip
            if event.wilds:
                text += " " + labels.say("event.wilds_sunk", wilds=labels.count("wilds", event.wilds))
            return text
        case CardPlayed():
            place = arrow(labels, event.place)
            return labels.say(
                "event.card_played", name=labels.who(event.seat), card=card_label(labels, event.face), place=place
            )
        case DoubleMatched():
            return labels.say("event.double_matched", name=labels.who(event.seat))
        case FullCircled():
            return labels.say("event.full_circled", name=labels.who(event.seat))
        case TrapSet():
            colour = colour_with_sign(labels, event.colour)
            return labels.say("event.trap_set", name=labels.who(event.seat), colour=colour)
        case TrapEnded():
            key = "event.trap_freed" if event.freed else "event.trap_ended"
            return labels.say(key, name=labels.who(event.setter), colour=colour_with_sign(labels, event.colour))
        case LastCard():
            return labels.say("event.last_card", name=labels.who(event.seat), card=card_label(labels, event.card))
        case CardDrawn():
            return _drawn(event, labels)
        case CardGiven():
            key = "event.card_given" if event.card is None else "event.card_given_seen"
            card = card_label(labels, event.card) if event.card else ""
            return labels.say(key, name=labels.who(event.seat), to=labels.who(event.to), card=card)
        case PileRenewed():
            return labels.say("event.pile_renewed", cards=labels.count("cards", event.cards))
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
    return labels.say(key, name=labels.who(event.seat), card=card_label(labels, event.card))


def _scored(event: RoundScored, labels: Labels) -> str:
    """Return the round's winner, its points, the totals after it, and what it means for wins in a row."""
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
    totals = " · ".join(f"{labels.who(seat)} **{with_minus_sign(total)}**" for seat, total in enumerate(result.totals))
    lines = [text, labels.say("event.totals", totals=totals)]
    if event.broken and event.broken[1] > 1:
        lines.append(labels.say("event.streak_broken", name=labels.who(event.broken[0]), wins=event.broken[1]))
    if event.streak:
        seat, wins = event.streak
        key = "event.streak" if wins > 1 else "event.streak_one"
        lines.append(labels.say(key, name=labels.who(seat), wins=wins, points=NEXT_WIN))
    return "\n".join(lines)


def score(view: FullCircleView, labels: Labels) -> str:
    """Return a line for each seat, the lowest total first."""

    def line(seat: int) -> str:
        key = "score.seat" if seat in view.players else "score.watches"
        points, cards = labels.count("points", view.totals[seat]), labels.count("cards", view.hand_sizes[seat])
        return labels.say(key, name=labels.who(seat), points=points, cards=cards) + _streak(view, seat, labels, "score")

    return score_lines(winners(view), [-total for total in view.totals], line)


def margin(view: FullCircleView, labels: Labels) -> str:
    """Return by how many points the winners' total is below the next."""
    return margin_text(labels, "points", [-total for total in view.totals], winners(view))
