/**
 * The words of each block that the model knows, as numbers: from the names around it, from its text, and from
 * its heading and link URLs. WordWeights.ts has their weights. How words are split is part of the model, so any
 * change requires training it again.
 */
import type { PageElement } from "../../tree/PageTree.ts";
import type { Block, PageBlocks, Region } from "./Blocks.ts";
import { WordSet } from "./WordSet.ts";

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
    given
      .replace(/([a-z])([A-Z])/g, "$1 $2")
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

const HEADING = /^h[1-6]$/;
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
    if (HEADING.test(block.box.element.name)) this.heading = headingWords(block);
    return [around, inside, leading];
  }
}

/** The words of each block, by kind; `url` is the page's URL. */
export const blockWords = ({ blocks }: PageBlocks, url: string): ReadonlyArray<ReadonlyArray<Words>> => {
  const reader = new WordReader(url);
  return blocks.map((block) => reader.read(block));
};
