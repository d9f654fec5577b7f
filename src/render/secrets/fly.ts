import { joinPieces, type Piece, type RenderContext } from "../context.ts";
import { workloadSecrets } from "../workload-secrets.ts";
import { secretsPiece } from "./values.ts";
import { deliveries } from "./workload.ts";

/** The file of an app's secrets. */
export function flySecretsName(workload: string): string {
  return `${workload}.secrets.fly`;
}

/** One file per app that has secrets, in the dialect of `fly secrets import`. */
export function renderFlySecrets({ deployment }: RenderContext): Piece {
  const withSecrets = deployment.workloads.filter((workload) => workloadSecrets(deployment, workload).length > 0);
  return joinPieces(
    withSecrets.map((workload) => {
      const artifact = flySecretsName(workload.name);
      const says = `The secrets of ${workload.name}, in the dialect of \`fly secrets import\`.`;
      return secretsPiece(deployment, {
        artifact,
        dialect: "fly",
        says,
        ...deliveries(deployment, workload, artifact),
      });
    }),
  );
}
