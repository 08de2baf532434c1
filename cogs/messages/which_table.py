"""The question which table a command means: a button for each, or a select if there are many.

Each does what the command would have done at that table: its id is that of the button which does so.
"""

from __future__ import annotations

from collections.abc import Sequence

from cogs.messages.content import Button, Content, Id, Row, Select, SelectOption, shortened
from rendering.core.labels import Labels

MOST_BUTTONS, WIDTH = 10, 5
"""At most that many tables are buttons, so many in a row; more are the options of a select."""
MOST_OPTIONS = 25
"""Discord's limit of options in a select."""
LONGEST = 80
"""Discord's limit of a button's label."""


def which_table(tables: Sequence[tuple[str, Id]], user: int, labels: Labels) -> Content:
    """Return the question. `tables`: the title of each table and the id of what the command does there."""
    say, rows = labels.say, list[Row]()
    if len(tables) <= MOST_BUTTONS:
        buttons = [Button(shortened(title, LONGEST), found) for title, found in tables]
        rows += [tuple(buttons[at : at + WIDTH]) for at in range(0, len(buttons), WIDTH)]
    else:
        entries = tuple(SelectOption(shortened(title, 100), str(found)) for title, found in tables[:MOST_OPTIONS])
        rows.append(Select(Id(0, "at"), say("which_table.hint"), entries))
    key = "ask" if len(tables) <= MOST_OPTIONS else "ask_of_many"
    return Content((say(f"which_table.{key}", count=MOST_OPTIONS),), tuple(rows), user)
