/**
 * Builds what the packages publish: compiled code, the SQL, Python, tables, lock files and models it reads, the web app
 * and the guides. Tests: publish.test.ts.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, globSync, rmSync } from "node:fs";
import path from "node:path";
import { PACKAGES, ROOT } from "./repository.ts";
import { buildStaticFiles } from "./setup/built.mjs";

/** The web app is built by Vite. */
const COMPILED = PACKAGES.filter((name) => name !== "dashboard").map((name) => `packages/${name}`);

const { status } = spawnSync(path.join(ROOT, "node_modules/.bin/tsc"), ["-b", ...COMPILED], {
  cwd: ROOT,
  stdio: "inherit"
});
process.exitCode = status ?? 1;

// Served at /app/ and /docs/.
await buildStaticFiles();

const DATA = "sql,py,tsv,txt,json,bcmap";
const assets = COMPILED.map((folder) => `${folder}/src/**/*.{${DATA},js}`);
for (const asset of globSync(assets, { cwd: ROOT })) {
  cpSync(path.join(ROOT, asset), path.join(ROOT, asset.replace("/src/", "/dist/src/")));
}

// Otherwise outputs of deleted sources and of earlier settings would be published too.
for (const output of globSync(`packages/*/dist/src/**/*.{js,d.ts,map,${DATA}}`, { cwd: ROOT })) {
  const asset = output.replace("/dist/src/", "/src/");
  const sources = [asset, asset.replace(/(?:\.d\.ts|\.js)$/u, ".ts")];
  if (!sources.some((source) => existsSync(path.join(ROOT, source)))) rmSync(path.join(ROOT, output));
}
