/**
 * Endpoints of an extraction's files.
 */
import * as Schema from "effect/Schema";
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint";
import * as HttpApiSchema from "effect/http-api/HttpApiSchema";
import * as OpenApi from "effect/http-api/OpenApi";
import { text } from "../../http/queryFields.ts";
import { InvalidRequest, NotFound, PreconditionFailed, RangeNotSatisfiable } from "../../http/ApiErrors.ts";
import {
  documentedResponses,
  DateTimeText,
  described,
  field,
  titled,
  headers
} from "../../http/openapi/described.ts";

/** See FilesHttp and HttpListener. */
const DOWNLOADS =
  "An account can have 20 downloads of more than 512 KiB open at once (429); one that accepts no byte for 60 s is " +
  "closed.";

const id = Schema.String.annotate({ description: "Id of the extraction." });

const FileLink = described(
  {
    url: field(Schema.String.annotate({ format: "uri" }), "Supports GET, HEAD and ranges."),
    expiresAt: field(DateTimeText, "15 minutes after it was created.")
  },
  {
    identifier: "FileLink",
    description: "A link to one file that works without a key.",
    examples: [
      {
        url:
          "https://winnow.example/v1/extractions/ext_01hzx3/files/video.mp4?account=acc_01hzx3&expires=1795248900" +
          "&signature=kq0bVYs3sZ8yJ2v4mQk7cX1nT6uR9pBvNcE1sHfG5jY",
        expiresAt: "2026-11-21T08:15:00.000Z"
      }
    ]
  }
);

interface GeneratedOperation {
  readonly parameters?: ReadonlyArray<object>;
  readonly responses?: Readonly<Record<string, object>>;
}

/** The responses, which the handler builds itself (see fileResponse), and the name, which is a wildcard of the path. */
const documentedFile = ({ parameters = [], responses = {}, ...operation }: GeneratedOperation) => {
  const content = { "*/*": { schema: { type: "string", format: "binary" } } };
  const sent = headers(
    "ETag",
    "Accept-Ranges",
    "Cache-Control",
    "X-Content-Type-Options",
    "Content-Disposition",
    "Content-Security-Policy"
  );
  const name = {
    name: "name",
    in: "path",
    schema: { type: "string", description: "Exactly as listed in `summary.files`." },
    required: true
  };
  return {
    ...operation,
    parameters: [...parameters.slice(0, 1), name, ...parameters.slice(1)],
    responses: {
      ...responses,
      200: { description: "The whole file.", content, headers: sent },
      206: {
        description: "The requested range.",
        content,
        headers: { ...sent, ...headers("Content-Range") }
      },
      304: { description: "The file matches `If-None-Match`.", headers: sent },
      416: { ...responses[416], headers: headers("Content-Range", "Accept-Ranges") }
    }
  };
};

export const FILES = [
  HttpApiEndpoint.get("archive", "/extractions/:id/files.zip", {
    params: { id },
    success: Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "application/zip" })),
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
    params: { id, name: Schema.String.annotate({ description: "One of the names in `summary.files`." }) },
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
  // A wildcard, so that a name with a slash is reported as an invalid name, not as an unknown route.
  HttpApiEndpoint.get("file", "/extractions/:id/files/*", {
    params: { id },
    query: {
      account: text("Part of a signed link; all three are required together."),
      expires: text("Part of a signed link."),
      signature: text("Part of a signed link.")
    },
    headers: {
      range: Schema.optionalKey(Schema.String.annotate({ description: "A single byte range (RFC 9110)." })),
      "if-range": Schema.optionalKey(
        Schema.String.annotate({ description: "An ETag; if it does not match, the whole file is sent." })
      ),
      "if-match": Schema.optionalKey(
        Schema.String.annotate({ description: "ETags; without a match, the answer is 412." })
      ),
      "if-none-match": Schema.optionalKey(
        Schema.String.annotate({ description: "ETags; a match returns 304." })
      )
    },
    success: Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array()),
    error: [InvalidRequest, NotFound, PreconditionFailed, RangeNotSatisfiable]
  })
    .annotateMerge(
      titled(
        "Download an artifact",
        "Streams one file of a complete extraction, whole or a range of it. HEAD is supported. " + DOWNLOADS,
        { call: "files.get" }
      )
    )
    .annotateMerge(OpenApi.annotations({ transform: documentedFile }))
] as const;
