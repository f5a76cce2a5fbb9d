/**
 * Writes the generated files that a script of a package prints, or with `--check` reports which are stale.
 *
 *   node scripts/reference/printed.ts openapi|client:generate|reference:cli [--check]
 */
import { execFileSync } from "node:child_process";
import path from "node:path";
import { ROOT } from "../repository.ts";
import { writeOrCheck } from "./writeOrCheck.ts";

interface Printed {
  readonly file: string;
  readonly script: string;
}

/** By command: the files it writes, and the script that prints each. */
const PRINTED: ReadonlyMap<string, ReadonlyArray<Printed>> = new Map([
  [
    "openapi",
    [
      { file: "packages/server/openapi.json", script: "packages/server/scripts/openapi.ts" },
      { file: "docs/reference/artifacts.md", script: "packages/server/scripts/artifactsReference.ts" }
    ]
  ],
  [
    "client:generate",
    [{ file: "packages/client/src/generated/types.ts", script: "packages/client/scripts/generate.ts" }]
  ],
  [
    "reference:cli",
    [
      { file: "docs/reference/cli.md", script: "packages/server/scripts/cliReference.ts" },
      { file: "docs/reference/settings.md", script: "packages/server/scripts/settingsReference.ts" }
    ]
  ]
]);

const OUTPUT_BYTES_MAX = 16_777_216;

const [command = ""] = process.argv.slice(2);
const printed = PRINTED.get(command);
if (printed === undefined) throw new Error(`Name one of ${[...PRINTED.keys()].join(", ")}.`);
for (const { file, script } of printed) {
  const text = execFileSync(process.execPath, [path.join(ROOT, script)], {
    encoding: "utf8",
    maxBuffer: OUTPUT_BYTES_MAX,
    stdio: ["ignore", "pipe", "inherit"]
  });
  writeOrCheck(file, text, `npm run pnpm -- ${command}`);
}
