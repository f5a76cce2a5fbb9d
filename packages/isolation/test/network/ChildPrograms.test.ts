// @module-tag long
/** Real programs behind the proxy, with loopback sites of which only one is allowed; the downloaders are tested where they are run. */
import { execFile, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { programEnvironment } from "../../src/process/ProgramEnvironment.ts";
import { Egress, type EgressProxy } from "../../src/network/index.ts";
import { redirectTo, routes, serve, type LoopbackServer } from "./LoopbackServer.ts";
import { quietEgress } from "./QuietEgress.ts";

const isOnPath = (program: string) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;
const hasFfmpeg = isOnPath("ffmpeg");

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "winnow-child-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
);

interface Outcome {
  readonly code: number;
  readonly output: string;
}

const run = (program: string, args: ReadonlyArray<string>, home: string, proxyUrl: string) =>
  Effect.promise(
    () =>
      new Promise<Outcome>((resolve) => {
        const env = programEnvironment({ proxyUrl, folder: home, path: process.env["PATH"] ?? "" });
        execFile(program, args, { cwd: home, env, timeout: 50_000 }, (error, stdout, stderr) =>
          resolve({ code: error === null ? 0 : Number(error.code ?? -1), output: stdout + stderr })
        );
      })
  );

/** Two seconds of picture and tone as MPEG-TS. */
const makeClip = (home: string): Buffer => {
  const target = join(home, "clip.ts");
  const source = ["-f", "lavfi", "-i", "testsrc=d=2:s=64x64:r=5", "-f", "lavfi", "-i", "sine=d=2"];
  spawnSync("ffmpeg", [
    "-v",
    "error",
    ...source,
    "-c:v",
    "mpeg2video",
    "-c:a",
    "mp2",
    "-f",
    "mpegts",
    target
  ]);
  return readFileSync(target);
};

const playlist = (...segments: ReadonlyArray<string>) =>
  ["#EXTM3U", "#EXT-X-VERSION:3", "#EXT-X-TARGETDURATION:2", "#EXT-X-MEDIA-SEQUENCE:0"]
    .concat(segments.flatMap((url) => ["#EXTINF:2.0,", url]))
    .concat("#EXT-X-ENDLIST", "")
    .join("\n");

interface Scene {
  readonly home: string;
  readonly site: LoopbackServer;
  readonly internal: LoopbackServer;
  readonly proxy: EgressProxy;
}

/** An allowed site with media, redirects and playlists, and an internal site that must not be reached. */
const scene = <A, E>(body: (scene: Scene) => Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const home = yield* folder;
    const clip = hasFfmpeg ? makeClip(home) : Buffer.from("clip");
    const internal = yield* serve((_request, response) =>
      response.setHeader("content-type", "video/mp2t").end(clip)
    );
    const sendList =
      (...segments: ReadonlyArray<string>): Parameters<typeof serve>[0] =>
      (_request, response) =>
        response.setHeader("content-type", "application/vnd.apple.mpegurl").end(playlist(...segments));
    const site = yield* serve(
      routes({
        "/clip.ts": (_request, response) => response.setHeader("content-type", "video/mp2t").end(clip),
        "/photo.jpg": (_request, response) =>
          response.setHeader("content-type", "image/jpeg").end("\xff\xd8photo"),
        "/inside.ts": redirectTo(`${internal.url}/clip.ts`),
        "/inside.jpg": redirectTo(`${internal.url}/photo.jpg`),
        "/good.m3u8": sendList("clip.ts", "clip.ts?2"),
        "/bad.m3u8": sendList(`${internal.url}/clip.ts`)
      })
    );
    return yield* Effect.gen(function* () {
      const egress = yield* Egress;
      const proxy = yield* egress.openProxy({ budgetBytes: 50_000_000 });
      return yield* body({ home, site, internal, proxy });
    }).pipe(Effect.scoped, Effect.provide(quietEgress({ allow: [site.authority] })));
  });

/** The internal site was requested through the proxy, denied, and never reached. */
const assertDenied = ({ internal, proxy }: Scene) =>
  Effect.gen(function* () {
    assert.strictEqual(internal.connections(), 0);
    const denials = yield* proxy.denials;
    assert.isNotEmpty(denials);
    for (const { host, port } of denials) assert.deepStrictEqual([host, port], ["127.0.0.1", internal.port]);
  });

describe.skipIf(!isOnPath("curl"))("curl", () => {
  it.live("goes through the proxy, and cannot bypass it by the server's NO_PROXY", () =>
    scene((at) =>
      Effect.gen(function* () {
        process.env["NO_PROXY"] = process.env["no_proxy"] = "*";
        yield* Effect.addFinalizer(() =>
          Effect.sync(() => {
            delete process.env["NO_PROXY"];
            delete process.env["no_proxy"];
          })
        );
        const curl = (...args: ReadonlyArray<string>) =>
          run("curl", ["-sSf", ...args], at.home, at.proxy.url);
        assert.strictEqual((yield* curl("-o", "photo", `${at.site.url}/photo.jpg`)).code, 0);
        assert.notStrictEqual((yield* curl("-L", `${at.site.url}/inside.jpg`)).code, 0);
        yield* assertDenied(at);
      }).pipe(Effect.scoped)
    )
  );
});

describe.skipIf(!hasFfmpeg)("ffmpeg", () => {
  const ffmpeg = (at: Scene, url: string) =>
    run("ffmpeg", ["-v", "error", "-y", "-i", url, "-c", "copy", "out.mkv"], at.home, at.proxy.url);

  it.live("reads a playlist of the open site", () =>
    scene((at) =>
      Effect.gen(function* () {
        const { code, output } = yield* ffmpeg(at, `${at.site.url}/good.m3u8`);
        assert.strictEqual(code, 0, output);
        assert.isTrue(existsSync(join(at.home, "out.mkv")));
      })
    )
  );

  it.live.each(["/inside.ts", "/bad.m3u8"])("is stopped from reaching internal addresses by %s", (path) =>
    scene((at) =>
      Effect.gen(function* () {
        yield* ffmpeg(at, at.site.url + path);
        yield* assertDenied(at);
      })
    )
  );
});
