/** The guard for tests: a new one each time, without logs; invalid settings are a defect. */
import * as GuardedEgress from "../../src/network/GuardedEgress.ts";
import * as Layer from "effect/Layer";
import * as Logger from "effect/Logger";
import { Egress, type EgressSettings } from "../../src/network/index.ts";

export const quietEgress = (settings: Partial<EgressSettings> = {}): Layer.Layer<Egress> =>
  Layer.fresh(GuardedEgress.layer({ allow: [], ...settings })).pipe(
    Layer.orDie,
    Layer.provide(Logger.layer([]))
  );
