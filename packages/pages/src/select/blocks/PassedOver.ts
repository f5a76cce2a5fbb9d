/**
 * What the model passes over although it stands between selected blocks or beside their like: answers that open,
 * prices, and words that stand in the text itself rather than in a block of their own. Measured by bench/page-text.ts.
 */
import type { PageScan } from "../../parse/PageScan.ts";
import { isAnswers } from "../../parse/Openable.ts";
import { type Block, charsOfAll, isWithin, type Region, regionsOf } from "./Blocks.ts";
import { isProduct } from "./ReaderAdditions.ts";

/** Share of the text in answers that open side by side: with this much selected, all of them are. */
const ANSWERS_SHARE_MIN = 0.4;

/** What is passed over is shorter, in characters. */
const REST_CHARS_MAX = 500;

/** Mostly links: a menu that opens. */
const LINKED_SHARE_MAX = 0.5;

/** The outermost box of answers around a block. */
const answersOf = (block: Block, body: Region): Region | undefined =>
  regionsOf(block).findLast((region) => region !== body && isAnswers(region.element));

const CONTROLS: ReadonlySet<string> = new Set(["a", "button", "summary", "label"]);

const addAnswers = (blocks: ReadonlyArray<Block>, kept: Set<Block>, body: Region): void => {
  const groups = Map.groupBy(blocks, (block) => answersOf(block, body)?.parent ?? null);
  for (const [holder, group] of groups) {
    const chars = charsOfAll(group);
    const linked = group.reduce((sum, { linkChars }) => sum + linkChars, 0);
    const selected = charsOfAll(group.filter((block) => kept.has(block)));
    if (
      holder === null ||
      selected < ANSWERS_SHARE_MIN * chars ||
      chars - selected > REST_CHARS_MAX ||
      linked > LINKED_SHARE_MAX * chars
    )
      continue;
    for (const block of group) kept.add(block);
  }
};

/** Longer questions are texts of their own, in characters. */
const QUESTION_CHARS_MAX = 200;
const QUESTION = /[?？؟]$/u;

/** Questions right above a selected answer that opens: to the model, a link or button is a control. */
const addQuestions = (blocks: ReadonlyArray<Block>, kept: Set<Block>): void =>
  blocks.forEach((block, index) => {
    const next = blocks[index + 1];
    if (next === undefined || kept.has(block) || !kept.has(next)) return;
    if (block.chars <= QUESTION_CHARS_MAX && QUESTION.test(block.text) && isWithin(block, CONTROLS))
      kept.add(block);
  });

/** Longer interruptions of a text are something else, in characters and in blocks. */
const GAP_CHARS_MAX = 300;
const GAP_BLOCKS_MAX = 12;

/** "€ 12", "12€", "12 EUR". */
const PRICE = /\p{Sc}\s?\d|\d\s?\p{Sc}|\d\s(?:USD|EUR|GBP|CHF|kr|zł|Kč)\b/u;

/** Whether a gap stands right in the element that holds the selected paragraphs around it. */
const isBetween = (gap: ReadonlyArray<Block>, before: Block, after: Block): boolean => {
  const holder = before.box.parent;
  if (holder === null || holder !== after.box.parent || !before.isProse || !after.isProse) return false;
  return gap.every((block) => regionsOf(block).includes(holder));
};

const addGaps = (blocks: ReadonlyArray<Block>, kept: Set<Block>): void => {
  let last = -1;
  blocks.forEach((block, index) => {
    if (!kept.has(block)) return;
    const gap = blocks.slice(last + 1, index);
    const before = blocks[last];
    last = index;
    if (before === undefined || gap.length === 0 || gap.length > GAP_BLOCKS_MAX) return;
    if (charsOfAll(gap) > GAP_CHARS_MAX || !isBetween(gap, before, block)) return;
    const isBare = gap.every(({ box }) => box === before.box.parent);
    if (isBare || PRICE.test(gap.map(({ text }) => text).join(" "))) for (const each of gap) kept.add(each);
  });
};

export const withPassedOver = (
  blocks: ReadonlyArray<Block>,
  chosen: ReadonlyArray<Block>,
  body: Region,
  scan: PageScan
): ReadonlyArray<Block> => {
  const kept = new Set(chosen);
  // Shops fold what all their products share.
  if (!isProduct(scan)) addAnswers(blocks, kept, body);
  addQuestions(blocks, kept);
  addGaps(blocks, kept);
  return blocks.filter((block) => kept.has(block));
};
