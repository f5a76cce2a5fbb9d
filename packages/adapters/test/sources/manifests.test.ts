// @module-tag smoke: hundreds of fetches
/**
 * Manifests that point elsewhere by every protocol ffmpeg was built with, with and without the sandbox, and with
 * a second response that differs from the first: only listed addresses are connected to. `npm test` tries the
 * protocols that connect in the manifests where programs differ, in the sandbox.
 */
import * as GuardedEgress from "@winnow/isolation/network/GuardedEgress";
import { inRun } from "@winnow/testing/samples/samples";
import { execFileSync } from "node:child_process";
import type { RequestListener } from "node:http";
import { createServer, type AddressInfo } from "node:net";
import { createSocket } from "node:dgram";
import { join } from "node:path";
import { assert, layer } from "@effect/vitest";
import { Downloader } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Layer from "effect/Layer";
import * as Scope from "effect/Scope";
import { afterAll } from "vitest";
import * as DownloaderLayer from "../../src/sources/DownloaderLayer.ts";
import { examineSandbox, type SandboxSetting } from "@winnow/isolation/sandbox/Sandbox";
import { serve } from "@winnow/isolation/test/network/LoopbackServer";
import { sharedPools, temporaryFolder } from "./harness.ts";

const folder = temporaryFolder();

/** Input protocols of the installed ffmpeg: `ffmpeg -protocols` lists them before the output protocols. */
const PROTOCOLS: ReadonlyArray<string> = (
  /Input:\s+([\s\S]*?)Output:/u.exec(
    execFileSync("ffmpeg", ["-hide_banner", "-protocols"], { encoding: "utf8" })
  )?.[1] ?? ""
)
  .trim()
  .split(/\s+/u);

/** A TCP and a UDP listener on one port, with a common count of connections and datagrams. */
const listener = Effect.acquireRelease(
  Effect.promise(async () => {
    let arrivals = 0;
    const tcp = createServer((socket) => {
      arrivals++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => tcp.listen(0, "127.0.0.1", resolve));
    const { port } = tcp.address() as AddressInfo;
    const udp = createSocket("udp4");
    udp.on("message", () => arrivals++);
    await new Promise<void>((resolve) => udp.bind(port, "127.0.0.1", resolve));
    return { port, arrivals: () => arrivals, tcp, udp };
  }),
  ({ tcp, udp }) => Effect.sync(() => (tcp.close(), udp.close()))
);

/** Two responses of one URL: to the first request, and to all later ones. */
type Answers = readonly [first: string, later: string];

const HLS = "application/vnd.apple.mpegurl";

const playlist = (...lines: ReadonlyArray<string>): string =>
  ["#EXTM3U", "#EXT-X-TARGETDURATION:2", ...lines, "#EXT-X-ENDLIST", ""].join("\n");

const CLEAN = playlist("#EXTINF:2.0,", "one.ts");

const dash = (base: string): string =>
  `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT4S" minBufferTime="PT2S" profiles="urn:mpeg:dash:profile:isoff-on-demand:2011"><Period><AdaptationSet mimeType="video/mp4" codecs="avc1.42c00d"><Representation id="v" bandwidth="1000" width="64" height="64"><BaseURL>${base}</BaseURL><SegmentTemplate media="s$Number$.m4s" initialization="i.mp4" duration="2" startNumber="1"/></Representation></AdaptationSet></Period></MPD>`;

const page = (head: string, body = ""): string =>
  `<!doctype html><html><head><title>A page</title>${head}</head><body>${body}<p>${"Words of a page. ".repeat(40)}</p></body></html>`;

/** One manifest of each kind; each refers to the address `to`. */
const manifests = (to: string): Readonly<Record<string, readonly [type: string, answers: Answers]>> => {
  const same = (type: string, text: string): readonly [string, Answers] => [type, [text, text]];
  const turning = (type: string, first: string, later: string): readonly [string, Answers] => [
    type,
    [first, later]
  ];
  const segments = playlist("#EXTINF:2.0,", to);
  const key = playlist(`#EXT-X-KEY:METHOD=AES-128,URI="${to}"`, "#EXTINF:2.0,", "one.ts");
  const odd = playlist(`#EXT-X-KEY:METHOD=AES-256,URI="${to}"`, "#EXTINF:2.0,", to);
  return {
    "/segments.m3u8": same(HLS, segments),
    "/turning.m3u8": turning(HLS, CLEAN, segments),
    "/key.m3u8": turning(HLS, CLEAN, key),
    "/map.m3u8": same(HLS, playlist(`#EXT-X-MAP:URI="${to}"`, "#EXTINF:2.0,", "one.ts")),
    "/odd.m3u8": turning(HLS, CLEAN, odd),
    "/sound.m3u8": same(
      HLS,
      `#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="a",URI="${to}"\n#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="a",CODECS="avc1.42c00b,mp4a.40.2"\nclean.m3u8\n`
    ),
    "/stream.mpd": same("application/dash+xml", dash(to)),
    "/turning.mpd": turning(HLS, CLEAN, dash(`${to}&#13;&#10;SET pwned yes&#13;&#10;`)),
    "/words.smil": same(
      "application/smil+xml",
      `<smil><body><switch><video src="${to}" system-bitrate="1"/></switch></body></smil>`
    ),
    "/list.ffconcat": same("text/plain", `ffconcat version 1.0\nfile '${to}'\n`),
    "/list.mp4": same("video/mp4", `ffconcat version 1.0\nfile '${to}'\n`),
    "/list.m3u": same("audio/x-mpegurl", `#EXTM3U\n#EXTINF:2,a\n${to}\n`),
    "/list.xspf": same(
      "application/xspf+xml",
      `<?xml version="1.0"?><playlist version="1" xmlns="http://xspf.org/ns/0/"><trackList><track><location>${to}</location></track></trackList></playlist>`
    ),
    "/player": same(
      "text/html",
      page("", `<video src="${to}" poster="${to}"><track src="${to}" srclang="en"></video>`)
    ),
    "/words": same(
      "text/html",
      page(
        `<meta property="og:image" content="${to}"><script type="application/ld+json">${JSON.stringify({
          "@context": "https://schema.org",
          "@type": "VideoObject",
          name: "v",
          uploadDate: "2025-01-01",
          thumbnailUrl: to,
          contentUrl: to
        })}</script>`
      )
    )
  };
};

/** An address for each protocol, in ffmpeg's notation; wrapping protocols lead to a plain TCP connection. */
const addressOf = (protocol: string, port: number): string => {
  const at = `127.0.0.1:${port}`;
  if (["async", "cache", "crypto", "concat", "concatf", "subfile", "hls"].includes(protocol)) {
    const options = protocol === "subfile" ? ",,start,0,end,0,," : "";
    return protocol === "hls" ? `hls+tcp://${at}/x` : `${protocol}${options}:tcp://${at}/x`;
  }
  return `${protocol}://${at}/x`;
};

/**
 * Serves the manifests for each protocol, below its name. The first request for one may get another response than
 * later requests.
 */
const siteOf = (port: number): RequestListener => {
  const asked = new Set<string>();
  return (request, response) => {
    const [, protocol = "", name = ""] = (request.url ?? "").split("/");
    if (name === "clean.m3u8") return response.setHeader("content-type", HLS).end(CLEAN);
    const found = manifests(addressOf(protocol, port))[`/${name}`];
    if (found === undefined) return response.writeHead(404).end();
    const [type, [first, later]] = found;
    response.setHeader("content-type", type).end(asked.has(request.url ?? "") ? later : first);
    return asked.add(request.url ?? "");
  };
};

const report = await examineSandbox();

const isWhole = process.env["WINNOW_TEST_FAULTS"] !== undefined;

const SETTINGS: ReadonlyArray<SandboxSetting> = isWhole
  ? ["off", "required"]
  : [report.works ? "required" : "off"];

const PATHS = Object.keys(manifests("x"));

/** Protocols that open a connection by themselves are tried in every manifest, others only where programs differ. */
const CONNECTING: ReadonlySet<string> = new Set(["http", "httpproxy", "tcp", "udp", "rtmp", "subfile"]);
const DIFFERING = ["/turning.m3u8", "/odd.m3u8", "/turning.mpd", "/list.mp4"];

/** In a sandbox, programs have no network at all: those other protocols take turns in these manifests. */
const pathsOf = (protocol: string, sandbox: SandboxSetting): ReadonlyArray<string> => {
  if (!isWhole) return DIFFERING;
  if (CONNECTING.has(protocol)) return PATHS;
  const turn = PROTOCOLS.indexOf(protocol) % DIFFERING.length;
  return sandbox === "required" ? DIFFERING.slice(turn, turn + 1) : DIFFERING;
};

const scope = Scope.makeUnsafe();
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)));
const outside = await Effect.runPromise(Scope.provide(listener, scope));

for (const sandbox of SETTINGS) {
  const open = await Effect.runPromise(Scope.provide(serve(siteOf(outside.port)), scope));
  const skipped = sandbox === "required" && !report.works;
  const downloader = DownloaderLayer.layer({
    workDir: join(folder, sandbox),
    sandbox: skipped ? "off" : sandbox,
    limits: { inspectTimeoutMs: 100_000 }
  }).pipe(
    Layer.provide([Layer.fresh(GuardedEgress.layer({ allow: [open.authority] })), sharedPools]),
    Layer.orDie,
    inRun
  );
  const tried = isWhole ? PROTOCOLS : PROTOCOLS.filter((protocol) => CONNECTING.has(protocol));
  const protocols = skipped ? [] : tried;
  layer(downloader, { excludeTestServices: true })(`manifests, sandbox ${sandbox}`, (it) => {
    if (skipped) it.skip(`need a sandbox: ${report.works ? "" : report.problem}`, () => {});
    for (const protocol of protocols) {
      it.effect(`lead nowhere by ${protocol}`, () =>
        Effect.gen(function* () {
          const { fetch } = yield* Downloader;
          const paths = pathsOf(protocol, sandbox);
          yield* Effect.forEach(
            paths,
            (path) =>
              fetch({
                url: `${open.url}/${protocol}${path}`,
                maxDurationSeconds: 3_600,
                wantsOf: () => ["video", "audio", "transcript"]
              }).pipe(Effect.scoped, Effect.exit),
            { concurrency: 4 }
          );
          assert.strictEqual(outside.arrivals(), 0);
          const asked = new Set(open.requests.map(({ url }) => url));
          assert.deepStrictEqual(
            paths.filter((path) => !asked.has(`/${protocol}${path}`)),
            []
          );
        })
      );
    }
  });
}
