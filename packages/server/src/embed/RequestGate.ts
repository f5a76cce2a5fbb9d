/**
 * Counts the requests of an instance from their start to the last byte of the response, and rejects new ones
 * once it closes.
 */
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import { GRACE_MS } from "../http/HttpListener.ts";

export class RequestGate {
  #open = true;
  #count = 0;
  #onEmpty: () => void = () => undefined;

  get isOpen(): boolean {
    return this.#open;
  }

  /** False when it is closed; counts one until the request's scope closes otherwise. */
  readonly enter: Effect.Effect<boolean, never, Scope.Scope> = Effect.suspend(() =>
    this.#open
      ? Effect.acquireRelease(
          Effect.sync(() => void this.#count++),
          () => Effect.sync(() => this.#leave())
        ).pipe(Effect.as(true))
      : Effect.succeed(false)
  );

  /**
   * Resolves when the last request has ended or the time limit is over. Uses real time, since a test's clock
   * may stand still.
   */
  async close(): Promise<void> {
    this.#open = false;
    if (this.#count === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, GRACE_MS);
      this.#onEmpty = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #leave(): void {
    this.#count--;
    if (this.#count === 0) this.#onEmpty();
  }
}
