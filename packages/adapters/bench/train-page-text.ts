/**
 * Trains the block model of the page reader and says how good it is on pages it has not seen.
 *
 *   node bench/train-page-text.ts <pages.jsonl.zst> [--folds 5] [--write | --check]
 *
 * Each fold is left out in turn, both passes of the model are trained on the rest alone, and the pages left
 * out are read with them (`--folds 0` leaves that away). `--write` then trains on all pages and writes
 * src/page/blocks/generated and the texts of the golden pages; `--check` trains and exits with 1 when a byte of
 * the generated file would change. The data is not part of this repo (decision 23 names it); the same data give
 * the same model to the bit.
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { blockFeatures } from "../src/page/blocks/BlockFeatures.ts";
import { cutBlocks, type PageBlocks } from "../src/page/blocks/Blocks.ts";
import { predict, type Forest } from "../src/page/blocks/Forest.ts";
import { type BlockModel, joinBlocks, mainText, withNeighbours } from "../src/page/blocks/MainText.ts";
import { neighbourFeatures } from "../src/page/blocks/NeighbourFeatures.ts";
import { bodyOf } from "../src/page/PageBody.ts";
import { type PageScan, scanPage } from "../src/page/PageScan.ts";
import { parsePage } from "../src/page/PageTree.ts";
import { boost, type BoostingOptions } from "./page-text/boosting.ts";
import { featuresDigest, goldenPages, writeGoldenText } from "../test/page/blocks/goldenPages.ts";
import { PAGE_URL } from "../test/page/pages.ts";
import { keptShares } from "./page-text/labels.ts";
import { loadPages, mean, type Page, wordF1, wordsOf } from "./page-text/measures.ts";
import { packForest } from "./page-text/packing.ts";

const FIRST_PASS: BoostingOptions = {
  trees: 200,
  leaves: 24,
  learningRate: 0.08,
  leafWeightMin: 0.02,
  ridge: 0.1,
  featureShare: 0.25,
  groupShare: 0.7,
  seed: 1
};
const CONTEXT_PASS: BoostingOptions = { ...FIRST_PASS, trees: 120, seed: 7 };

interface Sample {
  readonly page: Page;
  readonly url: string;
  readonly scan: PageScan;
  readonly blocks: PageBlocks;
  readonly rows: ReadonlyArray<Float32Array>;
  readonly labels: Float32Array;
  readonly weights: ReadonlyArray<number>;
}

/** Words of a page count as shares of its truth, since the measure is a mean over pages. */
const PAGE_SHARE = 0.5;
const PAGE_WORDS_MIN = 50;

const sampleOf = (page: Page): Sample => {
  const url = page.url ?? "https://page.test/";
  const { root } = parsePage(page.html);
  const scan = scanPage(root);
  const blocks = cutBlocks(bodyOf(root));
  const words = blocks.blocks.map(({ text }) => wordsOf(text).length);
  const total = words.reduce((sum, count) => sum + count, 0);
  const scale = Math.max(wordsOf(page.body).length, PAGE_SHARE * total, PAGE_WORDS_MIN);
  return {
    page,
    url,
    scan,
    blocks,
    rows: blockFeatures(blocks, scan, url),
    labels: keptShares(
      blocks.blocks.map(({ text }) => text),
      page.body
    ),
    weights: words.map((count) => (count + 0.5) / scale)
  };
};

const trained = (
  samples: ReadonlyArray<Sample>,
  rowsOf: (sample: Sample) => ReadonlyArray<Float32Array>,
  options: BoostingOptions
): Forest =>
  boost(
    {
      rows: samples.flatMap(rowsOf),
      labels: samples.flatMap(({ labels }) => [...labels]),
      weights: samples.flatMap(({ weights }) => weights),
      groups: samples.flatMap(({ rows }, group) => rows.map(() => group))
    },
    options
  );

const parted = (samples: ReadonlyArray<Sample>, folds: number, fold: number) => ({
  seen: samples.filter((_, index) => index % folds !== fold),
  unseen: samples.filter((_, index) => index % folds === fold)
});

/** The second pass learns from judgements on pages that the first had not seen. */
const trainModel = (samples: ReadonlyArray<Sample>, folds: number): BlockModel => {
  const judged = new Map<Sample, ReadonlyArray<Float32Array>>();
  for (let fold = 0; fold < folds; fold += 1) {
    const { seen, unseen } = parted(samples, folds, fold);
    const forest = trained(seen, ({ rows }) => rows, FIRST_PASS);
    for (const sample of unseen) {
      const chances = Float32Array.from(sample.rows, (row) => predict(forest, row));
      judged.set(sample, withNeighbours(sample.rows, neighbourFeatures(sample.blocks, chances)));
    }
  }
  return {
    firstPass: trained(samples, ({ rows }) => rows, FIRST_PASS),
    contextPass: trained(samples, (sample) => judged.get(sample) ?? [], CONTEXT_PASS)
  };
};

/** As the page reader reads it, but with this model. */
const goldenTextOf = (html: string, model: BlockModel): string => {
  const { root } = parsePage(html);
  const scan = scanPage(root);
  const blocks = cutBlocks(bodyOf(root));
  return `${joinBlocks(mainText(blocks, blockFeatures(blocks, scan, PAGE_URL), { scan, url: PAGE_URL, model }).blocks)}\n`;
};

const scoreOf = ({ blocks, page, rows, scan, url }: Sample, model: BlockModel): number =>
  wordF1(joinBlocks(mainText(blocks, rows, { scan, url, model }).blocks), page.body);

const report = (title: string, scores: ReadonlyMap<Sample, number>): void => {
  console.log(`${title}: mean word F1 ${mean([...scores.values()]).toFixed(4)} of ${scores.size} pages`);
  for (const [type, ofType] of Map.groupBy(scores, ([{ page }]) => page.type))
    console.log(
      `  ${type.padEnd(14)} ${mean(ofType.map(([, score]) => score)).toFixed(4)} n=${ofType.length}`
    );
};

const crossValidate = (samples: ReadonlyArray<Sample>, folds: number): void => {
  const scores = new Map<Sample, number>();
  for (let fold = 0; fold < folds; fold += 1) {
    const { seen, unseen } = parted(samples, folds, fold);
    const model = trainModel(seen, folds);
    for (const sample of unseen) scores.set(sample, scoreOf(sample, model));
    report(`unseen, ${fold + 1} of ${folds} folds`, scores);
  }
};

const GENERATED = new URL("../src/page/blocks/generated/BlockForests.ts", import.meta.url);

const sourceOf = (model: BlockModel, dataFile: string, pages: number): string => {
  const sha256 = createHash("sha256").update(readFileSync(dataFile)).digest("hex");
  const parts = [
    "/** Forests of the block model, written by bench/train-page-text.ts (decision 23 names the data). */",
    `/** The file that the model was trained on. */\nexport const TRAINING_DATA = { pages: ${pages}, sha256: "${sha256}" };`,
    `/** Of the features it was trained with; see test/page/blocks/goldenPages.ts. */\nexport const FEATURES_DIGEST = "${featuresDigest()}";`,
    `export const FIRST_PASS =\n  "${packForest(model.firstPass)}";`,
    `export const CONTEXT_PASS =\n  "${packForest(model.contextPass)}";`
  ];
  return `${parts.join("\n\n")}\n`;
};

const writeGoldenTexts = (model: BlockModel): void => {
  for (const { html, name } of goldenPages()) writeGoldenText(name, goldenTextOf(html, model));
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    folds: { type: "string", default: "5" },
    write: { type: "boolean", default: false },
    check: { type: "boolean", default: false }
  }
});
const folds = Number(values.folds);
const dataFile = positionals[0] ?? "";
const samples = loadPages(dataFile).map(sampleOf);
if (folds > 1) crossValidate(samples, folds);
if (values.write || values.check) {
  const model = trainModel(samples, 5);
  report("seen in training", new Map(samples.map((sample) => [sample, scoreOf(sample, model)])));
  const source = sourceOf(model, dataFile, samples.length);
  if (values.write) {
    writeFileSync(GENERATED, source);
    writeGoldenTexts(model);
  } else if (source !== readFileSync(GENERATED, "utf8")) {
    console.error("The model trained from this file is not the one in src/page/blocks/generated.");
    process.exitCode = 1;
  }
}
