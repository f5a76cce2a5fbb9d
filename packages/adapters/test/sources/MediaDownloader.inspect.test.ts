// @module-tag long
import { assert, layer } from "@effect/vitest";
import { Downloader } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import { downloaderOf, openSite, processesIn, runFolders, temporaryFolder, until } from "./harness.ts";
import { SECONDS } from "./site/media.ts";

const site = await openSite();
const workDir = temporaryFolder();

const inspect = (path: string) =>
  Downloader.use((downloader) => downloader.inspect(site.url + path, { accountId: "acc_test" }));

/** A killed process may still be visible for a moment, while the kernel removes its namespaces. */
const assertNothingLeft = (folder: string, path: string) =>
  until(() => processesIn(folder).length === 0).pipe(
    Effect.ignore,
    Effect.andThen(
      Effect.sync(() => assert.deepStrictEqual([processesIn(folder), runFolders(folder)], [[], []], path))
    )
  );

/**
 * Short, so that an endless response does not delay the tests. On a busy machine, this is too short for other
 * tests.
 */
const IMPATIENT = { inspectTimeoutMs: 6_000, smallFetchTimeoutMs: 1_500 };
const hasty = temporaryFolder();

layer(downloaderOf(site, hasty, { limits: IMPATIENT }), { excludeTestServices: true })(
  "MediaDownloader.inspect in a hurry",
  (it) => {
    it.effect("an inspection leaves no process and no folder, whatever its result", () =>
      Effect.gen(function* () {
        for (const path of ["/fx/private", "/slow", "/bomb/gzip", "/status/404", "/loop", "/article"]) {
          yield* Effect.exit(inspect(`${path}?left`));
          yield* assertNothingLeft(hasty, path);
        }
      })
    );
  }
);

layer(downloaderOf(site, workDir), { excludeTestServices: true })("MediaDownloader.inspect", (it) => {
  it.effect("a page on which yt-dlp's reader of any page crashes is read as a page", () =>
    Effect.gen(function* () {
      const { kind, title } = yield* inspect("/minified");
      assert.deepStrictEqual([kind, title], ["webpage", "Größe und Gewicht"]);
    })
  );

  it.effect("the page provides what the generic extractor leaves out", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* inspect("/watch/talk"), {
        kind: "video",
        webpageUrl: `${site.url}/watch/talk`,
        title: "The talk",
        uploader: "Ada Fixture",
        description: "A talk about nothing.",
        thumbnailUrl: `${site.url}/media/thumb.webp`,
        durationSeconds: SECONDS,
        viewCount: 12_345,
        likeCount: 678,
        commentCount: 9,
        uploadDate: "20250304",
        hasSubtitles: true,
        captionLanguages: [
          { language: "en", origin: "people" },
          { language: "de", origin: "people" }
        ],
        hasComments: false,
        imageCount: 0
      });
    })
  );

  it.effect("an extractor that knows its site is believed", () =>
    Effect.gen(function* () {
      const facts = yield* inspect("/fx/video");
      assert.deepStrictEqual(
        [facts.title, facts.uploader, facts.commentCount, facts.hasComments, facts.hasSubtitles],
        ["A fixture", "Ada Fixture", 30, true, true]
      );
      assert.deepStrictEqual(facts.captionLanguages, [
        { language: "de", origin: "people" },
        { language: "en", origin: "automatic" }
      ]);
    })
  );

  it.effect("chapters have titles and times", () =>
    Effect.gen(function* () {
      const { chapters } = yield* inspect("/fx/chapters");
      assert.deepStrictEqual(chapters, [
        { title: "The beginning", startSeconds: 0 },
        { title: "The end", startSeconds: 2 }
      ]);
    })
  );

  it.effect("the duration comes from the stream if the page does not state it", () =>
    Effect.gen(function* () {
      for (const path of ["/watch/hls", "/watch/dash", "/media/talk.mp4", "/media/talk.m4a"]) {
        assert.approximately((yield* inspect(path)).durationSeconds ?? 0, SECONDS, 0.5, path);
      }
    })
  );

  it.effect("the duration of a file is in its header, wherever that is, with byte ranges and without", () =>
    Effect.gen(function* () {
      for (const path of ["/media/silent.mp4", "/media/vp9.webm", "/mistyped/talk"]) {
        assert.approximately((yield* inspect(path)).durationSeconds ?? 0, SECONDS, 0.5, path);
      }
    })
  );

  it.effect("a duration that nothing states is unknown", () =>
    Effect.gen(function* () {
      assert.isNull((yield* inspect("/watch/nodur")).durationSeconds);
    })
  );

  it.effect("invalid numbers affect only their own field", () =>
    Effect.gen(function* () {
      const { durationSeconds, title } = yield* inspect("/watch/unrated");
      assert.deepStrictEqual([title, durationSeconds], ["The talk", SECONDS]);
    })
  );

  it.effect("a claimed length is passed on as claimed", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* inspect("/watch/long")).durationSeconds, 7_200);
    })
  );

  it.effect("an embedded stream has the subtitles of its master playlist", () =>
    Effect.gen(function* () {
      assert.isTrue((yield* inspect("/watch/hls")).hasSubtitles);
    })
  );

  it.effect("a playlist of one is that one", () =>
    Effect.gen(function* () {
      const facts = yield* inspect("/fx/one");
      assert.deepStrictEqual([facts.kind, facts.commentCount], ["video", 30]);
    })
  );

  it.effect("a bare image is a photo post with one slide", () =>
    Effect.gen(function* () {
      const facts = yield* inspect("/media/slide2.jpg");
      assert.deepStrictEqual([facts.kind, facts.imageCount, facts.title], ["photos", 1, "slide2"]);
    })
  );

  it.effect("a post of images has all of them, however few are read at first", () =>
    Effect.gen(function* () {
      const facts = yield* inspect("/fx/photos");
      assert.deepStrictEqual([facts.kind, facts.imageCount], ["photos", 4]);
    })
  );

  it.effect("a private host is refused before any request", () =>
    Effect.gen(function* () {
      for (const url of [
        "http://127.0.0.1:9/",
        "http://localhost/x",
        "http://[::1]/",
        "http://192.168.0.1/"
      ]) {
        const failure = yield* Effect.flip(
          Downloader.use((downloader) => downloader.inspect(url, { accountId: "acc_test" }))
        );
        assert.deepInclude(failure, { reason: "host_not_public" });
        assert.notInclude(failure.message, "127.0.0.1");
      }
    })
  );

  it.effect("messages contain nothing from the source or about this machine", () =>
    Effect.gen(function* () {
      for (const path of ["/fx/private", "/fx/broken", "/status/404", "/evil/file-source"]) {
        const { message } = yield* Effect.flip(inspect(path));
        // Programs are named only in the advice to the operator.
        const words = message.replace("the operator should update yt-dlp and gallery-dl", "");
        assert.notMatch(words, /https?:|cookies|127\.0|\/tmp|yt-dlp|--/u);
      }
    })
  );

  it.effect("concurrent inspections of one URL request it once", () =>
    Effect.gen(function* () {
      site.hits.length = 0;
      yield* Effect.all([inspect("/article?shared"), inspect("/article?shared")], { concurrency: 2 });
      yield* inspect("/article?shared");
      // Once by yt-dlp, once by the page reader.
      assert.strictEqual(site.hits.filter((path) => path === "/article").length, 2);
    })
  );

  it.effect("an interrupted inspection leaves no process and no folder", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(inspect("/slow?interrupted"));
      yield* until(() => processesIn(workDir).length > 0);
      yield* Fiber.interrupt(fiber);
      yield* assertNothingLeft(workDir, "/slow");
    })
  );
});
