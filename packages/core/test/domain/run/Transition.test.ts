import { assert, describe, it } from "@effect/vitest";
import * as Result from "effect/Result";
import {
  holdsSlot,
  isTerminal,
  phaseOf,
  transition,
  type ExtractionStatus,
  type TransitionName
} from "../../../src/domain/run/Transition.ts";

const STATUSES: ReadonlyArray<ExtractionStatus> = ["queued", "pending", "running", "complete", "failed"];
const EVENTS: ReadonlyArray<TransitionName> = ["dispatch", "start", "release", "complete", "fail"];

/** All published transitions. */
const ALLOWED = [
  "queued dispatch pending",
  "pending start running",
  "running complete complete",
  "running fail failed",
  "queued fail failed",
  "pending fail failed",
  "running release pending"
];

describe("the transition table", () => {
  it("allows the published moves and no other", () => {
    const moves = STATUSES.flatMap((from) =>
      EVENTS.flatMap((event) => {
        const next = transition(from, event);
        return Result.isSuccess(next) ? [`${from} ${event} ${next.success}`] : [];
      })
    );
    assert.sameMembers(moves, ALLOWED);
  });

  it("reports the move that was not allowed", () => {
    assert.deepStrictEqual(transition("complete", "fail"), Result.fail({ from: "complete", event: "fail" }));
  });

  it("derives phase, slot and end from the status", () => {
    assert.deepStrictEqual(
      STATUSES.map((status) => [status, phaseOf(status), holdsSlot(status), isTerminal(status)]),
      [
        ["queued", "queued", false, false],
        ["pending", "processing", true, false],
        ["running", "processing", true, false],
        ["complete", "done", false, true],
        ["failed", "failed", false, true]
      ]
    );
  });
});
