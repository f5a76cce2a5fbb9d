/** Writes the generated files that a script of a package prints, or with `--check` reports which are stale. */
import { execFileSync } from "node:child_process";
import path from "node:path";
import { ROOT } from "../repository.ts";
import { writeOrCheck } from "./writeOrCheck.ts";

interface Printed {
  readonly file: string;
  readonly script: string;
}

/** In this order: types of the client are generated from the document of the API. */
const PRINTED: ReadonlyArray<Printed> = [
  { file: "packages/server/openapi.json", script: "packages/server/scripts/openapi.ts" },
  { file: "packages/client/src/generated/types.ts", script: "packages/client/scripts/generate.ts" },
  { file: "docs/reference/artifacts.md", script: "packages/server/scripts/artifactsReference.ts" },
  { file: "docs/reference/cli.md", script: "packages/server/scripts/cliReference.ts" },
  { file: "docs/reference/settings.md", script: "packages/server/scripts/settingsReference.ts" }
];

const OUTPUT_BYTES_MAX = 16_777_216;

for (const { file, script } of PRINTED) {
  const text = execFileSync(process.execPath, [path.join(ROOT, script)], {
    encoding: "utf8",
    maxBuffer: OUTPUT_BYTES_MAX,
    stdio: ["ignore", "pipe", "inherit"]
  });
  writeOrCheck(file, text);
}
