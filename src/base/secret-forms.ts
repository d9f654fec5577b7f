/**
 * The forms that providers give their secrets, as far as they are publicly known: from their own documentation and from the
 * lists of public secret scanners. A form is here when its beginning is its provider's own and enough random text follows, so
 * that a word, a name or a placeholder is never one. Keys without a beginning of their own (32 hexadecimal digits of Datadog,
 * UUIDs of Postmark) look like anything else: these are found by the name that they stand under (`secret-name.ts`).
 *
 * To add a form: one line here, and a secret and a plain value in `test/base/secret-forms.json`.
 */

/** What it is, as words that complete "holds …"; how it begins, `|` between several; what follows, as the source of a regular expression. */
export type TokenForm = readonly [what: string, begin: string, rest: string];

const UUID = "[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}";

/** Keys of model providers and of what agents run on. */
const AGENTS: readonly TokenForm[] = [
  ["a boxd API key", "bxd_|bxk_", "[A-Za-z0-9]{24,}"],
  ["an Anthropic API key", "sk-ant-", "[a-z0-9]+-[\\w-]{20,}"],
  ["an OpenRouter API key", "sk-or-v1-", "[0-9a-f]{32,}"],
  ["a Langfuse key", "sk-lf-", UUID],
  ["an OpenAI API key", "sk-", "[A-Za-z0-9_-]{0,60}[0-9][A-Za-z0-9_-]{19,}"],
  ["a Google API key", "AIza", "[\\w-]{35}(?!\\w)"],
  ["a Google API key", "AQ.Ab", "[\\w-]{40,}"],
  ["an xAI API key", "xai-", "[A-Za-z0-9]{32,}"],
  ["a Groq API key", "gsk_", "[A-Za-z0-9]{32,}"],
  ["a Perplexity API key", "pplx-", "[A-Za-z0-9]{32,}"],
  ["a Hugging Face token", "hf_|api_org_", "[A-Za-z0-9]{30,}"],
  ["a Replicate token", "r8_", "[A-Za-z0-9]{32,}"],
  ["a Fireworks API key", "fw_", "[A-Za-z0-9]{22,}"],
  ["a Together API key", "tgp_v1_", "[\\w-]{32,}"],
  ["a Cerebras API key", "csk-", "[a-z0-9]{40,}"],
  ["an NVIDIA API key", "nvapi-", "[\\w-]{40,}"],
  ["an ElevenLabs API key", "sk_", "[0-9a-f]{48}(?![0-9A-Za-z])"],
  ["a Jina API key", "jina_", "[0-9a-f]{32}[\\w-]{20,}"],
  ["a Tavily API key", "tvly-", "(?:dev-|prod-)?[A-Za-z0-9]{24,}"],
  ["a Firecrawl API key", "fc-", "[0-9a-f]{32}(?![0-9A-Za-z])"],
  ["a Pinecone API key", "pcsk_", "[A-Za-z0-9_]{40,}"],
  ["a LangSmith API key", "lsv2_pt_|lsv2_sk_", "[0-9a-f]{32}_[0-9a-f]{8,}"],
  ["a Weights & Biases key", "wandb_v1_", "[\\w-]{40,}"],
  ["a Cursor API key", "key_", "[0-9a-f]{64}"],
  ["an E2B API key", "sk_e2b_|e2b_", "[0-9a-f]{32,}"],
  ["a Daytona API key", "dtn_", "[0-9a-f]{32,}"],
  ["a Modal token", "ak-|as-", "(?=[A-Za-z0-9]*[0-9])(?=[A-Za-z0-9]*[A-Z])[A-Za-z0-9]{22}(?![\\w-])"],
  ["a Browserbase key", "bb_live_", "(?=[A-Za-z_-]{0,40}[0-9])[\\w-]{20,}"],
];

/** Where code and packages are kept, and what builds them. */
const CODE: readonly TokenForm[] = [
  ["a GitHub token", "ghp_|gho_|ghu_|ghs_|ghr_", "[A-Za-z0-9]{30,}"],
  ["a GitHub token", "github_pat_", "[A-Za-z0-9_]{30,}"],
  [
    "a GitLab token",
    "glpat-|gloas-|gldt-|glrt-|glrtr-|glptt-|glcbt-|glft-|glimt-|glagent-|glsoat-|glffct-|glwt-",
    "[\\w.-]{20,}",
  ],
  ["a GitLab token", "GR1348941", "[\\w-]{20}"],
  ["an Atlassian token", "ATATT3|ATCTT3|ATSTT3|ATBB", "[\\w=-]{24,}"],
  ["a Sourcegraph token", "sgp_", "(?:(?:[0-9a-fA-F]{16}|local)_)?[0-9a-fA-F]{40}"],
  ["a Sonar token", "squ_|sqp_|sqa_", "[0-9a-f]{40}"],
  ["a Snyk token", "snyk_uat.|snyk_sat.", "[\\w.-]{30,}"],
  ["a Buildkite token", "bkua_|bkaj_|bkat_|bkct_", "[0-9a-z]{32,}"],
  ["a CircleCI token", "CCIPAT_|CCIPRJ_", "[A-Za-z0-9]{20,}_[0-9a-f]{40}"],
  ["an npm token", "npm_", "[A-Za-z0-9]{36}"],
  ["a PyPI token", "pypi-", "AgE[\\w-]{40,}"],
  ["a RubyGems key", "rubygems_", "[0-9a-f]{48}"],
  ["a crates.io token", "cio", "(?=[A-Za-z0-9]*[0-9])[A-Za-z0-9]{32}(?![A-Za-z0-9])"],
  ["a NuGet key", "oy2", "[a-z0-9]{43}"],
  ["a Clojars token", "CLOJARS_", "[0-9a-z]{60}"],
  ["a Docker Hub token", "dckr_pat_|dckr_oat_", "[\\w-]{20,}"],
  ["an Artifactory token", "AKCp", "[A-Za-z0-9]{60,}"],
  ["an Artifactory token", "cmVmd", "[A-Za-z0-9]{59}"],
  ["an Octopus Deploy key", "API-", "[A-Z0-9]{26}(?![A-Z0-9])"],
  ["a Postman key", "PMAK-", "[0-9a-f]{24}-[0-9a-f]{34}"],
  ["a Prefect key", "pnu_|pnb_", "[A-Za-z0-9]{36}"],
];

/** Clouds, databases and stores of secrets. */
const CLOUDS: readonly TokenForm[] = [
  ["an AWS access key", "AKIA|ASIA|ABIA|ACCA", "[A-Z2-7]{16}(?![A-Za-z0-9])"],
  ["an Amazon Bedrock key", "ABSK", "[A-Za-z0-9+/]{100,}"],
  ["an Amazon Bedrock key", "bedrock-api-key-", "[A-Za-z0-9+/]{30,}"],
  ["a Google OAuth client secret", "GOCSPX-", "[\\w-]{20,}"],
  ["a Google access token", "ya29.", "[\\w-]{20,}"],
  ["a Google refresh token", "1//0", "[\\w-]{30,}"],
  ["a Fly token", "FlyV1 ", "fm\\d[\\w+/=,-]{12,}"],
  ["a Fly token", "fo1_", "[\\w-]{20,}"],
  ["a Fly token", "fm1a_|fm1r_|fm1_|fm2a_|fm2r_|fm2_", "[A-Za-z0-9+/=]{20,}"],
  ["a DigitalOcean token", "doo_v1_|dop_v1_|dor_v1_", "[0-9a-f]{64}"],
  ["a DigitalOcean key", "DO00|DO801", "[A-Z0-9]{16,17}(?![A-Z0-9])"],
  ["a Heroku key", "HRKU-", "[\\w-]{30,}"],
  ["a Cloudflare key", "v1.0-", "[0-9a-f]{24}-[0-9a-f]{140,}"],
  ["a Cloudflare token", "cfut_|cfat_|cfk_", "[A-Za-z0-9]{40,}"],
  ["a Cloudflare Tunnel token", "eyJhIjoi", "[A-Za-z0-9+/=]{80,}"],
  ["a Vercel token", "vcp_|vci_|vca_|vcr_|vck_|vcs_", "[A-Za-z0-9]{24,}"],
  ["a Netlify token", "nfp_|nfc_|nfo_|nfu_|nfb_", "[A-Za-z0-9]{36}"],
  ["a Render key", "rnd_", "[A-Za-z0-9]{28,}"],
  ["a Scaleway key", "SCW", "(?=[A-Z]*[0-9])[A-Z0-9]{17}(?![A-Z0-9])"],
  ["an Alibaba Cloud key", "LTAI", "[A-Za-z0-9]{16,}"],
  ["a Yandex Cloud key", "AQVN|YCA", "[\\w-]{35,}"],
  ["a Databricks token", "dapi", "[0-9a-f]{32}"],
  ["a Supabase key", "sbp_", "(?:oauth_|v0_)?[0-9a-f]{40}"],
  ["a Supabase key", "sb_secret_", "(?=[A-Za-z_-]{0,40}[0-9])[\\w-]{20,}"],
  ["a Neon key", "napi_", "[a-z0-9]{40,}"],
  ["a Neon password", "npg_", "(?=[A-Za-z]*[0-9])[A-Za-z0-9]{12,}"],
  ["a PlanetScale secret", "pscale_tkn_|pscale_oauth_|pscale_pw_|pscale_app_secret_", "[\\w.=-]{32,}"],
  ["a HashiCorp Vault token", "hvs.|hvb.|hvr.", "(?=[A-Za-z_-]{0,40}[0-9])[\\w-]{20,}"],
  ["a Pulumi token", "pul-", "[0-9a-f]{40}"],
  [
    "a Doppler token",
    "dp.pt.|dp.st.|dp.ct.|dp.sa.|dp.said.|dp.scim.|dp.audit.",
    "(?:[\\w-]{2,40}\\.)?[A-Za-z0-9]{40,}",
  ],
  ["an Infisical token", "st.", "[0-9a-f-]{24,36}\\.[0-9a-f]{32}\\.[0-9a-f]{32}"],
  ["a 1Password token", "ops_", "eyJ[A-Za-z0-9+/_-]{40,}"],
  ["a 1Password secret key", "A3-", "[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}"],
  ["a Bitwarden token", "0.", `${UUID}\\.[A-Za-z0-9]{30}:[A-Za-z0-9+/=]{24}`],
  ["an age key", "AGE-SECRET-KEY-", "(?:PQ-)?1[0-9A-Z]{40,}"],
  ["an OpenShift token", "sha256~", "[\\w-]{43}"],
  ["a Tailscale key", "tskey-", "(?:[a-z]{3,10}-)?[A-Za-z0-9]{8,}-[A-Za-z0-9]{16,}"],
  ["a Grafana token", "glsa_|glc_", "[A-Za-z0-9+/_]{32,}"],
  ["a Grafana token", "eyJrIjoi", "[A-Za-z0-9]{70,}"],
];

/** Payments, mail, chat, watching, and the rest of what a team signs in to. */
const SERVICES: readonly TokenForm[] = [
  ["a Stripe key", "rk_live_|rk_test_|rk_prod_|sk_live_|sk_test_|sk_prod_", "[A-Za-z0-9]{16,}"],
  ["a Stripe key", "whsec_", "[A-Za-z0-9+/=]{24,}"],
  ["a Shopify token", "shpat_|shpca_|shppa_|shpss_|shpua_", "[0-9a-fA-F]{32}"],
  ["a Square token", "sq0atp-|sq0csp-", "[\\w-]{22,}"],
  ["a Square token", "EAAA", "[\\w-]{60}(?![\\w-])"],
  ["a PayPal token", "A21AA", "[\\w-]{60,}"],
  ["a Flutterwave key", "FLWSECK_TEST-|FLWSECK-", "[0-9A-Za-z]{12,}"],
  ["a Paddle key", "pdl_live_apikey_|pdl_sdbx_apikey_", "[\\w]{30,}"],
  ["a Plaid token", "access-sandbox-|access-development-|access-production-", UUID],
  ["a Resend API key", "re_", "(?=\\w{0,60}[0-9])[A-Za-z0-9]{8,40}_[A-Za-z0-9]{16,}"],
  ["a SendGrid API key", "SG.", "[\\w-]{16,}\\.[\\w-]{32,}"],
  ["a Mailgun key", "key-", "[0-9a-f]{32}(?![0-9A-Za-z])"],
  ["a Brevo key", "xkeysib-|xsmtpsib-", "[0-9a-f]{64}-[A-Za-z0-9]{16}"],
  ["a Twilio key", "SK", "[0-9a-f]{32}(?![0-9A-Za-z])"],
  [
    "a Slack token",
    "xoxa-|xoxb-|xoxd-|xoxe-|xoxo-|xoxp-|xoxr-|xoxs-|xoxe.xoxb-|xoxe.xoxp-",
    "(?=[A-Za-z%-]{0,40}[0-9])[A-Za-z0-9%-]{10,}",
  ],
  ["a Slack token", "xapp-", "\\d-[A-Za-z0-9-]{10,}"],
  ["a Slack token", "xwfp-", "(?=[A-Za-z-]{0,40}[0-9])[A-Za-z0-9-]{10,}"],
  ["a Twitch token", "oauth:", "[a-z0-9]{30}(?![a-z0-9])"],
  ["a Facebook token", "EAA", "[A-Za-z][A-Za-z0-9]{80,}"],
  ["an X bearer token", "AAAAAAAAAAAAAAAAAAAA", "[\\w%]{50,}"],
  ["a Dropbox token", "sl.u.|sl.", "[\\w-]{100,}"],
  ["a Linear API key", "lin_api_|lin_oauth_|lin_wh_", "[A-Za-z0-9]{32,}"],
  ["a Notion token", "ntn_", "[A-Za-z0-9]{40,}"],
  ["a Notion token", "secret_", "(?=[A-Za-z]*[0-9])[A-Za-z0-9]{43}(?![A-Za-z0-9])"],
  ["an Airtable token", "pat", "[A-Za-z0-9]{14}\\.[0-9a-f]{64}"],
  ["a Harness token", "pat.|sat.", "[\\w-]{22}\\.[0-9A-Za-z]{24}\\.[0-9A-Za-z]{20}"],
  ["a HubSpot token", "pat-", `(?:na|eu|ap)\\d-${UUID}`],
  ["a Figma token", "figd_|figu_|figo_|figor_|figoh_", "[\\w-]{40,}"],
  ["a Contentful token", "CFPAT-", "[\\w-]{43}"],
  ["a Typeform token", "tfp_", "[\\w.-]{40,}"],
  ["a Mapbox token", "sk.eyJ", "[\\w-]{40,}\\.[\\w-]{20,}"],
  ["a LaunchDarkly key", "sdk-|api-", UUID],
  ["a Sentry token", "sntrys_|sntryu_", "[A-Za-z0-9+/=_]{40,}"],
  ["a PostHog key", "phx_|phs_|phr_", "[A-Za-z0-9]{30,}"],
  ["a New Relic key", "NRAK-|NRII-|NRIQ-|NRAL-", "[A-Za-z0-9-]{24,}"],
  ["a Dynatrace token", "dt0", "[a-z]\\d\\d\\.[A-Z0-9]{24}\\.[A-Z0-9]{64}"],
  ["a Honeycomb key", "hcaik_|hcamk_|hcalk_", "[0-9a-z]{20,}"],
  ["a Logfire token", "pylf_v", "\\d_[\\w-]{30,}"],
  ["a ReadMe key", "rdme_", "[0-9a-z]{60,}"],
  ["a Shippo token", "shippo_live_|shippo_test_", "[0-9a-fA-F]{40}"],
  ["a Duffel token", "duffel_live_|duffel_test_", "[\\w-]{40,}"],
  ["an EasyPost key", "EZAK|EZTK", "[A-Za-z0-9]{50,}"],
];

/** Every form that begins in its own way. Of two that fit, the first counts. */
export const TOKEN_FORMS: readonly TokenForm[] = [...AGENTS, ...CODE, ...CLOUDS, ...SERVICES];

/** Of these forms keys are also issued for browsers, where everybody sees them. */
export const MAY_BE_PUBLIC: ReadonlySet<string> = new Set(["a Google API key"]);

/** Forms that are known by more than a beginning. */
export const OTHER_FORMS: readonly (readonly [what: string, pattern: RegExp])[] = [
  ["a private key", /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:[^-]*-----END [A-Z0-9 ]{0,60}-----)?/],
  ["a private key", /PuTTY-User-Key-File-\d/],
  // The base64 of "-----BEGIN PRIVATE", "… RSA P", "… EC P", "… OPENSSH", "… ENCRYPTED P".
  ["a private key", /LS0tLS1CRUdJTi(?:BQUklWQVRF|BSU0EgU|BFQyBQ|BPUEVOU1NI|BFTkNSWVBURUQgU)[A-Za-z0-9+/]{20,}={0,2}/],
  ["a private JSON Web Key", /^\s*\{(?=[^]*"kty"\s*:)[^]*"d"\s*:\s*"[\w-]{20,}"/],
  ["a JSON Web Token", /(?<![\w.-])eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{16,}/],
  ["a Telegram bot token", /(?<![\w-])\d{8,12}:AA[\w-]{33}(?![\w-])/],
  ["a Discord bot token", /(?<![\w-])[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,38}(?![\w-])/],
  ["a Microsoft Entra client secret", /(?<![\w~.-])[\w~.]{3}\dQ~[\w~.-]{31,34}(?![\w~-])/],
  ["an Azure key", /(?<![A-Za-z0-9])[A-Za-z0-9]{52}JQQJ9[9D][A-Za-z0-9]{20,28}(?![A-Za-z0-9])/],
  ["an Azure key", /(?:AccountKey|SharedAccessKey|SharedAccessSignature)\s{0,2}=\s{0,2}(?!<)[^\s;<>$*]{20,}/i],
  ["a Terraform Cloud token", /(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,}/],
  ["a Mailchimp key", /(?<![0-9A-Za-z])[0-9a-f]{32}-us\d{1,2}(?![0-9A-Za-z])/],
  ["a MaxMind key", /(?<![0-9A-Za-z])[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk/],
  [
    "a Slack webhook",
    /hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/[A-Z0-9]+\/[A-Za-z0-9]+\/[A-Za-z0-9]{8,}/,
  ],
  ["a Discord webhook", /discord(?:app)?\.com\/api\/(?:v\d+\/)?webhooks\/[0-9]{10,}\/[\w-]{30,}/],
  ["a Teams webhook", /\.webhook\.office\.com\/webhookb2\/[0-9a-f-]{36}@[\w/-]{40,}/],
  ["a Zapier webhook", /hooks\.zapier\.com\/hooks\/catch\/\d{5,}\/[\w-]{6,}/],
];
