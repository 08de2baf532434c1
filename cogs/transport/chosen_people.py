"""The people whom a user chose in a member select, with the names that they have in that server."""

from __future__ import annotations

from typing import Any

from cogs.match.refusals import Reason, Refused
from cogs.messages.names import known_as
from cogs.transport.interactions import Interaction


def chosen_people(interaction: Interaction) -> list[tuple[int, str]]:
    """Return the id and name of each person chosen, in order. Refused: none, or one of them is a bot or not a member of
    the server; Discord says which, so a forged press that names others is refused too.
    """
    data: Any = interaction.data or {}
    resolved = data.get("resolved", {})
    users, members = resolved.get("users", {}), resolved.get("members", {})
    found = []
    for value in data.get("values", ()):
        user, member = users.get(str(value)), members.get(str(value))
        if user is None or member is None or user.get("bot"):
            raise Refused(Reason.NO_PEOPLE)
        name = member.get("nick") or user.get("global_name") or user.get("username") or ""
        found.append((int(value), known_as(str(name), str(user.get("username") or ""))))
    if not found:
        raise Refused(Reason.NO_PEOPLE)
    return found
