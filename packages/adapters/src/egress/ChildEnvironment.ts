/** The whole environment of a child process that may reach the network only through the proxy. */

export interface ChildEnvironmentOptions {
  /** Of `EgressProxy`. */
  readonly proxyUrl: string;
  /** A folder of the run: home and place of temporary files. */
  readonly home: string;
  /** Where programs are looked for; the server's own PATH. */
  readonly path: string;
}

/**
 * Nothing is inherited: NO_PROXY would take yt-dlp and ffmpeg past the proxy (even past an explicit
 * `--proxy`), and secrets of the server have no business in a downloader. Use it in place of `process.env`,
 * never merged with it.
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
