/** Installs a pinned pnpm, then the workspace's packages, which include Node 24. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { run, say, SetupFailed } from "./commands.mjs";
import { NODE, ROOT, SETUP_DIR } from "./paths.mjs";

const { packageManager } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8"));
const PNPM_VERSION = packageManager.replace("pnpm@", "");
const PNPM_DIR = path.join(SETUP_DIR, `pnpm-${PNPM_VERSION}`);
export const PNPM = path.join(PNPM_DIR, "node_modules/pnpm/bin/pnpm.mjs");
const STAMP = path.join(SETUP_DIR, "packages.stamp");
const NODE_MAJOR_MIN = 20;

const installPnpm = () => {
  if (existsSync(PNPM)) return;
  say(`Installing pnpm ${PNPM_VERSION} …`);
  mkdirSync(PNPM_DIR, { recursive: true });
  writeFileSync(path.join(PNPM_DIR, "package.json"), '{ "private": true }\n');
  run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", `pnpm@${PNPM_VERSION}`], {
    cwd: PNPM_DIR
  });
};

/** Changes with the lock file, the workspace file and the platform. */
const fingerprint = () =>
  createHash("sha256")
    .update(readFileSync(path.join(ROOT, "pnpm-lock.yaml")))
    .update(readFileSync(path.join(ROOT, "pnpm-workspace.yaml")))
    .update(`${process.platform} ${process.arch} ${PNPM_VERSION}`)
    .digest("hex");

const isFresh = () =>
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

export const installPackages = () => {
  installPnpm();
  if (isFresh()) return;
  say("Installing packages …");
  run(process.execPath, [PNPM, "install", "--frozen-lockfile"], {
    cwd: ROOT,
    env: { ...process.env, CI: "true" }
  });
  if (!existsSync(NODE)) {
    throw new SetupFailed(
      `The npm package "node" brought no program for ${process.platform} ${process.arch}.\n` +
        `Install Node 24 yourself and link it: mkdir -p ${path.dirname(NODE)} && ln -s "$(which node)" ${NODE}`
    );
  }
  writeFileSync(STAMP, `${fingerprint()}\n`);
};
