"""/livez, /readyz and /metrics: what they answer when something is wrong, and that they tell numbers and no more."""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import aiohttp
import pytest
from yarl import URL

from bot import ROOT, Settings, create_bot
from cogs.runtime.health import ALIVE, BEHIND, CLOCK_LAG, LEAST_ROOM, PORTS, UNWRITTEN, Health, HealthProbes, counting
from cogs.runtime.metrics import BOUNDS, KNOWN, PREFIX, Metrics
from cogs.runtime.process import Service, version
from cogs.runtime.settings import BadSettings
from data.store.backups import Backups
from tests.support.hung import HUNG
from tests.support.simulation import Simulation
from tests.support.table import Table

SAMPLE = re.compile(r'(\w+)(?:\{((?:,?\w+="(?:[a-z0-9_.+]+|\+Inf)")+)\})? (-?[0-9.e+-]+)', re.ASCII)


@dataclass
class Patient:
    """A bot that is as well as it is told to be."""

    database: Path
    is_connected: bool = True
    works: bool = True
    hangs: bool = False
    late: float = 0.0
    age: float = 0.0
    asks: bool = True
    mute: float = 0.0
    now: float = 1_000.0

    async def stored(self) -> bool:
        if self.hangs:
            await asyncio.sleep(60)
        return self.works

    async def unwritten(self) -> float:
        return self.mute

    async def matches(self) -> Mapping[str, int]:
        return {"playing": 3, "lobby": 1}

    def signs(self) -> HealthProbes:
        return HealthProbes(
            lambda: self.is_connected,
            self.stored,
            lambda: self.late,
            lambda: (1 if self.age else 0, self.age),
            self.matches,
            self.database,
            lambda: self.asks,
            lambda: {"shards_held": 3, "breaker": 0},
            self.unwritten,
        )


@dataclass
class Ward:
    """The patient, what is counted of it, and its server."""

    patient: Patient
    metrics: Metrics
    web: aiohttp.ClientSession
    port: int
    health: Health

    async def ask(self, path: str) -> tuple[int, str]:
        async with self.web.get(path) as answer:
            return answer.status, await answer.text()


@pytest.fixture
async def ward(tmp_path: Path) -> AsyncIterator[Ward]:
    database = tmp_path / "bot.db"
    database.write_bytes(b"x" * 4096)
    patient, metrics, made = Patient(database), Metrics(), database.stat().st_mtime
    health = Health(patient.signs(), metrics, lambda: patient.now, lambda: made + 100)
    port = await health.open(0)
    async with aiohttp.ClientSession(f"http://127.0.0.1:{port}") as web:
        yield Ward(patient, metrics, web, port, health)
    await health.close()


def samples(text: str) -> list[tuple[str, str, str, float]]:
    """Every sample of Prometheus' text format: name, its labels, their values, number."""
    found = []
    for line in text.splitlines():
        if not line.startswith(("#", "sundial_info{")):
            match = SAMPLE.fullmatch(line)
            assert match, line
            labels = re.findall(r'(\w+)="([^"]+)"', match[2] or "")
            found.append((match[1], " ".join(n for n, _ in labels), " ".join(v for _, v in labels), float(match[3])))
    return found


async def test_all_is_well(ward: Ward) -> None:
    assert await ward.ask("/livez") == (200, '{"loop": "ok", "writes": "ok"}')
    status, body = await ward.ask("/readyz")
    assert status == 200
    assert "bad" not in body
    assert (await ward.ask("/"))[0] == 404


@pytest.mark.parametrize(
    ("sign", "value", "check"),
    [
        ("is_connected", False, "connected"),
        ("works", False, "database"),
        ("hangs", True, "database"),
        ("late", CLOCK_LAG, "clock"),
        ("age", BEHIND, "posts"),
        ("asks", False, "requests"),
    ],
)
async def test_one_thing_that_is_wrong_is_named(
    ward: Ward, sign: str, value: object, check: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cogs.runtime.health.PATIENCE", 0.1)
    setattr(ward.patient, sign, value)
    status, body = await ward.ask("/readyz")
    assert status == 503
    assert re.findall(r'"(\w+)": "bad"', body) == [check]
    assert (await ward.ask("/livez"))[0] == 200, "to start again would mend nothing"
    assert (await ward.ask("/metrics"))[0] == 200


async def test_a_full_disk_is_named(ward: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cogs.runtime.health.free_room", lambda path: LEAST_ROOM - 1)
    assert (await ward.ask("/readyz"))[0] == 503


async def test_a_database_whose_disk_is_gone_is_named(ward: Ward) -> None:
    ward.patient.database.rename(ward.patient.database.with_name("elsewhere"))
    status, body = await ward.ask("/readyz")
    assert status == 503 and '"disk": "bad"' in body
    assert ("sundial_disk_free_bytes", "", "", 0.0) in samples((await ward.ask("/metrics"))[1])


async def test_a_loop_that_stands_still_is_not_alive(ward: Ward) -> None:
    ward.patient.now += ALIVE
    assert await ward.ask("/livez") == (503, '{"loop": "bad", "writes": "ok"}')


async def test_a_bot_that_cannot_write_for_a_minute_is_not_alive(ward: Ward) -> None:
    ward.patient.mute = UNWRITTEN - 1
    assert (await ward.ask("/livez"))[0] == 200
    ward.patient.mute = UNWRITTEN
    assert await ward.ask("/livez") == (503, '{"loop": "ok", "writes": "bad"}')


async def test_it_listens_on_this_machine_alone(ward: Ward) -> None:
    assert ward.health.runner.addresses == [("127.0.0.1", ward.port)]
    with socket.socket() as other:
        other.settimeout(2)
        # 127.0.0.2 is this machine too, and would answer if it listened on every address.
        assert other.connect_ex(("127.0.0.2", ward.port)) != 0


async def test_metrics_are_those_that_are_known_and_hold_plain_words(ward: Ward) -> None:
    ward.metrics.count("interactions_total", "answered")
    ward.metrics.count("interactions_total", "answered")
    commit = ward.metrics.timer("commit_seconds")
    commit(0.003)
    commit(99.0)
    (ward.patient.database.parent / "bot.db.backups").mkdir()
    (ward.patient.database.parent / "bot.db.backups" / "bot-20260101T000000Z.db").touch()
    status, text = await ward.ask("/metrics")
    assert status == 200
    found = samples(text)
    assert len(set(found)) == len(found)
    values = {(name, value): number for name, _, value, number in found}
    assert values["sundial_interactions_total", "answered"] == 2
    assert values["sundial_commit_seconds_bucket", "0.0025"] == 0
    assert values["sundial_commit_seconds_bucket", "0.005"] == 1
    assert values["sundial_commit_seconds_bucket", "+Inf"] == values["sundial_commit_seconds_count", ""] == 2
    assert values["sundial_commit_seconds_sum", ""] == pytest.approx(99.003)
    assert values["sundial_matches", "playing"] == 3
    assert values["sundial_database_bytes", ""] == 4096
    assert values["sundial_backup_age_seconds", ""] == pytest.approx(100, abs=30)
    names = {re.sub("_(bucket|sum|count)$", "", name) if "seconds" in name else name for name, *_ in found}
    assert names <= {PREFIX + name for name in KNOWN}
    labels = {label for _, names, *_ in found for label in names.split()}
    assert labels <= {"le", *(known.label for known in KNOWN.values())}


@pytest.mark.parametrize("value", ["Ann", "sea change", "1/7/move", "B7", "", "a" * 21])
def test_nothing_else_can_be_counted(value: str) -> None:
    metrics = Metrics()
    with pytest.raises(ValueError, match="not to be counted"):
        metrics.count("interactions_total", value)
    with pytest.raises(ValueError, match="not to be counted"):
        metrics.count(value, "answered")
    with pytest.raises(ValueError, match="no histogram"):
        metrics.timer("interactions_total")


def test_a_histogram_counts_its_bounds_in() -> None:
    metrics = Metrics()
    for bound in BOUNDS:
        metrics.timer("commit_seconds")(bound)
    buckets = [number for name, _, _, number in samples(metrics.text({})) if name.endswith("commit_seconds_bucket")]
    assert buckets == [*range(1, len(BOUNDS) + 1), len(BOUNDS)]


async def test_every_status_of_an_answer_is_counted() -> None:
    """Also 101, with which the gateway begins."""
    metrics = Metrics()
    (answered,) = counting(metrics, lambda instant: None).on_request_end
    for status in range(100, 600):
        facts = SimpleNamespace(url=URL("/"), response=SimpleNamespace(status=status, headers={}))
        await answered(cast(Any, None), SimpleNamespace(sent=0.0), cast(Any, facts))
    counted = {value: number for name, _, value, number in samples(metrics.text({})) if "calls" in name}
    assert counted.pop("failed") == 0 and sum(counted.values()) == 500


async def test_requests_are_counted_by_the_class_of_their_answer(ward: Ward) -> None:
    metrics = Metrics()
    async with aiohttp.ClientSession(trace_configs=[counting(metrics, lambda instant: None)]) as web:
        for path in ("livez", "nowhere", "nowhere"):
            async with web.get(f"http://127.0.0.1:{ward.port}/{path}"):
                pass
        with pytest.raises(aiohttp.ClientError):
            await web.get("http://127.0.0.1:1/")
    counted = {(name, value): number for name, _, value, number in samples(metrics.text({})) if number}
    calls = {value: number for (name, value), number in counted.items() if "calls" in name}
    assert calls == {"2xx": 1, "4xx": 2, "failed": 1}
    assert counted["sundial_discord_seconds_count", "other"] == 3


@pytest.mark.parametrize("name", [name for name, known in KNOWN.items() if known.kind == "counter"])
def test_what_is_counted_begins_with_0(name: str) -> None:
    """Prometheus sees no increase in a series that begins with 1: the first fault would ring no alarm."""
    for value in KNOWN[name].values:
        found = {sample[2]: sample[3] for sample in samples(Metrics().text({})) if sample[0] == f"sundial_{name}"}
        assert found[value] == 0
    assert KNOWN[name].values or not KNOWN[name].label, "a label without values begins with nothing"


@pytest.mark.parametrize(
    ("date", "told"), [("Sun, 22 Nov 2026 12:00:00 GMT", [1_795_348_800.0]), ("soon", []), (None, [])]
)
async def test_each_answer_tells_the_time(date: str | None, told: list[float]) -> None:
    headers, heard = {} if date is None else {"Date": date}, list[float]()
    facts = SimpleNamespace(url=URL("/users/@me"), response=SimpleNamespace(status=200, headers=headers))
    for answered in counting(Metrics(), heard.append).on_request_end:
        await answered(cast(Any, None), SimpleNamespace(sent=0.0), cast(Any, facts))
    assert heard == told


async def test_the_bot_tells_every_metric_and_which_process_it_is(sim: Simulation, tide: Table, tmp_path: Path) -> None:
    app = sim.bot.app
    backups = Backups(sim.database, tmp_path / "bot.db", 5, app.watch.now)
    sim.bot.background.append(backups)
    await sim.bot._answer_probes(app, 0)
    health = sim.bot._health
    async with (
        aiohttp.ClientSession() as web,
        web.get(f"http://127.0.0.1:{health.runner.addresses[0][1]}/metrics") as answer,
    ):
        text = await answer.text()
    sim.bot.background.remove(backups)
    assert f'sundial_info{{process="{sim.bot.name}",version="{version(ROOT)}"}} 1.0' in text
    told = {re.sub("_(bucket|sum|count)$", "", name) if "seconds" in name else name for name, *_ in samples(text)}
    elsewhere = {"info", "backup_age_seconds", "workers", "jobs_waiting", "leases_held", "sessions_left"}
    assert told == {PREFIX + name for name in KNOWN.keys() - elsewhere}


async def test_presses_and_commits_of_a_real_match_are_counted(sim: Simulation, tide: Table) -> None:
    text = sim.bot.metrics.text({"matches": await sim.matches.index.counts()})
    values = {(name, value): number for name, _, value, number in samples(text)}
    assert values["sundial_interactions_total", "answered"] >= 2
    assert values["sundial_acknowledgement_seconds_count", ""] >= 2
    assert values["sundial_commit_seconds_count", ""] > 2
    assert values["sundial_matches", "playing"] == 1
    assert values["sundial_matches", "over"] == 0
    assert await sim.bot.stores()
    assert await sim.bot.lives()
    assert "alice" not in text
    await sim.env.settle()
    assert sim.bot.app.publisher.behind() == (0, 0.0)


async def test_a_host_outside_the_container_can_ask_if_the_operator_says_so(tmp_path: Path) -> None:
    health = Health(Patient(tmp_path).signs(), Metrics(), lambda: 0.0, lambda: 0.0)
    port = await health.open(0, "0.0.0.0")
    async with aiohttp.ClientSession() as web, web.get(f"http://127.0.0.2:{port}/livez") as answer:
        assert answer.status == 200
    await health.close()


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2"])
async def test_a_port_that_is_taken_is_a_fault_of_the_settings(tmp_path: Path, host: str) -> None:
    with socket.socket() as taken:
        taken.bind((host, 0))
        taken.listen()
        port = taken.getsockname()[1]
        bot = create_bot(Settings(database=":memory:", health_port=port, health_host=host))
        try:
            with pytest.raises(BadSettings, match=f"HEALTH_PORT: port {port} of {host} "):
                await bot.setup_hook()
        finally:  # else a bot that took it would keep the run from its end
            await bot.close()


async def test_a_second_process_of_the_bot_on_a_machine_takes_the_next_free_port(tmp_path: Path) -> None:
    """With PostgreSQL several start with the same settings; with SQLite the file's lock refuses the second before."""
    first, second = (Health(Patient(tmp_path).signs(), Metrics(), lambda: 0.0, lambda: 0.0) for _ in range(2))
    port = await first.open(0)
    assert port < await second.open(port, ports=PORTS) < port + PORTS
    await first.close()
    await second.close()


async def test_systemd_is_told_that_it_is_ready_and_lives(tmp_path: Path) -> None:
    path = str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(path)
        systemd.setblocking(False)
        service = Service(path)
        await service.ready()
        answers, used_up = iter((True, False, True)), asyncio.Event()

        async def lives() -> bool:
            answer = next(answers, None)
            if answer is None:
                used_up.set()
            return bool(answer)

        watching = asyncio.create_task(service.watch(lives, seconds=0.01))
        await asyncio.wait_for(used_up.wait(), HUNG)
        watching.cancel()
        assert [systemd.recv(100) for _ in range(3)] == [b"READY=1", b"WATCHDOG=1", b"WATCHDOG=1"]
        with pytest.raises(BlockingIOError):
            systemd.recv(100)


async def test_without_systemd_nothing_is_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    await Service("").ready()
    await asyncio.wait_for(Service("").watch(lambda: asyncio.sleep(0, True)), HUNG)
    assert not caplog.records
    service = Service(str(tmp_path / "gone"))
    for times in (1, 2):
        for _ in range(3):
            await service.ready()
        assert caplog.text.count("systemd does not listen") == times, "once, until it listens"
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
            systemd.bind(str(tmp_path / "gone"))
            await service.ready()
            assert systemd.recv(100) == b"READY=1"
        (tmp_path / "gone").unlink()
