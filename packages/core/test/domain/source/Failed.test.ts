import { assert, it } from "@effect/vitest";
import { FailureReason, REMEDIES } from "../../../src/domain/source/Failed.ts";

it("a reason of failure comes with one sentence on what to do", () => {
  for (const reason of FailureReason.literals) assert.match(REMEDIES[reason].hint, /^[A-Z][^.]+\.$/u, reason);
});
