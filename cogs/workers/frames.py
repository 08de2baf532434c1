"""The frames in the pipes between the bot and a worker: each is a length and that number of bytes. A pickled job
depends on what its values are, not on how they were made: equal arguments give equal bytes. The bot sends each mapping
of texts once to each worker, and then its number. An answer is JSON and bytes, never a pickle.
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Mapping
from io import BytesIO
from struct import Struct
from types import MappingProxyType
from typing import Any, BinaryIO

from cogs.workers.jobs import Job, Result
from data.lru import Lru

LENGTH = Struct(">I")

MOST_TEXTS = 256
"""Upper bound of the mappings of texts that have numbers: a few for each language and game."""


class Texts:
    """The numbers of the mappings of texts that the bot sends."""

    def __init__(self) -> None:
        self._found = Lru[int, tuple[int, Mapping[str, str]]](MOST_TEXTS)
        self._next = 0

    def number(self, texts: Mapping[str, str]) -> int:
        """Return the number of this mapping: the same each time, and never that of another mapping."""
        known = self._found.get(id(texts))
        if known is None:
            known = self._found[id(texts)] = (self._next, texts)  # kept alive, so that no other object gets this id
            self._next += 1
        return known[0]


class _Pickler(pickle.Pickler):
    def __init__(self, file: BytesIO, texts: Texts) -> None:
        super().__init__(file, protocol=5)
        self.fast = True  # without memo references: they would tell which values are one object
        self._texts = texts
        self.met: dict[int, Mapping[str, str]] = {}

    def persistent_id(self, value: Any) -> Any:
        """Return what replaces a value: a text's number; a set's members in an order that tells nothing of it."""
        if type(value) is MappingProxyType:
            number = self._texts.number(value)
            self.met[number] = value
            return "texts", number
        if type(value) is frozenset:
            return "set", tuple(sorted(value, key=repr))
        return None


class _Unpickler(pickle.Unpickler):
    def __init__(self, file: BytesIO, texts: Mapping[int, Mapping[str, str]]) -> None:
        super().__init__(file)
        self._texts = texts

    def persistent_load(self, pid: Any) -> Any:
        """Return what `persistent_id` stands for."""
        kind, value = pid
        return self._texts[value] if kind == "texts" else frozenset(value)


def pickled(job: Job, texts: Texts) -> tuple[bytes, dict[int, Mapping[str, str]]]:
    """Return the job as bytes, and the texts that the bytes name by number."""
    file = BytesIO()
    pickler = _Pickler(file, texts)
    pickler.dump(tuple(job))
    return file.getvalue(), pickler.met


def job_frame(limit: float, pickled_job: bytes, texts: Mapping[int, Mapping[str, str]]) -> bytes:
    """Return the frame of a job, with the seconds that it may take and the texts that the worker lacks."""
    body = pickle.dumps((limit, {number: dict(found) for number, found in texts.items()}, pickled_job), protocol=5)
    return LENGTH.pack(len(body)) + body


def read_job(body: bytes, known: dict[int, Mapping[str, str]]) -> tuple[float, Job]:
    """Return the seconds that a job may take, and the job. `known`: the worker's texts; new ones are added."""
    limit, texts, pickled_job = pickle.loads(body)  # noqa: S301 -- from the bot, through the pipe that it made
    known.update({number: MappingProxyType(found) for number, found in texts.items()})
    return limit, Job(*_Unpickler(BytesIO(pickled_job), known).load())


def answer_frame(result: Result, resident: int) -> bytes:
    """Return the frame of a result, with the worker's memory in bytes."""
    data, text = result if isinstance(result, tuple) else (result, result)
    head = {"resident": resident, "text": text if isinstance(text, str) else None, "data": isinstance(data, bytes)}
    return _framed(head, data if isinstance(data, bytes) else b"")


def error_frame(kind: str, where: str, resident: int) -> bytes:
    """Return the frame that says that a job failed: the exception's kind and place, never its text."""
    return _framed({"resident": resident, "error": kind, "where": where}, b"")


def _framed(head: Mapping[str, Any], data: bytes) -> bytes:
    told = json.dumps(head).encode()
    return LENGTH.pack(LENGTH.size + len(told) + len(data)) + LENGTH.pack(len(told)) + told + data


def read_answer(body: bytes) -> tuple[dict[str, Any], Result]:
    """Return an answer's head and its result. Raises ValueError, KeyError or TypeError if it is not an answer."""
    if len(body) < LENGTH.size:
        raise ValueError("no answer")
    (size,) = LENGTH.unpack_from(body)
    head = json.loads(body[LENGTH.size : LENGTH.size + size])
    if "error" in head:
        return head, None
    text, data = head["text"], body[LENGTH.size + size :]
    if not head["data"]:
        return head, text
    return head, (data, text) if text is not None else data


def read_exactly(file: BinaryIO, size: int) -> bytes:
    """Return `size` bytes, or fewer at the end of the file."""
    parts, missing = [], size
    while missing and (part := file.read(missing)):
        parts.append(part)
        missing -= len(part)
    return b"".join(parts)
