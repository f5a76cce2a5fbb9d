/** Writes the parts of the model in the form that `unpackForest` and `unpackWords` read. */
import { type Forest, NODE_BYTES } from "../src/select/blocks/Model.ts";
import { WEIGHT_BYTES, WORD_BYTES } from "../src/select/blocks/BlockWords.ts";
import type { LearnedWords } from "./words.ts";

/** Little-endian; children are indexes within their tree. */
export const packForest = ({ feature, left, right, roots, threshold, value }: Forest): string => {
  const nodes = new DataView(new ArrayBuffer(feature.length * NODE_BYTES));
  let tree = -1;
  let root = 0;
  for (let node = 0; node < feature.length; node += 1) {
    if (roots[tree + 1] === node) {
      tree += 1;
      root = node;
    }
    const index = feature[node] as number;
    const offset = node * NODE_BYTES;
    nodes.setInt16(offset, index, true);
    nodes.setUint8(offset + 2, index < 0 ? 0 : (left[node] as number) - root);
    nodes.setUint8(offset + 3, index < 0 ? 0 : (right[node] as number) - root);
    nodes.setFloat32(offset + 4, (index < 0 ? value[node] : threshold[node]) as number, true);
  }
  return `${[...roots].join(" ")};${Buffer.from(nodes.buffer).toString("base64")}`;
};

/** Little-endian, by word; words and weights are separate. */
export const packWords = ({ bias, scale, weights }: LearnedWords): string => {
  const sorted = [...weights].toSorted(([a], [b]) => a - b);
  const bytes = Buffer.alloc(sorted.length * (WORD_BYTES + WEIGHT_BYTES));
  sorted.forEach(([word, weight], at) => {
    bytes.writeUInt32LE(word, at * WORD_BYTES);
    bytes.writeInt8(weight, sorted.length * WORD_BYTES + at);
  });
  return `${bias} ${scale};${bytes.toString("base64")}`;
};
