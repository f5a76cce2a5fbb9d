import { assert, describe, it } from "@effect/vitest";
import { cutBlocks } from "../../src/select/blocks/Blocks.ts";
import { type Byline, bylineOf } from "../../src/facts/PageByline.ts";
import { dateIn } from "../../src/facts/PageDate.ts";
import { parsePage } from "../../src/parse/ParsedPage.ts";
import { page, paragraphs, read, readMetadata } from "../pages.ts";

const bylineIn = (around: string, before = ""): Byline => {
  const { root } = parsePage(`<main>${before}<h1>Bread</h1>${around}${paragraphs(3)}</main>`);
  return bylineOf(cutBlocks(root).blocks, "Bread");
};

describe("a byline around the heading", () => {
  it("names its author after By or a label", () => {
    for (const line of [
      "<p>By Mira Tal</p>",
      "<p>Written by: Mira Tal | 3 min read</p>",
      "<div><span>Written by</span><span>Mira Tal</span></div>",
      "<p>Author</p><p>Mira Tal</p>",
      "<p>By <a href='/x'>Mira Tal</a> on March 4, 2025</p>"
    ])
      assert.strictEqual(bylineIn(line).author, "Mira Tal", line);
  });

  it("names an author by a link to the author's page, or by a name next to a date", () => {
    assert.strictEqual(bylineIn("<p><a href='/authors/mira-tal'>Mira Tal</a></p>").author, "Mira Tal");
    assert.strictEqual(bylineIn("<p>Mira Tal</p><p>March 4, 2025</p>").author, "Mira Tal");
    assert.strictEqual(bylineIn("", "<p>By Mira Tal</p>").author, "Mira Tal");
  });

  it("names the signing author anywhere on the page, and none if several sign", () => {
    const signed = "<p>This post was written by Mira Tal, head of ovens.</p>";
    assert.strictEqual(bylineIn(`${paragraphs(30)}${signed}`).author, "Mira Tal");
    assert.strictEqual(
      bylineIn(`${paragraphs(30)}<h4>Article by</h4><div>Mira Tal</div>`).author,
      "Mira Tal"
    );
    assert.isNull(bylineIn(`${paragraphs(30)}${signed}<p>Written by Ida Marks</p>`).author);
  });

  it("reads a name before a role and a date, or after a date", () => {
    assert.strictEqual(bylineIn("<p>Mira Tal | Senior Writer | July 2, 2025</p>").author, "Mira Tal");
    assert.strictEqual(bylineIn("<p>03/01/2017 by Mira Tal</p>").author, "Mira Tal");
  });

  it("prefers a date that is not described as a change, and reads one described as publication", () => {
    const changed = "<p>Updated March 9, 2025</p>";
    assert.strictEqual(bylineIn(`${changed}<p>March 4, 2025</p>`).date, "20250304");
    assert.strictEqual(bylineIn(changed).date, "20250309");
    const posted = bylineIn(`${paragraphs(30)}<p>Posted on March 4, 2025</p>`);
    assert.deepStrictEqual([posted.date, posted.bareDate], [null, "20250304"]);
  });

  it("reads numeric dates with the year first, with any separator", () => {
    for (const line of ["Essay - Published: 2025.03.04 | ", "Posted 2025/03/04", "Posted 2025-03-04"])
      assert.strictEqual(bylineIn(`<p>${line}</p>`).date, "20250304", line);
    assert.isNull(bylineIn("<p>Version 2025.03.04.1</p><p>From 2025.03/04</p>").date);
  });

  it("is next to the title, even if that is not a first-level heading", () => {
    const html = `<h1>Valley News</h1><p>by Otto Head</p><ul><li>Home</li><li>About</li></ul><p>May 9, 2025</p>
      ${paragraphs(9)}<h3>Better bread</h3><p>By Mira Tal</p><p>March 4, 2025</p>${paragraphs(3)}`;
    const { blocks } = cutBlocks(parsePage(html).root);
    const { author, date } = bylineOf(blocks, "Better bread");
    assert.deepStrictEqual([author, date], ["Mira Tal", "20250304"]);
    assert.strictEqual(bylineOf(blocks, "Better bread!?").author, "Mira Tal");
    assert.strictEqual(bylineOf(blocks, "Elsewhere").author, "Otto Head");
  });

  it("is not one of members, offers or cards of other pages", () => {
    for (const line of ["Joined: July 4, 2012", "Member since July 4, 2012", "Valid until July 4, 2012"])
      assert.strictEqual(bylineIn(`<p>${line}</p><p>March 4, 2025</p>`).date, "20250304", line);
    assert.isNull(bylineIn("<p>Joined: July 4, 2012</p>").bareDate);
    assert.strictEqual(bylineIn(`${paragraphs(30)}<p>By: Mira Tal</p>`).author, "Mira Tal");
    assert.isNull(bylineIn(`${paragraphs(30)}<h3>Ovens</h3><p>By Mira Tal</p>`).author);
  });

  it("names the nearest person, and no editors or reviewers", () => {
    const far = `<p>Ovens</p><p>Mills</p><p>Salt</p><p>Stone</p><p>Starter</p><p>Peel</p>`.repeat(2);
    const near = `<p>Mira Tal</p><p>March 4, 2025</p>${far}<p>By Ida Marks</p>`;
    assert.strictEqual(bylineIn(near).author, "Mira Tal");
    for (const line of ["Reviewed by Ida Marks", "Fact-checked by Ida Marks", "Photo by Ida Marks"])
      assert.strictEqual(
        bylineIn(`<p class="byline">${line}</p><p>By Mira Tal</p>`).author,
        "Mira Tal",
        line
      );
  });

  it("names the person whom a biography describes", () => {
    const told = "<p>Mira Tal is a baker and an author. She lives beside the mill and writes of flour.</p>";
    assert.strictEqual(bylineIn(`<p>Mira Tal</p>${paragraphs(9)}${told}`).author, "Mira Tal");
    assert.strictEqual(bylineIn(`${paragraphs(30)}<h4>Mira Tal</h4>${told}`).author, "Mira Tal");
    const ofGoods = "<p>Stone Oven is a machine that reaches the heat of a volcano within minutes.</p>";
    assert.isNull(bylineIn(`<p>Stone Oven</p>${paragraphs(9)}${ofGoods}`).author);
  });

  it("does not name places in menus, topics or parts of the title", () => {
    const day = "<p>March 4, 2025</p>";
    const menu = `<ul><li>Stone Ovens</li><li>A</li><li>B</li><li>C</li></ul>`;
    assert.isNull(bylineIn(`<p>Stone Ovens</p>${day}`, menu).author);
    for (const line of ["Food &amp; Drink", "Valley Tax and Accounting", "Mira's Weblog", "Join Us"])
      assert.isNull(bylineIn(`<p>${line}</p>${day}`).author, line);
    const { blocks } = cutBlocks(parsePage(`<h1>Better Bread Ovens</h1><p>Bread Ovens</p>${day}`).root);
    assert.isNull(bylineOf(blocks, "Better Bread Ovens").author);
  });

  it("names no part of the site or author of a comment", async () => {
    for (const author of ["RSS Comments", "NPC Map", "Mira Tal sagt:", "Mira says:", "No Author"]) {
      const { details } = await readMetadata(
        page({
          body: `<article><h1>Bread</h1><span class="author">${author}</span>${paragraphs(3)}</article>`
        })
      );
      assert.isNotOk(details.author, author);
    }
    const comments = `<ol class="comment-list"><li class="comment"><cite class="comment-author">Ida Marks</cite><p>We liked it very much.</p></li></ol>`;
    const { details } = await readMetadata(
      page({ body: `<article><h1>Bread</h1>${paragraphs(3)}</article>${comments}` })
    );
    assert.isNotOk(details.author);
  });

  it("names nobody from cards of other pages, quotations, reviews and front pages", async () => {
    const named = async (body: string, url = "https://site.test/ovens"): Promise<string | null> =>
      (await read(page({ head: "<title>Ovens</title>", body: `<h1>Ovens</h1>${body}` }), "text/html", url))
        .metadata.details.author?.name ?? null;
    const card = (title: string): string =>
      `<li><h3><a href="/x">${title}</a></h3><p>By <a rel="author" href="/authors/mira">Mira Tal</a></p></li>`;
    const mark = '<span class="author">Mira Tal</span>';
    for (const body of [
      `<ul>${card("Mills of the valley").repeat(3)}</ul>${paragraphs(3)}`,
      `<div><a href="/x"><h2>Mills of the valley</h2><p>By Mira Tal</p></a></div>${paragraphs(3)}`,
      `<blockquote><p>Best oven ever.</p><footer>${mark}</footer></blockquote>${paragraphs(3)}`,
      `<div class="TestimonialCard"><p>Best oven ever.</p>${mark}</div>${paragraphs(3)}`,
      `${paragraphs(3)}<div class="review"><meta itemprop="author" content="Mira Tal"><p>Best.</p></div>`,
      `<p><a href="/category/stone-ovens/">Stone Ovens</a></p><p>March 4, 2025</p>${paragraphs(3)}`
    ])
      assert.isNull(await named(body), body.slice(0, 200));
    assert.strictEqual(
      await named(`<p>By Mira Tal</p>${paragraphs(3)}<ul>${card("Mills")}</ul>`),
      "Mira Tal"
    );
    assert.strictEqual(
      await named(`<div><h3><a href="/ovens">Ovens</a></h3>${mark}</div>${paragraphs(3)}`),
      "Mira Tal"
    );
    assert.isNull(await named(`<p>By Mira Tal</p>${paragraphs(3)}`, "https://site.test/"));
  });

  it("reads a name that is glued to By or followed by a day of a forum, and no days or ages", async () => {
    const marked = async (author: string): Promise<string | null> =>
      (await read(page({ body: `<h1>Bread</h1><p class="author">${author}</p>${paragraphs(3)}` }))).metadata
        .details.author?.name ?? null;
    assert.strictEqual(await marked("<b>by</b><a>Mira Tal</a>"), "Mira Tal");
    assert.strictEqual(await marked("by Mira Tal » Tue Aug 27, 2019 1:47 am"), "Mira Tal");
    for (const none of ["Sun Dec 17, 2023 11:23 am", "mira mira Over a year ago", "Our Research Team"])
      assert.isNull(await marked(none), none);
  });

  it("names no one if there is no name", () => {
    for (const line of [
      "<p>By the river</p>",
      "<p>Bystanders Were Amazed</p>",
      "<p>Latest News</p><p>March 4, 2025</p>",
      "<p>Mira Tal</p>",
      ""
    ])
      assert.isNull(bylineIn(line).author, line);
  });

  it("has the first full date of its lines, as written", () => {
    assert.strictEqual(bylineIn("<p>Updated March 4, 2025 at noon</p>").date, "20250304");
    assert.strictEqual(bylineIn("<p>5 min</p><p>4 March 2025</p>").date, "20250304");
    assert.isNull(bylineIn("<p>March 4</p>").date);
  });
});

describe("a date inside a line", () => {
  it("in digits is read only if it is unambiguous", () => {
    assert.strictEqual(dateIn("posted 2025-03-04 by Mira"), "20250304");
    assert.strictEqual(dateIn("Am 4.3.2025 erschienen"), "20250304");
    assert.strictEqual(dateIn("on 25/12/2024"), "20241225");
    assert.strictEqual(dateIn("4 Mart 2025, Salı"), "20250304");
    assert.isNull(dateIn("on 3/4/2025"));
  });
});
