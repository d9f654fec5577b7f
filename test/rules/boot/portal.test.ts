import { auth, core, having, HTTP, LOCAL, portal, testRelations, TRIAL } from "./found.ts";

testRelations([
  [
    "boot row 42",
    "portal/local-bypass",
    [
      [portal({ PORTAL_LOCAL_AUTH_BYPASS: "1" }), ["error env.portal.PORTAL_LOCAL_AUTH_BYPASS"]],
      [portal({ PORTAL_LOCAL_AUTH_BYPASS: "1" }, LOCAL), ["error env.portal.PORTAL_LOCAL_AUTH_BYPASS"]],
      [portal({ PORTAL_LOCAL_AUTH_BYPASS: "1", ...TRIAL }), ["error env.portal.PORTAL_LOCAL_AUTH_BYPASS"]],
      [portal({ PORTAL_LOCAL_AUTH_BYPASS: "1", ...TRIAL }, LOCAL), []],
      [portal({ PORTAL_LOCAL_AUTH_BYPASS: "true" }), []],
    ],
  ],
  [
    "boot row 43",
    "portal/playground",
    [
      [
        portal({ PORTAL_PLAYGROUND: "1", PORTAL_DEPLOYMENTS_ENABLED: "1", PORTAL_COOKIE_DOMAIN: "acme.dev" }),
        ["error env.portal.PORTAL_DEPLOYMENTS_ENABLED", "error env.portal.PORTAL_COOKIE_DOMAIN"],
      ],
      [portal({ PORTAL_PLAYGROUND: "1" }), []],
      [portal({ PORTAL_PLAYGROUND: "yes", PORTAL_DEPLOYMENTS_ENABLED: "1" }), []],
    ],
  ],
  [
    "boot rows 44, 45",
    "portal/cookie-domain",
    [
      [portal({ PORTAL_APPS_DOMAIN: "apps.acme.dev" }), ["error env.portal.PORTAL_APPS_DOMAIN"]],
      [portal({ PORTAL_COOKIE_DOMAIN: "other.dev" }), ["error env.portal.PORTAL_COOKIE_DOMAIN"]],
      [portal({ PORTAL_COOKIE_DOMAIN: " acme.dev" }), ["error env.portal.PORTAL_COOKIE_DOMAIN"]],
      [
        portal({ PORTAL_APPS_DOMAIN: "apps.other.dev", PORTAL_COOKIE_DOMAIN: "acme.dev" }),
        ["error env.portal.PORTAL_COOKIE_DOMAIN"],
      ],
      [portal({ PORTAL_APPS_DOMAIN: "apps.acme.dev", PORTAL_COOKIE_DOMAIN: ".ACME.dev" }), []],
      [portal({ PORTAL_APPS_DOMAIN: "" }), []],
    ],
  ],
  [
    "boot row 48",
    "portal/session-lifetime",
    [
      [portal({ PORTAL_SESSION_MAX_TTL_S: "60" }), ["error env.portal.PORTAL_SESSION_MAX_TTL_S"]],
      [
        portal({ PORTAL_SESSION_TTL_S: "86401", PORTAL_SESSION_MAX_TTL_S: "86400" }),
        ["error env.portal.PORTAL_SESSION_MAX_TTL_S"],
      ],
      [portal({ PORTAL_SESSION_TTL_S: "86401" }), []],
      [portal({ PORTAL_SESSION_MAX_TTL_S: "28800" }), []],
    ],
  ],
  [
    "boot rows 50, 51, 68",
    "portal/public-url",
    [
      [portal({}, HTTP), ["error publicUrl"]],
      [auth({}, HTTP), ["error publicUrl"]],
      [auth({}, HTTP), ["warning publicUrl"], { release: "0.1.12" }],
      [portal({}, { target: "fly", ...HTTP }), ["error publicUrl"]],
      [portal({ PORTAL_PUBLIC_URL: "" }), ["error env.portal.PORTAL_PUBLIC_URL"]],
      [portal({ PORTAL_PUBLIC_URL: "http://qm.acme.dev" }), ["error env.portal.PORTAL_PUBLIC_URL"]],
      [portal({ PORTAL_PUBLIC_URL: "https://other.acme.dev" }), []],
      [auth({ portal: { PORTAL_PUBLIC_URL: "https://other.acme.dev" } }), ["error env.portal.PORTAL_PUBLIC_URL"]],
      [auth({ portal: { PORTAL_PUBLIC_URL: "https://qm.acme.dev/" } }), []],
      [portal(TRIAL, LOCAL), []],
      [auth({ portal: TRIAL }, LOCAL), ["error publicUrl"]],
      [auth({ portal: TRIAL, auth: TRIAL }, LOCAL), []],
      [core({}, HTTP), []],
    ],
  ],
  [
    "boot rows 53, 54",
    "portal/broker-upstream",
    [
      [auth({}), []],
      [auth({}), [], { release: "0.1.12" }],
      [auth({}, { target: "fly" }), []],
      [
        having(
          ["core", "web-ui", "portal", "auth"],
          { core: { AWS_DEPLOY_IMAGE: "acme" } },
          { target: "aws", aws: { networking: { cloudMapNamespace: "acme" } } },
        ),
        ["error aws.networking.cloudMapNamespace"],
      ],
      [having(["core", "web-ui", "portal", "auth"], { core: { AWS_DEPLOY_IMAGE: "acme" } }, { target: "aws" }), []],
      [portal({ AUTH_BROKER_UPSTREAM: "https://auth.acme.dev" }), ["error env.portal.AUTH_BROKER_UPSTREAM"]],
      [portal({ AUTH_BROKER_UPSTREAM: "http://auth:8080" }), ["error env.portal.AUTH_BROKER_UPSTREAM"]],
      [portal({ AUTH_BROKER_UPSTREAM: "http://auth.internal:8080" }), ["error env.portal.AUTH_BROKER_UPSTREAM"]],
      [
        portal({
          AUTH_BROKER_UPSTREAM: "http://auth.internal:8080",
          OIDC_ISSUER: "https://qm.acme.dev/idp",
          OIDC_AUTH_ENDPOINT: "https://qm.acme.dev/idp/authorize",
        }),
        [],
      ],
      [portal({ AUTH_BROKER_UPSTREAM: "http://auth:8080", ...TRIAL }, LOCAL), []],
      [portal({ AUTH_BROKER_UPSTREAM: "" }), []],
    ],
  ],
  [
    "boot row 55",
    "portal/issuer-keys",
    [
      [portal({ OIDC_ISSUER: "" }), ["error env.portal.OIDC_ISSUER"]],
      [portal({ OIDC_ISSUER: " " }), ["warning env.portal.OIDC_ISSUER"], { release: "0.1.12" }],
      [portal({ OIDC_ISSUER: "", OIDC_JWKS_URI: "https://id.acme.dev/keys" }), []],
      [portal({ OIDC_ISSUER: "", ...TRIAL }, LOCAL), []],
      [portal({}), []],
    ],
  ],
  [
    "boot row 58",
    "portal/nobody-allowed",
    [
      [portal({ OIDC_ALLOWED_EMAILS: " , " }), ["error env.portal.OIDC_ALLOWED_EMAILS"]],
      [portal({ PORTAL_EXPECTED_TEAM_ID: "  " }), ["error env.portal.PORTAL_EXPECTED_TEAM_ID"]],
      [portal({ OIDC_ALLOWED_EMAILS: ",", OIDC_ALLOWED_EMAIL_DOMAIN: "acme.dev" }), []],
      [portal({ OIDC_ALLOWED_EMAILS: ",", PORTAL_EXPECTED_TEAM_ID: "T012AB3CD" }), []],
      [portal({ OIDC_ALLOWED_EMAILS: ",", ...TRIAL }, LOCAL), []],
      [portal({ OIDC_ALLOWED_EMAILS: "ada@acme.dev" }), []],
      [auth({}), [], { env: "AUTH_ALLOWED_EMAILS=\n" }],
      [auth({}), ["error AUTH_ALLOWED_EMAILS"], { env: "AUTH_ALLOWED_EMAILS=,\n" }],
    ],
  ],
  [
    "boot row 61",
    "portal/outside-domain",
    [
      [
        portal({ OIDC_ALLOWED_EMAILS: "ada@acme.dev,bob@other.dev", OIDC_ALLOWED_EMAIL_DOMAIN: "acme.dev" }),
        ["warning env.portal.OIDC_ALLOWED_EMAILS"],
      ],
      [portal({ OIDC_ALLOWED_EMAILS: "ada@ACME.dev", OIDC_ALLOWED_EMAIL_DOMAIN: "Acme.dev" }), []],
      [portal({ OIDC_ALLOWED_EMAILS: "bob@other.dev" }), []],
    ],
  ],
  [
    "boot row 73",
    "env-file/no-sign-in-mail",
    [
      [auth({}), ["warning RESEND_API_KEY"], { release: "0.1.12", env: "AUTH_EMAIL_FROM=ada@acme.dev\n" }],
      [
        auth({}),
        ["warning AUTH_EMAIL_FROM"],
        { release: "0.1.12", env: "AUTH_EMAIL_FROM=todo\nRESEND_API_KEY=re_1\n" },
      ],
      [
        auth({ auth: { AUTH_EMAIL_TRANSPORT: "smtp" } }),
        ["warning SMTP_HOST"],
        { release: "0.1.12", env: "AUTH_EMAIL_FROM=ada@acme.dev\nRESEND_API_KEY=re_1\n" },
      ],
      [auth({}, { target: "fly" }), ["info AUTH_EMAIL_FROM"], { release: "0.1.12", env: "A=b\n" }],
      [auth({}), [], { release: "0.1.12", env: "AUTH_EMAIL_FROM=ada@acme.dev\nRESEND_API_KEY=re_1\n" }],
      [auth({}), [], { release: "0.1.6", env: "A=b\n" }],
      [core({}), [], { release: "0.1.12", env: "A=b\n" }],
    ],
  ],
]);

testRelations([
  [
    "boot row 47",
    "portal/principal-claim",
    [
      [
        portal({ OIDC_PRINCIPAL_CLAIM: "sub", OIDC_ALLOWED_EMAILS: "ada@acme.dev" }),
        ["error env.portal.OIDC_PRINCIPAL_CLAIM"],
      ],
      [portal({ OIDC_PRINCIPAL_CLAIM: "sub", PORTAL_EXPECTED_TEAM_ID: "T012AB3CD" }), []],
      [portal({ OIDC_PRINCIPAL_CLAIM: "sub", OIDC_ALLOWED_EMAILS: ",", PORTAL_EXPECTED_TEAM_ID: "T012AB3CD" }), []],
    ],
  ],
  [
    "boot rows 51, 80",
    "services/managed-env",
    [
      [auth({ portal: { AUTH_BROKER_PREFIX: "/auth" } }), ["error env.portal.AUTH_BROKER_PREFIX"]],
      [auth({ admin: { ADMIN_BASE_PATH: "/x" } }), ["error env.admin.ADMIN_BASE_PATH"]],
      [auth({ admin: { ADMIN_BASE_PATH: "/admin" } }), []],
    ],
  ],
]);
