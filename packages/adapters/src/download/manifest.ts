/**
 * Small readers of HLS playlists (RFC 8216) and DASH manifests: length, whether the stream is live, its
 * subtitles, and addresses that lead out of the network. yt-dlp drops these where a page embeds a stream.
 *
 * Reads hostile text on the thread that serves requests: takes time linear in its length, and little of it.
 */

/** Lines of one playlist; an hour of one-second segments has some 15,000, a day of long ones 60,000. */
const LINES_MAX = 100_000;

/** Longest tag read, in characters: an address in it may be signed. */
const TAG_CHARS_MAX = 16_384;

/** Subtitles of one playlist; platforms offer about 100 translations. */
const SUBTITLES_MAX = 200;

export interface HlsPlaylist {
  /** A list of variants, not of segments. */
  readonly master: boolean;
  /** Sum of the segments; null for a master playlist. */
  readonly durationSeconds: number | null;
  /** A list of segments without its end (section 4.3.3.4). */
  readonly live: boolean;
  /** Absolute. */
  readonly segments: ReadonlyArray<string>;
  readonly subtitles: ReadonlyArray<{ readonly language: string; readonly url: string }>;
  /** Segments, keys or maps that are neither http nor https. */
  readonly foreign: boolean;
  /** Why nobody here can decrypt its segments; null when there is nothing in the way. */
  readonly locked: "drm" | "not_extractable" | null;
  /** There are more lines than are read: everything else here is said of its beginning. */
  readonly tooLong: boolean;
}

/** KEYFORMAT of players' key systems; FairPlay's keys are told by their scheme too. */
const KEY_SYSTEM = /^(?:com\.|urn:uuid:)/iu;
const KEY_SYSTEM_URI = /^skd:/iu;

/** The methods that need no key system (section 4.3.2.4); SAMPLE-AES in the wild always has one. */
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
    // Names are tried from their start only: from each letter, the time would grow by the square.
    [...text.matchAll(/(?<![A-Z0-9-])([A-Z0-9-]+)=(?:"([^"]*)"|([^",]*))/gu)].map((match) => [
      match[1] ?? "",
      match[2] ?? match[3] ?? ""
    ])
  );

/** Null for what is not a length, as a sum of what a playlist makes up may be. */
const lengthOf = (seconds: number): number | null =>
  Number.isFinite(seconds) && seconds >= 0 ? seconds : null;

/** Absolute http or https, else null. */
const resolveUrl = (reference: string, base: string): string | null => {
  const url = URL.parse(reference.trim(), base);
  return url !== null && (url.protocol === "http:" || url.protocol === "https:") ? url.href : null;
};

/** Null when the text is not a playlist. */
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
      // Players' own key schemes (skd:, data:) fetch nothing from this machine.
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

/** Sum of the periods, where each says how long it is (ISO/IEC 23009-1, section 5.3.2). */
const periodsSeconds = (text: string): number | null => {
  const lengths = [...text.matchAll(/<Period\b([^<>]*)>/gu)].map(([, attributes = ""]) => {
    const duration = /\bduration="([^"]*)"/u.exec(attributes)?.[1];
    return duration === undefined ? null : isoSeconds(duration);
  });
  return lengths.length === 0 || lengths.includes(null)
    ? null
    : lengths.reduce<number>((sum, seconds) => sum + (seconds ?? 0), 0);
};

/** Sum of the first list of segments of a manifest of one period; null where a segment repeats without end. */
const timelineSeconds = (text: string): number | null => {
  const start = text.indexOf("<SegmentTimeline>");
  const end = text.indexOf("</SegmentTimeline>", start);
  if (start < 0 || end < 0 || text.indexOf("<Period") !== text.lastIndexOf("<Period")) return null;
  // Found from their ends: a pattern would be tried from each of many beginnings.
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

/** Null when the text is not a manifest. */
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
