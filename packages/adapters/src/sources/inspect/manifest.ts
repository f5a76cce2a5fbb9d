/**
 * Minimal parsers of HLS playlists (RFC 8216) and DASH manifests: duration, live streams, subtitles, and addresses
 * outside HTTP. yt-dlp drops these for embedded streams.
 *
 * Parses untrusted text on the main thread: in linear time with little work.
 */

/** Maximum lines of a playlist; an hour of one-second segments has about 15,000, a day of long ones 60,000. */
const LINES_MAX = 100_000;

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
  const lines = text.split(/\r?\n/u, LINES_MAX + 1);
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
      if (media.get("TYPE") === "SUBTITLES" && url !== null && subtitles.length < SUBTITLES_MAX) {
        subtitles.push({ language: media.get("LANGUAGE") ?? media.get("NAME") ?? "und", url });
      }
    }
  }
  return {
    master,
    durationSeconds: master ? null : lengthOf(durationSeconds),
    live: !master && !ended,
    segments,
    subtitles,
    foreign,
    locked,
    tooLong: lines.length > LINES_MAX
  };
};

/** ISO 8601 durations as DASH writes them (`PT1H2M3.5S`); null for anything else. */
const isoSeconds = (text: string): number | null => {
  const match = /^P(?:(\d+)D)?T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?$/u.exec(text);
  if (match === null) return null;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0));
  return lengthOf(days * 86_400 + hours * 3_600 + minutes * 60 + seconds);
};

/** Sum of the periods, if all have a duration (ISO/IEC 23009-1, section 5.3.2). */
const periodsSeconds = (text: string): number | null => {
  const lengths = [...text.matchAll(/<Period\b([^<>]*)>/gu)].map(([, attributes = ""]) => {
    const duration = /\bduration="([^"]*)"/u.exec(attributes)?.[1];
    return duration === undefined ? null : isoSeconds(duration);
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
  const duration = /mediaPresentationDuration="([^"]*)"/u.exec(root)?.[1];
  return {
    durationSeconds:
      duration === undefined ? (periodsSeconds(text) ?? timelineSeconds(text)) : isoSeconds(duration),
    live: /\btype="dynamic"/u.test(root)
  };
};
