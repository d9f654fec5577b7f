"""This interpreter's side of the process that outlives it (``_guard_process``)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ._command import Program

_PROGRAM = Path(__file__).with_name("_guard_process.py")


class Guard:
    """One process for all providers, begun by the first. It ends with this interpreter."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def hold(self, key: str, program: Program, request: Mapping[str, Any]) -> None:
        """From now on ``request`` is sent to ``stop`` when this interpreter ends without ``release``."""
        self._tell({"hold": key, **program._asdict(), "request": dict(request), "env": dict(os.environ)})

    def starting(self, key: str, pid: int | None) -> None:
        """The process that makes what is held, which is to be ended before it is stopped; None when it has ended."""
        self._tell({"starting": key, "pid": pid})

    def release(self, key: str) -> None:
        """Nothing is left to stop."""
        self._tell({"release": key})

    def finish(self, timeout_s: float) -> bool:
        """Has all that is held stopped, beside each other, as if this interpreter had ended. False when no process does that.

        One that has not ended in time goes on without us.
        """
        with self._lock:
            process, self._process = self._process, None
        if process is None or process.stdin is None or process.poll() is not None:
            return False
        process.stdin.close()
        try:
            return process.wait(timeout_s) == 0
        except subprocess.TimeoutExpired:
            return True

    def forget(self) -> None:
        """In a forked child: our end of the pipe would keep the parent's process from seeing the parent's end."""
        process, self._process = self._process, None
        self._lock = threading.Lock()
        if process is None:
            return
        if process.stdin is not None:
            process.stdin.close()
        # It is no child of this process: nobody here waits for it.
        process.returncode = 0

    def _tell(self, message: Mapping[str, Any]) -> None:
        line = json.dumps(message).encode() + b"\n"
        with self._lock:
            if self._process is None and "hold" not in message:
                return  # nobody holds anything
            try:
                self._write(line)
            except BrokenPipeError:
                # Somebody ended it. What it held is left to boxd's delete timer; what comes from now on is not.
                self._process = None
                self._write(line)

    def _write(self, line: bytes) -> None:
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, str(_PROGRAM)],
                bufsize=0,  # nothing is kept that a forked child could write a second time
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        pipe = self._process.stdin
        assert pipe is not None
        rest = memoryview(line)
        while len(rest) > 0:
            rest = rest[pipe.write(rest) :]


guard = Guard()

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=guard.forget)
