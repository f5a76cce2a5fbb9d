// @module-tag long
import { assert, layer } from "@effect/vitest";
import { Downloader } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import { downloaderOf, openSite, processesIn, runFolders, temporaryFolder } from "./harness.ts";

const site = await openSite();
const folder = temporaryFolder();

const list = (path: string, first = 200) =>
  Downloader.use((downloader) => downloader.list({ url: site.url + path, first }));

layer(downloaderOf(site, folder), { excludeTestServices: true })("A listing", (it) => {
  it.effect("has the episodes of a feed, and no request reaches one", () =>
    Effect.gen(function* () {
      const before = site.hits.length;
      assert.deepStrictEqual(
        yield* list("/podcast.xml"),
        [0, 1].map((index) => `${site.url}/media/talk.m4a?n=${index}`)
      );
      assert.deepStrictEqual([...new Set(site.hits.slice(before))], ["/podcast.xml"]);
    })
  );

  it.effect("has the items of all tabs of a channel, up to the limit", () =>
    Effect.gen(function* () {
      const items = ["videos", "shorts"].flatMap((tab) =>
        [0, 1, 2].map((index) => `${site.url}/fx/${tab}-${index}`)
      );
      assert.deepStrictEqual(yield* list("/fx/tabs"), items);
      assert.deepStrictEqual(yield* list("/fx/tabs", 2), items.slice(0, 2));
    })
  );

  it.effect("leaves out media without a page, and notes of extractors", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* list("/fx/odd-entries"), [
        `${site.url}/fx/video`,
        `${site.url}/watch/talk`,
        "file:///etc/passwd"
      ]);
      assert.deepStrictEqual(yield* list("/watch/several"), []);
    })
  );

  it.effect("fails for its reason, and leaves nothing behind", () =>
    Effect.gen(function* () {
      for (const [path, reason] of [
        ["/fx/video", "not_extractable"],
        ["/fx/private", "private"],
        ["/status/404", "removed"],
        ["/fx/bot", "bot_blocked"],
        ["/redirect?to=http://127.0.0.1:9/", "blocked_address"],
        ["/drop", "unreachable"]
      ] as const) {
        const failure = yield* Effect.flip(list(path));
        assert.strictEqual(failure.reason, reason, path);
      }
      assert.deepStrictEqual([runFolders(folder), processesIn(folder)], [[], []]);
    })
  );
});
