"""Children that end with the process that has started them, however that ends: a test run that is interrupted or killed
leaves no bot, server or browser behind.

Linux tells a child of its parent's end (`PR_SET_PDEATHSIG`), also if both are killed or the child stands still. Other
systems do not, and there nothing is done here.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import threading
from functools import partial
from typing import Any

_SET_SIGNAL_AT_PARENTS_END = 1
_system = ctypes.CDLL(None) if sys.platform == "linux" else None
_forking = 0
"""The process that forks now."""


def end_with(parent: int) -> None:
    """Let this process be killed when `parent`, which has just forked it, ends."""
    if _system is not None:
        _system.prctl(_SET_SIGNAL_AT_PARENTS_END, int(signal.SIGKILL))
        if os.getppid() != parent:  # it has ended meanwhile
            os._exit(1)


def bind_children() -> None:
    """From now on, let the children of this process end with it, whether they are forked or programs. Left out are
    those in a session of their own, such as PostgreSQL servers, which a watch ends in order (server_watch.py), and
    those that another thread than the first starts, as Linux would end them with that thread.
    """
    start = subprocess.Popen.__init__

    def bound(self: Any, *given: Any, **how: Any) -> None:
        first = threading.current_thread() is threading.main_thread()
        if _system is not None and first and not how.get("start_new_session") and how.get("preexec_fn") is None:
            how["preexec_fn"] = partial(end_with, os.getpid())
        start(self, *given, **how)

    subprocess.Popen.__init__ = bound  # type: ignore[method-assign]
    os.register_at_fork(before=_note, after_in_child=_follow)


def _note() -> None:
    global _forking
    _forking = os.getpid() if threading.current_thread() is threading.main_thread() else 0


def _follow() -> None:
    if _forking:
        end_with(_forking)
