/** Small PDFs written for these tests. */

export interface PdfOptions {
  readonly info?: string;
  /** Reference to the only child of the page tree; the page by default. */
  readonly kid?: string;
  readonly trailer?: string;
  /** Further entries of the catalog. */
  readonly catalog?: string;
  /** Names of glyphs that the font has at other codes than usual, as in `1 /t_t`. */
  readonly differences?: string;
}

/** Text at a position, in points from the lower left corner. */
export interface PlacedText {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  /** Font size; 10 by default. */
  readonly points?: number;
  /** Cosine and sine of the text's direction; to the right by default. */
  readonly direction?: readonly [number, number];
}

/** Pages of text, drawn in the order given. `annotations` are the same on each. */
export const pagedPdf = (
  pages: ReadonlyArray<ReadonlyArray<PlacedText>>,
  annotations: ReadonlyArray<string> = []
): Uint8Array => {
  const kids = pages.map((_, index) => `${4 + 2 * index} 0 R`);
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids.join(" ")}] /Count ${pages.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...pages.flatMap((texts, index) => {
      const drawn = texts
        .map(
          ({ direction: [cos, sin] = [1, 0], points = 10, text, x, y }) =>
            `BT /F1 ${points} Tf ${cos} ${sin} ${-sin} ${cos} ${x} ${y} Tm (${text}) Tj ET`
        )
        .join("\n");
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Annots [${annotations.join(" ")}] /Contents ${5 + 2 * index} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
        `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`
      ];
    })
  ];
  return written(objects, "");
};

/** One page with one line of text for each of `lines`. */
export const pdf = (
  lines: ReadonlyArray<string>,
  { catalog = "", differences = "", info = "", kid = "3 0 R", trailer = "" }: PdfOptions = {}
): Uint8Array => {
  const drawn = `BT /F1 12 Tf 14 TL 72 720 Td ${lines.map((line) => `(${line}) Tj T*`).join(" ")} ET`;
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    `<< /Type /Pages /Kids [${kid}] /Count 1 >>`,
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`,
    `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Type /Encoding /BaseEncoding /WinAnsiEncoding /Differences [${differences}] >> >>`,
    `<< ${info} >>`
  ];
  return written(objects, `/Info 6 0 R ${trailer}`);
};

const UNKNOWN_LETTERS =
  "1 begincodespacerange\n<0000> <ffff>\nendcodespacerange\n4 beginbfchar\n<0001> <fffd>\n<0002> <fffd>\n<0003> <f041>\n<0004> <db80dc41>\nendbfchar";

/**
 * One page with character codes in fonts that are not embedded and only name their character maps; those of fonts that
 * are `unknown` map the codes 1 and 2 to no letter, 3 and 4 to one for private use (U+F041, U+F0041). From the top, or if they are vertical from the right.
 */
export const namedMapPdf = (
  lines: ReadonlyArray<{
    readonly map: string;
    readonly collection: string;
    readonly codes: string;
    readonly unknown?: boolean;
  }>
): Uint8Array => {
  const fonts = lines.map((_, index) => `/F${index} ${5 + 2 * index} 0 R`).join(" ");
  const drawn = lines
    .map(({ codes, map }, index) => {
      const place = map.endsWith("-V") ? `${500 - 20 * index} 700` : `72 ${700 - 40 * index}`;
      return `BT /F${index} 12 Tf ${place} Td <${codes}> Tj ET`;
    })
    .join("\n");
  return written(
    [
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << ${fonts} >> >> >>`,
      `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`,
      ...lines.flatMap(({ collection, map, unknown = false }, index) => [
        `<< /Type /Font /Subtype /Type0 /BaseFont /Song /Encoding /${map} ${unknown ? `/ToUnicode ${5 + 2 * lines.length} 0 R` : ""} /DescendantFonts [${6 + 2 * index} 0 R] >>`,
        `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Song /DW 1000 /W [1 95 500] /CIDSystemInfo << /Registry (Adobe) /Ordering (${collection}) /Supplement 2 >> /FontDescriptor << /Type /FontDescriptor /FontName /Song /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 900 /Descent -200 /CapHeight 700 /StemV 80 >> >>`
      ]),
      `<< /Length ${UNKNOWN_LETTERS.length} >>\nstream\n${UNKNOWN_LETTERS}\nendstream`
    ],
    ""
  );
};

/** A PDF of these objects, the first of which is its catalog; they may contain bytes as Latin-1. */
export const objectsPdf = (objects: ReadonlyArray<string>): Uint8Array =>
  Buffer.from(textOf(objects, ""), "latin1");

const written = (objects: ReadonlyArray<string>, trailer: string): Uint8Array =>
  new TextEncoder().encode(textOf(objects, trailer));

const textOf = (objects: ReadonlyArray<string>, trailer: string): string => {
  let file = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const start = file.length;
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
  for (const offset of offsets) file += `${String(offset).padStart(10, "0")} 00000 n \n`;
  return `${file}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF`;
};
