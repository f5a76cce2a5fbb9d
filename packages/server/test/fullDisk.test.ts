// @module-tag faults: fills a disk, and starts servers of its own on it
/** The real program on a full disk: a small file system in a mount namespace that is removed with it. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Schedule from "effect/Schedule";
import { makeCall } from "./ApiCall.ts";
import { canMount, onOwnDisk } from "./OwnDisk.ts";
import { valueOf } from "./PrometheusText.ts";
import { serverProcess, type ServerProcess } from "./ServerProcess.ts";
import { newDatabase } from "./SharedPostgres.ts";
import { temporaryFolder } from "./TemporaryFolder.ts";
import { winnow } from "./WinnowProgram.ts";

const ADMIN_TOKEN = "admin-of-full-disks";
const DISK_MB = 24;
/** Size of the source's video, which is more than the disk holds. */
const LARGE_BYTES = 40 * 2 ** 20;
const MIN_FREE_BYTES = 8 * 2 ** 20;

/** A valid video, padded with a `free` atom, which players skip. */
const largeVideo = (folder: string, paddingBytes: number): Buffer => {
  const file = join(folder, "talk.mp4");
  const sources = ["-f", "lavfi", "-i", "testsrc2=s=160x90:d=2", "-f", "lavfi", "-i", "sine=d=2"];
  execFileSync("ffmpeg", [
    "-v",
    "error",
    ...sources,
    "-c:v",
    "libx264",
    "-movflags",
    "+faststart",
    "-y",
    file
  ]);
  const padding = Buffer.alloc(paddingBytes);
  padding.writeUInt32BE(paddingBytes, 0);
  padding.write("free", 4, "latin1");
  return Buffer.concat([readFileSync(file), padding]);
};

const PAGE = (name: string) => `<!doctype html><html lang="en"><head><title>A talk</title>
<meta property="og:type" content="video.other"></head><body><video src="/${name}.mp4" controls></video></body></html>`;

const site = (folder: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const videos: Record<string, Buffer> = {
        "/large.mp4": largeVideo(folder, LARGE_BYTES),
        "/small.mp4": largeVideo(folder, 8)
      };
      const server = createServer((request, response) => {
        const video = videos[request.url ?? ""];
        if (video === undefined) {
          return void response
            .writeHead(200, { "content-type": "text/html" })
            .end(PAGE((request.url ?? "/").slice(1)));
        }
        response.writeHead(200, { "content-type": "video/mp4", "content-length": video.length });
        response.end(request.method === "HEAD" ? undefined : video);
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      return server;
    }),
    (server) =>
      Effect.promise(() => {
        server.closeAllConnections();
        return new Promise((resolve) => server.close(resolve));
      })
  ).pipe(Effect.map((server) => `127.0.0.1:${(server.address() as AddressInfo).port}`));

/** The server, with its data folder on a small disk and its artifacts elsewhere. */
const serverOnSmallDisk = Effect.fnUntraced(function* (minFreeBytes: number) {
  const folder = yield* temporaryFolder("full-disk");
  const host = yield* site(folder);
  const dataDir = join(folder, "data");
  mkdirSync(dataDir);
  const env = {
    WINNOW_DATA_DIR: dataDir,
    WINNOW_PORT: "0",
    WINNOW_DATABASE_URL: yield* newDatabase,
    WINNOW_ARTIFACTS_URL: `file://${folder}/artifacts`,
    WINNOW_ADMIN_TOKEN: ADMIN_TOKEN,
    WINNOW_EGRESS_ALLOW: host,
    WINNOW_MIN_FREE_BYTES: String(minFreeBytes)
  };
  const server = yield* serverProcess(env, ["serve"], onOwnDisk(dataDir, `size=${DISK_MB}m`));
  const key = yield* openAccount(server.url);
  return { server, env, key, host, onDisk: join(`/proc/${server.pid}/root`, dataDir) };
});

const openAccount = Effect.fnUntraced(function* (url: string) {
  const call = makeCall(url);
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
  const { json: account } = yield* call("/admin/v1/accounts", { headers, body: { name: "x" } });
  yield* call(`/admin/v1/accounts/${account.id}/top-ups`, { headers, body: { credits: 10_000 } });
  const { json } = yield* call(`/admin/v1/accounts/${account.id}/api-keys`, { headers, body: { name: "x" } });
  return json.key as string;
});

const linesAt = (server: ServerProcess, level: string, extractionId: string): ReadonlyArray<any> =>
  server
    .stderr()
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line))
    .filter((line) => line.level === level && line.annotations.extractionId === extractionId);

const resultOf = (server: ServerProcess, key: string, id: string) =>
  makeCall(server.url)(`/v1/extractions/${id}/result`, { key }).pipe(
    Effect.repeat({
      schedule: Schedule.spaced("1100 millis"),
      until: ({ json }) => json.status === "complete" || json.status === "failed"
    }),
    Effect.timeout("8 minutes"),
    Effect.map(({ json }) => json)
  );

/** Takes half a minute on an idle machine; only a hang takes this long. */
const TEST_MS = 20 * 60_000;

describe.skipIf(!canMount())("a disk that is full", () => {
  it.live(
    "under a run is named in its failure and in one line of the log with its id, and refunded",
    () =>
      Effect.gen(function* () {
        const { server, key, host } = yield* serverOnSmallDisk(0);
        const call = makeCall(server.url);
        const body = { url: `http://${host}/large`, parts: ["video"] };
        const { json: run } = yield* call("/v1/extractions", { key, body });
        const failed = yield* resultOf(server, key, run.id);
        assert.strictEqual(failed.status, "failed", server.stderr());
        assert.strictEqual(failed.error, "The files could not be stored: the server's disk is full.");
        assert.strictEqual(failed.failure.reason, "internal");
        assert.match(failed.failure.hint, /free disk space/u);
        const { json: state } = yield* call(`/v1/extractions/${run.id}`, { key });
        assert.strictEqual(state.creditsRefunded, state.creditsDebited);
        const errors = linesAt(server, "ERROR", run.id);
        assert.lengthOf(errors, 1, server.stderr());
        assert.match(JSON.stringify(errors), /disk of the working folders is full/u);
        // The end of the run has freed the disk, so the next one completes.
        const { json: next } = yield* call("/v1/extractions", { key, body: { url: `http://${host}/small` } });
        assert.strictEqual((yield* resultOf(server, key, next.id)).status, "complete");
      }).pipe(Effect.scoped),
    TEST_MS
  );

  it.live(
    "makes runs wait for space, and is reported by readyz, metrics and doctor",
    () =>
      Effect.gen(function* () {
        const { server, env, key, host, onDisk } = yield* serverOnSmallDisk(MIN_FREE_BYTES);
        const call = makeCall(server.url);
        const filler = join(onDisk, "filler");
        writeFileSync(filler, Buffer.alloc((DISK_MB - 4) * 2 ** 20));
        const notReady = yield* call("/readyz").pipe(
          Effect.repeat({
            schedule: Schedule.spaced("200 millis"),
            until: ({ json }) => /runs wait/u.test(json.error?.message)
          }),
          Effect.timeout("5 minutes")
        );
        assert.match(notReady.json.error.message, /WINNOW_DATA_DIR.*WINNOW_MIN_FREE_BYTES/u);
        const { text } = yield* call("/metrics");
        assert.isBelow(valueOf(text, "winnow_disk_free_bytes", { place: "data" }), MIN_FREE_BYTES);
        const doctor = yield* winnow(["doctor"], { ...env, WINNOW_DATA_DIR: onDisk });
        assert.match(doctor.stdout, /disk.*less than WINNOW_MIN_FREE_BYTES/u);
        const { json: run } = yield* call("/v1/extractions", { key, body: { url: `http://${host}/small` } });
        yield* Effect.sync(() => linesAt(server, "ERROR", run.id)).pipe(
          Effect.repeat({ schedule: Schedule.spaced("200 millis"), until: (lines) => lines.length === 1 }),
          Effect.timeout("5 minutes")
        );
        const { json: waiting } = yield* call(`/v1/extractions/${run.id}`, { key });
        assert.strictEqual(waiting.status, "pending");
        rmSync(filler);
        assert.strictEqual((yield* resultOf(server, key, run.id)).status, "complete");
        assert.lengthOf(linesAt(server, "ERROR", run.id), 1);
      }).pipe(Effect.scoped),
    TEST_MS
  );
});
