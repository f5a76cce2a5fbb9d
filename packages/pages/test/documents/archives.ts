/** Archives and small documents written for these tests. */
import { crc32, deflateRawSync } from "node:zlib";

export interface ArchiveOptions {
  /** General purpose flags of each entry. */
  readonly flags?: number;
  /** Entries whose deflated bytes are given. */
  readonly deflated?: Readonly<Record<string, Uint8Array>>;
}

/** A ZIP archive of these files by name, deflated as quickly as can be: some are bombs. */
export const archive = (
  files: Readonly<Record<string, string | Uint8Array>>,
  { deflated = {}, flags = 0 }: ArchiveOptions = {}
): Uint8Array => {
  const locals: Array<Buffer> = [];
  const directory: Array<Buffer> = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const bytes = typeof content === "string" ? Buffer.from(content) : content;
    const packed = deflated[name] ?? deflateRawSync(bytes, { level: 1 });
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(flags, 2);
    shared.writeUInt16LE(8, 4);
    shared.writeUInt32LE(crc32(bytes), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(bytes.length, 18);
    shared.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from("PK\u0003\u0004"), shared, Buffer.from(name), packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from("PK\u0001\u0002\u0014\0"), shared, rest, Buffer.from(name)]));
    locals.push(local);
    offset += local.length;
  }
  const size = directory.reduce((sum, each) => sum + each.length, 0);
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006", 0);
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return new Uint8Array(Buffer.concat([...locals, ...directory, end]));
};

export const WORD_NAMES =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" ' +
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" ' +
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" ' +
  'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" xmlns:v="urn:schemas-microsoft-com:vml"';

const relations = (targets: Readonly<Record<string, string>>): string =>
  `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${Object.entries(
    targets
  )
    .map(([id, target]) => `<Relationship Id="${id}" Target="${target}"/>`)
    .join("")}</Relationships>`;

const core = `<?xml version="1.0"?><cp:coreProperties><dc:title>Bread &amp; ovens</dc:title><dc:creator>Mira Tal</dc:creator><dcterms:created>2025-03-04T23:30:00Z</dcterms:created><dc:language>en-GB</dc:language></cp:coreProperties>`;

const item = (text: string, level: number, id: number): string =>
  `<w:p><w:pPr><w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${id}"/></w:numPr></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;

export const WORD_FILES: Readonly<Record<string, string>> = {
  "docProps/core.xml": core,
  "word/styles.xml": `<w:styles ${WORD_NAMES}><w:style w:styleId="H1"><w:name w:val="heading 1"/></w:style></w:styles>`,
  "word/numbering.xml": `<w:numbering ${WORD_NAMES}><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/></w:lvl><w:lvl w:ilvl="1"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum><w:num w:numId="3"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
  "word/_rels/document.xml.rels": relations({ rId1: "https://mill.test/flour" }),
  "word/document.xml":
    `<?xml version="1.0"?><w:document ${WORD_NAMES}><w:body>` +
    `<w:p><w:pPr><w:pStyle w:val="H1"/></w:pPr><w:r><w:t>Bread</w:t></w:r></w:p>` +
    `<w:p><w:r><w:t xml:space="preserve">Flour from </w:t></w:r><w:hyperlink r:id="rId1"><w:r><w:rPr><w:b/></w:rPr><w:t>the mill</w:t></w:r></w:hyperlink><w:del><w:r><w:delText>gone</w:delText><w:t>gone</w:t></w:r></w:del><w:r><w:t>.</w:t><w:footnoteReference w:id="1"/></w:r></w:p>` +
    item("Knead", 0, 3) +
    item("long", 1, 3) +
    item("Bake", 0, 3) +
    `<w:tbl><w:tr><w:tc><w:p><w:r><w:t>Flour</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>500 g</w:t></w:r></w:p></w:tc></w:tr><w:tr><w:tc><w:p><w:r><w:t>Salt</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>10 g</w:t></w:r></w:p></w:tc></w:tr></w:tbl>` +
    `</w:body></w:document>`,
  "word/footnotes.xml": `<w:footnotes ${WORD_NAMES}><w:footnote w:id="1"><w:p><w:r><w:t>A note.</w:t></w:r></w:p></w:footnote></w:footnotes>`
};

const shape = (text: string, kind = ""): string =>
  `<p:sp><p:nvSpPr><p:nvPr>${kind === "" ? "" : `<p:ph type="${kind}"/>`}</p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`;

const slide = (shapes: string): string =>
  `<?xml version="1.0"?><p:sld><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`;

export const SLIDE_FILES: Readonly<Record<string, string>> = {
  "docProps/core.xml": core,
  "ppt/presentation.xml": `<p:presentation><p:sldIdLst><p:sldId r:id="rId2"/><p:sldId r:id="rId1"/></p:sldIdLst></p:presentation>`,
  "ppt/_rels/presentation.xml.rels": relations({ rId1: "slides/slide1.xml", rId2: "slides/slide2.xml" }),
  "ppt/slides/slide1.xml": slide(
    shape("The second slide", "title") + shape("Its words") + shape("2", "sldNum")
  ),
  "ppt/slides/slide2.xml": slide(shape("The first slide", "ctrTitle") + shape("Five loaves"))
};

export const BOOK_FILES: Readonly<Record<string, string>> = {
  mimetype: "application/epub+zip",
  "META-INF/container.xml": `<container><rootfiles><rootfile full-path="OEBPS/content.opf"/></rootfiles></container>`,
  "OEBPS/content.opf": `<package><metadata><dc:title>Bread</dc:title><dc:creator>Mira Tal</dc:creator><dc:date>2025-03-04</dc:date><dc:language>en</dc:language></metadata><manifest><item id="b" href="two.xhtml"/><item id="a" href="one%20.xhtml"/><item id="c" href="cover.xhtml"/></manifest><spine><itemref idref="c" linear="no"/><itemref idref="a"/><itemref idref="b"/></spine></package>`,
  "OEBPS/one .xhtml": `<html><head><title>No text</title></head><body class="x"><h1>One</h1><p>The first chapter, see <a href="two.xhtml">the next</a>.</p></body></html>`,
  "OEBPS/two.xhtml": `<html><body><h1>Two</h1><p>The second <em>chapter</em>.</p></body></html>`,
  "OEBPS/cover.xhtml": `<html><body>Cover</body></html>`
};
