// @module-tag long
/** How each policy treats missing comments and subtitles, with the real programs. */
import { assert, layer } from "@effect/vitest";
import * as MediaDownloader from "@winnow/adapters/sources/MediaDownloader";
import { Egress } from "@winnow/adapters/network/Egress";
import { PageReader } from "@winnow/adapters/pages/reader/PageReader";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Schedule from "effect/Schedule";
import { slowSite, type SlowSite } from "../../slowSite.ts";
import { TestApp, unlimited } from "../../TestApp.ts";
import { temporaryFolder } from "../../TemporaryFolder.ts";

class Site extends Context.Service<Site, SlowSite>()("@winnow/server/test/http/Site") {
  static readonly layer = Layer.effect(
    Site,
    Effect.tap(slowSite, ({ setSlow }) => Effect.sync(() => setSlow(false)))
  );
}

const downloader = (host: string, workDir: string) =>
  MediaDownloader.layer({ workDir }).pipe(
    Layer.provide([Egress.layer({ allow: [host] }), PageReader.layer]),
    Layer.orDie
  );

const app = Layer.unwrap(
  Effect.gen(function* () {
    const { host } = yield* Site;
    return TestApp.with({
      rateLimits: unlimited,
      downloader: downloader(host, yield* temporaryFolder("policies"))
    });
  })
).pipe(Layer.provideMerge(Site.layer));

/** Completes a run of six seconds of video that also requested a transcript and comments. */
const run = Effect.fnUntraced(function* (policy: string) {
  const { pageUrl } = yield* Site;
  const { account, call } = yield* TestApp;
  const { key } = yield* account(1_000);
  const body = { url: pageUrl, parts: ["transcript", "comments", "video"], policy };
  const { json } = yield* call("/v1/extractions", { key, body });
  const result = yield* call(`/v1/extractions/${json.id}/result`, { key }).pipe(
    Effect.repeat({ until: ({ status }) => status === 200, schedule: Schedule.spaced("100 millis") })
  );
  const read = yield* call(`/v1/extractions/${json.id}`, { key });
  return { result: result.json, read: read.json };
});

layer(app, { excludeTestServices: true, timeout: 120_000 })(
  "a source without subtitles or comments",
  (it) => {
    it.effect("fails a strict run, which costs nothing", () =>
      Effect.gen(function* () {
        const { result, read } = yield* run("strict");
        assert.strictEqual(result.status, "failed");
        assert.strictEqual(result.failure.reason, "input_unavailable");
        assert.match(result.error, /transcript.*comments/su);
        assert.isAbove(read.creditsDebited, 0);
        assert.strictEqual(read.creditsRefunded, read.creditsDebited);
      })
    );

    for (const [policy, warnings] of [
      ["fallback", 2],
      ["best-effort", 0]
    ] as const) {
      it.effect(
        `completes under ${policy} with ${warnings} warnings, and only delivered parts are charged`,
        () =>
          Effect.gen(function* () {
            const { result, read } = yield* run(policy);
            assert.strictEqual(result.status, "complete");
            assert.strictEqual(result.warnings.length, warnings);
            assert.isTrue(result.summary.files.includes("video.mp4"));
            assert.notProperty(result.artifacts, "transcript");
            assert.notProperty(result.artifacts, "comments");
            // 50, and half a credit per second of video; neither 10 for a transcript nor 20 for comments.
            assert.oneOf(read.creditsDebited - read.creditsRefunded, [53, 54]);
          })
      );
    }
  }
);
