/** Handlers of batches. Tests: batches.test.ts, revocation.test.ts. */
import { BATCH_BODY_BYTES_MAX, countsOf, type Batch } from "@winnow/core/domain/run/Batch";
import type { QuotedLine } from "@winnow/core/engine/batches/BatchQuotes";
import { Batches, type BatchView } from "@winnow/core/engine/batches/Batches";
import { creditsToUsd } from "@winnow/core/domain/money/Credits";
import * as Effect from "effect/Effect";
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder";
import type { HttpServerRequest } from "effect/http/HttpServerRequest";
import * as HttpServerResponse from "effect/http/HttpServerResponse";
import * as Stream from "effect/Stream";
import type * as Wire from "./BatchesApi.ts";
import { BatchesApi } from "./BatchesApi.ts";
import { apiOf, pageBody, replayable, setResponseHeaders } from "../../http/handlers.ts";
import { Principal } from "../../http/authentication/Authorization.ts";
import { bytesWhileLive, workWhileLive } from "../../http/authentication/whileLive.ts";
import { OpenDownloads } from "../../http/limits/OpenDownloads.ts";
import { jsonLine } from "../../http/jsonLine.ts";
import { readJson } from "../../http/JsonBody.ts";

const summary = (batch: Batch) => ({ ...batch, counts: countsOf(batch) });

const batchBody = ({ batch, items }: BatchView) => ({ ...summary(batch), items });

const quoteLine = ({ run, ...line }: QuotedLine): Wire.BatchQuoteLine => ({
  ...line,
  error: "request" in run ? null : run
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
    const last = Stream.suspend(() => {
      const total: Wire.BatchQuoteTotal = { ...sum, usd: creditsToUsd(sum.credits) };
      return Stream.make(`${jsonLine(total)}\n`);
    });
    return Stream.concat(texts, last);
  });

export const layer = HttpApiBuilder.group(
  apiOf(BatchesApi),
  "batches",
  Effect.fnUntraced(function* (handlers) {
    const batches = yield* Batches;
    const downloads = yield* OpenDownloads;

    const view = (accountId: string, id: string) => Effect.map(batches.get(accountId, id), batchBody);

    /** Does something with a batch, and answers what it is then. */
    const after = <A, E, R>(id: string, act: (accountId: string) => Effect.Effect<A, E, R>) =>
      Principal.use(({ accountId }) => Effect.andThen(act(accountId), view(accountId, id)));

    const create = Effect.fnUntraced(function* (request: HttpServerRequest) {
      const { accountId, ...submitter } = yield* Principal;
      yield* downloads.open;
      const body = yield* readJson(request, BATCH_BODY_BYTES_MAX);
      const key = request.headers["idempotency-key"] ?? null;
      const whileLive = workWhileLive(submitter.isLive);
      const { id, replayed } = yield* batches.create(accountId, body, key, submitter, whileLive);
      return replayable(yield* view(accountId, id), replayed);
    });

    const quote = Effect.fnUntraced(function* (request: HttpServerRequest) {
      const { accountId, isLive } = yield* Principal;
      yield* downloads.open;
      const body = yield* readJson(request, BATCH_BODY_BYTES_MAX);
      const lines = yield* batches.quote(accountId, body);
      yield* setResponseHeaders({ "cache-control": "no-store", "x-accel-buffering": "no" });
      const bytes = Stream.encodeText(quoteText(lines));
      return HttpServerResponse.stream(bytesWhileLive(bytes, isLive), {
        contentType: "application/x-ndjson"
      });
    });

    const retryFailed = Effect.fnUntraced(function* (id: string) {
      const { accountId, ...submitter } = yield* Principal;
      yield* downloads.open;
      yield* batches.retryFailed(accountId, id, submitter, workWhileLive(submitter.isLive));
      return yield* view(accountId, id);
    });

    return (
      handlers
        // Raw: larger than other bodies, and each item is judged by itself, once it is known to be no replay.
        .handleRaw("createBatch", ({ request }) => create(request))
        .handleRaw("quoteBatch", ({ request }) => quote(request))
        .handle("listBatches", ({ query }) =>
          Principal.use(({ accountId }) =>
            Effect.map(batches.list(accountId, query), (page) =>
              pageBody({ ...page, rows: page.rows.map(summary) })
            )
          )
        )
        .handle("getBatch", ({ params }) => Principal.use(({ accountId }) => view(accountId, params.id)))
        .handle("changeBatch", ({ params: { id }, payload }) =>
          after(id, (accountId) => batches.rename(accountId, id, payload.name))
        )
        .handle("pauseBatch", ({ params: { id } }) => after(id, (accountId) => batches.pause(accountId, id)))
        .handle("resumeBatch", ({ params: { id } }) =>
          after(id, (accountId) => batches.resume(accountId, id))
        )
        .handle("cancelBatch", ({ params: { id } }) =>
          after(id, (accountId) => batches.cancel(accountId, id))
        )
        .handle("retryFailedItems", ({ params }) => retryFailed(params.id))
    );
  })
);
