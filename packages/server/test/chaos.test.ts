// @module-tag faults: servers are killed and frozen for over a minute
/**
 * A short chaos run, light enough to run alongside other tests; `chaos/chaos.ts` runs longer and denser
 * ones.
 */
import { assert, describe, it } from "vitest";
import { FAULT_NAMES } from "./chaos/Faults.ts";
import { runChaos } from "./chaos/runChaos.ts";

const MINUTE_MS = 60_000;

/** How long faults are injected. */
const CHAOS_MS = 75_000;

/**
 * A seed whose faults include every kind within that time: seven workers and two APIs killed, three of them while
 * they start, four processes frozen, a restart and a crash of the database, and an outage of the bucket.
 */
const SEED = 240_537;

/** Starting a process takes one to two seconds of CPU time. */
const FAULT_EVERY_MS = 4_500;

/** So that faults hit running runs. */
const PAGE_MS_MAX = 2_500;

/** Only a hang takes this long, even on a busy machine: nothing is measured here. */
const REST_MS_MAX = 10 * MINUTE_MS;

describe("killed and frozen servers, with outages of database and bucket", () => {
  it(
    "violate no invariant of money, slots or keys, end every run, and leave no orphaned file",
    async () => {
      const { broken, ...report } = await runChaos({
        seed: SEED,
        forMs: CHAOS_MS,
        apis: 1,
        workers: 2,
        callers: 2,
        batchItems: 0,
        pageMsMax: PAGE_MS_MAX,
        pauseMsMax: 3_000,
        faults: FAULT_NAMES,
        faultEveryMs: FAULT_EVERY_MS,
        killsMax: Number.POSITIVE_INFINITY,
        restMsMax: REST_MS_MAX
      });
      const told = JSON.stringify(report);
      console.log(told);
      assert.deepStrictEqual(broken, [], told);
      assert.isAbove(report.runs, 0, told);
      for (const kind of [
        "workerKills",
        "apiKills",
        "freezes",
        "databaseRestarts",
        "databaseCrashes"
      ] as const) {
        assert.isAbove(report[kind], 0, kind);
      }
      assert.isAbove(report.bucketFaults, 0);
    },
    CHAOS_MS + 3 * REST_MS_MAX
  );
});
