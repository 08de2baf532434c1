"""A proxy on the loopback in front of a PostgreSQL server, which can cut the connection of a COMMIT."""

from __future__ import annotations

import select
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import Enum
from pathlib import Path

COMMIT = b"COMMIT\0"
"""What a COMMIT ends with on its way to the server, and the server's answer to it."""

WRITES = b"synchronous_commit"
"""What the beginning of a transaction that writes has in it: those that read end with a COMMIT too."""


class Cut(Enum):
    """When the connection of the next COMMIT of something written is cut."""

    BEFORE = "before the server gets it"
    AFTER = "after the server has committed, before its answer arrives"


class CutProxy:
    """Relays connections to the server's Unix socket. `cut`: what to do at the next COMMIT; None: relay it."""

    def __init__(self, server: Path) -> None:
        self.cut: Cut | None = None
        self._server = server
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._clients = list[socket.socket]()
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    def close(self) -> None:
        """Take no more connections, and cut those that are open."""
        for taken in (self._listener, *self._clients):
            with suppress(OSError):  # closed
                taken.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for thread in self._threads:
            thread.join()

    def _accept(self) -> None:
        with suppress(OSError):  # closed
            while True:
                client, _ = self._listener.accept()
                self._clients.append(client)
                self._threads.append(threading.Thread(target=self._relay, args=(client,)))
                self._threads[-1].start()

    def _relay(self, client: socket.socket) -> None:
        writes = swallows = False
        with client, socket.socket(socket.AF_UNIX) as server, suppress(ConnectionError):
            server.connect(str(self._server))
            while True:
                for side in select.select([client, server], [], [])[0]:
                    data = side.recv(65536)
                    if not data or (side is server and swallows and COMMIT in data):
                        return
                    writes = writes or (side is client and WRITES in data)
                    if side is client and writes and self.cut is not None and COMMIT in data:
                        how, self.cut = self.cut, None
                        if how is Cut.BEFORE:
                            return
                        swallows = True
                    if side is client or not swallows:
                        (server if side is client else client).sendall(data)


@contextmanager
def cut_proxy(server: Path) -> Iterator[CutProxy]:
    """Yield a proxy in front of that socket."""
    proxy = CutProxy(server)
    try:
        yield proxy
    finally:
        proxy.close()
