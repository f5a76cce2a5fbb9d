/**
 * The media of the test site, made by ffmpeg: ten seconds of a test picture and a tone, in every form that a
 * site may offer.
 */
import { execFile } from "node:child_process";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import sharp from "sharp";

const run = promisify(execFile);

export const SECONDS = 10;

/** One line per cue; all cues have the same duration. */
export const CAPTIONS: Readonly<Record<"en" | "de", ReadonlyArray<string>>> = {
  en: ["Welcome to the talk.", "It was made by a script.", "Thank you for listening."],
  de: ["Willkommen zum Vortrag.", "Ein Skript hat ihn erzeugt.", "Danke für die Geduld."]
};

const stamp = (seconds: number): string => new Date(seconds * 1_000).toISOString().slice(11, 23);

const cue = (lines: ReadonlyArray<string>, index: number, separator: string): string => {
  const length = SECONDS / lines.length;
  const time = (at: number): string => stamp(at * length).replace(".", separator);
  return `${time(index)} --> ${time(index + 1)}\n${lines[index]}\n`;
};

const vtt = (lines: ReadonlyArray<string>): string =>
  `WEBVTT\n\n${lines.map((_, index) => cue(lines, index, ".")).join("\n")}`;

const srt = (lines: ReadonlyArray<string>): string =>
  lines.map((_, index) => `${index + 1}\n${cue(lines, index, ",")}`).join("\n");

const ffmpeg = (folder: string, options: string) =>
  run("ffmpeg", `-nostdin -v error -y ${options}`.split(" "), { cwd: folder });

const SOURCE =
  `-f lavfi -i testsrc2=size=320x180:rate=15:duration=${SECONDS} ` +
  `-f lavfi -i sine=frequency=440:sample_rate=44100:duration=${SECONDS}`;

const hls = (name: string, codecs = "-c copy"): string =>
  `${codecs} -f hls -hls_time 2 -hls_playlist_type vod -hls_segment_filename hls/${name}_%d.ts hls/${name}.m3u8`;

const MASTER = `#EXTM3U
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aud",NAME="English",LANGUAGE="en",DEFAULT=YES,URI="audio.m3u8"
#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="sub",NAME="English signs",LANGUAGE="en",FORCED=YES,URI="subs.signs.m3u8"
#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="sub",NAME="English",LANGUAGE="en",DEFAULT=YES,URI="subs.en.m3u8"
#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="sub",NAME="Deutsch",LANGUAGE="de",URI="subs.de.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=300000,RESOLUTION=320x180,CODECS="avc1.64000d,mp4a.40.2",AUDIO="aud",SUBTITLES="sub"
video.m3u8
`;

/** In two segments, as live encoders write them; the second cue overlaps both and is in both. */
const writeHlsSubtitles = async (folder: string, language: "en" | "de"): Promise<void> => {
  const lines = CAPTIONS[language];
  const head = "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n\n";
  const piece = (indexes: ReadonlyArray<number>): string =>
    head + indexes.map((index) => cue(lines, index, ".")).join("\n");
  await writeFile(join(folder, `hls/subs.${language}.0.vtt`), piece([0, 1]));
  await writeFile(join(folder, `hls/subs.${language}.1.vtt`), piece([1, 2]));
  const half = SECONDS / 2;
  await writeFile(
    join(folder, `hls/subs.${language}.m3u8`),
    `#EXTM3U\n#EXT-X-TARGETDURATION:${half}\n#EXTINF:${half},\nsubs.${language}.0.vtt\n#EXTINF:${half},\nsubs.${language}.1.vtt\n#EXT-X-ENDLIST\n`
  );
};

/** Its segments of 2 s have as many seconds as the manifest says. */
const writeNominalDash = async (folder: string, seconds: number): Promise<void> => {
  const exact = await readFile(join(folder, "dash/manifest.mpd"), "utf8");
  const nominal = exact
    .replaceAll(/<SegmentTimeline>.*?<\/SegmentTimeline>/gsu, "")
    .replaceAll(
      /timescale="(\d+)"/gu,
      (same, scale) => `${same} duration="${Math.round(seconds * Number(scale))}"`
    );
  await writeFile(join(folder, `dash/nominal-${seconds}.mpd`), nominal);
};

/** A picture of 60,000 by 60,000 pixels in a hundred bytes. */
const PNG_BOMB = Buffer.from(
  "89504e470d0a1a0a0000000d494844520000ea600000ea600802000000" +
    "0fb0e2150000000c4944415408d763f8cfc000000301010018dd8db00000000049454e44ae426082",
  "hex"
);

/**
 * A picture of 64 by 48 pixels as phones write them: the left half red, the right half blue, with a text in its
 * Exif data.
 */
export const HEIC = Buffer.from(
  "AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAeFtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAA" +
    "AAAAAA5waXRtAAAAAAACAAAAEGlkYXQAAAAAAEAAMAAAAExpbG9jAQAAAERAAAMAAQAAAAAAAAIFAAEAAAAAAAAAKwACAAEA" +
    "AAAAAAAAAQAAAAAAAAAIAAMAAAAAAAACMAABAAAAAAAAAMwAAABNaWluZgAAAAAAAwAAABVpbmZlAgAAAQABAABodmMxAAAA" +
    "ABVpbmZlAgAAAAACAABncmlkAAAAABVpbmZlAgAAAQADAABFeGlmAAAAANVpcHJwAAAAs2lwY28AAABzaHZjQwEDcAAAAAAA" +
    "AAAAAB7wAPz9+PgAAA8DIAABABhAAQwB//8DcAAAAwCQAAADAAADAB66AkAhAAEAJ0IBAQNwAAADAJAAAAMAAAMAHqAggQWW" +
    "6uSmubAgAAADACAAAAMAISIAAQAGRAHBc8CJAAAAFGlzcGUAAAAAAAAAQAAAAEAAAAAUaXNwZQAAAAAAAABAAAAAMAAAABBw" +
    "aXhpAAAAAAMICAgAAAAaaXBtYQAAAAAAAAACAAECgQIAAgIDhAAAAChpcmVmAAAAAAAAAA5kaW1nAAIAAQABAAAADmNkc2MA" +
    "AwABAAIAAAD/bWRhdAAAACcoAa8LYPXlg6//85V377Yg7Htm+3fppmuPj6M4ziHbsff+3BFm/hAAAAAASUkqAAgAAAAHABIB" +
    "AwABAAAAAQAAABoBBQABAAAAYgAAABsBBQABAAAAagAAACgBAwABAAAAAgAAABMCAwABAAAAAQAAAJiCAgAHAAAAcgAAAGmH" +
    "BAABAAAAegAAAAAAAAA4YwAA6AMAADhjAADoAwAASElEREVOAAAGAACQBwAEAAAAMDIxMAGRBwAEAAAAAQIDAACgBwAEAAAA" +
    "MDEwMAGgAwABAAAA//8AAAKgBAABAAAAQAAAAAOgBAABAAAAMAAAAAAAAAA=",
  "base64"
);

/** Two animations, two in new formats, a broken one, and a decompression bomb. */
const makeOddSlides = async (folder: string): Promise<void> => {
  const pages = (color: string) =>
    ({ create: { width: 40, height: 30, channels: 3, background: color } }) as const;
  const frames = await Promise.all(["red", "blue"].map((color) => sharp(pages(color)).png().toBuffer()));
  const moving = () => sharp(frames, { join: { animated: true } });
  await moving().gif().toFile(join(folder, "odd1.gif"));
  await moving().webp().toFile(join(folder, "odd2.webp"));
  await sharp(join(folder, "slide3.jpg")).avif({ effort: 0 }).toFile(join(folder, "odd3.avif"));
  await writeFile(join(folder, "odd4.heic"), Buffer.from("0000001c6674797068656963000000006d696631", "hex"));
  await writeFile(join(folder, "odd5.heic"), HEIC);
  await writeFile(join(folder, "bomb.png"), PNG_BOMB);
};

/** Fills the folder; takes about two seconds. */
export const makeMedia = async (folder: string): Promise<void> => {
  await mkdir(join(folder, "hls"), { recursive: true });
  await mkdir(join(folder, "dash"), { recursive: true });
  const encode = "-c:v libx264 -preset ultrafast -g 30 -pix_fmt yuv420p -c:a aac";
  await ffmpeg(folder, `${SOURCE} ${encode} -movflags +faststart talk.mp4`);
  await Promise.all([
    // Written as if to a pipe, so its header has no duration.
    ffmpeg(
      folder,
      "-i talk.mp4 -c:v libvpx -deadline realtime -cpu-used 8 -c:a libvorbis -live 1 nodur.webm"
    ),
    ffmpeg(
      folder,
      "-i talk.mp4 -c:v libvpx-vp9 -deadline realtime -cpu-used 8 -row-mt 1 -c:a libopus -ar 48000 vp9.webm"
    ),
    ffmpeg(folder, "-i talk.mp4 -an -c copy silent.mp4"),
    ffmpeg(folder, "-i talk.mp4 -vn -c copy talk.m4a"),
    ffmpeg(folder, `-i talk.mp4 -map 0:v ${hls("video")}`),
    ffmpeg(folder, `-i talk.mp4 -map 0:a ${hls("audio")}`),
    // Pictures are stored out of order: each segment has sound from before its first one.
    ffmpeg(folder, `-i talk.mp4 ${hls("both", "-c:a copy -c:v libx264 -preset ultrafast -bf 2 -g 30")}`),
    ffmpeg(folder, "-i talk.mp4 -c copy -f dash -seg_duration 2 dash/manifest.mpd"),
    ffmpeg(folder, "-i talk.mp4 -frames:v 1 thumb.webp"),
    ...[1, 2, 3, 4].map((number) =>
      ffmpeg(
        folder,
        `-f lavfi -i smptebars=size=400x300:rate=1 -vf hue=h=${number * 80} -frames:v 1 -q:v 4 slide${number}.jpg`
      )
    )
  ]);
  for (const seconds of [1.8, 2.2]) await writeNominalDash(folder, seconds);
  await makeOddSlides(folder);
  // Exif data with the make of a camera ("Secret"), which must not reach an artifact.
  const exif = Buffer.from(
    "45786966000049492a000800000001000f01020008000000260000000000000053656372657400",
    "hex"
  );
  const slide = await readFile(join(folder, "slide1.jpg"));
  const marker = Buffer.from([0xff, 0xe1, (exif.length + 2) >> 8, (exif.length + 2) & 0xff]);
  await writeFile(
    join(folder, "slide1.jpg"),
    Buffer.concat([slide.subarray(0, 2), marker, exif, slide.subarray(2)])
  );
  await copyFile(join(import.meta.dirname, "words.png"), join(folder, "words.png"));
  await writeFile(join(folder, "talk.en.vtt"), vtt(CAPTIONS.en));
  await writeFile(join(folder, "talk.de.srt"), srt(CAPTIONS.de));
  await writeFile(join(folder, "hls/master.m3u8"), MASTER);
  await writeHlsSubtitles(folder, "en");
  await writeHlsSubtitles(folder, "de");
  await copyFile(join(folder, "talk.en.vtt"), join(folder, "not-a-video.mp4"));
};
