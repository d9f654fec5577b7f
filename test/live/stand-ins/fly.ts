/** A fly.toml of ours, parsed. */
export interface FlyToml {
  app: string;
  primary_region: string;
  kill_signal: string;
  kill_timeout: string;
  build?: { image: string };
  deploy?: { strategy: string };
  env: { [name: string]: string };
  restart?: { policy: string }[];
  vm?: { size: string; memory: string }[];
  checks?: { [name: string]: { [field: string]: string | number } };
  http_service?: {
    internal_port: number;
    force_https: boolean;
    auto_stop_machines: boolean | string;
    auto_start_machines: boolean;
    min_machines_running: number;
    concurrency?: { type: string; soft_limit: number; hard_limit: number };
  };
}

/** As Go prints a duration. */
function goDuration(text: string): string {
  const seconds = Number(text.replace("s", ""));
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}

const PRESETS: { readonly [size: string]: { cpu_kind: string; cpus: number; memory_mb: number } } = {
  "shared-cpu-1x": { cpu_kind: "shared", cpus: 1, memory_mb: 256 },
  "shared-cpu-2x": { cpu_kind: "shared", cpus: 2, memory_mb: 512 },
  "performance-1x": { cpu_kind: "performance", cpus: 1, memory_mb: 2048 },
  "performance-2x": { cpu_kind: "performance", cpus: 2, memory_mb: 4096 },
};

function megabytes(text: string): number {
  const [, amount, unit = "mb"] = /^(\d+)([a-z]*)$/.exec(text) ?? [];
  return Number(amount) * (unit.startsWith("g") ? 1024 : 1);
}

/** What `fly deploy` of a file makes of a machine, and what flyctl then prints (docs/contract/live.md#fly). */
function flyAppOf(file: FlyToml, secrets: readonly string[]) {
  const { http_service: http, restart: [restart] = [], vm: [vm] = [], checks = {} } = file;
  const image = file.build?.image ?? `registry.fly.io/${file.app}:deployment-01JDX`;
  const [, registry, repository, digest] = /^([^/]+)\/([^@:]+)(?::[^@]+)?(?:@(.+))?$/.exec(image) ?? [];
  return {
    // The release keeps the file itself.
    config: { ...file, kill_timeout: goDuration(file.kill_timeout) },
    machines: [
      {
        id: "3d8d9014a32789",
        name: "wandering-sun-1234",
        state: "started",
        region: file.primary_region,
        image_ref: { registry, repository, ...(digest === undefined ? {} : { digest }), labels: {} },
        instance_id: "01JDX0000000000000000000000",
        private_ip: "fdaa:0:1::2",
        config: {
          env: { ...file.env, FLY_PROCESS_GROUP: "app", PRIMARY_REGION: file.primary_region },
          init: {},
          guest: vm === undefined ? PRESETS["shared-cpu-1x"] : { ...PRESETS[vm.size], memory_mb: megabytes(vm.memory) },
          metadata: {
            fly_flyctl_version: "0.3.200",
            fly_platform_version: "v2",
            fly_process_group: "app",
            fly_release_id: "x7",
            fly_release_version: "7",
          },
          ...(http === undefined ? {} : { services: [serviceOf(http)] }),
          checks: Object.fromEntries(
            Object.entries(checks).map(([name, check]) => [
              name,
              {
                ...check,
                ...Object.fromEntries(
                  ["interval", "timeout", "grace_period"].map((field) => [field, goDuration(String(check[field]))]),
                ),
              },
            ]),
          ),
          image,
          restart:
            restart === undefined
              ? { policy: "on-failure", max_retries: 10 }
              : { policy: restart.policy === "never" ? "no" : restart.policy },
          stop_config: { timeout: goDuration(file.kill_timeout), signal: file.kill_signal },
        },
        events: [{ type: "start", status: "started", source: "flyd", timestamp: 1_790_000_000_000 }],
        checks: [{ name: "health", status: "passing", output: "ok" }],
        host_status: "ok",
        cordoned: false,
      },
    ],
    secrets: secrets.map((name) => ({ name, digest: "a1b2c3d4e5f60718", status: "Deployed" })),
  };
}

function serviceOf(http: NonNullable<FlyToml["http_service"]>) {
  return {
    protocol: "tcp",
    internal_port: http.internal_port,
    // flyctl prints the first two as booleans, for programs that know no others.
    autostop:
      http.auto_stop_machines === "stop" ? true : http.auto_stop_machines === "off" ? false : http.auto_stop_machines,
    autostart: http.auto_start_machines,
    min_machines_running: http.min_machines_running,
    ports: [
      { port: 80, handlers: ["http"], ...(http.force_https ? { force_https: true } : {}) },
      { port: 443, handlers: ["http", "tls"] },
    ],
    ...(http.concurrency === undefined ? {} : { concurrency: http.concurrency }),
    force_instance_key: null,
  };
}

/** What flyctl says of a deployment. */
export function flyOf(files: readonly FlyToml[], secrets: (app: string) => readonly string[]) {
  return {
    version: 1,
    target: "fly",
    apps: files.map(({ app }) => ({
      ID: app,
      Name: app,
      Status: "deployed",
      Deployed: true,
      Organization: { Slug: "acme-inc" },
    })),
    details: Object.fromEntries(files.map((file) => [file.app, flyAppOf(file, secrets(file.app))])),
  };
}
