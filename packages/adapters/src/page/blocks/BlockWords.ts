/**
 * The words of each block that the model knows, as numbers: from the names around it, from its text, and from
 * its heading and link URLs. WordWeights.ts has their weights. How words are split is part of the model, so any
 * change requires training it again.
 */
import type { PageElement } from "../PageTree.ts";
import type { Block, PageBlocks, Region } from "./Blocks.ts";

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
const NAMES: ReadonlyArray<string> = ["class", "id", "itemprop", "role"];

const givenNames = ({ attributes }: PageElement): string =>
  NAMES.map((key) => attributes[key] ?? "")
    .join(" ")
    .slice(0, NAMES_CHARS_MAX);

/** The words of an element of this type with these names, by distance. */
const namesOf = (element: string, given: string): ReadonlyArray<ReadonlyArray<number>> => {
  const words = given
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word.length > 1);
  return STEPS.map((step, index) => [
    hashed(`<${element}${index}`),
    ...words.flatMap((word) => [hashed(word), hashed(word, step)])
  ]);
};

/**
 * Names around blocks. Every block has dozens and pages repeat them, so they are split once, numbered per page,
 * and compared by number.
 */
class NamesAround {
  private readonly byElement = new Map<PageElement, ReadonlyArray<ReadonlyArray<number>>>();
  private readonly byNames = new Map<string, ReadonlyArray<ReadonlyArray<number>>>();
  private readonly numbers = new Map<number, number>();
  private readonly words: Array<number> = [];
  /** The last block with each number. */
  private readonly last: Array<number> = [];
  private block = 0;

  private numberOf(word: number): number {
    let number = this.numbers.get(word);
    if (number === undefined) {
      this.numbers.set(word, (number = this.words.push(word) - 1));
      this.last.push(0);
    }
    return number;
  }

  private of(element: PageElement): ReadonlyArray<ReadonlyArray<number>> {
    const known = this.byElement.get(element);
    if (known !== undefined) return known;
    const given = givenNames(element);
    const key = `${element.name} ${given}`;
    const names =
      this.byNames.get(key) ??
      namesOf(element.name, given).map((words) => words.map((word) => this.numberOf(word)));
    this.byNames.set(key, names);
    this.byElement.set(element, names);
    return names;
  }

  read({ leaf }: Block): Words {
    this.block += 1;
    const found: Array<number> = [];
    let region: Region | null = leaf;
    for (let level = 0; level < LEVELS && region !== null; level += 1) {
      for (const number of this.of(region.element)[stepOf(level)] ?? []) {
        if (this.last[number] === this.block) continue;
        this.last[number] = this.block;
        found.push(this.words[number] as number);
      }
      region = region.parent;
    }
    return Uint32Array.from(found);
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

const textWords = (words: ReadonlyArray<string>): ReadonlyArray<number> => {
  const found: Array<number> = [];
  let pair = 0;
  words.forEach((word, index) => {
    const single = hashed(word);
    found.push(single);
    if (index > 0) found.push(hashed(word, pair));
    pair = hashed(" ", single);
  });
  if (words.length > 0) found.push(hashed(`^${words[0]}`), hashed(`$${words.at(-1)}`));
  if (words.length <= LABEL_WORDS_MAX) found.push(hashed(`=${words.join(" ")}`));
  return found;
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

const HEADING = /^h[1-6]$/;
const HEADING_CHARS_MAX = 100;
const HEADING_WORDS_MAX = 10;
/** This many of the first words also count as one word. */
const HEADING_START_WORDS = 4;
const BEFORE_WORDS_MAX = 4;

class WordReader {
  private readonly address: string;
  private readonly host: string | undefined;
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
    const context = new Set([...this.heading, hashed(`p${this.before}`), ...this.link(block)]);
    this.before = words.length <= BEFORE_WORDS_MAX ? words.join(" ") : "";
    if (HEADING.test(block.box.element.name)) {
      const heading = wordsIn(block.text.slice(0, HEADING_CHARS_MAX));
      this.heading = [
        ...heading.slice(0, HEADING_WORDS_MAX).map((word) => hashed(`h${word}`)),
        hashed(`H${heading.slice(0, HEADING_START_WORDS).join(" ")}`)
      ];
    }
    return [this.names.read(block), Uint32Array.from(new Set(textWords(words))), Uint32Array.from(context)];
  }
}

/** The words of each block, by kind; `url` is the page's URL. */
export const blockWords = ({ blocks }: PageBlocks, url: string): ReadonlyArray<ReadonlyArray<Words>> => {
  const reader = new WordReader(url);
  return blocks.map((block) => reader.read(block));
};
