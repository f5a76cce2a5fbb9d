/**
 * The complete environment of programs. Those that fetch get the proxy of their run; those that only process files get no
 * credentials. Nothing of this process's environment is inherited. Tests: ChildPrograms.test.ts, EgressLayer.test.ts.
 */
import { homeFolder } from "../runtime/homeFolder.ts";
import { join } from "node:path";

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

/**
 * NO_PROXY would make yt-dlp and ffmpeg bypass the proxy (even with an explicit `--proxy`), and a downloader must not see
 * the server's secrets: used instead of `process.env`, never merged with it.
 */
export const programEnvironment = ({
  path,
  folder,
  proxyUrl
}: ProgramPlace): Readonly<Record<string, string>> => ({
  PATH: path,
  HOME: folder,
  TMPDIR: folder,
  LANG: "C.UTF-8",
  ...(proxyUrl === null
    ? {}
    : {
        http_proxy: proxyUrl,
        https_proxy: proxyUrl,
        all_proxy: proxyUrl,
        HTTP_PROXY: proxyUrl,
        HTTPS_PROXY: proxyUrl,
        ...authorityFiles()
      }),
  // `pip install --user` packages are looked up under the home, which is the run's folder here.
  PYTHONUSERBASE: process.env["PYTHONUSERBASE"] ?? join(homeFolder(), ".local"),
  PYTHONDONTWRITEBYTECODE: "1"
});
