"""Calls of ``qm-deploy openenv``: a JSON object on its stdin, one on its stdout."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from ._errors import BoxdProviderError

Verb = Literal["start", "wait", "stop"]

# What an interrupted start takes to leave nothing (see `startTimeoutMs` of the
# provider in TypeScript), and Node to begin and end.
CLEANUP_S = 60.0

_STDERR_CHARS = 2000


class Refused(Exception):
    """The command's own answer that something was not done."""

    def __init__(self, code: str, problem: str, faults: Sequence[Mapping[str, Any]]) -> None:
        lines = [problem, *(_fault_line(fault) for fault in faults)]
        super().__init__("\n".join(lines))
        self.code = code


class Program(NamedTuple):
    """How ``qm-deploy`` is called."""

    words: list[str]
    #: what its words are relative to, for programs such as ``npx`` as well
    directory: str


def find_program(given: Sequence[str] | None) -> Program:
    """The words that ``qm-deploy`` is called by, here.

    Raises:
        BoxdProviderError: ``NO_PROGRAM`` when there is no such program.
    """
    words = ["qm-deploy"] if given is None else list(given)
    found = shutil.which(words[0]) if words else None
    if found is None:
        name = words[0] if words else "qm-deploy"
        raise BoxdProviderError(
            "NO_PROGRAM",
            f"there is no program {name!r}: install qm-deploy with @boxd-sh/sdk beside it, and put it on PATH "
            "or name it by `qm_deploy=[...]`",
        )
    return Program([os.path.abspath(found), *words[1:]], os.getcwd())


def call(
    program: Program,
    verb: Verb,
    request: Mapping[str, Any],
    timeout_s: float,
    began: Callable[[subprocess.Popen[bytes]], None] = lambda process: None,
) -> dict[str, Any]:
    """Runs one request and answers its object; ``began`` is told of the process.

    When anything else ends the wait (a signal's exception, the time), the
    command is asked to end and given the time that its clean-up takes.

    Raises:
        Refused: the command said no.
        BoxdProviderError: ``TIMEOUT`` or ``NO_ANSWER``: what has become of
            the request is not known. ``NO_PROGRAM``: nothing was asked for.
    """
    try:
        # A session of its own: Ctrl-C on the terminal is for us, who then end it.
        process = subprocess.Popen(
            [*program.words, "openenv", verb, "--json"],
            cwd=program.directory if os.path.isdir(program.directory) else None,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as error:
        raise BoxdProviderError("NO_PROGRAM", f"{program.words[0]!r} could not be run: {error.strerror}") from None
    try:
        began(process)
        out, err = process.communicate(json.dumps(request).encode(), timeout=timeout_s)
    except subprocess.TimeoutExpired:
        _end(process)
        raise BoxdProviderError("TIMEOUT", f"`qm-deploy openenv {verb}` did not end within {timeout_s:g} s") from None
    except BaseException:
        _end(process)
        raise
    return _read(verb, process.returncode, out, err)


def _read(verb: Verb, status: int, out: bytes, err: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(out)
    except ValueError:
        answer = None
    if not isinstance(answer, dict) or not isinstance(answer.get("ok"), bool):
        said = err.decode(errors="replace").strip()[-_STDERR_CHARS:]
        raise BoxdProviderError(
            "NO_ANSWER", f"`qm-deploy openenv {verb}` ended with status {status} and no answer: {said or 'it said nothing'}"
        )
    if answer["ok"]:
        return answer
    raise Refused(str(answer["code"]), str(answer["problem"]), answer.get("faults") or [])


def end(process: subprocess.Popen[bytes]) -> None:
    """SIGTERM, by which the command deletes what it has made; SIGKILL when that does not end."""
    process.terminate()
    try:
        process.wait(timeout=CLEANUP_S)
    except subprocess.TimeoutExpired:
        process.kill()


def _end(process: subprocess.Popen[bytes]) -> None:
    """The same for whom nobody else reads."""
    process.terminate()
    try:
        process.communicate(timeout=CLEANUP_S)
    except subprocess.TimeoutExpired:
        pass
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                stream.close()


def _fault_line(fault: Mapping[str, Any]) -> str:
    path, message = fault.get("path"), fault.get("message")
    is_named = not path or f"`{path}`" in str(message)
    return f"  {message}" if is_named else f"  {path}: {message}"
