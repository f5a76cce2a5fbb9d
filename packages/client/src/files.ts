/** Artifacts of a complete extraction, streamed. */
import { send, type RequestOptions, type Transport } from "./request.ts";

export interface FileOptions extends RequestOptions {
  /** Bytes to fetch, both inclusive; `end` left out means to the end (RFC 9110, 14.1.2). */
  readonly range?: { readonly start: number; readonly end?: number | undefined } | undefined;
}

export class Files {
  private readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /** The file's answer, body not yet read: 200, or 206 for a range. `name` is one of `summary.files`. */
  get(id: string, name: string, { range, signal }: FileOptions = {}): Promise<Response> {
    const headers = range === undefined ? {} : { range: `bytes=${range.start}-${range.end ?? ""}` };
    const path = `/v1/extractions/${encodeURIComponent(id)}/files/${encodeURIComponent(name)}`;
    const request = { method: "GET", path, headers: { ...headers, accept: "*/*" }, signal } as const;
    return send(this.transport, request, (response) => response);
  }
}
