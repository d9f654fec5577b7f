import { core, type Row, skillTree, SOUND_SECRETS, testRelations } from "./found.ts";

testRelations([
  [
    "boot row 12",
    "core/apps-sign-in",
    [
      [core({ DEPLOY_APPS_LOGIN_URL: "https://qm.acme.dev/login" }), ["error env.core.DEPLOY_APPS_LOGIN_URL"]],
      [
        core({ DEPLOY_APPS_LOGIN_URL: "https://qm.acme.dev/login" }),
        ["warning env.core.DEPLOY_APPS_LOGIN_URL"],
        { release: "0.1.12" },
      ],
      [
        core({}, { secretEnv: { core: { DEPLOY_APPS_SESSION_SECRET: "ACME" } } }),
        ["error secretEnv.core.DEPLOY_APPS_SESSION_SECRET"],
      ],
      [
        core({ DEPLOY_APPS_LOGIN_URL: "" }, { secretEnv: { core: { DEPLOY_APPS_SESSION_SECRET: "ACME" } } }),
        ["error secretEnv.core.DEPLOY_APPS_SESSION_SECRET"],
      ],
      [
        core(
          { DEPLOY_APPS_LOGIN_URL: "https://qm.acme.dev" },
          { secretEnv: { core: { DEPLOY_APPS_SESSION_SECRET: "ACME" } } },
        ),
        [],
      ],
      [core({ DEPLOY_APPS_LOGIN_URL: "" }), []],
    ],
  ],
  [
    "boot rows 13, 14",
    "core/blank-is-set",
    [
      ...[
        "GOOGLE_OAUTH_CLIENT_ID",
        "DROPBOX_OAUTH_CLIENT_ID",
        "LINEAR_OAUTH_CLIENT_ID",
        "AWS_DEPLOY_APPS_DOMAIN",
      ].flatMap((name): Row[] => [
        [core({ [name]: "  " }), [`warning env.core.${name}`]],
        [core({ [name]: "" }), []],
        [core({ [name]: "acme" }), []],
      ]),
    ],
  ],
  [
    "boot rows 13, 14",
    "env-file/missing-secret",
    [
      [core({ GOOGLE_OAUTH_CLIENT_ID: "  " }), ["error GOOGLE_OAUTH_CLIENT_SECRET"], { env: SOUND_SECRETS }],
      [core({ AWS_DEPLOY_APPS_DOMAIN: "  " }), ["error AWS_DEPLOY_GATE_SECRET"], { env: SOUND_SECRETS }],
      [core({ GOOGLE_OAUTH_CLIENT_ID: "", AWS_DEPLOY_APPS_DOMAIN: "" }), [], { env: SOUND_SECRETS }],
    ],
  ],
  [
    "boot row 17",
    "core/secrets-prefix",
    [
      [core({ SECRETS_BACKEND: "aws" }), ["error env.core.SECRETS_BACKEND"]],
      [core({ SECRETS_BACKEND: " aws ", SECRETS_PREFIX: "" }), ["error env.core.SECRETS_BACKEND"]],
      [core({ SECRETS_BACKEND: "aws", SECRETS_PREFIX: "qm-" }), []],
      [core({ SECRETS_BACKEND: "aws" }, { secretEnv: { core: { SECRETS_PREFIX: "ACME" } } }), []],
      [core({ SECRETS_BACKEND: "env" }), []],
    ],
  ],
  [
    "boot row 20",
    "core/object-store",
    [
      [
        core({ SNAPSHOT_STORE: "s3", TRANSFER_STORE: "s3" }),
        ["warning env.core.SNAPSHOT_STORE", "warning env.core.TRANSFER_STORE"],
      ],
      [core({ SNAPSHOT_STORE: "s3", S3_BUCKET: "acme" }), []],
      [core({ SNAPSHOT_STORE: "local" }), []],
      [core({ SNAPSHOT_STORE: "s3" }, { target: "fly" }), []],
    ],
  ],
  [
    "boot row 24",
    "core/admin-grants",
    [
      [core({ ADMIN_GRANTS: "ada@acme.dev" }), ["warning env.core.ADMIN_GRANTS"]],
      [core({ ADMIN_GRANTS: "ada@acme.dev:org_admin, bob@acme.dev:admin" }), ["warning env.core.ADMIN_GRANTS"]],
      [core({ ADMIN_GRANTS: "," }), ["warning env.core.ADMIN_GRANTS"]],
      [core({ ADMIN_GRANTS: " " }), ["warning env.core.ADMIN_GRANTS"]],
      [core({ ADMIN_GRANTS: "ada@acme.dev:org_admin" }), []],
      [core({ ADMIN_GRANTS: "ada@acme.dev:org_admin, bob@acme.dev:org_admin," }), []],
      [core({ ADMIN_GRANTS: "" }), []],
      [{ secretEnv: { core: { ADMIN_GRANTS: "GRANTS" } } }, ["warning GRANTS"], { env: "GRANTS=,\n" }],
      // env-file/admin-grants says it.
      [{ secretEnv: { core: { ADMIN_GRANTS: "GRANTS" } } }, [], { env: "GRANTS=ada@acme.dev\n" }],
      [{ secretEnv: { core: { ADMIN_GRANTS: "GRANTS" } } }, [], { env: "GRANTS=ada@acme.dev:org_admin,\n" }],
    ],
  ],
  [
    "boot row 25",
    "sandbox/open-egress",
    [
      [core({}, { sandbox: { backend: "sprites", app: "acme" } }), ["info sprites"]],
      [core({ SPRITES_EGRESS_PROXY_URL: " " }, { sandbox: { backend: "sprites", app: "acme" } }), ["info sprites"]],
      [
        core({ SPRITES_EGRESS_PROXY_URL: "https://egress.acme.dev" }, { sandbox: { backend: "sprites", app: "acme" } }),
        [],
      ],
    ],
  ],
  [
    "boot rows 33, 34",
    "core/unmounted-path",
    [
      [core({ DATABASE_CA_CERT_FILE: "/etc/qm/ca.pem" }), ["error env.core.DATABASE_CA_CERT_FILE"]],
      [core({ DATABASE_CA_CERT_FILE: "/etc/ssl/certs/ca-certificates.crt" }), []],
      [core({ DATABASE_CA_CERT_FILE: "/etc/qm/ca.pem" }), [], { env: "DATABASE_CA_CERT=acme\n" }],
      [core({ DATABASE_CA_CERT_FILE: "" }), []],
      [core({ DEPLOYMENT_LAYER: " " }), ["error env.core.DEPLOYMENT_LAYER"]],
      [core({ DEPLOYMENT_LAYER: "/srv/layer" }), ["warning env.core.DEPLOYMENT_LAYER"], { release: "0.1.12" }],
      [core({ DEPLOYMENT_LAYER: "/srv/layer" }), ["error env.core.DEPLOYMENT_LAYER"]],
      [core({ DEPLOYMENT_LAYER: "/layer" }), ["error env.core.DEPLOYMENT_LAYER"]],
      [core({ DEPLOYMENT_LAYER: "/layer" }), [], { sandboxTree: skillTree() }],
      [core({ DEPLOYMENT_LAYER: "" }), ["warning env.core.DEPLOYMENT_LAYER"], { sandboxTree: skillTree() }],
      [core({ DEPLOYMENT_LAYER: "" }), []],
    ],
  ],
  [
    "boot row 38",
    "core/unmounted-path",
    [
      [core({ SKILLS_SEED_DIR: "/srv/seed" }), ["warning env.core.SKILLS_SEED_DIR"]],
      [core({ SKILLS_SEED_DIR: "" }), ["warning env.core.SKILLS_SEED_DIR"]],
      [core({ SKILLS_SEED_DIR: "./skills-seed" }), []],
    ],
  ],
  [
    "boot rows 37, 38, 39",
    "core/idle-parts",
    [
      [core({ PLUGIN_SKILLS_DIRS: "none" }, { skills: ["skills"] }), ["warning env.core.PLUGIN_SKILLS_DIRS"]],
      [core({ PLUGIN_SKILLS_DIRS: "none" }), []],
      [core({ SEED_SKILLS: "no" }), ["warning env.core.SEED_SKILLS"]],
      [core({ SEED_SKILLS: "yes" }), []],
      [core({ BACKGROUND_WORK_ENABLED: "OFF" }), ["warning env.core.BACKGROUND_WORK_ENABLED"]],
      [core({ BACKGROUND_WORK_ENABLED: "on" }), []],
    ],
  ],
  [
    "boot rows 35, 36",
    "core/apps-provider",
    [
      [core({ DEPLOY_PROVIDER: "aws" }), ["warning env.core.DEPLOY_PROVIDER"]],
      [
        core({
          DEPLOY_PROVIDER: "aws",
          AWS_DEPLOY_IMAGE: "acme",
          AWS_DEPLOY_DATA_ROLE_ARN: "arn:aws:iam::210987654321:role/x",
        }),
        ["warning env.core.AWS_DEPLOY_DATA_ROLE_ARN"],
      ],
      [
        core({
          DEPLOY_PROVIDER: "aws",
          AWS_DEPLOY_IMAGE: "acme",
          AWS_DEPLOY_DATA_ROLE_ARN: "arn:aws:iam::210987654321:role/x",
          AWS_DEPLOY_DATA_BUCKET: "b",
        }),
        [],
      ],
      [core({ DEPLOY_PROVIDER: "fly" }), ["warning env.core.DEPLOY_PROVIDER"]],
      [
        core({ DEPLOY_PROVIDER: "fly", FLY_ORG: "acme", FLY_DEPLOY_BASE_IMAGE: "i:1", FLY_DEPLOY_APP_PREFIX: "Acme" }),
        ["warning env.core.FLY_DEPLOY_APP_PREFIX"],
      ],
      [
        core({
          DEPLOY_PROVIDER: "fly",
          FLY_ORG: "acme",
          FLY_DEPLOY_BASE_IMAGE: "i:1",
          FLY_DEPLOY_APP_PREFIX: "a".repeat(27),
        }),
        ["warning env.core.FLY_DEPLOY_APP_PREFIX"],
      ],
      [
        core({
          DEPLOY_PROVIDER: "fly",
          FLY_ORG: "acme",
          FLY_DEPLOY_BASE_IMAGE: "i:1",
          FLY_DEPLOY_APP_PREFIX: "a".repeat(26),
        }),
        [],
      ],
      [core({ DEPLOY_PROVIDER: "docker" }), []],
    ],
  ],
]);

testRelations([
  [
    "boot row 1",
    "sandbox/no-backend",
    [
      [core({}, { sandbox: {} }), ["error sandbox.app"]],
      [core({ SANDBOX_BACKEND: "  " }, { sandbox: {} }), ["error sandbox.app"]],
      [core({}, { sandbox: { backend: "boxd" } }), []],
    ],
  ],
  [
    "boot row 2",
    "sandbox/unknown-backend",
    [
      [core({ SANDBOX_BACKEND: "e3b" }, { sandbox: {} }), ["error env.core.SANDBOX_BACKEND"]],
      [core({ SANDBOX_BACKEND: "smolmachines" }, { sandbox: {} }), []],
    ],
  ],
  [
    "boot row 3",
    "sandbox/secondary-equals-primary",
    [
      [core({ SANDBOX_SECONDARY_BACKEND: " boxd " }), ["error env.core.SANDBOX_SECONDARY_BACKEND"]],
      [core({ SANDBOX_SECONDARY_BACKEND: "smolmachines" }), []],
    ],
  ],
  [
    "boot rows 2, 3",
    "sandbox/core-image",
    [
      [core({ SANDBOX_SECONDARY_BACKEND: "boxd", SANDBOX_BACKEND: "smolmachines" }, { sandbox: {} }), ["warning boxd"]],
      [core({ SANDBOX_BACKEND: "smolmachines" }, { sandbox: {} }), []],
    ],
  ],
  [
    "boot row 4",
    "model/harness-pair",
    [
      [core({ HARNESS: "codex" }, { modelProvider: "openrouter" }), ["error codex"]],
      [core({ HARNESS: "claude" }, { modelProvider: "openai" }), ["error claude"]],
      [core({ HARNESS: "opencode" }, { modelProvider: "openai" }), []],
    ],
  ],
  [
    "boot row 9",
    "services/managed-env",
    [
      [core({ SECURITY_SCREEN_BACKEND: "proxy" }), ["error env.core.SECURITY_SCREEN_BACKEND"]],
      [
        core(
          {},
          { securityScreen: { backend: "proxy", provider: "acme", endpoint: "https://s.acme.dev", rollout: "shadow" } },
        ),
        [],
      ],
    ],
  ],
  [
    "boot row 31",
    "sandbox/backend-not-available",
    [
      [core({ SANDBOX_SECONDARY_BACKEND: "aws" }), ["error env.core.SANDBOX_SECONDARY_BACKEND"]],
      [core({ SANDBOX_SECONDARY_BACKEND: "sprites" }), []],
    ],
  ],
  [
    "boot row 32",
    "env-file/missing-secret",
    [
      [
        core({ SANDBOX_BACKEND: " smolmachines " }, { sandbox: {} }),
        ["error SMOLMACHINES_TOKEN"],
        { env: SOUND_SECRETS },
      ],
      [
        core({ SANDBOX_BACKEND: " smolmachines " }, { sandbox: {} }),
        [],
        { env: `${SOUND_SECRETS}SMOLMACHINES_TOKEN=t1\n` },
      ],
    ],
  ],
]);

testRelations([
  [
    "boot rows 13, 15, 16",
    "env-file/setting-value",
    [
      [core({}, routing("WORKERS")), ["error ACME"], { env: "ACME=many\n" }],
      [core({}, routing("WORKERS")), ["warning ACME"], { env: "ACME=many\n", release: "0.1.12" }],
      [core({}, routing("MEMORY_RECALL")), ["warning ACME"], { env: "ACME=never\n" }],
      [core({}, routing("WORKERS")), [], { env: "ACME=4\n" }],
      [core({}, routing("WORKERS")), [], { env: "ACME=\n" }],
      [core({}, routing("ACME_OWN")), [], { env: "ACME=many\n" }],
    ],
  ],
  [
    "boot row 13",
    "env-file/missing-secret",
    [
      [
        core({}, routing("GOOGLE_OAUTH_CLIENT_ID")),
        ["error GOOGLE_OAUTH_CLIENT_SECRET"],
        { env: `${SOUND_SECRETS}ACME=a1\n` },
      ],
      [core({}, routing("ACME_OWN")), [], { env: `${SOUND_SECRETS}ACME=a1\n` }],
    ],
  ],
]);

/** Hands core a secret under a name. */
function routing(name: string): object {
  return { secretEnv: { core: { [name]: "ACME" } } };
}
