// @module-tag long
/** In any order of events, the laws of money, slots and states hold after every step. */
import { assert, describe, it } from "@effect/vitest";
import * as Cause from "effect/Cause";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Fiber from "effect/Fiber";
import * as Layer from "effect/Layer";
import * as Logger from "effect/Logger";
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import { Failed } from "../../../src/domain/source/Failed.ts";
import { isTerminal, type ExtractionStatus } from "../../../src/domain/run/Transition.ts";
import type { Extraction, RunResult } from "../../../src/domain/run/Extraction.ts";
import { Runs } from "../../../src/engine/runs/Runs.ts";
import { ArtifactStore } from "../../../src/ports/ArtifactStore.ts";
import type { FakeSource } from "@winnow/testing/fakes/FakeDownloader";
import {
  ARTICLE,
  assertLaws,
  CAROUSEL,
  execute,
  openAccount,
  SOURCES,
  submit,
  VIDEO,
  world
} from "../World.ts";

const Index = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 9 }));

const Submitting = Schema.Struct({ _tag: Schema.tag("submit"), url: Index, key: Schema.NullOr(Index) });
const Working = Schema.Struct({ _tag: Schema.tag("work"), of: Index });

/** One event; `of` selects among existing extractions. Most events are work on runs. */
const Happening = Schema.Union([
  Submitting,
  Submitting,
  Working,
  Working,
  Schema.Struct({ _tag: Schema.tag("succeed"), of: Index }),
  Schema.Struct({ _tag: Schema.tag("fail"), of: Index }),
  Schema.Struct({ _tag: Schema.tag("break"), of: Index }),
  Schema.Struct({ _tag: Schema.tag("stop"), of: Index }),
  Schema.Struct({ _tag: Schema.tag("cancel"), of: Index }),
  Schema.Struct({ _tag: Schema.tag("delete"), of: Index })
]);
type Happening = typeof Happening.Type;

const URLS = [VIDEO, CAROUSEL, ARTICLE];

const pick = <A>(choices: ReadonlyArray<A>, of: number): A | undefined => choices[of % choices.length];

/** Fetches that wait until the test releases them. */
const makeGates = () => {
  const gates: Array<Deferred.Deferred<void, Failed>> = [];
  const beforeFetch = Effect.suspend(() => {
    const gate = Deferred.makeUnsafe<void, Failed>();
    gates.push(gate);
    return Deferred.await(gate);
  });
  const sources: Record<string, FakeSource> = Object.fromEntries(
    Object.entries(SOURCES).map(([url, source]) => [url, { ...source, beforeFetch }])
  );
  const take = (of: number) => gates.splice(of % Math.max(1, gates.length), 1)[0];
  return { sources, take, count: () => gates.length };
};

/** Runs every fiber until it waits. */
const settleDown = Effect.replicateEffect(Effect.yieldNow, 20, { discard: true });

const FAILED = new Failed({ reason: "removed", message: "Gone." });

const make = Effect.fnUntraced(function* (gates: ReturnType<typeof makeGates>) {
  const runs = yield* Runs;
  const accountId = yield* openAccount(600);
  const workers: Array<Fiber.Fiber<void>> = [];
  const seen = new Map<string, ExtractionStatus>();
  const isLive = ({ status }: { readonly status: ExtractionStatus }) => !isTerminal(status);

  const release = (of: number, exit: Exit.Exit<void, Failed>) => {
    const gate = gates.take(of);
    return gate === undefined ? Effect.void : Deferred.done(gate, exit);
  };

  const happen = Effect.fnUntraced(function* (happening: Happening, extractions: ReadonlyArray<Extraction>) {
    switch (happening._tag) {
      case "submit": {
        const body = { url: pick(URLS, happening.url) };
        const key = happening.key === null ? null : `key ${happening.key}`;
        const exit = yield* Effect.exit(submit(accountId, body, key));
        assert.isFalse(Exit.isFailure(exit) && Cause.hasDies(exit.cause), "a submit died");
        return;
      }
      case "work": {
        const one = pick(extractions, happening.of);
        if (one !== undefined) workers.push(yield* Effect.forkChild(execute(one)));
        return;
      }
      case "succeed":
        return yield* release(happening.of, Exit.void);
      case "fail":
        return yield* release(happening.of, Exit.fail(FAILED));
      case "break":
        return yield* release(happening.of, Exit.die(new Error("broken")));
      case "stop": {
        const [worker] = workers.splice(happening.of % Math.max(1, workers.length), 1);
        if (worker !== undefined) yield* Fiber.interrupt(worker);
        return;
      }
      case "cancel": {
        const one = pick(extractions, happening.of);
        if (one === undefined) return;
        const after = yield* runs.cancel(accountId, one.id);
        if (isLive(one)) assert.strictEqual(after.failure?.reason, "cancelled");
        else assert.deepStrictEqual(after, one);
        return;
      }
      case "delete": {
        const one = pick(extractions, happening.of);
        if (one !== undefined) yield* runs.remove(accountId, one.id);
      }
    }
  });

  /** Files named by a result exist, whichever extraction stored them. */
  const assertFiles = Effect.fnUntraced(function* (extractions: ReadonlyArray<Extraction>) {
    const artifacts = yield* ArtifactStore;
    for (const { result } of extractions) {
      for (const { name } of result?.artifacts ?? []) {
        const size = yield* artifacts.size({ ...(result as RunResult).artifactOwner, name });
        if (Option.isNone(size)) assert.fail(`${name} is gone`);
      }
    }
  });

  const assertFinal = Effect.fnUntraced(function* () {
    const { extractions, ledger } = yield* assertLaws(accountId);
    const moves = ledger.flatMap(({ extractionId, kind }) =>
      extractionId === null ? [] : [`${kind} ${extractionId}`]
    );
    assert.strictEqual(new Set(moves).size, moves.length, "debited or refunded twice");
    yield* assertFiles(extractions);
    for (const { id, status } of extractions) {
      const before = seen.get(id);
      if (before !== undefined && isTerminal(before))
        assert.strictEqual(status, before, "a final state changed");
      seen.set(id, status);
    }
    return extractions;
  });

  /** Completes all work. */
  const finish = Effect.fnUntraced(function* () {
    for (;;) {
      while (gates.count() > 0) yield* Effect.andThen(release(0, Exit.void), settleDown);
      const live = (yield* assertFinal()).filter(isLive);
      if (live.length === 0) return;
      for (const one of live) workers.push(yield* Effect.forkChild(execute(one)));
      yield* settleDown;
    }
  });

  return {
    happen: (each: Happening, extractions: ReadonlyArray<Extraction>) =>
      Effect.andThen(happen(each, extractions), settleDown),
    assertFinal,
    finish
  };
});

describe("any order of events", () => {
  it.effect.prop(
    "preserves the balance, the slots and final states, and every run ends",
    { happenings: Schema.Array(Happening).check(Schema.isMinLength(20), Schema.isMaxLength(60)) },
    ({ happenings }) => {
      const gates = makeGates();
      const layers = Layer.merge(Layer.fresh(world({ sources: gates.sources })), Logger.layer([]));
      return Effect.gen(function* () {
        const { happen, assertFinal, finish } = yield* make(gates);
        let extractions = yield* assertFinal();
        for (const happening of happenings) {
          yield* happen(happening, extractions);
          extractions = yield* assertFinal();
        }
        yield* finish();
      }).pipe(Effect.provide(layers, { local: true }));
    },
    { arbitrary: { runs: 150, size: 40 } }
  );
});
