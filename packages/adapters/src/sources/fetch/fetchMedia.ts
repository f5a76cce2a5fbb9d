/**
 * Downloads video and audio in parallel, or what a stretch of them needs, converts them to video.mp4 and audio.m4a in one
 * step, and measures them. Downloaded files are not trusted until ffprobe has checked them. Tests: sources.test.ts (mux).
 */
import { Failed } from "@winnow/core/domain/source/Failed";
import { AUDIO_FILE, VIDEO_FILE } from "@winnow/core/domain/result/ArtifactName";
import { options } from "@winnow/isolation/process/BoundedProcess";
import type { MediaProbe, MediaStream, Ffmpeg } from "../../programs/Ffmpeg.ts";
import { isTooLong, type SourceFacts, tooLongMessage } from "@winnow/core/domain/source/SourceFacts";
import { RANGE_HINT, stretchSeconds, type TimeRange } from "@winnow/core/domain/source/TimeRange";
import * as Effect from "effect/Effect";
import { classify, failed, failureOf, processFailure } from "../failures/classify.ts";
import { type FetchContext, EMPTY_PART, type Part, isRequested } from "./FetchContext.ts";
import { cutFormat } from "./cutFormat.ts";
import { chooseFormats, infoOfFormat, isFile } from "../inspect/formats.ts";
import type { Format, Info } from "../yt-dlp/InfoDict.ts";
import type { VideoSource } from "../inspect/Inspection.ts";
import type { RunFolder } from "@winnow/isolation/process/RunFolder";
import { checkPlaylists, inspectStream } from "../inspect/StreamInspection.ts";
import { dropKept, type KeptFile } from "@winnow/isolation/process/RunFiles";

// Plans how downloaded files become video.mp4 and audio.m4a: streams are copied if players support the codec in
// that container, since copying is hundreds of times cheaper than encoding. Pure.

export interface MuxInput {
  /** Absolute path. */
  readonly file: string;
  readonly probe: MediaProbe;
  /** Where it begins in the source. */
  readonly startSeconds: number;
}

export interface MuxPlan {
  readonly inputs: ReadonlyArray<string>;
  /** Before an input. */
  readonly inputArgs: (input: string) => ReadonlyArray<string>;
  readonly outputArgs: ReadonlyArray<string>;
  /** Files that must exist afterwards. */
  readonly outputs: ReadonlyArray<string>;
}

/** Codecs that current browsers play in MP4. */
const MP4_VIDEO: ReadonlySet<string> = new Set(["h264", "hevc", "av1", "vp9"]);
const MP4_AUDIO: ReadonlySet<string> = new Set(["aac", "mp3", "alac"]);
const M4A_AUDIO: ReadonlySet<string> = new Set(["aac", "alac"]);

/** Pixel formats that every H.264 player decodes. */
const PLAYABLE_PIXELS: ReadonlySet<string> = new Set(["yuv420p", "yuvj420p"]);

const TO_AAC = options("-c:a aac -b:a 128k -ac 2");

/** Veryfast takes about 1/7 of the duration at 360p; above 1280 pixels it would take longer than the video. */
const TO_H264 = options(
  "-c:v libx264 -preset veryfast -crf 23 -pix_fmt yuv420p -vf scale=w=min(1280\\,trunc(iw/2)*2):h=-2"
);

/** Drops all metadata, and puts the index first for streaming players. */
const BARE = options("-map_metadata -1 -map_chapters -1 -sn -dn -movflags +faststart");

const videoArgs = (stream: MediaStream): ReadonlyArray<string> => {
  const playable =
    MP4_VIDEO.has(stream.codec) &&
    (stream.codec !== "h264" || stream.pixelFormat === null || PLAYABLE_PIXELS.has(stream.pixelFormat));
  if (!playable) return TO_H264;
  // Apple's players recognise HEVC only by this tag.
  return ["-c:v", "copy", ...(stream.codec === "hevc" ? ["-tag:v", "hvc1"] : [])];
};

const audioArgs = (stream: MediaStream, container: ReadonlySet<string>): ReadonlyArray<string> =>
  container.has(stream.codec) ? ["-c:a", "copy"] : TO_AAC;

const find = (
  inputs: ReadonlyArray<MuxInput>,
  kind: MediaStream["kind"]
): { readonly index: number; readonly stream: MediaStream } | null => {
  for (const [index, { probe }] of inputs.entries()) {
    const stream = probe.streams.find((each) => each.kind === kind);
    if (stream !== undefined) return { index, stream };
  }
  return null;
};

/** In an MPEG stream, a key frame is looked for this far before a stretch; they are rarely 10 s apart. */
const KEY_FRAME_SECONDS_MAX = 15;

/** ffmpeg moves a stream whose first time is this far from 0 back to it, 10 s by default. */
const KEPT_TIMES = options(`-dts_delta_threshold ${KEY_FRAME_SECONDS_MAX + 5}`);

/** Where to begin reading. What is before the stretch gets negative times, so that players do not show it. */
const seekArgs = ({ probe, startSeconds }: MuxInput, { startSec }: TimeRange): ReadonlyArray<string> => {
  const atSeconds = startSec - startSeconds;
  const fromSeconds = Math.max(0, probe.hasIndex ? atSeconds : atSeconds - KEY_FRAME_SECONDS_MAX);
  const kept = fromSeconds === atSeconds ? [] : KEPT_TIMES;
  return [...kept, "-ss", fromSeconds.toFixed(3), "-itsoffset", (fromSeconds - atSeconds).toFixed(3)];
};

/** Copied sound begins with the stretch; copied pictures at the key frame before it, without which they are none. */
const stretchArgs = (range: TimeRange): ReadonlyArray<string> => {
  const seconds = stretchSeconds(range, null);
  return [...options("-copypriorss:a 0"), ...(seconds === null ? [] : ["-t", seconds.toFixed(3)])];
};

const nearer = (time: "PTS" | "DTS"): string => `if(lt(${time}\\,0)\\,${time}*60*TB\\,${time})`;

/**
 * Pictures before the stretch get times just before it, one tick of the clock for 1/60 s: Firefox shows them in spite of
 * the edit list, and would begin the stretch that much later.
 */
const LEAD_IN = ["-bsf:v", `setts=pts=${nearer("PTS")}:dts=${nearer("DTS")}`];

/** `wantsVideo` without a video stream, or `wantsAudio` without audio, omits that output. */
export const planMux = (
  inputs: ReadonlyArray<MuxInput>,
  wants: { readonly video: boolean; readonly audio: boolean },
  range: TimeRange | null = null
): MuxPlan => {
  const cut = range === null ? [] : stretchArgs(range);
  const video = wants.video ? find(inputs, "video") : null;
  // A separate audio file has the better quality.
  const audio = find(inputs.toReversed(), "audio");
  const audioMap = audio === null ? [] : ["-map", `${inputs.length - 1 - audio.index}:a:0`];
  const videoOutput =
    video === null
      ? []
      : [
          "-map",
          `${video.index}:v:0`,
          ...audioMap,
          ...videoArgs(video.stream),
          ...(audio === null ? [] : audioArgs(audio.stream, MP4_AUDIO)),
          ...BARE,
          ...cut,
          ...(range === null ? [] : LEAD_IN),
          "-f",
          "mp4",
          VIDEO_FILE
        ];
  const audioOutput =
    audio === null || !wants.audio
      ? []
      : [
          ...audioMap,
          "-vn",
          ...audioArgs(audio.stream, M4A_AUDIO),
          ...BARE,
          ...cut,
          "-f",
          "ipod",
          AUDIO_FILE
        ];
  return {
    inputs: inputs.map(({ file }) => file),
    inputArgs: (file) => {
      const input = inputs.find((each) => each.file === file);
      return input === undefined || range === null ? [] : seekArgs(input, range);
    },
    outputArgs: [...videoOutput, ...audioOutput],
    outputs: [
      ...(videoOutput.length > 0 ? [VIDEO_FILE] : []),
      ...(audioOutput.length > 0 ? [AUDIO_FILE] : [])
    ]
  };
};

export interface MediaPart extends Part {
  readonly measuredDurationSeconds: number | null;
}

const NO_MEDIA: MediaPart = { ...EMPTY_PART, measuredDurationSeconds: null };

const probeKept = ({ ffmpeg, place }: FetchContext, kept: KeptFile | null) =>
  kept === null
    ? Effect.succeed(null)
    : ffmpeg.probe(place.folder, kept.path).pipe(Effect.mapError(processFailure));

/** The bytes of a file that a stretch needs; null if they cannot be had so. */
const downloadStretch = Effect.fnUntraced(function* (
  context: FetchContext,
  { headers, url }: Format,
  range: TimeRange,
  file: string
): Effect.fn.Return<MuxInput | null, Failed> {
  const { ffmpeg, place } = context;
  const stretch = { url, headers, startSeconds: range.startSec, lengthSeconds: stretchSeconds(range, null) };
  const kept = yield* ffmpeg.copyStretch(stretch, file, place).pipe(Effect.mapError(processFailure));
  const probe = yield* probeKept(context, kept);
  return kept === null || probe === null
    ? null
    : { file: kept.path, probe, startSeconds: probe.startSeconds };
});

/** Seconds; what begins this much after a stretch lacks its beginning. */
const LATE_SECONDS_MIN = 0.1;

/** No segment is shorter, in seconds. */
const SHORTEST_SECONDS = 0.001;

const download = Effect.fnUntraced(function* (
  context: FetchContext,
  info: Info,
  whole: Format,
  file: string,
  earlierSec?: number
): Effect.fn.Return<MuxInput, Failed> {
  const { meter, place, request, ytDlp } = context;
  const { range = null } = request;
  const some = range !== null && isFile(whole) ? yield* downloadStretch(context, whole, range, file) : null;
  if (some !== null) return some;
  const startSec = earlierSec ?? range?.startSec ?? 0;
  const cut = range === null ? null : yield* cutFormat(whole, { ...range, startSec }, context);
  const { format, startSeconds, errorSeconds } = cut ?? { format: whole, startSeconds: 0, errorSeconds: 0 };
  const { answer, file: kept } = yield* ytDlp
    .download(infoOfFormat(info.raw, format), file, place, (progress) => meter.update(file, progress))
    .pipe(Effect.mapError(processFailure));
  if (!answer.ok) {
    const verdict = classify(answer);
    return yield* verdict === "no_media" ? failed("not_extractable") : failureOf(verdict);
  }
  const probe = yield* probeKept(context, kept);
  // Exit code 0 proves nothing: a skipped download leaves no file, and a server may send anything.
  if (kept === null || probe === null)
    return yield* failed("not_extractable", "The source did not send media.");
  const isOnClock = Math.abs(probe.startSeconds - startSeconds) <= errorSeconds;
  const isLate = isOnClock && probe.startSeconds >= startSec + LATE_SECONDS_MIN;
  // Segments may begin later than a manifest says that states one duration for all.
  if (isLate && earlierSec === undefined && startSeconds > 0)
    return yield* download(context, info, whole, file, startSeconds - SHORTEST_SECONDS);
  // A segment begins with a picture; what is heard before is still of the one before.
  const lead = startSeconds > 0 ? (probe.leadSeconds ?? 0) : 0;
  return { file: kept.path, probe, startSeconds: isOnClock ? probe.startSeconds : startSeconds - lead };
});

const measure = Effect.fnUntraced(function* (context: FetchContext, file: KeptFile) {
  const { range } = context.request;
  const probe = yield* probeKept(context, file);
  if (range === undefined) return probe === null ? yield* NOT_CONVERTED : probe.durationSeconds;
  const seconds = probe?.durationSeconds ?? null;
  if (seconds === null) return yield* ENDS_BEFORE;
  // Frames that are stored out of order are cut a few too late.
  return Math.min(seconds, stretchSeconds(range, null) ?? seconds);
});

const NOT_CONVERTED = failed("internal", "The media could not be converted.");

/** The source claims to be longer than it is. */
const ENDS_BEFORE = new Failed({
  reason: "input_unavailable",
  message: "The video ends before the stretch of `range` begins.",
  hint: RANGE_HINT
});

const outputsOf = Effect.fnUntraced(function* (
  ffmpeg: Ffmpeg,
  run: RunFolder,
  { inputs, inputArgs, outputArgs, outputs }: MuxPlan
): Effect.fn.Return<ReadonlyArray<KeptFile>, Failed> {
  if (outputs.length === 0) return [];
  return yield* Effect.scoped(
    Effect.gen(function* () {
      const conversion = yield* ffmpeg
        .convert(run, inputs, outputArgs, inputArgs)
        .pipe(Effect.mapError(processFailure));
      const taken = conversion.isWhole ? yield* Effect.forEach(outputs, conversion.take) : [];
      const files = taken.filter((file) => file !== null);
      return files.length < outputs.length ? yield* NOT_CONVERTED : files;
    })
  );
});

const convert = Effect.fnUntraced(function* (context: FetchContext, inputs: ReadonlyArray<MuxInput>) {
  const { ffmpeg, meter, place } = context;
  const requested = { video: isRequested(context, "video"), audio: isRequested(context, "audio") };
  const { maxDurationSeconds, range = null } = context.request;
  const plan = planMux(inputs, requested, range);
  yield* meter.enter("converting");
  const outputs = yield* outputsOf(ffmpeg, place.folder, plan);
  yield* Effect.forEach(inputs, ({ file }) => dropKept(file));
  const durations = yield* Effect.forEach(outputs, (file) => measure(context, file), { concurrency: 2 });
  const measured = durations[0] ?? null;
  const untilSeconds = (range?.startSec ?? 0) + (measured ?? 0);
  if (isTooLong({ kind: "video", durationSeconds: null }, untilSeconds, maxDurationSeconds)) {
    return yield* failed("too_long", tooLongMessage(maxDurationSeconds));
  }
  const part: MediaPart = {
    ...EMPTY_PART,
    files: plan.outputs,
    measuredDurationSeconds: measured
  };
  return part;
});

/** Seconds; a shorter stretch may lie between two pictures or packets of sound. */
const STRETCH_SECONDS_MIN = 0.1;

const withFrames = ({ request: { range, ...request }, ...context }: FetchContext): FetchContext => {
  if (range === undefined) return { ...context, request };
  const endSec = range.endSec && Math.max(range.endSec, range.startSec + STRETCH_SECONDS_MIN);
  return { ...context, request: { ...request, range: { ...range, endSec } } };
};

/** Empty if neither video nor audio is requested. */
export const fetchMedia = Effect.fn("MediaDownloader.fetchMedia")(function* (
  asked: FetchContext,
  { info, playlists }: VideoSource
): Effect.fn.Return<MediaPart, Failed> {
  const context = withFrames(asked);
  if (!isRequested(context, "video") && !isRequested(context, "audio")) return NO_MEDIA;
  const choice = chooseFormats(info.formats, context.request.wants);
  const sources = [
    { file: "video.media", format: choice.video },
    { file: "audio.media", format: choice.audio }
  ].flatMap(({ file, format }) => (format === null ? [] : [{ file, format }]));
  if (sources.length === 0) return yield* failed("not_extractable");
  if (context.request.range === undefined) {
    const announcedBytes = sources.reduce((sum, { format }) => sum + (format.sizeBytes ?? 0), 0);
    if (announcedBytes > context.limits.maxDownloadBytes) return yield* failed("too_large");
    const formats = sources.map(({ format }) => format);
    yield* checkPlaylists(formats, playlists, context);
  }
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
