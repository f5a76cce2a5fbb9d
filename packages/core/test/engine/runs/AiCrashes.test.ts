// @module-tag long
/** The process crashes at its n-th call of a port during AI runs, for every n; another one takes over. */
import { assert, describe, it } from "@effect/vitest";
import type * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Logger from "effect/Logger";
import * as TestClock from "effect/testing/TestClock";
import { Extractions } from "../../../src/engine/extractions/Extractions.ts";
import { Runs } from "../../../src/engine/runs/Runs.ts";
import { SchemaLibrary } from "../../../src/ports/SchemaLibrary.ts";
import * as FakeAnalyst from "@winnow/testing/fakes/FakeAnalyst";
import type { CrashPoint } from "../CrashingPorts.ts";
import { crashAtEachCall, runTwice } from "../crashAtEachCall.ts";
import { ARTICLE, assertLaws, ports, VIDEO } from "../World.ts";

const isEnough = (kind: string, inputs: ReadonlyArray<string>): boolean =>
  kind === "webpage" || inputs.includes("audio");

/** Finds more with audio, so that auto mode continues to the next rung. */
const analyst = FakeAnalyst.layer(
  ({ facts, inputs }) =>
    Effect.succeed({
      outcome: "ok",
      verdictReason: null,
      extraction: { words: isEnough(facts.kind, inputs) ? "content of" : "unknown" },
      confidence: isEnough(facts.kind, inputs) ? 1 : 0
    }),
  () =>
    Effect.succeed({
      name: "Words",
      fields: [{ path: "words", type: "string", description: "", required: true, isArray: false }]
    })
);

const SCHEMA = { type: "object", required: ["words"], properties: { words: { type: "string" } } };

/** A run with a generated schema, and one that uses several rungs. */
const BODIES = [
  { url: ARTICLE, schemaId: "auto" },
  { url: VIDEO, schema: SCHEMA, inputs: ["transcript", "audio"], auto: true, maxSpendCredits: 1_000 }
];

const submitAndWork = (accountId: string, lifetime: Duration.Input) =>
  Effect.scoped(
    Effect.gen(function* () {
      const extractions = yield* Extractions;
      const runs = yield* Runs;
      yield* runs.work(2);
      for (const [index, body] of BODIES.entries()) {
        yield* Effect.exit(extractions.submit(accountId, body, `key ${index}`));
      }
      yield* TestClock.adjust(lifetime);
    })
  );

const crashAndFinish = Effect.fnUntraced(function* (lastCall: number, crashPoint: CrashPoint) {
  const { accountId, calls } = yield* runTwice(submitAndWork, lastCall, crashPoint);
  const { account, extractions } = yield* assertLaws(accountId);
  assert.deepStrictEqual(
    extractions.map(({ status, result }) => [status, result?.outcome, result?.extraction]),
    BODIES.map(() => ["complete", "ok", { words: "content of" }])
  );
  const library = yield* SchemaLibrary;
  const saved = yield* library.list(accountId, { after: null, limit: 10 });
  const ids = extractions.flatMap(({ result }) => result?.schemaId ?? []);
  assert.deepStrictEqual(
    saved.map(({ id }) => id),
    ids
  );
  assert.lengthOf(ids, 1);
  // 1,000 and the bonus; 100 for the article; 50 + 10 + 4.26 + 106.5 + 213 for the video.
  assert.strictEqual(account.balance, 2_000 - 100 - 423);
  return calls;
});

const isolated = (lastCall: number, crashPoint: CrashPoint) =>
  Effect.provide(crashAndFinish(lastCall, crashPoint), [Layer.fresh(ports({ analyst })), Logger.layer([])], {
    local: true
  });

describe("a process that dies during AI runs", () => {
  it.effect.each(["before", "after"] as const)(
    "%s any of its calls takes effect saves one schema, pays once and loses no answer",
    (crashPoint) => crashAtEachCall(crashPoint, 30, isolated)
  );
});
