/**
 * Inspects media known only by its address: whether it is media, its duration, whether it is live, and whether it
 * references private addresses. Reads manifests and headers, never whole files.
 *
 * ffprobe gets files and their addresses, never manifests: its HLS and DASH demuxers accept `httpproxy:` addresses,
 * which bypass the egress proxy. Tests: manifests.test.ts, delegation.test.ts.
 */
import * as Effect from "effect/Effect";
import type { Failed } from "@winnow/core/domain/source/Failed";
import type { EgressWay } from "@winnow/isolation/network/Egress";
import { failed } from "../failures/classify.ts";
import type { DownloadLimits } from "../DownloadLimits.ts";
import type { Ffmpeg } from "../../programs/Ffmpeg.ts";
import { labelsInDash, readDash } from "../manifests/dash.ts";
import { type HlsPlaylist, readHls } from "../manifests/hls.ts";
import { chooseFormats } from "./formats.ts";
import { type Format, type FormatHeaders, type Info, isGeneric } from "../yt-dlp/InfoDict.ts";
import type { YtDlpPlace } from "../yt-dlp/YtDlp.ts";

export interface StreamInspection {
  /** Null if unknown. */
  readonly durationSeconds: number | null;
  readonly subtitles: HlsPlaylist["subtitles"];
  readonly labels: HlsPlaylist["labels"];
  /** URLs of the HLS playlists of segments that were checked and may be downloaded. */
  readonly playlists: ReadonlyArray<string>;
}

export interface StreamServices {
  readonly egress: EgressWay;
  readonly ffmpeg: Ffmpeg;
  readonly limits: DownloadLimits;
}

/** Nothing is known about the stream. */
export const NO_STREAM_INSPECTION: StreamInspection = {
  durationSeconds: null,
  subtitles: [],
  labels: [],
  playlists: []
};

const readText = (url: string, { egress, limits }: StreamServices, headers: FormatHeaders = {}) =>
  egress
    .fetch(url, {
      maxBytes: limits.manifestMaxBytes,
      timeoutMs: limits.smallFetchTimeoutMs,
      headers
    })
    .pipe(
      Effect.map(({ body, status, url: finalUrl }) =>
        status < 400 ? { text: new TextDecoder().decode(body), url: finalUrl } : null
      ),
      // A manifest that cannot be read here may still be readable for yt-dlp, with its headers.
      Effect.catch((error) =>
        error.reason === "blocked_address" || error.reason === "host_not_public"
          ? Effect.fail(failed("blocked_address"))
          : Effect.succeed(null)
      )
    );

/** Fails for media that must not be downloaded; null if it cannot be read here, or is no playlist. */
const readChecked = Effect.fnUntraced(function* (
  url: string,
  services: StreamServices,
  headers?: FormatHeaders
) {
  const found = yield* readText(url, services, headers);
  const playlist = found === null ? null : readHls(found.text, found.url);
  if (found === null || playlist === null) return null;
  if (playlist.foreign) return yield* failed("blocked_address");
  if (playlist.tooLong) return yield* failed("too_large");
  if (playlist.locked !== null) return yield* failed(playlist.locked);
  if (playlist.live) return yield* failed("live");
  return { ...found, playlist };
});

const checkedHls = (url: string, services: StreamServices) =>
  Effect.map(readChecked(url, services), (found) => found?.playlist ?? null);

/** The same of a format, with the headers that yt-dlp would send. */
export const readFormatPlaylist = ({ headers, url }: Format, services: StreamServices) =>
  readChecked(url, services, headers);

export const isHls = (format: Format): boolean => format.protocol.startsWith("m3u8");

/** Fails for a stream with a playlist that must not be downloaded; those in `seen` were already checked. */
export const checkPlaylists = (
  formats: ReadonlyArray<Format>,
  seen: ReadonlyArray<string>,
  services: StreamServices
): Effect.Effect<void, Failed> =>
  Effect.forEach(
    formats.filter((format) => isHls(format) && !seen.includes(format.url)).map(({ url }) => url),
    (url) => checkedHls(url, services),
    { concurrency: 2, discard: true }
  );

/** `sound`: a separate audio playlist; null without one. */
const inspectHls = Effect.fnUntraced(function* (
  format: Format,
  sound: Format | null,
  services: StreamServices
) {
  const { manifestUrl, url } = format;
  const [playlist, master] = yield* Effect.all(
    [
      checkedHls(url, services),
      manifestUrl === null || manifestUrl === url ? Effect.succeed(null) : checkedHls(manifestUrl, services),
      checkPlaylists(sound === null ? [] : [sound], [url], services)
    ],
    { concurrency: 3 }
  );
  // All variants have the same duration, so the first one suffices.
  const [variant] = playlist?.master === true ? playlist.segments : [];
  const first = variant === undefined ? playlist : yield* checkedHls(variant, services);
  const inspection: StreamInspection = {
    durationSeconds: first?.durationSeconds ?? null,
    subtitles: master?.subtitles ?? playlist?.subtitles ?? [],
    labels: master?.labels ?? playlist?.labels ?? [],
    playlists: [url, ...(sound === null ? [] : [sound.url])]
  };
  return inspection;
});

const inspectDash = Effect.fnUntraced(function* (format: Format, services: StreamServices) {
  const found = yield* readText(format.manifestUrl ?? format.url, services);
  const manifest = found === null ? null : readDash(found.text);
  if (manifest?.live === true) return yield* failed("live");
  return { ...NO_STREAM_INSPECTION, durationSeconds: manifest?.durationSeconds ?? null };
});

/** Maximum manifests of a video that are read for its subtitles: an extractor has one of each kind, or of each host. */
const MANIFESTS_MAX = 4;

/**
 * What their manifests say of the listed subtitles, which yt-dlp does not tell; nothing of a manifest that cannot be
 * read. Those of a page are remembered, and cost no request.
 */
export const findLabels = Effect.fnUntraced(function* (info: Info, services: StreamServices) {
  const sources = [...info.subtitles.values()].flat();
  if (!sources.some(({ isOfStream }) => isOfStream || isGeneric(info))) return [];
  const manifests = new Set(info.formats.flatMap(({ manifestUrl }) => manifestUrl ?? []));
  const found = yield* Effect.forEach(
    [...manifests].slice(0, MANIFESTS_MAX),
    (url) => Effect.orElseSucceed(readText(url, services), () => null),
    { concurrency: "unbounded" }
  );
  return found.flatMap((manifest) =>
    manifest === null
      ? []
      : (readHls(manifest.text, manifest.url)?.labels ?? labelsInDash(manifest.text, manifest.url))
  );
});

/** A URL that is itself a file must be media; a file linked by a page is trusted until it is downloaded. */
const inspectFile = Effect.fnUntraced(function* (
  format: Format,
  direct: boolean,
  services: StreamServices,
  place: YtDlpPlace
) {
  // If nothing else says that it is media, the page's response decides.
  const isMedia = format.ext !== "unknown_video";
  const probe = yield* services.ffmpeg
    .probeUrl(format.url, place)
    .pipe(Effect.catchTag("ProcessFailed", () => Effect.succeed(isMedia ? undefined : null)));
  if (probe === null && direct) return yield* failed("not_extractable");
  return { ...NO_STREAM_INSPECTION, durationSeconds: probe?.durationSeconds ?? null };
});

/** `knownDurationSeconds`: the page's claim; a plain file is then not probed. */
export const inspectStream = (
  info: Info,
  knownDurationSeconds: number | null,
  services: StreamServices,
  place: YtDlpPlace
): Effect.Effect<StreamInspection, Failed> => {
  const choice = chooseFormats(info.formats, ["video", "audio"]);
  const format = choice.video ?? choice.audio;
  if (format === null) return Effect.succeed(NO_STREAM_INSPECTION);
  if (isHls(format)) return inspectHls(format, choice.video === null ? null : choice.audio, services);
  if (format.protocol.includes("dash")) return inspectDash(format, services);
  return knownDurationSeconds !== null
    ? Effect.succeed(NO_STREAM_INSPECTION)
    : inspectFile(format, info.direct, services, place);
};
