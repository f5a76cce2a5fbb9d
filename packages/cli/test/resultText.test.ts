import type { CompleteResult, ExtractionDetail } from "@winnow/client";
import { RANGE_HINT } from "@winnow/core/domain/source/TimeRange";
import { assert, describe, it } from "vitest";
import { extractionText, foundText } from "../src/extractions/resultText.ts";
import { withRangeFlags } from "../src/extractions/submissionFields.ts";

const PRICE = {
  mode: "download",
  credits: 50,
  usd: 0.005,
  baseUsd: 0.005,
  downloadUsd: 0,
  downloadBreakdown: {},
  breakdown: { text: 0, audio: 0, video: 0 },
  freshCredits: 50
} as const;

const waiting = (more: Partial<ExtractionDetail>): ExtractionDetail => ({
  id: "ext_1",
  url: "https://example.com/",
  status: "queued",
  phase: "queued",
  createdAt: "2026-11-22T03:00:00.000Z",
  completedAt: null,
  creditsDebited: 50,
  creditsRefunded: 0,
  cached: false,
  outcome: null,
  title: null,
  kind: null,
  durationSec: null,
  thumbnail: null,
  madeBy: "api",
  apiKeyName: null,
  price: PRICE,
  ...more
});

const statusOf = (detail: ExtractionDetail): string =>
  /^status +(.+)$/mu.exec(extractionText(detail, null))?.[1] ?? "";

describe("the text of an extraction that waits", () => {
  it("tells its place in the queue, if it has one", () => {
    assert.strictEqual(statusOf(waiting({})), "queued");
    const texts = [1, 2, 3, 4, 11, 22, 1_000].map((queuePosition) => statusOf(waiting({ queuePosition })));
    assert.deepStrictEqual(
      texts,
      ["1st", "2nd", "3rd", "4th", "11th", "22nd", "1000th"].map((place) => `queued, ${place} in the queue`)
    );
  });
});

describe("the text of an extraction of a stretch", () => {
  it("has the times of the source", () => {
    const text = extractionText(waiting({ range: { startSec: 65, endSec: 150 } }), null);
    assert.match(text, /^stretch +1:05 to 2:30$/mu);
  });
});

describe("the text of why a stretch was refused or failed", () => {
  it.each([
    ["`range.startSec`: must have at most three decimals.", "--from: must have at most three decimals."],
    ["The video ends before the stretch of `range` begins.", "The video ends before the stretch begins."],
    [RANGE_HINT, "Submit it again without the stretch, or with one within the video."],
    ["`url` is missing.", "`url` is missing."]
  ])("has the words of the command line: %s", (message, words) => {
    assert.strictEqual(withRangeFlags(message), words);
  });
});

describe("the text of what a run found", () => {
  it("tells the outcome in the words of the web app", () => {
    const shared = { extraction: null, warnings: [], artifacts: { details: [] } };
    const textOf = (outcome: string, verdictReason: string | null) =>
      foundText({ ...shared, outcome, verdictReason } as unknown as CompleteResult);
    assert.strictEqual(textOf("ok", null), "outcome: Complete.");
    assert.strictEqual(textOf("no_match", "It is no recipe."), "outcome: No match. It is no recipe.");
  });
});
