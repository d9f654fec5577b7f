import { PARAMETER_ARN, SECRETS_MANAGER_ARN } from "./secret-arn.ts";

/**
 * What stands in the place of a secret and is not the secret, as far as its forms are publicly known: a text that only says where the
 * secret is (`op://…`), one that only its tool can decrypt (`ENC[…]`), a template that nobody filled in, a key as consoles mask it, the
 * note or the error message that somebody's script left. None of them opens anything, and a start that uses one fails later.
 *
 * To add a form: one line here, and a value that has it and one that has not in `test/base/stand-in-forms.json`.
 */
export interface StandInForm {
  readonly kind: "reference" | "ciphertext" | "template" | "mask" | "note" | "error";
  /** Completes "`NAME` …". */
  readonly what: string;
  readonly pattern: RegExp;
  /** The operator's tool that gives the secret for it, where `--resolve` asks one; none for what nothing here reads. */
  readonly tool?: ReferenceTool;
}

/** The programs that `--resolve` asks; `src/references/tools/` says how. */
export type ReferenceTool = "op" | "vals" | "aws" | "sops" | "dotenvx";

function reference(place: string, pattern: RegExp, tool?: ReferenceTool): StandInForm {
  const what = `only says where the secret is in ${place}`;
  return { kind: "reference", what, pattern, ...(tool === undefined ? {} : { tool }) };
}

function ciphertext(by: string, pattern: RegExp, tool?: ReferenceTool): StandInForm {
  return { kind: "ciphertext", what: `is encrypted by ${by}`, pattern, ...(tool === undefined ? {} : { tool }) };
}

const REFERENCES: readonly StandInForm[] = [
  reference("1Password", /^op:\/\/[^/\s{}][^{}]*$|^\{\{ ?op:\/\/[^/\s{}][^{}]*\}\}$/, "op"),
  reference("1Password", /^(?:\{\{ ?)?op:\/\/[^/]/i),
  // A program that the file itself names is nothing that is started for it.
  reference("the output of a program", /(?:^|[^A-Za-z0-9])(?:secret)?ref\+exec:\/\//i),
  reference("a store that vals reads", /(?:^|[^A-Za-z0-9])(?:secret)?ref\+[a-z0-9_-]+:\/\//i, "vals"),
  reference("AWS Secrets Manager", SECRETS_MANAGER_ARN, "aws"),
  reference("AWS Parameter Store", PARAMETER_ARN, "aws"),
  reference("AWS, with an ARN that is neither a secret's nor a parameter's", /^arn:aws[\w-]*:(?:secretsmanager|ssm):/i),
  reference("AWS Secrets Manager or Parameter Store", /^\{\{resolve:(?:secretsmanager|ssm(?:-secure)?):/i),
  reference(
    "AWS Secrets Manager or Parameter Store",
    /^(?:aws-?(?:sm|ssm|secret|secrets|secretsmanager|parameterstore)|secretsmanager|ssm|parameterstore):\/?\/?[^\s]/i,
  ),
  reference("AWS KMS", /^arn:aws[\w-]*:kms:/i),
  reference(
    "Google Secret Manager",
    /^(?:\/\/secretmanager\.googleapis\.com\/)?projects\/[^/\s]+\/(?:locations\/[^/\s]+\/)?secrets\/[^\s]/i,
  ),
  reference("Google Secret Manager", /^(?:sm|gsm|gcp-?sm|gcp-?secrets?|gcp-?secret-?manager|google-?sm|berglas):\/\//i),
  reference("Azure Key Vault", /^@Microsoft\.(?:KeyVault|AppConfiguration)\(/i),
  reference("Azure Key Vault", /^(?:akvs?|azkv|azure-?kv|azure-?keyvault|keyvault|keyvaultref):(?:\/\/)?[^\s]/i),
  reference("Azure Key Vault", /^https:\/\/[\w-]+\.vault\.(?:azure\.net|azure\.cn|usgovcloudapi\.net)\/secrets\//i),
  reference("Vault", /^(?:>>)?(?:vault|hcvault|hashivault|openbao|bao):(?!v\d)[^\s]/i),
  reference("Vault", /^(?:secret|kv)\/data\/[\w./-]+[#:][\w-]+$/),
  reference("Doppler", /^doppler:\/\//i),
  reference("Infisical", /^infisical:\/\//i),
  reference("Bitwarden", /^(?:bws?|bitwarden|rbw|vaultwarden):\/\//i),
  reference("Keeper", /^keeper:\/\//i),
  reference(
    "a password manager",
    /^(?:pass|protonpass|gopass|passwordstore|lpass|lastpass|dashlane|dl|enpass|keepass(?:xc)?):\/\//i,
  ),
  reference("the keychain", /^(?:keychain|keyring|secret-?service|credential-?manager|ref):\/\//i),
  reference(
    "a store of secrets",
    /^(?:akeyless|conjur|cyberark|secretserver|delinea|phase|teller|lockbox|scaleway|oci-?vault):\/\/?/i,
  ),
  reference("a store that summon reads", /^!var(?::[\w:]+)? [\w./-]+$/),
  reference(
    "Kubernetes or the host",
    /^(?:k8s|kubernetes|secretref|secret|docker-secret|consul|etcd):(?:\/\/)?[\w./-]+$/i,
  ),
  reference("a file", /^(?:file:\/{0,3}[^\s]|(?:\/var)?\/run\/secrets\/[^\s])/i),
  reference(
    "another variable or the output of a command",
    /^(?:env:(?:\/\/)?[A-Za-z_]\w*|(?:exec|cmd|shell):[^\s].*)$/,
  ),
];

const CIPHERTEXTS: readonly StandInForm[] = [
  ciphertext("SOPS", /^ENC\[AES256_GCM,/, "sops"),
  ciphertext("dotenvx", /^encrypted:[A-Za-z0-9+/=]{20,}$/, "dotenvx"),
  ciphertext("eyaml", /^ENC\[[A-Z0-9]{2,16},/),
  ciphertext("Jasypt", /^ENC\([^)]+\)$/),
  ciphertext("Spring Cloud Config", /^\{cipher\}/i),
  ciphertext("ejson", /^EJ\[\d:/),
  ciphertext("Ansible Vault", /^\$ANSIBLE_VAULT;/),
  ciphertext("age", /^(?:-----BEGIN AGE ENCRYPTED FILE-----|age-encryption\.org\/v1)/),
  ciphertext("PGP", /^-----BEGIN PGP MESSAGE-----/),
  ciphertext("Vault", /^vault:v\d+:[A-Za-z0-9+/=]{16,}$/),
  ciphertext("AWS KMS", /^AQICAH[A-Za-z0-9+/=]{60,}$/),
  ciphertext("OpenSSL", /^U2FsdGVkX1[89+/][A-Za-z0-9+/=]{20,}$/),
  ciphertext("Pulumi", /^(?:secure:)?v1:[A-Za-z0-9+/]{16}:[A-Za-z0-9+/=]{16,}$/),
  ciphertext("a tool for CI", /^secure:[ ]?[A-Za-z0-9+/=]{20,}$/),
];

const TEMPLATES: readonly StandInForm[] = [
  // A shell's, GitHub's, Jinja's, ERB's, Windows', Concourse's, Octopus', CMake's, and what people make up.
  /^<[^<>]+>$/,
  /^\$\{\{? ?[A-Za-z_][^}]*\}?\}$/,
  /^\$\([^)]+\)$/,
  /^`[^`]+`$/,
  /^\$[A-Z_][A-Z0-9_]{4,}$/,
  /^\{\{-? ?[^}]+\}\}$/,
  /^<%[=-]? ?[^%]+%>$/,
  /^%[A-Za-z_]\w*%$/,
  /^\(\([\w./-]+\)\)$/,
  /^#\{[^}]+\}#?$/,
  /^@{1,2}[A-Z][A-Z0-9_]+@{1,2}$/,
  /^__[A-Z][A-Z0-9_]*[A-Z0-9]__$/,
  /^\[\[ ?\w+ ?\]\]$/,
  /^\{[A-Z][A-Z0-9_]*\}$/,
  /^\$\[\[?[^\]]+\]?\]$/,
].map((pattern) => ({ kind: "template", what: "is a template that nobody filled in", pattern }));

const MASKS: readonly StandInForm[] = [
  /\*{4,}|^\*+$/,
  /[\u2022\u25cf\u2588\u25a0\u00b7\u2217]{3,}/,
  /(?<![A-Za-z0-9])[xX]{6,}(?![A-Za-z0-9])|[xX]{12,}/,
  /^[\w.-]{3,}(?:\.{3}|\u2026)[\w-]{2,}$/,
  /[[(<{](?:redacted|masked|hidden|filtered|removed|secret|sensitive|sensitive value|omitted|protected|private)(?: [^\])>}]{0,60})?[\])>}]/i,
  /^(?:redacted|masked|hidden|filtered|removed|omitted|\(known after apply\))$/i,
].map((pattern) => ({ kind: "mask", what: "is masked, as a screen or a log shows it", pattern }));

/** Of a note no secret is made: each of these phrases says what to do with it, or that it is none. */
const NOTES: readonly StandInForm[] = [
  /(?:change|replace|rotate|set|update|override|generate)[-_ ]?(?:this|it|me|before|in|for)[-_ ](?:in[-_ ])?(?:prod|production|deploy)/i,
  /(?:do|must|should|never)[-_ ]?(?:not|be)?[-_ ](?:be[-_ ])?(?:used?|changed?|deployed?)[-_ ](?:this[-_ ])?(?:in|before|for)[-_ ](?:prod|deploy)/i,
  /(?:not|never|unsafe|insecure)[-_ ](?:for|in)[-_ ]prod/i,
  /^(?:django-)?insecure[-_ ]|[-_ ]insecure(?:[-_ ]|$)/i,
  /(?:dev|development|local|testing|test)[-_ ]only/i,
  /^(?:this[-_ ]is|some|any|my)[-_ ](?:not[-_ ])?(?:an?[-_ ]|the[-_ ])?(?:[a-z]+[-_ ]){0,3}(?:secret|password|passphrase|key|token)(?:[-_ ][a-z]+){0,6}$/i,
  /^(?:my|the|super|very|top)?[-_]?(?:super|top|very)?[-_]?(?:secret|private|signing|encryption|session|jwt|(?<=[-_a-z])api)[-_]?(?:key|token|password|passphrase|secret|string|value|here)[-_]?[0-9]{0,4}$/i,
  /^(?:dev|test|local|demo|sample|example|default)[-_](?:[a-z]+[-_]){0,3}(?:secret|password|key|token)(?:[-_0-9].*)?$/i,
  /^(?:super[-_]?secret|top[-_]?secret|change[-_]?it|let[-_]?me[-_]?in|admin|root|pass[-_]?word)[0-9!]{0,4}$/i,
  /^(?:openssl rand|head -c|uuidgen|pwgen|python3? -c|node -e|qm-deploy)\b/,
  /(?:at[-_ ]least|minimum|min\.?|exactly)[-_ ][0-9]{1,3}[-_ ](?:random[-_ ])?(?:chars?|characters|bytes)/i,
  /(?:random|generated|long|secure)[-_ ](?:string|secret|key|password)[-_ ](?:here|goes|of|with)/i,
].map((pattern) => ({ kind: "note", what: "is the note of a template", pattern }));

const ERRORS: readonly StandInForm[] = [
  /^(?:\[(?:error|err|fatal|warning)\]|(?:error|err|fatal|exception|panic|traceback|warning|failed|failure)(?: ?[:!(]|$))/i,
  / (?:not found|no such|permission denied|access denied|not authori[sz]ed|unauthori[sz]ed|does not exist|not set|not defined|failed to|unable to|cannot find|command not found|not signed in|not logged in|timed out|has expired|isn't an item)/i,
  /^(?:an error occurred|no such|permission denied|access denied|command not found|unable to|failed to|could not|cannot|usage: )/i,
  /^(?:<!doctype html|<html)/i,
  /^\{\s*"(?:errors?|error_description|message|detail)"\s*:/i,
  /^(?:\[object Object\]|undefined|NaN|<nil>|None|null)$/,
].map((pattern) => ({ kind: "error", what: "is the message of a lookup that failed", pattern }));

/** Of two that fit, the first counts. */
export const STAND_IN_FORMS: readonly StandInForm[] = [
  ...CIPHERTEXTS,
  ...REFERENCES,
  ...MASKS,
  ...TEMPLATES,
  ...ERRORS,
  ...NOTES,
];
