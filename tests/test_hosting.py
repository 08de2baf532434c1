"""The files that other hosts read, and a release: what they set exists, and they agree with the image."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from pre_commit.yaml import yaml_load

import bot
from cogs.local.postgres_server import programs
from cogs.runtime.settings import SETTINGS, BadSettings

ROOT = Path(__file__).parent.parent
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
ALONE = yaml_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
BESIDE = yaml_load((ROOT / "compose.postgresql.yaml").read_text(encoding="utf-8"))
FLY = tomllib.loads((ROOT / "fly.toml").read_text(encoding="utf-8"))
EGG = json.loads((ROOT / "docs" / "egg-sundial.json").read_text(encoding="utf-8"))


def image_env() -> dict[str, str]:
    """What the image sets for the bot."""
    (found,) = re.findall(r"^ENV ((?:.+\\\n)*.+)$", DOCKERFILE, re.MULTILINE)
    return dict(pair.split("=", 1) for pair in found.replace("\\\n", " ").split())


def entrypoint() -> list[str]:
    (found,) = re.findall(r"^ENTRYPOINT (.+)$", DOCKERFILE, re.MULTILINE)
    return list(json.loads(found))


def settings(**given: str) -> bot.Settings:
    """The bot's settings in a container of the image with these variables. Raises BadSettings."""
    assert set(given) <= set(SETTINGS)
    return bot.Settings.from_env({**image_env(), "DISCORD_TOKEN": "a.b.c", **given})


# --- The bot beside a PostgreSQL server.


def test_the_bot_is_the_same_beside_a_server(tmp_path: Path) -> None:
    service = BESIDE["services"]["sundial"]
    assert service.pop("extends") == {"file": "compose.yaml", "service": "sundial"}
    assert set(service) == {"depends_on", "environment", "secrets", "stop_grace_period"}
    patience = bot.HAND_OVER + bot.PATIENCE + bot.GATEWAY_PATIENCE
    assert int(service["stop_grace_period"].removesuffix("s")) > patience, "others take over its shards"
    assert service["depends_on"] == {"postgresql": {"condition": "service_healthy"}}
    assert set(ALONE["services"]["sundial"]["secrets"]) < set(service["secrets"])
    assert set(ALONE["volumes"]) < set(BESIDE["volumes"])
    secret = tmp_path / "password"
    secret.write_text("s", encoding="utf-8")
    assert service["environment"]["DATABASE_PASSWORD_FILE"] == "/run/secrets/database-password"
    given = {**service["environment"], "DATABASE_PASSWORD_FILE": str(secret)}
    server = BESIDE["services"]["postgresql"]["environment"]
    address = f"postgresql://{server['POSTGRES_USER']}@postgresql/{server['POSTGRES_DB']}"
    assert settings(**given).database_url == f"{address}?password=s"


def test_the_server_is_kept_as_close_as_the_bot() -> None:
    server = BESIDE["services"]["postgresql"]
    assert server["read_only"] is True
    assert server["cap_drop"] == ["ALL"]
    assert server["security_opt"] == ["no-new-privileges:true"]
    assert {"mem_limit", "pids_limit", "shm_size", "healthcheck", "stop_grace_period"} <= set(server)
    assert server["volumes"] == ["postgresql:/var/lib/postgresql"], "from version 18 on; 17 has /data behind it"
    assert server["environment"]["POSTGRES_PASSWORD_FILE"] == "/run/secrets/database-password"
    assert BESIDE["secrets"]["database-password"] == {"file": "./database-password"}
    for service in (*ALONE["services"].values(), *BESIDE["services"].values()):
        assert not {"ports", "privileged", "network_mode"} & set(service)


def test_the_server_is_the_one_that_the_tests_run_on() -> None:
    found = programs()
    if found is None:
        pytest.skip("there is no PostgreSQL on this machine")
    said = subprocess.run([found / "postgres", "--version"], capture_output=True, text=True, check=True).stdout
    (major,) = re.findall(r"PostgreSQL\) (\d+)", said)
    assert BESIDE["services"]["postgresql"]["image"] == f"postgres:{major}"


@pytest.mark.parametrize("name", ["token", "database-password"])
def test_git_leaves_the_secrets_of_containers_alone(name: str) -> None:
    assert f"/{name}" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()


def compose() -> list[str] | None:
    """Return the command of Compose on this machine, a program or a part of docker; None if there is none."""
    if shutil.which("docker-compose") is not None:
        return ["docker-compose"]
    asked = ["docker", "compose"]
    found = shutil.which("docker") is not None and subprocess.run([*asked, "version"], capture_output=True, check=False)
    return asked if found and found.returncode == 0 else None


def test_compose_reads_both_files(tmp_path: Path) -> None:
    """The second takes the bot from the first."""
    program = compose()
    if program is None:
        pytest.skip("Compose is not on this machine")
    for file in ("compose.yaml", "compose.postgresql.yaml"):
        shutil.copy(ROOT / file, tmp_path)
    call = [*program, "--file", "compose.postgresql.yaml", "config", "--quiet"]
    ended = subprocess.run(call, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr


# --- The workflow that builds the image.


def test_the_workflow_of_the_image_may_do_no_more_than_it_needs() -> None:
    text = (ROOT / ".github" / "workflows" / "container.yml").read_text(encoding="utf-8")
    workflow = yaml_load(text)
    assert workflow["permissions"] == {"contents": "read"}
    jobs = workflow["jobs"]
    assert {name: job.get("permissions", {}).get("packages") for name, job in jobs.items()} == {
        "try": None,
        "push": "write",
        "join": "write",
    }
    assert "github.ref_type == 'tag'" in jobs["push"]["if"]
    assert [jobs[name].get("needs") for name in ("try", "push", "join")] == [None, "try", "push"]
    runners = {entry["runner"] for entry in jobs["push"]["strategy"]["matrix"]["include"]}
    assert runners == set(jobs["try"]["strategy"]["matrix"]["runner"]) == {"ubuntu-24.04", "ubuntu-24.04-arm"}
    for job in jobs.values():
        assert job["timeout-minutes"] <= 30
        for step in job["steps"]:
            assert "${{" not in step.get("run", ""), "values reach the shell as variables, never as its text"
    uses = re.findall(r"uses: (.+)", text)
    assert uses and all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v[\d.]+", action) for action in uses), uses


@pytest.fixture
def docker(tmp_path: Path) -> Path:
    """A stand-in for docker whose image does what it must; it can be made to fail by FAULT."""
    path = tmp_path / "docker"
    path.write_text(
        f"""#!/usr/bin/env bash
case "$*" in
    *"--read-only"*"--version") [ "$FAULT" = version ] && echo 9.9 || echo {VERSION} ;;
    *"--entrypoint id "*) [ "$FAULT" = user ] && echo 0 || echo 10001 ;;
    *"--network none --read-only"*"--check")
        [ "$FAULT" = picture ] && echo "BAD  pictures: none." || echo "ok   pictures: drawn."
        echo "BAD  Discord: Discord cannot be reached."
        [ "$FAULT" = code ] && exit 1
        exit 69 ;;
    *"import psycopg"*) [ "$FAULT" = psycopg ] && exit 1 || exit 0 ;;
    *) exit 125 ;;
esac
""",
        encoding="utf-8",
    )
    path.chmod(0o755)
    return path


@pytest.mark.parametrize("fault", ["", "version", "user", "picture", "code", "psycopg"])
def test_an_image_that_is_not_as_it_should_be_is_refused(docker: Path, fault: str) -> None:
    env = os.environ | {"DOCKER": str(docker), "FAULT": fault}
    ended = subprocess.run([ROOT / ".ci" / "image", "sundial"], env=env, capture_output=True, text=True, check=False)
    assert ended.returncode == (1 if fault else 0), ended.stderr


# --- Fly.io. The names and values are those of its reference of fly.toml.


def test_fly_runs_one_machine_that_nothing_outside_can_reach() -> None:
    assert set(FLY) == {"kill_signal", "kill_timeout", "build", "env", "mounts", "checks", "deploy", "restart", "vm"}
    assert not {"services", "http_service", "app"} & set(FLY)
    assert (FLY["kill_signal"], FLY["kill_timeout"]) == ("SIGTERM", "30s")
    assert f"STOPSIGNAL {FLY['kill_signal']}\n" in DOCKERFILE
    assert (ROOT / FLY["build"]["dockerfile"]).is_file()
    assert f"\nVOLUME {FLY['mounts']['destination']}\n" in DOCKERFILE
    assert FLY["mounts"]["snapshot_retention"] <= 30, "docs/privacy.md: backups go after 30 days"
    assert FLY["deploy"]["strategy"] == "rolling", "the others start a second machine, or do not wait"
    (machine,) = FLY["vm"]
    assert machine == {"size": "shared-cpu-1x", "memory": "768mb"}
    assert ALONE["services"]["sundial"]["mem_limit"] == "768m"
    assert [each["policy"] for each in FLY["restart"]] == ["always"]


def test_fly_asks_at_an_address_at_which_the_bot_answers() -> None:
    """It asks from outside the machine, by the machine's IPv4 address."""
    asked = FLY["checks"]["alive"]
    got = settings(**FLY["env"])
    assert (got.health_host, got.health_port) == ("0.0.0.0", asked["port"])
    assert (asked["type"], asked["method"], asked["path"]) == ("http", "get", "/livez")
    assert got.database.startswith(f"{FLY['mounts']['destination']}/")


# --- A panel. What its importer and its models require, from their public source.

RESERVED = {
    *("SERVER_MEMORY", "SERVER_IP", "SERVER_PORT", "ENV", "HOME", "USER", "STARTUP", "SERVER_UUID", "UUID"),
}
"""Names of variables that the panel keeps for itself."""
TEXT = (str,)
SHAPE: dict[str, Any] = {
    "meta": {"version": TEXT, "update_url": (str, type(None))},
    "exported_at": TEXT,
    "name": TEXT,
    "author": TEXT,
    "description": TEXT,
    "features": (list, type(None)),
    "docker_images": (dict,),
    "file_denylist": (list,),
    "startup": TEXT,
    "config": {"files": TEXT, "startup": TEXT, "logs": TEXT, "stop": TEXT},
    "scripts": {"installation": {"script": TEXT, "container": TEXT, "entrypoint": TEXT}},
    "variables": (list,),
}
VARIABLE: dict[str, Any] = {
    **dict.fromkeys(("name", "description", "env_variable", "default_value", "rules", "field_type"), TEXT),
    **dict.fromkeys(("user_viewable", "user_editable"), (bool,)),
}


def misfits(shape: dict[str, Any], value: dict[str, Any], where: str = "") -> list[str]:
    """The keys that lack or are of another type."""
    found = []
    for key, wanted in shape.items():
        if key not in value:
            found.append(f"{where}{key}")
        elif isinstance(wanted, dict):
            found += misfits(wanted, value[key], f"{where}{key}.")
        elif not isinstance(value[key], wanted):
            found.append(f"{where}{key}")
    return found


def test_a_panel_can_import_the_egg() -> None:
    assert not misfits(SHAPE, EGG)
    assert not [fault for variable in EGG["variables"] for fault in misfits(VARIABLE, variable)]
    assert EGG["meta"]["version"] == "PTDL_v2"
    assert re.fullmatch(r"[^@\s]+@[^@\s]+\.[a-z]+", EGG["author"]), "the panel wants an address of mail"
    for key in ("files", "startup", "logs"):
        assert isinstance(json.loads(EGG["config"][key]), dict), "JSON within JSON"
    for image in EGG["docker_images"].values():
        assert re.fullmatch(r"[\w#./\- ]*\|?~?[\w./\-:@ ]*", image)
        assert len(image) <= 191
    for variable in EGG["variables"]:
        assert re.fullmatch(r"\w{1,191}", variable["env_variable"])
        assert variable["env_variable"] not in RESERVED
        assert 1 <= len(variable["name"]) <= 191


def test_the_egg_sets_what_there_is_and_runs_what_the_image_runs() -> None:
    variables = {each["env_variable"]: each for each in EGG["variables"]}
    assert len(variables) == len(EGG["variables"])
    given = {name: each["default_value"] for name, each in variables.items()}
    assert given.pop("DISCORD_TOKEN") == ""
    got = settings(**given)
    assert got.database == "/home/container/sundial.db", "the server's own folder; the rest is not to be written to"
    assert EGG["startup"].split() == entrypoint()
    assert EGG["config"]["stop"] == "^C", "SIGINT, on which the bot ends cleanly"
    assert list(EGG["docker_images"].values()) == ["~sundial"], "docs/operating.md builds it under that name"


def test_a_restore_on_a_panel_needs_no_token() -> None:
    """The image names a file with the token, which is not there."""
    page = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
    (call,) = re.findall(r"^docker run (.+ sundial --restore)$", page.replace("\\\n", " "), re.MULTILINE)
    given = dict(pair.split("=", 1) for pair in re.findall(r"--env (\S+)", call))
    with pytest.raises(BadSettings):
        bot.Settings.from_env({**image_env(), "DATABASE": given["DATABASE"]}, needs_token=False)
    got = bot.Settings.from_env({**image_env(), **given}, needs_token=False)
    assert got.database == {each["env_variable"]: each["default_value"] for each in EGG["variables"]}["DATABASE"]


@pytest.mark.parametrize("variable", EGG["variables"], ids=lambda each: each["env_variable"])
def test_what_the_panel_lets_through_the_bot_takes(variable: dict[str, str]) -> None:
    """And a little beyond each limit neither of them takes it."""
    name, rules = variable["env_variable"], variable["rules"].split("|")
    assert "required" in rules
    for rule in rules:
        if rule.startswith("between:"):
            least, most = rule.removeprefix("between:").split(",")
            settings(**{name: least})
            settings(**{name: most})
            with pytest.raises(BadSettings):
                settings(**{name: str(int(most) + 1)})
        elif rule.startswith("in:"):
            for value in rule.removeprefix("in:").split(","):
                settings(**{name: value})


def test_the_panel_notices_that_the_bot_is_ready() -> None:
    """It looks for that text in a line of the console."""
    done = json.loads(EGG["config"]["startup"])["done"]
    assert f'log.info("{done}%d servers' in (ROOT / "bot.py").read_text(encoding="utf-8")
    forms = {each["env_variable"]: each["default_value"] for each in EGG["variables"]}
    assert forms["LOG_FORMAT"] == "text"
    assert "LOG_LEVEL" not in forms, "with WARNING the line would not come"


# --- A release.

RELEASES = re.findall(r"^## (.+)$", CHANGELOG, re.MULTILINE)


def test_the_version_is_the_newest_of_the_changelog() -> None:
    released = [heading for heading in RELEASES if heading != "[Unreleased]"]
    days = []
    for heading in released:
        found = re.fullmatch(r"\[\d+\.\d+\.\d+\] - (\d{4}-\d\d-\d\d)", heading)
        assert found, heading
        days.append(date.fromisoformat(found[1]))
    assert days == sorted(days, reverse=True)
    assert released[0].startswith(f"[{VERSION}] - ")
    said = subprocess.run([sys.executable, "bot.py", "--version"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert said.stdout == f"{VERSION}\n"


def test_what_is_not_released_stands_above_and_is_not_empty() -> None:
    assert "[Unreleased]" not in RELEASES[1:]
    if RELEASES[0] == "[Unreleased]":
        assert "\n- " in CHANGELOG.partition("## [Unreleased]")[2].partition("\n## ")[0]


def git(folder: Path, *arguments: str) -> str:
    own = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    named = {f"GIT_{who}_{what}": "a@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    call = ["git", "-C", str(folder), *arguments]
    return subprocess.run(call, env={**env, **own, **named}, capture_output=True, text=True, check=True).stdout


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository of its own with what a release needs."""
    (tmp_path / ".ci").mkdir()
    for name in (".ci/tag", "pyproject.toml", "CHANGELOG.md"):
        shutil.copy(ROOT / name, tmp_path / name)
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "config", "user.name", "a")
    git(tmp_path, "config", "user.email", "a@example.org")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "all")
    return tmp_path


def tag(folder: Path) -> subprocess.CompletedProcess[str]:
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return subprocess.run([folder / ".ci" / "tag"], env=env, capture_output=True, text=True, check=False)


def test_one_command_tags_the_version_with_its_notes(checkout: Path) -> None:
    assert tag(checkout).returncode == 0
    assert git(checkout, "cat-file", "-t", f"v{VERSION}") == "tag\n"
    lines = git(checkout, "tag", "--list", "--format=%(contents)", f"v{VERSION}").splitlines()
    assert lines[0] == f"Sundial {VERSION}"
    notes = CHANGELOG.partition(f"## [{VERSION}]")[2].partition("\n## ")[0]
    assert [line for line in lines[1:] if line] == [line for line in notes.splitlines()[1:] if line]
    assert "### Added" in lines, "a heading is no comment"


@pytest.mark.parametrize("fault", ["changed", "unnamed", "twice"])
def test_a_release_that_is_not_ready_gets_no_tag(checkout: Path, fault: str) -> None:
    if fault == "twice":
        assert tag(checkout).returncode == 0
    else:
        path = checkout / "CHANGELOG.md"
        path.write_text(CHANGELOG.replace(f"[{VERSION}]", "[9.9.9]"), encoding="utf-8")
        if fault == "unnamed":
            git(checkout, "commit", "--quiet", "--all", "--message", "another")
    ended = tag(checkout)
    assert ended.returncode != 0
    assert ended.stderr.count("\n") == 1
    assert git(checkout, "tag") == (f"v{VERSION}\n" if fault == "twice" else "")


# --- The check-list on real Discord.


def test_ten_minutes_are_at_most_twenty_lines() -> None:
    text = (ROOT / "docs" / "check-list.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+)([a-z]?) \| .+ \| .+ \| .+ \|$", text, re.MULTILINE)
    numbers = [int(number) for number, letter in rows if not letter]
    assert numbers == list(range(1, len(numbers) + 1))
    assert 10 <= len(rows) <= 20
