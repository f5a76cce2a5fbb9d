/** Batches: many submits that are quoted, debited and accepted together, and what can be done with them later. */
import * as Clock from "effect/Clock";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as Stream from "effect/Stream";
import type { Batch, ItemState } from "../../domain/run/Batch.ts";
import {
  batchCancelled,
  decideBatch,
  decideBatchName,
  decideBatchStatus,
  decideRetry,
  type BatchLine,
  type BatchRefused,
  type BatchResult,
  type BatchSubmit,
  type RetryRefused
} from "../../domain/run/BatchSubmission.ts";
import { readBatchBody } from "../../domain/run/BatchBody.ts";
import { pageOf, readCursor, type Page, type PageRequest } from "../../domain/request/Cursor.ts";
import { readKeyedRequest } from "../../domain/request/Idempotency.ts";
import { type InvalidRequest, NotFound, type Unauthorized } from "../../domain/request/Refusal.ts";
import { type Submitter, UNNAMED_SUBMITTER } from "../../domain/request/Requester.ts";
import { isJsonObject } from "../../domain/text/Json.ts";
import { SchemaLibrary } from "../../ports/SchemaLibrary.ts";
import { Store } from "../../ports/Store.ts";
import { enginePorts, type EnginePorts } from "../EnginePorts.ts";
import { promoteWaiting } from "../accounts/AccountPlans.ts";
import { EngineSettings } from "../EngineSettings.ts";
import { isId, makeId } from "../Ids.ts";
import { findMade, untilReusable } from "../extractions/Submit.ts";
import { Runs } from "../runs/Runs.ts";
import { expandListings } from "./BatchListings.ts";
import {
  failedLines,
  type LineInspection,
  makeLineInspections,
  quoteLines,
  readLines,
  type QuotedLine
} from "./BatchQuotes.ts";

/** A batch with its items in the order they were submitted. */
export interface BatchView {
  readonly batch: Batch;
  readonly items: ReadonlyArray<ItemState>;
}

/** Ends work before its debit once its submitter's access was revoked. */
export type WhileAllowed = <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E | Unauthorized, R>;

const always: WhileAllowed = (work) => work;

export class Batches extends Context.Service<
  Batches,
  {
    /**
     * Quotes every item, as they become known. Free; writes nothing.
     *
     * @fails InvalidRequest the list is missing, empty or too long
     */
    readonly quote: (
      accountId: string,
      body: unknown
    ) => Effect.Effect<Stream.Stream<QuotedLine>, InvalidRequest>;

    /**
     * Quotes every item, then debits what is acceptable at once and starts or queues it. Items that a single submit
     * would refuse are refused, and cost nothing.
     *
     * @fails InsufficientCredits the balance does not cover the accepted items; nothing is created
     * @fails InvalidRequest {reason: "price_above_limit"} they cost more than `maxCredits`; nothing is created
     */
    readonly create: (
      accountId: string,
      body: unknown,
      idempotencyKey: string | null,
      submitter?: Submitter,
      whileAllowed?: WhileAllowed
    ) => Effect.Effect<BatchResult, BatchRefused | NotFound | Unauthorized>;

    readonly get: (accountId: string, id: string) => Effect.Effect<BatchView, NotFound>;

    readonly list: (accountId: string, page: PageRequest) => Effect.Effect<Page<Batch>, InvalidRequest>;

    readonly rename: (accountId: string, id: string, name: string) => Effect.Effect<void, NotFound>;

    /** Items that have started go on; the others wait for {@link resume}. Over or cancelled: unchanged. */
    readonly pause: (accountId: string, id: string) => Effect.Effect<void, NotFound>;

    readonly resume: (accountId: string, id: string) => Effect.Effect<void, NotFound>;

    /** As engine/runs/Runs' cancelBatch. */
    readonly cancel: (accountId: string, id: string) => Effect.Effect<void, NotFound>;

    /**
     * Submits the failed items again, at today's price, in one debit.
     *
     * @fails Conflict a cancelled batch stays as it is
     */
    readonly retryFailed: (
      accountId: string,
      id: string,
      submitter?: Submitter,
      whileAllowed?: WhileAllowed
    ) => Effect.Effect<void, RetryRefused | Unauthorized>;
  }
>()("@winnow/core/engine/batches/Batches") {}

const noBatch = NotFound.of("batch");

/** In the order of the items. */
const collectLines = <E, R>(quoted: Stream.Stream<QuotedLine, E, R>) =>
  Effect.map(Stream.runCollect(quoted), (lines) => lines.toSorted((left, right) => left.index - right.index));

/** What the decisions about a new batch and about retries share. */
const submitOf = Effect.fnUntraced(function* (
  id: string,
  lines: ReadonlyArray<BatchLine>,
  submitter: Submitter
) {
  const { refundedTokensPerDayMax } = yield* EngineSettings;
  const nowMs = yield* Clock.currentTimeMillis;
  return { ...submitter, id, lines, nowMs, refundedTokensPerDayMax };
});

/** Of the one saved schema that these lines are read with, for the name of their batch. */
const schemaNameOf = Effect.fnUntraced(function* (accountId: string, lines: ReadonlyArray<BatchLine>) {
  const library = yield* SchemaLibrary;
  const ids = lines.flatMap(({ run }) => ("request" in run ? (run.request.schemaOrigin?.id ?? []) : []));
  const [id = "", other] = new Set(ids);
  const saved = other === undefined && isId("sch", id) ? yield* library.get(accountId, id) : Option.none();
  return Option.match(saved, { onNone: () => ({}), onSome: ({ name }) => ({ schemaName: name }) });
});

const create = Effect.fn("Batches.create")(function* (
  look: LineInspection,
  accountId: string,
  body: unknown,
  idempotencyKey: string | null,
  submitter = UNNAMED_SUBMITTER,
  whileAllowed: WhileAllowed = always
) {
  const store = yield* Store;
  // A repeat with another limit asks for the same batch.
  const compared = isJsonObject(body) ? { ...body, maxCredits: undefined } : body;
  const idempotency = yield* Effect.fromResult(readKeyedRequest(idempotencyKey, compared));
  const madeId = yield* findMade(accountId, idempotency, "batchId");
  if (madeId !== null) return { id: madeId, replayed: true };
  const { items, ...limit } = yield* Effect.fromResult(readBatchBody(body));
  const listed = yield* whileAllowed(expandListings(accountId, items));
  const id = yield* makeId("bat");
  const attempt = Effect.gen(function* () {
    const read = yield* readLines(accountId, listed);
    const lines = yield* whileAllowed(collectLines(quoteLines(accountId, read, look)));
    const named = yield* schemaNameOf(accountId, lines);
    const batch: BatchSubmit = {
      ...(yield* submitOf(id, lines, submitter)),
      ...limit,
      ...named,
      idempotency
    };
    return (yield* store.transact(accountId, decideBatch(batch))).value;
  });
  return yield* untilReusable(attempt);
});

const retryFailed = Effect.fn("Batches.retryFailed")(function* (
  look: LineInspection,
  accountId: string,
  id: string,
  submitter = UNNAMED_SUBMITTER,
  whileAllowed: WhileAllowed = always
) {
  const store = yield* Store;
  const batch = yield* Effect.mapError(
    Effect.fromOption(yield* store.getBatch(accountId, id)),
    () => noBatch
  );
  if (batch.status === "cancelled") return yield* batchCancelled();
  const items = yield* store.listBatchItems(accountId, id);
  const failed = items.filter(({ status }) => status === "failed");
  if (failed.length === 0) return;
  const lines = Stream.fromIterable(yield* failedLines(accountId, failed));
  const failedIds = new Map(failed.map(({ index, extractionId }) => [index, extractionId ?? ""]));
  const attempt = Effect.gen(function* () {
    const quoted = yield* whileAllowed(collectLines(quoteLines(accountId, lines, look)));
    const submit: BatchSubmit = { ...(yield* submitOf(id, quoted, submitter)), idempotency: null };
    yield* store.transact(accountId, decideRetry(submit, failedIds));
  });
  yield* untilReusable(attempt);
});

const make = Effect.gen(function* () {
  const ports = yield* enginePorts;
  const { known, anew } = yield* makeLineInspections;
  const store = yield* Store;
  const runs = yield* Runs;

  const existing = <A, E>(id: string, use: Effect.Effect<A, E>): Effect.Effect<A, E | NotFound> =>
    isId("bat", id) ? use : Effect.fail(noBatch);

  const setStatus = Effect.fnUntraced(function* (
    accountId: string,
    id: string,
    status: "running" | "paused"
  ) {
    const nowMs = yield* Clock.currentTimeMillis;
    yield* store.transact(accountId, decideBatchStatus(id, status, nowMs));
  });

  return Batches.of({
    quote: Effect.fn("Batches.quote")(function* (accountId, body) {
      const { items } = yield* Effect.fromResult(readBatchBody(body));
      const lines = yield* readLines(accountId, yield* expandListings(accountId, items));
      return Stream.provide(quoteLines(accountId, lines, known), ports);
    }, Effect.provide(ports)),
    create: (...given) => Effect.provide(create(known, ...given), ports),
    get: Effect.fn("Batches.get")(function* (accountId, id) {
      const batch = isId("bat", id) ? yield* store.getBatch(accountId, id) : Option.none();
      if (Option.isNone(batch)) return yield* noBatch;
      return { batch: batch.value, items: yield* store.listBatchItems(accountId, id) };
    }),
    list: Effect.fn("Batches.list")(function* (accountId, { limit, cursor }) {
      const after = yield* Effect.fromResult(readCursor(accountId, cursor, "batches"));
      const found = yield* store.listBatches(accountId, { after, limit: limit + 1 });
      return pageOf(found, limit, { accountId, list: "batches" });
    }),
    rename: (accountId, id, name) =>
      existing(id, Effect.asVoid(store.transact(accountId, decideBatchName(id, name)))),
    pause: (accountId, id) => existing(id, setStatus(accountId, id, "paused")),
    // What may start now is seen by the decisions after this one.
    resume: (accountId, id) =>
      existing(
        id,
        Effect.andThen(setStatus(accountId, id, "running"), Effect.provide(promoteWaiting(accountId), ports))
      ),
    cancel: (accountId, id) => existing(id, runs.cancelBatch(accountId, id)),
    retryFailed: (accountId, id, ...by) =>
      existing(id, Effect.provide(retryFailed(anew, accountId, id, ...by), ports))
  });
});

export const layer: Layer.Layer<Batches, never, EnginePorts | Runs> = Layer.effect(Batches, make);
