// @module-tag alone: memory
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { assert, layer } from "@effect/vitest";
import { MODALITIES, type Modality } from "@winnow/core/domain/source/Modality";
import { Downloader } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import { downloaderOf, openSite, processesIn, runFolders, temporaryFolder, until } from "./harness.ts";

const site = await openSite();
const workDir = temporaryFolder();

/** Longer than any source takes on a busy machine, so that none fails with a timeout. */
const LIMITS = { maxDownloadBytes: 8 * 2 ** 20, fetchTimeoutMs: 20_000 };

/** Short, for sources that never end. */
const IMPATIENT = { ...LIMITS, fetchTimeoutMs: 4_000 };

/** Node itself may grow by this much while a child is given endless input. */
const GROWTH_MAX_BYTES = 200 * 2 ** 20;

const fetch = (path: string, wants: ReadonlyArray<Modality> = MODALITIES) =>
  Downloader.use((downloader) =>
    downloader.fetch({
      url: site.url + path,
      maxDurationSeconds: 3_600,
      wantsOf: () => wants
    })
  );

const INTERNAL = encodeURIComponent("http://127.0.0.1:9/secret");

const REASONS: ReadonlyArray<readonly [path: string, reason: string]> = [
  ["/watch/long", "too_long"],
  ["/watch/liar", "not_extractable"],
  ["/fx/gone", "removed"],
  ["/endless.mp4", "too_large"],
  ["/evil/segments.m3u8?to=/endless.mp4", "too_large"],
  ["/evil/missing.m3u8", "removed"],
  [`/evil/segments.m3u8?to=${INTERNAL}`, "blocked_address"],
  [`/evil/key.m3u8?to=${INTERNAL}`, "blocked_address"],
  [`/evil/segments.m3u8?to=${encodeURIComponent(`/redirect?to=${INTERNAL}`)}`, "blocked_address"]
];

const assertNothingLeft = (folder = workDir): void => {
  assert.deepStrictEqual(processesIn(folder), []);
  assert.deepStrictEqual(runFolders(folder), []);
};

const assertFails = Effect.fnUntraced(function* (path: string, reason: string) {
  const before = process.memoryUsage().rss;
  const failure = yield* Effect.flip(Effect.scoped(fetch(path)));
  assert.strictEqual(failure.reason, reason);
  assert.notMatch(failure.message, /127\.0|\/tmp|secret/u);
  assert.isBelow(process.memoryUsage().rss - before, GROWTH_MAX_BYTES);
});

const hasty = temporaryFolder();

layer(downloaderOf(site, hasty, { limits: IMPATIENT }), { excludeTestServices: true })(
  "MediaDownloader, held up",
  (it) => {
    it.effect("/slow.mp4 fails with timeout in bounded memory", () =>
      Effect.gen(function* () {
        yield* assertFails("/slow.mp4", "timeout");
        assertNothingLeft(hasty);
      })
    );
  }
);

layer(downloaderOf(site, workDir, { limits: LIMITS }), { excludeTestServices: true })(
  "MediaDownloader, attacked",
  (it) => {
    for (const [path, reason] of REASONS) {
      it.effect(`${path} fails with ${reason} in bounded memory`, () =>
        Effect.gen(function* () {
          yield* assertFails(path, reason);
          assertNothingLeft();
        })
      );
    }

    it.effect("a video that is too long is not downloaded at all", () =>
      Effect.gen(function* () {
        yield* Downloader.use((downloader) => downloader.inspect(`${site.url}/watch/long?again`, {}));
        site.hits.length = 0;
        yield* Effect.flip(Effect.scoped(fetch("/watch/long?again")));
        assert.deepStrictEqual(site.hits, []);
      })
    );

    it.effect("a title is only ever text", () =>
      Effect.gen(function* () {
        const { facts, files } = yield* fetch("/evil/title");
        assert.strictEqual(facts.title, "../../etc/x %(id)s $(touch pwned) `id`");
        for (const { source } of files) {
          assert.isTrue(source._tag === "Bytes" || source.path.startsWith(join(workDir, "work-")));
        }
        assert.isFalse([workDir, process.cwd()].some((folder) => existsSync(join(folder, "pwned"))));
      })
    );

    it.effect("a subtitle language is only ever part of a safe name", () =>
      Effect.gen(function* () {
        const { files } = yield* fetch("/evil/subs", ["transcript"]);
        const subtitles = files.map(({ name }) => name).filter((name) => name.startsWith("subtitles."));
        assert.strictEqual(subtitles.length, 2);
        for (const name of subtitles) assert.match(name, /^subtitles\.[\w-]+\.(?:vtt|srt)$/u);
        assert.deepStrictEqual(
          runFolders(workDir).filter((path) => !basename(path).startsWith("run_")),
          []
        );
      })
    );

    it.effect("captions in endless pieces cost neither memory nor time", () =>
      Effect.gen(function* () {
        site.hits.length = 0;
        const { files, warnings } = yield* fetch("/evil/flooded", ["transcript"]);
        assert.include(warnings, "subtitles.en.vtt could not be fetched.");
        assert.notInclude(
          files.map(({ name }) => name),
          "transcript.txt"
        );
        assert.isBelow(site.hits.filter((path) => path === "/evil/flood").length, 20);
      })
    );

    it.effect("an interrupted fetch leaves no process and no folder", () =>
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(Effect.scoped(fetch("/slow.mp4?interrupted")));
        yield* until(() => processesIn(workDir).length > 0);
        yield* Fiber.interrupt(fiber);
        assertNothingLeft();
      })
    );
  }
);
