import { assert, describe, it } from "@effect/vitest";
import { page, paragraphs, readText } from "../pages.ts";

const END =
  "<p>The miller closed his book, put out the lamp and went up the stairs to bed for the night.</p>";

const textAndMarkdown = async (html: string) => {
  const { markdown, plain: text } = await readText(
    page({ body: `<article><h1>Notes of a miller</h1>${paragraphs(2)}${html}${END}</article>` })
  );
  return { markdown, text };
};

/** The line of a text that begins with the first words of a paragraph. */
const lineOf = async (html: string): Promise<string> => {
  const { text } = await textAndMarkdown(`<p>So it is: ${html} That is what the miller wrote down.</p>`);
  const line = text.split("\n").find((each) => each.startsWith("So it is: ")) ?? "";
  return line.slice("So it is: ".length, line.indexOf(" That is what")).trim();
};

describe("superscripts and subscripts", () => {
  it("keep their exponents in the button that is a heading", async () => {
    const { markdown, text } = await textAndMarkdown(
      `<h2><button>How to count 10<sup>9</sup> grains</button></h2>${paragraphs(2)}`
    );
    assert.include(text, "How to count 10^9 grains");
    assert.include(markdown, "## How to count 10^9 grains");
  });

  it.each([
    ["2.5 × 10<sup>9</sup> cells.", "2.5 × 10^9 cells."],
    ["$1,599<sup>.99</sup> each.", "$1,599.99 each."],
    ["10<sup>-6</sup> m and 10<sup>−6</sup> m.", "10^-6 m and 10^-6 m."],
    ["2<sup>n</sup> and 2<sup>n-1</sup> ways.", "2^n and 2^(n-1) ways."],
    ["E = mc<sup>2</sup> here.", "E = mc^2 here."],
    ["x<sup>2</sup> + y<sup>2</sup>.", "x^2 + y^2."],
    ["(a + b)<sup>2</sup> more.", "(a + b)^2 more."]
  ])("%s keeps its exponents", async (html, text) => assert.strictEqual(await lineOf(html), text));

  it.each([
    ["25 m<sup>2</sup> of soil.", "25 m² of soil."],
    ["90 cm<sup>3</sup> of it.", "90 cm³ of it."],
    ["9.81 m s<sup>-2</sup> or 12 W/m<sup>2</sup>.", "9.81 m s^-2 or 12 W/m²."],
    ["0.4 kg m<sup>-3</sup> of it.", "0.4 kg m⁻³ of it."]
  ])("%s keeps the powers of its units", async (html, text) => assert.strictEqual(await lineOf(html), text));

  it.each([
    ["3<sup>1</sup>/<sub>2</sub> cups.", "3 1/2 cups."],
    ["<sup>3</sup>⁄<sub>4</sub> cup.", "3/4 cup."],
    ["1<sup>1/2</sup> cups.", "1 1/2 cups."]
  ])("%s keeps its fraction", async (html, text) => assert.strictEqual(await lineOf(html), text));

  it.each([
    ["in the spring of 2019<sup>3</sup> again.", "in the spring of 2019[3] again."],
    ["the mill<sup>1,2</sup> again.", "the mill[1,2] again."],
    ["as he said.<sup>12</sup> Again.", "as he said.[12] Again."],
    ['45<sup class="footnote">3</sup> sacks.', "45[3] sacks."],
    ["the mill<sup>[4]</sup> again.", "the mill[4] again."]
  ])("%s marks its note", async (html, text) => assert.strictEqual(await lineOf(html), text));

  it.each([
    ["the 21<sup>st</sup> of May.", "the 21st of May."],
    ["le 1<sup>er</sup> mai.", "le 1er mai."],
    ["Sieve<sup>®</sup> and Mill<sup>TM</sup> it is.", "Sieve® and Mill™ it is."],
    ["at 20 <sup>o</sup>C then.", "at 20 °C then."],
    ["for $12<sup>99</sup> or 5<sup>49</sup> € then.", "for $12.99 or 5.49 € then."]
  ])("%s keeps its signs, ordinals and cents", async (html, text) =>
    assert.strictEqual(await lineOf(html), text)
  );

  it.each([
    ["H<sub>2</sub>O and C<sub>6</sub>H<sub>12</sub>O<sub>6</sub>.", "H2O and C6H12O6."],
    ["Ca<sup>2+</sup> and SO<sub>4</sub><sup>2−</sup> ions.", "Ca²⁺ and SO4²⁻ ions."],
    ["the isotope <sup>14</sup>C in it.", "the isotope ¹⁴C in it."],
    ["1011<sub>2</sub> or v<sub>max</sub> here.", "1011_2 or v_max here."]
  ])("%s keeps its substances and indices", async (html, text) =>
    assert.strictEqual(await lineOf(html), text)
  );

  it("of a note that the page has become its reference in Markdown", async () => {
    const { markdown, text } = await textAndMarkdown(
      '<p>The stones came from the valley in 1804<sup><a href="#fn1">1</a></sup> by cart, as the miller wrote.</p>' +
        '<ol><li id="fn1">Letter of the miller to his sister in the town.</li></ol>'
    );
    assert.include(text, "in 1804[1] by cart");
    assert.include(markdown, "in 1804[^1] by cart");
    assert.include(markdown, "[^1]: Letter of the miller");
  });
});

describe("notes that the text refers to", () => {
  it("are written as such, however far below and with whole addresses", async () => {
    const { markdown, plain: text } = await readText(
      page({
        body:
          `<article><h1>Notes of a miller</h1>${paragraphs(3)}<p>The stones came in 1804<sup><a href="https://site.test/posts/42#note-1">1</a></sup> by cart, as the miller wrote in his book.</p>${END}</article>` +
          '<footer class="links"><ul><li id="note-1"><small>Letter to his sister.</small> <a href="#top">↑</a></li></ul></footer>'
      })
    );
    assert.include(text, "in 1804[1] by cart");
    assert.include(text, "Letter to his sister.");
    assert.include(markdown, "in 1804[^1] by cart");
    assert.match(markdown, /^\[\^1\]: Letter to his sister\./m);
  });
});

describe("struck text", () => {
  it("is left out of the text and struck in Markdown", async () => {
    const { markdown, text } = await textAndMarkdown(
      "<p>A sack costs <s>€99.00</s> <ins>€79.00</ins> until Friday, as the sign at the door of the mill says.</p>"
    );
    assert.include(text, "A sack costs €79.00 until Friday");
    assert.include(markdown, "A sack costs ~~€99.00~~ €79.00 until Friday");
  });

  it("may be struck by a style or a class, and stand between words", async () => {
    const { markdown, text } = await textAndMarkdown(
      '<p>A sack costs now<span style="text-decoration: line-through">(9)</span>8 or <b class="line-through">7</b> six coins at the door.</p>'
    );
    assert.include(text, "A sack costs now8 or six coins");
    assert.include(markdown, "A sack costs now ~~(9)~~ 8 or ~~7~~ six coins");
  });

  it("may be whole paragraphs and items", async () => {
    const { markdown, text } = await textAndMarkdown(
      "<p>The miller has these kinds of flour in the house, and takes orders for them at the door:</p>" +
        "<ul><li>Rye from the valley, coarse</li><li><del>Wheat from the coast, fine</del></li><li>Spelt from the hill, fine</li></ul>" +
        "<del><p>The mill is closed on every Friday of the year, says the old sign beside the door of the mill.</p></del>"
    );
    assert.notMatch(text, /Wheat|closed on every Friday/);
    assert.include(markdown, "- ~~Wheat from the coast, fine~~");
    assert.match(markdown, /^~~The mill is closed .* of the mill\.~~$/m);
  });

  it("is not the rest of a page whose end tag is missing", async () => {
    const { plain: text } = await readText(
      page({ body: `<article><h1>Bread</h1><p>Old: <s>one coin</p>${paragraphs(4)}</article>` })
    );
    assert.include(text, "Part 4. The bakery on the corner");
  });
});

describe("formulas", () => {
  it("in MathML without TeX are written from their structure, in Markdown too", async () => {
    const { markdown, text } = await textAndMarkdown(
      "<p>The half-life is <math><mn>5730</mn></math> years, and <math><mfrac><mn>3</mn><mn>4</mn></mfrac></math> of it is over.</p>" +
        "<p>It holds that <math><mi>a</mi><msup><mi>x</mi><mn>2</mn></msup><mo>+</mo><msqrt><mrow><mi>b</mi><mo>-</mo><mn>1</mn></mrow></msqrt><mo>≠</mo><mn>0</mn></math> for all stones.</p>"
    );
    assert.include(text, "The half-life is 5730 years, and 3/4 of it is over.");
    assert.include(text, "It holds that ax^2 + √(b - 1) ≠ 0 for all stones.");
    assert.include(markdown, "The half-life is 5730 years, and 3/4 of it is over.");
    assert.include(markdown, "It holds that ax^2 + √(b - 1) ≠ 0 for all stones.");
  });

  it.each([
    ["<mroot><mi>x</mi><mn>3</mn></mroot>", "x^(1/3)"],
    ["<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>", "(x_i)^2"],
    ["<munderover><mo>∑</mo><mn>1</mn><mi>n</mi></munderover>", "(∑_1)^n"],
    ["<mover><mi>x</mi><mo>¯</mo></mover>", "x̄"],
    ["<mmultiscripts><mi>R</mi><mi>a</mi><mi>b</mi></mmultiscripts>", "(R_a)^b"],
    ["<mfenced><mi>a</mi><mi>b</mi></mfenced>", "(a, b)"],
    ["<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr></mtable>", "[1, 2]"]
  ])("have roots, scripts, lists and tables: %s", async (mathml, written) => {
    const { text } = await textAndMarkdown(
      `<p>The weight of the flour is <math>${mathml}</math> as always.</p>`
    );
    assert.strictEqual(/flour is (.*) as always/u.exec(text)?.[1], written);
  });

  it("nested deeply are read once", async () => {
    const nested = `${"<mrow>".repeat(60)}<mi>x</mi>${"</mrow>".repeat(60)}`;
    const { text } = await textAndMarkdown(
      `<p>The weight of the flour is <math>${nested}</math> as always.</p>`
    );
    assert.include(text, "The weight of the flour is x as always.");
  });

  it("with TeX in an annotation or alternative text are in the text too", async () => {
    const { markdown, text } = await textAndMarkdown(
      '<p>The weight is <math alttext="w=\\rho v"><mi>w</mi></math> of the sack, and the force is <math><semantics><mi>F</mi><annotation encoding="application/x-tex">F=ma</annotation></semantics></math> as always.</p>'
    );
    assert.include(text, "The weight is w=\\rho v of the sack, and the force is F=ma as always.");
    assert.include(markdown, "The weight is $w=\\rho v$ of the sack, and the force is $F=ma$ as always.");
  });

  it("of their own lines stay with the text around them", async () => {
    const { markdown, text } = await textAndMarkdown(
      '<div><math display="block"><mi>F</mi><mo>=</mo><mi>m</mi><mi>a</mi></math></div>'
    );
    assert.include(text, "\nF = ma\n");
    assert.include(markdown, "\nF = ma\n");
  });
});

describe("quotations, readings, checkboxes and numbers", () => {
  it("keep the marks of quotations that have none of their own", async () => {
    const { markdown, text } = await textAndMarkdown(
      "<p>The miller said <q>never grind <q>wet</q> rye</q> and “<q>sleep well</q>” to everybody who was there.</p>"
    );
    assert.include(text, "said “never grind ‘wet’ rye” and “sleep well” to");
    assert.include(markdown, "said “never grind ‘wet’ rye” and “sleep well” to");
  });

  it("leave out readings above characters", async () => {
    const { text } = await textAndMarkdown(
      "<p>日本語の<ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>を<ruby>読<rt>よ</rt></ruby>む練習をしましょう。これは長い文章の一部です。</p>"
    );
    assert.include(text, "日本語の漢字を読む練習をしましょう。");
  });

  it("keep the state of checkboxes that show one", async () => {
    const { markdown, text } = await textAndMarkdown(
      "<p>Before the mill is opened in the morning, the miller goes through this list of things to do:</p>" +
        '<ul><li><input type="checkbox" checked disabled> Sweep the floor of the mill</li>' +
        '<li><label><input type="checkbox" disabled> Oil the axle of the wheel</label></li></ul>'
    );
    assert.include(text, "[x] Sweep the floor of the mill\n[ ] Oil the axle of the wheel");
    assert.include(markdown, "- [x] Sweep the floor of the mill\n- [ ] Oil the axle of the wheel");
  });

  it("leave out checkboxes that wait for a reader", async () => {
    const { text } = await textAndMarkdown(
      '<p>You need all of this for the bread, says the miller:</p><ul><li><input type="checkbox"> 500 g rye flour from the mill</li><li><input type="checkbox"> 20 g salt from the coast</li></ul>'
    );
    assert.include(text, "\n500 g rye flour");
  });

  it.each([
    [
      "<ol><li>Sift the flour of the day</li><li>Knead the dough well</li></ol>",
      "1. Sift",
      "2. Knead",
      "1. Sift",
      "2. Knead"
    ],
    [
      '<ol start="4"><li>Sift the flour of the day</li><li value="9">Knead the dough well</li></ol>',
      "4. Sift",
      "9. Knead",
      "4. Sift",
      "9) Knead"
    ],
    [
      "<ol reversed><li>Sift the flour of the day</li><li>Knead the dough well</li></ol>",
      "2. Sift",
      "1. Knead",
      "2. Sift",
      "1) Knead"
    ],
    [
      '<ol type="a"><li>Sift the flour of the day</li><li>Knead the dough well</li></ol>',
      "a. Sift",
      "b. Knead",
      "1. Sift",
      "2. Knead"
    ],
    [
      "<ol><li>1. Sift the flour of the day</li><li>2. Knead the dough well</li></ol>",
      "\n1. Sift",
      "\n2. Knead",
      "\n1. Sift",
      "\n2. Knead"
    ],
    [
      '<ol style="list-style: none"><li>Sift the flour of the day</li><li>Knead the dough well</li></ol>',
      "\nSift",
      "\nKnead",
      "- Sift",
      "- Knead"
    ]
  ])("%s keeps its numbers", async (list, first, second, firstInMarkdown, secondInMarkdown) => {
    const { markdown, text } = await textAndMarkdown(
      `<p>Bread is made in this way, says the miller to everybody who asks him for it at the door:</p>${list}`
    );
    assert.include(text, first);
    assert.include(text, second);
    assert.include(markdown, firstInMarkdown);
    assert.include(markdown, secondInMarkdown);
  });
});
