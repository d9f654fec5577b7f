"""Episodes of OpenEnv's own clients with OpenEnv's own servers, on machines of a boxd that is a plane of the tests."""

from __future__ import annotations

import asyncio
import copy
import os
import signal
import subprocess
import textwrap
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from conftest import HANGS_S, World, interpreter, until
from openenv import GenericEnvClient
from openenv.core.mcp_client import MCPToolClient
from qm_deploy_openenv import BoxdProvider, BoxdProviderError

PATIENT = {"connect_timeout_s": HANGS_S, "message_timeout_s": HANGS_S}


def client(**options: Any) -> GenericEnvClient:
    return GenericEnvClient(**PATIENT, **options)


class PatientProvider(BoxdProvider):
    def wait_for_ready(self, base_url: str, timeout_s: float = HANGS_S) -> None:
        super().wait_for_ready(base_url, timeout_s)


def counting(**options: Any) -> PatientProvider:
    return PatientProvider(public=True, image="count-env:1", **options)


def test_the_environment_that_openenv_init_makes(world: World) -> None:
    """Its Dockerfile, its typed client, its server; an episode in a `with`."""
    from demo_env import DemoAction, DemoEnv

    dockerfile = os.path.join(os.environ["QM_DEPLOY_TEST_DEMO"], "demo_env", "server", "Dockerfile")
    provider = PatientProvider(public=True, image=BoxdProvider.image_from_dockerfile(dockerfile))
    with DemoEnv(provider=provider, **PATIENT) as env:
        assert world.machines() != []
        ready = env.reset(episode_id="e-1")
        assert ready.observation.echoed_message == "Demo Env environment ready!"
        result = env.step(DemoAction(message="hello"))
        assert (result.observation.echoed_message, result.reward, result.done) == ("hello", 0.5, False)
        state = env.state()
        assert (state.episode_id, state.step_count) == ("e-1", 1)
    assert world.machines() == []


def test_an_environment_of_ones_own(world: World) -> None:
    """Its environment, an exception of a step, sessions beside each other, its tools, one session too many."""
    provider = counting(env_vars={"GREETING": "s3cret-greeting"})
    with client(provider=provider) as env:
        assert env.reset(seed=5).observation["greeting"] == "s3cret-greeting"
        assert env.step({"add": 2}).observation["total"] == 7
        with pytest.raises(RuntimeError, match=r"out of cheese \(code: EXECUTION_ERROR\)"):
            env.step({"fail": "out of cheese"})
        with pytest.raises(RuntimeError, match="code: VALIDATION_ERROR"):
            env.step({"unknown": 1})
        last = env.step({"add": 3})
        assert (last.reward, last.done, last.metadata) == (3.0, True, {"episode": env.state()["episode_id"]})
        other = client(base_url=provider.base_url)
        with other:
            assert other.step({"add": 1}).observation["total"] == 1
            third = client(base_url=provider.base_url)
            with pytest.raises(RuntimeError, match="code: CAPACITY_REACHED"), third:
                third.reset()
        asyncio.run(use_tools(provider.base_url))
    assert world.machines() == []
    calls = str([call["args"] for call in world.ask("report")["calls"]])
    assert "s3cret-greeting" not in calls, "values travel in the file alone"


@pytest.mark.skipif("QM_DEPLOY_OPENENV_ECHO" not in os.environ, reason="needs QM_DEPLOY_OPENENV_ECHO")
def test_openenvs_own_echo_environment(world: World) -> None:
    """As OpenEnv ships it, and the example of the documentation."""
    with client(provider=PatientProvider(public=True, image="openenv-echo:1")) as env:
        env.reset()
        call = {"type": "call_tool", "tool_name": "echo_message", "arguments": {"message": "hello"}}
        assert env.step(call).observation["result"]["data"] == "hello"
        assert env.state()["step_count"] == 1
    assert world.machines() == []


async def use_tools(base_url: str) -> None:
    tools = MCPToolClient(base_url=base_url, **PATIENT)
    async with tools:
        assert [tool.name for tool in await tools.list_tools()] == ["echo_message"]
        assert "from a tool" in str(await tools.call_tool("echo_message", message="from a tool"))


def test_two_environments_at_once(world: World) -> None:
    both = threading.Barrier(2, timeout=HANGS_S)

    def episode(seed: int) -> tuple[int, int]:
        with client(provider=counting()) as env:
            env.reset(seed=seed)
            env.step({"add": 1})
            both.wait()
            machines = len(world.machines())
            both.wait()
            return env.step({"add": 1}).observation["total"], machines

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(episode, [100, 200])) == [(102, 2), (202, 2)]
    assert world.machines() == []


def test_the_machine_is_labelled_and_expires(provider: BoxdProvider, world: World) -> None:
    before = len(world.created())
    provider.start_container()
    created = world.created()[before:]
    assert [each["labels"] for each in created] == [{"team": "rl", "managed-by": "openenv"}]
    assert provider.expires_at is not None
    deletes = [call["args"][1] for call in world.ask("report")["calls"] if call["method"] == "machines.setDeleteAfter"]
    assert deletes[-1] == 3600


def test_from_docker_image_awaited_with_what_auto_env_passes(world: World) -> None:
    async def episode() -> None:
        provider = BoxdProvider(public=True)
        client = await GenericEnvClient.from_docker_image("echo-env:latest", provider=provider, wait_timeout=30.0)
        async with client:
            await client.reset()
            assert (await client.step({"message": "abc"})).observation == {"echo": "abc"}
        assert world.machines() == []

    asyncio.run(episode())


def test_an_exception_in_the_middle_deletes_the_machine(provider: BoxdProvider, world: World) -> None:
    with pytest.raises(ZeroDivisionError), client(provider=provider) as env:
        env.reset()
        assert len(world.machines()) == 1
        _ = 1 // 0
    assert world.machines() == []


def test_a_client_that_starts_again_gets_another_machine(provider: BoxdProvider, world: World) -> None:
    env = client(provider=provider)
    for _ in range(2):
        with env:
            env.reset()
        assert world.machines() == []


@pytest.mark.parametrize(
    ("image", "error", "words"),
    [
        ("missing:1", "START_FAILED", "the image could not be pulled"),
        ("unrunnable:1", "START_FAILED", "the container could not be started"),
        ("exits:1", "CONTAINER_EXITED", "the container has ended"),
    ],
)
def test_a_container_that_does_not_come_up(world: World, image: str, error: str, words: str) -> None:
    provider = BoxdProvider(public=True, image=image, env_vars={"GREETING": "s3cret-greeting"}, surface_server_logs=True)
    with pytest.raises(BoxdProviderError, match=words) as caught, client(provider=provider):
        pass
    assert caught.value.code == error
    said = str(caught.value)
    assert "s3cret-greeting" not in said and "boxd.test" not in said
    assert world.machines() == []


def test_a_server_that_is_never_healthy(world: World) -> None:
    with BoxdProvider(public=True, image="sick:1") as provider:
        base_url = provider.start_container()
        with pytest.raises(TimeoutError, match="not ready within 3000 ms"):
            provider.wait_for_ready(base_url, 3)
    assert world.machines() == []


def test_a_machine_that_boxd_deleted_meanwhile(provider: BoxdProvider, world: World) -> None:
    base_url = provider.start_container()
    copy.copy(provider).stop_container()
    with pytest.raises(BoxdProviderError) as caught:
        provider.wait_for_ready(base_url, HANGS_S)
    assert caught.value.code == "MACHINE_GONE"
    provider.stop_container()


def test_a_deletion_that_fails_is_told_and_tried_again(provider: BoxdProvider, world: World) -> None:
    provider.start_container()
    world.ask("faults", [{"method": "machines.delete", "times": "always", "error": {"code": 7, "message": "no"}}])
    with pytest.raises(BoxdProviderError) as caught:
        provider.stop_container()
    assert caught.value.code == "CLEANUP_FAILED"
    assert len(world.machines()) == 1
    world.ask("clear-faults")
    provider.stop_container()
    assert world.machines() == []


def test_options_are_judged_before_a_machine_is_made(world: World) -> None:
    before = len(world.created())
    with pytest.raises(ValueError, match=r"\n  `vcpu` must be 1, 2, 4 or 8"):
        BoxdProvider(public=True, image="echo", vcpu=3).start_container()
    with pytest.raises(ValueError, match=r"\n  `delete_after` must be a whole number of seconds from 1 to 2592000"):
        BoxdProvider(public=True, image="echo", delete_after=10**12).start_container()
    with pytest.raises(ValueError, match=r"\n  `port` must be 8000"):
        BoxdProvider(public=True, image="echo").start_container(port=80)
    assert len(world.created()) == before


@pytest.mark.parametrize(
    "options",
    [
        {"start_timeout_s": float("inf")},
        {"start_timeout_s": float("nan")},
        {"env_vars": {"A": b"bytes"}},
        {"env_vars": {1: "a"}},
    ],
)
def test_options_that_cannot_be_sent_reserve_nothing(options: dict[str, Any]) -> None:
    provider = BoxdProvider(public=True, image="echo", **options)
    for _ in range(2):
        with pytest.raises(ValueError, match="start_timeout_s|env_vars"):
            provider.start_container()
    provider.stop_container()


def test_another_version_of_qm_deploy(provider: BoxdProvider, world: World) -> None:
    provider._access["toolkit"] = "9.9.9"
    with pytest.raises(BoxdProviderError, match="the caller was made for 9.9.9: install the same version") as caught:
        provider.start_container()
    assert caught.value.code == "VERSION_MISMATCH"


def ready_interpreter(body: str) -> subprocess.Popen[str]:
    """One with a provider, which has said that it is where it is to be ended."""
    head = """
        provider = BoxdProvider(public=True, image="echo-env:latest")
        def ready():
            print("ready", flush=True)
    """
    child = interpreter(textwrap.dedent(head) + textwrap.dedent(body))
    assert child.stdout is not None and child.stdout.readline() == "ready\n"
    return child


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_an_interpreter_that_is_killed_leaves_no_machine(world: World, how: signal.Signals) -> None:
    child = ready_interpreter("provider.start_container(); ready(); time.sleep(600)")
    assert len(world.machines()) == 1
    os.killpg(child.pid, how)
    assert child.wait() == -how
    world.until_empty()


def test_an_interpreter_that_is_killed_in_the_middle_of_a_start_leaves_no_machine(world: World) -> None:
    before = len(world.created())
    child = ready_interpreter("threading.Timer(0.1, ready).start(); provider.start_container(); time.sleep(600)")
    until(lambda: len(world.created()) > before)
    os.killpg(child.pid, signal.SIGKILL)
    child.wait()
    world.until_empty()


@pytest.mark.parametrize("end", ["", "raise KeyboardInterrupt"])
def test_an_interpreter_that_ends_deletes_its_machine_before(world: World, end: str) -> None:
    child = ready_interpreter(f"provider.start_container(); ready(); {end}")
    child.wait()
    assert world.machines() == []


def test_a_forked_child_neither_deletes_nor_holds_its_parents_machine(world: World) -> None:
    child = ready_interpreter(
        """
        provider.start_container()
        if os.fork() == 0:
            ready()
        time.sleep(3600)
        """
    )
    try:
        assert len(world.machines()) == 1
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
        world.until_empty()
    finally:
        os.killpg(child.pid, signal.SIGKILL)


def test_a_forked_child_that_exits_leaves_its_parents_machine(world: World) -> None:
    child = ready_interpreter(
        """
        provider.start_container()
        if (forked := os.fork()) == 0:
            sys.exit()
        os.waitpid(forked, 0)
        ready()
        time.sleep(600)
        """
    )
    assert len(world.machines()) == 1
    child.terminate()
    child.wait()
    world.until_empty()
