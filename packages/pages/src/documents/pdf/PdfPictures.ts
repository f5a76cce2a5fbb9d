/**
 * The pages of a PDF that are pictures, as scanners make them, found and drawn by PDFium in WebAssembly. What it knows of
 * a file is forgotten with it: each has an instance of its own, whose memory a hostile file can fill, but not leave.
 */
import type { WrappedPdfiumModule } from "@embedpdf/pdfium";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { SCAN_DOTS_PER_INCH_MAX, SCAN_PIXELS_MAX, SCAN_SIDE_PIXELS_MAX } from "../../PageLimits.ts";

export interface PagePicture {
  /** Netpbm's PGM of 8 bits (netpbm.sourceforge.net/doc/pgm.html): the page upright, without its text. */
  readonly graymap: Uint8Array;
  readonly dotsPerInch: number;
}

const POINTS_PER_INCH = 72;

/** Less is a logo or an ornament; a receipt on a page of A4 is a sixth of it. In shares of its area. */
const COVERED_MIN = 0.1;

/** Kinds of objects of a page (fpdf_edit.h). */
const [TEXT, IMAGE, FORM] = [1, 3, 5];

/** Forms within forms that are looked into. */
const FORM_DEPTH_MAX = 4;

/** One byte for each pixel, and its flag of rendering (fpdfview.h). */
const [GRAY_BITMAP, GRAYSCALE] = [1, 8];

const WHITE = 0xff_ff_ff_ff;

/** What Emscripten makes of a program's memory; its types are not among those of Node. */
interface Memory {
  /** Another object after the memory has grown. */
  readonly HEAPU8: Uint8Array;
  readonly HEAPF32: Float32Array;
  readonly wasmExports: { readonly malloc: (sizeBytes: number) => number };
}

type Pdfium = Omit<WrappedPdfiumModule, "pdfium"> & { readonly pdfium: Memory };

let program: Promise<Uint8Array> | undefined;

const startPdfium = async (): Promise<Pdfium> => {
  const { init } = await import("@embedpdf/pdfium");
  program ??= readFile(createRequire(import.meta.url).resolve("@embedpdf/pdfium/pdfium.wasm"));
  const options: object = { wasmBinary: await program };
  const pdfium = (await init(options)) as unknown as Pdfium;
  pdfium.PDFiumExt_Init();
  return pdfium;
};

/** Throws if the bytes cannot be read as a PDF. */
const openDocument = async (bytes: Uint8Array) => {
  const pdfium = await startPdfium();
  const at = pdfium.pdfium.wasmExports.malloc(bytes.length);
  pdfium.pdfium.HEAPU8.set(bytes, at);
  const document = pdfium.FPDF_LoadMemDocument(at, bytes.length, "");
  const withPage = <A>(number: number, use: (page: number) => A): A => {
    const page = pdfium.FPDF_LoadPage(document, number - 1);
    if (page === 0) throw new Error(`There is no page ${number}.`);
    try {
      return use(page);
    } finally {
      pdfium.FPDF_ClosePage(page);
    }
  };
  return { pdfium, withPage };
};

/** Area of an object in square points, whatever is drawn over it. */
const areaOf = (pdfium: Pdfium, object: number, numbers: number): number => {
  if (!pdfium.FPDFPageObj_GetBounds(object, numbers, numbers + 4, numbers + 8, numbers + 12)) return 0;
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = pdfium.pdfium.HEAPF32.subarray(numbers / 4, numbers / 4 + 4);
  return Math.abs((x2 - x1) * (y2 - y1));
};

const isPicture = (pdfium: Pdfium, object: number, depth = 0): boolean => {
  const type = pdfium.FPDFPageObj_GetType(object);
  if (type !== FORM || depth === FORM_DEPTH_MAX) return type === IMAGE;
  const count = pdfium.FPDFFormObj_CountObjects(object);
  return Array.from({ length: count }, (_, at) => pdfium.FPDFFormObj_GetObject(object, at)).some((inner) =>
    isPicture(pdfium, inner, depth + 1)
  );
};

const objectsOf = (pdfium: Pdfium, page: number): ReadonlyArray<number> =>
  Array.from({ length: pdfium.FPDFPage_CountObjects(page) }, (_, at) => pdfium.FPDFPage_GetObject(page, at));

/**
 * Those of the pages, by their numbers from 1, that have a picture of some size; all of them where that is not known: in a
 * file that PDFium cannot read, and without PDFium, which is an optional peer of this package.
 */
export const picturedPages = async (
  bytes: Uint8Array,
  pages: ReadonlyArray<number>
): Promise<ReadonlyArray<number>> => {
  try {
    const { pdfium, withPage } = await openDocument(bytes);
    const numbers = pdfium.pdfium.wasmExports.malloc(16);
    const isCovered = (page: number): boolean => {
      const area = pdfium.FPDF_GetPageWidthF(page) * pdfium.FPDF_GetPageHeightF(page);
      const covered = objectsOf(pdfium, page)
        .filter((object) => isPicture(pdfium, object))
        .reduce((sum, object) => sum + areaOf(pdfium, object, numbers), 0);
      return covered >= COVERED_MIN * area;
    };
    return pages.filter((number) => withPage(number, isCovered));
  } catch {
    return pages;
  }
};

/** Its text is read without a picture. */
const removeText = (pdfium: Pdfium, page: number): void => {
  for (const object of objectsOf(pdfium, page))
    if (pdfium.FPDFPageObj_GetType(object) === TEXT && pdfium.FPDFPage_RemoveObject(page, object))
      pdfium.FPDFPageObj_Destroy(object);
};

/** A page by its number from 1. Rejects if there is none, or the file cannot be read. */
export const drawPage = async (bytes: Uint8Array, number: number): Promise<PagePicture> => {
  const { pdfium, withPage } = await openDocument(bytes);
  return withPage(number, (page) => {
    removeText(pdfium, page);
    const inches = [pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)].map(
      (points) => points / POINTS_PER_INCH
    ) as [number, number];
    const dotsPerInch = Math.floor(
      Math.min(
        SCAN_DOTS_PER_INCH_MAX,
        Math.sqrt(SCAN_PIXELS_MAX / (inches[0] * inches[1])),
        SCAN_SIDE_PIXELS_MAX / Math.max(...inches)
      )
    );
    const [width, height] = inches.map((size) => Math.max(1, Math.floor(size * dotsPerInch))) as [
      number,
      number
    ];
    const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, GRAY_BITMAP, 0, 0);
    pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
    pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, GRAYSCALE);
    const stride = pdfium.FPDFBitmap_GetStride(bitmap);
    const at = pdfium.FPDFBitmap_GetBuffer(bitmap);
    const rows = Array.from({ length: height }, (_, row) =>
      pdfium.pdfium.HEAPU8.subarray(at + row * stride, at + row * stride + width)
    );
    return { dotsPerInch, graymap: Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), ...rows]) };
  });
};
