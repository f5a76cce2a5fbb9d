/**
 * Executables of the Node versions that the packages support: those of this machine, or else npm's package
 * `node`.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { SETUP_DIR } from "../../setup/paths.mjs";

/** Versions to install if the machine has none with this major number. */
const VERSIONS = { 20: "20.20.2", 22: "22.23.3" } as const;

const isMajor = (program: string, major: number): boolean => {
  try {
    return execFileSync(program, ["--version"], { encoding: "utf8" }).startsWith(`v${major}.`);
  } catch {
    return false;
  }
};

const onThisMachine = (major: number): string | undefined =>
  [
    process.execPath,
    process.env["npm_node_execpath"] ?? "",
    ...(process.env["PATH"] ?? "").split(path.delimiter).map((folder) => path.join(folder, "node"))
  ].find((program) => existsSync(program) && isMajor(program, major));

const brought = (major: keyof typeof VERSIONS): string => {
  const version = VERSIONS[major];
  const folder = path.join(SETUP_DIR, `node-${version}`);
  const program = path.join(folder, "node_modules/node/bin/node");
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, "package.json"), '{ "private": true }\n');
    const args = ["install", "--no-audit", "--no-fund", "--loglevel=error", `node@${version}`];
    execFileSync("npm", args, { cwd: folder, stdio: "pipe" });
  }
  return program;
};

/** The executable of this major version; installed next to pnpm if the machine has none. */
export const nodeOf = (major: 20 | 22 | 24): string => {
  const found = onThisMachine(major);
  if (found !== undefined) return found;
  if (major === 24) throw new Error("The tests run on Node 24 themselves.");
  return brought(major);
};
