/**
 * The sample site's media, made by ffmpeg once: a talk with a voice (a tone if this ffmpeg has none) as MP4 and as HLS with separate audio, its subtitles, a poster, and four slides.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rename, writeFile, rm } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { LINES, SECONDS_PER_LINE, TALK_SECONDS, webVtt } from "./script.ts";

const exec = promisify(execFile);

const SIZE = "640x360";
const FRAMES_PER_SECOND = 25;
const HLS_SEGMENT_SECONDS = 4;
export const SLIDES = 4;

type Ffmpeg = (...args: ReadonlyArray<string>) => Promise<void>;

const ffmpegAt =
  (program: string): Ffmpeg =>
  async (...args) => {
    await exec(program, ["-nostdin", "-hide_banner", "-loglevel", "error", "-y", ...args]);
  };

/** One lavfi source per line, spoken if this ffmpeg was built with flite. */
const voices = async (program: string): Promise<ReadonlyArray<string>> => {
  const { stdout } = await exec(program, ["-hide_banner", "-filters"]);
  const speaks = /\bflite\b/u.test(stdout);
  return LINES.map(({ en }, index) =>
    speaks
      ? `flite=voice=slt:text='${en.replaceAll(/[',:]/gu, " ")}'`
      : `sine=frequency=${220 + 60 * index}:duration=3`
  );
};

const makeTalk = async (program: string, target: string): Promise<void> => {
  const scenes = ["testsrc2", "smptebars", "testsrc", "rgbtestsrc", "mandelbrot"].slice(0, LINES.length);
  const pictures = scenes.flatMap((scene) => [
    "-f",
    "lavfi",
    "-t",
    String(SECONDS_PER_LINE),
    "-i",
    `${scene}=size=${SIZE}:rate=${FRAMES_PER_SECOND}`
  ]);
  const sounds = (await voices(program)).flatMap((voice) => ["-f", "lavfi", "-i", voice]);
  const graph = [
    ...scenes.map((_, i) => `[${i}:v]setsar=1,format=yuv420p[v${i}]`),
    ...scenes.map(
      (_, i) =>
        `[${scenes.length + i}:a]aresample=44100,aformat=channel_layouts=mono,apad=whole_dur=${SECONDS_PER_LINE},atrim=0:${SECONDS_PER_LINE}[a${i}]`
    ),
    `${scenes.map((_, i) => `[v${i}][a${i}]`).join("")}concat=n=${scenes.length}:v=1:a=1[v][a]`
  ].join(";");
  await ffmpegAt(program)(
    ...pictures,
    ...sounds,
    "-filter_complex",
    graph,
    "-map",
    "[v]",
    "-map",
    "[a]",
    "-t",
    String(TALK_SECONDS),
    "-c:v",
    "libx264",
    "-preset",
    "veryfast",
    "-g",
    "50",
    "-c:a",
    "aac",
    "-b:a",
    "96k",
    "-movflags",
    "+faststart",
    target
  );
};

const masterPlaylist = `#EXTM3U
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="voice",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,URI="audio.m3u8"
#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="text",NAME="English",LANGUAGE="en",DEFAULT=YES,URI="text.en.m3u8"
#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="text",NAME="Deutsch",LANGUAGE="de",URI="text.de.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=900000,RESOLUTION=${SIZE},CODECS="avc1.64001e,mp4a.40.2",AUDIO="voice",SUBTITLES="text"
picture.m3u8
`;

const subtitlePlaylist = (language: string): string =>
  `#EXTM3U\n#EXT-X-TARGETDURATION:${TALK_SECONDS}\n#EXT-X-PLAYLIST-TYPE:VOD\n#EXTINF:${TALK_SECONDS},\n../talk.${language}.vtt\n#EXT-X-ENDLIST\n`;

const makeHls = async (ffmpeg: Ffmpeg, talk: string, folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true });
  const stream = (name: string, drop: string) =>
    ffmpeg(
      "-i",
      talk,
      drop,
      "-c",
      "copy",
      "-f",
      "hls",
      "-hls_time",
      String(HLS_SEGMENT_SECONDS),
      "-hls_playlist_type",
      "vod",
      "-hls_segment_filename",
      path.join(folder, `${name}_%03d.ts`),
      path.join(folder, `${name}.m3u8`)
    );
  await stream("picture", "-an");
  await stream("audio", "-vn");
  for (const language of ["en", "de"]) {
    await writeFile(path.join(folder, `text.${language}.m3u8`), subtitlePlaylist(language));
  }
  await writeFile(path.join(folder, "master.m3u8"), masterPlaylist);
};

/** Creates what is missing in `folder`; a partial folder is never used. */
export const makeMedia = async (
  folder: string,
  program = process.env.WINNOW_FFMPEG ?? "ffmpeg"
): Promise<void> => {
  if (existsSync(folder)) return;
  const part = `${folder}.${process.pid}.part`;
  await mkdir(part, { recursive: true });
  const ffmpeg = ffmpegAt(program);
  const talk = path.join(part, "talk.mp4");
  await makeTalk(program, talk);
  await makeHls(ffmpeg, talk, path.join(part, "hls"));
  await ffmpeg("-ss", "1", "-i", talk, "-frames:v", "1", "-q:v", "3", path.join(part, "poster.jpg"));
  for (let slide = 1; slide <= SLIDES; slide += 1) {
    const source = `testsrc2=size=800x1000:rate=1,hue=h=${slide * 80}`;
    await ffmpeg(
      "-f",
      "lavfi",
      "-i",
      source,
      "-frames:v",
      "1",
      "-q:v",
      "4",
      path.join(part, `slide${slide}.jpg`)
    );
  }
  for (const language of ["en", "de"] as const) {
    await writeFile(path.join(part, `talk.${language}.vtt`), webVtt(language));
  }
  try {
    await rename(part, folder);
  } catch (error) {
    // Another process was faster; its folder is equally complete.
    await rm(part, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
};
