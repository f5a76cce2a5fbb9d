/** The page reader's confidence in its texts compared with their scores, in ten bins of equal size. */
import { textConfidence } from "../src/select/blocks/MainText.ts";
import { mean } from "../bench/page-text/measures.ts";

/** A page that was read. */
export interface Judged {
  readonly type: string;
  /** Word F1, estimated and actual. */
  readonly expected: number;
  readonly f1: number;
}

const BINS = 10;

export const reportConfidence = (judged: ReadonlyArray<Judged>): void => {
  const sorted = judged.toSorted((a, b) => a.expected - b.expected);
  for (let bin = 0; bin < BINS; bin += 1) {
    const part = sorted.slice(
      Math.floor((bin * sorted.length) / BINS),
      Math.floor(((bin + 1) * sorted.length) / BINS)
    );
    const expected = mean(part.map((each) => each.expected));
    const f1 = mean(part.map((each) => each.f1));
    const confidence = mean(part.map((each) => textConfidence(each.expected)));
    console.log(
      `expected ${expected.toFixed(3)}  measured ${f1.toFixed(3)}  confidence ${confidence.toFixed(3)}  off by ${(confidence - f1).toFixed(3)}`
    );
  }
};
