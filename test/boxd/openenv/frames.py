"""One session of OpenEnv's own client, for frames.counterpart.test.ts: the messages are what counts, so answers are not judged here."""

import json
import sys
from contextlib import suppress

url, script, lean = sys.argv[1], json.loads(sys.argv[2]), sys.argv[3]
sys.path.insert(0, lean)
import lean_openenv  # noqa: E402, F401
from openenv.core.generic_client import GenericEnvClient  # noqa: E402

with GenericEnvClient(base_url=url, connect_timeout_s=300, message_timeout_s=300) as env:
    for what, data in script:
        # Errors of the server are a part of the script.
        with suppress(RuntimeError):
            if what == "reset":
                env.reset(**data)
            elif what == "step":
                env.step(data)
            else:
                env.state()
