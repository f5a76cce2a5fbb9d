/**
 * Trains the block model of the page reader and evaluates it on pages it has not seen.
 *
 *   node packages/pages/train/train-page-text.ts <pages.jsonl.zst>... [--folds 5] [--write | --check]
 *
 * Pages of one site are all in the same fold. Each fold is held out in turn: the model is trained on the others, and
 * the held-out pages are read with it (`--folds 0` skips this). Prints mean word F1 by type with its interval, and
 * the confidence (`textConfidence`) next to it. `--write` then trains on all pages and writes
 * src/select/blocks/generated/block-model.json and the texts of the golden pages; `--check` trains and exits with 1 if
 * a byte of that file would change. The data is WCXB's development split, which is not part of this repository; the same
 * data in the same order gives the same model, bit for bit. `--chances <file>` writes the predictions of each fold's
 * model for the blocks of the held-out pages, for bench/page-markdown.ts.
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { blockFeatures } from "../src/select/blocks/BlockFeatures.ts";
import { blockWords, WORD_KINDS, type Words } from "../src/select/blocks/BlockWords.ts";
import { type Block, cutBlocks, type PageBlocks } from "../src/select/blocks/Blocks.ts";
import type { BlockModel } from "../src/select/blocks/Model.ts";
import { blockChances, mainText } from "../src/select/blocks/MainText.ts";
import { readContent } from "../src/write/readContent.ts";
import { writeContent } from "../src/write/writeContent.ts";
import { MODEL_FILE, type ModelFile } from "../src/select/blocks/ShippedModel.ts";
import { bodyOf } from "../src/parse/PageTree.ts";
import { scanPage } from "../src/parse/PageScan.ts";
import { parsePage } from "../src/parse/ParsedPage.ts";
import { featuresDigest, goldenPages, writeGoldenText } from "../test/select/blocks/goldenPages.ts";
import { PAGE_URL } from "../test/pages.ts";
import { besides, bin, type Binned, boost, type BoostingOptions } from "./boosting.ts";
import { type Judged, reportConfidence } from "./confidence.ts";
import { keptShares } from "./labels.ts";
import { interval, loadPages, mean, type Page, wordF1, wordsOf } from "../bench/page-text/measures.ts";
import { packForest, packWords } from "./packing.ts";
import { type LearnedWords, wordScores, wordTrainer } from "./words.ts";

const OPTIONS: BoostingOptions = {
  trees: 200,
  leaves: 24,
  learningRate: 0.1,
  leafWeightMin: 0.02,
  ridge: 0.1,
  featureShare: 0.2,
  groupShare: 0.5,
  seeds: [1, 2, 3]
};

/** A page as parsed by the reader. */
const cut = ({ html, url }: Pick<Page, "html" | "url">) => {
  const address = url ?? "https://page.test/";
  const { root } = parsePage(html);
  return { blocks: cutBlocks(bodyOf(root)), source: { scan: scanPage(root), url: address } };
};

/** What training needs of a page; its elements would fill the memory. */
interface Sample {
  readonly page: Page;
  /** Features of its blocks, one row after the other. */
  readonly features: Float32Array;
  /** By block, then by kind. */
  readonly words: ReadonlyArray<ReadonlyArray<Words>>;
  readonly labels: Float32Array;
  readonly weights: Float32Array;
}

/** Words are weighted by their share of the page's ground truth, because the measure is a mean over pages. */
const PAGE_SHARE = 0.5;
const PAGE_WORDS_MIN = 50;

const sampleOf = (page: Page): Sample => {
  const { blocks, source } = cut(page);
  const rows = blockFeatures(blocks, source.scan, source.url);
  const features = new Float32Array(rows.length * (rows[0]?.length ?? 0));
  rows.forEach((row, index) => features.set(row, index * row.length));
  const words = blocks.blocks.map(({ text }) => wordsOf(text).length);
  const total = words.reduce((sum, count) => sum + count, 0);
  const scale = Math.max(wordsOf(page.body).length, PAGE_SHARE * total, PAGE_WORDS_MIN);
  return {
    page,
    features,
    words: blockWords(blocks, source.url),
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

const siteOf = ({ id, url }: Page): string =>
  (URL.parse(url ?? "")?.hostname ?? id).split(".").slice(-2).join(".");

/** By site, because pages of one site look alike. */
const foldOf = (page: Page, folds: number): number =>
  createHash("sha256").update(siteOf(page)).digest().readUInt32BE() % folds;

type Choice = (sample: Sample) => boolean;

/** A model with the word weights for packing. */
interface LearnedModel extends BlockModel {
  readonly words: ReadonlyArray<LearnedWords>;
}

interface Trained {
  readonly model: LearnedModel;
  /** Its predictions for every block, including unseen ones. */
  readonly chances: Float32Array;
}

/** Number of folds in which word tables are applied to sites they have not seen. */
const WORD_FOLDS = 5;

/**
 * Trains the table of words of one kind and scores all pages. The forest must be trained on scores like those of new
 * pages, so a page that `isSeen` is scored by a table that has not seen its site.
 */
const wordLearner = (samples: ReadonlyArray<Sample>, kind: number) => {
  const pages = samples.map(({ labels, page, weights, words }) => ({
    site: siteOf(page),
    words: words.map((ofBlock) => ofBlock[kind] ?? new Uint32Array()),
    labels,
    weights
  }));
  const train = wordTrainer(pages);
  const folds = samples.map(({ page }) => foldOf(page, WORD_FOLDS));
  return (isSeen: Choice) => {
    const seen = samples.map(isSeen);
    const table = train((page) => seen[page] === true);
    const others = new Map(
      [...new Set(folds.filter((_, page) => seen[page]))].map((fold) => [
        fold,
        train((page) => seen[page] === true && folds[page] !== fold)
      ])
    );
    const scores = pages.map((page, index) =>
      wordScores(page, (seen[index] === true ? others.get(folds[index] as number) : null) ?? table)
    );
    return { table, scores: joined(scores) };
  };
};

/** Trains on the chosen samples, and predicts all. */
const trainer = (samples: ReadonlyArray<Sample>): ((isSeen: Choice) => Trained) => {
  const labels = joined(samples.map((sample) => sample.labels));
  const weights = joined(samples.map((sample) => sample.weights));
  const groups = Int32Array.from(samples.flatMap((sample, group) => Array.from(sample.labels, () => group)));
  const features = binnedFeatures(samples, labels.length);
  const learners = Array.from({ length: WORD_KINDS }, (_, kind) => wordLearner(samples, kind));
  return (isSeen) => {
    const words = learners.map((learn) => learn(isSeen));
    const data = besides(
      features,
      bin(words.length, (kind) => words[kind]?.scores ?? new Float32Array())
    );
    const { chances, forest } = boost(
      { data, labels, weights, groups, isSeen: (group) => isSeen(samples[group] as Sample) },
      OPTIONS
    );
    return { model: { forest, words: words.map(({ table }) => table) }, chances };
  };
};

const textOf = ({ body }: PageBlocks, kept: ReadonlyArray<Block>): string =>
  writeContent({ pages: [readContent({ body: body.element, kept, resolve: () => null })], isPaged: false })
    .plain;

const judgedOf = (page: Page, chances: Float32Array): Judged => {
  const { blocks, source } = cut(page);
  const read = mainText(blocks, chances, source);
  return { type: page.type, expected: read.expectedF1, f1: wordF1(textOf(blocks, read.blocks), page.body) };
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

const judgeAll = (
  samples: ReadonlyArray<Sample>,
  chances: Float32Array,
  isJudged: (sample: Sample) => boolean,
  onPage?: (page: Page, chances: Float32Array) => void
): ReadonlyArray<Judged> => {
  let row = 0;
  return samples.flatMap((sample) => {
    const own = chances.subarray(row, row + sample.labels.length);
    row += sample.labels.length;
    if (!isJudged(sample)) return [];
    onPage?.(sample.page, own);
    return [judgedOf(sample.page, own)];
  });
};

const textOfModel = (
  { forest, words }: LearnedModel,
  dataFiles: ReadonlyArray<string>,
  pages: number
): string => {
  const file: ModelFile = {
    about: "The block model, written by train/train-page-text.ts from WCXB's development split.",
    trainingData: {
      pages,
      sha256: dataFiles.map((each) => createHash("sha256").update(readFileSync(each)).digest("hex"))
    },
    featuresDigest: featuresDigest(),
    forest: packForest(forest),
    words: words.map(packWords)
  };
  return `${JSON.stringify(file, null, 2)}\n`;
};

const writeGoldenTexts = (model: BlockModel): void => {
  for (const { html, name } of goldenPages()) {
    const { blocks, source } = cut({ html, url: PAGE_URL });
    const { blocks: kept } = mainText(blocks, blockChances(blocks, source, model), source);
    writeGoldenText(name, `${textOf(blocks, kept)}\n`);
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
  const { chances, model } = train(() => true);
  report(
    "seen in training",
    judgeAll(samples, chances, () => true)
  );
  const text = textOfModel(model, positionals, samples.length);
  if (values.write) {
    writeFileSync(MODEL_FILE, text);
    writeGoldenTexts(model);
  } else if (text !== readFileSync(MODEL_FILE, "utf8")) {
    console.error("The model trained from these files is not the one in src/select/blocks/generated.");
    process.exitCode = 1;
  }
}
