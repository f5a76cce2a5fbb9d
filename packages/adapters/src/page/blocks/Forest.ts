/** A forest of decision trees and its score for one row of features. */

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

/** Between 0 and 1. */
export const predict = (
  { feature, left, right, roots, threshold, value }: Forest,
  row: Float32Array
): number => {
  let score = 0;
  for (let tree = 0; tree < roots.length; tree += 1) {
    let node = roots[tree] as number;
    for (let index = feature[node] as number; index >= 0; index = feature[node] as number)
      node = ((row[index] as number) <= (threshold[node] as number) ? left[node] : right[node]) as number;
    score += value[node] as number;
  }
  return 1 / (1 + Math.exp(-score));
};

/** Bytes of one packed node: feature, positions of its children in the tree, threshold or value. */
export const NODE_BYTES = 8;

/** Parses the format of the training script: roots, then nodes in base64. */
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
