/** Words that were divided at the end of a line, or of a page, made whole again. */

const DIVIDED = /(\p{L}+)[-\u00ad\u2010]\n(\p{Ll}+)/gu;
const DIVIDED_PAGE = /(\p{L}+)[-\u00ad\u2010]$/u;
const REST = /^(\p{Ll}\S*)\s*/u;

/** A hyphen stays where the document writes the same word with one in the middle of a line. */
const whole = (text: string, start: string, rest: string): string =>
  text.includes(`${start}-${rest}`) ? `${start}-${rest}` : start + rest;

/** What is left of a word on the next page goes to the page where it begins. */
export const wholeWords = (pages: ReadonlyArray<string>): ReadonlyArray<string> => {
  const text = pages.join("\n");
  const mended = pages.map((page) =>
    page.replace(DIVIDED, (_, start: string, rest: string) => whole(text, start, rest))
  );
  for (const [index, page] of mended.entries()) {
    const next = mended[index + 1];
    const start = DIVIDED_PAGE.exec(page)?.[1];
    const rest = next === undefined ? null : REST.exec(next);
    if (start === undefined || next === undefined || rest === null) continue;
    mended[index] = page.replace(DIVIDED_PAGE, () => whole(text, start, rest[1] ?? ""));
    mended[index + 1] = next.slice(rest[0].length);
  }
  return mended;
};
