/**
 * What the second pass of the block model sees: how the first one judged a block and those around it, by
 * order, by element and by likeness. It straightens out single misjudgements.
 */
import type { Block, PageBlocks, Region } from "./Blocks.ts";
import { HEADING, isItem, REGION_CHARS, signatureOf } from "./BlockFeatures.ts";

/** Of judgements, weighted by text. */
class Mean {
  private weight = 0;
  private sum = 0;

  add(chance: number, chars: number): void {
    this.weight += chars;
    this.sum += chance * chars;
  }

  get value(): number {
    return this.weight === 0 ? -1 : this.sum / this.weight;
  }
}

const WINDOWS: ReadonlyArray<number> = [4, 12];

/** For each block, the mean of all that have the same key; -1 where its key is null. */
const meansBy = <K>(
  blocks: ReadonlyArray<Block>,
  chances: Float32Array,
  keys: ReadonlyArray<K>
): ReadonlyArray<number> => {
  const means = new Map<K, Mean>();
  keys.forEach((key, index) => {
    let mean = means.get(key);
    if (mean === undefined) means.set(key, (mean = new Mean()));
    mean.add(chances[index] ?? 0, blocks[index]?.chars ?? 0);
  });
  return keys.map((key) => (key === null ? -1 : (means.get(key)?.value ?? -1)));
};

const meansByRegion = (blocks: ReadonlyArray<Block>, chances: Float32Array): ReadonlyMap<Region, Mean> => {
  const means = new Map<Region, Mean>();
  blocks.forEach(({ box, chars }, index) => {
    for (let region: Region | null = box; region !== null; region = region.parent) {
      let mean = means.get(region);
      if (mean === undefined) means.set(region, (mean = new Mean()));
      mean.add(chances[index] ?? 0, chars);
    }
  });
  return means;
};

/** The outermost element around a block that repeats; its parent holds the list. */
const listOf = (block: Block): Region | null => {
  let list: Region | null = null;
  for (let region: Region | null = block.leaf; region !== null; region = region.parent)
    if (isItem(region.twins)) list = region.parent;
  return list;
};

const windowMeans = (blocks: ReadonlyArray<Block>, chances: Float32Array, size: number): Float32Array => {
  const chars = new Float64Array(blocks.length + 1);
  const sums = new Float64Array(blocks.length + 1);
  blocks.forEach((block, index) => {
    chars[index + 1] = (chars[index] ?? 0) + block.chars;
    sums[index + 1] = (sums[index] ?? 0) + block.chars * (chances[index] ?? 0);
  });
  return Float32Array.from(blocks, (_, index) => {
    const from = Math.max(0, index - size);
    const to = Math.min(blocks.length, index + size + 1);
    return ((sums[to] ?? 0) - (sums[from] ?? 0)) / Math.max(1, (chars[to] ?? 0) - (chars[from] ?? 0));
  });
};

/** Number of the section each block is in, from heading to heading. */
const sectionsOf = (blocks: ReadonlyArray<Block>): ReadonlyArray<number> => {
  let section = 0;
  return blocks.map(({ box }) => (HEADING.test(box.element.name) ? (section += 1) : section));
};

/** To be put after the features of each block. */
export const neighbourFeatures = (
  { blocks, body }: PageBlocks,
  chances: Float32Array
): ReadonlyArray<ReadonlyArray<number>> => {
  const regions = meansByRegion(blocks, chances);
  const alike = meansBy(blocks, chances, blocks.map(signatureOf));
  const lists = meansBy(blocks, chances, blocks.map(listOf));
  const sections = meansBy(blocks, chances, sectionsOf(blocks));
  const windows = WINDOWS.map((size) => windowMeans(blocks, chances, size));
  const whole = regions.get(body)?.value ?? -1;
  const most = chances.reduce((a, b) => Math.max(a, b), 0);
  const expected = blocks.reduce((sum, { chars }, index) => sum + chars * (chances[index] ?? 0), 0);
  let before = 0;
  return blocks.map((block, index) => {
    const chance = chances[index] ?? 0;
    const row: Array<number> = [chance, whole, most, expected, before, before / Math.max(1, expected)];
    before += chance * block.chars;
    for (const offset of [-3, -2, -1, 1, 2, 3]) row.push(chances[index + offset] ?? -1);
    for (const window of windows) row.push(window[index] ?? -1);
    row.push(alike[index] ?? -1, lists[index] ?? -1, sections[index] ?? -1);
    row.push(block.box.parent === null ? -1 : (regions.get(block.box.parent)?.value ?? -1));
    let region: Region | null = block.box;
    for (const chars of REGION_CHARS) {
      while (region !== null && region.chars < chars) region = region.parent;
      row.push(region === null ? -1 : (regions.get(region)?.value ?? -1));
    }
    return row;
  });
};
