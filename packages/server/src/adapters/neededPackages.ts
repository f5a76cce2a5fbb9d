/**
 * Checks the optional packages required by the settings before waiting for anything, so that missing ones are
 * reported immediately and not only once the database responds.
 */
import {
  type OptionalPackageName,
  type PackageMissing,
  requirePackage
} from "@winnow/adapters/runtime/OptionalPackage";
import * as Effect from "effect/Effect";
import { localModelOf } from "../settings/ModelSettings.ts";
import type { Settings } from "../settings/Config.ts";
import { type SettingMessage, told } from "../settings/SettingRow.ts";
import { SETTINGS } from "../settings/SettingsTable.ts";
import { orUnset, type StartFailed } from "../settings/StartFailed.ts";
import { requireLocalSpeech } from "./localSpeechPackage.ts";

/** What is needed, and the settings that need it. */
type Need = readonly [Effect.Effect<void, PackageMissing>, SettingMessage];

const need = (name: OptionalPackageName, unset: SettingMessage): ReadonlyArray<Need> => [
  [requirePackage(name), unset]
];

const speechPackage = (speechModel: string): Effect.Effect<void, PackageMissing> =>
  localModelOf(speechModel) === null ? requirePackage("openai") : requireLocalSpeech;

const neededBy = (settings: Settings): ReadonlyArray<Need> => [
  ...(settings.llmModel === null
    ? []
    : need("openai", told`${SETTINGS.openaiApiKey} and ${SETTINGS.llmModel}`)),
  ...(settings.speechModel === null
    ? []
    : [[speechPackage(settings.speechModel), told`${SETTINGS.speechModel}`] as const]),
  ...(settings.artifactsUrl._tag === "Directory"
    ? []
    : need("@bradenmacdonald/s3-lite-client", told`${SETTINGS.artifactsUrl}`)),
  ...(settings.stripeSecretKey === null || settings.role === "worker"
    ? []
    : need("stripe", told`${SETTINGS.stripeSecretKey}`))
];

export const requireNeededPackages = (settings: Settings): Effect.Effect<void, StartFailed> =>
  Effect.forEach(neededBy(settings), ([required, unset]) => Effect.mapError(required, orUnset(unset)), {
    discard: true
  });
