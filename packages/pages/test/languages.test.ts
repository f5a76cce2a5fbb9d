import { assert, describe, it } from "@effect/vitest";
import { LAYOUT_NAMES, LANGUAGE_PAGES, languageHtml } from "./languagePages.ts";
import { readText } from "./pages.ts";

describe.each(LAYOUT_NAMES)("a page made of %s", (layout) => {
  it.each(LANGUAGE_PAGES)("is read completely and without other text in $lang", async (page) => {
    const { plain: text } = await readText(languageHtml(page, layout));
    assert.strictEqual(text, [page.title, ...page.paragraphs].join("\n"));
  });
});
