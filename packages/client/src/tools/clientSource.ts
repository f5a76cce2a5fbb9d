/** A {@link ToolSource} that calls the HTTP API with the client. */
import type { Winnow } from "../winnow.ts";
import type { ToolSource } from "./toolSource.ts";

/** The first bytes of a response body. */
const firstBytes = async (response: Response, bytesMax: number): Promise<Uint8Array> => {
  const bytes = new Uint8Array(await response.arrayBuffer());
  return bytes.subarray(0, bytesMax);
};

const sizeOf = (response: Response, read: number): number => {
  const [, total] = /\/(\d+)$/u.exec(response.headers.get("content-range") ?? "") ?? [];
  return total === undefined ? read : Number(total);
};

export const clientSource = (winnow: Winnow): ToolSource => ({
  probe: (body, signal) => winnow.probe(body, { signal }),
  submit: async (body, idempotencyKey, signal) => {
    const { data, response } = await winnow.submit(body, { idempotencyKey, signal }).withResponse();
    return { ...data, replayed: response.headers.get("idempotent-replayed") === "true" };
  },
  submittedAtMs: () => Promise.resolve(null),
  extraction: (id, signal) => winnow.extractions.get(id, { signal }),
  result: (id, signal) => winnow.extractions.result<unknown>(id, { signal }),
  wait: (id, signal, onProgress) => winnow.extractions.wait(id, { signal, onProgress }),
  list: ({ limit, cursor }, signal) => winnow.extractions.page({ limit, cursor, signal }),
  cancel: (id, signal) => winnow.extractions.cancel(id, { signal }),
  file: async (id, name, bytesMax, signal) => {
    const response = await winnow.files.get(id, name, { range: { start: 0, end: bytesMax - 1 }, signal });
    const bytes = await firstBytes(response, bytesMax);
    const contentType = response.headers.get("content-type") ?? "application/octet-stream";
    return { contentType, bytes, sizeBytes: sizeOf(response, bytes.length) };
  },
  link: (id, name, signal) => winnow.files.link(id, name, { signal }),
  schemas: async (limit, signal) => (await winnow.schemas.page({ limit, signal })).data,
  schema: (id, signal) => winnow.schemas.get(id, { signal }),
  balance: async (signal) => (await winnow.account({ signal })).balance
});
