/** The repository's root, and its files according to git: tracked, or new and not ignored. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

export const ROOT = path.resolve(import.meta.dirname, "..");

/** The folders of `packages/`; a new one is a decision. */
export const PACKAGES: ReadonlyArray<string> = [
  "core",
  "testing",
  "isolation",
  "pages",
  "adapters",
  "local-speech",
  "server",
  "cli",
  "client",
  "dashboard"
];

/** Paths from the root, filtered by a git pattern if one is given. */
export const filesOf = (...patterns: ReadonlyArray<string>): ReadonlyArray<string> =>
  execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", ...patterns], {
    cwd: ROOT,
    encoding: "utf8"
  })
    .split("\n")
    .filter((file) => file !== "" && existsSync(path.join(ROOT, file)));

/** Reads `file`, relative to the root. */
export const read = (file: string): string => readFileSync(path.join(ROOT, file), "utf8");
