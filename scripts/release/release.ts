/**
 * A release by one command: versions and changelogs by changesets, every test, one commit with its tag, and the
 * packages published. Run it again after a failure: packages already in the registry are skipped.
 *
 *   npm run release                   to the registry of npm's settings
 *   npm run release -- --dry-run      stops before the commit; the packages are in a folder for inspection
 *   npm run release -- --skip-tests   for a commit that passed them elsewhere
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "../repository.ts";
import { addSection, pendingChangesets, sectionOf } from "./changelog.ts";
import { PACKAGES, stagePackages } from "./stage.ts";

class ReleaseFailed extends Error {}

const env = {
  ...process.env,
  PATH: [
    path.join(ROOT, "node_modules/.bin"),
    path.dirname(process.execPath),
    process.env["PATH"] ?? ""
  ].join(path.delimiter)
};

/** Prints the program's output; throws if it fails. */
const run = (program: string, ...args: ReadonlyArray<string>): void => {
  const { status, error } = spawnSync(program, args, { cwd: ROOT, env, stdio: "inherit" });
  if (status !== 0) {
    throw new ReleaseFailed(`"${[program, ...args].join(" ")}" failed${error ? `: ${error.message}` : "."}`);
  }
};

const output = (program: string, ...args: ReadonlyArray<string>): string =>
  execFileSync(program, args, { cwd: ROOT, env, encoding: "utf8" }).trim();

const currentVersion = (): string =>
  (
    JSON.parse(readFileSync(path.join(ROOT, "packages/core/package.json"), "utf8")) as {
      readonly version: string;
    }
  ).version;

const isPublished = (name: string, version: string): boolean => {
  const result = spawnSync("npm", ["view", `@winnow/${name}@${version}`, "version"], {
    cwd: tmpdir(),
    env,
    encoding: "utf8"
  });
  return result.status === 0 && result.stdout.trim() === version;
};

/** Applies the pending changesets; returns whether there were any. */
const writeVersions = (): boolean => {
  const changesets = pendingChangesets(ROOT);
  if (changesets.length === 0) return false;
  run("changeset", "version");
  addSection(ROOT, sectionOf(currentVersion(), new Date().toISOString().slice(0, 10), changesets));
  run(process.execPath, "scripts/reference/generate.ts");
  run("oxfmt", ".");
  return true;
};

const commit = (version: string): void => {
  run("git", "add", "--all");
  run("git", "commit", "--quiet", "--message", `Version ${version}`);
  run("git", "tag", "--annotate", `v${version}`, "--message", `Version ${version}`);
};

const publish = async (version: string): Promise<void> => {
  const missing = PACKAGES.filter((name) => !isPublished(name, version));
  for (const name of PACKAGES) {
    if (!missing.includes(name)) console.log(`@winnow/${name}@${version} is published already.`);
  }
  if (missing.length === 0) return;
  const folder = mkdtempSync(path.join(tmpdir(), "winnow-release-"));
  try {
    const staged = await stagePackages(folder);
    for (const name of missing) run("npm", "publish", staged[name], "--access", "public", "--loglevel=error");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const release = async (isDry: boolean, skipsTests: boolean): Promise<void> => {
  if (output("git", "status", "--porcelain") !== "") {
    throw new ReleaseFailed("There are changes that are not committed: commit or remove them first.");
  }
  const isNew = writeVersions();
  const version = currentVersion();
  if (!skipsTests) run(process.execPath, "scripts/test.ts");
  if (isDry) {
    const staged = await stagePackages(mkdtempSync(path.join(tmpdir(), "winnow-release-")));
    console.log(`\nVersion ${version} would be published from:\n${Object.values(staged).join("\n")}`);
    console.log("To take the new versions back: git restore . && git clean -f packages CHANGELOG.md");
    return;
  }
  if (isNew) commit(version);
  await publish(version);
  console.log(`\nVersion ${version} is published. Now: git push --follow-tags`);
};

const { values } = parseArgs({
  options: {
    "dry-run": { type: "boolean", default: false },
    "skip-tests": { type: "boolean", default: false }
  }
});

release(values["dry-run"], values["skip-tests"]).catch((error: unknown) => {
  console.error(error instanceof ReleaseFailed ? `\n${error.message}` : error);
  process.exitCode = 1;
});
