/**
 * Trains the block model of the page reader and says how good it is on pages it has not seen.
 *
 *   node bench/train-page-text.ts <pages.jsonl.zst>... [--folds 5] [--write | --check]
 *
 * Pages of one site are all in the same fold. Each fold is left out in turn, the model is trained on the rest
 * alone, and the pages left out are read with it (`--folds 0` leaves that away): mean word F1 by type with its
 * interval, and what `textConfidence` promises beside it. `--write` then trains on all pages and writes
 * src/page/blocks/generated and the texts of the golden pages; `--check` trains and exits with 1 when a byte of
 * the generated file would change. The data is not part of this repo (decision 23 names it); the same data in
 * the same order give the same model to the bit. `--chances <file>` writes what the models of the folds say of the
 * blocks of the pages they have not seen, for bench/page-markdown.ts.
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { blockFeatures } from "../src/page/blocks/BlockFeatures.ts";
import { cutBlocks } from "../src/page/blocks/Blocks.ts";
import type { Forest } from "../src/page/blocks/Forest.ts";
import { blockChances, joinBlocks, mainText } from "../src/page/blocks/MainText.ts";
import { bodyOf } from "../src/page/PageBody.ts";
import { scanPage } from "../src/page/PageScan.ts";
import { parsePage } from "../src/page/PageTree.ts";
import { featuresDigest, goldenPages, writeGoldenText } from "../test/page/blocks/goldenPages.ts";
import { PAGE_URL } from "../test/page/pages.ts";
import { bin, type Binned, boost, type Boosted, type BoostingOptions } from "./page-text/boosting.ts";
import { type Judged, reportConfidence } from "./page-text/confidence.ts";
import { keptShares } from "./page-text/labels.ts";
import { interval, loadPages, mean, type Page, wordF1, wordsOf } from "./page-text/measures.ts";
import { packForest } from "./page-text/packing.ts";

const OPTIONS: BoostingOptions = {
  trees: 480,
  leaves: 24,
  learningRate: 0.045,
  leafWeightMin: 0.02,
  ridge: 0.1,
  featureShare: 0.2,
  groupShare: 0.5,
  seed: 1
};

/** A page as the reader takes it apart. */
const cut = ({ html, url }: Pick<Page, "html" | "url">) => {
  const address = url ?? "https://page.test/";
  const { root } = parsePage(html);
  const scan = scanPage(root);
  const blocks = cutBlocks(bodyOf(root));
  return { blocks, rows: () => blockFeatures(blocks, scan, address), source: { scan, url: address } };
};

/** What training needs of a page; its elements would fill the memory. */
interface Sample {
  readonly page: Page;
  /** Numbers of its blocks, one row after the other. */
  readonly features: Float32Array;
  readonly labels: Float32Array;
  readonly weights: Float32Array;
}

/** Words of a page count as shares of its truth, since the measure is a mean over pages. */
const PAGE_SHARE = 0.5;
const PAGE_WORDS_MIN = 50;

const sampleOf = (page: Page): Sample => {
  const { blocks, rows: read } = cut(page);
  const rows = read();
  const features = new Float32Array(rows.length * (rows[0]?.length ?? 0));
  rows.forEach((row, index) => features.set(row, index * row.length));
  const words = blocks.blocks.map(({ text }) => wordsOf(text).length);
  const total = words.reduce((sum, count) => sum + count, 0);
  const scale = Math.max(wordsOf(page.body).length, PAGE_SHARE * total, PAGE_WORDS_MIN);
  return {
    page,
    features,
    labels: keptShares(
      blocks.blocks.map(({ text }) => text),
      page.body
    ),
    weights: Float32Array.from(words, (count) => (count + 0.5) / scale)
  };
};

const joined = (parts: ReadonlyArray<Float32Array>): Float32Array => {
  const whole = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};

const binnedFeatures = (samples: ReadonlyArray<Sample>, rowCount: number): Binned => {
  const count = samples.reduce(
    (found, { features, labels }) => (labels.length > 0 ? features.length / labels.length : found),
    0
  );
  return bin(count, (feature) => {
    const column = new Float32Array(rowCount);
    let row = 0;
    for (const { features } of samples)
      for (let at = feature; at < features.length; at += count) column[row++] = features[at] as number;
    return column;
  });
};

/** Learns from the samples that `isSeen`, and judges all. */
const trainer = (samples: ReadonlyArray<Sample>): ((isSeen: (sample: Sample) => boolean) => Boosted) => {
  const labels = joined(samples.map((sample) => sample.labels));
  const weights = joined(samples.map((sample) => sample.weights));
  const groups = Int32Array.from(samples.flatMap((sample, group) => Array.from(sample.labels, () => group)));
  const data = binnedFeatures(samples, labels.length);
  return (isSeen) =>
    boost({ data, labels, weights, groups, isSeen: (group) => isSeen(samples[group] as Sample) }, OPTIONS);
};

const judgedOf = (page: Page, chances: Float32Array): Judged => {
  const { blocks, source } = cut(page);
  const read = mainText(blocks, chances, source);
  return { type: page.type, expected: read.expectedF1, f1: wordF1(joinBlocks(read.blocks), page.body) };
};

const report = (title: string, judged: ReadonlyArray<Judged>): void => {
  const line = (name: string, scores: ReadonlyArray<number>): void =>
    console.log(`${name}: ${mean(scores).toFixed(4)} ± ${interval(scores).toFixed(4)} of ${scores.length}`);
  line(
    `${title}, mean word F1`,
    judged.map(({ f1 }) => f1)
  );
  for (const [type, ofType] of Map.groupBy(judged, (each) => each.type))
    line(
      `  ${type}`,
      ofType.map(({ f1 }) => f1)
    );
};

/** Pages of one site look alike. */
const foldOf = ({ id, url }: Page, folds: number): number => {
  const site = (URL.parse(url ?? "")?.hostname ?? id).split(".").slice(-2).join(".");
  return createHash("sha256").update(site).digest().readUInt32BE() % folds;
};

const judgeAll = (
  samples: ReadonlyArray<Sample>,
  chances: Float32Array,
  isJudged: (sample: Sample) => boolean,
  told?: (page: Page, chances: Float32Array) => void
): ReadonlyArray<Judged> => {
  let row = 0;
  return samples.flatMap((sample) => {
    const own = chances.subarray(row, row + sample.labels.length);
    row += sample.labels.length;
    if (!isJudged(sample)) return [];
    told?.(sample.page, own);
    return [judgedOf(sample.page, own)];
  });
};

const GENERATED = new URL("../src/page/blocks/generated/BlockForest.ts", import.meta.url);

const sourceOf = (model: Forest, dataFiles: ReadonlyArray<string>, pages: number): string => {
  const digests = dataFiles.map((file) => createHash("sha256").update(readFileSync(file)).digest("hex"));
  const parts = [
    "/** Forest of the block model, written by bench/train-page-text.ts (decision 23 names the data). */",
    `/** The files that the model was trained on. */\nexport const TRAINING_DATA = { pages: ${pages}, sha256: ${JSON.stringify(digests)} };`,
    `/** Of the features it was trained with; see test/page/blocks/goldenPages.ts. */\nexport const FEATURES_DIGEST = "${featuresDigest()}";`,
    `export const FOREST =\n  "${packForest(model)}";`
  ];
  return `${parts.join("\n\n")}\n`;
};

const writeGoldenTexts = (model: Forest): void => {
  for (const { html, name } of goldenPages()) {
    const { blocks, rows, source } = cut({ html, url: PAGE_URL });
    writeGoldenText(name, `${joinBlocks(mainText(blocks, blockChances(rows(), model), source).blocks)}\n`);
  }
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    folds: { type: "string", default: "5" },
    chances: { type: "string" },
    write: { type: "boolean", default: false },
    check: { type: "boolean", default: false }
  }
});
const folds = Number(values.folds);
const samples = positionals.flatMap(loadPages).map(sampleOf);
const train = trainer(samples);
const unseen: Array<Judged> = [];
const unseenChances: Record<string, ReadonlyArray<number>> = {};
for (let fold = 0; fold < folds; fold += 1) {
  const isUnseen = ({ page }: Sample): boolean => foldOf(page, folds) === fold;
  const { chances } = train((sample) => !isUnseen(sample));
  unseen.push(
    ...judgeAll(samples, chances, isUnseen, ({ id }, own) => (unseenChances[id] = Array.from(own)))
  );
  report(`unseen, ${fold + 1} of ${folds} folds`, unseen);
}
if (folds > 0) reportConfidence(unseen);
if (values.chances !== undefined) writeFileSync(values.chances, JSON.stringify(unseenChances));
if (values.write || values.check) {
  const { chances, forest } = train(() => true);
  report(
    "seen in training",
    judgeAll(samples, chances, () => true)
  );
  const source = sourceOf(forest, positionals, samples.length);
  if (values.write) {
    writeFileSync(GENERATED, source);
    writeGoldenTexts(forest);
  } else if (source !== readFileSync(GENERATED, "utf8")) {
    console.error("The model trained from these files is not the one in src/page/blocks/generated.");
    process.exitCode = 1;
  }
}
