import { assert, it } from "@effect/vitest";
import { sampleAccount, sampleExtraction } from "@winnow/testing/samples/samples";
import { promote } from "../../../src/domain/run/RunningSlots.ts";

const waiting = ["ext_1", "ext_2", "ext_3"].map((id) => sampleExtraction("acc_1", { id, status: "queued" }));

it.each([
  ["all that are free, and no more than wait", 9, ["ext_1", "ext_2", "ext_3"]],
  ["as many as are free, to the oldest first", 4, ["ext_1", "ext_2"]],
  ["none while all are taken", 2, []],
  ["none while more are taken than a lowered limit allows", 1, []]
] as const)("running slots go to the waiting: %s", (_what, runningMax, ids) => {
  const { account, jobs, promoted } = promote(sampleAccount({ slotsUsed: 2 }), waiting, runningMax);
  assert.deepStrictEqual(
    promoted.map(({ id, status }) => [id, status]),
    ids.map((id) => [id, "pending"])
  );
  assert.deepStrictEqual(
    jobs.map(({ extractionId }) => extractionId),
    [...ids]
  );
  assert.strictEqual(account.slotsUsed, 2 + ids.length);
});
