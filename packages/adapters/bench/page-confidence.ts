/**
 * What the page reader expects of its texts beside what they score, in ten bins of equal size: how `textConfidence`
 * was put right, and how far it is off. Only pages that the model was not trained on tell anything.
 *
 *   node bench/page-confidence.ts <pages.jsonl.zst> [--every N]
 *
 * A page is one JSON line {url, html, body}; the data is not part of this repo.
 */
import { parseArgs } from "node:util";
import { blockFeatures } from "../src/page/blocks/BlockFeatures.ts";
import { cutBlocks } from "../src/page/blocks/Blocks.ts";
import { isWithinModelLimits, joinBlocks, mainText } from "../src/page/blocks/MainText.ts";
import { BLOCK_MODEL } from "../src/page/blocks/Model.ts";
import { textConfidence } from "../src/page/blocks/TextConfidence.ts";
import { bodyOf } from "../src/page/PageBody.ts";
import { scanPage } from "../src/page/PageScan.ts";
import { parsePage } from "../src/page/PageTree.ts";
import { loadPages, mean, wordF1 } from "./page-text/measures.ts";

const BINS = 10;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { every: { type: "string", default: "1" } }
});
const pages = loadPages(positionals[0] ?? "").filter((_, index) => index % Number(values.every) === 0);

const measured = pages.flatMap(({ body, html, url }) => {
  const address = url ?? "https://page.test/";
  const { root } = parsePage(html);
  const scan = scanPage(root);
  const page = cutBlocks(bodyOf(root));
  if (!isWithinModelLimits(page)) return [];
  const read = mainText(page, blockFeatures(page, scan, address), { scan, url: address, model: BLOCK_MODEL });
  return [{ expected: read.expectedF1, f1: wordF1(joinBlocks(read.blocks), body) }];
});
const sorted = measured.toSorted((a, b) => a.expected - b.expected);
for (let bin = 0; bin < BINS; bin += 1) {
  const part = sorted.slice(
    Math.floor((bin * sorted.length) / BINS),
    Math.floor(((bin + 1) * sorted.length) / BINS)
  );
  const expected = mean(part.map((each) => each.expected));
  const f1 = mean(part.map((each) => each.f1));
  const confidence = mean(part.map((each) => textConfidence(each.expected)));
  console.log(
    `expected ${expected.toFixed(3)}  measured ${f1.toFixed(3)}  confidence ${confidence.toFixed(3)}  off by ${(confidence - f1).toFixed(3)}`
  );
}
console.log(`${sorted.length} pages, mean word F1 ${mean(sorted.map(({ f1 }) => f1)).toFixed(4)}`);
