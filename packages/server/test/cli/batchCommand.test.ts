// @module-tag long
/** `winnow batch` against a server: quote, debit, progress and exit codes. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, layer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { vi } from "vitest";
import { ARTICLE, TestApp, unlimited, VIDEO } from "../TestApp.ts";
import { temporaryFolder } from "../TemporaryFolder.ts";
import { winnow } from "../WinnowProgram.ts";

/** Several program starts, on a busy machine. */
vi.setConfig({ testTimeout: 240_000 });

layer(TestApp.with({ rateLimits: unlimited }), { excludeTestServices: true })("winnow batch", (it) => {
  const opened = Effect.fnUntraced(function* (credits: number, links: string) {
    const { account, call, url } = yield* TestApp;
    const me = yield* account(credits);
    const file = join(yield* temporaryFolder("batch"), "links.txt");
    writeFileSync(file, links);
    const run = (...args: ReadonlyArray<string>) =>
      winnow(["batch", ...args], { WINNOW_URL: url, WINNOW_API_KEY: me.key });
    const batches = Effect.map(call("/v1/batches", { key: me.key }), ({ json }) => json.data);
    return { file, run, batches };
  });

  it.effect("quotes, debits once however often it is repeated, and follows the batch to its end", () =>
    Effect.gen(function* () {
      const { file, run, batches } = yield* opened(10_000, `${ARTICLE}\n\n${VIDEO}\nftp://x\n`);
      const first = yield* run(file, "--parts", "transcript", "--yes");
      assert.strictEqual(first.code, 1, first.stderr);
      assert.match(first.stdout, /^accepted\s+2$/mu);
      assert.match(first.stdout, /^line 4: ftp:\/\/x {2}\S/mu);
      assert.match(first.stdout, /: 2 of 2 done, 0 failed, \d+ credits spent$/mu);
      assert.include(first.stderr, "2 of 3 links are complete.");
      const again = yield* run(file, "--parts", "transcript", "--yes", "--json");
      const lines = again.stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
      const [batch, ...others] = yield* batches;
      assert.lengthOf(others, 0);
      assert.deepStrictEqual(
        lines.filter(({ type }) => type === "batch").map(({ id }) => id),
        [batch.id]
      );
      assert.strictEqual(lines.filter(({ type }) => type === "item").length, 2);
      const followed = yield* run(batch.id);
      assert.match(followed.stdout, /2 of 2 done/u);
    }).pipe(Effect.scoped)
  );

  it.effect("creates nothing over its budget, or if nobody can be asked", () =>
    Effect.gen(function* () {
      const { file, run, batches } = yield* opened(10_000, `${VIDEO}\n`);
      const over = yield* run(file, "--budget", "1");
      assert.strictEqual(over.code, 1);
      assert.match(over.stderr, /more than --budget 1; nothing was created/u);
      const unasked = yield* run(file);
      assert.deepStrictEqual([unasked.code, unasked.stdout.includes("accepted")], [2, false]);
      assert.match(unasked.stderr, /--budget CREDITS, or --yes/u);
      const missing = yield* run(`${file}.none`, "--yes");
      assert.strictEqual(missing.code, 2);
      assert.match(missing.stderr, /cannot be read/u);
      assert.deepStrictEqual(yield* batches, []);
    }).pipe(Effect.scoped)
  );
});
