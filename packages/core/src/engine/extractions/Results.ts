/** The values of many runs: listed, streamed and corrected. Tests: the server's results.test.ts. */
import * as Clock from "effect/Clock";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as Stream from "effect/Stream";
import {
  encodeCursor,
  PAGE_BYTES,
  pageOf,
  readCursor,
  type CursorPosition,
  type Page,
  type PageRequest
} from "../../domain/request/Cursor.ts";
import { InvalidRequest, NotFound } from "../../domain/request/Refusal.ts";
import { NO_FILTER, type ExtractionFilter } from "../../domain/result/ExtractionList.ts";
import {
  correctedValues,
  CORRECTIONS_MAX,
  hasSupport,
  isCorrectable,
  resultRow,
  type Support,
  type Corrections,
  type ResultRow
} from "../../domain/result/ResultRow.ts";
import type { Extraction } from "../../domain/run/Extraction.ts";
import { isJsonObject } from "../../domain/text/Json.ts";
import { CurrentRun, runFor } from "../../ports/CurrentRun.ts";
import { provenFaults, SchemaChecker } from "../../ports/SchemaChecker.ts";
import { Store } from "../../ports/Store.ts";
import { Extractions } from "./Extractions.ts";

/** Null disables a condition. */
export interface ResultFilter extends Pick<ExtractionFilter, "schemaId" | "batchId" | "sinceMs"> {
  /** Only rows with a value of this support. */
  readonly support: Support | null;
}

/** Rows that a stream reads at once. */
const STREAM_PAGE = 100;

export class Results extends Context.Service<
  Results,
  {
    /** @fails InvalidRequest {param: "cursor"} */
    readonly list: (
      accountId: string,
      query: PageRequest & { readonly filter: ResultFilter }
    ) => Effect.Effect<Page<ResultRow>, InvalidRequest>;

    /** All rows, newest first, read as they are consumed. */
    readonly stream: (accountId: string, filter: ResultFilter) => Stream.Stream<ResultRow>;

    /**
     * The schema that all rows share, or the first two of several; none without rows. One that was generated is the id
     * of the saved one.
     */
    readonly sharedSchemas: (
      accountId: string,
      filter: ResultFilter
    ) => Effect.Effect<ReadonlyArray<unknown>>;

    /**
     * Keeps corrected values beside the original ones, in place of earlier corrections; null clears them.
     *
     * @fails NotFound no such extraction, or one without values
     * @fails InvalidRequest {param: "values"} a pointer without a place, or the corrected values violate the schema
     */
    readonly correct: (
      accountId: string,
      extractionId: string,
      values: unknown
    ) => Effect.Effect<Corrections, InvalidRequest | NotFound>;
  }
>()("@winnow/core/engine/extractions/Results") {}

const readPage = Effect.fnUntraced(function* (
  accountId: string,
  { support, ...filter }: ResultFilter,
  { after, limit }: { readonly after: CursorPosition | null; readonly limit: number }
) {
  const store = yield* Store;
  const found = yield* store.searchExtractions(accountId, {
    after,
    limit: limit + 1,
    filter: { ...NO_FILTER, ...filter, status: "complete", outcome: "ok" },
    maxBytes: PAGE_BYTES
  });
  const { rows: extractions } = pageOf(found.extractions, limit, { accountId, list: "results" });
  const corrections = yield* store.findCorrections(
    accountId,
    extractions.map(({ id }) => id)
  );
  const rows = extractions.flatMap((extraction) => {
    const row = resultRow(extraction, corrections.get(extraction.id) ?? {});
    return row === null ? [] : [{ row, extraction }];
  });
  const last = found.extractions.length > limit ? (extractions.at(-1) ?? null) : found.searchedTo;
  return {
    rows: support === null ? rows : rows.filter(({ row }) => hasSupport(row, support)),
    next: last === null ? null : { createdAtMs: last.createdAtMs, id: last.id }
  };
});

const invalid = (message: string, details: Readonly<Record<string, string>> = {}) =>
  new InvalidRequest({ message, details: { param: "values", ...details } });

/** @fails InvalidRequest a correction has no place in the values */
const readCorrections = Effect.fnUntraced(function* (row: ResultRow, values: unknown) {
  if (values === null) return {};
  if (!isJsonObject(values)) return yield* invalid("`values` must be an object of values by JSON pointer.");
  const pointers = Object.keys(values);
  if (pointers.length > CORRECTIONS_MAX) {
    return yield* invalid(`\`values\` has ${pointers.length} entries; ${CORRECTIONS_MAX} are allowed.`);
  }
  const missing = pointers.find((pointer) => !isCorrectable(row.values, pointer));
  if (missing !== undefined) {
    return yield* invalid(
      `\`values\`: ${JSON.stringify(missing)} is not a JSON pointer to a value of the extraction.`,
      {
        reason: "no_such_value",
        pointer: missing
      }
    );
  }
  return values satisfies Corrections;
});

/** A value that is corrected to null is not stated, which every schema allows for. */
const checkCorrected = Effect.fnUntraced(function* (
  { request: { schema }, accountId }: Extraction,
  row: ResultRow,
  corrections: Corrections
) {
  if (!isJsonObject(schema)) return;
  const stated = Object.fromEntries(Object.entries(corrections).filter(([, value]) => value !== null));
  if (Object.keys(stated).length === 0) return;
  const corrected = correctedValues({ ...row, corrections: stated });
  const faults = yield* SchemaChecker.use((checker) => checker.validate(schema, corrected)).pipe(
    Effect.mapError(({ message }) => invalid(message)),
    Effect.provideService(CurrentRun, runFor(accountId))
  );
  const pointers = Object.keys(stated);
  // A fault of an object or list that a corrected value is in: a member that it must not have, an item twice.
  const isOf = (path: string): boolean =>
    pointers.some((pointer) => `${path}/`.startsWith(`${pointer}/`) || pointer.startsWith(`${path}/`));
  const fault = provenFaults(faults).find(({ path }) => isOf(path));
  if (fault === undefined) return;
  const where = fault.path === "" ? "The corrected extraction" : `The value at ${fault.path}`;
  return yield* invalid(`${where} ${fault.message}.`, { reason: "schema", pointer: fault.path });
});

const make = Effect.gen(function* () {
  const store = yield* Store;
  const checker = yield* SchemaChecker;
  const extractions = yield* Extractions;
  const page = (...given: Parameters<typeof readPage>) =>
    Effect.provideService(readPage(...given), Store, store);
  const all = (accountId: string, filter: ResultFilter) =>
    Stream.paginate(null as CursorPosition | null, (after) =>
      Effect.map(page(accountId, filter, { after, limit: STREAM_PAGE }), ({ rows, next }) => [
        rows,
        next === null ? Option.none() : Option.some(next)
      ])
    );

  return Results.of({
    list: Effect.fn("Results.list")(function* (accountId, { limit, cursor, filter }) {
      const after = yield* Effect.fromResult(readCursor(accountId, cursor, "results"));
      const { rows, next } = yield* page(accountId, filter, { after, limit });
      return {
        rows: rows.map(({ row }) => row),
        nextCursor: next === null ? null : encodeCursor(accountId, next, "results")
      };
    }),
    stream: (accountId, filter) => Stream.map(all(accountId, filter), ({ row }) => row),
    sharedSchemas: Effect.fn("Results.sharedSchemas")(function* (accountId, filter) {
      const found = all(accountId, filter).pipe(
        Stream.map(({ extraction: { request, result } }) => result?.schemaId ?? request.schema),
        Stream.changesWith((left, right) => JSON.stringify(left) === JSON.stringify(right)),
        Stream.take(2)
      );
      return yield* Stream.runCollect(found);
    }),
    correct: Effect.fn("Results.correct")(function* (accountId, extractionId, values) {
      const extraction = yield* extractions.get(accountId, extractionId);
      const row = resultRow(extraction, {});
      if (row === null) return yield* NotFound.of("extraction with values");
      const corrections = yield* readCorrections(row, values);
      yield* Effect.provideService(checkCorrected(extraction, row, corrections), SchemaChecker, checker);
      const nowMs = yield* Clock.currentTimeMillis;
      yield* store.setCorrections(accountId, extractionId, corrections, nowMs);
      return corrections;
    })
  });
});

export const layer: Layer.Layer<Results, never, Store | SchemaChecker | Extractions> = Layer.effect(
  Results,
  make
);
