import { auth, core, CORE, having, HTTP, LOCAL, PORTAL, testRelations, TRIAL } from "./found.ts";

testRelations([
  [
    "boot row 22",
    "services/not-production",
    [
      [core({ NODE_ENV: "development" }), ["error env.core.NODE_ENV"]],
      [core({ NODE_ENV: "" }), ["error env.core.NODE_ENV"], { release: "0.1.12" }],
      [core({ NODE_ENV: "development" }, LOCAL), ["warning env.core.NODE_ENV"]],
      [auth({ portal: TRIAL, auth: TRIAL }), ["error env.portal.NODE_ENV", "error env.auth.NODE_ENV"]],
      [auth({ portal: TRIAL, auth: TRIAL }, LOCAL), []],
      [core({ NODE_ENV: "production" }), []],
    ],
  ],
  [
    "boot row 79",
    "services/unsigned-identity",
    [
      [
        having(PORTAL, { "web-ui": { NODE_ENV: "test", ALLOW_UNSIGNED_TEST_IDENTITY: "1" } }),
        ["error env.web-ui.ALLOW_UNSIGNED_TEST_IDENTITY"],
      ],
      [
        having(PORTAL, { admin: { NODE_ENV: "test", ALLOW_UNSIGNED_TEST_IDENTITY: "1" } }, HTTP),
        ["warning env.admin.ALLOW_UNSIGNED_TEST_IDENTITY"],
      ],
      [having(PORTAL, { "web-ui": { NODE_ENV: "test", ALLOW_UNSIGNED_TEST_IDENTITY: "true" } }), []],
      [having(PORTAL, { "web-ui": { ALLOW_UNSIGNED_TEST_IDENTITY: "1" } }), []],
      [having(PORTAL, { "web-ui": { NODE_ENV: "test" } }), []],
    ],
  ],
  [
    "boot rows 40, 41",
    "services/overridden-identity",
    [
      [core({ ORG_ID: "other" }), ["warning env.core.ORG_ID"]],
      [core({ ORG_ID: "acme", PUBLIC_WEB_URL: "https://qm.acme.dev/" }), []],
      [core({ PUBLIC_WEB_URL: "" }), ["warning env.core.PUBLIC_WEB_URL"]],
      [
        having(CORE, { "web-ui": { CORE_ORG_ID: "other", CORE_API_URL: "http://other:8080" } }),
        ["warning env.web-ui.CORE_ORG_ID", "warning env.web-ui.CORE_API_URL"],
      ],
      [
        core(
          { FLY_BASE_IMAGE: "other", FLY_SANDBOX_APP_NAME: "other" },
          { sandbox: { backend: "sprites", app: "acme", image: `r.dev/a@sha256:${"a1".repeat(32)}` } },
        ),
        ["warning env.core.FLY_BASE_IMAGE", "warning env.core.FLY_SANDBOX_APP_NAME"],
      ],
      [core({ FLY_SANDBOX_APP_NAME: "acme" }, { sandbox: { backend: "sprites", app: "acme" } }), []],
    ],
  ],
  [
    "boot row 75",
    "slack/events-port",
    [
      [auth({ slack: { SLACK_EVENTS_MODE: "http" } }), ["warning env.slack.SLACK_EVENTS_MODE"]],
      [auth({ slack: { SLACK_EVENTS_MODE: "http", SLACK_EVENTS_PORT: "3000" } }), []],
      [auth({ slack: { SLACK_EVENTS_MODE: "socket" } }), []],
    ],
  ],
  [
    "boot row 76",
    "env-file/one-slack-token",
    [
      [auth({}), ["warning SLACK_BOT_TOKEN"], { env: "SLACK_BOT_TOKEN=xoxb-acme\n" }],
      [auth({}), ["warning SLACK_APP_TOKEN"], { env: "SLACK_APP_TOKEN=xapp-acme\nSLACK_BOT_TOKEN=replace-me\n" }],
      [auth({}, { target: "fly" }), ["info SLACK_BOT_TOKEN"], { env: "SLACK_BOT_TOKEN=xoxb-acme\n" }],
      [auth({ slack: { SLACK_EVENTS_MODE: "http" } }), [], { env: "SLACK_BOT_TOKEN=xoxb-acme\n" }],
      [auth({}), [], { env: "SLACK_BOT_TOKEN=xoxb-acme\nSLACK_APP_TOKEN=xapp-acme\n" }],
      [auth({}), [], { env: "A=b\n" }],
    ],
  ],
]);
