/** The process crashes while extractions are cancelled and deleted; another one completes the work. */
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Logger from "effect/Logger";
import * as Option from "effect/Option";
import { sweepRemovals } from "../../../src/engine/extractions/Removal.ts";
import { Runs } from "../../../src/engine/runs/Runs.ts";
import { ArtifactStore } from "../../../src/ports/ArtifactStore.ts";
import type { CrashPoint } from "../CrashingPorts.ts";
import { crashAtEachCall, crashingEngine } from "../crashAtEachCall.ts";
import { ARTICLE, assertLaws, BONUS, engine, openAccount, ports, runToEnd, submit, VIDEO } from "../World.ts";

/** A complete run, one that reuses its result, two pending ones, one queued. */
const prepare = Effect.fnUntraced(function* () {
  const accountId = yield* openAccount(1_000);
  const source = yield* runToEnd(accountId, { url: ARTICLE });
  const reused = (yield* submit(accountId, { url: ARTICLE })).extraction;
  const live = yield* Effect.forEach([1, 2, 3], () => submit(accountId, { url: VIDEO, parts: [] }));
  return {
    accountId,
    source,
    ids: [source, reused, ...live.map(({ extraction }) => extraction)].map(({ id }) => id)
  };
});

/** Cancels and deletes each; ignores failures and extractions that are already gone. */
const endAll = Effect.fnUntraced(function* (accountId: string, ids: ReadonlyArray<string>) {
  const runs = yield* Runs;
  for (const id of ids) {
    yield* Effect.exit(runs.cancel(accountId, id));
    yield* Effect.exit(runs.remove(accountId, id));
  }
});

const endTwice = Effect.fnUntraced(function* (lastCall: number, crashPoint: CrashPoint) {
  const crashing = yield* crashingEngine(lastCall, crashPoint);
  const intactEngine = Layer.fresh(engine());
  const { accountId, source, ids } = yield* Effect.provide(prepare(), intactEngine, { local: true });
  yield* Effect.provide(endAll(accountId, ids), crashing.layer, { local: true });
  yield* assertLaws(accountId);
  yield* Effect.provide(endAll(accountId, ids), intactEngine, { local: true });
  yield* sweepRemovals();
  const { account, extractions, ledger } = yield* assertLaws(accountId);
  assert.deepStrictEqual(extractions, []);
  assert.strictEqual(account.balance, 1_000 + BONUS - 50);
  for (const id of ids) {
    const refunds = ledger.filter(({ extractionId, kind }) => extractionId === id && kind === "refund");
    assert.strictEqual(refunds.length, ids.indexOf(id) < 2 ? 0 : 1);
  }
  const artifacts = yield* ArtifactStore;
  const size = yield* artifacts.size({ extractionId: source.id, attempt: 1, name: "transcript.txt" });
  assert.deepStrictEqual(size, Option.none());
  return crashing.counter.calls;
});

const isolated = (lastCall: number, crashPoint: CrashPoint) =>
  Effect.provide(endTwice(lastCall, crashPoint), [Layer.fresh(ports()), Logger.layer([])], { local: true });

describe("a process that dies while ending extractions", () => {
  it.effect.each(["before", "after"] as const)(
    "%s any of its calls takes effect refunds each once, and leaves no row and no file for good",
    (crashPoint) => crashAtEachCall(crashPoint, 15, isolated)
  );
});
