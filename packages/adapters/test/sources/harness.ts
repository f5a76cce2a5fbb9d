/** Shared by the tests of the downloader: the site, the layer with real programs, and reading /proc. */
import { inRun } from "@winnow/testing/samples/samples";
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Downloader, FetchedFile } from "@winnow/core/ports/Downloader";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Layer from "effect/Layer";
import * as Scope from "effect/Scope";
import { afterAll } from "vitest";
import * as MediaDownloader from "../../src/sources/MediaDownloader.ts";
import { Egress } from "@winnow/isolation/network/Egress";
import { PageReader } from "../../src/sources/page-reader/PageReader.ts";
import { programsFolderOf } from "@winnow/isolation/process/RunFolder";
import { type Site, startSite } from "./site/Site.ts";

export const PLUGINS = fileURLToPath(new URL("./site/ytdlp-plugins", import.meta.url));

export { isRunning, until } from "@winnow/isolation/test/until";
export { openRunFolder } from "@winnow/isolation/test/process/openRunFolder";
export { temporaryFolder } from "@winnow/isolation/test/temporaryFolder";

/** Content of a fetched file, whether it is in memory or on disk. */
export const contentOf = ({ source }: FetchedFile): Buffer =>
  source._tag === "Bytes" ? Buffer.from(source.bytes) : readFileSync(source.path);

/** The site, closed after the test file. */
export const openSite = async (): Promise<Site> => {
  const scope = Scope.makeUnsafe();
  const site = await Effect.runPromise(Scope.provide(startSite, scope));
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)));
  return site;
};

let pool: Promise<Context.Context<PageReader>> | undefined;

/** One for all files of a process: its workers end when they are idle, or with the process. */
export const sharedPages: Layer.Layer<PageReader> = Layer.effectContext(
  Effect.promise(
    () => (pool ??= Effect.runPromise(Layer.buildWithScope(PageReader.layer, Scope.makeUnsafe())))
  )
);

/** The real downloader, allowed to reach the site and nothing else that is not public. */
export const downloaderOf = (
  site: Site,
  workDir: string,
  options: Partial<MediaDownloader.MediaDownloaderOptions> = {}
): Layer.Layer<Downloader> =>
  MediaDownloader.layer({ workDir, ytDlpArgs: ["--plugin-dirs", PLUGINS], ...options }).pipe(
    Layer.provide([
      // No name resolves: tests reach the site and nothing else.
      Egress.layer({ allow: [new URL(site.url).host], resolve: () => Promise.resolve([]) }),
      sharedPages
    ]),
    Layer.orDie,
    inRun
  );

/** Processes working in a program's folder below `workDir`; Linux only, otherwise none. */
export const processesIn = (workDir: string): ReadonlyArray<string> =>
  readdirSync("/proc").filter((pid) => {
    try {
      return (
        /^\d+$/u.test(pid) &&
        readlinkSync(`/proc/${pid}/cwd`).startsWith(join(programsFolderOf(workDir), "run_"))
      );
    } catch {
      return false;
    }
  });

/** The folders of runs and of their programs, and anything else there. */
export const runFolders = (workDir: string): ReadonlyArray<string> => {
  const programs = programsFolderOf(workDir);
  return [
    ...readdirSync(workDir).filter((name) => join(workDir, name) !== programs),
    ...(existsSync(programs) ? readdirSync(programs) : [])
  ];
};

/** Whether a program is downloading a video. */
export const isDownloading = (workDir: string): boolean => {
  const programs = programsFolderOf(workDir);
  return (
    existsSync(programs) &&
    readdirSync(programs).some((name) =>
      ["video.media", "video.media.part"].some((file) => existsSync(join(programs, name, file)))
    )
  );
};
