/** Quotes of a batch's items: what each would cost as a submit, or why it is refused. Tests: Batches.test.ts. */
import * as Cache from "effect/Cache";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Option from "effect/Option";
import * as RcMap from "effect/RcMap";
import * as Result from "effect/Result";
import * as Schedule from "effect/Schedule";
import * as Semaphore from "effect/Semaphore";
import * as Stream from "effect/Stream";
import { BATCH_ITEMS_MAX, type BatchItem, type ItemError, type ItemPlace } from "../../domain/run/Batch.ts";
import type { BatchLine, ItemRun } from "../../domain/run/BatchSubmission.ts";
import { urlOfItem, withinStoredBytes } from "../../domain/run/BatchBody.ts";
import { storedBytes, storedRequests } from "../../domain/run/StoredRequests.ts";
import { debitOf } from "../../domain/run/Submission.ts";
import { errorOf, InvalidRequest } from "../../domain/request/Refusal.ts";
import { isCut, type RunRequest, uncut } from "../../domain/request/RunRequest.ts";
import { seenOf } from "../../domain/source/SourceFacts.ts";
import { wireRange } from "../../domain/source/TimeRange.ts";
import { isJsonObject, present } from "../../domain/text/Json.ts";
import { Store } from "../../ports/Store.ts";
import { accountPlan } from "../accounts/AccountPlans.ts";
import { eachTime, makeOnce, type Once } from "../Once.ts";
import { makeId } from "../Ids.ts";
import { inspectSource, isPermanent, unseen } from "../extractions/SourceInspection.ts";
import type { ListedItem } from "./BatchListings.ts";
import {
  cacheKeyOf,
  checkSubmit,
  findServed,
  readSubmit,
  resolveSubmit,
  type Resolved
} from "../extractions/Submit.ts";
import type { AccountPlan } from "../../domain/money/Plan.ts";

/**
 * Items of an account's batches that are inspected at the same time. The account may have two more inspections, so
 * that its single submits do not wait for those.
 */
export const QUOTES_AT_ONCE = 6;

/** Reads of failed items at the same time. */
const READS_AT_ONCE = 8;

/** An inspection that found the server overloaded is tried again this often. */
const BUSY_RETRIES = 5;

interface Line<Read> extends ItemPlace {
  readonly read: Read | ItemError;
}

/** A line before its source was inspected. */
export type ReadLine = Line<Resolved & Pick<ItemRun, "cacheKey">>;

export interface QuotedLine extends BatchLine {
  /** Null while unknown. */
  readonly title: string | null;
  /** Debit as a submit, 0 if a result is reused; null if refused. */
  readonly credits: number | null;
  /** Whether a result is reused. */
  readonly cached: boolean;
}

const rangeOf = ({ range }: Pick<RunRequest, "range">) => present({ range: wireRange(range) });

const isRefused = (read: object): read is ItemError => "code" in read;

const twice = (index: number): ItemError =>
  errorOf(
    new InvalidRequest({
      message: `This is the same as item ${index} of the batch, which gives its result.`,
      details: { param: "url", reason: "duplicate", index }
    })
  );

/**
 * Reading copies a schema. Items that were given the same object get the same copy, so that it is checked, hashed and
 * written once.
 */
const makeSharing = () => {
  const copies = new Map<unknown, RunRequest["schema"]>();
  return (body: unknown, read: RunRequest): RunRequest => {
    const given = isJsonObject(body) ? body["schema"] : undefined;
    if (!isJsonObject(given)) return read;
    const schema = copies.get(given) ?? read.schema;
    copies.set(given, schema);
    return { ...read, schema };
  };
};

const withKey = (accountId: string, resolved: Resolved) =>
  Effect.map(cacheKeyOf(accountId, resolved.request), (cacheKey) => ({ ...resolved, cacheKey }));

const resolveLines = (accountId: string, items: ReadonlyArray<ListedItem>, once: Once) => {
  const sharing = makeSharing();
  return Effect.forEach(
    items,
    Effect.fnUntraced(function* (item, index) {
      // A thousand large items take seconds, which others do not wait for.
      yield* Effect.yieldNow;
      if ("error" in item) return { index, url: item.url, read: item.error };
      const read = yield* readSubmit(item.body).pipe(
        Effect.flatMap((request) => resolveSubmit(accountId, sharing(item.body, request), once)),
        Effect.catch((refusal) => Effect.succeed(errorOf(refusal)))
      );
      return isRefused(read)
        ? { index, url: urlOfItem(item.body), read }
        : { index, url: read.request.url, ...rangeOf(read.request), read };
    })
  );
};

/**
 * The items, one after the other as soon as they are checked; a repeated one is refused.
 *
 * @fails InvalidRequest {param: "items", reason: "too_large"} together they are more than a batch may store
 */
export const readLines = Effect.fn("BatchQuotes.readLines")(function* (
  accountId: string,
  items: ReadonlyArray<ListedItem>
) {
  const once = makeOnce();
  const resolved = yield* resolveLines(accountId, items, once);
  const requests = resolved.flatMap(({ read }) => (isRefused(read) ? [] : [read.request]));
  yield* Effect.fromResult(withinStoredBytes(storedBytes(storedRequests(requests))));
  const indexByKey = new Map<string, number>();
  const check = Effect.fnUntraced(function* (line: Line<Resolved>) {
    const { read, ...place } = line;
    if (isRefused(read)) return { ...place, read };
    const checked = yield* checkSubmit(accountId, read.request, once).pipe(
      Effect.flatMap((request) => withKey(accountId, { ...read, request })),
      Effect.catch((refusal) => Effect.succeed(errorOf(refusal)))
    );
    const first = isRefused(checked) ? undefined : indexByKey.get(checked.cacheKey);
    if (!isRefused(checked) && first === undefined) indexByKey.set(checked.cacheKey, place.index);
    return { ...place, read: first === undefined ? checked : twice(first) };
  });
  return Stream.mapEffect(Stream.fromIterable(resolved), check);
});

/** The failed items as they were accepted; those deleted since are left out. */
export const failedLines = Effect.fn("BatchQuotes.failedLines")(function* (
  accountId: string,
  failed: ReadonlyArray<BatchItem>
) {
  const store = yield* Store;
  const lines = yield* Effect.forEach(
    failed,
    Effect.fnUntraced(function* ({ index, url, extractionId }) {
      const found = Option.getOrNull(yield* store.getExtraction(accountId, extractionId ?? ""));
      if (found === null) return [];
      const read = yield* resolveSubmit(accountId, uncut(found.request), eachTime).pipe(
        Effect.flatMap((resolved) => withKey(accountId, resolved)),
        Effect.catch((refusal) => Effect.succeed(errorOf(refusal)))
      );
      return [{ index, url, ...rangeOf(found.request), read }];
    }),
    { concurrency: READS_AT_ONCE }
  );
  return lines.flat();
});

/**
 * What the inspection says of a source. One that never can be fetched is refused; one that cannot now is accepted, as
 * by a submit, and fails with a refund if that remains so.
 */
const inspect = (accountId: string, normalizedUrl: string, maxDurationSec: number) =>
  inspectSource(accountId, normalizedUrl, { maxDurationSec }).pipe(
    Effect.retry({ while: ({ _tag }) => _tag === "Busy", schedule: Schedule.recurs(BUSY_RETRIES) }),
    Effect.map(seenOf),
    Effect.catchTag("Failed", (failure) =>
      isPermanent(failure.reason) ? Effect.fail(unseen(failure)) : Effect.succeed(null)
    )
  );

/** How lines learn what is at a source. */
export type LineInspection = typeof inspect;

type Inspecting = ReturnType<LineInspection>;

/** Quoting 1,000 slow links and then confirming their price takes minutes. */
const FOUND_TTL = "30 minutes";

/** Up to 2 KB each. */
const FOUND_MAX = 10 * BATCH_ITEMS_MAX;

/** Whether the same answer is to be expected later: the source was seen, or can never be. */
const isLasting = (exit: Exit.Exit<Effect.Success<Inspecting>, Effect.Error<Inspecting>>): boolean =>
  Exit.isSuccess(exit)
    ? exit.value !== null
    : Option.exists(Exit.findErrorOption(exit), ({ _tag }) => _tag !== "Busy");

/**
 * `known` remembers what was found, so that a batch does not inspect again what its quote did, and a request that its client
 * gave up, as after 300 s, goes on where it was. What failed for the moment is asked again.
 * `anew` looks again, for retries.
 */
export const makeLineInspections = Effect.gen(function* () {
  const turns = yield* RcMap.make({ lookup: (_accountId: string) => Semaphore.make(QUOTES_AT_ONCE) });
  const anew: LineInspection = (accountId, ...of) =>
    Effect.scoped(
      Effect.flatMap(RcMap.get(turns, accountId), (turn) => turn.withPermits(1)(inspect(accountId, ...of)))
    );
  const found = yield* Cache.makeWith(
    (key: string) => anew(...(JSON.parse(key) as Parameters<LineInspection>)),
    {
      capacity: FOUND_MAX,
      timeToLive: (exit) => (isLasting(exit) ? FOUND_TTL : 0)
    }
  );
  const known: LineInspection = (...of) => Cache.get(found, JSON.stringify(of));
  return { known, anew };
});

/** Never fails: a refusal is part of the line. */
const quoteLine = Effect.fn("BatchQuotes.quoteLine")(function* (
  accountId: string,
  { read, ...place }: ReadLine,
  plan: AccountPlan,
  look: LineInspection
) {
  const refused = (error: ItemError): QuotedLine => ({
    ...place,
    run: error,
    title: null,
    credits: null,
    cached: false
  });
  if (isRefused(read)) return refused(read);
  const id = yield* makeId("ext");
  const { stored, ...item } = yield* findServed(accountId, { ...read, id });
  if (item.reuse !== null) {
    const { title } = item.reuse.result.facts;
    return { ...place, run: { ...item, seen: null }, title, credits: 0, cached: true };
  }
  const looked = look(accountId, read.request.normalizedUrl, plan.limits.maxDurationSec);
  const seen = yield* Effect.result(stored === null ? looked : Effect.succeed(stored));
  if (Result.isFailure(seen)) return refused(errorOf(seen.failure));
  const run: ItemRun = { ...item, seen: seen.success };
  const debit = debitOf(run, plan);
  if (Result.isFailure(debit)) return refused(errorOf(debit.failure));
  const title = seen.success?.title ?? null;
  const cached = isCut(run.request);
  return { ...place, run, title, credits: debit.success.credits, cached } satisfies QuotedLine;
});

/** In the order in which they become known. */
export const quoteLines = <E, R>(
  accountId: string,
  lines: Stream.Stream<ReadLine, E, R>,
  look: LineInspection
) =>
  Stream.unwrap(
    Effect.map(accountPlan(accountId), (plan) =>
      Stream.mapEffect(lines, (line) => quoteLine(accountId, line, plan, look), {
        concurrency: QUOTES_AT_ONCE,
        unordered: true
      })
    )
  );
