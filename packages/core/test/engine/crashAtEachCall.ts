/** An engine whose process crashes at its n-th port call, for every n; another one takes over. */
import { assert } from "@effect/vitest";
import type * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import type { Analyst } from "../../src/ports/Analyst.ts";
import type { ArtifactStore } from "../../src/ports/ArtifactStore.ts";
import type { Downloader } from "../../src/ports/Downloader.ts";
import type { JobQueue } from "../../src/ports/JobQueue.ts";
import type { SchemaLibrary } from "../../src/ports/SchemaLibrary.ts";
import type { Store } from "../../src/ports/Store.ts";
import { crashingAt, crashingPorts, type CrashPoint, type CallCounter } from "./CrashingPorts.ts";
import { engine, openAccount } from "./World.ts";

type Ports = Store | ArtifactStore | Downloader | JobQueue | SchemaLibrary | Analyst;

/** An engine that crashes at this call of a port, and the counter of its calls. */
export const crashingEngine = Effect.fnUntraced(function* (lastCall: number, crashPoint: CrashPoint) {
  const real = yield* Effect.context<Ports>();
  const counter: CallCounter = { calls: 0, crashed: false };
  const layer = Layer.provideMerge(
    Layer.fresh(engine()),
    crashingPorts(real, crashingAt(counter, lastCall, crashPoint))
  );
  return { layer, counter };
});

/**
 * The process that crashes lives until its second removal of old data. What it does afterwards, it has done before in
 * the same state: its calls fail once it is dead.
 */
const CRASHING_LIFETIME = "1 minute";

/** Long enough for a job's retry, the detection of a dead worker and the sweep for lost jobs. */
const INTACT_LIFETIME = "2 minutes";

/** Runs `work` for a new account of 1,000 credits until the crash, then again to the end with an intact engine. */
export const runTwice = Effect.fnUntraced(function* <A, E, R>(
  work: (accountId: string, lifetime: Duration.Input) => Effect.Effect<A, E, R>,
  lastCall: number,
  crashPoint: CrashPoint
) {
  const { layer, counter } = yield* crashingEngine(lastCall, crashPoint);
  const intactEngine = Layer.fresh(engine());
  const accountId = yield* Effect.provide(openAccount(1_000), intactEngine, { local: true });
  yield* Effect.provide(work(accountId, CRASHING_LIFETIME), layer, { local: true });
  yield* Effect.provide(work(accountId, INTACT_LIFETIME), intactEngine, { local: true });
  return { accountId, calls: counter.calls };
});

/**
 * Runs the scenario with a crash at each of its calls. It returns the number of calls, which without a crash is
 * more than `callsMin`.
 */
export const crashAtEachCall = Effect.fnUntraced(function* <E, R>(
  crashPoint: CrashPoint,
  callsMin: number,
  scenario: (lastCall: number, crashPoint: CrashPoint) => Effect.Effect<number, E, R>
) {
  const calls = yield* scenario(Number.POSITIVE_INFINITY, crashPoint);
  assert.isAbove(calls, callsMin);
  for (let lastCall = 1; lastCall <= calls; lastCall++) {
    yield* Effect.catchDefect(scenario(lastCall, crashPoint), (defect) =>
      Effect.die(new Error(`Crashed ${crashPoint} call ${lastCall} of ${calls}`, { cause: defect }))
    );
  }
});
