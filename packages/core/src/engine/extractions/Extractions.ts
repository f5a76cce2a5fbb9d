/** Submitting extractions and reading their state and results. engine/runs/Worker executes them. */
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import type { SubmitRefused, SubmitResult } from "../../domain/run/Submission.ts";
import {
  encodeCursor,
  pageOf,
  readCursor,
  type Page,
  type PageRequest
} from "../../domain/request/Cursor.ts";
import type { Artifact, Extraction } from "../../domain/run/Extraction.ts";
import { type ExtractionFilter, isFiltered, NO_FILTER } from "../../domain/result/ExtractionList.ts";
import { countToCheck, resultRow } from "../../domain/result/ResultRow.ts";
import { type Busy, type InvalidRequest, NotFound } from "../../domain/request/Refusal.ts";
import { type Submitter, UNNAMED_SUBMITTER } from "../../domain/request/Requester.ts";
import type { BodyRefused } from "../../domain/run/SubmitBody.ts";
import type { ArtifactKey } from "../../ports/ArtifactStore.ts";
import { Store } from "../../ports/Store.ts";
import { enginePorts, type EnginePorts } from "../EnginePorts.ts";
import { isId } from "../Ids.ts";
import { submit } from "./Submit.ts";

/** A page of the list, of all extractions without a filter. */
export interface ExtractionQuery extends PageRequest {
  readonly filter?: ExtractionFilter;
}

/** A file of a complete run and the location of its bytes. */
export interface StoredFile {
  readonly artifact: Artifact;
  readonly key: ArtifactKey;
}

export class Extractions extends Context.Service<
  Extractions,
  {
    /**
     * Inspects the source, then debits and starts, queues, reuses or replays in one transaction.
     *
     * @fails NotFound the schema of `schemaId`, or the account
     */
    readonly submit: (
      accountId: string,
      body: unknown,
      idempotencyKey: string | null,
      submitter?: Submitter
    ) => Effect.Effect<SubmitResult, BodyRefused | SubmitRefused | Busy | NotFound>;

    /** When an earlier request with this key created its extraction or batch; null if none did or it was deleted. */
    readonly submittedAtMs: (accountId: string, idempotencyKey: string) => Effect.Effect<number | null>;

    readonly get: (accountId: string, id: string) => Effect.Effect<Extraction, NotFound>;

    /** @fails InvalidRequest {param: "cursor"} */
    readonly list: (
      accountId: string,
      query: ExtractionQuery
    ) => Effect.Effect<Page<Extraction>, InvalidRequest>;

    /** What lists tell beside the extractions themselves, by id. Costs nothing if there is nothing to tell. */
    readonly remarks: (
      accountId: string,
      extractions: ReadonlyArray<Extraction>
    ) => Effect.Effect<ReadonlyMap<string, Remarks>>;

    /** @fails NotFound no such extraction, not complete, or no such file among its artifacts */
    readonly openFile: (accountId: string, id: string, name: string) => Effect.Effect<StoredFile, NotFound>;
  }
>()("@winnow/core/engine/extractions/Extractions") {}

/** @fails NotFound the extraction is not complete, or has no such file among its artifacts */
export const fileOf = (
  { status, result }: Pick<Extraction, "status" | "result">,
  name: string
): Effect.Effect<StoredFile, NotFound> => {
  const artifact = result?.artifacts.find((each) => each.name === name);
  return status !== "complete" || result === null || artifact === undefined
    ? Effect.fail(NotFound.of("file"))
    : Effect.succeed({ artifact, key: { ...result.artifactOwner, name } });
};

/** Beside an extraction in lists. */
export interface Remarks {
  /** Its place among those that wait for a slot (ports/Store's findQueuePositions). */
  readonly queuePosition?: number;
  /** As `countToCheck` counts them; absent if there are none. */
  readonly valuesToCheck?: number;
  /** Of the batch that it is an item of. */
  readonly batchName?: string;
}

const makeRemarks = (store: Store["Service"]): Extractions["Service"]["remarks"] =>
  Effect.fn("Extractions.remarks")(function* (accountId, extractions) {
    const waiting = extractions.filter(({ status }) => status === "queued").map(({ id }) => id);
    const places = waiting.length === 0 ? null : yield* store.findQueuePositions(accountId, waiting);
    const rows = extractions
      .flatMap((each) => resultRow(each, {}) ?? [])
      .filter((row) => countToCheck(row) > 0);
    const ids = rows.map(({ extractionId }) => extractionId);
    const corrections = ids.length === 0 ? null : yield* store.findCorrections(accountId, ids);
    const batchIds = [...new Set(extractions.flatMap(({ batchId }) => batchId ?? []))];
    const batches = yield* Effect.forEach(batchIds, (id) => store.getBatch(accountId, id));
    const names = new Map(
      batches.flatMap((batch) => Option.toArray(batch)).map(({ id, name }) => [id, name])
    );
    const remarks = new Map<string, Remarks>();
    const add = (id: string, more: Remarks) => remarks.set(id, { ...remarks.get(id), ...more });
    for (const { id, batchId } of extractions) {
      const batchName = names.get(batchId ?? "");
      if (batchName !== undefined) add(id, { batchName });
    }
    for (const [id, queuePosition] of places ?? []) add(id, { queuePosition });
    for (const row of rows) {
      const { extractionId: id } = row;
      const valuesToCheck = countToCheck({ ...row, corrections: corrections?.get(id) ?? {} });
      if (valuesToCheck > 0) add(id, { valuesToCheck });
    }
    return remarks;
  });

const make = Effect.gen(function* () {
  const ports = yield* enginePorts;
  const store = yield* Store;

  // Called on every poll: skipping the call-site trace halves the cost of the span.
  const get = Effect.fnUntraced(function* (accountId: string, id: string) {
    const extraction = isId("ext", id) ? yield* store.getExtraction(accountId, id) : Option.none();
    return yield* Effect.mapError(Effect.fromOption(extraction), () => NotFound.of("extraction"));
  }, Effect.withSpan("Extractions.get"));

  return Extractions.of({
    submit: (accountId, body, idempotencyKey, submitter = UNNAMED_SUBMITTER) =>
      Effect.provide(submit(accountId, body, idempotencyKey, submitter), ports),
    submittedAtMs: Effect.fn("Extractions.submittedAtMs")(function* (accountId, key) {
      const record = Option.getOrNull(yield* store.getIdempotency(accountId, key));
      const { extractionId = null, batchId = null } = record ?? {};
      const made =
        batchId === null
          ? Option.getOrNull(yield* store.getExtraction(accountId, extractionId ?? ""))
          : Option.getOrNull(yield* store.getBatch(accountId, batchId));
      return made?.createdAtMs ?? null;
    }),
    get,
    list: Effect.fn("Extractions.list")(function* (accountId, { limit, cursor, filter = NO_FILTER }) {
      const after = yield* Effect.fromResult(readCursor(accountId, cursor, "extractions"));
      const page = { after, limit: limit + 1 };
      const { extractions, searchedTo } = isFiltered(filter)
        ? yield* store.searchExtractions(accountId, { ...page, filter })
        : { extractions: yield* store.listExtractions(accountId, page), searchedTo: null };
      const found = pageOf(extractions, limit, { accountId, list: "extractions" });
      const further = searchedTo === null ? null : encodeCursor(accountId, searchedTo);
      return { ...found, nextCursor: found.nextCursor ?? further };
    }),
    remarks: makeRemarks(store),
    openFile: Effect.fn("Extractions.openFile")(function* (accountId, id, name) {
      return yield* fileOf(yield* get(accountId, id), name);
    })
  });
});

export const layer: Layer.Layer<Extractions, never, EnginePorts> = Layer.effect(Extractions, make);
