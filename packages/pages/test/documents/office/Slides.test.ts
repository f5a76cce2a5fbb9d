import { assert, describe, it } from "@effect/vitest";
import type { PageReading } from "../../../src/facts/PageReading.ts";
import { readBytes } from "../../../src/ReadBytes.ts";
import { PAGE_URL } from "../../pages.ts";
import { archive } from "../archives.ts";

const paragraph = (text: string, properties = ""): string =>
  `<a:p><a:pPr ${properties}/><a:r><a:t>${text}</a:t></a:r></a:p>`;

const shape = (paragraphs: string, placeholder = ""): string =>
  `<p:sp><p:nvSpPr><p:nvPr>${placeholder === "" ? "" : `<p:ph ${placeholder}/>`}</p:nvPr></p:nvSpPr><p:txBody>${paragraphs}</p:txBody></p:sp>`;

const relations = (targets: Readonly<Record<string, string>>): string =>
  `<Relationships>${Object.entries(targets)
    .map(([type, target]) => `<Relationship Id="${type}" Type="x/${type}" Target="${target}"/>`)
    .join("")}</Relationships>`;

const slideFiles = (
  shapes: string,
  related: Readonly<Record<string, string>> = {},
  files: Readonly<Record<string, string>> = {}
): Record<string, string> => ({
  "ppt/presentation.xml": '<p:presentation><p:sldIdLst><p:sldId r:id="slide"/></p:sldIdLst></p:presentation>',
  "ppt/_rels/presentation.xml.rels": relations({ slide: "slides/slide1.xml" }),
  "ppt/slides/slide1.xml": `<p:sld><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`,
  "ppt/slides/_rels/slide1.xml.rels": relations(related),
  ...files
});

const readingOf = async (files: Record<string, string>): Promise<PageReading> => {
  const outcome = await readBytes(archive(files), { url: PAGE_URL, contentType: null });
  return "reading" in outcome ? outcome.reading : assert.fail(outcome.refused);
};

const readText = async (...given: Parameters<typeof readingOf>) => (await readingOf(...given)).text;

const bodyOf = async (files: Record<string, string>): Promise<string> =>
  (await readingOf(files)).text.markdown.replace("<!-- page 1 -->\n\n", "");

describe("a slide", () => {
  it("has the lists of its text placeholders, without paragraphs that have no bullet", async () => {
    const files = slideFiles(
      shape(paragraph("Ovens"), 'type="title"') +
        shape(
          `${paragraph("of stone")}${paragraph("of brick", 'lvl="1"')}<a:p><a:pPr><a:buNone/></a:pPr><a:r><a:t>and no more</a:t></a:r></a:p>`,
          'idx="1"'
        ) +
        shape(paragraph("by hand"))
    );
    assert.strictEqual(await bodyOf(files), "## Ovens\n\n- of stone\n  - of brick\n\nand no more\n\nby hand");
  });

  it("has a title of several lines as one, without the emphasis of all of it", async () => {
    const bold = (text: string): string => `<a:r><a:rPr b="1"/><a:t>${text}</a:t></a:r>`;
    const files = slideFiles(
      shape(`<a:p>${bold("Bread in")}<a:br/>${bold("the valley")}</a:p>`, 'type="title"')
    );
    assert.strictEqual(await bodyOf(files), "## Bread in the valley");
  });

  it("has its speaker notes, as a quote", async () => {
    const files = slideFiles(
      shape(paragraph("Five loaves")),
      { notesSlide: "../notesSlides/n.xml" },
      {
        "ppt/notesSlides/n.xml": `<p:notes>${shape("", 'type="sldImg"')}${shape(paragraph("Pause here."), 'type="body" idx="1"')}${shape(paragraph("1"), 'type="sldNum"')}</p:notes>`
      }
    );
    assert.strictEqual(await bodyOf(files), "Five loaves\n\n> Pause here.");
  });

  it("has the text of groups and alternatives", async () => {
    const files = slideFiles(
      `<p:grpSp>${shape(paragraph("In a group"))}</p:grpSp>` +
        `<mc:AlternateContent><mc:Choice>${shape(paragraph("The choice"))}</mc:Choice><mc:Fallback>${shape(paragraph("The other"))}</mc:Fallback></mc:AlternateContent>`
    );
    assert.strictEqual(await bodyOf(files), "In a group\n\nThe choice");
  });

  it("has its links and its emphasis, and the merged cells of its tables", async () => {
    const cell = (text: string, attributes = ""): string =>
      `<a:tc ${attributes}><a:txBody>${paragraph(text)}</a:txBody></a:tc>`;
    const files = slideFiles(
      shape(
        '<a:p><a:r><a:rPr b="1"/><a:t>All</a:t></a:r><a:r><a:rPr b="1"/><a:t> of it</a:t></a:r><a:r><a:t>: </a:t></a:r><a:r><a:rPr><a:hlinkClick r:id="link"/></a:rPr><a:t>the mill</a:t></a:r></a:p>'
      ) +
        `<p:graphicFrame><a:tbl><a:tblPr firstRow="1"/><a:tr>${cell("Loaf")}${cell("Price")}</a:tr><a:tr>${cell("Rye", 'rowSpan="2"')}${cell("4.20")}</a:tr><a:tr>${cell("", 'vMerge="1"')}${cell("4.40")}</a:tr></a:tbl></p:graphicFrame>`,
      { link: "https://mill.test/flour" }
    );
    assert.strictEqual(
      await bodyOf(files),
      "**All of it**: [the mill](https://mill.test/flour)\n\n| Loaf | Price |\n| --- | --- |\n| Rye | 4.20 |\n| Rye | 4.40 |"
    );
  });

  it("without a title is not under that of the slide before", async () => {
    const files = slideFiles(shape(paragraph("Ovens"), 'type="title"') + shape(paragraph("of stone")));
    const { sections } = await readText({
      ...files,
      "ppt/presentation.xml":
        '<p:presentation><p:sldIdLst><p:sldId r:id="slide"/><p:sldId r:id="next"/></p:sldIdLst></p:presentation>',
      "ppt/_rels/presentation.xml.rels": relations({ slide: "slides/slide1.xml", next: "slides/slide2.xml" }),
      "ppt/slides/slide2.xml": `<p:sld><p:cSld><p:spTree>${shape(paragraph("A picture"))}</p:spTree></p:cSld></p:sld>`
    });
    assert.deepStrictEqual(sections, [
      { page: 1, heading: "Ovens", text: "Ovens\nof stone", markdown: ["## Ovens", "of stone"] },
      { page: 2, text: "A picture", markdown: ["A picture"] }
    ]);
  });

  it("that is missing still counts", async () => {
    const files = slideFiles(shape(paragraph("The second")));
    const presentation =
      '<p:presentation><p:sldIdLst><p:sldId r:id="gone"/><p:sldId r:id="slide"/></p:sldIdLst></p:presentation>';
    const { pageCount, plain: text } = await readText({ ...files, "ppt/presentation.xml": presentation });
    assert.deepStrictEqual([pageCount, text], [2, "\n\fThe second"]);
  });
});
