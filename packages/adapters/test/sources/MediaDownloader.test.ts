// @module-tag long
/** A downloader with real programs: what the port promises, and what it does beside its outcomes (outcomes/). */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem";
import { assert, layer } from "@effect/vitest";
import { suite } from "@winnow/testing/suites/DownloaderSuite";
import { MODALITIES, type Modality } from "@winnow/core/domain/source/Modality";
import { sourceMetadata } from "@winnow/core/domain/source/SourceMetadata";
import { Downloader, type Fetched, type KnownSource } from "@winnow/core/ports/Downloader";
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Fiber from "effect/Fiber";
import * as Layer from "effect/Layer";
import * as Scope from "effect/Scope";
import { afterAll } from "vitest";
import { onPath } from "@winnow/isolation/sandbox/programFiles";
import {
  assertNothingLeft,
  contentOf,
  downloaderOf,
  openSite,
  processesIn,
  runFolders,
  temporaryFolder,
  until
} from "./harness.ts";
import { CAPTIONS, SECONDS } from "./site/media.ts";

const site = await openSite();
const workDir = temporaryFolder();

const fetch = (path: string, wants: ReadonlyArray<Modality> = MODALITIES, known?: KnownSource) =>
  Downloader.use((downloader) =>
    downloader.fetch({
      url: site.url + path,
      maxDurationSeconds: 3_600,
      wantsOf: () => wants,
      ...(known === undefined ? {} : { known })
    })
  );

const inspect = (path: string) => Downloader.use((downloader) => downloader.inspect(site.url + path, {}));

const list = (path: string, first = 200) =>
  Downloader.use((downloader) => downloader.list({ url: site.url + path, first }));

const namesOf = ({ files }: Fetched): ReadonlyArray<string> => files.map(({ name }) => name);

const bytesOf = ({ files }: Fetched, name: string): Buffer => {
  const file = files.find((each) => each.name === name);
  return file === undefined ? assert.fail(`${name} is missing`) : contentOf(file);
};

const textOf = (fetched: Fetched, name: string): string => bytesOf(fetched, name).toString("utf8");

const ENGLISH = `${CAPTIONS.en.join("\n")}\n`;

const scope = Scope.makeUnsafe();
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)));
const downloader = Layer.succeedContext(
  await Effect.runPromise(Layer.buildWithScope(downloaderOf(site, workDir), scope))
);

suite("yt-dlp, ffmpeg and the page reader", Layer.merge(downloader, NodeFileSystem.layer), {
  video: {
    url: `${site.url}/watch/talk`,
    durationSeconds: SECONDS,
    transcriptIncludes: "It was made by a script."
  },
  carousel: { url: `${site.url}/carousel`, imageCount: 4 },
  article: { url: `${site.url}/article`, textIncludes: "a claim that a machine can check" },
  listing: {
    url: `${site.url}/fx/channel`,
    lists: Array.from({ length: 50 }, (_, index) => `${site.url}/fx/video?${index}`)
  },
  emptyListing: { url: `${site.url}/fx/empty-channel` },
  gated: { url: `${site.url}/gated`, reason: "login_required" },
  notPublic: { url: "http://10.0.0.1/watch" }
});

layer(downloader, { excludeTestServices: true })("MediaDownloader", (it) => {
  it.effect("the words of a talk are those of its captions, as text, JSON and WebVTT", () =>
    Effect.gen(function* () {
      const fetched = yield* fetch("/watch/talk", ["transcript"]);
      assert.strictEqual(textOf(fetched, "transcript.txt"), ENGLISH);
      assert.strictEqual(textOf(fetched, "description.txt"), "A talk about nothing.\n");
      const { language, segments } = JSON.parse(textOf(fetched, "transcript.json"));
      assert.deepStrictEqual([language, segments[0].startSec], ["en", 0]);
      assert.deepStrictEqual(
        segments.map(({ text }: { readonly text: string }) => text),
        CAPTIONS.en
      );
      // From SRT.
      const german = textOf(fetched, "subtitles.de.vtt");
      assert.match(german, /^WEBVTT\n\n00:00:00\.000 --> 00:00:03\.333\nWillkommen zum Vortrag\.\n/u);
    })
  );

  it.effect(
    "a duration that the inspection did not find is read from the stream if no media is downloaded",
    () =>
      Effect.gen(function* () {
        const fetched = yield* fetch("/watch/flaky", ["transcript", "comments"]);
        assert.deepStrictEqual(
          [fetched.facts.durationSeconds, fetched.measuredDurationSeconds],
          [null, null]
        );
        assert.approximately(fetched.streamDurationSeconds ?? 0, SECONDS, 0.5);
        // A header without a duration has none when it is read again, either.
        assert.isNull((yield* fetch("/watch/nodur", ["comments"])).streamDurationSeconds);
      })
  );

  it.effect("only requested parts are requested from the site", () =>
    Effect.gen(function* () {
      yield* inspect("/watch/hls?wants");
      site.hits.length = 0;
      const words = yield* fetch("/watch/hls?wants", ["transcript"]);
      assert.deepStrictEqual(
        site.hits.filter((path) => path.endsWith(".ts")),
        []
      );
      assert.isNull(words.measuredDurationSeconds);
      const sound = yield* fetch("/watch/hls?wants", ["audio"]);
      assert.include(namesOf(sound), "audio.m4a");
      assert.deepStrictEqual(
        site.hits.filter((path) => path.includes("/video_")),
        []
      );
    })
  );

  it.effect("what a page leads to gets the page's cookies", () =>
    Effect.gen(function* () {
      yield* fetch("/watch/cookies", ["video"]);
      assert.include([...site.secrets], "one=1; two=2");
    })
  );

  it.effect("the run uses the inspection: the page is not requested again", () =>
    Effect.gen(function* () {
      yield* inspect("/watch/jsonld?once");
      site.hits.length = 0;
      yield* fetch("/watch/jsonld?once");
      assert.notInclude(site.hits, "/watch/jsonld");
    })
  );

  it.effect("an inspection requests the page and its playlist once, although two programs read them", () =>
    Effect.gen(function* () {
      site.hits.length = 0;
      yield* inspect("/watch/hls?read-once");
      const read = ["/watch/hls", "/media/hls/master.m3u8"];
      assert.sameMembers(
        site.hits.filter((path) => read.includes(path)),
        read
      );
    })
  );

  it.effect("a page that another process just found to be an article is read without yt-dlp", () =>
    Effect.gen(function* () {
      const atMs = yield* Clock.currentTimeMillis;
      const { facts, files } = yield* fetch("/article", ["transcript"], { kind: "webpage", atMs });
      assert.deepStrictEqual([facts.kind, files[0]?.name], ["webpage", "transcript.txt"]);
      for (const known of [
        { kind: "webpage", atMs: atMs - 600_000 },
        { kind: "video", atMs }
      ] as const) {
        const failure = yield* Effect.flip(fetch(`/article?${known.kind}`, ["transcript"], known));
        assert.strictEqual(failure.reason, "internal");
      }
    }).pipe(
      // A yt-dlp that runs nothing.
      Effect.provide(downloaderOf(site, temporaryFolder(), { ytDlpArgs: ["--impersonate", "nothing"] }), {
        local: true
      })
    )
  );

  it.effect("a page that is no longer an article is inspected in full", () =>
    Effect.gen(function* () {
      const known: KnownSource = { kind: "webpage", atMs: yield* Clock.currentTimeMillis };
      const video = yield* fetch("/watch/jsonld?became", ["video"], known);
      assert.deepStrictEqual([video.facts.kind, video.files[0]?.name], ["video", "video.mp4"]);
      const failure = yield* Effect.flip(fetch("/status/404?became", ["transcript"], known));
      assert.strictEqual(failure.reason, "removed");
    })
  );

  it.effect("comments that the source does not count are asked for, and missing only after an answer", () =>
    Effect.gen(function* () {
      const some = yield* fetch("/fx/uncounted", ["comments"]);
      assert.strictEqual(some.facts.commentCount, null);
      assert.isTrue(some.facts.hasComments);
      assert.lengthOf(JSON.parse(textOf(some, "comments.json")), 29);
      const none = yield* fetch("/fx/silent", ["comments"]);
      assert.deepStrictEqual(
        [none.facts.hasComments, namesOf(none).includes("comments.json"), none.failedLookups],
        [true, false, {}]
      );
    })
  );

  it.effect("captions in ranges of one file are read once", () =>
    Effect.gen(function* () {
      site.hits.length = 0;
      const fetched = yield* fetch("/watch/ranged", ["transcript"]);
      assert.strictEqual(textOf(fetched, "transcript.txt"), ENGLISH);
      assert.lengthOf(
        site.hits.filter((path) => path === "/media/talk.en.vtt"),
        1
      );
    })
  );

  it.effect.skipIf(onPath("tesseract", process.env["PATH"] ?? "") === null)(
    "the words on slides come with the slides' numbers, as far as tesseract is sure of them",
    () =>
      Effect.gen(function* () {
        const fetched = yield* fetch("/carousel/words");
        assert.include(namesOf(fetched), "slides.txt");
        assert.strictEqual(
          textOf(fetched, "slides.txt"),
          "[2] Soda bread\nBake at 180 degrees\nfor 45 minutes.\n"
        );
        assert.deepStrictEqual(fetched.sections, [
          { slide: 2, text: "Soda bread\nBake at 180 degrees\nfor 45 minutes.", markdown: [] }
        ]);
        assert.deepStrictEqual(fetched.warnings, []);
      })
  );

  it.effect("a video has the metadata of its page, or of its platform's extractor", () =>
    Effect.gen(function* () {
      const page = yield* fetch("/watch/jsonld", []);
      assert.deepInclude(sourceMetadata(page.facts, page.details), {
        platform: "web",
        author: { name: "Ada Fixture", id: null, url: null },
        stats: { views: 12_345, likes: 678, comments: 9, shares: null },
        publishedAt: { value: "2025-03-04T23:30:00-05:00", precision: "second" }
      });
      assert.deepStrictEqual(
        page.details?.structured?.map(({ type }) => type),
        ["VideoObject"]
      );
      const chaptered = yield* fetch("/fx/chapters", []);
      const { chapters, platform } = sourceMetadata(chaptered.facts, chaptered.details);
      assert.notStrictEqual(platform, "web");
      assert.deepStrictEqual(
        chapters.map(({ title }) => title),
        ["The beginning", "The end"]
      );
    })
  );

  it.effect("every folder is private and removed with its scope", () =>
    Effect.gen(function* () {
      const before = runFolders(workDir).length;
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* fetch("/watch/talk", []);
          assert.strictEqual(runFolders(workDir).length, before + 1);
        })
      );
      assert.strictEqual(runFolders(workDir).length, before);
      assert.deepStrictEqual(processesIn(workDir), []);
    })
  );

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

  it.effect("a playlist of one is that one", () =>
    Effect.gen(function* () {
      const facts = yield* inspect("/fx/one");
      assert.deepStrictEqual([facts.kind, facts.commentCount], ["video", 30]);
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

  it.effect("a listing has the episodes of a feed, and no request reaches one", () =>
    Effect.gen(function* () {
      const before = site.hits.length;
      assert.deepStrictEqual(
        yield* list("/podcast.xml"),
        [0, 1].map((index) => `${site.url}/media/talk.m4a?n=${index}`)
      );
      assert.deepStrictEqual([...new Set(site.hits.slice(before))], ["/podcast.xml"]);
    })
  );

  it.effect("a listing has the items of all tabs of a channel, up to the limit", () =>
    Effect.gen(function* () {
      const items = ["videos", "shorts"].flatMap((tab) =>
        [0, 1, 2].map((index) => `${site.url}/fx/${tab}-${index}`)
      );
      assert.deepStrictEqual(yield* list("/fx/tabs"), items);
      assert.deepStrictEqual(yield* list("/fx/tabs", 2), items.slice(0, 2));
    })
  );

  it.effect("a listing leaves out media without a page, and notes of extractors", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* list("/fx/odd-entries"), [
        `${site.url}/fx/video`,
        `${site.url}/watch/talk`,
        "file:///etc/passwd"
      ]);
      assert.deepStrictEqual(yield* list("/watch/several"), []);
    })
  );

  it.effect("a listing fails for its reason, and leaves nothing behind", () =>
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
      assert.deepStrictEqual([runFolders(workDir), processesIn(workDir)], [[], []]);
    })
  );
});
