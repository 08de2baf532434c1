"""Words that the rules refuse: in every position for the reason that fits, in a sentence, and nothing changes."""

from __future__ import annotations

import json

from rules.core.game import AnyGame
from tests.contract.badinput import refusals


def test_what_the_rules_refuse_is_refused_in_a_sentence_and_changes_nothing(game: AnyGame) -> None:
    """Each reason that the game has a sentence for is met: a new kind of refusal needs bad input of its own."""
    before = ""
    state = None
    for bad in refusals(game.slug):
        if bad.state is not state:
            assert state is None or json.dumps(state.to_json()) == before
            state, before = bad.state, json.dumps(bad.state.to_json())
        assert "{" not in bad.sentence
        assert len(bad.sentence) < 1_000
