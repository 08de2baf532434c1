"""Sea Change in words: alt texts, events, the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from rendering.core import theme
from rendering.core.discs import first_fit
from rendering.core.formatting import (
    ALT_TEXT_LIMIT,
    fit_text,
    margin_text,
    rules_page,
    score_lines,
    signed,
    situation,
    value_mark,
)
from rendering.core.labels import Labels
from rules.core.tricks import TrickTaken
from rules.sea_change.types import (
    POINTS,
    PRINTED,
    ZERO_POINTS,
    CardDrawn,
    CardPlayed,
    Lay,
    MatchWon,
    RoundBegan,
    RoundScored,
    SeaChanged,
    SeaChangeView,
    TrumpSet,
)


def match_winners(view: SeaChangeView) -> set[int]:
    """Return the players who won the match."""
    if view.outcome is None:
        return set()
    if view.outcome.reason == "solo_lost":
        return {1}
    return set(view.outcome.winners)


def playable(view: SeaChangeView) -> tuple[str, ...]:
    """Return the cards of the viewer's hand that may be played now (C5); () if it is not the viewer's turn."""
    if view.viewer is None or view.to_move != view.viewer:
        return ()
    lead = demanded(view)
    return tuple(card for card in view.hand if lead in ("", card[0]) or card[1:] == view.lays[-1].card[1:])


def demanded(view: SeaChangeView) -> str:
    """Return the suit that the player to move must follow; "" if any card may be played, as the viewer's hand shows."""
    lead = view.lays[0].card[0] if view.lays else ""
    own = view.viewer is not None and view.to_move == view.viewer
    return "" if own and all(card[0] != lead for card in view.hand) else lead


def suit_name(labels: Labels, suit: str | None) -> str:
    """A suit in a sentence: "Blue", or that there is none."""
    return labels.say(f"suit.{suit}") if suit else labels.say("suit.none")


def card_name(labels: Labels, card: str) -> str:
    """A card in a sentence: "Blue 9"."""
    return labels.say("card.spoken", suit=suit_name(labels, card[0]), value=card[1:])


def played(labels: Labels, lay: Lay, name: str, room: int) -> str:
    """Return who played what for a picture: "Ann played Blue 9", or shorter if there is less room. `name`: that of the
    player; "" if it is the viewer.
    """
    card = card_name(labels, lay.card)
    if not name:
        return labels.say("picture.you_played", card=card)
    texts = [
        labels.say("picture.played", name=name, card=card),
        labels.say("picture.played_brief", name=name, card=card),
    ]
    return first_fit([*texts, labels.say("picture.played_brief", name=name, card=lay.card)], theme.SMALL, room)


def points_text(labels: Labels, points: int) -> str:
    """Points in a picture: "+2 points", "−4 points"."""
    return ("+" if points > 0 else "") + labels.count("points", points)


def card_label(labels: Labels, card: str) -> str:
    """A card on a button or in a message: its suit's sign, letter and value."""
    return labels.say("card.written", sign=labels.say(f"sign.{card[0]}"), card=card)


def _side(view: SeaChangeView, labels: Labels, side: int) -> str:
    """A side's name: the team's letter, or the player's name."""
    if len(set(view.sides)) < len(view.sides):
        return labels.say("team", letter="ABCD"[side])
    return labels.name(side)


def change_in(lays: Sequence[Lay]) -> int:
    """Return the place in the trick of the last card that was a Sea Change (C4): it made the trump; 0 if none was."""
    return max([at for at in range(1, len(lays)) if lays[at].card[1:] == lays[at - 1].card[1:]], default=0)


def ahead_in(lays: Sequence[Lay], trump: str | None) -> int:
    """Return the place in the trick of the card that wins it so far (C5)."""
    suit = trump if any(lay.card[0] == trump for lay in lays) else lays[0].card[0]
    return max(range(len(lays)), key=lambda at: (lays[at].card[0] == suit, int(lays[at].card[1:])))


def _lays(lays: Sequence[Lay], labels: Labels) -> str:
    return ", ".join(labels.say("alt.lay", name=labels.name(p), card=card_name(labels, card)) for p, card in lays)


def _trick_so_far(lays: Sequence[Lay], trump: str, labels: Labels) -> str:
    """Return the cards on the table, which player is ahead, and whether the last card was a Sea Change."""
    leader = labels.name(lays[ahead_in(lays, trump)].player)
    said = labels.say("alt.trick", cards=_lays(lays, labels), lead=suit_name(labels, lays[0].card[0]), name=leader)
    if change_in(lays) == len(lays) - 1 > 0:
        said += " " + labels.say("alt.changed", trump=suit_name(labels, trump))
    return said


def last_text(view: SeaChangeView, labels: Labels) -> str:
    """Return the last complete trick in words (C7); "" before there is one."""
    trick = view.last_trick
    if trick is None:
        return ""
    cards, name = _lays(trick.lays, labels), labels.name(trick.winner)
    return labels.say("alt.last", cards=cards, trump=suit_name(labels, trick.trump), name=name)


def _parts(view: SeaChangeView, labels: Labels) -> list[str]:
    """Return what the picture says, one sentence each."""
    parts = [
        labels.say(
            "alt.over" if view.outcome else "alt.head",
            round=view.round, trick=view.trick_number, tricks=view.tricks, target=view.target,
        ),
        labels.say(
            "alt.trump", trump=suit_name(labels, view.trump), suits=", ".join(suit_name(labels, s) for s in view.suits)
        ),
    ]  # fmt: skip
    parts += situation(view, view.to_move, labels, match_winners(view))
    if view.viewer is not None and view.hand:
        parts.append(labels.say("alt.hand", cards=", ".join(card_name(labels, card) for card in view.hand)))
    if view.lays and view.trump:
        parts.append(_trick_so_far(view.lays, view.trump, labels))
    elif view.last_trick:
        parts.append(last_text(view, labels))
    return parts


def _players(view: SeaChangeView, labels: Labels) -> list[str]:
    """Return a line for each player: cards in hand and captured, victory points."""
    lines = []
    for player, side in enumerate(view.sides):
        facts = {
            "name": labels.name(player), "vp": view.victory_points[side], "captured": view.captured[side],
            "hand": view.hand_sizes[player] if player < view.seats else view.pile,
        }  # fmt: skip
        line = labels.say("alt.player" if player < view.seats else "alt.automa", **facts)
        if len(set(view.sides)) < len(view.sides):
            line += labels.say("alt.of_team", letter="ABCD"[side])
        if player == view.dealer and view.seats > 1:
            line += labels.say("alt.dealer")
        if view.points is not None:
            line += labels.say("alt.points", points=signed(view.points[side]))
        lines.append(line)
    return lines


def describe(view: SeaChangeView, labels: Labels) -> str:
    """Return the alt text: for a seat its hand and the trick; for an onlooker the players too."""

    def write(labels: Labels) -> str:
        players = [] if view.hand else [labels.clauses(_players(view, labels)) + "."]
        if view.seats == 2 and not view.hand:
            players.append(labels.say("alt.pile", cards=view.pile))
        return " ".join([*_parts(view, labels), *players])

    return fit_text(ALT_TEXT_LIMIT, labels, write)


def transcript(view: SeaChangeView, labels: Labels) -> str:
    """Return all that the viewer may know, line by line, with each hand card's effect and the last round's result."""
    lines = _parts(view, labels)
    if view.lays and view.last_trick:
        lines.append(last_text(view, labels))
    if cards := playable(view):
        lines.append(labels.say("alt.playable", cards=", ".join(card_name(labels, card) for card in cards)))
    lines += [line + "." for line in _players(view, labels)]
    if view.seats == 2:
        lines.append(labels.say("alt.pile", cards=view.pile))
    printed = [labels.say("pair", name=value, value=signed(points)) for value, points in view.points_by_value if points]
    lines.append(labels.say("alt.printed", points=", ".join(printed), zero=signed(view.zero_points)))
    if view.last_round:
        lines.append(_round_text(view, labels))
    return "\n".join(lines)


def _round_text(view: SeaChangeView, labels: Labels) -> str:
    result = view.last_round
    assert result is not None
    totals = ", ".join(
        labels.say("alt.total", name=_side(view, labels, side), points=signed(points), cards=len(result.captured[side]))
        for side, points in enumerate(result.points)
    )
    winners = labels.list([_side(view, labels, side) for side in result.winners])
    text = labels.say(
        "alt.round", round=result.round, totals=totals, winners=winners, trump=suit_name(labels, result.trump)
    )
    if result.zero_side is not None:
        text += " " + labels.say("alt.zero", name=_side(view, labels, result.zero_side))
    return text


def narrate(event: object, labels: Labels) -> str:
    """Return a sentence about the event."""
    match event:
        case RoundBegan():
            suits = " ".join(labels.say(f"sign.{s}") + s for s in event.suits)
            return labels.say("event.round_began", round=event.round, name=labels.who(event.leader), suits=suits)
        case CardPlayed():
            return labels.say("event.card_played", name=labels.who(event.player), card=card_label(labels, event.card))
        case TrumpSet():
            return labels.say("event.trump_set", suit=suit_with_sign(labels, event.suit))
        case SeaChanged():
            return labels.say("event.sea_changed", suit=suit_with_sign(labels, event.suit))
        case CardDrawn():
            key = "event.card_drawn" if event.card is None else "event.card_drawn_own"
            card = card_label(labels, event.card) if event.card else ""
            return labels.say(key, name=labels.who(event.seat), card=card)
        case TrickTaken():
            if not event.cards:  # an earlier trick: players may not look back at its cards (C7)
                return labels.say("event.trick_taken_before", name=labels.who(event.winner))
            cards = " ".join(card_label(labels, card) for card in event.cards)
            return labels.say("event.trick_taken", name=labels.who(event.winner), cards=cards)
        case RoundScored():
            return _scored(event, labels)
        case MatchWon():  # it names the sides only; the score names their players
            return labels.say(f"event.match_won_{event.tie_break or 'plain'}")
        case _:
            return ""


def suit_with_sign(labels: Labels, suit: str) -> str:
    """A suit in a message: its sign and its name."""
    return labels.say(f"sign.{suit}") + " " + suit_name(labels, suit)


def _scored(event: RoundScored, labels: Labels) -> str:
    """Return the round's points, its winners and the player who took the trump's 0."""
    result = event.result
    teams = 1 < len(result.points) < len(labels.names)

    def name(side: int) -> str:
        return labels.say("team", letter="ABCD"[side]) if teams else labels.who(side)

    totals = ", ".join(f"{name(side)} {signed(points)}" for side, points in enumerate(result.points))
    winners = labels.list([name(side) for side in result.winners])
    text = labels.say("event.round_scored", round=result.round, totals=totals, winners=winners)
    if result.zero_side is not None:
        zero = card_label(labels, f"{result.trump}0")
        text += " " + labels.say("event.zero_taken", name=name(result.zero_side), card=zero)
    return text


def score(view: SeaChangeView, labels: Labels) -> str:
    """Return a line for each side: victory points and captured cards. Winners first, then the most victory points."""
    teams = len(set(view.sides)) < len(view.sides)

    def line(side: int) -> str:
        members = labels.list([labels.who(player) for player, s in enumerate(view.sides) if s == side])
        said = labels.say(
            "score.team" if teams else "score.side",
            letter="ABCD"[side] if teams else "", names=members, vp=view.victory_points[side], target=view.target,
            cards=view.captured[side],
        )  # fmt: skip
        return said if view.points is None else said + labels.say("score.points", points=signed(view.points[side]))

    return score_lines(_winning_sides(view), view.victory_points, line)


def margin(view: SeaChangeView, labels: Labels) -> str:
    """Return by how many victory points the winning side is ahead."""
    return margin_text(labels, "victory_points", view.victory_points, _winning_sides(view))


def _winning_sides(view: SeaChangeView) -> set[int]:
    return {view.sides[player] for player in match_winners(view)}


def rules(deck: Mapping[str, Any], labels: Labels) -> str:
    """Return the rules as a page to read, with the values of this deck table."""
    points = [(value, deck["points"][str(value)]) for value in POINTS]
    marked = [(value, signed(count), value_mark(count, POINTS[value], value in PRINTED)) for value, count in points]
    groups = [(key, [value for value, *_ in group]) for key, group in groupby(marked, key=itemgetter(1, 2))]
    told = ", ".join(
        labels.say(
            "rules.range" if len(values) > 1 else "rules.one", first=values[0], last=values[-1], mark=mark, points=count
        )
        for (count, mark), values in groups
    )
    zero = deck["zero_points"]
    return rules_page(labels, points=told, zero=signed(zero) + value_mark(zero, ZERO_POINTS, printed=True))
