/** Secrets that sign links and tickets: random, in the Store, the same for all processes. Tests: FileLinks.test.ts. */
import * as Effect from "effect/Effect";
import { Store } from "../ports/Store.ts";
import { systemRandomBytes } from "./Ids.ts";

const SECRET_BYTES = 32;

/** An effect that reads the secret of this name. Loaded once; retried if the database is unavailable. */
export const makeSigningSecret = Effect.fnUntraced(function* (name: string) {
  const store = yield* Store;
  let loaded: string | null = null;
  return Effect.gen(function* () {
    if (loaded !== null) return loaded;
    const fresh = Buffer.from(yield* systemRandomBytes(SECRET_BYTES)).toString("base64url");
    loaded = yield* store.keepSecret(name, fresh);
    return loaded;
  });
});
