/**
 * Features of a block's wording: its characters, phrases typical of menus and other page elements, and repetitions,
 * such as copies for small and large screens. Retrain: train/train-page-text.ts. Tests: golden.test.ts.
 */
import {
  isSecondHalf,
  isWordKind,
  kindAt,
  LETTER_UPPER,
  NUMBER,
  SIGN,
  WHITE_SPACE
} from "../../parse/PlainText.ts";

/** Counts the characters of each kind in a text, in one pass. */
interface TextShape {
  /** Pieces separated by white space, including empty ones at both ends. */
  readonly pieces: number;
  readonly sentenceEnds: number;
  readonly commas: number;
  readonly lineEnds: number;
  readonly upperLetters: number;
  readonly numbers: number;
  /** Neither letters nor numbers nor white space. */
  readonly signs: number;
}

const textShape = (text: string): TextShape => {
  const shape = {
    pieces: 1,
    sentenceEnds: 0,
    commas: 0,
    lineEnds: 0,
    upperLetters: 0,
    numbers: 0,
    signs: 0
  };
  let wasWhite = false;
  for (let at = 0; at < text.length; at += 1) {
    if (isSecondHalf(text, at)) continue;
    const kind = kindAt(text, at);
    if (kind === WHITE_SPACE) {
      if (!wasWhite) shape.pieces += 1;
      if (text[at] === "\n") shape.lineEnds += 1;
    } else if (kind === SIGN) {
      shape.signs += 1;
      const sign = text[at] as string;
      if (sign === ",") shape.commas += 1;
      else if (".!?。".includes(sign)) shape.sentenceEnds += 1;
    } else if (kind === LETTER_UPPER) shape.upperLetters += 1;
    else if (kind === NUMBER) shape.numbers += 1;
    wasWhite = kind === WHITE_SPACE;
  }
  return shape;
};

/** "1 ½ cups", "ca. 20", "3–4 m". */
const AMOUNT = /^(?:(?:about|ca\.?) )?[\d¼-¾⅐-⅞][\d¼-¾⅐-⅞.,/⁄ –-]*(?:\s?\p{L}{1,12}\.?)?$/u;

/** A number, perhaps with its unit. */
export const isAmount = (text: string): boolean => AMOUNT.test(text.trim());

/** Length of the word sequences used to compare texts. */
const RUN_WORDS = 3;

const RADIX = 31;

/** The hash of each word of a text, and the factor for a hash that continues with it. */
const wordHashes = (
  text: string
): { readonly hashes: ReadonlyArray<number>; readonly shifts: ReadonlyArray<number> } => {
  const hashes: Array<number> = [];
  const shifts: Array<number> = [];
  let hash = 0;
  let shift = 1;
  let length = 0;
  for (let at = 0; at <= text.length; at += 1) {
    if (at < text.length && isWordKind(kindAt(text, at))) {
      hash = (Math.imul(hash, RADIX) + text.charCodeAt(at)) | 0;
      shift = Math.imul(shift, RADIX);
      length += 1;
    } else if (length > 0) {
      hashes.push(hash);
      shifts.push(shift);
      [hash, shift, length] = [0, 1, 0];
    }
  }
  return { hashes, shifts };
};

/** The texts of a page so far. */
export class Repeats {
  private readonly runs = new Set<number>();
  private readonly texts = new Map<string, number>();

  /** How often this text occurred before, and the share of its word sequences that did; -1 if it has none. */
  add(text: string): readonly [times: number, share: number] {
    const times = this.texts.get(text) ?? 0;
    this.texts.set(text, times + 1);
    const { hashes, shifts } = wordHashes(text.toLowerCase());
    let known = 0;
    for (let last = RUN_WORDS - 1; last < hashes.length; last += 1) {
      let run = 0;
      for (let word = last - RUN_WORDS + 1; word <= last; word += 1)
        run = (Math.imul(run, shifts[word] as number) + (hashes[word] as number)) | 0;
      if (this.runs.has(run)) known += 1;
      else this.runs.add(run);
    }
    const count = Math.max(0, hashes.length - RUN_WORDS + 1);
    return [times, count === 0 ? -1 : known / count];
  }
}

/** Four times as many as the model has. */
const FEATURES_MAX = 1_024;

/** Collects the features of a block; reused for every block of a page. */
export class FeatureRow {
  private readonly values = new Float32Array(FEATURES_MAX);
  private count = 0;

  add(value: number): void {
    this.values[this.count++] = value;
  }

  addAll(values: ReadonlyArray<number>): void {
    for (let at = 0; at < values.length; at += 1) this.add(values[at] as number);
  }

  /** The features added since the last call. */
  take(): Float32Array {
    const row = this.values.slice(0, this.count);
    this.count = 0;
    return row;
  }
}

/** A feature each. */
const PHRASES: ReadonlyArray<RegExp> = [
  /cookie|privacy|terms (of|&|and)|all rights reserved|copyright|©|gdpr|imprint|disclaimer/i,
  /subscribe|newsletter|sign up|e-?mail (address|updates)|inbox|notify me|join (now|us|our)/i,
  /\bshare\b|facebook|twitter|linkedin|pinterest|whatsapp|instagram|follow us|tweet/i,
  /log ?in|sign ?in|register|account|password|member/i,
  /comment|repl(y|ies)|responses?\b|leave a/i,
  /related|you (may|might) also|recommended|more (from|stories|posts|in|like)|popular|trending|latest|recently viewed|see also|next (article|post)|previous/i,
  /read more|learn more|view (all|more)|see (all|more)|show (all|more)|load more|continue reading|shop now|get started|click here|download/i,
  /[$€£¥]\s?\d|\d\s?[€£]|\b(usd|eur|gbp)\b/i,
  /add to (cart|bag|basket|wishlist)|buy now|checkout|in stock|out of stock|sold out|free shipping|quantity|wishlist|returns?\b/i,
  /\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d|\d{4}-\d\d-\d\d|\d\d?[/.]\d\d?[/.]\d{2,4}|\b(ago|yesterday|today)\b/i,
  /^\s*(by|written by|posted by|author|von|par)\b/i,
  /\b\d+ ?(min|minutes?)\b.{0,6}read|updated|published|posted/i,
  /review|rating|stars?\b|verified|out of 5|helpful/i,
  /\bsort\b|filter|search|\bshowing\b|results|page \d|per page/i,
  /\b(advertis|sponsor|affiliate|commission|promo)/i,
  /\(?\d{3}\)?[-. ]\d{3}[-. ]\d{4}|@[a-z0-9-]+\.[a-z]/i,
  /\b(likes?|views?|posts|topics|joined|messages|upvote|quote|report|reaction|solution|joined)\b/i,
  /\b(description|details|specifications?|features|ingredients|materials?|dimensions|overview|about)\b/i,
  /\b(i|we|you|my|our|your)\b/i,
  /[{};=]|\(\)|->|=>|::|\$ /,
  /menu|skip to|home\b|contact|navigation|toggle|close|open\b|language|toc\b|contents/i
];

/** What a block is for is said at its start; a change needs the models trained anew. */
const PHRASE_WITHIN_CHARS = 160;

/** One number per group of phrases, 1 if it occurs. */
export const wordKinds = (text: string): ReadonlyArray<number> => {
  const start = text.slice(0, PHRASE_WITHIN_CHARS);
  return PHRASES.map((phrase) => (phrase.test(start) ? 1 : 0));
};

const endingOf = (text: string): number => {
  const last = text.at(-1) ?? "";
  return ".!。".includes(last) ? 1 : last === "?" ? 2 : last === ":" ? 3 : ",;".includes(last) ? 4 : 0;
};

const beginningOf = (text: string): number =>
  /^\p{Lu}/u.test(text) ? 1 : /^\p{Ll}/u.test(text) ? 2 : /^\p{N}/u.test(text) ? 3 : 0;

/** `kinds`: result of {@link wordKinds} for the text. */
export const addWordFeatures = (text: string, kinds: ReadonlyArray<number>, row: FeatureRow): void => {
  const shape = textShape(text);
  const length = Math.max(1, text.length);
  row.add(shape.pieces);
  row.add(text.length / shape.pieces);
  row.add(shape.sentenceEnds);
  row.add(shape.commas);
  row.add(shape.upperLetters / length);
  row.add(shape.numbers / length);
  row.add(shape.signs / length);
  row.add(shape.lineEnds);
  row.add(endingOf(text));
  row.add(beginningOf(text));
  row.add(text === text.toUpperCase() ? 1 : 0);
  row.addAll(kinds);
};
