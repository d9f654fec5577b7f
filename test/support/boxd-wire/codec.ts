import protobuf, { type Type } from "protobufjs";
import { PROTO } from "./proto.ts";

/** A message by its wire names. Fields that did not come have proto3's defaults; integers are numbers, bytes are buffers. */
export type Message = Record<string, any>;

export interface Method {
  readonly path: string;
  readonly encodeRequest: (message: Message) => Buffer;
  readonly decodeRequest: (bytes: Uint8Array) => Message;
  readonly encodeResponse: (message: Message) => Buffer;
  readonly decodeResponse: (bytes: Uint8Array) => Message;
}

const SERVICE = "boxd.api.v1.BoxdApi";

/** The methods of the service by name. */
export const METHODS: ReadonlyMap<string, Method> = methods();

function methods(): Map<string, Method> {
  const { root } = protobuf.parse(PROTO, { keepCase: true });
  const service = root.lookupService(SERVICE);
  return new Map(
    service.methodsArray.map((method) => {
      const request = root.lookupType(`boxd.api.v1.${method.requestType}`);
      const response = root.lookupType(`boxd.api.v1.${method.responseType}`);
      return [
        method.name,
        {
          path: `/${SERVICE}/${method.name}`,
          encodeRequest: encoder(request),
          decodeRequest: decoder(request),
          encodeResponse: encoder(response),
          decodeResponse: decoder(response),
        },
      ];
    }),
  );
}

function encoder(type: Type): Method["encodeRequest"] {
  return (message) => Buffer.from(type.encode(type.fromObject(message)).finish());
}

function decoder(type: Type): Method["decodeRequest"] {
  return (bytes) =>
    type.toObject(type.decode(bytes), { longs: Number, bytes: Buffer, defaults: true, arrays: true, objects: true });
}
