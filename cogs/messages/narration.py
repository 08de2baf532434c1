"""Tells in sentences what happened in a match: only what a viewer saw and may still look back at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from cogs.match.agenda import Missed
from cogs.match.positions import LoggedEvent
from cogs.messages.content import Button, Id
from cogs.messages.names import in_bold, labels_at, manager_in, name_at, person_in, robot
from data.records.match import NO_SEAT, Match, SeatChangeKind, Status
from rendering import renderer
from rendering.core.labels import Labels
from rules.core.game import AnyGame, Event, Seat

LOG_PAGE = 3300
"""Characters on a page of the log at most."""
MOST_SENTENCES, MOST_LETTERS = 60, 1500
"""What a player has missed is told in at most that many sentences and characters: the newest ones."""


RECENT = 24
"""So many of the newest events are looked at first: mostly they are all that is told."""
MOST_BRIEF, MOST_TAUGHT = 130, 80
"""Characters of what a hand tells, and of one that explains the game: three and two small lines on a phone."""


def backwards(
    game: AnyGame,
    match: Match,
    story: Sequence[LoggedEvent],
    seat: int | None,
    labels: Labels,
    since: int = 0,
    *,
    briefly: bool = False,
) -> Iterator[tuple[LoggedEvent | None, str]]:
    """Yield what happened in a match, the newest first: each event with the sentence for that seat (None: an onlooker),
    and None with the sentence about a player who left a seat or sat down, or about a manager of the server.

    `story`: the whole history, or its end from the move of number `since` on. Events that tell the viewer nothing are
    left out. Events that were taken back are marked; a viewer may always look back at them, because they hid and
    revealed nothing. A sentence names those who had the seats when it happened. `briefly`: as a hand tells it, which
    shows the rest in its picture.
    """
    viewer = None if seat is None else Seat(seat)
    events = [logged.event for logged in story if not logged.undone]
    visible = _looked_back_at(game, events) if match.status is Status.PLAYING else reversed(events)
    named, drawn = labels, renderer(match.game)
    narrate = drawn.narrate_briefly if briefly else drawn.narrate
    changes = [(at, change) for at, change in enumerate(match.seat_changes) if change.moves >= since]
    later = False
    for logged in reversed(story):
        while changes and changes[-1][1].moves > logged.move:
            yield from _seat_lines(match, changes.pop()[0], labels)
            later = True
        if later:
            named, later = labels_at(match, labels.texts, logged.move), False
        event = logged.event if logged.undone else next(visible)
        seen = None if event is None else event.seen_by(viewer)
        line = "" if seen is None else narrate(seen, named)
        if line:
            yield logged, labels.say("log.undone", what=line) if logged.undone else line
    for at, _ in reversed(changes):
        yield from _seat_lines(match, at, labels)


def _looked_back_at(game: AnyGame, events: Sequence[Event]) -> Iterator[Event | None]:
    """Yield what players of a running match may look back at of each event, the newest first: None for nothing."""
    yield from reversed(game.visible_history(events[-RECENT:]))
    if len(events) > RECENT:
        yield from reversed(game.visible_history(events)[:-RECENT])


def _seat_lines(match: Match, number: int, labels: Labels) -> Iterator[tuple[None, str]]:
    """Yield the sentence about that change of a seat; a seat handed over is told with the substitute's change, and a
    manager who gave a seat with that seat's.
    """
    change = match.seat_changes[number]
    if change.kind in (SeatChangeKind.HANDED_OVER, SeatChangeKind.GAVE):
        return
    if change.seat == NO_SEAT:
        yield None, labels.say(f"seat_change.{change.kind}", manager=manager_in(change, match, labels.texts))
        return
    before = [other for other in match.seat_changes[:number] if other.seat == change.seat and other.kind.leaves]
    key = f"seat_change.{change.kind}"
    if change.kind is SeatChangeKind.TOOK_OVER and not before:
        key = "seat_change.took_over_computer"
    gave = match.seat_changes[number - 1] if change.kind is SeatChangeKind.GIVEN and number else None
    if gave is not None and gave.kind is SeatChangeKind.GAVE:
        key, manager = "seat_change.given_by", manager_in(gave, match, labels.texts)
    else:
        manager = ""
    people = [
        (one.user, name_at(match, one.seat, person_in(one, labels.texts), labels.texts, change.moves))
        for one in (change, *before[-1:])
    ]
    who, player = (*in_bold(people), "")[:2]
    (computer,) = in_bold([(None, name_at(match, change.seat, robot(change.computer), labels.texts, change.moves))])
    yield None, labels.say(key, who=who, computer=computer, player=player, manager=manager)


def sentences(
    game: AnyGame,
    match: Match,
    story: Sequence[LoggedEvent],
    seat: int | None,
    labels: Labels,
    most: int | None = None,
    since: int = 0,
    *,
    briefly: bool = False,
) -> list[str]:
    """Return the last `most` sentences of what happened, oldest first. `since` and `briefly` as in `backwards`."""
    return [line for _, line in islice(backwards(game, match, story, seat, labels, since, briefly=briefly), most)][::-1]


def newest(lines: Sequence[str], room: int) -> list[str]:
    """Return the newest of these lines that fit into `room` characters, counting a separator after each; order kept."""
    kept: list[str] = []
    for line in reversed(lines):
        room -= len(line) + 1
        if room < 0:
            break
        kept.append(line)
    return kept[::-1]


def pages(lines: Sequence[str]) -> list[str]:
    """Return pages of whole lines, filled from the end."""
    found: list[list[str]] = [[]]
    size = 0
    for line in reversed(lines):
        if size + len(line) > LOG_PAGE and found[-1]:
            found.append([])
            size = 0
        found[-1].append(line)
        size += len(line) + 1
    return ["\n".join(reversed(page)) for page in reversed(found) if page]


def moved_since(story: Sequence[LoggedEvent], user: int) -> int:
    """Return the number of moves once that user had last moved: a change of seats from then on is new to them."""
    return next((logged.move + 1 for logged in reversed(story) if logged.user == user and not logged.undone), 0)


def since_own_move(story: Sequence[LoggedEvent], user: int) -> Sequence[LoggedEvent]:
    """Return what the last move of that user brought, and what happened since, without the move itself; the whole story
    if they have made none. What was taken back is left out.
    """
    story = [logged for logged in story if not logged.undone]
    own = next((logged.move for logged in reversed(story) if logged.user == user), None)
    return story if own is None else [logged for logged in story if logged.move >= own][1:]


def sentence(line: str) -> str:
    """Return a line of the log in one line that ends like a sentence."""
    line = line.replace("\n", " ")
    return line if line.rstrip("*_")[-1:] in ".!?…)" else f"{line}."


def brief(lines: Sequence[str], labels: Labels, most: int) -> tuple[str, bool]:
    """Return the newest of these lines, of at most so many characters, as one small line, in order, and whether earlier
    ones are left out.
    """
    shown = newest([*map(sentence, lines)], most)
    text, is_cut = " ".join(shown), len(shown) < len(lines)
    text = labels.say("catch_up.earlier", rest=text) if is_cut and text else text
    return (f"-# {text}" if text else ""), is_cut


def paragraph(game: AnyGame, match: Match, found: Missed, seat: int, labels: Labels) -> str:
    """Return what a player has missed (cogs/match/agenda.py), in the lines of the log; "" for nothing.

    It ends with the newest event. It tells what that seat saw and may still look back at, and marks the moves that a
    computer made for the player.
    """
    first = {logged.move: logged for logged in reversed(found.story)}
    lines = []
    for logged, line in islice(backwards(game, match, found.story, seat, labels, found.since), MOST_SENTENCES + 1):
        for_them = logged is not None and logged.move in found.for_them and logged is first[logged.move]
        lines.append(labels.say("catch_up.for_you", what=line) if for_them else line)
    shown = newest(lines[MOST_SENTENCES - 1 :: -1], MOST_LETTERS)
    text = "\n".join(shown)
    return labels.say("catch_up.earlier", rest=text) if len(shown) < len(lines) else text


def catch_up_button(match: Match, labels: Labels) -> Button:
    """Return the button that asks what was missed."""
    return Button(labels.say("catch_up.offer"), Id(match.id, "catch_up"))
