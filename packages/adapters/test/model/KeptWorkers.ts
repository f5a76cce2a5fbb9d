/** Worker processes that all tests of a file share: they take long to start, and have no state. */
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Layer from "effect/Layer";
import * as Scope from "effect/Scope";
import { afterAll, beforeAll } from "vitest";

let kept: { readonly memoMap: Layer.MemoMap; readonly scope: Scope.Closeable } | null = null;

/** Called by a test file at its top; otherwise, each test starts workers of its own. */
export const keepWorkers = (): void => {
  const scope = Scope.makeUnsafe();
  beforeAll(() => void (kept = { memoMap: Layer.makeMemoMapUnsafe(), scope }));
  afterAll(() => {
    kept = null;
    return Effect.runPromise(Scope.close(scope, Exit.void));
  });
};

/** The layer, built once per file. */
export const keeping = <A, E>(layer: Layer.Layer<A, E>): Layer.Layer<A, E> =>
  Layer.suspend(() =>
    kept === null ? layer : Layer.effectContext(Layer.buildWithMemoMap(layer, kept.memoMap, kept.scope))
  );
