/**
 * All limits of inspecting and fetching, with unit and reason. Operators configure `maxDownloadBytes`, `fetchTimeoutMs`
 * and `commentsMax`. Tests: folderSize.test.ts, InspectionCache.test.ts.
 */
import { PAGE_BYTES_MAX } from "@winnow/pages/PageLimits";
import { FFMPEG_MEMORY_BYTES, type FfmpegLimits } from "../programs/Ffmpeg.ts";

export interface DownloadLimits extends FfmpegLimits {
  /** Maximum bytes a run may receive through its proxy, and maximum size of any file it writes. */
  readonly maxDownloadBytes: number;
  /** Disk space of a run's folder beyond three times its download limit: see {@link folderMaxBytes}. */
  readonly folderNotesMaxBytes: number;
  /** Maximum duration of a fetch, since a slow server may never end by itself. */
  readonly fetchTimeoutMs: number;
  /** Maximum comments kept, newest first. */
  readonly commentsMax: number;
  /** Maximum duration of an inspection; HTTP requests wait less (EngineSettings). */
  readonly inspectTimeoutMs: number;
  /** Maximum duration of a look at a channel or playlist; YouTube sends 200 items in a few seconds, as seven pages. */
  readonly listTimeoutMs: number;
  /** Maximum bytes an inspection may receive through its proxy: pages and manifests, never media. */
  readonly inspectBudgetBytes: number;
  /**
   * Maximum concurrent inspections. They mostly wait for the network; each is a child process of about 15 MB and a
   * page of up to `pageMaxBytes`.
   */
  readonly inspectionsAtOnceMax: number;
  /** Maximum concurrent inspections of one account. */
  readonly inspectionsOfAccountMax: number;
  /** The part of the inspections that is kept for accounts without one, however slow the pages of others are. */
  readonly inspectionsForNewcomers: number;
  /** Address space of an inspection's process, which stops decompression bombs. */
  readonly inspectMemoryBytes: number;
  /** Address space of a download's process, which reads several segments at once. */
  readonly downloadMemoryBytes: number;
  /** Decoded: a page of HTML, of which the largest real ones have about 5 MB, or a document, whose scanned pages have up to 1 MB each. */
  readonly pageMaxBytes: number;
  /** Playlists and manifests; a playlist of an hour of one-second segments has about 0.5 MB. */
  readonly manifestMaxBytes: number;
  /** One subtitle file; an hour has about 0.2 MB. */
  readonly subtitleMaxBytes: number;
  /** Maximum subtitle languages kept; only machine-translated talks have more. */
  readonly subtitlesMax: number;
  /** Maximum size of an image before conversion. */
  readonly imageMaxBytes: number;
  /** Maximum slides of a post; platforms allow up to 35. */
  readonly slidesMax: number;
  /** Maximum scanned pages of a document that are read, the first ones: each takes seconds of processor time. */
  readonly scannedPagesMax: number;
  /**
   * Maximum processor time of drawing and reading them, in milliseconds: sixty pages of print take 150 s, with two
   * languages 200. Not wall-clock time, so that a busy server reads the same documents.
   */
  readonly scansProcessorMsMax: number;
  /** Separate time limit of comments, so that they never delay the media. */
  readonly commentsTimeoutMs: number;
  /** Time limit of a small download (page, subtitle, image). */
  readonly smallFetchTimeoutMs: number;
  /** Delay before retrying a rejected caption or comment request without Retry-After; doubled after that. */
  readonly lookupRetryMs: number;
}

const MIB = 2 ** 20;

export const DEFAULT_LIMITS: DownloadLimits = {
  maxDownloadBytes: 4_096 * MIB,
  folderNotesMaxBytes: 256 * MIB,
  fetchTimeoutMs: 1_800_000,
  commentsMax: 500,
  inspectTimeoutMs: 25_000,
  listTimeoutMs: 60_000,
  inspectBudgetBytes: 64 * MIB,
  inspectionsAtOnceMax: 64,
  inspectionsOfAccountMax: 8,
  inspectionsForNewcomers: 16,
  inspectMemoryBytes: 512 * MIB,
  downloadMemoryBytes: 1_024 * MIB,
  ffmpegMemoryBytes: FFMPEG_MEMORY_BYTES,
  pageMaxBytes: PAGE_BYTES_MAX,
  manifestMaxBytes: 8 * MIB,
  subtitleMaxBytes: 8 * MIB,
  subtitlesMax: 32,
  imageMaxBytes: 32 * MIB,
  slidesMax: 200,
  scannedPagesMax: 60,
  scansProcessorMsMax: 240_000,
  commentsTimeoutMs: 60_000,
  smallFetchTimeoutMs: 20_000,
  lookupRetryMs: 500
};

/**
 * Maximum disk space of a run's or inspection's folder, in bytes: the download, the video and audio created from
 * it, and temporary files.
 */
export const folderMaxBytes = ({ folderNotesMaxBytes }: DownloadLimits, budgetBytes: number): number =>
  3 * budgetBytes + folderNotesMaxBytes;
