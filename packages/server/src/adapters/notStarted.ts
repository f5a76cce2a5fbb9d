/** A layer that fails with StartFailed, in place of one that cannot be built. */
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import type { SettingMessage } from "../settings/SettingRow.ts";
import { adapterMessage } from "../settings/SettingsTable.ts";
import { StartFailed } from "../settings/StartFailed.ts";

export const notStarted = <Services>(
  why: SettingMessage | string,
  isAway = false
): Layer.Layer<Services, StartFailed> =>
  Layer.effectContext<Services, StartFailed, never>(
    Effect.fail(new StartFailed({ why: typeof why === "string" ? adapterMessage(why) : why, isAway }))
  );
