/** Builds the web app's static files if their sources changed. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { run, say } from "./commands.mjs";
import { NODE, ROOT } from "./paths.mjs";

const PACKAGE = path.join(ROOT, "packages/dashboard");
const STAMP = path.join(PACKAGE, "dist/app.stamp");
const SOURCES = [
  "packages/dashboard/src",
  "packages/dashboard/scripts",
  "packages/dashboard/vite.config.ts",
  "packages/client/src",
  "pnpm-lock.yaml"
];

/** Node 20 has no glob. */
const filesOf = (source) => {
  const place = path.join(ROOT, source);
  if (!statSync(place).isDirectory()) return [source];
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)));
};

const fingerprint = () => {
  const hash = createHash("sha256");
  for (const file of SOURCES.flatMap(filesOf).toSorted()) {
    hash.update(file).update(readFileSync(path.join(ROOT, file)));
  }
  return hash.digest("hex");
};

export const buildDashboard = async () => {
  const wanted = fingerprint();
  const isFresh = existsSync(STAMP) && readFileSync(STAMP, "utf8").trim() === wanted;
  if (isFresh && existsSync(path.join(PACKAGE, "dist/app/assets.json"))) return;
  say("Building the web app …");
  const node = existsSync(NODE) ? NODE : process.execPath;
  await run(node, [path.join(PACKAGE, "scripts/build.ts")], { cwd: PACKAGE });
  mkdirSync(path.dirname(STAMP), { recursive: true });
  writeFileSync(STAMP, `${wanted}\n`);
};
