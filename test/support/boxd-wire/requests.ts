import type { Machine, MachineConfig, MachineCreateParams } from "../../../src/boxd/driver/client.ts";
import type { Message } from "./codec.ts";

const GIB = 1024 ** 3;

/** What a request to make a machine asks for. Blank and 0 are "not given"; sizes come in bytes. */
export function createParams(request: Message): MachineCreateParams {
  const { name, org, image_ref: image = "", restart_policy: restartPolicy = "", isolated, labels } = request;
  const { vcpu = 0, memory_bytes: memory = 0, disk_bytes: disk = 0, srf } = request["config"] ?? {};
  const autoDestroyTimeout: number = srf?.auto_destroy_timeout_secs ?? 0;
  const config: MachineConfig = {
    ...(vcpu === 0 ? {} : { vcpu }),
    ...(memory === 0 ? {} : { memory: sizeText(memory) }),
    ...(disk === 0 ? {} : { disk: sizeText(disk) }),
    ...(autoDestroyTimeout === 0 ? {} : { autoDestroyTimeout }),
  };
  return {
    name: name === "" ? `box-${Math.random().toString(36).slice(2, 10)}` : name,
    ...(org === "" ? {} : { org }),
    ...(image === "" ? {} : { image }),
    ...(restartPolicy === "" ? {} : { restartPolicy }),
    ...(isolated === true ? { isolated } : {}),
    ...(Object.keys(labels).length === 0 ? {} : { labels }),
    ...(Object.keys(config).length === 0 ? {} : { config }),
  };
}

/** A size in the port's words. */
export function sizeText(bytes: number): string {
  return bytes % GIB === 0 ? `${String(bytes / GIB)}G` : String(bytes);
}

/** What making a machine answers. */
export function created(machine: Machine): Message {
  const { id, name, status, access } = machine;
  return { vm_id: id, name, status, url: access?.url ?? "", boot_time_ms: 8 };
}
