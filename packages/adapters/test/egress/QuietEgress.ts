/** The guard as tests provide it: a copy of its own each time, silent, settings that cannot be read a defect. */
import * as Layer from "effect/Layer";
import * as Logger from "effect/Logger";
import { Egress, type EgressSettings } from "../../src/egress/index.ts";

export const quietEgress = (settings: Partial<EgressSettings> = {}): Layer.Layer<Egress> =>
  Layer.fresh(Egress.layer({ allow: [], ...settings })).pipe(Layer.orDie, Layer.provide(Logger.layer([])));
