"""What is remembered of posts whose last send succeeded has a bound, however many matches there are."""

from __future__ import annotations

from typing import Any

import pytest

from cogs.messages.content import Content
from cogs.transport import senders
from cogs.transport.senders import Handles
from data.records.post import EndPost


async def test_a_post_is_edited_again_only_if_it_was_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    assert senders.MOST_SURE >= 10_000, "all posts that are changed in an evening"
    monkeypatch.setattr(senders, "MOST_SURE", 2)
    edits: list[int] = []

    async def edit(message: int, content: Content) -> None:
        edits.append(message)

    monkeypatch.setattr(senders, "edit", edit)
    client: Any = None
    handles = Handles(client)
    for match in (1, 2, 1, 2, 3, 3, 2, 1):
        message: Any = match
        assert (
            await handles.make_sure(EndPost(match, 10), message, Content(("A hand",))) == Content(("A hand",)).digest()
        )
    assert edits == [1, 2, 3, 1]
