"""Makes the calls of boxd's Python SDK that come as JSON lines, and answers each with a line of JSON.

A line is {"client": name, "open": {...}} (a new client), {"client": name, "call": "machines.get", "args": [...], "kwargs": {...}} or
{"client": name, "stream": {...}} (an interactive command). Bytes are {"bytes": base64}.
"""

import base64
import json
import sys

import boxd
from pydantic import BaseModel

clients = {}


def decoded(value):
    if isinstance(value, dict) and set(value) == {"bytes"}:
        return base64.b64decode(value["bytes"])
    return value


def encoded(value):
    if isinstance(value, bytes):
        return {"bytes": base64.b64encode(value).decode()}
    if isinstance(value, BaseModel):
        return {name: encoded(getattr(value, name)) for name in type(value).model_fields if name not in ("spec", "created_spec")}
    if isinstance(value, list):
        return [encoded(entry) for entry in value]
    if isinstance(value, dict):
        return {key: encoded(entry) for key, entry in value.items()}
    if hasattr(value, "isoformat"):
        return value.isoformat()
    return value


def stream(client, spec):
    """Writes, ends or leaves the input open, reads so many chunks (or all), and closes."""
    chunks = []
    with client.machines.stream_exec(spec["id"], command=spec["command"], close_stdin=spec.get("close_stdin", False)) as handle:
        for data in spec.get("write", []):
            handle.write(data)
        if spec.get("eof", False):
            handle.write_eof()
        for chunk in handle.iter_chunks():
            chunks.append({"data": chunk.data.decode("latin1"), "is_stderr": chunk.is_stderr})
            if len(chunks) == spec.get("read"):
                break
        else:
            return {"chunks": chunks, "exit_code": handle.exit_code}
    return {"chunks": chunks, "exit_code": None}


def answer(line):
    if "open" in line:
        clients[line["client"]] = boxd.Boxd(**line["open"])
        return None
    client = clients[line["client"]]
    if "stream" in line:
        return stream(client, line["stream"])
    target = client
    for name in line["call"].split("."):
        target = getattr(target, name)
    args = [decoded(value) for value in line.get("args", [])]
    kwargs = {key: decoded(value) for key, value in line.get("kwargs", {}).items()}
    return encoded(target(*args, **kwargs))


for raw in sys.stdin:
    try:
        reply = {"result": answer(json.loads(raw))}
    except Exception as error:
        reply = {
            "error": type(error).__name__,
            "message": str(error),
            "code": getattr(error, "code", None),
            "grpc_code": getattr(error, "grpc_code", None),
        }
    print(json.dumps(reply), flush=True)
