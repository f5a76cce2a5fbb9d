/**
 * Ids of what a request makes. Under an `Idempotency-Key` the id is that of the key: the same request again
 * finds what the first one made.
 */
import * as Effect from "effect/Effect";
import { derivedId } from "../domain/DerivedId.ts";
import { parseIdempotencyKey } from "../domain/Idempotency.ts";
import type { InvalidRequest } from "../domain/Refusal.ts";
import { makeId, type IdPrefix } from "./Ids.ts";

/** @fails InvalidRequest the key is none */
export const idUnder = Effect.fnUntraced(function* (
  idempotencyKey: string | null,
  prefix: IdPrefix,
  accountId: string
): Effect.fn.Return<string, InvalidRequest> {
  if (idempotencyKey === null) return yield* makeId(prefix);
  const key = yield* Effect.fromResult(parseIdempotencyKey(idempotencyKey));
  return derivedId(prefix, accountId, key);
});
