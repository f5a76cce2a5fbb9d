/**
 * Gradient boosted trees for soft yes-or-no labels: logistic loss, histograms, leaf-wise growth. The same
 * rows and seed give the same forest.
 */
import type { Forest } from "../../src/page/blocks/Forest.ts";

export interface BoostingOptions {
  readonly trees: number;
  readonly leaves: number;
  readonly learningRate: number;
  /** Least weight of rows in a leaf. */
  readonly leafWeightMin: number;
  readonly ridge: number;
  /** Shares of features and of groups that each tree sees. */
  readonly featureShare: number;
  readonly groupShare: number;
  readonly seed: number;
}

export interface Rows {
  readonly rows: ReadonlyArray<Float32Array>;
  readonly labels: ArrayLike<number>;
  readonly weights: ArrayLike<number>;
  /** Rows of one page belong together. */
  readonly groups: ArrayLike<number>;
}

const BINS = 64;

/** mulberry32 */
const randoms = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

const edgesOf = (rows: ReadonlyArray<Float32Array>, feature: number): Float32Array => {
  const step = Math.max(1, Math.floor(rows.length / 20_000));
  const sample: Array<number> = [];
  for (let index = 0; index < rows.length; index += step)
    sample.push((rows[index] as Float32Array)[feature] as number);
  const sorted = Float32Array.from(sample).sort();
  const distinct = [...new Set(sorted)];
  const picks =
    distinct.length <= BINS
      ? distinct
      : [
          ...new Set(
            Array.from(
              { length: BINS },
              (_, bin) => sorted[Math.floor((bin * sorted.length) / BINS)] as number
            )
          )
        ];
  // Between two values, so that the same number always falls on the same side.
  return Float32Array.from(picks.slice(1), (value, index) => (value + (picks[index] as number)) / 2);
};

const binned = (rows: ReadonlyArray<Float32Array>, feature: number, edges: Float32Array): Uint8Array =>
  Uint8Array.from(rows, (row) => {
    const value = row[feature] as number;
    let low = 0;
    let high = edges.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (value > (edges[middle] as number)) low = middle + 1;
      else high = middle;
    }
    return low;
  });

interface Leaf {
  readonly rows: Int32Array;
  readonly histogram: Float64Array;
  readonly gradient: number;
  readonly hessian: number;
  readonly node: number;
  split: { readonly gain: number; readonly slot: number; readonly bin: number } | null;
}

interface Grown {
  readonly feature: Array<number>;
  readonly threshold: Array<number>;
  /** Indexes of the children in this tree. */
  readonly left: Array<number>;
  readonly right: Array<number>;
  readonly value: Array<number>;
}

export interface Binned {
  readonly columns: ReadonlyArray<Uint8Array>;
  readonly edges: ReadonlyArray<Float32Array>;
}

export const bin = (rows: ReadonlyArray<Float32Array>): Binned => {
  const count = rows[0]?.length ?? 0;
  const edges = Array.from({ length: count }, (_, feature) => edgesOf(rows, feature));
  return { edges, columns: edges.map((edge, feature) => binned(rows, feature, edge)) };
};

class TreeGrower {
  private readonly data: Binned;
  private readonly options: BoostingOptions;
  private readonly features: ReadonlyArray<number>;
  private readonly gradients: Float64Array;
  private readonly hessians: Float64Array;
  readonly tree: Grown = { feature: [], threshold: [], left: [], right: [], value: [] };

  constructor(
    data: Binned,
    options: BoostingOptions,
    features: ReadonlyArray<number>,
    gradients: Float64Array,
    hessians: Float64Array
  ) {
    this.data = data;
    this.options = options;
    this.features = features;
    this.gradients = gradients;
    this.hessians = hessians;
  }

  private histogram(rows: Int32Array): Float64Array {
    const sums = new Float64Array(this.features.length * BINS * 2);
    this.features.forEach((feature, slot) => {
      const column = this.data.columns[feature] as Uint8Array;
      const offset = slot * BINS * 2;
      for (let index = 0; index < rows.length; index += 1) {
        const row = rows[index] as number;
        const at = offset + 2 * (column[row] as number);
        sums[at] = (sums[at] as number) + (this.gradients[row] as number);
        sums[at + 1] = (sums[at + 1] as number) + (this.hessians[row] as number);
      }
    });
    return sums;
  }

  private leaf(rows: Int32Array, histogram: Float64Array): Leaf {
    let gradient = 0;
    let hessian = 0;
    for (let bin = 0; bin < BINS; bin += 1) {
      gradient += histogram[2 * bin] as number;
      hessian += histogram[2 * bin + 1] as number;
    }
    const node = this.tree.feature.length;
    this.tree.feature.push(-1);
    this.tree.threshold.push(0);
    this.tree.left.push(0);
    this.tree.right.push(0);
    this.tree.value.push((-this.options.learningRate * gradient) / (hessian + this.options.ridge));
    const leaf: Leaf = { rows, histogram, gradient, hessian, node, split: null };
    leaf.split = this.bestSplit(leaf);
    return leaf;
  }

  private bestSplit({ gradient, hessian, histogram }: Leaf): Leaf["split"] {
    const { leafWeightMin, ridge } = this.options;
    const score = (g: number, h: number): number => (g * g) / (h + ridge);
    const whole = score(gradient, hessian);
    let best: Leaf["split"] = null;
    this.features.forEach((feature, slot) => {
      const bins = (this.data.edges[feature] as Float32Array).length;
      let g = 0;
      let h = 0;
      for (let bin = 0; bin < bins; bin += 1) {
        g += histogram[slot * BINS * 2 + 2 * bin] as number;
        h += histogram[slot * BINS * 2 + 2 * bin + 1] as number;
        if (h < leafWeightMin || hessian - h < leafWeightMin) continue;
        const gain = score(g, h) + score(gradient - g, hessian - h) - whole;
        if (gain > (best?.gain ?? 1e-6)) best = { gain, slot, bin };
      }
    });
    return best;
  }

  grow(rows: Int32Array): Grown {
    const leaves = [this.leaf(rows, this.histogram(rows))];
    while (leaves.length < this.options.leaves) {
      let chosen = -1;
      leaves.forEach(({ split }, index) => {
        if (split !== null && split.gain > (leaves[chosen]?.split?.gain ?? 0)) chosen = index;
      });
      const leaf = leaves[chosen];
      if (leaf === undefined || leaf.split === null) break;
      const feature = this.features[leaf.split.slot] as number;
      const { bin } = leaf.split;
      const column = this.data.columns[feature] as Uint8Array;
      const low = leaf.rows.filter((row) => (column[row] as number) <= bin);
      const high = leaf.rows.filter((row) => (column[row] as number) > bin);
      const isLowSmall = low.length < high.length;
      const small = this.histogram(isLowSmall ? low : high);
      const rest = leaf.histogram.map((sum, index) => sum - (small[index] as number));
      const left = this.leaf(low, isLowSmall ? small : rest);
      const right = this.leaf(high, isLowSmall ? rest : small);
      this.tree.feature[leaf.node] = feature;
      this.tree.threshold[leaf.node] = (this.data.edges[feature] as Float32Array)[bin] as number;
      this.tree.left[leaf.node] = left.node;
      this.tree.right[leaf.node] = right.node;
      leaves.splice(chosen, 1, left, right);
    }
    return this.tree;
  }
}

const sigmoid = (score: number): number => 1 / (1 + Math.exp(-score));

const addScores = (tree: Grown, rows: ReadonlyArray<Float32Array>, scores: Float64Array): void => {
  rows.forEach((row, index) => {
    let node = 0;
    while ((tree.feature[node] as number) >= 0)
      node =
        (row[tree.feature[node] as number] as number) <= (tree.threshold[node] as number)
          ? (tree.left[node] as number)
          : (tree.right[node] as number);
    scores[index] = (scores[index] as number) + (tree.value[node] as number);
  });
};

const sampled = (count: number, share: number, random: () => number): ReadonlyArray<number> => {
  const all = Array.from({ length: count }, (_, index) => ({ index, key: random() }));
  return all
    .toSorted((a, b) => a.key - b.key)
    .slice(0, Math.max(1, Math.round(share * count)))
    .map(({ index }) => index);
};

export const boost = ({ groups, labels, rows, weights }: Rows, options: BoostingOptions): Forest => {
  const data = bin(rows);
  const random = randoms(options.seed);
  const groupCount = 1 + Array.from(groups).reduce((most, group) => Math.max(most, group), 0);
  const scores = new Float64Array(rows.length);
  const gradients = new Float64Array(rows.length);
  const hessians = new Float64Array(rows.length);
  const forest = {
    roots: [] as Array<number>,
    feature: [] as Array<number>,
    threshold: [] as Array<number>,
    left: [] as Array<number>,
    right: [] as Array<number>,
    value: [] as Array<number>
  };
  for (let round = 0; round < options.trees; round += 1) {
    for (let row = 0; row < rows.length; row += 1) {
      const chance = sigmoid(scores[row] as number);
      gradients[row] = (weights[row] as number) * (chance - (labels[row] as number));
      hessians[row] = (weights[row] as number) * Math.max(1e-4, chance * (1 - chance));
    }
    const inBag = new Set(sampled(groupCount, options.groupShare, random));
    const bag = Int32Array.from(rows.keys()).filter((row) => inBag.has(groups[row] as number));
    const features = sampled(data.columns.length, options.featureShare, random).filter(
      (feature) => (data.edges[feature] as Float32Array).length > 0
    );
    const tree = new TreeGrower(data, options, features, gradients, hessians).grow(bag);
    addScores(tree, rows, scores);
    const offset = forest.feature.length;
    forest.roots.push(offset);
    tree.feature.forEach((feature, node) => {
      forest.feature.push(feature);
      forest.threshold.push(tree.threshold[node] as number);
      forest.left.push(offset + (tree.left[node] as number));
      forest.right.push(offset + (tree.right[node] as number));
      forest.value.push(tree.value[node] as number);
    });
  }
  return {
    roots: Int32Array.from(forest.roots),
    feature: Int16Array.from(forest.feature),
    threshold: Float32Array.from(forest.threshold),
    left: Int32Array.from(forest.left),
    right: Int32Array.from(forest.right),
    value: Float32Array.from(forest.value)
  };
};
