import { assert, describe, it } from "@effect/vitest";
import { page, paragraphs, read } from "../pages.ts";

const KEY = 0x4a;

/** As Cloudflare covers it. */
const cover = (address: string): string =>
  Buffer.from([KEY, ...Buffer.from(address).map((byte) => byte ^ KEY)]).toString("hex");

const PATH = "/cdn-cgi/l/email-protection";
const SHOWN = "[email&#160;protected]";
const COVERED = cover("mira@bakery.test");

const withLine = (line: string) =>
  read(page({ body: `<article>${paragraphs(3)}<p>${line}</p>${paragraphs(2)}</article>` }));

describe("an e-mail address that Cloudflare covers", () => {
  it.each([
    [
      "in a link",
      `Write to <a href="${PATH}" class="__cf_email__" data-cfemail="${COVERED}">${SHOWN}</a> now.`
    ],
    [
      "in a link to itself",
      `Write to <a href="${PATH}#${COVERED}"><span class="__cf_email__" data-cfemail="${COVERED}">${SHOWN}</span></a> now.`
    ],
    [
      "in a link that alone knows it",
      `Write to <a href="https://site.test${PATH}#${COVERED}">${SHOWN}</a> now.`
    ],
    [
      "with a subject",
      `Write to <a href="${PATH}#${cover("mira@bakery.test?subject=Two loaves")}">${SHOWN}</a> now.`
    ]
  ])("is in the text, the Markdown and the links: %s", async (_, line) => {
    const {
      text: { links, markdown, plain: text }
    } = await withLine(line);
    assert.include(text, "Write to mira@bakery.test now.");
    assert.include(markdown, "Write to [mira@bakery.test](mailto:mira@bakery.test) now.");
    assert.deepStrictEqual(links, [{ url: "mailto:mira@bakery.test", text: "mira@bakery.test" }]);
  });

  it("is behind the words of a link", async () => {
    const {
      text: { links, markdown }
    } = await withLine(`Write to <a href="${PATH}#${COVERED}">the baker</a> now.`);
    assert.include(markdown, "Write to [the baker](mailto:mira@bakery.test) now.");
    assert.deepStrictEqual(links, [{ url: "mailto:mira@bakery.test", text: "the baker" }]);
  });

  it("is any text with that sign, in any language", async () => {
    const line = ["VALLEY@HOME", "jörg@bäckerei.test"]
      .map((address) => `<span class="__cf_email__" data-cfemail="${cover(address)}">${SHOWN}</span>`)
      .join(" and ");
    assert.include((await withLine(line)).text.plain, "VALLEY@HOME and jörg@bäckerei.test");
  });

  it.each(["", "4a", "4a2", "zz", cover("no address"), cover("a@b\n<script>")])(
    "stays covered if it is none: %j",
    async (covered) => {
      const {
        text: { plain: text }
      } = await withLine(`Write to <span data-cfemail="${covered}">somebody</span> now.`);
      assert.include(text, "Write to somebody now.");
    }
  );
});
