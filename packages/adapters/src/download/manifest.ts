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
  /** There are more lines than are read: everything else here is said of its beginning. */
  readonly tooLong: boolean;
}

/** `KEY="value",KEY=value` (section 4.2). */
const attributes = (text: string): ReadonlyMap<string, string> =>
  new Map(
    // Names are tried from their start only: from each letter, the time would grow by the square.
    [...text.matchAll(/(?<![A-Z0-9-])([A-Z0-9-]+)=(?:"([^"]*)"|([^",]*))/gu)].map((match) => [
      match[1] ?? "",
      match[2] ?? match[3] ?? ""
    ])
  );

/** Null for what is no length, as a sum of what a playlist makes up may be. */
const lengthOf = (seconds: number): number | null =>
  Number.isFinite(seconds) && seconds >= 0 ? seconds : null;

/** Absolute http or https, else null. */
const resolveUrl = (reference: string, base: string): string | null => {
  const url = URL.parse(reference.trim(), base);
  return url !== null && (url.protocol === "http:" || url.protocol === "https:") ? url.href : null;
};

/** Null when the text is no playlist. */
export const readHls = (text: string, baseUrl: string): HlsPlaylist | null => {
  if (!text.replace(/^\uFEFF/u, "").startsWith("#EXTM3U")) return null;
  const segments: Array<string> = [];
  const subtitles: Array<{ language: string; url: string }> = [];
  let durationSeconds = 0;
  let master = false;
  let ended = false;
  let foreign = false;
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
      const uri = attributes(line).get("URI");
      // Players' own key schemes (skd:, data:) fetch nothing from this machine.
      if (uri !== undefined && !/^(?:skd|data):/u.test(uri)) see(uri);
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

/** Null when the text is no manifest. */
export const readDash = (
  text: string
): { readonly durationSeconds: number | null; readonly live: boolean } | null => {
  const root = /<MPD\b[^<>]*>/u.exec(text)?.[0];
  if (root === undefined) return null;
  const duration = /mediaPresentationDuration="([^"]*)"/u.exec(root)?.[1];
  return {
    durationSeconds: duration === undefined ? null : isoSeconds(duration),
    live: /\btype="dynamic"/u.test(root)
  };
};
