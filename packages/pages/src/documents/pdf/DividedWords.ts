/** Joins words that are divided at the end of a line or page: "exam-" and "ple". Tests: Pdf.test.ts. */

const DIVIDED = /(\p{L}+)[-\u00ad\u2010]\n(\p{Ll}+)/gu;
const DIVIDED_END = /(\p{L}+)[-\u00ad\u2010]$/u;
const REST = /^(\p{Ll}\S*)\s*/u;

const HYPHENATED = /\p{L}+-\p{L}+/gu;

/** The hyphen is kept if the document hyphenates the same word in the middle of a line. */
const whole = (hyphenated: ReadonlySet<string>, start: string, rest: string): string => {
  const word = /^\p{L}+/u.exec(rest)?.[0] ?? rest;
  return hyphenated.has(`${start}-${word}`) ? `${start}-${rest}` : start + rest;
};

/**
 * For pieces of text with their lines: paragraphs, rows. The rest of a word in the next piece is moved to the
 * piece where the word begins.
 */
export const wholeWords = (pieces: ReadonlyArray<string>): ReadonlyArray<string> => {
  const hyphenated = new Set(pieces.flatMap((piece) => piece.match(HYPHENATED) ?? []));
  const joined = pieces.map((piece) =>
    piece.replace(DIVIDED, (_, start: string, rest: string) => whole(hyphenated, start, rest))
  );
  for (const [index, piece] of joined.entries()) {
    const next = joined[index + 1];
    const start = DIVIDED_END.exec(piece)?.[1];
    const rest = next === undefined ? null : REST.exec(next);
    if (start === undefined || next === undefined || rest === null) continue;
    joined[index] = piece.replace(DIVIDED_END, () => whole(hyphenated, start, rest[1] ?? ""));
    joined[index + 1] = next.slice(rest[0].length);
  }
  return joined;
};
