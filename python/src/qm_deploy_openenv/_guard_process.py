"""Stops what an interpreter held when it ends, and outlives one that is killed.

A program of its own, with the standard library alone: importing ``openenv``
takes seconds. Each line of its stdin is a JSON object, ``{"hold": key,
"words": [...], "directory": "...", "request": {...}, "env": {...}}``,
``{"starting": key, "pid": number or null}`` or ``{"release": key}``. When
stdin ends, what is still held is stopped, and first the process that is
still making it: what it makes later nobody would look for.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

TRIES = 5
PAUSE_S = 5.0
STOP_S = 120.0
# Each is a Node.
AT_ONCE = 8
# What an ended start takes to leave nothing.
START_ENDS_S = 60.0


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
        elif "starting" in message:
            held.get(message["starting"], {})["pid"] = message["pid"]
        else:
            held.pop(message["release"], None)
    end_starts([message["pid"] for message in held.values() if message.get("pid") is not None])
    for tried in range(TRIES):
        if tried > 0:
            time.sleep(PAUSE_S)
        # Beside each other, so that one that hangs keeps no other machine.
        with ThreadPoolExecutor(AT_ONCE) as pool:
            ended = pool.map(stopped, held.values())
            held = {key: held[key] for key, is_stopped in zip(list(held), ended) if not is_stopped}
        if not held:
            return


def end_starts(pids: list[int]) -> None:
    for pid in pids:
        signalled(pid, signal.SIGTERM)
    end = time.monotonic() + START_ENDS_S
    while any(signalled(pid, 0) for pid in pids) and time.monotonic() < end:
        time.sleep(0.1)


def signalled(pid: int, number: int) -> bool:
    """False when there is no such process, it has ended, or another bears its id: ours leads a session."""
    try:
        if hasattr(os, "getsid") and os.getsid(pid) != pid:
            return False
        os.kill(pid, number)
    except OSError:
        return False
    return not has_ended(pid)


def has_ended(pid: int) -> bool:
    """True for one whose status nobody has asked for, as it stays in a container whose first process asks for none."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            return ") Z " in file.read()
    except OSError:
        return False  # no such system, or no such process any more


def stopped(message: dict[str, Any]) -> bool:
    try:
        ran = subprocess.run(
            [*message["words"], "openenv", "stop", "--json"],
            cwd=message["directory"] if os.path.isdir(message["directory"]) else None,
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
