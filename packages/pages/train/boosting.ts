/**
 * Gradient boosted trees for soft yes-or-no labels: logistic loss, histograms, leaf-wise growth. The same
 * rows and seed give the same forest.
 */
import { seededRandom } from "@winnow/testing/samples/samples";
import type { Forest } from "../src/select/blocks/Model.ts";

export interface BoostingOptions {
  readonly trees: number;
  readonly leaves: number;
  readonly learningRate: number;
  /** Minimum weight of the rows in a leaf. */
  readonly leafWeightMin: number;
  readonly ridge: number;
  /** Shares of features and of groups that each tree sees. */
  readonly featureShare: number;
  readonly groupShare: number;
  /** One forest of `trees` trees per seed; the model predicts the mean of their log odds. */
  readonly seeds: ReadonlyArray<number>;
}

export interface Rows {
  /** Can be shared by several forests: see {@link bin}. */
  readonly data: Binned;
  readonly labels: Float32Array;
  readonly weights: Float32Array;
  /** Rows of one page belong together. */
  readonly groups: Int32Array;
  /** Learns from rows of these groups only. */
  readonly isSeen: (group: number) => boolean;
}

export interface Boosted {
  readonly forest: Forest;
  /** The forest's prediction for every row, including unseen ones. */
  readonly chances: Float32Array;
}

const BINS = 64;

/** A gradient and a hessian per bin. */
const HISTOGRAM_SIZE = 2 * BINS;

/** Columns of numbers, divided into at most {@link BINS} bins each. */
export interface Binned {
  readonly rowCount: number;
  readonly columns: ReadonlyArray<Uint8Array>;
  readonly edges: ReadonlyArray<Float32Array>;
}

/** Number of values from which bins are computed; the same rows for every column. */
const SAMPLE_ROWS = 20_000;

const edgesOf = (column: Float32Array): Float32Array => {
  const step = Math.max(1, Math.floor(column.length / SAMPLE_ROWS));
  const sorted = column.filter((_, index) => index % step === 0).sort();
  const distinct = [...new Set(sorted)];
  const picks =
    distinct.length <= BINS
      ? distinct
      : [
          ...new Set(
            Array.from({ length: BINS }, (_, at) => sorted[Math.floor((at * sorted.length) / BINS)] as number)
          )
        ];
  // Between two values, so that the same number always falls on the same side.
  return Float32Array.from(picks.slice(1), (value, index) => (value + (picks[index] as number)) / 2);
};

const binned = (column: Float32Array, edges: Float32Array): Uint8Array => {
  const bins = new Uint8Array(column.length);
  for (let row = 0; row < column.length; row += 1) {
    const value = column[row] as number;
    let low = 0;
    let high = edges.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (value > (edges[middle] as number)) low = middle + 1;
      else high = middle;
    }
    bins[row] = low;
  }
  return bins;
};

/** `column` returns the values of one feature, one per row. */
export const bin = (count: number, column: (feature: number) => Float32Array): Binned => {
  const columns: Array<Uint8Array> = [];
  const edges: Array<Float32Array> = [];
  for (let feature = 0; feature < count; feature += 1) {
    const values = column(feature);
    const edge = edgesOf(values);
    edges.push(edge);
    columns.push(binned(values, edge));
  }
  return { rowCount: columns[0]?.length ?? 0, columns, edges };
};

/** The columns of both, which have the same rows. */
export const besides = (one: Binned, other: Binned): Binned => ({
  rowCount: one.rowCount,
  columns: [...one.columns, ...other.columns],
  edges: [...one.edges, ...other.edges]
});

interface Leaf {
  /** Its rows are contiguous in the order of rows. */
  readonly start: number;
  readonly count: number;
  readonly histogram: Float64Array;
  readonly gradient: number;
  readonly hessian: number;
  readonly node: number;
  split: { readonly gain: number; readonly slot: number; readonly bin: number } | null;
}

interface Grown {
  readonly feature: Array<number>;
  readonly bin: Array<number>;
  /** Indexes of the children in this tree. */
  readonly left: Array<number>;
  readonly right: Array<number>;
  readonly value: Array<number>;
}

class TreeGrower {
  private readonly data: Binned;
  private readonly options: BoostingOptions;
  private readonly features: ReadonlyArray<number>;
  private readonly rows: Int32Array;
  /** Gradient and hessian of each row, one after the other. */
  private readonly slopes: Float32Array;
  /** The slopes of the current leaf's rows, contiguous. */
  private readonly gathered: Float32Array;
  /** Buffer for the rows that go right. */
  private readonly spare: Int32Array;
  readonly tree: Grown = { feature: [], bin: [], left: [], right: [], value: [] };

  constructor(
    data: Binned,
    options: BoostingOptions,
    features: ReadonlyArray<number>,
    rows: Int32Array,
    slopes: Float32Array
  ) {
    this.data = data;
    this.options = options;
    this.features = features;
    this.rows = rows;
    this.slopes = slopes;
    this.gathered = new Float32Array(2 * rows.length);
    this.spare = new Int32Array(rows.length);
  }

  private histogram(start: number, count: number): Float64Array {
    const { gathered, slopes } = this;
    const rows = this.rows.subarray(start, start + count);
    for (let at = 0; at < count; at += 1) {
      const row = rows[at] as number;
      gathered[2 * at] = slopes[2 * row] as number;
      gathered[2 * at + 1] = slopes[2 * row + 1] as number;
    }
    const all = new Float64Array(this.features.length * HISTOGRAM_SIZE);
    for (let slot = 0; slot < this.features.length; slot += 1) {
      const column = this.data.columns[this.features[slot] as number] as Uint8Array;
      const sums = all.subarray(slot * HISTOGRAM_SIZE, (slot + 1) * HISTOGRAM_SIZE);
      for (let at = 0; at < count; at += 1) {
        const place = 2 * (column[rows[at] as number] as number);
        sums[place] = (sums[place] as number) + (gathered[2 * at] as number);
        sums[place + 1] = (sums[place + 1] as number) + (gathered[2 * at + 1] as number);
      }
    }
    return all;
  }

  private leaf(start: number, count: number, histogram: Float64Array): Leaf {
    let gradient = 0;
    let hessian = 0;
    for (let at = 0; at < HISTOGRAM_SIZE; at += 2) {
      gradient += histogram[at] as number;
      hessian += histogram[at + 1] as number;
    }
    const { tree } = this;
    const node = tree.feature.push(-1) - 1;
    tree.bin.push(0);
    tree.left.push(0);
    tree.right.push(0);
    tree.value.push((-this.options.learningRate * gradient) / (hessian + this.options.ridge));
    const leaf: Leaf = { start, count, histogram, gradient, hessian, node, split: null };
    leaf.split = this.bestSplit(leaf);
    return leaf;
  }

  private bestSplit({ gradient, hessian, histogram }: Leaf): Leaf["split"] {
    const { leafWeightMin, ridge } = this.options;
    const whole = (gradient * gradient) / (hessian + ridge);
    let gainMax = 1e-6;
    let place = -1;
    for (let slot = 0; slot < this.features.length; slot += 1) {
      const splits = (this.data.edges[this.features[slot] as number] as Float32Array).length;
      let g = 0;
      let h = 0;
      for (let at = 0; at < splits; at += 1) {
        const sum = slot * HISTOGRAM_SIZE + 2 * at;
        g += histogram[sum] as number;
        h += histogram[sum + 1] as number;
        const rest = hessian - h;
        if (h < leafWeightMin || rest < leafWeightMin) continue;
        const gain = (g * g) / (h + ridge) + (gradient - g) ** 2 / (rest + ridge) - whole;
        if (gain > gainMax) [gainMax, place] = [gain, slot * BINS + at];
      }
    }
    return place < 0 ? null : { gain: gainMax, slot: Math.floor(place / BINS), bin: place % BINS };
  }

  /** Number of rows that go left; they come first afterwards. */
  private part({ count, start }: Leaf, column: Uint8Array, lastLeft: number): number {
    const { rows, spare } = this;
    let left = start;
    let right = 0;
    for (let at = start; at < start + count; at += 1) {
      const row = rows[at] as number;
      if ((column[row] as number) <= lastLeft) rows[left++] = row;
      else spare[right++] = row;
    }
    rows.set(spare.subarray(0, right), left);
    return left - start;
  }

  grow(): Grown {
    const { tree } = this;
    const leaves = [this.leaf(0, this.rows.length, this.histogram(0, this.rows.length))];
    while (leaves.length < this.options.leaves) {
      let chosen = -1;
      leaves.forEach(({ split }, index) => {
        if (split !== null && split.gain > (leaves[chosen]?.split?.gain ?? 0)) chosen = index;
      });
      const leaf = leaves[chosen];
      if (leaf === undefined || leaf.split === null) break;
      const feature = this.features[leaf.split.slot] as number;
      const low = this.part(leaf, this.data.columns[feature] as Uint8Array, leaf.split.bin);
      const high = leaf.count - low;
      const middle = leaf.start + low;
      const isLowSmall = low < high;
      const small = isLowSmall ? this.histogram(leaf.start, low) : this.histogram(middle, high);
      const rest = leaf.histogram;
      for (let at = 0; at < rest.length; at += 1) rest[at] = (rest[at] as number) - (small[at] as number);
      const left = this.leaf(leaf.start, low, isLowSmall ? small : rest);
      const right = this.leaf(middle, high, isLowSmall ? rest : small);
      tree.feature[leaf.node] = feature;
      tree.bin[leaf.node] = leaf.split.bin;
      tree.left[leaf.node] = left.node;
      tree.right[leaf.node] = right.node;
      leaves.splice(chosen, 1, left, right);
    }
    return tree;
  }
}

const sigmoid = (score: number): number => 1 / (1 + Math.exp(-score));

const addScores = (tree: Grown, { columns, rowCount }: Binned, scores: Float64Array): void => {
  const feature = Int32Array.from(tree.feature);
  const lastLeft = Uint8Array.from(tree.bin);
  const left = Int32Array.from(tree.left);
  const right = Int32Array.from(tree.right);
  const column = tree.feature.map((index) => columns[Math.max(0, index)] as Uint8Array);
  for (let row = 0; row < rowCount; row += 1) {
    let node = 0;
    while ((feature[node] as number) >= 0)
      node = (
        ((column[node] as Uint8Array)[row] as number) <= (lastLeft[node] as number) ? left[node] : right[node]
      ) as number;
    scores[row] = (scores[row] as number) + (tree.value[node] as number);
  }
};

const sampled = (all: ReadonlyArray<number>, share: number, random: () => number): ReadonlyArray<number> =>
  all
    .map((each) => ({ each, key: random() }))
    .toSorted((a, b) => a.key - b.key)
    .slice(0, Math.max(1, Math.round(share * all.length)))
    .map(({ each }) => each);

class ForestGrower {
  private readonly nodes = {
    roots: [] as Array<number>,
    feature: [] as Array<number>,
    threshold: [] as Array<number>,
    left: [] as Array<number>,
    right: [] as Array<number>,
    value: [] as Array<number>
  };

  /** `share` is the weight of the tree. */
  add(tree: Grown, { edges }: Binned, share: number): void {
    const { nodes } = this;
    const offset = nodes.feature.length;
    nodes.roots.push(offset);
    tree.feature.forEach((feature, node) => {
      nodes.feature.push(feature);
      nodes.threshold.push(feature < 0 ? 0 : (edges[feature]?.[tree.bin[node] as number] as number));
      nodes.left.push(offset + (tree.left[node] as number));
      nodes.right.push(offset + (tree.right[node] as number));
      nodes.value.push(share * (tree.value[node] as number));
    });
  }

  get forest(): Forest {
    return {
      roots: Int32Array.from(this.nodes.roots),
      feature: Int16Array.from(this.nodes.feature),
      threshold: Float32Array.from(this.nodes.threshold),
      left: Int32Array.from(this.nodes.left),
      right: Int32Array.from(this.nodes.right),
      value: Float32Array.from(this.nodes.value)
    };
  }
}

/**
 * Adds the trees of one forest to the model; returns the prediction of this forest alone for every row, as log odds.
 */
const growForest = (
  { data, groups, isSeen, labels, weights }: Rows,
  options: BoostingOptions,
  seed: number,
  grower: ForestGrower
): Float64Array => {
  const random = seededRandom(seed);
  const seen = [...new Set(groups)].filter(isSeen);
  const useful = [...data.edges.keys()].filter((feature) => (data.edges[feature]?.length ?? 0) > 0);
  const scores = new Float64Array(data.rowCount);
  const slopes = new Float32Array(2 * data.rowCount);
  for (let round = 0; round < options.trees; round += 1) {
    for (let row = 0; row < data.rowCount; row += 1) {
      const chance = sigmoid(scores[row] as number);
      slopes[2 * row] = (weights[row] as number) * (chance - (labels[row] as number));
      slopes[2 * row + 1] = (weights[row] as number) * Math.max(1e-4, chance * (1 - chance));
    }
    const inBag = new Set(sampled(seen, options.groupShare, random));
    const bag = Int32Array.from(groups.keys()).filter((row) => inBag.has(groups[row] as number));
    const features = sampled(useful, options.featureShare, random);
    const tree = new TreeGrower(data, options, features, bag, slopes).grow();
    addScores(tree, data, scores);
    grower.add(tree, data, 1 / options.seeds.length);
  }
  return scores;
};

export const boost = (rows: Rows, options: BoostingOptions): Boosted => {
  const grower = new ForestGrower();
  const sums = new Float64Array(rows.data.rowCount);
  for (const seed of options.seeds)
    growForest(rows, options, seed, grower).forEach((score, row) => {
      sums[row] = (sums[row] as number) + score / options.seeds.length;
    });
  return { forest: grower.forest, chances: Float32Array.from(sums, sigmoid) };
};
