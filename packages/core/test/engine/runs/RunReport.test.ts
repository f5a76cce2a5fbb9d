import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Logger from "effect/Logger";
import * as References from "effect/References";
import * as TestClock from "effect/testing/TestClock";
import type { RunEvent, StepProgress } from "../../../src/domain/run/RunProgress.ts";
import {
  makeRunReport,
  PROGRESS_LINE_INTERVAL_MS,
  REPORT_INTERVAL_MS,
  REPEAT_EVENT_INTERVAL_MS
} from "../../../src/engine/runs/ProgressFeed.ts";
import { RunFeed } from "../../../src/ports/RunFeed.ts";
import { patientClock } from "../PatientClock.ts";

const fetching = (percent: number) =>
  ({ step: "fetching", percent, bytes: percent * 100 }) satisfies StepProgress;

/** The report of a second attempt, and its events so far. */
const reporting = Effect.gen(function* () {
  const told: Array<RunEvent> = [];
  const feed = RunFeed.of({
    publish: (_id, event) => Effect.sync(() => void told.push(event)),
    watch: () => Effect.die("not watched")
  });
  const report = yield* Effect.provideService(makeRunReport({ id: "ext_1", attempt: 2 }), RunFeed, feed);
  return { report, told, percents: () => told.map(({ percent }) => percent) };
});

describe("the progress of an attempt", () => {
  it.effect("within a step is the newest state four times a second, and always the last one", () =>
    Effect.gen(function* () {
      const { report, percents, told } = yield* reporting;
      for (let percent = 1; percent <= 100; percent++) {
        yield* report(fetching(percent));
        yield* TestClock.adjust(10);
      }
      assert.isAtMost(told.length, 1 + 1_000 / REPORT_INTERVAL_MS);
      assert.strictEqual(percents()[0], 1);
      yield* TestClock.adjust(REPORT_INTERVAL_MS);
      assert.strictEqual(percents().at(-1), 100);
      assert.isTrue(told.every(({ attempt }) => attempt === 2));
    }).pipe(Effect.provide(patientClock()))
  );

  it.effect("of a new step or rung is sent at once, and nothing of the previous step follows", () =>
    Effect.gen(function* () {
      const { report, told } = yield* reporting;
      yield* report(fetching(1));
      yield* report(fetching(2));
      yield* report({ ...fetching(0), step: "converting" });
      yield* report({ ...fetching(0), step: "analysing", rung: ["transcript"] });
      yield* report({ ...fetching(0), step: "analysing", rung: ["transcript", "audio"] });
      yield* TestClock.adjust(REPORT_INTERVAL_MS * 2);
      assert.deepStrictEqual(
        told.map(({ step, rung }) => [step, rung?.length ?? 0]),
        [
          ["fetching", 0],
          ["converting", 0],
          ["analysing", 1],
          ["analysing", 2]
        ]
      );
    }).pipe(Effect.provide(patientClock()))
  );

  it.effect("is repeated every few seconds for late watchers", () =>
    Effect.gen(function* () {
      const { report, told } = yield* reporting;
      yield* TestClock.adjust(REPEAT_EVENT_INTERVAL_MS * 2);
      assert.isEmpty(told);
      yield* report(fetching(5));
      yield* TestClock.adjust(REPEAT_EVENT_INTERVAL_MS * 2 + REPORT_INTERVAL_MS);
      assert.lengthOf(told, 3);
      assert.deepStrictEqual(told[2], told[0]);
    }).pipe(Effect.provide(patientClock()))
  );

  it.effect("is logged at level debug: each step, and every few seconds of a long one", () => {
    const lines: Array<unknown> = [];
    const logger = Logger.make(({ fiber, logLevel }) => {
      const { step, bytes } = fiber.getRef(References.CurrentLogAnnotations);
      lines.push([logLevel, step, bytes]);
    });
    return Effect.gen(function* () {
      const { report } = yield* reporting;
      for (let percent = 1; percent <= 50; percent++) {
        yield* report(fetching(percent));
        yield* TestClock.adjust(PROGRESS_LINE_INTERVAL_MS / 40);
      }
      yield* report({ ...fetching(0), step: "storing", bytes: 5_000 });
      assert.deepStrictEqual(lines, [
        ["Debug", "fetching", 100],
        ["Debug", "fetching", 4_100],
        ["Debug", "storing", 5_000]
      ]);
    }).pipe(
      Effect.provide([patientClock(), Logger.layer([logger])]),
      Effect.provideService(References.MinimumLogLevel, "Debug")
    );
  });
});
