/** Artifacts of a complete extraction, streamed. Tests: winnow.test.ts, session.test.ts. */
import { send, type RequestOptions } from "../core/request.ts";
import type { Call } from "../core/call.ts";
import type { FileLink } from "../generated/types.ts";
import { filePath, pathOf } from "../core/itemPath.ts";
import { Resource } from "../core/resource.ts";

export interface FileOptions extends RequestOptions {
  /**
   * Byte range to fetch, both ends inclusive; without `end`, to the end of the file. A string is sent as the
   * `Range` header: `bytes=-500` (RFC 9110, 14.2).
   */
  readonly range?: string | { readonly start: number; readonly end?: number | undefined } | undefined;
}

const rangeHeader = (range: NonNullable<FileOptions["range"]>): string =>
  typeof range === "string" ? range : `bytes=${range.start}-${range.end ?? ""}`;

export class Files extends Resource {
  /** A URL that gives anyone who has it access to this one file for 15 minutes, without a key. */
  link(id: string, name: string, options: RequestOptions = {}): Call<FileLink> {
    return this.send("POST", filePath(id, name, "/links"), options);
  }

  /** The response with all files as one zip archive; the body has not been read. */
  zip(id: string, { signal }: RequestOptions = {}): Promise<Response> {
    const path = pathOf("/v1/extractions/{extraction}/files.zip", id);
    const request = { method: "GET", path, headers: { accept: "*/*" }, signal } as const;
    return send(this.transport, request, (response) => response);
  }

  /**
   * The response with the file, 200, or 206 for a range; the body has not been read. `name` is one of
   * `summary.files`.
   */
  get(id: string, name: string, { range, signal }: FileOptions = {}): Promise<Response> {
    const headers = range === undefined ? {} : { range: rangeHeader(range) };
    const path = filePath(id, name);
    const request = { method: "GET", path, headers: { ...headers, accept: "*/*" }, signal } as const;
    return send(this.transport, request, (response) => response);
  }
}
