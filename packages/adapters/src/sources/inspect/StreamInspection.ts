/**
 * Inspects media known only by its address: whether it is media, its duration, whether it is live, and whether it
 * references private addresses. Reads manifests and headers, never whole files.
 *
 * ffprobe gets files and their addresses, never manifests: its HLS and DASH demuxers accept `httpproxy:` addresses,
 * which bypass the egress proxy.
 */
import { isoDurationSeconds } from "@winnow/core/domain/text/WrittenDuration";
import { isForced } from "@winnow/core/domain/text/LanguageTag";
import type { DownloadFailed } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import type { EgressWay } from "@winnow/isolation/network/Egress";
import { failed } from "../failures/classify.ts";
import type { DownloadLimits } from "../DownloadLimits.ts";
import type { Ffmpeg } from "../../programs/Ffmpeg.ts";
import { chooseFormats } from "./formats.ts";
import type { Format, Info } from "../yt-dlp/InfoDict.ts";
import { PAGE_HEADERS } from "../PageHeaders.ts";
import type { YtDlpPlace } from "../yt-dlp/YtDlp.ts";

// Minimal parsers of HLS playlists (RFC 8216) and DASH manifests: duration, live streams, subtitles, and addresses
// outside HTTP. yt-dlp drops these for embedded streams.
//
// Parses untrusted text on the main thread: in linear time with little work.

/** Maximum lines of a playlist; an hour of one-second segments has about 15,000, a day of long ones 60,000. */
const LINES_MAX = 100_000;

/** Wherever yt-dlp (Python's `splitlines`) or ffmpeg ends a line: nothing that they read as an address goes unchecked. */
// oxlint-disable-next-line no-control-regex -- each is meant for itself
const LINE_END = /\r\n|[\n\r\0\v\f\x1c-\x1e\x85\u2028\u2029]/u;

/** Maximum length of a tag, in characters; its address may be signed. */
const TAG_CHARS_MAX = 16_384;

/** Maximum subtitles of a playlist; platforms offer about 100 translations. */
const SUBTITLES_MAX = 200;

export interface HlsPlaylist {
  /** A master playlist, which lists variants instead of segments. */
  readonly master: boolean;
  /** Sum of the segments; null for a master playlist. */
  readonly durationSeconds: number | null;
  /** A media playlist without an end tag (section 4.3.3.4). */
  readonly live: boolean;
  /** Absolute. */
  readonly segments: ReadonlyArray<string>;
  readonly subtitles: ReadonlyArray<{ readonly language: string; readonly url: string }>;
  /** Addresses of subtitles that translate signs only, and are no transcript (section 4.3.4.1, FORCED). */
  readonly forced: ReadonlyArray<string>;
  /** Segments, keys or maps that are neither http nor https. */
  readonly foreign: boolean;
  /** Why its segments cannot be decrypted; null if they can. */
  readonly locked: "drm" | "not_extractable" | null;
  /** There are more lines than the maximum: everything else here describes the beginning. */
  readonly tooLong: boolean;
}

/** KEYFORMAT values of DRM systems; FairPlay is also recognised by its scheme. */
const KEY_SYSTEM = /^(?:com\.|urn:uuid:)/iu;
const KEY_SYSTEM_URI = /^skd:/iu;

/** Methods without DRM (section 4.3.2.4); SAMPLE-AES in practice always has it. */
const lockOf = (key: ReadonlyMap<string, string>): HlsPlaylist["locked"] => {
  const method = key.get("METHOD") ?? "";
  if (method === "NONE") return null;
  const system = KEY_SYSTEM.test(key.get("KEYFORMAT") ?? "") || KEY_SYSTEM_URI.test(key.get("URI") ?? "");
  if (system || method.startsWith("SAMPLE-AES")) return "drm";
  return method === "AES-128" ? null : "not_extractable";
};

/** `KEY="value",KEY=value` (section 4.2). */
const attributes = (text: string): ReadonlyMap<string, string> =>
  new Map(
    // Names are matched from their start only, because trying each letter would take quadratic time.
    [...text.matchAll(/(?<![A-Z0-9-])([A-Z0-9-]+)=(?:"([^"]*)"|([^",]*))/gu)].map((match) => [
      match[1] ?? "",
      match[2] ?? match[3] ?? ""
    ])
  );

/** Null if the sum of a playlist's durations is not finite. */
const lengthOf = (seconds: number): number | null =>
  Number.isFinite(seconds) && seconds >= 0 ? seconds : null;

/** Absolute http or https URL, else null. */
const resolveUrl = (reference: string, base: string): string | null => {
  const url = URL.parse(reference.trim(), base);
  return url !== null && (url.protocol === "http:" || url.protocol === "https:") ? url.href : null;
};

/** Null if the text is not a playlist. */
export const readHls = (text: string, baseUrl: string): HlsPlaylist | null => {
  if (!text.replace(/^\uFEFF/u, "").startsWith("#EXTM3U")) return null;
  const segments: Array<string> = [];
  const subtitles: Array<{ language: string; url: string }> = [];
  const forcedUrls: Array<string> = [];
  let durationSeconds = 0;
  let master = false;
  let ended = false;
  let foreign = false;
  let locked: HlsPlaylist["locked"] = null;
  const see = (reference: string | undefined): string | null => {
    const url = reference === undefined ? null : resolveUrl(reference, baseUrl);
    if (url === null && reference !== undefined) foreign = true;
    return url;
  };
  const lines = text.split(LINE_END, LINES_MAX + 1);
  for (const whole of lines.slice(0, LINES_MAX)) {
    if (whole === "") continue;
    const line = whole.slice(0, TAG_CHARS_MAX);
    if (!line.startsWith("#")) {
      const url = see(whole);
      if (url !== null) segments.push(url);
    } else if (line.startsWith("#EXTINF:")) {
      durationSeconds += Number.parseFloat(line.slice("#EXTINF:".length)) || 0;
    } else if (line.startsWith("#EXT-X-STREAM-INF")) {
      master = true;
    } else if (line.startsWith("#EXT-X-ENDLIST")) {
      ended = true;
    } else if (/^#EXT-X-(?:KEY|MAP|SESSION-KEY):/u.test(line)) {
      const tag = attributes(line);
      const uri = tag.get("URI");
      // Key URIs of DRM systems (skd:, data:) do not access this machine.
      if (uri !== undefined && !/^(?:skd|data):/u.test(uri)) see(uri);
      if (!line.startsWith("#EXT-X-MAP")) locked ??= lockOf(tag);
    } else if (line.startsWith("#EXT-X-FAXS-CM:")) {
      locked = "drm"; // Adobe's
    } else if (line.startsWith("#EXT-X-MEDIA:")) {
      const media = attributes(line);
      const url = see(media.get("URI"));
      const [name = "", language = name || "und"] = [media.get("NAME"), media.get("LANGUAGE")];
      if (media.get("TYPE") !== "SUBTITLES" || url === null) continue;
      if (media.get("FORCED") === "YES" || isForced(name)) forcedUrls.push(url);
      else if (subtitles.length < SUBTITLES_MAX) subtitles.push({ language, url });
    }
  }
  return {
    master,
    durationSeconds: master ? null : lengthOf(durationSeconds),
    live: !master && !ended,
    segments,
    subtitles,
    forced: forcedUrls,
    foreign,
    locked,
    tooLong: lines.length > LINES_MAX
  };
};

/** Sum of the periods, if all have a duration (ISO/IEC 23009-1, section 5.3.2). */
const periodsSeconds = (text: string): number | null => {
  const lengths = [...text.matchAll(/<Period\b([^<>]*)>/gu)].map(([, attributes = ""]) => {
    const [, , duration] = /\bduration=(["'])([^"']*)\1/u.exec(attributes) ?? [];
    return duration === undefined ? null : isoDurationSeconds(duration);
  });
  return lengths.length === 0 || lengths.includes(null)
    ? null
    : lengths.reduce<number>((sum, seconds) => sum + (seconds ?? 0), 0);
};

/** Sum of the first segment timeline of a single-period manifest; null if a segment repeats indefinitely. */
const timelineSeconds = (text: string): number | null => {
  const start = text.indexOf("<SegmentTimeline>");
  const end = text.indexOf("</SegmentTimeline>", start);
  if (start < 0 || end < 0 || text.indexOf("<Period") !== text.lastIndexOf("<Period")) return null;
  // Searched from the end, because a regular expression would be tried from many start positions.
  const attributes = text.slice(Math.max(0, text.lastIndexOf("<SegmentTemplate", start)), start);
  const timeline = text.slice(start, end);
  const timescale = Number(/\btimescale="(\d{1,12})"/u.exec(attributes)?.[1] ?? 1);
  let units = 0;
  for (const [, segment = ""] of timeline.matchAll(/<S\b([^<>]*)>/gu)) {
    const duration = /\bd="(\d{1,15})"/u.exec(segment)?.[1];
    const repeats = Number(/\br="(-?\d{1,9})"/u.exec(segment)?.[1] ?? 0);
    if (duration === undefined || repeats < 0) return null;
    units += Number(duration) * (repeats + 1);
  }
  return timescale > 0 && units > 0 ? lengthOf(units / timescale) : null;
};

/** Null if the text is not a manifest. */
export const readDash = (
  text: string
): { readonly durationSeconds: number | null; readonly live: boolean } | null => {
  const root = /<MPD\b[^<>]*>/u.exec(text)?.[0];
  if (root === undefined) return null;
  const [, , duration = ""] = /\bmediaPresentationDuration=(["'])([^"']*)\1/u.exec(root) ?? [];
  return {
    durationSeconds: isoDurationSeconds(duration) ?? periodsSeconds(text) ?? timelineSeconds(text),
    live: /\btype=(["'])dynamic\1/u.test(root)
  };
};

export interface StreamInspection {
  /** Null if unknown. */
  readonly durationSeconds: number | null;
  readonly subtitles: HlsPlaylist["subtitles"];
  readonly forcedSubtitles: HlsPlaylist["forced"];
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
  forcedSubtitles: [],
  playlists: []
};

const readText = (url: string, { egress, limits }: StreamServices) =>
  egress
    .fetch(url, {
      maxBytes: limits.manifestMaxBytes,
      timeoutMs: limits.smallFetchTimeoutMs,
      headers: PAGE_HEADERS
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

/** Fails for media that must not be downloaded. */
const checkedHls = Effect.fnUntraced(function* (url: string, services: StreamServices) {
  const found = yield* readText(url, services);
  const playlist = found === null ? null : readHls(found.text, found.url);
  if (playlist?.foreign === true) return yield* failed("blocked_address");
  if (playlist?.tooLong === true) return yield* failed("too_large");
  if (playlist != null && playlist.locked !== null) return yield* failed(playlist.locked);
  if (playlist?.live === true) return yield* failed("live");
  return playlist;
});

const isHls = (format: Format): boolean => format.protocol.startsWith("m3u8");

/** Fails for a stream with a playlist that must not be downloaded; those in `seen` were already checked. */
export const checkPlaylists = (
  formats: ReadonlyArray<Format>,
  seen: ReadonlyArray<string>,
  services: StreamServices
): Effect.Effect<void, DownloadFailed> =>
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
    forcedSubtitles: master?.forced ?? playlist?.forced ?? [],
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
): Effect.Effect<StreamInspection, DownloadFailed> => {
  const choice = chooseFormats(info.formats, ["video", "audio"]);
  const format = choice.video ?? choice.audio;
  if (format === null) return Effect.succeed(NO_STREAM_INSPECTION);
  if (isHls(format)) return inspectHls(format, choice.video === null ? null : choice.audio, services);
  if (format.protocol.includes("dash")) return inspectDash(format, services);
  return knownDurationSeconds !== null
    ? Effect.succeed(NO_STREAM_INSPECTION)
    : inspectFile(format, info.direct, services, place);
};
