/** How PostgreSQL's errors are mapped. */
import { assert, describe, it } from "@effect/vitest";
import { findUnavailable } from "@winnow/core/ports/Unavailable";
import * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import { ConnectionError, SqlError } from "effect/sql/SqlError";
import { orUnavailable } from "../../../src/database/store/StorageFault.ts";

const lost = new SqlError({ reason: new ConnectionError({ cause: new Error("Connection closed") }) });

const causeOf = <E>(cause: Cause.Cause<E>) =>
  Effect.flip(Effect.sandbox(orUnavailable(Effect.failCause(cause))));

describe("a connection that is lost", () => {
  it.effect("during a statement means that the database is unavailable", () =>
    Effect.gen(function* () {
      assert.strictEqual(findUnavailable(yield* causeOf(Cause.fail(lost)))?.reason, "away");
    })
  );

  it.effect("during the rollback of a failed transaction means so, too", () =>
    Effect.gen(function* () {
      const both = Cause.combine(Cause.fail({ _tag: "RolledBack" }), Cause.die(lost));
      const cause = yield* causeOf(both);
      assert.strictEqual(findUnavailable(cause)?.reason, "away");
      assert.notInclude(Cause.pretty(cause), "RolledBack");
    })
  );
});
