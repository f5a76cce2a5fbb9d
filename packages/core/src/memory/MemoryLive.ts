/** What MemoryStore answers about the waiting and running extractions of all accounts. Tests: MemoryStore.test.ts. */
import * as Effect from "effect/Effect";
import type { RunJob } from "../domain/run/Decision.ts";
import { jobOf } from "../domain/run/RunningSlots.ts";
import type { FailureReason } from "../domain/source/Failed.ts";
import { pricedFacts } from "../domain/source/SourceFacts.ts";
import { untakenBeforeMs } from "../domain/result/Settlement.ts";
import { holdsSlot } from "../domain/run/Transition.ts";
import type { ExpiryQuery, LiveCount, StalledRun, Store } from "../ports/Store.ts";
import { extractionsOf, retentionDaysOf, waitingOf, type Book } from "./MemoryBook.ts";

const stalledOf = (
  books: Iterable<Book>,
  query: { readonly pendingBeforeMs: number; readonly startedBeforeMs: number; readonly limit: number }
): ReadonlyArray<StalledRun> =>
  [...books]
    .flatMap((book) => [...book.rows.values()])
    .filter(
      ({ extraction: { status, startedAtMs }, movedAtMs }) =>
        (status === "pending" && movedAtMs < query.pendingBeforeMs) ||
        (status === "running" && (startedAtMs ?? 0) < query.startedBeforeMs)
    )
    .sort((left, right) => left.extraction.createdAtMs - right.extraction.createdAtMs)
    .slice(0, query.limit)
    .map(({ extraction }) => ({
      ...jobOf(extraction),
      status: extraction.status as StalledRun["status"]
    }));

const untakenIn = (
  books: Iterable<Book>,
  { nowMs, retention, limit }: Pick<ExpiryQuery, "nowMs" | "retention" | "limit">
): ReadonlyArray<Pick<RunJob, "accountId" | "extractionId">> =>
  [...books]
    .flatMap((book) => {
      const beforeMs = untakenBeforeMs(nowMs, retentionDaysOf(book, retention));
      return extractionsOf(book).filter(
        ({ status, createdAtMs }) => ["queued", "pending"].includes(status) && createdAtMs < beforeMs
      );
    })
    .sort((left, right) => left.createdAtMs - right.createdAtMs)
    .slice(0, limit)
    .map(({ accountId, id }) => ({ accountId, extractionId: id }));

const waitingIn = (
  books: ReadonlyMap<string, Book>,
  { after, limit }: { readonly after: string; readonly limit: number }
): ReadonlyArray<string> =>
  [...books]
    .filter(([id, book]) => id > after && waitingOf(book).length > 0)
    .map(([id]) => id)
    .sort()
    .slice(0, limit);

const liveCounts = (books: Iterable<Book>): ReadonlyArray<LiveCount> => {
  const counts = new Map<string, LiveCount>();
  const live = [...books].flatMap((book) => [
    ...waitingOf(book),
    ...extractionsOf(book).filter(({ status }) => holdsSlot(status))
  ]);
  for (const { status, seen } of live) {
    const { kind } = pricedFacts(seen);
    const key = `${status} ${kind}`;
    const count = (counts.get(key)?.count ?? 0) + 1;
    counts.set(key, { status: status as LiveCount["status"], kind, count });
  }
  return [...counts.values()];
};

const failuresIn = (books: Iterable<Book>, sinceMs: number): ReadonlyMap<FailureReason, number> => {
  const counts = new Map<FailureReason, number>();
  for (const { failure, completedAtMs } of [...books].flatMap(extractionsOf)) {
    if (failure !== null && (completedAtMs ?? 0) >= sinceMs)
      counts.set(failure.reason, (counts.get(failure.reason) ?? 0) + 1);
  }
  return counts;
};

export const liveOf = (books: ReadonlyMap<string, Book>) =>
  ({
    findStalled: (query) => Effect.sync(() => stalledOf(books.values(), query)),
    findUntaken: (query) => Effect.sync(() => untakenIn(books.values(), query)),
    findWaitingAccounts: (page) => Effect.sync(() => waitingIn(books, page)),
    countLive: Effect.sync(() => liveCounts(books.values())),
    countFailures: (sinceMs) => Effect.sync(() => failuresIn(books.values(), sinceMs))
  }) satisfies Partial<Store["Service"]>;
