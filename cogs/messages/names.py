"""Makes the names that users chose harmless: plain text for pictures and alt texts, escaped for messages.

It also says who has which seat of a match, and had it earlier.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from data.records.match import DEPARTED, Chair, Match, SeatChange
from rendering.core import lettering
from rendering.core.alike import looks
from rendering.core.labels import Labels

MOST = 32
"""Characters of a name at most; Discord's own limit."""

_MARK_KINDS = ("Mn", "Me")
MOST_MARKS = 4
"""Combining marks on one letter at most, as many as a written language has: more reach into the lines around."""
_BLANK = "\u115f\u1160\u2800\u3164\uffa0\U0001d159"
"""Invisible characters that count as letters or signs in Unicode: Hangul fillers, Braille's blank, a headless note."""
NAMELESS = "?"
"""The name of a user whose name and username show nothing."""
_ALIKE = 12
"""Letters by which names are compared: longer ones are cut in narrow places."""
_ISOLATE, _END = "\u2068", "\u2069"
_MARKS = "".join(chr(start + n) for start, many in ((0x2460, 20), (0x3251, 15), (0x32B1, 15)) for n in range(many))
"""①, ② …: tell the names at a table apart by the numbers of their seats."""
_LIKE_MARKS = re.compile(
    r"[\u2460-\u249b\u3251-\u325f\u32b1-\u32bf\u24ea-\u24ff\u2776-\u2793\u20e3\U0001f100-\U0001f10c]"
)
"""Those, numbers in other circles or brackets, and the frame of keycaps."""
_NUMBER = re.compile(r"^\W*[0-9]{1,2}(?![0-9])\W?(?=.)")
"""A number in front of a name, which a picture shows almost like a mark."""
_ROBOT = "🤖"
"""Stands before the name of a computer, in messages and in pictures."""
_MARKDOWN = re.compile(r"([\\`*_~|>#\[\]()<:@-])")


def clean(name: str) -> str:
    """Return the name without control, direction and invisible characters, in one line, at most 32 characters.

    >>> clean("Ann\\u202e  \\n Lee")
    'Ann Lee'
    """
    kept = "".join(
        " " if ch.isspace() else ch for ch in unicodedata.normalize("NFC", name) if ch.isspace() or _shown(ch)
    )
    found = " ".join(_without_towers(kept).split())[:MOST].strip()
    # Marks alone, such as variation selectors, show nothing or change the character before them.
    return found if any(unicodedata.category(ch) not in (*_MARK_KINDS, "Zs") for ch in found) else NAMELESS


def _without_towers(name: str) -> str:
    """Return the name with at most MOST_MARKS marks on each letter."""
    kept, marks = list[str](), 0
    for ch in name:
        marks = marks + 1 if unicodedata.category(ch) in _MARK_KINDS else 0
        kept += [ch] if marks <= MOST_MARKS else []
    return "".join(kept)


def _shown(ch: str) -> bool:
    # Cf has direction marks and zero-width characters; clients disagree about what Cc, Cs, Co and Cn show, but for
    # emoji that are newer than Python's tables.
    if unicodedata.category(ch) == "Cn" and lettering.is_emoji(ch):
        return True
    return not unicodedata.category(ch).startswith("C") and ch not in _BLANK


def known_as(name: str, username: str) -> str:
    """Return the cleaned name of a user, without the sign of computers and marks that look like ours (`apart`), or the
    username if that shows nothing or pictures lack its letters.
    """
    found = _unmarked(clean(name.replace(_ROBOT, "")))
    return clean(username) if found == NAMELESS or lettering.unwritable(found) else found


def _unmarked(name: str) -> str:
    return " ".join(_LIKE_MARKS.sub("", name).split()) or NAMELESS


def isolated(name: str) -> str:
    """Return a name that does not change the order of the text around it: one with right-to-left letters is isolated.

    >>> isolated("Ann"), isolated("\u05d0")
    ('Ann', '\u2068\u05d0\u2069')
    """
    turned = any(unicodedata.bidirectional(ch) in ("R", "AL", "AN") for ch in name)
    return f"{_ISOLATE}{name}{_END}" if turned and _ISOLATE not in name else name


def apart(names: Sequence[str], words: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the names at a table, none of which can be taken for another or for one of these words: those that look
    alike bear the number of their seat. It stands in front, so that it stays if a name is cut.

    >>> apart(("Ann", "Аnn", "Ben"))
    ('①Ann', '②Аnn', 'Ben')
    """
    names = [_unmarked(name) for name in names]
    ours = {look for word in words for look in looks(word)}
    each = [{look[:_ALIKE] for look in _looks_at_a_table(name)} for name in names]
    seen = Counter(look for these in each for look in these)
    return tuple(
        f"{_mark(at)}{name}"[:MOST]
        if any(seen[look] > 1 for look in these) or not ours.isdisjoint(looks(name))
        else name
        for at, (name, these) in enumerate(zip(names, each, strict=True))
    )


def _looks_at_a_table(name: str) -> frozenset[str]:
    """Return what a name looks like, also in a picture, and without a number in front."""
    return looks(name) | looks(lettering.drawable(name)) | looks(_NUMBER.sub("", name))


def _mark(at: int) -> str:
    return _MARKS[at : at + 1] or f"{at + 1}·"


def cut(name: str, longest: int) -> str:
    """Return a cleaned name of at most that many characters."""
    return name if len(name) <= longest else f"{name[: longest - 1]}…"


def in_text(people: Iterable[tuple[int | None, str]], around: str = "", longest: int = MOST) -> list[str]:
    """Return the names of users in a list that is no table, for a message: those that look alike with a mention.
    `longest`: the characters of a name; longer ones are cut.
    """
    known = [(user, cut(name, longest)) for user, name in people]
    seen = defaultdict[str, set[int | None]](set)
    for user, name in known:
        for look in looks(name):
            seen[look].add(user)
    taken = [user is not None and any(len(seen[look]) > 1 for look in looks(name)) for user, name in known]
    return [
        f"{around}{written(name)}{around}" + (f" (<@{user}>)" if alike else "")
        for (user, name), alike in zip(known, taken, strict=True)
    ]


def in_bold(people: Iterable[tuple[int | None, str]], longest: int = MOST) -> list[str]:
    """Return the same names in bold."""
    return in_text(people, "**", longest)


def beside(match: Match, longest: int = MOST) -> dict[int, str]:
    """Return the names in bold of those who are invited or wait, by user: told apart from each other and from those
    seated. `longest`: the characters of a name.
    """
    known = [(chair.user, chair.name) for chair in match.chairs]
    known += [(guest.user, guest.name) for guest in match.guests] + [(who.user, who.name) for who in match.waiting]
    return {user: name for (user, _), name in zip(known, in_bold(known, longest), strict=True) if user is not None}


def written(name: str) -> str:
    """Return a cleaned name, or a text with such names, for a message: without markdown, mentions and links, and with a
    computer's sign in the same line as its name.

    >>> written("*Bob* @everyone")
    '\\\\*Bob\\\\* \\\\@\\u200beveryone'
    """
    told = _MARKDOWN.sub(r"\\\1", isolated(name)).replace("@", "@\u200b")
    return told.replace(_ROBOT, f"{_ROBOT}\u2060")


def names_at(match: Match, texts: Mapping[str, str], moves: int | None = None) -> tuple[str, ...]:
    """Return the names at a table by seat, now or when the log had that many moves.

    A computer on the seat of a player who has left is named for both: "Ada for Ben". Players whose data was deleted get
    a number if there are several. Names that look alike are told apart (`apart`).
    """
    return tuple(isolated(name) for name in apart(_seated(match, texts, moves), _ours(match, texts)))


def name_at(match: Match, seat: int, name: str, texts: Mapping[str, str], moves: int | None = None) -> str:
    """Return the name of one who had that seat, told apart from the others at the table, now or then."""
    names = _seated(match, texts, moves)
    names[seat] = name
    return isolated(apart(names, _ours(match, texts))[seat])


def _seated(match: Match, texts: Mapping[str, str], moves: int | None) -> list[str]:
    several = sum(chair.name == DEPARTED for chair in match.chairs) > 1
    gone = texts["departed"]
    found = []
    for chair in match.chairs:
        name = _name(match, chair, texts, moves)
        found.append(name or (f"{gone} {chair.number + 1}" if several else gone))
    return found


def _ours(match: Match, texts: Mapping[str, str]) -> list[str]:
    """Return the words that stand where names do, and so cannot be a name."""
    named = {chair.name for chair in match.chairs} | {change.name for change in match.seat_changes}
    gone = [] if DEPARTED in named else ["departed", "seat.deleted"]
    keys = (*gone, "automa", "picture.you", "setup.everybody", "history.computer", "history.player")
    return [texts[key] for key in keys if key in texts]


def labels_at(match: Match, texts: Mapping[str, str], moves: int | None = None) -> Labels:
    """Return these names, also as a message shows them, with these texts."""
    names = names_at(match, texts, moves)
    discs = tuple(chair.number if chair.came is None else chair.came for chair in match.chairs)
    return Labels(names, texts, _bold(names), discs)


def _bold(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(f"**{written(name)}**" for name in names)


def in_lists(match: Match, labels: Labels) -> Labels:
    """Return the labels for lists of seats: a computer that has sat there from the beginning is marked as one."""
    if all(chair.user is not None for chair in match.chairs):
        return labels
    left = {change.seat for change in match.seat_changes} | {who.seat for who in match.former}
    names = [
        name
        if chair.user is not None or chair.name == DEPARTED or chair.number in left
        else labels.say("seat.a_computer_at", name=name, level=labels.say(f"level.{match.level_of(chair.number)}"))
        for chair, name in zip(match.chairs, labels.names, strict=True)
    ]
    return replace(labels, names=tuple(names), written=_bold(names))


def of_players(match: Match, labels: Labels) -> Labels:
    """Return the labels by which a seat is named for its last player, also while a computer stands in for them."""
    names = list(labels.names)
    for chair in match.chairs:
        left = [change for change in match.seat_changes if change.seat == chair.number][-1:]
        if chair.user is None and chair.name != DEPARTED and left and left[0].name != DEPARTED:
            names[chair.number] = name_at(match, chair.number, left[0].name, labels.texts)
    return replace(labels, names=tuple(names), written=_bold(names))


def _name(match: Match, chair: Chair, texts: Mapping[str, str], moves: int | None) -> str:
    """Return the name at a seat, now or then; "" if that player's data was deleted."""
    changes = [change for change in match.seat_changes if change.seat == chair.number]
    before = [change for change in changes if moves is None or change.moves <= moves]
    if before and chair.name == DEPARTED and len(before) == len(changes):
        return DEPARTED
    if before:
        last = before[-1]
        if not last.kind.leaves:
            return last.name
        return texts["seat.stand_in"].format(name=robot(last.computer), player=person_in(last, texts))
    if changes:  # it was the first one's player or computer
        first = changes[0]
        return first.name if first.kind.leaves else robot(first.computer)
    if chair.user is not None or chair.name == DEPARTED:
        return chair.name
    return robot(chair.name)


def robot(name: str) -> str:
    """Return a computer's name with the sign that it is one."""
    return f"{_ROBOT}{name}"


def person_in(change: SeatChange, texts: Mapping[str, str]) -> str:
    """Return the name of the player who left or sat down."""
    return change.name if change.name != DEPARTED else texts["seat.deleted"]


def manager_in(change: SeatChange, match: Match, texts: Mapping[str, str]) -> str:
    """Return the name in bold of the manager of the server who did that, told apart from all who sit or sat there."""
    known = {chair.user: chair.name for chair in match.chairs}
    known |= {other.user: person_in(other, texts) for other in match.seat_changes if other.user != change.user}
    *_, told = in_bold([*known.items(), (change.user, person_in(change, texts))])
    return told
