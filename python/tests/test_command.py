"""The command's side, on programs of a few lines in the place of qm-deploy."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from conftest import HANGS_S, interpreter, until
from qm_deploy_openenv import BoxdProvider, BoxdProviderError, __version__
from qm_deploy_openenv._guard_process import signalled


class FakeProgram:
    """Answers each verb from a file, and keeps what it was called with."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.words = [sys.executable, str(directory / "program.py")]
        (directory / "program.py").write_text(
            "import json, os, pathlib, signal, sys, time\n"
            f"here = pathlib.Path({str(directory)!r})\n"
            "verb = sys.argv[2]\n"
            "request = json.load(sys.stdin)\n"
            "if verb == 'start':\n"
            "    (here / 'part').write_text(str(os.getpid()))\n"
            "    (here / 'part').rename(here / 'start.pid')\n"
            "with (here / 'calls').open('a') as file:\n"
            "    file.write(json.dumps([sys.argv[1:], request]) + '\\n')\n"
            "while verb == 'stop' and request.get('name', '').startswith('stuck') and not (here / 'go').exists():\n"
            "    time.sleep(0.05)\n"
            "status, text, err = json.loads((here / verb).read_text())\n"
            "if status == 'late':\n"
            "    signal.signal(signal.SIGTERM, lambda *_: (print(text, flush=True), os._exit(0)))\n"
            "    (here / 'is late').touch()\n"
            "if status in ('hang', 'late'):\n"
            "    time.sleep(600)\n"
            "sys.stdout.write(text)\n"
            "sys.stderr.write(err)\n"
            "sys.exit(status)\n"
        )
        self.answers("wait", 0, {"ok": True})
        self.answers("stop", 0, {"ok": True})

    def answers(self, verb: str, status: int | str, answer: Any, err: str = "") -> None:
        text = answer if isinstance(answer, str) else json.dumps(answer)
        (self.directory / verb).write_text(json.dumps([status, text, err]))

    def refuses(self, verb: str, code: str, problem: str = "no", faults: Any = ()) -> None:
        self.answers(verb, 1, {"ok": False, "code": code, "problem": problem, "faults": list(faults)})

    def until_called(self, verb: str) -> None:
        until(lambda: verb in [called for called, _ in self.calls()])

    def calls(self) -> list[tuple[str, dict[str, Any]]]:
        path = self.directory / "calls"
        lines = path.read_text().splitlines(keepends=True) if path.exists() else []
        found = [json.loads(line) for line in lines if line.endswith("\n")]
        assert all(words == ["openenv", words[1], "--json"] for words, _ in found), "nothing else is an argument"
        return [(words[1], request) for words, request in found]


@pytest.fixture
def program(tmp_path: Path) -> FakeProgram:
    program = FakeProgram(tmp_path)
    program.answers(
        "start",
        0,
        {
            "ok": True,
            "handle": "openenv1.x",
            "baseUrl": "https://m.example",
            "machine": {"name": "m", "id": "vm-1"},
            "expiresAt": "2026-01-01T01:00:00.000Z",
        },
    )
    return program


def provider_of(program: FakeProgram, **options: Any) -> BoxdProvider:
    return BoxdProvider(**{"public": True, "image": "echo", "qm_deploy": program.words, **options})


def test_consent_is_needed() -> None:
    with pytest.raises(ValueError, match="`public` must be True"):
        BoxdProvider(public=False, image="echo")


def test_what_is_asked_for(program: FakeProgram) -> None:
    provider = provider_of(
        program,
        env_vars={"A": "1", "B": "1"},
        api_key="bxd_secret",
        org="acme",
        boxd_url="https://boxd.example",
        name_prefix="rl",
        labels={"team": "rl"},
        vcpu=2,
        memory="8G",
        egress_allow=["none"],
        command=["serve"],
        delete_after=None,
        auto_suspend=60,
        start_timeout_s=1.5,
        surface_server_logs=True,
    )
    assert provider.start_container(port=8000, env_vars={"B": "2"}, wait_timeout=30.0) == "https://m.example"
    assert (provider.machine_id, str(provider.expires_at)) == ("vm-1", "2026-01-01 01:00:00+00:00")
    provider.wait_for_ready("https://m.example/", 2)
    provider.close()
    access = {"apiKey": "bxd_secret", "org": "acme", "baseURL": "https://boxd.example", "toolkit": __version__}
    (start, started), (wait, waited), (stop, stopped) = program.calls()
    assert (start, wait, stop) == ("start", "wait", "stop")
    name = started.pop("name")
    assert name.startswith("rl-") and len(name) == len("rl-") + 12
    assert started == {
        **access,
        "public": True,
        "image": "echo",
        "port": 8000,
        "envVars": {"A": "1", "B": "2"},
        "labels": {"team": "rl"},
        "vcpu": 2,
        "memory": "8G",
        "egressAllow": ["none"],
        "command": ["serve"],
        "deleteAfterSeconds": None,
        "autoSuspendSeconds": 60,
        "startTimeoutMs": 1500,
        "surfaceServerLogs": True,
    }
    env = {"A": "1", "B": "2"}
    assert waited == {**access, "handle": "openenv1.x", "timeoutMs": 2000, "surfaceServerLogs": True, "envVars": env}
    assert stopped == {**access, "handle": "openenv1.x"}


def test_options_that_no_provider_takes(program: FakeProgram) -> None:
    with pytest.raises(TypeError, match="unknown options colour, size"):
        provider_of(program).start_container(size=1, colour=2)
    with pytest.raises(ValueError, match="no image was given"):
        provider_of(program, image=None).start_container()
    assert program.calls() == []


@pytest.mark.parametrize("seconds", [float("inf"), float("-inf"), float("nan"), 1e300])
def test_a_time_that_no_timer_keeps(program: FakeProgram, seconds: float) -> None:
    with pytest.raises(ValueError, match="`start_timeout_s` must be a number of seconds"):
        provider_of(program, start_timeout_s=seconds).start_container()
    assert program.calls() == []
    with provider_of(program) as provider:
        url = provider.start_container()
        with pytest.raises(ValueError, match="`timeout_s` must be a number of seconds"):
            provider.wait_for_ready(url, seconds)
    assert [verb for verb, _ in program.calls()] == ["start", "stop"]


@pytest.mark.parametrize("seconds", [0.0, -1.0, 0.0001])
def test_a_start_that_is_given_no_time(program: FakeProgram, seconds: float) -> None:
    with pytest.raises(ValueError, match="`start_timeout_s` must be a number of seconds"):
        provider_of(program, start_timeout_s=seconds).start_container()
    assert program.calls() == []


def test_a_time_that_is_over_is_the_commands_to_tell(program: FakeProgram) -> None:
    program.refuses("wait", "NOT_READY")
    with provider_of(program) as provider:
        url = provider.start_container()
        with pytest.raises(TimeoutError):
            provider.wait_for_ready(url, -100)


def test_a_fault_names_its_place_once(program: FakeProgram) -> None:
    faults = [{"path": "vcpu", "message": "`vcpu` must be 1"}, {"path": "x", "message": "no such field"}]
    program.refuses("start", "INVALID_REQUEST", "cannot be used", faults)
    with pytest.raises(ValueError, match=r"^cannot be used\n  `vcpu` must be 1\n  x: no such field$"):
        provider_of(program).start_container()


def test_a_fault_names_the_argument_as_it_is_called_here(program: FakeProgram) -> None:
    faults = [
        {"path": "envVars.A", "message": "`envVars.A` must be text"},
        {"path": "deleteAfterSeconds", "message": "`deleteAfterSeconds` must be a whole number"},
        {"path": "egressAllow[1]", "message": "an entry must be a host"},
        {"path": "name", "message": "the name is too long"},
    ]
    program.refuses("start", "INVALID_REQUEST", "cannot be used", faults)
    with pytest.raises(ValueError) as caught:
        provider_of(program).start_container()
    assert str(caught.value).split("\n")[1:] == [
        "  `env_vars.A` must be text",
        "  `delete_after` must be a whole number",
        "  egress_allow[1]: an entry must be a host",
        "  name_prefix: the name is too long",
    ]


def test_nothing_started(program: FakeProgram) -> None:
    provider = provider_of(program)
    provider.stop_container()
    for ask in (lambda: provider.base_url, lambda: provider.machine_id, lambda: provider.expires_at):
        with pytest.raises(BoxdProviderError) as caught:
            ask()
        assert caught.value.code == "NOT_STARTED"
    provider.start_container()
    with pytest.raises(BoxdProviderError, match="not one of this provider's"):
        provider.wait_for_ready("https://other.example")
    with pytest.raises(BoxdProviderError) as again:
        provider.start_container()
    assert again.value.code == "ALREADY_STARTED"
    provider.stop_container()
    provider.stop_container()
    assert [verb for verb, _ in program.calls()] == ["start", "stop"]


def test_a_program_that_is_not_there() -> None:
    provider = BoxdProvider(public=True, image="echo", qm_deploy=["no-such-program"])
    with pytest.raises(BoxdProviderError, match="install qm-deploy with @boxd-sh/sdk beside it") as caught:
        provider.start_container()
    assert caught.value.code == "NO_PROGRAM"


def test_qm_deploy_is_looked_for_on_path(program: FakeProgram, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "qm-deploy"
    script.write_text(f"#!/bin/sh\nexec {program.words[0]} {program.words[1]} \"$@\"\n")
    script.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    with provider_of(program, qm_deploy=None) as provider:
        provider.start_container()
    assert [verb for verb, _ in program.calls()] == ["start", "stop"]


@pytest.mark.parametrize(
    ("code", "raised"),
    [("INVALID_REQUEST", ValueError), ("NOT_READY", TimeoutError), ("START_FAILED", BoxdProviderError)],
)
def test_refusals(program: FakeProgram, code: str, raised: type[Exception]) -> None:
    program.refuses("start", code, "it is not to be", [{"path": "vcpu", "message": "must be even"}])
    with pytest.raises(raised, match="it is not to be\n  vcpu: must be even") as caught:
        provider_of(program).start_container()
    if isinstance(caught.value, BoxdProviderError):
        assert (caught.value.code, pickle.loads(pickle.dumps(caught.value)).code) == (code, code)


def test_a_refused_start_has_left_nothing_and_another_may_follow(program: FakeProgram) -> None:
    provider = provider_of(program)
    good = (program.directory / "start").read_text()
    program.refuses("start", "START_FAILED")
    with pytest.raises(BoxdProviderError):
        provider.start_container()
    (program.directory / "start").write_text(good)
    provider.start_container()
    provider.stop_container()
    assert [verb for verb, _ in program.calls()] == ["start", "start", "stop"]


def test_what_could_not_be_deleted_is_kept_and_tried_again_by_its_name(program: FakeProgram) -> None:
    provider = provider_of(program)
    program.refuses("start", "CLEANUP_FAILED")
    with pytest.raises(BoxdProviderError):
        provider.start_container()
    with pytest.raises(BoxdProviderError) as again:
        provider.start_container()
    assert again.value.code == "ALREADY_STARTED"
    program.refuses("stop", "CLEANUP_FAILED")
    with pytest.raises(BoxdProviderError):
        provider.stop_container()
    program.answers("stop", 0, {"ok": True})
    provider.stop_container()
    (_, started), (_, first), (_, second) = program.calls()
    assert first["name"] == second["name"] == started["name"]


@pytest.mark.parametrize("answer", ["", "[]", "not json", '{"ok": 1}'])
def test_no_answer(program: FakeProgram, answer: str) -> None:
    program.answers("start", 3, answer, err="error: unknown command 'openenv'\n")
    with pytest.raises(BoxdProviderError, match="ended with status 3 and no answer: error: unknown command") as caught:
        provider_of(program).start_container()
    assert caught.value.code == "NO_ANSWER"
    # What has become of it is not known: it is asked for by name.
    (_, started), (verb, stopped) = program.calls()
    assert (verb, stopped["name"]) == ("stop", started["name"])


def test_a_command_that_does_not_end(program: FakeProgram, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qm_deploy_openenv._provider.CLEANUP_S", 1.0)
    program.answers("start", "hang", "")
    with pytest.raises(BoxdProviderError, match="did not end within") as caught:
        provider_of(program, start_timeout_s=0.5).start_container()
    assert caught.value.code == "TIMEOUT"
    # Where the computer is slow, it was ended before it had read what it was asked.
    *started, (verb, _) = program.calls()
    assert (len(started) <= 1, verb) == (True, "stop")


def test_ctrl_c_during_a_start_ends_the_command_and_asks_for_the_machine(program: FakeProgram) -> None:
    program.answers("start", "hang", "")

    def interrupt() -> None:
        program.until_called("start")
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt, daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        provider_of(program).start_container()
    assert [verb for verb, _ in program.calls()] == ["start", "stop"]


def test_a_stop_from_another_thread_ends_the_start_and_leaves_nothing(program: FakeProgram) -> None:
    """As `finally: provider.close()` does around a start that runs in a thread and was given up."""
    good = (program.directory / "start").read_text()
    program.answers("start", "hang", "")
    provider = provider_of(program)
    with ThreadPoolExecutor() as pool:
        start = pool.submit(provider.start_container)
        program.until_called("start")
        provider.close()
        with pytest.raises(BoxdProviderError) as caught:
            start.result(HANGS_S)
    assert caught.value.code == "ABORTED"
    # Each of the two threads may have asked for the stop.
    (_, started), (verb, stopped), *_ = program.calls()
    assert (verb, stopped["name"]) == ("stop", started["name"])
    with pytest.raises(BoxdProviderError):
        provider.machine_id
    (program.directory / "start").write_text(good)
    with provider:
        provider.start_container()


def test_a_start_that_answers_although_it_was_stopped_is_undone(program: FakeProgram) -> None:
    program.answers("start", "late", json.loads(json.loads((program.directory / "start").read_text())[1]))
    provider = provider_of(program)
    with ThreadPoolExecutor() as pool:
        start = pool.submit(provider.start_container)
        until((program.directory / "is late").exists)
        provider.close()
        with pytest.raises(BoxdProviderError) as caught:
            start.result(HANGS_S)
    assert caught.value.code == "ABORTED"
    # Both threads ask for a stop, in any order: the caller's knows the name alone.
    assert "openenv1.x" in [request.get("handle") for verb, request in program.calls() if verb == "stop"]


def test_an_interpreter_that_is_killed_takes_its_start_with_it(program: FakeProgram, tmp_path: Path) -> None:
    """What a start makes after the machine was asked for and not found would run on alone."""
    program.answers("start", "hang", "")
    child = interpreter(f"BoxdProvider(public=True, image='echo', qm_deploy={program.words!r}).start_container()")
    program.until_called("start")
    child.kill()
    child.wait()
    program.until_called("stop")
    (_, started), (_, stopped) = program.calls()
    assert stopped["name"] == started["name"]
    assert not signalled(int((tmp_path / "start.pid").read_text()), 0), "it was ended first"


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_a_start_that_has_ended_is_not_waited_for_where_nobody_asks_for_its_status() -> None:
    ended = subprocess.Popen(["true"], start_new_session=True)
    os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)
    assert not signalled(ended.pid, 0)
    ended.wait()


@pytest.mark.parametrize("end", ["os.kill(os.getpid(), signal.SIGKILL)", "pass", "raise KeyError"])
def test_a_stop_that_hangs_keeps_no_other_machine(program: FakeProgram, tmp_path: Path, end: str) -> None:
    """However the interpreter ends: many environments have one guard, which stops them beside each other."""
    child = ending_with(program, ("other", "stuck", "stuck2"), end)

    def stopped() -> list[str]:
        return [request["name"].split("-")[0] for verb, request in program.calls() if verb == "stop"]

    try:
        until(lambda: set(stopped()) == {"stuck", "other", "stuck2"})
        if "SIGKILL" in end:
            assert child.wait(HANGS_S) == -signal.SIGKILL
        else:
            assert child.poll() is None, "it waits until they are gone"
    finally:
        (tmp_path / "go").touch()
    child.wait(HANGS_S)
    assert len(stopped()) == 3, "each once"


def test_an_exit_without_its_guard_stops_them_itself(program: FakeProgram) -> None:
    end = "from qm_deploy_openenv._guard import guard; guard._process.kill(); guard._process.wait()"
    assert ending_with(program, ("one", "two"), end).wait(HANGS_S) == 0
    assert sorted(verb for verb, _ in program.calls()) == ["start", "start", "stop", "stop"]


def ending_with(program: FakeProgram, prefixes: tuple[str, ...], end: str) -> subprocess.Popen[str]:
    """An interpreter that starts a container for each prefix, and ends so."""
    body = f"""
    for prefix in {prefixes!r}:
        BoxdProvider(public=True, image='echo', name_prefix=prefix, qm_deploy={program.words!r}).start_container()
    {end}
    """
    return interpreter(body)




def test_the_directory_of_the_start_is_that_of_the_stop(
    program: FakeProgram, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`npx`, and a program that is named from here, mean something else in another directory."""
    script = tmp_path / "here"
    script.write_text(f"#!/bin/sh\nexec {program.words[0]} {program.words[1]} \"$@\"\n")
    script.chmod(0o755)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    with provider_of(program, qm_deploy=["./here"]) as provider:
        url = provider.start_container()
        monkeypatch.chdir(tmp_path / "elsewhere")
        provider.wait_for_ready(url)
    assert [verb for verb, _ in program.calls()] == ["start", "wait", "stop"]


def test_a_program_that_cannot_be_run(tmp_path: Path) -> None:
    script = tmp_path / "broken"
    script.write_text("#!/no/such/interpreter\n")
    script.chmod(0o755)
    provider = BoxdProvider(public=True, image="echo", qm_deploy=[str(script)])
    for _ in range(2):  # nothing is left of the first
        with pytest.raises(BoxdProviderError, match="could not be run") as caught:
            provider.start_container()
        assert caught.value.code == "NO_PROGRAM"


def test_image_from_dockerfile(tmp_path: Path, program: FakeProgram) -> None:
    server = tmp_path / "my env é#?%" / "server"
    server.mkdir(parents=True)
    (server / "Dockerfile").write_text("FROM scratch\n")
    image = BoxdProvider.image_from_dockerfile(str(server / "Dockerfile"))
    assert image.startswith("dockerfile:/") and image.isascii()
    assert "my%20env%20%C3%A9%23%3F%25" in image.split("?context=")[1]
    with pytest.raises(FileNotFoundError):
        BoxdProvider.image_from_dockerfile(str(server / "Dockerfil"))
    with pytest.raises(ValueError, match="there is no directory"):
        BoxdProvider.image_from_dockerfile(str(server / "Dockerfile"), str(tmp_path / "absent"))
