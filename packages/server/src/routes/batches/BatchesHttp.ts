/**
 * Handlers of batches.
 */
import { BATCH_BODY_BYTES_MAX, countsOf, type Batch } from "@winnow/core/domain/run/Batch";
import type { QuotedLine } from "@winnow/core/engine/batches/BatchQuotes";
import { Batches, type BatchView } from "@winnow/core/engine/batches/Batches";
import { creditsToUsd } from "@winnow/core/domain/money/Credits";
import * as Effect from "effect/Effect";
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder";
import * as HttpApiSchema from "effect/http-api/HttpApiSchema";
import type { HttpServerRequest } from "effect/http/HttpServerRequest";
import * as HttpServerResponse from "effect/http/HttpServerResponse";
import * as Stream from "effect/Stream";
import type * as Wire from "./BatchesApi.ts";
import { BatchesApi } from "./BatchesApi.ts";
import { apiOf, pageBody, setResponseHeaders } from "../../http/handlers.ts";
import type { PageQuery } from "../../http/parameters.ts";
import { Principal } from "../../http/authentication/Authorization.ts";
import { bytesWhileLive, workWhileLive } from "../../http/authentication/whileLive.ts";
import { OpenDownloads } from "../../http/limits/OpenDownloads.ts";
import { jsonLine } from "../../http/jsonLine.ts";
import { readJson } from "../../http/JsonBody.ts";

const summary = (batch: Batch) => ({ ...batch, counts: countsOf(batch) });

const batchBody = ({ batch, items }: BatchView) => ({ ...summary(batch), items });

const quoteLine = ({ index, url, run, title, credits, cached }: QuotedLine): Wire.BatchQuoteLine => ({
  index,
  url,
  title,
  credits,
  cached,
  error: "request" in run ? null : run
});

const total = (credits: number, accepted: number, refused: number): Wire.BatchQuoteTotal => ({
  credits,
  usd: creditsToUsd(credits),
  accepted,
  refused
});

/** The lines as they come, then their sum. */
const quoteText = (lines: Stream.Stream<QuotedLine>): Stream.Stream<string> =>
  Stream.suspend(() => {
    const sum = { credits: 0, accepted: 0, refused: 0 };
    const texts = Stream.map(lines, (line) => {
      if (line.credits === null) sum.refused += 1;
      else sum.accepted += 1;
      sum.credits += line.credits ?? 0;
      return `${jsonLine(quoteLine(line))}\n`;
    });
    const last = Stream.suspend(() =>
      Stream.make(`${jsonLine(total(sum.credits, sum.accepted, sum.refused))}\n`)
    );
    return Stream.concat(texts, last);
  });

const make = Effect.gen(function* () {
  const batches = yield* Batches;
  const downloads = yield* OpenDownloads;

  const get = Effect.fn("http.getBatch")(function* (id: string) {
    const { accountId } = yield* Principal;
    return batchBody(yield* batches.get(accountId, id));
  });

  const create = Effect.fn("http.createBatch")(function* (request: HttpServerRequest) {
    const { accountId, ...submitter } = yield* Principal;
    yield* downloads.open;
    const body = yield* readJson(request, BATCH_BODY_BYTES_MAX);
    const key = request.headers["idempotency-key"] ?? null;
    const whileLive = workWhileLive(submitter.isLive);
    const { id, replayed } = yield* batches.create(accountId, body, key, submitter, whileLive);
    const response = batchBody(yield* batches.get(accountId, id));
    return replayed
      ? HttpApiSchema.withHeaders({ body: response, headers: { "idempotent-replayed": "true" as const } })
      : response;
  });

  const quote = Effect.fn("http.quoteBatch")(function* (request: HttpServerRequest) {
    const { accountId, isLive } = yield* Principal;
    yield* downloads.open;
    const body = yield* readJson(request, BATCH_BODY_BYTES_MAX);
    const lines = yield* batches.quote(accountId, body);
    yield* setResponseHeaders({ "cache-control": "no-store", "x-accel-buffering": "no" });
    const bytes = Stream.encodeText(quoteText(lines));
    return HttpServerResponse.stream(bytesWhileLive(bytes, isLive), { contentType: "application/x-ndjson" });
  });

  const list = Effect.fn("http.listBatches")(function* (query: PageQuery) {
    const { accountId } = yield* Principal;
    const page = yield* batches.list(accountId, query);
    return pageBody({ ...page, rows: page.rows.map(summary) });
  });

  const rename = Effect.fn("http.changeBatch")(function* (id: string, name: string) {
    const { accountId } = yield* Principal;
    yield* batches.rename(accountId, id, name);
    return batchBody(yield* batches.get(accountId, id));
  });

  const change = (action: "pause" | "resume" | "cancel") =>
    Effect.fn(`http.${action}Batch`)(function* (id: string) {
      const { accountId } = yield* Principal;
      yield* batches[action](accountId, id);
      return batchBody(yield* batches.get(accountId, id));
    });

  const retryFailed = Effect.fn("http.retryFailedItems")(function* (id: string) {
    const { accountId, ...submitter } = yield* Principal;
    yield* downloads.open;
    yield* batches.retryFailed(accountId, id, submitter, workWhileLive(submitter.isLive));
    return batchBody(yield* batches.get(accountId, id));
  });

  return {
    get,
    create,
    quote,
    list,
    rename,
    pause: change("pause"),
    resume: change("resume"),
    cancel: change("cancel"),
    retryFailed
  };
});

export const layer = HttpApiBuilder.group(apiOf(BatchesApi), "batches", (handlers) =>
  Effect.map(make, ({ get, create, quote, list, rename, pause, resume, cancel, retryFailed }) =>
    handlers
      // Raw: larger than other bodies, and each item is judged by itself, once it is known to be no replay.
      .handleRaw("createBatch", ({ request }) => create(request))
      .handleRaw("quoteBatch", ({ request }) => quote(request))
      .handle("listBatches", ({ query }) => list(query))
      .handle("getBatch", ({ params }) => get(params.id))
      .handle("changeBatch", ({ params, payload }) => rename(params.id, payload.name))
      .handle("pauseBatch", ({ params }) => pause(params.id))
      .handle("resumeBatch", ({ params }) => resume(params.id))
      .handle("cancelBatch", ({ params }) => cancel(params.id))
      .handle("retryFailedItems", ({ params }) => retryFailed(params.id))
  )
);
