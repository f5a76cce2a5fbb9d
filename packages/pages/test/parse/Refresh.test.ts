import { assert, describe, it } from "@effect/vitest";
import { resolver } from "../../src/parse/Address.ts";
import { refreshUrl } from "../../src/parse/Refresh.ts";
import { page, paragraphs, read } from "../pages.ts";

const PAGE = "https://site.test/old/page?x=1";
const TARGET = "https://site.test/new";

const target = (content: string): string | null => refreshUrl(content, resolver(PAGE, null), PAGE);

describe("a refresh", () => {
  it.each([
    "0; url=/new",
    "0;URL=/new",
    "0; url='/new'",
    '0; URL = "/new" and more',
    "0;url='/new",
    "10;url=../new",
    "5, url=/new",
    "0 /new",
    "0;/new",
    " 1.5 ; url=/new ",
    ".5;url=https://site.test/new",
    "3;url=//site.test/new"
  ])("%j leads to the next page", (content) => assert.strictEqual(target(content), TARGET));

  it.each([
    "",
    "0",
    "5;",
    "0;URL=",
    "11;url=/new",
    "9999999999999999999999;url=/new",
    "-1;url=/new",
    "soon;url=/new",
    "url=/new",
    "0;url=/old/page?x=1",
    "0;url=#top",
    "0;url=javascript:alert(1)",
    "0;url=data:text/html,x",
    "0;url=https://user@site.test/new",
    `0;url=/${"x".repeat(5_000)}`
  ])("%j leads nowhere", (content) => assert.isNull(target(content)));
});

it("of a million characters is read at once, and leads nowhere", { timeout: 1_000 }, () => {
  for (const content of ["1".repeat(1_000_000), `0${".".repeat(1_000_000)}x`, `0${" ".repeat(1_000_000)}x`])
    assert.isNull(target(content));
});

describe("a page", () => {
  const refresh = `<meta http-equiv="Refresh" content="0; url=next">`;

  it("tells where it sends its readers, relative to its base", async () => {
    const { refreshUrl: next } = await read(page({ head: `<base href="/a/b">${refresh}` }));
    assert.strictEqual(next, "https://site.test/a/next");
  });

  it("keeps its readers if only those without scripts are sent away", async () => {
    for (const inert of [
      `<noscript>${refresh}</noscript>`,
      `<template>${refresh}</template>`,
      `<!--${refresh}-->`
    ])
      assert.isNull(
        (await read(page({ head: `<title>Bread</title>${inert}`, body: paragraphs(2) }))).refreshUrl
      );
  });
});
