import { assert, describe, it } from "@effect/vitest";
import * as Schema from "effect/Schema";
import {
  ARTIFACT_ROWS,
  artifactOf,
  AUDIO_FILE,
  COMMENTS_FILE,
  contentTypeOf,
  DESCRIPTION_FILE,
  isSafeFileName,
  isSlideFile,
  ARTIFACTS,
  pageFiles,
  slideFile,
  subtitleFile,
  THUMBNAIL_FILE,
  TRANSCRIPT_FILE,
  VIDEO_FILE
} from "../../../src/domain/result/ArtifactName.ts";

it("the texts of a webpage are the files whose rows name one", () => {
  assert.deepStrictEqual(pageFiles({ text: "A", markdown: "# A" }), [
    ["transcript.txt", "A"],
    ["page.md", "# A"]
  ]);
  const rows = ARTIFACT_ROWS.filter(({ ofPage }) => ofPage !== undefined);
  assert.isTrue(rows.every(({ kinds, modality }) => kinds.includes("webpage") && modality === "transcript"));
});

describe("a subtitle file", () => {
  const cases: ReadonlyArray<readonly [language: string, name: string]> = [
    ["en", "subtitles.en.vtt"],
    ["pt_br", "subtitles.pt-BR.vtt"],
    ["ZH-hans-cn", "subtitles.zh-Hans-CN.vtt"],
    ["es-419", "subtitles.es-419.vtt"],
    ["English", "subtitles.en.vtt"],
    ["Português (Brasil)", "subtitles.pt.vtt"],
    ["../../../tmp/evil", "subtitles.und.vtt"],
    ["en\u0000.vtt\r\n", "subtitles.und.vtt"],
    ["日本語", "subtitles.ja.vtt"],
    ["", "subtitles.und.vtt"]
  ];
  for (const [language, name] of cases) {
    it(`of language ${JSON.stringify(language)} is ${name}`, () => {
      assert.strictEqual(subtitleFile(language), name);
    });
  }

  it.prop(
    "of any language has a safe name that is recognised as a subtitle",
    { language: Schema.String },
    (given) => {
      const name = subtitleFile(given.language);
      assert.isTrue(isSafeFileName(name) && artifactOf(name) === ARTIFACTS.subtitles, name);
      assert.strictEqual(artifactOf(subtitleFile(given.language.repeat(50))), ARTIFACTS.subtitles);
    }
  );
});

describe("a slide", () => {
  it("is numbered with two digits, with three from a hundred slides on", () => {
    assert.strictEqual(slideFile(1, 4), "image.01.jpg");
    assert.strictEqual(slideFile(99, 99), "image.99.jpg");
    assert.strictEqual(slideFile(7, 100), "image.007.jpg");
  });

  it("is recognised by its name, and names sort by number", () => {
    const names = Array.from({ length: 120 }, (_, index) => slideFile(index + 1, 120));
    assert.isTrue(names.every(isSlideFile));
    assert.deepStrictEqual(names.toSorted(), names);
    assert.isFalse(isSlideFile("image.1.jpg"));
  });
});

describe("the table of artifacts", () => {
  it("recognises each of its files by a safe, unambiguous name", () => {
    for (const row of ARTIFACT_ROWS) {
      const name = row.name.replace("<language>", "pt-BR").replace("<number>", "07");
      assert.isTrue(isSafeFileName(name), name);
      assert.strictEqual(artifactOf(name), row);
    }
    assert.strictEqual(new Set(ARTIFACT_ROWS.map(({ name }) => name)).size, ARTIFACT_ROWS.length);
    for (const name of ["video-mp4", "video.mp4.txt", "subtitles..vtt", "image.1.jpg", ""]) {
      assert.isNull(artifactOf(name), name);
    }
  });
});

describe("a file name", () => {
  it("in the table is safe and has its content type", () => {
    assert.deepStrictEqual(
      [VIDEO_FILE, AUDIO_FILE, TRANSCRIPT_FILE, COMMENTS_FILE, THUMBNAIL_FILE, DESCRIPTION_FILE].map(
        (name) => [name, isSafeFileName(name), contentTypeOf(name)]
      ),
      [
        ["video.mp4", true, "video/mp4"],
        ["audio.m4a", true, "audio/mp4"],
        ["transcript.txt", true, "text/plain; charset=utf-8"],
        ["comments.json", true, "application/json"],
        ["thumbnail.jpg", true, "image/jpeg"],
        ["description.txt", true, "text/plain; charset=utf-8"]
      ]
    );
    assert.strictEqual(contentTypeOf("subtitles.en.vtt"), "text/vtt; charset=utf-8");
    assert.strictEqual(contentTypeOf("page.html"), "application/octet-stream");
    assert.strictEqual(contentTypeOf("mp4"), "application/octet-stream");
  });

  it("with a separator, a parent, NUL or an encoded form of them is not safe", () => {
    const names = ["", ".", "..", "a/b", "a\\b", "a..b", "a\u0000", "a\n", "x".repeat(256)];
    const encoded = ["%2e%2E", "a%2fb", "a%5Cb", "a%00", "%252e%252e%252fetc", "a%25252Fb", "%0a"];
    for (const name of [...names, ...encoded]) assert.isFalse(isSafeFileName(name), JSON.stringify(name));
  });

  it("that merely does not exist is safe", () => {
    for (const name of ["nothing.txt", "my video.mp4", "100%.txt", ".hidden", "ä.jpg", "%20"]) {
      assert.isTrue(isSafeFileName(name), name);
    }
  });
});
