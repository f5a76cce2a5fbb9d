/** Entry point of a worker process: one page in, one result or picture out. Does not load Effect, so that it starts fast. */
import { jsonFrame } from "@winnow/isolation/process/Frames";
import { serveTasks } from "@winnow/isolation/process/serveTasks";
import { drawPage } from "@winnow/pages/documents/pdf/PdfPictures";
import type { PageSource } from "@winnow/pages/facts/PageReading";
import { readBytes } from "@winnow/pages/ReadBytes";

serveTasks(async ({ bytes, header }) => {
  if (!("page" in header)) return jsonFrame(await readBytes(bytes, header as PageSource));
  const { dotsPerInch, graymap } = await drawPage(bytes, Number(header.page));
  return { header: { dotsPerInch }, bytes: graymap };
});
