import { tmpdir } from "node:os";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import { FreeSpace } from "@winnow/core/ports/FreeSpace";
import * as Effect from "effect/Effect";
import { freeBytesOf, layer } from "../../../src/storage/files/DiskSpace.ts";

const MISSING = join(tmpdir(), "winnow-no-such-folder");

describe("the free space of folders", () => {
  it.effect("is that of their disks, without those that cannot be measured", () =>
    Effect.gen(function* () {
      assert.isNull(yield* Effect.promise(() => freeBytesOf(MISSING)));
      const disks = yield* Effect.flatMap(FreeSpace, ({ disks: measured }) => measured);
      assert.deepStrictEqual(
        disks.map(({ name }) => name),
        ["data"]
      );
      assert.isTrue(disks.every(({ freeBytes }) => Number.isSafeInteger(freeBytes) && freeBytes >= 0));
    }).pipe(Effect.provide(layer({ data: tmpdir(), artifacts: MISSING })))
  );
});
