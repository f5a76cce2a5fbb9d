/**
 * Subtitle files, fetched by ourselves: yt-dlp fails a whole run over one odd language, and drops the
 * subtitles of embedded streams. Every file is kept as WebVTT; the first readable one is the transcript.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { subtitleFile, TRANSCRIPT_FILE, TRANSCRIPT_SEGMENTS_FILE } from "@winnow/core/domain/ArtifactName";
import { LANGUAGE_UNKNOWN, languageDistance } from "@winnow/core/domain/LanguageTag";
import {
  type Cue,
  parseCues,
  transcriptSegments,
  transcriptText,
  writeTranscript
} from "@winnow/core/domain/Transcript";
import * as Effect from "effect/Effect";
import { writeVtt } from "./captions.ts";
import { type FetchSession, NOTHING_FETCHED, type Part, wants } from "./FetchSession.ts";
import { readHls } from "./manifest.ts";
import { PAGE_HEADERS } from "./PageLook.ts";
import { chooseTracks, knownLanguage, type SubtitleTrack, type SubtitleTracks } from "./subtitleTracks.ts";

/** Pieces of one HLS subtitle track; an hour in pieces of 6 s has 600. */
const PIECES_MAX = 2_000;

const FETCHES_AT_ONCE = 6;

interface SubtitlesPart extends Part {
  /** The transcript is not in the language that was asked for. */
  readonly languageMissing: boolean;
}

interface Captions {
  readonly track: SubtitleTrack;
  readonly vtt: string;
  readonly cues: ReadonlyArray<Cue>;
}

const decode = (body: Uint8Array): string => new TextDecoder().decode(body).replace(/^\uFEFF/u, "");

/** Null whatever goes wrong: a missing subtitle fails nothing. */
const fetchText = (session: FetchSession, url: string) =>
  session.egress
    .fetch(url, {
      maxBytes: session.limits.subtitleMaxBytes,
      timeoutMs: session.limits.smallFetchTimeoutMs,
      headers: PAGE_HEADERS
    })
    .pipe(
      Effect.map(({ body, status, url: finalUrl }) =>
        status < 400 ? { text: decode(body), url: finalUrl } : null
      ),
      Effect.orElseSucceed(() => null)
    );

/** Players show a cue that crosses a border in both pieces; here it counts once. */
const withoutRepeats = (cues: ReadonlyArray<Cue>): ReadonlyArray<Cue> => {
  const seen = new Set<string>();
  return cues.filter((cue) => {
    const key = `${cue.startSeconds} ${cue.endSeconds} ${cue.text}`;
    return !seen.has(key) && seen.add(key);
  });
};

const readPieces = Effect.fnUntraced(function* (session: FetchSession, pieces: ReadonlyArray<string>) {
  const texts = yield* Effect.forEach(pieces.slice(0, PIECES_MAX), (piece) => fetchText(session, piece), {
    concurrency: FETCHES_AT_ONCE
  });
  // A transcript with a hole would look whole.
  if (texts.some((text) => text === null)) return null;
  return withoutRepeats(texts.flatMap((text) => parseCues(text?.text ?? "")));
});

const readTrack = Effect.fnUntraced(function* (session: FetchSession, track: SubtitleTrack) {
  const { data, url } = track.source;
  const found =
    data !== null ? { text: data, url: "" } : url === null ? null : yield* fetchText(session, url);
  if (found === null) return null;
  const playlist = readHls(found.text, found.url);
  const cues = playlist === null ? parseCues(found.text) : yield* readPieces(session, playlist.segments);
  if (cues === null || cues.length === 0) return null;
  const captions: Captions = {
    track,
    cues,
    // A WebVTT file stays as its author styled it.
    vtt: playlist === null && found.text.startsWith("WEBVTT") ? found.text : writeVtt(cues)
  };
  return captions;
});

const save = (session: FetchSession, name: string, text: string) =>
  Effect.promise(() => writeFile(join(session.place.folder, name), text, { mode: 0o600 }));

export const fetchSubtitles = Effect.fn("MediaDownloader.fetchSubtitles")(function* (
  session: FetchSession,
  found: SubtitleTracks
): Effect.fn.Return<SubtitlesPart> {
  if (!wants(session, "transcript")) return { ...NOTHING_FETCHED, languageMissing: false };
  const wanted = session.request.language ?? null;
  const tracks = chooseTracks(found, wanted, session.limits.subtitlesMax);
  const read = yield* Effect.forEach(tracks, (track) => readTrack(session, track), {
    concurrency: FETCHES_AT_ONCE
  });
  const files: Array<string> = [];
  const warnings: Array<string> = [];
  for (const [index, captions] of read.entries()) {
    const name = subtitleFile(tracks[index]?.language ?? LANGUAGE_UNKNOWN);
    if (captions === null) warnings.push(`${name} could not be fetched.`);
    else if (!files.includes(name)) {
      files.push(name);
      yield* save(session, name, captions.vtt);
    }
  }
  const first = read.find((captions) => captions !== null) ?? null;
  const segments = transcriptSegments(first?.cues ?? []);
  if (first === null || segments.length === 0) {
    return { files, unavailable: ["transcript"], warnings, languageMissing: false };
  }
  const { track } = first;
  yield* save(session, TRANSCRIPT_FILE, `${transcriptText(segments)}\n`);
  yield* save(session, TRANSCRIPT_SEGMENTS_FILE, writeTranscript(knownLanguage(track), segments));
  return {
    files: [TRANSCRIPT_FILE, TRANSCRIPT_SEGMENTS_FILE, ...files],
    unavailable: [],
    warnings,
    languageMissing: wanted !== null && languageDistance(track.language, wanted) === null
  };
});
