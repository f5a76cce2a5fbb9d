/** The complete environment of a child process that may reach the network only through the proxy. */

export interface ChildEnvironmentOptions {
  /** `url` of an EgressProxy. */
  readonly proxyUrl: string;
  /** A folder of the run, for home and temporary files. */
  readonly home: string;
  /** The search path of programs; the server's own PATH. */
  readonly path: string;
}

/**
 * Nothing is inherited: NO_PROXY would make yt-dlp and ffmpeg bypass the proxy (even with an explicit `--proxy`),
 * and a downloader must not see the server's secrets. Use it instead of `process.env`, never merged with it.
 */
export const childEnvironment = ({
  proxyUrl,
  home,
  path
}: ChildEnvironmentOptions): Record<string, string> => ({
  PATH: path,
  HOME: home,
  TMPDIR: home,
  LANG: "C.UTF-8",
  http_proxy: proxyUrl,
  https_proxy: proxyUrl,
  all_proxy: proxyUrl,
  HTTP_PROXY: proxyUrl,
  HTTPS_PROXY: proxyUrl
});
