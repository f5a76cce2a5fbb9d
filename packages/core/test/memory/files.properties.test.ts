/** The law of files, of the sweeper on a store: no file that a result names is removed, and no other outlives a day. */
import { layer } from "@effect/vitest";
import { LATE_FILES_MS, sweepRemovals } from "@winnow/core/engine/extractions/Removal";
import * as MemoryJobQueue from "@winnow/core/memory/MemoryJobQueue";
import * as MemoryStore from "@winnow/core/memory/MemoryStore";
import { ArtifactStore } from "@winnow/core/ports/ArtifactStore";
import { Unavailable } from "@winnow/core/ports/Unavailable";
import {
  assertNoOrphans,
  FILE_STEPS,
  fileOf,
  openFileWalk,
  walkFiles,
  type FileWalk
} from "@winnow/testing/suites/store/StoreFiles";
import * as Arbitrary from "effect/Arbitrary";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Logger from "effect/Logger";
import * as TestClock from "effect/testing/TestClock";
import { intBetween, oneOf } from "../domain/Arbitraries.ts";

const STEPS_MAX = 80;
const Steps = Arbitrary.array(Arbitrary.all({ what: oneOf(FILE_STEPS), pick: intBetween(0, 1_000) }), {
  maxLength: STEPS_MAX
});

const away = new Unavailable({
  what: "artifacts",
  reason: "away",
  message: "The bucket is away.",
  retryAfterSeconds: 5
});

/** The sweeper, on the files of the walk. */
const sweep = (walk: FileWalk) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(walk.nowMs);
    const artifacts = {
      removeAttempt: (owner) =>
        walk.isBucketAway
          ? Effect.die(away)
          : Effect.sync(() => {
              walk.stored.delete(fileOf(owner));
            })
    } satisfies Partial<ArtifactStore["Service"]>;
    yield* Effect.provideService(
      sweepRemovals(),
      ArtifactStore,
      artifacts as unknown as ArtifactStore["Service"]
    );
  });

layer(Layer.mergeAll(Layer.provideMerge(MemoryStore.layer, MemoryJobQueue.layer), Logger.layer([])))(
  "any sequence of steps of runs and processes",
  (it) => {
    it.effect.prop(
      "leaves the files that results name, and within a day after the last no others",
      { steps: Steps },
      ({ steps }) =>
        Effect.gen(function* () {
          const walk = yield* openFileWalk(1_700_000_000_000);
          const take = walkFiles(sweep, LATE_FILES_MS);
          for (const step of steps) yield* take(walk, step);
          yield* assertNoOrphans(walk, sweep, LATE_FILES_MS);
        }),
      { arbitrary: { runs: 200, size: STEPS_MAX } }
    );
  }
);
