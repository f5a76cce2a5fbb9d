// @module-tag long
import { assert, layer } from "@effect/vitest";
import { PREDEFINED } from "@winnow/core/domain/json-schema/Predefined";
import {
  provenFaults,
  SchemaChecker,
  type SchemaFault,
  type SchemaRefused
} from "@winnow/core/ports/SchemaChecker";
import { suite } from "@winnow/testing/suites/SchemaCheckerSuite";
import { inRun } from "@winnow/testing/samples/samples";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Result from "effect/Result";
import * as WorkerSchemaChecker from "../../src/schema-check/WorkerSchemaChecker.ts";
import { HOSTILE } from "./hostile.ts";

suite("ajv in workers", WorkerSchemaChecker.layer);

const outcomeOf = (answer: Result.Result<ReadonlyArray<SchemaFault>, SchemaRefused>): string => {
  if (Result.isFailure(answer)) return answer.failure.reason;
  if (answer.success.length === 0) return "fits";
  return provenFaults(answer.success).length === 0 ? "unchecked" : "does not fit";
};

layer(inRun(WorkerSchemaChecker.layer), { excludeTestServices: true })("WorkerSchemaChecker", (it) => {
  for (const { name, schema, value, outcome, isInSuite = false } of HOSTILE) {
    if (isInSuite) continue;
    it.effect(`${name}: ${outcome}`, () =>
      Effect.gen(function* () {
        const checker = yield* SchemaChecker;
        const answer = yield* Effect.result(checker.validate(schema, value));
        assert.strictEqual(outcomeOf(answer), outcome, JSON.stringify(answer).slice(0, 300));
        assert.notProperty({}, "polluted");
      })
    );
  }

  for (const { id, schema } of PREDEFINED.values()) {
    it.effect(`the predefined schema ${id} can be used, and its example fits`, () =>
      Effect.gen(function* () {
        const [example = assert.fail("no example")] = schema["examples"] as ReadonlyArray<any>;
        const checker = yield* SchemaChecker;
        assert.deepStrictEqual(yield* checker.validate(schema, example), []);
      })
    );
  }

  it.effect("a pattern that exceeds its time limit is reported as unchecked, and no other", () =>
    Effect.gen(function* () {
      const checker = yield* SchemaChecker;
      const slow = String.raw`^(?=(a+)+$)x`;
      const schema = { properties: { slow: { pattern: slow }, quick: { pattern: "^(?!b)" } } };
      const found = yield* checker.validate(schema, { slow: `${"a".repeat(40)}!`, quick: "c" });
      assert.deepStrictEqual(
        found.map(({ isUnchecked }) => isUnchecked),
        [true]
      );
      assert.include(found[0]?.message, slow);
      assert.deepStrictEqual(yield* checker.validate(schema, { quick: "c" }), []);
    })
  );

  it.effect("a check that is interrupted ends at once, and the next one has its answer", () =>
    Effect.gen(function* () {
      const checker = yield* SchemaChecker;
      const deep = Array.from({ length: 100 }).reduce<any>((c) => ({ c }), {});
      const twice = { properties: { c: { $ref: "#" } } };
      const fiber = yield* Effect.forkChild(checker.validate({ allOf: [twice, twice] }, deep));
      yield* Effect.yieldNow;
      yield* Fiber.interrupt(fiber);
      yield* checker.check({ type: "object" });
    })
  );
});
