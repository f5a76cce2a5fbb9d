/**
 * Endpoints of batches: many submits that are quoted, debited and accepted together.
 */
import * as Schema from "effect/Schema";
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint";
import * as HttpApiGroup from "effect/http-api/HttpApiGroup";
import * as HttpApiSchema from "effect/http-api/HttpApiSchema";
import * as OpenApi from "effect/http-api/OpenApi";
import { BatchStatus, ItemError, BATCH_NAME_CHARS_MAX, BatchName } from "@winnow/core/domain/run/Batch";
import { Credits } from "@winnow/core/domain/money/Credits";
import { ExtractionStatus } from "@winnow/core/domain/run/Transition";
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
  titled
} from "../../http/openapi/described.ts";
import { idempotencyHeaders, PAGE_QUERY, pathId } from "../../http/parameters.ts";
import { JsonBody } from "../../http/JsonBody.ts";

const counts = { total: 2, accepted: 1, refused: 1, reused: 0, running: 1, complete: 0, failed: 0 };

const BatchCounts = described(
  {
    total: field(Count, "All items."),
    accepted: field(Count, "Items that became extractions."),
    refused: field(Count, "Items that a single submit would refuse; they cost nothing."),
    reused: field(Count, "Accepted items whose result was reused, free of charge."),
    running: field(Count, "Accepted items that have not ended, including those that wait."),
    complete: field(Count, "Complete extractions."),
    failed: field(Count, "Failed extractions; refunded in full.")
  },
  {
    identifier: "BatchCounts",
    description: "How many items are in which state; accepted ones are running, complete or failed.",
    examples: [counts]
  }
);

const BatchItemError = described(
  domainFields(ItemError.fields, {
    code: "As in errors of the API.",
    message: "For people; may change.",
    details: "Structured context."
  }),
  {
    identifier: "BatchItemError",
    description: "Why an item was refused: the error that a single submit would get."
  }
);

const BatchItem = described(
  {
    index: field(Count, "Position in the list, from 0; what a listing lists stands in its place."),
    url: field(Schema.String, "As submitted or listed."),
    id: field(Schema.NullOr(Schema.String), "Id of the extraction; null if the item was refused."),
    status: field(
      Schema.NullOr(ExtractionStatus),
      "Status of the extraction; null if the item was refused or its extraction was deleted."
    ),
    error: field(Schema.NullOr(BatchItemError), "Null unless the item was refused."),
    creditsDebited: field(Credits, "Its part of the debit.")
  },
  {
    identifier: "BatchItem",
    description: "One line of a batch."
  }
).pipe(fromCore({ id: "extractionId" }));

const shared = {
  id: field(Schema.String, "Id of the batch."),
  name: field(Schema.String, "As given, or made of its hosts and schema."),
  status: field(
    BatchStatus,
    "`running`; `paused`: what has not started waits; `complete`: every item has ended; `cancelled`: what had not " +
      "ended was cancelled and refunded."
  ),
  counts: field(BatchCounts, "Items by state."),
  creditsDebited: field(Credits, "Debited for all accepted items together."),
  creditsRefunded: field(Credits, "Refunded so far."),
  createdAt: field(DateTime, "When it was accepted."),
  completedAt: field(Schema.NullOr(DateTime), "When its last item ended; null until then.")
};

const names = { createdAt: "createdAtMs", completedAt: "completedAtMs" } as const;

const example = {
  id: "bat_01hzx3",
  name: "video.example and 1 more",
  status: "running",
  counts,
  creditsDebited: 230,
  creditsRefunded: 0,
  createdAt: "2026-11-21T08:00:00.000Z",
  completedAt: null
};

export const BatchSummary = described(shared, {
  identifier: "BatchSummary",
  description: "A batch without its items.",
  examples: [example]
}).pipe(fromCore(names));

export const Batch = described(
  { ...shared, items: field(Schema.Array(BatchItem), "Every item, refused ones included.") },
  {
    identifier: "Batch",
    description: "A batch with its items in the order they were submitted.",
    examples: [
      {
        ...example,
        items: [
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
        ]
      }
    ]
  }
).pipe(fromCore(names));

export const BatchChangeBody = described(
  { name: field(BatchName, `New name, of at most ${BATCH_NAME_CHARS_MAX} characters.`) },
  {
    identifier: "BatchChangeBody",
    description: "What to change of a batch. Unknown fields are rejected.",
    examples: [{ name: "Recipes of November" }]
  }
);

export const BatchPage = pageSchema(BatchSummary, {
  identifier: "BatchPage",
  description: "One page of batches.",
  example
});

export const BatchQuoteLine = described(
  {
    index: field(Count, "Position in the list, from 0; what a listing lists stands in its place."),
    url: field(Schema.String, "As submitted or listed."),
    title: field(Schema.NullOr(Schema.String), "Title of the content; null while unknown."),
    credits: field(Schema.NullOr(Credits), "What it costs; null if it would be refused."),
    cached: field(Schema.Boolean, "Whether a recent identical result would be reused, free of charge."),
    error: field(Schema.NullOr(BatchItemError), "Why it would be refused; else null.")
  },
  {
    identifier: "BatchQuoteLine",
    description: "The quote of one item."
  }
);
export type BatchQuoteLine = typeof BatchQuoteLine.Type;

export const BatchQuoteTotal = described(
  {
    credits: field(Credits, "What the same body costs now."),
    usd: field(Usd, "The same in USD."),
    accepted: field(Count, "Items that would be accepted."),
    refused: field(Count, "Items that would be refused.")
  },
  {
    identifier: "BatchQuoteTotal",
    description: "The last line of a quote."
  }
);
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
