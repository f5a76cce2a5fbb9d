/**
 * Writes the generated files that a script of a package prints, or with `--check` says which is stale.
 *
 *   node scripts/reference/printed.ts openapi|client:generate|reference:cli [--check]
 */
import { execFileSync } from "node:child_process";
import path from "node:path";
import { ROOT } from "../repository.ts";
import { writeOrCheck } from "./writeOrCheck.ts";

/** By the command that writes it: the file, and the script that prints it. */
const PRINTED: ReadonlyMap<string, { readonly file: string; readonly script: string }> = new Map([
  ["openapi", { file: "packages/server/openapi.json", script: "packages/server/scripts/openapi.ts" }],
  [
    "client:generate",
    { file: "packages/client/src/generated/types.ts", script: "packages/client/scripts/generate.ts" }
  ],
  ["reference:cli", { file: "docs/reference/cli.md", script: "packages/server/scripts/cliReference.ts" }]
]);

const OUTPUT_BYTES_MAX = 16_777_216;

const [command = ""] = process.argv.slice(2);
const printed = PRINTED.get(command);
if (printed === undefined) throw new Error(`Name one of ${[...PRINTED.keys()].join(", ")}.`);
const text = execFileSync(process.execPath, [path.join(ROOT, printed.script)], {
  encoding: "utf8",
  maxBuffer: OUTPUT_BYTES_MAX,
  stdio: ["ignore", "pipe", "inherit"]
});
writeOrCheck(printed.file, text, `npm run pnpm -- ${command}`);
