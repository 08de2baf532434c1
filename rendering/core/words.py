"""Small helps for sentences: text within a limit, numbers with their sign."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rendering.core import lettering
from rendering.core.labels import Labels

ALT_TEXT = 1024
"""Discord's limit of characters in a picture's description."""


def within(limit: int, labels: Labels, write: Callable[[Labels], str]) -> str:
    """What `write` says, with names cut as far as the limit asks for; the end is cut only where that is not enough."""
    text = write(labels)
    for longest in (20, 14, 10, 6):
        if len(text) <= limit:
            return text
        cut = tuple(name if len(name) <= longest else name[: longest - 1] + "…" for name in labels.names)
        text = write(replace(labels, names=cut))
    return text if len(text) <= limit else text[: limit - 1] + "…"


def minus(number: int) -> str:
    """A number with a minus as long as a plus: "2", "−4"."""
    return str(number).replace("-", "−")


def signed(number: int) -> str:
    """A number with its sign: "+2", "−4", "0"."""
    return f"+{number}" if number > 0 else minus(number)


def source(value: object, ours: object, printed: bool = False) -> str:
    """The mark that a value of a deck table bears in the rules, as the footnotes explain it.

    "‡" for a value other than `ours`, which the operator changed; "†" for one that we chose, as the rulebook leaves it
    open; "" for one that is `printed` in the rulebook.
    """
    if value != ours:
        return "‡"
    return "" if printed else "†"


def rules_page(labels: Labels, **facts: object) -> str:
    """The text "rules.text" with these facts; a footnote explains the mark of changed values if the page has one."""
    page = labels.say("rules.text", **facts)
    return page + labels.say("rules.changed") if "‡" in page else page


def drawn_name(labels: Labels, seat: int) -> str:
    """The name as a picture can show it; the seat's number where none of its letters can be drawn."""
    return lettering.drawable(labels.name(seat)) or labels.say("seat", number=seat + 1)
