import { assert, describe, it } from "@effect/vitest";
import { jsonLd, page, paragraphs, read } from "../pages.ts";

const SENTENCE = "The bakery on the corner opens at six, and by seven the queue reaches the bridge.";
const title = "<title>Shop</title>";

describe("a page that needs a browser", () => {
  it("is the empty root of an application", async () => {
    for (const id of ["root", "app", "__next"]) {
      const shell = await read(
        page({ head: title, body: `<div id="${id}"></div><script src="/app.js"></script>` })
      );
      assert.isTrue(shell.needsBrowser, id);
    }
  });

  it("asks for JavaScript and shows nothing else", async () => {
    const notice = "You need to enable JavaScript to run this app.";
    assert.isTrue((await read(page({ head: title, body: `<noscript>${notice}</noscript>` }))).needsBrowser);
    assert.isTrue((await read(page({ head: title, body: `<p>${notice}</p>` }))).needsBrowser);
  });

  it("is a body of scripts alone", async () => {
    const body = `<my-application></my-application><script src="/app.js"></script>`;
    assert.isTrue((await read(page({ head: title, body }))).needsBrowser);
    assert.isTrue((await read(page({ body }))).needsBrowser, "without a title, too");
  });

  it("was not rendered by its server", async () => {
    const rendered = page({ head: title, body: `<div id="root"><main>${paragraphs(6)}</main></div>` });
    assert.isFalse((await read(rendered)).needsBrowser);
    assert.isFalse((await read(page({ head: title, body: "<p>A short note.</p>" }))).needsBrowser);
  });
});

describe("a page whose text was sent as data", () => {
  const data = (value: unknown): string => JSON.stringify(value).replaceAll("<", "\\u003c");

  it("has the running text of the state its framework renders from", async () => {
    const state = { props: { url: "https://site.test/", html: `<p>${SENTENCE}</p>`.repeat(5), id: "abc" } };
    const body = `<div id="__next"></div><script id="__NEXT_DATA__" type="application/json">${data(state)}</script>`;
    const {
      text: { plain: text },
      needsBrowser
    } = await read(page({ head: title, body }));
    assert.isFalse(needsBrowser);
    assert.strictEqual(text, Array.from({ length: 5 }, () => SENTENCE).join("\n"));
  });

  it("has the article body of its JSON-LD", async () => {
    const articleBody = Array.from({ length: 5 }, (_, index) => `${index}. ${SENTENCE}`).join(" ");
    const {
      text: { plain: text },
      needsBrowser
    } = await read(
      page({
        head: title + jsonLd({ "@type": "Article", headline: "H", articleBody }),
        body: `<div id="app"></div>`
      })
    );
    assert.isFalse(needsBrowser);
    assert.strictEqual(text, articleBody);
  });

  it("has what React streamed at its end", async () => {
    const body = `<main><h1>Title</h1></main><div hidden id="S:1f">${paragraphs(4)}</div>`;
    assert.include((await read(page({ body }))).text.plain, "Part 4.");
  });
});
