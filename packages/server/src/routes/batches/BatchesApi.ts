/** Endpoints of batches: many submits that are quoted, debited and accepted together. */
import * as Schema from "effect/Schema";
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint";
import * as HttpApiGroup from "effect/http-api/HttpApiGroup";
import * as HttpApiSchema from "effect/http-api/HttpApiSchema";
import * as OpenApi from "effect/http-api/OpenApi";
import { BatchStatus, ItemError } from "@winnow/core/domain/run/Batch";
import { NAME_CHARS_MAX, NameText } from "@winnow/core/domain/text/NameText";
import { Credits } from "@winnow/core/domain/money/Credits";
import { ExtractionStatus } from "@winnow/core/domain/run/Transition";
import { WireRange } from "@winnow/core/domain/source/TimeRange";
import {
  BODY_ERRORS,
  Busy,
  Conflict,
  InsufficientCredits,
  InvalidRequest,
  NotFound,
  RateLimited
} from "../../http/ApiErrors.ts";
import {
  AccountAuthorization,
  EndpointLimit,
  RateLimiting
} from "../../http/authentication/Authorization.ts";
import { Usd } from "../extractions/PriceWire.ts";
import { BatchBody, Count } from "./BatchWire.ts";
import {
  DateTime,
  described,
  domainFields,
  field,
  fromCore,
  documentedResponses,
  headers,
  pageSchema,
  titled,
  TextOrNull
} from "../../http/openapi/described.ts";
import { idempotencyHeaders, PAGE_QUERY, pathId } from "../../http/parameters.ts";
import { JsonBody } from "../../http/JsonBody.ts";

const BatchCounts = described(
  "BatchCounts",
  "How many items are in which state; accepted ones are running, complete or failed.",
  {
    total: field(Count, "All items.", 2),
    accepted: field(Count, "Items that became extractions.", 1),
    refused: field(Count, "Items that a single submit would refuse; they cost nothing.", 1),
    reused: field(Count, "Accepted items whose result was reused, free of charge.", 0),
    running: field(Count, "Accepted items that have not ended, including those that wait.", 1),
    complete: field(Count, "Complete extractions.", 0),
    failed: field(Count, "Failed extractions; refunded in full.", 0)
  }
);

const BatchItemError = described(
  "BatchItemError",
  "Why an item was refused: the error that a single submit would get.",
  domainFields(ItemError.fields, {
    code: "As in errors of the API.",
    message: "For people; may change.",
    details: "Structured context."
  })
);

/** What tells items apart. */
const place = {
  index: field(Count, "Position in the list, from 0; what a listing lists stands in its place."),
  url: field(Schema.String, "As submitted or listed."),
  range: field(Schema.optionalKey(WireRange), "The stretch that is asked of it; absent for the whole.")
};

const BatchItem = described("BatchItem", "One line of a batch.", {
  ...place,
  id: field(TextOrNull, "Id of the extraction; null if the item was refused."),
  status: field(
    Schema.NullOr(ExtractionStatus),
    "Status of the extraction; null if the item was refused or its extraction was deleted."
  ),
  error: field(Schema.NullOr(BatchItemError), "Null unless the item was refused."),
  creditsDebited: field(Credits, "Its part of the debit.")
}).pipe(fromCore({ id: "extractionId" }));

const shared = {
  id: field(Schema.String, "Id of the batch.", "bat_01hzx3"),
  name: field(Schema.String, "As given, or made of its hosts and schema.", "video.example and 1 more"),
  status: field(
    BatchStatus,
    "`running`; `paused`: what has not started waits; `complete`: every item has ended; `cancelled`: what had not " +
      "ended was cancelled and refunded.",
    "running"
  ),
  counts: field(BatchCounts, "Items by state."),
  creditsDebited: field(Credits, "Debited for all accepted items together.", 230),
  creditsRefunded: field(Credits, "Refunded so far.", 0),
  createdAt: field(DateTime, "When it was accepted.", "2026-11-21T08:00:00.000Z"),
  completedAt: field(Schema.NullOr(DateTime), "When its last item ended; null until then.", null)
};

const names = { createdAt: "createdAtMs", completedAt: "completedAtMs" } as const;

export const BatchSummary = described("BatchSummary", "A batch without its items.", shared).pipe(
  fromCore(names)
);

export const Batch = described("Batch", "A batch with its items in the order they were submitted.", {
  ...shared,
  items: field(Schema.Array(BatchItem), "Every item, refused ones included.", [
    {
      index: 0,
      url: "https://video.example/watch/42",
      id: "ext_01hzx3",
      status: "running",
      error: null,
      creditsDebited: 230
    },
    {
      index: 1,
      url: "ftp://files.example/a",
      id: null,
      status: null,
      error: { code: "unsupported_url", message: "Only http and https are supported." },
      creditsDebited: 0
    }
  ])
}).pipe(fromCore(names));

export const BatchChangeBody = described(
  "BatchChangeBody",
  "What to change of a batch. Unknown fields are rejected.",
  {
    name: field(NameText, `New name, of at most ${NAME_CHARS_MAX} characters.`, "Recipes of November")
  }
);

export const BatchPage = pageSchema("BatchPage", "One page of batches.", BatchSummary);

export const BatchQuoteLine = described("BatchQuoteLine", "The quote of one item.", {
  ...place,
  title: field(TextOrNull, "Title of the content; null while unknown."),
  credits: field(Schema.NullOr(Credits), "What it costs; null if it would be refused."),
  cached: field(Schema.Boolean, "Whether a recent identical result would be reused, free of charge."),
  error: field(Schema.NullOr(BatchItemError), "Why it would be refused; else null.")
});
export type BatchQuoteLine = typeof BatchQuoteLine.Type;

export const BatchQuoteTotal = described("BatchQuoteTotal", "The last line of a quote.", {
  credits: field(Credits, "What the same body costs now."),
  usd: field(Usd, "The same in USD."),
  accepted: field(Count, "Items that would be accepted."),
  refused: field(Count, "Items that would be refused.")
});
export type BatchQuoteTotal = typeof BatchQuoteTotal.Type;

const batchId = pathId("batch", "bat_01hzx3");
const submits: EndpointLimit = { bucket: "batch", limit: "submitsPerMinute" };

const ErrorsOfCreate = [...BODY_ERRORS, InsufficientCredits, NotFound, Conflict, RateLimited, Busy] as const;

/** Each line. */
const QuoteStream = Schema.Union([BatchQuoteLine, BatchQuoteTotal]).pipe(
  HttpApiSchema.asJson({ contentType: "application/x-ndjson" })
);

const QUOTE_LINES =
  "A line for each item, as they become known, then one with the total; every line is a JSON object.";

const change = <const Name extends string, const Action extends string>(
  name: Name,
  action: Action,
  summary: string,
  description: string
) =>
  HttpApiEndpoint.post(name, `/batches/:id/${action}`, {
    params: { id: batchId },
    success: Batch,
    error: NotFound
  }).annotateMerge(titled(summary, description, { call: `batches.${action}` }));

export class BatchesApi extends HttpApiGroup.make("batches")
  .add(
    HttpApiEndpoint.post("createBatch", "/batches", {
      headers: idempotencyHeaders("Requests with the same key and body are charged once."),
      payload: BatchBody,
      success: [
        Batch.pipe(HttpApiSchema.status(201)),
        HttpApiSchema.WithHeaders(Batch, { "idempotent-replayed": Schema.Literal("true") }).pipe(
          HttpApiSchema.status(200)
        )
      ],
      error: ErrorsOfCreate
    })
      .annotate(EndpointLimit, submits)
      .annotateMerge(
        titled(
          "Create a batch",
          "Quotes every item, debits what is accepted at once, and starts or queues it. Items that a single submit " +
            "would refuse are refused and cost nothing. Items are ordinary extractions; they do not count as submits, " +
            "and single submits do not wait for them.",
          { call: "batches.create" }
        )
      )
      .annotateMerge(
        documentedResponses({
          201: { description: "The batch was created." },
          200: { description: "A replay: nothing was created or charged." }
        })
      ),
    HttpApiEndpoint.post("quoteBatch", "/batches/quote", {
      payload: BatchBody,
      success: QuoteStream,
      error: BODY_ERRORS
    })
      .annotate(EndpointLimit, submits)
      .annotateMerge(
        titled(
          "Quote a batch",
          "Inspects every URL and streams what each item costs. Starts nothing and is free.",
          { call: "batches.quote" }
        )
      )
      .annotateMerge(
        documentedResponses({
          200: {
            headers: headers("Cache-Control", "X-Accel-Buffering"),
            description: QUOTE_LINES
          }
        })
      ),
    HttpApiEndpoint.get("listBatches", "/batches", {
      query: PAGE_QUERY,
      success: BatchPage,
      error: InvalidRequest
    }).annotateMerge(titled("List batches", "Newest first, without their items.", { call: "batches.page" })),
    HttpApiEndpoint.get("getBatch", "/batches/:id", {
      params: { id: batchId },
      success: Batch,
      error: NotFound
    })
      .annotate(EndpointLimit, { bucket: "extraction", limit: "readsPerMinute" })
      .annotateMerge(titled("Get a batch", "With every item and its state.", { call: "batches.get" })),
    HttpApiEndpoint.patch("changeBatch", "/batches/:id", {
      params: { id: batchId },
      payload: BatchChangeBody,
      success: Batch,
      error: NotFound
    })
      .middleware(JsonBody)
      .annotateMerge(titled("Change a batch", "Gives it another name.", { call: "batches.update" })),
    change("pauseBatch", "pause", "Pause a batch", "What has started goes on; everything else waits."),
    change("resumeBatch", "resume", "Resume a batch", "Continues a paused batch."),
    change(
      "cancelBatch",
      "cancel",
      "Cancel a batch",
      "Cancels every item that has not ended, with its refund. Results that exist remain."
    ),
    HttpApiEndpoint.post("retryFailedItems", "/batches/:id/retry-failed", {
      params: { id: batchId },
      success: Batch,
      error: [InvalidRequest, NotFound, InsufficientCredits, Conflict, RateLimited, Busy]
    })
      .annotate(EndpointLimit, submits)
      .annotateMerge(
        titled(
          "Retry the failed items",
          "Submits every failed item again, at its price now and in one debit. Each gets a new extraction in its place.",
          { call: "batches.retryFailed", retry: false }
        )
      )
  )
  .middleware(RateLimiting)
  .middleware(AccountAuthorization)
  .prefix("/v1")
  .annotateMerge(
    OpenApi.annotations({ description: "Many submits together, with one price and one debit." })
  ) {}
