"""Every dependency is locked, audited, and comes with its licence."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterable
from importlib.metadata import distribution

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.test_operations import DOCKERFILE, ROOT

LOCK = ROOT / "requirements"


def locked(name: str) -> dict[str, str]:
    """The requirements of a lock file and of those that it includes: each name with its version and hashes."""
    found: dict[str, str] = {}
    for line in (LOCK / f"{name}.txt").read_text(encoding="utf-8").replace("\\\n", " ").splitlines():
        if line.startswith("-r "):
            found |= locked(line[3:].removesuffix(".txt"))
        elif line and not line.lstrip().startswith("#"):
            found[line.split("==")[0]] = line
    return found


@pytest.mark.parametrize("file", sorted(path.stem for path in LOCK.glob("*.txt")))
def test_every_dependency_is_locked_with_hashes(file: str) -> None:
    for name, line in locked(file).items():
        assert re.match(r"[a-z0-9-]+==[\w.]+ ", line), name
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", line), name


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCKS = {
    "base": [],
    "postgresql": ["postgresql"],
    "local": ["local"],
    "dev": ["dev"],
    "art": ["dev", "art"],
    "bench": ["dev", "bench"],
    "mutation": ["dev", "mutation"],
}
"""What is locked for the bot, and with which groups besides."""


def group(name: str) -> list[str]:
    """What a group of pyproject.toml asks for, with the groups that it includes."""
    found: list[str] = []
    for line in PROJECT["dependency-groups"][name]:
        found += [line] if isinstance(line, str) else group(line["include-group"])
    return found


def unmet(asked: Iterable[str], lock: dict[str, str]) -> list[str]:
    """Which of these requirements the lock does not fulfil."""
    found = []
    for requirement in map(Requirement, asked):
        line = lock.get(canonicalize_name(requirement.name), "")
        if not line or pin(line) not in requirement.specifier:
            found.append(requirement.name)
    return found


def pin(line: str) -> str:
    """The version in a line of a lock file."""
    return line.split("==")[1].split()[0]


@pytest.mark.parametrize("name", LOCKS)
def test_every_dependency_is_in_its_lock_file(name: str) -> None:
    asked = [*PROJECT["project"]["dependencies"], *(line for part in LOCKS[name] for line in group(part))]
    assert not unmet(asked, locked(name))


def test_every_group_has_a_lock_file() -> None:
    assert {*PROJECT["dependency-groups"]} == {"audit", *(part for parts in LOCKS.values() for part in parts)}
    assert {path.stem for path in LOCK.glob("*.txt")} == {"audit", *LOCKS}
    assert not unmet(group("audit"), locked("audit"))


def test_each_version_stands_once() -> None:
    """But for the tool of the audit, which has an environment of its own."""
    lines = [
        line.split(" \\")[0]
        for name in LOCKS
        for line in (LOCK / f"{name}.txt").read_text(encoding="utf-8").splitlines()
        if re.match(r"[a-z0-9]", line)
    ]
    assert len(lines) == len(set(lines))


def test_the_audit_covers_what_the_image_and_the_setup_install() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    (audited,) = re.findall(r"pip-audit .*--requirement requirements/(\w+)\.txt", makefile)
    installed = {*re.findall(r"requirements/(\w+)\.txt", DOCKERFILE), "base"}
    for name in installed:
        assert set(locked(name).items()) <= set(locked(audited).items()), name


@pytest.mark.parametrize("name", sorted(LOCKS.keys() - {"base"}))
def test_what_is_tested_is_what_the_bot_runs_with(name: str) -> None:
    lock = locked(name)
    pins = {dependency: pin(line) for dependency, line in locked("base").items()}
    assert {dependency: pin(lock[dependency]) for dependency in pins if dependency in lock} == pins


def test_a_dependency_that_is_not_locked_is_found() -> None:
    asked, lock = PROJECT["project"]["dependencies"], locked("base")
    older = lock | {"pillow": lock["pillow"].replace(pin(lock["pillow"]), "1.0")}
    assert unmet(asked, older) == ["Pillow"]
    del lock["pillow"], lock["discord-py"]
    assert unmet(asked, lock) == ["discord.py", "Pillow"]


FREE = re.compile(r"\b(MIT(-CMU)?|BSD|Apache|ISC|PSF|Python Software Foundation|HPND|Unlicense)\b", re.IGNORECASE)


@pytest.mark.parametrize("name", sorted(locked("base")))
def test_the_licences_of_what_the_bot_needs_go_with_its_own(name: str) -> None:
    marker = locked("base")[name].partition(";")[2]
    if ">= '3.13'" in marker and sys.version_info < (3, 13):
        pytest.skip("not needed by this Python")
    facts = distribution(name).metadata
    said = [facts.get("License-Expression"), facts.get("License"), *(facts.get_all("Classifier") or ())]
    licences = [text for text in said if text and ("License ::" in text or "::" not in text)]
    assert any(FREE.search(text) for text in licences), licences
    assert not any(re.search(r"\bA?GPL", text) for text in licences), licences
