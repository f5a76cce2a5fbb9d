import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { page, PAGE_URL, read } from "@winnow/pages/test/pages";
import { pageSource } from "../../src/sources/inspect/pageSource.ts";

const sourceOf = (body: string) =>
  Effect.promise(() => read(page({ head: "<title>Bread</title>", body }))).pipe(
    Effect.flatMap((reading) =>
      pageSource(PAGE_URL, { _tag: "Read", url: PAGE_URL, page: reading }, "no_media")
    )
  );

describe("a page without media", () => {
  it.effect.each([
    "<p>Bread</p><script src='/app.js'></script>",
    "<p>You need to enable JavaScript to run this app.</p>",
    "<div id='root'></div><noscript>This site requires JavaScript.</noscript>"
  ])("is no article if it shows nothing without its scripts: %s", (body) =>
    Effect.gen(function* () {
      assert.strictEqual((yield* Effect.flip(sourceOf(body))).reason, "not_extractable");
    })
  );

  it.effect.each([
    "You need some JavaScript to follow this course, and an afternoon.",
    `Before you begin, enable JavaScript. ${"The oven has to be hot before the loaves go in. ".repeat(5)}`
  ])("is one if it is a note about them, or long enough for its server to have made it: %s", (text) =>
    Effect.gen(function* () {
      assert.strictEqual((yield* sourceOf(`<p>${text}</p>`)).source._tag, "Webpage");
    })
  );
});
