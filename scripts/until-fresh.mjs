import { mkdirSync, rmSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** How often one caller builds: sources that change all the while would keep it for ever. */
const MOST_BUILDS = 2;
/** Milliseconds after which the lock of somebody else counts as left behind. */
const LEFT_BEHIND_MS = 120_000;

function take(lock) {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > LEFT_BEHIND_MS) rmSync(lock, { recursive: true, force: true });
    return false;
  }
}

/**
 * Builds until what is built is fresh; callers that ask at the same time wait for one build. Sources that change during a
 * build are built once more; when they change during that too, `say` is told, and the last build stands.
 */
export async function untilFresh({ isFresh, build, lock, say }) {
  let builds = 0;
  while (!isFresh()) {
    if (builds === MOST_BUILDS) {
      say(`dist/ was built ${builds} times, and the sources changed each time: it is not what they say now`);
      return;
    }
    if (!take(lock)) {
      await sleep(100);
      continue;
    }
    try {
      if (isFresh()) return;
      builds++;
      await build();
    } finally {
      rmSync(lock, { recursive: true, force: true });
    }
  }
}
