import { assert, describe, it } from "@effect/vitest";
import { readModelFile } from "../../../src/select/blocks/ShippedModel.ts";
import { readText } from "../../pages.ts";
import { featuresDigest, goldenPages, goldenText } from "./goldenPages.ts";

describe("the shipped model", () => {
  it("is shown the very numbers, in the very order, that it was trained with", () => {
    assert.strictEqual(
      featuresDigest(),
      readModelFile().featuresDigest,
      "a feature changed: train the model again with train/train-page-text.ts --write"
    );
  });

  it.each(goldenPages())(
    "reads the text of a $name as it did when it was trained",
    async ({ html, name }) => {
      const { plain: text } = await readText(html);
      assert.strictEqual(`${text}\n`, goldenText(name));
    }
  );
});
