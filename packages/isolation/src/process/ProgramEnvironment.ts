/**
 * The complete environment of programs. Those that fetch get it from the egress guard; those that only process
 * files get no proxy credentials. Nothing of this process's environment is inherited.
 */
import { homeFolder } from "../runtime/homeFolder.ts";
import { join } from "node:path";
import { childEnvironment } from "../network/ProxyServer.ts";

/** Certificate authorities besides the system's, for example of a proxy that inspects traffic. */
const AUTHORITY_VARIABLES = ["SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE"] as const;

/** Those that are set. */
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
  /** Null for programs that fetch nothing. */
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
  // `pip install --user` packages are looked up under the home, which is the run's folder here.
  PYTHONUSERBASE: process.env["PYTHONUSERBASE"] ?? join(homeFolder(), ".local"),
  PYTHONDONTWRITEBYTECODE: "1"
});
