/** What the operator's endpoints tell of the routes to sources. Optional: without it, there are none to tell of. */
import type { RouteReport } from "@winnow/adapters/sources/ways/RouteReport";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";

export class SourceRoutes extends Context.Reference<{
  /** In their order. */
  readonly report: Effect.Effect<ReadonlyArray<RouteReport>>;
}>("@winnow/server/SourceRoutes", { defaultValue: () => ({ report: Effect.succeed([]) }) }) {}
