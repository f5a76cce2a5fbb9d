/** Part of StoreSuite: the register of the files that attempts store. */
import { assert } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import { Failed } from "@winnow/core/domain/source/Failed";
import type { ArtifactOwner, Extraction } from "@winnow/core/domain/run/Extraction";
import { decideCancel, decideRelease, decideSettle } from "@winnow/core/domain/result/Settlement";
import { ORPHANS_AGAIN_MS, Store, type OrphanedFiles } from "@winnow/core/ports/Store";
import { indexBelow, sampleResult, sampleSubmit, seededRandom } from "../../samples/samples.ts";
import { decide, openAccount, readAll, start, submit, type StoreTests } from "../../samples/StoreSteps.ts";

const ALL = 100_000;

/** Steps of a random walk; those that stand twice happen twice as often. */
export const FILE_STEPS = [
  "submit",
  "submit",
  "reuse",
  "start",
  "start",
  "settle",
  "settle",
  "fail",
  "release",
  "cancel",
  "delete",
  "store late",
  "note late",
  "lose the bucket",
  "wait",
  "sweep",
  "sweep"
] as const;

export interface FileStep {
  readonly what: (typeof FILE_STEPS)[number];
  /** Chooses among what exists. */
  readonly pick: number;
}

/** What happens to the attempts of one account and to their files; each attempt stores one. */
export interface FileWalk {
  readonly accountId: string;
  /** `extraction attempt` of each attempt with a stored file. */
  readonly stored: Set<string>;
  /** When attempts that did not settle ended. */
  readonly endedAtMs: Map<string, number>;
  nowMs: number;
  isBucketAway: boolean;
}

export const openFileWalk = Effect.fnUntraced(function* (nowMs: number) {
  const accountId = yield* openAccount({ balance: 1_000_000 });
  const walk: FileWalk = { accountId, stored: new Set(), endedAtMs: new Map(), nowMs, isBucketAway: false };
  return walk;
});

export const fileOf = ({ extractionId, attempt }: ArtifactOwner): string => `${extractionId} ${attempt}`;

const settleAs = (walk: FileWalk, { id, attempt }: Extraction, isComplete: boolean) => {
  const result = { ...sampleResult(id), artifactOwner: { extractionId: id, attempt } };
  const ending = isComplete
    ? { result }
    : { failure: new Failed({ reason: "internal", message: "Internal error." }) };
  return decide(walk.accountId, decideSettle(id, { attempt, nowMs: walk.nowMs, ending }));
};

/** A step of a run; the attempts that it ends without a result are remembered. */
const moveRun = Effect.fnUntraced(function* (walk: FileWalk, what: FileStep["what"], run: Extraction) {
  const { accountId, nowMs } = walk;
  const { id, attempt, status } = run;
  const isRunning = status === "running";
  if (isRunning && what !== "settle") walk.endedAtMs.set(fileOf({ extractionId: id, attempt }), nowMs);
  if (what === "start") {
    const started = yield* start(accountId, id, nowMs);
    if (started._tag === "run") {
      walk.stored.add(fileOf({ extractionId: id, attempt: started.extraction.attempt }));
    }
  }
  if (isRunning && (what === "settle" || what === "fail")) yield* settleAs(walk, run, what === "settle");
  if (isRunning && what === "release") {
    yield* decide(accountId, decideRelease({ id: id, attempt }, false));
  }
  if (what === "cancel") yield* decide(accountId, decideCancel(id, nowMs));
});

/** A process that was frozen stores a file of an attempt that is over, and notes it unless it is killed before. */
const storeLate = Effect.fnUntraced(function* (
  walk: FileWalk,
  pick: number,
  { isNoted, lateMs }: { readonly isNoted: boolean; readonly lateMs: number }
) {
  const late = [...walk.endedAtMs].filter(([, endedAtMs]) => isNoted || walk.nowMs - endedAtMs < lateMs);
  const [file = ""] = late[pick % Math.max(1, late.length)] ?? [];
  const [extractionId = "", attempt] = file.split(" ");
  if (file === "") return;
  walk.stored.add(file);
  const store = yield* Store;
  if (isNoted) yield* store.noteFiles({ extractionId, attempt: Number(attempt) });
});

/**
 * @param sweep one round of removals; `lateMs`: how long it removes the files of an attempt that is over again and again
 */
export const walkFiles =
  <R>(sweep: (walk: FileWalk) => Effect.Effect<void, never, R>, lateMs: number) =>
  (walk: FileWalk, { what, pick }: FileStep) =>
    Effect.gen(function* () {
      const store = yield* Store;
      const { extractions } = yield* readAll(walk.accountId);
      const runs = extractions.filter(({ cachedFrom }) => cachedFrom === null);
      const isLive = ({ status }: Extraction) => status === "pending" || status === "running";
      const chosen = (all: ReadonlyArray<Extraction>) => all[pick % Math.max(1, all.length)];
      const live = chosen(runs.filter(isLive));
      const over = chosen(extractions.filter(({ completedAtMs }) => completedAtMs !== null));
      const complete = chosen(extractions.filter(({ status }) => status === "complete"));
      if (what === "submit")
        yield* submit(walk.accountId, sampleSubmit(walk.accountId, { nowMs: walk.nowMs }));
      if (what === "reuse" && complete?.result != null) {
        const reuse = { extractionId: complete.id, result: complete.result };
        yield* submit(walk.accountId, sampleSubmit(walk.accountId, { nowMs: walk.nowMs, reuse }));
      }
      if (live !== undefined) yield* moveRun(walk, what, live);
      if (what === "delete" && over !== undefined) yield* store.deleteExtraction(walk.accountId, over.id);
      if (what === "store late" || what === "note late") {
        yield* storeLate(walk, pick, { isNoted: what === "note late", lateMs });
      }
      if (what === "lose the bucket") walk.isBucketAway = !walk.isBucketAway;
      if (what === "wait") walk.nowMs += (pick % 20) * ORPHANS_AGAIN_MS;
      if (what === "sweep") yield* sweep(walk);
      yield* assertServed(walk);
    });

const servedIn = Effect.fnUntraced(function* ({ accountId }: FileWalk) {
  const { extractions } = yield* readAll(accountId);
  return extractions.flatMap(({ result }) => (result === null ? [] : [fileOf(result.artifactOwner)]));
});

const assertServed = Effect.fnUntraced(function* (walk: FileWalk) {
  assert.includeMembers([...walk.stored], yield* servedIn(walk), "a file that a result names was removed");
});

/** The storage responds again and every attempt has ended: within a day, only files that results name are left. */
export const assertNoOrphans = Effect.fnUntraced(function* <R>(
  walk: FileWalk,
  sweep: (walk: FileWalk) => Effect.Effect<void, never, R>,
  lateMs: number
) {
  walk.isBucketAway = false;
  const { extractions } = yield* readAll(walk.accountId);
  for (const { id } of extractions) {
    yield* decide(walk.accountId, decideCancel(id, walk.nowMs));
  }
  for (let round = 0; round < 3; round++) {
    yield* sweep(walk);
    walk.nowMs += lateMs;
  }
  assert.sameMembers([...walk.stored], [...new Set(yield* servedIn(walk))]);
});

// A shared database has rows of other tests, which are not touched.

const LATE_MS = 15 * ORPHANS_AGAIN_MS;

/** Later than anything another test took. */
let nextMs = 2_000_000_000_000;

const isOf =
  (ids: ReadonlySet<string>) =>
  ({ extractionId }: ArtifactOwner): boolean =>
    ids.has(extractionId);

const takeOwn = (ids: ReadonlyArray<string>, nowMs: number, limit = ALL) =>
  Store.use((store) =>
    Effect.map(store.takeOrphans({ nowMs, limit }), (orphans) => orphans.filter(isOf(new Set(ids))))
  );

const sweepOwn = Effect.fnUntraced(function* (walk: FileWalk) {
  const store = yield* Store;
  const orphans = yield* store.takeOrphans({ nowMs: walk.nowMs, limit: ALL });
  if (walk.isBucketAway) return;
  for (const orphan of orphans) {
    walk.stored.delete(fileOf(orphan));
    if (walk.nowMs - orphan.endedAtMs >= LATE_MS) yield* store.forgetFiles(orphan);
  }
});

const ownersOf = (orphans: ReadonlyArray<OrphanedFiles>) => orphans.map(fileOf).toSorted();

export const files = (it: StoreTests): void => {
  it.effect(
    "files are orphans once no extraction serves them, whatever happened; served ones never are",
    () =>
      Effect.gen(function* () {
        for (const seed of [1, 2, 3]) {
          const random = seededRandom(seed);
          const walk = yield* openFileWalk((nextMs += LATE_MS));
          for (let step = 0; step < 80; step++) {
            const what = FILE_STEPS[indexBelow(random, FILE_STEPS.length)] ?? "sweep";
            yield* walkFiles(sweepOwn, LATE_MS)(walk, { what, pick: indexBelow(random, 1_000) });
          }
          yield* assertNoOrphans(walk, sweepOwn, LATE_MS);
          nextMs = walk.nowMs;
        }
      })
  );

  it.effect("a deletion names the files that became orphans with it, of every attempt", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const accountId = yield* openAccount({ balance: 500 });
      for (const order of [
        [0, 1, 2],
        [2, 1, 0],
        [1, 0, 2]
      ]) {
        const walk: FileWalk = {
          accountId,
          stored: new Set(),
          endedAtMs: new Map(),
          nowMs: 1_700_000_002_000,
          isBucketAway: false
        };
        const { extraction } = yield* submit(accountId, sampleSubmit(accountId));
        yield* start(accountId, extraction.id);
        yield* start(accountId, extraction.id);
        const done = yield* settleAs(walk, { ...extraction, attempt: 2 }, true);
        const reuse = { extractionId: extraction.id, result: done?.result ?? assert.fail("not settled") };
        const again = () =>
          Effect.map(submit(accountId, sampleSubmit(accountId, { reuse })), (all) => all.extraction.id);
        const ids = [extraction.id, yield* again(), yield* again()];
        const named: Array<ReadonlyArray<string>> = [];
        for (const index of order) {
          const gone = yield* store.deleteExtraction(accountId, ids[index] ?? "");
          named.push(ownersOf(Option.getOrThrow(gone)));
        }
        const own = [1, 2].map((attempt) => fileOf({ extractionId: extraction.id, attempt }));
        assert.deepStrictEqual(named, [[], [], own]);
        const taken = yield* takeOwn(ids, (nextMs += LATE_MS));
        assert.deepStrictEqual(ownersOf(taken), own);
        for (const orphan of taken) yield* store.forgetFiles(orphan);
        assert.deepStrictEqual(yield* takeOwn(ids, (nextMs += LATE_MS)), []);
      }
    })
  );

  it.effect("concurrent deletions name the files once, and concurrent sweeps take them once", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const walk = yield* openFileWalk((nextMs += LATE_MS));
      const { accountId } = walk;
      const { extraction } = yield* submit(accountId, sampleSubmit(accountId));
      yield* start(accountId, extraction.id);
      const done = yield* settleAs(walk, { ...extraction, attempt: 1 }, true);
      const reuse = { extractionId: extraction.id, result: done?.result ?? assert.fail("not settled") };
      const copy = yield* submit(accountId, sampleSubmit(accountId, { reuse }));
      const ids = [extraction.id, copy.extraction.id];
      const remove = (id: string) => store.deleteExtraction(accountId, id);
      const gone = yield* Effect.forEach([...ids, ...ids], remove, { concurrency: 4 });
      const own = [fileOf({ extractionId: extraction.id, attempt: 1 })];
      assert.deepStrictEqual(
        gone.flatMap((each) => (Option.isSome(each) ? ownersOf(each.value) : [])),
        own
      );
      const sweep = takeOwn(ids, walk.nowMs);
      const taken = yield* Effect.all([sweep, sweep, sweep], { concurrency: 3 });
      assert.deepStrictEqual(ownersOf(taken.flat()), own);
    })
  );

  it.effect("taken orphans come again after a minute, with the same end, unless they are forgotten", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const accountId = yield* openAccount({ balance: 500 });
      const { extraction } = yield* submit(accountId, sampleSubmit(accountId));
      const ids = [extraction.id];
      yield* start(accountId, extraction.id);
      const nowMs = (nextMs += LATE_MS);
      nextMs += LATE_MS;
      assert.deepStrictEqual(yield* takeOwn(ids, nowMs), []);
      yield* start(accountId, extraction.id);
      const first = { extractionId: extraction.id, attempt: 1, endedAtMs: nowMs };
      assert.deepStrictEqual(yield* takeOwn(ids, nowMs), [first]);
      assert.deepStrictEqual(yield* takeOwn(ids, nowMs + ORPHANS_AGAIN_MS - 1), []);
      assert.deepStrictEqual(yield* takeOwn(ids, nowMs + ORPHANS_AGAIN_MS), [first]);
      yield* store.noteFiles(first);
      yield* store.forgetFiles(first);
      const noted = { ...first, endedAtMs: nowMs + 2 * ORPHANS_AGAIN_MS };
      assert.deepStrictEqual(yield* takeOwn(ids, noted.endedAtMs), [noted], "noted again, so not forgotten");
      yield* store.forgetFiles(noted);
      assert.deepStrictEqual(yield* takeOwn(ids, (nextMs += LATE_MS)), []);
    })
  );

  it.effect("of many orphans, those that are due for the longest time are taken first", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const accountId = yield* openAccount({ balance: 500 });
      const { extraction } = yield* submit(accountId, sampleSubmit(accountId));
      const { id } = extraction;
      const ids = [id];
      const nowMs = (nextMs += LATE_MS);
      // Leaves nothing of other tests that is due.
      yield* takeOwn(ids, nowMs);
      yield* start(accountId, id);
      yield* start(accountId, id);
      yield* takeOwn(ids, nowMs);
      yield* start(accountId, id);
      yield* decide(accountId, decideCancel(id, nowMs));
      const taken = yield* takeOwn(ids, nowMs, 1);
      yield* Effect.forEach([...taken], store.forgetFiles);
      assert.deepStrictEqual(
        taken.map(({ attempt }) => attempt),
        [2]
      );
    })
  );
};
