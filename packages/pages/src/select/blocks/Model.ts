/**
 * How a block model judges: a forest over the features of a block, including its word scores. Speed:
 * bench/page-text.ts. Tests: golden.test.ts.
 */
import { type Words, wordScore, type WordTable } from "./BlockWords.ts";

// A forest of decision trees, evaluated for all rows of a page together.

/** Nodes of all trees in flat arrays. A node with a negative `feature` is a leaf with a `value`. */
export interface Forest {
  readonly roots: Int32Array;
  readonly feature: Int16Array;
  /** Values up to the threshold go left. */
  readonly threshold: Float32Array;
  readonly left: Int32Array;
  readonly right: Int32Array;
  readonly value: Float32Array;
}

/** The feature vectors of a page, one after the other. */
interface Rows {
  readonly values: Float32Array;
  /** Features per row. */
  readonly width: number;
}

/** Rows evaluated together, one per bit of an integer. */
const LANES = 32;

/** All thresholds that the forest compares one feature with, ascending. */
interface Thresholds {
  readonly feature: number;
  /** Index of the first one among the thresholds of all features. */
  readonly start: number;
  readonly values: Float32Array;
}

const thresholdsOf = ({ feature, threshold }: Forest): ReadonlyArray<Thresholds> => {
  const found = new Map<number, Set<number>>();
  feature.forEach((index, node) => {
    if (index < 0) return;
    const known = found.get(index);
    if (known === undefined) found.set(index, new Set([threshold[node] as number]));
    else known.add(threshold[node] as number);
  });
  let start = 0;
  return [...found].map(([index, values]) => {
    const own = { feature: index, start, values: Float32Array.from(values).sort() };
    start += values.size;
    return own;
  });
};

/**
 * The trees as a list of steps. Every node has a slot with one bit for each row that reaches it, and a step splits
 * these bits between the slots of its two children. No step branches on the data, so no branch is mispredicted.
 */
class Steps {
  readonly thresholds: ReadonlyArray<Thresholds>;
  /** First step and first leaf of each tree, then the end. */
  readonly stepStarts: Int32Array;
  readonly leafStarts: Int32Array;
  /** Per step: its slot, the index of its threshold, and the slot of its left child; the right child has the next one. */
  readonly slots: Uint16Array;
  readonly tests: Uint32Array;
  readonly leftSlots: Uint16Array;
  readonly leafSlots: Uint16Array;
  readonly leafValues: Float32Array;

  constructor(forest: Forest) {
    const { feature, left, right, roots, threshold, value } = forest;
    this.thresholds = thresholdsOf(forest);
    const byFeature = new Map(this.thresholds.map((own) => [own.feature, own]));
    const steps: Array<readonly [slot: number, test: number, leftSlot: number]> = [];
    const leaves: Array<readonly [slot: number, value: number]> = [];
    const [stepStarts, leafStarts] = [[0], [0]];
    for (const root of roots) {
      // The slot of a node is its index here.
      const nodes = [root];
      for (const [slot, node] of nodes.entries()) {
        const own = byFeature.get(feature[node] as number);
        if (own === undefined) {
          leaves.push([slot, value[node] as number]);
          continue;
        }
        const test = own.start + own.values.indexOf(threshold[node] as number);
        const leftSlot = nodes.push(left[node] as number, right[node] as number) - 2;
        steps.push([slot, test, leftSlot]);
      }
      stepStarts.push(steps.length);
      leafStarts.push(leaves.length);
    }
    this.stepStarts = Int32Array.from(stepStarts);
    this.leafStarts = Int32Array.from(leafStarts);
    this.slots = Uint16Array.from(steps, ([slot]) => slot);
    this.tests = Uint32Array.from(steps, ([, test]) => test);
    this.leftSlots = Uint16Array.from(steps, ([, , leftSlot]) => leftSlot);
    this.leafSlots = Uint16Array.from(leaves, ([slot]) => slot);
    this.leafValues = Float32Array.from(leaves, ([, leaf]) => leaf);
  }
}

const stepsOf = new WeakMap<Forest, Steps>();

/** The number of thresholds that the value exceeds. */
const thresholdsBelow = (value: number, thresholds: Float32Array): number => {
  let low = 0;
  let high = thresholds.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (value <= (thresholds[middle] as number)) high = middle;
    else low = middle + 1;
  }
  return low;
};

/** For each threshold of the forest, the rows that exceed it; bit 0 is the row `from`. */
const rowsAbove = (
  { values, width }: Rows,
  { from, count }: { readonly from: number; readonly count: number },
  all: ReadonlyArray<Thresholds>,
  above: Int32Array
): void => {
  for (const { feature, start, values: thresholds } of all) {
    above.fill(0, start, start + thresholds.length);
    let last = Number.NaN;
    let below = 0;
    for (let lane = 0, at = from * width + feature; lane < count; lane += 1, at += width) {
      const value = values[at] as number;
      // Neighbouring rows often have the same value, above all those of the page.
      if (value !== last) below = thresholdsBelow((last = value), thresholds);
      if (below > 0) above[start + below - 1] = (above[start + below - 1] as number) | (1 << lane);
    }
    // A row that exceeds a threshold exceeds all lower ones.
    for (let at = start + thresholds.length - 2; at >= start; at -= 1)
      above[at] = (above[at] as number) | (above[at + 1] as number);
  }
};

/** The probability of each row, between 0 and 1. */
export const predict = (forest: Forest, rows: Rows): Float32Array => {
  const rowCount = rows.width === 0 ? 0 : rows.values.length / rows.width;
  let steps = stepsOf.get(forest);
  if (steps === undefined) stepsOf.set(forest, (steps = new Steps(forest)));
  const { leafSlots, leafStarts, leafValues, leftSlots, slots, stepStarts, tests, thresholds } = steps;
  const above = new Int32Array(thresholds.reduce((sum, { values }) => sum + values.length, 0));
  const reaching = new Int32Array(Math.max(...leafSlots, 0) + 1);
  const scores = new Float64Array(rowCount);
  for (let from = 0; from < rowCount; from += LANES) {
    const count = Math.min(LANES, rowCount - from);
    rowsAbove(rows, { from, count }, thresholds, above);
    for (let tree = 0; tree < forest.roots.length; tree += 1) {
      reaching[0] = -1 >>> (LANES - count);
      for (let at = stepStarts[tree] as number; at < (stepStarts[tree + 1] as number); at += 1) {
        const here = reaching[slots[at] as number] as number;
        const right = here & (above[tests[at] as number] as number);
        const leftSlot = leftSlots[at] as number;
        reaching[leftSlot] = here ^ right;
        reaching[leftSlot + 1] = right;
      }
      for (let at = leafStarts[tree] as number; at < (leafStarts[tree + 1] as number); at += 1) {
        let rest = reaching[leafSlots[at] as number] as number;
        while (rest !== 0) {
          const lane = LANES - 1 - Math.clz32(rest);
          scores[from + lane] = (scores[from + lane] as number) + (leafValues[at] as number);
          rest ^= 1 << lane;
        }
      }
    }
  }
  return Float32Array.from(scores, (score) => 1 / (1 + Math.exp(-score)));
};

/** Bytes of one packed node: feature, positions of its children in the tree, threshold or value. */
export const NODE_BYTES = 8;

/** Parses what `packForest` of train/packing.ts writes: roots, then nodes in base64. */
export const unpackForest = (packed: string): Forest => {
  const [places = "", base64 = ""] = packed.split(";");
  const roots = Int32Array.from(places.split(" "), Number);
  const bytes = Buffer.from(base64, "base64");
  const nodes = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = bytes.byteLength / NODE_BYTES;
  const forest: Forest = {
    roots,
    feature: new Int16Array(count),
    threshold: new Float32Array(count),
    left: new Int32Array(count),
    right: new Int32Array(count),
    value: new Float32Array(count)
  };
  let tree = -1;
  for (let node = 0; node < count; node += 1) {
    if (roots[tree + 1] === node) tree += 1;
    const root = roots[tree] as number;
    const offset = node * NODE_BYTES;
    forest.feature[node] = nodes.getInt16(offset, true);
    forest.left[node] = root + nodes.getUint8(offset + 2);
    forest.right[node] = root + nodes.getUint8(offset + 3);
    forest.threshold[node] = forest.value[node] = nodes.getFloat32(offset + 4, true);
  }
  return forest;
};

export interface BlockModel {
  readonly forest: Forest;
  /** One for each kind of words. */
  readonly words: ReadonlyArray<WordTable>;
}

/** The forest's input: for each block its features, then its word scores by kind. */
export const modelRows = (
  features: ReadonlyArray<Float32Array>,
  words: ReadonlyArray<ReadonlyArray<Words>>,
  tables: ReadonlyArray<WordTable>
): Rows => {
  const featureCount = features[0]?.length ?? 0;
  const width = featureCount + tables.length;
  const values = new Float32Array(features.length * width);
  features.forEach((row, block) => {
    const start = block * width;
    values.set(row, start);
    tables.forEach((table, kind) => {
      values[start + featureCount + kind] = wordScore(table, words[block]?.[kind] ?? new Uint32Array());
    });
  });
  return { values, width };
};
