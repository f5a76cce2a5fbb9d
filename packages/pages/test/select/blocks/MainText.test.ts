import { assert, describe, it } from "@effect/vitest";
import { mainText } from "../../../src/select/blocks/MainText.ts";
import { cutBlocks } from "../../../src/select/blocks/Blocks.ts";
import { blockFeatures } from "../../../src/select/blocks/BlockFeatures.ts";
import { WORD_KINDS } from "../../../src/select/blocks/BlockWords.ts";
import { shippedModel } from "../../../src/select/blocks/ShippedModel.ts";
import { scanPage } from "../../../src/parse/PageScan.ts";
import { parsePage } from "../../../src/parse/ParsedPage.ts";
import { readBytes } from "../../../src/ReadBytes.ts";
import { jsonLd, og, page, PAGE_URL, paragraphs, read, readText } from "../../pages.ts";

const NAVIGATION = `<header><nav><ul>${["Home", "Sport", "Weather", "Politics", "Culture"]
  .map((name) => `<li><a href="/${name}">${name}</a></li>`)
  .join("")}</ul></nav></header>`;
const FOOTER = `<footer><p>© 2025 Valley News. All rights reserved.</p><a href="/privacy">Privacy policy</a></footer>`;

const around = (main: string, head = ""): string =>
  page({ head: `<title>Bread</title>${head}`, body: NAVIGATION + main + FOOTER });

const COMMENT = `<li class="comment"><b>Ada</b><p>We tried this with rye and a longer rise, and it came out well, thank you for it.</p></li>`;

describe("the main text", () => {
  it("of an article is the article, without the comments below it", async () => {
    const html = around(
      `<article class="post"><h1>Bread</h1>${paragraphs(6)}</article><div id="comments"><h3>Comments</h3><ol>${COMMENT.repeat(4)}</ol></div>`,
      og([["type", "article"]])
    );
    const { plain: text } = await readText(html);
    assert.include(text, "Part 1.");
    assert.include(text, "Part 6.");
    assert.notMatch(text, /rye|Weather|Privacy/u);
  });

  it("of a thread is its posts", async () => {
    const posts = Array.from(
      { length: 5 },
      (_, index) =>
        `<article class="message post"><div class="message-content">Answer ${index}: I would let the dough rest for a whole night, and bake it on a stone.</div></article>`
    );
    const html = around(
      `<main><h1>How long should dough rest?</h1>${posts.join("")}</main>`,
      jsonLd({ "@type": "DiscussionForumPosting", headline: "How long should dough rest?" })
    );
    const { plain: text } = await readText(html);
    for (const index of [0, 4]) assert.include(text, `Answer ${index}: I would`);
    assert.notMatch(text, /Weather|Privacy/u);
  });

  it("of documentation keeps its headings, lists and code", async () => {
    const html = around(
      `<main><h1>Baking API</h1>${paragraphs(2)}<h2>Options</h2><ul><li>The temperature of the oven in degrees.</li><li>The time in minutes.</li></ul><pre><code>bake({ degrees: 240 })</code></pre>${paragraphs(2)}</main>`
    );
    const { plain: text } = await readText(html);
    for (const part of ["Options", "The temperature of the oven", "bake({ degrees: 240 })"])
      assert.include(text, part);
  });

  it("has text once that the page repeats for small and large screens", async () => {
    const words =
      "Part 7. This is what unfolds below, and the same again for those who read it on a telephone.";
    const html = around(
      `<article class="post"><h1>Bread</h1>${paragraphs(6)}<p class="small">${words}</p><p class="large">${words}</p></article>`,
      og([["type", "article"]])
    );
    assert.strictEqual((await read(html)).text.plain.split(words).length, 2);
  });

  it("keeps what it repeats itself, such as the chorus of a song", async () => {
    const chorus = "Shake it out, shake it out, let the chaff fly away on the wind of the day.";
    const verses = paragraphs(3).split("\n");
    const html = around(
      `<article><h1>Song</h1>${verses.map((verse) => `${verse}<p>${chorus}</p>`).join("")}</article>`
    );
    const { plain: text } = await readText(html);
    assert.strictEqual(text.split(chorus).length, 4);
  });

  it("keeps the same meal of several days", async () => {
    const meal = "Two slices of rye bread with butter, an apple and a glass of milk.";
    const days = ["monday", "tuesday", "friday"].map(
      (day) =>
        `<div class="day ${day}"><h2>On ${day}</h2><p>${meal}</p><p>In the evening of ${day}: a soup of beans, barley and leek.</p></div>`
    );
    const { plain: text } = await readText(
      around(`<article><h1>Plan</h1>${paragraphs(2)}${days.join("")}${paragraphs(1)}</article>`)
    );
    assert.strictEqual(text.split(meal).length, 4);
  });

  it("is the same however the page was reached", async () => {
    const html = new TextEncoder().encode(
      around(
        `<article><h1>Song</h1>${paragraphs(2)}<p>La la la,<br>away,<br>away.</p><h2>More</h2><ul><li>Rye</li><li>Oats</li></ul></article>`
      )
    );
    const texts = new Set<string>();
    for (const path of [
      "",
      "song-lyrics",
      "Mill-the-song-of-the-sieve-lyrics",
      "forum/t/1",
      "products/7",
      "2025/03/04/news"
    ]) {
      const outcome = await readBytes(html, { url: `https://site.test/${path}`, contentType: "text/html" });
      texts.add("reading" in outcome ? outcome.reading.text.plain : "");
    }
    assert.strictEqual(texts.size, 1);
    assert.include([...texts][0], "Part 2.");
  });

  it("of a song is its lines and sections, without what stands above and between them", async () => {
    const lyrics = (lines: string): string =>
      `<div data-lyrics-container="true" class="Lyrics__Container-sc-1">${lines}</div>`;
    const header = `<div data-exclude-from-selection="true" class="LyricsHeader__Container"><button>12 Contributors</button>
      <div><button>Translations</button><ul><li><a href="/de">Deutsch</a></li><li><a href="/fr">Français</a></li></ul></div>
      <h2 class="LyricsHeader__Title">Song of the Sieve Lyrics</h2></div>`;
    const between = `<div class="SidebarAd__Container"><div>Advertisement</div><p>Get tickets as low as $42</p></div>
      <div class="InreadContainer__Container"><div class="RecommendedSongs__Header">You might also like</div>
      <a href="/x"><div>Rye in the Rain</div><div>The Bakers</div></a><a href="/y"><div>Oats</div><div>The Bakers</div></a></div>`;
    const { markdown, plain: text } = await readText(
      page({
        head: "<title>The Millers – Song of the Sieve Lyrics | Verses</title>",
        body: `<nav class="PageHeader__Nav"><a href="/">Verses</a> <a href="/charts">Charts</a> <a href="/promote">Promote your music</a></nav>
          <main class="SongPage__Container"><div class="SongHeader__Container"><h1>Song of the Sieve</h1>
          <div><a href="/artists/the-millers">The Millers</a></div><span>Mar. 4, 2025</span><span>12.3K views</span></div>
          <div class="Lyrics__Root">${lyrics(
            header +
              "[Verse 1]<br>The morning came over the hill<br>" +
              '<a href="/9/sieve"><span>And the stones were turning<br>As they always will</span></a><br><br>' +
              "[Chorus]<br>Shake it out, shake it out<br>Let the chaff fly away<br>"
          )}${between}${lyrics(
            "[Verse 2]<br>The evening came down on the yard<br>And the <i>bread</i> in the oven was hard<br><br>" +
              "[Chorus]<br>Shake it out, shake it out<br>Let the chaff fly away"
          )}<div class="LyricsFooter__Container"><button>Embed</button></div></div>
          <div class="About__Container"><h2>About</h2><p>A song.</p></div></main>
          <footer class="PageFooter"><a href="/about">About us</a><p>© 2025 Media</p></footer>`
      })
    );
    const chorus = "[Chorus]\nShake it out, shake it out\nLet the chaff fly away";
    assert.strictEqual(
      text.replace("Song of the Sieve Lyrics\n", ""),
      `[Verse 1]\nThe morning came over the hill\nAnd the stones were turning\nAs they always will\n${chorus}\n` +
        `[Verse 2]\nThe evening came down on the yard\nAnd the bread in the oven was hard\n${chorus}`
    );
    assert.include(markdown, "in the oven was hard\n\n\\[Chorus]\\\nShake it out, shake it out\\\nLet");
  });

  it("of a page kept within another is the text of both bodies", async () => {
    const { plain: text } = await readText(
      `<html><body><p>Kept on 3 May.</p></body><body><article><h1>Bread</h1>${paragraphs(4)}</article></body></html>`
    );
    assert.include(text, "Part 4.");
  });

  it("is empty if no block is likely, and has the most likely one otherwise", () => {
    const html = around(`<main>${paragraphs(3)}</main>`);
    const { root } = parsePage(html);
    const blocks = cutBlocks(root);
    const source = { scan: scanPage(root), url: PAGE_URL };
    const chosen = (likeliest: number): number =>
      mainText(
        blocks,
        Float32Array.from(blocks.blocks, ({ isProse }) => (isProse ? likeliest : 0.01)),
        source
      ).blocks.length;
    assert.strictEqual(chosen(0.16), 0);
    assert.strictEqual(chosen(0.6), 3);
  });
});

describe("the model", () => {
  it("expects the features that it gets", () => {
    const { root } = parsePage(around(`<article>${paragraphs(3)}</article>`));
    const blocks = cutBlocks(root);
    const rows = blockFeatures(blocks, scanPage(root), PAGE_URL);
    const count = rows[0]?.length ?? 0;
    assert.isTrue(rows.every((row) => row.length === count));
    const { forest, words } = shippedModel();
    assert.isBelow(Math.max(...forest.feature), count + WORD_KINDS);
    assert.strictEqual(words.length, WORD_KINDS);
  });
});
