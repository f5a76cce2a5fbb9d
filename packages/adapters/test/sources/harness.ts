/** Shared by the tests of the downloader: the site, the layer with real programs, and reading /proc. */
import * as GuardedEgress from "@winnow/isolation/network/GuardedEgress";
import { inRun } from "@winnow/testing/samples/samples";
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Downloader, FetchedFile } from "@winnow/core/ports/Downloader";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Layer from "effect/Layer";
import * as Scope from "effect/Scope";
import { afterAll, assert } from "vitest";
import * as DownloaderLayer from "../../src/sources/DownloaderLayer.ts";
import type { DownloaderOptions } from "../../src/sources/DownloaderLayer.ts";
import type { Pictures } from "../../src/programs/images/Pictures.ts";
import * as PooledPictures from "../../src/programs/images/PooledPictures.ts";
import type { PageReader } from "../../src/sources/page-reader/PageReader.ts";
import * as PooledPageReader from "../../src/sources/page-reader/PooledPageReader.ts";
import { until } from "@winnow/isolation/test/until";
import { type Site, startSite } from "./site/Site.ts";

/** A yt-dlp that finds no media, and starts at once. */
export const NO_MEDIA = fileURLToPath(new URL("./site/noMedia.sh", import.meta.url));

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

let pools: Promise<Context.Context<PageReader | Pictures>> | undefined;

/** One of each for all files of a process: its workers end when they are idle, or with the process. */
export const sharedPools: Layer.Layer<PageReader | Pictures> = Layer.effectContext(
  Effect.promise(
    () =>
      (pools ??= Effect.runPromise(
        Layer.buildWithScope(Layer.merge(PooledPageReader.layer, PooledPictures.layer), Scope.makeUnsafe())
      ))
  )
);

/** The real downloader, allowed to reach the site and nothing else that is not public. */
export const downloaderOf = (
  site: Site,
  workDir: string,
  options: Partial<DownloaderOptions> = {}
): Layer.Layer<Downloader> =>
  DownloaderLayer.layer({ workDir, ytDlpArgs: ["--plugin-dirs", PLUGINS], ...options }).pipe(
    Layer.provide([
      // No name resolves: tests reach the site and nothing else.
      GuardedEgress.layer({ allow: [new URL(site.url).host], resolve: () => Promise.resolve([]) }),
      sharedPools
    ]),
    Layer.orDie,
    inRun
  );

/** Processes whose working folder below `workDir` has such a path; Linux only, otherwise none. */
const processesAt = (workDir: string, path: RegExp): ReadonlyArray<string> =>
  readdirSync("/proc").filter((pid) => {
    try {
      const folder = /^\d+$/u.test(pid) ? readlinkSync(`/proc/${pid}/cwd`) : "";
      return folder.startsWith(`${workDir}/`) && path.test(folder.slice(workDir.length));
    } catch {
      return false;
    }
  });

/** Processes working in a program's folder. */
export const processesIn = (workDir: string): ReadonlyArray<string> =>
  processesAt(workDir, /^\/work-\w+\/programs\/run_/u);

/** Null once it has ended. */
const parentOf = (pid: string): string | null => {
  try {
    return /\) \S (\d+)/u.exec(readFileSync(`/proc/${pid}/stat`, "latin1"))?.[1] ?? null;
  } catch {
    return null;
  }
};

/**
 * Fork servers, whose working folder is the parent of all programs' folders; not what works there for them: the kernel's
 * list of a process's children may miss some while others end, their parent is certain.
 */
export const serversIn = (workDir: string): ReadonlyArray<number> => {
  const found = processesAt(workDir, /^\/work-\w+\/programs$/u);
  return found
    .filter((pid) => {
      const parent = existsSync(`/proc/${pid}/exe`) ? parentOf(pid) : null;
      return parent !== null && !found.includes(parent);
    })
    .map(Number);
};

/** What is in the folders that each process has for its runs. */
const inWorkFolders = (workDir: string, within: "." | "programs"): ReadonlyArray<string> =>
  readdirSync(workDir).flatMap((name) => {
    const folder = join(workDir, name, within);
    return existsSync(folder) ? readdirSync(folder).map((each) => join(folder, each)) : [];
  });

/** The folders of runs and of their programs, and anything else there. */
export const runFolders = (workDir: string): ReadonlyArray<string> =>
  [...inWorkFolders(workDir, "."), ...inWorkFolders(workDir, "programs")].filter(
    (path) => !["owner", "programs"].includes(basename(path))
  );

/** A killed process may still be visible for a moment, while the kernel removes its namespaces. */
export const assertNothingLeft = (workDir: string, message: string): Effect.Effect<void> =>
  until(() => processesIn(workDir).length === 0).pipe(
    Effect.ignore,
    Effect.andThen(
      Effect.sync(() =>
        assert.deepStrictEqual([processesIn(workDir), runFolders(workDir)], [[], []], message)
      )
    )
  );

/** Whether a program is downloading a video. */
export const isDownloading = (workDir: string): boolean =>
  inWorkFolders(workDir, "programs").some((folder) =>
    ["video.media", "video.media.part"].some((file) => existsSync(join(folder, file)))
  );
