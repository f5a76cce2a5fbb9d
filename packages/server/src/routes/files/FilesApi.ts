/** Endpoints of an extraction's files. */
import * as Schema from "effect/Schema";
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint";
import * as HttpApiSchema from "effect/http-api/HttpApiSchema";
import * as OpenApi from "effect/http-api/OpenApi";
import { EXTRACTION_ID, text } from "../../http/parameters.ts";
import { EndpointLimit } from "../../http/authentication/Authorization.ts";
import { CONNECTION_LIMITS } from "../../http/HttpListener.ts";
import { DOWNLOADS_MAX } from "../../http/limits/OpenDownloads.ts";
import { CHUNK_BYTES } from "./fileResponse.ts";
import { InvalidRequest, NotFound, PreconditionFailed, RangeNotSatisfiable } from "../../http/ApiErrors.ts";
import {
  documentedResponses,
  DateTimeText,
  described,
  field,
  titled,
  headers
} from "../../http/openapi/described.ts";

const DOWNLOADS =
  `An account can have ${DOWNLOADS_MAX} downloads of more than ${CHUNK_BYTES / 1_024} KiB open at once (429); one that ` +
  `accepts no byte for ${CONNECTION_LIMITS.sendTimeoutMs / 1_000} s is closed.`;

const FileLink = described("FileLink", "A link to one file that works without a key.", {
  url: field(
    Schema.String.annotate({ format: "uri" }),
    "Supports GET, HEAD and ranges.",
    "https://winnow.example/v1/extractions/ext_01hzx3/files/video.mp4?account=acc_01hzx3&expires=1795248900" +
      "&signature=kq0bVYs3sZ8yJ2v4mQk7cX1nT6uR9pBvNcE1sHfG5jY"
  ),
  expiresAt: field(DateTimeText, "15 minutes after it was created.", "2026-11-21T08:15:00.000Z")
});

const fileName = (description: string) => Schema.String.annotate({ description, examples: ["video.mp4"] });

const bytes = (contentType: string) => Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType }));

const SENT = headers(
  "ETag",
  "Accept-Ranges",
  "Cache-Control",
  "X-Content-Type-Options",
  "Content-Disposition",
  "Content-Security-Policy"
);

const file = <
  const Name extends string,
  const Path extends `/${string}`,
  Params extends Readonly<Record<"id", Schema.String>>
>(
  name: Name,
  path: Path,
  params: Params
) =>
  HttpApiEndpoint.get(name, path, {
    params,
    query: {
      account: text("Part of a signed link; all three are required together."),
      expires: text("Part of a signed link."),
      signature: text("Part of a signed link.")
    },
    headers: {
      range: text("A single byte range (RFC 9110)."),
      "if-range": text("An ETag; if it does not match, the whole file is sent."),
      "if-match": text("ETags; without a match, the answer is 412."),
      "if-none-match": text("ETags; a match returns 304.")
    },
    success: [bytes("*/*"), bytes("*/*").pipe(HttpApiSchema.status(206)), HttpApiSchema.Empty(304)],
    error: [InvalidRequest, NotFound, PreconditionFailed, RangeNotSatisfiable]
  })
    .annotate(EndpointLimit, { bucket: "file", limit: "othersPerMinute" })
    .annotateMerge(
      titled(
        "Download an artifact",
        "Streams one file of a complete extraction, whole or a range of it. HEAD is supported. " + DOWNLOADS,
        { call: "files.get" }
      )
    )
    .annotateMerge(
      documentedResponses({
        200: { description: "The whole file.", headers: SENT },
        206: { description: "The requested range.", headers: { ...SENT, ...headers("Content-Range") } },
        304: { description: "The file matches `If-None-Match`.", headers: SENT },
        416: { headers: headers("Content-Range", "Accept-Ranges") }
      })
    );

export const FILES = [
  HttpApiEndpoint.get("archive", "/extractions/:id/files.zip", {
    params: { id: EXTRACTION_ID },
    success: bytes("application/zip"),
    error: [NotFound, PreconditionFailed]
  })
    .annotateMerge(
      titled(
        "Download all artifacts",
        "Streams one zip archive with every file of a complete extraction. HEAD is supported, ranges are not. " +
          DOWNLOADS,
        { call: "files.zip" }
      )
    )
    .annotateMerge(
      documentedResponses({
        200: {
          description: "The archive.",
          headers: headers("Cache-Control", "X-Content-Type-Options", "Content-Disposition")
        }
      })
    ),
  HttpApiEndpoint.post("createFileLink", "/extractions/:id/files/:name/links", {
    params: { id: EXTRACTION_ID, name: fileName("One of the names in `summary.files`.") },
    success: FileLink.pipe(HttpApiSchema.status(201)),
    error: [InvalidRequest, NotFound]
  }).annotateMerge(
    titled(
      "Create a link to an artifact",
      "A URL that gives anyone who has it access to this one file for 15 minutes, without a key; for " +
        "example for a media player. Deleting the extraction invalidates it at once.",
      { call: "files.link" }
    )
  ),
  // A name with a slash is an invalid name, not an unknown route.
  file("fileOfAnyName", "/extractions/:id/files/*", { id: EXTRACTION_ID }).annotate(OpenApi.Exclude, true),
  file("file", "/extractions/:id/files/:name", {
    id: EXTRACTION_ID,
    name: fileName("Exactly as listed in `summary.files`.")
  })
] as const;
