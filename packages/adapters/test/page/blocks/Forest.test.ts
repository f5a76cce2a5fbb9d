import { assert, describe, it } from "@effect/vitest";
import { packForest } from "../../../bench/page-text/packing.ts";
import { bin, boost } from "../../../bench/page-text/boosting.ts";
import { predict, unpackForest } from "../../../src/page/blocks/Forest.ts";

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

/** Yes where the first number is above 5 and the second below 3. */
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

describe("a forest", () => {
  it("has learned the rule it was shown", () => {
    rows.forEach((row, index) => assert.strictEqual(Math.round(predict(forest, row)), labels[index]));
  });

  it("predicts the same after packing", () => {
    const unpacked = unpackForest(packForest(forest));
    for (const row of rows) assert.strictEqual(predict(unpacked, row), predict(forest, row));
  });

  it("predicts what it did during training, also for unseen rows", () => {
    rows.forEach((row, index) => assert.closeTo(chances[index] ?? 0, predict(forest, row), 1e-5));
  });

  it("is the same for the same rows", () => {
    assert.strictEqual(packForest(trained().forest), packForest(forest));
  });
});
