/** Artifacts of a complete extraction, streamed. */
import type { Call } from "./call.ts";
import type { FileLink } from "./generated/types.ts";
import { filePath, itemPath } from "./itemPath.ts";
import { send, sendJson, type RequestOptions, type Transport } from "./request.ts";

export interface FileOptions extends RequestOptions {
  /** Bytes to fetch, both inclusive; `end` left out means to the end (RFC 9110, 14.1.2). */
  readonly range?: { readonly start: number; readonly end?: number | undefined } | undefined;
}

export class Files {
  protected readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /** An address that opens this one file without a key for 15 minutes, for whoever has it. */
  link(id: string, name: string, options: RequestOptions = {}): Call<FileLink> {
    return sendJson(this.transport, { method: "POST", path: filePath(id, name, "/links"), ...options });
  }

  /** The answer with all files as one zip archive, body not yet read. */
  zip(id: string, { signal }: RequestOptions = {}): Promise<Response> {
    const path = itemPath("/v1/extractions", "extraction", id, "/files.zip");
    const request = { method: "GET", path, headers: { accept: "*/*" }, signal } as const;
    return send(this.transport, request, (response) => response);
  }

  /** The file's answer, body not yet read: 200, or 206 for a range. `name` is one of `summary.files`. */
  get(id: string, name: string, { range, signal }: FileOptions = {}): Promise<Response> {
    const headers = range === undefined ? {} : { range: `bytes=${range.start}-${range.end ?? ""}` };
    const path = filePath(id, name);
    const request = { method: "GET", path, headers: { ...headers, accept: "*/*" }, signal } as const;
    return send(this.transport, request, (response) => response);
  }
}
