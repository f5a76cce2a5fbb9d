// @module-tag long
/** Sources of a public site with parts at internal addresses: these are never requested, by any program. */
import * as GuardedEgress from "@winnow/isolation/network/GuardedEgress";
import { inRun } from "@winnow/testing/samples/samples";
import { assert, layer } from "@effect/vitest";
import { Downloader } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Logger from "effect/Logger";
import * as DownloaderLayer from "../../src/sources/DownloaderLayer.ts";
import { redirectTo, routes, serve } from "@winnow/isolation/test/network/LoopbackServer";
import { openPlaces } from "@winnow/isolation/test/network/Places";
import { sharedPools, temporaryFolder } from "./harness.ts";

/** Time limit of an inspection here: longer than it takes on a busy machine. */
const limits = { inspectTimeoutMs: 100_000 };

const folder = temporaryFolder();

const TEXT =
  "<p>A paragraph that is long enough to be read as the text of this page, again and again. </p>".repeat(8);

const send =
  (type: string, body: string): Parameters<typeof serve>[0] =>
  (_request, response) =>
    response.setHeader("content-type", type).end(body);

const page = (head: string, body = "") =>
  send(
    "text/html",
    `<!doctype html><html lang="en"><head><title>A page</title>${head}</head><body><article><h1>A page</h1>${TEXT}${body}</article></body></html>`
  );

const HLS = "application/vnd.apple.mpegurl";
const playlist = (...lines: ReadonlyArray<string>) =>
  send(
    HLS,
    [
      "#EXTM3U",
      "#EXT-X-VERSION:3",
      "#EXT-X-TARGETDURATION:2",
      "#EXT-X-MEDIA-SEQUENCE:0",
      ...lines,
      "#EXT-X-ENDLIST",
      ""
    ].join("\n")
  );

const dash = (base: string) =>
  send(
    "application/dash+xml",
    `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT4S" minBufferTime="PT2S" profiles="urn:mpeg:dash:profile:isoff-on-demand:2011"><Period><AdaptationSet mimeType="video/mp4" codecs="avc1.42c00d"><Representation id="v" bandwidth="100000" width="64" height="64"><BaseURL>${base}</BaseURL><SegmentTemplate media="seg$Number$.m4s" initialization="init.mp4" duration="2" startNumber="1"/></Representation></AdaptationSet></Period></MPD>`
  );

/** Each source, named by its internal part. */
const sources = (inside: string): Readonly<Record<string, Parameters<typeof serve>[0]>> => ({
  "/redirect": redirectTo(`${inside}/page`),
  "/redirect.mp4": redirectTo(`${inside}/video.mp4`),
  "/refresh": page(`<meta http-equiv="refresh" content="0; url=${inside}/page">`),
  "/thumbnail": page(`<meta property="og:image" content="${inside}/thumb.jpg">`),
  "/thumbnail-redirect": page(`<meta property="og:image" content="/redirect.jpg">`),
  "/redirect.jpg": redirectTo(`${inside}/thumb.jpg`),
  "/video": page(
    `<meta property="og:video" content="${inside}/video.mp4"><meta property="og:type" content="video.other">`
  ),
  "/player": page(
    "",
    `<video src="${inside}/video.mp4"><track src="${inside}/en.vtt" srclang="en" kind="subtitles"></video>`
  ),
  "/frame": page("", `<iframe src="${inside}/embed" width="640" height="360"></iframe>`),
  "/master.m3u8": send(
    HLS,
    `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=100000,RESOLUTION=64x64,CODECS="avc1.42c00d,mp4a.40.2"\n${inside}/variant.m3u8\n`
  ),
  "/segments.m3u8": playlist("#EXTINF:2.0,", `${inside}/one.ts`),
  "/key.m3u8": playlist(`#EXT-X-KEY:METHOD=AES-128,URI="${inside}/key"`, "#EXTINF:2.0,", "one.ts"),
  "/map.m3u8": playlist(`#EXT-X-MAP:URI="${inside}/init.mp4"`, "#EXTINF:2.0,", "one.m4s"),
  "/segment-redirect.m3u8": playlist("#EXTINF:2.0,", "/redirect.ts"),
  "/redirect.ts": redirectTo(`${inside}/one.ts`),
  "/stream.mpd": dash(`${inside}/dash/`),
  "/one.ts": send("video/mp2t", "G".repeat(188 * 20)),
  "/one.m4s": send("video/iso.segment", "x".repeat(1_000))
});

/** Parts that are not requested at all: a frame next to an article. */
const UNASKED: ReadonlySet<string> = new Set(["/frame"]);

/** Sources that are useless without their internal part. */
const FAIL: ReadonlySet<string> = new Set([
  "/redirect",
  "/redirect.mp4",
  "/refresh",
  "/master.m3u8",
  "/segments.m3u8",
  "/segment-redirect.m3u8",
  "/stream.mpd"
]);

const PATHS = [
  "/redirect",
  "/redirect.mp4",
  "/refresh",
  "/thumbnail",
  "/thumbnail-redirect",
  "/video",
  "/player",
  "/frame",
  "/master.m3u8",
  "/segments.m3u8",
  "/key.m3u8",
  "/map.m3u8",
  "/segment-redirect.m3u8",
  "/stream.mpd"
];

const places = await openPlaces(PATHS.length);

const lines: Array<string> = [];
const logger = Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))]);

/** Shared by all tests, because yt-dlp takes a second to start. */
const downloader = DownloaderLayer.layer({ workDir: folder, limits }).pipe(
  Layer.provide([Layer.fresh(GuardedEgress.layer({ allow: places.authorities })), sharedPools]),
  Layer.orDie,
  Layer.provide(logger),
  inRun
);

layer(downloader, { excludeTestServices: true })(
  "what lies inside is out of reach of the downloader",
  (it) => {
    it.effect.each(PATHS)("behind %s", (path) =>
      Effect.gen(function* () {
        const inside = yield* serve(send("text/html", "secret"));
        const { site, answer } = places.next();
        answer(routes(sources(inside.url)));
        lines.length = 0;
        const outcome = yield* Downloader.use((downloader) =>
          downloader.fetch({
            url: `${site.url}${path}`,
            maxDurationSeconds: 3_600,
            wantsOf: () => ["video", "audio", "transcript", "comments"]
          })
        ).pipe(Effect.scoped, Effect.result);
        assert.strictEqual(inside.connections(), 0);
        if (!UNASKED.has(path)) assert.include(lines, "Outgoing connection refused");
        const told = JSON.stringify(
          outcome._tag === "Failure" ? { ...outcome.failure } : { warnings: outcome.success.warnings }
        );
        assert.notInclude(told, String(inside.port));
        if (FAIL.has(path)) {
          assert.strictEqual(
            outcome._tag === "Failure" ? outcome.failure.reason : "fetched",
            "blocked_address"
          );
        }
      })
    );
  }
);
