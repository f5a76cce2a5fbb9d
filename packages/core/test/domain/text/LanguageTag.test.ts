import { assert, describe, it } from "@effect/vitest";
import * as Schema from "effect/Schema";
import { languageDistance, languageTagOf, parseLanguageTag } from "../../../src/domain/text/LanguageTag.ts";

describe("a language tag", () => {
  for (const [written, tag] of [
    ["en", "en"],
    ["pt_br", "pt-BR"],
    ["ZH-hans-cn", "zh-Hans-CN"],
    ["es-419", "es-419"],
    ["eng", "en"],
    ["iw", "he"],
    ["de-DE-1996", "de-DE-1996"],
    ["English", "en"],
    ["ENGLISH (auto-generated)", "en"],
    ["Deutsch", "de"],
    ["Français - Canada", "fr"],
    ["日本語", "ja"],
    ["Türkçe", "tr"]
  ] as const) {
    it(`of ${JSON.stringify(written)} is ${tag}`, () => assert.strictEqual(languageTagOf(written), tag));
  }

  for (const written of [
    "",
    " ",
    "tmp",
    "../../../tmp/evil",
    "..\\en",
    "en/../x",
    "en\u0000",
    "captions",
    "CC1",
    "tmp-Evil",
    "x".repeat(1_000)
  ]) {
    it(`of ${JSON.stringify(written.slice(0, 30))} is unknown`, () => {
      assert.strictEqual(languageTagOf(written), "und");
    });
  }

  it.prop(
    "from any text is canonical, short and safe in a file name",
    { label: Schema.String },
    ({ label }) => {
      const tag = languageTagOf(label);
      assert.match(tag, /^[0-9A-Za-z-]{2,35}$/u);
      assert.strictEqual(languageTagOf(tag), tag);
    }
  );

  it("from a caller must be well-formed and of an existing language", () => {
    assert.strictEqual(parseLanguageTag("pt-br"), "pt-BR");
    for (const text of ["", "English", "und", "x", "en--US", "e n", "*", "zz", "en-".padEnd(60, "a")]) {
      assert.isNull(parseLanguageTag(text), text);
    }
  });
});

describe("the distance of two tags", () => {
  it("is 0 for equal tags, 1 with and without a region, and infinite across regions and scripts", () => {
    assert.strictEqual(languageDistance("pt-BR", "pt-br"), 0);
    assert.strictEqual(languageDistance("en-GB", "en"), 1);
    assert.strictEqual(languageDistance("en", "en-GB"), 1);
    assert.isNull(languageDistance("zh-Hans", "zh-Hant"));
    assert.isNull(languageDistance("und", "en"));
    assert.isNull(languageDistance("eng", "en"));
  });
});
