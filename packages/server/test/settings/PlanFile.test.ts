/** The plan file is read at start and on SIGHUP; errors in it are reported and change nothing. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import { planOf, UNPLANNED } from "@winnow/core/domain/money/Plan";
import { Plans } from "@winnow/core/ports/Plans";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Logger from "effect/Logger";
import * as Result from "effect/Result";
import { readSettings, type Settings } from "../../src/settings/Config.ts";
import * as PlanFile from "../../src/settings/PlanFile.ts";

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "winnow-plans-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
);

const settingsOf = (environment: Record<string, string>): Settings =>
  Result.getOrThrow(readSettings(environment));

const open = (settings: Settings) =>
  Effect.map(
    Effect.provide(Plans, Layer.provide(PlanFile.layer(settings), Logger.layer([]))),
    (plans) => plans
  );

const limitsOf = (plans: typeof Plans.Service, plan: string) =>
  planOf(plans.book(), { ...UNPLANNED, plan }, 0).limits;

const hangUp = Effect.sync(() => process.emit("SIGHUP", "SIGHUP"));

describe("a private server", () => {
  it.effect("has no prices, and no limit that its owner would notice", () =>
    Effect.gen(function* () {
      const plans = yield* open(settingsOf({ WINNOW_PRIVATE: "on", WINNOW_WORKERS: "8" }));
      const { limits, rates } = planOf(plans.book(), UNPLANNED, 0);
      assert.deepInclude(limits, { runningMax: 8, submitsPerMinute: 1_000_000 });
      assert.deepStrictEqual([...new Set(Object.values(rates))], [0]);
    })
  );
});

describe("the file of plans", () => {
  it.effect("adds to the defaults of the settings", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "plans.json");
      writeFileSync(file, JSON.stringify({ studio: { runningMax: 20 } }));
      const plans = yield* open(settingsOf({ WINNOW_PLANS: file, WINNOW_RETENTION_DAYS: "7" }));
      assert.deepInclude(limitsOf(plans, "studio"), { runningMax: 20, retentionDays: 7 });
      assert.deepInclude(limitsOf(plans, "default"), { runningMax: 2, retentionDays: 7 });
    }).pipe(Effect.scoped)
  );

  it.effect("is read again on SIGHUP, and keeps the old plans if it is invalid", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "plans.json");
      writeFileSync(file, "{}");
      const layer = Layer.provide(PlanFile.layer(settingsOf({ WINNOW_PLANS: file })), Logger.layer([]));
      yield* Effect.gen(function* () {
        const plans = yield* Plans;
        const until = (runningMax: number) =>
          Effect.repeat(
            Effect.andThen(
              Effect.promise(() => new Promise((resolve) => setImmediate(resolve))),
              Effect.sync(() => limitsOf(plans, "default").runningMax)
            ),
            { until: (found) => found === runningMax }
          );
        writeFileSync(file, JSON.stringify({ default: { runningMax: 5 } }));
        yield* hangUp;
        yield* until(5);
        writeFileSync(file, "{");
        yield* hangUp;
        writeFileSync(file, JSON.stringify({ default: { runningMax: 6 } }));
        yield* hangUp;
        yield* until(6);
      }).pipe(Effect.provide(layer));
    }).pipe(Effect.scoped)
  );

  it.effect.each<[string, string | null, string]>([
    ["that is not there", null, "but the file cannot be read"],
    ["that is not JSON", "{", "not JSON"],
    ["with an unknown field", '{"studio": {"slots": 3}}', "slots"]
  ])("%s keeps the server from starting, and says why", ([, text, word]) =>
    Effect.gen(function* () {
      const file = join(yield* folder, "plans.json");
      if (text !== null) writeFileSync(file, text);
      const { message } = yield* Effect.flip(open(settingsOf({ WINNOW_PLANS: file })));
      assert.include(message, "WINNOW_PLANS");
      assert.include(message, word);
    }).pipe(Effect.scoped)
  );
});
