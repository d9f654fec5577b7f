import { isEditable, obstacles } from "../config/obstacles.ts";
import type { Deployment } from "../deployment/deployment.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";

/**
 * Takes back the fixes that cannot be made, since no editor knows what stands where in a text that does not parse; the
 * first fault that no fix repairs says so. Nothing changes where the text parses, or will once its own fixes are made.
 */
export function withholdFixes(found: readonly Diagnostic[], { document }: Deployment): readonly Diagnostic[] {
  const [obstacle] = isEditable(document) ? [] : obstacles(document).filter(({ fix }) => fix === null);
  const isWaiting = ({ fix }: Diagnostic): boolean => fix !== null && fix.changes.length > 0;
  const waiting = found.filter(isWaiting).length;
  if (obstacle === undefined || waiting === 0) return found;
  const isObstacle = ({ rule, range }: Diagnostic): boolean =>
    rule === obstacle.rule && range?.start.offset === obstacle.range?.start.offset;
  const whose = waiting === 1 ? "the fix of another finding waits" : `the fixes of ${waiting} other findings wait`;
  return found.map((diagnostic) =>
    isWaiting(diagnostic)
      ? { ...diagnostic, fix: null }
      : isObstacle(diagnostic)
        ? { ...diagnostic, help: `${diagnostic.help}; ${whose} for it` }
        : diagnostic,
  );
}
