import { commentLines, generatedLines, publicArtifact } from "./artifact-text.ts";
import { piece, type Piece } from "./context.ts";

/** File name below `rendered/<target>/`. */
const IGNORE_FILE = ".gitignore";

/** Keeps secret values, and what an interrupted render leaves, out of the commits that the rest is meant for. */
export function renderIgnoreFile(): Piece {
  return piece({
    artifacts: [
      publicArtifact(
        IGNORE_FILE,
        `${commentLines("#", generatedLines())}*.secrets.*\n.render-*.tmp/\n.manifest.json.lock*\n`,
      ),
    ],
  });
}
