/**
 * Small documents that make a reader fill its memory or compute without end, of eleven kinds. Each grows with `scale`, 1
 * to 10; the largest has 1 MB.
 */
import { constants, deflateRawSync, deflateSync } from "node:zlib";
import { archive, BOOK_FILES, SLIDE_FILES, WORD_FILES, WORD_NAMES } from "./documents/archives.ts";
import { objectsPdf } from "./pdfs.ts";

export interface HostileDocument {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

const MB = 2 ** 20;

/** A deflate stream of as many blanks. */
const blanks = (megabytes: number): Buffer => {
  const one = deflateRawSync(Buffer.alloc(MB, " "), { finishFlush: constants.Z_FULL_FLUSH });
  return Buffer.concat([...Array.from({ length: megabytes }, () => one), Buffer.from("0300", "hex")]);
};

const zlibBlanks = (megabytes: number): Buffer =>
  Buffer.concat([Buffer.from("789c", "hex"), blanks(megabytes), Buffer.alloc(4)]);

const stream = (data: Buffer, entries = ""): string =>
  `<< ${entries} /Length ${data.length} >>\nstream\n${data.toString("latin1")}\nendstream`;

const flate = (text: string, entries = ""): string =>
  stream(deflateSync(text), `/Filter /FlateDecode ${entries}`);

const inHex = (data: Buffer, filters = ""): string =>
  stream(Buffer.from(`${data.toString("hex")}>`), `/Filter [/ASCIIHexDecode ${filters}]`);

const times = <A>(count: number, make: (index: number) => A): ReadonlyArray<A> =>
  Array.from({ length: count }, (_, index) => make(index));

const CATALOG = "<< /Type /Catalog /Pages 2 0 R >>";
const PAGES = "<< /Type /Pages /Kids [3 0 R] /Count 1 >>";
const PAGE = "/Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R";

const cmap = (kind: "bf" | "cid", ranges: ReadonlyArray<string>): string =>
  `/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <000000> <ffffff> endcodespacerange ` +
  `${ranges.length} begin${kind}range ${ranges.join(" ")} end${kind}range endcmap`;

const LETTERS = `<${"0041".repeat(5)}>`;

const FONT =
  "/Type /Font /Subtype /Type0 /BaseFont /A /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /A " +
  "/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>]";

/** A page that uses each of these fonts, which are in objects of their own. */
const fontsPdf = (fonts: ReadonlyArray<{ readonly font: string; readonly map: string }>): Uint8Array => {
  const names = fonts.map((_, index) => `/G${index} ${5 + 2 * index} 0 R`).join(" ");
  const drawn = fonts.map((_, index) => `BT /G${index} 9 Tf 72 ${700 - 9 * index} Td <00410042> Tj ET`);
  return objectsPdf([
    CATALOG,
    PAGES,
    `<< ${PAGE} /Resources << /Font << ${names} >> >> >>`,
    flate(drawn.join("\n")),
    ...fonts.flatMap(({ font, map }, index) => [`<< ${FONT} ${font} ${6 + 2 * index} 0 R >>`, map])
  ]);
};

const TO_UNICODE = "/Encoding /Identity-H /ToUnicode";

/** A PDF without a classic table: its cross-reference stream claims entries. */
const tablePdf = (count: number): Uint8Array => {
  const head = `%PDF-1.7\n1 0 obj\n${CATALOG}\nendobj\n`;
  const index = times(10, (at) => `${at * count} ${count}`).join(" ");
  const table = stream(Buffer.from("x"), `/Type /XRef /Root 1 0 R /Size 5 /W [0 0 0] /Index [${index}]`);
  return Buffer.from(`${head}2 0 obj\n${table}\nendobj\nstartxref\n${head.length}\n%%EOF`, "latin1");
};

const contentPdf = (content: string): Uint8Array =>
  objectsPdf([CATALOG, PAGES, `<< ${PAGE} /Resources << >> >>`, content]);

/** Each form draws the next ten times. */
const formsPdf = (depth: number): Uint8Array =>
  objectsPdf([
    CATALOG,
    PAGES,
    `<< ${PAGE} /Resources << /XObject << /F 5 0 R >> >> >>`,
    stream(Buffer.from("/F Do")),
    ...times(depth, (index) =>
      stream(
        Buffer.from("/F Do ".repeat(10)),
        `/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /XObject << /F ${6 + index} 0 R >> >>`
      )
    ),
    stream(Buffer.from([0]), "/Type /XObject /Subtype /Image /Width 1 /Height 1 /ImageMask true")
  ]);

const packed = (files: Readonly<Record<string, string>>, name: string, megabytes: number): Uint8Array =>
  archive(files, { deflated: { [name]: blanks(megabytes) } });

const PDF = "application/pdf";
const HTML = "text/html; charset=utf-8";
const MARKDOWN = "text/markdown; charset=utf-8";

const ZIPPED: ReadonlyArray<readonly [files: Readonly<Record<string, string>>, name: string]> = [
  [WORD_FILES, "word/document.xml"],
  [SLIDE_FILES, "ppt/slides/slide1.xml"],
  [BOOK_FILES, "OEBPS/two.xhtml"]
];

export const HOSTILE_DOCUMENTS: Readonly<Record<string, (scale: number) => HostileDocument>> = {
  "PDF with character maps of huge ranges": (scale) => ({
    contentType: PDF,
    bytes: fontsPdf(
      times(scale, () => ({ font: TO_UNICODE, map: flate(cmap("bf", [`<000000> <fffffe> ${LETTERS}`])) }))
    )
  }),
  "PDF with character maps in another encoding": (scale) => ({
    contentType: PDF,
    bytes: fontsPdf(
      times(scale, () => ({
        font: TO_UNICODE,
        map: inHex(Buffer.from(cmap("bf", [`<000000> <fffffe> ${LETTERS}`])))
      }))
    )
  }),
  "PDF with encodings of huge ranges": (scale) => ({
    contentType: PDF,
    bytes: fontsPdf(
      times(scale, () => ({
        font: "/Encoding",
        map: inHex(
          Buffer.from(
            cmap(
              "cid",
              times(100, (at) => `<${at.toString(16).padStart(2, "0")}0000> <fffffe> ${at}`)
            )
          )
        )
      }))
    )
  }),
  "PDF with a cross-reference stream of entries without bytes": (scale) => ({
    contentType: PDF,
    bytes: tablePdf(150_000 * scale ** 2)
  }),
  "PDF whose content is a bomb": (scale) => ({
    contentType: PDF,
    bytes: contentPdf(stream(zlibBlanks(100 * scale), "/Filter /FlateDecode"))
  }),
  "PDF whose content is a bomb in another encoding": (scale) => ({
    contentType: PDF,
    bytes: contentPdf(inHex(zlibBlanks(60 * scale), "/FlateDecode"))
  }),
  "PDF of forms within forms": (scale) => ({
    contentType: PDF,
    bytes: formsPdf(scale + 2)
  }),
  "office document or book that is a bomb": (scale) => {
    const [files, name] = ZIPPED[scale % ZIPPED.length] ?? [WORD_FILES, "word/document.xml"];
    return { contentType: "application/octet-stream", bytes: packed(files, name, 100 * scale) };
  },
  "office document of nested tables": (scale) => {
    const nested = "<w:tbl><w:tr><w:tc>".repeat(20_000 * scale);
    const document = `<w:document ${WORD_NAMES}><w:body>${nested}<w:p><w:r><w:t>x</w:t></w:r></w:p>`;
    return {
      contentType: "application/octet-stream",
      bytes: archive({ ...WORD_FILES, "word/document.xml": document })
    };
  },
  "page of nested or countless elements": (scale) => ({
    contentType: HTML,
    bytes: Buffer.from(
      scale % 2 === 0
        ? `<title>x</title>${"<table><tr><td>".repeat(8_000 * scale)}x`
        : `<title>x</title><table>${"<tr><td>1<td>2<td><b><i>3".repeat(8_000 * scale)}</table>`
    )
  }),
  "Markdown of nested quotes, lists or a giant table": (scale) => ({
    contentType: MARKDOWN,
    bytes: Buffer.from(
      [
        `${"> ".repeat(40_000 * scale)}x`,
        `${times(300 * scale, (at) => `${" ".repeat(2 * at)}- x`).join("\n")}`,
        `|${" a |".repeat(1_000)}\n|${"-|".repeat(1_000)}\n${`|${"x|".repeat(1_000)}\n`.repeat(40 * scale)}`
      ][scale % 3] ?? ""
    )
  })
};
