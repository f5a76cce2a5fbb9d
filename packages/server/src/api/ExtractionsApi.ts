/**
 * Endpoints of the account: submit, reads, files and probe (specification, "Endpoints").
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
  RangeNotSatisfiable,
  RateLimited,
  Unreachable,
  UnsupportedMediaType,
  UnsupportedUrl
} from "./ApiErrors.ts";
import { AccountAuthorization, AnswersExtraction, EndpointLimit, RateLimiting } from "./Authorization.ts";
import { EventStream } from "./EventsWire.ts";
import { ExtractionDetail, ExtractionPage, FileLink } from "./ExtractionWire.ts";
import { ProbeResponse } from "./ProbeWire.ts";
import { CompleteResult, FailedResult, PendingResult } from "./ResultWire.ts";
import { idempotencyHeaders } from "./IdempotencyKey.ts";
import { ProbeBody, SubmitBody, SubmitResponse } from "./SubmitWire.ts";

/** Page size of lists (specification, "Other limits and constants"). */
export const PAGE_LIMIT_DEFAULT = 20;
export const PAGE_LIMIT_MAX = 100;

const id = Schema.String.annotate({ description: "Id from the submit." });

const text = (description: string) => Schema.optionalKey(Schema.String.annotate({ description }));

const bodyErrors = [InvalidRequest, InvalidUrl, UnsupportedUrl, PayloadTooLarge, UnsupportedMediaType];

const submit = <const Name extends string, const Path extends `/${string}`>(name: Name, path: Path) =>
  HttpApiEndpoint.post(name, path, {
    headers: idempotencyHeaders("The same key and body never charge twice."),
    payload: SubmitBody,
    // The first that fits is sent: without the header it is the 201.
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
          "Debits the quoted credits and starts the run, or queues it behind the two running ones. " +
          "Failed runs are refunded in full."
      })
    ),
    submit("submitAlias", "/extract").annotateMerge(
      OpenApi.annotations({
        summary: "Submit an extraction (alias)",
        description: "The same as `POST /v1/extractions`; one rate limit, one space of idempotency keys."
      })
    ),
    HttpApiEndpoint.get("list", "/extractions", {
      query: {
        limit: text("1 to 100; 20 by default."),
        cursor: text("An earlier page's `next_cursor`."),
        status: text("Only those that are `queued`, `pending`, `running`, `complete` or `failed`."),
        outcome: text("Only those with this verdict: `ok`, `no_match` or `uncertain`."),
        kind: text("Only those of a `video`, of `photos` or of a `webpage`."),
        since: text("Date and time (RFC 3339): only those submitted then or later."),
        q: text("Only those whose title or URL contains this, whatever the case; 200 characters at most.")
      },
      success: ExtractionPage,
      error: [InvalidRequest, InternalError]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List extractions",
        description:
          "The account's extractions, newest first. Filters are combined with and. A page with several filters " +
          "or with `q` looks at 5,000 extractions at most: it may hold fewer than `limit`, or none, while " +
          "`has_more` is true. Go on with `next_cursor`."
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
          summary: "Read the request back",
          description:
            "The body as it was submitted. Of extractions older than this endpoint, a body that asks for the same."
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
          "Stops it and refunds it in full; it then is `failed` with the reason `cancelled`. One that is at " +
          "its end is returned unchanged."
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
          "Cancels it when it is live. Result, files, prompt and idempotency key go; ledger entries stay."
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
          description: "202 until the extraction is at its end. A failed extraction answers 200 too."
        })
      ),
    HttpApiEndpoint.get("events", "/extractions/:id/events", {
      params: { id },
      headers: {
        "last-event-id": Schema.optionalKey(
          Schema.String.annotate({ description: "`id` of the last event that was read: go on after it." })
        )
      },
      success: [EventStream, HttpApiSchema.NoContent],
      error: [NotFound, RateLimited, InternalError]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Watch an extraction",
        description:
          "Server-sent events: `progress` while it waits and runs, at most some four a second, then one " +
          "`result`, whose data is the body of the result endpoint, and the end of the stream. An extraction " +
          "at its end answers with its `result` at once.\n\n" +
          "Ids are integers that grow over the life of the extraction. An interrupted stream is resumed " +
          "with `Last-Event-ID`: nothing up to that id comes again, `progress` in between may be left out, " +
          "and the `result` never is. After the id of the `result` the answer is 204, which tells an " +
          "`EventSource` to stop. A comment every 15 s keeps idle proxies from closing the connection."
      })
    ),
    HttpApiEndpoint.get("archive", "/extractions/:id/files.zip", {
      params: { id },
      success: HttpApiSchema.StreamUint8Array({ contentType: "application/zip" }),
      error: [NotFound, InternalError]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Download all artifacts",
        description:
          "One zip archive of every file of a complete extraction, streamed. HEAD works too; ranges do not."
      })
    ),
    HttpApiEndpoint.post("createFileLink", "/extractions/:id/files/:name/links", {
      params: { id, name: Schema.String.annotate({ description: "One of `summary.files`." }) },
      success: FileLink.pipe(HttpApiSchema.status(201)),
      error: [InvalidRequest, NotFound, InternalError]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Make a link to an artifact",
        description:
          "An address that opens this one file without a key for 15 minutes, for whoever has it: for a player or " +
          "another program. Deleting the extraction ends it at once."
      })
    ),
    // The name is a wildcard so that a name with a separator in it is a bad name and not an unknown route.
    HttpApiEndpoint.get("file", "/extractions/:id/files/*", {
      params: { id },
      query: {
        account: text("Of a link; the three go together."),
        expires: text("Of a link."),
        signature: text("Of a link.")
      },
      headers: {
        range: Schema.optionalKey(Schema.String.annotate({ description: "One range of bytes (RFC 9110)." })),
        "if-range": Schema.optionalKey(
          Schema.String.annotate({ description: "An ETag; another one gets the whole file." })
        ),
        "if-none-match": Schema.optionalKey(
          Schema.String.annotate({ description: "ETags; a match answers 304." })
        )
      },
      success: HttpApiSchema.StreamUint8Array(),
      error: [InvalidRequest, NotFound, RangeNotSatisfiable, InternalError]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Download an artifact",
        description: "Streams one file of a complete extraction, whole or a range of it. HEAD works too."
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
          summary: "Quote the price of a submit",
          description: "Looks at the URL without starting anything. Free."
        })
      )
  )
  .middleware(RateLimiting)
  .middleware(AccountAuthorization)
  .annotateMerge(
    OpenApi.annotations({ description: "Extractions of the account that the key belongs to." })
  ) {}
