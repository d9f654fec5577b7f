import type {
  BoxdClient,
  Machine,
  MachineCreateParams,
  MachineFiles,
  MachineProxies,
  Machines,
  Org,
  Proxy,
} from "../../../src/boxd/driver/client.ts";
import { grpcError, PortViolation } from "./errors.ts";
import { execCall, execStreamCall } from "./exec-call.ts";
import { invoke, type Caller } from "./invoke.ts";
import type { FakeMachine } from "./machine.ts";
import type { FakePlane } from "./plane.ts";
import { sharedController } from "./signals.ts";
import { checkArity, checkObject, checkText, is } from "./shape.ts";
import { requirePresent } from "./status.ts";
import { checkCreateShape, checkEgress, checkSeconds } from "./validate.ts";

/** The SDK's client, backed by a plane. Its surface is exactly the port, so a call that the port lacks does not exist. */
export class FakeBoxd implements BoxdClient {
  readonly machines: Machines;
  readonly orgs: { list(): Promise<Org[]> };
  readonly account: {
    get(): Promise<{ userId?: string }>;
    config(): Promise<{ defaultImage?: string; zone?: string }>;
  };
  /** for `execCall` */
  readonly caller: Caller;
  private readonly closing = sharedController();

  constructor(plane: FakePlane, credentials: { apiKey?: string }) {
    const caller: Caller = { plane, apiKey: credentials.apiKey, closed: this.closing.signal };
    this.caller = caller;
    const { org } = plane;
    this.machines = machineCalls(caller);
    this.orgs = {
      list: (...args) =>
        plain(caller, "orgs.list", args, () => [{ id: org.id, slug: org.slug, name: org.slug, isDefault: true }]),
    };
    this.account = {
      get: (...args) => plain(caller, "account.get", args, () => ({ userId: "" })),
      config: (...args) =>
        plain(caller, "account.config", args, () => ({ defaultImage: "ubuntu-24.04", zone: "machines.boxd.test" })),
    };
  }

  close(): Promise<void> {
    this.closing.abort();
    return Promise.resolve();
  }
}

function plain<T>(caller: Caller, method: string, args: readonly unknown[], act: () => T): Promise<T> {
  return invoke(caller, {
    method,
    args,
    shape: () => {
      checkArity(method, args, 0);
    },
    act,
  });
}

/** A call whose first argument is a machine's id; `rest` are checks of the others. */
function onMachine<T>(
  caller: Caller,
  verb: string,
  args: readonly unknown[],
  rest: readonly ((value: unknown) => boolean)[],
  act: (machine: FakeMachine) => T | Promise<T>,
): Promise<T> {
  const method = `machines.${verb}`;
  const shape = (): void => {
    checkText(`${method} id`, args[0]);
    checkArity(method, args, 1 + rest.length);
    rest.forEach((check, index) => {
      if (!check(args[index + 1])) throw new PortViolation(`${method}: wrong type of argument ${String(index + 2)}`);
    });
  };
  return invoke(caller, { method, args, shape, act: () => act(caller.plane.find(args[0] as string)) });
}

function machineCalls(caller: Caller): Machines {
  const { plane } = caller;
  return {
    create: (...args: [params: MachineCreateParams]): Promise<Machine> =>
      invoke(caller, {
        method: "machines.create",
        args,
        shape: () => {
          checkArity("machines.create", args, 1);
          checkCreateShape(args[0]);
        },
        act: () => plane.create(args[0]),
      }),
    list: (...args: [params?: { org?: string }]): Promise<Machine[]> =>
      invoke(caller, {
        method: "machines.list",
        args,
        shape: () => {
          checkArity("machines.list", args, 1);
          checkObject("machines.list", args[0] ?? {}, { org: is.string });
        },
        act: () => plane.list(args[0]?.org),
      }),
    get: (...args) => onMachine(caller, "get", args, [], (machine) => plane.get(machine.id)),
    delete: (...args) => onMachine(caller, "delete", args, [], (machine) => machine.delete()),
    start: (...args) =>
      onMachine(caller, "start", args, [], (machine) => {
        machine.start();
      }),
    stop: (...args) => onMachine(caller, "stop", args, [], (machine) => machine.stop()),
    reboot: (...args) => onMachine(caller, "reboot", args, [], (machine) => machine.reboot()),
    pause: (...args) =>
      onMachine(caller, "pause", args, [], (machine) => {
        machine.pause();
      }),
    resume: (...args) =>
      onMachine(caller, "resume", args, [], (machine) => {
        machine.resume();
        return { resumeUs: 1200 };
      }),
    hibernate: (...args) =>
      onMachine(caller, "hibernate", args, [], (machine) => {
        machine.hibernate();
      }),
    wake: (...args) =>
      onMachine(caller, "wake", args, [], (machine) => {
        machine.wake();
      }),
    exec: (...args) => execCall(caller, args),
    streamExec: (...args) => execStreamCall(caller, args),
    ...settings(caller),
    files: fileCalls(caller),
    proxies: proxyCalls(caller),
  };
}

function settings(caller: Caller) {
  return {
    setDeleteAfter: (...args: [id: string, seconds: number]) =>
      onMachine(caller, "setDeleteAfter", args, [is.number], (machine) => {
        requirePresent(machine.status);
        checkSeconds("delete-after", args[1]);
        return machine.timers.deleteAfter(args[1]);
      }),
    setAutoSuspendTimeout: (...args: [id: string, seconds: number]) =>
      onMachine(caller, "setAutoSuspendTimeout", args, [is.number], (machine) => {
        requirePresent(machine.status);
        checkSeconds("auto-suspend", args[1]);
        machine.timers.set({ suspendAfter: args[1] });
      }),
    setAutoHibernateTimeout: (...args: [id: string, seconds: number]) =>
      onMachine(caller, "setAutoHibernateTimeout", args, [is.number], (machine) => {
        requirePresent(machine.status);
        checkSeconds("auto-hibernate", args[1]);
        machine.timers.set({ hibernateAfter: args[1] });
      }),
    setEgressAllow: (...args: [id: string, entries: string[]]) =>
      onMachine(caller, "setEgressAllow", args, [is.strings], (machine) => {
        requirePresent(machine.status);
        checkEgress(args[1]);
        machine.egressAllow = [...args[1]];
        return [...args[1]];
      }),
    setBotProtection: (...args: [id: string, enabled: boolean]) =>
      onMachine(caller, "setBotProtection", args, [is.boolean], (machine) => {
        requirePresent(machine.status);
        machine.botProtection = args[1] ? "on" : "off";
      }),
  };
}

function fileCalls(caller: Caller): MachineFiles {
  const bytes = (value: unknown): boolean => value instanceof Uint8Array;
  const supported = (): void => {
    if (!caller.plane.quirks.fileApi) throw grpcError(12, "unknown method");
  };
  return {
    upload: (...args) =>
      onMachine(caller, "files.upload", args, [is.string, bytes], (machine) => {
        supported();
        return machine.upload(args[1], args[2]);
      }),
    download: (...args) =>
      onMachine(caller, "files.download", args, [is.string], (machine) => {
        supported();
        return machine.download(args[1]);
      }),
  };
}

function proxyCalls(caller: Caller): MachineProxies {
  const { plane } = caller;
  const optionalName = (value: unknown): boolean => {
    checkObject("machines.proxies.setPort", value ?? {}, { name: is.string });
    return true;
  };
  return {
    list: (...args): Promise<Proxy[]> =>
      onMachine(caller, "proxies.list", args, [], (machine) => {
        requirePresent(machine.status);
        return plane.routes(machine).list();
      }),
    setPort: (...args) =>
      onMachine(caller, "proxies.setPort", args, [is.number, optionalName], (machine) => {
        requirePresent(machine.status);
        plane.routes(machine).setPort(args[1], args[2]?.name ?? null);
      }),
  };
}
