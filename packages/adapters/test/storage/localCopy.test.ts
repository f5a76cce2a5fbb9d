import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { assert, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import * as Stream from "effect/Stream";
import { localCopyOf } from "../../src/storage/localCopy.ts";

const workFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "winnow-copies-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
);

const key = { extractionId: "ext_1", attempt: 1, name: "video.mp4" };

it.effect("a copy lies in the work folder, where the next one removes what a killed process left", () =>
  Effect.gen(function* () {
    const workDir = join(yield* workFolder, "work");
    const left = join(workDir, "work-killed");
    mkdirSync(left, { recursive: true });
    writeFileSync(join(left, "file"), "half a film");
    const bytes = new TextEncoder().encode("film");
    const copy = localCopyOf(
      { size: () => Effect.succeedSome(bytes.length), read: () => Stream.succeed(bytes) },
      workDir
    );
    yield* Effect.scoped(
      Effect.gen(function* () {
        const path = Option.getOrThrow(yield* copy(key));
        assert.strictEqual(dirname(dirname(path)), workDir);
        assert.strictEqual(readFileSync(path, "utf8"), "film");
        assert.isFalse(existsSync(left));
      })
    );
    assert.deepStrictEqual(readdirSync(workDir), []);
  })
);
