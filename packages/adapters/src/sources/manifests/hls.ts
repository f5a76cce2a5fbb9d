/**
 * A minimal parser of HLS playlists (RFC 8216): duration, live streams, subtitles, locks, addresses outside HTTP, and
 * the segments of a stretch. yt-dlp drops these for embedded streams. Parses untrusted text on the main thread: in
 * linear time with little work. Tests: manifests.test.ts, stretches.test.ts.
 */
import { isForced } from "@winnow/core/domain/text/LanguageTag";
import type { SubtitleLabel } from "@winnow/pages/facts/PageReading";
import type { TimeRange } from "@winnow/core/domain/source/TimeRange";
import { neededPieces } from "./neededPieces.ts";

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
  /**
   * What it says of all subtitles, also those that translate signs only and are no transcript: their name,
   * characteristics, and whether they are forced (section 4.3.4.1).
   */
  readonly labels: ReadonlyArray<SubtitleLabel>;
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

/** Of a line with the duration of a segment (section 4.3.2.1). */
const secondsOf = (line: string): number => Number.parseFloat(line.slice("#EXTINF:".length)) || 0;

/** Null if the text is not a playlist. */
export const readHls = (text: string, baseUrl: string): HlsPlaylist | null => {
  if (!text.replace(/^\uFEFF/u, "").startsWith("#EXTM3U")) return null;
  const segments: Array<string> = [];
  const subtitles: Array<{ language: string; url: string }> = [];
  const labels: Array<SubtitleLabel> = [];
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
      durationSeconds += secondsOf(line);
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
      if (media.get("TYPE") !== "SUBTITLES" || url === null || labels.length === SUBTITLES_MAX) continue;
      const forced = media.get("FORCED") === "YES" ? "forced" : "";
      const label = [name, forced, media.get("CHARACTERISTICS") ?? ""].join(" ").trim();
      labels.push({ url, label });
      if (!isForced(label)) subtitles.push({ language, url });
    }
  }
  return {
    master,
    durationSeconds: master ? null : lengthOf(durationSeconds),
    live: !master && !ended,
    segments,
    subtitles,
    labels,
    foreign,
    locked,
    tooLong: lines.length > LINES_MAX
  };
};

/** Bytes of one file (section 4.3.2.2): a place that is left out is behind the bytes before. */
const RANGE_TAG = /^#EXT-X-BYTERANGE:(\d{1,15})(?:@(\d{1,15}))?/u;

/** Number of the first segment, from which keys derive what they leave out (sections 4.3.3.2 and 5.2). */
const SEQUENCE_TAG = /^#EXT-X-MEDIA-SEQUENCE:(\d{1,15})/u;

/**
 * The playlist with the segments of a stretch only, and where the first of them begins. Everything else stays, since it is
 * about all segments behind it. Null if the text lists no segments with their durations.
 */
export const cutHls = (
  text: string,
  range: TimeRange
): { readonly text: string; readonly startSeconds: number } | null => {
  const lines: Array<{ readonly line: string; readonly piece: number | null }> = [];
  const lengths: Array<number | null> = [];
  let seconds = 0;
  let bytesEnd = 0;
  let sequence = 0;
  for (const line of text.split(LINE_END, LINES_MAX)) {
    const bytes = RANGE_TAG.exec(line);
    const number = SEQUENCE_TAG.exec(line)?.[1];
    if (number !== undefined) sequence = Number(number);
    else if (bytes !== null) {
      const start = Number(bytes[2] ?? bytesEnd);
      bytesEnd = start + Number(bytes[1]);
      lines.push({ line: `#EXT-X-BYTERANGE:${bytes[1]}@${start}`, piece: lengths.length });
    } else if (line.startsWith("#EXTINF:")) {
      seconds = secondsOf(line);
      lines.push({ line, piece: lengths.length });
    } else if (line.startsWith("#EXT-X-MAP:")) lines.push({ line, piece: lengths.push(null) - 1 });
    else if (line === "" || line.startsWith("#")) lines.push({ line, piece: null });
    else {
      lines.push({ line, piece: lengths.push(seconds) - 1 });
      seconds = 0;
    }
  }
  const needed = neededPieces(lengths, range);
  if (needed === null) return null;
  const kept = new Set(needed.indexes);
  const first = lengths.findIndex((length, index) => length !== null && kept.has(index));
  const before = lengths.slice(0, first).filter((length) => length !== null).length;
  const [head = "", ...rest] = lines.flatMap(({ line, piece }) =>
    piece === null || kept.has(piece) ? [line] : []
  );
  return {
    text: [head, `#EXT-X-MEDIA-SEQUENCE:${sequence + before}`, ...rest].join("\n"),
    startSeconds: needed.startSeconds
  };
};
