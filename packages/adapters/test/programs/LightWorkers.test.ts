// @module-tag long
/** Which modules worker processes load: a server starts several, and a new one for each that it ends. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { assert, describe, it } from "vitest";

const run = promisify(execFile);

/** Prints the address of each module that is loaded. */
const TOLD = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from "node:module";
  registerHooks({ load: (url, context, next) => { console.log(url); return next(url, context); } });
`)}`;

describe("a worker process", () => {
  for (const entry of [
    "schema-check/SchemaWorker",
    "model/answer/AnswerWorker",
    "sources/page-reader/PageWorker"
  ]) {
    it(`of ${entry} loads nothing of Effect, which takes longer than all else`, async () => {
      const file = fileURLToPath(new URL(`../../src/${entry}.ts`, import.meta.url));
      const program = `await import(${JSON.stringify(file)}); process.exit(0);`;
      const args = ["--import", TOLD, "--input-type=module", "--eval", program];
      const modules = (await run(process.execPath, args)).stdout.split("\n");
      assert.isTrue(modules.some((url) => url.endsWith(`${entry}.ts`)));
      assert.deepStrictEqual(
        modules.filter((url) => url.includes("/node_modules/effect/")),
        []
      );
      assert.deepStrictEqual(
        modules.filter((url) => /\/node_modules\/(?:fflate|mammoth|marked|unpdf)\//.test(url)),
        [],
        "libraries of single formats"
      );
    });
  }
});
