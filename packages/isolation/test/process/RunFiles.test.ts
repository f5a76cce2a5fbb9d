// @module-tag long
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync
} from "node:fs";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { keepFile, readKept, readOutput, takeOutput, writeInput } from "../../src/process/RunFiles.ts";
import { makeProgramFolder, withinFolder } from "../../src/process/RunFolder.ts";
import { temporaryFolder } from "../temporaryFolder.ts";
import { openRunFolder } from "./openRunFolder.ts";

const MAX_BYTES = 1_000;

/** What a program may put in place of a file, in its own folder. */
const PLANTED: Readonly<Record<string, (path: string, outside: string) => void>> = {
  "a link to a file": (path, outside) => symlinkSync(join(outside, "secret"), path),
  "a link to nothing": (path, outside) => symlinkSync(join(outside, "new"), path),
  "a link to a folder": (path, outside) => symlinkSync(outside, path),
  "a pipe without a writer": (path) => void execFileSync("mkfifo", [path]),
  "a folder": (path) => mkdirSync(join(path, "inner"), { recursive: true }),
  "a large sparse file": (path) => {
    writeFileSync(path, "");
    truncateSync(path, 2 ** 40);
  }
};

/** Makes folders in each other, the last of them without permissions. */
const NEST = `
import os, sys
for _ in range(40):
    os.mkdir(sys.argv[1])
    os.chdir(sys.argv[1])
open('file', 'w').close()
os.chmod('.', 0)
`;

const places = Effect.gen(function* () {
  const work = temporaryFolder();
  const outside = join(work, "outside");
  mkdirSync(outside);
  writeFileSync(join(outside, "secret"), "secret");
  const run = yield* openRunFolder(join(work, "work"));
  return { outside, run, folder: yield* makeProgramFolder(run) };
});

const outsideIsUntouched = (outside: string): void => {
  assert.deepStrictEqual(readdirSync(outside), ["secret"]);
  assert.strictEqual(readFileSync(join(outside, "secret"), "utf8"), "secret");
};

describe("a file that a program has written", () => {
  it.live("is read and taken, without the modes that the program gave it", () =>
    Effect.gen(function* () {
      const { folder, run } = yield* places;
      writeFileSync(join(folder, "result"), "text");
      chmodSync(join(folder, "result"), 0o4777);
      assert.strictEqual(String(yield* readOutput(folder, "result", MAX_BYTES)), "text");
      const taken = yield* takeOutput(folder, "result", run, MAX_BYTES);
      assert.deepStrictEqual(taken, { path: join(run.path, "result"), sizeBytes: 4 });
      assert.strictEqual(statSync(join(run.path, "result")).mode & 0o7777, 0o600);
      assert.deepStrictEqual(readdirSync(folder), []);
    }).pipe(Effect.scoped)
  );

  for (const [what, plant] of Object.entries(PLANTED)) {
    it.live(`is neither read nor taken if it is ${what}`, () =>
      Effect.gen(function* () {
        const { folder, outside, run } = yield* places;
        plant(join(folder, "result"), outside);
        assert.isString(yield* readOutput(folder, "result", MAX_BYTES));
        assert.isNull(yield* takeOutput(folder, "result", run, MAX_BYTES));
        assert.deepStrictEqual(readdirSync(run.path), []);
        outsideIsUntouched(outside);
      }).pipe(Effect.scoped)
    );
  }

  it.live("is not taken if it has another name, under which it could be changed later", () =>
    Effect.gen(function* () {
      const { folder, run } = yield* places;
      writeFileSync(join(folder, "result"), "text");
      linkSync(join(folder, "result"), join(folder, "another"));
      assert.isNull(yield* takeOutput(folder, "result", run, MAX_BYTES));
    }).pipe(Effect.scoped)
  );

  it.live("has only a name, and no path", () =>
    Effect.gen(function* () {
      const { folder, run } = yield* places;
      for (const name of ["../secret", "inner/file", "..", "", "/etc/passwd"]) {
        const exit = yield* Effect.exit(takeOutput(folder, name, run, MAX_BYTES));
        assert.strictEqual(exit._tag, "Failure", name);
      }
    }).pipe(Effect.scoped)
  );
});

describe("what the server writes", () => {
  it.live("never goes through a link: an input is not written over anything, a kept file replaces it", () =>
    Effect.gen(function* () {
      const { folder, outside, run } = yield* places;
      for (const [index, plant] of Object.values(PLANTED).slice(0, 3).entries()) {
        plant(join(folder, `input.${index}`), outside);
        assert.strictEqual((yield* Effect.exit(writeInput(folder, `input.${index}`, "x")))._tag, "Failure");
        plant(join(run.path, `kept.${index}`), outside);
        yield* keepFile(run, `kept.${index}`, "kept");
        assert.strictEqual(readFileSync(join(run.path, `kept.${index}`), "utf8"), "kept");
      }
      outsideIsUntouched(outside);
    }).pipe(Effect.scoped)
  );
});

describe("a file of the server's own folder", () => {
  it.effect("is read in parts, the last of which may be shorter", () =>
    Effect.gen(function* () {
      const path = join(temporaryFolder(), "kept");
      writeFileSync(path, "0123456789");
      for (const [maxBytes, startByte, expected] of [
        [4, 0, "0123"],
        [4, 4, "4567"],
        [4, 8, "89"],
        [4, 10, ""],
        [4, 11, ""],
        [100, 0, "0123456789"]
      ] as const)
        assert.strictEqual(String(yield* readKept(path, maxBytes, startByte)), expected);
      assert.isNull(yield* readKept(`${path}-not`, 4));
    })
  );
});

describe("the folders of a run", () => {
  it.live("are measured without following links, of which two could take forever", () =>
    Effect.gen(function* () {
      const { folder, outside, run } = yield* places;
      writeFileSync(join(outside, "large"), Buffer.alloc(2_000_000, 1));
      for (const name of ["one", "two"]) symlinkSync(".", join(folder, name));
      symlinkSync(outside, join(folder, "outside"));
      symlinkSync("/", join(folder, "root"));
      const limit = { maxBytes: 1_000_000, failure: () => "too large" as const };
      assert.strictEqual(
        yield* withinFolder(Effect.as(Effect.sleep("1500 millis"), "done"), run, limit),
        "done"
      );
    }).pipe(Effect.scoped)
  );

  it.live("are too large if folders are nested so deeply that nothing can measure them", () =>
    Effect.gen(function* () {
      const { folder, run } = yield* places;
      mkdirSync(join(folder, ...Array.from({ length: 100 }, () => "d")), { recursive: true });
      const limit = { maxBytes: 1_000_000, failure: () => "too large" as const };
      assert.strictEqual(yield* Effect.flip(withinFolder(Effect.never, run, limit)), "too large");
    }).pipe(Effect.scoped)
  );

  it.live("are removed with what programs made hard to remove, and nothing behind their links", () =>
    Effect.gen(function* () {
      const seen = yield* Effect.scoped(
        Effect.gen(function* () {
          const { folder, outside, run } = yield* places;
          symlinkSync(outside, join(folder, "outside"));
          // Deeper than the longest path of the system, and without permissions.
          execFileSync("/usr/bin/python3", ["-c", NEST, "d".repeat(200)], { cwd: folder });
          return { folder, outside, path: run.path };
        })
      );
      assert.isFalse(existsSync(seen.folder));
      assert.isFalse(existsSync(seen.path));
      outsideIsUntouched(seen.outside);
    })
  );
});
