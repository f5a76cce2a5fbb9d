/** A file of the operator, read at the start and on SIGHUP, when a mistake changes nothing. Tests: PlanFile.test.ts. */
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import type { StartFailed } from "./StartFailed.ts";

/** `what` is in it, with a capital letter; `apply` takes over what was read, and says in a few words what that is. */
export const readAgainOnHangUp = <A>(
  what: string,
  read: Effect.Effect<A, StartFailed>,
  apply: (value: A) => Effect.Effect<string>
): Effect.Effect<void, never, Scope.Scope> =>
  Effect.gen(function* () {
    const reload = Effect.flatMap(read, apply).pipe(
      Effect.flatMap((words) => Effect.logInfo(`${what} were reloaded: ${words}`)),
      Effect.catch(({ message }) => Effect.logError(`${what} were not reloaded: ${message}`)),
      Effect.withLogSpan(what.toLowerCase())
    );
    const fork = Effect.runForkWith(yield* Effect.context<never>());
    const listen = (): void => void fork(reload);
    yield* Effect.acquireRelease(
      Effect.sync(() => process.on("SIGHUP", listen)),
      () => Effect.sync(() => process.off("SIGHUP", listen))
    );
  });
