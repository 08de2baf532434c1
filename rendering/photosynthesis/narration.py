"""Photosynthesis in words: alt texts, events, the rules."""

from __future__ import annotations

from collections.abc import Sequence

from rendering.core.formatting import ALT_TEXT_LIMIT, fit_text, margin_text, score_lines, situation, winners
from rendering.core.labels import Labels
from rendering.photosynthesis.steps import kind_of
from rules.core.game import Seat
from rules.photosynthesis import GAME
from rules.photosynthesis.types import (
    HEXES,
    KINDS,
    MOST_LIGHT,
    Bought,
    Buy,
    Collect,
    Collected,
    End,
    FirstPlayerPassed,
    Grow,
    Grown,
    LightCollected,
    MatchWon,
    Move,
    Pieces,
    Place,
    Placed,
    Plant,
    Planted,
    SunMoved,
    TurnEnded,
)
from rules.photosynthesis.view import PhotosynthesisView


def variety(labels: Labels, seat: int) -> str:
    """ "orange oak"."""
    return labels.say(f"variety.{seat}")


def kind_name(labels: Labels, height: int) -> str:
    """A piece of that height: "medium tree"."""
    return labels.say(f"kind.{KINDS[height]}")


def sun_name(labels: Labels, sun: int) -> str:
    """Return the corner in which the sun is."""
    return labels.say(f"sun.{sun}")


def _light_goes(labels: Labels, sun: int) -> str:
    return labels.say(f"light.{sun}")


def pieces_text(labels: Labels, pieces: Pieces) -> str:
    """ "2 seeds, 4 small, 1 medium"."""
    told = [labels.count(kind, number) for kind, number in zip(KINDS, pieces, strict=True) if number]
    return ", ".join(told) or labels.say("alt.none")


def revolution(view: PhotosynthesisView) -> int:
    """Return the number of the sun's revolution: 1 in the first six rounds."""
    return max(view.round - 1, 0) // 6 + 1


def next_light(view: PhotosynthesisView, seat: int) -> tuple[int, int]:
    """Return the light that the next sun brings the seat if nothing changes, and its light lost beyond 20 (P3)."""
    brings = min(view.forecast[seat], MOST_LIGHT - view.light[seat])
    return brings, view.forecast[seat] - brings


def forecast_text(view: PhotosynthesisView, labels: Labels, key: str, seat: int) -> str:
    """ "You get 3 light next round if nothing changes.", with the lost light."""
    light, lost = next_light(view, seat)
    return labels.say(f"{key}_lost" if lost else key, light=light, lost=lost, most=MOST_LIGHT)


# What the picture shows


def _head(view: PhotosynthesisView, labels: Labels) -> list[str]:
    """Return round, sun and the player to move, one sentence each."""
    say = labels.say
    now = situation(view, view.to_move, labels, winners(view))
    if view.outcome:
        parts, now = [say("alt.finished", round=view.round), *now], []
    elif view.round == 0:
        parts = [say("alt.setup")]
    else:
        parts = [say("alt.head", round=view.round, rounds=view.rounds, revolution=revolution(view))]
    parts.append(say("alt.sun", sun=sun_name(labels, view.sun), light=_light_goes(labels, view.sun)))
    parts += now
    if view.viewer is not None and view.forecast and view.round:
        parts.append(forecast_text(view, labels, "alt.forecast", view.viewer))
    return parts


def _last(view: PhotosynthesisView, labels: Labels) -> list[str]:
    """Return a sentence about the last move, if there is one."""
    move = last_move(view)
    if move is None:
        return []
    (text,) = turn_text(view, labels, [str(move)])
    return [labels.say("alt.last_move", name=labels.name(move.seat), move=text)]


def _player(view: PhotosynthesisView, labels: Labels, seat: int) -> str:
    """Return a player's light, points, hand, and every piece on the board by its size."""
    earned = view.sunlight.gained[seat] if view.sunlight else 0
    text = labels.say(
        "alt.player", name=labels.name(seat), variety=variety(labels, seat), light=view.light[seat], earned=earned,
        points=view.scores[seat], hand=pieces_text(labels, view.hands[seat]),
    )  # fmt: skip
    groups = []
    for height in (3, 2, 1, 0):
        there = [hex_ for hex_, piece in zip(HEXES, view.board, strict=True) if piece == (seat, height)]
        if there:
            pieces = labels.count(KINDS[height], len(there))
            groups.append(labels.say("alt.on_board", pieces=pieces, hexes=" ".join(there)))
    return text + labels.say("alt.board", pieces=", ".join(groups) or labels.say("alt.none"))


def _piles(view: PhotosynthesisView, labels: Labels) -> str:
    """Return the tokens that are left: the number for each soil, and the top one."""
    told = [
        labels.say("alt.pile" if pile else "alt.pile_empty", leaves=labels.count("leaves", leaves), number=len(pile),
                   points=pile[0] if pile else 0)
        for leaves, pile in enumerate(view.piles, 1)
    ]  # fmt: skip
    return labels.say("alt.piles", piles=labels.clauses(told))


def describe(view: PhotosynthesisView, labels: Labels) -> str:
    """Return the alt text: sun, turn, the light, hand and pieces of all players, the tokens left."""

    def write(labels: Labels) -> str:
        players = [_player(view, labels, seat) + "." for seat in range(view.seats)]
        return " ".join([*_head(view, labels), *_last(view, labels), *players, _piles(view, labels)])

    return fit_text(ALT_TEXT_LIMIT, labels, write)


def transcript(view: PhotosynthesisView, labels: Labels) -> str:
    """Return all of the position, line by line, the board last."""
    lines = _head(view, labels)
    if view.shade:
        lines.append(labels.say("alt.shade"))
    if view.round:
        lines.append(labels.say("alt.first", name=labels.name(view.first)))
    for seat in range(view.seats):
        lines.append(_player(view, labels, seat) + ".")
        lines.append(labels.say("alt.shop", name=labels.name(seat), columns=_columns(view, labels, seat)))
        if view.tokens[seat]:
            tokens = ", ".join(str(token.points) for token in view.tokens[seat])
            lines.append(labels.say("alt.tokens", name=labels.name(seat), tokens=tokens))
    lines.append(_piles(view, labels))
    if view.turn:
        lines.append(labels.say("alt.so_far", moves=labels.clauses(turn_text(view, labels, view.turn))))
    if view.last_turn:
        moves = labels.clauses(turn_text(view, labels, view.last_turn.moves))
        lines.append(labels.say("alt.last_turn", name=labels.name(view.last_turn.seat), moves=moves))
    return "\n".join([*lines, *_board(view, labels)])


def _board(view: PhotosynthesisView, labels: Labels) -> list[str]:
    """Return a line for each hex with a piece, then the empty hexes by the shadow on them."""
    lines = [labels.say("alt.soil")]
    for hex_, piece, shadow in zip(HEXES, view.board, view.shadow, strict=True):
        if piece is None:
            continue
        notes = [labels.say("alt.piece", variety=variety(labels, piece.seat), kind=kind_name(labels, piece.height))]
        if shadow:
            notes.append(labels.say(f"alt.shadow_{shadow}"))
        if hex_ in view.activated:
            notes.append(labels.say("alt.activated"))
        lines.append(labels.say("alt.hex", hex=hex_, notes=", ".join(notes)))
    if view.sunlight and view.sunlight.earned:
        earned = ", ".join(f"{hex_} {light}" for hex_, light in view.sunlight.earned)
        lines.append(labels.say("alt.earned", hexes=earned))
    empty = [place for place, piece in enumerate(view.board) if piece is None]
    lines += [
        labels.say("alt.empty", hexes=hexes, shadow=labels.say(f"alt.shadow_{shadow}"))
        for shadow in range(4)
        if (hexes := ", ".join(HEXES[place] for place in empty if view.shadow[place] == shadow))
    ]
    return lines


def _columns(view: PhotosynthesisView, labels: Labels, seat: int) -> str:
    """Return the player board: the number of each piece for sale, and the price of the next one."""
    told = []
    for height, (number, price) in enumerate(zip(view.player_boards[seat], view.prices[seat], strict=True)):
        key = "alt.column" if price else "alt.column_empty"
        told.append(labels.say(key, kind=kind_name(labels, height), number=number, price=price))
    return ", ".join(told)


def last_moves(view: PhotosynthesisView) -> list[Move]:
    """Return the moves of the turn under way or, if it has none yet, of the last one; without its end, unless that was
    all of it.
    """
    seat, moves = view.last_turn or (Seat(0), ())
    if view.turn and view.to_move is not None:
        seat, moves = view.to_move, view.turn
    found = [GAME.parse(seat, text) for text in moves]
    return [move for move in found if not isinstance(move, End)] or found


def last_move(view: PhotosynthesisView) -> Move | None:
    """Return the newest of these moves, if there is one."""
    return next(reversed(last_moves(view)), None)


def harvested(view: PhotosynthesisView) -> tuple[list[Collect], int]:
    """Return the harvests among these moves, and the points of their tokens."""
    trees = [move for move in last_moves(view) if isinstance(move, Collect)]
    tokens = view.tokens[trees[0].seat][-len(trees) :] if trees else ()
    return trees, sum(token.points for token in tokens)


def changed_hex(move: Move) -> str:
    """Return the hex whose piece the move placed, grew or took; "" if it changed none."""
    match move:
        case Plant():
            return str(move.target)
        case Grow() | Collect() | Place():
            return str(move.hex)
        case _:
            return ""


def turn_text(view: PhotosynthesisView, labels: Labels, moves: Sequence[str]) -> list[str]:
    """Return the sentences about a finished turn's moves."""
    told = []
    for text in moves:
        move = GAME.parse(Seat(0), text)
        match move:
            case Plant():
                told.append(labels.say("done.plant", origin=move.origin, target=move.target))
            case Buy():
                told.append(labels.say("done.buy", kind=labels.say(f"kind.{move.kind}")))
            case Grow() | Collect() | Place():
                told.append(labels.say(f"done.{kind_of(move)}", hex=move.hex))
            case _:
                told.append(labels.say("done.end"))
    return told


def light_text(view: PhotosynthesisView, labels: Labels) -> str:
    """Return what the sun paid this round; "" before the first round."""
    if view.sunlight is None:
        return ""
    lost = view.sunlight.lost
    paid = ", ".join(
        labels.say(
            "alt.gained_lost" if lost[seat] else "alt.gained", name=labels.name(seat), light=light, lost=lost[seat]
        )
        for seat, light in enumerate(view.sunlight.gained)
    )
    return labels.say("alt.paid", round=view.sunlight.round, paid=paid)


def last_text(view: PhotosynthesisView, labels: Labels) -> str:
    """Return the last finished turn, and what the sun paid this round; "" in the first turn."""
    if view.last_turn is None:
        return ""
    moves = labels.clauses(turn_text(view, labels, view.last_turn.moves))
    told = labels.say("alt.last_turn", name=labels.name(view.last_turn.seat), moves=moves)
    return f"{told} {light_text(view, labels)}".strip()


# What happened


def narrate(event: object, labels: Labels) -> str:
    """Return a sentence about the event."""
    say, who = labels.say, labels.who
    match event:
        case Placed():
            return say("event.placed", name=who(event.seat), hex=event.hex)
        case Bought():
            kind = say(f"kind.{event.kind}")
            return say("event.bought", name=who(event.seat), kind=kind, light=event.price)
        case Planted():
            return say("event.planted", name=who(event.seat), origin=event.origin, target=event.target)
        case Grown():
            text = say(
                "event.grown", name=who(event.seat), hex=event.hex, kind=kind_name(labels, event.height),
                light=event.height,
            )  # fmt: skip
            return text if event.returned else text + " " + _lost(labels, event.height - 1)
        case Collected():
            return _collected(event, labels)
        case TurnEnded():
            return say("event.turn_ended", name=who(event.seat))
        case FirstPlayerPassed():
            return say("event.first_player_passed", name=who(event.seat))
        case SunMoved():
            return say(
                "event.sun_moved",
                round=event.round,
                sun=sun_name(labels, event.sun),
                light=_light_goes(labels, event.sun),
            )
        case LightCollected():
            return _light_collected(event, labels)
        case MatchWon():
            return _won(event, labels)
        case _:
            return ""


def _lost(labels: Labels, height: int) -> str:
    return labels.say("event.lost", kind=kind_name(labels, height))


def _collected(event: Collected, labels: Labels) -> str:
    """Return what a collected tree was worth, and the pile of its token."""
    token = event.token
    key = "collected" if token.leaves == event.leaves else "collected_poorer" if token.leaves else "collected_nothing"
    text = labels.say(
        f"event.{key}", name=labels.who(event.seat), hex=event.hex, points=token.points,
        leaves=labels.count("leaves", token.leaves),
    )  # fmt: skip
    return text if event.returned else text + " " + _lost(labels, 3)


def _light_collected(event: LightCollected, labels: Labels) -> str:
    """Return the light that each player gained and has now."""
    told = []
    for seat, light in enumerate(event.light):
        lost = event.sunlight.lost[seat]
        key = "event.gained_lost" if lost else "event.gained"
        gained = event.sunlight.gained[seat]
        told.append(labels.say(key, name=labels.who(seat), gained=gained, light=light, lost=lost))
    return labels.say("event.light_collected", round=event.sunlight.round, gained=" · ".join(told))


def _won(event: MatchWon, labels: Labels) -> str:
    """Return the winners, and the sum of each player."""
    names = labels.list([labels.who(seat) for seat in event.seats])
    finals = " · ".join(
        labels.say(
            "event.final", name=labels.who(seat), points=final.tokens + final.light, tokens=final.tokens,
            light=final.light, pieces=labels.count("pieces", final.on_board),
        )
        for seat, final in enumerate(event.finals)
    )  # fmt: skip
    return labels.say("event.won" if len(event.seats) == 1 else "event.won_shared", names=names) + "\n" + finals


def score(view: PhotosynthesisView, labels: Labels) -> str:
    """Return a line for each seat, the most points first."""

    def line(seat: int) -> str:
        return labels.say(
            "score.seat", sign=labels.say(f"sign.{seat}"), name=labels.who(seat), points=view.scores[seat],
            tokens=labels.count("tokens", len(view.tokens[seat])), light=view.light[seat],
        )  # fmt: skip

    return score_lines(winners(view), view.scores, line)


def margin(view: PhotosynthesisView, labels: Labels) -> str:
    """Return by how many points the winners are ahead."""
    return margin_text(labels, "points", view.scores, winners(view))
