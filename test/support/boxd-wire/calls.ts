import type { Machine, Proxy } from "../../../src/boxd/driver/client.ts";
import { grpcError, type FakeBoxd } from "../boxd-fake/index.ts";
import { exec } from "./exec-call.ts";
import { firstMessage, idOf, type Handler, type Incoming } from "./handler.ts";
import { BEYOND_PORT } from "./beyond-port.ts";
import type { Message } from "./codec.ts";
import { download, downloadStream, upload, uploadStream } from "./file-calls.ts";
import { toWire } from "./record.ts";
import { created, createParams } from "./requests.ts";

/** A call of one message each way. */
type Unary = (boxd: FakeBoxd, request: Message, incoming: Incoming) => Promise<Message | void>;

const ACCOUNT: Record<string, Unary> = {
  Whoami: async ({ account }) => ({ user_id: (await account.get()).userId ?? "" }),
  async GetConfig({ account }) {
    const { defaultImage = "", zone = "" } = await account.config();
    return { default_image: defaultImage, zone };
  },
  async ListOrgs({ orgs }) {
    const all = await orgs.list();
    return {
      orgs: all.map(({ id, slug, name }) => ({ id, slug, name: name ?? slug })),
      default_org_id: all.find(({ isDefault }) => isDefault)?.id ?? "",
    };
  },
};

const MACHINES: Record<string, Unary> = {
  async CreateVm({ machines }, request) {
    return created(await machines.create(createParams(request)));
  },
  async CreateVmFromSnapshot({ machines }, request) {
    return created(await machines.create({ ...createParams(request), fromSnapshot: request["snapshot"] }));
  },
  GetVm: async ({ machines }, request) => toWire(await machines.get(idOf(request))),
  async ListVms({ machines }, { org, label_selector: selector }) {
    const listed = await machines.list(org === "" ? {} : { org });
    return { vms: listed.filter((machine) => isSelected(machine, selector)).map(toWire) };
  },
  DestroyVm: async ({ machines }, request) => void (await machines.delete(idOf(request))),
  StartVm: async ({ machines }, request) => void (await machines.start(idOf(request))),
  StopVm: async ({ machines }, request) => void (await machines.stop(idOf(request))),
  RebootVm: async ({ machines }, request) => void (await machines.reboot(idOf(request))),
  async SuspendVm({ machines }, request) {
    await machines.pause(idOf(request));
    return { suspend_us: 900 };
  },
  async ResumeVm({ machines }, request) {
    await machines.resume(idOf(request));
    return { resume_us: 1_200 };
  },
  HibernateVm: async ({ machines }, request) => void (await machines.hibernate(idOf(request))),
  WakeVm: async ({ machines }, request) => void (await machines.wake(idOf(request))),
};

const SETTINGS: Record<string, Unary> = {
  SetAutoSuspendTimeout: async ({ machines }, request) =>
    void (await machines.setAutoSuspendTimeout(idOf(request), request["timeout_secs"])),
  SetAutoHibernateTimeout: async ({ machines }, request) =>
    void (await machines.setAutoHibernateTimeout(idOf(request), request["timeout_secs"])),
  async SetDeleteAfter({ machines }, request) {
    if (request["delete_after_cron"] !== "") throw grpcError(12, "this plane knows no cron expressions");
    const at = await machines.setDeleteAfter(idOf(request), request["delete_after_secs"]);
    return { delete_at_ms: at instanceof Date ? at.getTime() : 0 };
  },
  async SetVmEgressAllow({ machines }, request) {
    return { entries: await machines.setEgressAllow(idOf(request, "vm"), request["entries"]) };
  },
  async SetBotProtection({ machines }, request, { plane }) {
    const { mode, enabled } = request;
    const id = idOf(request);
    // An old client sends the flag alone.
    await machines.setBotProtection?.(id, mode === "" ? enabled : mode !== "off");
    if (mode !== "") plane.find(id).botProtection = mode;
  },
  async ListProxies({ machines }, request) {
    return { proxies: (await machines.proxies.list(idOf(request, "vm"))).map(proxyToWire) };
  },
  async SetProxyPort({ machines }, request, { plane }) {
    const { name, port } = request;
    const id = idOf(request, "vm");
    if (port === "auto") plane.routes(plane.find(id)).setPort("auto", name === "" ? null : name);
    else await machines.proxies.setPort(id, Number(port), name === "" ? {} : { name });
  },
};

/** Every call that the plane answers; what is not here is UNIMPLEMENTED. */
export const HANDLERS: Readonly<Record<string, Handler>> = {
  ...mapped({ ...ACCOUNT, ...MACHINES, ...SETTINGS, UploadFile: upload, DownloadFile: download }),
  ...mapped(
    Object.fromEntries(
      Object.entries(BEYOND_PORT).map(([name, call]): [string, Unary] => [
        name,
        async (_boxd, request, { plane }) => call(plane, request),
      ]),
    ),
  ),
  UploadFileStream: uploadStream,
  DownloadFileStream: downloadStream,
  Exec: exec,
};

function mapped(calls: Record<string, Unary>): Record<string, Handler> {
  return Object.fromEntries(
    Object.entries(calls).map(([name, call]): [string, Handler] => [
      name,
      async (incoming) => {
        const request = await firstMessage(incoming);
        const { plane, apiKey } = incoming;
        await incoming.send((await call(plane.client({ apiKey }), request, incoming)) ?? {});
      },
    ]),
  );
}

/** Every entry holds: `key=value`, or `key` for any value. */
function isSelected({ labels }: Machine, selector: readonly string[]): boolean {
  return selector.every((entry) => {
    const at = entry.indexOf("=");
    const key = at === -1 ? entry : entry.slice(0, at);
    return labels != null && Object.hasOwn(labels, key) && (at === -1 || labels[key] === entry.slice(at + 1));
  });
}

function proxyToWire(proxy: Proxy): Message {
  const { name, domain, port, portMode = "", isDefault = false } = proxy;
  const { machineId = "", machineName = "" } = proxy as { machineId?: string; machineName?: string };
  return {
    name: name ?? "",
    vm_id: machineId,
    vm_name: machineName,
    domain,
    // What is stored, which for an automatic route is nothing.
    port: portMode === "auto" ? 0 : port,
    effective_port: port,
    port_mode: portMode,
    is_default: isDefault,
  };
}
