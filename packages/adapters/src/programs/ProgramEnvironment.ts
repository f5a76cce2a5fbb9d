/**
 * The whole environment of the programs run here. Those that fetch get it from the egress guard; those
 * that only work on files get none of the proxy's credentials. Nothing of this process's own leaks in.
 */
import { homedir } from "node:os";
import { join } from "node:path";
import { childEnvironment } from "../egress/ChildEnvironment.ts";

/** Where programs find authorities besides those of the system, as of a proxy that reads what passes. */
const AUTHORITY_VARIABLES = ["SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE"] as const;

/** As far as they are set. */
export const authorityFiles = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    AUTHORITY_VARIABLES.flatMap((name) => {
      const path = process.env[name];
      return path === undefined || path === "" ? [] : [[name, path]];
    })
  );

export interface ProgramPlace {
  readonly path: string;
  /** Home and temporary folder: the run's own. */
  readonly folder: string;
  /** Null for programs that have nothing to fetch. */
  readonly proxyUrl: string | null;
}

export const programEnvironment = ({
  path,
  folder,
  proxyUrl
}: ProgramPlace): Readonly<Record<string, string>> => ({
  ...(proxyUrl === null
    ? { PATH: path, HOME: folder, TMPDIR: folder, LANG: "C.UTF-8" }
    : { ...childEnvironment({ proxyUrl, home: folder, path }), ...authorityFiles() }),
  // What `pip install --user` installed is looked for under the home, which is the run's folder here.
  PYTHONUSERBASE: process.env["PYTHONUSERBASE"] ?? join(homedir(), ".local"),
  PYTHONDONTWRITEBYTECODE: "1"
});
