"""Plain content as Discord's components: each part once and in order, and nothing longer than Discord takes."""

from __future__ import annotations

from typing import Any

from cogs.messages.content import MOST_TEXT, Button, Content, Document, EntitySelect, Id, Select, SelectOption
from cogs.transport.components import layout_view

ACTION_ROW, SELECT, TEXT, FILE = 1, 3, 10, 13
"""Discord's numbers of these components."""


def parts(content: Content) -> list[dict[str, Any]]:
    view: Any = layout_view(content)
    (container,) = view.to_components()
    found: list[dict[str, Any]] = container["components"]
    return found


def test_the_note_is_below_the_first_text_and_every_part_is_there_once() -> None:
    document = Document("data.json", b"{}", "your data")
    content = Content(("first", "second", document), note="done", foot="foot")
    shown = [part.get("content") or part["file"]["url"] for part in parts(content)]
    assert shown == ["first", "done", "second", "attachment://data.json", "foot"]
    assert [part["type"] for part in parts(content)] == [TEXT, TEXT, TEXT, FILE, TEXT]


def test_text_is_cut_where_the_room_ends_and_the_foot_is_not() -> None:
    most = MOST_TEXT - len("foot")
    assert [part["content"] for part in parts(Content(("a" * (most - 1), "b", "c"), foot="foot"))] == [
        "a" * (most - 1),
        "b",
        "foot",
    ]


def test_a_select_takes_what_discord_takes() -> None:
    entries = tuple(SelectOption("l" * 101, str(at)) for at in range(26))
    (row,) = parts(Content((), (Select(Id(1, "a"), "h" * 151, entries),)))
    assert row["type"] == ACTION_ROW
    (select,) = row["components"]
    assert select["type"] == SELECT
    assert [entry["value"] for entry in select["options"]] == [str(at) for at in range(25)]
    assert {len(entry["label"]) for entry in select["options"]} == {100}
    assert len(select["placeholder"]) == 150


def test_a_person_may_choose_no_channel_and_no_role() -> None:
    for kind in ("channel", "role"):
        content = Content((), (EntitySelect(Id(1, "a"), "h" * 151, kind, most=3),))
        (select,) = parts(content)[0]["components"]
        assert (select["min_values"], select["max_values"], len(select["placeholder"])) == (0, 3, 150)


def test_passing_buttons_are_above_the_last_row() -> None:
    first, last, passing = (Button(name, Id(1, name)) for name in ("first", "last", "passing"))
    rows = parts(Content((), ((first,), (last,)), passing=(passing,)))
    assert [row["components"][0]["label"] for row in rows] == ["first", "passing", "last"]
