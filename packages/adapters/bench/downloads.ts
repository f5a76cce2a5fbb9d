/**
 * Shared by the benches of inspections and downloads: our downloader with real programs, and yt-dlp as a person
 * would type it.
 */
import * as GuardedEgress from "@winnow/isolation/network/GuardedEgress";
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { MODALITIES } from "@winnow/core/domain/source/Modality";
import { Downloader } from "@winnow/core/ports/Downloader";
import { inRun } from "@winnow/testing/samples/samples";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as DownloaderLayer from "../src/sources/DownloaderLayer.ts";
import type { DownloaderOptions } from "../src/sources/DownloaderLayer.ts";
import * as PooledPictures from "../src/programs/images/PooledPictures.ts";
import * as PooledPageReader from "../src/sources/page-reader/PooledPageReader.ts";

const run = promisify(execFile);

/** `-J` prints all metadata of a video. */
const OUTPUT_MAX_BYTES = 64 * 2 ** 20;

/** Removed with the scope. */
export const benchFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "winnow-bench-"))),
  (made) => Effect.promise(() => rm(made, { recursive: true, force: true }))
);

/** Of non-public hosts, only the site at `siteUrl` is allowed. */
export const downloaderOf = (siteUrl: string, folder: string, options: Partial<DownloaderOptions> = {}) =>
  DownloaderLayer.layer({ workDir: join(folder, "work"), ...options }).pipe(
    Layer.provide([
      GuardedEgress.layer({ allow: [new URL(siteUrl).host] }),
      PooledPageReader.layer,
      PooledPictures.layer
    ]),
    inRun
  );

/** All parts of a URL, from the inspection to the last file. */
export const fetchAll = (url: string) =>
  Downloader.use((downloader) =>
    Effect.scoped(
      downloader.fetch({
        url,
        maxDurationSeconds: 3_600,
        wantsOf: () => MODALITIES
      })
    )
  );

/** One run of yt-dlp in the folder. */
export const ytDlp = (args: ReadonlyArray<string>, folder: string) =>
  Effect.promise(() => run("yt-dlp", [...args], { cwd: folder, maxBuffer: OUTPUT_MAX_BYTES }));

/** The commands a person types for the files of one video: metadata, video, audio, subtitles, thumbnail. */
const FIVE_COMMANDS: ReadonlyArray<ReadonlyArray<string>> = [
  ["-J"],
  ["-f", "bv+ba/b"],
  ["-x", "--audio-format", "m4a"],
  ["--write-subs", "--skip-download"],
  ["--write-thumbnail", "--skip-download"]
];

export const fiveCommands = (url: string, folder: string) =>
  Effect.forEach(FIVE_COMMANDS, (args, index) => ytDlp([...args, "-o", `${index}.%(ext)s`, url], folder), {
    discard: true
  });
