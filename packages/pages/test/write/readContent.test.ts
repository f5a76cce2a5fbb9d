import { assert, describe, it } from "@effect/vitest";
import { resolver } from "../../src/parse/Address.ts";
import { cutBlocks } from "../../src/select/blocks/Blocks.ts";
import { readContent } from "../../src/write/readContent.ts";
import { writeContent } from "../../src/write/writeContent.ts";
import { parsePage } from "../../src/parse/ParsedPage.ts";
import { og, page, PAGE_URL, paragraphs, read, readText } from "../pages.ts";

/** Around every fragment there is enough text for the page to be an article. */
const markdownOf = async (html: string, head = ""): Promise<string> => {
  const body = `<main><article><h1>On bread</h1>${paragraphs(3)}${html}${paragraphs(2)}</article></main>`;
  return (await read(page({ head, body }))).text.markdown;
};

/** The Markdown of all its text, whatever the model would select. */
const wholeMarkdown = (html: string): string => {
  const { blocks, body } = cutBlocks(parsePage(html).root);
  const resolve = resolver(PAGE_URL, null);
  return writeContent({ pages: [readContent({ body: body.element, kept: blocks, resolve })], isPaged: false })
    .markdown;
};

describe("the Markdown of a page", () => {
  it("has headings, emphasis and absolute links without parameters that track", async () => {
    const markdown = await markdownOf(
      '<h2>The <em>second</em> loaf</h2><p>It is <b>best</b> of all, says <a href="/who?id=7&utm_source=x">the baker of the town</a>, and everybody agrees with it.</p>' +
        '<p>Nobody believes <a href="javascript:alert(1)">what the other one says</a> about rye flour and salt.</p>'
    );
    assert.include(markdown, "## The *second* loaf");
    assert.include(
      markdown,
      `It is **best** of all, says [the baker of the town](${new URL("/who?id=7", PAGE_URL)}), and`
    );
    assert.include(markdown, "believes what the other one says about");
  });

  it("nests lists and numbers them as the page does", async () => {
    const markdown = await markdownOf(
      '<ol start="3"><li>Mix the flour with the water from the tap.<ul><li>Wheat flour from the mill.</li><li>Rye flour from the valley.</li></ul></li><li>Wait until the evening, at least.</li></ol>'
    );
    assert.include(
      markdown,
      "3. Mix the flour with the water from the tap.\n   - Wheat flour from the mill.\n   - Rye flour from the valley.\n4. Wait until the evening, at least."
    );
  });

  it("has no headings for entries of a list that only name or link what is elsewhere, but for sections in it", () => {
    const text = "<p>It is baked at night, and eaten in the morning.</p>";
    assert.strictEqual(
      wholeMarkdown(
        `<ul><li><h3><a href="/rye">Rye</a></h3></li><li><h3>Spelt</h3></li></ul><ol><li><a href="/oats"><h3>Oats</h3></a>${text}</li><li><h3>Wheat</h3>${text}</li></ol>`
      ),
      `- **[Rye](${new URL("/rye", PAGE_URL)})**\n- **Spelt**\n\n1. **[Oats](${new URL("/oats", PAGE_URL)})**\n\n   It is baked at night, and eaten in the morning.\n\n2. ### Wheat\n\n   It is baked at night, and eaten in the morning.`
    );
  });

  it("has the words of headings in bold if nothing of their sections was selected, and their places unchanged", () => {
    const html =
      "<h2>Flour</h2><p>Rye.</p><h2>Read next</h2><h3>Of soup</h3><p>Soup.</p><h2>Salt</h2><p>Soup.</p><h3>Sea</h3><p>Fleur.</p><h2>End</h2>";
    const { blocks, body } = cutBlocks(parsePage(html).root);
    const kept = blocks.filter(({ text }) => !text.includes("oup"));
    const content = readContent({ body: body.element, kept, all: blocks, resolve: () => null });
    const { markdown, sections } = writeContent({ pages: [content], isPaged: false });
    assert.strictEqual(
      markdown,
      "## Flour\n\nRye.\n\n**Read next**\n\n## Salt\n\n### Sea\n\nFleur.\n\n## End"
    );
    assert.deepStrictEqual(
      sections.map(({ heading }) => heading),
      ["Flour", "Read next", "Salt", "Sea", "End"]
    );
  });

  it("has the section that a heading without an end tag holds, and the list that a heading is", () => {
    assert.strictEqual(
      wholeMarkdown(
        "<h2>What to <em>bring</em><p></p><p>Our checklist:</p><p>• Water<br>• A towel</p><h3>And then</h3><p>Come.</p></h2>"
      ),
      "## What to *bring*\n\nOur checklist:\n\n- Water\n- A towel\n\n### And then\n\nCome."
    );
    assert.strictEqual(
      wholeMarkdown('<h3>1. <a href="#a">Mix</a><br>2. <a href="#b">Bake</a></h3>').replaceAll(PAGE_URL, ""),
      "1. [Mix](#a)\n2. [Bake](#b)"
    );
    assert.strictEqual(wholeMarkdown("<h2><div>The second</div><div>loaf</div></h2>"), "## The second loaf");
    assert.strictEqual(wholeMarkdown("<h2>The second<br>loaf</h2>"), "## The second loaf");
  });

  it("reads lists that are typed line by line, with bullets or numbers, as lists", async () => {
    const markdown = await markdownOf(
      "<p>These are the flours that the bakery has:<br>• Wheat flour from the mill by the river.<br>•\u00a0<b>Rye flour</b> from the valley, as dark as it gets.</p>" +
        "<p>1. Mix the flour with the water from the tap.</p><p>2. Wait until the evening, at least.</p>" +
        "<p>1. This line stands alone, and nothing of its kind comes after it.</p>"
    );
    assert.include(
      markdown,
      "These are the flours that the bakery has:\n\n- Wheat flour from the mill by the river.\n- **Rye flour** from the valley, as dark as it gets.\n\n" +
        "1. Mix the flour with the water from the tap.\n2. Wait until the evening, at least.\n\n1\\. This line stands alone"
    );
  });

  it("has all lines of a paragraph, however many", () => {
    const markdown = wholeMarkdown(`<p>${"sold: one loaf<br>".repeat(100_000)}</p>`);
    assert.lengthOf(markdown.split("\n"), 100_000);
  });

  it("numbers paragraphs that count from one with other blocks between them, from three on", async () => {
    const step = (number: number, name: string): string =>
      `<p>${number}. ${name}</p><p>What "${name}" is about takes a sentence or two, and this is one of them.</p>`;
    const steps = step(1, "Mix the flour") + step(2, "Wait until the evening") + step(3, "Bake the bread");
    const markdown = await markdownOf(steps);
    for (const item of ["\n1. Mix the flour\n", "\n2. Wait until the evening\n", "\n3. Bake the bread\n"])
      assert.include(`\n${markdown}\n`, item);
    const two = await markdownOf(step(1, "Mix the flour") + step(2, "Wait until the evening"));
    assert.include(two, "2\\. Wait until the evening");
  });

  it("treats dashes as bullets at line starts within one paragraph, and not in dialogue", async () => {
    const markdown = await markdownOf(
      "<p>The flours of the bakery are:<br>– Wheat flour from the mill by the river.<br>– Rye flour from the valley.</p>" +
        "<p>– Good morning, says the baker to the miller.</p><p>– Good morning, says the miller to the baker.</p>"
    );
    assert.include(markdown, "- Wheat flour from the mill by the river.\n- Rye flour from the valley.");
    assert.include(markdown, "\n– Good morning, says the baker");
  });

  it("takes a hyphen before a temperature for its sign", () => {
    const lines = ["- 5 °C", "- 12,5 C", "- 3 eggs", "- 40 cl of water"];
    assert.strictEqual(
      wholeMarkdown(`<p>${lines.join("<br>")}</p>`),
      "\\- 5 °C\\\n\\- 12,5 C\n\n- 3 eggs\n- 40 cl of water"
    );
    assert.strictEqual(wholeMarkdown("<ul><li>- 5 °C</li><li>- 12 °C</li></ul>"), "- \\- 5 °C\n- \\- 12 °C");
  });

  it("keeps a space that is alone in an element between two words", async () => {
    const markdown = await markdownOf(
      '<p>Ask the baker<strong> </strong><a href="/mill">about the mill by the river</a><span><em> </em></span>where the flour comes from.</p>'
    );
    assert.include(markdown, "Ask the baker [about the mill by the river](");
    assert.include(markdown, ") where the flour comes from.");
  });

  it("has a hand-typed number or bullet in a list item only once", async () => {
    const list = (name: string, items: ReadonlyArray<string>): string =>
      `<${name}>${items.map((item) => `<li>${item}</li>`).join("")}</${name}>`;
    const markdown = await markdownOf(
      list("ul", [
        "1.Wheat flour from the mill by the river.",
        "2.Rye flour from the valley, as dark as it gets."
      ]) +
        list("ol", [
          "<div>1</div><p>Mix the flour with the water.</p>",
          "<div>2</div><p>Wait until the evening.</p>"
        ]) +
        list("ul", ["→ Bread of the day, out of the oven.", "→ Bread of yesterday, at half the price."]) +
        list("ul", ["1.5 cups of flour, from the mill.", "2.5 cups of water, from the tap."])
    );
    assert.include(markdown, "1. Wheat flour from the mill by the river.\n2. Rye flour");
    assert.include(markdown, "1) Mix the flour with the water.\n2) Wait until the evening.");
    assert.include(markdown, "- Bread of the day, out of the oven.\n- Bread of yesterday");
    assert.include(markdown, "1.5 cups of flour");
  });

  it("treats a table as data, however long its link URLs", async () => {
    const address = `https://page.test/${"bread/".repeat(90)}`;
    const markdown = await markdownOf(
      `<table><tr><th>Flour of the week</th><th>Bakery in the town</th></tr><tr><td><a href="${address}">Wheat flour</a></td><td><a href="${address}">The house by the mill</a></td></tr></table>`
    );
    assert.include(markdown, "| Flour of the week | Bakery in the town |\n| --- | --- |");
  });

  it("keeps table rows with a row header and otherwise images", async () => {
    const row = (head: string): string =>
      `<tr><th scope="row">${head}</th><td><i class="yes"></i></td><td><i class="no"></i></td></tr>`;
    const markdown = await markdownOf(
      "<table><tr><td></td><th>The bakery on the corner</th><th>The house by the mill</th></tr>" +
        `${row("Bread of the day before")}${row("Rolls on a Sunday")}<tr><th>Opens at</th><td>six</td><td>seven</td></tr></table>`
    );
    assert.include(
      markdown,
      "|  | The bakery on the corner | The house by the mill |\n| --- | --- | --- |\n" +
        "| Bread of the day before |  |  |\n| Rolls on a Sunday |  |  |\n| Opens at | six | seven |"
    );
  });

  it("fills the spans of a table, and knows a table that only lays out", async () => {
    const markdown = await markdownOf(
      "<table><thead><tr><th>Flour</th><th>Loaves baked in a week</th></tr></thead><tbody>" +
        "<tr><td rowspan=2>Wheat flour</td><td>Forty loaves | fifty on Sundays</td></tr><tr><td>Thirty loaves in winter</td></tr></tbody></table>" +
        '<table role="presentation"><tr><td><p>The oven is as old as the house, and nobody knows who built it.</p></td></tr></table>'
    );
    assert.include(
      markdown,
      "| Flour | Loaves baked in a week |\n| --- | --- |\n| Wheat flour | Forty loaves \\| fifty on Sundays |\n| Wheat flour | Thirty loaves in winter |"
    );
    assert.match(markdown, /\n\nThe oven is as old as the house, and nobody knows who built it\.(?:\n|$)/u);
  });

  it("keeps cells that are in no row", () => {
    const markdown = wholeMarkdown(
      "<table><thead><tr><th>Loaf</th><th>Price</th></tr></thead><tbody><td>Rye</td><td>4.20</td></tbody></table>"
    );
    for (const word of ["Loaf", "Price", "Rye", "4.20"]) assert.include(markdown, word);
  });

  it("keeps code with its language and white space, without line numbers", async () => {
    const markdown = await markdownOf(
      '<p>This is the program that counts the loaves of the week:</p><pre class="language-python"><code><span class="lineno">1</span>def loaves(days):\n    return ["```", days * 40]\n</code></pre>'
    );
    assert.include(markdown, '````python\ndef loaves(days):\n    return ["```", days * 40]\n````');
  });

  it("leaves out line numbers in a cell next to the code, and hidden lines", async () => {
    const markdown = await markdownOf(
      "<p>The program that bakes the bread is short and easy to read:</p><table><tr><td><pre><code><span>1\n</span><span>2\n</span></code></pre></td><td><pre><code>mix(flour, water)\nbake(dough)\n</code></pre></td></tr></table>" +
        '<p>What follows shows one line of the program, and not the others:</p><pre><code class="language-rust"><span class="boring">fn main() {\n</span>bake(dough);\n<span class="boring">}\n</span></code></pre>'
    );
    assert.include(markdown, "easy to read:\n\n```\nmix(flour, water)\nbake(dough)\n```\n\nWhat");
    assert.include(markdown, "```rust\nbake(dough);\n```");
  });

  it("keeps a fence that a page shows around its code", async () => {
    const markdown = await markdownOf(
      '<p>This is the query that counts the loaves of the week:</p><pre><code class="lang-auto">```tasks\nnot done\nheading includes loaves\n```\n</code></pre><p>This is what it says once the week is over:</p><pre><code class="lang-auto">Forty loaves and ten rolls were baked.\nNone is left of them.</code></pre>'
    );
    assert.include(markdown, "week:\n\n````\n```tasks\nnot done\nheading includes loaves\n```\n````\n");
    assert.include(
      markdown,
      "over:\n\n```\nForty loaves and ten rolls were baked.\nNone is left of them.\n```"
    );
  });

  it("puts line ends at the edges of links and emphasis outside of them", async () => {
    const markdown = await markdownOf(
      '<p>The flours of the bakery stand on <a href="/flours">the page of flours<br></a>and on <b>that of breads<br></b>as well.</p>' +
        '<p>These come to the market: <br><a href="/one">the first baker</a><b><br></b><a href="/two">the second baker</a><span><br></span><b>The third baker<br>The fourth baker</b></p>'
    );
    const { href } = new URL("/flours", PAGE_URL);
    assert.include(markdown, `[the page of flours](${href})\\\nand on **that of breads**\\\nas well.`);
    assert.include(
      markdown,
      `[the first baker](${new URL("/one", PAGE_URL)})\\\n[the second baker](${new URL("/two", PAGE_URL)})\\\n**The third baker**\\\n**The fourth baker**`
    );
  });

  it("links the first text of a link around whole blocks, in any element", () => {
    const bread = new URL("/bread", PAGE_URL);
    const said = "<p>It is out of the oven at six in the morning, and gone at seven.</p>";
    const markdown = wholeMarkdown(
      `<a href="/bread"><div><div>The <b>bread</b> of the day</div>${said}</div></a>` +
        `<a href="/bread">The bread of the evening${said}</a><ul><li><a href="/bread"><div><p>The bread of the night</p></div>${said}</a></li></ul>`
    );
    assert.include(markdown, `[The **bread** of the day](${bread})\n\nIt is out of`);
    assert.include(markdown, `\n\n[The bread of the evening](${bread})\n\nIt is out of`);
    assert.include(markdown, `\n\n- [The bread of the night](${bread})\n\n  It is out of`);
  });

  it("keeps the parts of a cell apart, and those of a line together", () => {
    const markdown = wholeMarkdown(
      "<table><tr><th>Boat</th><th>Crew</th></tr><tr><td>Heron</td><td><ol><li>ferryman</li><li>engineer</li></ol></td></tr>" +
        "<tr><td>Coot</td><td>rower<br><br>boy with <b>bell</b></td></tr><tr><td><p>Teal</p><p>sunk</p></td><td><b>one</b> <i>two</i></td></tr>" +
        '<tr><td><span style="display: flex">Ruff</span><span>lost</span></td><td><span>cook</span><span>mate</span></td></tr></table>'
    );
    for (const row of [
      "Heron | 1. ferryman<br>2. engineer",
      "Coot | rower<br>boy with **bell**",
      "Teal<br>sunk | **one** *two*",
      "Ruff<br>lost | cook mate"
    ])
      assert.include(markdown, `| ${row} |`);
  });

  it("keeps links to mailboxes and telephone numbers, without message texts", () => {
    const markdown = wholeMarkdown(
      '<p>Write to <a href="mailto:ann@site.test?subject=Bread&amp;bcc=eve@site.test">Ann</a> or <a href="MAILTO:Ben@Site.test">Ben</a>, ' +
        'or call <a href="tel:+1 (855) 846-2895">the bakery</a>, not <a href="tel:*21*1#">this</a> or <a href="mailto:">that</a>.</p>'
    );
    assert.strictEqual(
      markdown,
      "Write to [Ann](mailto:ann@site.test) or [Ben](mailto:Ben@Site.test), or call [the bakery](tel:+18558462895), not this or that."
    );
  });

  it("leaves out the symbol with which a heading links to itself", async () => {
    const markdown = await markdownOf(
      '<h2 id="flour">The flour <a href="#flour">¶</a></h2><p>Flour comes from the mill by the river, and from nowhere else.</p>'
    );
    assert.include(markdown, "\n## The flour\n");
  });

  it("leaves out a heading's links to itself by name and to the top of the page, and no other link in it", () => {
    const headings =
      '<h2>NAME <a href="#top_of_page">top</a></h2><h2>Our <a href="#top-picks">top picks</a></h2><h2>Salt<a href="#salt">#salt</a></h2><h2>Re <a href="/t#2">#2</a></h2><h2><a href="#top">Top</a></h2>';
    assert.strictEqual(
      wholeMarkdown(headings).replaceAll(PAGE_URL, ""),
      "## NAME\n\n## Our [top picks](#top-picks)\n\n## Salt\n\n## Re [#2](https://site.test/t#2)\n\n## [Top](#top)"
    );
  });

  it("keeps the struck words of links, in their list too", () => {
    const { blocks, body } = cutBlocks(
      parsePage('<h2>A loaf of <a href="#new"><s>rye</s></a></h2><p>It is out of the oven at six.</p>').root
    );
    const resolve = resolver(PAGE_URL, null);
    const content = readContent({ body: body.element, kept: blocks, resolve });
    assert.deepStrictEqual(content.links, [{ url: `${PAGE_URL}#new`, text: "rye" }]);
    assert.include(writeContent({ pages: [content], isPaged: false }).markdown, "~~rye~~");
  });

  it("writes quotes, terms with their meanings, and formulas as TeX", async () => {
    const markdown = await markdownOf(
      "<blockquote><p>Bread is the staff of life, said the aunt to the sailors.</p></blockquote>" +
        "<dl><dt>Levain</dt><dd>A dough of flour and water that has been left to rise by itself.</dd></dl>" +
        '<p>The weight of all loaves of the week is <math><mi>w</mi><annotation encoding="application/x-tex">w_1 + w_2</annotation></math> in the end.</p>'
    );
    assert.include(markdown, "> Bread is the staff of life, said the aunt to the sailors.");
    assert.include(markdown, "- **Levain**: A dough of flour and water");
    assert.include(markdown, "is $w_1 + w_2$ in the end.");
  });

  it("leads from marks to the notes at the end", async () => {
    const markdown = await markdownOf(
      '<p>Salt comes from the coast<sup><a href="#fn1">1</a></sup> and from nowhere else in the country.</p><ol><li id="fn1">The coast of the north, to be exact about it.</li></ol>'
    );
    assert.include(markdown, "from the coast[^1] and");
    assert.include(markdown, "[^1]: The coast of the north, to be exact about it.");
  });

  it("defines the notes of newsletters, papers, wikis and word processors by their marks, without links back", async () => {
    const sentence = "Salt comes from the coast and from nowhere else in the country";
    const note = "The coast of the north, to be exact about it.";
    for (const [mark, definition] of [
      [
        '<span><a id="footnote-anchor-1-9" href="https://site.test/p#footnote-1-9" class="footnote-anchor">1</a></span>',
        `<div class="footnote"><a id="footnote-1-9" href="https://site.test/p#footnote-anchor-1-9">1</a><div><p>${note}</p></div></div>`
      ],
      [
        '[<a href="#b1-9" aria-describedby="b1-9">1</a>]',
        `<ol><li id="b1-9"><span>1.</span>${note}</li></ol>`
      ],
      [
        '<sup><a href="#cite_note-1">[note 1]</a></sup>',
        `<ol><li id="cite_note-1"><a href="#cite_ref-1">^</a> ${note}</li></ol>`
      ],
      [
        '<a href="#_ftn1" name="_ftnref1"><span>[1]</span></a>',
        `<p><a href="#_ftnref1" name="_ftn1">[1]</a> ${note}</p>`
      ],
      [
        '<sup id="ref1"><a href="#fn1">1</a></sup>',
        `<p id="fn1"><sup><a href="#ref1">1</a></sup> ${note} <a href="#ref1">↩</a></p>`
      ]
    ] as const) {
      const markdown = await markdownOf(`<p>${sentence}${mark}.</p>${definition}`);
      assert.match(markdown, /country(?:\[\^1\]|\\\[\[\^1\]\])\.$/mu, mark);
      assert.include(markdown.split("\n"), `[^1]: ${note}`, mark);
    }
  });

  it("keeps the numbers that a note begins with, unless it is its mark", async () => {
    const markdown = await markdownOf(
      '<p>Salt<sup><a href="#n1">1</a></sup> and flour<sup><a href="#n2">2</a></sup> come from the coast and from nowhere else.</p><p id="n1">10. of May is the day of salt.</p><p id="n2">2. Of wheat, in most of the years.</p>'
    );
    assert.include(markdown, "[^1]: 10. of May is the day of salt.");
    assert.include(markdown, "[^2]: Of wheat, in most of the years.");
  });

  it("escapes text that looks like markup", async () => {
    const markdown = await markdownOf(
      "<p># Not a heading, said the *baker* of `bread` with [a link](https://evil.test) and &lt;script&gt;alert(1)&lt;/script&gt; in it.</p>"
    );
    assert.include(
      markdown,
      "\\# Not a heading, said the \\*baker\\* of \\`bread\\` with \\[a link](https://evil.test) and \\<script>alert(1)\\</script> in it."
    );
  });

  it("has no picture, nor words that only its alternative text has", async () => {
    const head = og([["image", "https://site.test/loaf.jpg"]]);
    const markdown = await markdownOf(
      '<p>This is what the loaf of the corner looks like today: <img src="/loaf.jpg" alt="A loaf"> <img src="/pixel.gif" alt="pixel"></p>',
      head
    );
    for (const unseen of ["![", "loaf.jpg", "A loaf", "pixel"]) assert.notInclude(markdown, unseen);
  });

  it("is the lines of a text that has no structure", async () => {
    const { markdown } = await readText(new TextEncoder().encode("1. not a list\n* neither\n"), "text/plain");
    assert.strictEqual(markdown, "1\\. not a list\n\n\\* neither");
  });
});
