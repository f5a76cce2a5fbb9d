/** Whether title, author and date of a page match the ground truth. */
import { wordF1 } from "./measures.ts";

const folded = (text: string | null | undefined): string =>
  (text ?? "")
    .toLowerCase()
    .normalize("NFKC")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

const TITLE_F1_MIN = 0.8;

export const isSameTitle = (found: string | null, truth: string): boolean =>
  wordF1(folded(found), folded(truth)) >= TITLE_F1_MIN;

/** One of the names contains the other. */
export const isSameAuthor = (found: string | null, truth: string): boolean => {
  const [a, b] = [folded(found), folded(truth)];
  return a !== "" && (a.includes(b) || b.includes(a));
};

/** `found` is YYYYMMDD, the ground truth begins with YYYY-MM-DD. */
export const isSameDay = (found: string | null, truth: string): boolean =>
  found === truth.slice(0, 10).replaceAll("-", "");
