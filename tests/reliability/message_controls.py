"""What a message of the bot offers and says to people: the controls of its matches, and whether it asks for a move."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from cogs.messages.content import Id, picked
from cogs.messages.end import tells_end
from data.content.texts import texts
from tests.support import apicheck

_SAID = texts("en")
LAST = _SAID["turn.last"].partition("**")[2].partition("**")[0]
YOURS = _SAID["turn.yours"].partition("**")[2].partition("**")[0]
RECORDED = tuple(_SAID[key].partition("{")[0] for key in ("move.made", "move.again"))
DECIDED = _SAID["refused.decided"]
TOO_FAST = _SAID["refused.too_much"].partition("{")[0]
LAST_MENTION = _SAID["ping_last"].rpartition("{link}")[0].partition("{who}")[2]
LINK = re.compile(r"/channels/\d+/(\d+)/(\d+)")


class Control(NamedTuple):
    """A button, or an entry of a select."""

    id: Id
    value: str = ""

    @property
    def meaning(self) -> Id:
        if self.id.action != "pick":
            return self.id
        action, rest = picked(self.value)
        return self.id._replace(action=action, rest=rest)


def matches_of(components: Any) -> set[int]:
    """Return the matches that the controls of a message name."""
    parsed = (Id.parse(str(part.get("custom_id", ""))) for part in apicheck.components(components))
    return {meant.match for meant in parsed if meant is not None}


def shows_hand(components: Any) -> bool:
    """Return whether a message in direct messages shows a hand, by what only hands offer."""
    parsed = (Id.parse(str(part.get("custom_id", ""))) for part in apicheck.components(components))
    actions = {meant.action for meant in parsed if meant is not None}
    return "lookups" in actions or {"last", "log", "rules"} <= actions


def ends_told(components: Any) -> set[int]:
    parsed = (Id.parse(str(part.get("custom_id", ""))) for part in apicheck.components(components))
    return {meant.match for meant in parsed if meant is not None and tells_end(meant)}


def controls(components: Any) -> list[Control]:
    """Return the moves, and the steps towards a move, that a message offers."""
    found = []
    for part in apicheck.components(components):
        meant = Id.parse(str(part.get("custom_id", "")))
        if meant is None or (meant.action == "path" and not meant.rest):  # the button that leads back
            continue
        if meant.action == "pick":
            found += [Control(meant, option["value"]) for option in part["options"]]
        elif meant.action in ("move", "path"):
            found.append(Control(meant))
    return found


def text_of(components: Any) -> str:
    return "\n".join(str(part["content"]) for part in apicheck.components(components) if "content" in part)


def asks_for_move(message: Any) -> bool:
    """Return whether a hand says that it is its player's turn, and offers moves."""
    said = text_of(message.components)
    return (YOURS in said or LAST in said) and bool(controls(message.components))


def turn_of(meant: Id) -> str:
    """Return the turn by the rules, without the count of undone moves."""
    return meant.turn.partition("-")[0]
