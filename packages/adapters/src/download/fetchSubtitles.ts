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
import { type HlsPlaylist, readHls } from "./manifest.ts";
import { PAGE_HEADERS } from "./PageLook.ts";
import { chooseTracks, knownLanguage, type SubtitleTrack, type SubtitleTracks } from "./subtitleTracks.ts";

/** Pieces of one HLS subtitle track; an hour in pieces of one second has 3,600. */
const PIECES_MAX = 4_000;

/** Bytes of all tracks of one fetch, pieces included; 32 languages of an hour have 6 MB. */
const TEXT_BYTES_MAX = 16 * 2 ** 20;

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

/** A fetch, and what it may still read. */
interface Reading extends FetchSession {
  readonly budget: { bytesLeft: number };
}

/** Null whatever goes wrong: a missing subtitle fails nothing. */
const fetchText = ({ budget, egress, limits }: Reading, url: string) =>
  egress
    .fetch(url, {
      maxBytes: Math.max(0, Math.min(limits.subtitleMaxBytes, budget.bytesLeft)),
      timeoutMs: limits.smallFetchTimeoutMs,
      headers: PAGE_HEADERS
    })
    .pipe(
      Effect.map(({ body, status, url: finalUrl }) => {
        budget.bytesLeft -= body.byteLength;
        return status < 400 && budget.bytesLeft >= 0 ? { text: decode(body), url: finalUrl } : null;
      }),
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

/** Null unless every piece is there: a transcript with a hole would look whole. */
const readPieces = Effect.fnUntraced(
  function* (reading: Reading, { foreign, segments, tooLong }: HlsPlaylist) {
    // Ranges of one file are read as the file.
    const pieces = new Set(segments);
    if (foreign || tooLong || pieces.size > PIECES_MAX) return null;
    const cues = yield* Effect.forEach(
      pieces,
      Effect.fnUntraced(function* (piece) {
        const { text } = yield* Effect.fromNullishOr(yield* fetchText(reading, piece));
        return parseCues(text);
      }),
      { concurrency: FETCHES_AT_ONCE }
    );
    return withoutRepeats(cues.flat());
  },
  Effect.orElseSucceed(() => null)
);

const readTrack = Effect.fnUntraced(function* (reading: Reading, track: SubtitleTrack) {
  const { data, url } = track.source;
  const found =
    data !== null ? { text: data, url: "" } : url === null ? null : yield* fetchText(reading, url);
  if (found === null) return null;
  const playlist = readHls(found.text, found.url);
  const cues = playlist === null ? parseCues(found.text) : yield* readPieces(reading, playlist);
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
  const reading: Reading = { ...session, budget: { bytesLeft: TEXT_BYTES_MAX } };
  const read = yield* Effect.forEach(tracks, (track) => readTrack(reading, track), {
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
