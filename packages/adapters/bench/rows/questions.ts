/** What is asked of a table of runs, at a place that changes from call to call. */
import { NO_FILTER, type ExtractionFilter } from "@winnow/core/domain/ExtractionFilter";
import { Store } from "@winnow/core/ports/Store";
import { createHash } from "node:crypto";
import * as Effect from "effect/Effect";
import { END_MS, LARGE_ACCOUNT, START_MS } from "./RowsDatabase.ts";

export interface Question {
  readonly name: string;
  /** In the text of the statement that counts; those of functions that it calls are in it. */
  readonly statement: string;
  /** In a round. */
  readonly calls?: number;
  readonly ask: (rows: number, call: number) => Effect.Effect<unknown, never, Store>;
}

const PAGE_LIMIT = 21;
const DAY_MS = 86_400_000;
const DAYS_KEPT = 30;

/** Runs of the large account, from end to end; a prime apart, so that no two rounds ask the same. */
const placeOf = (rows: number, call: number): number => (((call + 1) * 104_729) % Math.floor(rows / 5)) * 5;

const positionOf = (rows: number, call: number) => {
  const place = placeOf(rows, call);
  return { createdAtMs: Math.floor(START_MS + (place * (END_MS - START_MS)) / rows), id: `ext_${place}` };
};

const list = (name: string, isDeep: boolean): Question => ({
  name,
  statement: "list_extractions",
  ask: (rows, call) =>
    Store.use((store) =>
      store.listExtractions(LARGE_ACCOUNT, {
        after: isDeep ? positionOf(rows, call) : null,
        limit: PAGE_LIMIT
      })
    )
});

const search = (
  name: string,
  filter: Partial<ExtractionFilter> | ((rows: number, call: number) => Partial<ExtractionFilter>),
  isDeep = false
): Question => ({
  name,
  statement: "extraction_json",
  ask: (rows, call) =>
    Store.use((store) =>
      store.searchExtractions(LARGE_ACCOUNT, {
        after: isDeep ? positionOf(rows, call) : null,
        limit: PAGE_LIMIT,
        filter: { ...NO_FILTER, ...(typeof filter === "function" ? filter(rows, call) : filter) }
      })
    )
});

const filtered = (name: string, filter: Partial<ExtractionFilter>): ReadonlyArray<Question> => [
  search(`\`${name}\`, first page`, filter),
  search(`\`${name}\`, deep`, filter, true)
];

const retention = (name: string, nowMs: number, calls: number): Question => ({
  name,
  statement: "remove_expired",
  calls,
  ask: () =>
    Store.use((store) =>
      store.removeExpired({
        nowMs,
        retention: { defaultDays: DAYS_KEPT, daysByPlan: {} },
        after: null,
        limit: 500
      })
    )
});

/** The last one deletes. */
export const questions: ReadonlyArray<Question> = [
  list("list, first page", false),
  list("list, deep", true),
  ...filtered("status=failed", { status: "failed" }),
  ...filtered("outcome=ok", { outcome: "ok" }),
  ...filtered("outcome=no_match", { outcome: "no_match" }),
  ...filtered("kind=photos", { kind: "photos" }),
  search("`since`", (rows, call) => ({ sinceMs: positionOf(rows, call).createdAtMs })),
  search("`kind=video`, `status=failed`", { kind: "video", status: "failed" }),
  search("`q` that many fit", { text: "talk" }),
  { ...search("`q` that none fits", { text: "nothing of the kind" }), calls: 3 },
  {
    name: "cache look-up",
    statement: "cache_key",
    ask: (rows, call) => {
      const key = createHash("sha256")
        .update(String(placeOf(rows, call)))
        .digest("hex");
      return Store.use((store) => store.findReusable(LARGE_ACCOUNT, key, START_MS));
    }
  },
  {
    name: "read by id",
    statement: "extraction_json",
    ask: (rows, call) => Store.use((store) => store.getExtraction(LARGE_ACCOUNT, positionOf(rows, call).id))
  },
  {
    name: "sweeper",
    statement: "moved_at_ms",
    ask: () =>
      Store.use((store) =>
        store.findStalled({ pendingBeforeMs: START_MS, startedBeforeMs: START_MS, limit: 200 })
      )
  },
  { name: "`/metrics`", statement: "priced_facts", ask: () => Store.use((store) => store.countLive) },
  retention("retention, 1,001 accounts, nothing due", START_MS, 3),
  retention("retention, a batch of 500", START_MS + (DAYS_KEPT + 2) * DAY_MS, 1)
];
