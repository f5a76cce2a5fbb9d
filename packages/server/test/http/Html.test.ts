import { assert, it } from "@effect/vitest";
import * as Schema from "effect/Schema";
import { html, prose } from "../../src/http/Html.ts";

const CHARACTERS: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

/** As a browser reads it. */
const read = (markup: string): string =>
  markup.replaceAll(/&([^;]*);/gu, (_all, name: string) => CHARACTERS[name] ?? name);

it.prop(
  "any text in HTML ends no element and no attribute, and is read as it is",
  { text: Schema.String },
  ({ text }) => {
    const hostile = `'"><script>&lt;${text}`;
    const { markup } = html`${hostile}`;
    assert.notMatch(markup, /[<>"']/u);
    assert.strictEqual(read(markup), hostile);
  }
);

it("lists, HTML and code in prose are joined as they are, and null is nothing", () => {
  const { markup } = html`<p>${["a<", html`<b>b</b>`, null, 1, prose("run `x<y`")]}</p>`;
  assert.strictEqual(markup, "<p>a&lt;<b>b</b>1run <code>x&lt;y</code></p>");
});
