/**
 * The response of the file endpoint: headers and bytes. Content is untrusted: a browser must neither guess its type
 * nor execute it.
 */
import type { StoredFile } from "@winnow/core/engine/extractions/Extractions";
import * as HttpServerResponse from "effect/http/HttpServerResponse";
import { NotFound, RangeNotSatisfiable } from "../../http/ApiErrors.ts";
import { answerRange, etagOf, matchesEtag } from "../../http/byteRange.ts";
import type { FileBody } from "./fileBody.ts";

/** Types that a browser displays without executing anything. */
const INERT = new Set([
  "video/mp4",
  "audio/mp4",
  "image/jpeg",
  "text/plain",
  "text/vtt",
  "application/x-subrip",
  "application/json"
]);

const SANDBOX = { "content-security-policy": "default-src 'none'; sandbox" };

export interface FileRequest {
  readonly method: string;
  readonly range?: string | undefined;
  readonly "if-range"?: string | undefined;
  readonly "if-none-match"?: string | undefined;
}

const headersOf = ({ artifact }: StoredFile, etag: string): Record<string, string> => {
  const inert = INERT.has(artifact.contentType.split(";", 1)[0] ?? "");
  const fileName = artifact.name.replaceAll(/[^\w.-]/gu, "_");
  return {
    "content-type": artifact.contentType,
    etag,
    "accept-ranges": "bytes",
    // Always revalidated, because a revoked key must not read from a cache.
    "cache-control": "private, no-cache",
    "x-content-type-options": "nosniff",
    "content-disposition": `${inert ? "inline" : "attachment"}; filename="${fileName}"`,
    ...(inert ? {} : SANDBOX)
  };
};

export const noFile = () => new NotFound({ error: { message: "No such file." } });

const unsatisfiable = (sizeBytes: number) =>
  HttpServerResponse.jsonUnsafe(
    new RangeNotSatisfiable({
      error: {
        message: `The file has ${sizeBytes} bytes; ask for a range within it.`,
        details: { param: "Range", sizeBytes }
      }
    }),
    { status: 416, headers: { "content-range": `bytes */${sizeBytes}`, "accept-ranges": "bytes" } }
  );

/** HEAD returns the headers of GET; Range is defined for GET only (RFC 9110, section 14.2). */
export const fileResponse = (
  file: StoredFile,
  request: FileRequest,
  body: FileBody
): HttpServerResponse.HttpServerResponse => {
  const { sizeBytes } = file.artifact;
  const etag = etagOf(file.key, sizeBytes);
  const headers = headersOf(file, etag);
  const ifNoneMatch = request["if-none-match"];
  if (ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, etag)) {
    return HttpServerResponse.empty({ status: 304, headers });
  }
  if (request.method === "HEAD") {
    return HttpServerResponse.empty({
      status: 200,
      headers: { ...headers, "content-length": String(sizeBytes) }
    });
  }
  const answer = answerRange(request, etag, sizeBytes);
  if (answer._tag === "Unsatisfiable") return unsatisfiable(sizeBytes);
  const range = answer._tag === "Part" ? answer.range : null;
  return HttpServerResponse.stream(body(range), {
    status: range === null ? 200 : 206,
    contentType: file.artifact.contentType,
    contentLength: range === null ? sizeBytes : range.end - range.start + 1,
    headers:
      range === null
        ? headers
        : { ...headers, "content-range": `bytes ${range.start}-${range.end}/${sizeBytes}` }
  });
};
