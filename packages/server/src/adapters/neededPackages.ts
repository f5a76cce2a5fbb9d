/**
 * Checks the optional packages required by the settings before waiting for anything, so that missing ones are
 * reported immediately and not only once the database responds.
 */
import { requirePackage, type OptionalPackageName } from "@winnow/adapters/runtime/OptionalPackage";
import * as Effect from "effect/Effect";
import { localModelOf } from "../settings/ModelSettings.ts";
import type { Settings } from "../settings/Config.ts";
import { type SettingMessage, told } from "../settings/SettingRow.ts";
import { SETTINGS } from "../settings/SettingsTable.ts";
import { StartFailed } from "../settings/StartFailed.ts";

const speechPackageOf = (speechModel: string): OptionalPackageName =>
  localModelOf(speechModel) === null ? "openai" : "sherpa-onnx-node";

const neededBy = (settings: Settings): ReadonlyArray<readonly [OptionalPackageName, SettingMessage]> => [
  ...(settings.llmModel === null
    ? []
    : [["openai", told`${SETTINGS.openaiApiKey} and ${SETTINGS.llmModel}`] as const]),
  ...(settings.speechModel === null
    ? []
    : [[speechPackageOf(settings.speechModel), told`${SETTINGS.speechModel}`] as const]),
  ...(settings.artifactsUrl._tag === "Directory"
    ? []
    : [["@bradenmacdonald/s3-lite-client", told`${SETTINGS.artifactsUrl}`] as const]),
  ...(settings.stripeSecretKey === null || settings.role === "worker"
    ? []
    : [["stripe", told`${SETTINGS.stripeSecretKey}`] as const])
];

export const requireNeededPackages = (settings: Settings): Effect.Effect<void, StartFailed> =>
  Effect.forEach(
    neededBy(settings),
    ([name, unset]) =>
      Effect.mapError(
        requirePackage(name),
        ({ message }) => new StartFailed({ why: told`${message}\nOr unset ${unset}.` })
      ),
    { discard: true }
  );
