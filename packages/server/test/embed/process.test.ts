/** Embedding has no effect on the process that the program did not request. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { assert, it, onTestFinished, vi } from "vitest";

const END_TIMEOUT_MS = 120_000;

vi.setConfig({ testTimeout: 2 * END_TIMEOUT_MS });

it("an embedder with custom ports loads no adapter, prints nothing, and exits by itself", () => {
  const cwd = mkdtempSync(path.join(tmpdir(), "winnow-embedder-"));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const program = path.join(import.meta.dirname, "embedder.ts");
  const { status, stdout, stderr } = spawnSync(process.execPath, [program], {
    cwd,
    encoding: "utf8",
    env: { PATH: "/nonexistent", NODE_NO_WARNINGS: "1", WINNOW_WORKERS: "not a number" },
    timeout: END_TIMEOUT_MS
  });
  assert.strictEqual(stderr, "");
  const answer = JSON.parse(stdout) as { readonly status: string; readonly loaded: ReadonlyArray<string> };
  assert.strictEqual(answer.status, "complete");
  assert.strictEqual(status, 0);
  const needless = /\/packages\/adapters\/|\/node_modules\/(?:pg|openai|sharp|ajv|undici|vitest)\//u;
  assert.deepStrictEqual(
    answer.loaded.filter((url) => needless.test(url)),
    []
  );
  assert.deepStrictEqual(readdirSync(cwd), []);
});
