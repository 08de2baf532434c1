"""The host of a lobby chooses the language of the table. All that everyone reads there is in it; what one person reads
stays in that person's language.
"""

from __future__ import annotations

from typing import Any

import pytest

from data.content.texts import texts
from data.records.match import Match, Status
from tests.cogs.test_languages import foreign
from tests.support.languages import speak
from tests.support.simulation import Simulation, controls, raw
from tests.support.table import Table

pytestmark = pytest.mark.usefixtures("plain")
NAMES = {"de": "Deutsch", "en": "English", "es": "Español", "fr": "Français", "pt": "Português"}


@pytest.fixture(autouse=True)
def british(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server and all people speak British English."""
    speak(monkeypatch, lambda user: "en-GB", lambda: "en-GB")


async def opened(sim: Simulation, code: str, *names: str) -> Table:
    people = sim.join_server(*names)
    table = await Table.open(sim, "full_circle", people, seed=f"language {code}")
    await choose(sim, people[0], code)
    return table


async def choose(sim: Simulation, person: Any, code: str) -> str:
    said = await sim.forge(person, "1/1/language//", values=[code])
    await sim.caught_up()
    return said


def test_each_language_is_named_in_itself() -> None:
    assert {code: texts(code)["language.name"] for code in NAMES} == NAMES


async def test_the_host_chooses_and_no_other(sim: Simulation) -> None:
    table = await opened(sim, "fr", "alice", "bob")
    alice, bob = table.people
    assert "1/1/language//" in controls(raw((await sim.more(alice)).message))
    assert "1/1/language//" not in controls(raw((await sim.more(bob)).message))
    assert "Langue de la table\u00a0: Français" in "\n".join(sim.visible(bob))
    before = await sim.match()
    assert "host" in await choose(sim, bob, "de")
    assert "no longer" in await choose(sim, alice, "xx") or (await sim.match()) == before
    assert (await sim.match()).locale == "fr"
    await choose(sim, alice, "en")
    assert ((await sim.match()).locale, (await sim.match()).server_locale) == ("en-GB", None)
    assert "Language of the table" not in "\n".join(sim.visible(bob))


@pytest.mark.parametrize("code", ["de", pytest.param("pt", marks=pytest.mark.long)])
async def test_everyone_reads_the_tables_language(sim: Simulation, code: str) -> None:
    """Also after a restart, at the end, at its duplicate and at the next table; private answers stay English."""
    table = await opened(sim, code, "alice", "bob")
    alice, bob = table.people
    since = sim.cursor
    await sim.restart()
    await sim.press(alice, sim.board(), "1/1/start//")
    table = Table(sim, 1, f"language {code} goes on")
    for turn in range(6):
        _, state = await table.now()
        mover = sim.by_id((await sim.match()).chairs[min(state.to_move())].player)
        table.ways[mover.name] = "in words" if turn % 3 == 2 else "by direct message"
        await table.decide(mover)
    await sim.slash(alice, "board")
    for person in (alice, bob):
        await sim.forge(person, "1/1/vote_sure//end")
    await sim.caught_up()
    assert (await sim.match()).status is Status.STOPPED
    await sim.forge(alice, "1/1/again//")
    await sim.caught_up()
    following = await sim.match(2)
    assert (following.locale, following.server_locale, following.status) == (code, "en-GB", Status.LOBBY)
    await sim.forge(alice, "1/2/duplicate//sure")
    await sim.caught_up()
    assert spoken(await sim.match(3)) == spoken(following)
    public, private = sim.public(since), [shown for shown in sim.shown(since) if shown.viewer is not None]
    assert len(public) > 6 and len(private) > 6
    for shown in public:
        assert foreign(shown.all_text, code) == set(), shown.all_text
    for shown in private:
        assert foreign(shown.all_text, "en") == set(), shown.all_text


def spoken(match: Match) -> tuple[str, str | None]:
    return match.locale, match.server_locale
