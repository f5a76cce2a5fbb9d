/** The count of what failed today. */
import { assert, describe, it } from "vitest";
import { failedText } from "../src/data/extractions.ts";

const runs = async function* (failed: number, cancelled: number) {
  for (let at = 0; at < cancelled; at += 1) yield { failureReason: "cancelled" };
  for (let at = 0; at < failed; at += 1) yield { failureReason: "timeout" };
};

describe("the count of what failed today", () => {
  it("has no cancelled run in it, of however many, and says where there are more", async () => {
    assert.strictEqual(await failedText(runs(0, 1_000)), "0");
    assert.strictEqual(await failedText(runs(3, 1_000)), "3");
    assert.strictEqual(await failedText(runs(100, 0)), "100");
    assert.strictEqual(await failedText(runs(101, 5)), "100+");
    assert.strictEqual(await failedText(runs(1, 3_000)), null);
  });
});
