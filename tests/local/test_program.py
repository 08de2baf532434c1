"""The program `--local` without a browser: it starts, leads to everybody's places, and ends when it is told to."""

from __future__ import annotations

import signal
import socket
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from rules import GAMES
from tests.support.hung import HUNG

from .browser import Local, local


def fetch(url: str) -> str:
    with urllib.request.urlopen(url, timeout=HUNG) as response:
        return str(response.read().decode())


@pytest.mark.parametrize("how", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.long)])
def test_starts_and_ends_cleanly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: signal.Signals) -> None:
    monkeypatch.setenv("EMOJI", "yes")
    program = Local(tmp_path / "local.db", "--players", "3")
    page = fetch(program.home)
    assert all(f"{name}’s direct messages" in page for name in ("Ann", "Ben", "Cleo"))
    assert "Dan" not in page
    assert program.end(how) == 0
    assert "Traceback" not in program.log()


def test_each_place_opens_for_those_who_may_be_there(tmp_path: Path) -> None:
    with local(tmp_path / "local.db") as program:
        places = [part.split('"')[0] for part in fetch(program.home).split('href="')[1:]]
        titles = [fetch(program.home + place).split("<title>")[1].split("<")[0] for place in places]
        assert titles == ["Ann: #games", "Ann: direct messages", "Ben: #games", "Ben: direct messages"]
        ann, ben = places[1], places[3]
        for nowhere in (ann.replace(ann.split("/")[2], ben.split("/")[2]), "/as/1/channels/@me/2"):
            with pytest.raises(urllib.error.HTTPError, match="404") as refused:
                fetch(program.home + nowhere)
            refused.value.close()


@pytest.mark.long
def test_a_page_of_another_site_reads_nothing(tmp_path: Path) -> None:
    """Its name may lead to this machine by now, and the browser then takes this program for that site."""
    with local(tmp_path / "local.db") as program:
        place = fetch(program.home).split('href="')[1].split('"')[0]
        for path in ("", place):
            foreign = urllib.request.Request(program.home + path, headers={"Host": "example.org:8770"})
            with pytest.raises(urllib.error.HTTPError, match="403") as refused:
                urllib.request.urlopen(foreign, timeout=HUNG)
            assert "Ann" not in refused.value.read().decode()
            refused.value.close()
        assert "Ann" in fetch(program.home.replace("127.0.0.1", "localhost"))
        with urllib.request.urlopen(program.home + place, timeout=HUNG) as shown:
            listens = [urlsplit(address).port for address in (program.home, shown.url)]
        assert len(set(listens)) == 2, "the start page and the simulated Discord"
        for port in listens:
            with socket.socket() as other:
                # 127.0.0.2 is this machine too, and would answer if the program listened on every address.
                assert other.connect_ex(("127.0.0.2", port or 0)) != 0


@pytest.mark.long
def test_a_second_program_on_the_same_database_is_refused(tmp_path: Path) -> None:
    with local(tmp_path / "local.db"), pytest.raises(AssertionError, match="Another bot is running"):
        Local(tmp_path / "local.db", "--fresh")


@pytest.mark.long
def test_a_port_that_is_taken_is_said_in_a_line(tmp_path: Path) -> None:
    with local(tmp_path / "one.db") as program, pytest.raises(AssertionError, match="Choose another with --port"):
        Local(tmp_path / "two.db", "--port", program.home.rsplit(":", 1)[1])
    assert "Traceback" not in (tmp_path / "two.log").read_text()


@pytest.mark.long
def test_shows_the_cover_of_each_game(tmp_path: Path) -> None:
    with local(tmp_path / "local.db") as program:
        page = fetch(program.home)
        for slug, game in GAMES.items():
            assert f'alt="{game.title}"' in page
            with urllib.request.urlopen(f"{program.home}/covers/{slug}.png", timeout=HUNG) as response:
                assert response.read(8) == b"\x89PNG\r\n\x1a\n"
        with pytest.raises(urllib.error.HTTPError, match="404") as refused:
            fetch(f"{program.home}/covers/chess.png")
        refused.value.close()
