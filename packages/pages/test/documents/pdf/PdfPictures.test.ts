import { assert, describe, it } from "@effect/vitest";
import { drawPage } from "../../../src/documents/pdf/PdfPictures.ts";
import { SCAN_DOTS_PER_INCH_MAX, SCAN_PIXELS_MAX, SCAN_SIDE_PIXELS_MAX } from "../../../src/PageLimits.ts";
import { readBytes } from "../../../src/ReadBytes.ts";
import { PAGE_URL } from "../../pages.ts";
import { pagedPdf } from "../../pdfs.ts";
import {
  grayPicture,
  PAGE_HEIGHT,
  PAGE_WIDTH,
  type Picture,
  type Scan,
  scannedPdf,
  spread,
  textAt
} from "../../scans.ts";

/** Left half black, right half white. */
const halves = grayPicture(64, 64, (x) => (x < 32 ? 0 : 255));

const whole: Scan = { pictures: [{ picture: halves }] };

const scannedPages = async (...scans: ReadonlyArray<Scan>) => {
  const outcome = await readBytes(scannedPdf(scans), { url: PAGE_URL, contentType: "application/pdf" });
  return "reading" in outcome ? outcome.reading.text.scannedPages : [];
};

interface Drawn {
  readonly width: number;
  readonly height: number;
  readonly dotsPerInch: number;
  /** Of the pixel at shares of width and height, from the upper left corner. */
  readonly grayAt: (x: number, y: number) => number;
}

const drawn = async (bytes: Uint8Array, page = 1): Promise<Drawn> => {
  const { dotsPerInch, graymap } = await drawPage(bytes, page);
  const [head = "", width = 0, height = 0] =
    /^P5\n(\d+) (\d+)\n255\n/u
      .exec(Buffer.from(graymap).toString("latin1", 0, 40))
      ?.map((part, at) => (at === 0 ? part : Number(part))) ?? [];
  assert.strictEqual(graymap.length, String(head).length + Number(width) * Number(height));
  return {
    width: Number(width),
    height: Number(height),
    dotsPerInch,
    grayAt: (x, y) =>
      graymap[
        String(head).length + Math.floor(y * Number(height)) * Number(width) + Math.floor(x * Number(width))
      ] ?? -1
  };
};

/** ITU-T T.6 (Group 4) of a black left half: the first line is written out, the others are like the one above. */
const fax = Buffer.from(
  `001${"00110101"}${"000001101010"}1${"111".repeat(63)}${"000000000001".repeat(2)}`
    .match(/.{1,8}/gu)
    ?.map((bits) => Number.parseInt(bits.padEnd(8, "0"), 2)) ?? []
);

const uint32s = (...values: ReadonlyArray<number>): Buffer =>
  Buffer.concat(values.map((value) => Buffer.from([value >>> 24, value >>> 16, value >>> 8, value])));

/** ITU-T T.88, 7.2: number, type, no segments that it refers to, page 1, length. */
const segment = (number: number, type: number, data: Buffer): Buffer =>
  Buffer.concat([uint32s(number), Buffer.from([type, 0, 1]), uint32s(data.length), data]);

/** Information of a page, and a generic region coded as a fax is. */
const jbig2 = Buffer.concat([
  segment(0, 48, Buffer.concat([uint32s(64, 64, 0, 0), Buffer.from([0, 0, 0])])),
  segment(1, 38, Buffer.concat([uint32s(64, 64, 0, 0), Buffer.from([0, 1]), fax]))
]);

/** Made by ffmpeg. */
const JPEG =
  "/9j/4AAQSkZJRgABAgAAAQABAAD//gAQTGF2YzU5LjM3LjEwMAD/2wBDAAgQEBMQExYWFhYWFhoYGhsbGxoaGhobGxsdHR0iIiIdHR0bGx0dICAiIiUmJSMjIiMmJigoKDAwLi44ODpFRVP/xABLAAEBAAAAAAAAAAAAAAAAAAAACAEBAAAAAAAAAAAAAAAAAAAAABABAAAAAAAAAAAAAAAAAAAAABEBAAAAAAAAAAAAAAAAAAAAAP/AABEIAEAAQAMBEgACEgADEgD/2gAMAwEAAhEDEQA/AJ/AAAAAAABdYAAAAAAAIUAAAAAAABdYAAAAAAAIUAAAAAAABdYAAAAAAAIUAAAAAAABdYAAAAAAAP/Z";
const JPEG_2000 =
  "AAAADGpQICANCocKAAAAFGZ0eXBqcDIgAAAAAGpwMiAAAAAtanAyaAAAABZpaGRyAAAAQAAAAEAAAQgHAAAAAAAPY29scgEAAAAAABEAAAFOanAyY/9P/1EAKQAAAAAAQAAAAEAAAAAAAAAAAAAAAQAAAAEAAAAAAAAAAAAAAQcBAf9SAAwAAAABAAYCAgAA/1wAKSJ/IH7gfuB+oHbwdvB2wG8AbwBu4GdQZ1BnaFAFUAVQR1fTV9NXYv9kABEAAUxhdmM1OS4zNy4xMDD/kAAKAAAAAADLAAH/k8/8AAwGu3/P/AAMArifx/IQAAgeIgD/AgNfx+wmABcq4VUIVhcx8hmeTAZnzHV/OWfH5joAIW3xjroVos2BmEH+hqg1IxPkYflGromRW3X59GHPwLA18j+pyVYZNg4Z7kc4IF3pYtPs6kt42zAvYXlmYptH8PgeYKwz7XVwnW+tf+fwE4PhF/gJwfCKAF77xYiZAz+5OYBhIEOCEgVZQR8RazRCf177xYiZAz+5OYBhIEOCEgVZQR8RazRCf//Z";

const picture64 = (entries: string, data: Uint8Array): Picture => ({ width: 64, height: 64, entries, data });

const BILEVEL = "/ColorSpace /DeviceGray /BitsPerComponent 1";
const GRAY = "/ColorSpace /DeviceGray /BitsPerComponent 8";
const FAX = `${BILEVEL} /Filter /CCITTFaxDecode /DecodeParms << /K -1 /Columns 64 /Rows 64 >>`;

const FORMATS: Readonly<Record<string, Picture>> = {
  "the format of fax machines": picture64(FAX, fax),
  JBIG2: picture64(`${BILEVEL} /Filter /JBIG2Decode`, jbig2),
  JPEG: picture64(
    "/ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode",
    Buffer.from(JPEG, "base64")
  ),
  "JPEG 2000": picture64("/Filter /JPXDecode", Buffer.from(JPEG_2000, "base64")),
  "pixels that a mask leaves out": picture64(
    "/ImageMask true /BitsPerComponent 1",
    Buffer.concat(Array.from({ length: 64 }, () => Buffer.from([0, 0, 0, 0, 255, 255, 255, 255])))
  )
};

const noise = Buffer.from(Array.from({ length: 2_000 }, (_, at) => (at * 7_919) % 251));

const BROKEN: Readonly<Record<string, Picture>> = {
  "a damaged JPEG": picture64(`${GRAY} /Filter /DCTDecode`, noise),
  "a damaged JPEG 2000": picture64("/Filter /JPXDecode", noise),
  "a damaged JBIG2": picture64(`${BILEVEL} /Filter /JBIG2Decode`, noise),
  "a picture that says it is huge": { ...picture64(GRAY, noise), width: 100_000, height: 100_000 }
};

const outcomeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "drawn",
    () => "rejected"
  );

/** Left above, right above, left below, right below: whether each is dark. */
const darkCorners = ({ grayAt }: Drawn) =>
  [grayAt(0.1, 0.1), grayAt(0.9, 0.1), grayAt(0.1, 0.9), grayAt(0.9, 0.9)].map((gray) => gray < 128);

const LEFT = [true, false, true, false];

describe("a page of a PDF is scanned", () => {
  it("if it has a picture of some size, in one piece, in strips or in a form, and it has no text but a stamp, a watermark or the name of the scanner", async () => {
    const strips = [0, 1, 2].map((strip) => ({
      picture: halves,
      matrix: spread(PAGE_WIDTH, PAGE_HEIGHT / 3, 0, (strip * PAGE_HEIGHT) / 3)
    }));
    const pages = await scannedPages(
      whole,
      { pictures: strips },
      { pictures: [{ picture: halves, matrix: spread(PAGE_WIDTH / 2, PAGE_HEIGHT / 3) }] },
      { ...whole, isInForm: true },
      { ...whole, drawn: textAt("ARC-0012 3/2025") },
      { ...whole, drawn: textAt("Scanned with a telephone", 0, 4) },
      { ...whole, drawn: "BT /F1 8 Tf .7 .7 -.7 .7 20 20 Tm (CONFIDENTIAL DRAFT) Tj ET" },
      {
        ...whole,
        drawn: "BT /F1 8 Tf 0 1 -1 0 106 10 Tm (Scanned with a telephone) Tj ET",
        entries: "/Rotate 90"
      }
    );
    assert.deepStrictEqual(pages, [1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it("not if a program has put its words under the picture, or it is a page of text or nothing", async () => {
    const pages = await scannedPages(
      { ...whole, drawn: textAt("The words of this page", 3) },
      { pictures: [], drawn: textAt("The words of this page") },
      { pictures: [] },
      { pictures: [{ picture: halves, matrix: spread(20, 20) }] }
    );
    assert.deepStrictEqual(pages, []);
  });

  it("which makes a document of scans readable, unlike one of drawings, of small pictures or of nothing", async () => {
    const outcome = await readBytes(scannedPdf([whole]), { url: PAGE_URL, contentType: null });
    assert.isTrue("reading" in outcome && outcome.reading.text.plain === "");
    const small = { picture: halves, matrix: spread(20, 20) };
    for (const textless of [
      pagedPdf([[]]),
      scannedPdf([{ pictures: [small] }]),
      scannedPdf([{ pictures: [], drawn: "10 10 60 90 re f" }])
    ])
      assert.deepStrictEqual(await readBytes(textless, { url: PAGE_URL, contentType: null }), {
        refused: "no_text"
      });
  });
});

describe("the picture of a page", () => {
  it("is the page as readers see it, without the text that it has", async () => {
    const page = await drawn(
      scannedPdf([{ pictures: [] }, { ...whole, drawn: textAt("MMMMMMMMMMMMMMMMM") }]),
      2
    );
    assert.deepStrictEqual(darkCorners(page), LEFT);
    const row = Array.from({ length: 40 }, (_, at) => page.grayAt(0.6 + at / 100, 42 / PAGE_HEIGHT));
    assert.isTrue(row.every((gray) => gray > 250));
    assert.strictEqual(page.width, Math.round((PAGE_WIDTH / 72) * SCAN_DOTS_PER_INCH_MAX));
    assert.strictEqual(page.dotsPerInch, SCAN_DOTS_PER_INCH_MAX);
  });

  it("is upright, however the file turns its page", async () => {
    const turned = await drawn(scannedPdf([{ ...whole, entries: "/Rotate 90" }]));
    assert.deepStrictEqual(darkCorners(turned), [true, true, false, false]);
    assert.isAbove(turned.width, turned.height);
  });

  it("has fewer dots per inch if the page is large, so that its pixels are bounded", async () => {
    const poster = await drawn(scannedPdf([{ ...whole, size: [5_000, 8_000] }]));
    assert.isAtMost(poster.width * poster.height, SCAN_PIXELS_MAX);
    assert.strictEqual(poster.dotsPerInch, Math.round((poster.width / 5_000) * 72));
    assert.deepStrictEqual(darkCorners(poster), LEFT);
  });

  it("has no side that tesseract refuses, even of a strip of paper", async () => {
    const strip = await drawn(scannedPdf([{ ...whole, size: [72, 14_400] }]));
    assert.strictEqual(strip.dotsPerInch, Math.floor(SCAN_SIDE_PIXELS_MAX / 200));
    assert.strictEqual(strip.height, 200 * strip.dotsPerInch);
    const thread = await drawn(scannedPdf([{ ...whole, size: [0.001, 1_000_000] }]));
    assert.isAtMost(thread.height, SCAN_SIDE_PIXELS_MAX);
  });

  it.each(Object.entries(FORMATS))("can be in %s", async (_, picture) => {
    assert.deepStrictEqual(darkCorners(await drawn(scannedPdf([{ pictures: [{ picture }] }]))), LEFT);
  });

  it.each(Object.entries(BROKEN))("is white where the file has %s", async (_, picture) => {
    assert.deepStrictEqual(darkCorners(await drawn(scannedPdf([{ pictures: [{ picture }] }]))), [
      false,
      false,
      false,
      false
    ]);
  });

  it("cannot be had of a file that is no PDF, or of a page that it does not have", async () => {
    assert.strictEqual(await outcomeOf(drawPage(new TextEncoder().encode("no PDF"), 1)), "rejected");
    assert.strictEqual(await outcomeOf(drawPage(scannedPdf([whole]), 2)), "rejected");
  });
});
