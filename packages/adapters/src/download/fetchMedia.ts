/**
 * Video and sound: downloaded side by side, then brought into video.mp4 and audio.m4a in one go, and
 * measured. What a server sends is believed only once ffprobe has seen it.
 */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { AUDIO_FILE, VIDEO_FILE } from "@winnow/core/domain/ArtifactName";
import { isTooLong, MAX_DURATION_SECONDS, tooLongMessage } from "@winnow/core/domain/SourceFacts";
import type { DownloadFailed } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import { classify, failed, failureOf } from "./classify.ts";
import { type FetchSession, NOTHING_FETCHED, type Part, wants } from "./FetchSession.ts";
import { chooseFormats, infoOfFormat } from "./formats.ts";
import type { Format, Info } from "./yt-dlp/InfoDict.ts";
import type { VideoSource } from "./Inspection.ts";
import { processFailure } from "./SourceInspector.ts";
import { type MuxInput, planMux } from "./mux.ts";
import { checkPlaylists } from "./StreamInspection.ts";

export interface MediaPart extends Part {
  readonly measuredDurationSeconds: number | null;
}

const NO_MEDIA: MediaPart = { ...NOTHING_FETCHED, measuredDurationSeconds: null };

const download = Effect.fnUntraced(function* (
  session: FetchSession,
  info: Info,
  format: Format,
  file: string
): Effect.fn.Return<MuxInput, DownloadFailed> {
  const { ffmpeg, meter, place, ytDlp } = session;
  const answer = yield* ytDlp
    .download(infoOfFormat(info.raw, format), file, place, (progress) => meter.update(file, progress))
    .pipe(Effect.mapError(processFailure));
  if (!answer.ok) {
    const verdict = classify(answer);
    return yield* verdict === "no_media" ? failed("not_extractable") : failureOf(verdict);
  }
  const probe = yield* ffmpeg.probe(place.folder, file).pipe(Effect.mapError(processFailure));
  // Exit code 0 is not proof: a skipped download leaves no file, and a server may send anything.
  return probe === null
    ? yield* failed("not_extractable", "What the source sent as media is none.")
    : { file, probe };
});

const measure = Effect.fnUntraced(function* (session: FetchSession, file: string) {
  const probe = yield* session.ffmpeg.probe(session.place.folder, file).pipe(Effect.mapError(processFailure));
  if (probe === null) return yield* failed("internal", "The media could not be converted.");
  return probe.durationSeconds;
});

const convert = Effect.fnUntraced(function* (session: FetchSession, inputs: ReadonlyArray<MuxInput>) {
  const { ffmpeg, meter, place } = session;
  const wanted = { video: wants(session, "video"), audio: wants(session, "audio") };
  const plan = planMux(inputs, wanted);
  yield* meter.enter("converting");
  if (plan.outputs.length > 0) {
    const converted = yield* ffmpeg
      .convert(place.folder, plan.inputs, plan.outputArgs)
      .pipe(Effect.mapError(processFailure));
    if (!converted) return yield* failed("internal", "The media could not be converted.");
  }
  yield* Effect.promise(() =>
    Promise.all(inputs.map(({ file }) => rm(join(place.folder, file), { force: true })))
  );
  const durations = yield* Effect.forEach(plan.outputs, (file) => measure(session, file), { concurrency: 2 });
  const measured = durations[0] ?? null;
  const { maxDurationSeconds } = session.request;
  if (isTooLong({ kind: "video", durationSeconds: null }, measured, maxDurationSeconds)) {
    return yield* failed("too_long", tooLongMessage(maxDurationSeconds ?? MAX_DURATION_SECONDS));
  }
  const part: MediaPart = {
    ...NOTHING_FETCHED,
    files: plan.outputs,
    unavailable: [
      ...(wanted.audio && !plan.outputs.includes(AUDIO_FILE) ? (["audio"] as const) : []),
      ...(wanted.video && !plan.outputs.includes(VIDEO_FILE) ? (["video"] as const) : [])
    ],
    measuredDurationSeconds: measured
  };
  return part;
});

/** Nothing at all when neither video nor audio is wanted. */
export const fetchMedia = Effect.fn("MediaDownloader.fetchMedia")(function* (
  session: FetchSession,
  { info, playlists }: VideoSource
): Effect.fn.Return<MediaPart, DownloadFailed> {
  if (!wants(session, "video") && !wants(session, "audio")) return NO_MEDIA;
  const choice = chooseFormats(info.formats, session.request.wants);
  const sources = [
    { file: "video.media", format: choice.video },
    { file: "audio.media", format: choice.audio }
  ].flatMap(({ file, format }) => (format === null ? [] : [{ file, format }]));
  if (sources.length === 0) return yield* failed("not_extractable");
  const announcedBytes = sources.reduce((sum, { format }) => sum + (format.sizeBytes ?? 0), 0);
  if (announcedBytes > session.limits.maxDownloadBytes) return yield* failed("too_large");
  const formats = sources.map(({ format }) => format);
  yield* checkPlaylists(formats, playlists, session);
  const inputs = yield* Effect.forEach(sources, ({ file, format }) => download(session, info, format, file), {
    concurrency: sources.length
  });
  return yield* convert(session, inputs);
});
