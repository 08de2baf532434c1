"""The questions of Photosynthesis: the kind of action, then its place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rendering.core.labels import Labels
from rendering.core.prompts import Choice, Prompt, in_ranges
from rendering.photosynthesis.narration import forecast_text, kind_name, pieces_text, sun_name
from rendering.photosynthesis.steps import ACTIONS, COLLECT, PLACE, PLANT, Step, cost, current_step, kind_of, token_at
from rules.photosynthesis.packed import shadow_masks
from rules.photosynthesis.types import BOARD, HEXES, KINDS, LEAVES, Buy, Collect, End, Grow, Hex, Move, Place, Plant
from rules.photosynthesis.view import PhotosynthesisView


def prompt(view: PhotosynthesisView, moves: Sequence[Move], path: tuple[str, ...], labels: Labels) -> Prompt:
    """Ask for the kind of action, then its place. Planting: the tree, then the hex, by rows if there are too many."""
    step = current_step(moves, path)
    if step.kind == PLACE:
        places = sorted([move for move in step.moves if isinstance(move, Place)], key=_side_and_hex)
        choices = tuple(_place(view, move, labels) for move in places)
        return Prompt(
            labels.say("ask.place") + " " + labels.say("ask.first_sun", sun=sun_name(labels, view.sun)), choices
        )
    if not step.kind:
        return _actions(view, step, labels)
    if step.kind == PLANT:
        return _planting(view, step, labels)
    choices = tuple(_choice(view, move, labels) for move in step.moves)
    return Prompt(_question(view, step, labels), in_ranges(choices, path))


SIDES = ("north", "north_east", "east", "south_east", "south", "south_west", "west", "north_west")
"""The board's sides, clockwise; its corners in the east and the west are sides of one hex."""
MOST_ORIGINS = 8
"""The most trees to plant from that are answers to the first question."""
SUNS = 6
"""The sun's corners; it moves on by one each round."""
_RADIUS = max(r for _, r in BOARD.axial.values())


def _side(hex_: Hex) -> str:
    """Return the side of the board on which an edge hex lies."""
    q, r = BOARD.axial[hex_]
    if abs(r) == _RADIUS:
        return "north" if r < 0 else "south"
    across = "west" if 2 * q + r < 0 else "east"
    return across if r == 0 else f"{'north' if r < 0 else 'south'}_{across}"


def _side_and_hex(move: Place) -> tuple[int, str]:
    return SIDES.index(_side(move.hex)), move.hex


def _first_rounds(view: PhotosynthesisView, hex_: Hex) -> tuple[int, ...]:
    """Return in which of the first six rounds a small tree there would be in the light, as the board is now."""
    small, medium, large = (_trees(view, height) for height in (1, 2, 3))
    bit = BOARD.bits[HEXES.index(hex_)]
    suns = ((view.sun + turned) % SUNS for turned in range(SUNS))
    return tuple(n for n, sun in enumerate(suns, 1) if not bit & shadow_masks(small, medium, large, sun)[0])


def _trees(view: PhotosynthesisView, height: int) -> int:
    """Return the mask of the trees of that height."""
    return sum(bit for bit, piece in zip(BOARD.bits, view.board, strict=True) if piece and piece.height == height)


def _place(view: PhotosynthesisView, move: Place, labels: Labels) -> Choice:
    """Return the choice of an edge hex: its side, and in which of the first rounds the sun will shine there."""
    label = labels.say("choice.place", hex=move.hex, side=labels.say(f"side.{_side(move.hex)}"))
    rounds = ", ".join(map(str, _first_rounds(view, move.hex)))
    return Choice(label, str(move), detail=labels.say("prompt.first_rounds", rounds=rounds))


def _lit(view: PhotosynthesisView, hex_: Hex, labels: Labels) -> str:
    """Return a note whether a seed or small tree there would be in the light."""
    return labels.say("prompt.dark" if view.shadow[HEXES.index(hex_)] else "prompt.lit")


def _signed(sign: str, text: str, labels: Labels) -> str:
    """Return the text after one of the game's signs."""
    return f"{labels.say(f'sign.{sign}')} {text}"


def _action(kind: str, labels: Labels) -> str:
    return _signed(kind, labels.say(f"action.{kind}"), labels)


def _actions(view: PhotosynthesisView, step: Step, labels: Labels) -> Prompt:
    """Ask for the kind of action or the end of the turn, with the player's light now and next round. The trees to plant
    from are among the answers if they are few: so each action takes two presses.
    """
    able = {kind_of(move) for move in step.moves}
    choices: list[Choice] = []
    for kind in [kind for kind in ACTIONS if kind in able]:
        origins = sorted({move.origin for move in step.moves if isinstance(move, Plant)}) if kind == PLANT else []
        if 0 < len(origins) <= MOST_ORIGINS:
            choices += [Choice(_seed_from(origin, labels), path=(PLANT, origin)) for origin in origins]
        else:
            choices.append(Choice(_action(kind, labels), path=(kind,)))
    ends = [move for move in step.moves if isinstance(move, End)]
    choices += [Choice(_action("end", labels), str(move), style="success") for move in ends]
    if not ends:
        return Prompt("", ())
    seat = ends[0].seat
    question = labels.say("ask.turn", light=view.light[seat], hand=pieces_text(labels, view.hands[seat]))
    if view.forecast:
        question += " " + forecast_text(view, labels, "ask.forecast", seat)
    if view.next_sun is not None:
        question += " " + labels.say("ask.next_sun", sun=sun_name(labels, view.next_sun))
    return Prompt(question, tuple(choices))


def _seed_from(origin: str, labels: Labels) -> str:
    return _signed(PLANT, labels.say("choice.from", hex=origin), labels)


def _question(view: PhotosynthesisView, step: Step, labels: Labels) -> str:
    """Return the question, with the cost and the light that is left."""
    if not step.moves:
        return ""
    seat = step.moves[0].seat
    have, hand = view.light[seat], view.hands[seat]
    lines = [labels.say(f"ask.{step.kind}", light=have)]
    if step.kind == COLLECT:
        return lines[0] + " " + _leaves(view, step.moves[0], labels)
    told = {}
    for move in step.moves:
        spent = cost(view, move)
        what = _becomes(view, move)
        told[what] = labels.say(
            "ask.cost", what=kind_name(labels, what), light=spent, left=have - spent, hand=hand[what]
        )  # fmt: skip
    return lines[0] + "\n" + "\n".join(told[what] for what in sorted(told))


def _becomes(view: PhotosynthesisView, move: Move) -> int:
    """Return the height of the piece that is grown or bought."""
    if isinstance(move, Buy):
        return KINDS.index(move.kind)
    return cost(view, move)


def _leaves(view: PhotosynthesisView, move: Move, labels: Labels) -> str:
    """Return a move's cost and the light that is left."""
    spent = cost(view, move)
    return labels.say("ask.leaves", light=spent, left=view.light[move.seat] - spent)


def _choice(view: PhotosynthesisView, move: Move, labels: Labels) -> Choice:
    """Return the choice of a tree to collect or grow, or of a piece to buy: what grows or is bought has its sign. A
    choice that is the only one has the sign of its action; for growing, the arrow in the label is enough.
    """
    spent = cost(view, move)
    facts: dict[str, Any] = {"light": spent, "left": view.light[move.seat] - spent}
    piece = ""
    match move:
        case Collect():
            facts |= {"hex": move.hex, "points": token_at(view, move.hex).points}
        case Grow():
            piece = KINDS[spent]
            facts |= {"hex": move.hex, "size": labels.say(f"size.{piece}")}
        case Buy():
            piece = move.kind
            facts |= {"kind": labels.say("kind.seed" if piece == "seed" else f"size.{piece}")}
    text = labels.say(f"choice.{kind_of(move)}", **facts)
    label = _signed(piece, text, labels) if piece else text
    alone = label if isinstance(move, Grow) else _signed(kind_of(move), text, labels)
    return Choice(label, str(move), detail=labels.say("prompt.leaves", **facts), alone=alone)


def _planting(view: PhotosynthesisView, step: Step, labels: Labels) -> Prompt:
    """Ask for the tree to plant from, then the hex, by rows if a list has no room for all hexes."""
    plants = [move for move in step.moves if isinstance(move, Plant)]
    if not plants:
        return Prompt("", ())
    seat = plants[0].seat
    seeds = view.hands[seat].seed - 1
    costs = _leaves(view, plants[0], labels) + " " + labels.say("ask.seeds_left", seeds=labels.count("seed", seeds))
    if not step.origin:
        return Prompt(labels.say("ask.plant") + " " + costs, _origins(view, plants, labels))
    if step.rows:
        choices = []
        for row in step.rows:
            targets = [move.target for move in plants if move.target[0] == row]
            detail = labels.say("prompt.row", hexes=" ".join(targets))
            choices.append(Choice(labels.say("choice.row", row=row), path=(PLANT, step.origin, row), detail=detail))
        return Prompt(labels.say("ask.row", origin=step.origin) + " " + costs, tuple(choices))
    return Prompt(labels.say("ask.target", origin=step.origin) + " " + costs,
                  tuple(_target(view, move, labels) for move in plants))  # fmt: skip


def _origins(view: PhotosynthesisView, plants: Sequence[Plant], labels: Labels) -> tuple[Choice, ...]:
    choices = []
    for origin in sorted({move.origin for move in plants}):
        piece = view.at(origin)
        assert piece is not None
        number = sum(move.origin == origin for move in plants)
        text = labels.say("choice.origin", hex=origin, kind=kind_name(labels, piece.height))
        label = _signed(KINDS[piece.height], text, labels)
        detail = labels.say("prompt.origin", steps=labels.count("steps", piece.height), number=number)
        choices.append(Choice(label, path=(PLANT, origin), detail=detail))
    return tuple(choices)


def _target(view: PhotosynthesisView, move: Plant, labels: Labels) -> Choice:
    leaves = LEAVES[move.target]
    label = labels.say("choice.target", hex=move.target, leaves=leaves)
    alone = f"{_seed_from(move.origin, labels)} {label}"
    return Choice(label, str(move), detail=_lit(view, move.target, labels), alone=alone)


def move_label(view: PhotosynthesisView, move: Move, labels: Labels) -> str:
    """Return the move in the game's words: "Plant C3 → D5 (1 light)"."""
    spent = cost(view, move)
    match move:
        case Plant():
            return labels.say("move.plant", origin=move.origin, target=move.target, light=spent)
        case Grow():
            return labels.say("move.grow", hex=move.hex, kind=kind_name(labels, spent), light=spent)
        case Collect():
            return labels.say("move.collect", hex=move.hex, points=token_at(view, move.hex).points, light=spent)
        case Buy():
            return labels.say("move.buy", kind=kind_name(labels, KINDS.index(move.kind)), light=spent)
        case Place():
            return labels.say("move.place", hex=move.hex)
        case _:
            return labels.say("move.end")


def terms(move: Move, labels: Labels) -> dict[str, tuple[str, ...]]:
    """Return what texts call the piece that is bought: "small tree"; a hex has no other name."""
    return {move.kind: (kind_name(labels, KINDS.index(move.kind)),)} if isinstance(move, Buy) else {}
