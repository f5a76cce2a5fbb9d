import { assert, it } from "@effect/vitest";
import { sampleExtraction } from "@winnow/testing/samples/samples";
import { countsOf, withEnded, type Batch } from "../../../src/domain/run/Batch.ts";

const BATCH: Batch = {
  id: "bat_1",
  accountId: "acc_1",
  name: "Talks",
  status: "running",
  total: 4,
  refused: 1,
  reused: 0,
  complete: 0,
  failed: 0,
  creditsDebited: 30,
  creditsRefunded: 0,
  createdAtMs: 0,
  completedAtMs: null
};

it("a batch counts how its items end, which of them were reused, and when the last one ended", () => {
  const failed = sampleExtraction("acc_1", { status: "failed", creditsRefunded: 10 });
  const ends = [
    sampleExtraction("acc_1", { status: "running" }),
    sampleExtraction("acc_1", { status: "complete" }),
    sampleExtraction("acc_1", { status: "complete", cachedFrom: "ext_0" }),
    failed
  ];
  const [, , almost, over] = ends.reduce<ReadonlyArray<Batch>>(
    (batches, ended, at) => [...batches, withEnded(batches.at(-1) ?? BATCH, ended, at)],
    []
  );
  assert.deepInclude(almost, { status: "running", completedAtMs: null });
  assert.deepInclude(over, { status: "complete", completedAtMs: 3, creditsRefunded: 10 });
  const counts = { total: 4, accepted: 3, refused: 1, reused: 1, running: 0, complete: 2, failed: 1 };
  assert.deepStrictEqual(countsOf(over ?? BATCH), counts);
  const cancelled = withEnded({ ...BATCH, status: "cancelled", complete: 2, completedAtMs: 1 }, failed, 9);
  assert.deepInclude(cancelled, { status: "cancelled", completedAtMs: 1 });
});
