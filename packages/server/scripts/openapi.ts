/**
 * Writes packages/server/openapi.json, or with `--check` says whether it is what the contract gives.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { openApiDocument } from "../src/api/OpenApiDocument.ts";

const file = new URL("../openapi.json", import.meta.url);
const fresh = `${JSON.stringify(openApiDocument(), null, 2)}\n`;

const current = (): string => {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
};

if (!process.argv.includes("--check")) {
  writeFileSync(file, fresh);
} else if (current() !== fresh) {
  console.error("packages/server/openapi.json is stale: run `pnpm openapi`.");
  process.exitCode = 1;
}
