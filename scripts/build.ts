/**
 * What the packages publish: compiled code and, beside it, the SQL and Python files that it reads.
 */
import { spawnSync } from "node:child_process";
import { cpSync, globSync } from "node:fs";
import path from "node:path";

const ROOT = path.resolve(import.meta.dirname, "..");

const { status } = spawnSync("tsc", ["-b"], { cwd: ROOT, stdio: "inherit" });
if (status !== 0) process.exit(status ?? 1);

for (const asset of globSync("packages/*/src/**/*.{sql,py}", { cwd: ROOT })) {
  cpSync(path.join(ROOT, asset), path.join(ROOT, asset.replace("/src/", "/dist/src/")));
}
