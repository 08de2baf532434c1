"""Check every request of the bot: against Discord's limits always, against Discord's OpenAPI description if available.

The description (`specs/openapi.json` of github.com/discord/discord-api-spec) is 1.4 MB and not part of this repository:
the environment variable DISCORD_OPENAPI names it, or it lies beside the repository, where SIBLING says. Without it the
limits below are checked and nothing else, and the head of the test run says so.
"""

from __future__ import annotations

import json
import os
import re
import struct
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema_rs import Draft202012Validator, ValidationError

SIBLING = Path(__file__).parents[3] / "shared" / "tools" / "discord-openapi.json"
MOST_COMPONENTS, MOST_TEXT, MOST_ID, MOST_LABEL, MOST_ALT = 40, 4000, 100, 80, 1024
MOST_BYTES = 10 << 20
WEBP_CHUNKS = {b"VP8X", b"ANIM", b"ANMF", b"VP8 ", b"VP8L"}
MOST_FRAMES, MOST_MOVING_BYTES = 14, 400_000
MOST_FILM_BYTES = 2_000_000
COMPONENTS_V2, EPHEMERAL = 1 << 15, 1 << 6
SILENT = 1 << 12
"""The flag of a message without a notification."""
BUTTON, SELECT, TEXT, GALLERY = 2, 3, 10, 12
_BELOW = ("component", "accessory", "components")
"""Where a component has others, the first of them last."""
CHUNKS = {b"IHDR", b"PLTE", b"IDAT", b"IEND"}


def components(body: object) -> Iterator[Mapping[str, Any]]:
    """Every component of a body or a message, nested ones too."""
    waiting = [body]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            if isinstance(part.get("type"), int):
                yield part
            waiting += [below for key in _BELOW if (below := part.get(key))]
        elif isinstance(part, list):
            waiting += reversed(part)


def faults(method: str, path: str, body: object) -> list[str]:
    """Return the faults of a request, one line each; empty if there are none."""
    found = [*_limits(body), *_mentions(method, path, body)]
    specification = _specification()
    return found + (specification.faults(method, path, body) if specification else [])


def _limits(body: object) -> Iterator[str]:
    parts = list(components(body)) if isinstance(body, Mapping) and "name" not in body else []
    if len(parts) > MOST_COMPONENTS:
        yield f"{len(parts)} components"
    if sum(len(part.get("content", "")) for part in parts if part["type"] == TEXT) > MOST_TEXT:
        yield "more than 4000 characters of text"
    ids = [part["custom_id"] for part in parts if "custom_id" in part]
    if len(ids) != len(set(ids)):
        yield f"a custom_id twice: {ids}"
    yield from (f"custom_id {text!r}" for text in ids if not 1 <= len(text) <= MOST_ID)
    for part in parts:
        if part["type"] == BUTTON and not 1 <= len(part.get("label") or "") <= MOST_LABEL:
            yield f"button labelled {part.get('label')!r}"
        elif part["type"] == SELECT:
            yield from _select(part)
        elif part["type"] == GALLERY:
            yield from ("a picture without alt text" for item in part["items"] if not _alt(item.get("description")))
    if isinstance(body, Mapping):
        for file in body.get("attachments", []):
            if "id" in file and "filename" in file and not _alt(file.get("description")):
                yield f"the file {file['filename']} without alt text"


def _alt(text: object) -> bool:
    return isinstance(text, str) and 1 <= len(text) <= MOST_ALT


def _select(part: Mapping[str, Any]) -> Iterator[str]:
    options = part["options"]
    if not 1 <= len(options) <= 25:
        yield f"a select with {len(options)} options"
    if len({option["value"] for option in options}) != len(options):
        yield "a value twice in a select"
    if sum(bool(option.get("default")) for option in options) > part.get("max_values", 1):
        yield "a select with two defaults"
    for option in options:
        texts = (option["label"], option["value"], option.get("description") or "-")
        yield from (f"option text {text!r}" for text in texts if not 1 <= len(text) <= 100)


def _mentions(method: str, path: str, body: object) -> Iterator[str]:
    """Yield faults of mentions: each text must say whom it may ping, and may ping only the users that it mentions."""
    shows = re.fullmatch(r"/channels/\d+/messages(/\d+)?|/webhooks/\d+/[^/]+(/messages/[^/]+)?", path)
    if not shows or not isinstance(body, Mapping) or not ({"content", "components"} & body.keys()):
        return
    allowed = body.get("allowed_mentions")
    if allowed is None:
        yield "allowed_mentions is left to Discord's default"
    elif allowed.get("parse"):
        yield f"allowed_mentions parses {allowed['parse']}"
    elif method == "PATCH" and (allowed.get("users") or allowed.get("roles")):
        yield "an edit that may ping"


def png_faults(name: str, png: bytes) -> list[str]:
    """Return the faults of a picture. Chunks that it does not need are faults: they could contain secrets."""
    if png[:8] != b"\x89PNG\r\n\x1a\n":
        return [f"{name} is no PNG"]
    found, at = [], 8
    while at < len(png):
        size, kind = struct.unpack(">I4s", png[at : at + 8])
        if kind not in CHUNKS:
            found.append(f"{name} has a chunk {kind!r}")
        at += 12 + size
    if len(png) > MOST_BYTES:
        found.append(f"{name} has {len(png)} bytes")
    return found


def webp_faults(name: str, webp: bytes) -> list[str]:
    """Return the faults of a picture that moves. As in `png_faults`, chunks that it does not need are faults."""
    if webp[:4] != b"RIFF" or webp[8:12] != b"WEBP":
        return [f"{name} is no WebP"]
    found, at, frames = [], 12, 0
    while at < len(webp):
        kind, size = struct.unpack("<4sI", webp[at : at + 8])
        frames += kind == b"ANMF"
        if kind not in WEBP_CHUNKS:
            found.append(f"{name} has a chunk {kind!r}")
        at += 8 + size + size % 2
    film = Path(name).name.startswith("replay-")
    if frames > MOST_FRAMES and not film:
        found.append(f"{name} has {frames} frames")
    if len(webp) > (MOST_FILM_BYTES if film else MOST_MOVING_BYTES):
        found.append(f"{name} has {len(webp)} bytes")
    return found


def picture_faults(name: str, data: bytes) -> list[str]:
    return webp_faults(name, data) if name.endswith(".webp") else png_faults(name, data)


def file_faults(name: str, data: bytes) -> list[str]:
    """Return the faults of a file that a user gets, by its name: a picture, or a match's export, record or page."""
    if name.endswith((".png", ".webp")):
        return picture_faults(name, data)
    if name.endswith(".json"):
        json.loads(data)
    else:
        data.decode()
    return [f"{name} has {len(data)} bytes"] if len(data) > MOST_BYTES else []


def description() -> Path | None:
    """Return the file of Discord's description, or None if it is missing."""
    path = Path(os.environ.get("DISCORD_OPENAPI") or SIBLING)
    return path if path.exists() else None


@cache
def _specification() -> Specification | None:
    path = description()
    return Specification(json.loads(path.read_text(encoding="utf-8"))) if path else None


class Specification:
    """Discord's OpenAPI description, which checks one request at a time."""

    def __init__(self, data: dict[str, Any]) -> None:
        # A snowflake is a string or a number on the wire; the description's own pattern takes only one of them.
        data["components"]["schemas"]["SnowflakeType"] = {
            "anyOf": [{"type": "string", "pattern": r"^(0|[1-9][0-9]*)$"}, {"type": "integer", "minimum": 0}]
        }
        self._root = {"$id": "urn:discord", "components": data["components"]}
        # Literal templates first, so that "@original" is no message id.
        self._routes = sorted(
            ((_pattern(path), path, operations) for path, operations in data["paths"].items()),
            key=lambda route: route[1].count("{"),
        )
        self._validators: dict[tuple[str, str], Draft202012Validator] = {}

    def faults(self, method: str, path: str, body: object) -> list[str]:
        for pattern, template, operations in self._routes:
            if pattern.fullmatch(path) and method.lower() in operations:
                return self._body_faults(method, template, operations[method.lower()], body)
        return [f"Discord has no {method} {path}"]

    def _body_faults(self, method: str, template: str, operation: Mapping[str, Any], body: object) -> list[str]:
        schema = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
        if schema is None:
            return [] if body is None else [f"{method} {template} takes no body"]
        key = (method, template)
        if key not in self._validators:
            self._validators[key] = Draft202012Validator({**self._root, "allOf": [schema]})
        plain = json.loads(json.dumps(body, default=str))
        return [line for error in self._validators[key].iter_errors(plain) for line in _described(error)]


def _pattern(path: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\{[^}]+\\}", "[^/]+", re.escape(path)))


def _described(error: ValidationError, depth: int = 0) -> list[str]:
    """Return the error of an `anyOf` in the intended branch: the branch whose type tag fits."""
    branches: list[list[ValidationError]] = getattr(error.kind, "context", [])
    if not branches or depth > 12:
        return [f"{'/'.join(map(str, error.instance_path))}: {error.message[:160]}"]
    meant = [branch for branch in branches if not any(_wrong_tag(cause, error.instance_path) for cause in branch)]
    best = min(meant or branches, key=len)
    return [line for cause in best for line in _described(cause, depth + 1)]


def _wrong_tag(cause: ValidationError, inside: list[str | int]) -> bool:
    """Return whether the value at that path has another type than that branch."""
    if cause.instance_path == inside:
        return bool(cause.kind.name == "type")
    return cause.instance_path == [*inside, "type"] and cause.kind.name in ("enum", "const")
