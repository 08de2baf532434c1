"""Options of the test run: how much the randomised tests play. Each prints what it played, to play it again."""

import gc
import importlib
import os
import signal
import time
from collections.abc import Generator, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

# No test speaks TLS, and each of hundreds of programs would read all authorities of the machine twice at its start.
os.environ["SSL_CERT_FILE"] = os.environ["SSL_CERT_DIR"] = os.devnull

from cogs.workers import pool
from rules import GAMES

pytest.register_assert_rewrite("tests.support")

from tests.support import apicheck, bound, chance, hung, postgres, quick_schema  # noqa: E402  -- the line before says how

bound.bind_children()
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # what a shell runs in the background, and its children, too
    signal.signal(signal.SIGINT, signal.default_int_handler)  # tests send it to programs
quick_schema.install()
pool.LIMIT = hung.HUNG  # a job takes long on a busy machine, and a test of what hangs says for how long it may

SLOW = (
    *("tests/skeleton", "cogs/test_access", "reliability/test_reliability", "tests/mutation", "rendering/test_art"),
    *("tests/typing", "cogs/test_machine_seeded_bugs", "cogs/test_meaning", "tests/local", "tests/process"),
    "tests/reliability",
)


SEED = "contract"
BEGAN = pytest.StashKey[float]()
"""When the run began, in seconds that never go back."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--seconds", type=float, default=0, help="begin no test after so many seconds; 0: all")
    parser.addoption("--games", type=int, default=1, help="contract tests: games for every choice of seats and options")
    parser.addoption("--game", action="append", help="contract tests: of this game alone, by its slug")
    parser.addoption("--seed", default=SEED, help="what the seeds of all chance begin with")
    parser.addoption(
        "--thorough",
        action="store_true",
        help="contract: costly checks at every ply; access matrix, browser: all games; errors: all",
    )
    parser.addoption("--glance", action="store_true", help="contract tests: costly checks at six plies of each game")
    parser.addoption("--examples", type=int, default=8, help="state machine: runs, each with choices of its own")
    parser.addoption("--first", type=int, default=0, help="state machine: the number of its first run")
    parser.addoption(
        "--plants", action="store_true", help="state machine: every seeded bug in a run that is not long, too"
    )
    parser.addoption("--steps", type=int, default=30, help="state machine: steps of a run at most")
    parser.addoption("--positions", type=int, default=1_000, help="positions to score against a naive second scoring")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return the processes of `-n auto`: two more than processors, since tests wait for browsers and for bots that were
    killed. If other programs run now, so many more, up to three for a processor: else these would get most of it.
    """
    processors, others = os.cpu_count() or 1, 0
    with suppress(OSError):  # Linux alone tells
        running, _ = Path("/proc/loadavg").read_text(encoding="ascii").split()[3].split("/")
        others = int(running) - 1
    return processors + 2 + min(others, 3 * processors)


def pytest_sessionstart(session: pytest.Session) -> None:
    session.config.stash[BEGAN] = time.monotonic()


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Look for no garbage among thousands of tests, neither while they are collected nor later: all of them stay."""
    gc.disable()
    try:
        import_share(session.config)
        return (yield)
    finally:
        gc.enable()
        gc.freeze()
        gc.set_threshold(7_000, 10, 10)  # it takes long to look through all that a test has made


def import_share(config: pytest.Config) -> None:
    """Import a share of the tests before the others, in each worker another one. In a new clone they must be compiled,
    which takes longer than all else before the first test: so each is compiled by one worker, and read by the others.
    """
    workers, folders = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")), config.getini("testpaths")
    if workers == 1 or config.args != folders:
        return
    files = sorted(path for folder in folders for path in (config.rootpath / folder).rglob("test_*.py"))
    first = int(os.environ["PYTEST_XDIST_WORKER"].removeprefix("gw"))
    for path in files[first::workers]:
        with suppress(pytest.skip.Exception):  # it needs what is not installed: its collection says so
            importlib.import_module(".".join(path.relative_to(config.rootpath).with_suffix("").parts))


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Leave out what would begin after the time of `--seconds`; let chance follow from the test's name."""
    seconds = item.config.getoption("--seconds")
    if seconds and time.monotonic() > item.config.stash[BEGAN] + seconds:
        pytest.skip("left out: the time is over")
    seed = item.config.getoption("--seed")
    chance.repeat_chance(item.name if seed == SEED else f"{seed} {item.name}")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a costly test with some games alone: see the mark `games` in pyproject.toml."""
    for mark in metafunc.definition.iter_markers("games"):
        name, short, long = mark.args[0], mark.kwargs["short"], mark.kwargs.get("long", ())
        others = [game for game in GAMES if game not in (*short, *long)]
        more = [*long, *(others if metafunc.config.getoption("--thorough") else ())]
        costly = [pytest.param(game, marks=pytest.mark.long) for game in more if game not in short]
        metafunc.parametrize(name, [*short, *costly])


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes longest or waits for processes and browsers is dealt to all workers, each of which begins with its own
    of that: else the last of it would run alone.
    """
    rank = {item: next((at for at, part in enumerate(SLOW) if part in item.nodeid), len(SLOW)) for item in items}
    slow = sorted((item for item in items if rank[item] < len(SLOW)), key=rank.__getitem__)
    others = [item for item in items if rank[item] == len(SLOW)]
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    share = -(-len(others) // workers)
    items[:] = [item for at in range(workers) for item in (*slow[at::workers], *others[at * share : (at + 1) * share])]


def pytest_report_header() -> str:
    """Say once where requests are checked against nothing but the limits that the tests know themselves."""
    return f"Discord's API description (DISCORD_OPENAPI): {apicheck.description() or 'not there, not checked'}"


@pytest.fixture(scope="session")
def databases() -> Iterator[postgres.Databases]:
    """The PostgreSQL server of this run. It is started for the first test that asks for it."""
    yield from postgres.databases()


@pytest.fixture
def url(databases: postgres.Databases) -> Iterator[str]:
    """The URL of a PostgreSQL database with all tables, and nothing in them."""
    with databases.fresh() as found:
        yield found


@pytest.fixture
def empty(databases: postgres.Databases) -> Iterator[str]:
    """The URL of a PostgreSQL database without tables."""
    with databases.empty() as found:
        yield found


@pytest.fixture(params=("sqlite", "postgresql"))
def target(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path | str]:
    """A new database of each engine: what `Database.open` takes."""
    if request.param == "sqlite":
        yield tmp_path / "sundial.db"
        return
    yield request.getfixturevalue("url")
