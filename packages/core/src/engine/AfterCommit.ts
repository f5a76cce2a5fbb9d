/**
 * Sees the changes of every decision once they are committed, so that nothing that moves money or states can
 * be forgotten; it changes none of them.
 */
import * as Effect from "effect/Effect";
import type { Changes } from "../domain/Decision.ts";
import { Store } from "../ports/Store.ts";

/** A process that is killed between the commit and `tell` does not tell. */
export const afterCommit = (
  store: Store["Service"],
  tell: (changes: Changes, accountId: string) => Effect.Effect<void>
): Store["Service"] =>
  Store.of({
    ...store,
    transact: (accountId, query, decide) =>
      Effect.tap(store.transact(accountId, query, decide), ({ changes }) => tell(changes, accountId))
  });
