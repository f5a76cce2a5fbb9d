/** `npm run demo`, without its set-up. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { assert, it } from "vitest";
import { startExample } from "./Stage.ts";

it("the demo ends well and prints the table of the README", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "winnow-demo-"));
  try {
    const { code, stdout, stderr } = await startExample("demo.ts", [], { WINNOW_DATA_DIR: folder }).ended;
    assert.strictEqual(code, 0, stdout + stderr);
    assert.include(stdout, "Every artifact is there and of its type.");
    assert.include(stdout, 'dish: "Soda bread with spelt"');
    const readme = await readFile(path.resolve(import.meta.dirname, "../../README.md"), "utf8");
    const [table = "none"] = /^kind +title[\s\S]*?(?=\n```)/mu.exec(readme) ?? [];
    assert.include(stdout, table);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
