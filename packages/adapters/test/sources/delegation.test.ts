// @module-tag smoke: the command of yt-dlp starts anew for each case
/**
 * Streams that yt-dlp would pass to ffmpeg with network access: no program is started for them, and nothing
 * internal is reached, even if the second response differs from the first.
 */
import * as GuardedEgress from "@winnow/isolation/network/GuardedEgress";
import { inRun } from "@winnow/testing/samples/samples";
import type { IncomingMessage, RequestListener } from "node:http";
import { join } from "node:path";
import { assert, layer, type Vitest } from "@effect/vitest";
import { Downloader } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as DownloaderLayer from "../../src/sources/DownloaderLayer.ts";
import { routes, serve } from "@winnow/isolation/test/network/LoopbackServer";
import { openPlaces } from "@winnow/isolation/test/network/Places";
import { PLUGINS, sharedPools, temporaryFolder } from "./harness.ts";

const folder = temporaryFolder();

/** Whether Winnow's own reader sent the request, and not yt-dlp or a program that yt-dlp starts. */
const isOurs = ({ headers }: IncomingMessage): boolean => /Winnow/u.test(headers["user-agent"] ?? "");

/** Only ffmpeg's HTTP client sends this header. */
const isFfmpeg = ({ headers }: IncomingMessage): boolean => headers["icy-metadata"] !== undefined;

const playlist = (...lines: ReadonlyArray<string>): string =>
  ["#EXTM3U", "#EXT-X-TARGETDURATION:2", ...lines, "#EXTINF:2.0,", "one.ts", "#EXT-X-ENDLIST", ""].join("\n");

/** Opens a plain connection to `port` in ffmpeg's DASH demuxer, and sends `SET`. */
const attack = (port: number): string =>
  `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT4S" minBufferTime="PT2S" profiles="urn:mpeg:dash:profile:isoff-on-demand:2011"><Period><AdaptationSet mimeType="video/mp4"><Representation id="v" bandwidth="1000"><BaseURL>httpproxy://127.0.0.1:${port}/x&#13;&#10;SET pwned yes&#13;&#10;</BaseURL><SegmentTemplate media="s$Number$.m4s" initialization="i.mp4" duration="2" startNumber="1"/></Representation></AdaptationSet></Period></MPD>`;

const text =
  (body: (request: IncomingMessage) => string): RequestListener =>
  (request, response) =>
    response.setHeader("content-type", "application/vnd.apple.mpegurl").end(body(request));

/** `odd` for downloaders, a clean playlist for Winnow's inspection, and the attack for ffmpeg. */
const turning = (odd: string, port: number): RequestListener =>
  text((request) => (isFfmpeg(request) ? attack(port) : isOurs(request) ? playlist() : odd));

const MASTER = `#EXTM3U
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",LANGUAGE="en",DEFAULT=YES,URI="audio.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=200000,RESOLUTION=160x120,CODECS="avc1.42c00b,mp4a.40.2",AUDIO="a"
video.m3u8
`;

const KEYS: ReadonlyArray<readonly [key: string, reason: string]> = [
  ['METHOD=SAMPLE-AES,URI="key"', "drm"],
  ['METHOD=AES-256,URI="key"', "not_extractable"],
  ['URI="key",METHOD=SAMPLE-AES-CTR', "drm"],
  ['METHOD=AES-128,URI="skd://a",KEYFORMAT="com.apple.streamingkeydelivery"', "drm"],
  ['METHOD=SAMPLE-AES-CTR,URI="data:,x",KEYFORMAT="urn:uuid:edef8ba9-79d6-4ace-a3c8-27dcd51d21ed"', "drm"]
];

const PROTOCOLS = ["m3u8", "rtmp", "rtmp_ffmpeg", "rtsp", "websocket_frag", "fc2_live", "http"];

const places = await openPlaces(2 * (1 + PROTOCOLS.length) + KEYS.length);

/** Shared by all tests, because yt-dlp takes a second to start. */
const downloader = (name: string, forkServer: boolean) =>
  DownloaderLayer.layer({
    workDir: join(folder, name),
    limits: { inspectTimeoutMs: 100_000 },
    ytDlpArgs: ["--plugin-dirs", PLUGINS],
    forkServer
  }).pipe(
    Layer.provide([Layer.fresh(GuardedEgress.layer({ allow: places.authorities })), sharedPools]),
    Layer.orDie,
    inRun
  );

const fetch = (url: string) =>
  Downloader.use((downloader) =>
    downloader.fetch({
      url,
      maxDurationSeconds: 3_600,
      wantsOf: () => ["video", "audio"]
    })
  ).pipe(Effect.scoped, Effect.flip);

/** Streams whose keys nobody here can use. */
const keyTests = (it: Vitest.MethodsNonLive<Downloader>): void => {
  it.effect.each(KEYS)("a stream with the key %s ends with %s before a byte of media", ([key, reason]) =>
    Effect.gen(function* () {
      const { site, answer } = places.next();
      answer(
        routes({
          "/master.m3u8": text(() => MASTER),
          "/video.m3u8": text(() => playlist()),
          "/audio.m3u8": text(() => playlist(`#EXT-X-KEY:${key}`))
        })
      );
      const failure = yield* fetch(`${site.url}/master.m3u8`);
      assert.strictEqual(failure.reason, reason);
      assert.deepStrictEqual(
        site.requests.filter(({ url }) => url?.endsWith(".ts") === true || url?.endsWith("key") === true),
        []
      );
    })
  );
};

for (const forkServer of [true, false]) {
  const way = forkServer ? "in the fork server" : "as a command";
  layer(downloader(way.replaceAll(" ", "-"), forkServer), { excludeTestServices: true })(
    `yt-dlp ${way}`,
    (it) => {
      if (forkServer) keyTests(it);

      it.effect("hands no stream to ffmpeg that turns out odd only when it is downloaded", () =>
        Effect.gen(function* () {
          const inside = yield* serve((_request, response) => response.end());
          const { site, answer } = places.next();
          answer(
            routes({ "/turning.m3u8": turning(playlist('#EXT-X-KEY:METHOD=AES-256,URI="k"'), inside.port) })
          );
          const failure = yield* fetch(`${site.url}/turning.m3u8`);
          assert.strictEqual(inside.connections(), 0);
          assert.deepStrictEqual(site.requests.filter(isFfmpeg), []);
          assert.isTrue(
            site.requests.some((request) => !isOurs(request)),
            "yt-dlp has asked"
          );
          assert.strictEqual(failure.reason, "not_extractable");
        })
      );

      it.effect.each(forkServer ? PROTOCOLS : PROTOCOLS.slice(0, 1))(
        "starts no other program for what an extractor calls %s",
        (protocol) =>
          Effect.gen(function* () {
            const inside = yield* serve((_request, response) => response.end());
            const odd = playlist('#EXT-X-KEY:METHOD=AES-256,URI="k"');
            const media = "/turning.m3u8";
            const info = { title: "t", duration: 4, ext: "mp4", url: media, protocol };
            const clip = protocol === "http" ? { section_start: 1, section_end: 2 } : {};
            const { site, answer } = places.next();
            answer((request, response) =>
              request.url?.startsWith("/fx/") === true
                ? response
                    .setHeader("content-type", "application/json")
                    .end(
                      JSON.stringify({ info: { ...info, ...clip, url: `http://${site.authority}${media}` } })
                    )
                : turning(odd, inside.port)(request, response)
            );
            const failure = yield* fetch(`${site.url}/fx/stream`);
            assert.strictEqual(inside.connections(), 0);
            assert.deepStrictEqual(site.requests.filter(isFfmpeg), []);
            assert.isTrue(
              site.requests.some((request) => !isOurs(request)),
              "yt-dlp has asked"
            );
            assert.strictEqual(failure.reason, "not_extractable");
          })
      );
    }
  );
}
