/** The word error rate of a transcript: words that were replaced, left out or added, in proportion to those spoken. */
const wordsOf = (text) =>
  text
    .toLowerCase()
    .normalize("NFKC")
    .match(/[\p{L}\p{M}\p{N}']+/gu) ?? [];
/** Levenshtein's distance in words, over the number of words spoken. */
export const wordErrorRate = (spoken, heard) => {
  const [said, got] = [wordsOf(spoken), wordsOf(heard)];
  let row = got.map((_, index) => index + 1);
  for (const [place, word] of said.entries()) {
    let [diagonal, left] = [place, place + 1];
    row = row.map((above, index) => {
      left = Math.min(above + 1, left + 1, diagonal + (got[index] === word ? 0 : 1));
      diagonal = above;
      return left;
    });
  }
  return said.length === 0 ? Number(got.length > 0) : (row.at(-1) ?? said.length) / said.length;
};
