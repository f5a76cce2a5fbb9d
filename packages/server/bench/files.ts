/**
 * Download of a 200 MB artifact from the real server, against nginx with sendfile on the same file.
 * Needs ffmpeg, curl and nginx. Budget: 1.1x.
 *
 *   node packages/server/bench/files.ts
 */
import { execFileSync, spawn } from "node:child_process";
import {
  createReadStream,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as Effect from "effect/Effect";
import { firstKey, serverProcess } from "../test/ServerProcess.ts";

const SIZE_MB = 200;
const ROUNDS = 15;
const NGINX_PORT = 18_081;

const folder = mkdtempSync(join(tmpdir(), "winnow-bench-"));

/** Noise does not compress, so the file has this many bits per second. */
const makeVideo = (): string => {
  const file = join(folder, "noise.mp4");
  const noise = ["-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", "1280x720", "-r", "25", "-i", "/dev/urandom"];
  const rate = `${(SIZE_MB * 8) / 10}M`;
  const encode = [
    "-t",
    "10",
    "-c:v",
    "libx264",
    "-preset",
    "ultrafast",
    "-b:v",
    rate,
    "-minrate",
    rate,
    "-bufsize",
    rate
  ];
  execFileSync("ffmpeg", ["-v", "error", ...noise, ...encode, "-maxrate", rate, "-y", file]);
  return file;
};

const startSite = async (video: string): Promise<{ readonly host: string; readonly close: () => void }> => {
  const page = `<title>Noise</title><meta property="og:type" content="video.other"><video src="/noise.mp4"></video>`;
  const server = createServer((request, response) => {
    if (request.url !== "/noise.mp4") return void response.setHeader("content-type", "text/html").end(page);
    response.writeHead(200, { "content-type": "video/mp4", "content-length": statSync(video).size });
    createReadStream(video).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => void server.close().closeAllConnections()
  };
};

const startNginx = async (root: string): Promise<() => void> => {
  const prefix = join(folder, "nginx");
  mkdirSync(prefix);
  writeFileSync(
    join(prefix, "nginx.conf"),
    `daemon off; user root; worker_processes 1; pid ${prefix}/pid; error_log ${prefix}/error.log;
     events {} http { access_log off; sendfile on; tcp_nopush on;
     client_body_temp_path ${prefix}/b; proxy_temp_path ${prefix}/p; fastcgi_temp_path ${prefix}/f;
     uwsgi_temp_path ${prefix}/u; scgi_temp_path ${prefix}/s;
     server { listen 127.0.0.1:${NGINX_PORT}; root ${root}; } }`
  );
  const child = spawn("nginx", ["-p", prefix, "-c", join(prefix, "nginx.conf")], { stdio: "inherit" });
  await sleep(500);
  return () => void child.kill("SIGTERM");
};

const download = (url: string, key: string): number => {
  const format = "%{http_code} %{size_download} %{time_total}";
  const out = execFileSync("curl", ["-s", "-o", "/dev/null", "-w", format, "-H", `x-api-key: ${key}`, url], {
    encoding: "utf8"
  });
  const [status, size, seconds] = out.split(" ");
  if (status !== "200" || Number(size) < SIZE_MB * 900_000) throw new Error(`unexpected answer: ${out}`);
  return Number(seconds);
};

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** The id of the finished extraction. */
const extract = async (url: string, key: string, page: string): Promise<string> => {
  const headers = { "x-api-key": key, "content-type": "application/json" };
  const body = JSON.stringify({ url: page, parts: ["video"] });
  const submitted = await fetch(`${url}/v1/extractions`, { method: "POST", headers, body });
  const { id } = (await submitted.json()) as { id: string };
  for (;;) {
    const result = await fetch(`${url}/v1/extractions/${id}/result`, { headers });
    if (result.status === 200) return id;
    await sleep(1_100);
  }
};

const fileNamed = (root: string, name: string): string => {
  const path = readdirSync(root, { recursive: true, encoding: "utf8" }).find(
    (entry) => basename(entry) === name
  );
  if (path === undefined) throw new Error(`no ${name} under ${root}`);
  return join(root, path);
};

const measure = Effect.gen(function* () {
  const video = makeVideo();
  const site = yield* Effect.promise(() => startSite(video));
  const env = { WINNOW_DATA_DIR: join(folder, "data"), WINNOW_PORT: "0", WINNOW_EGRESS_ALLOW: site.host };
  const server = yield* serverProcess(env);
  const key = firstKey(env.WINNOW_DATA_DIR);
  const id = yield* Effect.promise(() => extract(server.url, key, `http://${site.host}/`));
  const file = fileNamed(join(folder, "data", "artifacts"), "video.mp4");
  const stopNginx = yield* Effect.promise(() => startNginx(dirname(file)));
  const ours: Array<number> = [];
  const nginx: Array<number> = [];
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(download(`${server.url}/v1/extractions/${id}/files/video.mp4`, key));
    nginx.push(download(`http://127.0.0.1:${NGINX_PORT}/video.mp4`, key));
  }
  stopNginx();
  site.close();
  yield* Effect.promise(() => server.kill("SIGTERM"));
  const milliseconds = (seconds: number) => `${Math.round(seconds * 1_000)} ms`;
  console.log(`${(statSync(file).size / 1e6).toFixed(1)} MB, median of ${ROUNDS}, interleaved`);
  console.log(`winnow ${milliseconds(median(ours))}   nginx sendfile ${milliseconds(median(nginx))}`);
  console.log(`ratio ${(median(ours) / median(nginx)).toFixed(2)} (budget 1.1)`);
}).pipe(Effect.scoped);

await Effect.runPromise(measure).finally(() => rmSync(folder, { recursive: true, force: true }));
