import type { ExtractionProgress } from "@winnow/client";
import { assert, describe, it } from "vitest";
import { stepsOf, stepText } from "../src/screens/run/Steps.tsx";

const running: ExtractionProgress = {
  phase: "processing",
  step: "transcribing",
  percent: 22,
  bytes: 1_000,
  rung: null
};

describe("the steps of a run in progress", () => {
  it("are those that its request takes, and the one it is in", () => {
    const plain = ["inspecting", "fetching", "converting", "storing"] as const;
    assert.deepStrictEqual(stepsOf({}, null), plain);
    assert.deepStrictEqual(stepsOf({ schemaId: "sch_1" }, "analysing"), [
      ...plain.slice(0, 3),
      "analysing",
      "storing"
    ]);
    assert.include(stepsOf({}, "transcribing"), "transcribing");
  });
});

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
