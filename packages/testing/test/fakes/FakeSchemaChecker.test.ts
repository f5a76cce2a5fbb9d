import { assert, describe, it } from "@effect/vitest";
import { CurrentRun, runFor } from "@winnow/core/ports/CurrentRun";
import { SchemaChecker, SchemaRefused } from "@winnow/core/ports/SchemaChecker";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as FakeSchemaChecker from "../../src/fakes/FakeSchemaChecker.ts";

const fault = { path: "/a", message: "must be a number" };
const refused = new SchemaRefused({
  reason: "unsupported_pattern",
  path: "/a",
  message: "It is no pattern."
});

const asked = (layer: ReturnType<typeof FakeSchemaChecker.layer>) =>
  SchemaChecker.use(({ check, validate }) => Effect.exit(Effect.andThen(check({}), validate({}, 1)))).pipe(
    Effect.provide(layer)
  );

describe("a fake checker", () => {
  it.effect("accepts every schema and value, unless the test says otherwise", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* asked(FakeSchemaChecker.layer()), Exit.succeed([]));
      assert.deepStrictEqual(yield* asked(FakeSchemaChecker.layer(() => [fault])), Exit.succeed([fault]));
      assert.deepStrictEqual(
        yield* asked(FakeSchemaChecker.layer(undefined, () => refused)),
        Exit.fail(refused)
      );
    }).pipe(Effect.provideService(CurrentRun, runFor("acc_1")))
  );

  it.effect("dies outside of a run, as an adapter does", () =>
    Effect.map(asked(FakeSchemaChecker.layer()), (exit) => assert.isTrue(Exit.hasDies(exit)))
  );
});
