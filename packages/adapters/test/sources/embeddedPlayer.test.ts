import { assert, describe, it } from "@effect/vitest";
import { embeddedPlayerOf } from "../../src/sources/inspect/postMedia.ts";

describe("embeddedPlayerOf", () => {
  it("is the player of a video on Vimeo, with the hash that opens an unlisted one", () => {
    assert.strictEqual(embeddedPlayerOf("https://vimeo.com/123"), "https://player.vimeo.com/video/123");
    assert.strictEqual(
      embeddedPlayerOf("https://vimeo.com/123/abcdef0123"),
      "https://player.vimeo.com/video/123?h=abcdef0123"
    );
  });

  it("is null for everything else", () => {
    for (const url of [
      "https://vimeo.com/some-name",
      "https://vimeo.com/123/456",
      "https://vimeo.com/event/123",
      "https://player.vimeo.com/video/123",
      "https://example.com/123"
    ]) {
      assert.isNull(embeddedPlayerOf(url), url);
    }
  });
});
