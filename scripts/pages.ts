/** The Markdown pages of the repository, as git sees them: tracked, or new and not ignored. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

export const ROOT = path.resolve(import.meta.dirname, "..");

export const pages: ReadonlyArray<string> = execFileSync(
  "git",
  ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"],
  { cwd: ROOT, encoding: "utf8" }
)
  .split("\n")
  .filter((page) => page !== "" && existsSync(path.join(ROOT, page)));

export const read = (file: string): string => readFileSync(path.join(ROOT, file), "utf8");
