/** Entry point of a worker process: one task in, one answer out. Loads no Effect: starts fast (LightWorkers.test.ts). */
import { jsonFrame, jsonOf } from "@winnow/isolation/process/Frames";
import { serveTasks } from "@winnow/isolation/process/serveTasks";
import { drawPage } from "@winnow/pages/documents/pdf/PdfPictures";
import { withScannedText } from "@winnow/pages/documents/pdf/ScannedText";
import type { PageSource } from "@winnow/pages/facts/PageReading";
import { readBytes } from "@winnow/pages/ReadBytes";

serveTasks(async (task) => {
  const { bytes, header } = task;
  if ("url" in header) return jsonFrame(await readBytes(bytes, header as PageSource));
  if (!("page" in header)) {
    return jsonFrame(withScannedText(...(jsonOf(task) as Parameters<typeof withScannedText>)));
  }
  const { dotsPerInch, graymap } = await drawPage(bytes, Number(header.page));
  return { header: { dotsPerInch }, bytes: graymap };
});
