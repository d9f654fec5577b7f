import type { Rule } from "../rule.ts";
import { about } from "../subject.ts";
import { ARCHITECTURE } from "./architecture.ts";
import { MISSING_COORDINATES, UNKNOWN_WORKLOAD } from "./coordinates.ts";
import { DEPLOY_IMAGE } from "./deploy-image.ts";
import { FARGATE_SIZE } from "./fargate-size.ts";
import { HTTPS, PROTOCOLS } from "./https.ts";
import { NAME_LENGTH } from "./name-length.ts";
import { AWS_REGION } from "./region.ts";
import { MISSING_AWS_FIELD, SHARED_ALB } from "./required.ts";
import { PUBLIC_PATHS } from "./public-paths.ts";
import { DUPLICATE_COORDINATES, SHARED_TASK_ROLE } from "./duplicates.ts";
import { FOREIGN_ROLE } from "./roles.ts";

/** What only matters where the deployment runs on AWS. */
export const AWS_RULES: readonly Rule[] = about("aws", [
  MISSING_AWS_FIELD,
  SHARED_ALB,
  AWS_REGION,
  MISSING_COORDINATES,
  UNKNOWN_WORKLOAD,
  DUPLICATE_COORDINATES,
  SHARED_TASK_ROLE,
  FOREIGN_ROLE,
  FARGATE_SIZE,
  ARCHITECTURE,
  NAME_LENGTH,
  PUBLIC_PATHS,
  HTTPS,
  PROTOCOLS,
  DEPLOY_IMAGE,
]);
