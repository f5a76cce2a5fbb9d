/** A layer that fails with StartFailed, in place of one that cannot be built. */
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { StartFailed } from "../settings/StartFailed.ts";

export const notStarted = <Services>(message: string, isAway = false): Layer.Layer<Services, StartFailed> =>
  Layer.effectContext<Services, StartFailed, never>(Effect.fail(new StartFailed({ message, isAway })));
