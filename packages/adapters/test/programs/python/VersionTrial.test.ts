import { assert, describe, it } from "vitest";
import * as fc from "fast-check";
import {
  choiceFor,
  type Event,
  HOSTS_MAX,
  LOST_TO_REJECT,
  NOTHING_KNOWN,
  observed,
  offer,
  OTHER_HOSTS,
  READ_TO_PROMOTE,
  reject,
  RUNS_TO_DECIDE_HOST,
  use,
  verdictOf,
  type VersionState
} from "../../../src/programs/python/VersionTrial.ts";

const OLD = "2026.10.26";
const NEW = "2026.11.20";

const onTrial = offer(NOTHING_KNOWN, NEW);

const after = (runs: ReadonlyArray<readonly [host: string, event: Event]>, state: VersionState = onTrial) =>
  runs.reduce((now, [host, event]) => observed(now, { trial: NEW, current: OLD, host, event }), state);

const repeated = (times: number, host: string, event: Event) =>
  Array.from({ length: times }, () => [host, event] as const);

const aHost = fc.constantFrom("a.test", "b.test", "c.test", "__proto__");
const someRuns = (...events: ReadonlyArray<Event>) =>
  fc.array(fc.tuple(aHost, fc.constantFrom(...events)), { maxLength: 80 });

describe("a new version on trial", () => {
  it("is promoted once it has read enough and lost nothing", () => {
    fc.assert(
      fc.property(someRuns("read", "rescued"), (runs) => {
        const { trial, rejected } = after(runs);
        assert.strictEqual(trial === null, runs.length >= READ_TO_PROMOTE);
        assert.isEmpty(rejected);
      })
    );
  });

  it("that reads nothing is rejected after a few losses, and never promoted", () => {
    fc.assert(
      fc.property(someRuns("lost"), (runs) => {
        const { trial, rejected } = after(runs);
        assert.deepStrictEqual(rejected, runs.length >= LOST_TO_REJECT ? [NEW] : []);
        assert.strictEqual(trial === null, rejected.length > 0);
      })
    );
  });

  it("is asked of a host until it has lost enough there to be judged, even if there is no other host", () => {
    const almost = after(repeated(LOST_TO_REJECT - 1, "a.test", "lost"));
    assert.strictEqual(choiceFor(almost, "a.test").part, "sample");
    const read = after(repeated(LOST_TO_REJECT, "b.test", "read"), almost);
    assert.strictEqual(choiceFor(after(repeated(1, "a.test", "lost"), read), "a.test").part, "none");
  });

  it("is judged by its counts, in whatever order the runs ended", () => {
    const counts = fc.dictionary(
      aHost,
      fc.record({ read: fc.nat(40), lost: fc.nat(40), rescued: fc.nat(40) })
    );
    fc.assert(
      fc.property(counts, (tallies) => {
        const turned = Object.fromEntries(Object.entries(tallies).toReversed());
        assert.strictEqual(verdictOf(tallies), verdictOf(turned));
      })
    );
  });

  it("never becomes better by a loss, unless the host then goes on with the older version", () => {
    const rank = { rejected: 0, open: 1, promoted: 2 } as const;
    fc.assert(
      fc.property(fc.nat(60), fc.nat(60), fc.nat(60), (read, lost, rescued) => {
        const tally = { read, lost, rescued };
        const worse = { ...tally, lost: lost + 1 };
        if (worse.lost > read + rescued) return;
        assert.isAtMost(rank[verdictOf({ "a.test": worse })], rank[verdictOf({ "a.test": tally })]);
      })
    );
  });

  it("that one host cannot be read with is promoted, and that host goes on with the older version", () => {
    const state = after([
      ...repeated(RUNS_TO_DECIDE_HOST, "broken.test", "lost"),
      ...repeated(READ_TO_PROMOTE, "a.test", "read")
    ]);
    assert.isNull(state.trial);
    assert.deepStrictEqual(state.olderByHost, { "broken.test": OLD });
    assert.deepStrictEqual(choiceFor(state, "broken.test"), { older: OLD, part: "none" });
    assert.deepStrictEqual(choiceFor(state, "a.test"), { older: null, part: "none" });
  });

  it("that loses now and then on hosts that it reads is not promoted", () => {
    const state = after([...repeated(3, "a.test", "lost"), ...repeated(30, "a.test", "read")]);
    assert.strictEqual(state.trial?.version, NEW);
  });

  it("reads a host first as soon as it alone has read it twice, but not after as many losses", () => {
    const once = after(repeated(1, "a.test", "rescued"));
    assert.strictEqual(choiceFor(once, "a.test").part, "sample");
    const twice = after(repeated(1, "a.test", "rescued"), once);
    assert.strictEqual(choiceFor(twice, "a.test").part, "first");
    assert.strictEqual(choiceFor(after(repeated(2, "a.test", "lost"), twice), "a.test").part, "sample");
  });

  it("gives a host back that an older version read, once it reads it", () => {
    const before = { ...onTrial, olderByHost: { "a.test": "2026.01.01", "unseen.test": "2026.01.01" } };
    const state = after(repeated(READ_TO_PROMOTE, "a.test", "read"), before);
    assert.deepStrictEqual(state.olderByHost, { "unseen.test": "2026.01.01" });
    const still = after(
      [...repeated(READ_TO_PROMOTE, "b.test", "read"), ...repeated(2, "a.test", "lost")].toReversed(),
      before
    );
    assert.strictEqual(still.olderByHost["a.test"], "2026.01.01");
  });

  it("counts hosts beyond the limit together", () => {
    const hosts = Array.from({ length: HOSTS_MAX + 3 }, (_, at) => `${at}.test`);
    const tallies = Object.fromEntries(
      hosts.slice(3).map((host) => [host, { read: 0, lost: 0, rescued: 0 }])
    );
    const full = { ...onTrial, trial: { version: NEW, tallies } };
    const { trial } = after(
      hosts.slice(0, 3).map((host) => [host, "lost"] as const),
      full
    );
    assert.deepStrictEqual(trial?.tallies, { ...tallies, [OTHER_HOSTS]: { read: 0, lost: 3, rescued: 0 } });
  });

  it("of another version is not counted", () => {
    assert.deepStrictEqual(
      observed(onTrial, { trial: OLD, current: OLD, host: "a.test", event: "lost" }),
      onTrial
    );
  });

  it("does not begin for a version that was rejected or while the operator has chosen one", () => {
    assert.isNull(offer(reject(NOTHING_KNOWN, NEW), NEW).trial);
    assert.isNull(offer(use(NOTHING_KNOWN, OLD), NEW).trial);
    assert.strictEqual(offer(use(reject(NOTHING_KNOWN, NEW), null, NEW), NEW).trial?.version, NEW);
  });
});
