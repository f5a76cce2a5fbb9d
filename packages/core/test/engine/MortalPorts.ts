/** Ports of a process that dies at its n-th call of any of them. */
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { Analyst } from "../../src/ports/Analyst.ts";
import { ArtifactStore } from "../../src/ports/ArtifactStore.ts";
import { Downloader } from "../../src/ports/Downloader.ts";
import { SchemaLibrary } from "../../src/ports/SchemaLibrary.ts";
import { Store } from "../../src/ports/Store.ts";

/** Whether the call at which the process dies still takes effect; its response is lost in any case. */
export type Death = "before" | "after";

export interface Life {
  calls: number;
  dead: boolean;
}

export const mortal =
  (life: Life, lastCall: number, death: Death) =>
  <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      const dies = Effect.die(new Error("The process is dead"));
      if (life.dead) return dies;
      life.calls += 1;
      if (life.calls < lastCall) return call;
      life.dead = true;
      return death === "before" ? dies : Effect.andThen(call, dies);
    });

/** All ports of the engine, for a process that dies. */
export const mortalPorts = (
  real: Context.Context<Store | ArtifactStore | Downloader | SchemaLibrary | Analyst>,
  dying: ReturnType<typeof mortal>
) => {
  const store = Context.get(real, Store);
  const artifacts = Context.get(real, ArtifactStore);
  const downloader = Context.get(real, Downloader);
  const library = Context.get(real, SchemaLibrary);
  const analyst = Context.get(real, Analyst);
  return Layer.mergeAll(
    Layer.succeed(Store, {
      ...store,
      transact: (accountId, query, decide) => dying(store.transact(accountId, query, decide)),
      getExtraction: (accountId, id) => dying(store.getExtraction(accountId, id)),
      getIdempotency: (accountId, key) => dying(store.getIdempotency(accountId, key)),
      findReusable: (accountId, key, sinceMs) => dying(store.findReusable(accountId, key, sinceMs)),
      findStalled: (query) => dying(store.findStalled(query)),
      deleteExtraction: (accountId, id) => dying(store.deleteExtraction(accountId, id)),
      listEnded: (id, query) => dying(store.listEnded(id, query)),
      removeExpired: (query) => dying(store.removeExpired(query)),
      findAbandonedFiles: (limit) => dying(store.findAbandonedFiles(limit)),
      forgetAbandonedFiles: (ids) => dying(store.forgetAbandonedFiles(ids)),
      noteFiles: (owner) => dying(store.noteFiles(owner)),
      findLeftFiles: (limit) => dying(store.findLeftFiles(limit)),
      noteRemoval: (owner, nowMs) => dying(store.noteRemoval(owner, nowMs)),
      forgetLeftFiles: (owner) => dying(store.forgetLeftFiles(owner))
    }),
    Layer.succeed(ArtifactStore, {
      ...artifacts,
      put: (key, source) => dying(artifacts.put(key, source)),
      removeAttempt: (owner) => dying(artifacts.removeAttempt(owner)),
      removeExtractions: (ids) => dying(artifacts.removeExtractions(ids))
    }),
    Layer.succeed(Downloader, {
      inspect: (url, options) => dying(downloader.inspect(url, options)),
      fetch: (request) => dying(downloader.fetch(request))
    }),
    Layer.succeed(SchemaLibrary, {
      ...library,
      get: (accountId, id) => dying(library.get(accountId, id)),
      save: (accountId, draft, savedMax) => dying(library.save(accountId, draft, savedMax))
    }),
    Layer.succeed(Analyst, {
      ...analyst,
      analyse: (request) => dying(analyst.analyse(request)),
      propose: (material) => dying(analyst.propose(material))
    })
  );
};
