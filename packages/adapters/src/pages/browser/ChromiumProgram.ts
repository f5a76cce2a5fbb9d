/**
 * Finds the browser (by setting or by its usual names on PATH) and playwright-core, which drives it. Never loads or
 * starts either.
 */
import { execFile } from "node:child_process";
import { isAbsolute } from "node:path";
import { promisify } from "node:util";
import { installCommand, isInstalled } from "../../runtime/OptionalPackage.ts";
import { isExecutable, onPath } from "../../programs/sandbox/ExternalPrograms.ts";

/** Names of Chromium and Chromium-based browsers. */
const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"];

/** Time limit of `--version`, which does not start the browser; generous for cold disks. */
const VERSION_TIMEOUT_MS = 10_000;

/** Absolute path; null if there is none. A setting that names no program, such as "off", disables it. */
export const findChromium = (setting?: string | null, path = process.env["PATH"] ?? ""): string | null => {
  if (setting !== undefined && setting !== null && setting !== "") {
    return isAbsolute(setting) && isExecutable(setting) ? setting : null;
  }
  for (const name of NAMES) {
    const found = onPath(name, path);
    if (found !== null) return found;
  }
  return null;
};

/** Null if it does not run. */
const versionOf = async (program: string): Promise<string | null> => {
  try {
    const env = { PATH: process.env["PATH"] ?? "", LANG: "C.UTF-8" };
    const { stdout } = await promisify(execFile)(program, ["--version"], {
      env,
      timeout: VERSION_TIMEOUT_MS
    });
    return /\d[\d.]*/u.exec(stdout)?.[0] ?? null;
  } catch {
    return null;
  }
};

/** How to install a browser. */
const REMEDY = process.platform === "darwin" ? "brew install --cask chromium" : "apt-get install -y chromium";

/** Part of the report of `winnow doctor`. */
export interface ChromiumReport {
  readonly name: "chromium";
  readonly path: string | null;
  /** "off" if the operator disabled it. */
  readonly version: string | null;
  readonly required: false;
  readonly problem: string | null;
  readonly remedy: string | null;
}

const NOT_FOUND = "not found; pages that scripts render are read without rendering";

export const reportChromium = async (setting?: string | null): Promise<ChromiumReport> => {
  const report = { name: "chromium", required: false } as const;
  const path = findChromium(setting);
  if (path === null) {
    return setting === "off"
      ? { ...report, path, version: "off", problem: null, remedy: null }
      : { ...report, path, version: null, problem: NOT_FOUND, remedy: REMEDY };
  }
  const version = await versionOf(path);
  if (version === null) {
    return { ...report, path, version, problem: "found, but it does not run", remedy: REMEDY };
  }
  return isInstalled("playwright-core")
    ? { ...report, path, version, problem: null, remedy: null }
    : {
        ...report,
        path,
        version,
        problem: "needs playwright-core",
        remedy: installCommand("playwright-core")
      };
};
