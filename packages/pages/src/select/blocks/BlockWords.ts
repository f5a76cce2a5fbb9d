/**
 * The words of each block that the model knows, as numbers: from the names around it, from its text, and from
 * its heading and link URLs; and the weights that the model gives them. How words are split is part of the model, so any
 * change requires training it again. Retrain: train/train-page-text.ts. Tests: golden.test.ts.
 */
import { withHyphens } from "../../parse/NoiseRules.ts";
import { headingLevel, type PageElement } from "../../parse/PageTree.ts";
import type { Block, PageBlocks, Region } from "./Blocks.ts";

/** Fibonacci hashing: the high bits of the product are spread evenly. */
const SPREADING = 0x9e3779b1;

const BITS_MIN = 9;

/** Collects numbers without duplicates, in the order in which they were added; reused for every block of a page. */
class WordSet {
  private bits = BITS_MIN;
  /** A hash table with open addressing; a slot is used if `rounds` has the current round. */
  private words = new Uint32Array(2 ** BITS_MIN);
  private rounds = new Uint32Array(2 ** BITS_MIN);
  private found = new Uint32Array(2 ** (BITS_MIN - 1));
  private round = 1;
  private count = 0;

  add(word: number): void {
    const { rounds, words } = this;
    let place = Math.imul(word, SPREADING) >>> (32 - this.bits);
    while (rounds[place] === this.round) {
      if (words[place] === word) return;
      place = (place + 1) & (words.length - 1);
    }
    if (this.count === this.found.length) {
      this.grow();
      this.add(word);
      return;
    }
    words[place] = word;
    rounds[place] = this.round;
    this.found[this.count++] = word;
  }

  /** The numbers added since the last call. */
  take(): Uint32Array {
    const words = this.found.slice(0, this.count);
    this.count = 0;
    this.round += 1;
    return words;
  }

  private grow(): void {
    const words = this.take();
    this.bits += 1;
    this.words = new Uint32Array(2 ** this.bits);
    this.rounds = new Uint32Array(2 ** this.bits);
    this.found = new Uint32Array(2 ** (this.bits - 1));
    for (const word of words) this.add(word);
  }
}

/** Words of one kind, without duplicates. */
export type Words = Uint32Array;

/** Kinds of words: around the block, in it, before it. */
export const WORD_KINDS = 3;

const HASH_START = 0x811c9dc5;

/** FNV-1a over the UTF-16 code units, continued from `start`. */
const hashed = (text: string, start: number = HASH_START): number => {
  let hash = start;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
};

/** How many elements around a block contribute names, and their distance in three steps. */
const LEVELS = 8;
const stepOf = (level: number): number => (level < 2 ? 0 : level < 4 ? 1 : 2);
const STEPS = ["0", "1", "2"].map((step) => hashed(step));

/** Longer names are generated. */
const NAMES_CHARS_MAX = 300;

const givenNames = ({ attributes }: PageElement): string =>
  `${attributes["class"] ?? ""} ${attributes["id"] ?? ""} ${attributes["itemprop"] ?? ""} ${attributes["role"] ?? ""}`.slice(
    0,
    NAMES_CHARS_MAX
  );

/** The words of an element of this type with these names, by distance. */
const namesOf = (element: string, given: string): ReadonlyArray<Words> => {
  const names =
    withHyphens(given)
      .toLowerCase()
      .match(/[a-z]{2,}/g) ?? [];
  const hashes = names.map((name) => hashed(name));
  return STEPS.map((step, index) => {
    const words = new Uint32Array(1 + 2 * names.length);
    words[0] = hashed(`<${element}${index}`);
    for (let at = 0; at < names.length; at += 1) {
      words[1 + 2 * at] = hashes[at] as number;
      words[2 + 2 * at] = hashed(names[at] as string, step);
    }
    return words;
  });
};

/** Names around blocks. Every block has dozens and pages repeat them, so they are split once per element. */
class NamesAround {
  private readonly byElement = new Map<PageElement, ReadonlyArray<Words>>();
  private readonly byNames = new Map<string, ReadonlyArray<Words>>();

  private of(element: PageElement): ReadonlyArray<Words> {
    const known = this.byElement.get(element);
    if (known !== undefined) return known;
    const given = givenNames(element);
    const key = `${element.name} ${given}`;
    let names = this.byNames.get(key);
    if (names === undefined) this.byNames.set(key, (names = namesOf(element.name, given)));
    this.byElement.set(element, names);
    return names;
  }

  add({ leaf }: Block, found: WordSet): void {
    let region: Region | null = leaf;
    for (let level = 0; level < LEVELS && region !== null; level += 1) {
      const words = this.of(region.element)[stepOf(level)] as Words;
      for (let at = 0; at < words.length; at += 1) found.add(words[at] as number);
      region = region.parent;
    }
  }
}

const TEXT_CHARS_MAX = 220;
const TEXT_WORDS_MAX = 32;

/** Blocks with at most this many words also count as one word: buttons and labels. */
const LABEL_WORDS_MAX = 5;

/** All numbers count as the same word. */
const wordsIn = (text: string): ReadonlyArray<string> =>
  text
    .toLowerCase()
    .replace(/\p{N}+/gu, "0")
    .match(/[\p{L}0$€£%]+/gu) ?? [];

const addTextWords = (words: ReadonlyArray<string>, found: WordSet): void => {
  let pair = 0;
  words.forEach((word, index) => {
    const single = hashed(word);
    found.add(single);
    if (index > 0) found.add(hashed(word, pair));
    pair = hashed(" ", single);
  });
  if (words.length > 0) {
    found.add(hashed(`^${words[0]}`));
    found.add(hashed(`$${words.at(-1)}`));
  }
  if (words.length <= LABEL_WORDS_MAX) found.add(hashed(`=${words.join(" ")}`));
};

const PATH_WORDS_MAX = 8;

/** The words of a link's URL. */
const linkWords = (
  { attributes }: PageElement,
  address: string,
  host: string | undefined
): ReadonlyArray<number> => {
  const href = attributes["href"] ?? "";
  const url = URL.parse(href, address);
  const path = (url?.pathname ?? href)
    .slice(0, NAMES_CHARS_MAX)
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word.length > 2)
    .slice(0, PATH_WORDS_MAX);
  const rel = attributes["rel"];
  return [
    ...path.map((word) => hashed(`a${word}`)),
    hashed(url?.hostname === host ? "host1" : "host0"),
    ...(rel === undefined ? [] : [hashed(`rel${rel}`)])
  ];
};

const HEADING_CHARS_MAX = 100;
const HEADING_WORDS_MAX = 10;
/** This many of the first words also count as one word. */
const HEADING_START_WORDS = 4;
const BEFORE_WORDS_MAX = 4;

const headingWords = ({ text }: Block): ReadonlyArray<number> => {
  const words = wordsIn(text.slice(0, HEADING_CHARS_MAX));
  return [
    ...words.slice(0, HEADING_WORDS_MAX).map((word) => hashed(`h${word}`)),
    hashed(`H${words.slice(0, HEADING_START_WORDS).join(" ")}`)
  ];
};

class WordReader {
  private readonly address: string;
  private readonly host: string | undefined;
  private readonly found = new WordSet();
  private readonly names = new NamesAround();
  private readonly links = new Map<PageElement, ReadonlyArray<number>>();
  private heading: ReadonlyArray<number> = [hashed("H")];
  private before = "";

  constructor(address: string) {
    this.address = address;
    this.host = URL.parse(address)?.hostname;
  }

  private link({ leaf }: Block): ReadonlyArray<number> {
    if (!leaf.inLink) return [];
    let region: Region | null = leaf;
    while (region !== null && region.element.name !== "a") region = region.parent;
    if (region === null) return [];
    let words = this.links.get(region.element);
    if (words === undefined)
      this.links.set(region.element, (words = linkWords(region.element, this.address, this.host)));
    return words;
  }

  read(block: Block): ReadonlyArray<Words> {
    const words = wordsIn(block.text.slice(0, TEXT_CHARS_MAX)).slice(0, TEXT_WORDS_MAX);
    this.names.add(block, this.found);
    const around = this.found.take();
    addTextWords(words, this.found);
    const inside = this.found.take();
    for (const word of this.heading) this.found.add(word);
    this.found.add(hashed(`p${this.before}`));
    for (const word of this.link(block)) this.found.add(word);
    const leading = this.found.take();
    this.before = words.length <= BEFORE_WORDS_MAX ? words.join(" ") : "";
    if (headingLevel(block.box.element) !== null) this.heading = headingWords(block);
    return [around, inside, leading];
  }
}

/** The words of each block, by kind; `url` is the page's URL. */
export const blockWords = ({ blocks }: PageBlocks, url: string): ReadonlyArray<ReadonlyArray<Words>> => {
  const reader = new WordReader(url);
  return blocks.map((block) => reader.read(block));
};

/** The weights of one kind of words; unknown words do not count. */
export interface WordTable {
  readonly bias: number;
  /** The score of a weight of one. */
  readonly scale: number;
  /** Weights by word, -127 to 127. */
  readonly weights: { readonly get: (word: number) => number | undefined };
}

/** The total score of the words, in log odds. The more words are known, the less each of them counts. */
export const wordScore = ({ bias, scale, weights }: WordTable, words: Words): number => {
  let known = 0;
  let sum = 0;
  for (let at = 0; at < words.length; at += 1) {
    const weight = weights.get(words[at] as number);
    if (weight === undefined) continue;
    known += 1;
    sum += weight;
  }
  return bias + (scale * sum) / Math.sqrt(1 + known);
};

/** Marks an empty slot. */
const UNKNOWN = -128;

/**
 * A hash table with open addressing. A page needs tens of thousands of look-ups, and in a `Map` every number above 31
 * bits is an object.
 */
class PackedWeights {
  private readonly words: Uint32Array;
  private readonly weights: Int8Array;
  private readonly shift: number;

  constructor(count: number) {
    // At most half full.
    const bits = Math.ceil(Math.log2(2 * count + 2));
    this.shift = 32 - bits;
    this.words = new Uint32Array(2 ** bits);
    this.weights = new Int8Array(2 ** bits).fill(UNKNOWN);
  }

  set(word: number, weight: number): void {
    const place = this.slotOf(word);
    this.words[place] = word;
    this.weights[place] = weight;
  }

  get(word: number): number | undefined {
    const weight = this.weights[this.slotOf(word)] as number;
    return weight === UNKNOWN ? undefined : weight;
  }

  /** The slot of a word, or the empty one where it belongs. */
  private slotOf(word: number): number {
    const { weights, words } = this;
    let place = Math.imul(word, SPREADING) >>> this.shift;
    while (words[place] !== word && weights[place] !== UNKNOWN) place = (place + 1) & (words.length - 1);
    return place;
  }
}

/** Bytes of one packed word and of its weight. */
export const WORD_BYTES = 4;
export const WEIGHT_BYTES = 1;

/** Parses the format of the training script: bias and scale, then words and weights in base64. */
export const unpackWords = (packed: string): WordTable => {
  const [numbers = "", base64 = ""] = packed.split(";");
  const [bias = 0, scale = 0] = numbers.split(" ").map(Number);
  const bytes = Buffer.from(base64, "base64");
  const count = bytes.byteLength / (WORD_BYTES + WEIGHT_BYTES);
  const weights = new PackedWeights(count);
  for (let at = 0; at < count; at += 1)
    weights.set(bytes.readUInt32LE(at * WORD_BYTES), bytes.readInt8(count * WORD_BYTES + at));
  return { bias, scale, weights };
};
