/**
 * Endpoints of the account: submit, reads, files and probe.
 */
import * as Schema from "effect/Schema";
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint";
import * as HttpApiGroup from "effect/http-api/HttpApiGroup";
import * as HttpApiSchema from "effect/http-api/HttpApiSchema";
import * as OpenApi from "effect/http-api/OpenApi";
import {
  Conflict,
  Busy,
  ContentUnavailable,
  InsufficientCredits,
  InternalError,
  InvalidRequest,
  InvalidUrl,
  NotFound,
  PayloadTooLarge,
  PreconditionFailed,
  RangeNotSatisfiable,
  RateLimited,
  Unreachable,
  UnsupportedMediaType,
  UnsupportedUrl
} from "../../http/ApiErrors.ts";
import {
  AccountAuthorization,
  AnswersExtraction,
  EndpointLimit,
  RateLimiting
} from "../../http/authentication/Authorization.ts";
import { EventStream } from "./EventsWire.ts";
import { ExtractionDetail, ExtractionPage, FileLink } from "./ExtractionWire.ts";
import { ProbeResponse } from "./ProbeWire.ts";
import { CompleteResult, FailedResult, PendingResult } from "./ResultWire.ts";
import { idempotencyHeaders } from "../../http/IdempotencyKey.ts";
import { ProbeBody, SubmitBody, SubmitResponse } from "./SubmitWire.ts";

/** See http/FilesHttp and HttpListener. */
const DOWNLOADS =
  "An account can have 20 downloads of more than 512 KiB open at once (429); one that accepts no byte for 60 s is " +
  "closed.";

const id = Schema.String.annotate({ description: "Id of the extraction." });

const text = (description: string) => Schema.optionalKey(Schema.String.annotate({ description }));

const bodyErrors = [InvalidRequest, InvalidUrl, UnsupportedUrl, PayloadTooLarge, UnsupportedMediaType];

const submit = <const Name extends string, const Path extends `/${string}`>(name: Name, path: Path) =>
  HttpApiEndpoint.post(name, path, {
    headers: idempotencyHeaders("Requests with the same key and body are charged once."),
    payload: SubmitBody,
    // The first schema that matches is sent: without the header it is the 201.
    success: [
      SubmitResponse.pipe(HttpApiSchema.status(201)),
      HttpApiSchema.WithHeaders(SubmitResponse, { "idempotent-replayed": Schema.Literal("true") }).pipe(
        HttpApiSchema.status(200)
      )
    ],
    error: [...bodyErrors, InsufficientCredits, NotFound, Conflict, RateLimited, InternalError, Busy]
  }).annotate(EndpointLimit, { bucket: "submit", rate: "submitsPerMinute" });

const polled: EndpointLimit = { bucket: "extraction", rate: "readsPerMinute" };

export class ExtractionsApi extends HttpApiGroup.make("extractions")
  .add(
    submit("submit", "/extractions").annotateMerge(
      OpenApi.annotations({
        summary: "Submit an extraction",
        description:
          "Debits the quoted credits and starts the run, or queues it if all slots of the account are " +
          "taken. Failed runs are refunded in full."
      })
    ),
    submit("submitAlias", "/extract").annotateMerge(
      OpenApi.annotations({
        summary: "Submit an extraction (alias)",
        description:
          "The same as `POST /v1/extractions`; both share one rate limit and their idempotency keys."
      })
    ),
    HttpApiEndpoint.get("list", "/extractions", {
      query: {
        limit: text("1 to 100; 20 by default."),
        cursor: text("`next_cursor` of the previous page."),
        status: text("Filter by status: `queued`, `pending`, `running`, `complete` or `failed`."),
        outcome: text("Filter by outcome: `ok`, `no_match` or `uncertain`."),
        kind: text("Filter by kind: `video`, `photos` or `webpage`."),
        since: text("Date and time (RFC 3339): only extractions submitted then or later."),
        q: text(
          "Only extractions whose title or URL contains this text, ignoring case; at most 200 characters."
        )
      },
      success: ExtractionPage,
      error: [InvalidRequest, InternalError]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List extractions",
        description:
          "The account's extractions, newest first. All filters must match. With several filters, or with " +
          "`q`, one page scans at most 5,000 extractions: it may have fewer entries than `limit`, or none, " +
          "while `has_more` is true. Continue with `next_cursor`."
      })
    ),
    HttpApiEndpoint.get("request", "/extractions/:id/request", {
      params: { id },
      success: SubmitBody,
      error: [NotFound, InternalError]
    })
      .annotate(EndpointLimit, polled)
      .annotate(AnswersExtraction, true)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Get the submitted request",
          description: "The body as it was submitted."
        })
      ),
    HttpApiEndpoint.get("get", "/extractions/:id", {
      params: { id },
      success: ExtractionDetail,
      error: [NotFound, InternalError]
    })
      .annotate(EndpointLimit, polled)
      .annotate(AnswersExtraction, true)
      .annotateMerge(
        OpenApi.annotations({ summary: "Get an extraction", description: "Status and credits." })
      ),
    HttpApiEndpoint.post("cancel", "/extractions/:id/cancel", {
      params: { id },
      success: ExtractionDetail,
      error: [NotFound, InternalError]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Cancel an extraction",
        description:
          "Stops the extraction and refunds it in full. It becomes `failed` with the reason `cancelled`. " +
          "One that has already ended is returned unchanged."
      })
    ),
    HttpApiEndpoint.delete("delete", "/extractions/:id", {
      params: { id },
      success: HttpApiSchema.NoContent.annotate({ description: "Deleted." }),
      error: [NotFound, InternalError]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Delete an extraction",
        description:
          "Cancels the extraction if it has not ended. Deletes result, files and prompt; its idempotency " +
          "key then returns 409. Ledger entries remain."
      })
    ),
    HttpApiEndpoint.get("result", "/extractions/:id/result", {
      params: { id },
      success: [
        PendingResult.pipe(HttpApiSchema.status(202)),
        Schema.Union([CompleteResult, FailedResult]).annotate({ description: "Complete or failed." })
      ],
      error: [NotFound, InternalError]
    })
      .annotate(EndpointLimit, polled)
      .annotate(AnswersExtraction, true)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Get the result",
          description: "202 until the extraction has ended. A failed extraction returns 200 too."
        })
      ),
    HttpApiEndpoint.get("events", "/extractions/:id/events", {
      params: { id },
      headers: {
        "last-event-id": Schema.optionalKey(
          Schema.String.annotate({
            description: "`id` of the last event received: the stream continues after it."
          })
        )
      },
      success: [EventStream, HttpApiSchema.NoContent],
      error: [NotFound, RateLimited, InternalError]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Watch an extraction",
        description:
          "Server-sent events: `progress` while the extraction waits and runs (about four a second at " +
          "most), then one `result`, whose data is the body of the result endpoint; then the stream ends. " +
          "If the extraction has already ended, its `result` is sent at once.\n\nIds are increasing " +
          "integers. Resume an interrupted stream with `Last-Event-ID`: events up to that id are not " +
          "repeated, some `progress` may be skipped, but the `result` never is. With the id of the " +
          "`result`, the response is 204, which tells an `EventSource` to stop. A comment every 15 s keeps " +
          "proxies from closing an idle connection."
      })
    ),
    HttpApiEndpoint.get("archive", "/extractions/:id/files.zip", {
      params: { id },
      success: HttpApiSchema.StreamUint8Array({ contentType: "application/zip" }),
      error: [NotFound, PreconditionFailed, InternalError]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Download all artifacts",
        description:
          "Streams one zip archive with every file of a complete extraction. HEAD is supported, ranges are not. " +
          DOWNLOADS
      })
    ),
    HttpApiEndpoint.post("createFileLink", "/extractions/:id/files/:name/links", {
      params: { id, name: Schema.String.annotate({ description: "One of the names in `summary.files`." }) },
      success: FileLink.pipe(HttpApiSchema.status(201)),
      error: [InvalidRequest, NotFound, InternalError]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Create a link to an artifact",
        description:
          "A URL that gives anyone who has it access to this one file for 15 minutes, without a key; for " +
          "example for a media player. Deleting the extraction invalidates it at once."
      })
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
      success: HttpApiSchema.StreamUint8Array(),
      error: [InvalidRequest, NotFound, PreconditionFailed, RangeNotSatisfiable, InternalError]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Download an artifact",
        description:
          "Streams one file of a complete extraction, whole or a range of it. HEAD is supported. " + DOWNLOADS
      })
    ),
    HttpApiEndpoint.post("probe", "/probe", {
      payload: ProbeBody,
      success: ProbeResponse,
      error: [...bodyErrors, ContentUnavailable, InternalError, Unreachable, Busy]
    })
      .annotate(EndpointLimit, { bucket: "probe", rate: "probesPerMinute" })
      .annotateMerge(
        OpenApi.annotations({
          summary: "Get a quote",
          description:
            "Inspects the URL and returns what the same body costs as a submit. Starts nothing and is free."
        })
      )
  )
  .middleware(RateLimiting)
  .middleware(AccountAuthorization)
  .prefix("/v1")
  .annotateMerge(
    OpenApi.annotations({ description: "Extractions of the account that the key belongs to." })
  ) {}
