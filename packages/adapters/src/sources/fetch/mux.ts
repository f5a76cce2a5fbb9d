/**
 * Plans how downloaded files become video.mp4 and audio.m4a: streams are copied if players support the codec in
 * that container, since copying is hundreds of times cheaper than encoding. Pure.
 */
import { AUDIO_FILE, VIDEO_FILE } from "@winnow/core/domain/result/ArtifactName";
import { options } from "../../programs/process/BoundedProcess.ts";
import type { MediaProbe, MediaStream } from "../../programs/Ffmpeg.ts";

export interface MuxInput {
  /** Absolute path. */
  readonly file: string;
  readonly probe: MediaProbe;
}

export interface MuxPlan {
  readonly inputs: ReadonlyArray<string>;
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

/** `wantsVideo` without a video stream, or `wantsAudio` without audio, omits that output. */
export const planMux = (
  inputs: ReadonlyArray<MuxInput>,
  wants: { readonly video: boolean; readonly audio: boolean }
): MuxPlan => {
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
          "-f",
          "mp4",
          VIDEO_FILE
        ];
  const audioOutput =
    audio === null || !wants.audio
      ? []
      : [...audioMap, "-vn", ...audioArgs(audio.stream, M4A_AUDIO), ...BARE, "-f", "ipod", AUDIO_FILE];
  return {
    inputs: inputs.map(({ file }) => file),
    outputArgs: [...videoOutput, ...audioOutput],
    outputs: [
      ...(videoOutput.length > 0 ? [VIDEO_FILE] : []),
      ...(audioOutput.length > 0 ? [AUDIO_FILE] : [])
    ]
  };
};
