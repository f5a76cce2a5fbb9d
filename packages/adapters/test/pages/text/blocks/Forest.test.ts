import { assert, describe, it } from "@effect/vitest";
import { packForest } from "../../../../bench/page-text/packing.ts";
import { bin, boost } from "../../../../bench/page-text/boosting.ts";
import { type Forest, predict, unpackForest } from "../../../../src/pages/text/blocks/Model.ts";

const OPTIONS = {
  trees: 20,
  leaves: 4,
  learningRate: 0.3,
  leafWeightMin: 0.5,
  ridge: 0.1,
  featureShare: 1,
  groupShare: 0.8,
  seeds: [3, 4]
};

/** Positive where the first number is above 5 and the second below 3. */
const rows = Array.from({ length: 400 }, (_, index) => Float32Array.of(index % 11, index % 7, 1));
const labels = Float32Array.from(rows, ([a = 0, b = 0]) => (a > 5 && b < 3 ? 1 : 0));
const trained = () =>
  boost(
    {
      data: bin(3, (feature) => Float32Array.from(rows, (row) => row[feature] ?? 0)),
      labels,
      weights: new Float32Array(rows.length).fill(1),
      groups: Int32Array.from(rows, (_, index) => index % 20),
      isSeen: (group) => group !== 19
    },
    OPTIONS
  );
const { chances, forest } = trained();

const predicted = (of: Forest, shown: ReadonlyArray<Float32Array>): Float32Array =>
  predict(of, { values: Float32Array.from(shown.flatMap((row) => [...row])), width: 3 });

/** The prediction for one row, calculated from node to node. */
const walked = ({ feature, left, right, roots, threshold, value }: Forest, row: Float32Array): number => {
  let score = 0;
  for (let node of roots) {
    while ((feature[node] ?? -1) >= 0)
      node = ((row[feature[node] ?? 0] ?? 0) <= (threshold[node] ?? 0) ? left[node] : right[node]) ?? 0;
    score += value[node] ?? 0;
  }
  return Math.fround(1 / (1 + Math.exp(-score)));
};

describe("a forest", () => {
  it("has learned the rule it was shown", () => {
    assert.deepStrictEqual(predicted(forest, rows).map(Math.round), labels);
  });

  it("predicts all rows at once as if it walked its trees row by row", () => {
    const odd = [
      Float32Array.of(Number.NaN, Number.NEGATIVE_INFINITY, -0),
      Float32Array.of(Number.POSITIVE_INFINITY, 2.5, 1)
    ];
    for (const count of [1, 31, 32, 33, rows.length]) {
      const shown = [...odd, ...rows].slice(0, count);
      assert.deepStrictEqual(
        [...predicted(forest, shown)],
        shown.map((row) => walked(forest, row))
      );
    }
  });

  it("predicts nothing without rows", () => {
    assert.strictEqual(predicted(forest, []).length, 0);
  });

  it("predicts the same after packing", () => {
    assert.deepStrictEqual(predicted(unpackForest(packForest(forest)), rows), predicted(forest, rows));
  });

  it("predicts what it did during training, also for unseen rows", () => {
    predicted(forest, rows).forEach((chance, index) => assert.closeTo(chances[index] ?? 0, chance, 1e-5));
  });

  it("is the same for the same rows", () => {
    assert.strictEqual(packForest(trained().forest), packForest(forest));
  });
});
