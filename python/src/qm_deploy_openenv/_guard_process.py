"""Outlives an interpreter that is killed, and stops what it held.

A program of its own, with the standard library alone: importing ``openenv``
takes seconds. Each line of its stdin is a JSON object, ``{"hold": key,
"program": [...], "request": {...}, "env": {...}}`` or ``{"release": key}``.
When stdin ends, what is still held is stopped.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from typing import Any

TRIES = 5
PAUSE_S = 5.0
STOP_S = 120.0


def main() -> None:
    # Whoever ends the interpreter's whole group is why there is something to do.
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    held: dict[str, Any] = {}
    for line in sys.stdin:
        try:
            message = json.loads(line)
        except ValueError:
            continue  # half a line: its writer died in the middle
        if "hold" in message:
            held[message["hold"]] = message
        else:
            held.pop(message["release"], None)
    for tried in range(TRIES):
        if tried > 0:
            time.sleep(PAUSE_S)
        held = {key: message for key, message in held.items() if not stopped(message)}
        if not held:
            return


def stopped(message: dict[str, Any]) -> bool:
    try:
        ran = subprocess.run(
            [*message["program"], "openenv", "stop", "--json"],
            input=json.dumps(message["request"]).encode(),
            env=message["env"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=STOP_S,
            start_new_session=True,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return ran.returncode == 0


if __name__ == "__main__":
    main()
