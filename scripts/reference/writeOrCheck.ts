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

/** `name` is relative to the root of the repository; `command` regenerates it. */
export const writeOrCheck = (name: string, text: string, command: string): void => {
  const file = path.join(ROOT, name);
  if (!process.argv.includes("--check")) {
    writeFileSync(file, text);
  } else if (current(file) !== text) {
    console.error(`${name} is stale. Type: ${command}`);
    process.exitCode = 1;
  }
};
