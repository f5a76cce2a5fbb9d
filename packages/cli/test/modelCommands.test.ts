// @module-tag long
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { afterAll, vi } from "vitest";
import { winnow } from "@winnow/server/test/WinnowProgram";

/** Several program starts, on a busy machine. */
vi.setConfig({ testTimeout: 240_000 });

const folder = mkdtempSync(join(tmpdir(), "winnow-models-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const models = join(folder, "models");

const run = (...args: ReadonlyArray<string>) => winnow(["models", ...args], { WINNOW_DATA_DIR: folder });

const ownModel = (name: string): void => {
  mkdirSync(join(models, name), { recursive: true });
  for (const file of ["model.onnx", "tokens.txt", "silero_vad.onnx"])
    writeFileSync(join(models, name, file), "");
};

describe("winnow models", () => {
  it.live("lists what can be added and what is there, and removes only models", () =>
    Effect.gen(function* () {
      ownModel("mine");
      const list = yield* run("list");
      assert.match(list.stdout, /^whisper-base +available +160\.6 MB +99 languages +MIT$/mu);
      assert.match(list.stdout, /^mine +yours +- +- +-$/mu);
      const own = JSON.parse((yield* run("list", "--json")).stdout).at(-1);
      assert.deepStrictEqual(own, {
        name: "mine",
        state: "yours",
        sizeBytes: null,
        languages: null,
        license: null
      });
      for (const name of ["../models", ".", "nothing"]) {
        const refused = yield* run("remove", name);
        assert.strictEqual(refused.code, 1);
        assert.include(refused.stderr, `There is no model "${name}". There are: mine.`);
      }
      const removed = yield* run("remove", "mine", "--json");
      assert.deepStrictEqual(JSON.parse(removed.stdout), { name: "mine", removed: true });
      assert.notInclude((yield* run("list")).stdout, "mine");
      const none = yield* run("remove", "mine");
      assert.include(none.stderr, 'There is no model "mine", nor any other.');
    })
  );

  it.live("tests a model that is there, and says how to get one that is not", () =>
    Effect.gen(function* () {
      const missing = yield* run("test", "whisper-base");
      assert.strictEqual(missing.code, 1);
      assert.match(missing.stderr, /get it with: WINNOW_DATA_DIR=\S+ winnow models add whisper-base/u);
      ownModel("broken");
      const broken = yield* run("test");
      assert.strictEqual(broken.code, 1);
      assert.include(broken.stderr, "The local speech model could not be loaded.");
    })
  );

  it.live("does not know other names", () =>
    Effect.gen(function* () {
      const { code, stderr } = yield* run("add", "whisper-huge");
      assert.strictEqual(code, 1);
      assert.match(stderr, /There is no model "whisper-huge"\. There are: whisper-tiny, .*, silero-vad\./u);
    })
  );
});
