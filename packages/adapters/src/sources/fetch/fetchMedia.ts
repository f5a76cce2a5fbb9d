/**
 * Downloads video and audio in parallel, converts them to video.mp4 and audio.m4a in one step, and measures them.
 * Downloaded files are not trusted until ffprobe has checked them.
 */
import { AUDIO_FILE, VIDEO_FILE } from "@winnow/core/domain/result/ArtifactName";
import {
  isTooLong,
  MAX_DURATION_SECONDS,
  type SourceFacts,
  tooLongMessage
} from "@winnow/core/domain/source/SourceFacts";
import type { DownloadFailed } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import { classify, failed, failureOf } from "../failures/classify.ts";
import { type FetchContext, EMPTY_PART, type Part, isRequested } from "./FetchContext.ts";
import { chooseFormats, infoOfFormat } from "../inspect/formats.ts";
import type { Format, Info } from "../yt-dlp/InfoDict.ts";
import type { VideoSource } from "../inspect/Inspection.ts";
import { processFailure } from "../inspect/SourceInspector.ts";
import { type MuxInput, type MuxPlan, planMux } from "./mux.ts";
import type { Ffmpeg } from "../../programs/Ffmpeg.ts";
import type { RunFolder } from "../../programs/process/RunFolder.ts";
import { checkPlaylists, inspectStream } from "../inspect/StreamInspection.ts";
import { dropKept, type KeptFile } from "../../programs/process/RunFiles.ts";

export interface MediaPart extends Part {
  readonly measuredDurationSeconds: number | null;
}

const NO_MEDIA: MediaPart = { ...EMPTY_PART, measuredDurationSeconds: null };

const download = Effect.fnUntraced(function* (
  context: FetchContext,
  info: Info,
  format: Format,
  file: string
): Effect.fn.Return<MuxInput, DownloadFailed> {
  const { ffmpeg, meter, place, ytDlp } = context;
  const { answer, file: kept } = yield* ytDlp
    .download(infoOfFormat(info.raw, format), file, place, (progress) => meter.update(file, progress))
    .pipe(Effect.mapError(processFailure));
  if (!answer.ok) {
    const verdict = classify(answer);
    return yield* verdict === "no_media" ? failed("not_extractable") : failureOf(verdict);
  }
  const probe =
    kept === null ? null : yield* ffmpeg.probe(place.folder, kept.path).pipe(Effect.mapError(processFailure));
  // Exit code 0 proves nothing: a skipped download leaves no file, and a server may send anything.
  return kept === null || probe === null
    ? yield* failed("not_extractable", "The source did not send media.")
    : { file: kept.path, probe };
});

const measure = Effect.fnUntraced(function* ({ ffmpeg, place }: FetchContext, { path }: KeptFile) {
  const probe = yield* ffmpeg.probe(place.folder, path).pipe(Effect.mapError(processFailure));
  return probe === null ? yield* NOT_CONVERTED : probe.durationSeconds;
});

const NOT_CONVERTED = failed("internal", "The media could not be converted.");

const outputsOf = Effect.fnUntraced(function* (
  ffmpeg: Ffmpeg,
  run: RunFolder,
  { inputs, outputArgs, outputs }: MuxPlan
): Effect.fn.Return<ReadonlyArray<KeptFile>, DownloadFailed> {
  if (outputs.length === 0) return [];
  return yield* Effect.scoped(
    Effect.gen(function* () {
      const conversion = yield* ffmpeg.convert(run, inputs, outputArgs).pipe(Effect.mapError(processFailure));
      const taken = conversion.isWhole ? yield* Effect.forEach(outputs, conversion.take) : [];
      const files = taken.filter((file) => file !== null);
      return files.length < outputs.length ? yield* NOT_CONVERTED : files;
    })
  );
});

const convert = Effect.fnUntraced(function* (context: FetchContext, inputs: ReadonlyArray<MuxInput>) {
  const { ffmpeg, meter, place } = context;
  const requested = { video: isRequested(context, "video"), audio: isRequested(context, "audio") };
  const plan = planMux(inputs, requested);
  yield* meter.enter("converting");
  const outputs = yield* outputsOf(ffmpeg, place.folder, plan);
  yield* Effect.forEach(inputs, ({ file }) => dropKept(file));
  const durations = yield* Effect.forEach(outputs, (file) => measure(context, file), { concurrency: 2 });
  const measured = durations[0] ?? null;
  const { maxDurationSeconds } = context.request;
  if (isTooLong({ kind: "video", durationSeconds: null }, measured, maxDurationSeconds)) {
    return yield* failed("too_long", tooLongMessage(maxDurationSeconds ?? MAX_DURATION_SECONDS));
  }
  const part: MediaPart = {
    ...EMPTY_PART,
    files: plan.outputs,
    unavailable: [
      ...(requested.audio && !plan.outputs.includes(AUDIO_FILE) ? (["audio"] as const) : []),
      ...(requested.video && !plan.outputs.includes(VIDEO_FILE) ? (["video"] as const) : [])
    ],
    measuredDurationSeconds: measured
  };
  return part;
});

/** Empty if neither video nor audio is requested. */
export const fetchMedia = Effect.fn("MediaDownloader.fetchMedia")(function* (
  context: FetchContext,
  { info, playlists }: VideoSource
): Effect.fn.Return<MediaPart, DownloadFailed> {
  if (!isRequested(context, "video") && !isRequested(context, "audio")) return NO_MEDIA;
  const choice = chooseFormats(info.formats, context.request.wants);
  const sources = [
    { file: "video.media", format: choice.video },
    { file: "audio.media", format: choice.audio }
  ].flatMap(({ file, format }) => (format === null ? [] : [{ file, format }]));
  if (sources.length === 0) return yield* failed("not_extractable");
  const announcedBytes = sources.reduce((sum, { format }) => sum + (format.sizeBytes ?? 0), 0);
  if (announcedBytes > context.limits.maxDownloadBytes) return yield* failed("too_large");
  const formats = sources.map(({ format }) => format);
  yield* checkPlaylists(formats, playlists, context);
  const inputs = yield* Effect.forEach(sources, ({ file, format }) => download(context, info, format, file), {
    concurrency: sources.length
  });
  return yield* convert(context, inputs);
});

/**
 * Seconds; the duration of a video whose inspection could not determine it, for runs that download no media: reads the
 * stream's header or manifest again. Null on any failure, since only the price depends on it.
 */
export const findStreamDuration = Effect.fn("MediaDownloader.findStreamDuration")(
  function* (context: FetchContext, facts: SourceFacts, { info }: VideoSource) {
    const isMeasured = isRequested(context, "video") || isRequested(context, "audio");
    if (isMeasured || (facts.durationSeconds ?? 0) > 0) return null;
    const { egress, limits, place } = context;
    // A separate proxy, so that the header is limited to an inspection's bytes, not a download's.
    const proxy = yield* egress.openProxy({ budgetBytes: limits.inspectBudgetBytes });
    const inspecting = inspectStream(info, null, context, { ...place, proxyUrl: proxy.url });
    return yield* Effect.map(inspecting, ({ durationSeconds }) => durationSeconds);
  },
  Effect.scoped,
  Effect.orElseSucceed(() => null)
);
