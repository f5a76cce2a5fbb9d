/** Ports of a process that crashes at its n-th call of any of them. */
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { Analyst } from "../../src/ports/Analyst.ts";
import { ArtifactStore } from "../../src/ports/ArtifactStore.ts";
import { Downloader } from "../../src/ports/Downloader.ts";
import { SchemaLibrary } from "../../src/ports/SchemaLibrary.ts";
import { Store } from "../../src/ports/Store.ts";

/** Whether the process crashes before or after this call takes effect; the response is lost in any case. */
export type CrashPoint = "before" | "after";

export interface CallCounter {
  calls: number;
  crashed: boolean;
}

/** One for all calls: a dead process makes thousands, and a stack trace for each would take long. */
const crash = Effect.die(new Error("The process has crashed"));

export const crashingAt =
  (counter: CallCounter, lastCall: number, crashPoint: CrashPoint) =>
  <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      if (counter.crashed) return crash;
      counter.calls += 1;
      if (counter.calls < lastCall) return call;
      counter.crashed = true;
      return crashPoint === "before" ? crash : Effect.andThen(call, crash);
    });

/** All ports of the engine, for a process that crashes. */
export const crashingPorts = (
  real: Context.Context<Store | ArtifactStore | Downloader | SchemaLibrary | Analyst>,
  crashing: ReturnType<typeof crashingAt>
) => {
  const store = Context.get(real, Store);
  const artifacts = Context.get(real, ArtifactStore);
  const downloader = Context.get(real, Downloader);
  const library = Context.get(real, SchemaLibrary);
  const analyst = Context.get(real, Analyst);
  return Layer.mergeAll(
    Layer.succeed(Store, {
      ...store,
      transact: (accountId, decider) => crashing(store.transact(accountId, decider)),
      getExtraction: (accountId, id) => crashing(store.getExtraction(accountId, id)),
      getIdempotency: (accountId, key) => crashing(store.getIdempotency(accountId, key)),
      findReusable: (accountId, key, sinceMs) => crashing(store.findReusable(accountId, key, sinceMs)),
      findStalled: (query) => crashing(store.findStalled(query)),
      deleteExtraction: (accountId, id) => crashing(store.deleteExtraction(accountId, id)),
      removeExpired: (query) => crashing(store.removeExpired(query)),
      noteFiles: (owner) => crashing(store.noteFiles(owner)),
      takeOrphans: (query) => crashing(store.takeOrphans(query)),
      forgetFiles: (orphan) => crashing(store.forgetFiles(orphan))
    }),
    Layer.succeed(ArtifactStore, {
      ...artifacts,
      put: (key, source) => crashing(artifacts.put(key, source)),
      removeAttempt: (owner) => crashing(artifacts.removeAttempt(owner))
    }),
    Layer.succeed(Downloader, {
      ...downloader,
      inspect: (url, options) => crashing(downloader.inspect(url, options)),
      list: (request) => crashing(downloader.list(request)),
      fetch: (request) => crashing(downloader.fetch(request))
    }),
    Layer.succeed(SchemaLibrary, {
      ...library,
      get: (accountId, id) => crashing(library.get(accountId, id)),
      save: (accountId, draft, savedMax) => crashing(library.save(accountId, draft, savedMax))
    }),
    Layer.succeed(Analyst, {
      ...analyst,
      analyse: (request) => crashing(analyst.analyse(request)),
      propose: (material) => crashing(analyst.propose(material))
    })
  );
};
