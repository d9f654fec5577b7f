"""One session of OpenEnv's own client, for frames.counterpart.test.ts: the messages are what counts, so answers are not judged here."""

import json
import sys
from contextlib import suppress

from openenv import GenericEnvClient

url, script = sys.argv[1], json.loads(sys.argv[2])
with GenericEnvClient(base_url=url) as env:
    for what, data in script:
        # Errors of the server are a part of the script.
        with suppress(RuntimeError):
            if what == "reset":
                env.reset(**data)
            elif what == "step":
                env.step(data)
            else:
                env.state()
