/** Answers of children that strangers' content may have taken over. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as fc from "fast-check";
import { readProbe } from "../../src/programs/Ffmpeg.ts";
import { classify } from "../../src/sources/failures/classify.ts";
import { readGallery } from "../../src/sources/gallery-dl/GalleryDl.ts";
import { ANSWER_FILE, readAnswer } from "../../src/sources/yt-dlp/YtDlpServer.ts";
import { temporaryFolder } from "./harness.ts";

const folder = temporaryFolder();

const answerTo = (written: string) => {
  writeFileSync(join(folder, ANSWER_FILE), written);
  return Effect.runPromise(readAnswer(folder, 0, 2 ** 20));
};

const failure = {
  ok: false as const,
  type: "Error",
  status: null,
  expected: null,
  extractor: null,
  message: "no"
};

it("an answer of another shape is a failure of the child", async () => {
  const malformed = [
    null,
    7,
    [],
    {},
    { ok: true },
    { ok: "yes", info: {} },
    ...[{ message: 7 }, { message: null }, { type: [] }, { status: "404" }, { extractor: {} }].map(
      (fields) => ({ ...failure, ...fields })
    ),
    { ok: true, info: {}, refused: { captions: { ...failure, message: 7 } } }
  ].map((each) => JSON.stringify(each));
  for (const written of ["", "{", ...malformed]) {
    assert.deepInclude(await answerTo(written), { ok: false, type: "Died" }, written);
  }
  assert.deepEqual(await answerTo(JSON.stringify(failure)), failure);
});

it("no answer of a child makes its classification fail", async () => {
  const fields = fc.record({ type: fc.jsonValue(), message: fc.jsonValue(), extractor: fc.jsonValue() });
  await fc.assert(
    fc.asyncProperty(fields, async (written) => {
      const answer = await answerTo(JSON.stringify({ ...failure, ...written }));
      assert.isString(answer.ok ? "" : classify(answer));
    })
  );
  for (const type of ["constructor", "toString", "__proto__"]) {
    assert.isString(classify({ ...failure, type }));
  }
});

it("a post of gallery-dl is read whatever its category is called", () => {
  const noText = { toString: 1, valueOf: 1 };
  for (const category of ["constructor", "toString", "__proto__", 7, null, {}, noText]) {
    const image = [3, "https://one.test/a.jpg", { extension: "jpg" }];
    const answer = readGallery(JSON.stringify([[2, { category, subcategory: "album" }], image]));
    assert.strictEqual(answer._tag, "Listing");
  }
});

it("a report of ffprobe or gallery-dl with anything in place of a text is read all the same", () => {
  const noText = { toString: 1, valueOf: 1 };
  const streams = [{ codec_type: "video", codec_name: noText, pix_fmt: noText }];
  const [stream] = readProbe(JSON.stringify({ streams, format: noText }))?.streams ?? [];
  assert.deepInclude(stream, { codec: "unknown", pixelFormat: null });
  assert.strictEqual(readGallery(JSON.stringify([[-1, { error: "Any", message: noText }]]))._tag, "Refused");
});
