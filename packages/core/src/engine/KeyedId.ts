/**
 * Ids of things a request creates. With an `Idempotency-Key`, the id is derived from the key, so that repeating the
 * request finds the original.
 */
import * as Effect from "effect/Effect";
import { derivedId } from "../domain/text/DerivedId.ts";
import { parseIdempotencyKey } from "../domain/request/Idempotency.ts";
import type { InvalidRequest } from "../domain/request/Refusal.ts";
import { makeId, type IdPrefix } from "./Ids.ts";

/** @fails InvalidRequest the key is invalid */
export const makeKeyedId = Effect.fnUntraced(function* (
  idempotencyKey: string | null,
  prefix: IdPrefix,
  accountId: string
): Effect.fn.Return<string, InvalidRequest> {
  if (idempotencyKey === null) return yield* makeId(prefix);
  const key = yield* Effect.fromResult(parseIdempotencyKey(idempotencyKey));
  return derivedId(prefix, accountId, key);
});
