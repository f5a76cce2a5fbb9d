// @module-tag long
import { assert, layer } from "@effect/vitest";
import { Failed, type FailureReason, remedyOf } from "@winnow/core/domain/source/Failed";
import { Downloader } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import { REFUSALS_TO_REST } from "../../../src/sources/ways/Standing.ts";
import { assertNothingLeft, downloaderOf, openSite, temporaryFolder } from "../harness.ts";
import { fetch, inspect } from "./outcome.ts";

const site = await openSite();

/** Longer than a busy machine takes for what is too large. */
const PATIENT = { inspectTimeoutMs: 100_000 };

/** Short, for URLs that never respond. */
const IMPATIENT = { inspectTimeoutMs: 3_000, listTimeoutMs: 1_500 };
const hasty = temporaryFolder();

/**
 * For each reason: whether it may help to submit again, and pages that must fail for it. Other statuses and messages are in
 * classify.test.ts and platforms/.
 */
const FAILURES: Readonly<
  Partial<Record<FailureReason, { readonly retryable: boolean; readonly paths: ReadonlyArray<string> }>>
> = {
  private: { retryable: false, paths: ["/status/403"] },
  removed: { retryable: false, paths: ["/status/404"] },
  login_required: { retryable: false, paths: ["/gated", "/status/401"] },
  age_restricted: { retryable: false, paths: ["/fx/age-gate"] },
  geo_restricted: { retryable: false, paths: ["/status/451"] },
  drm: { retryable: false, paths: ["/fx/drm"] },
  live: { retryable: true, paths: ["/watch/live", "/live.m3u8"] },
  bot_blocked: { retryable: true, paths: ["/challenge"] },
  rate_limited: { retryable: true, paths: ["/status/429"] },
  too_large: {
    retryable: false,
    paths: [
      "/bomb/gzip",
      "/bomb/deflate",
      "/bomb/raw-deflate",
      "/watch/verbose",
      "/endless.html",
      "/huge.mp4"
    ]
  },
  timeout: { retryable: true, paths: ["/status/408"] },
  unreachable: { retryable: true, paths: ["/drop", "/status/500", "/watch/iframe"] },
  blocked_address: {
    retryable: false,
    paths: [
      "/redirect?to=http://127.0.0.1:9/",
      "/evil/file-source",
      "/evil/file-segments.m3u8",
      "/evil/file-concat.m3u8",
      "/evil/file-key.m3u8"
    ]
  },
  not_extractable: {
    retryable: false,
    paths: [
      "/empty",
      "/json",
      "/loop",
      "/watch/several",
      "/podcast.xml",
      "/fx/channel",
      "/media/talk.en.vtt",
      "/media/not-a-video.mp4",
      "/mistyped/article",
      "/evil/file-jsonld",
      "/status/400"
    ]
  },
  internal: { retryable: true, paths: ["/fx/broken"] }
};

layer(downloaderOf(site, temporaryFolder(), { limits: PATIENT }), { excludeTestServices: true })(
  "A failure",
  (it) => {
    for (const [reason, { paths, retryable }] of Object.entries(FAILURES)) {
      for (const path of paths) {
        it.effect(`at ${path} is ${reason}, for inspection and fetch alike`, () =>
          Effect.gen(function* () {
            const failure = yield* Effect.flip(inspect(site.url + path));
            assert.strictEqual(failure.reason, reason);
            const fetched = yield* Effect.flip(Effect.scoped(fetch(site.url + path)));
            assert.deepStrictEqual([fetched.reason, fetched.message], [failure.reason, failure.message]);
            assert.match(failure.message, /^[A-Z].*\.$/u);
            assert.notMatch(
              failure.message.replace("should update yt-dlp", ""),
              /https?:|cookies|127\.0|\/tmp|yt-dlp|--/u
            );
            const remedy = remedyOf(new Failed({ reason: failure.reason, message: failure.message }));
            assert.strictEqual(remedy.retryable, retryable);
            assert.match(remedy.hint, /^[A-Z][^.]+\.$/u);
          })
        );
      }
    }

    it.effect("at a name that does not resolve is unreachable, for inspection and fetch alike", () =>
      Effect.gen(function* () {
        const url = "http://no-such-host.com/article";
        const failures = [yield* Effect.flip(inspect(url)), yield* Effect.flip(Effect.scoped(fetch(url)))];
        assert.deepStrictEqual(
          failures.map(({ reason }) => reason),
          ["unreachable", "unreachable"]
        );
      })
    );

    it.effect("of a source distinguishes its errors from being unreachable", () =>
      Effect.gen(function* () {
        const messages = yield* Effect.forEach(["/status/503", "/drop"], (path) =>
          Effect.map(Effect.flip(inspect(site.url + path)), ({ message }) => message)
        );
        assert.match(messages[0] ?? "", /returned a server error/u);
        assert.match(messages[1] ?? "", /could not be reached/u);
      })
    );

    it.effect("of an unreachable source says where the attempt ended", () =>
      Effect.gen(function* () {
        const plain = site.url.replace("http:", "https:");
        const causes = yield* Effect.forEach(
          [`${site.url}/status/503`, `${site.url}/drop`, `${plain}/article`, "http://nowhere.example.org/"],
          (url) =>
            Effect.map(Effect.flip(inspect(url)), ({ reason, unreachableCause }) => [
              reason,
              unreachableCause
            ])
        );
        assert.deepStrictEqual(causes, [
          ["unreachable", "http_5xx"],
          ["unreachable", "reset"],
          ["unreachable", "tls"],
          ["unreachable", "dns"]
        ]);
      })
    );

    // Must be the last test of this file: after it, requests to the host are refused.
    it.effect(
      "of a host that turns us away again and again stops all requests for a while, and says how long",
      () =>
        Effect.gen(function* () {
          yield* inspect(`${site.url}/article?before`);
          for (let at = 0; at < REFUSALS_TO_REST; at++) {
            const failure = yield* Effect.flip(inspect(`${site.url}/status/429?${at}`));
            assert.isNull(failure.retryAfterSeconds);
          }
          site.hits.length = 0;
          const failures = [
            yield* Effect.flip(inspect(`${site.url}/article`)),
            yield* Effect.flip(Effect.scoped(fetch(`${site.url}/watch/talk`))),
            // Already inspected, but its files would have to be requested.
            yield* Effect.flip(Effect.scoped(fetch(`${site.url}/article?before`)))
          ];
          for (const { message, reason, retryAfterSeconds } of failures) {
            assert.strictEqual(reason, "rate_limited");
            assert.isNotNull(retryAfterSeconds);
            assert.isTrue(retryAfterSeconds > 30 && retryAfterSeconds <= 60, `${retryAfterSeconds} s`);
            assert.include(message, `${retryAfterSeconds} seconds`);
          }
          assert.deepStrictEqual(site.hits, []);
        })
    );
  }
);

layer(downloaderOf(site, hasty, { limits: IMPATIENT }), { excludeTestServices: true })(
  "A source that never comes to an end",
  (it) => {
    it.effect.each(["/slow", "/hang"])(
      "%s fails in time, for inspection and fetch alike, and leaves nothing behind",
      (path) =>
        Effect.gen(function* () {
          const failures = [
            yield* Effect.flip(inspect(site.url + path)),
            yield* Effect.flip(Effect.scoped(fetch(site.url + path)))
          ];
          assert.deepStrictEqual(
            failures.map(({ reason }) => reason),
            ["timeout", "timeout"]
          );
          yield* assertNothingLeft(hasty, path);
        })
    );

    it.effect("is given up in its own time when it should be listed", () =>
      Effect.gen(function* () {
        const list = Downloader.use((downloader) => downloader.list({ url: `${site.url}/hang`, first: 200 }));
        assert.strictEqual((yield* Effect.flip(list)).reason, "timeout");
      })
    );
  }
);
