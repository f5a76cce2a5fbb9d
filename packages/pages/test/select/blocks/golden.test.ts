import { readFileSync } from "node:fs";
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

  it("has its warning in the head of every file that its numbers come from", () => {
    const files = ["BlockFeatures", "BlockWords"].map((name) => `select/blocks/${name}.ts`);
    const seen = new Set([...files, "parse/ParsedPage.ts", "parse/PageScan.ts"]);
    for (const file of seen) {
      const url = new URL(`../../../src/${file}`, import.meta.url);
      const text = readFileSync(url, "utf8");
      assert.match(text.split("*/", 1)[0] ?? "", /Retrain: train\/train-page-text\.ts/u, file);
      for (const [, from = ""] of text.matchAll(/^import (?!type\b)[^;]*? from "(\.[^"]+)";$/gmu)) {
        const path = new URL(from, url).pathname.split("/src/").at(-1) ?? "";
        if (path !== "PageLimits.ts") seen.add(path);
      }
    }
  });

  it.each(goldenPages())(
    "reads the text of a $name as it did when it was trained",
    async ({ html, name }) => {
      const { plain: text } = await readText(html);
      assert.strictEqual(`${text}\n`, goldenText(name));
    }
  );
});
