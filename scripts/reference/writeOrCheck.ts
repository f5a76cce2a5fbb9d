/** Writes a generated file or, with `--check`, compares it with the existing one. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../repository.ts";

const current = (file: string): string => {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
};

/** `name` is relative to the root of the repository. */
export const writeOrCheck = (name: string, text: string): void => {
  const file = path.join(ROOT, name);
  if (!process.argv.includes("--check")) {
    writeFileSync(file, text);
  } else if (current(file) !== text) {
    console.error(`${name} is stale. Type: npm run generate`);
    process.exitCode = 1;
  }
};
