/** What is said of a balance. */
import { assert, describe, it } from "vitest";
import { billingWords } from "../src/screens/billing/words.ts";

describe("how long a balance lasts", () => {
  it("is told in days, for a year at most", () => {
    const lasts = (days: number): string => billingWords.lasts(days).replace(/^.* lasts /u, "");
    assert.deepStrictEqual([1, 365, 20_170].map(lasts), ["1 day.", "365 days.", "more than a year."]);
  });
});
