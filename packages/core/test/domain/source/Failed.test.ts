import { assert, it } from "@effect/vitest";
import { Failed, FailureReason, lookupFailure, REMEDIES } from "../../../src/domain/source/Failed.ts";

it("a reason of failure comes with one sentence on what to do", () => {
  for (const reason of FailureReason.literals) assert.match(REMEDIES[reason].hint, /^[A-Z][^.]+\.$/u, reason);
});

it("the failure of a look-up that ends a run keeps where it was lost, when to retry and what to do", () => {
  const known = { unreachableCause: "dns", retryAfterSeconds: 90, hint: "Wait." } as const;
  const comments = new Failed({ reason: "unreachable", message: "No answer.", ...known });
  const { unreachableCause, retryAfterSeconds, hint } = lookupFailure({ comments }) ?? {};
  assert.deepStrictEqual({ unreachableCause, retryAfterSeconds, hint }, known);
});
