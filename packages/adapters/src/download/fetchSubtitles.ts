/**
 * Subtitle files, fetched by ourselves: yt-dlp fails a whole run over one odd language, and drops the
 * subtitles of embedded streams. Every file is kept as WebVTT; the first readable one is the transcript.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { subtitleFile } from "@winnow/core/domain/ArtifactName";
import { LANGUAGE_UNKNOWN, languageDistance } from "@winnow/core/domain/LanguageTag";
import { type Cue, parseCues, transcriptSegments } from "@winnow/core/domain/Transcript";
import { captionFiles, type TextFiles, transcriptFiles } from "@winnow/core/domain/TranscriptFiles";
import * as Effect from "effect/Effect";
import type * as Result from "effect/Result";
import { writeVtt } from "@winnow/core/domain/CaptionFiles";
import { type FetchSession, NOTHING_FETCHED, type Part, wants } from "./FetchSession.ts";
import type { VideoSource } from "./Inspection.ts";
import {
  askAgain,
  failedLookup,
  type LookupRefused,
  refusedBy,
  refusedByEgress,
  refusedByExtractor
} from "./lookups.ts";
import { type HlsPlaylist, readHls } from "./manifest.ts";
import { PAGE_HEADERS } from "../page/PageHeaders.ts";
import {
  chooseTracks,
  hasTracks,
  knownLanguage,
  readTracks,
  type SubtitleTrack,
  type SubtitleTracks
} from "./subtitleTracks.ts";
import { readInfo } from "./yt-dlp/InfoDict.ts";

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
interface SubtitleSession extends FetchSession {
  readonly budget: { bytesLeft: number };
}

const isPage = (text: string): boolean => /^\s*<(?:!doctype html|html)\b/iu.test(text);

const WITHHELD: LookupRefused = { reason: "bot_blocked", waitMs: null };

/**
 * Captions that are announced and come as nothing, or as a page: what YouTube answers programs without a token, and
 * what walls answer anybody. A source without words sends a header.
 */
const isWithheld = (text: string): boolean => text.trim() === "" || isPage(text);

/** Null when it is not to be taken; fails when it is not had, for the source has named it. */
const fetchText = (
  { budget, egress, limits }: SubtitleSession,
  url: string,
  withheld: (text: string) => boolean = isWithheld
) => {
  const ask = Effect.gen(function* () {
    const answer = yield* Effect.result(
      egress.fetch(url, {
        maxBytes: Math.max(0, Math.min(limits.subtitleMaxBytes, budget.bytesLeft)),
        timeoutMs: limits.smallFetchTimeoutMs,
        headers: PAGE_HEADERS
      })
    );
    const refused =
      answer._tag === "Failure" ? refusedByEgress(answer.failure) : yield* refusedBy(answer.success);
    if (refused !== null) return yield* Effect.fail(refused);
    if (answer._tag === "Failure") return null;
    const { body, url: finalUrl } = answer.success;
    budget.bytesLeft -= body.byteLength;
    if (budget.bytesLeft < 0) return null;
    const text = decode(body);
    return withheld(text) ? yield* Effect.fail(WITHHELD) : { text, url: finalUrl };
  });
  return askAgain(ask, limits);
};

/** Players show a cue that crosses a border in both pieces; here it counts once. */
const withoutRepeats = (cues: ReadonlyArray<Cue>): ReadonlyArray<Cue> => {
  const seen = new Set<string>();
  return cues.filter((cue) => {
    const key = `${cue.startSeconds} ${cue.endSeconds} ${cue.text}`;
    return !seen.has(key) && seen.add(key);
  });
};

/** Null unless every piece is there: a transcript with a hole would look whole. */
const readPieces = Effect.fnUntraced(function* (
  reading: SubtitleSession,
  { foreign, segments, tooLong }: HlsPlaylist
) {
  // Ranges of one file are read as the file.
  const pieces = new Set(segments);
  if (foreign || tooLong || pieces.size > PIECES_MAX) return null;
  return yield* Effect.forEach(
    pieces,
    Effect.fnUntraced(function* (piece) {
      const found = yield* fetchText(reading, piece, isPage);
      // The first that is missing ends the others.
      return found === null ? yield* Effect.fail("missing" as const) : parseCues(found.text);
    }),
    { concurrency: FETCHES_AT_ONCE }
  ).pipe(
    Effect.map((cues) => withoutRepeats(cues.flat())),
    Effect.catch((failure) => (failure === "missing" ? Effect.succeed(null) : Effect.fail(failure)))
  );
});

const readTrack = Effect.fnUntraced(function* (reading: SubtitleSession, track: SubtitleTrack) {
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

/**
 * The refusal that kept the transcript away: of the track that would have been it. One in the same language
 * that came takes its place; one in another would be told as what the source has.
 */
const refusedBefore = (
  tracks: ReadonlyArray<SubtitleTrack>,
  answers: ReadonlyArray<Result.Result<Captions | null, LookupRefused>>,
  chosen: SubtitleTrack | null
): LookupRefused | null => {
  const [best] = tracks;
  if (best === undefined || (chosen !== null && chosen.language === best.language)) return null;
  const refused = answers.find((answer) => answer._tag === "Failure");
  const same = answers.findIndex(
    (answer, index) => answer._tag === "Failure" && tracks[index]?.language === best.language
  );
  if (chosen === null) return refused?._tag === "Failure" ? refused.failure : null;
  const answer = answers[same];
  return answer?._tag === "Failure" ? answer.failure : null;
};

const save = (session: FetchSession, files: TextFiles) =>
  Effect.forEach(Object.entries(files), ([name, text]) =>
    Effect.as(
      Effect.promise(() => writeFile(join(session.place.folder, name), text, { mode: 0o600 })),
      name
    )
  );

/** Of a second look, for captions alone: a fault of the program is one of the look-up. */
const lookAgain = Effect.fnUntraced(function* (
  session: FetchSession,
  { info }: VideoSource
): Effect.fn.Return<SubtitleTracks, LookupRefused> {
  const { place, request, ytDlp } = session;
  const answer = yield* ytDlp
    .inspect(info.webpageUrl ?? request.url, "1", place)
    .pipe(
      Effect.mapError(
        ({ reason }) => ({ reason: reason === "timeout" ? reason : "internal", waitMs: null }) as const
      )
    );
  const told = answer.ok ? readInfo(answer.info) : null;
  const video = told?.entries[0] ?? told;
  const tracks = video === null ? NO_TRACKS : readTracks(video);
  const failure = answer.ok ? answer.refused?.captions : answer;
  const refused = failure === undefined || hasTracks(tracks) ? null : yield* refusedByExtractor(failure);
  return refused === null ? tracks : yield* Effect.fail(refused);
});

const NO_TRACKS: SubtitleTracks = { manual: [], automatic: [] };

/** What may be fetched; the first of the three questions was the look. */
const tracksOf = (session: FetchSession, source: VideoSource) =>
  source.captionsRefused === null
    ? Effect.succeed(source.tracks)
    : askAgain(lookAgain(session, source), session.limits, source.captionsRefused);

const lacking = (more: Partial<SubtitlesPart>): SubtitlesPart => ({
  ...NOTHING_FETCHED,
  unavailable: ["transcript"],
  languageMissing: false,
  ...more
});

export const fetchSubtitles = Effect.fn("MediaDownloader.fetchSubtitles")(function* (
  session: FetchSession,
  source: VideoSource
): Effect.fn.Return<SubtitlesPart> {
  if (!wants(session, "transcript")) return { ...NOTHING_FETCHED, languageMissing: false };
  const told = yield* Effect.result(tracksOf(session, source));
  if (told._tag === "Failure") return lacking({ failedLookups: [failedLookup("transcript", told.failure)] });
  const found = told.success;
  const wanted = session.request.language ?? null;
  const tracks = chooseTracks(found, wanted, session.limits.subtitlesMax);
  const reading: SubtitleSession = { ...session, budget: { bytesLeft: TEXT_BYTES_MAX } };
  const answers = yield* Effect.forEach(tracks, (track) => Effect.result(readTrack(reading, track)), {
    concurrency: FETCHES_AT_ONCE
  });
  const read = answers.map((answer) => (answer._tag === "Success" ? answer.success : null));
  const files: Array<string> = [];
  const warnings: Array<string> = [];
  for (const [index, captions] of read.entries()) {
    const name = subtitleFile(tracks[index]?.language ?? LANGUAGE_UNKNOWN);
    if (captions === null) warnings.push(`${name} could not be fetched.`);
    else if (!files.includes(name)) {
      files.push(
        ...(yield* save(session, captionFiles(captions.track.language, captions.cues, captions.vtt)))
      );
    }
  }
  const first = read.find((captions) => captions !== null) ?? null;
  const segments = transcriptSegments(first?.cues ?? []);
  const refused = refusedBefore(tracks, answers, first?.track ?? null);
  if (first === null || segments.length === 0 || refused !== null) {
    const failedLookups = refused === null ? [] : [failedLookup("transcript", refused)];
    return lacking({ files, warnings, failedLookups });
  }
  const { track } = first;
  const origin = track.automatic ? "automatic" : "people";
  const transcript = yield* save(session, transcriptFiles(knownLanguage(track), segments, origin));
  return {
    ...NOTHING_FETCHED,
    files: [...transcript, ...files],
    warnings,
    languageMissing: wanted !== null && languageDistance(track.language, wanted) === null
  };
});
