/** Features of a block's wording: its characters, and phrases typical of menus and other page elements. */
import type { FeatureRow } from "./FeatureRow.ts";
import { textShape } from "./TextShape.ts";

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

/** One number per group of phrases, 1 if it occurs. */
export const wordKinds = (text: string): ReadonlyArray<number> => {
  const start = text.slice(0, 160);
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
