/**
 * Pages of every type written for these tests, the text that the shipped model selects from each, and a digest of
 * the features that the model gets. If a feature is edited or the order changes, the digest changes too: the
 * numbers no longer mean what the model was trained on, so it has to be trained again.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { blockFeatures } from "../../../src/select/blocks/BlockFeatures.ts";
import { blockWords } from "../../../src/select/blocks/BlockWords.ts";
import { cutBlocks } from "../../../src/select/blocks/Blocks.ts";
import { bodyOf } from "../../../src/parse/PageTree.ts";
import { scanPage } from "../../../src/parse/PageScan.ts";
import { parsePage } from "../../../src/parse/ParsedPage.ts";
import { PAGE_URL } from "../../pages.ts";

const FOLDER = new URL("./golden/", import.meta.url);

export interface GoldenPage {
  /** The type of the page, which is its file's name. */
  readonly name: string;
  readonly html: string;
}

export const goldenPages = (): ReadonlyArray<GoldenPage> =>
  readdirSync(FOLDER)
    .filter((file) => file.endsWith(".html"))
    .toSorted()
    .map((file) => ({
      name: file.slice(0, -".html".length),
      html: readFileSync(new URL(file, FOLDER), "utf8")
    }));

const textFile = (name: string): URL => new URL(`${name}.txt`, FOLDER);

export const goldenText = (name: string): string => readFileSync(textFile(name), "utf8");

/** Called by training, because a new model selects other text. */
export const writeGoldenText = (name: string, text: string): void => writeFileSync(textFile(name), text);

/** SHA-256 in hexadecimal of every feature and word that the model gets for the golden pages, in order. */
export const featuresDigest = (): string => {
  const hash = createHash("sha256");
  for (const { html } of goldenPages()) {
    const { root } = parsePage(html);
    const blocks = cutBlocks(bodyOf(root));
    const rows = blockFeatures(blocks, scanPage(root), PAGE_URL);
    for (const row of rows) hash.update(`${Array.from(row).join(" ")}\n`);
    for (const words of blockWords(blocks, PAGE_URL))
      for (const ofKind of words) hash.update(`${ofKind.join(" ")}\n`);
  }
  return hash.digest("hex");
};
