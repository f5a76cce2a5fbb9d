/** The repository: where it is, and its files as git sees them: tracked, or new and not ignored. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

export const ROOT = path.resolve(import.meta.dirname, "..");

/** Paths from the root; of all files without a pattern of git's. */
export const filesOf = (...patterns: ReadonlyArray<string>): ReadonlyArray<string> =>
  execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", ...patterns], {
    cwd: ROOT,
    encoding: "utf8"
  })
    .split("\n")
    .filter((file) => file !== "" && existsSync(path.join(ROOT, file)));

/** `file` from the root. */
export const read = (file: string): string => readFileSync(path.join(ROOT, file), "utf8");
