/** The settings of a command from the environment, or one sentence about an invalid one. */
import * as Effect from "effect/Effect";
import { readSettings, type Settings } from "../settings/Config.ts";
import { unusablePath } from "../settings/settingPaths.ts";
import { CliFailed } from "./CliFailed.ts";

export const settingsFromEnvironment: Effect.Effect<Settings, CliFailed> = Effect.suspend(() =>
  Effect.fromResult(readSettings(process.env)).pipe(
    Effect.mapError(({ message }) => new CliFailed({ message }))
  )
);

/** The same, and checks that the named files exist: for commands that run the programs. */
export const usableSettings: Effect.Effect<Settings, CliFailed> = Effect.flatMap(
  settingsFromEnvironment,
  (settings) => {
    const unusable = unusablePath(settings);
    return unusable === null
      ? Effect.succeed(settings)
      : Effect.fail(new CliFailed({ message: unusable.message }));
  }
);
