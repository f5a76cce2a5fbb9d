// @module-tag long
import { assert, layer } from "@effect/vitest";
import { Downloader } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import { assertNothingLeft, downloaderOf, openSite, processesIn, temporaryFolder, until } from "./harness.ts";
import { SECONDS } from "./site/media.ts";

const site = await openSite();
const workDir = temporaryFolder();

const inspect = (path: string) => Downloader.use((downloader) => downloader.inspect(site.url + path, {}));

layer(downloaderOf(site, workDir), { excludeTestServices: true })("MediaDownloader.inspect", (it) => {
  it.effect("an inspection leaves no process and no folder, whatever its result", () =>
    Effect.gen(function* () {
      for (const path of ["/fx/private", "/bomb/gzip", "/status/404", "/loop", "/article"]) {
        yield* Effect.exit(inspect(`${path}?left`));
        yield* assertNothingLeft(workDir, path);
      }
    })
  );

  it.effect("a page on which yt-dlp's reader of any page crashes is read as a page", () =>
    Effect.gen(function* () {
      const { kind, title } = yield* inspect("/minified");
      assert.deepStrictEqual([kind, title], ["webpage", "Größe und Gewicht"]);
    })
  );

  it.effect("captions have their language, and whether people or a program wrote them", () =>
    Effect.gen(function* () {
      const languages = (path: string) => Effect.map(inspect(path), (facts) => facts.captionLanguages);
      assert.deepStrictEqual(yield* languages("/watch/talk"), [
        { language: "en", origin: "people" },
        { language: "de", origin: "people" }
      ]);
      assert.deepStrictEqual(yield* languages("/fx/video"), [
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

  it.effect("the duration of a WebM file is in its header", () =>
    Effect.gen(function* () {
      assert.approximately((yield* inspect("/media/vp9.webm")).durationSeconds ?? 0, SECONDS, 0.5);
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

  it.effect("a playlist of one is that one", () =>
    Effect.gen(function* () {
      const facts = yield* inspect("/fx/one");
      assert.deepStrictEqual([facts.kind, facts.commentCount], ["video", 30]);
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
        const failure = yield* Effect.flip(Downloader.use((downloader) => downloader.inspect(url, {})));
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

  it.effect("an interrupted inspection leaves no process and no folder", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(inspect("/slow?interrupted"));
      yield* until(() => processesIn(workDir).length > 0);
      yield* Fiber.interrupt(fiber);
      yield* assertNothingLeft(workDir, "/slow");
    })
  );
});
