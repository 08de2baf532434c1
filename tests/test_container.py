"""The container: what is in its image and what is not, and what it may do."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

import pytest

import bot
from cogs.runtime.settings import SETTINGS
from tests.benchmarks.memory import ALLOCATOR
from tests.support.hung import HUNG
from tests.test_operations import DOCKERFILE, ROOT

COMPOSE = (ROOT / "compose.yaml").read_text(encoding="utf-8")


def instructions() -> list[tuple[str, str]]:
    text = re.sub(r"^#.*\n", "", DOCKERFILE, flags=re.MULTILINE).replace("\\\n", " ")
    return [(line.split(" ", 1)[0], line.split(" ", 1)[1].strip()) for line in text.splitlines() if line.strip()]


def last_stage() -> list[tuple[str, str]]:
    found = instructions()
    begin = max(number for number, (name, _) in enumerate(found) if name == "FROM")
    return found[begin:]


def test_the_image_is_built_of_what_is_locked_and_there() -> None:
    found = instructions()
    assert {name for name, _ in found} <= {
        *("ARG", "FROM", "COPY", "RUN", "WORKDIR", "USER", "VOLUME", "ENV", "HEALTHCHECK", "STOPSIGNAL", "ENTRYPOINT")
    }
    base = dict(value.split("=", 1) for name, value in found if name == "ARG")["BASE"]
    assert re.fullmatch(r"python:3\.11-slim-bookworm(@sha256:[0-9a-f]{64})?", base), "a version, never latest"
    installing = [value for name, value in found if name == "RUN" and "install" in value and "pip" in value]
    assert len(installing) == 1
    assert "--require-hashes" in installing[0]
    assert '"--only-binary", ":all:"' in installing[0]
    for name, value in found:
        if name == "COPY" and not value.startswith("--from"):
            for source in value.split()[:-1]:
                assert (ROOT / source).exists(), source
                assert source not in (".", "*")


def test_the_image_holds_all_of_the_program() -> None:
    copied = {source for name, value in last_stage() if name == "COPY" for source in value.split()[:-1]}
    assert copied >= {"bot.py", "pyproject.toml", "cogs", "data", "rendering", "rules", "LICENSE"}
    assert not copied & {"tests", "docs", ".env"}


def test_the_container_runs_as_no_root_and_hears_signals() -> None:
    found = last_stage()
    names = [name for name, _ in found]
    values = dict(found)
    assert values["USER"] == "10001:10001"
    assert not {"RUN", "COPY"} & set(names[names.index("USER") :]), "nothing that is the bot's own but its data"
    assert values["VOLUME"] == "/data"
    assert values["STOPSIGNAL"] == "SIGTERM"
    assert values["ENTRYPOINT"] == '["/venv/bin/python", "/app/bot.py"]', "no shell in between"
    assert all(value.startswith("[") for name, value in instructions() if name == "RUN")
    given = dict(pair.split("=", 1) for pair in values["ENV"].split())
    assert set(given) - set(SETTINGS) == {"PYTHONDONTWRITEBYTECODE", *ALLOCATOR}
    assert given.items() >= ALLOCATOR.items()
    assert "DISCORD_TOKEN" not in given
    assert given["DATABASE"].startswith("/data/")
    assert f"http://127.0.0.1:{given['HEALTH_PORT']}/livez" in values["HEALTHCHECK"]
    assert bot.Settings.from_env({**given, "DISCORD_TOKEN_FILE": ""}, needs_token=False).log_format == "json"


def test_the_probe_of_the_container_is_python() -> None:
    command = re.search(r"CMD (\[.+\])", dict(last_stage())["HEALTHCHECK"])
    assert command is not None
    probe = ast.literal_eval(command[1])
    assert probe[:2] == ["/venv/bin/python", "-c"]
    nowhere = re.sub(r":\d+/", ":1/", probe[2])
    ended = subprocess.run([sys.executable, "-c", nowhere], capture_output=True, text=True, timeout=HUNG)
    assert ended.returncode == 1, "unhealthy, in Docker's words"
    assert "URLError" in ended.stderr


def ignored(path: str) -> bool:
    """Whether that path stays out of what the image is built from; the last pattern that fits decides."""
    out = False
    for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines():
        pattern = line.removeprefix("!")
        if not line or line.startswith("#"):
            continue
        parents = [path, *map(str, Path(path).parents)]
        if any(
            fnmatch(parent, pattern) or (pattern.startswith("**/") and fnmatch(Path(parent).name, pattern[3:]))
            for parent in parents
            if parent != "."
        ):
            out = not line.startswith("!")
    return out


@pytest.mark.parametrize(
    "path",
    [
        *(
            *(".env", "token", "data/sundial.db", "data/sundial.db-wal", "data/local.db", ".git/config"),
            ".venv/bin/python",
        ),
        *(
            "tests/test_start.py",
            "data/decks/sea_change.toml",
            "data/__pycache__/words.cpython-311.pyc",
            "docs/table.png",
            "rendering/studio/brush.py",
        ),
        "data/sundial.db.backups/sundial-20260101T000000Z.db",
    ],
)
def test_secrets_and_databases_stay_out_of_the_image(path: str) -> None:
    assert ignored(path)


def test_what_is_copied_is_not_left_out() -> None:
    for path in (
        "bot.py",
        "requirements/base.txt",
        "requirements/postgresql.txt",
        "data/decks/sea_change.example.toml",
        "cogs/transport/interactions.py",
        "cogs/local/start_page.html",
    ):
        assert not ignored(path), path
    for folder in ("cogs", "data", "rendering", "rules"):
        for path in (ROOT / folder).rglob("*"):
            kinds = ".py", ".sql", ".ttf", ".html", ".txt", ".bin", ".png", ".webp"
            tracked = path.suffix in kinds or path.name.endswith(".example.toml")
            if path.is_file() and tracked and "studio" not in path.parts:
                assert not ignored(str(path.relative_to(ROOT))), path


@pytest.mark.parametrize(
    "line",
    [
        *("read_only: true", "init: true", "stop_grace_period: 30s", "cap_drop:\n      - ALL", "- data:/data"),
        *("- no-new-privileges:true", "tmpfs:\n      - /tmp", "build: .", "secrets:\n      - token"),
        "secrets:\n  token:\n    file: ./token\n",
    ],
)
def test_compose_gives_the_container_no_more_than_it_needs(line: str) -> None:
    assert line in COMPOSE
    assert "ports:" not in COMPOSE
    assert "privileged" not in COMPOSE.replace("no-new-privileges", "")
    assert "DISCORD_TOKEN" not in COMPOSE, "the token is a file"
