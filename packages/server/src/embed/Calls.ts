/**
 * Runs use cases as promises: typed errors become {@link EngineError}, aborting stops the work, and closing
 * aborts calls in flight.
 */
import * as Cause from "effect/Cause";
import type * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import type * as Fiber from "effect/Fiber";
import * as Pull from "effect/Pull";
import * as Scope from "effect/Scope";
import * as Stream from "effect/Stream";
import type { ErrorBody } from "../http/ApiErrors.ts";
import type { AnyRefusal } from "../http/RefusalErrors.ts";
import { EngineError } from "./EngineError.ts";

/** Errors of parsing a body or a query, the same as over HTTP. */
interface ApiError {
  readonly error: ErrorBody;
}

export type CallError = AnyRefusal | ApiError | EngineError;

const closedError = () => new EngineError("closed", "This instance was closed.");

const reasonOf = (signal: AbortSignal): unknown => signal.reason;

/** The error to reject with. */
const rejectionOf = (cause: Cause.Cause<CallError>): unknown => {
  const squashed = Cause.squash(cause);
  if (squashed instanceof EngineError) return squashed;
  if (Cause.hasFails(cause)) {
    const failure = squashed as AnyRefusal | ApiError;
    const { code, message, details } = "error" in failure ? failure.error : failure;
    return new EngineError(code, message, details);
  }
  return Cause.hasInterruptsOnly(cause)
    ? closedError()
    : new EngineError("internal_error", "Internal error in Winnow; see `cause`.", {}, squashed);
};

export class Calls<R> {
  readonly #services: Context.Context<R>;
  readonly #running = new Set<Fiber.Fiber<unknown, unknown>>();
  #open = true;

  constructor(services: Context.Context<R>) {
    this.#services = services;
  }

  /** Rejects with the signal's reason when it is aborted. */
  run<A>(effect: Effect.Effect<A, CallError, R>, signal?: AbortSignal): Promise<A> {
    if (!this.#open) return Promise.reject(closedError());
    if (signal?.aborted === true) return Promise.reject(reasonOf(signal) as Error);
    return new Promise<A>((resolve, reject) => {
      const fiber = Effect.runForkWith(this.#services)(effect, signal === undefined ? {} : { signal });
      this.#running.add(fiber);
      fiber.addObserver((exit) => {
        this.#running.delete(fiber);
        if (Exit.isSuccess(exit)) resolve(exit.value);
        else if (signal?.aborted === true) reject(reasonOf(signal) as Error);
        else reject(rejectionOf(exit.cause) as Error);
      });
    });
  }

  /** Throws the signal's reason when it is aborted. Leaving the loop ends the work. */
  async *iterate<A>(stream: Stream.Stream<A, CallError, R>, signal?: AbortSignal): AsyncGenerator<A, void> {
    const scope = Scope.makeUnsafe();
    try {
      const pull = await this.run(Scope.provide(Stream.toPull(stream), scope), signal);
      const next = Pull.catchDone(pull, () => Effect.succeed(null));
      for (;;) {
        const values = await this.run(next, signal);
        if (values === null) return;
        yield* values;
      }
    } finally {
      await Effect.runPromise(Scope.close(scope, Exit.void));
    }
  }

  /** Aborts calls in flight, which reject as closed. */
  close(): void {
    this.#open = false;
    for (const fiber of this.#running) fiber.interruptUnsafe();
  }
}
