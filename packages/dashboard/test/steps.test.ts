import type { ExtractionProgress } from "@winnow/client";
import { assert, describe, it } from "vitest";
import { stepText } from "../src/parts/LiveStatus.tsx";

const running: ExtractionProgress = {
  phase: "processing",
  step: "transcribing",
  percent: 22,
  bytes: 1_000,
  rung: null
};

describe("the step of a run", () => {
  it("says how much of a recording is transcribed, in minutes or seconds", () => {
    assert.strictEqual(
      stepText({ ...running, doneSec: 725.4, totalSec: 3_300 }),
      "Transcribing 12 of 55 min"
    );
    assert.strictEqual(stepText({ ...running, doneSec: 0, totalSec: 61.2 }), "Transcribing 0 of 61 s");
  });

  it("is named if there is nothing to count", () => {
    assert.strictEqual(stepText(running), "Transcribing");
    assert.strictEqual(stepText({ ...running, step: "converting" }), "Converting");
    assert.isUndefined(stepText({ ...running, step: null }));
  });
});
