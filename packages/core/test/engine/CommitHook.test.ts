import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Layer from "effect/Layer";
import * as Logger from "effect/Logger";
import * as Metric from "effect/Metric";
import * as References from "effect/References";
import * as TestClock from "effect/testing/TestClock";
import { Failed } from "../../src/domain/source/Failed.ts";
import { Runs } from "../../src/engine/runs/Runs.ts";
import * as FakeDownloader from "@winnow/testing/fakes/FakeDownloader";
import { engine, execute, openAccount, ports, runToEnd, SOURCES, submit, UNSEEN, VIDEO } from "./World.ts";

const SLOW = "https://example.com/watch/slow";
const AWAY = "https://example.com/watch/away";

const away = new Failed({ reason: "unreachable", message: "No such host.", unreachableCause: "dns" });

const sources = {
  ...SOURCES,
  [UNSEEN]: FakeDownloader.refuses("private"),
  [SLOW]: { ...SOURCES[VIDEO], beforeFetch: Effect.never },
  [AWAY]: { ...SOURCES[VIDEO], beforeFetch: Effect.fail(away) }
};

const world = () => Layer.provideMerge(engine(), ports({ sources }));

/** Values by name and labels; for histograms, the count and sum of their observations. */
const counted = Effect.map(Metric.snapshot, (series) =>
  Object.fromEntries(
    series.map(({ id, attributes, state }) => [
      `${id}${JSON.stringify(attributes ?? {})}`,
      "buckets" in state ? [state.count, state.sum] : "count" in state ? Number(state.count) : null
    ])
  )
);

/** Runs the effect with a new metric registry, which has no counts of other tests. */
const fresh = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.provideService(effect, Metric.MetricRegistry, new Map());

const withWorld = <A, E>(effect: Effect.Effect<A, E, Layer.Success<ReturnType<typeof world>>>) =>
  fresh(Effect.provide(effect, world()));

describe("the journal", () => {
  it.effect("counts submits and runs, down to the credit", () =>
    withWorld(
      Effect.gen(function* () {
        const accountId = yield* openAccount(10_000);
        yield* runToEnd(accountId, { url: VIDEO, parts: ["transcript"] });
        yield* submit(accountId, { url: VIDEO, parts: ["transcript"] });
        const failing = yield* submit(accountId, { url: UNSEEN }, "key");
        yield* submit(accountId, { url: UNSEEN }, "key");
        yield* Effect.flip(submit(accountId, { url: VIDEO, colour: "red" }));
        yield* Effect.flip(submit(accountId, { url: VIDEO }, "key"));
        yield* execute(failing.extraction);
        const series = yield* counted;
        const { creditsDebited } = failing.extraction;
        const expected = {
          'winnow_submits_total{"outcome":"fresh"}': 2,
          'winnow_submits_total{"outcome":"reused"}': 1,
          'winnow_submits_total{"outcome":"replayed"}': 1,
          'winnow_submits_total{"outcome":"refused","code":"invalid_request"}': 1,
          'winnow_submits_total{"outcome":"refused","code":"conflict"}': 1,
          'winnow_runs_ended_total{"kind":"video","state":"complete"}': 1,
          'winnow_runs_ended_total{"kind":"video","state":"failed","reason":"private"}': 1,
          'winnow_credits_paid_in_total{"kind":"top_up"}': 10_000,
          'winnow_credits_paid_in_total{"kind":"bonus"}': 1_000,
          "winnow_credits_debited_total{}": 60 + creditsDebited,
          "winnow_credits_refunded_total{}": creditsDebited,
          "winnow_runs_handed_back_total{}": 0
        };
        assert.deepInclude(series, expected);
        assert.isAbove(creditsDebited, 0);
      })
    )
  );

  it.effect("measures a run from its start and from its submit, and an inspection", () =>
    withWorld(
      Effect.gen(function* () {
        const accountId = yield* openAccount();
        const { extraction } = yield* submit(accountId, { url: SLOW });
        yield* TestClock.adjust("7 seconds");
        const running = yield* Effect.forkChild(execute(extraction));
        yield* TestClock.adjust("40 seconds");
        yield* Runs.use((runs) => runs.cancel(accountId, extraction.id));
        yield* Fiber.await(running);
        const series = yield* counted;
        assert.deepStrictEqual(series['winnow_run_wait_seconds{"kind":"video"}'], [1, 7]);
        assert.deepStrictEqual(
          series['winnow_run_duration_seconds{"kind":"video","outcome":"failed"}'],
          [1, 40]
        );
        assert.deepStrictEqual(series['winnow_inspection_duration_seconds{"outcome":"seen"}'], [1, 0]);
        assert.strictEqual(
          series['winnow_runs_ended_total{"kind":"video","state":"failed","reason":"cancelled"}'],
          1
        );
      })
    )
  );

  it.effect("counts a run that a stopping worker requeued, and does not count it as ended", () =>
    withWorld(
      Effect.gen(function* () {
        const accountId = yield* openAccount();
        const { extraction } = yield* submit(accountId, { url: SLOW });
        const running = yield* Effect.forkChild(execute(extraction));
        yield* TestClock.adjust("1 second");
        yield* Fiber.interrupt(running);
        const series = yield* counted;
        assert.strictEqual(series["winnow_runs_handed_back_total{}"], 1);
        assert.isEmpty(Object.keys(series).filter((name) => name.startsWith("winnow_runs_ended_total")));
      })
    )
  );

  it.effect("writes a line with the extraction's id for its submit and for its end", () =>
    Effect.suspend(() => {
      const lines: Array<Record<string, unknown>> = [];
      const logger = Logger.make(({ message, fiber }) => {
        const annotations = fiber.getRef(References.CurrentLogAnnotations);
        lines.push({ message: [message].flat().join(" "), ...annotations });
      });
      return withWorld(
        Effect.gen(function* () {
          const accountId = yield* openAccount();
          const { id } = yield* runToEnd(accountId, { url: AWAY });
          const [submitted, ended] = lines;
          assert.deepInclude(submitted, { message: "Submitted", extractionId: id, outcome: "fresh" });
          assert.deepInclude(ended, {
            message: "Extraction ended",
            extractionId: id,
            status: "failed",
            reason: "unreachable",
            cause: "dns"
          });
          assert.isUndefined(lines[2]);
        }).pipe(Effect.provide(Logger.layer([logger])))
      );
    })
  );
});
