"""An environment of our own: a counter with tools, which can be told to fail, to hang and to end."""

from __future__ import annotations

import os
import time
from typing import Any
from uuid import uuid4

from fastmcp import FastMCP
from openenv.core.env_server.http_server import create_app
from openenv.core.env_server.mcp_environment import MCPEnvironment
from openenv.core.env_server.types import Action, Observation, State


class CountAction(Action):
    add: int = 1
    fail: str | None = None
    sleep_s: float = 0.0


class CountObservation(Observation):
    total: int = 0
    greeting: str | None = None


class CountEnvironment(MCPEnvironment):
    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        mcp = FastMCP("count")

        @mcp.tool
        def echo_message(message: str) -> str:
            """Gives the message back."""
            return message

        super().__init__(mcp)
        self._state = State(episode_id=str(uuid4()), step_count=0)
        self._total = 0

    def reset(self, seed: int | None = None, episode_id: str | None = None, **kwargs: Any) -> Observation:
        self._total = seed or 0
        self._state = State(episode_id=episode_id or str(uuid4()), step_count=0)
        return self._observation()

    def step(self, action: Action, timeout_s: float | None = None, **kwargs: Any) -> Observation:
        self._state.step_count += 1
        return super().step(action, timeout_s=timeout_s, **kwargs)

    async def step_async(self, action: Action, timeout_s: float | None = None, **kwargs: Any) -> Observation:
        self._state.step_count += 1
        return await super().step_async(action, timeout_s=timeout_s, **kwargs)

    def _step_impl(self, action: Action, timeout_s: float | None = None, **kwargs: Any) -> Observation:
        assert isinstance(action, CountAction)
        if action.fail is not None:
            raise RuntimeError(action.fail)
        time.sleep(action.sleep_s)
        self._total += action.add
        return self._observation(reward=float(action.add), done=self._total >= 10)

    def _observation(self, **fields: Any) -> Observation:
        return CountObservation(
            total=self._total,
            greeting=os.environ.get("GREETING"),
            metadata={"episode": self._state.episode_id},
            **fields,
        )

    @property
    def state(self) -> State:
        return self._state


app = create_app(CountEnvironment, CountAction, CountObservation, env_name="count", max_concurrent_envs=2)
