"""The container provider."""

from __future__ import annotations

import atexit
import os
import re
import secrets
import subprocess
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

from openenv.core.containers.runtime.providers import ContainerProvider

from ._command import CLEANUP_S, Program, Refused, Verb, call, end, find_program
from ._errors import BoxdProviderError
from ._guard import guard
from ._version import __version__

_PORT = 8000
_STOP_S = 150.0
# The longest time that Node's timers keep.
_LONGEST_S = 2_147_483
# What JavaScript's encodeURI and encodeURIComponent leave alone, letters and digits aside.
_URI = ";,/?:@&=+$-_.!~*'()#"
_COMPONENT = "-_.!~*'()"
# What the command calls our arguments, where that is something else.
_ARGUMENTS = {
    "apiKey": "api_key",
    "autoSuspendSeconds": "auto_suspend",
    "baseURL": "boxd_url",
    "deleteAfterSeconds": "delete_after",
    "egressAllow": "egress_allow",
    "envVars": "env_vars",
    "name": "name_prefix",
    "surfaceServerLogs": "surface_server_logs",
}
_NAMED = re.compile(rf"(?m)(^  |`)({'|'.join(_ARGUMENTS)})\b")


class BoxdProvider(ContainerProvider):
    """Runs an environment's container on a boxd machine of its own, which ``stop_container`` deletes.

    Deleting it is also tried when the interpreter exits, and by a small
    process that outlives the interpreter when it is killed; boxd itself
    deletes the machine after ``delete_after`` seconds whatever happens.

    Args:
        public: must be true: whoever has the machine's URL can reach the
            environment, and there is no other way in.
        image: a registry image, or what ``image_from_dockerfile`` answers.
            ``start_container`` may name another.
        env_vars: environment of the container. They travel in files and
            pipes, never in arguments.
        api_key: key of boxd; default ``BOXD_API_KEY`` of the environment.
        org: org of boxd; default ``BOXD_ORG``.
        boxd_url: where boxd is; default ``BOXD_BASE_URL``, else boxd's own.
        name_prefix: of the machine's name, before its 48 random bits.
        labels: of the machine, beside ``managed-by=openenv``.
        vcpu: 1, 2, 4 or 8, with 4 GB of memory each.
        memory: as boxd takes it, like ``"8G"``.
        egress_allow: what the machine may reach: hosts, addresses, ranges;
            ``["none"]`` nothing. Default: everything.
        command: words that replace the image's command.
        delete_after: seconds after the start, 2592000 (30 days) at most;
            ``None`` for never.
        auto_suspend: seconds without traffic until boxd suspends the
            machine, which drops the client's socket; 0 for never.
        start_timeout_s: for machine, pull or build, and run together.
        surface_server_logs: adds the end of the container's output, with
            secrets masked, to errors.
        qm_deploy: the words that ``qm-deploy`` is called by, such as
            ``["npx", "--no", "qm-deploy"]``; default: the one on PATH.

    Raises:
        ValueError: ``public`` is not true. Everything else is judged by
            ``qm-deploy`` when a container is started, before a machine is
            made.
    """

    def __init__(
        self,
        *,
        public: bool,
        image: str | None = None,
        env_vars: Mapping[str, str] | None = None,
        api_key: str | None = None,
        org: str | None = None,
        boxd_url: str | None = None,
        name_prefix: str = "openenv",
        labels: Mapping[str, str] | None = None,
        vcpu: int | None = None,
        memory: str | None = None,
        egress_allow: Sequence[str] | None = None,
        command: Sequence[str] | None = None,
        delete_after: int | None = 3600,
        auto_suspend: int = 0,
        start_timeout_s: float = 900.0,
        surface_server_logs: bool = False,
        qm_deploy: Sequence[str] | None = None,
    ) -> None:
        if public is not True:
            raise ValueError(
                "`public` must be True: the environment is reachable by everybody who has its URL, so say that you want that"
            )
        self._image = image
        self._env_vars = dict(env_vars or {})
        self._access = _given(apiKey=api_key, org=org, baseURL=boxd_url, toolkit=__version__)
        self._name_prefix = name_prefix
        self._machine = _given(
            labels=_copy(labels, dict),
            vcpu=vcpu,
            memory=memory,
            egressAllow=_copy(egress_allow, list),
            command=_copy(command, list),
            autoSuspendSeconds=auto_suspend,
            surfaceServerLogs=surface_server_logs,
        )
        self._delete_after = delete_after
        self._start_timeout_s = start_timeout_s
        self._qm_deploy = _copy(qm_deploy, list)
        self._name: str | None = None
        self._started: dict[str, Any] | None = None
        self._start_env: dict[str, str] = {}
        self._program = Program([], "")
        self._starting: subprocess.Popen[bytes] | None = None
        # The machine whose start is not to go on.
        self._given_up: str | None = None
        self._pid = 0

    @classmethod
    def image_from_dockerfile(cls, dockerfile_path: str, context_dir: str | None = None) -> str:
        """An image that is built on the machine.

        The context is the directory above the Dockerfile's
        (``<env>/server/Dockerfile`` has ``<env>``) unless named. That COPY
        and ADD take nothing from elsewhere is checked at the start, before
        a machine is made.

        Raises:
            FileNotFoundError: there is no such Dockerfile.
            ValueError: there is no such context.
        """
        dockerfile = Path(dockerfile_path).resolve()
        if not dockerfile.is_file():
            raise FileNotFoundError(f"there is no Dockerfile {dockerfile_path!r}")
        context = Path(context_dir).resolve() if context_dir is not None else dockerfile.parent.parent
        if not context.is_dir():
            raise ValueError(f"there is no directory {str(context_dir)!r}")
        return f"dockerfile:{quote(str(dockerfile), safe=_URI)}?context={quote(str(context), safe=_COMPONENT)}"

    @property
    def base_url(self) -> str:
        """Who has it can use the environment: do not log it.

        Raises:
            BoxdProviderError: ``NOT_STARTED``.
        """
        return str(self._active()["baseUrl"])

    @property
    def machine_id(self) -> str:
        """Id of the machine, which is no secret.

        Raises:
            BoxdProviderError: ``NOT_STARTED``.
        """
        return str(self._active()["machine"]["id"])

    @property
    def expires_at(self) -> datetime | None:
        """When boxd deletes the machine by itself; None for never.

        Raises:
            BoxdProviderError: ``NOT_STARTED``.
        """
        text = self._active()["expiresAt"]
        # Python 3.10 does not read the `Z`.
        return None if text is None else datetime.fromisoformat(str(text).replace("Z", "+00:00"))

    def start_container(
        self,
        image: str | None = None,
        port: int | None = None,
        env_vars: Mapping[str, str] | None = None,
        **kwargs: Any,
    ) -> str:
        """Makes a machine, runs the container on it and answers the base URL.

        Args:
            image: instead of the provider's.
            port: ``None`` or 8000.
            env_vars: in addition to the provider's, and before them.
            **kwargs: ``wait_timeout`` is taken and dropped: ``AutoEnv``
                passes it to every provider.

        Raises:
            TypeError: for another keyword.
            ValueError: for options that cannot work; nothing was made.
            BoxdProviderError: the start failed. It has left nothing, unless
                the code is ``CLEANUP_FAILED``; then ``stop_container``
                tries again.
        """
        kwargs.pop("wait_timeout", None)
        if kwargs:
            raise TypeError(f"start_container: unknown options {', '.join(sorted(kwargs))}")
        if self._name is not None:
            raise BoxdProviderError(
                "ALREADY_STARTED",
                "this provider has a container, or a machine that could not be removed yet: stop it first",
            )
        chosen = self._image if image is None else image
        if chosen is None:
            raise ValueError("no image was given, here or to the provider")
        merged = {**self._env_vars, **(env_vars or {})}
        for name, value in merged.items():
            if not isinstance(name, str) or not isinstance(value, str):
                raise ValueError(f"`env_vars`: {name!r} and its value must be text")
        start_timeout_ms = _milliseconds("start_timeout_s", self._start_timeout_s)
        if start_timeout_ms <= 0:
            raise ValueError("`start_timeout_s` must be a number of seconds, a thousandth or more")
        self._program = find_program(self._qm_deploy)
        self._start_env = merged
        name = f"{self._name_prefix}-{secrets.token_hex(6)}"
        self._reserve(name)
        request = {
            **self._access,
            **self._machine,
            "public": True,
            "image": chosen,
            "port": _PORT if port is None else port,
            "envVars": self._start_env,
            "name": name,
            "deleteAfterSeconds": self._delete_after,
            "startTimeoutMs": start_timeout_ms,
        }
        try:
            self._start(name, request)
        except Refused as refused:
            # It has proved that nothing is left, or said that something may be.
            if refused.code != "CLEANUP_FAILED":
                self._forget(name)
            raise _error(refused) from None
        except BoxdProviderError as error:
            if error.code == "NO_PROGRAM":
                self._forget(name)
            self._stop_quietly(name)
            raise
        except BaseException:
            self._stop_quietly(name)
            raise
        return self.base_url

    def _start(self, name: str, request: Mapping[str, Any]) -> None:
        """One call, which another thread's ``stop_container`` ends."""

        def began(process: subprocess.Popen[bytes]) -> None:
            guard.starting(name, process.pid)
            self._starting = process
            if self._given_up == name:
                process.terminate()

        stopped = BoxdProviderError("ABORTED", "the provider was stopped")
        try:
            answer = call(self._program, "start", request, self._start_timeout_s + CLEANUP_S, began)
        except BoxdProviderError:
            if self._given_up == name:
                raise stopped from None
            raise
        finally:
            self._starting = None
            guard.starting(name, None)
        self._started = answer
        if self._given_up == name:
            self._call("stop", {"handle": answer["handle"]}, _STOP_S)
            self._forget(name)
            self._started = None
            raise stopped

    def wait_for_ready(self, base_url: str, timeout_s: float = 120.0) -> None:
        """Returns once the container's server answers ``/health``.

        Raises:
            ValueError: ``timeout_s`` is no number, or above 2147483.
            TimeoutError: the time is over.
            BoxdProviderError: at once when the container has ended or the
                machine is gone; ``NOT_STARTED`` for an address that is not
                this provider's.
        """
        started = self._active()
        if base_url.rstrip("/") != started["baseUrl"]:
            raise BoxdProviderError("NOT_STARTED", "the address is not one of this provider's")
        request = {
            "handle": started["handle"],
            "timeoutMs": max(1, _milliseconds("timeout_s", timeout_s)),
            "surfaceServerLogs": self._machine["surfaceServerLogs"],
            "envVars": self._start_env,
        }
        self._call("wait", request, max(0.0, timeout_s) + CLEANUP_S)

    def stop_container(self) -> None:
        """Deletes the machine and proves it, a start of another thread included. Nothing to delete is fine.

        Raises:
            BoxdProviderError: it may still exist. It is kept, to be tried
                again.
        """
        name = self._name
        if name is None:
            return
        self._given_up = name
        starting = self._starting
        if starting is not None:
            end(starting)
        known = {"name": name} if self._started is None else {"handle": self._started["handle"]}
        self._call("stop", known, _STOP_S)
        self._forget(name)

    def close(self) -> None:
        """``stop_container``."""
        self.stop_container()

    def _active(self) -> dict[str, Any]:
        if self._started is None:
            raise BoxdProviderError("NOT_STARTED", "no container is started")
        return self._started

    def _call(self, verb: Verb, request: Mapping[str, Any], timeout_s: float) -> None:
        try:
            call(self._program, verb, {**self._access, **request}, timeout_s)
        except Refused as refused:
            raise _error(refused) from None

    def _reserve(self, name: str) -> None:
        """Before anything is made: whatever happens to this interpreter now, the machine can be found by its name."""
        guard.hold(name, self._program, {**self._access, "name": name})
        self._name = name
        self._pid = os.getpid()
        _held.add(self)

    def _forget(self, name: str) -> None:
        """Nothing is left of this one; another may have been begun since."""
        guard.release(name)
        if self._name != name:
            return
        _held.discard(self)
        self._name = None
        self._started = None
        self._start_env = {}

    def _stop_quietly(self, name: str | None) -> None:
        """Another error is on its way; what is left is kept for a later try and for the guard."""
        if self._name != name:
            return
        try:
            self.stop_container()
        except BoxdProviderError:
            pass


# Providers whose machine may exist.
_held: set[BoxdProvider] = set()


@atexit.register
def _stop_at_exit() -> None:
    # A forked child has a copy of what is its parent's.
    held = [provider for provider in list(_held) if provider._pid == os.getpid()]
    # No thread can be begun any more, so that here they would be stopped one after another.
    if not held or guard.finish(_STOP_S):
        return
    for provider in held:
        provider._stop_quietly(provider._name)


def _milliseconds(name: str, seconds: float) -> int:
    if not abs(seconds) <= _LONGEST_S:
        raise ValueError(f"`{name}` must be a number of seconds, at most {_LONGEST_S}")
    return round(seconds * 1000)


def _given(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _copy(value: Any, kind: type) -> Any:
    return None if value is None else kind(value)


def _error(refused: Refused) -> Exception:
    if refused.code == "NOT_READY":
        return TimeoutError(str(refused))
    if refused.code == "INVALID_REQUEST":
        return ValueError(_NAMED.sub(lambda found: found[1] + _ARGUMENTS[found[2]], str(refused)))
    return BoxdProviderError(refused.code, str(refused))
