"""Full Sun in words: alt texts, events, the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rendering.core import theme
from rendering.core.discs import first_fit
from rendering.core.formatting import (
    ALT_TEXT_LIMIT,
    fit_text,
    margin_text,
    rules_page,
    score_lines,
    situation,
    value_mark,
    winners,
)
from rendering.core.labels import Labels
from rules.core.tricks import TrickTaken
from rules.full_sun.types import (
    SUITS,
    WEATHER,
    Backs,
    CardPlayed,
    FullSunView,
    Lay,
    MatchWon,
    RoundBegan,
    RoundResult,
    RoundScored,
    TieBreak,
    Trick,
    suit_of,
)


def playable(view: FullSunView) -> tuple[str, ...]:
    """Return the cards of the viewer's hand that may be played now (S2); () if it is not the viewer's turn."""
    if view.viewer is None or view.to_move != view.viewer:
        return ()
    return tuple(card for card in view.hand if suit_of(card) == view.follow) or view.hand


def possible_species(view: FullSunView) -> tuple[str, ...]:
    """Return a card of each kind that may be the viewer's last card: the lowest of each tree, and each Weather (S6).

    In the last trick these are the playable cards. After the viewer has played one, it is the only one, since leftover
    cards do not count (S5).
    """
    cards: Sequence[str] = view.hand
    if view.trick_number == view.tricks:
        cards = [lay.card for lay in view.lays if lay.seat == view.viewer] or playable(view) or view.hand
    found = {card if suit_of(card) == "W" else suit_of(card): card for card in reversed(cards)}
    return tuple(reversed(found.values()))


def highest(view: FullSunView) -> Lay | None:
    """Return the card that would take the trick now (S3)."""
    return max(view.lays, key=lambda lay: view.face(lay.card), default=None)


def shows_last_round(view: FullSunView) -> bool:
    """Return whether to show the last round's result: no card of the new round is played yet, or the match is over."""
    return view.last_round is not None and (bool(view.outcome) or (view.trick_number == 1 and not view.lays))


def direction(labels: Labels, clockwise: bool) -> str:
    """Return the direction of play in words (S4)."""
    return labels.say("picture.clockwise" if clockwise else "picture.counter")


def progress(view: FullSunView, labels: Labels) -> str:
    """Return round and trick in a few words for a picture."""
    return labels.say("picture.progress", round=view.round, trick=view.trick_number, tricks=view.tricks)


def lying_trick(view: FullSunView, labels: Labels) -> str:
    """Return which trick lies there once it is over: of the round before if no card of this one is played."""
    if view.trick_number == 1:
        return labels.say("picture.last_of_round", round=view.round - 1)
    return labels.say("picture.taken", round=view.round, trick=view.trick_number - 1)


def played(labels: Labels, lay: Lay, name: str, room: int) -> str:
    """Return who played what for a picture: "Ann played Beech 7", or shorter if there is less room. `name`: that of the
    player; "" if it is the viewer.
    """
    card, key = card_name(labels, lay.card), "played" if name else "you_played"
    ways = ((key, card), (f"{key}_brief", card), (key, lay.card), (f"{key}_brief", lay.card))
    return first_fit([labels.say(f"picture.{key}", name=name, card=said) for key, said in ways], theme.SMALL, room)


def card_name(labels: Labels, card: str) -> str:
    """A card in a sentence: "Beech 7", "Rain"."""
    if suit_of(card) == "W":
        return labels.say(f"card.{card}")
    return labels.say("card.spoken", suit=labels.say(f"suit.{card[0]}"), number=card[1:])


def card_label(labels: Labels, card: str) -> str:
    """A card on a button or in a message: its suit's sign and its notation."""
    if suit_of(card) == "W":
        return labels.say("card.written", sign=labels.say(f"weather_sign.{card}"), card=labels.say(f"card.{card}"))
    return labels.say("card.written", sign=labels.say(f"sign.{card[0]}"), card=card)


def suit_with_sign(labels: Labels, suit: str) -> str:
    """A suit in a message: its sign and its name."""
    return labels.say(f"sign.{suit}") + " " + labels.say(f"suit.{suit}")


def goals(view: FullSunView, labels: Labels) -> str:
    """Return the ways in which the seat to move can still score this round: "1 trick with 🍂 Beech, 2 with 💗 Redbud";
    "" if there is none.

    A way needs as many tricks as are won already, or more, and no more than are left to play.
    """
    assert view.viewer is not None
    won = view.tricks_won[view.viewer]
    most = won + view.tricks - view.trick_number + 1
    ways = sorted((view.face(card).pips, place, card) for place, card in enumerate(possible_species(view)))
    return ", ".join(
        labels.say("prompt.goal", tricks=pips, suit=_last_card(labels, card))
        for pips, _, card in ways
        if won <= pips <= most
    )


def _last_card(labels: Labels, card: str) -> str:
    """Return a last card's tree, or the name of a Weather card."""
    if suit_of(card) == "W":
        return labels.say(f"weather_sign.{card}") + " " + labels.say(f"card.{card}")
    return suit_with_sign(labels, suit_of(card))


def ahead(view: FullSunView, lays: Sequence[Lay]) -> int | None:
    """Return the place in the trick of the card that wins it so far (S3); None before the first card."""
    return max(range(len(lays)), key=lambda at: view.face(lays[at].card), default=None)


def _lays(lays: Sequence[Lay], labels: Labels) -> str:
    return ", ".join(labels.say("alt.lay", name=labels.name(seat), card=card_name(labels, card)) for seat, card in lays)


def _trick(trick: Trick, labels: Labels) -> str:
    return labels.say("alt.last", cards=_lays(trick.lays, labels), name=labels.name(trick.winner))


def last_text(view: FullSunView, labels: Labels) -> str:
    """Return the last complete trick in words (S9); "" before there is one."""
    return "" if view.last_trick is None else _trick(view.last_trick, labels)


def _backs(backs: Backs, labels: Labels, brief: bool) -> str:
    """ "Beech 2, Redbud 3", or in brief "2B 3R"."""
    held = [(suit, count) for suit, count in zip(SUITS, backs, strict=True) if count]
    if not held:
        return labels.say("alt.none")
    if brief:
        return " ".join(labels.say("alt.brief_backs", suit=suit, count=count) for suit, count in held)
    return ", ".join(labels.say("alt.backs", suit=labels.say(f"suit.{suit}"), count=count) for suit, count in held)


def _parts(view: FullSunView, labels: Labels) -> list[str]:
    """Return what the picture says, one sentence each."""
    facts = {
        "round": view.round, "trick": view.trick_number, "tricks": view.tricks, "target": view.target,
        "direction": direction(labels, view.clockwise),
    }  # fmt: skip
    parts = [labels.say("alt.over" if view.outcome else "alt.head", **facts)]
    parts += situation(view, view.to_move, labels, winners(view))
    parts += [_tie_break(tie_break, labels) for tie_break in view.tie_breaks]
    if view.follow:
        parts.append(labels.say("alt.follow", suit=labels.say(f"suit.{view.follow}")))
    if view.hand and not view.outcome:
        parts.append(labels.say("alt.hand", cards=", ".join(card_name(labels, card) for card in view.hand)))
    if view.lays:
        leader = labels.name(view.lays[ahead(view, view.lays) or 0].seat)
        parts.append(labels.say("alt.trick", cards=_lays(view.lays, labels), name=leader))
    elif view.last_trick:
        parts.append(_trick(view.last_trick, labels))
    return parts


def _tie_break(tie_break: TieBreak, labels: Labels) -> str:
    facts = {"name": labels.name(tie_break.seat), "suit": labels.say(f"suit.{tie_break.species}")}
    if tie_break.trick is None:
        return labels.say("alt.tie_break_none", **facts)
    cards = ", ".join(lay.card for lay in tie_break.trick.lays)
    return labels.say("alt.tie_break", cards=cards, count=tie_break.cards, **facts)


def _players(view: FullSunView, labels: Labels, brief: bool) -> list[str]:
    """Return a line for each player: points, tricks won, the backs of the hand."""
    return [
        labels.say(
            "alt.player",
            name=labels.name(seat),
            points=view.points[seat],
            tricks=view.tricks_won[seat],
            backs=_backs(view.backs[seat], labels, brief),
        )
        + (labels.say("alt.dealer") if seat == view.dealer else "")
        for seat in range(view.seats)
    ]


def describe(view: FullSunView, labels: Labels) -> str:
    """Return the alt text: the hand, the trick, and each player."""

    def write(labels: Labels) -> str:
        parts = _parts(view, labels)
        if view.last_round and shows_last_round(view):
            parts.append(_round_text(view.last_round, labels))
        fan = labels.say("alt.fan", backs=_backs(view.fan, labels, brief=True))
        return " ".join([*parts, labels.clauses(_players(view, labels, brief=True)) + ".", fan])

    return fit_text(ALT_TEXT_LIMIT, labels, write)


def transcript(view: FullSunView, labels: Labels) -> str:
    """Return all that the viewer may know, line by line."""
    lines = _parts(view, labels)
    if view.lays and view.last_trick:
        lines.append(_trick(view.last_trick, labels))
    if cards := playable(view):
        lines.append(labels.say("alt.playable", cards=", ".join(card_name(labels, card) for card in cards)))
    if view.viewer is not None and not view.outcome:
        for card in possible_species(view):
            named = card_name(labels, card) if suit_of(card) == "W" else labels.say(f"suit.{card[0]}")
            facts = {"pips": view.face(card).pips, "tricks": view.tricks_won[view.viewer]}
            lines.append(labels.say("alt.need", card=named, **facts))
    lines += [line + "." for line in _players(view, labels, brief=False)]
    lines.append(labels.say("alt.fan", backs=_backs(view.fan, labels, brief=False)))
    (rain, rain_pips), (sun, sun_pips) = view.rain, view.sun
    lines.append(
        labels.say("alt.weather", rain=rain, rain_pips=rain_pips, sun=sun, sun_pips=sun_pips, highest=view.highest)
    )
    if view.last_round:
        lines.append(_round_text(view.last_round, labels))
    return "\n".join(lines)


def _round_text(result: RoundResult, labels: Labels) -> str:
    """Return the result of the last round."""
    players = []
    for seat, suit in enumerate(result.species):
        facts = {"suit": labels.say(f"suit.{suit}"), "tricks": result.tricks[seat], "pips": result.pips[seat]}
        text = labels.say("alt.species", name=labels.name(seat), **facts)
        if result.left[seat]:
            text += labels.say("alt.left", count=result.left[seat])
        players.append(text + (labels.say("alt.scored") if seat in result.scored else ""))
    return labels.say("alt.round", round=result.round, players=labels.clauses(players))


def narrate(event: object, labels: Labels) -> str:
    """Return a sentence about the event."""
    match event:
        case RoundBegan():
            told = labels.say(
                "event.round_began",
                round=event.round,
                name=labels.who(event.dealer),
                direction=direction(labels, event.clockwise),
            )
            least = min(event.hand_sizes)
            extras = [
                labels.say("event.extra_of", name=labels.who(seat), count=size - least)
                for seat, size in enumerate(event.hand_sizes)
                if size > least
            ]
            return told + (" " + labels.say("event.extra", players=", ".join(extras)) if extras else "")
        case CardPlayed():
            return labels.say("event.card_played", name=labels.who(event.seat), card=card_label(labels, event.card))
        case TrickTaken():
            if not event.cards:  # an earlier trick: players may not look back at its cards (S9)
                return labels.say("event.trick_taken_before", name=labels.who(event.winner))
            cards = " ".join(card_label(labels, card) for card in event.cards)
            return labels.say("event.trick_taken", name=labels.who(event.winner), cards=cards)
        case RoundScored():
            return _scored(event.result, labels)
        case MatchWon():
            return _match_won(event, labels)
        case _:
            return ""


def _scored(result: RoundResult, labels: Labels) -> str:
    """Return each player's tree with its tricks, and the players who score."""
    players = [
        labels.say(
            "event.species",
            name=labels.who(seat),
            sign=labels.say(f"sign.{suit}"),
            suit=labels.say(f"suit.{suit}"),
            tricks=result.tricks[seat],
            pips=result.pips[seat],
        )
        + (labels.say("alt.left", count=result.left[seat]) if result.left[seat] else "")
        for seat, suit in enumerate(result.species)
    ]
    text = labels.say("event.scored", round=result.round, players=labels.clauses(players))
    names = labels.list([labels.who(seat) for seat in result.scored])
    key = ("no_point", "point_one", "point")[min(2, len(result.scored))]
    return text + " " + labels.say(f"event.{key}", names=names)


def _match_won(event: MatchWon, labels: Labels) -> str:
    names = labels.list([labels.who(seat) for seat in event.seats])
    text = labels.say("event.match_shared" if len(event.seats) > 1 else "event.match_won", names=names)
    if event.tie_breaks:
        counts = [
            labels.say(
                "event.tie_break_count",
                name=labels.who(tie_break.seat),
                count=tie_break.cards,
                sign=labels.say(f"sign.{tie_break.species}"),
                suit=labels.say(f"suit.{tie_break.species}"),
            )
            for tie_break in event.tie_breaks
        ]
        text += " " + labels.say("event.tie_break", players=", ".join(counts))
    return text


def score(view: FullSunView, labels: Labels) -> str:
    """Return a line for each seat: points and, until the match is over, tricks this round. Winners first, then the most
    points.
    """

    def line(seat: int) -> str:
        told = labels.say("score.seat", name=labels.who(seat), points=view.points[seat], target=view.target)
        return told if view.outcome else told + labels.say("score.tricks", tricks=view.tricks_won[seat])

    return score_lines(winners(view), view.points, line)


def margin(view: FullSunView, labels: Labels) -> str:
    """Return by how many points the winners are ahead."""
    return margin_text(labels, "points", view.points, winners(view))


def rules(deck: Mapping[str, Any], labels: Labels) -> str:
    """Return the rules as a page to read, with the values of this deck table."""
    values = {
        f"{card}_{name}": f"{value}{value_mark(value, WEATHER[card][name], printed=(card, name) == ('rain', 'pips'))}"
        for card, face in deck.items()
        for name, value in face.items()
    }
    return rules_page(labels, **values)
