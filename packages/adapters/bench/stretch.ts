/**
 * A minute from the middle of an hour, as HLS and as one MP4 file, from a site that sends 4 MiB/s a connection: bytes and
 * time, our fetch of a range beside `yt-dlp --download-sections`. A round takes half a minute; 700 MB of disk.
 *
 *   node packages/adapters/bench/stretch.ts [rounds]
 */
import { execFile } from "node:child_process";
import { createReadStream, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { Downloader } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import { benchFolder, downloaderOf, ytDlp } from "./downloads.ts";
import { median, timed } from "./timing.ts";

const ROUNDS = Number(process.argv[2] ?? 3);

const SENT_BYTES_PER_SECOND = 4 * 2 ** 20;

const RANGE = { startSec: 1_800, endSec: 1_860 };

const run = promisify(execFile);

/** A minute, repeated: 0.8 Mbit/s, a key frame every two seconds, segments of six. */
const makeHour = async (folder: string): Promise<void> => {
  const ffmpeg = (options: string) =>
    run("ffmpeg", `-nostdin -v error -y ${options}`.split(" "), { cwd: folder });
  await mkdir(folder);
  await ffmpeg(
    "-f lavfi -i testsrc2=size=320x180:rate=25:duration=60 -f lavfi -i sine=duration=60 " +
      "-vf noise=alls=40:allf=t -c:v libx264 -preset ultrafast -b:v 700k -maxrate 700k -bufsize 700k -g 50 " +
      "-pix_fmt yuv420p -c:a aac -b:a 96k minute.mp4"
  );
  await ffmpeg("-stream_loop 59 -i minute.mp4 -c copy -movflags +faststart hour.mp4");
  await ffmpeg("-i hour.mp4 -c copy -f hls -hls_time 6 -hls_playlist_type vod hour.m3u8");
};

const TYPES = [
  [".m3u8", "application/vnd.apple.mpegurl"],
  [".mp4", "video/mp4"],
  [".ts", "video/mp2t"]
] as const;

/** Serves ranges, and counts the bytes that leave it. */
const startSite = Effect.fnUntraced(function* (folder: string) {
  let sentBytes = 0;
  const server = createServer((request, response) => {
    const path = (request.url ?? "").replace(/\?.*/u, "");
    const file = join(folder, path);
    const size = statSync(file, { throwIfNoEntry: false })?.size;
    if (size === undefined) return void response.writeHead(404).end();
    const [, from = "0", to = ""] = /^bytes=(\d+)-(\d*)$/u.exec(request.headers.range ?? "") ?? [];
    const [start, end] = [Number(from), to === "" ? size - 1 : Math.min(Number(to), size - 1)];
    response.writeHead(request.headers.range === undefined ? 200 : 206, {
      "content-type": TYPES.find(([ending]) => path.endsWith(ending))?.[1] ?? "",
      "content-length": end - start + 1,
      "accept-ranges": "bytes",
      "content-range": `bytes ${start}-${end}/${size}`
    });
    void (async () => {
      for await (const chunk of createReadStream(file, { start, end })) {
        if (response.destroyed) return;
        sentBytes += chunk.length;
        response.write(chunk);
        await sleep((1_000 * chunk.length) / SENT_BYTES_PER_SECOND);
      }
      response.end();
    })();
  });
  yield* Effect.acquireRelease(
    Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))),
    () => Effect.sync(() => (server.closeAllConnections(), server.close()))
  );
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, sent: () => [sentBytes, (sentBytes = 0)][0] ?? 0 };
});

const fetchStretch = (url: string) =>
  Downloader.use((downloader) =>
    Effect.scoped(
      downloader.fetch({ url, range: RANGE, maxDurationSeconds: 3_660, wantsOf: () => ["video"] })
    )
  );

const program = Effect.gen(function* () {
  const folder = yield* benchFolder;
  const media = join(folder, "media");
  yield* Effect.promise(() => makeHour(media));
  const site = yield* startSite(media);
  const section = `*${RANGE.startSec}-${RANGE.endSec}`;
  const found = new Map<string, Array<readonly [ms: number, bytes: number]>>();
  yield* Effect.gen(function* () {
    for (let round = 0; round <= ROUNDS; round++) {
      for (const name of ["hour.m3u8", "hour.mp4"]) {
        const url = `${site.url}/${name}?${round}`;
        const file = `${round}.${name}.%(ext)s`;
        for (const [who, work] of [
          ["ours", Effect.asVoid(fetchStretch(url))],
          ["yt-dlp", Effect.asVoid(ytDlp(["--download-sections", section, "-o", file, url], folder))]
        ] as const) {
          site.sent();
          const tookMs = yield* timed(work);
          const seen = [tookMs, site.sent()] as const;
          // The first round starts programs.
          if (round > 0) found.set(`${name} ${who}`, [...(found.get(`${name} ${who}`) ?? []), seen]);
        }
      }
    }
  }).pipe(Effect.provide(downloaderOf(site.url, folder)));
  for (const [name, rounds] of found) {
    const [ms, bytes] = [median(rounds.map(([each]) => each)), median(rounds.map(([, each]) => each))];
    console.log(`${name}: ${(ms / 1_000).toFixed(2)} s, ${(bytes / 2 ** 20).toFixed(1)} MiB`);
  }
});

await Effect.runPromise(Effect.scoped(program));
