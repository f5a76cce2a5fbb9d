// @module-tag long
import { assert, describe, it } from "@effect/vitest";
import { HEARTBEAT_RETRY_MS } from "../../../src/database/queue/Work.ts";
import {
  canTrustHeartbeats,
  type DatabaseHealth,
  GRACE_MS,
  healthAfterPoll,
  NEVER_POLLED,
  nextPollInMs,
  POLL_INTERVAL_MS,
  POLL_RETRY_MS
} from "../../../src/database/queue/Supervision.ts";

const LONG_UP_MS = 86_400_000;

/** The health after one poll every 3 s. Each poll returned one of these uptimes, or failed if it is null. */
const healthAfter = (uptimesMs: ReadonlyArray<number | null>): DatabaseHealth =>
  uptimesMs.reduce<DatabaseHealth>(
    (health, upMs, index) => healthAfterPoll(health, (index + 1) * 3_000, upMs),
    NEVER_POLLED
  );

describe("whether a missing heartbeat means a dead worker", () => {
  it("does at the first poll of a database that has been up for a long time", () => {
    assert.isTrue(canTrustHeartbeats(healthAfter([LONG_UP_MS]), 3_000));
  });

  it("does not until workers have had time to send one after an outage", () => {
    const health = healthAfter([LONG_UP_MS, null, null, LONG_UP_MS]);
    assert.isFalse(canTrustHeartbeats(health, 12_000));
    assert.isFalse(canTrustHeartbeats(health, 9_000 + GRACE_MS - 1));
    assert.isTrue(canTrustHeartbeats(health, 9_000 + GRACE_MS));
  });

  it("does not for a while after the database was started, in a new process too", () => {
    const health = healthAfterPoll(NEVER_POLLED, 100_000, 2_000);
    assert.isFalse(canTrustHeartbeats(health, 100_000));
    assert.isTrue(canTrustHeartbeats(health, 98_000 + GRACE_MS));
  });

  it("does not for a while after this process was stalled", () => {
    const health = healthAfterPoll({ polledAtMs: 3_000, outageAtMs: null }, 60_000, LONG_UP_MS);
    assert.isFalse(canTrustHeartbeats(health, 60_000));
    assert.isTrue(canTrustHeartbeats(health, 60_000 + GRACE_MS));
  });
});

describe("when the next poll is", () => {
  const stable: DatabaseHealth = { polledAtMs: 50_000, outageAtMs: null };
  const recovering: DatabaseHealth = { polledAtMs: 50_000, outageAtMs: 45_000 };

  it("is after the usual interval if no job is active or all heartbeats are recent", () => {
    assert.strictEqual(nextPollInMs(stable, 50_000, null), POLL_INTERVAL_MS);
    assert.strictEqual(nextPollInMs(stable, 50_000, 11_000), POLL_INTERVAL_MS);
  });

  it("is when the first job times out", () => {
    assert.strictEqual(nextPollInMs(stable, 50_000, 2_500), 2_500);
  });

  it("is soon if the database did not respond, or an overdue job was not reclaimed yet", () => {
    assert.strictEqual(nextPollInMs(recovering, 50_000, undefined), POLL_RETRY_MS);
    assert.strictEqual(nextPollInMs(stable, 50_000, -3_000), POLL_RETRY_MS);
  });

  it("is at the end of the grace period after an outage", () => {
    assert.strictEqual(nextPollInMs(recovering, 51_000, -3_000), GRACE_MS - 6_000);
  });

  it("leaves a worker several attempts to send a heartbeat within the grace period", () => {
    assert.isAtLeast(GRACE_MS, 8 * HEARTBEAT_RETRY_MS);
  });
});
