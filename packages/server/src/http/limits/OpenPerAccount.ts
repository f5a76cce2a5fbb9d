/** Limits how many answers of one account are open in this process at once. */
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";

export class OpenPerAccount {
  readonly #counts = new Map<string, number>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  /** Counts one until the scope closes; false if the account already has the maximum. */
  open(accountId: string): Effect.Effect<boolean, never, Scope.Scope> {
    return Effect.suspend(() =>
      (this.#counts.get(accountId) ?? 0) >= this.#max
        ? Effect.succeed(false)
        : Effect.acquireRelease(
            Effect.sync(() => this.#add(accountId, 1)),
            () => Effect.sync(() => this.#add(accountId, -1))
          ).pipe(Effect.as(true))
    );
  }

  /** Of all accounts. */
  get count(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  #add(accountId: string, change: number): void {
    const count = (this.#counts.get(accountId) ?? 0) + change;
    if (count === 0) this.#counts.delete(accountId);
    else this.#counts.set(accountId, count);
  }
}
