import { assert, it } from "@effect/vitest";
import { FAILURE_REASONS, REMEDIES } from "../../../src/domain/source/Failed.ts";

it("a reason of failure comes with one sentence on what to do", () => {
  for (const reason of FAILURE_REASONS) assert.match(REMEDIES[reason].hint, /^[A-Z][^.]+\.$/u, reason);
});
