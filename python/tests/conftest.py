"""What `test/boxd/openenv/bridge.counterpart.test.ts` sets up: a boxd of its own, and `qm-deploy` on PATH."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from qm_deploy_openenv import BoxdProvider


# For what hangs: a busy computer is no failure.
HANGS_S = 300.0


def until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + HANGS_S
    while not is_so():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.02)


def interpreter(body: str) -> subprocess.Popen[str]:
    """A Python of its own that runs ``body``, at the head of a session."""
    lines = ["import os, signal, sys, threading, time"]
    lines += [f"sys.path.insert(0, {str(Path(__file__).parent)!r})", "import lean_openenv"]
    lines += ["from qm_deploy_openenv import BoxdProvider", textwrap.dedent(body)]
    return subprocess.Popen(
        [sys.executable, "-c", "\n".join(lines)], stdout=subprocess.PIPE, text=True, start_new_session=True
    )


class World:
    """The plane, asked from outside."""

    def __init__(self, address: str) -> None:
        self._address = address

    def ask(self, name: str, body: Any = None) -> Any:
        data = json.dumps({} if body is None else body).encode()
        with urllib.request.urlopen(f"{self._address}/plane/{name}", data=data, timeout=HANGS_S) as answer:
            return json.load(answer)

    def machines(self) -> list[str]:
        return [machine["name"] for machine in self.ask("report")["survivors"]]

    def until_empty(self) -> None:
        until(lambda: self.machines() == [])

    def created(self) -> list[dict[str, Any]]:
        return [call["args"][0] for call in self.ask("report")["calls"] if call["method"] == "machines.create"]


@pytest.fixture
def world() -> Iterator[World]:
    address = os.environ.get("QM_DEPLOY_TEST_PLANE")
    if address is None:
        pytest.skip("no plane: run by npm run test:counterparts")
    world = World(address)
    yield world
    world.ask("clear-faults")
    world.until_empty()


@pytest.fixture
def provider(world: World) -> Iterator[BoxdProvider]:
    provider = BoxdProvider(public=True, image="echo-env:latest", labels={"team": "rl"})
    yield provider
    world.ask("clear-faults")
    provider.stop_container()
