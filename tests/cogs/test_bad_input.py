"""Words that the rules refuse, typed with /move: the reason in the game's words, what would be legal, and no change."""

from __future__ import annotations

import pytest

from cogs.messages.names import written
from data.records.match import Chair, Match, Status
from rules import GAMES
from rules.core.game import IllegalMove
from tests.contract.badinput import NAMES, Bad, examples
from tests.support.matches import seated
from tests.support.simulation import Simulation

STRANGERS = 1_000
"""User ids from here on are those of people who are not in this simulation."""


async def table_at(sim: Simulation, game: str, bad: Bad, user: int) -> Match:
    """A running match in that position, in which this user has the seat, and strangers the others."""
    chairs = tuple(
        Chair(seat, user if seat == bad.seat else STRANGERS + seat, NAMES[seat])
        for seat in range(bad.state.view(None).seats)
    )
    over = bad.state.outcome() is not None
    here = {"guild": sim.guild.id, "channel": sim.channel.id, "place": sim.channel.id, "game": game, "host": user}
    end = {"status": Status.OVER, "ended_at": 0} if over else {}
    match = seated(user, **here, **end, id=0, version=0, moves=0, state=bad.state.to_json(), chairs=chairs)
    match = await sim.matches.open(match)
    sim.service.quarantine.sound.add(match.id)  # no log leads to this position: it is an example's
    return match


@pytest.mark.games("game", short=["full_circle"], long=GAMES)
async def test_every_refusal_of_every_game(sim: Simulation, plain: None, game: str) -> None:
    (alice,) = sim.join_server("alice")
    for user in (alice.id, *(STRANGERS + seat for seat in range(len(NAMES)))):
        await sim.bot.app.people.meet(user, "somebody")
    refused = 0
    for bad in examples(game):
        match = await table_at(sim, game, bad, alice.id)
        meant = sim.bot.app.messages.meant(match, alice.id, "en-US", bad.text)
        if len(meant) > 1 or meant[0] in sim.bot.app.messages.move_labels(match, alice.id, "en-US"):
            continue  # a bare card: no notation, but a table understands it (test_typed_moves.py)
        bad, refused = bad._replace(text=meant[0]), refused + 1
        await sim.slash(alice, "board", table=match.id)
        before, cursor = await sim.match(match.id), sim.cursor
        said = await sim.slash(alice, "move", move=bad.text, table=match.id)
        assert sentence(sim, game, match, bad) in said, bad.text
        words = sim.bot.app.messages.move_labels(match, alice.id, "en-US").values()
        assert bool(words) == ("What you can do: " in said), said
        assert all(written(word) in said for word in list(words)[:5]), said
        assert all(shown.viewer == alice.id for shown in sim.shown(cursor)), "no one else sees a refusal"
        after = await sim.match(match.id)
        assert (after.version, after.state) == (before.version, bad.state.to_json())
        assert not await sim.matches.moves(match.id)
    assert refused >= 3


def sentence(sim: Simulation, game: str, match: Match, bad: Bad) -> str:
    """Return the refusal as a message says it. After the end of a match the table answers, not the game."""
    if bad.state.outcome() is not None:
        return sim.bot.app.messages.labels(match).say("refused.is_over")
    try:
        bad.state.apply(GAMES[game].parse(bad.seat, bad.text))
    except IllegalMove as error:
        return sim.bot.app.messages.labels(match).refusal(error)
    raise AssertionError(f"{bad.text!r} is legal")
