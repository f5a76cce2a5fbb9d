import { assert, describe, it } from "@effect/vitest";
import { dateInPath } from "../../src/facts/PageDate.ts";
import { jsonLd, page, paragraphs, readMetadata } from "../pages.ts";

const datesOf = async (body: string, { head = "", lang = "en" } = {}) => {
  const { details, uploadDate } = await readMetadata(page({ head, lang, body: body + paragraphs(3) }));
  return {
    uploadDate,
    modified: details.modifiedAt,
    published: details.publishedAt,
    origins: details.origins
  };
};

const CARDS = `<ul>${["June 1, 2025", "May 2, 2025", "April 3, 2025"]
  .map((day) => `<li><a href="/x">Another page</a><span class="card-date">${day}</span></li>`)
  .join("")}</ul>`;

describe("the day of publication", () => {
  it("is the one next to the heading, not those of cards above and below", async () => {
    const article = "<h1>Bread</h1><p>March 4, 2025</p>";
    assert.strictEqual((await datesOf(`${CARDS}${article}`)).uploadDate, "20250304");
    assert.strictEqual((await datesOf(`${article}${paragraphs(3)}${CARDS}`)).uploadDate, "20250304");
    const above = `<p>March 4, 2025</p><h1>Bread</h1>${paragraphs(9)}`;
    assert.strictEqual((await datesOf(above + CARDS)).uploadDate, "20250304");
  });

  it("comes before the text: a date in a table below the first paragraphs belongs to its subject", async () => {
    const head = jsonLd({ "@type": "Article", headline: "Bread", datePublished: "2025-03-04" });
    const table = "<table><tr><td>1/31/2013</td><td>4 %</td></tr></table>";
    const body = `<h1>Bread</h1>${paragraphs(3)}${table}`;
    assert.strictEqual((await datesOf(body, { head })).uploadDate, "20250304");
  });

  it("in digits is read like the machine-readable date next to it, or like the page's other dates", async () => {
    const timed = `<h1>Bread</h1><time datetime="2017-03-01T12:00:00Z">03/01/2017</time>`;
    assert.strictEqual((await datesOf(timed)).uploadDate, "20170301");
    const open = "<h1>Bread</h1><p>03/01/2017</p>";
    const others = (day: string): string => `${open}${paragraphs(3)}<p>${day}</p>`;
    assert.strictEqual((await datesOf(others("12/17/2016"))).uploadDate, "20170301");
    assert.strictEqual((await datesOf(others("17/12/2016"))).uploadDate, "20170103");
    assert.isNull((await datesOf(open)).uploadDate);
    assert.isNull((await datesOf(`${others("12/17/2016")}<p>18/12/2016</p>`)).uploadDate);
  });

  it("in digits and dashes is read as everywhere else", async () => {
    assert.strictEqual((await datesOf("<h1>Bread</h1><p>15-03-2024</p>")).uploadDate, "20240315");
    assert.isNull((await datesOf("<h1>Bread</h1><p>05-03-2024</p>")).uploadDate);
    const head = jsonLd({ "@type": "Article", headline: "Bread", datePublished: "15/03/2024 10:30" });
    assert.deepStrictEqual((await datesOf("<h1>Bread</h1>", { head })).published, {
      value: "2024-03-15T10:30",
      precision: "minute"
    });
  });

  it("in digits is read in the page's language, unless that is a system's default", async () => {
    const open = "<h1>Bread</h1><p>03/01/2017</p>";
    for (const lang of ["fr", "es-MX", "en-GB", "pt-BR", "it"])
      assert.strictEqual((await datesOf(open, { lang })).uploadDate, "20170103", lang);
    for (const lang of ["en", "en-US", "tlh", "??"])
      assert.isNull((await datesOf(open, { lang })).uploadDate, lang);
  });

  it("is the only date on a line of its own, anywhere on the page, if there is no other", async () => {
    const end = `<h1>Bread</h1>${paragraphs(9)}<div>Mira Tal</div><div>March 4, 2025</div>`;
    assert.strictEqual((await datesOf(end)).uploadDate, "20250304");
    assert.isNull((await datesOf(`${end}<div>May 9, 2025</div>`)).uploadDate);
    assert.isNull((await datesOf(`<h1>Bread</h1>${paragraphs(9)}<div>Updated May 9, 2025</div>`)).uploadDate);
  });

  it("is no birthday", async () => {
    const infobox = (row: string): string =>
      `<h1>Mira Tal</h1><table class="infobox"><tr>${row}</tr><tr><th>Trade</th><td>Baker</td></tr></table>`;
    for (const row of [
      '<th>Born</th><td><span class="bday">1993-03-04</span></td>',
      "<th>Born</th><td>March 4, 1993</td>",
      "<th>Geburtsdatum</th><td>4. März 1993</td>",
      "<th>出生日期</th><td>1993年3月4日</td>",
      "<th>Day</th><td>March 4, 1879</td>"
    ])
      assert.isNull((await datesOf(infobox(row))).uploadDate, row);
    assert.isNull(
      (await datesOf('<h1>Mira</h1><time class="bday" datetime="1993-03-04">once</time>')).uploadDate
    );
  });

  it("may be in the state that a framework stores in an attribute", async () => {
    const state = JSON.stringify({ page: "x".repeat(100), datePublished: "2025-03-04T09:00:00-05:00" });
    const body = `<div data-page="${state.replaceAll('"', "&quot;")}"></div><h1>Bread</h1>`;
    assert.strictEqual((await datesOf(body)).uploadDate, "20250304");
  });

  it("is named in a path also by the name of its month", () => {
    assert.strictEqual(dateInPath("https://site.test/2025/march/04/bread"), "20250304");
    assert.strictEqual(dateInPath("https://site.test/2025/Mar/4/bread"), "20250304");
    for (const path of ["/2025/bread/04/x", "/2025/3/4/x", "/2025/march/bread"])
      assert.isNull(dateInPath(`https://site.test${path}`), path);
  });
});

describe("the day of the last change", () => {
  it("comes from the words next to the heading if the markup has none", async () => {
    const body = "<h1>Bread</h1><p>March 4, 2025</p><p>Last updated:</p><p>May 9, 2025</p>";
    const found = await datesOf(body);
    assert.deepStrictEqual(found.modified, { value: "2025-05-09", precision: "day" });
    assert.deepStrictEqual(found.published, { value: "2025-03-04", precision: "day" });
    assert.strictEqual(found.origins?.["modifiedAt"], "page");
    const head = jsonLd({ "@type": "Article", headline: "Bread", dateModified: "2025-06-01" });
    assert.strictEqual((await datesOf(body, { head })).modified?.value, "2025-06-01");
  });
});
