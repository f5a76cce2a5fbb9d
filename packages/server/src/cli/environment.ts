/**
 * The settings that a command runs with: those of the environment, or one sentence about the bad one.
 */
import * as Effect from "effect/Effect";
import { readSettings, type Settings } from "../Config.ts";
import { CliFailed } from "./CliFailed.ts";

export const settingsFromEnvironment: Effect.Effect<Settings, CliFailed> = Effect.suspend(() =>
  Effect.fromResult(readSettings(process.env)).pipe(
    Effect.mapError(({ message }) => new CliFailed({ message }))
  )
);
