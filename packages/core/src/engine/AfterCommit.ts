/**
 * Observes the committed changes of every decision, so that no change of money or state is missed. It modifies none
 * of them.
 */
import * as Effect from "effect/Effect";
import type { Changes } from "../domain/run/Decision.ts";
import { Store } from "../ports/Store.ts";

/** If the process is killed between the commit and the callback, the callback is lost. */
export const afterCommit = (
  store: Store["Service"],
  report: (changes: Changes, accountId: string) => Effect.Effect<void>
): Store["Service"] =>
  Store.of({
    ...store,
    transact: (accountId, query, decide) =>
      Effect.tap(store.transact(accountId, query, decide), ({ changes }) => report(changes, accountId))
  });
