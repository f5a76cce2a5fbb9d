/**
 * Installs a pinned pnpm, whose packages npm verifies against the hashes of a lock file, then the workspace's packages,
 * which include Node 24.
 */
import { createHash } from "node:crypto";
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { environment, run, say, SetupFailed } from "./commands.mjs";
import { NODE, ROOT, SETUP_DIR } from "./paths.mjs";

/** `package.json` and its lock file; the container image installs from the same. */
const PNPM_SOURCE = path.join(ROOT, "scripts/setup/pnpm");
const PNPM_VERSION = JSON.parse(readFileSync(path.join(PNPM_SOURCE, "package.json"), "utf8")).dependencies
  .pnpm;
const PNPM_DIR = path.join(SETUP_DIR, `pnpm-${PNPM_VERSION}`);
export const PNPM = path.join(PNPM_DIR, "node_modules/pnpm/bin/pnpm.mjs");
const STAMP = path.join(SETUP_DIR, "packages.stamp");
const NODE_MAJOR_MIN = 20;

export const installPnpm = async ({ source = PNPM_SOURCE, folder = PNPM_DIR } = {}) => {
  if (existsSync(path.join(folder, "node_modules/pnpm/bin/pnpm.mjs"))) return;
  say(`Installing pnpm ${PNPM_VERSION} …`);
  cpSync(source, folder, { recursive: true });
  await run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: folder });
};

/** Changes with the lock file, the workspace file and the platform. */
const fingerprint = () =>
  createHash("sha256")
    .update(readFileSync(path.join(ROOT, "pnpm-lock.yaml")))
    .update(readFileSync(path.join(ROOT, "pnpm-workspace.yaml")))
    .update(`${process.platform} ${process.arch} ${PNPM_VERSION}`)
    .digest("hex");

/** Whether all is installed that the lock file names. */
export const isFresh = () =>
  existsSync(NODE) && existsSync(STAMP) && readFileSync(STAMP, "utf8").trim() === fingerprint();

export const checkNode = () => {
  const major = Number(process.versions.node.split(".")[0]);
  if (major < NODE_MAJOR_MIN) {
    throw new SetupFailed(
      `Winnow needs Node ${NODE_MAJOR_MIN} or newer to set itself up; this is ${process.versions.node}.\n` +
        "Install a newer one from https://nodejs.org or with your package manager."
    );
  }
};

export const installPackages = async () => {
  await installPnpm();
  if (isFresh()) return;
  say("Installing packages …");
  await run(process.execPath, [PNPM, "install", "--frozen-lockfile"], {
    cwd: ROOT,
    env: environment({ CI: "true" })
  });
  if (!existsSync(NODE)) {
    throw new SetupFailed(
      `The npm package "node" brought no program for ${process.platform} ${process.arch}.\n` +
        `Install Node 24 yourself and link it: mkdir -p ${path.dirname(NODE)} && ln -s "$(which node)" ${NODE}`
    );
  }
  writeFileSync(STAMP, `${fingerprint()}\n`);
};
