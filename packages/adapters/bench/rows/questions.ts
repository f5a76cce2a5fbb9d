/** Queries on a table of runs, at a position that changes with each call. */
import { DAY_MS } from "@winnow/core/domain/Durations";
import { NO_FILTER, type ExtractionFilter } from "@winnow/core/domain/result/ExtractionList";
import { Store } from "@winnow/core/ports/Store";
import { createHash } from "node:crypto";
import * as Effect from "effect/Effect";
import { WebhookOutbox } from "@winnow/core/ports/WebhookOutbox";
import { idOf, LARGE_ACCOUNT, SPACING_MS, START_MS } from "./fillRows.ts";

export interface Question {
  readonly name: string;
  /** Text of the measured statement; it includes the statements of functions it calls. */
  readonly statement: string;
  /** Per round. */
  readonly calls?: number;
  readonly ask: (rows: number, call: number) => Effect.Effect<unknown, never, Store | WebhookOutbox>;
}

const PAGE_LIMIT = 21;
const DAYS_KEPT = 30;

/** Runs of the large account, over the whole table; a prime apart, so that no two rounds query the same. */
const runIndex = (rows: number, call: number): number => (((call + 1) * 104_729) % Math.floor(rows / 5)) * 5;

const positionOf = (rows: number, call: number) => {
  const place = runIndex(rows, call);
  return { createdAtMs: START_MS + place * SPACING_MS, id: idOf(place) };
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

/**
 * The ledger has an entry for each run and another for each failed one, so a run's index is deep enough as a
 * position.
 */
const ledger = (name: string, isDeep: boolean): Question => ({
  name,
  statement: "ledger_json",
  ask: (rows, call) =>
    Store.use((store) =>
      store.listLedger(LARGE_ACCOUNT, {
        before: isDeep ? String(runIndex(rows, call) + 1) : null,
        limit: PAGE_LIMIT
      })
    )
});

const deliveries = (name: string, status: "failed" | null, isDeep: boolean): Question => ({
  name,
  statement: "webhook_delivery_json",
  ask: (rows, call) =>
    WebhookOutbox.use((outbox) =>
      outbox.list(LARGE_ACCOUNT, {
        after: isDeep ? positionOf(rows, call) : null,
        limit: PAGE_LIMIT,
        status
      })
    )
});

/** Those that delete rows come last. */
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
        .update(String(runIndex(rows, call)))
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
    name: "record of an idempotency key",
    statement: "idempotency_json",
    ask: (rows, call) => {
      const key = `key_${String(runIndex(rows, call) * 4).padStart(9, "0")}`;
      return Store.use((store) => store.getIdempotency(LARGE_ACCOUNT, key));
    }
  },
  ledger("ledger, first page", false),
  ledger("ledger, deep", true),
  deliveries("deliveries, first page", null, false),
  deliveries("deliveries, `status=failed`, deep", "failed", true),
  {
    name: "usage of 30 days",
    statement: "usage_day",
    ask: (rows) =>
      Store.use((store) => {
        const sinceMs = START_MS + rows * SPACING_MS - DAYS_KEPT * DAY_MS;
        return store.listUsage(LARGE_ACCOUNT, new Date(sinceMs).toISOString().slice(0, 10));
      })
  },
  {
    name: "sweeper",
    statement: "moved_at_ms",
    ask: () =>
      Store.use((store) =>
        store.findStalled({ pendingBeforeMs: START_MS, startedBeforeMs: START_MS, limit: 200 })
      )
  },
  { name: "`/metrics`, runs", statement: "e.seen", ask: () => Store.use((store) => store.countLive) },
  {
    name: "`/metrics`, deliveries",
    statement: "oldestDueSeconds",
    ask: () => WebhookOutbox.use((outbox) => outbox.depth(START_MS))
  },
  {
    name: "accounts that wait",
    statement: "recursive waiting",
    ask: () => Store.use((store) => store.findWaitingAccounts({ after: "", limit: 100 }))
  },
  retention("retention, 1,001 accounts, nothing due", START_MS, 3),
  retention("retention, a batch of 500", START_MS + (DAYS_KEPT + 2) * DAY_MS, 1),
  {
    name: "old deliveries, a batch of 500",
    statement: "old as materialized",
    calls: 1,
    ask: () => WebhookOutbox.use((outbox) => outbox.removeOld(START_MS + 2 * DAY_MS, 500))
  }
];
