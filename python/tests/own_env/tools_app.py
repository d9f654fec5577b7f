"""The same environment as one whose steps are calls of tools, as OpenEnv's echo environment is."""

from __future__ import annotations

from app import CountEnvironment
from openenv.core.env_server.http_server import create_app
from openenv.core.env_server.mcp_types import CallToolAction, CallToolObservation

app = create_app(CountEnvironment, CallToolAction, CallToolObservation, env_name="tools", max_concurrent_envs=2)
