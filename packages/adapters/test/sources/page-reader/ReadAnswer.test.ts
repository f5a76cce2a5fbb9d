import { assert, describe, it } from "@effect/vitest";
import { jsonFrame } from "@winnow/isolation/process/Frames";
import { readBytes } from "@winnow/pages/ReadBytes";
import { page, PAGE_URL, paragraphs } from "@winnow/pages/test/pages";
import * as Effect from "effect/Effect";
import { readAnswer, readFacts } from "../../../src/sources/page-reader/ReadAnswer.ts";

const html = page({
  head: `<title>Bread</title><meta property="og:image" content="/bread.jpg">`,
  body: `<article><h1>Bread</h1>${paragraphs(6)}<p><a href="/more">More</a></p></article>`
});
const source = { url: PAGE_URL, contentType: "text/html" };
const outcome = await readBytes(new TextEncoder().encode(html), source);

/** The value, once for each of its members: without that member. */
const withoutOne = (value: unknown): ReadonlyArray<unknown> =>
  typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([name, inner]) => [
        ...(Array.isArray(value)
          ? []
          : [Object.fromEntries(Object.entries(value).filter(([key]) => key !== name))]),
        ...withoutOne(inner).map((less) => Object.assign(structuredClone(value), { [name]: less }))
      ]);

describe("the answer of a worker that read a page", () => {
  it.effect("is the reading as it was sent", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* readAnswer(jsonFrame(outcome)), outcome);
      assert.deepStrictEqual(yield* readAnswer(jsonFrame({ refused: "encrypted" })), {
        refused: "encrypted"
      });
    })
  );

  it.effect("is none without any of its members, or with another refusal", () =>
    Effect.gen(function* () {
      if (!("reading" in outcome)) return assert.fail("not read");
      const { details: _, ...metadata } = outcome.reading.metadata;
      const incomplete = [
        ...withoutOne({ ...outcome.reading, metadata }).map((reading) => ({ reading })),
        { reading: { ...outcome.reading, metadata } },
        { refused: "tired" },
        {}
      ];
      for (const each of incomplete)
        assert.strictEqual((yield* Effect.flip(readAnswer(jsonFrame(each)))).reason, "crashed");
    })
  );

  it.effect("has a resolution that a scan can have", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* readFacts({ dotsPerInch: 200 }), { dotsPerInch: 200 });
      for (const dotsPerInch of [0, -1, 1.5, 1e9, "200", null])
        yield* Effect.flip(readFacts({ dotsPerInch }));
    })
  );
});
