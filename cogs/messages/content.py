"""What a message or a form says and offers, as plain values that know no Discord.

A `Content` is compared by its digest: equal content is not sent again. cogs/transport/components.py turns it into
Discord's components. The id of a control says all that pressing it means:

    1/<match>/<action>/<turn>/<rest>

1 is the grammar's version; the turn is what `MatchService.turn` returns. Ids carry no authority: Discord says who
pressed, the rules say what is legal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import blake2b
from typing import Literal, NamedTuple, TypeVar

from cogs.messages.names import MOST, written
from rendering.core.emoji import parts_of
from rendering.core.formatting import shortened
from rendering.core.labels import Labels
from rendering.core.prompts import Choice, Prompt
from rules.core.game import Seat

MOST_TEXT = 4000
"""Characters of text in a message at most; Discord's own limit."""
LEAST_OF_A_NAME = 6
"""Characters to which names are cut at most."""
WIDTH = 5
"""Discord's limit of buttons in a row."""
MOST_BUTTONS = 16
LONGEST_BUTTON = 20
"""At most 16 choices with labels of at most 20 characters become buttons; all others become a select."""
MOST_LINES = 8
"""The most lines of buttons for one question on a narrow phone; more choices become a select."""
MOST_ROWS = 5
"""The most rows of buttons for one question: with the rest of a hand, Discord takes no more components."""
PHONE, PADDING = 34, 5
"""Characters that a line of buttons holds on a phone 400 px wide, and what each button takes beside its label."""
WIDE = "\u2b00"
"""Characters from here on, nearly all of them emoji, take the room of two."""

_ID = re.compile(r"1/(\d{1,15})/([a-z_]{1,16})/([a-z0-9.]{0,20}(?:-\d{1,9})?)/(.*)", re.DOTALL)


class Id(NamedTuple):
    """The meaning of a custom_id. `match` is 0 if the control belongs to no match."""

    match: int
    action: str
    turn: str = ""
    rest: str = ""

    def __str__(self) -> str:
        assert self.fits, self
        return self._text

    @property
    def _text(self) -> str:
        return f"1/{self.match}/{self.action}/{self.turn}/{self.rest}"

    @property
    def fits(self) -> bool:
        """Whether Discord takes an id so long."""
        return len(self._text) <= MOST_ID

    @classmethod
    def parse(cls, text: str) -> Id | None:
        """Return the id that a custom_id stands for; None if this bot never made it."""
        found = _ID.fullmatch(text) if len(text) <= MOST_ID and text.isascii() else None
        return cls(int(found[1]), found[2], found[3], found[4]) if found else None

    @classmethod
    def among(cls, texts: Iterable[str], match: int) -> list[Id]:
        """Return the ids of that match among these custom_ids."""
        return [found for text in texts if (found := cls.parse(text)) is not None and found.match == match]


class Emoji(NamedTuple):
    """An emoji of the bot's own, which stands for the `sign` with which a label begins."""

    name: str
    id: int
    sign: str


CLOSE = "close"
"""The rest of the id of a button that closes."""
THEN = ";"
"""Stands between the moves of a turn that one button makes."""
MOST_ID = 100
"""Characters of an id at most; Discord's own limit."""


@dataclass(frozen=True, slots=True)
class Button:
    """A button that sends its id when it is pressed, or that opens `url`."""

    label: str
    id: Id | None = None
    style: Literal["primary", "secondary", "success", "danger"] = "secondary"
    url: str = ""
    disabled: bool = False
    emoji: Emoji | None = None
    """Shown in place of the sign with which the label begins."""
    closes: bool = field(default=False, repr=False)
    """Whether the press closes what the last one has opened. That does not last, so it is no part of a digest."""

    @property
    def custom_id(self) -> str:
        """What Discord sends when the button is pressed."""
        return str(self.id._replace(rest=CLOSE) if self.id and self.closes else self.id)


@dataclass(frozen=True, slots=True)
class SelectOption:
    """An option of a select."""

    label: str
    value: str
    detail: str = ""
    chosen: bool = False
    emoji: Emoji | None = None
    """As in a button."""


def shown_label(control: Button | SelectOption) -> str:
    """Return the label without the sign that the emoji replaces."""
    return control.label if control.emoji is None else control.label.removeprefix(f"{control.emoji.sign} ")


@dataclass(frozen=True, slots=True)
class Select:
    """A select from which a person chooses at least `least` and at most `most` entries."""

    id: Id
    hint: str
    entries: tuple[SelectOption, ...]
    least: int = 1
    most: int = 1


@dataclass(frozen=True, slots=True)
class EntitySelect:
    """A select that Discord fills with the server's channels, roles or members: none to at most `most` of them."""

    id: Id
    hint: str
    kind: Literal["channel", "role", "user"]
    chosen: tuple[int, ...] = ()
    most: int = 1


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG or, if its name says so, an animated WebP, with its file name and alt text."""

    name: str
    png: bytes = field(repr=False)
    alt: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Gallery:
    """At most ten pictures that a message shows together."""

    pictures: tuple[Picture, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """A file to download, with its name and a short description."""

    name: str
    data: bytes = field(repr=False)
    about: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Form:
    """A form with one line of text, which may stay empty and has at most `most` characters."""

    id: Id
    title: str
    label: str
    hint: str
    most: int


Row = tuple[Button, ...] | Select | EntitySelect
"""One row of controls: at most five buttons, or one select."""


@dataclass(frozen=True, slots=True)
class Content:
    """A message from top to bottom: text, pictures with text between them, rows of controls."""

    parts: tuple[str | Picture | Gallery | Document, ...] = field(repr=False)
    rows: tuple[Row, ...] = field(default=(), repr=False)
    user: int | None = None
    """The only person who may see it; None for everyone."""
    note: str = field(default="", repr=False)
    """A line about what the person has just done. The next edit removes it, so the digest leaves it out. It is cut if
    the other texts leave too little room.
    """
    passing: tuple[Button, ...] = field(default=(), repr=False)
    """Buttons above the last row, for the answer to one press. Like the note, they are not in the digest."""
    foot: str = field(default="", repr=False)
    """The last lines. Their room is reserved: longer texts are cut, the foot is not."""
    instead: int | None = None
    """The index of the part in whose place the note stands; None: it stands below the first one."""
    last: bool = False
    """Whether the note stands below all parts."""

    def digest(self) -> str:
        """Return a hash of all that lasts in the message: equal for equal content only."""
        whole = blake2b(digest_size=16)
        for part in (*flat(self.parts), *self.rows, self.foot):
            item = repr(part)
            if isinstance(part, Picture):
                item = repr((part.name, part.alt, _digest_of(part.png)))
            elif isinstance(part, Document):
                item = repr((part.name, part.about, _digest_of(part.data)))
            whole.update(item.encode() + b"\0")
        return whole.hexdigest()

    def in_words(self) -> Content:
        """Return the same message without files: in place of each picture and document is what it shows, in words."""
        shown = [part for part in flat(self.parts) if not isinstance(part, str)]
        room = MOST_TEXT - sum(map(len, (self.foot, *(part for part in self.parts if isinstance(part, str)))))
        each = room // max(1, len(shown))

        def words(part: Picture | Gallery | Document) -> str:
            if isinstance(part, Gallery):
                return "\n".join(map(words, part.pictures))
            return shortened(written(part.alt if isinstance(part, Picture) else part.about), each - 1)

        return replace(self, parts=tuple(part if isinstance(part, str) else words(part) for part in self.parts))

    def without_emoji(self) -> Content:
        """Return the same message without emoji of the bot's own: labels keep their signs. Without any, itself."""
        rows = tuple(_without_emoji(row) for row in self.rows)
        return self if rows == self.rows else replace(self, rows=rows)


@lru_cache(maxsize=8)  # a message is compared several times before it is stored
def _digest_of(data: bytes) -> bytes:
    return blake2b(data).digest()


def relative(instant: int) -> str:
    """Return an instant as Discord's timestamp, which each reader sees in their own language: "in 5 hours"."""
    return f"<t:{instant}:R>"


def exact(instant: int) -> str:
    """Return an instant as Discord's timestamp, which each reader sees with the date and in their own time."""
    return f"<t:{instant}:f>"


def fitted(write: Callable[[int], Content]) -> Content:
    """Return the message that `write` makes with names of at most that many characters: as many as Discord takes."""
    for longest in (MOST, 20, 14, 10, LEAST_OF_A_NAME):
        content = write(longest)
        if sum(len(part) for part in (content.foot, *content.parts) if isinstance(part, str)) <= MOST_TEXT:
            break
    return content


def flat(parts: Sequence[str | Picture | Gallery | Document]) -> Iterator[str | Picture | Document]:
    """Yield the parts of a message, and in place of a gallery its pictures."""
    for part in parts:
        if isinstance(part, Gallery):
            yield from part.pictures
        else:
            yield part


def in_rows(buttons: Sequence[Button]) -> list[tuple[Button, ...]]:
    """Return the buttons in as few rows as Discord takes."""
    return [tuple(buttons[at : at + WIDTH]) for at in range(0, len(buttons), WIDTH)]


def prompt_rows(prompt: Prompt, match: int, turn: str, hint: str) -> tuple[Row, ...]:
    """Return the controls for a prompt's choices: buttons if they are few and short and a phone has room for them, else
    one select with that hint.

    The hint is not the question, which the message has above.
    """
    choices = prompt.choices
    if not choices:
        return ()
    if len(choices) <= MOST_BUTTONS and all(len(choice.label) <= LONGEST_BUTTON for choice in choices):
        buttons = [Button(choice.label, _choice_id(choice, match, turn), choice.style) for choice in choices]
        splits = [
            [tuple(buttons[at : at + width]) for at in range(0, len(buttons), width)]
            for width in range(WIDTH, 0, -1)
            if -(-len(buttons) // width) <= MOST_ROWS
        ]
        rows = min(splits, key=lambda rows: sum(map(_lines, rows)))
        if sum(map(_lines, rows)) <= MOST_LINES:
            return tuple(rows)
    tells = len({choice.detail for choice in choices}) > 1  # what is alike everywhere says nothing
    entries = tuple(SelectOption(each.label, _choice_value(each), each.detail if tells else "") for each in choices)
    return (Select(Id(match, "pick", turn), hint, entries),)


def _lines(row: Sequence[Button]) -> int:
    """Return how many lines a row of buttons takes on a narrow phone, where it wraps."""
    lines, used = 1, 0
    for button in row:
        width = len(button.label) + PADDING + sum(sign >= WIDE for sign in button.label)
        if used and used + width > PHONE:
            lines, used = lines + 1, 0
        used += width
    return lines


def _choice_value(choice: Choice) -> str:
    return f"m/{choice.move}" if choice.move is not None else "p/" + "/".join(choice.path)


def _choice_id(choice: Choice, match: int, turn: str) -> Id:
    kind, _, rest = _choice_value(choice).partition("/")
    return Id(match, "move" if kind == "m" else "path", turn, rest)


def value_of(control: Id) -> str:
    """Return the value of a select that stands for this button of a move or a step: the inverse of `picked`."""
    return f"{control.action[0]}/{control.rest}"


def picked(value: str) -> tuple[str, str]:
    """Return the action ("move" or "path"; "" for any other) and the rest that a select's value stands for."""
    kind, _, rest = value.partition("/")
    return {"m": "move", "p": "path"}.get(kind, ""), rest


def number_in(text: str, otherwise: int = 0, most: int = 15) -> int:
    """Return the number written in an id's rest or a select's value; `otherwise` if it is none of `most` digits."""
    return int(text) if re.fullmatch(rf"\d{{1,{most}}}", text, re.ASCII) else otherwise


def id_in(text: str) -> int:
    """Return the id of a user, role or channel that a text from Discord is; 0, which is none, for any other text."""
    return found if (found := number_in(text, most=19)) < 1 << 63 else 0


def path_of(rest: str) -> tuple[str, ...]:
    """Return the steps of a choice that an id's rest stands for."""
    return tuple(rest.split("/")) if rest else ()


class EmojiTable:
    """The bot's own emoji that there are; cogs/transport/app_emoji.py finds out which. On the controls of hands each
    takes the place of a sign with which a label begins; the words after it stay. Without all emoji of a game, its
    labels keep their signs.
    """

    def __init__(self) -> None:
        self.known: Mapping[str, Mapping[str, tuple[str, int]]] = {}
        """The name and id of each emoji, by game and key (rendering/core/emoji.py)."""

    def on(self, rows: Iterable[Row], slug: str, labels: Labels, seat: Seat) -> tuple[Row, ...]:
        """Return the controls of a game's prompt for the player of that seat with its emoji."""
        found = self.known.get(slug, {})
        keys = ((parts_of(key), known) for key, known in found.items())
        signs = [
            Emoji(name, number, "".join(map(labels.say, texts)))
            for (texts, of), (name, number) in keys
            if of is None or of == seat
        ]
        signs.sort(key=lambda emoji: len(emoji.sign), reverse=True)  # two signs before the first of them
        return tuple(_row(row, signs) for row in rows) if signs else tuple(rows)


def _row(row: Row, signs: Iterable[Emoji]) -> Row:
    if isinstance(row, Select):
        return replace(row, entries=tuple(_with_emoji(entry, signs) for entry in row.entries))
    return tuple(_with_emoji(button, signs) for button in row) if isinstance(row, tuple) else row


def _without_emoji(row: Row) -> Row:
    if isinstance(row, Select):
        return replace(row, entries=tuple(replace(entry, emoji=None) for entry in row.entries))
    return tuple(replace(button, emoji=None) for button in row) if isinstance(row, tuple) else row


T = TypeVar("T", Button, SelectOption)


def _with_emoji(control: T, signs: Iterable[Emoji]) -> T:
    found = next((emoji for emoji in signs if control.label.startswith(f"{emoji.sign} ")), None)
    return control if found is None else replace(control, emoji=found)
