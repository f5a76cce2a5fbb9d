import { assert, describe, it } from "@effect/vitest";
import { RECOVERY_SECONDS } from "../../../src/database/queue/JobTable.ts";
import {
  afterResponse,
  canTakeOver,
  type Contact,
  NO_CONTACT,
  SILENCE_MS_MAX
} from "../../../src/database/queue/Outage.ts";
import { LEASE_SECONDS_DEFAULT } from "../../../src/database/queue/PgJobQueue.ts";
import { POLL_INTERVAL_MS, RENEWALS_PER_LEASE } from "../../../src/database/queue/Work.ts";

/** What a process knows after responses at these times. */
const after = (timesMs: ReadonlyArray<number>): Contact => timesMs.reduce(afterResponse, NO_CONTACT);

const RECOVERY_MS = RECOVERY_SECONDS * 1_000;
const RENEWAL_INTERVAL_MS = (LEASE_SECONDS_DEFAULT * 1_000) / RENEWALS_PER_LEASE;

describe("a lease that has run out means a dead worker", () => {
  it("for a new process, and while the database responds", () => {
    assert.isTrue(canTakeOver(NO_CONTACT, 3_000));
    assert.isTrue(canTakeOver(after([0, 5_000, 10_000]), 15_000));
  });

  it("not before the database responds again after an outage, nor until workers could renew theirs", () => {
    const outageEndMs = 5_000 + SILENCE_MS_MAX + 1;
    assert.isFalse(canTakeOver(after([0, 5_000]), outageEndMs));
    const timesMs = [0, 5_000, outageEndMs, outageEndMs + 5_000];
    assert.isFalse(canTakeOver(after(timesMs), outageEndMs + RECOVERY_MS - 1));
    assert.isTrue(canTakeOver(after(timesMs), outageEndMs + RECOVERY_MS));
  });
});

describe("an outage too short to be noticed", () => {
  it("ends no lease", () => {
    const leftMs = LEASE_SECONDS_DEFAULT * 1_000 - RENEWAL_INTERVAL_MS;
    assert.isAtLeast(leftMs, SILENCE_MS_MAX + RENEWAL_INTERVAL_MS);
  });

  it("is longer than the time between two looks at the queue", () => {
    assert.isAbove(SILENCE_MS_MAX, POLL_INTERVAL_MS);
  });
});

it("workers have several attempts to renew a lease after an outage", () => {
  assert.isAtLeast(RECOVERY_MS, 5 * RENEWAL_INTERVAL_MS);
});
