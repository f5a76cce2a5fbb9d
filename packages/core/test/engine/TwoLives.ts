/** An engine whose process dies at its n-th port call, for every n; another one takes over. */
import { assert } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import type { Analyst } from "../../src/ports/Analyst.ts";
import type { ArtifactStore } from "../../src/ports/ArtifactStore.ts";
import type { Downloader } from "../../src/ports/Downloader.ts";
import type { JobQueue } from "../../src/ports/JobQueue.ts";
import type { SchemaLibrary } from "../../src/ports/SchemaLibrary.ts";
import type { Store } from "../../src/ports/Store.ts";
import { mortal, mortalPorts, type Death, type Life } from "./MortalPorts.ts";
import { engine, openAccount } from "./World.ts";

type Ports = Store | ArtifactStore | Downloader | JobQueue | SchemaLibrary | Analyst;

/** The engine of the first life; `life` counts its calls. */
export const dyingEngine = Effect.fnUntraced(function* (lastCall: number, death: Death) {
  const real = yield* Effect.context<Ports>();
  const life: Life = { calls: 0, dead: false };
  const layer = Layer.provideMerge(Layer.fresh(engine()), mortalPorts(real, mortal(life, lastCall, death)));
  return { layer, life };
});

/** Runs with a new account of 1,000 credits until the n-th call, then again to the end. */
export const liveTwice = Effect.fnUntraced(function* <A, E, R>(
  live: (accountId: string) => Effect.Effect<A, E, R>,
  lastCall: number,
  death: Death
) {
  const { layer, life } = yield* dyingEngine(lastCall, death);
  const secondLife = Layer.fresh(engine());
  const accountId = yield* Effect.provide(openAccount(1_000), secondLife, { local: true });
  yield* Effect.provide(live(accountId), layer, { local: true });
  yield* Effect.provide(live(accountId), secondLife, { local: true });
  return { accountId, calls: life.calls };
});

/** Dies at each call in turn. `lives` returns the number of calls, more than `callsMin` if nothing dies. */
export const dieAtEach = Effect.fnUntraced(function* <E, R>(
  death: Death,
  callsMin: number,
  lives: (lastCall: number, death: Death) => Effect.Effect<number, E, R>
) {
  const calls = yield* lives(Number.POSITIVE_INFINITY, death);
  assert.isAbove(calls, callsMin);
  for (let lastCall = 1; lastCall <= calls; lastCall++) {
    yield* Effect.catchDefect(lives(lastCall, death), (defect) =>
      Effect.die(new Error(`Dead ${death} call ${lastCall} of ${calls}`, { cause: defect }))
    );
  }
});
