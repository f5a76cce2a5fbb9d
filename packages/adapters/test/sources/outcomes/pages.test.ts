// @module-tag long
import { assert, describe, layer } from "@effect/vitest";
import { Downloader, PREVIEW_SIDE_MAX_PIXELS } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import sharp from "sharp";
import { downloaderOf, openSite, runFolders, temporaryFolder } from "../harness.ts";
import { assertOutcome, bytesOf, type Expected, fetch, inspect, textOf, UNTOLD } from "./outcome.ts";

const site = await openSite();

const slides = (numbers: ReadonlyArray<number>) => numbers.map((number) => `image.0${number}.jpg`);

const photos = (title: string, imageCount: number, thumbnail: string) => ({
  ...UNTOLD,
  kind: "photos" as const,
  title,
  thumbnailUrl: `${site.url}/media/${thumbnail}`,
  imageCount
});

const DOCUMENT: Expected = {
  facts: { ...UNTOLD, kind: "webpage", title: "Bread", uploader: "Mira Tal", uploadDate: "20250304" },
  files: ["transcript.txt", "page.md"]
};

const OUTCOMES: Readonly<Record<string, Expected>> = {
  "/article": {
    facts: {
      ...UNTOLD,
      kind: "webpage",
      title: "Why fixtures matter",
      description: "An essay.",
      thumbnailUrl: `${site.url}/media/slide1.jpg`
    },
    files: ["transcript.txt", "page.md", "thumbnail.jpg", "description.txt"]
  },
  // Nobody asked for its picture, so that is no warning.
  "/article/lost-picture": {
    facts: {
      ...UNTOLD,
      kind: "webpage",
      title: "A picture",
      thumbnailUrl: `${site.url}/media/lost.jpg`
    },
    files: ["transcript.txt", "page.md"]
  },
  "/carousel": {
    facts: { ...photos("A photo post", 4, "slide1.jpg"), description: "Four slides." },
    files: ["thumbnail.jpg", "description.txt", ...slides([1, 2, 3, 4])]
  },
  "/carousel/odd": {
    facts: photos("Odd slides", 7, "odd1.gif"),
    files: ["thumbnail.jpg", ...slides([1, 2, 3, 6, 7])],
    warnings: ["image.04.jpg could not be fetched.", "image.05.jpg could not be fetched."]
  },
  "/fx/photos": {
    facts: { ...photos("A fixture", 4, "slide1.jpg"), uploader: "Ada Fixture", commentCount: 0 },
    files: ["thumbnail.jpg", ...slides([1, 2, 3, 4])]
  },
  "/media/thumb.webp": {
    facts: photos("thumb", 1, "thumb.webp"),
    files: ["thumbnail.jpg", "image.01.jpg"]
  },
  "/documents/paper.pdf": {
    facts: { ...UNTOLD, kind: "webpage", title: null },
    files: ["transcript.txt", "page.md"]
  },
  "/documents/recipe.docx": { ...DOCUMENT, facts: { ...DOCUMENT.facts, title: "Bread & ovens" } },
  "/documents/talk.pptx": { ...DOCUMENT, facts: { ...DOCUMENT.facts, title: "Bread & ovens" } },
  "/documents/book.epub": DOCUMENT,
  "/words.txt": {
    facts: { ...UNTOLD, kind: "webpage", title: null },
    files: ["transcript.txt", "page.md"]
  }
};

// The same files on every machine: tesseract, if there is one, may read words in generated pictures.
const programs = { tesseract: "off" };

/** Short, for a picture that never comes. */
const limits = { smallFetchTimeoutMs: 5_000 };

const workDir = temporaryFolder();

const preview = (path: string) =>
  Downloader.use(({ preview: read }) => {
    assert.isDefined(read);
    return read(site.url + path, {});
  });

const picturedBy = (address: string): string => `/article/pictured?of=${encodeURIComponent(address)}`;

const INTERNAL = "http://127.0.0.1:9/secret.jpg";

layer(downloaderOf(site, workDir, { programs, limits }), { excludeTestServices: true })((it) => {
  describe("A page without a video", () => {
    for (const [path, expected] of Object.entries(OUTCOMES)) {
      it.effect(`at ${path} has exactly its facts and its files`, () => assertOutcome(site, path, expected));
    }

    it.effect(
      "that is a paginated document marks the end of each page, and reports a required password",
      () =>
        Effect.gen(function* () {
          const talk = yield* fetch(`${site.url}/documents/talk.pptx`);
          assert.match(textOf(talk, "transcript.txt"), /Five loaves\n\fThe second slide\nIts words\n\f/u);
          assert.match(textOf(talk, "page.md"), /<!-- page 2 -->\n\n## The second slide/u);
          assert.deepStrictEqual(
            talk.sections?.map(({ heading, page }) => [page, heading]),
            [
              [1, "The first slide"],
              [2, "The second slide"]
            ]
          );
          const locked = yield* Effect.flip(inspect(`${site.url}/documents/locked.epub`));
          assert.deepStrictEqual(
            [locked.reason, locked.message],
            ["not_extractable", "The document is encrypted: it requires a password."]
          );
        })
    );

    it.effect.each([
      ["/mistyped/picture", "photos"],
      ["/mistyped/picture?type=text/html", "photos"],
      ["/mistyped/paper", "webpage"]
    ] as const)("at %s is told by its bytes, whatever its type", ([path, kind]) =>
      Effect.gen(function* () {
        assert.strictEqual((yield* fetch(site.url + path)).facts.kind, kind);
      })
    );

    it.effect.each([
      ["/documents/drawing.pdf", /^No text of the document can be read: /u, /or with larger scans/u],
      ["/media/bomb.png", /^The picture is damaged, has more than 64 million pixels/u, /a smaller picture/u],
      ["/picture.tiff", /^The picture is neither JPEG, PNG/u, /in one of these formats/u],
      ["/json", /^By its type or its bytes, the file is neither HTML, PDF/u, /of one of these types/u]
    ] as const)("at %s is nothing that can be read, and says what can", ([path, message, hint]) =>
      Effect.gen(function* () {
        const failure = yield* Effect.flip(Effect.scoped(fetch(site.url + path)));
        assert.strictEqual(failure.reason, "not_extractable");
        assert.match(failure.message, message);
        assert.match(failure.hint ?? "", hint);
      })
    );

    it.effect("has its slides in order, the first frame of an animation, without hidden metadata", () =>
      Effect.gen(function* () {
        const fetched = yield* fetch(`${site.url}/carousel/odd`, { wantsOf: () => [] });
        const seen = yield* Effect.forEach(slides([1, 2, 3, 6, 7]), (name) =>
          Effect.promise(() => sharp(bytesOf(fetched, name)).metadata())
        );
        assert.deepStrictEqual(
          seen.map(({ format, width, pages, exif, xmp, icc }) => [
            format,
            width,
            pages,
            exif ?? xmp ?? icc ?? null
          ]),
          [
            ["jpeg", 40, undefined, null],
            ["jpeg", 40, undefined, null],
            ["jpeg", 400, undefined, null],
            ["jpeg", 400, undefined, null],
            ["jpeg", 64, undefined, null]
          ]
        );
        const [red = 0, , blue = 0] = yield* Effect.promise(() =>
          sharp(bytesOf(fetched, "image.01.jpg")).resize(1, 1).raw().toBuffer()
        );
        assert.isTrue(red > 200 && blue < 50, "it is not the first picture");
        const [leftRed = 0, , leftBlue = 0] = yield* Effect.promise(() =>
          sharp(bytesOf(fetched, "image.07.jpg"))
            .extract({ left: 8, top: 8, width: 1, height: 1 })
            .raw()
            .toBuffer()
        );
        assert.isTrue(leftRed > 180 && leftBlue < 70, "the colours of the telephone's picture are wrong");
        assert.notInclude(Buffer.from(bytesOf(fetched, "image.07.jpg")).toString("latin1"), "HIDDEN");
      })
    );
  });

  describe("The preview", () => {
    it.effect.each(["/watch/talk", "/carousel", "/article"])(
      "of %s is small, and does not look again",
      (path) =>
        Effect.gen(function* () {
          const facts = yield* inspect(site.url + path);
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
});
