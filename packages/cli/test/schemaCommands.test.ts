import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assert, layer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { vi } from "vitest";
import { ADMIN_TOKEN, TestApp } from "@winnow/server/test/TestApp";
import { winnow } from "@winnow/server/test/WinnowProgram";

/** Several program starts, on a busy machine. */
vi.setConfig({ testTimeout: 240_000 });

const SCHEMA = { type: "object", properties: { topic: { type: "string" } } };

const run = Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
  const { url } = yield* TestApp;
  return yield* winnow(["schema", ...args, "--url", url], { WINNOW_ADMIN_TOKEN: ADMIN_TOKEN });
});

const schemaFile = Effect.acquireRelease(
  Effect.sync(() => {
    const folder = mkdtempSync(join(tmpdir(), "winnow-schema-"));
    writeFileSync(join(folder, "topic.json"), JSON.stringify(SCHEMA));
    writeFileSync(join(folder, "broken.json"), "{");
    return folder;
  }),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
);

layer(TestApp.layer, { excludeTestServices: true })("winnow schema", (it) => {
  it.effect("saves, lists and deletes, as text and as JSON", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const { id, key } = yield* account(0);
      const file = join(yield* schemaFile, "topic.json");
      const words = yield* run("save", id, file);
      assert.strictEqual(words.code, 0, words.stderr);
      assert.match(words.stdout, /^Saved as sch_\w+, version 1 of "topic"\.\n$/u);
      const saved = yield* run("save", id, file, "--name", "Topic", "--prompt", "Be brief.", "--json");
      const schema = JSON.parse(saved.stdout);
      assert.deepInclude(schema, { name: "Topic", schema: SCHEMA, prompt: "Be brief.", version: 1 });
      assert.deepStrictEqual((yield* call(`/v1/schemas/${schema.id}`, { key })).json, schema);
      const list = yield* run("list", id);
      assert.match(list.stdout, /^ID +VERSION +NAME\n/u);
      assert.match(list.stdout, new RegExp(`^${schema.id} +1 +Topic$`, "mu"));
      assert.strictEqual((yield* run("list", "--api-key", key)).stdout, list.stdout);
      assert.include(list.stdout, "winnow.predefined.recipe.v1");
      assert.deepInclude(JSON.parse((yield* run("list", id, "--json")).stdout), schema);
      const removed = yield* run("delete", id, schema.id);
      assert.deepStrictEqual([removed.code, removed.stdout], [0, `Deleted ${schema.id}.\n`]);
      const gone = yield* run("delete", id, schema.id);
      assert.strictEqual(gone.code, 1);
      assert.include(gone.stderr, "There is no such schema.");
    }).pipe(Effect.scoped)
  );

  it.effect("reports errors in one sentence, with exit code 1, or 2 for wrong usage", () =>
    Effect.gen(function* () {
      const { account } = yield* TestApp;
      const { id } = yield* account(0);
      const folder = yield* schemaFile;
      for (const [args, words] of [
        [["save", id, join(folder, "none.json")], "cannot be read"],
        [["save", id, join(folder, "broken.json")], "is not valid JSON"],
        [["save", "acc_none", join(folder, "topic.json")], "There is no such account."],
        [["delete", id, "winnow.predefined.recipe.v1"], "cannot be deleted"]
      ] as const) {
        const { code, stderr } = yield* run(...args);
        assert.strictEqual(code, 1);
        assert.include(stderr, words);
      }
      assert.strictEqual((yield* run("save", id)).code, 2);
      const help = yield* run("--help");
      assert.strictEqual(help.code, 0);
      for (const command of ["list", "save", "delete"]) assert.include(help.stdout, command);
    }).pipe(Effect.scoped)
  );
});
