/**
 * Finds a finished run whose result can be served again.
 */
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import { reusableKeys, reusableSinceMs, servedResult } from "../../domain/run/CacheKey.ts";
import type { RunResult } from "../../domain/run/Extraction.ts";
import type { RunRequest } from "../../domain/request/RunRequest.ts";
import { type Reuse, ReusedResultMissing } from "../../domain/run/Submission.ts";
import { Analyst } from "../../ports/Analyst.ts";
import { ArtifactStore } from "../../ports/ArtifactStore.ts";
import { SchemaLibrary } from "../../ports/SchemaLibrary.ts";
import { Store } from "../../ports/Store.ts";

/** Concurrent artifact checks: most runs have fewer files, and object stores need a round trip each. */
const CONCURRENT_CHECKS = 8;

/** The model that counts for a request's cache key. */
export const modelOf = Effect.fnUntraced(function* ({ mode }: Pick<RunRequest, "mode">) {
  return mode === "ai" ? (yield* Analyst).model : null;
});

/** Whether all files of a result are there. */
export const hasArtifacts = Effect.fnUntraced(function* ({ artifacts, artifactOwner }: RunResult) {
  const store = yield* ArtifactStore;
  const sizes = yield* Effect.forEach(artifacts, ({ name }) => store.size({ ...artifactOwner, name }), {
    concurrency: CONCURRENT_CHECKS
  });
  return sizes.every(Option.isSome);
});

/** A generated schema may have been deleted since, which would leave its id dangling. */
const hasSchema = Effect.fnUntraced(function* (accountId: string, { schemaId }: RunResult) {
  if (schemaId === null) return true;
  const library = yield* SchemaLibrary;
  return Option.isSome(yield* library.get(accountId, schemaId));
});

/** Null if a fresh run is needed. */
export const findReuse = Effect.fn("Reuse.find")(function* (accountId: string, request: RunRequest) {
  const sinceMs = reusableSinceMs(request, yield* Clock.currentTimeMillis);
  if (sinceMs === null) return null;
  const store = yield* Store;
  for (const key of reusableKeys(accountId, request, yield* modelOf(request))) {
    const found = Option.getOrNull(yield* store.findReusable(accountId, key, sinceMs));
    const result = found === null ? null : servedResult(found, request);
    if (found === null || result === null) continue;
    if ((yield* hasSchema(accountId, result)) && (yield* hasArtifacts(result))) {
      return { extractionId: found.id, result } satisfies Reuse;
    }
  }
  return null;
});

/** A result to reuse was deleted between look-up and decision: looks and decides anew, as long as one was. */
export const untilReusable = <A, E, R>(
  attempt: Effect.Effect<A, E, R>
): Effect.Effect<A, Exclude<E, ReusedResultMissing>, R> =>
  Effect.catchIf(
    attempt,
    (failure): failure is Extract<E, ReusedResultMissing> => failure instanceof ReusedResultMissing,
    () => untilReusable(attempt)
  ) as Effect.Effect<A, Exclude<E, ReusedResultMissing>, R>;
