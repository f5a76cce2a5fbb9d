// @module-tag long
import { assert, describe, it } from "@effect/vitest";
import type { DownloadFailed } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Logger from "effect/Logger";
import * as TestClock from "effect/testing/TestClock";
import { failed } from "../../src/sources/failures/classify.ts";
import {
  admit,
  CLOSED,
  FIRST_PAUSE_MS,
  type HostCircuit,
  PAUSE_MAX_MS,
  rejected,
  REJECTION_MEMORY_MS,
  REJECTIONS_TO_OPEN,
  TRIAL_MAX_MS,
  undecided,
  makeHostCircuits,
  WAIT_MAX_MS
} from "../../src/sources/failures/HostCircuits.ts";

const SITE = "https://video.example/watch/";

const rejectedBy = (circuit: HostCircuit, urls: number, nowMs = 0): HostCircuit => {
  let now = circuit;
  for (let at = 0; at < urls; at++) {
    now = rejected(now, { url: `${SITE}${at}`, reason: "rate_limited" }, nowMs).circuit;
  }
  return now;
};

const admitted = (circuit: HostCircuit, nowMs: number): HostCircuit => {
  const admission = admit(circuit, nowMs);
  return admission._tag === "Admitted" ? admission.circuit : assert.fail("refused");
};

describe("a host's circuit", () => {
  it("opens after the allowed number of URLs, not after one repeated URL", () => {
    assert.isNull(rejectedBy(CLOSED, REJECTIONS_TO_OPEN - 1).open);
    assert.isNotNull(rejectedBy(CLOSED, REJECTIONS_TO_OPEN).open);
    let one = CLOSED;
    for (let at = 0; at < 20; at++) one = rejected(one, { url: SITE, reason: "bot_blocked" }, at).circuit;
    assert.isNull(one.open);
  });

  it("forgets old failures", () => {
    const before = rejectedBy(CLOSED, REJECTIONS_TO_OPEN - 1);
    const { circuit } = rejected(before, { url: "x", reason: "bot_blocked" }, REJECTION_MEMORY_MS + 1);
    assert.deepStrictEqual(circuit.urls, ["x"]);
  });

  it("lets one trial request through after its pause, and the others after its result", () => {
    const open = rejectedBy(CLOSED, REJECTIONS_TO_OPEN);
    assert.deepStrictEqual(admit(open, 1_000), {
      _tag: "Refused",
      reason: "rate_limited",
      remainingMs: FIRST_PAUSE_MS - 1_000
    });
    const trial = admitted(open, FIRST_PAUSE_MS);
    assert.strictEqual(admit(trial, FIRST_PAUSE_MS)._tag, "Refused");
    assert.strictEqual(admit(trial, FIRST_PAUSE_MS + TRIAL_MAX_MS)._tag, "Admitted", "the trial was lost");
    assert.strictEqual(admit(undecided(trial, FIRST_PAUSE_MS + 1), FIRST_PAUSE_MS + 1)._tag, "Admitted");
  });

  it("pauses twice as long each time, up to half an hour", () => {
    let nowMs = 0;
    let circuit = rejectedBy(CLOSED, REJECTIONS_TO_OPEN);
    for (let pause = 1; pause < 8; pause++) {
      nowMs = circuit.open?.untilMs ?? assert.fail("closed");
      const next = rejected(admitted(circuit, nowMs), { url: SITE, reason: "bot_blocked" }, nowMs);
      assert.strictEqual(next.pauseMs, Math.min(FIRST_PAUSE_MS * 2 ** pause, PAUSE_MAX_MS));
      ({ circuit } = next);
    }
  });

  it("is not kept open longer by requests already in flight", () => {
    const open = rejectedBy(CLOSED, REJECTIONS_TO_OPEN);
    assert.deepStrictEqual(rejected(open, { url: "late", reason: "bot_blocked" }, 500), {
      circuit: open,
      pauseMs: null
    });
  });
});

const wall = (url: string) => ({ url, request: Effect.fail(failed("bot_blocked")) });

const open = Effect.fnUntraced(function* (circuits: ReturnType<typeof makeHostCircuits>) {
  for (let at = 0; at < REJECTIONS_TO_OPEN; at++) {
    const { request, url } = wall(`${SITE}${at}`);
    yield* Effect.flip(circuits.guard(url, request));
  }
});

describe("the circuits of a process", () => {
  it.effect("a paused host gets no requests, and the failure says until when", () =>
    Effect.gen(function* () {
      const circuits = makeHostCircuits();
      yield* open(circuits);
      let asked = 0;
      const request = Effect.sync(() => (asked += 1));
      for (const url of [`${SITE}new`, "https://www.video.example/x", "https://m.video.example/y"]) {
        const failure: DownloadFailed = yield* Effect.flip(circuits.guard(url, request));
        assert.deepStrictEqual([failure.reason, failure.retryAfterSeconds], ["bot_blocked", 60]);
        assert.include(failure.message, "60 seconds");
      }
      assert.strictEqual(yield* circuits.guard("https://other.example/", request), 1);
    })
  );

  it.effect("a request near the end of a pause waits for it, and its success closes the circuit", () =>
    Effect.gen(function* () {
      const circuits = makeHostCircuits();
      yield* open(circuits);
      yield* TestClock.adjust(FIRST_PAUSE_MS - WAIT_MAX_MS);
      const fiber = yield* Effect.forkChild(circuits.guard(`${SITE}new`, Effect.succeed("there")));
      yield* TestClock.adjust(WAIT_MAX_MS);
      assert.strictEqual(yield* Fiber.join(fiber), "there");
      const { request, url } = wall(`${SITE}again`);
      assert.isUndefined((yield* Effect.flip(circuits.guard(url, request))).retryAfterSeconds);
      assert.strictEqual(yield* circuits.guard(`${SITE}more`, Effect.succeed(1)), 1);
    })
  );

  it.effect("any other response closes the circuit", () =>
    Effect.gen(function* () {
      const circuits = makeHostCircuits();
      for (let at = 0; at < 3 * REJECTIONS_TO_OPEN; at++) {
        const { request, url } = wall(`${SITE}${at}`);
        yield* Effect.flip(circuits.guard(url, request));
        if (at % 2 === 0) yield* Effect.flip(circuits.guard(url, Effect.fail(failed("removed"))));
      }
      assert.strictEqual(yield* circuits.guard(SITE, Effect.succeed(1)), 1);
    })
  );

  it.effect("after an interrupted trial, the next request is the trial", () =>
    Effect.gen(function* () {
      const circuits = makeHostCircuits();
      yield* open(circuits);
      yield* TestClock.adjust(FIRST_PAUSE_MS);
      const trial = yield* Effect.forkChild(circuits.guard(SITE, Effect.never));
      yield* Effect.yieldNow;
      yield* Fiber.interrupt(trial);
      assert.strictEqual(yield* circuits.guard(SITE, Effect.succeed(1)), 1);
    })
  );

  it.effect("every pause is logged once, with the host", () =>
    Effect.gen(function* () {
      const lines: Array<unknown> = [];
      const logger = Logger.make(({ message }) => void lines.push(message));
      yield* open(makeHostCircuits()).pipe(Effect.provide(Logger.layer([logger])));
      assert.lengthOf(lines, 1);
    })
  );
});
