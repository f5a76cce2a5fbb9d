import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as TestClock from "effect/testing/TestClock";
import { makeId } from "../../src/engine/Ids.ts";

describe("ids", () => {
  it.effect("sort by the time they were made", () =>
    Effect.gen(function* () {
      const ids: Array<string> = [];
      for (const step of [0, 1, 31, 1_000, 86_400_000, 1e12]) {
        yield* TestClock.adjust(step);
        ids.push(yield* makeId("ext"));
      }
      assert.deepStrictEqual(ids.toSorted(), ids);
    })
  );

  it.effect("contain the time in milliseconds", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_469_918_176_385);
      assert.strictEqual((yield* makeId("acc")).slice(0, 16), "acc_01563df36481");
    })
  );

  it.effect("created in one millisecond differ, and use every digit", () =>
    Effect.gen(function* () {
      const ids = yield* Effect.replicateEffect(makeId("key"), 2_000);
      assert.strictEqual(new Set(ids).size, 2_000);
      const letters = new Set(ids.flatMap((id) => id.slice(16).split("")));
      assert.strictEqual([...letters].toSorted().join(""), "0123456789abcdef");
    })
  );
});
