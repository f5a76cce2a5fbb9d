/**
 * Entry point of a worker thread: a page with a ten-minute talk as HLS, with separate audio and subtitles, on
 * loopback, with a fixed delay per response. Its media are made by ffmpeg in the folder. A separate thread, so
 * that it never waits for what is measured. Sends its port when it is ready; answers any message with the number
 * of requests since the last.
 */
import { execFile } from "node:child_process";
import { createReadStream } from "node:fs";
import { mkdir, stat, writeFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { promisify } from "node:util";
import { parentPort, workerData } from "node:worker_threads";

const run = promisify(execFile);

const { folder, latencyMs } = workerData as { readonly folder: string; readonly latencyMs: number };

const TALK_SECONDS = 600;

/** Encoded once and repeated: the picture does not affect the times. */
const LOOP_SECONDS = 20;

const PIECE_SECONDS = 2;
const CAPTION_PIECE_SECONDS = 30;
const CUE_SECONDS = 5;

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".jpg": "image/jpeg",
  ".m3u8": "application/vnd.apple.mpegurl",
  ".ts": "video/mp2t",
  ".vtt": "text/vtt"
};

const MASTER = `#EXTM3U
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aud",NAME="English",LANGUAGE="en",DEFAULT=YES,URI="audio.m3u8"
#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="sub",NAME="English",LANGUAGE="en",DEFAULT=YES,URI="subs.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=2000000,RESOLUTION=640x360,CODECS="avc1.64001e,mp4a.40.2",AUDIO="aud",SUBTITLES="sub"
video.m3u8
`;

/** In JSON-LD, from which yt-dlp also reads the stream's subtitles and the thumbnail. */
const page = (origin: string): string =>
  `<!doctype html><title>A long talk</title><script type="application/ld+json">${JSON.stringify({
    "@context": "https://schema.org",
    "@type": "VideoObject",
    name: "A long talk",
    description: "Ten minutes of a test picture.",
    thumbnailUrl: `${origin}/thumb.jpg`,
    uploadDate: "2025-03-04T10:00:00Z",
    duration: "PT10M",
    contentUrl: `${origin}/master.m3u8`
  })}</script><div id="player"></div>`;

const ffmpeg = (options: string) =>
  run("ffmpeg", `-nostdin -v error -y ${options}`.split(" "), { cwd: folder });

const hls = (name: string, stream: string) =>
  ffmpeg(
    `-stream_loop ${TALK_SECONDS / LOOP_SECONDS - 1} -i loop.mp4 -map 0:${stream} -c copy -f hls ` +
      `-hls_time ${PIECE_SECONDS} -hls_playlist_type vod -hls_segment_filename ${name}_%d.ts ${name}.m3u8`
  );

const stamp = (seconds: number): string => new Date(seconds * 1_000).toISOString().slice(11, 23);

const captions = (fromSeconds: number): string => {
  const cues = Array.from({ length: CAPTION_PIECE_SECONDS / CUE_SECONDS }, (_, index) => {
    const at = fromSeconds + index * CUE_SECONDS;
    return `${stamp(at)} --> ${stamp(at + CUE_SECONDS)}\nSentence number ${at / CUE_SECONDS + 1} of the talk.\n`;
  });
  return `WEBVTT\n\n${cues.join("\n")}`;
};

const writeSubtitles = async (): Promise<void> => {
  const count = TALK_SECONDS / CAPTION_PIECE_SECONDS;
  const lines = Array.from(
    { length: count },
    (_, index) => `#EXTINF:${CAPTION_PIECE_SECONDS},\nsubs_${index}.vtt\n`
  );
  for (let index = 0; index < count; index++) {
    await writeFile(join(folder, `subs_${index}.vtt`), captions(index * CAPTION_PIECE_SECONDS));
  }
  await writeFile(
    join(folder, "subs.m3u8"),
    `#EXTM3U\n#EXT-X-TARGETDURATION:${CAPTION_PIECE_SECONDS}\n${lines.join("")}#EXT-X-ENDLIST\n`
  );
};

/** Some 140 MB; takes about 15 s. */
const makeTalk = async (): Promise<void> => {
  await mkdir(folder, { recursive: true });
  await ffmpeg(
    `-f lavfi -i testsrc2=size=640x360:rate=25:duration=${LOOP_SECONDS} ` +
      `-f lavfi -i sine=frequency=440:sample_rate=48000:duration=${LOOP_SECONDS} ` +
      "-vf noise=alls=20:allf=t -c:v libx264 -preset ultrafast -b:v 1750k -minrate 1750k -maxrate 1750k " +
      "-bufsize 1750k -g 50 -pix_fmt yuv420p -c:a aac -b:a 128k loop.mp4"
  );
  await hls("video", "v");
  await hls("audio", "a");
  await ffmpeg("-i loop.mp4 -frames:v 1 thumb.jpg");
  await writeSubtitles();
  await writeFile(join(folder, "master.m3u8"), MASTER);
};

const sendFile = async (response: ServerResponse, name: string): Promise<void> => {
  const file = join(folder, normalize(name));
  const size = await stat(file).then(
    (found) => found.size,
    () => null
  );
  if (size === null) return void response.writeHead(404).end();
  response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "", "content-length": size });
  createReadStream(file).pipe(response);
};

await makeTalk();

let requests = 0;
const server = createServer((request, response) => {
  requests += 1;
  const { origin, pathname } = new URL(request.url ?? "", `http://${request.headers.host}`);
  setTimeout(() => {
    if (pathname !== "/watch") return void sendFile(response, pathname);
    response.writeHead(200, { "content-type": TYPES[".html"] ?? "" }).end(page(origin));
  }, latencyMs);
});
server.listen(0, "127.0.0.1", () => parentPort?.postMessage((server.address() as AddressInfo).port));
parentPort?.on("message", () => {
  parentPort?.postMessage(requests);
  requests = 0;
});
