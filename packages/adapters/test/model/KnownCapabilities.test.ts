import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as TestClock from "effect/testing/TestClock";
import { OPTIMISTIC, without } from "../../src/model/client/Capabilities.ts";
import { makeKnownCapabilities } from "../../src/model/client/KnownCapabilities.ts";

const weaker = (now: typeof OPTIMISTIC) => without(now, "responseMode");

describe("the known capabilities of a server", () => {
  it.effect("are tried again after a while", () =>
    Effect.gen(function* () {
      const known = yield* makeKnownCapabilities;
      yield* known.learn((now) => without(now, "temperature"));
      yield* TestClock.adjust("10 minutes");
      assert.isFalse((yield* known.get).temperature);
      // Learning something later does not prolong what was learned before.
      yield* known.learn((now) => without(now, "image"));
      yield* TestClock.adjust("6 minutes");
      assert.deepStrictEqual(yield* known.get, OPTIMISTIC);
    })
  );

  it.effect("are not reduced by the rejection of one schema", () =>
    Effect.gen(function* () {
      const known = yield* makeKnownCapabilities;
      yield* known.learnFor("one", weaker);
      yield* known.learnFor("one", weaker);
      assert.strictEqual((yield* known.getFor("one")).responseMode, "json_schema");
      assert.deepStrictEqual(yield* known.getFor("another"), OPTIMISTIC);
      assert.deepStrictEqual(yield* known.get, OPTIMISTIC);
    })
  );

  it.effect("are reduced for all schemas after two were rejected", () =>
    Effect.gen(function* () {
      const known = yield* makeKnownCapabilities;
      yield* known.learnFor("one", weaker);
      yield* known.learnFor("two", weaker);
      assert.strictEqual((yield* known.getFor("three")).responseMode, "json_schema");
    })
  );
});
