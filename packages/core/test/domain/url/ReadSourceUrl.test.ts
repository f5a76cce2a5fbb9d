import { assert, describe, it } from "@effect/vitest";
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import { readSourceUrl } from "@winnow/core/source-url";
import { InvalidUrl, UnsupportedUrl } from "../../../src/domain/request/Refusal.ts";
import { parseSourceUrl } from "../../../src/domain/url/SourceUrl.ts";

describe("readSourceUrl", () => {
  it("returns the normalised URL", () => {
    assert.deepStrictEqual(readSourceUrl("https://youtu.be/dQw4w9WgXcQ?si=abc&t=42"), {
      ok: true,
      url: "https://www.youtube.com/watch?v=dQw4w9WgXcQ"
    });
  });

  it("returns code and reason of the error that a submit would return", () => {
    assert.deepStrictEqual(readSourceUrl("example.com"), {
      ok: false,
      code: "invalid_url",
      reason: "not_absolute"
    });
    assert.deepStrictEqual(readSourceUrl("https://user:secret@example.com/"), {
      ok: false,
      code: "unsupported_url",
      reason: "credentials"
    });
    assert.deepStrictEqual(readSourceUrl("https://www.youtube.com/@someone"), {
      ok: false,
      code: "unsupported_url",
      reason: "channel"
    });
  });

  it.each([undefined, null, 5, {}, ["https://example.com/"]])("reports that %j is not a URL", (url) => {
    assert.deepStrictEqual(readSourceUrl(url), { ok: false, code: "invalid_url", reason: "not_absolute" });
  });

  it("has a reason for every refusal, because none can be made without", () => {
    const unreasoned = [
      // @ts-expect-error -- no details
      () => new InvalidUrl({ message: "It is invalid." }),
      // @ts-expect-error -- no reason
      () => new UnsupportedUrl({ message: "It is unsupported.", details: { param: "url" } })
    ];
    assert.lengthOf(unreasoned, 2);
  });

  it.prop("accepts exactly what a submit accepts", { text: Schema.String }, ({ text }) => {
    for (const url of [text, `https://example.com/${text}`, `https://${text}/`]) {
      assert.strictEqual(readSourceUrl(url).ok, Result.isSuccess(parseSourceUrl(url)));
    }
  });
});
