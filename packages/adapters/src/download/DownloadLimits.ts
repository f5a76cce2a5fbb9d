/**
 * Every limit of looking and fetching, with its unit and its reason. Operators change the first three.
 */

import { FFMPEG_MEMORY_BYTES, type FfmpegLimits } from "../programs/Ffmpeg.ts";

export interface DownloadLimits extends FfmpegLimits {
  /** Bytes one run may pull through its proxy, and the size of any file it writes. */
  readonly maxDownloadBytes: number;
  /** Disk space of a run's folder beyond three times what it may pull: see {@link folderMaxBytes}. */
  readonly folderNotesMaxBytes: number;
  /** Wall clock of one fetch: a server that drips never ends by itself. */
  readonly fetchTimeoutMs: number;
  /** Comments kept, newest first. */
  readonly commentsMax: number;
  /** Wall clock of one look; who asks over HTTP waits less (EngineSettings). */
  readonly inspectTimeoutMs: number;
  /** Bytes a look may pull through its proxy: pages and manifests, never media. */
  readonly inspectBudgetBytes: number;
  /** Looks at once: each is a child process of about 30 MB of its own. An account alone has half of them. */
  readonly inspectionsAtOnceMax: number;
  /** Address space of a look's child; a page that unpacks to more is a bomb. */
  readonly inspectMemoryBytes: number;
  /** Address space of a download's child, which reads several segments at once. */
  readonly downloadMemoryBytes: number;
  /** Decoded HTML; the largest real pages have about 5 MB. */
  readonly pageMaxBytes: number;
  /** Playlists and manifests; a playlist of an hour of one-second segments has about 0.5 MB. */
  readonly manifestMaxBytes: number;
  /** One subtitle file; an hour has about 0.2 MB. */
  readonly subtitleMaxBytes: number;
  /** Subtitle languages kept; more exist only on machine-translated talks. */
  readonly subtitlesMax: number;
  /** One image before conversion. */
  readonly imageMaxBytes: number;
  /** Slides of one post; platforms allow 35 at most. */
  readonly slidesMax: number;
  /** Wall clock of comments alone, so that they never hold up the media. */
  readonly commentsTimeoutMs: number;
  /** Wall clock of one small download (page, subtitle, image). */
  readonly smallFetchTimeoutMs: number;
  /** Wait before a refused caption or comment is asked for again, where its source names none; then twice that. */
  readonly lookupRetryMs: number;
}

const MIB = 2 ** 20;

export const DEFAULT_LIMITS: DownloadLimits = {
  maxDownloadBytes: 4_096 * MIB,
  folderNotesMaxBytes: 256 * MIB,
  fetchTimeoutMs: 1_800_000,
  commentsMax: 500,
  inspectTimeoutMs: 25_000,
  inspectBudgetBytes: 64 * MIB,
  inspectionsAtOnceMax: 16,
  inspectMemoryBytes: 512 * MIB,
  downloadMemoryBytes: 1_024 * MIB,
  ffmpegMemoryBytes: FFMPEG_MEMORY_BYTES,
  pageMaxBytes: 8 * MIB,
  manifestMaxBytes: 8 * MIB,
  subtitleMaxBytes: 8 * MIB,
  subtitlesMax: 32,
  imageMaxBytes: 32 * MIB,
  slidesMax: 200,
  commentsTimeoutMs: 60_000,
  smallFetchTimeoutMs: 20_000,
  lookupRetryMs: 500
};

/**
 * What the folder of a run or a look may take of the disk, in bytes: what came through its proxy, the video and
 * the audio that are made of it, and what programs note beside.
 */
export const folderMaxBytes = ({ folderNotesMaxBytes }: DownloadLimits, budgetBytes: number): number =>
  3 * budgetBytes + folderNotesMaxBytes;
