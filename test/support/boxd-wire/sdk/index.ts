/**
 * A package in the shape of `@boxd-sh/sdk` that speaks the wire, for programs in processes of their own (see `make-sdk.ts`). What is known of the vendor's
 * clients it does alike: `create` is two calls, uploads are streams, the last chunk of a command has its status.
 */
import type {
  BoxdClient,
  ExecParams,
  ExecResult,
  ExecStream,
  Machine,
  MachineCreateParams,
  MachineFiles,
  MachineProxies,
  Machines,
  Org,
  StreamExecParams,
} from "../../../../src/boxd/driver/client.ts";
import type { ClientDuplexStream } from "@grpc/grpc-js";
import { BoxdError, PortViolation } from "../../boxd-fake/errors.ts";
import { execStream, type Show } from "../../boxd-fake/exec-stream.ts";
import { checkArity, checkObject, is } from "../../boxd-fake/shape.ts";
import { checkCreateShape } from "../../boxd-fake/validate.ts";
import type { Message } from "../codec.ts";
import { fromCreated, fromWire } from "../record.ts";
import { toBoxdError, Transport } from "./transport.ts";

export * from "../../boxd-fake/errors.ts";

export interface BoxdOptions {
  apiKey?: string;
  token?: string;
  baseURL?: string;
  /** milliseconds for one call */
  timeout?: number;
  maxRetries?: number;
}

const CHUNK = 1024 * 1024;

export class Boxd implements BoxdClient {
  readonly machines: Machines;
  readonly orgs: { list(): Promise<Org[]> };
  readonly account: {
    get(): Promise<{ userId?: string }>;
    config(): Promise<{ defaultImage?: string; zone?: string }>;
  };
  readonly #transport: Transport;

  constructor(options: BoxdOptions = {}) {
    const types = {
      apiKey: is.string,
      token: is.string,
      baseURL: is.string,
      timeout: is.number,
      maxRetries: is.number,
    };
    checkObject("new Boxd", options, types);
    const { env } = process;
    const token = options.token ?? (options.apiKey === undefined ? env["BOXD_TOKEN"] : undefined);
    const transport = new Transport({
      baseURL: options.baseURL ?? env["BOXD_BASE_URL"] ?? env["BOXD_API_URL"] ?? "https://boxd.sh:9443",
      token,
      apiKey: options.apiKey ?? env["BOXD_API_KEY"],
      timeout: options.timeout ?? 60_000,
      maxRetries: options.maxRetries ?? 2,
    });
    this.#transport = transport;
    this.machines = machineCalls(transport);
    this.orgs = {
      async list() {
        const { orgs, default_org_id: isDefault } = await transport.unary("ListOrgs", {});
        return orgs.map((org: Message) => ({
          id: org["id"],
          slug: org["slug"],
          name: org["name"],
          isDefault: org["id"] === isDefault,
        }));
      },
    };
    this.account = {
      async get() {
        return { userId: (await transport.unary("Whoami", {}))["user_id"] };
      },
      async config() {
        const { default_image: defaultImage, zone } = await transport.unary("GetConfig", {});
        return { defaultImage, zone };
      },
    };
  }

  close(): Promise<void> {
    this.#transport.close();
    return Promise.resolve();
  }
}

function machineCalls(transport: Transport): Machines {
  const about = (name: string) => async (id: string) => {
    await transport.unary(name, { vm_id: id });
  };
  const timer = (name: string) => async (id: string, seconds: number) => {
    await transport.unary(name, { vm_id: id, timeout_secs: seconds });
  };
  return {
    create: (params) => create(transport, params),
    get: async (id) => fromWire(await transport.unary("GetVm", { vm_id: id })),
    async list(...args: [params?: { org?: string }]) {
      checkObject("machines.list", args[0] ?? {}, { org: is.string });
      const { vms } = await transport.unary("ListVms", { org: args[0]?.org ?? "" });
      return vms.map(fromWire);
    },
    delete: about("DestroyVm"),
    start: about("StartVm"),
    stop: about("StopVm"),
    reboot: about("RebootVm"),
    pause: about("SuspendVm"),
    resume: about("ResumeVm"),
    hibernate: about("HibernateVm"),
    wake: about("WakeVm"),
    exec: (...args) => exec(transport, args),
    streamExec: (...args) => streamExec(transport, args),
    async setDeleteAfter(id, seconds) {
      const { delete_at_ms: at } = await transport.unary("SetDeleteAfter", { vm_id: id, delete_after_secs: seconds });
      return at === 0 ? null : new Date(at);
    },
    setAutoSuspendTimeout: timer("SetAutoSuspendTimeout"),
    setAutoHibernateTimeout: timer("SetAutoHibernateTimeout"),
    async setEgressAllow(id, entries) {
      return (await transport.unary("SetVmEgressAllow", { vm: id, entries }))["entries"];
    },
    async setBotProtection(id, enabled) {
      if (!is.boolean(enabled)) throw new PortViolation("machines.setBotProtection: `enabled` is true or false");
      await transport.unary("SetBotProtection", { vm_id: id, enabled, mode: enabled ? "on" : "off" });
    },
    files: fileCalls(transport),
    proxies: proxyCalls(transport),
  };
}

/** Two calls. The machine exists once the first has answered, so a second that fails costs most of the record and not the machine. */
async function create(transport: Transport, params: MachineCreateParams): Promise<Machine> {
  checkCreateShape(params);
  const { name, org = "", image = "", fromSnapshot, isolated = false, restartPolicy, labels = {}, config } = params;
  const common = { name, org, isolated, labels, ...(config === undefined ? {} : { config: configToWire(config) }) };
  const created =
    fromSnapshot === undefined
      ? await transport.unary("CreateVm", { ...common, image_ref: image, restart_policy: restartPolicy ?? "always" })
      : await transport.unary("CreateVmFromSnapshot", { ...common, snapshot: fromSnapshot });
  try {
    return fromWire(await transport.unary("GetVm", { vm_id: created["vm_id"] }));
  } catch {
    return fromCreated(created);
  }
}

function configToWire(config: NonNullable<MachineCreateParams["config"]>): Message {
  const { vcpu, memory, disk, autoDestroyTimeout } = config;
  const size = { vcpu: vcpu ?? 0, memory_bytes: bytesOf(memory), disk_bytes: bytesOf(disk) };
  return {
    ...size,
    ...(autoDestroyTimeout === undefined ? {} : { srf: { auto_destroy_timeout_secs: autoDestroyTimeout } }),
  };
}

/** `8G` is 8 GiB, as `8GiB` and `8GB` are. */
function bytesOf(size: string | undefined): number {
  if (size === undefined) return 0;
  const [, count, unit = ""] = /^(\d+)\s*([KMGT]?)i?B?$/i.exec(size.trim()) ?? [];
  if (count === undefined) throw new TypeError(`invalid size: ${size}`);
  return Number(count) * 1024 ** ["", "K", "M", "G", "T"].indexOf(unit.toUpperCase());
}

/** Answers once everything was written. */
async function exec(transport: Transport, args: [id: string, params: ExecParams]): Promise<ExecResult> {
  const [id, params] = args;
  checkArity("machines.exec", args, 2);
  checkObject("machines.exec", params, { command: is.string, timeout: is.number }, ["command"]);
  const written = { out: [] as Buffer[], err: [] as Buffer[] };
  const show: Show = (bytes, isStderr) => {
    written[isStderr ? "err" : "out"].push(bytes);
  };
  const call = await transport.bidi("Exec", params.timeout);
  call.write({ vm_id: id, command: params.command });
  call.end();
  const text = (parts: Buffer[]): string => Buffer.concat(parts).toString("utf8");
  try {
    const exitCode = await follow(call, show);
    return { stdout: text(written.out), stderr: text(written.err), exitCode };
  } catch (error) {
    if (params.timeout === undefined || Reflect.get(error as Error, "code") !== 4) throw toBoxdError(error as never);
    throw new BoxdError(`exec timed out after ${String(params.timeout)}ms`);
  }
}

function streamExec(transport: Transport, args: [id: string, params: StreamExecParams]): ExecStream {
  const [id, { command, closeStdin = false }] = args;
  checkArity("machines.streamExec", args, 2);
  checkObject("machines.streamExec", args[1], { command: is.string, closeStdin: is.boolean }, ["command"]);
  return execStream(closeStdin, async (show, input, abandoned) => {
    const call = await transport.bidi("Exec", undefined);
    abandoned.addEventListener("abort", () => {
      call.cancel();
    });
    call.write({ vm_id: id, command });
    void (async () => {
      for await (const data of input) call.write({ stdin: true, data });
      call.end();
    })();
    return await follow(call, show).catch((error: unknown) => {
      throw toBoxdError(error as never);
    });
  });
}

/** Shows what the command writes. The last chunk's status counts, whatever the chunk is; without any there is none. */
async function follow(call: ClientDuplexStream<Message, Message>, show: Show): Promise<number> {
  let exitCode = -1;
  return await new Promise((resolve, reject) => {
    call.on("data", (chunk: Message) => {
      if (chunk["data"].length > 0) show(chunk["data"], chunk["is_stderr"] === true);
      exitCode = chunk["exit_code"];
    });
    call.on("end", () => {
      // An error, if there is one, has come before.
      resolve(exitCode);
    });
    call.on("error", reject);
  });
}

function fileCalls(transport: Transport): MachineFiles {
  return {
    async upload(id, path, source) {
      const chunks = function* (): Generator<Message> {
        for (let at = 0; at === 0 || at < source.length; at += CHUNK) {
          const data = source.subarray(at, at + CHUNK);
          yield at === 0 ? { vm_id: id, path, total_size: source.length, data } : { data };
        }
      };
      return (await transport.clientStream("UploadFileStream", chunks()))["bytes_written"];
    },
    async download(id, path) {
      const call = await transport.serverStream("DownloadFileStream", { vm_id: id, path });
      const parts: Buffer[] = [];
      let total = 0;
      try {
        for await (const chunk of call as AsyncIterable<Message>) {
          if (chunk["total_size"] > 0) total = chunk["total_size"];
          parts.push(chunk["data"]);
        }
      } catch (error) {
        throw toBoxdError(error as never);
      }
      const bytes = Buffer.concat(parts);
      if (total > 0 && bytes.length !== total)
        throw new BoxdError(`download truncated: expected ${String(total)} bytes, got ${String(bytes.length)}`);
      return bytes;
    },
  };
}

function proxyCalls(transport: Transport): MachineProxies {
  return {
    async list(id) {
      const { proxies } = await transport.unary("ListProxies", { vm: id });
      return proxies.map((proxy: Message) => ({
        name: proxy["name"] === "" ? null : proxy["name"],
        machineId: proxy["vm_id"],
        machineName: proxy["vm_name"],
        domain: proxy["domain"],
        port: proxy["effective_port"],
        portMode: proxy["port_mode"],
        isDefault: proxy["is_default"],
      }));
    },
    async setPort(id, port, options) {
      checkObject("machines.proxies.setPort", options ?? {}, { name: is.string });
      await transport.unary("SetProxyPort", { vm: id, name: options?.name ?? "", port: String(port) });
    },
  };
}
