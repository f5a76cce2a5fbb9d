/** Endpoints of extractions: probe, submit and reads; those of their files are in files/. */
import { Outcome } from "@winnow/core/domain/evidence/Verdict";
import { ExtractionStatus } from "@winnow/core/domain/run/Transition";
import { SourceKind } from "@winnow/core/domain/source/SourceFacts";
import * as Schema from "effect/Schema";
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint";
import * as HttpApiGroup from "effect/http-api/HttpApiGroup";
import * as HttpApiSchema from "effect/http-api/HttpApiSchema";
import * as OpenApi from "effect/http-api/OpenApi";
import {
  InvalidRequest,
  NotFound,
  RateLimited,
  SUBMIT_ERRORS,
  PROBE_ERRORS,
  THUMBNAIL_ERRORS
} from "../../http/ApiErrors.ts";
import {
  AccountAuthorization,
  EndpointLimit,
  RateLimiting
} from "../../http/authentication/Authorization.ts";
import { FILES } from "../files/FilesApi.ts";
import { EventStream, ExtractionDetail, ExtractionPage } from "./ExtractionWire.ts";
import { ProbeResponse, ProbeBody, SubmitBody, SubmitResponse } from "./SubmitWire.ts";
import { CompleteResult, FailedResult, PendingResult } from "./ResultWire.ts";
import { documentedResponses, titled, headers } from "../../http/openapi/described.ts";
import {
  idempotencyHeaders,
  BATCH_ID,
  EXTRACTION_ID,
  idText,
  oneOf,
  PAGE_QUERY,
  search,
  text,
  time
} from "../../http/parameters.ts";

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
    error: SUBMIT_ERRORS
  })
    .annotate(EndpointLimit, { bucket: "submit", limit: "submitsPerMinute" })
    .annotateMerge(
      documentedResponses({
        201: {
          description:
            "The extraction was created: it is running, queued or, if its result was reused, complete."
        },
        200: { description: "A replay: nothing was created or charged." }
      })
    );

const LIST_QUERY = {
  ...PAGE_QUERY,
  status: oneOf(
    "status",
    ExtractionStatus.literals,
    "Filter by status: `queued`, `pending`, `running`, `complete` or `failed`."
  ),
  outcome: oneOf("outcome", Outcome.literals, "Filter by outcome: `ok`, `no_match` or `uncertain`."),
  kind: oneOf("kind", SourceKind.literals, "Filter by kind: `video`, `photos` or `webpage`."),
  schemaId: idText("schemaId", "Only extractions with this saved or predefined schema."),
  apiKeyId: idText("apiKeyId", "Only extractions that this API key submitted."),
  batchId: BATCH_ID,
  since: time("since", "Date and time (RFC 3339): only extractions submitted then or later."),
  until: time("until", "Date and time (RFC 3339): only extractions submitted before."),
  q: search(
    "q",
    "Only extractions whose title or URL contains this text, ignoring case; at most 200 characters."
  )
};
export type ListQuery = Schema.Struct.Type<typeof LIST_QUERY>;

const polled: EndpointLimit = { bucket: "extraction", limit: "readsPerMinute" };

export class ExtractionsApi extends HttpApiGroup.make("extractions")
  .add(
    submit("submit", "/extractions").annotateMerge(
      titled(
        "Submit an extraction",
        "Debits the quoted credits and starts the run, or queues it if all slots of the account are " +
          "taken. Failed runs are refunded in full.",
        { call: "submit" }
      )
    ),
    submit("submitAlias", "/extract").annotateMerge(
      titled(
        "Submit an extraction (alias)",
        "The same as `POST /v1/extractions`; both share one rate limit and their idempotency keys."
      )
    ),
    HttpApiEndpoint.get("list", "/extractions", {
      query: LIST_QUERY,
      success: ExtractionPage,
      error: InvalidRequest
    }).annotateMerge(
      titled(
        "List extractions",
        "The account's extractions, newest first. All filters must match. With several filters, or with " +
          "`q`, one page scans at most 5,000 extractions: it may have fewer entries than `limit`, or none, " +
          "while `has_more` is true. Continue with `next_cursor`.",
        { call: "extractions.page" }
      )
    ),
    HttpApiEndpoint.get("request", "/extractions/:id/request", {
      params: { id: EXTRACTION_ID },
      success: SubmitBody,
      error: NotFound
    })
      .annotate(EndpointLimit, polled)
      .annotateMerge(
        titled("Get the submitted request", "The body as it was submitted.", { call: "extractions.request" })
      ),
    HttpApiEndpoint.get("get", "/extractions/:id", {
      params: { id: EXTRACTION_ID },
      success: ExtractionDetail,
      error: NotFound
    })
      .annotate(EndpointLimit, polled)
      .annotateMerge(titled("Get an extraction", "Status and credits.", { call: "extractions.get" })),
    HttpApiEndpoint.post("cancel", "/extractions/:id/cancel", {
      params: { id: EXTRACTION_ID },
      success: ExtractionDetail,
      error: NotFound
    }).annotateMerge(
      titled(
        "Cancel an extraction",
        "Stops the extraction and refunds it in full. It becomes `failed` with the reason `cancelled`. " +
          "One that has already ended is returned unchanged.",
        { call: "extractions.cancel" }
      )
    ),
    HttpApiEndpoint.delete("delete", "/extractions/:id", {
      params: { id: EXTRACTION_ID },
      success: HttpApiSchema.NoContent.annotate({ description: "Deleted." }),
      error: NotFound
    }).annotateMerge(
      titled(
        "Delete an extraction",
        "Cancels the extraction if it has not ended. Deletes result, files and prompt; its idempotency " +
          "key then returns 409. Ledger entries remain.",
        { call: "extractions.delete" }
      )
    ),
    HttpApiEndpoint.get("result", "/extractions/:id/result", {
      params: { id: EXTRACTION_ID },
      success: [
        PendingResult.pipe(HttpApiSchema.status(202)),
        Schema.Union([CompleteResult, FailedResult]).annotate({ description: "Complete or failed." })
      ],
      error: NotFound
    })
      .annotate(EndpointLimit, polled)
      .annotateMerge(
        titled("Get the result", "202 until the extraction has ended. A failed extraction returns 200 too.", {
          call: "extractions.result"
        })
      ),
    HttpApiEndpoint.get("events", "/extractions/:id/events", {
      params: { id: EXTRACTION_ID },
      success: EventStream,
      error: [NotFound, RateLimited]
    })
      .annotateMerge(
        titled(
          "Watch an extraction",
          "Server-sent events: `progress` while the extraction waits and runs (about four a second at " +
            "most), then one `result`, whose data is the body of the result endpoint; then the stream ends. " +
            "If the extraction has already ended, its `result` is sent at once.\n\nEach event is a whole " +
            "state, without an id, and a stream begins with the present one: after an interruption, connect " +
            "again. Some `progress` may be skipped, but the `result` never is. Close an `EventSource` at the " +
            "`result`; otherwise it connects again. A comment every 15 s keeps proxies from closing an idle " +
            "connection.",
          { call: "extractions.events" }
        )
      )
      .annotateMerge(
        documentedResponses({
          200: {
            description: "The event stream.",
            headers: headers("Cache-Control", "X-Accel-Buffering")
          }
        })
      ),
    ...FILES,
    HttpApiEndpoint.post("probe", "/probe", {
      payload: ProbeBody,
      success: ProbeResponse,
      error: PROBE_ERRORS
    })
      .annotate(EndpointLimit, { bucket: "probe", limit: "probesPerMinute" })
      .annotateMerge(
        titled(
          "Get a quote",
          "Inspects the URL and returns what the same body costs as a submit. Starts nothing and is free.",
          { call: "probe" }
        )
      ),
    HttpApiEndpoint.get("thumbnail", "/probe/thumbnail", {
      query: { url: text("The URL that was probed; `thumbnail` of the quote has it.") },
      success: Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "image/jpeg" })),
      error: THUMBNAIL_ERRORS
    })
      .annotate(EndpointLimit, { bucket: "thumbnail", limit: "probesPerMinute" })
      .annotateMerge(
        titled(
          "Get the picture of a quote",
          "The picture of the source at a URL, at most 320 pixels wide and high. The source is not inspected " +
            "again within 10 minutes of a quote, and nothing is stored. 404 if it has no picture, or none that " +
            "can be read."
        )
      )
      .annotateMerge(
        documentedResponses({
          200: { description: "The picture.", headers: headers("Cache-Control", "X-Content-Type-Options") }
        })
      )
  )
  .middleware(RateLimiting)
  .middleware(AccountAuthorization)
  .prefix("/v1")
  .annotateMerge(
    OpenApi.annotations({ description: "Extractions of the account that the key belongs to." })
  ) {}
