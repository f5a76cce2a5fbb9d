/** Whether this process's worker is running. Tests: HealthHttp.test.ts. */
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Ref from "effect/Ref";

export class WorkerState extends Context.Service<
  WorkerState,
  {
    /** True from the start in a role without a worker. */
    readonly isReady: Effect.Effect<boolean>;
    readonly setReady: (ready: boolean) => Effect.Effect<void>;
  }
>()("@winnow/server/routes/system/WorkerState") {}

export const layer = (ready: boolean): Layer.Layer<WorkerState> =>
  Layer.effect(
    WorkerState,
    Effect.map(Ref.make(ready), (ref) =>
      WorkerState.of({ isReady: Ref.get(ref), setReady: (value) => Ref.set(ref, value) })
    )
  );
