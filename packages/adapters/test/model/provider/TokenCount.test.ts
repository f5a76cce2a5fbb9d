import { assert, describe, it } from "@effect/vitest";
import {
  audioTokens,
  imageTokens,
  inputTokensOf,
  leastTokensOf
} from "../../../src/model/provider/TokenCount.ts";

const said = (content: string) => [{ role: "user" as const, content }];

const ENGLISH = "The tomatoes are chopped and fried before the onions are added. ".repeat(20);
const CHINESE = "把番茄切碎，先煎一下，再放洋葱。".repeat(20);

describe("the estimate of", () => {
  it("a text is by its bytes, so that no language is underestimated; what it takes at least is never more", () => {
    for (const [text, charactersPerToken] of [
      [ENGLISH, 4],
      [CHINESE, 1.5]
    ] as const) {
      const estimate = inputTokensOf(said(text));
      assert.isAtLeast(estimate, [...text].length / charactersPerToken);
      assert.isAtMost(leastTokensOf(said(text)), estimate);
    }
    assert.strictEqual(inputTokensOf(said("")), 0);
  });

  it("messages counts the texts of all parts, and no pictures", () => {
    const image = {
      type: "image_url" as const,
      image_url: { url: `data:image/png;base64,${"A".repeat(9_000)}` }
    };
    const parts = [{ role: "user" as const, content: [{ type: "text" as const, text: ENGLISH }, image] }];
    assert.strictEqual(inputTokensOf(parts), inputTokensOf(said(ENGLISH)));
    assert.strictEqual(inputTokensOf([...parts, ...said(ENGLISH)]), inputTokensOf(said(ENGLISH + ENGLISH)));
  });

  it("an image is by the tiles that it begins in both directions, of a sound by its length", () => {
    assert.strictEqual(imageTokens(1), imageTokens(512));
    assert.strictEqual(imageTokens(513), 4 * imageTokens(512));
    assert.strictEqual(audioTokens(60), 60 * audioTokens(1));
  });
});
