"""What `test/boxd/openenv/bridge.counterpart.test.ts` sets up: a boxd of its own, and `qm-deploy` on PATH."""

from __future__ import annotations

import json
import os
import time
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
from qm_deploy_openenv import BoxdProvider


class World:
    """The plane, asked from outside."""

    def __init__(self, address: str) -> None:
        self._address = address

    def ask(self, name: str, body: Any = None) -> Any:
        data = json.dumps({} if body is None else body).encode()
        with urllib.request.urlopen(f"{self._address}/plane/{name}", data=data, timeout=30) as answer:
            return json.load(answer)

    def machines(self) -> list[str]:
        return [machine["name"] for machine in self.ask("report")["survivors"]]

    def until_empty(self, seconds: float = 90.0) -> None:
        self.until(lambda: self.machines() == [], seconds)
        assert self.machines() == []

    def until(self, is_so: Any, seconds: float = 90.0) -> None:
        end = time.monotonic() + seconds
        while not is_so() and time.monotonic() < end:
            time.sleep(0.1)

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
