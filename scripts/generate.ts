/**
 * Writes every generated file by the script of a package that prints it; with `--check` fails if one is stale.
 *
 *   npm run generate
 */
import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { read, ROOT } from "./repository.ts";

/** In this order: the server imports the client, whose types are generated from the document of the API. */
const PRINTED = [
  { file: "packages/client/src/core/apiErrors.ts", script: "packages/server/scripts/clientErrors.ts" },
  { file: "packages/client/src/generated/remedies.ts", script: "packages/server/scripts/clientRemedies.ts" },
  { file: "packages/server/openapi.json", script: "packages/server/scripts/openapi.ts" },
  { file: "packages/client/src/generated/types.ts", script: "packages/client/scripts/generate.ts" },
  { file: "docs/reference/artifacts.md", script: "packages/server/scripts/artifactsReference.ts" },
  { file: "docs/reference/cli.md", script: "packages/cli/scripts/cliReference.ts" },
  { file: "docs/reference/settings.md", script: "packages/server/scripts/settingsReference.ts" },
  { file: "docs/schemas.md", script: "packages/adapters/scripts/schemaKeywords.ts" }
];

const OUTPUT_BYTES_MAX = 16_777_216;

for (const { file, script } of PRINTED) {
  const text = execFileSync(process.execPath, [path.join(ROOT, script)], {
    encoding: "utf8",
    maxBuffer: OUTPUT_BYTES_MAX,
    stdio: ["ignore", "pipe", "inherit"]
  });
  if (!process.argv.includes("--check")) writeFileSync(path.join(ROOT, file), text);
  else if (!existsSync(path.join(ROOT, file)) || read(file) !== text) {
    console.error(`${file} is stale. Type: npm run generate`);
    process.exitCode = 1;
  }
}
