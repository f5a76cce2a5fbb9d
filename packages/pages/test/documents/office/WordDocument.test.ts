import { assert, describe, it } from "@effect/vitest";
import type { PageReading } from "../../../src/facts/PageReading.ts";
import { readBytes } from "../../../src/ReadBytes.ts";
import { PAGE_URL } from "../../pages.ts";
import { archive, WORD_NAMES as NAMES } from "../archives.ts";

const run = (text: string, properties = ""): string =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;

const paragraph = (inner: string, properties = ""): string =>
  `<w:p><w:pPr>${properties}</w:pPr>${inner}</w:p>`;

const numbering = `<w:numbering ${NAMES}>
  <w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/></w:lvl></w:abstractNum>
  <w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:pStyle w:val="Bullets"/></w:lvl></w:abstractNum>
  <w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>
  <w:num w:numId="3"><w:abstractNumId w:val="1"/></w:num>
</w:numbering>`;

const style = (id: string, name: string, inner: string, based = ""): string =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/><w:basedOn w:val="${based}"/>${inner}</w:style>`;

const styles = `<w:styles ${NAMES}>${[
  style("H1", "heading 1", '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>'),
  style("Own", "Chapter of ours", "", "H1"),
  style("Bullets", "List Bullet", '<w:pPr><w:numPr><w:numId w:val="3"/></w:numPr></w:pPr>'),
  style("Outlined", "Section of ours", '<w:pPr><w:outlineLvl w:val="1"/></w:pPr>'),
  style("Q", "Quote", ""),
  style("Code", "HTML Preformatted", ""),
  style("Circle", "One", "", "Circle2"),
  style("Circle2", "Other", "", "Circle"),
  '<w:style w:type="character" w:styleId="Loud"><w:name w:val="Strong"/><w:rPr><w:b/></w:rPr></w:style>'
].join("")}</w:styles>`;

const files = (body: string): Record<string, string> => ({
  "word/document.xml": `<w:document ${NAMES}><w:body>${body}</w:body></w:document>`,
  "word/styles.xml": styles,
  "word/numbering.xml": numbering
});

const readingOf = async (all: Record<string, string>): Promise<PageReading> => {
  const outcome = await readBytes(archive(all), { url: PAGE_URL, contentType: null });
  return "reading" in outcome ? outcome.reading : assert.fail(outcome.refused);
};

const readMetadata = async (...given: Parameters<typeof readingOf>) => (await readingOf(...given)).metadata;

const readText = async (...given: Parameters<typeof readingOf>) => (await readingOf(...given)).text;

const markdownOf = async (body: string): Promise<string> => (await readingOf(files(body))).text.markdown;

describe("headings of a text document", () => {
  it("are recognized by their base styles, even if numbered", async () => {
    const body =
      paragraph(run("Bread"), '<w:pStyle w:val="H1"/>') +
      paragraph(run("Ovens"), '<w:pStyle w:val="Own"/>') +
      paragraph(run("Flour"), '<w:pStyle w:val="Outlined"/>') +
      paragraph(run("Words"), '<w:pStyle w:val="Circle"/>');
    assert.strictEqual(await markdownOf(body), "# Bread\n\n# Ovens\n\n## Flour\n\nWords");
  });

  it("provide the title if the properties have none", async () => {
    const { details, title } = await readMetadata(files(paragraph(run("Bread"), '<w:pStyle w:val="H1"/>')));
    assert.strictEqual(title, "Bread");
    assert.strictEqual(details.origins?.["title"], "page");
  });

  it("do not provide the title if the first one is that of the contents", async () => {
    const heading = (text: string): string => paragraph(run(text), '<w:pStyle w:val="H1"/>');
    assert.isNull((await readingOf(files(heading("Contents") + heading("Flour")))).metadata.title);
  });
});

describe("lists of a text document", () => {
  it("have items defined only by style, with or without bookmarks and content controls between them", async () => {
    const bullet = (text: string): string => paragraph(run(text), '<w:pStyle w:val="Bullets"/>');
    const body = `${bullet("rye")}<w:bookmarkStart w:id="1"/><w:sdt><w:sdtPr/><w:sdtContent>${bullet("spelt")}</w:sdtContent></w:sdt>`;
    assert.strictEqual(await markdownOf(body), "- rye\n- spelt");
  });
});

describe("words of a text document", () => {
  it("are those of the last version: inserted, not deleted, not hidden", async () => {
    const body = paragraph(
      `${run("Flour")}<w:del><w:r><w:delText> old</w:delText></w:r></w:del><w:ins>${run(" new")}</w:ins>${run(" secret", "<w:vanish/>")}<w:smartTag>${run(" and salt")}</w:smartTag>`
    );
    assert.strictEqual(await markdownOf(body), "Flour new and salt");
  });

  it("are kept if they look like the markup that is not needed", async () => {
    const text = 'An xml:space="preserve" and a w:rsidR="00A1" &lt;w:jc/&gt; are words.';
    assert.include(
      (await readingOf(files(paragraph(run(text))))).text.plain,
      text.replace("&lt;", "<").replace("&gt;", ">")
    );
  });

  it("in fields that programs fill in are read", async () => {
    const body = paragraph(
      `<w:fldSimple w:instr=" AUTHOR ">${run("Mira Tal")}</w:fldSimple>${run(" bakes.")}`
    );
    assert.strictEqual(await markdownOf(body), "Mira Tal bakes.");
  });

  it("are joined after a deleted end of a paragraph", async () => {
    const body = paragraph(run("The oven "), "<w:rPr><w:del/></w:rPr>") + paragraph(run("is warm."));
    assert.strictEqual(await markdownOf(body), "The oven is warm.");
  });

  it("keep their emphasis undivided, and symbols their letters", async () => {
    const body = paragraph(
      run("very", '<w:rStyle w:val="Loud"/>') +
        run(" ") +
        run("warm", "<w:b/>") +
        run(" at 30 ") +
        '<w:r><w:sym w:font="Symbol" w:char="F0B0"/></w:r>'
    );
    assert.strictEqual(await markdownOf(body), "**very warm** at 30 °");
  });

  it("are read despite a symbol with an invalid code", async () => {
    const symbols = ["-1", "D800", "110000", "12junk", ""].map(
      (place) => `<w:r><w:sym w:font="Wingdings" w:char="${place}"/></w:r>`
    );
    assert.strictEqual(await markdownOf(paragraph(run("warm") + symbols.join(""))), "warm");
  });

  it("keep the links of fields, as one link", async () => {
    const char = (type: string): string => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
    const body = paragraph(
      `${char("begin")}<w:r><w:instrText> HYPERLINK "https://mill.test/flour" </w:instrText></w:r>${char("separate")}${run("the ")}${run("mill")}${char("end")}${run(" is old")}`
    );
    assert.strictEqual(await markdownOf(body), "[the mill](https://mill.test/flour) is old");
  });

  it("in boxes follow the paragraph they hang on, once", async () => {
    const box = (tag: string): string =>
      `<${tag}><w:txbxContent>${paragraph(run("In the box."))}</w:txbxContent></${tag}>`;
    const body = paragraph(
      `${run("Around.")}<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing>${box("wps:txbx")}</w:drawing></mc:Choice><mc:Fallback><w:pict>${box("v:textbox")}</w:pict></mc:Fallback></mc:AlternateContent></w:r>`
    );
    assert.strictEqual(await markdownOf(body), "Around.\n\nIn the box.");
  });

  it("of quotes and code are marked as such", async () => {
    const body =
      paragraph(run("Bread is life."), '<w:pStyle w:val="Q"/>') +
      paragraph(run("let x = 1"), '<w:pStyle w:val="Code"/>') +
      paragraph(run("let y = 2"), '<w:pStyle w:val="Code"/>');
    assert.strictEqual(await markdownOf(body), "> Bread is life.\n\n```\nlet x = 1\nlet y = 2\n```");
  });
});

describe("notes of a text document", () => {
  it("come at the end, and their references link to them", async () => {
    const mark = '<w:r><w:footnoteReference w:id="2"/></w:r>';
    const { markdown, plain: text } = await readText({
      ...files(paragraph(run("Flour") + mark)),
      "word/footnotes.xml": `<w:footnotes ${NAMES}><w:footnote w:id="0" w:type="separator">${paragraph(run("___"))}</w:footnote><w:footnote w:id="2">${paragraph(run("From rye."))}</w:footnote></w:footnotes>`
    });
    assert.strictEqual(markdown, "Flour[^1]\n\n[^1]: From rye.");
    assert.strictEqual(text, "Flour[1]\n1. From rye.");
  });
});

describe("tables of a text document", () => {
  it("have merged cells, rows in content controls, and the header defined by their format", async () => {
    const cell = (text: string, properties = ""): string =>
      `<w:tc><w:tcPr>${properties}</w:tcPr>${paragraph(run(text))}</w:tc>`;
    const table =
      `<w:tbl><w:tblPr><w:tblLook w:val="0020" w:firstRow="1"/></w:tblPr>` +
      `<w:tr>${cell("Loaf")}${cell("Price")}</w:tr>` +
      `<w:tr>${cell("Rye", '<w:vMerge w:val="restart"/>')}${cell("4.20")}</w:tr>` +
      `<w:sdt><w:sdtContent><w:tr>${cell("", "<w:vMerge/>")}<w:sdt><w:sdtContent>${cell("4.40")}</w:sdtContent></w:sdt></w:tr></w:sdtContent></w:sdt></w:tbl>`;
    assert.strictEqual(
      await markdownOf(table),
      "| Loaf | Price |\n| --- | --- |\n| Rye | 4.20 |\n| Rye | 4.40 |"
    );
  });
});

describe("a long text document", () => {
  const looks = '<w:rFonts w:ascii="A"/><w:sz w:val="20"/><w:lang w:val="en"/>';

  it("is read to its end, however much formatting its file contains", async () => {
    const body = paragraph(run("word ", looks).repeat(40_000)) + paragraph(run("The end."));
    const { plain: text } = await readText(files(body));
    assert.isTrue(text.endsWith("The end."));
    assert.lengthOf(text.split(" "), 40_000 + 1);
  });

  it("is refused if its tables are nested too deeply", async () => {
    const body = `${"<w:tbl><w:tr><w:tc>".repeat(20_000)}${paragraph(run("x"))}${"</w:tc></w:tr></w:tbl>".repeat(20_000)}`;
    const outcome = await readBytes(archive(files(body)), { url: PAGE_URL, contentType: null });
    assert.deepStrictEqual(outcome, { refused: "too_large" });
  });

  it("is refused if it exceeds the limits, and never truncated", async () => {
    const body = paragraph("<w:r/>".repeat(1_000_001)) + paragraph(run("The end."));
    const outcome = await readBytes(archive(files(body)), { url: PAGE_URL, contentType: null });
    assert.deepStrictEqual(outcome, { refused: "too_large" });
  });
});

describe("a package", () => {
  it("may name its parts and vocabularies as it likes", async () => {
    const main = "http://purl.oclc.org/ooxml/wordprocessingml/main";
    const {
      text: { markdown },
      metadata: { title }
    } = await readingOf({
      "_rels/.rels":
        '<Relationships><Relationship Id="a" Type="x/officeDocument" Target="/content/main.xml"/><Relationship Id="b" Type="x/core-properties" Target="props.xml"/></Relationships>',
      "props.xml": "<cp:coreProperties><dc:title>Bread</dc:title></cp:coreProperties>",
      "content/main.xml": `<document xmlns="${main}" xmlns:ns1="${main}"><body><p><r><rPr><b ns1:val="0"/></rPr><t>Words.</t></r></p></body></document>`
    });
    assert.deepStrictEqual([markdown, title], ["Words.", "Bread"]);
  });
});
