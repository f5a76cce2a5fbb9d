// @module-tag long
/** How often a source is asked for one thing: platforms count requests. */
import { assert, layer } from "@effect/vitest";
import { Downloader } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import { downloaderOf, openSite, temporaryFolder } from "./harness.ts";

const site = await openSite();

/** Requests by path, of an inspection and a fetch of everything. */
const requestsFor = Effect.fnUntraced(function* (path: string) {
  const before = site.hits.length;
  yield* Downloader.use(({ fetch }) =>
    fetch({
      url: site.url + path,
      maxDurationSeconds: 3_600,
      wantsOf: () => ["video", "audio", "transcript", "comments"]
    })
  ).pipe(Effect.scoped);
  const counts = new Map<string, number>();
  for (const hit of site.hits.slice(before)) counts.set(hit, (counts.get(hit) ?? 0) + 1);
  return counts;
});

const PAGES = ["/article", "/carousel", "/watch/talk", "/watch/jsonld-hls", "/watch/hls", "/watch/dash"];

layer(downloaderOf(site, temporaryFolder()), { excludeTestServices: true })("A source", (it) => {
  it.effect.each([...PAGES, "/media/hls/master.m3u8", "/media/hls/video.m3u8"])(
    "is asked once for a page, whoever reads it, and at most twice for a manifest: %s",
    (path) =>
      Effect.gen(function* () {
        const counts = yield* requestsFor(path);
        const manifests = [...counts].filter(([each]) => /\.(?:m3u8|mpd)$/u.test(each));
        assert.deepStrictEqual(
          manifests.filter(([, count]) => count > 2),
          []
        );
        if (PAGES.includes(path)) assert.strictEqual(counts.get(path), 1);
      })
  );

  it.effect("gets the cookies of its page with what the page leads to", () =>
    Effect.gen(function* () {
      yield* requestsFor("/watch/cookies");
      assert.include([...site.secrets], "one=1; two=2");
    })
  );
});
