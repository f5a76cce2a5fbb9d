/**
 * Fetches subtitle files without yt-dlp, which fails a whole run over one unusual language and drops the subtitles
 * of embedded streams. All files are stored as WebVTT; the first readable one becomes the transcript. Tests: lookups.test.ts.
 */
import type { Failed } from "@winnow/core/domain/source/Failed";
import type { Captions } from "@winnow/core/domain/source/SourceFacts";
import { subtitleFile } from "@winnow/core/domain/result/ArtifactName";
import type { TimeRange } from "@winnow/core/domain/source/TimeRange";
import { LANGUAGE_UNKNOWN, languageDistance } from "@winnow/core/domain/text/LanguageTag";
import { type Cue, transcriptSegments } from "@winnow/core/domain/transcript/Transcript";
import { captionFiles, shownIn, transcriptFiles, writeVtt } from "@winnow/core/domain/result/TranscriptFiles";
import * as Effect from "effect/Effect";
import type * as Result from "effect/Result";
import { decodeCaptions, readCaptions } from "../captions/readCaptions.ts";
import { segmentedCaptions } from "../captions/segmentedCaptions.ts";
import { type FetchContext, EMPTY_PART, type Part, isRequested } from "./FetchContext.ts";
import type { VideoSource } from "../inspect/Inspection.ts";
import { askAgain, failureOfResponse, failureOfEgress, failureOfExtractor } from "../inspect/lookups.ts";
import { failed } from "../failures/classify.ts";
import { cutHls, type HlsPlaylist, readHls } from "../manifests/hls.ts";
import {
  chooseTracks,
  hasTracks,
  knownLanguage,
  ofChoice,
  readTracks,
  type SubtitleTrack,
  type SubtitleTracks
} from "../inspect/subtitleTracks.ts";
import { readInfo } from "../yt-dlp/InfoDict.ts";

/** Maximum segments of an HLS subtitle track; an hour in segments of one second has 3,600. */
const PIECES_MAX = 4_000;

/** Maximum bytes of all tracks of a fetch, including segments; 32 languages of an hour have 6 MB. */
const TEXT_BYTES_MAX = 16 * 2 ** 20;

const FETCHES_AT_ONCE = 6;

/** Captions before and behind a stretch are read too, because segments may cut one in two. */
const BESIDE_SECONDS = 15;

const wider = ({ startSec, endSec }: TimeRange): TimeRange => ({
  startSec: Math.max(0, startSec - BESIDE_SECONDS),
  endSec: endSec === null ? null : endSec + BESIDE_SECONDS
});

interface SubtitlesPart extends Part {
  /** The transcript is not in the requested language. */
  readonly languageMissing: boolean;
}

interface FetchedTrack {
  readonly track: SubtitleTrack;
  readonly vtt: string;
  readonly cues: ReadonlyArray<Cue>;
}

/** A fetch and its remaining byte budget. */
interface SubtitleContext extends FetchContext {
  readonly budget: { bytesLeft: number };
}

const isPage = (text: string): boolean => /^\s*<(?:!doctype html|html)\b/iu.test(text);

const WITHHELD = failed("bot_blocked");

/** The source lists captions, so they exist; another attempt gets the same file. */
const UNREADABLE = failed(
  "input_unavailable",
  "The source lists captions, but their file has none that can be read."
);

/**
 * Captions that were announced but are empty or an HTML page: YouTube's response to programs without a token, and
 * the usual response of bot detection.
 */
const isWithheld = (text: string): boolean => text.trim() === "" || isPage(text);

/** Fails in any case if it is not usable, because the source has listed it. */
const fetchText = (
  { budget, egress, limits }: SubtitleContext,
  url: string,
  withheld: (text: string) => boolean = isWithheld
) => {
  const ask = Effect.gen(function* () {
    const answer = yield* Effect.result(
      egress.fetch(url, {
        maxBytes: Math.max(0, Math.min(limits.subtitleMaxBytes, budget.bytesLeft)),
        timeoutMs: limits.smallFetchTimeoutMs
      })
    );
    const refused =
      answer._tag === "Failure" ? failureOfEgress(answer.failure) : yield* failureOfResponse(answer.success);
    if (refused !== null) return yield* refused;
    if (answer._tag === "Failure") return yield* UNREADABLE;
    const { body, headers, url: finalUrl } = answer.success;
    budget.bytesLeft -= body.byteLength;
    if (budget.bytesLeft < 0) return yield* UNREADABLE;
    const text = decodeCaptions(body, headers["content-type"] ?? null);
    if (text === null) return yield* UNREADABLE;
    return withheld(text) ? yield* WITHHELD : { text, url: finalUrl };
  });
  return askAgain(ask, limits);
};

/** Fails unless all segments are available, because a transcript with a gap would look complete. */
const readPieces = Effect.fnUntraced(function* (
  reading: SubtitleContext,
  { foreign, segments, tooLong }: HlsPlaylist,
  needed: Pick<HlsPlaylist, "segments">
) {
  // Byte ranges of one file are fetched as the whole file. The first segment tells when the stream begins.
  const pieces = new Set([...segments.slice(0, 1), ...needed.segments]);
  if (foreign || tooLong || pieces.size > PIECES_MAX) return yield* UNREADABLE;
  const found = yield* Effect.forEach(pieces, (piece) => fetchText(reading, piece, isPage), {
    concurrency: FETCHES_AT_ONCE
  });
  const cues = segmentedCaptions(found.map(({ text }) => text));
  return cues ?? (yield* UNREADABLE);
});

const readTrack = Effect.fnUntraced(function* (reading: SubtitleContext, track: SubtitleTrack) {
  const { data, url } = track.source;
  if (data === null && url === null) return yield* UNREADABLE;
  const found = data === null ? yield* fetchText(reading, url ?? "") : { text: data, url: "" };
  const playlist = readHls(found.text, found.url);
  const { range } = reading.request;
  const cut = playlist === null || range === undefined ? null : cutHls(found.text, wider(range));
  const needed = cut && readHls(cut.text, found.url);
  const cues =
    playlist === null ? readCaptions(found.text) : yield* readPieces(reading, playlist, needed ?? playlist);
  // Perhaps nobody speaks in the stretch.
  if (cues.length === 0 && cut === null) return yield* UNREADABLE;
  const captions: FetchedTrack = {
    track,
    cues,
    // WebVTT keeps its author's styling.
    vtt: playlist === null && found.text.startsWith("WEBVTT") ? found.text : writeVtt(cues)
  };
  return captions;
});

/**
 * The failure that prevented the transcript: that of its track. Another track in the same language replaces it; one
 * in another language would be mistaken for what the source offers.
 */
const refusedBefore = (
  tracks: ReadonlyArray<SubtitleTrack>,
  answers: ReadonlyArray<Result.Result<FetchedTrack, Failed>>,
  chosen: SubtitleTrack | null
): Failed | null => {
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

/** A second request for captions only; an internal fault counts as a failed look-up. */
const retryLookup = Effect.fnUntraced(function* (
  context: FetchContext,
  { info }: Pick<VideoSource, "info">,
  captions: Captions
): Effect.fn.Return<SubtitleTracks, Failed> {
  const { place, request, ytDlp } = context;
  const answer = yield* ytDlp
    .inspect(info.webpageUrl ?? request.url, "1", place)
    .pipe(Effect.mapError(({ reason }) => failed(reason === "timeout" ? reason : "internal")));
  const found = answer.ok ? readInfo(answer.info) : null;
  const video = found?.entries[0] ?? found;
  const tracks = video === null ? NO_TRACKS : ofChoice(readTracks(video), captions);
  const failure = answer.ok ? answer.refused?.captions : answer;
  const refused = failure === undefined || hasTracks(tracks) ? null : yield* failureOfExtractor(failure);
  return refused === null ? tracks : yield* refused;
});

const NO_TRACKS: SubtitleTracks = { manual: [], automatic: [] };

/** The tracks of the choice; the inspection was the first of three attempts. */
const tracksOf = (context: FetchContext, { captionsRefused, ...source }: VideoSource) => {
  const { captions = "any" } = context.request;
  const tracks = ofChoice(source.tracks, captions);
  return hasTracks(tracks) || captionsRefused === null
    ? Effect.succeed(tracks)
    : askAgain(retryLookup(context, source, captions), context.limits, captionsRefused);
};

const NO_SUBTITLES: SubtitlesPart = { ...EMPTY_PART, languageMissing: false };

export const fetchSubtitles = Effect.fn("MediaDownloader.fetchSubtitles")(function* (
  context: FetchContext,
  source: VideoSource
): Effect.fn.Return<SubtitlesPart> {
  if (!isRequested(context, "transcript")) return NO_SUBTITLES;
  const lookup = yield* Effect.result(tracksOf(context, source));
  if (lookup._tag === "Failure") return { ...NO_SUBTITLES, failedLookups: { transcript: lookup.failure } };
  const found = lookup.success;
  const { language: requestedLanguage = null, range } = context.request;
  const tracks = chooseTracks(found, requestedLanguage, context.limits.subtitlesMax);
  const reading: SubtitleContext = { ...context, budget: { bytesLeft: TEXT_BYTES_MAX } };
  const results = yield* Effect.forEach(tracks, (track) => Effect.result(readTrack(reading, track)), {
    concurrency: FETCHES_AT_ONCE
  });
  const read = results.map((answer) => (answer._tag === "Success" ? answer.success : null));
  const files = new Map<string, string>();
  const warnings: Array<string> = [];
  for (const [index, captions] of read.entries()) {
    const name = subtitleFile(tracks[index]?.language ?? LANGUAGE_UNKNOWN);
    if (captions === null) warnings.push(`${name} could not be fetched.`);
    else if (!files.has(name)) {
      const { track, cues, vtt } = captions;
      const shown = shownIn(range, cues);
      const texts = captionFiles(track.language, shown, range === undefined ? vtt : writeVtt(shown));
      if (shown.length > 0) for (const [file, text] of Object.entries(texts)) files.set(file, text);
    }
  }
  const first = read.find((captions) => captions !== null) ?? null;
  const segments = shownIn(range, transcriptSegments(first?.cues ?? []));
  const refused = refusedBefore(tracks, results, first?.track ?? null);
  if (first === null || segments.length === 0 || refused !== null) {
    const failedLookups = refused === null ? {} : { transcript: refused };
    return { ...NO_SUBTITLES, files: [...files.keys()], texts: files, warnings, failedLookups };
  }
  const { track } = first;
  const origin = track.automatic ? "automatic" : "people";
  const transcript = Object.entries(transcriptFiles(knownLanguage(track), segments, origin));
  const texts = new Map([...transcript, ...files]);
  return {
    ...EMPTY_PART,
    files: [...texts.keys()],
    texts,
    warnings,
    languageMissing:
      requestedLanguage !== null && languageDistance(track.language, requestedLanguage) === null
  };
});
