/** Small PDFs of pictures, as scanners make them. */
import { deflateSync } from "node:zlib";
import { objectsPdf } from "./pdfs.ts";

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Of its dictionary, besides its size. */
  readonly entries: string;
  readonly data: Uint8Array;
}

/** One byte for each pixel: 0 is black. */
export const grayPicture = (
  width: number,
  height: number,
  grayOf: (x: number, y: number) => number
): Picture => ({
  width,
  height,
  entries: "/ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode",
  data: deflateSync(
    Uint8Array.from({ length: width * height }, (_, at) => grayOf(at % width, Math.floor(at / width)))
  )
});

const COLOURED = 3;

/** The pixels of a PNG with a palette, as they stand in it. */
export const pngPicture = (png: Buffer): Picture => {
  const chunks: Array<readonly [type: string, data: Buffer]> = [];
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    chunks.push([png.toString("latin1", at + 4, at + 8), png.subarray(at + 8, at + 8 + length)]);
    at += length + 12;
  }
  const dataOf = (type: string) =>
    Buffer.concat(chunks.flatMap(([name, data]) => (name === type ? [data] : [])));
  const head = dataOf("IHDR");
  if (head[9] !== COLOURED) throw new Error("The PNG has no palette.");
  const [width, height, palette] = [head.readUInt32BE(0), head.readUInt32BE(4), dataOf("PLTE")];
  return {
    width,
    height,
    entries:
      `/ColorSpace [/Indexed /DeviceRGB ${palette.length / 3 - 1} <${palette.toString("hex")}>] /BitsPerComponent ${head[8]} ` +
      `/Filter /FlateDecode /DecodeParms << /Predictor 15 /Columns ${width} /BitsPerComponent ${head[8]} >>`,
    data: dataOf("IDAT")
  };
};

/** An inch and a half wide, in points. */
export const PAGE_WIDTH = 108;
export const PAGE_HEIGHT = 144;

/** The matrix that spreads a picture over a part of a page. */
export const spread = (width = PAGE_WIDTH, height = PAGE_HEIGHT, left = 0, bottom = 0): string =>
  `${width} 0 0 ${height} ${left} ${bottom}`;

export interface Scan {
  readonly pictures: ReadonlyArray<{ readonly picture: Picture; readonly matrix?: string }>;
  /** Drawn after them; `/F1` is a font. */
  readonly drawn?: string;
  /** Further entries of the page. */
  readonly entries?: string;
  readonly size?: readonly [width: number, height: number];
  /** Whether a form draws the pictures. */
  readonly isInForm?: boolean;
}

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");

const stream = (entries: string, content: string): string =>
  `<< ${entries} /Length ${content.length} >>\nstream\n${content}\nendstream`;

export const scannedPdf = (scans: ReadonlyArray<Scan>): Uint8Array => {
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "",
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
  ];
  const add = (object: string): string => `${objects.push(object)} 0 R`;
  const kids = scans.map(
    ({ drawn = "", entries = "", isInForm = false, pictures, size = [PAGE_WIDTH, PAGE_HEIGHT] }) => {
      const names = pictures.map(({ picture: { data, width, height, entries: own } }, index) => {
        const image = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} ${own}`;
        return `/P${index} ${add(stream(image, latin1(data)))}`;
      });
      const images = pictures
        .map(({ matrix = spread(...size) }, index) => `q ${matrix} cm /P${index} Do Q`)
        .join("\n");
      const box = `[0 0 ${size.join(" ")}]`;
      const form = `/Type /XObject /Subtype /Form /BBox ${box} /Resources << /XObject << ${names.join(" ")} >> >>`;
      const resources = isInForm ? `/Form ${add(stream(form, images))}` : names.join(" ");
      const content = add(stream("", `${isInForm ? "/Form Do" : images}\n${drawn}`));
      return add(
        `<< /Type /Page /Parent 2 0 R /MediaBox ${box} /Contents ${content} ${entries} ` +
          `/Resources << /Font << /F1 3 0 R >> /XObject << ${resources} >> >> >>`
      );
    }
  );
  objects[1] = `<< /Type /Pages /Kids [${kids.join(" ")}] /Count ${kids.length} >>`;
  return objectsPdf(objects);
};

/** Text in a mode of ISO 32000-2, 9.3.6: 0 is filled, 3 is invisible. */
export const textAt = (text: string, mode: 0 | 3 = 0, bottom = 100): string =>
  `BT /F1 8 Tf ${mode} Tr 1 0 0 1 10 ${bottom} Tm (${text}) Tj ET`;
