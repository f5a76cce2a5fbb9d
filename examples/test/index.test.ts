/** Every example has a test and an entry in the index. */
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { assert, it } from "vitest";

const EXAMPLES = path.resolve(import.meta.dirname, "..");
const ROOT = path.resolve(EXAMPLES, "..");
const files = [
  "*.{ts,sh}",
  "{webhooks,embed,adapters,queue-pg-boss,browser-proxy,agents}/*.ts",
  "other-languages/*"
].flatMap((pattern) => globSync(pattern, { cwd: EXAMPLES }));

it("every example is in the index", async () => {
  const index = await readFile(path.join(EXAMPLES, "README.md"), "utf8");
  assert.isAbove(files.length, 10);
  for (const file of files) assert.include(index, `](${file})`);
});

it("every example is run by a test", async () => {
  const names = globSync(["examples/test/*.test.ts", "packages/dashboard/test/Mounts.ts"], { cwd: ROOT });
  const tests = await Promise.all(names.map((name) => readFile(path.join(ROOT, name), "utf8")));
  for (const file of files) {
    assert.isTrue(
      tests.some((text) => text.includes(path.basename(file))),
      file
    );
  }
});
