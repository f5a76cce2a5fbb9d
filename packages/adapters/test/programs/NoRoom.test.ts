import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { assert, describe, it } from "@effect/vitest";
import { Unavailable } from "@winnow/core/ports/Unavailable";
import * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import { writing } from "@winnow/isolation/process/DiskFull";

/** The error of a failed write. */
const deathOf = (path: string) =>
  writing(() => writeFile(path, "some text")).pipe(Effect.sandbox, Effect.flip, Effect.map(Cause.squash));

describe("a write to a working folder", () => {
  // A device of Linux that is always full.
  it.effect.skipIf(!existsSync("/dev/full"))("on a full disk dies with a transient error that says so", () =>
    Effect.gen(function* () {
      const death = yield* deathOf("/dev/full");
      assert.instanceOf(death, Unavailable);
      assert.deepInclude(death, { what: "artifacts", reason: "full" });
      assert.match(death.message, /disk .* is full/u);
    })
  );

  it.effect("that fails for another reason dies with that reason", () =>
    Effect.gen(function* () {
      const death = yield* deathOf("/dev/null/folder");
      assert.notInstanceOf(death, Unavailable);
      assert.deepInclude(death, { code: "ENOTDIR" });
    })
  );
});
