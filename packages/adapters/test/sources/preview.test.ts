// @module-tag long
/** Pictures of quotes, from the test site. */
import { assert, layer } from "@effect/vitest";
import { Downloader, PREVIEW_SIDE_MAX_PIXELS } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import sharp from "sharp";
import { downloaderOf, openSite, runFolders, temporaryFolder } from "./harness.ts";

const site = await openSite();
const workDir = temporaryFolder();

const OPTIONS = {};

/** Short, for a picture that never comes. */
const LIMITS = { smallFetchTimeoutMs: 2_000 };

const preview = (path: string) =>
  Downloader.use(({ preview: read }) => {
    assert.isDefined(read);
    return read(site.url + path, OPTIONS);
  });

const picturedBy = (address: string): string => `/article/pictured?of=${encodeURIComponent(address)}`;

const INTERNAL = "http://127.0.0.1:9/secret.jpg";

layer(downloaderOf(site, workDir, { limits: LIMITS }), { excludeTestServices: true })("a preview", (it) => {
  it.effect.each(["/watch/talk", "/carousel", "/article"])(
    "of %s is small, and does not look again",
    (path) =>
      Effect.gen(function* () {
        const facts = yield* Downloader.use(({ inspect }) => inspect(site.url + path, OPTIONS));
        site.hits.length = 0;
        const jpeg = yield* preview(path);
        const { format, width, height } = yield* Effect.promise(() =>
          sharp(jpeg ?? new Uint8Array()).metadata()
        );
        assert.strictEqual(format, "jpeg");
        assert.isAtMost(Math.max(width, height), PREVIEW_SIDE_MAX_PIXELS);
        assert.deepStrictEqual(site.hits, [new URL(facts.thumbnailUrl ?? "").pathname]);
        assert.deepStrictEqual(runFolders(workDir), []);
      })
  );

  it.effect.each([
    ["nothing", "/media/lost.jpg"],
    ["no image", "/article"],
    ["an image with too many pixels", "/media/bomb.png"],
    ["bytes without end", "/endless.mp4"],
    ["a server that never answers", "/hang"],
    ["an address that is not public", INTERNAL],
    ["a redirect to such an address", `/redirect?to=${encodeURIComponent(INTERNAL)}`]
  ] as const)("of %s is none", ([, address]) =>
    Effect.gen(function* () {
      assert.isNull(yield* preview(picturedBy(address)));
      assert.deepStrictEqual(runFolders(workDir), []);
    })
  );

  it.effect("looks at a source that was not quoted, and says why it cannot", () =>
    Effect.gen(function* () {
      site.hits.length = 0;
      assert.isNotNull(yield* preview(picturedBy("/media/slide1.jpg")));
      assert.include(site.hits, "/article/pictured");
      assert.deepInclude(yield* Effect.flip(preview("/status/404")), { reason: "removed" });
    })
  );
});
